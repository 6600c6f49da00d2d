//! International match points: the scale.

use protocol::words::Score;
use serde::{Deserialize, Serialize};

/// International match points from North-South's (or the named team's) view.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Imps(pub i32);

/// The difference in points from which on it is worth one IMP more (Law 78B). Four thousand and
/// everything above is worth 24.
const STEPS: [u16; 24] = [
    20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500, 1750,
    2000, 2250, 2500, 3000, 3500, 4000,
];

/// IMPs by difference in tens, so that a comparison is one look: a cross-IMP board of a large
/// field makes thousands.
const BY_TENS: [u8; 401] = {
    let mut table = [0; 401];
    let mut tens = 0;
    let mut imps = 0;
    while tens < table.len() {
        while imps < STEPS.len() && STEPS[imps] as usize <= tens * 10 {
            imps += 1;
        }
        #[expect(clippy::cast_possible_truncation, reason = "there are 24 steps")]
        let worth = imps as u8;
        table[tens] = worth;
        tens += 1;
    }
    table
};

impl Imps {
    /// What a difference in points is worth.
    #[inline]
    pub const fn of_difference(points: i32) -> Self {
        let tens = points.unsigned_abs() / 10;
        let last = BY_TENS.len() - 1;
        let tens = if tens as usize > last {
            last
        } else {
            tens as usize
        };
        Self(BY_TENS[tens] as i32 * points.signum())
    }

    /// What the fraction `points / of` is worth, for averages that were not rounded.
    pub fn of_fraction(points: i64, of: i64) -> Self {
        // Differences between two steps are worth the same, so cutting to whole points is exact.
        Self::of_difference(i32::try_from(points / of).unwrap_or(i32::MAX))
    }

    /// One team's results at its two tables, added: each from that team's own view.
    pub const fn of_two_tables(first: Score, second: Score) -> Self {
        Self::of_difference(first.0 as i32 + second.0 as i32)
    }
}

impl From<Imps> for super::Points {
    fn from(imps: Imps) -> Self {
        Self::whole(i64::from(imps.0))
    }
}
