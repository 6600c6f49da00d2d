//! What a team that joins a Swiss late starts with.

use crate::{Percent, Points, Rounding, VictoryPoints};

/// Whose rule for teams that drop into a running Swiss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryScore {
    /// GNOT 2006: the leader's score, but at most 20 victory points and 21 IMPs a round.
    Gnot2006 {
        /// Rounds already played.
        rounds: u16,
    },
    /// GNOT 2012: four fifths of what could be had, or the leader's score if that is more, but at most
    /// five above the leader.
    Gnot2012 {
        /// What could be had so far.
        available: VictoryPoints,
    },
}

impl EntryScore {
    /// The victory points to start with.
    pub fn victory_points(self, leader: VictoryPoints) -> VictoryPoints {
        match self {
            Self::Gnot2006 { rounds } => leader.min(VictoryPoints::whole(20 * i32::from(rounds))),
            Self::Gnot2012 { available } => {
                let most = Points::from_ten_thousandths(i64::from(available.0));
                let share = most.share(Percent::whole(80), Rounding::TenThousandth);
                let share = i32::try_from(share.ten_thousandths()).unwrap_or(i32::MAX);
                VictoryPoints(share)
                    .max(leader)
                    .min(leader + VictoryPoints::whole(5))
            }
        }
    }

    /// The IMPs to start with, where the rule gives any: never more than the cap.
    pub fn imps(self, leader: Points) -> Option<Points> {
        self.imps_cap().map(|cap| leader.min(cap))
    }

    /// The most IMPs to start with.
    pub fn imps_cap(self) -> Option<Points> {
        match self {
            Self::Gnot2006 { rounds } => Some(Points::whole(21 * i64::from(rounds))),
            Self::Gnot2012 { .. } => None,
        }
    }
}
