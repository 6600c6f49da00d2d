//! How long scoring takes: a board beside the npm package `bridge-scorer` on the same results, and
//! one more result in large fields. `tests/bench/run` installs the peer and starts this.
//!
//! Every figure is the fastest of many rounds: on a laptop that does other things as well, that is
//! the one which repeats.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use protocol::words::{BoardNumber, PairNumber, Score, SectionLetter};
use scoring::{
    Datum, DatumRounding, DatumRules, Field, Method, Outcome, Percent, Points, Row, RowScores,
    Rules, Scorer, Trimming,
};
use serde::Deserialize;

/// Boards of one size, so that the fastest round is not one lucky board.
const BOARDS: usize = 30;
/// A club's field and a large one.
const SIZES: [usize; 2] = [11, 100];

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    let sizes: BTreeMap<usize, Vec<Vec<i16>>> = SIZES
        .into_iter()
        .map(|results| (results, travellers(results)))
        .collect();
    match std::env::var_os("BYESTAND_BENCH_PEER") {
        Some(folder) => beside_the_peer(Path::new(&folder), &sizes, &mut out)?,
        None => writeln!(out, "without the peer: start tests/bench/run to compare")?,
    }
    writeln!(
        out,
        "\n{:<14}{:>9}{:>16}{:>18}",
        "field", "tables", "its board", "and the ranking"
    )?;
    for (name, method) in methods(100) {
        for tables in [256, 10_000] {
            one_more_result(name, method, tables, &mut out)?;
        }
    }
    Ok(())
}

/// The peer drops so many scores at each end of a Butler board.
fn methods(results: usize) -> [(&'static str, Method); 3] {
    let drop = results.saturating_sub(10).div_ceil(15) + 1;
    let trimming = Trimming::Each(u8::try_from(drop).unwrap_or(u8::MAX));
    [
        ("matchpoints", Method::Matchpoints),
        ("cross-IMPs", Method::CrossImps),
        ("Butler", Method::Butler(DatumRules::new(trimming))),
    ]
}

#[derive(Deserialize)]
struct Measured {
    results: usize,
    method: String,
    nanoseconds: f64,
    points: Vec<Vec<f64>>,
}

fn beside_the_peer(
    folder: &Path,
    sizes: &BTreeMap<usize, Vec<Vec<i16>>>,
    out: &mut impl Write,
) -> io::Result<()> {
    std::fs::write(folder.join("boards.json"), serde_json::to_vec(sizes)?)?;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/bench/peer.js");
    let status = Command::new("node").arg(script).arg(folder).status()?;
    assert!(status.success(), "the peer failed");
    let peer: Vec<Measured> = serde_json::from_slice(&std::fs::read(folder.join("peer.json"))?)?;
    writeln!(
        out,
        "{:<14}{:>9}{:>16}{:>18}{:>9}",
        "one board", "results", "Byestand", "bridge-scorer", "faster"
    )?;
    for measured in peer {
        let (name, method) = methods(measured.results)
            .into_iter()
            .find(|(name, _)| *name == measured.method)
            .expect("a method that both know");
        let boards: Vec<Vec<Row>> = sizes[&measured.results].iter().map(|it| rows(it)).collect();
        let mut scorer = Scorer::new(Rules {
            method,
            ..Rules::default()
        });
        agree(&mut scorer, &boards, &measured);
        let own = fastest(|| {
            for rows in &boards {
                black_box(with_percentages(&mut scorer, black_box(rows)));
            }
        });
        let own = own.as_secs_f64() * 1e9 / to_f64(boards.len());
        writeln!(
            out,
            "{name:<14}{:>9}{:>13.2} us{:>15.2} us{:>8.1}x",
            measured.results,
            own / 1e3,
            measured.nanoseconds / 1e3,
            measured.nanoseconds / own
        )?;
    }
    Ok(())
}

/// The peer works out percentages of matchpoints too, so there they belong to the time.
fn with_percentages(scorer: &mut Scorer, rows: &[Row]) -> i64 {
    let board = scorer.board(rows);
    if board.top == Points::ZERO {
        return board.rows.last().map_or(0, checked_sum);
    }
    let shown = |percent: Option<Percent>| percent.map_or(0, |it| i64::from(it.0));
    let sums = board.percentages().map(|[ns, ew]| shown(ns) + shown(ew));
    sums.sum()
}

/// Something that depends on the answer, so that no compiler leaves it out.
fn checked_sum(row: &RowScores) -> i64 {
    let points = row.ns.map_or(Points::ZERO, |it| it.points);
    points.ten_thousandths()
}

/// A fast wrong answer is worth nothing: both must say the same.
fn agree(scorer: &mut Scorer, boards: &[Vec<Row>], peer: &Measured) {
    for (rows, expected) in boards.iter().zip(&peer.points) {
        let board = scorer.board(rows);
        // An average that ends in 5 and is below zero goes up there, and away from zero here.
        if average(rows, peer).is_some_and(|it| it < 0.0 && (it - 5.0) % 10.0 == 0.0) {
            continue;
        }
        for (row, expected) in board.rows.iter().zip(expected) {
            let points = row.ns.expect("played").points.to_f64();
            // The peer does not round its averages to hundredths.
            let close = (points - expected).abs() <= 0.005_000_1;
            assert!(close, "{}: {points} is not {expected}", peer.method);
        }
    }
}

/// The average of a Butler board, not rounded.
fn average(rows: &[Row], peer: &Measured) -> Option<f64> {
    let [.., (butler, Method::Butler(datum))] = methods(rows.len()) else {
        return None;
    };
    let exact = DatumRules {
        rounding: DatumRounding::Exact,
        ..datum
    };
    let rules = Rules {
        method: Method::Butler(exact),
        ..Rules::default()
    };
    let datum = Scorer::new(rules).board(rows).datum;
    datum.filter(|_| butler == peer.method).map(Datum::to_f64)
}

/// Sets a result in a field of 30 boards and asks for its board, then for the ranking.
fn one_more_result(
    name: &str,
    method: Method,
    tables: usize,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut field = Field::new(Rules {
        method,
        ..Rules::default()
    });
    let section = SectionLetter::A;
    for (number, scores) in (1..).zip(travellers(tables)) {
        for row in rows(&scores) {
            let board = BoardNumber::new(number).expect("30 boards");
            field.set(board, row).expect("everybody plays once");
        }
    }
    black_box(field.ranking());
    let (mut board_best, mut both_best) = (Duration::MAX, Duration::MAX);
    let mut random = Random(99);
    for round in 0..400 {
        let board = BoardNumber::new(random.below(30) + 1).expect("30 boards");
        let pair = u16::try_from(round % tables + 1).expect("few");
        let pair = PairNumber::new(pair).expect("from 1");
        let row = Row::new(section, pair, pair, Outcome::Score(random.score()));
        let start = Instant::now();
        field.set(board, row).expect("the same table");
        black_box(field.board(section, board).map(|view| view.top));
        board_best = board_best.min(start.elapsed());
        black_box(field.ranking());
        both_best = both_best.min(start.elapsed());
    }
    let micros = |time: Duration| time.as_secs_f64() * 1e6;
    writeln!(
        out,
        "{name:<14}{tables:>9}{:>13.2} us{:>15.2} us",
        micros(board_best),
        micros(both_best)
    )
}

/// The fastest of many runs, after some that warm up.
fn fastest(mut run: impl FnMut()) -> Duration {
    let until = Instant::now() + Duration::from_millis(1_500);
    let mut best = Duration::MAX;
    while Instant::now() < until {
        let start = Instant::now();
        run();
        best = best.min(start.elapsed());
    }
    best
}

/// Boards of random results as they occur: partscores, games, a few that went wrong.
fn travellers(results: usize) -> Vec<Vec<i16>> {
    let mut random = Random(7);
    (0..BOARDS)
        .map(|_| (0..results).map(|_| random.score().0).collect())
        .collect()
}

fn rows(scores: &[i16]) -> Vec<Row> {
    (1..)
        .zip(scores)
        .map(|(number, &score)| {
            let pair = PairNumber::new(number).expect("from 1");
            Row::new(SectionLetter::A, pair, pair, Outcome::Score(Score(score)))
        })
        .collect()
}

#[expect(clippy::cast_precision_loss, reason = "a few boards")]
fn to_f64(number: usize) -> f64 {
    number as f64
}

/// A generator whose numbers are the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u8) -> u8 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        u8::try_from((self.0 >> 33) % u64::from(limit)).expect("below a small limit")
    }

    fn score(&mut self) -> Score {
        const USUAL: [i16; 28] = [
            -1430, -980, -650, -630, -620, -600, -450, -420, -400, -170, -140, -110, -100, -50, 50,
            90, 100, 110, 120, 140, 150, 170, 200, 400, 420, 450, 620, 1430,
        ];
        Score(USUAL[usize::from(self.below(28))])
    }
}
