//! What became of a board at a table.

use serde::{Deserialize, Serialize};

use super::{BoardNumber, Contract, OpeningLead, Percentage, Score, Tricks, score_of};

/// A contract that was played out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Played {
    /// The contract and its declarer.
    pub contract: Contract,
    /// Tricks that declarer took.
    pub tricks: Tricks,
    /// The opening lead, where the players entered one.
    pub lead: Option<OpeningLead>,
}

/// What became of a board at a table. The five are different things everywhere, and none is a
/// number in disguise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum BoardResult {
    /// Somebody bid and played.
    Played(Played),
    /// Four passes: a real result of 0 points.
    PassedOut,
    /// Not played at this table (too late, spoiled); the director may still adjust it.
    NotPlayed,
    /// One pair had no opponents.
    SitOut,
    /// The director awarded percentages, which need not add up to 100.
    Adjusted {
        /// North-South's.
        ns: Percentage,
        /// East-West's.
        ew: Percentage,
    },
}

impl BoardResult {
    /// The score at the table from North-South's view; `None` where the board has none.
    pub const fn score(&self, board: BoardNumber) -> Option<Score> {
        match self {
            Self::Played(played) => Some(score_of(
                played.contract,
                played.tricks,
                board.vulnerability(),
            )),
            Self::PassedOut => Some(Score(0)),
            Self::NotPlayed | Self::SitOut | Self::Adjusted { .. } => None,
        }
    }
}
