//! A copy of the journal that is brought back. What was there is put aside, never thrown away.

use std::io;
use std::path::{Path, PathBuf};

use super::head::HEAD_NAME;
use super::open::copies;
use super::{FILE_NAME, KeyMark, Store, StoreError};
use crate::session::{Moment, State};
use telling::{Told, tell};

/// A copy that waits in the data folder to be the journal at the next start.
const WAITING_NAME: &str = "journal.restore";

/// How every database of this kind begins.
const DATABASE: &[u8] = b"SQLite format 3\0";

/// Where a copy is looked at before anything depends on it.
const CHECK_FOLDER: &str = "restore-check";

/// A copy that can be brought back, as far as it tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restorable {
    /// When it was made; `None` for a journal that was never marked as a copy.
    pub made: Option<Moment>,
    /// How many records it has.
    pub records: u64,
    /// What its club's key looks like, where that was noted.
    pub key_mark: Option<KeyMark>,
}

/// Looks at a copy, and lets it wait to be the journal at the next start. Nothing else is touched,
/// and nothing waits unless every record of it proves itself.
pub fn prepare_restore(
    folder: &Path,
    content: &[u8],
    may: impl FnOnce(Restorable) -> Result<(), Told>,
) -> Result<Restorable, Told> {
    let room = folder.join(CHECK_FOLDER);
    let looked = look_at(&room, content);
    let _ = std::fs::remove_dir_all(&room);
    let found = looked?;
    may(found)?;
    super::files::write_whole(&folder.join(WAITING_NAME), content).map_err(|fault| {
        tell!(Journal::CopyNotWritten {
            why: fault.to_string()
        })
    })?;
    Ok(found)
}

fn look_at(room: &Path, content: &[u8]) -> Result<Restorable, Told> {
    let unwritten = |fault: io::Error| {
        tell!(Journal::CopyNotLookedAt {
            why: fault.to_string()
        })
    };
    // An empty file would be taken for a journal that is to begin.
    if !content.starts_with(DATABASE) {
        return Err(tell!(Journal::CopyNone));
    }
    let _ = std::fs::remove_dir_all(room);
    std::fs::create_dir_all(room).map_err(unwritten)?;
    super::files::write_whole(&room.join(FILE_NAME), content).map_err(unwritten)?;
    let sentence = |fault: StoreError| match fault {
        StoreError::Foreign(_) => tell!(Journal::CopyNone),
        StoreError::TooNew(_) => tell!(Journal::CopyNewer),
        StoreError::Damaged { what, .. } => tell!(Journal::CopyDamaged { what }),
        other @ (StoreError::InUse(_) | StoreError::Unusable { .. }) => other.told(),
    };
    let store = Store::open(room).map_err(sentence)?;
    let made = store.backup_mark().map_err(sentence)?;
    let key_mark = store.key_mark().map_err(sentence)?;
    let records = store.last.0;
    if records == 0 {
        return Err(tell!(Journal::CopyNone));
    }
    State::replay(&store).map_err(|fault| {
        tell!(Journal::CopyUnreadable {
            why: fault.to_string()
        })
    })?;
    Ok(Restorable {
        made,
        records,
        key_mark,
    })
}

/// Puts a copy that waits in the journal's place. The journal that was there, its head and its
/// copies go into a folder of their own, whose name this answers with; `None` if nothing waits. A
/// power cut in between is taken up at the next start.
pub fn finish_restore(folder: &Path, now: Moment) -> io::Result<Option<PathBuf>> {
    let waiting = folder.join(WAITING_NAME);
    if !waiting.exists() {
        return Ok(None);
    }
    let aside = folder.join(format!("replaced-{}", now.0));
    std::fs::create_dir_all(&aside)?;
    let beside = ["", "-wal", "-shm"].map(|ending| folder.join(format!("{FILE_NAME}{ending}")));
    let old = beside.into_iter().chain([folder.join(HEAD_NAME)]);
    for file in old.chain(copies(folder)) {
        let Some(name) = file.file_name().filter(|_| file.exists()) else {
            continue;
        };
        std::fs::rename(&file, aside.join(name))?;
    }
    std::fs::rename(waiting, folder.join(FILE_NAME))?;
    Ok(Some(aside))
}
