//! The deals of a session: read from a dealing program's file, checked, and kept by board.
//!
//! Everything that comes out of here is whole: 52 different cards, a dealer and a vulnerability
//! that agree with the board number, and tricks and par only where the file has them for the
//! same board. A file with one bad board is refused as a whole, with a sentence that names the
//! place, because half a set of hand records is worse than none.
//!
//! [`read`] takes a file of any of twelve formats, which it knows by their content: names lie.
//! [`write_pbn`] makes PBN of what was read.

mod cards;
mod collect;
mod dlm;
mod error;
mod format;
mod letters;
mod lin;
mod packed;
mod pbn;
mod rbn;
mod table;
mod tags;
mod tricks;
mod write;

#[cfg(test)]
mod formats_tests;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use protocol::message::{HandRecord, Par, TricksTable};
use protocol::words::{BoardNumber, Deal};
use serde::{Deserialize, Serialize};

pub use error::{At, DealFileError, DoesNotFit, Place, Problem};
pub use format::{Format, read, recognise};
pub use pbn::{PbnGame, read_pbn, read_pbn_games};
pub use write::write_pbn;

/// The longest file that is read: 255 boards with auctions and the play of fifty tables are less.
pub const FILE_LEN_MAX: usize = 8 * 1024 * 1024;

/// One board as it was dealt, with what the deal file knows about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DealtBoard {
    /// Which board.
    pub board: BoardNumber,
    /// All 52 cards.
    pub deal: Deal,
    /// Double-dummy tricks, where the file has them or an engine has found them.
    pub tricks: Option<TricksTable>,
    /// The optimum, where the file has it or an engine has found it.
    pub par: Option<Par>,
}

/// The deals of a session, by board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deals {
    boards: BTreeMap<BoardNumber, DealtBoard>,
}

impl Deals {
    /// The board, if it is in the file.
    pub fn board(&self, board: BoardNumber) -> Option<&DealtBoard> {
        self.boards.get(&board)
    }

    /// All boards, the lowest first.
    pub fn iter(&self) -> impl Iterator<Item = &DealtBoard> {
        self.boards.values()
    }

    /// How many boards.
    pub fn len(&self) -> usize {
        self.boards.len()
    }

    /// Whether there are no deals tonight.
    pub fn is_empty(&self) -> bool {
        self.boards.is_empty()
    }

    /// Puts a board in the place of the one with its number.
    pub fn put(&mut self, board: DealtBoard) {
        self.boards.insert(board.board, board);
    }

    /// Refuses deals that lack a board of the session. Boards that nobody plays do no harm:
    /// clubs deal 36 and play 27.
    pub fn fit(&self, played: impl IntoIterator<Item = BoardNumber>) -> Result<(), DoesNotFit> {
        match played
            .into_iter()
            .find(|board| self.board(*board).is_none())
        {
            None => Ok(()),
            Some(missing) => Err(DoesNotFit {
                missing,
                first: self.boards.keys().next().copied(),
                last: self.boards.keys().next_back().copied(),
            }),
        }
    }
}

impl FromIterator<DealtBoard> for Deals {
    fn from_iter<I: IntoIterator<Item = DealtBoard>>(boards: I) -> Self {
        let boards = boards.into_iter().map(|board| (board.board, board));
        Self {
            boards: boards.collect(),
        }
    }
}

impl From<&DealtBoard> for HandRecord {
    fn from(dealt: &DealtBoard) -> Self {
        Self {
            board: dealt.board,
            deal: (&dealt.deal).into(),
            tricks: dealt.tricks,
            par: dealt.par,
        }
    }
}

/// The example of the README is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
