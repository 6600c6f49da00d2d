//! Which boards belong to the round, which is next, and what may still be corrected.

use protocol::message::RoundSheet;
use protocol::words::{BoardNumber, RoundNumber};

use super::{App, Flow, Typing};
use crate::game::{Stage, boards};

impl App {
    /// The sheet of the round being played.
    pub fn round_sheet(&self) -> Option<&RoundSheet> {
        self.kept.schedule.round(self.kept.progress.round)
    }

    /// The boards of the round being played, those that the director allowed included.
    pub(super) fn round_boards(&self) -> impl Iterator<Item = BoardNumber> {
        let sheet = self.round_sheet().map(boards).into_iter().flatten();
        sheet.chain(self.allowed_boards())
    }

    /// Boards beyond the sheet that may be entered in this round.
    pub fn allowed_boards(&self) -> impl Iterator<Item = BoardNumber> {
        self.kept.progress.allowed.iter().copied()
    }

    /// Whether this round has nobody to play against, as the sheet or the players say.
    pub(super) fn sits_out(&self) -> bool {
        self.kept.progress.ns.is_none() || self.kept.progress.ew.is_none()
    }

    /// Whether a board of this round has a result.
    pub(super) fn is_done(&self, board: BoardNumber) -> bool {
        self.kept
            .sheet
            .line(self.kept.progress.round, board)
            .is_some()
    }

    /// The board to enter next: the one that was chosen, else the first without a result behind
    /// the one agreed last.
    pub fn proposed(&self) -> Option<BoardNumber> {
        let open = |board: &BoardNumber| !self.is_done(*board);
        if let Some(board) = self.kept.progress.board.filter(open) {
            return Some(board);
        }
        let last = self.agreed_last();
        let behind = self
            .round_boards()
            .skip_while(|board| last.is_some() && Some(*board) != last)
            .find(open);
        behind.or_else(|| self.round_boards().find(open))
    }

    /// The board of this round that was agreed last.
    pub(super) fn agreed_last(&self) -> Option<BoardNumber> {
        let newest = self.kept.sheet.newest()?.entry;
        (newest.round == self.kept.progress.round).then_some(newest.board)
    }

    /// In which round a typed board can be entered now: in this one, or in an earlier one that
    /// left it without a result.
    pub(super) fn round_of(&self, board: BoardNumber) -> Option<RoundNumber> {
        if self.round_boards().any(|one| one == board) {
            return Some(self.kept.progress.round);
        }
        (1..self.kept.progress.round.get())
            .rev()
            .filter_map(RoundNumber::new)
            .find(|&round| {
                let sheet = self.kept.schedule.round(round);
                sheet.is_some_and(|sheet| boards(sheet).any(|one| one == board))
                    && self.kept.sheet.line(round, board).is_none()
            })
    }

    /// Whether this table has entered a board in an earlier round.
    pub(super) fn was_played_here(&self, board: BoardNumber) -> bool {
        let mut lines = self.kept.sheet.lines();
        lines.any(|line| line.entry.board == board && line.entry.round < self.kept.progress.round)
    }

    /// The next or previous board of the round, around the end.
    pub(super) fn neighbour(&self, board: BoardNumber, forward: bool) -> Option<BoardNumber> {
        let here = self.round_boards().position(|one| one == board)?;
        let count = self.round_boards().count();
        let there = if forward { here + 1 } else { here + count - 1 };
        self.round_boards().nth(there % count)
    }

    /// Where the players are when nothing lies over the evening.
    pub(super) fn home(&self) -> Flow {
        let stage = self.kept.game.as_ref().map(|game| game.stage);
        match stage {
            None | Some(Stage::PutAway) => Flow::Start,
            Some(Stage::Replaced) => Flow::Replaced,
            Some(Stage::Over) => Flow::SessionEnd,
            Some(Stage::Playing) if self.wants_players() => Self::ask_players(),
            Some(Stage::Playing) if !self.kept.progress.confirmed => {
                self.slip_to_read().unwrap_or(Flow::RoundStart)
            }
            Some(Stage::Playing) => match self.proposed() {
                Some(_) if self.sits_out() => Flow::SitOut,
                Some(board) => self.entry_of(board),
                None => self.slip_to_read().unwrap_or(Flow::RoundEnd),
            },
        }
    }

    /// Begins the entry of a board, or asks for its number where the club wants it typed.
    fn entry_of(&self, board: BoardNumber) -> Flow {
        use protocol::message::BoardChoice;
        match self.kept.settings.board_choice {
            BoardChoice::Typed if self.kept.progress.board != Some(board) => Flow::BoardTyped {
                typed: super::Digits::NONE,
            },
            _ => Flow::Entry(Typing::new(self.kept.progress.round, board)),
        }
    }
}
