//! A whole session as one file: a line of JSON for each record, with a first line that says what
//! it is and a last line that proves it is whole.

use std::io::{BufRead, Write};
use std::sync::Arc;

use protocol::words::SessionId;
use serde::{Deserialize, Serialize};

use super::rescue::renumbered_from;
use super::taken_in::Archive;
use crate::session::{
    Club, Event, Journal, JournalError, Moment, NewRecord, Record, Seq, Session, State, Who,
};
use telling::{Told, tell};

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) byestand_session: u8,
    pub(super) event: String,
    pub(super) date: String,
    pub(super) title: String,
    pub(super) members: Vec<(protocol::words::PlayerNumber, String)>,
}

/// The last line.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Footer {
    pub(super) records: u64,
}

/// The layout of the file.
pub(super) const ARCHIVE_VERSION: u8 = 1;

/// Why a session file is refused.
#[derive(Debug)]
pub enum ImportError {
    /// A line is not what it should be.
    Line {
        /// From 1.
        line: usize,
        /// What is wrong.
        what: Told,
    },
    /// It ends too early.
    CutShort {
        /// Records before the end.
        found: u64,
    },
    /// It would keep the base station from its work.
    TooMuchWork,
    /// The journal.
    Journal(JournalError),
    /// Reading or writing.
    Io(std::io::Error),
}

impl std::fmt::Display for ImportError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(&self.told(), f)
    }
}

impl std::error::Error for ImportError {}

impl From<JournalError> for ImportError {
    fn from(fault: JournalError) -> Self {
        Self::Journal(fault)
    }
}

impl From<std::io::Error> for ImportError {
    fn from(fault: std::io::Error) -> Self {
        Self::Io(fault)
    }
}

impl ImportError {
    /// What people are told of it.
    pub fn told(&self) -> Told {
        match self {
            Self::Line { line, what } => tell!(Journal::LineSessionFile { line, what }),
            Self::CutShort { found } => tell!(Journal::SessionCutShort { n: found }),
            Self::TooMuchWork => tell!(Journal::SessionFileTakesLonger),
            Self::Journal(fault) => fault.told(),
            Self::Io(fault) => Told::as_written(fault.to_string()),
        }
    }
}

/// Writes a session as one file.
pub fn export_session(
    journal: &dyn Journal,
    club: &Club,
    session: SessionId,
    out: &mut impl Write,
) -> Result<u64, ImportError> {
    let records = journal.read(Some(session))?;
    let scheduled = club.sessions.get(&session);
    let header = Header {
        byestand_session: ARCHIVE_VERSION,
        event: club.event_name(session).unwrap_or_default().to_owned(),
        date: scheduled.map(|it| it.date.clone()).unwrap_or_default(),
        title: scheduled.map(|it| it.title.clone()).unwrap_or_default(),
        members: players_of(&records, club),
    };
    write_line(out, &header)?;
    for record in &records {
        write_line(out, record)?;
    }
    let count = records.len() as u64;
    write_line(out, &Footer { records: count })?;
    out.flush()?;
    Ok(count)
}

/// Only the names that this session needs: a club's whole list is nobody else's business.
fn players_of(records: &[Record], club: &Club) -> Vec<(protocol::words::PlayerNumber, String)> {
    let mut members = std::collections::BTreeMap::new();
    for record in records {
        let numbers: Vec<_> = match &record.event {
            Event::PlayersSeated { seats, .. } => seats.iter().flatten().copied().collect(),
            Event::PlayerNamed { number, .. } => number.iter().copied().collect(),
            _ => Vec::new(),
        };
        for number in numbers {
            if let Some(name) = club.members.get(&number) {
                members.insert(number, name.clone());
            }
        }
    }
    members.into_iter().collect()
}

fn write_line(out: &mut impl Write, line: &impl Serialize) -> Result<(), std::io::Error> {
    serde_json::to_writer(&mut *out, line)?;
    out.write_all(b"\n")
}

/// The records that take a session file in as a new session of an event of that name, behind a
/// journal's last one, and the session's number.
pub fn import_session(
    last: Seq,
    state: &State,
    archive: Archive,
    who: &Who,
    now: Moment,
) -> Result<(SessionId, Vec<NewRecord>), ImportError> {
    let session = state.club.next_session();
    let mut new = archive.about_club(state, who, now)?;
    let behind = Seq(last.0 + new.len() as u64);
    new.extend(
        renumbered_from(archive.records, behind)
            .into_iter()
            .map(|record| NewRecord {
                session: Some(session),
                ..record
            }),
    );
    Ok((session, new))
}

/// The session of such a file as it stands, without any journal.
pub fn replay_archive(file: &mut impl BufRead, id: SessionId) -> Result<Session, ImportError> {
    // Whatever the clocks say: this one is only looked at.
    let archive = Archive::read(file, Moment(u64::MAX))?;
    let records = archive.records.into_iter().map(Arc::new);
    Session::folded_until(id, records, || false).ok_or(ImportError::TooMuchWork)
}
