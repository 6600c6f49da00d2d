//! Ports A to D with the keypad's matrix between them, and the display's select line.
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
    (PORT_B, 2),
];
/// The keypad's columns, which are high unless a key connects them with a row that is low.
const COLUMNS: [(u32, u32); 6] = [
    (PORT_A, 4),
    (PORT_A, 15),
    (PORT_C, 0),
    (PORT_C, 1),
    (PORT_C, 2),
    (PORT_C, 3),
];
const DISPLAY_SELECT: (u32, u32) = (PORT_A, 2);

/// A load from a port; QEMU's own ports know nothing of the matrix.
pub(crate) fn load(address: u32) -> u32 {
    let port = address & !0x3FF;
    let value = bus::load(address);
    if address & 0x3FF != INPUT {
        return value;
    }
    let connected = (0..)
        .zip(ROWS)
        .filter(|(_, row)| !is_high(*row))
        .fold(0, |keys, (row, _)| keys | window::keys_of_row(row));
    (0..)
        .zip(COLUMNS)
        .filter(|(_, (column_port, _))| *column_port == port)
        .fold(value, |value, (column, (_, pin))| {
            if connected >> column & 1 == 1 {
                value & !(1 << pin)
            } else {
                value | 1 << pin
            }
        })
}

pub(crate) fn display_is_selected() -> bool {
    is_high(DISPLAY_SELECT)
}

fn is_high((port, pin): (u32, u32)) -> bool {
    bus::load(port + OUTPUT) >> pin & 1 == 1
}
