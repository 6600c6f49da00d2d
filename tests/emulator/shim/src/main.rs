//! What QEMU's model of the board lacks, so that the pad's *unmodified* image runs on it.
//!
//! QEMU's `b-l475e-iot01a` has no power controller, flash controller, low-power timer, watchdog,
//! SPI or ADC, and its USART refuses the byte-wide accesses that the image makes. This program is
//! loaded beside the image into SRAM2 and takes the reset. It fences those holes off with the
//! memory protection unit, hooks `HardFault` and `SysTick`, and starts the image. A load or store
//! that hits a fence faults; the fault handler decodes the instruction, lets the model of that
//! device answer, and steps over it. All other faults go on to the image's own handler.
//!
//! It is a test bench and never flashed. It is the one place in the project where unsafe code is
//! the rule: it does with a processor what an emulator written in C would do in the host.
#![cfg_attr(target_os = "none", no_std, no_main)]
#![cfg_attr(
    target_os = "none",
    expect(
        unsafe_code,
        reason = "a fault handler that plays hardware; never part of the product"
    )
)]
#![cfg_attr(
    target_os = "none",
    expect(
        clippy::cast_possible_truncation,
        reason = "the chip's pointers and lengths are 32 bits wide"
    )
)]

#[cfg(target_os = "none")]
mod bench;
#[cfg(target_os = "none")]
mod bus;
#[cfg(target_os = "none")]
mod fault;
#[cfg(target_os = "none")]
mod flash;
#[cfg(target_os = "none")]
mod log;
#[cfg(target_os = "none")]
mod pins;
#[cfg(target_os = "none")]
mod power;
#[cfg(target_os = "none")]
mod semihosting;
#[cfg(target_os = "none")]
mod small_devices;
#[cfg(target_os = "none")]
mod startup;
#[cfg(target_os = "none")]
mod window;

#[cfg(not(target_os = "none"))]
fn main() {}
