//! Turns results into matchpoints, IMPs, victory points and rankings.

mod imps;

pub use imps::Imps;
