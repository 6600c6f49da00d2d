//! The text format, table cards, announcements and the adviser.

use protocol::words::{BoardNumber, RoundNumber, TableNumber};

use super::{
    Announcement, Family, Instruction, Kind, Movement, Room, Setup, change, generate,
    minutes_of_round, suggest,
};

fn movement(kind: Kind, tables: u16, boards: u8) -> Movement {
    let setup = Setup::new(
        TableNumber::new(tables).unwrap(),
        BoardNumber::new(boards).unwrap(),
    );
    generate(kind, setup).unwrap()
}

#[test]
fn a_movement_survives_being_written_to_a_file_and_read_again() {
    for before in [
        movement(Kind::Howell, 6, 27),
        movement(Kind::Web, 16, 26),
        movement(Kind::Mitchell, 10, 24),
    ] {
        let after = Movement::from_text(&before.to_text()).unwrap();
        assert_eq!(after.rounds, before.rounds);
        assert_eq!(after.lists, before.lists);
        let stored = serde_json::to_string(&before).unwrap();
        assert_eq!(serde_json::from_str::<Movement>(&stored).unwrap(), before);
    }
}

#[test]
fn a_mistake_in_a_movement_file_is_named_with_line_and_column() {
    let mistakes = [
        ("lists: three", (1, 8), "one"),
        ("round 2", (1, 7), "round 1"),
        ("1: 1 2 1-3", (1, 1), "round 1"),
        ("round 1\n2: 1 2 1-3", (2, 1), "table `1:`"),
        ("round 1\n1: x 2 1-3", (2, 4), "NS pair"),
        ("round 1\n1: 1 2", (2, 7), "boards"),
        ("round 1\n1: 1 2 3-1", (2, 8), "boards such as"),
        ("round 1\n1: 1 2 1-3 x", (2, 12), "copy 2"),
        (
            "lists: one\nround 1\n1: 1 1 1-3",
            (3, 1),
            "pair 1 is expected at",
        ),
        (
            "round 1\n1: 1 1 1-3\nround 2\n1: 1 2 3-4",
            (4, 1),
            "board 3",
        ),
        ("# nothing", (1, 1), "nobody plays"),
    ];
    for (text, place, words) in mistakes {
        let fault = Movement::from_text(text).unwrap_err();
        assert_eq!((fault.line, fault.column), place, "{text}: {fault}");
        assert!(fault.problem.to_string().contains(words), "{text}: {fault}");
    }
}

#[test]
fn the_director_is_told_when_to_call_the_special_move() {
    let ten = movement(Kind::Mitchell, 10, 24);
    let round = |number| RoundNumber::new(number).unwrap();
    assert_eq!(ten.announcements(round(5)), []);
    let calls = ten.announcements(round(11));
    assert_eq!(
        calls,
        [
            Announcement::Subtract {
                from: TableNumber::new(11).unwrap()
            },
            Announcement::LastRound
        ]
    );
    assert!(
        calls[0]
            .to_string()
            .contains("subtract their table number from 11")
    );
    assert_eq!(ten.announcements(round(12)), [Announcement::GameOver]);
    let big = movement(Kind::Mitchell, 26, 26);
    assert_eq!(
        big.announcements(round(13)),
        [Announcement::Skip { forward: 2 }]
    );
}

#[test]
fn a_table_card_says_where_everybody_goes() {
    let cards = movement(Kind::Mitchell, 6, 24).table_cards();
    let first = &cards[0].lines[0];
    assert_eq!(
        (first.ns_goes.as_str(), first.ew_goes.as_str()),
        ("stay", "2 EW")
    );
    assert_eq!(
        (first.share.as_str(), first.boards_go.as_str()),
        ("6", "to 5")
    );
    let stand = &cards[3].lines[0];
    assert_eq!(stand.boards_go, "rest until round 3");
}

#[test]
fn a_round_takes_as_long_as_the_manual_says() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/golden/examples.json"
    );
    let examples: Vec<serde_json::Value> =
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let timing = examples
        .iter()
        .find(|example| example["kind"] == "timing")
        .unwrap();
    for (boards, minutes) in timing["expected"]["003"].as_object().unwrap() {
        assert_eq!(
            Some(minutes_of_round(boards.parse().unwrap())),
            minutes.as_f64()
        );
    }
}

#[test]
fn the_adviser_follows_the_manual_in_rooms_of_a_usual_size() {
    let best = |pairs: u16| {
        let room = Room {
            pairs,
            boards: 24..=28,
            phantom: None,
        };
        suggest(&room).unwrap().remove(0)
    };
    for tables in [5, 6, 7] {
        assert_eq!(
            best(2 * tables).family,
            Family::Of(Kind::Howell),
            "{tables} tables"
        );
    }
    for tables in [8, 9, 10, 12, 13, 14] {
        let family = best(2 * tables).family;
        assert!(
            matches!(
                family,
                Family::Of(Kind::Mitchell) | Family::ShareAndRelay | Family::FeedInMitchell
            ),
            "{tables} tables: {family:?}"
        );
    }
    let half = best(27);
    assert_eq!(half.phantom.as_deref(), Some("NS at table 14"));
}

/// A journal keeps the English; the value comes back from it.
#[test]
fn every_instruction_and_every_outcome_is_read_back_from_its_words() {
    let mut read = 0;
    let mut same = |instruction: &Instruction| {
        assert_eq!(
            instruction.to_string().parse(),
            Ok(instruction.clone()),
            "{instruction}"
        );
        read += 1;
    };
    for kind in Kind::ALL {
        for tables in 3..=16 {
            for boards in 18..=32 {
                let setup = Setup::new(
                    TableNumber::new(tables).expect("a table"),
                    BoardNumber::new(boards).expect("a board"),
                );
                let Ok(movement) = generate(kind, setup) else {
                    continue;
                };
                movement.instructions().iter().for_each(&mut same);
                let round = RoundNumber::FIRST;
                let table = TableNumber::MIN;
                let changes = [
                    movement.with_late_pair(round),
                    movement.with_late_table(round),
                    movement.with_table_removed(table, round),
                    movement.with_relay_put_right(change::RelayMistake::TooLow),
                    movement.with_relay_put_right(change::RelayMistake::TooHigh),
                    movement.with_skip_made_after(round),
                    movement.cut_short(round, round),
                ];
                for change in changes.into_iter().flatten().map(|it| it.change) {
                    change.instructions.iter().for_each(&mut same);
                    let what = change.what.expect("said what it comes to");
                    assert_eq!(what.to_string().parse(), Ok(what));
                }
            }
        }
    }
    assert!(read > 500, "{read}");
}
