//! Pads that run on a PC, and people to use them.

pub mod players;
