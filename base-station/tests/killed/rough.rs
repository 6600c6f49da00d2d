//! The real daemon treated roughly without being killed: stopped, without room on its disk, without
//! its receiver. Its pads go on by themselves, and nothing they were told is received is missing.

use std::io::Write;
use std::process::Command as Process;
use std::time::Duration;

use tempfile::TempDir;

use crate::daemon::Daemon;
use crate::pads::Pads;
use crate::{BAUD, TABLES, compare, measured, set_up};
use bench_parts::Wire;

/// A data folder with an open session, its daemon, and pads that have three rounds to send.
struct Evening {
    folder: TempDir,
    daemon: Daemon,
    pads: Pads,
}

impl Evening {
    fn begin(start: impl FnOnce(&std::path::Path, &str) -> Daemon) -> Self {
        Self::begin_if(|folder, radio| Some(start(folder, radio))).expect("it starts")
    }

    /// `None` if the daemon can't be started in this way here.
    fn begin_if(start: impl FnOnce(&std::path::Path, &str) -> Option<Daemon>) -> Option<Self> {
        let folder = tempfile::tempdir().expect("a folder");
        let mut cells = set_up(folder.path());
        cells.retain(|cell| cell.round.get() <= 3);
        let wire = Wire::new();
        // Under a name of our own, because another receiver has another one.
        let radio = folder.path().join("receiver");
        std::os::unix::fs::symlink(&wire.far_end, &radio).expect("a link");
        let daemon = start(folder.path(), radio.to_str().expect("a plain name"))?;
        let key = std::fs::read_to_string(daemon.data().join("club.key")).expect("a key");
        let pads = Pads::new(wire, TABLES, BAUD, key.trim(), &cells, 0);
        let mut evening = Self {
            folder,
            daemon,
            pads,
        };
        evening.pads.play_for(Duration::from_millis(700));
        Some(evening)
    }

    fn signal(&self, signal: &str) {
        let pid = self.daemon.id().to_string();
        let done = Process::new("kill").args([signal, &pid]).status();
        assert!(done.expect("kill runs").success());
    }

    fn limit_files(&self, limit: &str) {
        let pid = self.daemon.id().to_string();
        let fsize = format!("--fsize={limit}:");
        let done = Process::new("prlimit")
            .args(["--pid", &pid, &fsize])
            .status();
        assert!(done.expect("prlimit runs").success());
    }

    /// The daemon's folder as it is on disk at this moment.
    fn copy_of_folder(&self) -> TempDir {
        let copy = tempfile::tempdir().expect("a folder");
        for file in std::fs::read_dir(self.daemon.data()).expect("the folder") {
            let file = file.expect("an entry");
            if file.file_type().expect("its type").is_file() {
                std::fs::copy(file.path(), copy.path().join(file.file_name())).expect("copied");
            }
        }
        copy
    }

    /// Everything arrives, and the journal has what the pads were told.
    fn end(mut self) {
        let finished = self.pads.play_until_done(Duration::from_mins(3));
        let told = self.pads.received();
        // A disk of its own is gone with the daemon.
        self.signal("-STOP");
        let copy = self.copy_of_folder();
        self.daemon.kill();
        let wanted = self.pads.wanted();
        assert!(finished, "only {} of {wanted} arrived", told.len());
        assert_eq!(compare(copy.path(), &told), (0, 0));
    }

    /// While the disk has no room, pads are told of nothing that is not on it.
    fn hold_up(&mut self) {
        self.pads.play_for(Duration::from_secs(4));
        let told = self.pads.received();
        assert!(told.len() < self.pads.wanted(), "nothing was held up");
        // Pads may still hear of what was written before, and of nothing else.
        let copy = self.copy_of_folder();
        assert_eq!(compare(copy.path(), &told), (0, 0));
    }
}

#[test]
fn a_daemon_that_is_stopped_for_a_while_goes_on_where_it_was() {
    let mut evening = Evening::begin(Daemon::start);
    for _ in 0..3 {
        evening.signal("-STOP");
        evening.pads.play_for(Duration::from_millis(1_500));
        evening.signal("-CONT");
        evening.pads.play_for(Duration::from_millis(300));
    }
    evening.end();
}

#[test]
fn a_disk_without_room_is_told_to_pads_and_nothing_counts_as_received_meanwhile() {
    let mut evening = Evening::begin(Daemon::start_patient);
    evening.limit_files("4096");
    evening.hold_up();
    evening.limit_files("unlimited");
    evening.end();
}

#[test]
fn a_small_disk_that_somebody_fills_with_films_gets_every_score_when_they_are_gone() {
    let Some(mut evening) = Evening::begin_if(Daemon::start_on_small_disk) else {
        measured("no disk may be mounted here: a full one is shown by a file-size limit alone");
        return;
    };
    let films = evening.daemon.data().join("holiday.mp4");
    let mut file = std::fs::File::create(&films).expect("a file");
    while file.write_all(&[0xF1; 4096]).is_ok() {}
    evening.hold_up();
    std::fs::remove_file(&films).expect("it was there");
    drop(file);
    evening.end();
}

#[test]
fn a_receiver_that_is_pulled_out_and_another_one_put_in_loses_nothing() {
    let mut evening = Evening::begin(Daemon::start);
    let radio = evening.folder.path().join("receiver");
    std::fs::remove_file(&radio).expect("the link");
    evening.pads.antenna.wire = Wire::new();
    evening.pads.play_for(Duration::from_secs(2));
    std::os::unix::fs::symlink(evening.pads.radio(), &radio).expect("a link");
    evening.end();
}
