//! What Byestand's pads and base station have in common: the words of the game, the messages
//! between them, the frames on the air and the link that carries them.
//!
//! `no_std`, no allocation, and no panic: a panic is a dead table. Only the base's end of the
//! link (feature `hub`), which keeps a conversation for each pad, uses a heap.
#![no_std]
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

#[cfg(feature = "hub")]
extern crate alloc;

pub mod both_ends;
pub mod frame;
pub mod link;
pub mod message;
pub mod modem;
pub mod phone;
pub mod time;
pub mod wire;
pub mod words;
