//! The pad's image for the STM32L475: wires the board's peripherals to the pad's application.
//!
//! On a PC this is an empty program, so that cargo's commands for the whole workspace stay green.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
#[path = "image.rs"]
mod image;

#[cfg(not(target_os = "none"))]
fn main() {}
