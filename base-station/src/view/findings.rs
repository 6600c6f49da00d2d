//! What the watchful base has found, as warnings whose answers are commands.
//!
//! The checks know nothing of the session: here its state becomes their [`Room`], and their
//! answers become its commands. Findings are derived anew with every view, so that they go when
//! the result is put right and come back after a restart.

use std::collections::BTreeMap;

use protocol::words::{BoardNumber, RoundNumber, SectionLetter};

use super::answers::answer;
use super::warnings::{WarningKind, WarningView};
use crate::checks::{
    Finding, Kind, Line, LineId, Moment as CheckMoment, PairsSeen, Room, check_board, check_clock,
    check_round, check_table,
};
use crate::deals::{Deals, DealtBoard};
use crate::session::{CHECK_IN_MS, Moment, Section, Session, TableId};

/// How a director says that a finding was none.
pub(super) const IT_IS_RIGHT: &str = "It is right as it is";

/// Everything that the checks find in the session as it stands.
pub(super) fn findings(session: &Session, now: Moment, warnings: &mut Vec<WarningView>) {
    let deals = deals(session);
    for (&letter, section) in &session.sections {
        let room = room(session, letter, section, deals.clone());
        for finding in look(&room, now) {
            if !told_otherwise(session, &finding) {
                warnings.push(warning(session, &room, &finding));
            }
        }
    }
}

/// How often each check was wrong tonight, by what directors answered.
pub fn false_alarms(session: &Session) -> BTreeMap<String, usize> {
    let mut alarms = BTreeMap::new();
    for (key, _) in session
        .answers
        .iter()
        .filter(|(_, answer)| *answer == IT_IS_RIGHT)
    {
        let kind = key.split('.').next().unwrap_or_default();
        *alarms.entry(kind.to_owned()).or_default() += 1;
    }
    alarms
}

fn look(room: &Room, now: Moment) -> Vec<Finding> {
    let mut found: Vec<Finding> = room
        .movement
        .boards()
        .into_iter()
        .flat_map(|board| check_board(room, board))
        .collect();
    for (round, planned) in room.movement.numbered_rounds() {
        found.extend(check_round(room, round));
        for (table, _) in planned.tables() {
            found.extend(check_table(room, table, round));
        }
    }
    found.extend(check_clock(room, CheckMoment(now.0)));
    found
}

/// The session has warnings of its own about silent pads, missing boards, boards asked for and
/// pairs that say they are others.
fn told_otherwise(session: &Session, finding: &Finding) -> bool {
    let id = finding.id;
    match id.kind {
        Kind::ScoreMissing | Kind::PadSilent | Kind::EastWestElsewhere => true,
        Kind::BoardNotHere => session.wanted.keys().any(|cell| {
            Some(cell.table) == id.table
                && Some(cell.round) == id.round
                && Some(cell.board) == id.board
        }),
        _ => false,
    }
}

fn warning(session: &Session, room: &Room, finding: &Finding) -> WarningView {
    let id = finding.id;
    let mut warning = WarningView::new(
        WarningKind::Result,
        id.to_string(),
        format!("{} ({}% sure)", finding.sentence, finding.confidence.get()),
    );
    warning.table = id.table.map(|table| TableId {
        section: id.section,
        table,
    });
    warning.round = id.round;
    warning.board = id.board;
    warning.answers = finding
        .answers
        .iter()
        .enumerate()
        .map(|(number, given)| answer(session, room, id, number, given))
        .collect();
    warning
}

fn deals(session: &Session) -> Deals {
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

/// One section of the session as the checks see it.
fn room(session: &Session, letter: SectionLetter, section: &Section, deals: Deals) -> Room {
    let mut room = Room::new(letter, section.as_movement(), deals, CHECK_IN_MS);
    for (cell, line) in session
        .lines
        .iter()
        .filter(|(cell, _)| cell.section == letter)
    {
        let Some(result) = line.result() else {
            continue;
        };
        let id = LineId {
            board: cell.board,
            round: cell.round,
            table: cell.table,
        };
        room.put(
            id,
            Line {
                ns: line.ns.map(|pair| pair.number),
                ew: line.ew.map(|pair| pair.number),
                result,
                stated: None,
                at: CheckMoment(line.at.0),
            },
        );
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

/// The boards of a table in a round, as planned.
pub(super) fn planned_boards(
    room: &Room,
    table: protocol::words::TableNumber,
    round: RoundNumber,
) -> Vec<BoardNumber> {
    room.seating(table, round)
        .map_or_else(Vec::new, |seating| seating.boards.iter().collect())
}
