//! The journal on disk: one `SQLite` file with one append-only table.
//!
//! A record is on disk when [`Store::append`] returns: the write-ahead log is synchronised at
//! every commit (`synchronous=FULL`, and a full flush where the platform has one). The file is
//! locked while it is open, so that two base stations never write one journal.
//!
//! A laptop's disk may return something else than was written, or nothing at all. So every row has
//! a checksum, every record is chained to the one before it ([`chain`]), a file beside the journal
//! knows where the chain ends ([`head`]), and [`check`] compares table, index and chain. What does
//! not fit is never opened in silence: [`rescue`] saves what proves itself.

mod archive;
mod chain;
mod check;
mod copy;
mod files;
mod head;
mod open;
mod pages;
mod pieces;
mod rescue;
mod restore;
mod row;
mod taken_in;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use protocol::words::SessionId;
use rusqlite::{Connection, ErrorCode, OptionalExtension};

use crate::session::{Journal, JournalError, Moment, NewRecord, Record, Seq};
use telling::{Told, tell};

pub use archive::{ImportError, export_session, import_session, replay_archive};
pub use chain::JournalId;
pub use check::Checked;
pub use copy::{Copied, put_damaged_copies_aside};
pub use files::{private, write_whole};
pub use head::HEAD_NAME;
pub use open::{Durability, Guards, was_here};
pub use pieces::{Piece, put_together};
pub use rescue::{Rescued, rescue};
pub use restore::{Restorable, finish_restore, prepare_restore};
pub use taken_in::Archive;

use chain::Link;
use check::Check;
use head::{Head, HeadFile};
use row::{Appender, COLUMNS, Row, Speakers};

/// The journal's file in the data folder.
pub const FILE_NAME: &str = "journal.sqlite";

/// What the club's key looks like, without giving it away.
pub type KeyMark = [u8; 8];

/// The folder in the data folder where the journal is copied to as the evening goes.
pub const COPIES_FOLDER: &str = "backups";

/// Why a journal can't be opened or copied.
#[derive(Debug)]
pub enum StoreError {
    /// Another process has it.
    InUse(PathBuf),
    /// Not a journal of ours.
    Foreign(PathBuf),
    /// Written by a later version.
    TooNew(PathBuf),
    /// Something in it can't be read.
    Damaged {
        /// The file.
        path: PathBuf,
        /// What was found.
        what: Told,
    },
    /// The disk or the folder refuses.
    Unusable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        what: String,
    },
}

impl std::fmt::Display for StoreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(&self.told(), f)
    }
}

impl std::error::Error for StoreError {}

impl StoreError {
    /// What people are told of it.
    pub fn told(&self) -> Told {
        let file = |path: &Path| path.display().to_string();
        match self {
            Self::InUse(path) => tell!(Journal::InUse { file: file(path) }),
            Self::Foreign(path) => tell!(Journal::Foreign { file: file(path) }),
            Self::TooNew(path) => tell!(Journal::TooNew { file: file(path) }),
            Self::Damaged { path, what } => tell!(Journal::Damaged {
                file: file(path),
                what
            }),
            Self::Unusable { path, what } => tell!(Journal::Unusable {
                file: file(path),
                fault: what
            }),
        }
    }
}

/// The journal on disk.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
    id: JournalId,
    last: Seq,
    /// The link of the last record.
    link: Link,
    /// `None` on a disk of a test, which has no second place.
    head: Option<HeadFile>,
    /// Whether something stands in the log that is not in the file yet.
    unfolded: bool,
    /// What beside the records could not be written, and why.
    neglected: Option<Told>,
    check: Check,
    checked: Checked,
}

impl Store {
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Which journal it is.
    pub const fn id(&self) -> JournalId {
        self.id
    }

    /// When this file was copied from a running journal, if it is such a copy that has not been
    /// opened before.
    pub fn backup_mark(&self) -> Result<Option<Moment>, StoreError> {
        let made: Option<i64> = self
            .connection
            .query_row("SELECT max(made_ms) FROM backup_mark", [], |row| row.get(0))
            .optional()
            .map_err(|fault| explain(&self.path, &fault))?
            .flatten();
        Ok(made.map(|ms| Moment(ms.cast_unsigned())))
    }

    /// The copy goes on as the real journal (and the journal says so).
    pub fn clear_backup_mark(&mut self) -> Result<(), StoreError> {
        self.unfolded = true;
        self.connection
            .execute("DELETE FROM backup_mark", [])
            .map(|_| ())
            .map_err(|fault| explain(&self.path, &fault))
    }

    /// What the club's key looked like, where that was noted.
    pub fn key_mark(&self) -> Result<Option<KeyMark>, StoreError> {
        self.connection
            .query_row("SELECT mark FROM key_mark", [], |row| row.get(0))
            .optional()
            .map_err(|fault| explain(&self.path, &fault))
    }

    /// Notes what the club's key looks like from now on.
    pub fn set_key_mark(&mut self, mark: KeyMark) -> Result<(), StoreError> {
        let set = |connection: &mut Connection| {
            let transaction = connection.transaction()?;
            transaction.execute("DELETE FROM key_mark", [])?;
            transaction.execute("INSERT INTO key_mark VALUES (?1)", [mark])?;
            transaction.commit()
        };
        self.unfolded = true;
        set(&mut self.connection).map_err(|fault| explain(&self.path, &fault))
    }

    /// What beside the records could not be written, while that is so: damage might go unnoticed.
    pub const fn neglected(&self) -> Option<&Told> {
        self.neglected.as_ref()
    }

    /// Has the head written to another file: one that refuses, for instance.
    #[cfg(test)]
    pub(crate) fn write_head_to(&mut self, file: std::fs::File) {
        if let Some(head) = &mut self.head {
            head.written_to(file);
        }
    }

    /// What the last check came to, or how far it is.
    pub const fn checked(&self) -> &Checked {
        &self.checked
    }

    /// Goes on with a check that is underway, for about two milliseconds.
    pub fn check_on(&mut self) -> &Checked {
        if matches!(self.checked, Checked::Underway(_)) {
            self.checked = self.check.step(&self.connection, check::SLICE_ROWS);
            if let Checked::Damaged(what) = &self.checked {
                open::suspect(&self.path, what);
            }
        }
        &self.checked
    }

    /// Begins to check everything again. What was found damaged stays so.
    pub fn check_again(&mut self) {
        if self.checked == Checked::Sound {
            self.check = Check::new(self.id, self.last.0, true, true);
            self.checked = Checked::Underway(0);
        }
    }

    /// For a quiet moment: what stands in the log goes into the file, so that losing the log loses
    /// little, and the head goes to disk. One of them failing does not keep the other.
    pub fn fold(&mut self) -> Result<(), JournalError> {
        let folded = if self.unfolded {
            self.connection
                .query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))
                .map_err(|fault| failed(&fault))
        } else {
            Ok(())
        };
        self.unfolded &= folded.is_err();
        let head = self.head();
        let kept = self.head.as_mut().map_or(Ok(()), |file| file.keep(&head));
        let kept = kept.map_err(|fault| JournalError::Disk(head_not_written(&fault)));
        let done = folded.and(kept);
        self.neglected = done.as_ref().err().map(JournalError::told);
        done
    }

    fn damaged(&self, what: Told) -> StoreError {
        StoreError::Damaged {
            path: self.path.clone(),
            what,
        }
    }

    fn head(&self) -> Head {
        Head {
            schema: open::SCHEMA_VERSION,
            id: self.id,
            seq: self.last.0,
            link: self.link,
        }
    }
}

impl Journal for Store {
    fn append(&mut self, records: &[NewRecord]) -> Result<Seq, JournalError> {
        let (mut last, mut link) = (self.last, self.link);
        let transaction = self.connection.transaction().map_err(|f| failed(&f))?;
        let mut appender = Appender::to(&transaction).map_err(|fault| failed(&fault))?;
        for record in records {
            last = last.next();
            let row = Row::of(record, last)?;
            link = link.then(&row);
            appender
                .append(&row, link)
                .map_err(|fault| failed(&fault))?;
        }
        drop(appender);
        transaction.commit().map_err(|fault| failed(&fault))?;
        (self.last, self.link, self.unfolded) = (last, link, true);
        let head = self.head();
        if let Some(file) = &mut self.head
            && let Err(fault) = file.write(&head)
        {
            // The records are on disk. A head that lags is no reason to turn results away, but the
            // lamp tells.
            tracing::warn!(%fault, "journal.head could not be written");
            self.neglected = Some(head_not_written(&fault));
        }
        Ok(last)
    }

    fn read(&self, session: Option<SessionId>) -> Result<Vec<Record>, JournalError> {
        let mut select = self
            .connection
            .prepare_cached(&format!(
                "SELECT {COLUMNS} FROM journal WHERE session IS ?1 ORDER BY seq"
            ))
            .map_err(|fault| failed(&fault))?;
        let mut rows = select
            .query([session.map(SessionId::get)])
            .map_err(|fault| failed(&fault))?;
        let (mut records, mut speakers) = (Vec::new(), Speakers::default());
        while let Some(row) = rows.next().map_err(|fault| failed(&fault))? {
            let row = Row::read(row).map_err(|fault| JournalError::Damaged(as_it_says(&fault)))?;
            records.push(row.into_record(&mut speakers)?);
        }
        Ok(records)
    }

    fn last(&self) -> Seq {
        self.last
    }
}

fn head_not_written(fault: &std::io::Error) -> Told {
    tell!(Journal::CantWritten {
        file: HEAD_NAME,
        fault: fault.to_string()
    })
}

/// What the system or `SQLite` says, as it says it.
fn as_it_says(fault: &impl std::fmt::Display) -> Told {
    Told::as_written(fault.to_string())
}

/// What the disk says when it does not give back what it was given: reading fails, a read ends too
/// early, the data or the file system is known to be spoiled.
const DISK_IS_BAD: [std::ffi::c_int; 4] = [
    rusqlite::ffi::SQLITE_IOERR_READ,
    rusqlite::ffi::SQLITE_IOERR_SHORT_READ,
    rusqlite::ffi::SQLITE_IOERR_DATA,
    rusqlite::ffi::SQLITE_IOERR_CORRUPTFS,
];

/// A fault while opening, in words.
fn explain(path: &Path, fault: &rusqlite::Error) -> StoreError {
    let path = path.to_owned();
    let what = fault.to_string();
    match fault.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::InUse(path),
        Some(ErrorCode::NotADatabase) => StoreError::Foreign(path),
        // Our own questions are right, so a name or a type that `SQLite` does not know is the
        // file's fault.
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::Unknown | ErrorCode::TypeMismatch) | None => {
            StoreError::Damaged {
                path,
                what: Told::as_written(what),
            }
        }
        Some(ErrorCode::SystemIoFailure)
            if fault
                .sqlite_error()
                .is_some_and(|it| DISK_IS_BAD.contains(&it.extended_code)) =>
        {
            StoreError::Damaged {
                path,
                what: Told::as_written(what),
            }
        }
        _ => StoreError::Unusable { path, what },
    }
}

/// A fault while writing or reading, in words.
fn failed(fault: &rusqlite::Error) -> JournalError {
    match fault.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => JournalError::DiskFull,
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            JournalError::Damaged(as_it_says(&fault))
        }
        _ => JournalError::Disk(as_it_says(&fault)),
    }
}
