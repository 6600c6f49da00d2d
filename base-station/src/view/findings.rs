//! What the watchful base has found, as warnings whose answers are commands.
//!
//! The checks know nothing of the session: here its state becomes their [`Room`], and their
//! answers become its commands.

use protocol::words::{BoardNumber, BoardResult, Percentage, RoundNumber, SectionLetter};

use super::answers::answer;
use super::warnings::{WarningKind, WarningView};
use crate::checks::{
    Finding, FindingId, Kind, Line, LineId, Moment as CheckMoment, PairsSeen, Room,
};
use crate::deals::{Deals, DealtBoard};
use crate::session::plan::Ruling;
use crate::session::{self, Cell, Section, Session, TableId};

/// How a director says that a finding was none.
pub(super) const IT_IS_RIGHT: &str = "It is right as it is";

/// What the checks know of a contract that nobody wrote down: they look at its score only.
const UNKNOWN_CONTRACT: BoardResult = BoardResult::Adjusted {
    ns: Percentage::MIN,
    ew: Percentage::MIN,
};

/// The session has a warning of its own about a board that is asked for.
pub(super) fn told_otherwise(session: &Session, finding: &Finding) -> bool {
    let id = finding.id;
    match id.kind {
        Kind::BoardNotHere => session.wanted.keys().any(|cell| {
            Some(cell.table) == id.table
                && Some(cell.round) == id.round
                && Some(cell.board) == id.board
        }),
        _ => false,
    }
}

/// A finding as a warning whose answers are commands.
pub(super) fn warning(session: &Session, room: &Room, finding: &Finding) -> WarningView {
    let id = finding.id;
    let kind = match id.kind {
        Kind::EastWestElsewhere => WarningKind::OtherPairs,
        Kind::MovementMistake => WarningKind::Movement,
        Kind::DealsDoNotFit => WarningKind::DealsDoNotFit,
        _ => WarningKind::Result,
    };
    let mut warning = WarningView::new(
        kind,
        id.to_string(),
        format!("{} ({}% sure)", finding.sentence, finding.confidence.get()),
    );
    warning.table = id.table.map(|table| TableId {
        section: id.section,
        table,
    });
    warning.round = id.round;
    warning.board = id.board;
    warning.check = Some(id.kind.to_string());
    warning.confidence = Some(finding.confidence.get());
    warning.answers = finding
        .answers
        .iter()
        .enumerate()
        .map(|(number, given)| answer(session, room, id, number, given))
        .collect();
    warning
}

/// The session's cards as the checks and other programs know them.
pub fn deals(session: &Session) -> Deals {
    session
        .deals
        .values()
        .filter_map(|record| {
            Some(DealtBoard {
                board: record.board,
                deal: record.deal.try_into().ok()?,
                tricks: record.tricks,
                par: record.par,
            })
        })
        .collect()
}

/// Whether the director has said that the deal file belongs to what this section plays.
pub(super) fn deals_trusted(session: &Session, letter: SectionLetter) -> bool {
    let doubt = FindingId {
        kind: Kind::DealsDoNotFit,
        section: letter,
        table: None,
        round: None,
        board: None,
    };
    let answer = session.answers.get(&doubt.to_string());
    answer.is_some_and(|answer| answer == IT_IS_RIGHT)
}

/// One section of the session as the checks see it.
pub(super) fn room(
    session: &Session,
    letter: SectionLetter,
    section: &Section,
    deals: Deals,
) -> Room {
    let mut room = Room::new(letter, section.as_movement(), deals);
    room.deals_trusted = deals_trusted(session, letter);
    for (cell, line) in session
        .lines
        .iter()
        .filter(|(cell, _)| cell.section == letter)
    {
        if let Some(line) = line_of(line) {
            room.put(line_id(*cell), line);
        }
    }
    for cell in session.wanted.keys().filter(|cell| cell.section == letter) {
        room.board_wanted(cell.table, cell.round, cell.board);
    }
    for (id, table) in session.tables.iter().filter(|(id, _)| id.section == letter) {
        for (&round, &(ns, ew)) in &table.seen {
            room.pairs_seen(id.table, round, PairsSeen { ns, ew });
        }
    }
    room
}

/// A line's name among the checks' lines.
pub(super) const fn line_id(cell: Cell) -> LineId {
    LineId {
        board: cell.board,
        round: cell.round,
        table: cell.table,
    }
}

/// A line as the checks see it; none where no result stands there.
pub(super) fn line_of(line: &session::Line) -> Option<Line> {
    // A score from paper has no contract, but a board, pairs, a sign and a vulnerability.
    let (result, stated) = match line.ruling {
        Ruling::Written(score) => (UNKNOWN_CONTRACT, Some(score)),
        _ => (line.result()?, line.stated),
    };
    Some(Line {
        ns: line.ns.map(|pair| pair.number),
        ew: line.ew.map(|pair| pair.number),
        result,
        stated,
        at: CheckMoment(line.at.0),
    })
}

/// The boards of a table in a round, as planned.
pub(super) fn planned_boards(
    room: &Room,
    table: protocol::words::TableNumber,
    round: RoundNumber,
) -> Vec<BoardNumber> {
    room.seating(table, round)
        .map_or_else(Vec::new, |seating| seating.boards.iter().collect())
}
