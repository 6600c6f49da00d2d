//! The real daemon, whose receiver is pulled out and put in again under another name.

use std::os::unix::fs::symlink;
use std::time::Duration;

use super::daemon::Daemon;
use super::pads::Pads;
use super::{BAUD, TABLES, compare, set_up};
use bench_parts::Wire;

#[test]
fn a_receiver_unplugged_mid_session_comes_back_under_another_name_and_every_score_arrives() {
    let folder = tempfile::tempdir().expect("a folder");
    let cells = set_up(folder.path());
    // A folder that stands for the machine's own of devices.
    let devices = tempfile::tempdir().expect("a folder");
    let plug = |wire: &Wire, name: &str| {
        let port = devices.path().join(name);
        symlink(&wire.far_end, &port).expect("plugged in");
        port
    };
    let wire = Wire::new();
    let mut port = plug(&wire, "ttyUSB0");
    let mut daemon = Daemon::start(folder.path(), port.to_str().expect("plain"));
    let key = std::fs::read_to_string(folder.path().join("club.key")).expect("a key");
    let mut pads = Pads::new(wire, TABLES, BAUD, key.trim(), &cells, 0);
    for name in ["ttyUSB1", "ttyUSB0", "ttyUSB2"] {
        let before = pads.received().len();
        while pads.received().len() == before {
            pads.play_for(Duration::from_millis(20));
        }
        std::fs::remove_file(&port).expect("it was there");
        // The old end is closed: the daemon's port is dead, as that of a pulled adapter is.
        pads.antenna.wire = Wire::new();
        pads.play_for(Duration::from_millis(600));
        port = plug(&pads.antenna.wire, name);
    }
    assert!(pads.received().len() < cells.len(), "the session was over");
    let finished = pads.play_until_done(Duration::from_mins(2));
    let told = pads.received();
    daemon.kill();
    assert!(finished, "only {} of {} arrived", told.len(), cells.len());
    assert_eq!(compare(folder.path(), &told), (0, 0));
}
