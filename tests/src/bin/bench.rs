//! Every figure of the project in one table, each beside its limit or its peer.
//!
//! `tests/bench/run` installs the peer, builds what is measured and starts this; alone it leaves
//! out what it was not given.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use air::capacity::{Figures, Scenario, measure};
use base_station::contest::ContestantNumber;
use base_station::contest::draw::{Entrant, Meeting, Method, Wish, draw};
use base_station::scoring::VictoryPoints;
use clap::Parser;
use tests::bench::{ingest, page};
use tests::emulator::Image;
use tests::year;

/// Every figure in one table.
#[derive(Parser)]
struct Arguments {
    /// What `cargo bench --bench scoring` printed.
    #[arg(long)]
    scoring: Option<PathBuf>,
    /// What the test of the double-dummy engine printed.
    #[arg(long)]
    double_dummy: Option<PathBuf>,
    /// Only the journal's figures (ingest and reopening), so many times.
    #[arg(long, value_name = "TIMES")]
    journal: Option<usize>,
}

/// A line of the table.
struct Row {
    what: String,
    measured: String,
    beside: String,
}

fn row(what: &str, measured: impl Into<String>, beside: impl Into<String>) -> Row {
    Row {
        what: what.to_owned(),
        measured: measured.into(),
        beside: beside.into(),
    }
}

fn main() -> std::io::Result<()> {
    let arguments = Arguments::parse();
    let rows = match arguments.journal {
        Some(times) => (0..times).flat_map(|_| durable()).collect(),
        None => everything(&arguments),
    };
    let mut out = std::io::stdout().lock();
    writeln!(out, "| what | measured | its limit or peer |")?;
    writeln!(out, "|---|---|---|")?;
    for Row {
        what,
        measured,
        beside,
    } in rows
    {
        writeln!(out, "| {what} | {measured} | {beside} |")?;
    }
    Ok(())
}

fn everything(arguments: &Arguments) -> Vec<Row> {
    let mut rows = vec![radio(64, 19_200), radio(256, 19_200), radio(256, 57_600)];
    rows.extend(durable());
    rows.push(to_page());
    rows.extend(daemon());
    rows.extend(scoring(arguments.scoring.as_deref()));
    rows.extend(draws());
    rows.push(double_dummy(arguments.double_dummy.as_deref()));
    rows.push(image());
    rows
}

/// Four hundred contestants over twelve rounds, by both methods; who wins is the better number or not,
/// in turn.
fn draws() -> [Row; 2] {
    let numbers = (1..=400).filter_map(ContestantNumber::new);
    let mut field: Vec<Entrant> = numbers.map(Entrant::new).collect();
    let mut slowest = [Duration::ZERO; 2];
    for round in 1..=12 {
        let mut last = None;
        for (slowest, method) in slowest.iter_mut().zip([Method::Classical, Method::Swiss]) {
            let wish = Wish {
                round,
                method,
                seed: 5,
                ..Wish::default()
            };
            let begun = Instant::now();
            last = draw(&field, &wish).ok();
            *slowest = begun.elapsed().max(*slowest);
        }
        let matches = last.map(|it| it.draw.matches).unwrap_or_default();
        for pairing in matches {
            let won = 1_000 + 37 * i32::from((pairing.home.get() + 7 * round) % 27);
            for (own, opponent, vp) in [
                (pairing.home, pairing.away, won),
                (pairing.away, pairing.home, 2_000 - won),
            ] {
                if let Some(entrant) = field.iter_mut().find(|it| it.number == own) {
                    entrant.vp = entrant.vp + VictoryPoints(vp);
                    entrant.met.push(Meeting { opponent, round });
                }
            }
        }
    }
    let [classical, swiss] = slowest;
    [(classical, "classical"), (swiss, "as close as possible")].map(|(slowest, how)| {
        row(
            &format!("the slowest of 12 draws of 400 contestants, {how}"),
            milliseconds(slowest),
            "at most 1,000 ms",
        )
    })
}

fn milliseconds(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}

/// The end of a round on one channel, a twentieth of the frames lost.
fn radio(tables: usize, baud: u32) -> Row {
    let runs: Vec<Figures> = (1..=3)
        .map(|seed| {
            measure(Scenario {
                tables,
                baud,
                loss_permille: 50,
                hidden_permille: 300,
                model: None,
                channels: 1,
                seed,
            })
        })
        .collect();
    let figures = Figures::pooled(&runs);
    let seconds = |percent| Duration::from_micros(figures.percentile(percent).as_micros());
    row(
        &format!("radio: {tables} tables at {baud} baud, 5% of frames lost, all within 60 s"),
        format!(
            "received after {:.2} s (p50), {:.2} s (p99); {} late, {} twice",
            seconds(50).as_secs_f64(),
            seconds(99).as_secs_f64(),
            figures.lost,
            figures.twice
        ),
        format!(
            "{:.0}% of what a perfect schedule carries",
            figures.of_limit * 100.0
        ),
    )
}

fn durable() -> [Row; 2] {
    let figures = ingest::measure();
    [
        row(
            "ingest: 256 pads, each waits for its answer",
            format!(
                "{:.0} durable results a second; call to answer {} (p50), {} (p99), {} (p99) for one pad alone",
                figures.results_a_second,
                milliseconds(ingest::percentile(&figures.times, 50)),
                milliseconds(ingest::percentile(&figures.times, 99)),
                milliseconds(ingest::percentile(&figures.alone_times, 99))
            ),
            format!(
                "the disk alone: {:.0} synchronised appends a second",
                figures.disk_a_second
            ),
        ),
        row(
            &format!("reopening 256 tables with {} results", figures.results),
            format!("{:.1} ms", figures.reopened.as_secs_f64() * 1e3),
            format!("at most 1,000 ms; journal {} kB", figures.journal / 1000),
        ),
    ]
}

fn to_page() -> Row {
    let (median, p99) = page::measure();
    row(
        "from a pad's call to a page that has been told, 64 tables",
        format!(
            "{} (p50), {} (p99)",
            milliseconds(median),
            milliseconds(p99)
        ),
        "at most 250 ms to the changed cell (tests/README.md has the browser's figures)",
    )
}

/// One night of 256 tables in the real daemon.
fn daemon() -> Vec<Row> {
    let options = year::Options {
        nights: 1,
        tables: 256,
        boards: 26,
        receivers: 52,
        baud: 460_800,
        at_most: Duration::MAX,
    };
    let year = year::play(&options, &mut |_| {});
    let nights = year.nights.iter();
    nights
        .flat_map(|night| {
            [
                row(
                    "the daemon: from frame to acknowledgement, 256 tables at once over 52 wires",
                    format!(
                        "{} ms (p50), {} ms (p99); {} results",
                        night.wait_median.as_millis(),
                        night.wait_p99.as_millis(),
                        night.results
                    ),
                    "answers go out once a cycle, which is 64 ms at 460,800 baud",
                ),
                row(
                    "the daemon: memory after 256 tables",
                    format!("{:.1} MB", megabytes(night.memory)),
                    "tests/README.md: does not grow with past sessions",
                ),
            ]
        })
        .collect()
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// Lines such as `matchpoints 11 0.85 us 3.10 us 3.6x`.
fn scoring(printed: Option<&Path>) -> Vec<Row> {
    let missing = || vec![row("scoring a board", "not run", "start tests/bench/run")];
    let Some(text) = printed.and_then(|path| std::fs::read_to_string(path).ok()) else {
        return missing();
    };
    let rows: Vec<Row> = text
        .lines()
        .filter_map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [method, results, own, "us", peer, "us", faster] = words[..] else {
                return None;
            };
            Some(row(
                &format!("scoring a board: {method}, {results} results"),
                format!("{own} us"),
                format!("bridge-scorer (npm): {peer} us, {faster}"),
            ))
        })
        .collect();
    if rows.is_empty() { missing() } else { rows }
}

/// A line such as `measured: 0.050 s a deal on one core, the engine alone 0.049 s`.
fn double_dummy(printed: Option<&Path>) -> Row {
    let text = printed.and_then(|path| std::fs::read_to_string(path).ok());
    let line = text.as_deref().and_then(|text| {
        let mut lines = text.lines();
        lines.find_map(|line| line.trim().strip_prefix("measured: "))
    });
    match line.and_then(|line| line.split_once(", ")) {
        Some((own, alone)) => row("double dummy: all tricks and par", own, alone),
        None => row(
            "double dummy: all tricks and par",
            "not run",
            "needs g++ and libclang: start tests/bench/run",
        ),
    }
}

fn image() -> Row {
    let what = "the pad's image";
    match Image::find() {
        Some(image) => {
            let size = image.size();
            row(
                what,
                format!(
                    "{} B of flash, {} B of static RAM",
                    size.flash(),
                    size.static_ram()
                ),
                "at most 262,144 B and 65,536 B",
            )
        }
        None => row(
            what,
            "not built",
            "build it with tests/firmware-toolchain fw",
        ),
    }
}
