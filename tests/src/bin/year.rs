//! Plays a year of club nights in the real daemon and says whether it grows.
//!
//! `cargo run --release -p tests --bin year` plays 260 nights of 256 tables; `--nights 10` fewer.

use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use tests::year::{AfterNight, Options, Year, play};

/// Memory that may be added after the first tenth of the nights: what the allocator keeps of the
/// busiest moment so far, and the calendar's own lines.
const MEMORY_ADDED_MAX: u64 = 24_000_000;

/// A year of club nights in the real daemon.
#[derive(Parser)]
struct Arguments {
    /// Nights; five a week make 260 a year.
    #[arg(long, default_value_t = 260)]
    nights: u32,
    /// Tables in the hall.
    #[arg(long, default_value_t = 256)]
    tables: u16,
    /// Boards a night, about.
    #[arg(long, default_value_t = 26)]
    boards: u8,
    /// Receivers that the tables are spread over.
    #[arg(long, default_value_t = 52)]
    receivers: u16,
    /// Baud rate of the receivers.
    #[arg(long, default_value_t = 460_800)]
    baud: u32,
    /// No night begins after so many minutes, however many are left.
    #[arg(long, default_value_t = 600)]
    minutes: u64,
}

fn main() -> std::io::Result<ExitCode> {
    let arguments = Arguments::parse();
    let options = Options {
        nights: arguments.nights,
        tables: arguments.tables,
        boards: arguments.boards,
        receivers: arguments.receivers,
        baud: arguments.baud,
        at_most: Duration::from_mins(arguments.minutes),
    };
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{:>6}{:>10}{:>12}{:>10}{:>12}{:>14}{:>14}",
        "night", "results", "in all", "a second", "p99 wait", "memory", "journal"
    )?;
    let began = Instant::now();
    let every = (arguments.nights / 26).max(1);
    let year = play(&options, &mut |after| {
        if after.night % every == 0 || after.night == 1 {
            // A figure that can't be printed does not stop the year.
            let _ = writeln!(out, "{}", line(after)).and_then(|()| out.flush());
        }
    });
    report(&year, began, &options, &mut out)
}

fn line(after: &AfterNight) -> String {
    let rate = float(after.results) / after.took.as_secs_f64();
    format!(
        "{:>6}{:>10}{:>12}{rate:>10.0}{:>9} ms{:>11.1} MB{:>11.1} MB",
        after.night,
        after.results,
        after.results_in_all,
        after.wait_p99.as_millis(),
        megabytes(after.memory),
        megabytes(after.journal)
    )
}

fn report(
    year: &Year,
    began: Instant,
    options: &Options,
    out: &mut impl Write,
) -> std::io::Result<ExitCode> {
    let (Some(last), Some((early, late))) = (year.nights.last(), year.journal_a_result()) else {
        writeln!(out, "no night was played")?;
        return Ok(ExitCode::FAILURE);
    };
    let most = year.nights.iter().map(|night| night.memory).max();
    let added = year.memory_added();
    writeln!(
        out,
        "measured: {} nights of {} tables, {} results in {:.0} minutes; memory at most {:.1} MB, \
         {:.1} MB of it added after the first tenth; journal {:.1} MB, {early} bytes a result in \
         the first half, {late} in the second; ready again after {:.2} s with {:.1} MB",
        last.night,
        options.tables,
        last.results_in_all,
        began.elapsed().as_secs_f64() / 60.0,
        megabytes(most.unwrap_or_default()),
        megabytes(added),
        megabytes(last.journal),
        year.reopened.as_secs_f64(),
        megabytes(year.memory_reopened),
    )?;
    let steady = late <= early + early / 10;
    if added > MEMORY_ADDED_MAX || !steady {
        writeln!(out, "The daemon grows with the past: that is a violation.")?;
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

fn megabytes(bytes: u64) -> f64 {
    float(bytes) / 1e6
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn float(number: u64) -> f64 {
    number as f64
}
