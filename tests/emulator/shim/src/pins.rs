//! Ports A to D with the keypad's matrix between them, the display's select line, and the lines to
//! modem and service port.
use crate::bus;
use crate::window;

pub(crate) const PORT_A: u32 = 0x4800_0000;
pub(crate) const PORT_D_END: u32 = 0x4800_1000;
const PORT_B: u32 = 0x4800_0400;
const PORT_C: u32 = 0x4800_0800;
const PORT_D: u32 = 0x4800_0C00;

const INPUT: u32 = 0x10;
const OUTPUT: u32 = 0x14;

/// The keypad's rows, which the image pulls low one at a time: port and pin.
const ROWS: [(u32, u32); 6] = [
    (PORT_D, 14),
    (PORT_B, 0),
    (PORT_A, 3),
    (PORT_B, 4),
    (PORT_B, 1),
    (PORT_A, 4),
];
/// The keypad's columns, pins 0 to 5 of port C: high unless a key connects them with a low row.
const COLUMNS: u32 = 0b11_1111;
const DISPLAY_SELECT: (u32, u32) = (PORT_A, 2);
const MODEM_SUPPLY: (u32, u32) = (PORT_B, 2);
/// The line on which the service port receives rests high while a cable is in.
const CABLE: u32 = 1 << 7;

/// A load from a port; QEMU's own ports know nothing of the matrix.
pub(crate) fn load(address: u32) -> u32 {
    let value = bus::load(address);
    if address == PORT_B + INPUT {
        let cable = if window::cable_is_plugged() { CABLE } else { 0 };
        return value & !CABLE | cable;
    }
    if address != PORT_C + INPUT {
        return value;
    }
    let connected = (0..)
        .zip(ROWS)
        .filter(|(_, row)| !is_high(*row))
        .fold(0, |columns, (row, _)| columns | window::keys_of_row(row));
    (value | COLUMNS) & !connected
}

pub(crate) fn modem_has_power() -> bool {
    is_high(MODEM_SUPPLY)
}

pub(crate) fn display_is_selected() -> bool {
    is_high(DISPLAY_SELECT)
}

fn is_high((port, pin): (u32, u32)) -> bool {
    bus::load(port + OUTPUT) >> pin & 1 == 1
}
