//! Literal bytes of every released wire version.

#[path = "versions/v1.rs"]
mod v1;
