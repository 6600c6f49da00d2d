//! The charts of the manual, read from the golden files and compared with what the rules give.

use std::collections::BTreeMap;
use std::fs;

use protocol::words::{BoardNumber, RoundNumber, TableNumber};

use super::{Kind, Numbering, Setup, generate};
use crate::{Movement, Seating};

fn golden(file: &str) -> String {
    let path = format!("{}/../../tests/golden/{file}", env!("CARGO_MANIFEST_DIR"));
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
    let row = |(round, table, seating): (RoundNumber, TableNumber, &Seating)| {
        let board = |board: Option<BoardNumber>| board.map_or(0, |board| u16::from(board.get()));
        vec![
            u16::from(round.get()),
            table.get(),
            seating.ns.map_or(0, Into::into),
            seating.ew.map_or(0, Into::into),
            board(seating.boards.lowest()),
            board(seating.boards.highest()),
            u16::from(seating.copy),
        ]
    };
    movement.seatings().map(row).collect()
}

fn setup(tables: u16, boards: u16) -> Setup {
    Setup {
        tables: TableNumber::new(tables).unwrap(),
        boards: BoardNumber::new(u8::try_from(boards).unwrap()).unwrap(),
        per_round: None,
        variant: None,
        numbering: None,
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

/// Our rows with as many columns as the chart has.
fn like(movement: &Movement, columns: usize) -> Vec<Vec<u16>> {
    let mut ours = written_out(movement);
    for row in &mut ours {
        row.truncate(columns);
    }
    ours
}

#[test]
fn the_charts_of_single_movements_come_out_of_their_rules() {
    let charts = [
        ("movement_chart_10t24b_003.tsv", Kind::Mitchell, 10, 24),
        ("movement_bowman_ewing15_003.tsv", Kind::BowmanEwing, 15, 26),
        ("movement_rover14_003.tsv", Kind::Rover, 14, 26),
        ("movement_web20_003.tsv", Kind::Web, 20, 26),
    ];
    for (file, kind, tables, boards) in charts {
        let chart = rows(file);
        let movement = generate(kind, setup(tables, boards)).unwrap();
        assert_eq!(like(&movement, chart[0].len()), chart, "{file}");
    }
    let setup = Setup {
        numbering: Some(Numbering::NsFirst),
        ..setup(12, 26)
    };
    let hesitation = generate(Kind::Hesitation, setup).unwrap();
    assert_eq!(like(&hesitation, 6), rows("movement_hesitation12_003.tsv"));
}

#[test]
fn every_howell_guide_card_turns_into_its_chart() {
    let mut charts: BTreeMap<u16, Vec<Vec<u16>>> = BTreeMap::new();
    for row in rows("movement_howell_003.tsv") {
        charts.entry(row[0]).or_default().push(row[1..].to_vec());
    }
    assert_eq!(charts.keys().copied().collect::<Vec<_>>(), [3, 5, 6, 8]);
    for (tables, chart) in charts {
        let boards = chart.iter().map(|row| row[5]).max().unwrap();
        let movement = generate(Kind::Howell, setup(tables, boards)).unwrap();
        assert_eq!(like(&movement, 6), chart, "{tables} tables");
    }
}

#[test]
fn american_whist_sends_east_west_up_two_and_boards_up_one() {
    let boards: BTreeMap<u16, u16> = [(5, 30), (7, 28), (9, 27), (11, 33), (13, 26)].into();
    let mut charts: BTreeMap<u16, Vec<Vec<u16>>> = BTreeMap::new();
    for row in rows("movement_american_whist_003.tsv") {
        charts.entry(row[0]).or_default().push(row[1..].to_vec());
    }
    for (teams, chart) in charts {
        let boards = boards[&teams];
        let movement = generate(Kind::AmericanWhist, setup(teams, boards)).unwrap();
        let per_round = boards / teams;
        let ours: Vec<Vec<u16>> = written_out(&movement)
            .into_iter()
            .map(|row| vec![row[0], row[1], row[2], row[3], (row[5]) / per_round])
            .collect();
        assert_eq!(ours, chart, "{teams} teams");
    }
}

/// The fields of the manual's table of set-ups that a movement sheet has, too.
const SUMMARY_FIELDS: [&str; 12] = [
    "tables",
    "boards",
    "per_round",
    "rounds",
    "share",
    "relay",
    "feed_in_sets",
    "special",
    "meet_histogram",
    "pairs_never_meeting",
    "phantom_tables_with_triple",
    "phantom",
];

#[test]
fn the_movement_sheet_says_what_the_manual_says_of_all_36_mitchells() {
    let listed: Vec<serde_json::Value> =
        serde_json::from_str(&golden("movement_mitchell_summary_003.json")).unwrap();
    assert_eq!(listed.len(), 36);
    for entry in listed {
        let number = |field: &str| u16::try_from(entry[field].as_u64().unwrap()).unwrap();
        let (tables, boards) = (number("tables"), number("boards"));
        let movement = generate(Kind::Mitchell, setup(tables, boards)).unwrap();
        let sheet = serde_json::to_value(movement.summary()).unwrap();
        for field in SUMMARY_FIELDS {
            let mut expected = entry[field].clone();
            if (tables, boards, field) == (14, 26, "phantom") {
                // The manual's tables 2 and 9 would be met three times.
                expected = serde_json::json!({"tables": [4, 11], "dirs": ["NS"]});
            }
            assert_eq!(
                sheet[field], expected,
                "{tables} tables, {boards} boards: {field}"
            );
        }
        let stack = &entry["feed_in"];
        assert_eq!(
            sheet["feed_in"]["boards"], stack["boards"],
            "{tables} {boards}"
        );
        assert_eq!(
            sheet["feed_in"]["table"], stack["table"],
            "{tables} {boards}"
        );
        assert_eq!(sheet["faults"], serde_json::json!([]));
    }
}
