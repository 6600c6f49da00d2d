//! What the manual says of movements without a chart, read from the golden parameters.

use protocol::words::{BoardNumber, PairNumber, RoundNumber, Side, TableNumber};
use serde_json::Value;

use super::{Kind, Setup, generate};
use crate::{Movement, PairId};

pub(super) fn params() -> Value {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/golden/movement_params.json"
    );
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

pub(super) fn movement(kind: Kind, tables: u64, boards: u64) -> Movement {
    let setup = Setup::new(
        TableNumber::new(u16::try_from(tables).unwrap()).unwrap(),
        BoardNumber::new(u8::try_from(boards).unwrap()).unwrap(),
    );
    generate(kind, setup).unwrap()
}

pub(super) fn numbers(value: &Value) -> Vec<u64> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|number| number.as_u64().unwrap())
        .collect()
}

/// Where an EW pair of two lists sits round by round.
fn path_of(movement: &Movement, number: u16) -> Vec<u64> {
    let pair = PairId {
        line: Some(Side::EastWest),
        number: PairNumber::new(number).unwrap(),
    };
    movement
        .numbered_rounds()
        .map(|(round, _)| u64::from(movement.where_is(pair, round).unwrap().table.get()))
        .collect()
}

#[test]
fn all_howells_of_3_to_9_tables_are_as_their_guide_cards_say() {
    let params = params();
    for (tables, card) in params["howell"]["cards"].as_object().unwrap() {
        let movement = movement(
            Kind::Howell,
            tables.parse().unwrap(),
            card["boards"].as_u64().unwrap(),
        );
        let sheet = movement.summary();
        assert_eq!(card["rounds"], sheet.rounds, "{tables} tables");
        assert_eq!(card["per"], sheet.per_round, "{tables} tables");
        assert_eq!(card["never"], sheet.pairs_never_meeting, "{tables} tables");
        assert_eq!(
            card["meet"],
            serde_json::to_value(&sheet.meet_histogram).unwrap(),
            "{tables} tables"
        );
        let round = |number| RoundNumber::new(number).unwrap();
        let sitting: Vec<u64> = movement
            .pairs()
            .into_iter()
            .filter(|&pair| movement.where_is(pair, round(1)) == movement.where_is(pair, round(2)))
            .map(|pair| u64::from(pair.number.get()))
            .collect();
        assert_eq!(sitting, numbers(&card["stationary"]), "{tables} tables");
        for (from, to) in card["moves"].as_object().unwrap() {
            let found = movement.pairs().into_iter().any(|pair| {
                let name = |number| {
                    let place = movement.where_is(pair, round(number)).unwrap();
                    format!("{}{}", place.table, place.side)
                };
                name(1) == *from && name(2) == to.as_str().unwrap()
            });
            assert!(found, "{tables} tables: nobody goes from {from} to {to}");
        }
    }
}

#[test]
fn a_fat_mitchell_sends_its_extra_set_wandering() {
    let params = params();
    let fat = &params["fat_mitchell"];
    let movement = movement(Kind::FatMitchell, 7, 24);
    assert_eq!(fat["rounds"], movement.round_count());
    for (table, ew) in fat["last_round_ew_by_table"].as_object().unwrap() {
        let seating = movement.rounds[7].at(table.parse().unwrap()).unwrap();
        assert_eq!(ew.as_u64(), seating.ew.map(|pair| pair.get().into()));
    }
    let wandering = numbers(&fat["wandering_set"]);
    for (round, replaced) in movement
        .rounds
        .iter()
        .zip(fat["replaced_set_by_round"].as_array().unwrap())
    {
        let lowest: Vec<u64> = round
            .seatings
            .iter()
            .map(|seating| seating.boards.lowest().unwrap().get().into())
            .collect();
        assert!(lowest.contains(&wandering[0]));
        assert!(!lowest.contains(&numbers(replaced)[0]));
    }
}

#[test]
fn movements_that_the_manual_verified_are_sound_here_too() {
    for tables in [5, 6, 7, 8, 9, 11, 12] {
        let hesitation = movement(Kind::Hesitation, tables, 2 * (tables + 1));
        assert!(
            hesitation
                .meetings()
                .histogram
                .keys()
                .all(|&times| times == 1)
        );
    }
    for example in params()["hesitation"]["examples"].as_array().unwrap() {
        let [tables, boards] = numbers(example)[..] else {
            panic!()
        };
        movement(Kind::Hesitation, tables, boards);
    }
    for tables in [9, 11, 13, 15] {
        movement(Kind::BowmanEwing, tables, 2 * (tables - 2));
    }
    for tables in (14..=26).step_by(2) {
        let web = movement(Kind::Web, tables, 26);
        assert_eq!((web.round_count(), web.board_copies()), (13, 2));
        assert!(web.meetings().histogram.keys().all(|&times| times == 1));
    }
    let rover = movement(Kind::Rover, 14, 26);
    assert_eq!(
        path_of(&rover, 14),
        numbers(&params()["rover"]["rover_tables"])
    );
}

#[test]
fn east_west_of_an_odd_mitchell_meet_every_second_board() {
    let nine = movement(Kind::Mitchell, 9, 9);
    let boards: Vec<u64> = path_of(&nine, 1)
        .into_iter()
        .zip(&nine.rounds)
        .map(|(table, round)| {
            let table = TableNumber::new(u16::try_from(table).unwrap()).unwrap();
            round
                .at(table)
                .unwrap()
                .boards
                .lowest()
                .unwrap()
                .get()
                .into()
        })
        .collect();
    assert_eq!(
        boards,
        numbers(&params()["mitchell"]["ew1_sequence_9_tables_1_board"])
    );
}

/// Every sentence of the manual on inter-club matches, turned into a question to the movement.
#[test]
fn visitors_of_an_inter_club_match_sit_and_the_home_club_moves_up() {
    let params = params();
    let interclub = &params["interclub"];
    let tables = interclub["tables"].as_u64().unwrap();
    let movement = movement(
        Kind::Interclub,
        tables,
        interclub["boards_in_play"].as_u64().unwrap(),
    );
    assert_eq!(
        interclub["away"],
        "stationary, NS at odd and EW at even tables"
    );
    assert_eq!(
        interclub["home"],
        "NS at even, EW at odd, up one table each round"
    );
    assert_eq!(interclub["boards_move"], "down one");
    let tables = u16::try_from(tables).unwrap();
    let list = |number| PairId {
        line: None,
        number: PairNumber::new(number).unwrap(),
    };
    for (round, _) in movement.numbered_rounds() {
        for away in 1..=tables {
            let place = movement.where_is(list(away), round).unwrap();
            assert_eq!(place.table.get(), away);
            let odd = away % 2 == 1;
            assert_eq!(place.side == Side::NorthSouth, odd, "visitors {away}");
        }
        for home in tables + 1..=2 * tables {
            let place = movement.where_is(list(home), round).unwrap();
            let odd = place.table.get() % 2 == 1;
            assert_eq!(place.side == Side::EastWest, odd, "home {home}");
            let Some(next) = RoundNumber::new(round.get() + 1) else {
                continue;
            };
            if let Some(then) = movement.where_is(list(home), next) {
                assert_eq!(then.table.get(), place.table.get() % tables + 1);
            }
        }
    }
    for (now, then) in movement.rounds.iter().zip(&movement.rounds[1..]) {
        for (table, seating) in now.tables() {
            let below = (table.get() + tables - 2) % tables + 1;
            let there = then.at(TableNumber::new(below).unwrap()).unwrap();
            assert_eq!(there.boards, seating.boards);
        }
    }
}

#[test]
fn an_inter_club_match_of_an_even_number_of_tables_is_refused_with_a_sentence() {
    let setup = Setup::new(TableNumber::new(12).unwrap(), BoardNumber::new(24).unwrap());
    let refused = generate(Kind::Interclub, setup).unwrap_err().to_string();
    assert!(refused.contains("odd number of tables"), "{refused}");
}

/// The manual warns seeders of whom a pair meets again when 11 tables play 13 rounds.
#[test]
fn in_a_feed_in_of_11_tables_the_manual_names_who_meets_again() {
    assert_eq!(
        params()["multi_session_seeding"]["feed_in_11_tables_second_meeting"],
        "EW e meets NS e in round 12 and NS 12-e in round 13; table 6 meets three times"
    );
    let movement = movement(Kind::Mitchell, 11, 26);
    let meets = |round: usize, ew: u16| {
        let mut there = movement.rounds[round - 1].seatings.iter();
        let at = there.find(|seating| seating.ew == PairNumber::new(ew));
        at.unwrap().ns.unwrap().get()
    };
    for ew in 1..=11 {
        assert_eq!(meets(12, ew), ew);
        assert_eq!(meets(13, ew), 12 - ew);
    }
    assert_eq!(movement.meetings().histogram.get(&3), Some(&1));
    assert_eq!([1, 12, 13].map(|round| meets(round, 6)), [6, 6, 6]);
}
