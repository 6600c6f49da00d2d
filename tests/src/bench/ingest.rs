//! How fast results become durable, beside what the disk itself can do, and how long it takes to
//! read a large session again.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base_station::daemon::{SessionHandle, SystemClock, start};
use base_station::movement::BoardSet;
use base_station::session::plan::{SectionPlan, Sitting};
use base_station::session::{Command, State, Who};
use base_station::store::Store;
use protocol::link::Binding;
use protocol::message::{Down, Entry, EntryNumber, Up};
use protocol::words::{
    BoardNumber, BoardResult, PadId, PairNumber, RoundNumber, SectionLetter, TableNumber,
};
use tokio::sync::Barrier;

const TABLES: u16 = 256;
const BOARDS: u8 = 30;
const PER_ROUND: u8 = 3;

/// As large as a stored result.
const APPEND_LEN: usize = 300;

/// What was measured.
#[derive(Clone, Debug)]
pub struct Ingest {
    /// Appends of the same length a second that the disk can synchronise one by one.
    pub disk_a_second: f64,
    /// Results a second of 256 pads that each wait for their answer.
    pub results_a_second: f64,
    /// What the processors worked for each of them, the pads' own part included.
    pub work_a_result: Duration,
    /// From the call of a pad to its answer, for each result, in rising order.
    pub times: Vec<Duration>,
    /// The same for one pad alone.
    pub alone_times: Vec<Duration>,
    /// Reading that session again, its 7,680 results included.
    pub reopened: Duration,
    /// What the processors worked for that.
    pub reopening_work: Duration,
    /// Bytes of its journal.
    pub journal: u64,
    /// Results that were read.
    pub results: usize,
}

/// Measures in a folder of its own beside the other temporary files.
pub fn measure() -> Ingest {
    let folder = tempfile::tempdir().expect("a folder");
    let disk_a_second = synchronised_appends(&folder.path().join("raw"), 500);
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    let alone = runtime.block_on(ingest(&folder.path().join("alone"), 1));
    let data = folder.path().join("all");
    let all = runtime.block_on(ingest(&data, TABLES));
    let (began, worked) = (Instant::now(), work());
    let store = Store::open(&data).expect("the journal opens");
    let state = State::replay(&store).expect("it can be read");
    let (reopened, reopening_work) = (began.elapsed(), work().saturating_sub(worked));
    let lines = state.session.as_ref().map(|session| session.lines.len());
    Ingest {
        disk_a_second,
        results_a_second: all.a_second,
        work_a_result: all.work_a_result,
        times: all.times,
        alone_times: alone.times,
        reopened,
        reopening_work,
        journal: std::fs::metadata(store.path()).map_or(0, |file| file.len()),
        results: lines.unwrap_or_default(),
    }
}

fn synchronised_appends(path: &Path, count: u32) -> f64 {
    let mut file = File::create(path).expect("a file");
    let began = Instant::now();
    for _ in 0..count {
        file.write_all(&[0x42; APPEND_LEN]).expect("written");
        file.sync_data().expect("synchronised");
    }
    f64::from(count) / began.elapsed().as_secs_f64()
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

/// The time that so many of a hundred times are not above, of times in rising order.
pub fn percentile(times: &[Duration], percent: usize) -> Duration {
    let at = (times.len().saturating_sub(1)) * percent / 100;
    times.get(at).copied().unwrap_or_default()
}

/// What the processors have worked for this process.
pub fn work() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    let nanoseconds = u64::try_from(time.tv_nsec).unwrap_or_default();
    Duration::from_secs(seconds) + Duration::from_nanos(nanoseconds)
}

struct Evening {
    a_second: f64,
    work_a_result: Duration,
    times: Vec<Duration>,
}

async fn ingest(data: &Path, pads: u16) -> Evening {
    let store = Store::open(data).expect("a journal");
    let owner = start(store, SystemClock).expect("an owner");
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
        Command::SetDirectorPin {
            pin: protocol::message::Pin(7316),
        },
        Command::Open,
    ] {
        let done = session.command(command, Who::Base).await;
        done.expect("it is done");
    }
    // Logging on is for the beginning of an evening: what is measured are results.
    let logged_on = Arc::new(Barrier::new(usize::from(pads) + 1));
    let mut tasks = tokio::task::JoinSet::new();
    for number in 1..=pads {
        tasks.spawn(play(session.clone(), number, Arc::clone(&logged_on)));
    }
    logged_on.wait().await;
    let (began, worked) = (Instant::now(), work());
    let mut times = Vec::new();
    while let Some(played) = tasks.join_next().await {
        times.extend(played.expect("no pad fails"));
    }
    let count = u32::try_from(times.len()).expect("a few thousand");
    let a_second = f64::from(count) / began.elapsed().as_secs_f64();
    let work_a_result = work().saturating_sub(worked) / count;
    times.sort_unstable();
    drop(session);
    drop(owner.join());
    Evening {
        a_second,
        work_a_result,
        times,
    }
}

/// One pad logs on and enters every board; each entry waits for the answer to the one before.
async fn play(session: SessionHandle, number: u16, logged_on: Arc<Barrier>) -> Vec<Duration> {
    let pad = PadId::new(number.into()).unwrap_or(PadId::MIN);
    let claim = bench_parts::claim(
        SectionLetter::A,
        TableNumber::new(number).unwrap_or(TableNumber::MIN),
    );
    let answer = session.pad_says(pad, None, Up::LogOn(claim)).await;
    let downs = answer.expect("the session answers");
    let binding = downs.iter().find_map(|down| match down {
        Down::Welcome(welcome) => Some(Binding {
            session: welcome.session,
            epoch: welcome.epoch,
        }),
        _ => None,
    });
    logged_on.wait().await;
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
        let answer = session.pad_says(pad, binding, Up::Entry(entry)).await;
        times.push(began.elapsed());
        let downs = answer.expect("the session answers");
        let received = |down: &Down| matches!(down, Down::Received { .. });
        assert!(downs.iter().any(received), "board {board}: {downs:?}");
    }
    times
}
