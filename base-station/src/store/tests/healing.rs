//! What a check finds while the room plays, and what can still be saved when several things are
//! damaged at once.

use std::fs;
use std::path::Path;

use super::chained::{before_the_chain, killed, refusal, written};
use super::*;
use crate::store::{
    COPIES_FOLDER, Checked, FILE_NAME, Guards, HEAD_NAME, KeyMark, StoreError, explain,
    put_damaged_copies_aside, rescue,
};

/// Every journal is long, and all of it is compared while the room plays.
const LATER: Guards = Guards {
    chain: true,
    head: true,
    index: true,
    at_once_max: 0,
    newest_at_once: 0,
};

const FIRST_PAGE: std::ops::Range<usize> = 0..4096;

fn change(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).expect("read");
    change(&mut bytes);
    fs::write(path, bytes).expect("damaged");
}

/// Where a text stands last.
fn place_of(bytes: &[u8], text: &str) -> usize {
    let mut places = bytes.windows(text.len());
    places
        .rposition(|found| found == text.as_bytes())
        .expect("it is there")
}

#[test]
fn a_check_while_the_room_plays_ends_even_where_the_end_of_the_table_is_gone() {
    let (_folder, mut store) = written(0);
    let records: Vec<NewRecord> = (1..=2_500).map(record).collect();
    store.append(&records).expect("written");
    assert_eq!(store.checked(), &Checked::Sound);
    store
        .connection
        .execute("DELETE FROM journal WHERE seq > 2490", [])
        .expect("the last page lists fewer");
    store.check_again();
    let mut slices = 0;
    while matches!(store.check_on(), Checked::Underway(_)) {
        slices += 1;
        assert!(slices < 20, "it goes on for ever");
    }
    let found = Checked::Damaged(telling::tell!(Journal::RecordMissing { n: 2491 }));
    assert_eq!(store.checked(), &found);
}

#[test]
fn what_a_check_finds_while_the_room_plays_is_asked_about_at_the_next_start() {
    let (folder, store) = written(200);
    drop(store);
    change(&folder.path().join(FILE_NAME), |bytes| {
        let at = place_of(bytes, "reason 12");
        bytes[at] ^= 1;
    });
    let mut store = Store::open_guarded(folder.path(), LATER).expect("it is not read through");
    while matches!(store.check_on(), Checked::Underway(_)) {}
    assert!(
        matches!(store.checked(), Checked::Damaged(_)),
        "{:?}",
        store.checked()
    );
    store.check_again();
    assert!(
        matches!(store.checked(), Checked::Damaged(_)),
        "it stays so"
    );
    drop(store);
    let refused = Store::open_guarded(folder.path(), LATER).expect_err("read through this time");
    assert!(matches!(refused, StoreError::Damaged { .. }), "{refused}");
    rescue(folder.path(), Moment(5)).expect("saved");
    let store = Store::open_guarded(folder.path(), LATER).expect("opens");
    assert_eq!(
        store.checked(),
        &Checked::Underway(0),
        "nothing is suspected of the new one"
    );
}

/// Of a long journal the newest records are compared when it is opened.
const NEWEST: Guards = Guards {
    newest_at_once: 50,
    ..LATER
};

#[test]
fn a_damaged_new_record_in_a_long_journal_refuses_at_once() {
    let (folder, store) = written(200);
    drop(store);
    let opened = |damage: &str| {
        let copy = killed(folder.path());
        change(&copy.path().join(FILE_NAME), |bytes| {
            let at = place_of(bytes, damage);
            bytes[at] ^= 1;
        });
        Store::open_guarded(copy.path(), NEWEST)
    };
    let refused = opened("reason 180").expect_err("it is played on");
    assert!(
        refused.to_string().contains("record 180 does not fit"),
        "{refused}"
    );
    let mut store = opened("reason 120").expect("it is looked at later");
    assert_eq!(store.checked(), &Checked::Underway(0));
    while matches!(store.check_on(), Checked::Underway(_)) {}
    let found = Checked::Damaged(telling::tell!(Journal::RecordDoesNotFit { n: 120 }));
    assert_eq!(store.checked(), &found);
}

#[test]
fn a_new_record_that_the_index_of_a_long_journal_does_not_know_refuses_at_once() {
    let (folder, store) = written(200);
    drop(store);
    let strange = |seq: u64| {
        let copy = killed(folder.path());
        let file = rusqlite::Connection::open(copy.path().join(FILE_NAME)).expect("opens");
        // The index is made for fewer records, and then for all of them again as far as anybody
        // is told.
        let hit = format!(
            "PRAGMA writable_schema = ON;
             UPDATE sqlite_schema SET sql = 'CREATE INDEX journal_by_session ON journal (session, seq) \
                 WHERE seq <> {seq}' WHERE name = 'journal_by_session';
             PRAGMA writable_schema = RESET; REINDEX journal_by_session;
             PRAGMA writable_schema = ON;
             UPDATE sqlite_schema SET sql = 'CREATE INDEX journal_by_session ON journal (session, seq)' \
                 WHERE name = 'journal_by_session';
             PRAGMA writable_schema = RESET; PRAGMA wal_checkpoint(TRUNCATE)"
        );
        file.execute_batch(&hit).expect("hit");
        drop(file);
        copy
    };
    let new = strange(180);
    let refused = Store::open_guarded(new.path(), NEWEST).expect_err("it is played on");
    assert!(refused.to_string().contains("its index"), "{refused}");
    let old = strange(120);
    let mut store = Store::open_guarded(old.path(), NEWEST).expect("it is looked at later");
    while matches!(store.check_on(), Checked::Underway(_)) {}
    assert!(matches!(store.checked(), Checked::Damaged(_)));
}

#[test]
fn a_rescue_remembers_what_the_clubs_key_looks_like() {
    let (folder, mut store) = written(40);
    let copy = folder.path().join(COPIES_FOLDER).join("journal-00.sqlite");
    for mark in [[1; 8], [2; 8]] {
        store.set_key_mark(mark).expect("noted");
        store.backup(&copy, Moment(1)).expect("copied");
    }
    let mark: KeyMark = [3; 8];
    store.set_key_mark(mark).expect("noted");
    let in_log = killed(folder.path());
    store.fold().expect("folded");
    drop(store);
    let in_file = killed(folder.path());
    for place in [&in_log, &in_file] {
        fs::remove_file(place.path().join(HEAD_NAME)).expect("damaged");
        refusal(place.path());
        rescue(place.path(), Moment(5)).expect("saved");
        let store = Store::open(place.path()).expect("opens");
        assert_eq!(store.key_mark().expect("read"), Some(mark));
    }
    // The journal is gone altogether: its copy knows.
    fs::remove_file(folder.path().join(FILE_NAME)).expect("damaged");
    rescue(folder.path(), Moment(6)).expect("saved");
    let store = Store::open(folder.path()).expect("opens");
    assert_eq!(store.key_mark().expect("read"), Some([2; 8]));
}

/// Changes the bytes of a file.
type Spoil = fn(&mut Vec<u8>);

/// Does something to a file.
type Deed = fn(&Path);

/// What may happen to a first page.
const SPOILED: [(&str, Spoil); 5] = [
    ("nonsense", |bytes| bytes[FIRST_PAGE].fill(0xA5)),
    ("nothing", |bytes| bytes[FIRST_PAGE].fill(0)),
    ("another program's mark", |bytes| bytes[68] ^= 1),
    ("a newer version", |bytes| bytes[63] |= 16),
    ("a file without tables", |bytes| {
        // The count of what stands on the page, the version and our mark.
        for range in [60..64, 68..72, 103..105] {
            bytes[range].fill(0);
        }
    }),
];

#[test]
fn a_spoiled_first_page_is_healed_whatever_has_become_of_the_head() {
    let heads: [(&str, Deed); 3] = [
        ("there", |_| {}),
        ("gone", |head| fs::remove_file(head).expect("removed")),
        ("nonsense", |head| {
            fs::write(head, [0xA5; 256]).expect("spoiled");
        }),
    ];
    let (folder, store) = written(60);
    drop(store);
    for (page, spoil) in SPOILED {
        for (head, wound) in heads {
            let place = killed(folder.path());
            change(&place.path().join(FILE_NAME), spoil);
            wound(&place.path().join(HEAD_NAME));
            let before = fs::read(place.path().join(FILE_NAME)).expect("read");
            refusal(place.path());
            assert_eq!(
                fs::read(place.path().join(FILE_NAME)).expect("read"),
                before,
                "{page}, head {head}: it is left alone"
            );
            let rescued = rescue(place.path(), Moment(5)).expect("saved");
            assert_eq!(rescued.saved, 60, "{page}, head {head}: {rescued}");
            Store::open(place.path()).expect("opens");
        }
    }
}

#[test]
fn a_spoiled_first_page_of_a_journal_from_before_the_chain_is_healed() {
    for (page, spoil) in SPOILED {
        let folder = before_the_chain();
        change(&folder.path().join(FILE_NAME), spoil);
        refusal(folder.path());
        let rescued = rescue(folder.path(), Moment(5)).expect("saved");
        assert!(rescued.lost.is_empty(), "{page}: {rescued}");
        let store = Store::open(folder.path()).expect("opens");
        let state = crate::session::State::replay(&store).expect("read");
        let session = state.session.as_ref().expect("a session");
        assert_eq!(session.lines.len(), 12, "{page}");
    }
}

#[test]
fn a_disk_that_does_not_give_back_what_it_was_given_is_damage() {
    let path = Path::new("journal.sqlite");
    let said = |code| {
        let fault = rusqlite::ffi::Error::new(code);
        explain(path, &rusqlite::Error::SqliteFailure(fault, None))
    };
    for code in [
        rusqlite::ffi::SQLITE_IOERR_READ,
        rusqlite::ffi::SQLITE_IOERR_SHORT_READ,
    ] {
        assert!(matches!(said(code), StoreError::Damaged { .. }));
    }
    let full = said(rusqlite::ffi::SQLITE_IOERR_WRITE);
    assert!(matches!(full, StoreError::Unusable { .. }), "{full}");
    // A head that opens and can't be read.
    let (folder, store) = written(20);
    drop(store);
    let head = folder.path().join(HEAD_NAME);
    fs::remove_file(&head).expect("removed");
    fs::create_dir(&head).expect("no file");
    assert!(refusal(folder.path()).contains("can't be read"));
    let rescued = rescue(folder.path(), Moment(5)).expect("saved");
    assert_eq!(rescued.saved, 20, "{rescued}");
    Store::open(folder.path()).expect("opens");
}

#[test]
fn a_hit_link_behind_a_head_that_lags_loses_nothing() {
    let (folder, mut store) = written(40);
    let early = fs::read(folder.path().join(HEAD_NAME)).expect("a head");
    for number in 41..=90 {
        store.append(&[record(number)]).expect("written");
    }
    drop(store);
    fs::write(folder.path().join(HEAD_NAME), &early).expect("a power cut");
    // Nothing is left of earlier pages, so that each record stands in one place only.
    let hit = |place: &Path, sql: &str| {
        let file = rusqlite::Connection::open(place.join(FILE_NAME)).expect("opens");
        let hit = format!("{sql} WHERE seq = 41; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
        file.execute_batch(&hit).expect("damaged");
    };
    let link_hit = killed(folder.path());
    hit(link_hit.path(), "UPDATE journal SET link = zeroblob(16)");
    refusal(link_hit.path());
    let rescued = rescue(link_hit.path(), Moment(5)).expect("saved");
    assert_eq!((rescued.saved, rescued.strange), (90, 0), "{rescued}");
    let store = Store::open(link_hit.path()).expect("opens");
    let records = store.read(SessionId::new(3)).expect("read");
    assert_eq!(numbered(&records), expected(90));

    // The record itself is gone: what comes behind it is still ours.
    hit(
        folder.path(),
        "UPDATE journal SET event = replace(event, 'reason', 'season')",
    );
    refusal(folder.path());
    let rescued = rescue(folder.path(), Moment(5)).expect("saved");
    assert_eq!(
        (rescued.saved, rescued.lost.as_slice(), rescued.strange),
        (89, &[41][..], 0),
        "{rescued}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_head_that_can_not_be_written_is_told_and_the_log_is_folded_all_the_same() {
    let (folder, mut store) = written(60);
    let refusing = fs::File::options().write(true).open("/dev/full");
    store.write_head_to(refusing.expect("a disk that is full"));
    assert_eq!(store.neglected(), None);
    store.append(&[record(61)]).expect("the record is on disk");
    let told = store.neglected().expect("told").to_string();
    assert!(told.contains("journal.head can't be written"), "{told}");
    store.fold().expect_err("the head can't go to disk");
    assert!(store.neglected().is_some());
    let log_gone = killed(folder.path());
    fs::remove_file(log_gone.path().join(format!("{FILE_NAME}-wal"))).expect("removed");
    assert_eq!(
        Store::open(log_gone.path()).expect("opens").last(),
        Seq(61),
        "the log was folded"
    );
    // There is room again.
    let file = fs::File::options()
        .write(true)
        .open(folder.path().join(HEAD_NAME));
    store.write_head_to(file.expect("the head"));
    store.fold().expect("kept");
    assert_eq!(store.neglected(), None);
    drop(store);
    Store::open(folder.path()).expect("opens");
}

#[test]
fn copies_that_were_put_aside_are_kept_apart_and_still_help() {
    let (folder, store) = written(30);
    let copies = folder.path().join(COPIES_FOLDER);
    let copy = copies.join("journal-00.sqlite");
    for _ in 0..2 {
        store.backup(&copy, Moment(1)).expect("copied");
        change(&copy, |bytes| {
            let at = place_of(bytes, "reason 12");
            bytes[at] ^= 1;
        });
        put_damaged_copies_aside(folder.path());
    }
    let aside = ["journal-00.damaged", "journal-00-2.damaged"];
    assert!(aside.iter().all(|name| copies.join(name).exists()));
    // One that somebody has in use says nothing about itself.
    store.backup(&copy, Moment(1)).expect("copied");
    let other = rusqlite::Connection::open(&copy).expect("opens");
    other.execute_batch("BEGIN EXCLUSIVE").expect("in use");
    assert!(put_damaged_copies_aside(folder.path()).is_empty());
    drop(other);
    drop(store);
    // Everything else is gone.
    for name in [FILE_NAME, HEAD_NAME] {
        fs::remove_file(folder.path().join(name)).expect("removed");
    }
    fs::remove_file(&copy).expect("removed");
    let rescued = rescue(folder.path(), Moment(5)).expect("saved");
    assert_eq!(rescued.saved, 29, "{rescued}");
}
