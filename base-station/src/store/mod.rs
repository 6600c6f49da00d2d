//! The journal on disk: one `SQLite` file with one append-only table.
//!
//! A record is on disk when [`Store::append`] returns: the write-ahead log is synchronised at
//! every commit (`synchronous=FULL`, and a full flush where the platform has one). The file is
//! locked while it is open, so that two base stations never write one journal. Every row has a
//! checksum, because a laptop's disk may return something else than was written, and then the
//! director must hear of it.

mod archive;
mod copy;
mod rescue;
mod row;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use protocol::words::SessionId;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, params};

use crate::session::{Journal, JournalError, Moment, NewRecord, Record, Seq};

pub use archive::{ImportError, export_session, import_session};
pub use copy::Copied;
pub use rescue::{Rescued, rescue};

/// The journal's file in the data folder.
pub const FILE_NAME: &str = "journal.sqlite";

/// Tells our files from other `SQLite` files: "BYES".
const APPLICATION_ID: i32 = 0x4259_4553;

/// The layout of the file. Raised by a migration, never otherwise.
const SCHEMA_VERSION: i32 = 1;

/// A journal up to this long (some years of a club's evenings) is read through when it is opened.
const READ_THROUGH_MAX: u64 = 64_000_000;

/// What each version adds to the one before.
const MIGRATIONS: &[&str] = &["
    CREATE TABLE journal (
        seq      INTEGER PRIMARY KEY,
        session  INTEGER,
        at_ms    INTEGER NOT NULL,
        who      TEXT NOT NULL,
        version  INTEGER NOT NULL,
        event    TEXT NOT NULL,
        checksum INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX journal_by_session ON journal (session, seq);
    CREATE TABLE backup_mark (made_ms INTEGER NOT NULL) STRICT;
"];

/// Why a journal can't be opened or copied.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process has it.
    #[error("{0} is in use: another byestand runs with this data folder; end it first")]
    InUse(PathBuf),
    /// Not a journal of ours.
    #[error("{0} is not a Byestand journal: give another folder with --data")]
    Foreign(PathBuf),
    /// Written by a later version.
    #[error("{0} was written by a newer Byestand: install that version")]
    TooNew(PathBuf),
    /// Something in it can't be read.
    #[error(
        "{path} is damaged ({what}): start once with --rescue to go on with what can be saved; \
         the damaged file is kept"
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What was found.
        what: String,
    },
    /// The disk or the folder refuses.
    #[error("{path} can't be opened or written ({what}): choose another folder with --data")]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        what: String,
    },
}

/// The journal on disk.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
    last: Seq,
}

/// How careful the disk is asked to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// Every commit waits for the disk. The only one that keeps our promise.
    #[default]
    Full,
    /// No commit waits. Exists so that the tests can show that they would notice.
    Off,
}

impl Store {
    /// Opens or makes the journal in a folder.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        let path = folder.join(FILE_NAME);
        std::fs::create_dir_all(folder).map_err(|fault| StoreError::Unusable {
            path: folder.to_owned(),
            what: fault.to_string(),
        })?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection =
            Connection::open_with_flags(&path, flags).map_err(|fault| explain(&path, &fault))?;
        Self::from_connection(connection, path, Durability::Full)
    }

    /// Uses an open connection: to a file system of a test, for instance.
    pub fn from_connection(
        connection: Connection,
        path: PathBuf,
        durability: Durability,
    ) -> Result<Self, StoreError> {
        prepare(&connection, &path, durability)?;
        let mut store = Self {
            connection,
            path,
            last: Seq(0),
        };
        store.check()?;
        store.last = store.read_last()?;
        Ok(store)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
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
        self.connection
            .execute("DELETE FROM backup_mark", [])
            .map(|_| ())
            .map_err(|fault| explain(&self.path, &fault))
    }

    /// Damage that `SQLite` notices by itself. A long journal is not read through while a room
    /// waits: damage in the evening's own records, or in a session that is opened later, is
    /// noticed by their checksums.
    fn check(&self) -> Result<(), StoreError> {
        if std::fs::metadata(&self.path).is_ok_and(|file| file.len() > READ_THROUGH_MAX) {
            return Ok(());
        }
        let verdict: String = self
            .connection
            .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
            .map_err(|fault| explain(&self.path, &fault))?;
        if verdict == "ok" {
            Ok(())
        } else {
            Err(self.damaged(verdict.replace('\n', " ")))
        }
    }

    fn read_last(&self) -> Result<Seq, StoreError> {
        let (last, count): (Option<i64>, i64) = self
            .connection
            .query_row("SELECT max(seq), count(*) FROM journal", [], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .map_err(|fault| explain(&self.path, &fault))?;
        let last = last.unwrap_or(0);
        if last == count {
            Ok(Seq(last.cast_unsigned()))
        } else {
            let missing = last - count;
            Err(self.damaged(format!("{missing} of {last} records are missing")))
        }
    }

    fn damaged(&self, what: String) -> StoreError {
        StoreError::Damaged {
            path: self.path.clone(),
            what,
        }
    }
}

impl Journal for Store {
    fn append(&mut self, records: &[NewRecord]) -> Result<Seq, JournalError> {
        let mut last = self.last;
        let transaction = self.connection.transaction().map_err(|f| failed(&f))?;
        {
            let mut insert = transaction
                .prepare_cached(
                    "INSERT INTO journal (seq, session, at_ms, who, version, event, checksum)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                )
                .map_err(|fault| failed(&fault))?;
            for record in records {
                last = last.next();
                let row = row::Row::of(record, last)?;
                insert
                    .execute(params![
                        row.seq,
                        row.session,
                        row.at_ms,
                        row.who,
                        row.version,
                        row.event,
                        row.checksum()
                    ])
                    .map_err(|fault| failed(&fault))?;
            }
        }
        transaction.commit().map_err(|fault| failed(&fault))?;
        self.last = last;
        Ok(last)
    }

    fn read(&self, session: Option<SessionId>) -> Result<Vec<Record>, JournalError> {
        let mut select = self
            .connection
            .prepare_cached(
                "SELECT seq, session, at_ms, who, version, event, checksum FROM journal
                 WHERE session IS ?1 ORDER BY seq",
            )
            .map_err(|fault| failed(&fault))?;
        let mut rows = select
            .query([session.map(SessionId::get)])
            .map_err(|fault| failed(&fault))?;
        let mut records = Vec::new();
        while let Some(row) = rows.next().map_err(|fault| failed(&fault))? {
            records.push(row::Row::read(row).and_then(row::Row::into_record)?);
        }
        Ok(records)
    }

    fn last(&self) -> Seq {
        self.last
    }
}

fn prepare(connection: &Connection, path: &Path, durability: Durability) -> Result<(), StoreError> {
    let synchronous = match durability {
        Durability::Full => "FULL",
        Durability::Off => "OFF",
    };
    // Exclusive before the log is opened: no shared memory is needed then, and nobody else gets in.
    let pragmas: [(&str, &dyn rusqlite::ToSql); 5] = [
        ("locking_mode", &"EXCLUSIVE"),
        ("journal_mode", &"WAL"),
        ("synchronous", &synchronous),
        ("fullfsync", &true),
        ("checkpoint_fullfsync", &true),
    ];
    for (name, value) in pragmas {
        connection
            .pragma_update(None, name, value)
            .map_err(|fault| explain(path, &fault))?;
    }
    migrate(connection, path)
}

fn migrate(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let number = |name: &str| {
        connection
            .pragma_query_value(None, name, |row| row.get::<_, i32>(0))
            .map_err(|fault| explain(path, &fault))
    };
    let (application, version) = (number("application_id")?, number("user_version")?);
    let objects: i64 = connection
        .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
        .map_err(|fault| explain(path, &fault))?;
    if application != APPLICATION_ID && objects > 0 {
        return Err(StoreError::Foreign(path.to_owned()));
    }
    if version > SCHEMA_VERSION {
        return Err(StoreError::TooNew(path.to_owned()));
    }
    let done = usize::try_from(version).unwrap_or_default();
    if done < MIGRATIONS.len() || application != APPLICATION_ID {
        let steps = MIGRATIONS.iter().skip(done).copied().collect::<String>();
        connection
            .execute_batch(&format!(
                "BEGIN IMMEDIATE; {steps} PRAGMA application_id = {APPLICATION_ID};
                 PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;"
            ))
            .map_err(|fault| explain(path, &fault))?;
    }
    Ok(())
}

/// A fault while opening, in words.
fn explain(path: &Path, fault: &rusqlite::Error) -> StoreError {
    let path = path.to_owned();
    match fault.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::InUse(path),
        Some(ErrorCode::NotADatabase) => StoreError::Foreign(path),
        Some(ErrorCode::DatabaseCorrupt) => StoreError::Damaged {
            path,
            what: fault.to_string(),
        },
        _ => StoreError::Unusable {
            path,
            what: fault.to_string(),
        },
    }
}

/// A fault while writing or reading, in words.
fn failed(fault: &rusqlite::Error) -> JournalError {
    match fault.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => JournalError::DiskFull,
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            JournalError::Damaged(fault.to_string())
        }
        _ => JournalError::Disk(fault.to_string()),
    }
}
