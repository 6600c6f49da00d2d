//! Drawing lots from a seed that is kept.

/// A source of lots. The same seed gives the same lots for ever: seeds are in journals, so this
/// is not a library's generator, which may change with its next version.
#[derive(Clone, Debug)]
pub struct Lot(u64);

impl Lot {
    /// From the seed in the journal.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next lot (`SplitMix64`, whose every seed is as good as any other).
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut lot = self.0;
        lot = (lot ^ (lot >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        lot = (lot ^ (lot >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        lot ^ (lot >> 31)
    }

    /// A number from 0 to `end`, without `end` itself; 0 where there is no other.
    pub fn below(&mut self, end: usize) -> usize {
        // The high half of a product is fair enough: fields are far smaller than 2 to the 64th.
        let product = u128::from(self.next()) * (end as u128);
        usize::try_from(product >> 64).unwrap_or_default()
    }

    /// Puts things into an order that nobody could know.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_in_a_journal_gives_the_same_lot_in_ten_years() {
        let mut lot = Lot::new(17);
        let mut order: Vec<u8> = (1..=8).collect();
        lot.shuffle(&mut order);
        // Never change this line: draws of past evenings would be others.
        assert_eq!(order, [8, 7, 4, 1, 6, 2, 3, 5]);
    }
}
