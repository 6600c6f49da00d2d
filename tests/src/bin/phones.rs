//! A hall of phones on one base: how long a result takes from East's key until the phone knows that
//! the base has it, and what the daemon needs for it.
//!
//! `cargo run --release -p tests --bin phones -- --tables 256 --boards 4`

use std::io::Write;
use std::time::{Duration, Instant};

use clap::Parser;
use tests::daemon::Daemon;
use tests::phones::{Hand, link, place, set_up};

#[derive(Debug, Parser)]
struct Arguments {
    /// Phones, one at each table.
    #[arg(long, default_value_t = 256)]
    tables: u16,
    /// Boards that each enters.
    #[arg(long, default_value_t = 4)]
    boards: u32,
}

fn main() -> std::io::Result<()> {
    let arguments = Arguments::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(play(&arguments))
}

async fn play(arguments: &Arguments) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    let daemon = Daemon::start(&[], 19_200);
    set_up(&daemon, arguments.tables, 24);
    let address = daemon.address();
    let before = daemon.memory();
    let began = Instant::now();
    let boards = arguments.boards;
    let mut players = Vec::new();
    for table in 1..=arguments.tables {
        let (section, number) = place(table);
        let link = link(&daemon, &format!("{section}{number}"));
        let mut hand = Hand::join(address, &link, table, u64::from(table) << 20);
        // Whoever has sat down begins, while others still scan their codes.
        players.push(tokio::spawn(async move {
            hand.play(boards, Duration::from_mins(4)).await;
            hand.waits
        }));
    }
    let mut waits = Vec::new();
    for player in players {
        waits.extend(player.await.map_err(std::io::Error::other)?);
    }
    waits.sort_unstable();
    let share = |percent: usize| waits[waits.len().saturating_sub(1) * percent / 100];
    writeln!(
        out,
        "{} phones, {} results in {:.1} s: from accept to received median {} ms, 99th percentile {} ms, slowest {} ms",
        arguments.tables,
        waits.len(),
        began.elapsed().as_secs_f32(),
        share(50).as_millis(),
        share(99).as_millis(),
        share(100).as_millis(),
    )?;
    writeln!(
        out,
        "memory of the daemon: {:.1} MB with nobody, {:.1} MB with all of them",
        megabytes(before),
        megabytes(daemon.memory()),
    )
}

#[expect(clippy::cast_precision_loss, reason = "a rough number for people")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
