//! A journal that went on elsewhere as well, and a page of that other line in ours.

use std::fs;
use std::path::Path;

use super::chained::{killed, refusal, written};
use super::*;
use crate::store::{COPIES_FOLDER, FILE_NAME, Rescued, rescue};

const PAGE_LEN: usize = 4096;
const TABLE_LEAF: u8 = 13;

/// Both lines have this many records in common.
const COMMON: u64 = 100;
const LAST: u64 = 200;

/// The same journal, gone on elsewhere: as long, with other words.
fn elsewhere(number: u64, late_ms: u64) -> NewRecord {
    let ours = record(number);
    NewRecord {
        at: Moment(ours.at.0 + late_ms),
        event: Event::Reopened {
            why: format!("season {number}"),
        },
        ..ours
    }
}

fn go_on(folder: &Path, record: impl Fn(u64) -> NewRecord) {
    let mut store = Store::open(folder).expect("opens");
    for number in COMMON + 1..=LAST {
        store.append(&[record(number)]).expect("written");
    }
}

/// Puts the page on which the two lines part into our journal, and rescues it.
fn with_the_fork(late_ms: u64, copied: bool) -> (Rescued, Vec<String>, tempfile::TempDir) {
    let (folder, store) = written(COMMON);
    if copied {
        let copy = folder.path().join(COPIES_FOLDER).join("journal-00.sqlite");
        store.backup(&copy, Moment(1)).expect("copied");
    }
    drop(store);
    let other = killed(folder.path());
    go_on(folder.path(), record);
    go_on(other.path(), |number| elsewhere(number, late_ms));
    let path = folder.path().join(FILE_NAME);
    let mut ours = fs::read(&path).expect("read");
    let theirs = fs::read(other.path().join(FILE_NAME)).expect("read");
    let pages = ours.chunks_mut(PAGE_LEN).zip(theirs.chunks(PAGE_LEN));
    let (page, other) = pages
        .skip(1)
        .find(|(page, other)| page != other && other[0] == TABLE_LEAF)
        .expect("they differ");
    page.copy_from_slice(other);
    fs::write(&path, ours).expect("damaged");
    refusal(folder.path());
    let rescued = rescue(folder.path(), Moment(5)).expect("saved");
    let store = Store::open(folder.path()).expect("opens");
    let records = store.read(SessionId::new(3)).expect("read");
    (rescued, numbered(&records), folder)
}

fn has_foreign(said: &[String]) -> bool {
    said.iter().any(|it| it.starts_with("season"))
}

#[test]
fn a_page_that_holds_the_fork_is_not_taken_for_ours_where_the_moments_tell() {
    let (rescued, said, _folder) = with_the_fork(86_400_000, false);
    assert!(!has_foreign(&said), "{rescued}");
    let common: Vec<String> = said.iter().take(100).cloned().collect();
    assert_eq!(common, expected(COMMON), "{rescued}");
    assert_eq!(said.last(), Some(&format!("reason {LAST}")));
    assert!(rescued.strange > 0 && rescued.doubtful.is_empty());
    assert_eq!(rescued.saved + rescued.lost.len() as u64, LAST);
}

#[test]
fn where_nothing_tells_where_the_fork_is_the_page_is_left_out_and_the_director_hears_of_it() {
    let (rescued, said, folder) = with_the_fork(0, false);
    assert!(!has_foreign(&said), "{rescued}");
    assert!(rescued.doubtful.contains(&(COMMON + 1)), "{rescued}");
    assert_eq!(rescued.doubtful, rescued.lost);
    assert!(rescued.to_string().contains("Where that began can't"));
    let store = Store::open(folder.path()).expect("opens");
    let told = store.read(None).expect("read");
    let told = told.iter().find_map(|record| match &record.event {
        Event::JournalRescued(told) => Some(told.doubtful.clone()),
        _ => None,
    });
    let (first, last) = (rescued.doubtful.first(), rescued.doubtful.last());
    let (first, last) = (first.expect("some"), last.expect("some"));
    assert_eq!(told, Some(format!("{first} to {last}")));
    // What a copy has, too, is ours.
    let (rescued, said, _folder) = with_the_fork(0, true);
    assert!(!has_foreign(&said), "{rescued}");
    assert_eq!(rescued.doubtful.first(), Some(&(COMMON + 1)), "{rescued}");
}
