//! What a pad says, judged: the events it leads to and the answer it gets. Sending anything a
//! thousand times is the same as once.

use protocol::both_ends::is_battery_low;
use protocol::link::Binding;
use protocol::message::{Down, Entry, EntryNumber, RefusalReason, Up};
use protocol::words::{BoardResult, Epoch, PadId, SessionId};

use super::decide::records;
use super::plan::Ruling;
use super::{
    Admission, Cell, Event, Fate, Line, Moment, NewRecord, Phase, Session, Standing, State,
    TableId, Who,
};
use protocol::message::{CheckIn, Source};

/// What a pad's message leads to. The answer is composed by [`State::answer`] from the state
/// that has the records in it, and released when they are on disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decision {
    /// To be written down.
    pub records: Vec<NewRecord>,
    /// How to answer.
    pub replies: Vec<Reply>,
}

/// A part of an answer that may need the new state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// As it is.
    Say(Box<Down>),
    /// The entry is on disk.
    Received(EntryNumber, Option<Cell>),
    /// The pad's table with everything that belongs to it.
    Welcome(TableId),
    /// Names at the table.
    Names(TableId),
    /// What the base has of the table.
    History(TableId),
    /// A line of the table as the base has it.
    Recorded(Cell),
    /// The answer to a question.
    Feedback(TableId, protocol::message::Question),
    /// Which of these numbers nobody knows, where there are such.
    UnknownPlayers(protocol::message::Players),
}

/// A pad in the eyes of the base.
enum Standpoint {
    /// It holds this table in this session.
    Holder(TableId, Epoch),
    /// It held this table, and does not any more.
    Former(TableId, Standing),
    /// It was at a table of another session.
    OtherSession(SessionId, TableId),
    /// The base knows nothing of it (an old backup was opened).
    Unknown,
}

impl State {
    /// Judges what a pad says.
    pub fn pad_says(
        &self,
        pad: PadId,
        binding: Option<Binding>,
        message: &Up,
        now: Moment,
    ) -> Decision {
        let speech = Speech {
            state: self,
            pad,
            binding,
            now,
        };
        if self.club.revoked.contains(&pad) {
            // The link turns such pads away; this is for what was under way.
            return speech.refuse(RefusalReason::NotAllowed);
        }
        match message {
            Up::LogOn(claim) => speech.log_on(claim, Admission::LoggedOn),
            Up::Replace(claim) => speech.log_on(claim, Admission::Replaced),
            Up::Recover(claim) => speech.log_on(claim, Admission::Recovered),
            message => speech.at_table(message),
        }
    }
}

mod wanted;

pub(super) struct Speech<'a> {
    pub(super) state: &'a State,
    pub(super) pad: PadId,
    pub(super) binding: Option<Binding>,
    pub(super) now: Moment,
}

fn refused(number: Option<EntryNumber>, reason: RefusalReason) -> Reply {
    Reply::Say(Box::new(Down::Refused { number, reason }))
}

impl Speech<'_> {
    pub(super) fn decision(&self, events: Vec<Event>, replies: Vec<Reply>) -> Decision {
        let session = self.state.session.as_ref().map(|session| session.id);
        Decision {
            records: records(events, session, &Who::Pad(self.pad), self.now),
            replies,
        }
    }

    pub(super) fn refuse(&self, reason: RefusalReason) -> Decision {
        self.decision(Vec::new(), vec![refused(None, reason)])
    }

    // -- At the table --------------------------------------------------------------------------

    fn standpoint(&self, binding: Binding) -> Standpoint {
        let Some(session) = self
            .state
            .session
            .as_ref()
            .filter(|it| it.id == binding.session)
        else {
            return match self.state.club.epoch(self.pad, binding.epoch) {
                Some((session, table)) => Standpoint::OtherSession(session, table),
                None => Standpoint::Unknown,
            };
        };
        match session.pads.get(&self.pad) {
            // A pad that was moved, or was welcomed anew, may still speak in its last epoch.
            Some(pad) if pad.standing == Standing::Holds && binding.epoch <= pad.epoch => {
                Standpoint::Holder(pad.table, pad.epoch)
            }
            Some(pad) if binding.epoch <= pad.epoch => Standpoint::Former(pad.table, pad.standing),
            _ => Standpoint::Unknown,
        }
    }

    fn at_table(&self, message: &Up) -> Decision {
        if let Up::Entry(entry) | Up::Held(entry) = message
            && (self.binding.is_none() || !entry.number.is_countable())
        {
            // Nobody's entry, or one that can't be told from the last: it would come for ever.
            let reply = refused(Some(entry.number), RefusalReason::NotAllowed);
            return self.decision(Vec::new(), vec![reply]);
        }
        let Some(binding) = self.binding else {
            if matches!(message, Up::CheckIn(_)) {
                // Its radio is tested: that it is answered is all it wants to know.
                return self.decision(Vec::new(), Vec::new());
            }
            return self.refuse(RefusalReason::SessionNotOpen);
        };
        match self.standpoint(binding) {
            Standpoint::Holder(table, epoch) => {
                let Some(session) = &self.state.session else {
                    return self.refuse(RefusalReason::SessionNotOpen);
                };
                let mut decision = self.holder_says(session, table, epoch, message);
                if epoch != binding.epoch {
                    decision.replies.push(Reply::Welcome(table));
                }
                if session
                    .pads
                    .get(&self.pad)
                    .is_some_and(|pad| pad.silent.is_some())
                {
                    let pad = self.pad;
                    let heard = self.decision(vec![Event::PadHeardAgain { pad, table }], vec![]);
                    decision.records.extend(heard.records);
                }
                decision
            }
            Standpoint::Former(table, standing) => {
                self.former_says(table, binding.epoch, standing, message)
            }
            Standpoint::OtherSession(session, table) => {
                self.about_other_session(session, table, binding.epoch, message)
            }
            Standpoint::Unknown => self.unknown_says(message),
        }
    }

    fn holder_says(
        &self,
        session: &Session,
        table: TableId,
        epoch: Epoch,
        message: &Up,
    ) -> Decision {
        match message {
            Up::Entry(entry) => self.entry(session, table, epoch, entry),
            Up::Held(entry) => self.keep(table, epoch, entry, RefusalReason::Replaced, true),
            Up::CheckIn(state) => {
                let events = self.battery(*state, table).into_iter().collect();
                self.decision(events, Vec::new())
            }
            Up::Players(players) => {
                let seated = Event::PlayersSeated {
                    table,
                    round: players.round,
                    seats: players.seats,
                };
                let unknown = Reply::UnknownPlayers(*players);
                self.decision(vec![seated], vec![Reply::Names(table), unknown])
            }
            Up::PairsSeen { round, ns, ew } => {
                let known = session.tables.get(&table).and_then(|it| it.seen.get(round));
                let news = (known != Some(&(*ns, *ew))).then_some(Event::PairsSeen {
                    table,
                    round: *round,
                    ns: *ns,
                    ew: *ew,
                });
                self.decision(news.into_iter().collect(), Vec::new())
            }
            Up::BoardWanted { round, board } => {
                self.board_wanted(session, Cell::new(table, *round, *board))
            }
            Up::BoardAllowedHere { round, board } => {
                self.board_allowed_here(session, Cell::new(table, *round, *board))
            }
            Up::CallDirector => {
                let calling = session.tables.get(&table).and_then(|it| it.called);
                let news = calling.is_none().then_some(Event::DirectorCalled { table });
                self.decision(news.into_iter().collect(), Vec::new())
            }
            Up::CancelCall => {
                let calling = session.tables.get(&table).and_then(|it| it.called);
                let news = calling.map(|_| Event::CallSettled { table });
                self.decision(news.into_iter().collect(), Vec::new())
            }
            Up::Ask(question) => self.decision(Vec::new(), vec![Reply::Feedback(table, *question)]),
            Up::SlipAccepted { round, check } => {
                let (event, slip) = session.slip_accepted(table, *round, *check);
                let replies = slip.map(|slip| Reply::Say(Box::new(slip)));
                self.decision(event.into_iter().collect(), replies.into_iter().collect())
            }
            Up::LogOff => {
                let pad = self.pad;
                self.decision(vec![Event::PadLoggedOff { pad, table }], Vec::new())
            }
            Up::ResendingEverything { .. }
            | Up::LogOn(_)
            | Up::Replace(_)
            | Up::Recover(_)
            | Up::DirectorPin(_) => self.decision(Vec::new(), Vec::new()),
        }
    }

    pub(super) fn battery(&self, state: CheckIn, table: TableId) -> Option<Event> {
        let low = is_battery_low(state.battery_20_mv);
        let session = self.state.session.as_ref();
        let known = session
            .and_then(|session| session.pads.get(&self.pad))
            .is_some_and(|pad| pad.battery_low);
        (low && !known).then_some(Event::BatteryLow {
            pad: self.pad,
            table,
            battery_20_mv: state.battery_20_mv,
        })
    }

    // -- Entries -------------------------------------------------------------------------------

    fn entry(&self, session: &Session, table: TableId, epoch: Epoch, entry: &Entry) -> Decision {
        let cell = Cell::new(table, entry.round, entry.board);
        let number = entry.number;
        if session.entries.contains(&(self.pad, number)) {
            let mut replies = vec![Reply::Received(number, Some(cell))];
            // A pad that was asked for everything takes no other word about a line until it has
            // sent it: what the director made of it meanwhile is told once more.
            if session.lines.get(&cell).and_then(Line::result) != Some(entry.result) {
                replies.push(Reply::Say(Box::new(session.recorded_or_empty(cell))));
            }
            return self.decision(Vec::new(), replies);
        }
        let waiting = session.kept.values().find(|kept| {
            kept.pad == self.pad && kept.entry.number == number && kept.fate != Fate::Used
        });
        if let Some(kept) = waiting {
            return self.decision(Vec::new(), vec![refused(Some(number), kept.reason)]);
        }
        if !session.gate_open && session.phase == Phase::Open {
            return self.decision(
                Vec::new(),
                vec![refused(Some(number), RefusalReason::Stopped)],
            );
        }
        match may_enter(session, cell, entry) {
            Ok(()) => {
                let entered = Event::Entered {
                    table,
                    epoch,
                    entry: *entry,
                    pad: self.pad,
                };
                let received = Reply::Received(number, Some(cell));
                self.decision(vec![entered], vec![received])
            }
            Err(reason) => {
                let mut decision = self.keep(table, epoch, entry, reason, false);
                match reason {
                    RefusalReason::BoardOutOfRange if session.is_undecided(cell) => {
                        let wanted = self.decision(vec![Event::BoardWanted { cell }], vec![]);
                        decision.records.extend(wanted.records);
                    }
                    RefusalReason::RoundOver => decision.replies.push(Reply::Recorded(cell)),
                    _ => {}
                }
                decision
            }
        }
    }

    /// Keeps an agreed entry that must not count by itself.
    fn keep(
        &self,
        table: TableId,
        epoch: Epoch,
        entry: &Entry,
        reason: RefusalReason,
        received: bool,
    ) -> Decision {
        let number = entry.number;
        let session = self.state.session.as_ref();
        let known = session.is_some_and(|session| {
            let kept =
                |kept: &&super::KeptEntry| kept.pad == self.pad && kept.entry.number == number;
            session.entries.contains(&(self.pad, number))
                || session.kept.values().any(|it| kept(&it))
        });
        let event = Event::EntryKept {
            table,
            epoch,
            entry: *entry,
            pad: self.pad,
            reason,
        };
        let events = if known { Vec::new() } else { vec![event] };
        let reply = if received {
            Reply::Received(number, None)
        } else {
            refused(Some(number), reason)
        };
        self.decision(events, vec![reply])
    }

    // -- Pads without a table ------------------------------------------------------------------

    fn former_says(
        &self,
        table: TableId,
        epoch: Epoch,
        standing: Standing,
        message: &Up,
    ) -> Decision {
        let reason = RefusalReason::Replaced;
        let already_in = |entry: &Entry| {
            let session = self.state.session.as_ref();
            session.is_some_and(|it| it.entries.contains(&(self.pad, entry.number)))
        };
        let mut decision = match message {
            Up::Entry(entry) | Up::Held(entry) if already_in(entry) => {
                let received = Reply::Received(entry.number, None);
                self.decision(Vec::new(), vec![received])
            }
            Up::Held(entry) => self.keep(table, epoch, entry, reason, true),
            Up::Entry(entry) => self.keep(table, epoch, entry, reason, false),
            Up::LogOff => self.decision(Vec::new(), Vec::new()),
            _ => self.refuse(reason),
        };
        if standing == Standing::Replaced {
            decision.replies.push(Reply::Say(Box::new(Down::Replaced)));
        }
        decision
    }

    fn about_other_session(
        &self,
        session: SessionId,
        table: TableId,
        epoch: Epoch,
        message: &Up,
    ) -> Decision {
        let (Up::Entry(entry) | Up::Held(entry)) = message else {
            // What the pad has to know of its old game. It is not an answer to anything: by the
            // time it arrives, the players may have asked for a table of tonight.
            let over = Reply::Say(Box::new(Down::SessionOver));
            return self.decision(Vec::new(), vec![over]);
        };
        let kept = Event::EntryKept {
            table,
            epoch,
            entry: *entry,
            pad: self.pad,
            reason: RefusalReason::SessionOver,
        };
        let told = Event::OldEntryKept {
            session,
            pad: self.pad,
            table,
            board: entry.board,
        };
        let who = Who::Pad(self.pad);
        let mut kept = records(vec![kept], Some(session), &who, self.now);
        kept.extend(records(vec![told], None, &who, self.now));
        Decision {
            records: kept,
            replies: vec![Reply::Received(entry.number, None)],
        }
    }

    /// A pad that logged on after the backup was made which this journal goes on from: it is
    /// asked to come back with everything it has, and keeps its entries until then.
    fn unknown_says(&self, message: &Up) -> Decision {
        let ask = Reply::Say(Box::new(Down::PleaseResend));
        let replies = match message {
            Up::Entry(entry) | Up::Held(entry) => {
                vec![refused(Some(entry.number), RefusalReason::DiskFailed), ask]
            }
            _ => vec![ask],
        };
        self.decision(Vec::new(), replies)
    }
}

fn is_on_sheet(session: &Session, cell: Cell) -> bool {
    session
        .sitting(cell.table_id(), cell.round)
        .is_some_and(|sitting| sitting.boards.contains(cell.board))
}

/// Whether an entry counts by itself.
fn may_enter(session: &Session, cell: Cell, entry: &Entry) -> Result<(), RefusalReason> {
    if session.phase == Phase::Released {
        return Err(RefusalReason::SessionOver);
    }
    if matches!(entry.result, BoardResult::Adjusted { .. }) && !entry.by_director {
        return Err(RefusalReason::Impossible);
    }
    if !is_on_sheet(session, cell) && !session.allowed.contains(&cell) && !entry.by_director {
        return Err(RefusalReason::BoardOutOfRange);
    }
    let Some(line) = session.lines.get(&cell).filter(|line| line.is_in()) else {
        return Ok(());
    };
    let awaited = matches!(line.ruling, Ruling::LatePlay);
    if entry.by_director || awaited {
        return Ok(());
    }
    // What both sides accepted with the slip of their match is the director's to change.
    if session.slip_is_accepted(cell) {
        return Err(RefusalReason::RoundOver);
    }
    // The director's word stands; so does a result whose round was over when it was "corrected".
    if line.source == Source::Director || entry.agreed_in > entry.round {
        return Err(RefusalReason::RoundOver);
    }
    Ok(())
}
