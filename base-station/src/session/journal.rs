//! Where events are kept: the trait that the session asks for, and a journal in memory.

use std::fmt;
use std::sync::Arc;

use protocol::words::SessionId;
use serde::{Deserialize, Serialize};

use super::concerns::{club_events, evening_events, pad_events, result_events};
use super::{Event, Moment, Seq, Who};
use telling::{Told, tell};

impl Event {
    /// Whether it is part of the club's own history rather than of one session's.
    pub const fn is_about_the_club(&self) -> bool {
        match self {
            club_events!() => true,
            evening_events!() | pad_events!() | result_events!() => false,
        }
    }
}

/// An event that is about to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRecord {
    /// When it happened.
    pub at: Moment,
    /// Who did it.
    pub who: Who,
    /// The session it belongs to; `None` for the club's own history.
    pub session: Option<SessionId>,
    /// What happened.
    pub event: Event,
}

/// An event in the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Its place.
    pub seq: Seq,
    /// When it happened.
    pub at: Moment,
    /// Who did it.
    pub who: Who,
    /// The session it belongs to; `None` for the club's own history.
    pub session: Option<SessionId>,
    /// What happened.
    pub event: Event,
}

impl NewRecord {
    /// The record at its place.
    pub fn at_place(self, seq: Seq) -> Record {
        Record {
            seq,
            at: self.at,
            who: self.who,
            session: self.session,
            event: self.event,
        }
    }
}

/// An append-only list of records that survives whatever happens to the machine.
pub trait Journal: Send {
    /// Writes the records, all or none. They are on disk when this returns `Ok`, which names the
    /// last one's place.
    fn append(&mut self, records: &[NewRecord]) -> Result<Seq, JournalError>;

    /// Every record of the club's own history (`None`) or of one session, in order.
    fn read(&self, session: Option<SessionId>) -> Result<Vec<Record>, JournalError>;

    /// The place of the last record.
    fn last(&self) -> Seq;
}

/// Why the journal can't be written or read.
#[derive(Debug)]
pub enum JournalError {
    /// The disk is full. Nothing was written.
    DiskFull,
    /// The disk or the file refuses. Nothing was written.
    Disk(Told),
    /// A record is whole, and of a kind that this version does not know.
    TooNew(Seq),
    /// What stands in the file is not a journal of ours, or damaged.
    Damaged(Told),
}

impl std::fmt::Display for JournalError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(&self.told(), f)
    }
}

impl std::error::Error for JournalError {}

impl JournalError {
    /// What people are told of it.
    pub fn told(&self) -> Told {
        match self {
            Self::DiskFull => tell!(Refused::DiskFullMakeRoom),
            Self::Disk(what) => tell!(Journal::NotWritable { what }),
            Self::TooNew(seq) => tell!(Journal::RecordNewer { n: seq.0 }),
            Self::Damaged(what) => what.clone(),
        }
    }
}

/// A journal in memory, for tests and calculations. Clones share the same records, so that a
/// test can look at what a session wrote.
#[derive(Clone, Default)]
pub struct MemoryJournal {
    records: Arc<std::sync::Mutex<Vec<Record>>>,
}

impl MemoryJournal {
    /// An empty one.
    pub fn new() -> Self {
        Self::default()
    }

    fn records(&self) -> std::sync::MutexGuard<'_, Vec<Record>> {
        self.records
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl fmt::Debug for MemoryJournal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MemoryJournal of {} records", self.records().len())
    }
}

impl Journal for MemoryJournal {
    fn append(&mut self, records: &[NewRecord]) -> Result<Seq, JournalError> {
        let mut kept = self.records();
        for record in records {
            let seq = kept.last().map_or(Seq(1), |last| last.seq.next());
            kept.push(record.clone().at_place(seq));
        }
        Ok(kept.last().map_or(Seq(0), |last| last.seq))
    }

    fn read(&self, session: Option<SessionId>) -> Result<Vec<Record>, JournalError> {
        let of_session = |record: &&Record| record.session == session;
        Ok(self.records().iter().filter(of_session).cloned().collect())
    }

    fn last(&self) -> Seq {
        self.records().last().map_or(Seq(0), |last| last.seq)
    }
}
