//! The receiver grid: rows are tables, columns rounds, and each cell has a state in one word.

use std::collections::{BTreeMap, BTreeSet};

use protocol::words::{BoardNumber, PairNumber, RoundNumber, SectionLetter, TableNumber};
use serde::Serialize;
use utoipa::ToSchema;

use crate::session::plan::Sitting;
use crate::session::{
    Cell, Clock, ClockUntil, Club, DeviceKind, Line, Moment, Phase, Section, Session, TableId,
};

/// What a director must know of a cell at a glance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub enum CellState {
    /// It should be played by now, but no pad has logged on at the table.
    NotLoggedOn,
    /// Not yet.
    Waiting,
    /// Being played now.
    Current,
    /// Every board is in.
    AllIn,
    /// The room is ahead of it.
    Late,
    /// Its time is over and boards are not in.
    Missing,
    /// Nobody to play against.
    SitOut,
}

/// What a table's heading says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub enum TableState {
    /// No pad has claimed it.
    NotLoggedOn,
    /// A pad holds it and is heard.
    LoggedOn,
    /// A pad holds it and has not been heard for a while.
    Silent,
    /// Its pad has logged off.
    LoggedOff,
    /// Its results come on paper.
    OnPaper,
}

/// One table in one round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct CellView {
    /// The table, as `A7`.
    #[schema(value_type = String, example = "A7")]
    pub table: TableId,
    /// The round.
    #[schema(value_type = u8)]
    pub round: RoundNumber,
    /// Its state.
    pub state: CellState,
    /// The director changed something here.
    pub changed: bool,
    /// A warning concerns it.
    pub flagged: bool,
    /// North-South.
    #[schema(value_type = Option<u16>)]
    pub ns: Option<PairNumber>,
    /// East-West.
    #[schema(value_type = Option<u16>)]
    pub ew: Option<PairNumber>,
    /// The boards played here.
    #[schema(value_type = Vec<u8>)]
    pub boards: Vec<BoardNumber>,
    /// How many of them are in.
    #[serde(rename = "in")]
    pub arrived: usize,
    /// Another number whenever a result here is another one, though it may look the same in the
    /// grid: whoever has the cell open looks again.
    pub version: u64,
}

/// A table's heading.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct TableView {
    /// The table, as `A7`.
    #[schema(value_type = String, example = "A7")]
    pub table: TableId,
    /// Its section.
    #[schema(value_type = String, example = "A")]
    pub section: char,
    /// Its state.
    pub state: TableState,
    /// The round it is in.
    #[schema(value_type = u8)]
    pub round: RoundNumber,
    /// The players want the director, since then.
    #[schema(value_type = Option<u64>)]
    pub calling_since_ms: Option<Moment>,
    /// The pad that holds it.
    pub pad: Option<String>,
    /// What that pad is, where it is a phone, a tablet or another browser.
    pub device: Option<DeviceKind>,
}

/// How the room stands, in one section, as far as a cell's state depends on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// The round that most tables are in.
    pub(super) room: RoundNumber,
    /// Rounds up to this one have had their time.
    pub(super) over: Option<RoundNumber>,
}

/// The round of every table of a section. Reckoned once for a picture: each takes a walk through
/// the whole movement.
pub(super) fn table_rounds(
    session: &Session,
    section: SectionLetter,
    plan: &Section,
) -> BTreeMap<TableNumber, RoundNumber> {
    plan.tables()
        .map(|table| (table, session.table_round(TableId { section, table })))
        .collect()
}

impl Pace {
    /// Judges a section by its clock, or without one by where most tables are.
    pub(super) fn of(
        session: &Session,
        rounds: &BTreeMap<TableNumber, RoundNumber>,
        now: Moment,
    ) -> Self {
        let room = room_round(rounds);
        match session.clock {
            Some(clock) => Self {
                room: room.max(clock.round),
                over: rounds_over(clock, now),
            },
            // Nobody times the rounds: a table is missing what the room left two rounds ago.
            None => Self {
                room,
                over: room.get().checked_sub(2).and_then(RoundNumber::new),
            },
        }
    }
}

fn rounds_over(clock: Clock, now: Moment) -> Option<RoundNumber> {
    match clock.until {
        ClockUntil::Ends(ends) if ends <= now => Some(clock.round),
        _ => clock.round.get().checked_sub(1).and_then(RoundNumber::new),
    }
}

/// The round that at least half of the section's tables have reached.
pub(super) fn room_round(rounds: &BTreeMap<TableNumber, RoundNumber>) -> RoundNumber {
    let mut rounds: Vec<RoundNumber> = rounds.values().copied().collect();
    rounds.sort_unstable_by(|one, other| other.cmp(one));
    let half = rounds.len().saturating_sub(1) / 2;
    rounds.get(half).copied().unwrap_or(RoundNumber::FIRST)
}

fn line<'a>(
    session: &'a Session,
    table: TableId,
    sitting: &Sitting,
    board: BoardNumber,
) -> Option<&'a Line> {
    session.lines.get(&Cell::new(table, sitting.round, board))
}

/// One cell of the grid.
pub(super) fn cell(
    session: &Session,
    table: TableId,
    sitting: &Sitting,
    table_round: RoundNumber,
    pace: Pace,
    flagged: &BTreeSet<(TableId, RoundNumber)>,
) -> CellView {
    let boards: Vec<BoardNumber> = sitting.boards.iter().collect();
    let lines: Vec<&Line> = boards
        .iter()
        .filter_map(|board| line(session, table, sitting, *board))
        .collect();
    let arrived = lines.iter().filter(|line| line.is_in()).count();
    let facts = Facts {
        played: sitting.is_played(),
        all_in: arrived == boards.len(),
        on_paper: session.is_table_on_paper(table).then_some(OnPaper {
            begun: arrived > 0,
            ended: session.phase >= Phase::Ended,
        }),
        logged_on: session
            .tables
            .get(&table)
            .is_some_and(|table| table.last_epoch.is_some()),
        round: sitting.round,
        table_round,
    };
    CellView {
        table,
        round: sitting.round,
        state: facts.state(pace),
        changed: lines.iter().any(|line| session.is_changed(table, line)),
        flagged: flagged.contains(&(table, sitting.round)),
        ns: sitting.ns,
        ew: sitting.ew,
        boards,
        arrived,
        version: version(&lines),
    }
}

/// What is undone goes back to an earlier record, so the latest of them all is not enough.
fn version(lines: &[&Line]) -> u64 {
    let records = lines.iter().filter_map(|line| line.history.last());
    records.fold(0, |sum, record| sum.wrapping_add(record.0))
}

/// What a cell's state is decided by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    pub(super) played: bool,
    pub(super) all_in: bool,
    pub(super) on_paper: Option<OnPaper>,
    pub(super) logged_on: bool,
    pub(super) round: RoundNumber,
    pub(super) table_round: RoundNumber,
}

/// Sheets come in the order in which people bring them: nothing is late before the end.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnPaper {
    begun: bool,
    ended: bool,
}

impl OnPaper {
    const fn state(self) -> CellState {
        match self {
            Self { ended: true, .. } => CellState::Missing,
            Self { begun: true, .. } => CellState::Current,
            Self { .. } => CellState::Waiting,
        }
    }
}

impl Facts {
    pub(super) fn state(self, pace: Pace) -> CellState {
        if !self.played {
            CellState::SitOut
        } else if self.all_in {
            CellState::AllIn
        } else if let Some(paper) = self.on_paper {
            paper.state()
        } else if pace.over.is_some_and(|over| self.round <= over) {
            CellState::Missing
        } else if !self.logged_on && self.round <= pace.room {
            CellState::NotLoggedOn
        } else if self.round < pace.room {
            CellState::Late
        } else if self.round == pace.room || self.round == self.table_round {
            CellState::Current
        } else {
            CellState::Waiting
        }
    }
}

/// A table's heading.
pub(super) fn table(club: &Club, session: &Session, id: TableId, round: RoundNumber) -> TableView {
    let known = session.tables.get(&id);
    let holder = known.and_then(|table| table.holder);
    let silent = holder
        .and_then(|(pad, _)| session.pads.get(&pad))
        .is_some_and(|pad| pad.silent.is_some());
    let state = match (holder, silent) {
        (Some(_), true) => TableState::Silent,
        (Some(_), false) => TableState::LoggedOn,
        (None, _) if known.is_some_and(|table| table.last_epoch.is_some()) => TableState::LoggedOff,
        (None, _) if session.is_table_on_paper(id) => TableState::OnPaper,
        (None, _) => TableState::NotLoggedOn,
    };
    TableView {
        table: id,
        section: id.section.letter(),
        state,
        round,
        calling_since_ms: known.and_then(|table| table.called),
        pad: holder.map(|(pad, _)| super::pads::pad_name(pad)),
        device: holder
            .and_then(|(pad, _)| club.phones.get(&pad))
            .map(|phone| phone.kind),
    }
}
