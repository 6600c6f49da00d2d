//! What Byestand's pads and base station have in common: the words of the game, the messages
//! between them, the frames on the air and the link that carries them.
//!
//! `no_std`, no allocation, and no panic: a panic is a dead table.
#![no_std]
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

pub mod message;
pub mod words;
