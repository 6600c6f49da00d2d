//! The parts of the bench shim that are pure, so that they are tested on the host.
#![no_std]

pub mod decode;
pub mod display;
pub mod timer;
