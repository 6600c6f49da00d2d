//! The memory through which the bench on the host reaches the models, over QEMU's qtest socket.
//!
//! The addresses are a contract with `tests/src/emulator`.
use crate::bus;

/// 36 bits, one a key: bit `6 * row + column` is set while the key is down.
const KEYS: u32 = 0x1000_4000;
/// What the ADC measures next, 0 to 4095.
const BATTERY: u32 = 0x1000_4008;
/// How often the image has stopped the chip, for how many milliseconds in all, and how often it did
/// so with its modem on or a cable in.
const STOPS: u32 = 0x1000_400C;
const STOPPED_MS: u32 = 0x1000_4010;
const WRONG_STOPS: u32 = 0x1000_4014;
/// 1 while a cable is in the service port.
const CABLE: u32 = 0x1000_4018;
/// The display's pixels: 240 lines of 50 bytes, the leftmost pixel in bit 0, set means white.
const DISPLAY: u32 = 0x1000_4100;

/// The keys of one row that are down, one bit a column.
pub(crate) fn keys_of_row(row: u32) -> u32 {
    let all = u64::from(bus::load(KEYS + 4)) << 32 | u64::from(bus::load(KEYS));
    (all >> (6 * row)) as u32 & 0x3F
}

pub(crate) fn battery() -> u32 {
    bus::load(BATTERY) & 0xFFF
}

pub(crate) fn cable_is_plugged() -> bool {
    bus::load(CABLE) != 0
}

pub(crate) fn count_stop(wrong: bool) {
    bus::store(STOPS, bus::load(STOPS) + 1);
    bus::store(WRONG_STOPS, bus::load(WRONG_STOPS) + u32::from(wrong));
}

pub(crate) fn set_stopped_ms(milliseconds: u32) {
    bus::store(STOPPED_MS, milliseconds);
}

pub(crate) fn set_pixels(position: u32, pixels: u8) {
    bus::store_byte(DISPLAY + position, pixels);
}
