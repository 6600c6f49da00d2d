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

/// What the director gave one side of a board in place of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Award {
    /// A share of a top.
    Percentage(Percentage),
    /// 60%, or the pair's own percentage where that is higher.
    AveragePlus,
    /// 50%.
    Average,
    /// 40%, or the pair's own percentage where that is lower.
    AverageMinus,
    /// A score from North-South's view, whatever the contract was.
    Score(Score),
    /// Several scores with their shares.
    Weighted,
}

/// What stands on a line of a score sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Outcome {
    /// What the table or the director entered.
    Result(BoardResult),
    /// Each side has its own from the director. A score that was typed alone is one for both.
    Awarded {
        /// North-South's.
        ns: Award,
        /// East-West's.
        ew: Award,
    },
}

impl Outcome {
    /// The score at the table from North-South's view; `None` where the board has none, or one
    /// for each side.
    pub fn score(&self, board: BoardNumber) -> Option<Score> {
        match self {
            Self::Result(result) => result.score(board),
            Self::Awarded {
                ns: Award::Score(score),
                ew: Award::Score(other),
            } if score == other => Some(*score),
            Self::Awarded { .. } => None,
        }
    }
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
