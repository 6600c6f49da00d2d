//! The first program that runs on the chip: it starts the pad's program in one of the two slots, as
//! the notes in flash say, and does nothing else. It is written once, with a programmer.
//!
//! It runs on the clock that the chip starts with and leaves everything as it found it.
#![cfg_attr(target_os = "none", no_std, no_main)]
#![cfg_attr(
    target_os = "none",
    expect(
        unsafe_code,
        reason = "it hands the processor over to a program that is only an address"
    )
)]

#[cfg(target_os = "none")]
mod chip;

#[cfg(not(target_os = "none"))]
fn main() {}
