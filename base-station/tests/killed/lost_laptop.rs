//! The laptop is lost in mid-session: the real daemon goes on elsewhere from a backup, the pads bring
//! what came after it, and somebody who heard every frame never hears a nonce twice.

use std::time::Duration;

use base_station::session::State;
use base_station::store::{FILE_NAME, Store};

use crate::daemon::Daemon;
use crate::pads::Pads;
use crate::{BAUD, TABLES, compare, measured, set_up};
use bench_parts::Wire;

#[test]
fn a_backup_opened_on_another_laptop_gets_everything_back_and_no_nonce_is_used_twice() {
    let lost = tempfile::tempdir().expect("a folder");
    let mut cells = set_up(lost.path());
    cells.retain(|cell| cell.round.get() <= 4);
    let wire = Wire::new();
    let mut daemon = Daemon::start(lost.path(), &wire.far_end);
    let key = std::fs::read(lost.path().join("club.key")).expect("a key");
    let text = String::from_utf8_lossy(&key).into_owned();
    let mut pads = Pads::new(wire, TABLES, BAUD, text.trim(), &cells, 0);
    pads.play_until_received(cells.len() / 3);
    let backup = daemon.get("/api/backup");
    let at_backup = pads.received().len();
    pads.play_until_received(cells.len() * 2 / 3);
    daemon.kill();
    let at_loss = pads.received().len();
    assert!(at_loss > at_backup, "something came after the backup");

    let other = tempfile::tempdir().expect("a folder");
    std::fs::write(other.path().join(FILE_NAME), backup).expect("the backup");
    std::fs::write(other.path().join("club.key"), key).expect("the key");
    let mut daemon = Daemon::start(other.path(), pads.radio());
    let finished = pads.resend_everything(Duration::from_mins(2));
    // And once more, because a base that went on from a backup dies like any other.
    daemon.kill();
    let mut daemon = Daemon::start(other.path(), pads.radio());
    pads.play_for(Duration::from_secs(2));
    daemon.kill();
    let told = pads.received();
    assert!(finished, "only {} of {} arrived", told.len(), pads.wanted());
    assert_eq!(compare(other.path(), &told), (0, 0));

    let store = Store::open(other.path()).expect("the journal opens");
    let state = State::replay(&store).expect("and can be read");
    assert!(
        state.club.backup.is_some(),
        "the journal says where it came from"
    );
    let heard = pads.heard();
    assert_eq!(heard.twice, [""; 0], "a nonce was used twice");
    assert_eq!(heard.twice_empty, [""; 0], "a nonce was used twice");
    let unread = (heard.unread, heard.unread_empty);
    assert_eq!(unread, (0, 0), "the listener knows every frame");
    assert!(heard.bases >= 2, "both bases were met");
    measured(&format!(
        "laptop lost with {at_loss} results, backup with {at_backup} opened elsewhere: all {} are \
         there, {} frames under {} associations, no nonce twice",
        told.len(),
        heard.opened,
        heard.associations
    ));
}
