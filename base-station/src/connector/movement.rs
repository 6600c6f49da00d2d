//! The movement of a section as a scoring program reads it.

use std::collections::BTreeMap;

use connector::data;
use protocol::words::{BoardNumber, PairNumber};

use crate::session::plan::Sitting;
use crate::session::{LinkedSection, LinkedSession, Session};

/// A section with its tables and rounds.
pub(super) fn written(
    session: &Session,
    part: &LinkedSession,
    linked: &LinkedSection,
) -> data::Section {
    let mut section = data::Section {
        session_guid: part.guid.clone(),
        scoring_group_number: linked.group.into(),
        letters: linked.letters.clone(),
        winners: 1,
        game_type: linked.game.into(),
        ..data::Section::default()
    };
    let Some(known) = session.sections.get(&linked.section) else {
        return section;
    };
    section.winners = if known.one_winner { 1 } else { 2 };
    let mut tables: BTreeMap<_, data::Table> = BTreeMap::new();
    for sitting in known.sittings.values() {
        let table = tables.entry(sitting.table).or_insert_with(|| data::Table {
            session_guid: part.guid.clone(),
            section_letters: linked.letters.clone(),
            table_number: sitting.table.get().into(),
            ..data::Table::default()
        });
        table.rounds.push(round(sitting, part, linked));
    }
    section.tables = tables.into_values().collect();
    section
}

fn round(sitting: &Sitting, part: &LinkedSession, linked: &LinkedSection) -> data::Round {
    let pair = |pair: Option<PairNumber>| pair.map_or(0, |pair| pair.get().into());
    let board = |board: Option<BoardNumber>| board.map_or(0, |board| board.get().into());
    let (ns, ew) = if sitting.arrow_switched {
        (sitting.ew, sitting.ns)
    } else {
        (sitting.ns, sitting.ew)
    };
    data::Round {
        session_guid: part.guid.clone(),
        section_letters: linked.letters.clone(),
        table_number: sitting.table.get().into(),
        round_number: sitting.round.get().into(),
        low_board_number: board(sitting.boards.lowest()),
        high_board_number: board(sitting.boards.highest()),
        pair_ns: pair(ns),
        pair_ew: pair(ew),
        updated: false,
    }
}
