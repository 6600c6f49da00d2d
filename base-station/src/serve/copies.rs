//! Copies of the journal beside itself, for the evening on which it is damaged.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::daemon::{SessionHandle, View};
use crate::store::{COPIES_FOLDER, Checked, FILE_NAME, put_damaged_copies_aside};

/// How often the journal is copied beside itself.
const BACKUP_EVERY: Duration = Duration::from_mins(10);

/// How many copies are kept, the oldest is written over: two hours.
const BACKUPS_KEPT: u64 = 12;

/// The fewest that are kept of a journal so long that more would fill the disk.
const BACKUPS_KEPT_MIN: u64 = 3;

/// What all copies together should not exceed.
const BACKUPS_LEN_MAX: u64 = 1_000_000_000;

/// Copies the journal every ten minutes, but not the same state twice.
pub(super) async fn keep(session: SessionHandle, data: PathBuf) {
    let is_checked = |view: &Arc<View>| !matches!(view.journal_check, Checked::Underway(_));
    if session.watch().wait_for(is_checked).await.is_err() {
        return;
    }
    if session.view().journal_check == Checked::Sound {
        let folder = data.clone();
        let _ = tokio::task::spawn_blocking(move || put_damaged_copies_aside(&folder)).await;
    }
    let mut every = tokio::time::interval(BACKUP_EVERY);
    let mut copied = None;
    for turn in 0.. {
        every.tick().await;
        let view = session.view();
        let seq = view.state.seq;
        // A damaged journal must not take the place of a copy that may be whole.
        let is_damaged = matches!(view.journal_check, Checked::Damaged(_));
        if copied == Some(seq) || seq.0 == 0 || is_damaged {
            continue;
        }
        let journal = std::fs::metadata(data.join(FILE_NAME));
        let kept = backups_kept(journal.map_or(0, |file| file.len()));
        let folder = data.join(COPIES_FOLDER);
        for beyond in kept..BACKUPS_KEPT {
            // Made while the journal was shorter, if at all.
            let _ = std::fs::remove_file(backup_file(&folder, beyond));
        }
        match session.backup(backup_file(&folder, turn % kept)).await {
            Ok(()) => copied = Some(seq),
            Err(fault) => tracing::warn!(%fault, "the journal could not be copied"),
        }
    }
}

fn backup_file(folder: &Path, place: u64) -> PathBuf {
    folder.join(format!("journal-{place:02}.sqlite"))
}

/// How many copies are kept of a journal of so many bytes.
fn backups_kept(journal_len: u64) -> u64 {
    (BACKUPS_LEN_MAX / journal_len.max(1)).clamp(BACKUPS_KEPT_MIN, BACKUPS_KEPT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_journal_does_not_fill_the_disk_with_its_copies() {
        // A new club, a club after a year, a hall of 256 tables after a year and after ten.
        let lengths = [0, 28_000_000, 638_000_000, 6_380_000_000];
        assert_eq!(lengths.map(backups_kept), [12, 12, 3, 3]);
        assert_eq!(backups_kept(200_000_000), 5);
    }
}
