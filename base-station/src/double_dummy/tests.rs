//! One hundred deals with tricks and par by an independent engine.

#[cfg(feature = "double-dummy")]
use std::io::Write as _;
use std::ops::ControlFlow;

use protocol::message::TricksTable;
use protocol::words::{BoardNumber, Score, Seat, Strain, Tricks, Vulnerability};

use super::{complete, par};
use crate::deals::{Deals, DealtBoard, read_pbn};

const HUNDRED: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../tests/real/double_dummy_100.tsv"
));

struct Row {
    dealt: DealtBoard,
    tricks: TricksTable,
    par: Score,
}

/// The rows, each on a board number with its dealer and vulnerability.
fn rows() -> Vec<Row> {
    let mut lines = HUNDRED.lines();
    let header: Vec<&str> = lines.next().expect("a header").split('\t').collect();
    lines.map(|line| row(&header, line)).collect()
}

fn row(header: &[&str], line: &str) -> Row {
    let cells: Vec<&str> = line.split('\t').collect();
    let cell = |name: &str| {
        let at = header.iter().position(|column| *column == name);
        cells[at.expect("the column")]
    };
    let dealer = Seat::from_index(cell("dealer").parse().expect("0 to 3"));
    let vulnerability = match cell("vul") {
        "0" => Vulnerability::None,
        "1" => Vulnerability::Both,
        "2" => Vulnerability::NorthSouth,
        _ => Vulnerability::EastWest,
    };
    let board = (1..=16)
        .filter_map(BoardNumber::new)
        .find(|board| board.dealer() == dealer && board.vulnerability() == vulnerability)
        .expect("every combination is on a board");
    let pbn = format!("[Board \"{board}\"]\n[Deal \"{}\"]\n", cell("deal"));
    let deals = read_pbn(pbn.as_bytes()).expect("a deal");
    Row {
        dealt: *deals.board(board).expect("the board"),
        tricks: TricksTable::from_fn(|seat, strain| {
            let strain = match strain {
                Strain::NoTrump => "N".to_owned(),
                suit => suit.to_string(),
            };
            let tricks = cell(&format!("{strain}_{seat}")).parse().expect("tricks");
            Tricks::new(tricks).expect("0 to 13")
        }),
        par: Score(cell("par_ns").parse().expect("points")),
    }
}

#[test]
fn par_follows_from_the_tricks_of_a_hundred_deals() {
    let rows = rows();
    assert_eq!(rows.len(), 100);
    for row in rows {
        let board = row.dealt.board;
        let found = par(&row.tricks, board.dealer(), board.vulnerability());
        assert_eq!(found.score, row.par, "{:?}", row.dealt.deal);
    }
}

#[test]
fn a_file_with_tricks_gets_its_par_contracts_without_an_engine() {
    let file = include_bytes!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/real/club_session_deals.pbn"
    ));
    let read = read_pbn(file).expect("the real file");
    let mut deals = read.clone();
    let mut reports = Vec::new();
    complete(&mut deals, None, |progress, _| {
        reports.push(progress.done);
        ControlFlow::Continue(())
    });
    assert_eq!(reports, (1..=36).collect::<Vec<_>>());
    for (ours, file) in deals.iter().zip(read.iter()) {
        let (ours, file) = (ours.par.expect("ours"), file.par.expect("the file's"));
        assert_eq!(ours.score, file.score);
        assert!(ours.contract.is_some());
    }
}

#[test]
fn work_on_a_file_that_the_director_takes_back_ends_after_the_board_in_hand() {
    let mut deals: Deals = rows().into_iter().map(|row| row.dealt).collect();
    let before = deals.clone();
    let mut boards = 0;
    complete(&mut deals, None, |progress, _| {
        boards += 1;
        assert_eq!(progress.done, 0, "nothing is known without an engine");
        ControlFlow::Break(())
    });
    assert_eq!((boards, deals), (1, before));
}

/// Prints what a deal takes here, tricks and par, and what the engine takes when it is called
/// without us: `cargo test --release -p base-station --features double-dummy the_engine --
/// --nocapture`.
#[cfg(feature = "double-dummy")]
#[test]
fn the_engine_finds_2000_tricks_and_100_pars() {
    let mut engine = super::engine().expect("built with an engine");
    let started = std::time::Instant::now();
    let mut wrong = Vec::new();
    let rows = rows();
    for row in &rows {
        let tricks = engine.tricks(&row.dealt.deal);
        let board = row.dealt.board;
        let found = par(&tricks, board.dealer(), board.vulnerability());
        if tricks != row.tricks || found.score != row.par {
            wrong.push(board);
        }
    }
    let ours = started.elapsed().as_secs_f64() / 100.0;
    assert!(wrong.is_empty(), "{wrong:?}");
    let deals: Vec<_> = rows.iter().take(20).map(|row| row.dealt.deal).collect();
    let alone = super::dds::seconds_a_deal_without_us(&deals);
    let told = format!("measured: {ours:.3} s a deal on one core, the engine alone {alone:.3} s");
    writeln!(std::io::stdout(), "{told}").expect("said");
}
