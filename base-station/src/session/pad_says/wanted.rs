//! Boards that are not on a table's sheet: the players ask, and only the director answers.

use protocol::message::{Down, RefusalReason};

use super::{Decision, Reply, Speech, is_on_sheet};
use crate::session::{Cell, Event, Session};

impl Speech<'_> {
    /// The players want a board. Yes or no is said only where it is decided; until then nothing
    /// is, and the pad waits.
    pub(super) fn board_wanted(&self, session: &Session, cell: Cell) -> Decision {
        if is_on_sheet(session, cell) || session.allowed.contains(&cell) {
            return self.decision(Vec::new(), vec![allowed(cell)]);
        }
        if let Some(reason) = why_not(session, cell) {
            return self.decision(Vec::new(), vec![refused(cell, reason)]);
        }
        let news = (!session.wanted.contains_key(&cell)).then_some(Event::BoardWanted { cell });
        self.decision(news.into_iter().collect(), Vec::new())
    }

    /// The director stands at the pad and allows a board there.
    pub(super) fn board_allowed_here(&self, session: &Session, cell: Cell) -> Decision {
        if !session.plays(cell.board) {
            let no = refused(cell, RefusalReason::BoardNotOfSession);
            return self.decision(Vec::new(), vec![no]);
        }
        let known = session.allowed.contains(&cell) || is_on_sheet(session, cell);
        let news = (!known).then_some(Event::BoardAllowed { cell });
        self.decision(news.into_iter().collect(), vec![allowed(cell)])
    }
}

/// What needs no director to be refused, and what the director has refused already.
fn why_not(session: &Session, cell: Cell) -> Option<RefusalReason> {
    if !session.plays(cell.board) {
        Some(RefusalReason::BoardNotOfSession)
    } else if session.refused.contains(&cell) {
        Some(RefusalReason::NotAllowed)
    } else if session.played_before(cell) {
        Some(RefusalReason::BoardOfEarlierRound)
    } else {
        None
    }
}

fn allowed(cell: Cell) -> Reply {
    let (round, board) = (cell.round, cell.board);
    Reply::Say(Box::new(Down::BoardAllowed { round, board }))
}

fn refused(cell: Cell, reason: RefusalReason) -> Reply {
    Reply::Say(Box::new(cell.refused(reason)))
}

impl Cell {
    /// That this board is not for this table now.
    pub(in crate::session) const fn refused(self, reason: RefusalReason) -> Down {
        Down::BoardRefused {
            round: self.round,
            board: self.board,
            reason,
        }
    }
}

impl Session {
    /// Whether anybody plays this board in this session.
    pub fn plays(&self, board: protocol::words::BoardNumber) -> bool {
        self.sections
            .values()
            .flat_map(|section| section.sittings.values())
            .any(|sitting| sitting.boards.contains(board))
    }

    /// Whether this table had the board on its sheet in a round before, and has its result.
    fn played_before(&self, cell: Cell) -> bool {
        let Some(section) = self.sections.get(&cell.section) else {
            return false;
        };
        section
            .sheets(cell.table)
            .filter(|sitting| sitting.round < cell.round && sitting.boards.contains(cell.board))
            .any(|sitting| self.is_in(Cell::new(cell.table_id(), sitting.round, cell.board)))
    }

    /// Whether the director is still to be asked about a board.
    pub(super) fn is_undecided(&self, cell: Cell) -> bool {
        self.plays(cell.board) && !self.wanted.contains_key(&cell) && !self.refused.contains(&cell)
    }
}
