//! A match of two teams: IMPs board by board, and the victory points they come to.

use protocol::words::Score;

use super::{Imps, Points, VictoryPoints, VpError, VpScale};

/// A board of a match, from the first team's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TeamsBoard {
    /// Played at both tables: the first team's own score at each.
    Played {
        /// At the table where the first team sat North-South.
        home: Score,
        /// At the other table.
        away: Score,
    },
    /// Spoiled: the director awards IMPs to each side, which need not balance.
    Awarded {
        /// To the first team.
        first: Points,
        /// To the second one.
        second: Points,
    },
    /// Cancelled: nothing to either side.
    Cancelled,
}

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchResult {
    /// IMPs the first team gained, board by board, and awards to it.
    pub first: Points,
    /// The same for the second team.
    pub second: Points,
    /// By how much each team is ahead by its own count; they mirror each other unless a board was
    /// awarded to both.
    pub margins: [Points; 2],
}

impl MatchResult {
    /// Adds up a match.
    pub fn of(boards: &[TeamsBoard]) -> Self {
        let mut first = Points::ZERO;
        let mut second = Points::ZERO;
        let mut margins = [Points::ZERO; 2];
        for board in boards {
            let [own, other] = match *board {
                TeamsBoard::Played { home, away } => {
                    let swing = Points::from(Imps::of_two_tables(home, away));
                    margins[0] += swing;
                    margins[1] -= swing;
                    [swing.max(Points::ZERO), (-swing).max(Points::ZERO)]
                }
                TeamsBoard::Awarded { first, second } => {
                    margins[0] += first;
                    margins[1] += second;
                    [first, second]
                }
                TeamsBoard::Cancelled => [Points::ZERO; 2],
            };
            first += own;
            second += other;
        }
        Self {
            first,
            second,
            margins,
        }
    }

    /// The victory points of the two teams in a match of that many boards. Fractions of an IMP
    /// are cut off, in the favour of nobody.
    pub fn victory_points(
        &self,
        scale: VpScale,
        boards: u16,
    ) -> Result<[VictoryPoints; 2], VpError> {
        let whole = |margin: Points| {
            i32::try_from(margin.ten_thousandths() / Points::UNIT).unwrap_or(i32::MAX)
        };
        scale.by_each_margin(boards, whole(self.margins[0]), whole(self.margins[1]))
    }
}
