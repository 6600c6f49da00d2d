//! What the system tests share.

pub mod bench;
pub mod browser;
pub mod daemon;
pub mod damage;
pub mod emulator;
pub mod hardware;
pub mod kept;
pub mod naive;
pub mod night;
pub mod pads;
pub mod phones;
pub mod room;
pub mod scoring_program;
pub mod sheets;
pub mod watchful;
pub mod year;
