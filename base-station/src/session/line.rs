//! A line of a score sheet: what became of a board at a table, and where that came from.

use protocol::message::{Entry, EntryNumber, RefusalReason, Source};
use protocol::words::{BoardNumber, BoardResult, Epoch, PadId, RoundNumber, Score};

use super::plan::{Fault, Ruling, SideAward};
use super::{Moment, PairId, Seq, TableId};

/// One board at one table, as it stands now. How it came to stand so is in the journal, by
/// the places in [`Line::history`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Who sat North-South; `None` is a phantom.
    pub ns: Option<PairId>,
    /// Who sat East-West; `None` is a phantom.
    pub ew: Option<PairId>,
    /// The director said that others than the movement's pairs played it.
    pub pairs_corrected: bool,
    /// What it is; [`Ruling::TakenAway`] where there is nothing (any more).
    pub ruling: Ruling,
    /// The score that stood beside the result on paper, where the director typed one.
    pub stated: Option<Score>,
    /// Who said so last.
    pub source: Source,
    /// The table's own entry behind it, even where the director has decided otherwise since.
    pub entry: Option<EntryKey>,
    /// The round in which the players agreed it.
    pub agreed_in: RoundNumber,
    /// The form of the board that was played here; `A` unless it was fouled.
    pub form: char,
    /// Whether North-South and East-West were to blame that it was fouled.
    pub fault: [Fault; 2],
    /// When it was last changed.
    pub at: Moment,
    /// The records that made it, oldest first.
    pub history: imbl::Vector<Seq>,
}

/// Names an entry among all pads'.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryKey {
    /// Whose.
    pub pad: PadId,
    /// In which epoch.
    pub epoch: Epoch,
    /// Which.
    pub number: EntryNumber,
}

impl Line {
    /// The form that all tables play unless a board was fouled.
    pub const USUAL_FORM: char = 'A';

    /// The result, if it is one that a table can have.
    pub const fn result(&self) -> Option<BoardResult> {
        match &self.ruling {
            Ruling::Result(result) => Some(*result),
            Ruling::LatePlay => Some(BoardResult::NotPlayed),
            Ruling::Award { .. } | Ruling::TakenAway | Ruling::Written(_) => None,
        }
    }

    /// The score from North-South's view, where there is one for both sides.
    pub fn score(&self, board: BoardNumber) -> Option<Score> {
        match &self.ruling {
            Ruling::Written(score) => Some(*score),
            Ruling::Award {
                ns: SideAward::Score(one),
                ew: SideAward::Score(other),
            } if one == other => Some(*one),
            _ => self.result().and_then(|result| result.score(board)),
        }
    }

    /// Whether it counts as a result of its board, played or awarded.
    pub const fn counts(&self) -> bool {
        match &self.ruling {
            Ruling::Result(result) => {
                !matches!(result, BoardResult::NotPlayed | BoardResult::SitOut)
            }
            Ruling::Award { .. } | Ruling::Written(_) => true,
            Ruling::LatePlay | Ruling::TakenAway => false,
        }
    }

    /// Whether anything stands here.
    pub const fn is_in(&self) -> bool {
        !matches!(self.ruling, Ruling::TakenAway)
    }
}

/// An entry that changed nothing by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptEntry {
    /// The table it was meant for.
    pub table: TableId,
    /// Whose it is.
    pub pad: PadId,
    /// In which epoch.
    pub epoch: Epoch,
    /// What was agreed.
    pub entry: Entry,
    /// Why it did not count.
    pub reason: RefusalReason,
    /// When it came.
    pub at: Moment,
    /// What the director made of it.
    pub fate: Fate,
}

/// What became of a kept entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub enum Fate {
    /// The director has not said.
    Waiting,
    /// It counts.
    Used,
    /// It does not.
    Ignored,
}
