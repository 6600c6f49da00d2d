//! Deals and results to make evenings from: a real club evening, and a hundred further deals.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use base_station::deals::{Deals, DealtBoard, read_pbn};
use base_station::movement::{BoardSet, Family, Layout, Lists, Movement, Round, Seating};
use protocol::message::TricksTable;
use protocol::words::{
    BoardNumber, BoardResult, Contract, PairNumber, Played, RoundNumber, Seat, Strain, TableNumber,
    Tricks,
};

const DEALS: &[u8] = include_bytes!("../../real/club_session_deals.pbn");
const RESULTS: &str = include_str!("../../real/club_session_results.csv");
const ROUNDS: &str = include_str!("../../real/club_session_rounds.csv");
const HUNDRED: &str = include_str!("../../real/double_dummy_100.tsv");

/// A result of the real evening.
#[derive(Clone, Copy, Debug)]
pub struct RealResult {
    /// Where.
    pub table: TableNumber,
    /// When by the movement.
    pub round: RoundNumber,
    /// Which board.
    pub board: BoardNumber,
    /// What became of it, without a lead.
    pub result: BoardResult,
    /// When by the clock, in milliseconds since midnight.
    pub at_ms: u64,
}

/// Everything known of the real evening.
pub struct RealEvening {
    /// Its movement as it was played.
    pub movement: Movement,
    /// Its deals with double-dummy tricks.
    pub deals: Deals,
    /// In order of arrival.
    pub results: Vec<RealResult>,
}

/// The real evening.
pub fn real_evening() -> &'static RealEvening {
    static EVENING: LazyLock<RealEvening> = LazyLock::new(|| RealEvening {
        movement: movement(),
        deals: read_pbn(DEALS).expect("the real deal file"),
        results: RESULTS.lines().skip(1).map(result).collect(),
    });
    &EVENING
}

/// What the real evening's tables did with a board, by board.
pub fn real_results() -> &'static BTreeMap<BoardNumber, Vec<BoardResult>> {
    static BY_BOARD: LazyLock<BTreeMap<BoardNumber, Vec<BoardResult>>> = LazyLock::new(|| {
        let mut boards: BTreeMap<BoardNumber, Vec<BoardResult>> = BTreeMap::new();
        for real in &real_evening().results {
            boards.entry(real.board).or_default().push(real.result);
        }
        boards
    });
    &BY_BOARD
}

/// A hundred deals with double-dummy tricks. Their board numbers mean nothing.
pub fn hundred_deals() -> &'static [DealtBoard] {
    static DEALS: LazyLock<Vec<DealtBoard>> =
        LazyLock::new(|| HUNDRED.lines().skip(1).map(hundredth).collect());
    &DEALS
}

/// Reads a cell that was written by a program.
fn word<T: std::str::FromStr>(cell: &str) -> T {
    cell.parse()
        .unwrap_or_else(|_| panic!("unexpected {cell:?} in the stored figures"))
}

fn result(line: &str) -> RealResult {
    let cells: Vec<&str> = line.split(',').collect();
    let result = if cells[8] == "PASS" {
        BoardResult::PassedOut
    } else {
        let contract = Contract::parse(cells[8], word(cells[7])).expect("a contract");
        let tricks = contract.level.tricks_from_text(cells[9]).expect("tricks");
        BoardResult::Played(Played {
            contract,
            tricks,
            lead: None,
        })
    };
    let seconds = cells[10]
        .split(':')
        .fold(0, |seconds, part| seconds * 60 + word::<u64>(part));
    RealResult {
        table: word(cells[2]),
        round: word(cells[3]),
        board: word(cells[4]),
        result,
        at_ms: seconds * 1000,
    }
}

fn movement() -> Movement {
    let mut rounds: BTreeMap<RoundNumber, BTreeMap<TableNumber, Seating>> = BTreeMap::new();
    for line in ROUNDS.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let seating = Seating {
            ns: Some(word::<PairNumber>(cells[2])),
            ew: Some(word::<PairNumber>(cells[3])),
            boards: BoardSet::range(word(cells[4]), word(cells[5])),
            copy: 1,
        };
        let round = rounds.entry(word(cells[1])).or_default();
        round.insert(word(cells[0]), seating);
    }
    Movement {
        name: "A real evening".to_owned(),
        family: Family::Custom,
        lists: Lists::Two,
        rounds: rounds
            .into_values()
            .map(|tables| Round {
                seatings: tables.into_values().collect(),
            })
            .collect(),
        layout: Layout::default(),
        special: None,
        notes: Vec::new(),
    }
}

fn hundredth(line: &str) -> DealtBoard {
    let cells: Vec<&str> = line.split('\t').collect();
    let pbn = format!("[Board \"1\"]\n[Deal \"{}\"]\n", cells[2]);
    let deals = read_pbn(pbn.as_bytes()).expect("a stored deal");
    let first = deals.iter().next().expect("one deal");
    // Spades first, no-trump last, and in each strain from North clockwise.
    let strains = [
        Strain::Spades,
        Strain::Hearts,
        Strain::Diamonds,
        Strain::Clubs,
        Strain::NoTrump,
    ];
    let tricks = TricksTable::from_fn(|seat: Seat, strain| {
        let column = strains.iter().position(|known| *known == strain);
        let at = 3 + column.expect("all strains") * 4 + usize::from(seat.index());
        Tricks::new(word(cells[at])).expect("0 to 13")
    });
    DealtBoard {
        tricks: Some(tricks),
        ..*first
    }
}
