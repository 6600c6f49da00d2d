//! Matches that were not played, or not properly, and what they come to.

use scoring::regulations::{Forfeit, SpoiltBoards};
use scoring::{Points, VictoryPoints, VpError};
use serde::{Deserialize, Serialize};

use crate::ContestantNumber;
use crate::rules::{Regulation, Rules};

/// What the director decided about a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Decision {
    /// One side did not play.
    Forfeit {
        /// Which.
        by: ContestantNumber,
    },
    /// Neither side played: nothing to either.
    BothForfeit,
    /// Both pairs of a team sat in the same direction, and it can't be played again.
    SameDirection,
    /// Not played, and nobody is at fault; or too many boards could not be compared.
    Cancelled,
    /// So many victory points, in hundredths.
    Awarded {
        /// To home.
        home: i32,
        /// To away.
        away: i32,
    },
    /// The boards that are in count and no others are waited for: the match was not finished, or
    /// some of it can't be compared.
    BoardsIn,
    /// Others met than were drawn, and it can't be played again: its boards count, and who met a
    /// much stronger or weaker opponent gets what that leaves.
    Mismatch {
        /// Home sat down wrongly.
        home_at_fault: bool,
        /// Away did.
        away_at_fault: bool,
    },
}

/// What everybody else's matches say about the two sides of an irregular one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Means {
    /// What each side got on average in its regular matches: home, away.
    pub own: [Option<VictoryPoints>; 2],
    /// What the regular opponents of each side got on average.
    pub opponents: [Option<VictoryPoints>; 2],
}

impl Decision {
    /// Whether it stands in the place of the boards.
    pub const fn is_instead_of_boards(self) -> bool {
        !matches!(self, Self::BoardsIn | Self::Mismatch { .. })
    }

    /// Victory points and, where the rule gives them, IMPs of home and away. Before the end of the
    /// stage the interim score counts for the draw; afterwards the means count too.
    pub fn scores(
        self,
        home: ContestantNumber,
        boards: u16,
        rules: &Rules,
        means: Option<Means>,
    ) -> Result<[(VictoryPoints, Points); 2], VpError> {
        let zero = (VictoryPoints(0), Points::ZERO);
        let nothing = VictoryPoints(0);
        let vp = |points| (points, Points::ZERO);
        Ok(match self {
            // Where boards count, they say it.
            Self::BothForfeit | Self::BoardsIn | Self::Mismatch { .. } => [zero; 2],
            Self::Awarded { home, away } => [vp(VictoryPoints(home)), vp(VictoryPoints(away))],
            Self::SameDirection => {
                // A draw, and two victory points off each.
                let each = match rules.regulation {
                    Regulation::NewZealandClub if rules.scale.draw().0 == 1_000 => {
                        SpoiltBoards::same_direction(false)
                    }
                    _ => rules.scale.draw() - VictoryPoints::whole(2),
                };
                [vp(each); 2]
            }
            Self::Cancelled => {
                let forfeit = rules.forfeit(rules.column(boards));
                let each = |side: usize| {
                    let mean = means.and_then(|means| means.own[side]).unwrap_or(nothing);
                    forfeit.nobody_at_fault(mean).map(vp)
                };
                [each(0)?, each(1)?]
            }
            Self::Forfeit { by } => {
                let forfeit = rules.forfeit(rules.column(boards));
                let (other, offender) = if by == home { (1, 0) } else { (0, 1) };
                let spoiled = match means {
                    None => forfeit.interim()?,
                    Some(means) => {
                        let own = means.own[other].unwrap_or(nothing);
                        match (forfeit, means.own[offender]) {
                            // What the offender's other opponents got.
                            (Forfeit::Club { .. }, _) | (_, None) => {
                                let opponents = means.opponents[offender];
                                forfeit.settle(own, opponents.unwrap_or(nothing))?
                            }
                            // What the offender's own mean leaves of a match.
                            (_, Some(offender)) => forfeit.settle_by_offender(own, offender)?,
                        }
                    }
                };
                let mut scores = [zero; 2];
                scores[other] = (spoiled.other, spoiled.other_imps.unwrap_or_default());
                scores[offender] = (spoiled.offender, spoiled.offender_imps.unwrap_or_default());
                scores
            }
        })
    }
}

/// What a side keeps of a match against another opponent than the one it was drawn against, who
/// had so much more (or less) before the round. More than a quarter of a match's points apart is a
/// mismatch (EBU): who is not at fault and met a stronger one gets a quarter of what it missed, who
/// is at fault and met a weaker one keeps three quarters of what it won.
pub fn mismatched(
    got: VictoryPoints,
    stronger_by: VictoryPoints,
    at_fault: bool,
    rules: &Rules,
) -> VictoryPoints {
    let quarter = rules.scale.draw().0 / 2;
    // Rounded half up.
    let three_quarters = |points: i32| (3 * points + 2).div_euclid(4);
    VictoryPoints(if !at_fault && stronger_by.0 > quarter {
        quarter + three_quarters(got.0)
    } else if at_fault && stronger_by.0 < -quarter && got.0 > quarter {
        quarter + three_quarters(got.0 - quarter)
    } else {
        got.0
    })
}

/// Whether so many boards of a match are lost that it counts as not played.
pub const fn is_spoiled(rules: &Rules, lost: u16, boards: u16) -> bool {
    match rules.regulation {
        Regulation::NewZealandClub => SpoiltBoards::Club.spoils_match(lost, boards),
        Regulation::AbfChampionships => SpoiltBoards::Abf.spoils_match(lost, boards),
        Regulation::Sabf | Regulation::SabfTrials | Regulation::Gnot => false,
    }
}
