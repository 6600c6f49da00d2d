//! Pads that run on a PC, and people to use them.

pub mod fingers;
mod flash;
mod pad;
mod pixels;
pub mod players;

pub use flash::{FlashFault, HostFlash, PAGE_LEN, WORD_LEN, block_on};
pub use pad::{Setup, VirtualPad};
pub use pixels::Pixels;
