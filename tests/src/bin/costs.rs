//! One run of what the journal costs, as plain numbers. `tests/bench/costs` compiles this file in two
//! commits and lets them run in turn, so it uses only what both have.

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use base_station::session::{Event, Journal, Moment, NewRecord, State, Who};
use base_station::store::Store;
use clap::Parser;
use protocol::words::SessionId;
use tests::bench::ingest;

/// One run of what the journal costs, as plain numbers.
#[derive(Parser)]
enum Arguments {
    /// 256 pads send 7,680 results. In lines: results a second; nanoseconds that the processors
    /// worked for each; microseconds from call to answer, of every result; the same of one pad
    /// alone; microseconds for reading all of it again, and what the processors worked for that.
    Ingest,
    /// Makes a journal of earlier years.
    Fill {
        /// Where.
        folder: PathBuf,
        /// About so many bytes.
        len: u64,
    },
    /// Microseconds until a journal is open and read, and what the processors worked for that.
    Open {
        /// Where.
        folder: PathBuf,
    },
}

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    match Arguments::parse() {
        Arguments::Ingest => {
            let it = ingest::measure();
            writeln!(out, "{:.0}", it.results_a_second)?;
            writeln!(out, "{}", it.work_a_result.as_nanos())?;
            writeln!(out, "{}", in_microseconds(&it.times))?;
            writeln!(out, "{}", in_microseconds(&it.alone_times))?;
            writeln!(out, "{}", in_microseconds(&[it.reopened]))?;
            writeln!(out, "{}", in_microseconds(&[it.reopening_work]))
        }
        Arguments::Fill { folder, len } => {
            fill(&folder, len);
            Ok(())
        }
        Arguments::Open { folder } => {
            let (began, worked) = (Instant::now(), ingest::work());
            let store = Store::open(&folder).expect("the journal opens");
            State::replay(&store).expect("it can be read");
            let (took, work) = (began.elapsed(), ingest::work().saturating_sub(worked));
            writeln!(out, "{}", in_microseconds(&[took]))?;
            writeln!(out, "{}", in_microseconds(&[work]))
        }
    }
}

fn in_microseconds(times: &[Duration]) -> String {
    let words = times.iter().map(|time| time.as_micros().to_string());
    words.collect::<Vec<_>>().join(" ")
}

fn fill(folder: &std::path::Path, len: u64) {
    // A record of these takes about so much in table and index.
    const EACH: u64 = 400;
    let record = |number: u64| NewRecord {
        at: Moment(1_794_000_000_000 + number),
        who: Who::Director("Anna".to_owned()),
        session: SessionId::new(9_000),
        event: Event::Reopened {
            why: format!("reason {number} of earlier years {}", "x".repeat(230)),
        },
    };
    let mut store = Store::open(folder).expect("a journal");
    let numbers: Vec<u64> = (1..=len / EACH).collect();
    for part in numbers.chunks(5_000) {
        let records: Vec<NewRecord> = part.iter().copied().map(record).collect();
        store.append(&records).expect("written");
    }
}
