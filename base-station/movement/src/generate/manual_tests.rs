//! The manual's examples and rules of thumb, read from the golden parameters.

use std::num::NonZeroU8;

use protocol::words::{BoardNumber, PairNumber, Side, TableNumber};
use serde_json::{Value, json};

use super::build::{Spot, around, plain, write_rounds};
use super::params_tests::{movement, numbers, params};
use super::{Kind, Setup, Variant, generate};
use crate::{Family, Lists, Movement, PhantomAdvice, SpecialMove, draw};

fn number(value: &Value) -> u16 {
    u16::try_from(value.as_u64().unwrap()).unwrap()
}

fn sets_of_table(movement: &Movement, table: TableNumber) -> Vec<u16> {
    let per_round = u16::try_from(movement.boards_per_round()).unwrap();
    let rounds = movement.rounds.iter();
    let lowest = rounds.map(|round| round.at(table).unwrap().boards.lowest().unwrap());
    lowest
        .map(|board| (u16::from(board.get()) - 1) / per_round + 1)
        .collect()
}

#[test]
fn a_skip_comes_half_way_and_costs_everybody_one_opponent() {
    let skip = &params()["skip_mitchell"];
    let example = &skip["example"];
    let setup = Setup {
        variant: Some(Variant::Skip),
        per_round: NonZeroU8::new(u8::try_from(number(&example["per_round"])).unwrap()),
        ..Setup::new(
            TableNumber::new(number(&example["tables"])).unwrap(),
            BoardNumber::new(u8::try_from(number(&example["boards"])).unwrap()).unwrap(),
        )
    };
    let movement = generate(Kind::Mitchell, setup).unwrap();
    let Some(SpecialMove::Skip {
        after_round,
        forward,
    }) = movement.special
    else {
        panic!("{:?}", movement.special);
    };
    assert_eq!(example["skip_after_round"], after_round.get());
    assert_eq!(skip["ew_move"], forward);
    // Everybody meets one opponent twice and one never.
    let meetings = movement.meetings();
    let tables = usize::from(number(&example["tables"]));
    assert_eq!(meetings.histogram.get(&2), Some(&tables));
    assert_eq!(meetings.never, tables);
}

#[test]
fn without_help_the_boards_of_an_even_mitchell_come_back_half_way() {
    let expected = numbers(&params()["mitchell"]["even_problem_10_tables"]);
    let rounds = write_rounds(10, 10, 1, |round, table| Spot {
        ns: table,
        ew: around(i32::from(table) + 1 - i32::from(round), 10),
        set: around(i32::from(table) + i32::from(round) - 1, 10),
        copy: 1,
    });
    let naive = plain(String::new(), Family::Custom, Lists::Two, rounds);
    let met: Vec<u64> = naive
        .rounds
        .iter()
        .take(expected.len())
        .map(|round| {
            let mut seatings = round.seatings.iter();
            let here = seatings.find(|seating| seating.ew == PairNumber::new(1));
            here.unwrap().boards.lowest().unwrap().get().into()
        })
        .collect();
    assert_eq!(met, expected);
    assert!(!naive.faults().is_empty(), "the check finds it");
}

#[test]
fn shares_and_bye_stands_are_where_the_manual_puts_them() {
    let params = params();
    for example in params["share_and_relay"]["examples"].as_array().unwrap() {
        let (tables, boards) = (&example["tables"], &example["boards"]);
        let movement = movement(
            Kind::Mitchell,
            tables.as_u64().unwrap(),
            boards.as_u64().unwrap(),
        );
        let sheet = movement.summary();
        assert_eq!(example["per_round"], sheet.per_round, "{example}");
        let between = sheet.relay.unwrap().between;
        let half = number(tables) / 2;
        assert_eq!([between.0.get(), between.1.get()], [half, half + 1]);
        if !example["relay_between"].is_null() {
            assert_eq!(example["relay_between"], json!([between.0, between.1]));
        }
        if example["share"] == json!(false) {
            assert_eq!(sheet.share, None);
            assert_eq!(example["feed_in_at"], json!(sheet.feed_in.unwrap().table));
        } else {
            let (one, other) = sheet.share.unwrap();
            assert_eq!([one.get(), other.get()], [1, number(tables)]);
            let top = TableNumber::new(number(tables)).unwrap();
            let advice = PhantomAdvice::At {
                tables: vec![top],
                sides: vec![Side::NorthSouth],
            };
            assert_eq!(sheet.phantom, advice);
            assert_eq!(sheet.pairs_never_meeting, 0);
            assert!(sheet.meet_histogram.keys().all(|&times| times == 1));
        }
    }
}

#[test]
fn the_top_table_of_a_bowman_ewing_plays_the_sets_in_reverse() {
    for example in params()["bowman_ewing"]["examples"].as_array().unwrap() {
        let [tables, boards] = numbers(example)[..] else {
            panic!()
        };
        let movement = movement(Kind::BowmanEwing, tables, boards);
        let sets = u16::try_from(movement.round_count()).unwrap();
        assert_eq!(u64::from(sets) + 2, tables, "two more tables than rounds");
        let top = TableNumber::new(u16::try_from(tables).unwrap()).unwrap();
        let reverse: Vec<u16> = (1..=sets).rev().collect();
        assert_eq!(sets_of_table(&movement, top), reverse);
        let (one, other) = movement.summary().share.unwrap();
        assert_eq!([one.get(), other.get()], [1, top.get() - 1]);
    }
}

/// The manual's three formulas for a web, written again and compared with every table.
#[test]
fn a_web_of_any_size_follows_the_manuals_formulas() {
    let params = params();
    let web = &params["web"];
    assert_eq!(web["lower_half_set"], "(t + r - 2) mod 13 + 1");
    assert_eq!(web["upper_half_set"], "(13 - (r-1) + (T-t) - 1) mod 13 + 1");
    assert_eq!(web["ew_table"], "(e + r - 2) mod T + 1");
    for tables in (14_u16..=26).step_by(2) {
        let movement = movement(Kind::Web, tables.into(), 26);
        assert_eq!(web["rounds"], movement.round_count());
        assert_eq!(web["board_copies"], movement.board_copies());
        for (number, round) in movement.numbered_rounds() {
            let r = u16::from(number.get());
            for (table, seating) in round.tables() {
                let t = table.get();
                let set = if t <= tables / 2 {
                    (t + r - 2) % 13 + 1
                } else {
                    (13 - (r - 1) + (tables - t) - 1 + 13) % 13 + 1
                };
                let lowest = seating.boards.lowest().unwrap().get();
                assert_eq!(u16::from(lowest), 2 * set - 1, "table {t}, round {r}");
                let e = seating.ew.unwrap().get();
                assert_eq!((e + r - 2) % tables + 1, t);
            }
        }
        if let Some(layout) = web["layouts"].get(tables.to_string()) {
            let layout = layout.as_str().unwrap();
            assert!(
                movement
                    .notes
                    .iter()
                    .any(|note| note.to_string().contains(layout))
            );
        }
    }
}

#[test]
fn american_whist_has_the_manuals_boards_halves_and_seeds() {
    let params = params();
    let whist = &params["american_whist"];
    for (teams, boards) in whist["sets"].as_object().unwrap() {
        let teams: u64 = teams.parse().unwrap();
        let movement = movement(Kind::AmericanWhist, teams, boards.as_u64().unwrap());
        assert_eq!(movement.round_count() as u64, teams - 1);
        for k in 1..usize::try_from(teams).unwrap() {
            let half = &movement.rounds[k - 1];
            let other = &movement.rounds[usize::try_from(teams).unwrap() - k - 1];
            for seating in &half.seatings {
                let met = |it: &&crate::Seating| (it.ns, it.ew) == (seating.ew, seating.ns);
                assert!(other.seatings.iter().any(|it| met(&it)), "round {k}");
            }
        }
        let per_round = movement.boards_per_round() as u64;
        let played = if teams == 11 {
            per_round * (teams - 3)
        } else {
            per_round * (teams - 1)
        };
        assert_eq!(whist["boards_played"], played, "{teams} teams");
    }
    let seeds = numbers(&whist["seed_order_11"]);
    let seeds: Vec<String> = seeds.iter().map(ToString::to_string).collect();
    let eleven = movement(Kind::AmericanWhist, 11, 33);
    let order = seeds.join(", ");
    assert!(
        eleven
            .notes
            .iter()
            .any(|note| note.to_string().contains(&order))
    );
}

#[test]
fn a_round_robin_says_how_many_sessions_it_takes() {
    let params = params();
    let rule = &params["round_robin_teams"];
    assert_eq!(rule["max_teams_for_full_rr"], "3*sessions+1");
    for teams in [6_u16, 8, 10, 12, 14] {
        let draw = draw::round_robin(teams).unwrap();
        assert_eq!(draw.rounds.len(), usize::from(teams) - 1);
        let fewest = (1..10).find(|sessions| 3 * sessions + 1 >= teams).unwrap();
        let notes = draw.notes.join(" ");
        assert!(notes.contains(&format!("{fewest} sessions")), "{notes}");
        let boards = format!("At least {} boards", rule["min_boards"]);
        assert!(notes.contains(&boards), "{notes}");
    }
}

/// Three teams that share: who is at home to whom. The second half of a troika.
#[test]
fn a_share_match_is_half_a_troika() {
    let params = params();
    let mut expected: Vec<Value> = params["share_match_000"]["tables"]
        .as_array()
        .unwrap()
        .clone();
    let letter = |team: PairNumber| ["A", "B", "C"][usize::from(team.get()) - 1];
    let mut ours: Vec<Value> = draw::troika()
        .into_iter()
        .filter(|table| table.round.get() == 2)
        .map(|table| json!([letter(table.ns_team), letter(table.ew_team)]))
        .collect();
    expected.sort_by_key(ToString::to_string);
    ours.sort_by_key(ToString::to_string);
    assert_eq!(ours, expected);
}
