//! The state of the club and of the session being played: a fold over the journal that can't
//! fail and is the same live and on replay.

use std::sync::Arc;

use imbl::{OrdMap, OrdSet, Vector};
use protocol::message::{EntryNumber, FirmwareVersion, HandRecord, Settings};
use protocol::words::{
    BoardNumber, Epoch, PadId, PairNumber, RoundNumber, SectionLetter, SessionId, TableNumber,
};

use super::plan::{Announcement, Fault, PenaltyAmount, Scoring, SectionPlan, Sitting, Timing, Way};
use super::{
    Admission, Cell, Club, Journal, JournalError, KeptEntry, Line, Moment, PairId, Record, Roster,
    Seq, TableId, Who,
};

/// Everything the base station knows for certain. Clones are cheap: they share what is equal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The last record taken in.
    pub seq: Seq,
    /// What stays from evening to evening.
    pub club: Club,
    /// The session that the director works with.
    pub session: Option<Session>,
}

/// How far a session has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub enum Phase {
    /// Pads are refused.
    #[default]
    SettingUp,
    /// Play goes on.
    Open,
    /// Play is over; results are put right.
    Ended,
    /// The result is published.
    Released,
}

/// One session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Its number.
    pub id: SessionId,
    /// How far it has come.
    pub phase: Phase,
    /// Whether pads may send.
    pub gate_open: bool,
    /// How pads behave.
    pub settings: Settings,
    /// How it is scored.
    pub scoring: Scoring,
    /// How long a round takes.
    pub timing: Timing,
    /// How results come to the base station, where the director has said so.
    pub way: Option<Way>,
    /// Sections whose tables may not log on yet.
    pub closed: OrdSet<SectionLetter>,
    /// Sections by letter.
    pub sections: OrdMap<SectionLetter, Section>,
    /// The pads that have been seen tonight.
    pub pads: OrdMap<PadId, Pad>,
    /// What is going on at tables.
    pub tables: OrdMap<TableId, Table>,
    /// Every line of every score sheet.
    pub lines: OrdMap<Cell, Line>,
    /// Which entry numbers of which pads are in the journal.
    pub entries: OrdSet<(PadId, EntryNumber)>,
    /// Entries that wait for the director, by the record that kept them.
    pub kept: OrdMap<Seq, KeptEntry>,
    /// Boards allowed at tables beyond the movement.
    pub allowed: OrdSet<Cell>,
    /// Boards asked for and not decided yet.
    pub wanted: OrdMap<Cell, Moment>,
    /// Boards that the director has refused.
    pub refused: OrdSet<Cell>,
    /// How many results each board has in each section.
    pub results: OrdMap<(SectionLetter, BoardNumber), u32>,
    /// Boards that a pair has more than one result on.
    pub doubled: OrdSet<(SectionLetter, BoardNumber)>,
    /// Which form of a fouled board is played where, and who is to blame, also at tables that have
    /// yet to play it.
    pub fouled: OrdMap<Cell, (char, [Fault; 2])>,
    /// Pairs that have gone home.
    pub gone: OrdSet<PairId>,
    /// Penalties and warnings, by their record.
    pub penalties: OrdMap<Seq, Penalty>,
    /// Who plays.
    pub roster: Roster,
    /// The round clock.
    pub clock: Option<Clock>,
    /// What the director last said to all tables, and when.
    pub announced: Option<(Moment, String)>,
    /// The cards, where a deal file was attached.
    pub deals: OrdMap<BoardNumber, HandRecord>,
    /// Sections that play matches.
    pub contests: OrdMap<SectionLetter, super::Contest>,
    /// Sections whose rounds are drawn over all rooms of a congress.
    pub led: OrdMap<SectionLetter, super::Led>,
    /// How far a scoring program has read each of its queues, by its name for the session.
    pub accepted: OrdMap<(String, connector::Queue), Seq>,
    /// Warnings that the director has dealt with, and how.
    pub answers: OrdMap<super::WarningId, super::Settled>,
    /// When the result was last released.
    pub released: Option<Moment>,
    /// The session's whole history: the audit trail.
    pub records: Vector<Arc<Record>>,
    /// Records that were taken back.
    pub undone: OrdSet<Seq>,
}

/// A section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The colour of its cards and boards.
    pub colour: String,
    /// The movement's name.
    pub movement: String,
    /// Whether both directions are ranked together.
    pub one_winner: bool,
    /// Who sits where when.
    pub sittings: OrdMap<(TableNumber, RoundNumber), Sitting>,
    /// What to say after rounds.
    pub announcements: Vec<Announcement>,
}

/// A table, as far as it has a story of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The pad that holds it.
    pub holder: Option<(PadId, Epoch)>,
    /// The last epoch given here.
    pub last_epoch: Option<Epoch>,
    /// The last round that the director ended here.
    pub ended: Option<RoundNumber>,
    /// The latest round that an entry was agreed in.
    pub agreed_in: Option<RoundNumber>,
    /// The players want the director, since then.
    pub called: Option<Moment>,
    /// Pads that want it while its own is there and talks, and what the director said.
    pub asking: OrdMap<PadId, Option<bool>>,
    /// Which pairs the players say they are.
    pub seen: OrdMap<RoundNumber, (Option<PairNumber>, Option<PairNumber>)>,
    /// What the pad that was replaced last may have taken with it.
    pub lost: Option<Lost>,
}

/// Boards that a replaced pad may have held: agreed there, and never received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// The epoch of the pad that took over.
    pub epoch: Epoch,
    /// The boards, of the round that was being played.
    pub cells: Vec<Cell>,
}

/// A pad, as far as the journal knows it. What is heard of it from minute to minute is
/// [`super::Presence`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pad {
    /// Where it belongs or belonged.
    pub table: TableId,
    /// Its last epoch.
    pub epoch: Epoch,
    /// How it came to its table.
    pub how: Admission,
    /// Since when.
    pub since: Moment,
    /// What it runs.
    pub firmware: FirmwareVersion,
    /// Whether it still holds the table.
    pub standing: Standing,
    /// Silent since then.
    pub silent: Option<Moment>,
    /// Its cells need changing.
    pub battery_low: bool,
    /// The last result that came from it: when, and which.
    pub entered: Option<(Moment, Cell)>,
}

/// What a pad has to do with its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub enum Standing {
    /// It holds it.
    Holds,
    /// Another pad has taken over.
    Replaced,
    /// It logged off.
    LoggedOff,
    /// The director freed the table.
    Freed,
}

/// A penalty or a warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Penalty {
    /// Whom.
    pub pair: PairId,
    /// How much.
    pub amount: PenaltyAmount,
    /// Why.
    pub why: String,
    /// Whether players may read why.
    pub public: bool,
    /// By whom.
    pub who: Who,
    /// When.
    pub at: Moment,
}

/// The round clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The round the room is in.
    pub round: RoundNumber,
    /// When it ends, or how much was left when it was held.
    pub until: ClockUntil,
}

/// Running or held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockUntil {
    /// Ends then.
    Ends(Moment),
    /// Stands still with this much left, in milliseconds.
    HeldWith(u64),
}

impl State {
    /// Reads everything again: the club's history, then that of the session last chosen.
    pub fn replay(journal: &dyn Journal) -> Result<Self, JournalError> {
        let mut state = Self::default();
        for record in journal.read(None)? {
            state.apply(&Arc::new(record));
        }
        if let Some(chosen) = state.club.chosen {
            state.session = Some(Session::replay(chosen, journal)?);
        }
        state.seq = journal.last();
        Ok(state)
    }

    /// Takes in one record. A record of a session other than the chosen one only counts when
    /// that session is chosen again and its history read.
    pub fn apply(&mut self, record: &Arc<Record>) {
        self.seq = self.seq.max(record.seq);
        match record.session {
            None => self.club.apply(record),
            Some(id) => {
                if let Some(session) = self.session.as_mut().filter(|session| session.id == id) {
                    session.apply(record);
                }
            }
        }
    }

    /// Every record after a place, of the club and of this session, in order.
    pub fn records_since(&self, seq: Seq) -> Vec<Arc<Record>> {
        let after = |records: &Vector<Arc<Record>>| {
            let from = records
                .binary_search_by_key(&seq, |record| record.seq)
                .map_or_else(|next| next, |found| found + 1);
            records.iter().skip(from).cloned().collect::<Vec<_>>()
        };
        let mut records = after(&self.club.records);
        if let Some(session) = &self.session {
            records.extend(after(&session.records));
        }
        records.sort_by_key(|record| record.seq);
        records
    }

    /// What the club's and the chosen session's histories tell before a place (or to their end),
    /// the latest first, so many records at most.
    pub fn records_before(&self, seq: Option<Seq>, len_max: usize) -> Vec<Arc<Record>> {
        let before = |records: &Vector<Arc<Record>>| {
            let until = seq.map_or(records.len(), |seq| {
                records
                    .binary_search_by_key(&seq, |record| record.seq)
                    .unwrap_or_else(|next| next)
            });
            let last = records.iter().take(until).rev().take(len_max);
            last.cloned().collect::<Vec<_>>()
        };
        let mut records = before(&self.club.records);
        if let Some(session) = &self.session {
            records.extend(before(&session.records));
        }
        records.sort_by_key(|record| std::cmp::Reverse(record.seq));
        records.truncate(len_max);
        records
    }
}

impl Session {
    /// One of its records.
    pub fn record(&self, seq: Seq) -> Option<&Arc<Record>> {
        let found = self.records.binary_search_by_key(&seq, |record| record.seq);
        found.ok().and_then(|at| self.records.get(at))
    }

    /// A session about which nothing has been decided yet.
    pub fn new(id: SessionId) -> Self {
        Self {
            id,
            phase: Phase::SettingUp,
            gate_open: true,
            settings: Settings::CLUB_EVENING,
            scoring: Scoring::UNSAID,
            timing: Timing::CLUB_EVENING,
            way: None,
            closed: OrdSet::new(),
            sections: OrdMap::new(),
            pads: OrdMap::new(),
            tables: OrdMap::new(),
            lines: OrdMap::new(),
            entries: OrdSet::new(),
            kept: OrdMap::new(),
            allowed: OrdSet::new(),
            wanted: OrdMap::new(),
            refused: OrdSet::new(),
            results: OrdMap::new(),
            doubled: OrdSet::new(),
            fouled: OrdMap::new(),
            gone: OrdSet::new(),
            penalties: OrdMap::new(),
            roster: Roster::default(),
            clock: None,
            announced: None,
            deals: OrdMap::new(),
            contests: OrdMap::new(),
            led: OrdMap::new(),
            accepted: OrdMap::new(),
            answers: OrdMap::new(),
            released: None,
            records: Vector::new(),
            undone: OrdSet::new(),
        }
    }

    /// Reads a session's history again.
    pub fn replay(id: SessionId, journal: &dyn Journal) -> Result<Self, JournalError> {
        let records = journal.read(Some(id))?.into_iter().map(Arc::new);
        Ok(Self::folded(id, records))
    }

    /// The table's sheet for a round.
    pub fn sitting(&self, table: TableId, round: RoundNumber) -> Option<&Sitting> {
        let section = self.sections.get(&table.section)?;
        section.sittings.get(&(table.table, round))
    }

    /// A pair's full name.
    pub fn pair_id(
        &self,
        section: SectionLetter,
        side: protocol::words::Side,
        number: PairNumber,
    ) -> PairId {
        let one_winner = self
            .sections
            .get(&section)
            .is_some_and(|section| section.one_winner);
        PairId {
            section,
            side: (!one_winner).then_some(side),
            number,
        }
    }
}

impl Section {
    /// As the director planned it.
    pub(super) fn planned(plan: &SectionPlan) -> Self {
        Self {
            colour: plan.colour.clone(),
            movement: plan.movement.clone(),
            one_winner: plan.one_winner,
            sittings: plan
                .sittings
                .iter()
                .map(|sitting| ((sitting.table, sitting.round), sitting.clone()))
                .collect(),
            announcements: plan.announcements.clone(),
        }
    }

    /// The tables of the section, in order.
    pub fn tables(&self) -> impl Iterator<Item = TableNumber> + '_ {
        let mut last = None;
        self.sittings
            .keys()
            .filter_map(move |(table, _)| (last.replace(*table) != Some(*table)).then_some(*table))
    }

    /// The last round.
    pub fn last_round(&self) -> RoundNumber {
        let rounds = self.sittings.keys().map(|(_, round)| *round);
        rounds.max().unwrap_or(RoundNumber::FIRST)
    }

    /// The sheets of one table, by round.
    pub fn sheets(&self, table: TableNumber) -> impl Iterator<Item = &Sitting> {
        let rounds = (table, RoundNumber::MIN)..=(table, RoundNumber::MAX);
        self.sittings.range(rounds).map(|(_, sitting)| sitting)
    }
}
