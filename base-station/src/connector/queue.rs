//! What a scoring program has not heard yet. A queue is the difference between two states of the
//! session: as far as the program knows it, and as it is.
//!
//! The program knows every record up to the one it has accepted, and whatever it did itself. So
//! nothing has to be kept but that one number, nothing is lost when either side is killed, and what
//! the program sent does not come back to it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use connector::Queue;
use connector::data::{BoardScore, Handrecord, Participation, Player, TdCall};
use imbl::OrdMap;
use protocol::words::{BoardNumber, PlayerNumber, RoundNumber, Seat, Side};

use super::score;
use crate::session::plan::{Partner, seat_of};
use crate::session::{
    Cell, Club, Event, Link, LinkedSection, LinkedSession, PairId, Record, Seq, Session, State,
    TableId,
};

/// A session as far as a program knows it.
#[derive(Clone, Debug)]
pub(super) struct Known {
    /// Everything up to this record.
    upto: Seq,
    /// And this last one that it made itself.
    own: Seq,
    session: Session,
    members: OrdMap<PlayerNumber, String>,
}

impl Known {
    /// Everything up to a record, and what the program did itself.
    pub(super) fn upto(state: &State, session: &Session, upto: Seq) -> Self {
        let known = |record: &&Arc<Record>| record.seq <= upto || record.who.is_program();
        let records = session.records.iter().filter(known).cloned();
        let mut members = OrdMap::new();
        for record in state.club.records.iter().filter(known) {
            match &record.event {
                Event::MembersListed {
                    members: listed, ..
                } => {
                    members.extend(listed.iter().cloned());
                }
                Event::MemberRenamed { number, name } => {
                    members.insert(*number, name.clone());
                }
                _ => {}
            }
        }
        Self {
            upto,
            own: last_own(&state.club, session),
            session: Session::folded(session.id, records),
            members,
        }
    }

    /// Nothing at all.
    fn nothing(session: &Session) -> Self {
        Self {
            upto: Seq(0),
            own: Seq(0),
            session: Session::new(session.id),
            members: OrdMap::new(),
        }
    }

    fn is(&self, club: &Club, session: &Session, upto: Seq) -> bool {
        self.session.id == session.id && self.upto == upto && self.own == last_own(club, session)
    }
}

fn last_own(club: &Club, session: &Session) -> Seq {
    // That it has read something is no news to fold again.
    let is_own = |record: &&Arc<Record>| {
        record.who.is_program() && !matches!(record.event, Event::Connector(_))
    };
    let of_session = session.records.iter().rev().find(is_own);
    let of_club = club.records.iter().rev().find(is_own);
    let last = of_session.into_iter().chain(of_club);
    last.map(|record| record.seq).max().unwrap_or_default()
}

/// States that were worked out already: folding an evening again for each question would be slow.
#[derive(Debug, Default)]
pub struct Memory(Vec<Arc<Known>>);

/// One for each queue of the usual single session, and some more.
const REMEMBERED: usize = 12;

impl Memory {
    /// The session as far as the program has accepted it.
    pub(super) fn known(&mut self, state: &State, session: &Session, upto: Seq) -> Arc<Known> {
        let mut remembered = self.0.iter();
        if let Some(known) = remembered.find(|known| known.is(&state.club, session, upto)) {
            return Arc::clone(known);
        }
        let known = Arc::new(Known::upto(state, session, upto));
        if self.0.len() == REMEMBERED {
            self.0.remove(0);
        }
        self.0.push(Arc::clone(&known));
        known
    }
}

/// A session that a program works with, as it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Now<'a> {
    /// The club.
    pub(super) club: &'a Club,
    /// The session.
    pub(super) session: &'a Session,
    /// What the program calls its parts.
    pub(super) link: &'a Link,
    /// Which of its sessions is asked for.
    pub(super) part: &'a LinkedSession,
}

/// The items of a queue.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "they are what they are called")]
pub enum Items {
    Results(Vec<BoardScore>),
    PlayerData(Vec<Player>),
    Participations(Vec<Participation>),
    Handrecords(Vec<Handrecord>),
    TdCalls(Vec<TdCall>),
}

impl Items {
    /// How many.
    pub fn len(&self) -> usize {
        match self {
            Self::Results(items) => items.len(),
            Self::PlayerData(items) => items.len(),
            Self::Participations(items) => items.len(),
            Self::Handrecords(items) => items.len(),
            Self::TdCalls(items) => items.len(),
        }
    }

    /// Nothing waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Now<'_> {
    /// What is new to somebody who knows this.
    pub(super) fn new_items(&self, queue: Queue, known: &Known) -> Items {
        match queue {
            Queue::Results => Items::Results(self.results(known)),
            Queue::PlayerData => Items::PlayerData(self.players(known)),
            Queue::Participations => Items::Participations(self.seats(known)),
            Queue::Handrecords => Items::Handrecords(self.hands(known)),
            Queue::TdCalls => Items::TdCalls(self.calls(known)),
        }
    }

    /// Everything there is.
    pub(super) fn all_items(&self, queue: Queue) -> Items {
        self.new_items(queue, &Known::nothing(self.session))
    }

    /// The last record that an answer given now can know of.
    pub(super) fn last(&self) -> Seq {
        let last = self.session.records.last().map(|record| record.seq);
        let club = self.club.records.last().map(|record| record.seq);
        last.max(club).unwrap_or_default()
    }

    fn results(&self, known: &Known) -> Vec<BoardScore> {
        let lines = self.session.lines.keys().chain(known.session.lines.keys());
        let named = self.named_since(known);
        let cells: BTreeSet<Cell> = lines.copied().chain(named.iter().copied()).collect();
        let mut items: Vec<(Seq, BoardScore)> = Vec::new();
        for cell in cells {
            let line = self.session.lines.get(&cell);
            if !named.contains(&cell)
                && line.is_some()
                && line == known.session.lines.get(&cell)
                && same_sitting(&known.session, self.session, cell)
            {
                continue;
            }
            let told = score::of(&known.session, self.part, cell);
            let tell = score::of(self.session, self.part, cell);
            // What was heard and not accepted may have been changed back since: it is said again.
            if told == tell && !named.contains(&cell) {
                continue;
            }
            let item = tell
                .or_else(|| told.map(score::deleted))
                .or_else(|| score::nothing(self.session, self.part, cell));
            let at = line.and_then(|line| line.history.last().copied());
            items.extend(item.map(|item| (at.unwrap_or_else(|| self.last()), item)));
        }
        items.sort_by_key(|(at, _)| *at);
        items.into_iter().map(|(_, item)| item).collect()
    }

    /// Lines that others than the program had a hand in since then, whatever became of it.
    fn named_since(&self, known: &Known) -> BTreeSet<Cell> {
        let new = self.session.records.iter().rev();
        let new = new.take_while(|record| record.seq > known.upto);
        let mut cells = BTreeSet::new();
        for record in new.filter(|record| !record.who.is_program()) {
            match self.named(&record.event) {
                Named::Cells(named) => cells.extend(named),
                Named::Everything => {
                    cells.extend(self.session.lines.keys().copied());
                    cells.extend(known.session.lines.keys().copied());
                }
            }
        }
        cells
    }

    fn named(&self, event: &Event) -> Named {
        match event {
            Event::Entered { table, entry, .. } => {
                Named::Cells(vec![Cell::new(*table, entry.round, entry.board)])
            }
            Event::KeptEntryUsed { kept } => {
                let kept = self.session.kept.get(kept);
                let cell = kept.map(|it| Cell::new(it.table, it.entry.round, it.entry.board));
                Named::Cells(cell.into_iter().collect())
            }
            Event::Ruled { cell, .. } | Event::PairsCorrected { cell, .. } => {
                Named::Cells(vec![*cell])
            }
            Event::LineMoved { from, to, .. } => Named::Cells(vec![*from, *to]),
            Event::MovementRevised { .. }
            | Event::MovementChanged { .. }
            | Event::PadsSwapped { .. }
            | Event::PadMoved { .. } => Named::Everything,
            Event::Undone { change, .. } => match self.session.record(*change) {
                Some(record) => self.named(&record.event),
                None => Named::Cells(Vec::new()),
            },
            _ => Named::Cells(Vec::new()),
        }
    }

    fn players(&self, known: &Known) -> Vec<Player> {
        let mut numbers: Vec<PlayerNumber> = (self.session.roster.iter())
            .filter(|(pair, ..)| self.part.letters(pair.section).is_some())
            .filter_map(|(.., player)| player.number)
            .filter(|number| *number != PlayerNumber::VISITOR)
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut items = Vec::new();
        for number in numbers {
            let Some(name) = self.club.members.get(&number) else {
                continue;
            };
            if known.members.get(&number) == Some(name) {
                continue;
            }
            let (first_name, last_name) = connector::people::split(name);
            items.push(Player {
                session_guid: self.part.guid.clone(),
                player_number: self.written(number),
                first_name,
                last_name,
                country_code: String::new(),
            });
        }
        items
    }

    fn written(&self, number: PlayerNumber) -> String {
        let width = usize::from(self.link.digits);
        format!("{:0width$}", number.get())
    }

    fn seats(&self, known: &Known) -> Vec<Participation> {
        let (now, before) = (seated(self.session), seated(&known.session));
        let mut items = Vec::new();
        for linked in &self.part.sections {
            let here = now
                .iter()
                .filter(|((table, _), _)| table.section == linked.section);
            for ((table, seat), (number, name)) in here {
                if before.get(&(*table, *seat)) == Some(&(*number, name.clone())) {
                    continue;
                }
                let number = number.filter(|number| *number != PlayerNumber::VISITOR);
                let (first_name, last_name) = match number {
                    Some(_) => (String::new(), String::new()),
                    None => connector::people::split(name),
                };
                if number.is_none() && last_name.is_empty() {
                    continue;
                }
                items.push(Participation {
                    session_guid: self.part.guid.clone(),
                    section_letters: linked.letters.clone(),
                    table_number: table.table.get().into(),
                    direction: i64::from(seat.index()) + 1,
                    round_number: 1,
                    player_number: number.map(|it| self.written(it)).unwrap_or_default(),
                    first_name,
                    last_name,
                    ..Participation::default()
                });
            }
        }
        items
    }

    fn hands(&self, known: &Known) -> Vec<Handrecord> {
        let boards: Vec<BoardNumber> = (self.session.deals.iter())
            .filter(|(board, record)| {
                let before = known.session.deals.get(*board);
                before.is_none_or(|before| before.deal != record.deal)
            })
            .map(|(board, _)| *board)
            .collect();
        let mut groups: BTreeMap<u32, &LinkedSection> = BTreeMap::new();
        for section in &self.part.sections {
            groups.entry(section.group).or_insert(section);
        }
        let mut items = Vec::new();
        for (group, section) in groups {
            for record in boards.iter().filter_map(|it| self.session.deals.get(it)) {
                let mut item = Handrecord {
                    session_guid: self.part.guid.clone(),
                    scoring_group_number: group.into(),
                    section_letters: section.letters.clone(),
                    ..Handrecord::default()
                };
                connector::hand::write(&mut item, record);
                items.push(item);
            }
        }
        items
    }

    fn calls(&self, known: &Known) -> Vec<TdCall> {
        let new = self.session.records.iter();
        let new = new.filter(|record| record.seq > known.upto && !record.who.is_program());
        let mut items = Vec::new();
        for record in new {
            let (table, status) = match &record.event {
                Event::DirectorCalled { table } => (*table, TdCall::CALLED),
                Event::CallSettled { table } => (*table, TdCall::SETTLED),
                _ => continue,
            };
            let Some(linked) = self.part.letters(table.section) else {
                continue;
            };
            let minutes = record.at.time_of_day_s(self.club.minutes_east) / 60;
            items.push(TdCall {
                session_guid: self.part.guid.clone(),
                section_letters: linked.letters.clone(),
                table_number: table.table.get().into(),
                round_number: self.session.table_round(table).get().into(),
                hour: i64::from(minutes / 60),
                minute: i64::from(minutes % 60),
                status,
            });
        }
        items
    }
}

/// Which lines an event is about.
enum Named {
    Cells(Vec<Cell>),
    Everything,
}

/// Who is meant to sit at a table is part of what is said of a result.
fn same_sitting(one: &Session, other: &Session, cell: Cell) -> bool {
    let (table, round) = (cell.table_id(), cell.round);
    one.sitting(table, round) == other.sitting(table, round)
}

/// Who sits where in the first round, by number and name.
fn seated(session: &Session) -> BTreeMap<(TableId, Seat), (Option<PlayerNumber>, String)> {
    let mut seats = BTreeMap::new();
    for (letter, section) in &session.sections {
        for sitting in section.sittings.values() {
            if sitting.round != RoundNumber::FIRST {
                continue;
            }
            let table = TableId {
                section: *letter,
                table: sitting.table,
            };
            for (side, number) in [(Side::NorthSouth, sitting.ns), (Side::EastWest, sitting.ew)] {
                let Some(number) = number else { continue };
                let pair: PairId = session.pair_id(*letter, side, number);
                let chairs = if sitting.arrow_switched {
                    side.other()
                } else {
                    side
                };
                for partner in [Partner::First, Partner::Second] {
                    let player = session.roster.at(pair, partner, RoundNumber::FIRST);
                    let Some(player) = player else { continue };
                    let name = player.name.clone().unwrap_or_default();
                    seats.insert((table, seat_of(chairs, partner)), (player.number, name));
                }
            }
        }
    }
    seats
}
