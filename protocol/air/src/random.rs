//! A small seeded generator, so that every run can be repeated.

/// The same seed gives the same run.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Starts from a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Any number.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// Any byte.
    pub const fn byte(&mut self) -> u8 {
        let [_, _, _, _, byte, ..] = self.next().to_le_bytes();
        byte
    }

    /// From 0 to below the limit; 0 if the limit is 0.
    pub const fn below(&mut self, limit: u64) -> u64 {
        let number = self.next() >> 8;
        if limit == 0 { 0 } else { number % limit }
    }

    /// True so many times in a thousand.
    pub const fn permille(&mut self, chance: u32) -> bool {
        self.below(1000) < chance as u64
    }
}
