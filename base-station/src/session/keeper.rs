//! The keeper: the one owner of the state and its journal. Persists, applies, answers, in that
//! order, for many requests at once.

use std::sync::Arc;

use protocol::link::Binding;
use protocol::message::{Down, EntryNumber, Pin, RefusalReason, Up};
use protocol::words::{PadId, SessionId};

use super::director_pin::Guesses;
use super::{
    Command, Decision, Event, Journal, JournalError, LargeField, Moment, NewRecord, Presence,
    Record, Refused, Seq, Session, Standing, State, Who,
};
use telling::tell;

/// Something that wants to be dealt with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// A director's command.
    Command {
        /// What.
        command: Box<Command>,
        /// Whose.
        who: Who,
    },
    /// A pad said something.
    Pad {
        /// Who.
        pad: PadId,
        /// What it believes to be in.
        binding: Option<Binding>,
        /// What.
        message: Box<Up>,
    },
    /// Time has passed: see who has fallen silent.
    LookRound,
    /// Time has passed without a receiver: nobody could be heard, so nobody has fallen silent.
    CannotHear,
}

impl Request {
    /// A pad said this.
    pub fn of_pad(pad: PadId, binding: Option<Binding>, message: impl Into<Box<Up>>) -> Self {
        Self::Pad {
            pad,
            binding,
            message: message.into(),
        }
    }
}

/// What became of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is on disk; this is its last record (or the last before it, where there was none).
    Done(Seq),
    /// No, and why.
    Refused(Refused),
    /// To be sent to the pad.
    Answer(Vec<Down>),
}

/// What a batch of requests led to.
#[derive(Debug, Default)]
pub struct Batch {
    /// One for each request, in order.
    pub outcomes: Vec<Outcome>,
    /// News that wait for pads.
    pub posts: Vec<(PadId, Down)>,
    /// What was written.
    pub records: Vec<Arc<Record>>,
    /// Why nothing was written, where something should have been.
    pub failure: Option<JournalError>,
}

/// The one owner of the state and its journal.
#[derive(Debug)]
pub struct Keeper<J> {
    state: State,
    presence: Presence,
    journal: J,
    /// Pads that have been told what they may have missed since this keeper began.
    refreshed: std::collections::BTreeSet<PadId>,
    /// Pads that were asked for everything because they count further than the journal does. Once
    /// is enough: what a pad does not hold any more it will not hold the next time.
    asked: std::collections::BTreeSet<PadId>,
    guesses: Guesses,
    /// How our pairs stand in a larger field, while its centre answers.
    large_field: Option<Arc<LargeField>>,
}

impl<J: Journal> Keeper<J> {
    /// Reads the journal and goes on from there.
    pub fn open(journal: J, now: Moment) -> Result<Self, JournalError> {
        Ok(Self::with_state(State::replay(&journal)?, journal, now))
    }

    /// Goes on from a state that was just read from this journal.
    pub fn with_state(state: State, journal: J, now: Moment) -> Self {
        Self {
            state,
            presence: Presence::new(now),
            journal,
            refreshed: std::collections::BTreeSet::new(),
            guesses: Guesses::default(),
            asked: std::collections::BTreeSet::new(),
            large_field: None,
        }
    }

    /// Pads show these places from now on, or our own.
    pub fn hear_of_field(&mut self, field: Option<Arc<LargeField>>) {
        self.large_field = field;
    }

    /// The state as it is on disk.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// What was heard of pads.
    pub const fn presence(&self) -> &Presence {
        &self.presence
    }

    /// The journal, to copy or to read it.
    pub const fn journal(&self) -> &J {
        &self.journal
    }

    /// The journal, for what stands beside the records.
    pub const fn journal_mut(&mut self) -> &mut J {
        &mut self.journal
    }

    /// Ends, and gives the journal back.
    pub fn into_journal(self) -> J {
        self.journal
    }

    /// Takes in records that were decided elsewhere, of a session that is not being worked with.
    pub fn take_in(&mut self, records: Vec<NewRecord>) -> Result<Vec<Arc<Record>>, JournalError> {
        self.journal.append(&records)?;
        let place = |record: NewRecord| {
            let placed = Arc::new(record.at_place(self.state.seq.next()));
            self.state.apply(&placed);
            placed
        };
        Ok(records.into_iter().map(place).collect())
    }

    /// Deals with one request.
    pub fn deal_with(&mut self, request: Request, now: Moment) -> Batch {
        self.deal_with_all(&[request], now)
    }

    /// Deals with requests in order, with one commit for all of them. Each sees what those before
    /// it led to. If the disk refuses, none of them has happened.
    pub fn deal_with_all(&mut self, requests: &[Request], now: Moment) -> Batch {
        let mut batch = Batch::default();
        // The history of a session that is chosen can be read only when the choice is on disk.
        for part in requests.split_inclusive(chooses_session) {
            let done = self.deal_with_part(part, now);
            batch.outcomes.extend(done.outcomes);
            batch.posts.extend(done.posts);
            batch.records.extend(done.records);
            batch.failure = batch.failure.or(done.failure);
        }
        batch
    }

    fn deal_with_part(&mut self, requests: &[Request], now: Moment) -> Batch {
        let mut draft = Draft {
            // Clones share what is equal, so a fork costs little.
            state: self.state.clone(),
            written: Vec::new(),
            records: Vec::new(),
            posts: Vec::new(),
            refreshed: Vec::new(),
            asked: Vec::new(),
            now,
        };
        self.presence.time_is(now);
        let mut outcomes = Vec::with_capacity(requests.len());
        for request in requests {
            self.listen(request, now);
            outcomes.push(self.draft_one(&mut draft, request));
        }
        let failure = if draft.written.is_empty() {
            None
        } else {
            self.journal.append(&draft.written).err()
        };
        if let Some(failure) = failure {
            // What they may have missed was not told them either.
            for pad in &draft.refreshed {
                self.refreshed.remove(pad);
            }
            for pad in &draft.asked {
                self.asked.remove(pad);
            }
            return Batch {
                outcomes: requests.iter().map(|it| failed(it, &failure)).collect(),
                failure: Some(failure),
                ..Batch::default()
            };
        }
        self.state = draft.state;
        let failure = self.follow_choice(&draft.records);
        Batch {
            outcomes,
            posts: draft.posts,
            records: draft.records,
            failure,
        }
    }

    fn listen(&mut self, request: &Request, now: Moment) {
        if let Request::Pad { pad, message, .. } = request {
            let state = match &**message {
                Up::CheckIn(state) => Some(*state),
                Up::LogOn(claim) | Up::Replace(claim) | Up::Recover(claim) => Some(claim.state),
                _ => None,
            };
            self.presence.heard(*pad, state, now);
        }
    }

    fn draft_one(&mut self, draft: &mut Draft, request: &Request) -> Outcome {
        match request {
            Request::Command { command, who } => {
                match draft.state.decide(command, who, draft.now) {
                    Ok(records) => {
                        draft.take(records);
                        Outcome::Done(draft.state.seq)
                    }
                    Err(refused) => Outcome::Refused(refused),
                }
            }
            Request::Pad {
                pad,
                binding,
                message,
            } => {
                if let Up::DirectorPin(pin) = &**message {
                    return Outcome::Answer(self.judge_pin(&draft.state, *pad, *pin, draft.now));
                }
                let Decision { records, replies } =
                    draft.state.pad_says(*pad, *binding, message, draft.now);
                draft.take(records);
                let mut downs = draft.state.answer(*pad, &replies, draft.now);
                if let Some(field) = &self.large_field {
                    field.put_into(&draft.state, *pad, &replies, &mut downs);
                }
                if self.refreshed.insert(*pad) {
                    draft.refreshed.push(*pad);
                    if !is_log_on(message) {
                        downs.extend(draft.state.refresh(*pad, draft.now));
                    }
                }
                if let Up::Entry(entry) = &**message
                    && lacks_earlier(&draft.state, *pad, entry.number)
                    && self.asked.insert(*pad)
                    && !downs.contains(&Down::PleaseResend)
                {
                    draft.asked.push(*pad);
                    downs.push(Down::PleaseResend);
                }
                Outcome::Answer(downs)
            }
            Request::LookRound => {
                if let Some(session) = &draft.state.session {
                    let now = draft.now;
                    let events = self.presence.fallen_silent(session);
                    let id = Some(session.id);
                    draft.take(super::decide::records(events, id, &Who::Base, now));
                }
                Outcome::Done(draft.state.seq)
            }
            Request::CannotHear => {
                self.presence.cannot_hear(draft.now);
                Outcome::Done(draft.state.seq)
            }
        }
    }

    /// Whether somebody at a pad is the director. A pad that has been in the box for a year learns
    /// the number with the answer.
    fn judge_pin(&mut self, state: &State, pad: PadId, pin: Pin, now: Moment) -> Vec<Down> {
        let judged = self
            .guesses
            .judge(pad, state.director_pin() == Some(pin), now);
        match judged {
            Down::PinJudged { right: true, .. } => {
                vec![Down::Settings(state.settings_for(pad)), judged]
            }
            _ => vec![judged],
        }
    }

    /// Another session was chosen: its history is read.
    fn follow_choice(&mut self, records: &[Arc<Record>]) -> Option<JournalError> {
        let chosen = |record: &Arc<Record>| match record.event {
            Event::SessionChosen { session } => Some(session),
            _ => None,
        };
        let session: SessionId = records.iter().rev().find_map(chosen)?;
        match Session::replay(session, &self.journal) {
            Ok(session) => {
                self.state.session = Some(session);
                None
            }
            Err(fault) => {
                self.state.session = None;
                Some(fault)
            }
        }
    }
}

/// A state that is not on disk yet.
struct Draft {
    state: State,
    written: Vec<NewRecord>,
    records: Vec<Arc<Record>>,
    posts: Vec<(PadId, Down)>,
    /// Pads that were told for the first time what they may have missed.
    refreshed: Vec<PadId>,
    /// Pads that were asked for everything.
    asked: Vec<PadId>,
    now: Moment,
}

impl Draft {
    fn take(&mut self, records: Vec<NewRecord>) {
        if records.is_empty() {
            return;
        }
        // A second copy makes every change copy what it touches, so only those who look at it get one.
        let looks_back = records.iter().any(|it| is_told_from_before(&it.event));
        let before = looks_back.then(|| self.state.clone());
        let first = self.records.len();
        for record in records {
            let placed = Arc::new(record.clone().at_place(self.state.seq.next()));
            self.state.apply(&placed);
            self.records.push(placed);
            self.written.push(record);
        }
        let new = self.records.get(first..).unwrap_or_default();
        let posts = self.state.posts(before.as_ref(), new, self.now);
        self.posts.extend(posts);
    }
}

/// Whether pads are told of it by what was different before.
const fn is_told_from_before(event: &Event) -> bool {
    matches!(event, Event::PadAdmitted { .. } | Event::Undone { .. })
}

/// A pad numbers its entries without gaps, so an entry is a witness of the one before it.
fn lacks_earlier(state: &State, pad: PadId, number: EntryNumber) -> bool {
    let Some(session) = &state.session else {
        return false;
    };
    let holds = session
        .pads
        .get(&pad)
        .is_some_and(|it| it.standing == Standing::Holds);
    let is_known = |number: EntryNumber| {
        session.entries.contains(&(pad, number))
            || session
                .kept
                .values()
                .any(|kept| kept.pad == pad && kept.entry.number == number)
    };
    holds && number > EntryNumber::FIRST && !is_known(EntryNumber(number.0 - 1))
}

fn chooses_session(request: &Request) -> bool {
    let Request::Command { command, .. } = request else {
        return false;
    };
    chooses(command)
}

fn chooses(command: &Command) -> bool {
    if let Command::Together(commands) = command {
        return commands.iter().any(chooses);
    }
    matches!(
        command,
        Command::CreateEvent { .. } | Command::ChooseSession { .. }
    )
}

fn is_log_on(message: &Up) -> bool {
    matches!(message, Up::LogOn(_) | Up::Replace(_) | Up::Recover(_))
}

/// The disk refused: nothing has happened, and everybody hears it.
fn failed(request: &Request, failure: &JournalError) -> Outcome {
    match request {
        Request::Pad { message, .. } => {
            let number = match &**message {
                Up::Entry(entry) | Up::Held(entry) => Some(entry.number),
                _ => None,
            };
            Outcome::Answer(vec![Down::Refused {
                number,
                reason: RefusalReason::DiskFailed,
            }])
        }
        Request::Command { .. } | Request::LookRound | Request::CannotHear => {
            Outcome::Refused(Refused::because(tell!(Refused::NothingChanged {
                failure: failure.to_string()
            })))
        }
    }
}
