//! The charts of the manual, read from the golden files and compared with what the rules give.

use std::collections::BTreeMap;
use std::fs;

use protocol::words::{BoardNumber, TableNumber};

use super::{Kind, Setup, generate};
use crate::movement::{Movement, Seating};

fn golden(file: &str) -> String {
    let path = format!("{}/../tests/golden/{file}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|fault| panic!("{path}: {fault}"))
}

/// The rows of a chart as numbers, without its header; an empty field is 0.
fn rows(file: &str) -> Vec<Vec<u16>> {
    golden(file)
        .lines()
        .skip(1)
        .map(|line| {
            line.split('\t')
                .map(|field| field.parse().unwrap_or(0))
                .collect()
        })
        .collect()
}

/// `[round, table, ns, ew, first board, last board, copy]` for every table of every round.
fn written_out(movement: &Movement) -> Vec<Vec<u16>> {
    let row = |round: u8, table: TableNumber, seating: &Seating| {
        let board = |board: Option<BoardNumber>| board.map_or(0, |board| u16::from(board.get()));
        vec![
            u16::from(round),
            table.get(),
            seating.ns.map_or(0, Into::into),
            seating.ew.map_or(0, Into::into),
            board(seating.boards.lowest()),
            board(seating.boards.highest()),
            u16::from(seating.copy),
        ]
    };
    movement
        .numbered_rounds()
        .flat_map(|(number, round)| {
            round
                .tables()
                .map(move |(table, seating)| row(number.get(), table, seating))
        })
        .collect()
}

fn setup(tables: u16, boards: u16) -> Setup {
    Setup {
        tables: TableNumber::new(tables).unwrap(),
        boards: BoardNumber::new(u8::try_from(boards).unwrap()).unwrap(),
        per_round: None,
        variant: None,
    }
}

#[test]
fn every_mitchell_of_the_manual_is_played_out_as_it_says() {
    let mut charts: BTreeMap<(u16, u16), Vec<Vec<u16>>> = BTreeMap::new();
    for row in rows("movement_mitchell_expanded_003.tsv") {
        charts
            .entry((row[0], row[1]))
            .or_default()
            .push(row[2..].to_vec());
    }
    assert_eq!(charts.len(), 18);
    for ((tables, boards), chart) in charts {
        let movement = generate(Kind::Mitchell, setup(tables, boards)).unwrap();
        let mut ours = written_out(&movement);
        for row in &mut ours {
            row.truncate(6);
        }
        assert_eq!(ours, chart, "{tables} tables, {boards} boards");
    }
}
