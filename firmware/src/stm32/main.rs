//! The pad's image for the STM32L475: wires the board's peripherals to the pad's application.
//!
//! On a PC this is an empty program, so that cargo's commands for the whole workspace stay green.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod battery;
#[cfg(target_os = "none")]
mod board;
#[cfg(target_os = "none")]
mod channels;
#[cfg(target_os = "none")]
mod clock;
#[cfg(target_os = "none")]
mod conduct;
#[cfg(target_os = "none")]
mod display;
#[cfg(target_os = "none")]
mod executor;
#[cfg(target_os = "none")]
mod identity;
#[cfg(target_os = "none")]
mod idle;
#[cfg(target_os = "none")]
mod keypad;
#[cfg(target_os = "none")]
mod panic;
#[cfg(target_os = "none")]
mod service;
#[cfg(target_os = "none")]
mod sounds;
#[cfg(target_os = "none")]
mod time_base;
#[cfg(target_os = "none")]
mod torn;
#[cfg(target_os = "none")]
mod update;

#[cfg(not(target_os = "none"))]
fn main() {}
