//! A whole session as one file: a line of JSON for each record, with a first line that says what
//! it is and a last line that proves it is whole.

use std::io::{BufRead, Write};

use protocol::words::SessionId;
use serde::{Deserialize, Serialize};

use super::rescue::renumbered_from;
use crate::session::{
    Club, Event, Journal, JournalError, Moment, NewRecord, Record, Seq, State, Who,
};

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    byestand_session: u8,
    event: String,
    date: String,
    title: String,
    members: Vec<(protocol::words::PlayerNumber, String)>,
}

/// The last line.
#[derive(Debug, Serialize, Deserialize)]
struct Footer {
    records: u64,
}

/// The layout of the file.
const ARCHIVE_VERSION: u8 = 1;

/// Why a session file is refused.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// A line is not what it should be.
    #[error("line {line} of the session file {what}")]
    Line {
        /// From 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// It ends too early.
    #[error("the session file is cut short: it has {found} records and its last line is missing")]
    CutShort {
        /// Records before the end.
        found: u64,
    },
    /// The journal.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Reading or writing.
    #[error(transparent)]
    Io(#[from] std::io::Error),
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

/// Reads a session file into a journal, as a new session of an event of that name. All or
/// nothing: a file with one bad line changes nothing. Answers with the session's new number.
pub fn import_session(
    journal: &mut dyn Journal,
    state: &State,
    file: &mut impl BufRead,
    who: &Who,
    now: Moment,
) -> Result<SessionId, ImportError> {
    let (header, records) = read_archive(file)?;
    let club = &state.club;
    let known = club.events.iter().find(|(_, name)| **name == header.event);
    let (event, new_event) = known.map_or((club.next_event(), true), |(id, _)| (*id, false));
    let session = club.next_session();
    let mut about_club = Vec::new();
    if new_event {
        let name = header.event;
        about_club.push(Event::EventCreated { event, name });
    }
    about_club.push(Event::SessionAdded {
        session,
        event,
        date: header.date,
        title: header.title,
    });
    let unknown = |(number, _): &(_, String)| !club.members.contains_key(number);
    let members: Vec<_> = header.members.into_iter().filter(unknown).collect();
    if !members.is_empty() {
        about_club.push(Event::MembersListed { members });
    }
    let mut new: Vec<NewRecord> = about_club
        .into_iter()
        .map(|event| NewRecord {
            at: now,
            who: who.clone(),
            session: None,
            event,
        })
        .collect();
    let behind = Seq(journal.last().0 + new.len() as u64);
    new.extend(
        renumbered_from(records, behind)
            .into_iter()
            .map(|record| NewRecord {
                session: Some(session),
                ..record
            }),
    );
    journal.append(&new)?;
    Ok(session)
}

fn read_archive(file: &mut impl BufRead) -> Result<(Header, Vec<Record>), ImportError> {
    let wrong = |line: usize, what: &str| ImportError::Line {
        line,
        what: what.to_owned(),
    };
    let mut lines = file.lines();
    let first = lines.next().unwrap_or_else(|| Ok(String::new()))?;
    let header: Header = serde_json::from_str(&first)
        .map_err(|_| wrong(1, "does not say that it is a Byestand session"))?;
    if header.byestand_session != ARCHIVE_VERSION {
        return Err(wrong(1, "is from a newer Byestand: install that version"));
    }
    let mut records: Vec<Record> = Vec::new();
    for (at, line) in lines.enumerate() {
        let (line, number) = (line?, at + 2);
        if let Ok(footer) = serde_json::from_str::<Footer>(&line) {
            if footer.records == records.len() as u64 {
                return Ok((header, records));
            }
            return Err(wrong(number, "counts other records than the file has"));
        }
        let record: Record = serde_json::from_str(&line)
            .map_err(|fault| wrong(number, &format!("is not a record: {fault}")))?;
        if records.last().is_some_and(|last| last.seq >= record.seq) {
            return Err(wrong(number, "is out of order"));
        }
        records.push(record);
    }
    Err(ImportError::CutShort {
        found: records.len() as u64,
    })
}
