//! A session file before it is taken in: read, checked like what is typed, and tried out, all of it
//! away from the owner's thread.

use std::io::BufRead;
use std::sync::Arc;
use std::time::{Duration, Instant};

use protocol::words::{PlayerNumber, SessionId};
use serde_json::Value;

use super::archive::{ARCHIVE_VERSION, Footer, Header, ImportError};
use crate::session::{
    Command, Event, Moment, NewRecord, Record, Refused, Session, State, Who, club_events,
    is_printable,
};
use telling::{Told, tell};

/// Records in one file. An evening of 256 tables has about 20,000.
const RECORDS_MAX: usize = 200_000;

/// The longest text in a record: no reason, name or message that is typed is longer.
const TEXT_LEN_MAX: usize = 400;

/// What the base itself wrote about a change of the movement is longer.
const MOVEMENT_TEXT_LEN_MAX: usize = 4_000;

/// How long it may take to work the session out. A whole evening takes some milliseconds.
const WORK_TIME_MAX: Duration = Duration::from_secs(2);

/// A laptop's clock may be ahead of ours by so much.
const CLOCKS_DIFFER_MS_MAX: u64 = 24 * 3_600_000;

/// A session file that may be taken in.
#[derive(Debug)]
pub struct Archive {
    event: String,
    date: String,
    title: String,
    members: Vec<(PlayerNumber, String)>,
    pub(super) records: Vec<Record>,
}

impl Archive {
    /// Reads and checks a file. This may take a while: not for the owner's thread.
    pub fn read(file: &mut impl BufRead, now: Moment) -> Result<Self, ImportError> {
        let (header, records) = read_lines(file, now)?;
        let trial = records.iter().cloned().map(Arc::new);
        let deadline = Instant::now() + WORK_TIME_MAX;
        if Session::folded_until(SessionId::MIN, trial, || Instant::now() > deadline).is_none() {
            return Err(ImportError::TooMuchWork);
        }
        let archive = Self {
            event: header.event,
            date: header.date,
            title: header.title,
            members: header.members,
            records,
        };
        // The same checks as for typing, in an empty club; the real one may add its own.
        archive.about_club(&State::default(), &Who::Base, now)?;
        Ok(archive)
    }

    /// What the club's calendar and list of players get, by the same decisions as when somebody
    /// types it. The session is not chosen: the director may be in the middle of an evening.
    pub(super) fn about_club(
        &self,
        state: &State,
        who: &Who,
        now: Moment,
    ) -> Result<Vec<NewRecord>, ImportError> {
        let club = &state.club;
        let name: Vec<&str> = self.event.split_whitespace().collect();
        let name = name.join(" ");
        let known = club.events.iter().find(|(_, known)| **known == name);
        let (date, title) = (self.date.clone(), self.title.clone());
        let calendar = match known {
            Some((&event, _)) => Command::AddSession { event, date, title },
            None => Command::CreateEvent { name, date, title },
        };
        let mut decided = decide(state, &calendar, who, now)?;
        decided.retain(|record| !matches!(record.event, Event::SessionChosen { .. }));
        let unknown = |(number, _): &&(PlayerNumber, String)| !club.members.contains_key(number);
        let members: Vec<_> = self.members.iter().filter(unknown).cloned().collect();
        if !members.is_empty() {
            decided.extend(decide(
                state,
                &Command::ListMembers {
                    members,
                    digits: Vec::new(),
                },
                who,
                now,
            )?);
        }
        Ok(decided)
    }
}

fn decide(
    state: &State,
    command: &Command,
    who: &Who,
    now: Moment,
) -> Result<Vec<NewRecord>, ImportError> {
    let decided = state.decide(command, who, now);
    decided.map_err(|Refused(what)| ImportError::Line {
        line: 1,
        what: tell!(Journal::LineNotUsable { what }),
    })
}

const fn wrong(line: usize, what: Told) -> ImportError {
    ImportError::Line { line, what }
}

fn not_a_record(line: usize, fault: &serde_json::Error) -> ImportError {
    let fault = fault.to_string();
    wrong(line, tell!(Journal::LineNoRecord { fault }))
}

fn read_lines(file: &mut impl BufRead, now: Moment) -> Result<(Header, Vec<Record>), ImportError> {
    let mut lines = file.lines();
    let first = lines.next().unwrap_or_else(|| Ok(String::new()))?;
    let header: Header =
        serde_json::from_str(&first).map_err(|_| wrong(1, tell!(Journal::DoesNotSayByestand)))?;
    if header.byestand_session != ARCHIVE_VERSION {
        return Err(wrong(1, tell!(Journal::LineNewer)));
    }
    let mut records: Vec<Record> = Vec::new();
    for (at, line) in lines.enumerate() {
        let (line, number) = (line?, at + 2);
        if let Ok(footer) = serde_json::from_str::<Footer>(&line) {
            if footer.records == records.len() as u64 {
                return Ok((header, records));
            }
            return Err(wrong(number, tell!(Journal::LineCountsOthers)));
        }
        let record: Record =
            serde_json::from_str(&line).map_err(|fault| not_a_record(number, &fault))?;
        if records.last().is_some_and(|last| last.seq >= record.seq) {
            return Err(wrong(number, tell!(Journal::LineOutOfOrder)));
        }
        check(&record, &line, now).map_err(|what| wrong(number, what))?;
        if records.len() == RECORDS_MAX {
            return Err(wrong(number, tell!(Journal::LineTooMany)));
        }
        records.push(record);
    }
    Err(ImportError::CutShort {
        found: records.len() as u64,
    })
}

/// What a record must be so that it could have come from a pad or been typed.
fn check(record: &Record, line: &str, now: Moment) -> Result<(), Told> {
    // In a session's file they could change a password or the calendar.
    if matches!(record.event, club_events!()) {
        return Err(tell!(Journal::LineAboutClub));
    }
    let latest = now.plus_ms(CLOCKS_DIFFER_MS_MAX);
    let ends = match record.event {
        Event::ClockStarted { ends, .. } | Event::ClockGoesOn { ends } => ends,
        _ => record.at,
    };
    if record.at > latest || ends > record.at.plus_ms(CLOCKS_DIFFER_MS_MAX) {
        return Err(tell!(Journal::LineToCome));
    }
    let value: Value =
        serde_json::from_str(line).map_err(|fault| Told::as_written(fault.to_string()))?;
    let len_max = match record.event {
        Event::MovementChanged { .. }
        | Event::MovementRevised { .. }
        | Event::SectionPlanned { .. } => MOVEMENT_TEXT_LEN_MAX,
        _ => TEXT_LEN_MAX,
    };
    check_texts(&value, len_max)
}

fn check_texts(value: &Value, len_max: usize) -> Result<(), Told> {
    match value {
        Value::String(text) if text.chars().count() > len_max => {
            Err(tell!(Journal::LineTextLong { n: len_max }))
        }
        Value::String(text) if !text.chars().all(is_printable) => {
            Err(tell!(Journal::LineUnprintable))
        }
        Value::Array(parts) => parts.iter().try_for_each(|part| check_texts(part, len_max)),
        Value::Object(parts) => parts
            .iter()
            .try_for_each(|(_, part)| check_texts(part, len_max)),
        _ => Ok(()),
    }
}
