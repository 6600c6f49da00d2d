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
    /// Played, with scores that the director assigned: each side's swing by its own scores, which
    /// need not mirror the other's.
    Assigned {
        /// The first team's, negative for a loss.
        first: Points,
        /// The second one's.
        second: Points,
    },
}

/// To what a fraction of an IMP is rounded before a scale of whole margins is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FractionOfImp {
    /// To the nearest whole one, halves upwards (ABF).
    #[default]
    HalfUp,
    /// To the nearest whole one, halves downwards (GNOT 2006).
    HalfDown,
    /// Cut off, in the favour of nobody.
    Cut,
}

impl FractionOfImp {
    /// The whole margin.
    pub fn whole(self, margin: Points) -> i32 {
        let parts = margin.ten_thousandths();
        let whole = match self {
            Self::HalfUp => (2 * parts + Points::UNIT).div_euclid(2 * Points::UNIT),
            Self::HalfDown => -(Points::UNIT - 2 * parts).div_euclid(2 * Points::UNIT),
            Self::Cut => parts / Points::UNIT,
        };
        i32::try_from(whole).unwrap_or(i32::MAX)
    }
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
                TeamsBoard::Assigned { first, second } => {
                    margins[0] += first;
                    margins[1] += second;
                    [first.max(Points::ZERO), second.max(Points::ZERO)]
                }
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

    /// The victory points of the two teams in a match of that many boards.
    pub fn victory_points(
        &self,
        scale: VpScale,
        boards: u16,
        fraction: FractionOfImp,
    ) -> Result<[VictoryPoints; 2], VpError> {
        let [first, second] = self.margins.map(|margin| fraction.whole(margin));
        // Margins that mirror each other are rounded once, so that both sides read the same.
        let second = if self.margins[0] == -self.margins[1] {
            -first
        } else {
            second
        };
        scale.by_each_margin(boards, first, second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_of_an_imp_round_as_the_regulation_says() {
        let margin = |tenths: i64| Points::from_ten_thousandths(tenths * 1_000);
        for (tenths, up, down, cut) in [
            (25, 3, 2, 2),
            (24, 2, 2, 2),
            (26, 3, 3, 2),
            (-25, -2, -3, -2),
            (-26, -3, -3, -2),
            (30, 3, 3, 3),
            (0, 0, 0, 0),
        ] {
            let margin = margin(tenths);
            assert_eq!(FractionOfImp::HalfUp.whole(margin), up, "{tenths}");
            assert_eq!(FractionOfImp::HalfDown.whole(margin), down, "{tenths}");
            assert_eq!(FractionOfImp::Cut.whole(margin), cut, "{tenths}");
        }
    }
}
