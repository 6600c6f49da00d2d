//! Stories of evenings on which the movement had to change.

use protocol::words::{BoardNumber, PairNumber, RoundNumber, Side, TableNumber};

use super::{RelayMistake, Revision};
use crate::{Family, Kind, Movement, PairId, Place, Setup, Variant, generate};

fn movement(kind: Kind, tables: u16, boards: u8) -> Movement {
    generate(kind, setup(tables, boards)).unwrap()
}

fn setup(tables: u16, boards: u8) -> Setup {
    Setup::new(
        TableNumber::new(tables).unwrap(),
        BoardNumber::new(boards).unwrap(),
    )
}

fn round(number: u8) -> RoundNumber {
    RoundNumber::new(number).unwrap()
}

fn id(line: Option<Side>, number: u16) -> PairId {
    PairId {
        line,
        number: PairNumber::new(number).unwrap(),
    }
}

/// Sound, and every table that played a round played it with the same boards and pairs, but for
/// the numbers that the change itself names.
fn keeps_what_was_played(before: &Movement, revision: &Revision, rounds: u8) {
    let after = &revision.movement;
    assert_eq!(after.faults(), [], "{}", revision.change);
    for number in (1..=rounds).map(round) {
        for (table, old) in before.round(number).unwrap().tables() {
            let new = after.seating(number, table).unwrap();
            assert_eq!(old.boards, new.boards, "round {number} table {table}");
            for side in Side::BOTH {
                let renamed = old.pair(side).map(|pair| {
                    let pair = before.pair_id(side, pair);
                    let entry = revision
                        .change
                        .renumbered
                        .iter()
                        .find(|entry| entry.from == pair);
                    entry.map_or(pair, |entry| entry.to).number
                });
                assert_eq!(
                    renamed,
                    new.pair(side),
                    "round {number} table {table} {side}"
                );
            }
        }
    }
}

#[test]
fn a_late_pair_joins_a_6_table_howell_by_the_manuals_rule() {
    let before = movement(Kind::Howell, 6, 27);
    let revision = before.with_late_pair(round(1)).unwrap();
    keeps_what_was_played(&before, &revision, 1);
    let after = &revision.movement;
    assert_eq!(after.pairs().len(), 13);
    let (two, thirteen) = (id(None, 2), id(None, 13));
    let stays = Place {
        table: TableNumber::new(4).unwrap(),
        side: Side::NorthSouth,
    };
    assert_eq!(after.where_is(two, round(1)), None);
    for number in 1..=9 {
        assert_eq!(after.where_is(thirteen, round(number)), Some(stays));
    }
    for number in 2..=9 {
        assert_eq!(
            after.where_is(two, round(number)),
            before.where_is(two, round(number))
        );
    }
    // Everybody who moves sits out exactly once, the newcomer in round 1.
    for number in 1..=9 {
        assert_eq!(after.rounds_out(id(None, number)).len(), 1, "pair {number}");
    }
    for number in 10..=13 {
        assert!(
            after.rounds_out(id(None, number)).is_empty(),
            "pair {number}"
        );
    }
}

#[test]
fn a_late_pair_joins_a_10_table_mitchell_at_an_eleventh_table() {
    let before = movement(Kind::Mitchell, 10, 24);
    let revision = before.with_late_pair(round(1)).unwrap();
    keeps_what_was_played(&before, &revision, 1);
    let after = &revision.movement;
    assert_eq!((after.table_count(), after.round_count()), (11, 13));
    assert_eq!(after.pairs().len(), 21);
    assert_eq!(
        after
            .where_is(id(Some(Side::EastWest), 11), round(2))
            .unwrap()
            .table
            .get(),
        1
    );
    let shown: Vec<u8> = revision
        .change
        .boards_added
        .iter()
        .map(|board| board.get())
        .collect();
    assert_eq!(shown, [25, 26]);
}

#[test]
fn the_manuals_late_players_find_the_boards_it_names() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/golden/movement_params.json"
    );
    let params: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let cases = params["late_players"]["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 4);
    for case in cases {
        let number = |side: &str, field: &str| case[side][field].as_u64().unwrap();
        let (tables, boards) = (number("from", "tables"), number("from", "boards"));
        let before = movement(
            Kind::Mitchell,
            u16::try_from(tables).unwrap(),
            u8::try_from(boards).unwrap(),
        )
        .with_highest_boards_resting();
        let revision = before.with_late_pair(round(1)).unwrap();
        keeps_what_was_played(&before, &revision, 1);
        let sheet = revision.movement.summary();
        assert_eq!(sheet.tables as u64, number("to", "tables"));
        assert_eq!(sheet.boards as u64, number("to", "boards"), "{tables}");
        let ends = |field: &str| -> Option<Vec<u64>> {
            let ends = case[field].as_array()?;
            Some(ends.iter().map(|end| end.as_u64().unwrap()).collect())
        };
        if let Some(remove) = ends("remove") {
            let removed: Vec<u64> = revision
                .change
                .boards_removed
                .iter()
                .map(|board| board.get().into())
                .collect();
            assert_eq!(removed, remove);
        }
        if let Some(relay) = ends("relay") {
            let boards = sheet.relay.unwrap().boards;
            assert_eq!(u64::from(boards.0.get()), relay[0]);
            assert_eq!(u64::from(boards.1.get()), *relay.last().unwrap());
        }
        if let Some(feed_in) = ends("feed_in") {
            let boards = sheet.feed_in.unwrap().boards;
            assert_eq!([boards.0.get(), boards.1.get()].map(u64::from), feed_in[..]);
        }
    }
}

#[test]
fn late_pairs_find_a_place_in_any_movement_and_after_any_round() {
    let evenings = [
        movement(Kind::Mitchell, 9, 27),
        movement(Kind::Mitchell, 12, 24),
        movement(Kind::Howell, 5, 27),
        movement(Kind::Howell, 7, 26),
        movement(Kind::Hesitation, 11, 24),
        movement(Kind::Mitchell, 10, 24)
            .without_pair(id(Some(Side::EastWest), 10))
            .unwrap(),
    ];
    for before in evenings {
        for last in 1..=4 {
            let revision = before
                .with_late_pair(round(last))
                .unwrap_or_else(|refused| panic!("{} after {last}: {refused}", before.name));
            keeps_what_was_played(&before, &revision, last);
            assert_eq!(revision.movement.pairs().len(), before.pairs().len() + 1);
        }
    }
}

#[test]
fn a_pair_that_goes_home_leaves_its_seats_empty_and_nobody_else_moves() {
    let before = movement(Kind::Howell, 6, 27);
    let revision = before.with_withdrawn_pair(id(None, 5), round(3)).unwrap();
    keeps_what_was_played(&before, &revision, 3);
    assert!(
        revision
            .change
            .moved
            .iter()
            .all(|moved| moved.pair == id(None, 5))
    );
    assert_eq!(revision.change.moved.len(), 6);
    let table = TableNumber::new(2).unwrap();
    let gone = before.with_table_removed(table, round(3)).unwrap();
    keeps_what_was_played(&before, &gone, 3);
    assert_eq!(gone.movement.sitting_out(round(4)).len() % 2, 0);
}

#[test]
fn a_long_evening_is_cut_short() {
    let before = movement(Kind::Mitchell, 9, 27);
    let revision = before.cut_short(round(7), round(5)).unwrap();
    assert_eq!(revision.change.rounds, (9, 7));
    assert_eq!(revision.movement.family, Family::Of(Kind::Mitchell));
    assert!(before.cut_short(round(4), round(5)).is_err());
    assert!(before.cut_short(round(9), round(5)).is_err());
}

#[test]
fn a_bye_stand_one_table_out_is_put_right_without_a_board_repeated() {
    for tables in [6u16, 8, 10, 12, 14] {
        let before = movement(Kind::Mitchell, tables, u8::try_from(2 * tables).unwrap());
        assert_eq!(before.family, Family::ShareAndRelay);
        for mistake in [RelayMistake::TooLow, RelayMistake::TooHigh] {
            let revision = before.with_relay_put_right(mistake).unwrap();
            assert_eq!(revision.movement.faults(), []);
            let twice = revision.movement.meetings().histogram.get(&2).copied();
            assert_eq!(twice, Some(2), "{tables} tables, {mistake:?}");
        }
    }
    assert!(
        movement(Kind::Mitchell, 9, 27)
            .with_relay_put_right(RelayMistake::TooLow)
            .is_err()
    );
}

#[test]
fn a_skip_called_in_the_wrong_round_is_put_right() {
    for tables in [8u16, 10, 12, 14] {
        let setup = Setup {
            variant: Some(Variant::Skip),
            ..setup(tables, u8::try_from(2 * tables).unwrap())
        };
        let before = generate(Kind::Mitchell, setup).unwrap();
        let half = u8::try_from(tables / 2).unwrap();
        for made in (1..u8::try_from(tables).unwrap()).filter(|&made| made != half) {
            let revision = before.with_skip_made_after(round(made)).unwrap();
            assert_eq!(
                revision.movement.faults(),
                [],
                "{tables} tables, after {made}"
            );
        }
        assert!(before.with_skip_made_after(round(half)).is_err());
    }
}
