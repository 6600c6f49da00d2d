//! Copies of a journal that is in use.
//!
//! The journal only grows at its end, so an earlier copy of it is its beginning and needs only what
//! came since. A whole copy of a large hall's year would keep the room waiting every ten minutes.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::chain::JournalId;
use super::check::{Check, Checked};
use super::open::{SCHEMA_VERSION, copies};
use super::{Store, StoreError, as_it_says, explain};
use crate::session::Moment;

/// Pages copied at a time: nobody else writes, so in one go.
const PAGES_A_STEP: std::ffi::c_int = 4096;

/// How a copy came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copied {
    /// From the first record on.
    Whole,
    /// An earlier copy got what it lacked.
    Lengthened,
}

impl Store {
    /// Copies the journal while it is in use. The copy appears under its name only when it is
    /// whole; an earlier copy of that name stays if this one can't be made.
    pub fn backup(&self, to: &Path, now: Moment) -> Result<Copied, StoreError> {
        let refused = |fault: std::io::Error| StoreError::Unusable {
            path: to.to_owned(),
            what: fault.to_string(),
        };
        if let Some(folder) = to.parent() {
            std::fs::create_dir_all(folder).map_err(refused)?;
        }
        let unfinished = to.with_extension("unfinished");
        forget(&unfinished);
        let copied = if self.lengthen_aside(to, &unfinished, now) {
            Copied::Lengthened
        } else {
            self.copy_whole(&unfinished, now)
                .map_err(|fault| explain(to, &fault))?;
            Copied::Whole
        };
        std::fs::rename(&unfinished, to).map_err(refused)?;
        Ok(copied)
    }

    /// Lengthens the copy under another name, and gives it its own back if that fails for whatever
    /// reason: it may be of another journal, or damaged.
    fn lengthen_aside(&self, to: &Path, unfinished: &Path, now: Moment) -> bool {
        if !to.exists() || std::fs::rename(to, unfinished).is_err() {
            return false;
        }
        let lengthened = self.lengthen(unfinished, now);
        if let Err(fault) = &lengthened {
            tracing::debug!(%fault, "the earlier copy is of no use");
            let _ = std::fs::rename(unfinished, to);
            forget(unfinished);
        }
        lengthened.is_ok()
    }

    fn lengthen(&self, copy: &Path, now: Moment) -> rusqlite::Result<()> {
        let name = copy.to_str().ok_or(rusqlite::Error::InvalidQuery)?;
        self.connection
            .execute("ATTACH DATABASE ?1 AS copy", [name])?;
        let lengthened = self.lengthen_attached(now);
        self.connection.execute_batch("DETACH DATABASE copy")?;
        lengthened
    }

    fn lengthen_attached(&self, now: Moment) -> rusqlite::Result<()> {
        let transaction = self.connection.unchecked_transaction()?;
        // The last record of an earlier copy stands in the journal, word for word.
        let is_ours: bool = transaction.query_row(
            "SELECT EXISTS (SELECT * FROM (
                SELECT * FROM copy.journal WHERE seq = (SELECT max(seq) FROM copy.journal)
                INTERSECT
                SELECT * FROM main.journal WHERE seq = (SELECT max(seq) FROM copy.journal)))",
            [],
            |row| row.get(0),
        )?;
        if !is_ours {
            return Err(rusqlite::Error::QueryReturnedNoRows);
        }
        let has: i64 =
            transaction.query_row("SELECT max(seq) FROM copy.journal", [], |row| row.get(0))?;
        let added = transaction.execute(
            "INSERT INTO copy.journal SELECT * FROM main.journal WHERE seq > ?1",
            [has],
        )?;
        if has.cast_unsigned() + added as u64 != self.last.0 {
            return Err(rusqlite::Error::QueryReturnedNoRows);
        }
        transaction.execute("DELETE FROM copy.key_mark", [])?;
        transaction.execute("INSERT INTO copy.key_mark SELECT * FROM main.key_mark", [])?;
        transaction.execute("DELETE FROM copy.backup_mark", [])?;
        transaction.execute(
            "INSERT INTO copy.backup_mark VALUES (?1)",
            [now.0.cast_signed()],
        )?;
        transaction.commit()
    }

    fn copy_whole(&self, to: &Path, now: Moment) -> rusqlite::Result<()> {
        let mut copy = Connection::open(to)?;
        rusqlite::backup::Backup::new(&self.connection, &mut copy)?.run_to_completion(
            PAGES_A_STEP,
            Duration::ZERO,
            None,
        )?;
        copy.execute("INSERT INTO backup_mark VALUES (?1)", [now.0.cast_signed()])?;
        copy.pragma_update(None, "journal_mode", "DELETE")?;
        copy.close().map_err(|(_, fault)| fault)
    }
}

/// Looks through the copies of a journal that is sound. One that is not what it was gets another
/// name, so that the next one in its place is whole. Answers with those.
pub fn put_damaged_copies_aside(folder: &Path) -> Vec<PathBuf> {
    let mut aside = Vec::new();
    for copy in copies(folder) {
        let what = match check_copy(&copy) {
            Ok(Checked::Damaged(what)) => what,
            // From before there was a chain: it is replaced when its turn comes.
            Ok(_) => continue,
            Err(fault) => match explain(&copy, &fault) {
                StoreError::Damaged { what, .. } => what,
                StoreError::Foreign(_) => as_it_says(&fault),
                // In use, or not for us to read: that says nothing about what stands in it.
                other => {
                    tracing::warn!(%other, "a copy can't be looked at");
                    continue;
                }
            },
        };
        let name = free_name(&copy);
        tracing::warn!(%what, copy = %copy.display(), "a copy of the journal is damaged");
        if std::fs::rename(&copy, &name).is_ok() {
            aside.push(name);
        }
    }
    aside
}

/// Beside what was put aside earlier, not over it.
fn free_name(copy: &Path) -> PathBuf {
    let stem = copy.file_stem().unwrap_or_default().to_string_lossy();
    let names = (2..).map(|number| copy.with_file_name(format!("{stem}-{number}.damaged")));
    let mut names = std::iter::once(copy.with_extension("damaged")).chain(names);
    names.find(|name| !name.exists()).unwrap_or_default()
}

fn check_copy(copy: &Path) -> rusqlite::Result<Checked> {
    let connection = Connection::open_with_flags(copy, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let version: i32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version != SCHEMA_VERSION {
        return Ok(Checked::Underway(0));
    }
    let id = connection.query_row("SELECT id FROM chain", [], |row| row.get(0))?;
    let last: Option<i64> =
        connection.query_row("SELECT max(seq) FROM journal", [], |row| row.get(0))?;
    let last = last.unwrap_or(0).cast_unsigned();
    Ok(Check::new(JournalId(id), last, true, true).run(&connection))
}

/// Removes what a copy that was broken off has left.
fn forget(unfinished: &Path) {
    for ending in ["", "-journal", "-wal"] {
        let mut file = unfinished.as_os_str().to_owned();
        file.push(ending);
        let _ = std::fs::remove_file(PathBuf::from(file));
    }
}
