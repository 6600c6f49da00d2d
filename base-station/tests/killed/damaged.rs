//! The data folder is damaged while the base station is down: the director is asked on the page,
//! and the evening goes on with everything.

use std::fs;
use std::time::Duration;

use base_station::store::FILE_NAME;

use crate::daemon::{Asking, Daemon};
use crate::pads::Pads;
use crate::{BAUD, TABLES, compare, measured, set_up};
use bench_parts::Wire;
use tempfile::TempDir;

/// A base station that was killed when half of the results of these rounds were there.
fn killed_half_way(rounds: u8) -> (TempDir, Pads) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut cells = set_up(folder.path());
    cells.retain(|cell| cell.round.get() <= rounds);
    let wire = Wire::new();
    let mut daemon = Daemon::start(folder.path(), &wire.far_end);
    let key = fs::read_to_string(folder.path().join("club.key")).expect("a key");
    let mut pads = Pads::new(wire, TABLES, BAUD, key.trim(), &cells, 0);
    pads.play_until_received(cells.len() / 2);
    daemon.kill();
    (folder, pads)
}

#[test]
fn a_damaged_journal_is_rescued_from_the_page_and_the_pads_bring_what_no_file_has() {
    let (folder, mut pads) = killed_half_way(3);
    let log = folder.path().join(format!("{FILE_NAME}-wal"));
    // The log is gone, and with it whatever was not in the journal's own file yet.
    fs::remove_file(&log).expect("a log");
    let before = fs::read(folder.path().join(FILE_NAME)).expect("a journal");

    let asking = Asking::start(folder.path(), pads.radio());
    let page = asking.page("en");
    assert!(page.contains("The journal is damaged"), "{page}");
    assert!(page.contains("at its end are missing"), "{page}");
    assert!(asking.page("de").contains("Retten, was zu retten ist"));
    let refused = asking.answer("rescue", "00000000000000000000000000000000");
    assert!(
        refused.contains("out of date"),
        "only our own page answers: {refused}"
    );
    assert_eq!(
        fs::read(folder.path().join(FILE_NAME)).expect("a journal"),
        before,
        "nothing is touched before the director says so"
    );
    let report = asking.answer("rescue", &asking.token());
    assert!(
        report.contains("records of the damaged journal were saved"),
        "{report}"
    );
    let mut daemon = asking.ready();
    let finished = pads.resend_everything(Duration::from_mins(2));
    let told = pads.received();
    assert!(finished, "only {} of {} arrived", told.len(), pads.wanted());
    let sheet = String::from_utf8_lossy(&daemon.get("/print/rescue")).into_owned();
    assert!(sheet.contains("Every pad has been asked"), "{sheet}");
    daemon.kill();
    assert_eq!(compare(folder.path(), &told), (0, 0));
    measured(&format!(
        "log removed, rescued from the page: all {} results are there",
        told.len()
    ));
}

#[test]
fn a_damaged_journal_is_rescued_from_the_command_line_which_says_what_was_saved() {
    let (folder, mut pads) = killed_half_way(2);
    let journal = folder.path().join(FILE_NAME);
    let whole = fs::read(&journal).expect("a journal");
    fs::write(&journal, &whole[..whole.len() / 2]).expect("half of it");

    let (mut daemon, said) = Daemon::start_with_rescue(folder.path(), pads.radio());
    assert!(
        said.contains("records of the damaged journal were saved"),
        "{said}"
    );
    assert!(
        said.contains("  ") && said.contains(" from "),
        "each file and what it gave: {said}"
    );
    let kept = fs::read_dir(folder.path()).expect("a folder").flatten();
    let kept = kept.filter(|it| it.file_name().to_string_lossy().contains("damaged"));
    assert!(kept.count() > 0, "the damaged file is kept: {said}");
    let finished = pads.resend_everything(Duration::from_mins(2));
    let told = pads.received();
    assert!(finished, "only {} of {} arrived", told.len(), pads.wanted());
    daemon.kill();
    assert_eq!(compare(folder.path(), &told), (0, 0));
    // What is whole is left alone, and nothing is said of a rescue.
    let (mut daemon, said) = Daemon::start_with_rescue(folder.path(), pads.radio());
    assert!(!said.contains("were saved"), "{said}");
    daemon.kill();
}

#[test]
fn a_lost_club_key_is_asked_about_and_its_copy_puts_everything_right() {
    let folder = tempfile::tempdir().expect("a folder");
    set_up(folder.path());
    let wire = Wire::new();
    let mut daemon = Daemon::start(folder.path(), &wire.far_end);
    daemon.kill();
    let path = folder.path().join("club.key");
    let key = fs::read_to_string(&path).expect("a key");
    fs::remove_file(&path).expect("lost");
    let asking = Asking::start(folder.path(), &wire.far_end);
    assert!(!path.exists(), "none is drawn in silence");
    let page = asking.page("en");
    assert!(page.contains("key is gone"), "{page}");
    let report = asking.answer("copy", &asking.token());
    assert!(report.contains("is back in its place"), "{report}");
    let mut daemon = asking.ready();
    daemon.kill();
    assert_eq!(fs::read_to_string(&path).expect("a key"), key);

    // Without its copy, only a new one helps.
    fs::remove_file(&path).expect("lost again");
    fs::remove_dir_all(folder.path().join("backups")).expect("and its copy");
    let asking = Asking::start(folder.path(), &wire.far_end);
    assert!(!asking.page("en").contains("Use the copy"));
    asking.answer("new", &asking.token());
    let mut daemon = asking.ready();
    daemon.kill();
    assert_ne!(fs::read_to_string(&path).expect("a new key"), key);
}
