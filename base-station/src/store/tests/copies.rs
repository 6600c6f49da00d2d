//! Backups, session files, and what can be saved of a damaged journal.

use std::io::Write;

use super::*;
use crate::session::{Command, Keeper, MemoryJournal, Request, State};
use crate::store::{
    Archive, COPIES_FOLDER, Copied, FILE_NAME, HEAD_NAME, StoreError, export_session,
    import_session, put_damaged_copies_aside, rescue,
};

#[test]
fn a_backup_made_while_running_opens_elsewhere_and_says_that_it_is_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = Store::open(folder.path()).expect("opens");
    store.append(&[record(1), record(2)]).expect("written");
    let elsewhere = tempfile::tempdir().expect("another laptop");
    store
        .backup(&elsewhere.path().join(FILE_NAME), Moment(7))
        .expect("copied");
    store.append(&[record(3)]).expect("written after the copy");

    let mut copy = Store::open(elsewhere.path()).expect("opens");
    assert_eq!(copy.backup_mark().expect("read"), Some(Moment(7)));
    assert_eq!(
        numbered(&copy.read(SessionId::new(3)).expect("read")),
        expected(2)
    );
    copy.clear_backup_mark().expect("cleared");
    drop(copy);
    let copy = Store::open(elsewhere.path()).expect("opens");
    assert_eq!(copy.backup_mark().expect("read"), None);
    assert_eq!(
        store.backup_mark().expect("read"),
        None,
        "the original is none"
    );
}

#[test]
fn an_earlier_copy_gets_what_it_lacks_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = Store::open(folder.path()).expect("opens");
    let elsewhere = tempfile::tempdir().expect("another disk");
    let to = elsewhere.path().join(FILE_NAME);
    let mut copied = Vec::new();
    for number in 1..=4 {
        store.append(&[record(number)]).expect("written");
        copied.push(store.backup(&to, Moment(number)).expect("copied"));
        let _ = std::fs::remove_file(elsewhere.path().join(HEAD_NAME));
        let copy = Store::open(elsewhere.path()).expect("opens");
        assert_eq!(copy.backup_mark().expect("read"), Some(Moment(number)));
        let records = copy.read(SessionId::new(3)).expect("read");
        assert_eq!(numbered(&records), expected(number));
    }
    let again = Copied::Lengthened;
    assert_eq!(copied, [Copied::Whole, again, again, again]);
    assert_eq!(
        std::fs::read_dir(elsewhere.path())
            .expect("a folder")
            .filter(|file| !file.as_ref().is_ok_and(|it| it.file_name() == HEAD_NAME))
            .count(),
        1,
        "nothing is left lying about"
    );
}

#[test]
fn a_file_that_is_no_earlier_copy_is_replaced_by_a_whole_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = Store::open(folder.path()).expect("opens");
    store.append(&[record(1), record(2)]).expect("written");
    let elsewhere = tempfile::tempdir().expect("another disk");
    let to = elsewhere.path().join(FILE_NAME);
    let other_club = |records: &[NewRecord]| {
        let _ = std::fs::remove_file(&to);
        let _ = std::fs::remove_file(elsewhere.path().join(HEAD_NAME));
        let mut other = Store::open(elsewhere.path()).expect("opens");
        other.append(records).expect("written");
    };
    let cases: [(&str, &dyn Fn()); 5] = [
        ("another journal", &|| other_club(&[record(8)])),
        ("one that went on elsewhere", &|| {
            other_club(&[record(1), record(2), record(3)]);
        }),
        ("one without records", &|| other_club(&[])),
        ("words", &|| {
            std::fs::write(&to, "no journal").expect("written");
        }),
        ("nothing", &|| std::fs::write(&to, "").expect("written")),
    ];
    for (what, prepare) in cases {
        prepare();
        let copied = store.backup(&to, Moment(9)).expect("copied");
        assert_eq!(copied, Copied::Whole, "{what}");
        let _ = std::fs::remove_file(elsewhere.path().join(HEAD_NAME));
        let copy = Store::open(elsewhere.path()).expect("opens");
        let records = copy.read(SessionId::new(3)).expect("read");
        assert_eq!(numbered(&records), expected(2), "{what}");
    }
}

/// A session with a kept entry's reference and an undoing in it.
fn keeper_with_session() -> Keeper<MemoryJournal> {
    let now = Moment(1_794_862_800_000);
    let mut keeper = Keeper::open(MemoryJournal::new(), now).expect("opens");
    let movement = crate::movement::generate(
        crate::movement::Kind::Mitchell,
        crate::movement::Setup::new("5".parse().expect("5"), "25".parse().expect("25")),
    )
    .expect("a Mitchell");
    let plan = crate::session::plan::SectionPlan::of(&movement, "red");
    let section = protocol::words::SectionLetter::A;
    let cell = serde_json::from_str(r#"{"table":"A1","round":1,"board":1}"#).expect("a cell");
    let passed = crate::session::plan::Ruling::Result(protocol::words::BoardResult::PassedOut);
    let commands = [
        Command::CreateEvent {
            name: "Monday".to_owned(),
            date: "2026-11-16".to_owned(),
            title: "first".to_owned(),
        },
        Command::PlanSection { section, plan },
        Command::SetDirectorPin {
            pin: protocol::message::Pin(7316),
        },
        Command::Open,
        Command::Rule {
            cell,
            ruling: passed,
            why: "no pad".to_owned(),
        },
        Command::Undo {
            change: Seq(8),
            why: "it was table 2".to_owned(),
        },
    ];
    for command in commands {
        let batch = keeper.deal_with(
            Request::Command {
                command: Box::new(command),
                who: Who::Director("Anna".to_owned()),
            },
            now,
        );
        let done = matches!(batch.outcomes[0], crate::session::Outcome::Done(_));
        assert!(done, "{:?}", batch.outcomes);
    }
    keeper
}

/// A day after all that the tests write.
const TODAY: Moment = Moment(1_900_000_000_000);

#[test]
fn a_session_travels_as_one_file_and_means_the_same_elsewhere() {
    let keeper = keeper_with_session();
    let session = keeper.state().session.as_ref().expect("a session");
    let mut file = Vec::new();
    let count = export_session(
        keeper.journal(),
        &keeper.state().club,
        session.id,
        &mut file,
    )
    .expect("exported");
    assert_eq!(count, 5);

    let folder = tempfile::tempdir().expect("another laptop");
    let mut store = Store::open(folder.path()).expect("opens");
    store
        .append(&[record(1), record(2)])
        .expect("its own history");
    let before = State::replay(&store).expect("read");
    let who = Who::Base;
    let archive = Archive::read(&mut file.as_slice(), TODAY).expect("checked");
    let (id, records) =
        import_session(store.last(), &before, archive, &who, Moment(9)).expect("imported");
    store.append(&records).expect("written");
    let mut there = crate::session::Session::replay(id, &store).expect("read");
    assert!(
        there.lines.is_empty(),
        "the undoing still undoes the right change"
    );
    assert_eq!(there.undone.len(), 1);
    assert_eq!(there.sections, session.sections);
    there.records.clear();
    let club = State::replay(&store).expect("read").club;
    assert_eq!(club.event_name(id), Some("Monday"));
}

#[test]
fn a_session_file_that_is_cut_or_changed_is_refused_and_changes_nothing() {
    let keeper = keeper_with_session();
    let session = keeper.state().session.as_ref().expect("a session").id;
    let mut file = Vec::new();
    export_session(keeper.journal(), &keeper.state().club, session, &mut file).expect("ok");
    let text = String::from_utf8(file).expect("text");
    let mut lines: Vec<&str> = text.lines().collect();
    lines.pop();
    let cut = lines.join("\n");
    let swapped = text.replace("\"Opened\"", "\"Opend\"");
    let cases = [
        (String::new(), "line 1 of the session file does not say"),
        (
            "hello".to_owned(),
            "line 1 of the session file does not say",
        ),
        (cut, "the session file is cut short: it has 5 records"),
        (swapped, "line 4 of the session file is not a record"),
    ];
    for (text, sentence) in cases {
        let refused = Archive::read(&mut text.as_bytes(), TODAY).expect_err("refused");
        assert!(refused.to_string().starts_with(sentence), "{refused}");
    }
}

#[test]
fn a_changed_letter_is_noticed_and_the_rest_is_saved() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = Store::open(folder.path()).expect("opens");
    for number in 1..=20 {
        store.append(&[record(number)]).expect("written");
    }
    store
        .connection
        .execute(
            "UPDATE journal SET event = replace(event, '7', '8') WHERE seq = 7",
            [],
        )
        .expect("a bit flips");
    let damage = store.read(SessionId::new(3)).expect_err("noticed");
    assert_eq!(
        damage.to_string(),
        "record 7 of the journal is damaged: its checksum does not fit"
    );
    drop(store);
    let refused = Store::open(folder.path()).expect_err("noticed");
    assert!(
        refused
            .to_string()
            .contains("record 7 does not fit the one before it"),
        "{refused}"
    );
    let rescued = rescue(folder.path(), Moment(5)).expect("saved");
    assert_eq!((rescued.saved, rescued.lost.as_slice()), (19, &[7][..]));
    assert!(
        rescued.damaged.iter().all(|file| file.exists()),
        "the damaged files are kept"
    );
    let store = Store::open(folder.path()).expect("opens");
    assert_eq!(store.last(), Seq(20), "and what happened is told");
    let records = store.read(SessionId::new(3)).expect("read");
    assert_eq!(records.len(), 19);
    assert!(
        store.backup_mark().expect("read").is_some(),
        "pads will be asked"
    );
}

#[test]
fn a_file_with_torn_pages_is_reported_and_never_opened_silently() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = Store::open(folder.path()).expect("opens");
    for number in 1..=500 {
        store.append(&[record(number)]).expect("written");
    }
    drop(store);
    let path = folder.path().join(FILE_NAME);
    let mut bytes = std::fs::read(&path).expect("read");
    let middle = bytes.len() / 2 / 4096 * 4096;
    bytes[middle..middle + 4096].fill(0xA5);
    std::fs::File::create(&path)
        .and_then(|mut file| file.write_all(&bytes))
        .expect("damaged");
    let refused = Store::open(folder.path()).expect_err("noticed");
    assert!(matches!(refused, StoreError::Damaged { .. }), "{refused}");
    assert!(refused.to_string().contains("--rescue"), "{refused}");
    let rescued = rescue(folder.path(), Moment(5)).expect("saved");
    assert!(rescued.saved >= 400, "{rescued}");
    assert_eq!(rescued.saved + rescued.lost.len() as u64, 500, "{rescued}");
}

#[test]
fn a_copy_that_rots_is_put_aside_and_made_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = Store::open(folder.path()).expect("opens");
    for number in 1..=30 {
        store.append(&[record(number)]).expect("written");
    }
    let copies = folder.path().join(COPIES_FOLDER);
    let (good, bad) = (
        copies.join("journal-00.sqlite"),
        copies.join("journal-01.sqlite"),
    );
    store.backup(&good, Moment(1)).expect("copied");
    store.backup(&bad, Moment(2)).expect("copied");
    let mut bytes = std::fs::read(&bad).expect("read");
    let text = b"reason 12";
    let at = bytes.windows(text.len()).rposition(|it| it == text);
    bytes[at.expect("it is there")] ^= 1;
    std::fs::write(&bad, bytes).expect("damaged");
    let aside = put_damaged_copies_aside(folder.path());
    assert_eq!(aside, [copies.join("journal-01.damaged")]);
    assert!(good.exists());
    let again = store.backup(&bad, Moment(3)).expect("copied");
    assert_eq!(again, Copied::Whole);
    assert_eq!(
        put_damaged_copies_aside(folder.path()),
        [""; 0].map(std::path::PathBuf::from)
    );
}
