//! Packs the rows of a letter for the pad's flash, where plain bitmaps of three sizes took 38 KB. The
//! build script uses it, and the test of `src/draw/rows.rs`, which unpacks them and tells the form.

use std::vec::Vec;

/// Rows of a letter, column 0 in the highest bit, as bytes.
pub(crate) fn pack(rows: &[u64], width: u32) -> Vec<u8> {
    let mut bits = Vec::new();
    let mut above = 0;
    for &row in rows {
        pack_row(&mut bits, row, above, width);
        above = row;
    }
    let byte = |bits: &[bool]| {
        let places = bits.iter().enumerate();
        places.fold(0, |byte, (place, bit)| byte | u8::from(*bit) << (7 - place))
    };
    bits.chunks(8).map(byte).collect()
}

fn pack_row(bits: &mut Vec<bool>, row: u64, above: u64, width: u32) {
    let (mut at, mut from, mut ink) = (0, 0, false);
    loop {
        let edge = edge_after(row, from, ink).min(width);
        let expected = edge_after(above, from, ink).min(width);
        if edge == expected {
            bits.push(true);
        } else if edge.abs_diff(expected) == 1 {
            bits.extend([false, true, edge > expected]);
        } else {
            bits.extend([false, false]);
            let run = edge - at;
            bits.extend((0..run / 4).map(|_| false));
            bits.extend([true, run & 2 != 0, run & 1 != 0]);
        }
        if edge >= width {
            return;
        }
        (at, from, ink) = (edge, edge + 1, !ink);
    }
}

/// The first column from `from` on where ink ends, or where it begins; left of a row there is none.
fn edge_after(row: u64, from: u32, ink: bool) -> u32 {
    let is_ink = |column: u32| row << column >> 63 == 1;
    let is_edge = |column: &u32| {
        let before = *column > 0 && is_ink(column - 1);
        before == ink && is_ink(*column) != ink
    };
    (from..63).find(is_edge).unwrap_or(63)
}
