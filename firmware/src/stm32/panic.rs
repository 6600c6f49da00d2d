//! A panic is logged and restarts the pad, which then resumes from its flash.
//!
//! What is logged are the return addresses on the stack, for `addr2line` with the image. The words
//! and places of all panics there are would take a tenth of the image.
#![expect(
    unsafe_code,
    reason = "the stack is memory that no Rust value stands for"
)]
use core::panic::PanicInfo;

use cortex_m::peripheral::SCB;
use cortex_m::register::msp;

/// Time for a probe to fetch the log before the reset: a tenth of a second at 16 MHz.
const LOG_CYCLES: u32 = 1_600_000;

/// Where the program is.
const FLASH: core::ops::Range<u32> = 0x0800_0000..0x0810_0000;

unsafe extern "C" {
    /// The end of the stack, from the linker's script.
    static _stack_start: u32;
}

#[panic_handler]
fn panic(_: &PanicInfo) -> ! {
    cortex_m::interrupt::disable();
    defmt::error!("panic, on the stack: {:x}", trail());
    cortex_m::asm::delay(LOG_CYCLES);
    SCB::sys_reset()
}

#[defmt::panic_handler]
fn defmt_panic() -> ! {
    cortex_m::asm::delay(LOG_CYCLES);
    SCB::sys_reset()
}

/// The newest words on the stack that can be return addresses: odd, and in flash.
fn trail() -> [u32; 12] {
    let mut trail = [0; 12];
    let mut places = trail.iter_mut();
    let end = &raw const _stack_start as u32;
    for address in (msp::read()..end).step_by(4) {
        // SAFETY: aligned words between the stack's pointer and its end, which all are RAM.
        let word = unsafe { core::ptr::read_volatile(address as *const u32) };
        if word % 2 == 1 && FLASH.contains(&word) {
            match places.next() {
                Some(place) => *place = word,
                None => break,
            }
        }
    }
    trail
}
