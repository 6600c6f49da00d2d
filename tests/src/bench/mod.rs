//! Figures that are printed beside their limit or their peer.

pub mod ingest;
pub mod page;
