//! What a journal is compared with: its head, its copies, and its own file under its log.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use super::super::chain::{JournalId, LINK_LEN, Link};
use super::super::head::{HEAD_NAME, Witness};
use super::super::pages::{PAGE_LEN, Pages};
use super::super::row::{COLUMNS, Row};
use super::super::{COPIES_FOLDER, FILE_NAME, StoreError, files};
use super::Opening;
use telling::tell;

/// So much of the file's end is compared with its log: the last pages that records were put on.
const END_LEN: u64 = 32 * PAGE_LEN as u64;

/// So much is looked at to see whose file it is, and so much of it first.
const BEGIN_LEN: u64 = 16 * 1024 * 1024;
const FIRST_PAGES_LEN: u64 = 64 * PAGE_LEN as u64;

/// The copies that were made as the evenings went.
pub(in super::super) fn copies(folder: &Path) -> Vec<PathBuf> {
    files_of_copies(folder, "sqlite")
}

/// Copies that were not what they had been, and were put aside.
pub(in super::super) fn damaged_copies(folder: &Path) -> Vec<PathBuf> {
    files_of_copies(folder, "damaged")
}

fn files_of_copies(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let Ok(files) = std::fs::read_dir(folder.join(COPIES_FOLDER)) else {
        return Vec::new();
    };
    let mut copies: Vec<PathBuf> = files
        .filter_map(|file| Some(file.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|it| it == ending))
        .collect();
    copies.sort();
    copies
}

/// Whether a file that says nothing of itself any more was our journal: its head or its copies lie
/// beside it, or a record of ours stands in it or in its log.
pub(super) fn was_ours(folder: &Path, witness: &Witness) -> bool {
    *witness != Witness::Missing || has_records(folder)
}

/// Whether there are copies, or a record of ours stands in the journal's file or its log.
pub(super) fn has_records(folder: &Path) -> bool {
    !copies(folder).is_empty() || {
        let log = format!("{FILE_NAME}-wal");
        // Nearly always the first pages tell, and a long file need not be read.
        [FIRST_PAGES_LEN, BEGIN_LEN].into_iter().any(|len_max| {
            let begin = |name| files::begin_of(&folder.join(name), len_max);
            Pages::new(&begin(FILE_NAME), &begin(&log)).has_rows()
        })
    }
}

/// Where a copy ends, if it is a copy of this journal and its last record is whole.
fn end_of_copy(copy: &Path, id: JournalId) -> rusqlite::Result<Option<u64>> {
    let connection = Connection::open_with_flags(copy, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let of: [u8; LINK_LEN] = connection.query_row("SELECT id FROM chain", [], |row| row.get(0))?;
    if JournalId(of) != id {
        return Ok(None);
    }
    let sql = format!("SELECT {COLUMNS} FROM journal NOT INDEXED ORDER BY seq DESC LIMIT 2");
    let mut select = connection.prepare(&sql)?;
    let mut rows = select.query([])?;
    let Some(row) = rows.next()? else {
        return Ok(None);
    };
    let last = Row::read(row)?.into_owned();
    if !last.is_whole() {
        return Ok(None);
    }
    let before = match rows.next()? {
        Some(row) => Row::read(row)?.link,
        None => Some(Link::first(id)),
    };
    let fits = before.is_some_and(|before| last.link == Some(before.then(&last)));
    Ok(fits.then_some(last.seq.cast_unsigned()))
}

/// Whether a file that may call itself new has records all the same, in itself, its log or a copy.
/// Looked at before the database is opened, for the same reason as its end.
pub(super) fn has_records_unsaid(folder: &Path, path: &Path) -> bool {
    const VERSION_AT: std::ops::Range<usize> = 60..64;
    let log = folder.join(format!("{FILE_NAME}-wal"));
    let mut begin = [0; 64];
    let read = std::fs::File::open(path)
        .and_then(|mut file| std::io::Read::read_exact(&mut file, &mut begin));
    let is_versioned = read.is_ok() && begin.get(VERSION_AT).is_some_and(|it| it != [0; 4]);
    let has_log = std::fs::metadata(log).is_ok_and(|log| log.len() > 0);
    (!is_versioned || has_log) && has_records(folder)
}

/// The end of a journal that has a log. Read before the database is opened: whoever closes a second
/// handle of its file gives up the lock that keeps another base station out.
pub(super) fn end_beside_log(folder: &Path, path: &Path) -> std::io::Result<Vec<u8>> {
    use std::io::{Read, Seek, SeekFrom};
    let log = folder.join(format!("{FILE_NAME}-wal"));
    let mut end = Vec::new();
    if std::fs::metadata(log).map_or(0, |log| log.len()) == 0 || !path.exists() {
        return Ok(end);
    }
    let mut file = std::fs::File::open(path)?;
    let from = file.metadata()?.len().saturating_sub(END_LEN);
    file.seek(SeekFrom::Start(from / PAGE_LEN as u64 * PAGE_LEN as u64))?;
    file.read_to_end(&mut end)?;
    Ok(end)
}

impl Opening<'_> {
    /// The log of another day can hide the end of the file behind pages that were there before. So
    /// nothing at the end of the file may go further than the journal does with its log.
    pub(super) fn compare_log(&self, last: u64) -> Result<(), StoreError> {
        let mut further = 0;
        Pages::new(&self.end, &[]).rows_of_file(&mut |_, row| {
            further = further.max(row.seq.cast_unsigned().saturating_sub(last));
        });
        if further > 0 {
            return Err(self.damaged(tell!(Journal::RecordsAtItsEnd { further })));
        }
        Ok(())
    }

    /// A copy is made after its journal was written, so none goes further than the journal.
    pub(super) fn compare_copies(&self, id: JournalId, last: u64) -> Result<(), StoreError> {
        for copy in self.folder.map(copies).unwrap_or_default() {
            match end_of_copy(&copy, id) {
                Ok(Some(end)) if end > last => {
                    return Err(
                        self.damaged(tell!(Journal::RecordsAtItsEndMissing { n: end - last }))
                    );
                }
                Ok(_) => {}
                Err(fault) => {
                    tracing::warn!(%fault, copy = %copy.display(), "a copy can't be read");
                }
            }
        }
        Ok(())
    }

    /// Compares with what the head beside the journal knows. The journal may go further (a power
    /// cut came before the head was on disk), but it never ends earlier.
    pub(super) fn compare(
        &self,
        id: JournalId,
        last: u64,
        is_copy: bool,
    ) -> Result<(), StoreError> {
        match self.witness {
            Witness::Missing if is_copy || last == 0 => Ok(()),
            Witness::Missing => {
                Err(self.damaged(tell!(Journal::WhichKnowsWhereEnds { file: HEAD_NAME })))
            }
            Witness::Unreadable => {
                Err(self.damaged(tell!(Journal::WhichKnowsWhereEndsCant { file: HEAD_NAME })))
            }
            // A copy of another laptop's journal goes on here, on purpose.
            Witness::Knows(head) if head.id != id && is_copy => Ok(()),
            Witness::Knows(head) if head.id != id => {
                Err(self.damaged(tell!(Journal::NotJournalHereBefore)))
            }
            Witness::Knows(head) if head.seq > last => {
                Err(self.damaged(tell!(Journal::RecordsAtItsEnd {
                    further: head.seq - last
                })))
            }
            Witness::Knows(head) if self.link_at(id, head.seq)? != head.link => {
                Err(self.damaged(tell!(Journal::NotJournalHereBefore)))
            }
            Witness::Knows(_) => Ok(()),
        }
    }
}
