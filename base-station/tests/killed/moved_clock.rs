//! The real daemon whose laptop's clock is put forward an hour and back two in mid-session, as a
//! time server or a child may do. Needs Debian's libfaketime (`tests/install clock`).

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Command as Process;
use std::sync::mpsc;
use std::time::Duration;

use base_station::session::{Journal, Moment};
use base_station::store::Store;
use serde_json::Value;

use crate::daemon::Daemon;
use crate::pads::Pads;
use crate::{BAUD, TABLES, compare, measured, set_up};
use bench_parts::Wire;

const MINUTE_MS: u64 = 60_000;

/// A laptop whose clock the test moves. Only the time of day: what the system counts since its
/// start goes on, as it does when a real clock is put right.
struct Laptop {
    folder: tempfile::TempDir,
}

impl Laptop {
    fn start(&self, radio: &str) -> Daemon {
        let mut command = Process::new(env!("CARGO_BIN_EXE_byestand"));
        command
            .env("LD_PRELOAD", library())
            .env("FAKETIME_TIMESTAMP_FILE", self.folder.path().join("clock"))
            .env("FAKETIME_NO_CACHE", "1")
            .env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        Daemon::ready(command, self.folder.path(), radio)
    }

    fn put_clock(&self, hours: i32) {
        // Written aside and renamed: the daemon reads it at every look at the clock.
        let aside = self.folder.path().join("clock-to-be");
        std::fs::write(&aside, format!("{hours:+}h\n")).expect("written");
        std::fs::rename(aside, self.folder.path().join("clock")).expect("renamed");
    }
}

/// Where Debian has it.
fn library() -> String {
    let name = "faketime/libfaketimeMT.so.1";
    let places = std::fs::read_dir("/usr/lib").expect("a system");
    let mut found = places
        .filter_map(|place| Some(place.ok()?.path().join(name)))
        .filter(|path| path.exists());
    let found = found
        .next()
        .expect("libfaketime is installed: tests/install clock");
    found.to_str().expect("a plain name").to_owned()
}

/// Ids of live events as they come, until the daemon is gone.
fn listen(daemon: &Daemon) -> mpsc::Receiver<u64> {
    let page = daemon.ask("GET", "/api/events", &[], "");
    let (send, ids) = mpsc::channel();
    std::thread::spawn(move || {
        let lines = BufReader::new(page).lines().map_while(Result::ok);
        for id in lines.filter_map(|line| line.strip_prefix("id:")?.trim().parse().ok()) {
            if send.send(id).is_err() {
                return;
            }
        }
    });
    ids
}

fn view(daemon: &Daemon) -> Value {
    serde_json::from_slice(&daemon.get("/api/view")).expect("a view")
}

/// The director starts the clock of a round; how far off its end is by the page's own time.
fn start_clock(daemon: &Daemon, round: u8) -> u64 {
    let done = daemon.post(
        "/api/clock",
        &format!(r#"{{"action":"start","round":{round}}}"#),
    );
    assert!(done["seq"].is_u64(), "{done}");
    let view = view(daemon);
    assert_eq!(view["clock"]["round"], round, "{}", view["clock"]);
    let number = |value: &Value| {
        value
            .as_u64()
            .unwrap_or_else(|| panic!("{value} in {view}"))
    };
    number(&view["clock"]["ends_ms"]).saturating_sub(number(&view["now_ms"]))
}

fn recorded(folder: &Path) -> Vec<(u64, Moment)> {
    let store = Store::open(folder).expect("the journal opens");
    let session = base_station::session::State::replay(&store).expect("it can be read");
    let id = session.session.map(|session| session.id);
    let mut records = store.read(None).expect("read");
    records.extend(store.read(id).expect("read"));
    records.sort_by_key(|record| record.seq);
    records
        .iter()
        .map(|record| (record.seq.0, record.at))
        .collect()
}

#[test]
fn a_clock_that_is_put_forward_and_back_in_mid_session_loses_nothing_and_confuses_nobody() {
    let laptop = Laptop {
        folder: tempfile::tempdir().expect("a folder"),
    };
    let mut cells = set_up(laptop.folder.path());
    cells.retain(|cell| cell.round.get() <= 5);
    laptop.put_clock(0);
    let wire = Wire::new();
    let mut daemon = laptop.start(&wire.far_end);
    let key = std::fs::read_to_string(laptop.folder.path().join("club.key")).expect("a key");
    let mut pads = Pads::new(wire, TABLES, BAUD, key.trim(), &cells, 0);
    let ids = listen(&daemon);
    let mut last_id = 0;
    let mut events = Vec::new();
    let length = start_clock(&daemon, 1);
    assert!((MINUTE_MS..60 * MINUTE_MS).contains(&length), "{length} ms");
    for (step, hours) in [(1, 0), (2, 1), (3, -1), (4, 0)] {
        laptop.put_clock(hours);
        pads.play_until_received(cells.len() * step / 5);
        pads.play_for(Duration::from_millis(300));
        // Pages go on hearing of results, in the order of the journal.
        let mut heard = 0;
        for id in ids.try_iter() {
            assert!(id >= last_id, "{id} after {last_id}");
            (last_id, heard) = (id, heard + 1);
        }
        assert!(
            heard > 0,
            "pages heard nothing with the clock at {hours:+} h"
        );
        events.push(heard);
        // The clock that is started now runs as long as a round, whatever it was before.
        let now = start_clock(&daemon, u8::try_from(step).expect("small"));
        assert!(
            now.abs_diff(length) < 5_000,
            "{now} ms instead of {length} ms"
        );
    }
    let finished = pads.play_until_done(Duration::from_mins(1));
    daemon.kill();
    let told = pads.received();
    assert!(finished, "only {} of {} arrived", told.len(), pads.wanted());
    assert_eq!(compare(laptop.folder.path(), &told), (0, 0));
    let heard = pads.heard();
    assert_eq!((heard.twice.len(), heard.twice_empty.len()), (0, 0));

    let records = recorded(laptop.folder.path());
    assert!(
        records
            .iter()
            .map(|(seq, _)| *seq)
            .eq(1..=records.len() as u64)
    );
    let jumps = |from: &[(u64, Moment)]| {
        let by = i128::from(from[1].1.0) - i128::from(from[0].1.0);
        (by.abs() > i128::from(50 * MINUTE_MS)).then_some(by / i128::from(MINUTE_MS))
    };
    // The first records are of an evening long ago: that is how the set-up wrote them.
    let evening: Vec<_> = records
        .into_iter()
        .skip_while(|(_, at)| at.0 < 1_000)
        .collect();
    let jumped: Vec<i128> = evening.windows(2).filter_map(jumps).collect();
    assert!(
        matches!(jumped[..], [59..=61, -121..=-119, 59..=61]),
        "the journal shows the clock as it was: {jumped:?} minutes"
    );
    measured(&format!(
        "clock put +60, -120, +60 minutes: {} results received, none lost, {events:?} live events \
         in the four parts, journal in its order",
        told.len()
    ));
}
