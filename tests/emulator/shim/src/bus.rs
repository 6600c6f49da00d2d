//! Loads and stores at raw addresses, past the fences.
//!
//! The functions are safe to call because the bench owns the whole machine: no Rust object of its
//! own lives at the addresses it passes here, and a wrong address only spoils a test.
use core::ptr;

pub(crate) fn load(address: u32) -> u32 {
    unsafe { ptr::read_volatile(address as *const u32) }
}

pub(crate) fn load_half(address: u32) -> u16 {
    unsafe { ptr::read_volatile(address as *const u16) }
}

pub(crate) fn store(address: u32, value: u32) {
    unsafe { ptr::write_volatile(address as *mut u32, value) }
}

pub(crate) fn store_byte(address: u32, value: u8) {
    unsafe { ptr::write_volatile(address as *mut u8, value) }
}

/// Marks an interrupt of the image as pending.
pub(crate) fn pend(interrupt: u32) {
    const SET_PENDING: u32 = 0xE000_E200;
    store(SET_PENDING + interrupt / 32 * 4, 1 << (interrupt % 32));
}

/// Resets the whole board, as the watchdog does.
pub(crate) fn reset() {
    const INTERRUPT_AND_RESET_CONTROL: u32 = 0xE000_ED0C;
    store(INTERRUPT_AND_RESET_CONTROL, 0x05FA_0004);
}
