//! Opening: what is looked at before a journal is believed, and how an old one is chained.
//!
//! Nothing is written to a file that is not believed: the log of a damaged journal may hold what
//! its file has lost, and `SQLite` would throw it away when it closes.

mod chaining;
mod compare;

use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, OptionalExtension};

use super::chain::{JournalId, LINK_LEN, Link};
use super::check::{Check, Checked};
use super::head::{self, HEAD_NAME, HeadFile, Witness};
use super::{FILE_NAME, Store, StoreError, as_it_says, explain, files};
use crate::session::Seq;
use telling::{Told, Voice, tell};

pub(super) use compare::{copies, damaged_copies};

/// Tells our files from other `SQLite` files: "BYES".
const APPLICATION_ID: i32 = 0x4259_4553;

/// The layout of the file. Raised by a migration, never otherwise.
pub(super) const SCHEMA_VERSION: i32 = 2;

/// A journal up to this long (a season of one club night a week) is checked when it is opened, which
/// costs its director some milliseconds; a longer one while the room plays, so that a start does not
/// take longer the more years lie behind it.
const READ_THROUGH_MAX: u64 = 1_500_000;

/// So many of the newest records of a longer one are checked when it is opened all the same, about
/// as many as the longest of the others has: what is played on, and what came before.
const NEWEST_AT_ONCE: u64 = 4_000;

/// Pages of the log that are folded into the file even if no moment is quiet: 16 MB, so that the
/// log can't grow without end. In quiet moments it is folded long before.
const LOG_PAGES_MAX: i64 = 4_000;

/// What of the file is kept in memory, in kibibytes: all that opening reads twice, once to check it
/// and once to play it.
const CACHE_KIB: i64 = 6_000;

/// A file that says what a check found while the journal was in use. Then even a long one is
/// checked before it is used again.
const SUSPECT_NAME: &str = "journal.suspect";

/// What is said of a journal whose first page tells nothing or something else.
fn first_page() -> Told {
    tell!(Journal::ItsFirstPageNot)
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

/// What is compared when a journal is opened. Everything; the rest exists so that the tests can
/// show that they would notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guards {
    /// The links of the chain.
    pub chain: bool,
    /// The head beside the journal.
    pub head: bool,
    /// The index with the table.
    pub index: bool,
    /// Journals up to this long are compared when they are opened; of longer ones the most while
    /// the room plays.
    pub at_once_max: u64,
    /// So many of the newest records of a longer journal are compared when it is opened.
    pub newest_at_once: u64,
}

impl Default for Guards {
    fn default() -> Self {
        Self {
            chain: true,
            head: true,
            index: true,
            at_once_max: READ_THROUGH_MAX,
            newest_at_once: NEWEST_AT_ONCE,
        }
    }
}

/// Notes for the next start what was found.
pub(super) fn suspect(journal: &Path, what: &Told) {
    let what = what.in_words(Voice::default());
    tracing::error!(what, "the journal is damaged");
    if let Err(fault) = files::write_whole(&journal.with_file_name(SUSPECT_NAME), what.as_bytes()) {
        tracing::error!(%fault, "journal.suspect could not be written");
    }
}

/// Whether a journal is or was in a folder: it, its log, its head, a copy, or a rescue of it.
pub fn was_here(folder: &Path) -> bool {
    let log = format!("{FILE_NAME}-wal");
    [FILE_NAME, &log, HEAD_NAME]
        .iter()
        .any(|name| folder.join(name).exists())
        || super::rescue::is_underway(folder)
        || !copies(folder).is_empty()
}

/// Nothing is suspected of a new journal.
pub(super) fn trust(folder: &Path) {
    let _ = std::fs::remove_file(folder.join(SUSPECT_NAME));
}

impl Store {
    /// Opens or makes the journal in a folder.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        Self::open_guarded(folder, Guards::default())
    }

    /// Opens it with fewer comparisons than are needed.
    pub fn open_guarded(folder: &Path, guards: Guards) -> Result<Self, StoreError> {
        let unusable = |path: &Path, fault: &std::io::Error| StoreError::Unusable {
            path: path.to_owned(),
            what: fault.to_string(),
        };
        std::fs::create_dir_all(folder).map_err(|fault| unusable(folder, &fault))?;
        let witness = if guards.head {
            head::read(folder).map_err(|fault| unusable(&folder.join(HEAD_NAME), &fault))?
        } else {
            Witness::Missing
        };
        let path = folder.join(FILE_NAME);
        if guards.head {
            look_before(folder, &path, &witness)?;
        }
        let end = if guards.head {
            compare::end_beside_log(folder, &path).map_err(|fault| StoreError::Damaged {
                path: path.clone(),
                what: as_it_says(&fault),
            })?
        } else {
            Vec::new()
        };
        let has_records = compare::has_records_unsaid(folder, &path);
        let log = folder.join(format!("{FILE_NAME}-wal"));
        let had_log = log.exists();
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection =
            Connection::open_with_flags(&path, flags).map_err(|fault| explain(&path, &fault))?;
        let opening = Opening {
            connection,
            path,
            folder: Some(folder),
            end,
            has_records,
            witness,
            guards,
        };
        let believed = opening.believe(Durability::Full).inspect_err(|_| {
            // What is refused is left as it was: the database makes an empty log as it looks.
            if !had_log && std::fs::metadata(&log).is_ok_and(|log| log.len() == 0) {
                let _ = std::fs::remove_file(&log);
            }
        });
        let store = believed.map_err(|error| match error {
            StoreError::Foreign(path) if compare::was_ours(folder, &witness) => {
                StoreError::Damaged {
                    path,
                    what: first_page(),
                }
            }
            error => error,
        })?;
        trust(folder);
        Ok(store)
    }

    /// Uses an open connection: to the model disk.
    #[cfg(all(test, feature = "model-disk"))]
    pub(super) fn from_connection(
        connection: Connection,
        path: PathBuf,
        durability: Durability,
    ) -> Result<Self, StoreError> {
        let opening = Opening {
            connection,
            path,
            folder: None,
            end: Vec::new(),
            has_records: false,
            witness: Witness::Missing,
            guards: Guards {
                head: false,
                ..Guards::default()
            },
        };
        opening.believe(durability)
    }
}

/// How the tables of a file are made.
fn layout(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let sql = "SELECT coalesce(sql, '') FROM sqlite_schema ORDER BY name";
    let mut select = connection.prepare(sql)?;
    select.query_map([], |row| row.get(0))?.collect()
}

/// How ours were made by the first version, and how they are made now.
fn layouts() -> rusqlite::Result<(Vec<String>, Vec<String>)> {
    let ours = Connection::open_in_memory()?;
    ours.execute_batch(chaining::FIRST_LAYOUT)?;
    let first = layout(&ours)?;
    ours.execute_batch(chaining::CHAINED_LAYOUT)?;
    Ok((first, layout(&ours)?))
}

/// What `SQLite` must not even be shown: it takes a file without pages for a new one, and deletes
/// the log beside it.
fn look_before(folder: &Path, path: &Path, witness: &Witness) -> Result<(), StoreError> {
    let damaged = |what: Told| {
        Err(StoreError::Damaged {
            path: path.to_owned(),
            what,
        })
    };
    if super::rescue::is_underway(folder) {
        return damaged(tell!(Journal::RescueBrokenOff));
    }
    let len = |path: &Path| std::fs::metadata(path).map_or(0, |file| file.len());
    if len(path) > 0 {
        return Ok(());
    }
    let log = len(&folder.join(format!("{FILE_NAME}-wal"))) > 0;
    if witness.knows_records() || log || !copies(folder).is_empty() {
        return damaged(if path.exists() {
            tell!(Journal::EmptyOnceNot)
        } else {
            tell!(Journal::MissingOnceThere)
        });
    }
    Ok(())
}

/// A journal that is not believed yet.
struct Opening<'a> {
    connection: Connection,
    path: PathBuf,
    folder: Option<&'a Path>,
    /// The end of the file, where it has a log beside it.
    end: Vec<u8>,
    /// There are records, even if the journal should say that it is new.
    has_records: bool,
    witness: Witness,
    guards: Guards,
}

impl Opening<'_> {
    fn believe(self, durability: Durability) -> Result<Store, StoreError> {
        let explained = |fault: &rusqlite::Error| explain(&self.path, fault);
        // Until it is believed, whoever closes it leaves the log as it is.
        self.connection
            .set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
            .map_err(|fault| explained(&fault))?;
        self.prepare(durability)
            .map_err(|fault| explained(&fault))?;
        let (id, is_new) = self.migrate()?;
        let last: Option<i64> = self
            .connection
            .query_row("SELECT max(seq) FROM journal", [], |row| row.get(0))
            .map_err(|fault| explained(&fault))?;
        let last = last.unwrap_or(0).cast_unsigned();
        if self.guards.head {
            self.compare_log(last)?;
        }
        let mut check = Check::new(id, last, self.guards.chain, self.guards.index);
        let (checked, link) = if self.is_short() {
            (self.run(&mut check)?, check.link())
        } else {
            (Checked::Underway(0), self.check_newest(id, last)?)
        };
        let mark: i64 = self
            .connection
            .query_row("SELECT count(*) FROM backup_mark", [], |row| row.get(0))
            .map_err(|fault| explained(&fault))?;
        if self.guards.head && !is_new {
            self.compare(id, last, mark > 0)?;
            self.compare_copies(id, last)?;
        }
        self.connection
            .set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)
            .map_err(|fault| explained(&fault))?;
        let mut store = Store {
            connection: self.connection,
            path: self.path,
            id,
            last: Seq(last),
            link,
            head: None,
            unfolded: true,
            neglected: None,
            check,
            checked,
        };
        if let Some(folder) = self.folder {
            let head = HeadFile::open(folder, &store.head());
            store.head = Some(head.map_err(|fault| StoreError::Unusable {
                path: folder.join(HEAD_NAME),
                what: fault.to_string(),
            })?);
        }
        Ok(store)
    }

    fn damaged(&self, what: Told) -> StoreError {
        StoreError::Damaged {
            path: self.path.clone(),
            what,
        }
    }

    fn run(&self, check: &mut Check) -> Result<Checked, StoreError> {
        match check.run(&self.connection) {
            Checked::Damaged(what) => Err(self.damaged(what)),
            checked => Ok(checked),
        }
    }

    /// The newest records of a long journal are played on, so they are checked before anything is
    /// made of them; the others while the room plays. Answers with the link of the last record.
    fn check_newest(&self, id: JournalId, last: u64) -> Result<Link, StoreError> {
        let from = last.saturating_sub(self.guards.newest_at_once);
        let before = self.link_at(id, from)?;
        let mut check = Check::new(id, last, self.guards.chain, self.guards.index);
        check.only_behind(from, before);
        self.run(&mut check)?;
        Ok(check.link())
    }

    fn is_short(&self) -> bool {
        let len = |path: &Path| std::fs::metadata(path).map_or(0, |file| file.len());
        len(&self.path) <= self.guards.at_once_max
            || self
                .folder
                .is_some_and(|folder| folder.join(SUSPECT_NAME).exists())
    }

    fn prepare(&self, durability: Durability) -> rusqlite::Result<()> {
        let synchronous = match durability {
            Durability::Full => "FULL",
            Durability::Off => "OFF",
        };
        // Exclusive before the log is opened: no shared memory is needed then, and nobody else
        // gets in.
        let pragmas: [(&str, &dyn rusqlite::ToSql); 7] = [
            ("locking_mode", &"EXCLUSIVE"),
            ("journal_mode", &"WAL"),
            ("synchronous", &synchronous),
            ("fullfsync", &true),
            ("checkpoint_fullfsync", &true),
            ("wal_autocheckpoint", &LOG_PAGES_MAX),
            ("cache_size", &-CACHE_KIB),
        ];
        for (name, value) in pragmas {
            self.connection.pragma_update(None, name, value)?;
        }
        Ok(())
    }

    /// Makes a new journal, or chains an old one. Answers with the journal's name, and whether its
    /// chain is new.
    fn migrate(&self) -> Result<(JournalId, bool), StoreError> {
        let connection = &self.connection;
        let number = |name: &str| {
            connection
                .pragma_query_value(None, name, |row| row.get::<_, i32>(0))
                .map_err(|fault| explain(&self.path, &fault))
        };
        let (application, version) = (number("application_id")?, number("user_version")?);
        let objects: i64 = connection
            .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
            .map_err(|fault| explain(&self.path, &fault))?;
        if application != APPLICATION_ID && objects > 0 {
            return Err(StoreError::Foreign(self.path.clone()));
        }
        match version {
            ..0 => Err(self.damaged(first_page())),
            0 if objects > 0 => Err(self.damaged(first_page())),
            0 | 1 => self.chain(version).map(|id| (id, true)),
            SCHEMA_VERSION => {
                let read = "SELECT id FROM chain";
                let id = connection
                    .query_row(read, [], |row| row.get::<_, [u8; LINK_LEN]>(0))
                    .map_err(|fault| explain(&self.path, &fault))?;
                Ok((JournalId(id), false))
            }
            _ if self.has_our_layout()? => Err(self.damaged(first_page())),
            _ => Err(StoreError::TooNew(self.path.clone())),
        }
    }

    /// Whether a journal that calls itself newer is laid out as ours is: then the number was hit. A
    /// newer Byestand's has another layout, and its head says so.
    fn has_our_layout(&self) -> Result<bool, StoreError> {
        if let Witness::Knows(head) = self.witness {
            return Ok(head.schema <= SCHEMA_VERSION);
        }
        let (first, chained) = layouts().map_err(|fault| explain(&self.path, &fault))?;
        let own = layout(&self.connection).map_err(|fault| explain(&self.path, &fault))?;
        Ok(own == first || own == chained)
    }

    fn stored_link(&self, seq: u64) -> Result<Option<Link>, StoreError> {
        let sql = "SELECT link FROM journal NOT INDEXED WHERE seq = ?1";
        self.connection
            .query_row(sql, [seq.cast_signed()], |row| {
                row.get::<_, [u8; LINK_LEN]>(0)
            })
            .optional()
            .map(|link| link.map(Link))
            .map_err(|fault| explain(&self.path, &fault))
    }

    /// The link of the last record of a long journal, whose check comes later.
    fn link_at(&self, id: JournalId, last: u64) -> Result<Link, StoreError> {
        if last == 0 {
            return Ok(Link::first(id));
        }
        let missing = || self.damaged(tell!(Journal::RecordNotFound { n: last }));
        self.stored_link(last)?.ok_or_else(missing)
    }
}
