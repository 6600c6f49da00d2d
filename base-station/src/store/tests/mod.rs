//! The journal on disk, and on disks that fail.

mod chained;
mod copies;
mod forked;
mod healing;
#[cfg(feature = "model-disk")]
mod model_disk;
mod newer;
#[cfg(feature = "model-disk")]
mod power;

use protocol::words::SessionId;

use super::Store;
use crate::session::{Event, Journal, Moment, NewRecord, Record, Seq, Who};

/// The n-th of a row of records that can be told apart.
fn record(number: u64) -> NewRecord {
    NewRecord {
        at: Moment(1_794_862_800_000 + number),
        who: Who::Director("Anna".to_owned()),
        session: SessionId::new(3),
        event: Event::Reopened {
            why: format!("reason {number}"),
        },
    }
}

fn numbered(records: &[Record]) -> Vec<String> {
    records
        .iter()
        .map(|record| match &record.event {
            Event::Reopened { why } => why.clone(),
            other => panic!("{other:?} was never written"),
        })
        .collect()
}

fn expected(count: u64) -> Vec<String> {
    (1..=count)
        .map(|number| format!("reason {number}"))
        .collect()
}

#[test]
fn what_was_appended_is_there_after_reopening() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = Store::open(folder.path()).expect("opens");
    assert_eq!(
        store.append(&[record(1), record(2)]).expect("written"),
        Seq(2)
    );
    assert_eq!(store.append(&[record(3)]).expect("written"), Seq(3));
    drop(store);
    let store = Store::open(folder.path()).expect("opens again");
    assert_eq!(store.last(), Seq(3));
    assert_eq!(
        numbered(&store.read(SessionId::new(3)).expect("read")),
        expected(3)
    );
    assert_eq!(store.read(None).expect("read"), []);
}

#[test]
fn the_row_of_a_record_is_this_text() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = Store::open(folder.path()).expect("opens");
    store.append(&[record(1)]).expect("written");
    let row: (i64, i64, i64, String, i64, String, i64) = store
        .connection
        .query_row("SELECT * FROM journal", [], |row| {
            Ok((
                row.get(0)?,
                row.get(1)?,
                row.get(2)?,
                row.get(3)?,
                row.get(4)?,
                row.get(5)?,
                row.get(6)?,
            ))
        })
        .expect("a row");
    assert_eq!(
        row,
        (
            1,
            3,
            1_794_862_800_001,
            r#"{"Director":"Anna"}"#.to_owned(),
            1,
            r#"{"Reopened":{"why":"reason 1"}}"#.to_owned(),
            1_469_980_662,
        )
    );
}

#[test]
fn two_base_stations_never_write_one_journal() {
    let folder = tempfile::tempdir().expect("a folder");
    let _first = Store::open(folder.path()).expect("opens");
    let second = Store::open(folder.path()).expect_err("is in use");
    assert!(second.to_string().contains("is in use"), "{second}");
}

#[test]
fn files_of_others_and_of_the_future_are_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(super::FILE_NAME);
    std::fs::write(
        &path,
        "Dear diary, today we played bridge and it was lovely.",
    )
    .expect("ok");
    let refused = Store::open(folder.path()).expect_err("not ours");
    assert!(
        refused.to_string().contains("is not a Byestand journal"),
        "{refused}"
    );
    std::fs::remove_file(&path).expect("removed");

    rusqlite::Connection::open(&path)
        .and_then(|other| other.execute_batch("CREATE TABLE recipes (name TEXT)"))
        .expect("another program's file");
    let refused = Store::open(folder.path()).expect_err("not ours");
    assert!(
        refused.to_string().contains("is not a Byestand journal"),
        "{refused}"
    );
    std::fs::remove_file(&path).expect("removed");

    drop(Store::open(folder.path()).expect("opens"));
    rusqlite::Connection::open(&path)
        .and_then(|later| {
            later.execute_batch("ALTER TABLE journal ADD mood TEXT; PRAGMA user_version = 99")
        })
        .expect("a later version, with another layout");
    // A later version writes a later head as well.
    std::fs::remove_file(folder.path().join(super::HEAD_NAME)).expect("its head");
    let refused = Store::open(folder.path()).expect_err("too new");
    assert!(refused.to_string().contains("newer Byestand"), "{refused}");
}
