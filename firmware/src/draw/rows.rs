//! The rows of a letter as they are packed in flash. Most edges of ink lie just below an edge of the
//! row above, so a row is told by its edges from left to right, each by how it lies to that one:
//!
//! | bits | the edge is |
//! |---|---|
//! | `1` | where the row above has its next edge of this kind, or at the end of the row |
//! | `010`, `011` | one column to the left of that, to the right of that |
//! | `00`, a run | so many columns behind the edge before: fours as zeros, a one, and the rest in two bits |
//!
//! The row ends with an edge at its width. Above the first row there is no ink.

/// Unpacks one letter, row by row, column 0 in the highest bit.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    bits: Bits,
    width: u32,
    left: u8,
    above: u64,
}

/// How an edge lies to the one above, or to the one before.
enum Kind {
    Below,
    Beside { right: bool },
    Run(u32),
}

#[derive(Clone, Debug)]
struct Bits {
    bytes: &'static [u8],
    at: usize,
}

impl Bits {
    /// The next bit; behind the end ones, which end every run and every row.
    fn next(&mut self) -> bool {
        let byte = self.bytes.get(self.at / 8);
        let bit = byte.is_none_or(|byte| byte >> (7 - self.at % 8) & 1 == 1);
        self.at += 1;
        bit
    }

    /// How the next edge is told.
    fn kind(&mut self) -> Kind {
        if self.next() {
            return Kind::Below;
        }
        let is_beside = self.next();
        if is_beside {
            let right = self.next();
            return Kind::Beside { right };
        }
        Kind::Run(self.run())
    }

    fn run(&mut self) -> u32 {
        let mut fours = 0;
        while !self.next() {
            fours += 4;
        }
        fours + 2 * u32::from(self.next()) + u32::from(self.next())
    }
}

impl Rows {
    pub(super) const fn new(bytes: &'static [u8], width: u8, height: u8) -> Self {
        Self {
            bits: Bits { bytes, at: 0 },
            width: width as u32,
            left: height,
            above: 0,
        }
    }
}

impl Iterator for Rows {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        self.left = self.left.checked_sub(1)?;
        let (mut row, mut at, mut from, mut ink) = (0, 0, 0, false);
        loop {
            let expected = edge_after(self.above, from, ink).min(self.width);
            let edge = match self.bits.kind() {
                Kind::Below => expected,
                Kind::Beside { right } => (expected + 2 * u32::from(right)).saturating_sub(1),
                Kind::Run(columns) => at + columns,
            };
            if ink {
                row |= columns_from(at) & !columns_from(edge);
            }
            if edge >= self.width {
                self.above = row;
                return Some(row);
            }
            (at, from, ink) = (edge, edge + 1, !ink);
        }
    }
}

/// The first column from `from` on where ink ends, or where it begins; left of a row there is none.
const fn edge_after(row: u64, from: u32, ink: bool) -> u32 {
    let edges = row ^ (row >> 1);
    let kind = if ink { !row } else { row };
    (edges & kind & columns_from(from)).leading_zeros()
}

/// A row with ink from this column on.
const fn columns_from(column: u32) -> u64 {
    match u64::MAX.checked_shr(column) {
        Some(columns) => columns,
        None => 0,
    }
}

#[cfg(test)]
#[path = "../../type/pack.rs"]
mod pack;

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    /// Rows with much ink, with little, and each nearly like the one above, as letters are.
    fn drawn(random: &mut fastrand::Rng, width: u8) -> Vec<u64> {
        let inside = !columns_from(width.into());
        let kind = random.u8(0..3);
        let mut above = 0;
        let mut draw = || {
            above = match kind {
                0 => random.u64(..),
                1 => random.u64(..) & random.u64(..) & random.u64(..),
                _ => above ^ (random.u64(..) & random.u64(..) & random.u64(..) & random.u64(..)),
            } & inside;
            above
        };
        (0..40).map(|_| draw()).collect()
    }

    #[test]
    fn what_is_packed_for_flash_is_painted_pixel_by_pixel() {
        let mut random = fastrand::Rng::with_seed(13);
        for case in 0..3_000 {
            let width = random.u8(0..=48);
            let rows = drawn(&mut random, width);
            let packed = pack::pack(&rows, width.into()).leak();
            let painted: Vec<u64> = Rows::new(packed, width, 40).collect();
            assert_eq!(painted, rows, "case {case}, {width} columns");
        }
    }

    #[test]
    fn bytes_that_nobody_packed_still_end() {
        let mut random = fastrand::Rng::with_seed(14);
        for _ in 0..3_000 {
            let bytes: Vec<u8> = (0..30).map(|_| random.u8(..)).collect();
            let rows = Rows::new(bytes.leak(), random.u8(0..=48), 50);
            assert_eq!(rows.count(), 50);
        }
    }
}
