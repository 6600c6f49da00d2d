//! The real daemon, killed again and again at random moments of a 12-table session: no result that
//! a pad was told is received is lost, none counts twice, and the pads go on by themselves.
//!
//! A bounded number of kills here; the full proof is
//! `BYESTAND_KILLS=200 cargo test --release -p base-station --test killed -- --nocapture`.
#![cfg(unix)]

mod daemon;
mod damaged;
mod lost_laptop;
#[cfg(feature = "moved-clock")]
mod moved_clock;
mod pads;
mod rough;
mod unplugged;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use base_station::movement::{Kind, Setup, generate};
use base_station::session::plan::SectionPlan;
use base_station::session::{Cell, Command, Event, Keeper, Moment, Outcome, Request, State, Who};
use base_station::store::Store;
use bench_parts::Wire;
use daemon::Daemon;
use pads::Pads;
use protocol::words::{BoardResult, SectionLetter};

const TABLES: u16 = 12;

/// The fastest line, so that many moments of a session fit into a test.
const BAUD: u32 = 115_200;

/// An open session in a new data folder, as the director would have set it up on the page.
fn set_up(folder: &Path) -> Vec<Cell> {
    let store = Store::open(folder).expect("a new journal");
    let mut keeper = Keeper::open(store, Moment(1)).expect("opens");
    let setup = Setup::new("12".parse().expect("12"), "24".parse().expect("24"));
    let movement = generate(Kind::Mitchell, setup).expect("a Mitchell");
    let section = SectionLetter::A;
    let plan = SectionPlan::of(&movement, "red");
    let create = Command::CreateEvent {
        name: "Killed".to_owned(),
        date: "2026-11-16".to_owned(),
        title: String::new(),
    };
    for command in [
        create,
        Command::PlanSection { section, plan },
        Command::SetDirectorPin {
            pin: protocol::message::Pin(7316),
        },
        Command::Open,
    ] {
        let command = Box::new(command);
        let who = Who::Base;
        let batch = keeper.deal_with(Request::Command { command, who }, Moment(2));
        assert!(matches!(batch.outcomes[0], Outcome::Done(_)));
    }
    let session = keeper.state().session.as_ref().expect("a session");
    let mut cells: Vec<Cell> = session
        .all_tables()
        .flat_map(|table| {
            let rounds = session.sections[&section].sheets(table.table);
            let rounds: Vec<_> = rounds.map(|sitting| sitting.round).collect();
            rounds
                .into_iter()
                .flat_map(move |round| session.expected(table, round))
        })
        .collect();
    cells.sort_by_key(|cell| (cell.table, cell.round, cell.board));
    cells
}

fn kills() -> u32 {
    let wanted = std::env::var("BYESTAND_KILLS").ok();
    wanted.and_then(|text| text.parse().ok()).unwrap_or(10)
}

#[test]
fn a_daemon_killed_at_random_moments_loses_nothing_and_counts_nothing_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    let cells = set_up(folder.path());
    let wire = Wire::new();
    // The first start draws the club's key; the pads learn it as they would at the service port.
    let mut daemon = Daemon::start(folder.path(), &wire.far_end);
    let key = std::fs::read_to_string(folder.path().join("club.key")).expect("a key");
    let kills = kills();
    let mut pads = Pads::new(wire, TABLES, BAUD, key.trim(), &cells, kills);
    let began = Instant::now();
    let mut seed = 0x2026_1116_u64;
    for _ in 0..kills {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let pause = Duration::from_millis(50 + (seed >> 33) % 400);
        pads.play_for(pause);
        daemon.kill();
        daemon = Daemon::start(folder.path(), pads.radio());
    }
    let finished = pads.play_until_done(Duration::from_mins(2));
    let told = pads.received();
    daemon.kill();
    assert!(finished, "only {} of {} arrived", told.len(), pads.wanted());
    let (lost, twice) = compare(folder.path(), &told);
    assert_eq!((lost, twice), (0, 0));
    let heard = pads.heard();
    assert_eq!(heard.twice, [""; 0], "a nonce was used twice");
    assert_eq!(heard.twice_empty, [""; 0], "a nonce was used twice");
    let unread = (heard.unread, heard.unread_empty);
    assert_eq!(unread, (0, 0), "the listener knows every frame");
    // A base that was killed before any pad called it was never met.
    assert!(heard.bases > 1, "only {} starts were met", heard.bases);
    let seconds = began.elapsed().as_secs_f32();
    let count = told.len();
    measured(&format!(
        "{kills} kills, {count} results received, none lost, none twice; {} frames under {} \
         associations with {} starts of the base, no nonce twice; {seconds:.0} s",
        heard.opened, heard.associations, heard.bases
    ));
}

/// A figure for the report of the tests.
fn measured(figure: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "measured: {figure}");
}

/// What pads were told is received, against what the journal holds.
fn compare(folder: &Path, told: &BTreeMap<Cell, BoardResult>) -> (usize, usize) {
    let store = Store::open(folder).expect("the journal opens");
    let state = State::replay(&store).expect("and can be read");
    let session = state.session.expect("the session");
    let lost = told
        .iter()
        .filter(|(cell, result)| {
            session
                .lines
                .get(*cell)
                .and_then(base_station::session::Line::result)
                != Some(**result)
        })
        .count();
    let mut seen = std::collections::BTreeSet::new();
    let twice = session
        .records
        .iter()
        .filter(|record| match &record.event {
            Event::Entered { pad, entry, .. } => !seen.insert((*pad, entry.number)),
            _ => false,
        })
        .count();
    (lost, twice)
}
