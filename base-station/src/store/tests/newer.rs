//! Data of a later version, and copies that are brought back.

use super::*;
use crate::session::{JournalError, State};
use crate::store::row::{Appender, Row};
use crate::store::{
    COPIES_FOLDER, FILE_NAME, HEAD_NAME, Restorable, finish_restore, prepare_restore,
};

/// Everything in a folder, by name.
fn files(folder: &std::path::Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut files: Vec<_> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let content = std::fs::read(entry.path()).ok()?;
            Some((entry.file_name().into_string().ok()?, content))
        })
        .collect();
    files.sort();
    files
}

/// What a later version writes: a whole record, in its place in the chain, of a kind that this
/// version does not know.
fn append_unknown(store: &mut Store) {
    let mut row = Row::of(&record(9), store.last.next()).expect("a row");
    row.session = None;
    row.event = "{\"DealtByRobot\":{\"board\":7}}".into();
    row.checksum = row.sum();
    let link = store.link.then(&row);
    Appender::to(&store.connection)
        .and_then(|mut journal| journal.append(&row, link))
        .expect("written");
    (store.last, store.link) = (store.last.next(), link);
    let head = store.head();
    let file = store.head.as_mut().expect("a head");
    file.write(&head).expect("written");
}

#[test]
fn an_older_version_refuses_a_newer_journal_and_touches_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = Store::open(folder.path()).expect("opens");
    store.append(&[record(1), record(2)]).expect("written");
    append_unknown(&mut store);
    drop(store);
    let before = files(folder.path());
    for _ in 0..2 {
        let store = Store::open(folder.path()).expect("every record proves itself");
        let refused = State::replay(&store).expect_err("not understood");
        assert!(matches!(refused, JournalError::TooNew(Seq(3))), "{refused}");
        assert!(refused.to_string().contains("newer Byestand"));
        drop(store);
        assert_eq!(files(folder.path()), before);
    }
}

#[test]
fn a_copy_is_brought_back_and_what_was_there_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path();
    let mut store = Store::open(data).expect("opens");
    store.append(&[record(1), record(2)]).expect("written");
    let copy = data.join(COPIES_FOLDER).join("journal-0.sqlite");
    store.backup(&copy, Moment(7)).expect("copied");
    store.append(&[record(3)]).expect("written after the copy");
    let content = std::fs::read(&copy).expect("a copy");
    let found = prepare_restore(data, &content, |_| Ok(())).expect("a sound copy");
    let expected_of_it = Restorable {
        made: Some(Moment(7)),
        records: 2,
        key_mark: None,
    };
    assert_eq!(found, expected_of_it);
    assert_eq!(store.last(), Seq(3), "nothing has happened yet");
    drop(store);

    let aside = finish_restore(data, Moment(9)).expect("done");
    let aside = aside.expect("something waited");
    assert_eq!(
        finish_restore(data, Moment(10)).expect("done"),
        None,
        "once"
    );
    let store = Store::open(data).expect("opens");
    assert_eq!(store.backup_mark().expect("read"), Some(Moment(7)));
    let records = store.read(SessionId::new(3)).expect("read");
    assert_eq!(numbered(&records), expected(2));
    let kept = files(&aside);
    let names: Vec<&str> = kept.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["journal-0.sqlite", HEAD_NAME, FILE_NAME]);
}

#[test]
fn what_is_no_sound_copy_of_this_club_never_waits() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path();
    let mut store = Store::open(data).expect("opens");
    store.append(&[record(1), record(2)]).expect("written");
    let copy = data.join("copy.sqlite");
    store.backup(&copy, Moment(7)).expect("copied");
    let good = std::fs::read(&copy).expect("a copy");
    let mut bad = good.clone();
    let at = bad.len() / 2;
    bad[at..].fill(0);
    let begun = tempfile::tempdir().expect("a folder");
    let fresh = begun.path().join("fresh.sqlite");
    let empty = Store::open(begun.path()).expect("opens");
    empty.backup(&fresh, Moment(7)).expect("copied");
    let fresh = std::fs::read(&fresh).expect("a copy");
    let cases = [
        (&b""[..], "no copy of a Byestand journal"),
        (&b"hello"[..], "no copy of a Byestand journal"),
        (&fresh, "no copy of a Byestand journal"),
        (&bad, "the copy"),
    ];
    for (content, said) in cases {
        let refused = prepare_restore(data, content, |_| Ok(()))
            .expect_err("refused")
            .to_string();
        assert!(refused.contains(said), "{refused}");
    }
    let other_club = |_: Restorable| Err(telling::Told::as_written("the copy is of another club"));
    prepare_restore(data, &good, other_club).expect_err("refused");
    assert_eq!(finish_restore(data, Moment(9)).expect("looked"), None);
    assert_eq!(store.last(), Seq(2));
}
