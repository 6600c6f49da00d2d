//! How fast results become durable, beside what the disk itself can do.
//!
//! `cargo run --release -p base-station --example ingest [folder]` prints a table: the disk's own
//! rate of synchronised appends, results a second for 1, 16 and 256 pads that each wait for their
//! answer, the time from a pad's call to its answer, and the time to reopen a session of 256
//! tables and 30 boards.
#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts and times are printed with three digits"
)]

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use base_station::daemon::{SessionHandle, SystemClock, start};
use base_station::movement::BoardSet;
use base_station::session::plan::{SectionPlan, Sitting};
use base_station::session::{Command, State, Who};
use base_station::store::Store;
use protocol::link::Binding;
use protocol::message::{CheckIn, Down, Entry, EntryNumber, FirmwareVersion, LogOn, Up};
use protocol::words::{
    BoardNumber, BoardResult, PadId, PairNumber, RoundNumber, SectionLetter, TableNumber,
};

const TABLES: u16 = 256;
const BOARDS: u8 = 30;
const PER_ROUND: u8 = 3;

/// As large as a stored result.
const APPEND_LEN: usize = 300;

fn main() -> anyhow::Result<()> {
    let folder = match std::env::args_os().nth(1) {
        Some(folder) => tempfile::tempdir_in(folder)?,
        None => tempfile::tempdir()?,
    };
    let mut out = std::io::stdout().lock();
    let disk = synchronised_appends(&folder.path().join("raw"), 500)?;
    writeln!(out, "disk alone: {disk:.0} synchronised appends/s")?;
    let runtime = tokio::runtime::Runtime::new()?;
    for pads in [1, 16, 256] {
        let data = folder.path().join(format!("{pads}"));
        let (rate, p50, p99) = runtime.block_on(ingest(&data, pads))?;
        writeln!(
            out,
            "{pads:>3} pads: {rate:.0} durable results/s, call to answer p50 {:.2} ms, p99 {:.2} ms",
            p50.as_secs_f64() * 1e3,
            p99.as_secs_f64() * 1e3
        )?;
    }
    let data = folder.path().join("256");
    let began = Instant::now();
    let store = Store::open(&data)?;
    let state = State::replay(&store)?;
    let lines = state
        .session
        .as_ref()
        .map_or(0, |session| session.lines.len());
    let reopened = began.elapsed();
    let size = std::fs::metadata(store.path())?.len();
    writeln!(
        out,
        "reopening {TABLES} tables, {lines} results: {:.0} ms, journal {:.1} MB",
        reopened.as_secs_f64() * 1e3,
        size as f64 / 1e6
    )?;
    let began = Instant::now();
    let standings = state.session.map(|session| session.standings());
    let pairs: usize = standings
        .iter()
        .flat_map(|s| &s.lists)
        .map(|l| l.places.len())
        .sum();
    writeln!(
        out,
        "ranking of {pairs} pairs from scratch: {:.1} ms",
        began.elapsed().as_secs_f64() * 1e3
    )?;
    Ok(())
}

fn synchronised_appends(path: &Path, count: u32) -> anyhow::Result<f64> {
    let mut file = File::create(path)?;
    let began = Instant::now();
    for _ in 0..count {
        file.write_all(&[0x42; APPEND_LEN])?;
        file.sync_data()?;
    }
    Ok(f64::from(count) / began.elapsed().as_secs_f64())
}

/// Every table plays the same boards in the same order: the movement does not matter here.
fn plan() -> SectionPlan {
    let rounds = BOARDS / PER_ROUND;
    let sittings = (1..=rounds)
        .flat_map(|round| {
            (1..=TABLES).filter_map(move |table| {
                let first = (round - 1) * PER_ROUND + 1;
                let boards = BoardSet::range(
                    BoardNumber::new(first)?,
                    BoardNumber::new(first + PER_ROUND - 1)?,
                );
                Some(Sitting {
                    round: RoundNumber::new(round)?,
                    table: TableNumber::new(table)?,
                    ns: PairNumber::new(table),
                    ew: PairNumber::new((table + u16::from(round)) % TABLES + 1),
                    boards,
                    arrow_switched: false,
                })
            })
        })
        .collect();
    SectionPlan {
        colour: "red".to_owned(),
        movement: "bench".to_owned(),
        one_winner: false,
        sittings,
        announcements: Vec::new(),
    }
}

async fn ingest(data: &Path, pads: u16) -> anyhow::Result<(f64, Duration, Duration)> {
    let owner = start(Store::open(data)?, SystemClock)?;
    let session = owner.handle.clone();
    let section = SectionLetter::A;
    let create = Command::CreateEvent {
        name: "Bench".to_owned(),
        date: "2026-11-16".to_owned(),
        title: String::new(),
    };
    let plan = plan();
    for command in [
        create,
        Command::PlanSection { section, plan },
        Command::Open,
    ] {
        session.command(command, Who::Base).await?;
    }
    let began = Instant::now();
    let mut tasks = tokio::task::JoinSet::new();
    for number in 1..=pads {
        tasks.spawn(play(session.clone(), number));
    }
    let mut times = Vec::new();
    while let Some(played) = tasks.join_next().await {
        times.extend(played??);
    }
    let rate = times.len() as f64 / began.elapsed().as_secs_f64();
    times.sort_unstable();
    drop(session);
    drop(owner.join());
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    Ok((rate, at(0.5), at(0.99)))
}

/// One pad logs on and enters every board; each entry waits for the answer to the one before.
async fn play(session: SessionHandle, number: u16) -> anyhow::Result<Vec<Duration>> {
    let pad = PadId::new(number.into()).unwrap_or(PadId::MIN);
    let claim = LogOn {
        section: SectionLetter::A,
        table: TableNumber::new(number).unwrap_or(TableNumber::MIN),
        wire_version: protocol::message::WIRE_VERSION,
        firmware: FirmwareVersion(1, 0, 0),
        state: CheckIn {
            battery_20_mv: 150,
            signal_minus_dbm: 60,
            unsent: 0,
            round: RoundNumber::FIRST,
        },
    };
    let downs = session.pad_says(pad, None, Up::LogOn(claim)).await?;
    let binding = downs.iter().find_map(|down| match down {
        Down::Welcome(welcome) => Some(Binding {
            session: welcome.session,
            epoch: welcome.epoch,
        }),
        _ => None,
    });
    let mut times = Vec::new();
    for board in 1..=BOARDS {
        let round = RoundNumber::new((board - 1) / PER_ROUND + 1).unwrap_or(RoundNumber::FIRST);
        let entry = Entry {
            number: EntryNumber(board.into()),
            round,
            agreed_in: round,
            board: BoardNumber::new(board).unwrap_or(BoardNumber::MIN),
            result: BoardResult::PassedOut,
            correction: false,
            by_director: false,
        };
        let began = Instant::now();
        let downs = session.pad_says(pad, binding, Up::Entry(entry)).await?;
        times.push(began.elapsed());
        anyhow::ensure!(
            downs
                .iter()
                .any(|down| matches!(down, Down::Received { .. })),
            "board {board} was not received: {downs:?}"
        );
    }
    Ok(times)
}
