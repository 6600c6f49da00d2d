//! What can be saved of a damaged journal.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use super::{FILE_NAME, Store, StoreError, row};
use crate::session::{Journal, Moment, NewRecord, Record};

/// What came of a rescue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rescued {
    /// Records that were saved.
    pub saved: u64,
    /// Places of records that could not be read, where that is known.
    pub lost: Vec<u64>,
    /// Where the damaged file is kept.
    pub damaged: PathBuf,
}

impl std::fmt::Display for Rescued {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} records of the damaged journal were saved",
            self.saved
        )?;
        match self.lost.as_slice() {
            [] => {}
            [one] => write!(f, ", record {one} was lost")?,
            [first, .., last] => write!(
                f,
                ", {} were lost between {first} and {last}",
                self.lost.len()
            )?,
        }
        write!(
            f,
            "; the damaged file is kept as {}; pads are asked to send everything again",
            self.damaged.display()
        )
    }
}

/// Puts what can be read of the journal in a folder into a new one, and keeps the damaged file
/// under another name. The new one counts as a backup, so that pads send everything again.
pub fn rescue(folder: &Path, now: Moment) -> Result<Rescued, StoreError> {
    let path = folder.join(FILE_NAME);
    let (records, lost) = readable(&path)?;
    let unusable = |fault: std::io::Error| StoreError::Unusable {
        path: path.clone(),
        what: fault.to_string(),
    };
    let damaged = folder.join(format!("damaged-{}-{FILE_NAME}", now.0));
    std::fs::rename(&path, &damaged).map_err(unusable)?;
    for ending in ["-wal", "-shm"] {
        let side_file = folder.join(format!("{FILE_NAME}{ending}"));
        if side_file.exists() {
            let name = format!("damaged-{}-{FILE_NAME}{ending}", now.0);
            std::fs::rename(side_file, folder.join(name)).map_err(unusable)?;
        }
    }
    let mut store = Store::open(folder)?;
    let saved = records.len() as u64;
    let made = records.last().map_or(now, |record| record.at);
    let records: Vec<NewRecord> = renumbered(records);
    store
        .append(&records)
        .map_err(|fault| store.damaged(fault.to_string()))?;
    store
        .connection
        .execute(
            "INSERT INTO backup_mark VALUES (?1)",
            [made.0.cast_signed()],
        )
        .map_err(|fault| super::explain(&path, &fault))?;
    Ok(Rescued {
        saved,
        lost,
        damaged,
    })
}

/// References between records follow them to their new places.
pub(super) fn renumbered(records: Vec<Record>) -> Vec<NewRecord> {
    renumbered_from(records, crate::session::Seq(0))
}

/// The same, behind a journal that already has records.
pub(super) fn renumbered_from(records: Vec<Record>, last: crate::session::Seq) -> Vec<NewRecord> {
    use crate::session::{Event, Seq};
    let old: Vec<Seq> = records.iter().map(|record| record.seq).collect();
    let place = |seq: Seq| {
        old.binary_search(&seq)
            .map_or(Seq(0), |at| Seq(last.0 + at as u64 + 1))
    };
    records
        .into_iter()
        .map(|record| NewRecord {
            at: record.at,
            who: record.who,
            session: record.session,
            event: match record.event {
                Event::Undone { change, why } => Event::Undone {
                    change: place(change),
                    why,
                },
                Event::KeptEntryUsed { kept } => Event::KeptEntryUsed { kept: place(kept) },
                Event::KeptEntryIgnored { kept } => Event::KeptEntryIgnored { kept: place(kept) },
                event => event,
            },
        })
        .collect()
}

fn readable(path: &Path) -> Result<(Vec<Record>, Vec<u64>), StoreError> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
        .map_err(|fault| super::explain(path, &fault))?;
    let mut select = connection
        .prepare(
            "SELECT seq, session, at_ms, who, version, event, checksum FROM journal WHERE seq = ?1",
        )
        .map_err(|fault| super::explain(path, &fault))?;
    let mut records: Vec<Record> = Vec::new();
    let mut lost = Vec::new();
    let mut misses = 0;
    // One by one, so that a damaged page costs only the records on it. The end is where far more
    // records in a row are missing than a page can hold.
    for seq in 1_i64.. {
        let found = select
            .query_row([seq], |row| Ok(row::Row::read(row)))
            .ok()
            .and_then(Result::ok)
            .and_then(|row| row.into_record().ok());
        if let Some(record) = found {
            misses = 0;
            records.push(record);
        } else {
            misses += 1;
            lost.push(seq.cast_unsigned());
            if misses > RECORDS_MISSING_AT_END {
                break;
            }
        }
    }
    let end = records.last().map_or(0, |record| record.seq.0);
    lost.retain(|seq| *seq < end);
    Ok((records, lost))
}

/// A page holds fewer records than this.
const RECORDS_MISSING_AT_END: u32 = 512;
