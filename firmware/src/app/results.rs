//! The moment a result is agreed: from here on it can't be lost.

use protocol::message::{Entry, EntryNumber};
use protocol::words::{BoardNumber, BoardResult, RoundNumber};

use super::{App, Draft, Flow, Sound};
use crate::texts::Text;
use crate::{Line, LineState, RecordKey};

impl App {
    /// East accepted, or the director entered it.
    pub(super) fn agree(&mut self, draft: Draft) {
        if !self.may_enter(&draft) {
            self.live.flow = self.home();
            self.live.under = self.live.flow;
            return self.warn(Text::RoundIsOver);
        }
        if !self.enter(draft.round, draft.board, draft.result, draft.by_director) {
            return;
        }
        if draft.by_director {
            self.live.flow = Flow::Results { cursor: 0 };
            self.live.under = self.home();
            return;
        }
        if draft.round == self.kept.progress.round && self.kept.progress.board.is_some() {
            // The proposal follows the order of the boards again.
            self.kept.progress.board = None;
        }
        self.live.flow = self.home();
    }

    /// One key for all boards of a round without opponents.
    pub(super) fn agree_sit_out(&mut self) {
        let round = self.kept.progress.round;
        while let Some(board) = self.proposed() {
            if !self.enter(round, board, BoardResult::SitOut, false) {
                return;
            }
            self.kept.progress.board = None;
        }
        self.live.flow = self.home();
    }

    /// Whether the players may still enter or correct this line.
    fn may_enter(&self, draft: &Draft) -> bool {
        draft.by_director
            || self.kept.sheet.line(draft.round, draft.board).is_none()
            || self.kept.sheet.round_reached() <= Some(draft.round)
    }

    fn enter(
        &mut self,
        round: RoundNumber,
        board: BoardNumber,
        result: BoardResult,
        by_director: bool,
    ) -> bool {
        let earlier = self.kept.sheet.line(round, board).copied();
        let reached = self.kept.sheet.round_reached().unwrap_or(round);
        let line = Line {
            tag: self.tag(),
            entry: Entry {
                number: self.next_entry(),
                round,
                agreed_in: reached.max(round),
                board,
                result,
                correction: earlier.is_some(),
                by_director,
            },
            state: LineState::Unsent,
        };
        let Some(slot) = self.kept.sheet.put(line) else {
            self.warn(Text::SheetFull);
            return false;
        };
        self.persist(RecordKey::Line(slot));
        self.effects.sound = Some(Sound::Agreed);
        true
    }

    /// Counts from the base's number, or from the newest line here if that is higher: entries
    /// agreed since then are only on the sheet.
    pub(super) fn next_entry(&self) -> EntryNumber {
        let given = self.kept.game.as_ref().map(|game| game.next_entry);
        let given = given.unwrap_or(EntryNumber::FIRST);
        given.max(self.kept.sheet.number_reached().next())
    }

    /// The round in which this table finished a board that players may look at: only this one.
    pub(super) fn finished_in(&self, board: BoardNumber) -> Option<RoundNumber> {
        self.kept
            .sheet
            .line(self.kept.progress.round, board)
            .map(|line| line.entry.round)
    }
}
