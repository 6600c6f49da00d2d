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
const STEPS: [i32; 24] = [
    20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500, 1750,
    2000, 2250, 2500, 3000, 3500, 4000,
];

impl Imps {
    /// What a difference in points is worth.
    pub fn of_difference(points: i32) -> Self {
        let steps = STEPS.partition_point(|&step| step <= points.abs());
        let imps = i32::try_from(steps).unwrap_or(i32::MAX);
        Self(imps * points.signum())
    }

    /// One team's results at its two tables, added: each from that team's own view.
    pub fn of_two_tables(first: Score, second: Score) -> Self {
        Self::of_difference(i32::from(first.0) + i32::from(second.0))
    }
}
