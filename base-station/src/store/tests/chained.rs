//! The chain, its head in a second place, and journals from before there was a chain.

use std::fs;
use std::path::Path;

use super::*;
use crate::store::{Checked, FILE_NAME, Guards, HEAD_NAME, StoreError, rescue};

/// The files of a folder, as a kill would leave them.
pub(super) fn killed(folder: &Path) -> tempfile::TempDir {
    let copy = tempfile::tempdir().expect("a folder");
    for file in fs::read_dir(folder).expect("a folder") {
        let file = file.expect("a file");
        if file.file_type().expect("a kind").is_file() {
            fs::copy(file.path(), copy.path().join(file.file_name())).expect("copied");
        }
    }
    copy
}

pub(super) fn written(records: u64) -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = Store::open(folder.path()).expect("opens");
    for number in 1..=records {
        store.append(&[record(number)]).expect("written");
    }
    (folder, store)
}

fn log_of(folder: &Path) -> std::path::PathBuf {
    folder.join(format!("{FILE_NAME}-wal"))
}

pub(super) fn refusal(folder: &Path) -> String {
    let refused = Store::open(folder).expect_err("noticed");
    assert!(matches!(refused, StoreError::Damaged { .. }), "{refused}");
    refused.to_string()
}

#[test]
fn a_flipped_bit_in_the_log_behind_a_kill_is_noticed_and_everything_behind_it_is_saved() {
    let (folder, _running) = written(60);
    let copy = killed(folder.path());
    let mut log = fs::read(log_of(copy.path())).expect("a log");
    let middle = log.len() / 2;
    log[middle] ^= 0x10;
    fs::write(log_of(copy.path()), &log).expect("damaged");
    let refused = refusal(copy.path());
    assert!(
        refused.contains("records at its end are missing"),
        "{refused}"
    );
    assert_eq!(
        fs::read(log_of(copy.path())).expect("a log"),
        log,
        "a log that is not believed is left alone"
    );
    let rescued = rescue(copy.path(), Moment(5)).expect("saved");
    assert_eq!((rescued.saved, rescued.lost.len()), (60, 0), "{rescued}");
    let store = Store::open(copy.path()).expect("opens");
    let records = store.read(SessionId::new(3)).expect("read");
    assert_eq!(numbered(&records), expected(60));
}

#[test]
fn a_removed_log_or_journal_is_never_an_empty_evening() {
    let (folder, _running) = written(60);
    let log_gone = killed(folder.path());
    fs::remove_file(log_of(log_gone.path())).expect("removed");
    refusal(log_gone.path());
    let all_gone = killed(folder.path());
    fs::remove_file(all_gone.path().join(FILE_NAME)).expect("removed");
    let refused = refusal(all_gone.path());
    assert!(
        refused.contains("it is missing, and once was there"),
        "{refused}"
    );
    let rescued = rescue(all_gone.path(), Moment(5)).expect("saved");
    assert_eq!(rescued.saved, 60, "the log has everything: {rescued}");
}

#[test]
fn the_log_goes_into_the_file_as_the_evening_goes() {
    let (folder, mut store) = written(60);
    let len = || {
        let file = fs::metadata(folder.path().join(FILE_NAME)).expect("a file");
        file.len()
    };
    let before = len();
    store.fold().expect("folded");
    assert!(
        len() > before.max(4096),
        "{before} bytes before, {} after",
        len()
    );
    let log_gone = killed(folder.path());
    fs::remove_file(log_of(log_gone.path())).expect("removed");
    let opened = Store::open(log_gone.path()).expect("nothing is missing");
    assert_eq!(opened.last(), Seq(60));
}

#[test]
fn a_head_that_lags_is_believed_and_one_that_is_gone_or_spoiled_is_asked_about() {
    let (folder, mut store) = written(20);
    let early = fs::read(folder.path().join(HEAD_NAME)).expect("a head");
    store.append(&[record(21), record(22)]).expect("written");
    drop(store);
    let with_head = |head: Option<&[u8]>| {
        let copy = killed(folder.path());
        match head {
            Some(head) => fs::write(copy.path().join(HEAD_NAME), head).expect("written"),
            None => fs::remove_file(copy.path().join(HEAD_NAME)).expect("removed"),
        }
        copy
    };
    let lagging = with_head(Some(&early));
    assert_eq!(Store::open(lagging.path()).expect("opens").last(), Seq(22));
    for head in [
        None,
        Some(&b""[..]),
        Some(&early[..100]),
        Some(&[0xA5; 256]),
    ] {
        let copy = with_head(head);
        let refused = refusal(copy.path());
        assert!(refused.contains("journal.head"), "{refused}");
        assert_eq!(rescue(copy.path(), Moment(5)).expect("saved").saved, 22);
        Store::open(copy.path()).expect("opens");
    }
    // One of its two lines is torn: the other one is enough.
    let mut torn = early.clone();
    torn[40] ^= 4;
    assert_eq!(
        Store::open(with_head(Some(&torn)).path())
            .expect("opens")
            .last(),
        Seq(22)
    );
}

#[test]
fn without_the_head_a_lost_log_goes_unnoticed_so_the_tests_would_tell() {
    let (folder, mut store) = written(20);
    store.fold().expect("folded");
    for number in 21..=30 {
        store.append(&[record(number)]).expect("written");
    }
    let copy = killed(folder.path());
    fs::remove_file(log_of(copy.path())).expect("removed");
    let blind = Guards {
        head: false,
        ..Guards::default()
    };
    assert_eq!(
        Store::open_guarded(copy.path(), blind)
            .expect("opens")
            .last(),
        Seq(20)
    );
}

#[test]
fn an_older_journal_in_the_place_of_a_newer_one_is_noticed() {
    let (folder, mut store) = written(20);
    store.fold().expect("folded");
    let old = fs::read(folder.path().join(FILE_NAME)).expect("a file");
    for number in 21..=30 {
        store.append(&[record(number)]).expect("written");
    }
    drop(store);
    fs::write(folder.path().join(FILE_NAME), &old).expect("swapped");
    let refused = refusal(folder.path());
    assert!(
        refused.contains("10 records at its end are missing"),
        "{refused}"
    );
    let rescued = rescue(folder.path(), Moment(5)).expect("saved");
    assert_eq!(rescued.lost, (21..=30).collect::<Vec<u64>>());
    assert_eq!(rescued.lost_places(), "21 to 30");
}

#[test]
fn the_journal_of_another_club_in_this_ones_place_is_noticed() {
    let (folder, store) = written(20);
    drop(store);
    let (other, store) = written(25);
    drop(store);
    fs::copy(other.path().join(FILE_NAME), folder.path().join(FILE_NAME)).expect("swapped");
    assert!(refusal(folder.path()).contains("not the journal that was here before"));
}

#[test]
fn a_rescue_that_was_broken_off_at_any_step_begins_again_and_has_everything() {
    let (folder, store) = written(40);
    drop(store);
    let mut bytes = fs::read(folder.path().join(FILE_NAME)).expect("a file");
    bytes[16] ^= 0xFF;
    fs::write(folder.path().join(FILE_NAME), &bytes).expect("damaged");
    // The damaged file has its new name already, the new one is not in its place yet.
    let copy = killed(folder.path());
    let path = |name: &str| copy.path().join(name);
    fs::write(path("rescue.underway"), "5").expect("written");
    fs::rename(path(FILE_NAME), path("damaged-5-journal.sqlite")).expect("renamed");
    fs::rename(path(HEAD_NAME), path("damaged-5-journal.head")).expect("renamed");
    assert!(refusal(copy.path()).contains("a rescue was broken off"));
    let rescued = rescue(copy.path(), Moment(6)).expect("saved");
    assert_eq!(rescued.saved, 40, "{rescued}");
    assert_eq!(Store::open(copy.path()).expect("opens").last(), Seq(41));
    assert!(path("damaged-5-journal.sqlite").exists());
}

/// A journal as the first released version left it.
pub(super) fn before_the_chain() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let bytes = include_bytes!("first-layout.sqlite");
    fs::write(folder.path().join(FILE_NAME), bytes).expect("written");
    folder
}

#[test]
fn a_journal_from_before_the_chain_is_chained_once_and_says_the_same() {
    let folder = before_the_chain();
    let raw = |folder: &Path| {
        let file = rusqlite::Connection::open(folder.join(FILE_NAME)).expect("opens");
        let mut select = file
            .prepare("SELECT session, at_ms, who, event, checksum FROM journal ORDER BY seq")
            .expect("asked");
        let rows = select.query_map([], |row| {
            Ok(format!(
                "{:?} {} {} {} {}",
                row.get::<_, Option<i64>>(0)?,
                row.get::<_, i64>(1)?,
                row.get::<_, String>(2)?,
                row.get::<_, String>(3)?,
                row.get::<_, i64>(4)?
            ))
        });
        rows.expect("read")
            .collect::<Result<Vec<_>, _>>()
            .expect("read")
    };
    let before = raw(folder.path());
    assert!(before.len() > 20, "{} records", before.len());
    let store = Store::open(folder.path()).expect("opens");
    assert_eq!(store.checked(), &Checked::Sound);
    let (id, last) = (store.id(), store.last());
    assert_eq!(last.0, before.len() as u64);
    let state = crate::session::State::replay(&store).expect("read");
    let session = state.session.as_ref().expect("a session");
    assert_eq!(
        session.lines.len(),
        12,
        "every result of the evening is there"
    );
    drop(store);
    assert_eq!(raw(folder.path()), before);
    let again = Store::open(folder.path()).expect("opens again");
    assert_eq!((again.id(), again.last()), (id, last), "chained once");
}

#[test]
fn a_damaged_journal_from_before_the_chain_is_not_chained_but_saved() {
    let folder = before_the_chain();
    let path = folder.path().join(FILE_NAME);
    let mut bytes = fs::read(&path).expect("read");
    let at = bytes
        .windows(9)
        .rposition(|text| text == b"PassedOut")
        .expect("a result");
    bytes[at] = b'p';
    fs::write(&path, &bytes).expect("damaged");
    assert!(refusal(folder.path()).contains("is not what was written"));
    assert_eq!(fs::read(&path).expect("read"), bytes, "it is left alone");
    let rescued = rescue(folder.path(), Moment(5)).expect("saved");
    assert_eq!(rescued.lost.len(), 1, "{rescued}");
}

#[test]
fn chaining_that_was_broken_off_by_a_power_cut_is_done_again() {
    let folder = before_the_chain();
    let chained = before_the_chain();
    drop(Store::open(chained.path()).expect("opens"));
    // The head is on disk, the journal is as it was.
    fs::copy(
        chained.path().join(HEAD_NAME),
        folder.path().join(HEAD_NAME),
    )
    .expect("copied");
    drop(Store::open(folder.path()).expect("opens"));
    let read = |folder: &Path| fs::read(folder.join(HEAD_NAME)).expect("read");
    assert_eq!(read(folder.path()), read(chained.path()));
}
