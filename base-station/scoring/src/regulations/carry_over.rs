//! What contestants bring along from one stage of an event to the next.

use crate::{Points, Rounding, VictoryPoints};

/// Whose rule for carry-over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CarryOver {
    /// New Zealand: the difference of the victory points.
    Difference,
    /// New Zealand, when scores are spread widely: 30% of what each has.
    WideSpread,
    /// ABF, inter-state teams final: a tenth of the margin, in IMPs, not rounded.
    ItcFinal,
}

impl CarryOver {
    /// What the leader carries over the other.
    pub fn lead(self, leader: VictoryPoints, other: VictoryPoints) -> Points {
        let margin = Points::from_ten_thousandths(i64::from((leader - other).0) * 100);
        let share = |percent| margin.share(crate::Percent::whole(percent), Rounding::TenThousandth);
        match self {
            Self::Difference => margin,
            Self::WideSpread => share(30),
            Self::ItcFinal => share(10),
        }
    }

    /// ABF, open pairs: 10, 8, 6, 4, 2 victory points for the first five, nothing for anybody
    /// else, replacements included. Places count from 1.
    pub const fn open_pairs(place: u32) -> VictoryPoints {
        match place {
            1..=5 => VictoryPoints::whole(12 - 2 * place.cast_signed()),
            _ => VictoryPoints(0),
        }
    }

    /// ABF, mixed pairs: from 1 for the lowest qualifier to 7 for the highest, straight in
    /// between, to two decimals.
    pub fn mixed_pairs(
        own: VictoryPoints,
        lowest: VictoryPoints,
        highest: VictoryPoints,
    ) -> VictoryPoints {
        let (above, range) = ((own - lowest).0, (highest - lowest).0.max(1));
        VictoryPoints(100 + (2 * 600 * above + range) / (2 * range))
    }
}
