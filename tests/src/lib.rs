//! What the system tests share.

pub mod emulator;
pub mod naive;
