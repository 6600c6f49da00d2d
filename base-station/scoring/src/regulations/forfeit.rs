//! Matches that were not played, or not properly.

use crate::{Points, VictoryPoints, VpError, VpScale};

/// Whose rule for a forfeited match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forfeit {
    /// SABF: the largest of what +12 IMPs earn in a match of `boards`, the own mean, and what the
    /// offender's opponents got on average. Means leave forfeited matches out.
    Sabf {
        /// Boards of the match.
        boards: u16,
    },
    /// ABF: 56.5, or more by the means.
    Itc,
    /// GNOT 2006: 18 (entered with 28 IMPs for the draw, although 28 IMPs in 14 boards are worth 22 on
    /// the same document's scale: kept as printed), or more by the means.
    Gnot2006,
    /// New Zealand: 12, or more by the means. Before October 2013, on the 30-point scale, it was 18.
    Club {
        /// Whether the event still uses the 30-point scale.
        before_2013: bool,
    },
}

/// What a match that was not played comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpoiledMatch {
    /// For the side that is not at fault.
    pub other: VictoryPoints,
    /// Its IMPs, where the rule gives them.
    pub other_imps: Option<Points>,
    /// For the side at fault.
    pub offender: VictoryPoints,
    /// Its IMPs, where the rule gives them.
    pub offender_imps: Option<Points>,
}

impl Forfeit {
    /// The score to use for the next draw, before any mean is known.
    pub fn interim(self) -> Result<SpoiledMatch, VpError> {
        let other = self.least()?;
        Ok(match self {
            Self::Gnot2006 => SpoiledMatch {
                other,
                other_imps: Some(Points::whole(28)),
                offender: VictoryPoints(0),
                offender_imps: Some(Points::whole(-67)),
            },
            _ => self.settled(other),
        })
    }

    /// The final score. `own_mean` is that of the side not at fault; `opponents_mean` is what the
    /// offender's other opponents got on average.
    pub fn settle(
        self,
        own_mean: VictoryPoints,
        opponents_mean: VictoryPoints,
    ) -> Result<SpoiledMatch, VpError> {
        let opponents_mean = match self {
            // The 2006 scale gives the winner no more than 25 of the 30.
            Self::Gnot2006 => opponents_mean.min(VictoryPoints::whole(25)),
            _ => opponents_mean,
        };
        Ok(self.settled(self.least()?.max(own_mean).max(opponents_mean)))
    }

    /// As [`Forfeit::settle`], from the offender's own mean.
    pub fn settle_by_offender(
        self,
        own_mean: VictoryPoints,
        offender_mean: VictoryPoints,
    ) -> Result<SpoiledMatch, VpError> {
        self.settle(own_mean, self.shared_by_both() - offender_mean)
    }

    /// When too few boards were comparable and nobody is at fault, each side is treated as the
    /// one not at fault.
    pub fn nobody_at_fault(self, own_mean: VictoryPoints) -> Result<VictoryPoints, VpError> {
        Ok(self.least()?.max(own_mean))
    }

    fn least(self) -> Result<VictoryPoints, VpError> {
        Ok(match self {
            Self::Sabf { boards } => VpScale::WbfFormula.by_imps(boards, 12)?.winner,
            Self::Itc => VictoryPoints(5_650),
            Self::Gnot2006 | Self::Club { before_2013: true } => VictoryPoints::whole(18),
            Self::Club { before_2013: false } => VictoryPoints::whole(12),
        })
    }

    /// What the two sides of a match get together.
    const fn shared_by_both(self) -> VictoryPoints {
        match self {
            Self::Sabf { .. } | Self::Club { before_2013: false } => VictoryPoints::whole(20),
            Self::Itc => VictoryPoints::whole(70),
            Self::Gnot2006 | Self::Club { before_2013: true } => VictoryPoints::whole(30),
        }
    }

    fn settled(self, other: VictoryPoints) -> SpoiledMatch {
        let offender = VictoryPoints(0);
        let (other_imps, offender_imps) = match self {
            Self::Itc => (Some(itc_imps(other)), Some(itc_imps(offender))),
            Self::Club { .. } => (None, Some(Points::ZERO)),
            Self::Sabf { .. } | Self::Gnot2006 => (None, None),
        };
        SpoiledMatch {
            other,
            other_imps,
            offender,
            offender_imps,
        }
    }
}

/// The IMPs that the ITC scale gives those victory points for: the scale read backwards.
fn itc_imps(points: VictoryPoints) -> Points {
    let level = points.0 - 3_500;
    let hundredths = if level > 3_000 {
        3_000 + 10 * (level - 3_000)
    } else {
        level
    };
    Points::from_ten_thousandths(i64::from(hundredths) * 100)
}

/// A match in which boards could not be compared, nobody being at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpoiltBoards {
    /// New Zealand: spoiled when more than half of the boards cannot be played.
    Club,
    /// ABF: spoiled when fewer than half can be compared.
    Abf,
}

impl SpoiltBoards {
    /// Whether so many boards of the match are lost that it counts as not played.
    pub const fn spoils_match(self, lost: u16, boards: u16) -> bool {
        match self {
            Self::Club => lost * 2 > boards,
            Self::Abf => (boards - lost) * 2 < boards,
        }
    }

    /// What each side gets for a spoiled match, given its mean in the other matches.
    pub fn each(self, own_mean: VictoryPoints) -> Result<VictoryPoints, VpError> {
        match self {
            Self::Club => Forfeit::Club { before_2013: false }.nobody_at_fault(own_mean),
            Self::Abf => Forfeit::Itc.nobody_at_fault(own_mean),
        }
    }

    /// What each team gets when both its pairs sat in the same direction (New Zealand): a draw, and two
    /// victory points off; 12 each on the 30-point scale before October 2013.
    pub const fn same_direction(before_2013: bool) -> VictoryPoints {
        VictoryPoints::whole(if before_2013 { 12 } else { 10 - 2 })
    }
}
