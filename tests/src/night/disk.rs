//! A model of the laptop's disk: what was not synced is lost when the power goes.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base_station::session::{Event, Journal, JournalError, NewRecord, Record, Seq};
use protocol::words::SessionId;
use telling::Told;

use super::Broken;

/// What the disk does with writes just now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mood {
    /// It takes them.
    #[default]
    Well,
    /// It is full.
    Full,
    /// It refuses the next one.
    RefusesOnce,
}

/// When an append is safe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Sync {
    /// When it returns, as it must be.
    #[default]
    BeforeReturn,
    /// With the next append: "the commit will surely come through".
    WithTheNext,
    /// When the operating system gets round to it: `synchronous=OFF`.
    Late,
}

/// Records that a disk without syncs still has in its cache.
const WRITTEN_LATE: usize = 12;

#[derive(Debug, Default)]
struct Platter {
    synced: Vec<Record>,
    in_the_cache: Vec<Record>,
    mood: Mood,
    sync: Sync,
    /// Where it has to be a broken one: it hands its last entry out twice after a crash, or says
    /// that a write it refused is done.
    broken: Broken,
    crashed: bool,
}

/// The disk. Clones are the same disk, so that it survives the process that wrote to it.
#[derive(Clone, Debug, Default)]
pub(super) struct Disk(Arc<Mutex<Platter>>);

impl Disk {
    pub(super) fn new(broken: Broken) -> Self {
        Self(Arc::new(Mutex::new(Platter {
            sync: broken.sync(),
            broken,
            ..Platter::default()
        })))
    }

    pub(super) fn is_full(&self) -> bool {
        self.platter().mood == Mood::Full
    }

    pub(super) fn set_mood(&self, mood: Mood) {
        self.platter().mood = mood;
    }

    /// The machine goes down: what was not synced is gone.
    pub(super) fn crash(&self) {
        let mut platter = self.platter();
        platter.in_the_cache.clear();
        platter.crashed = true;
    }

    /// Everything that is safe, as the disk has it.
    pub(super) fn records(&self) -> Vec<Record> {
        let platter = self.platter();
        platter.all().cloned().collect()
    }

    fn platter(&self) -> MutexGuard<'_, Platter> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Platter {
    fn all(&self) -> impl Iterator<Item = &Record> {
        let last = self
            .synced
            .iter()
            .rev()
            .find(|record| matches!(record.event, Event::Entered { .. }));
        self.synced
            .iter()
            .chain(&self.in_the_cache)
            .chain(last.filter(|_| self.broken == Broken::CountsTwice && self.crashed))
    }

    fn last(&self) -> Seq {
        let last = self.in_the_cache.last().or(self.synced.last());
        last.map_or(Seq(0), |record| record.seq)
    }
}

impl Journal for Disk {
    fn append(&mut self, records: &[NewRecord]) -> Result<Seq, JournalError> {
        let mut platter = self.platter();
        match platter.mood {
            Mood::Well => {}
            Mood::Full => return Err(JournalError::DiskFull),
            Mood::RefusesOnce => {
                platter.mood = Mood::Well;
                if platter.broken == Broken::TakesARefusalForDone {
                    return Ok(platter.last());
                }
                return Err(JournalError::Disk(Told::as_written(
                    "the disk refused once",
                )));
            }
        }
        if platter.sync == Sync::WithTheNext {
            let safe_now = std::mem::take(&mut platter.in_the_cache);
            platter.synced.extend(safe_now);
        }
        for record in records {
            let seq = platter.last().next();
            platter.in_the_cache.push(record.clone().at_place(seq));
        }
        let cached = match platter.sync {
            Sync::BeforeReturn => 0,
            Sync::WithTheNext => usize::MAX,
            Sync::Late => WRITTEN_LATE,
        };
        if platter.in_the_cache.len() > cached {
            let safe = platter.in_the_cache.len() - cached;
            let safe_now: Vec<Record> = platter.in_the_cache.drain(..safe).collect();
            platter.synced.extend(safe_now);
        }
        Ok(platter.last())
    }

    fn read(&self, session: Option<SessionId>) -> Result<Vec<Record>, JournalError> {
        let platter = self.platter();
        let of_session = |record: &&Record| record.session == session;
        Ok(platter.all().filter(of_session).cloned().collect())
    }

    fn last(&self) -> Seq {
        self.platter().last()
    }
}
