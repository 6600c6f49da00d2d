//! Charts and draws of the regulations, published and read back.

use std::collections::BTreeSet;

use super::naive::{golden, printed};
use super::stage::Stage;
use super::*;

/// Draws all rounds, one after the other.
async fn drawn(body: Value, rounds: u8) -> Value {
    let stage = Stage::open(body).await;
    for _ in 1..rounds {
        stage.draw(json!({})).await;
    }
    stage.now().await
}

fn teams(size: u16, format: &str) -> Value {
    json!({"size": size, "format": format, "boards": 2, "comparison": "teams-imps"})
}

#[tokio::test]
async fn teams_meet_by_the_printed_round_robins() {
    for size in [6_u16, 8, 10, 12] {
        let rounds = u8::try_from(size - 1).expect("a few");
        let now = drawn(teams(size, "round-robin"), rounds).await;
        let printed = printed("movement_round_robin_003.tsv", u64::from(size));
        assert_eq!(matches(&now), printed, "{size} teams");
    }
    // Odd fields: the troikas of their charts.
    for size in [9_u16, 11] {
        let mut body = teams(size, "round-robin");
        body["odd"] = json!("triangle");
        let rounds = u8::try_from(size - 1).expect("a few");
        let now = drawn(body, rounds).await;
        let printed: Vec<Value> = golden("movement_round_robin_003.tsv")
            .iter()
            .filter(|row| row[0] == size.to_string() && row[2] == "troika")
            .map(|row| {
                let number = |at: usize| row[at].parse::<u64>().expect("a team");
                json!([number(3), number(4), number(5)])
            })
            .collect();
        let rounds = now["rounds"].as_array().expect("rounds");
        let drawn: Vec<Value> = rounds.iter().map(|it| it["triangle"].clone()).collect();
        assert_eq!(drawn, printed, "{size} teams");
    }
}

#[tokio::test]
async fn even_fields_up_to_forty_meet_everybody_once() {
    for size in [14_u16, 26, 40] {
        let rounds = u8::try_from(size - 1).expect("a few");
        let now = drawn(teams(size, "round-robin"), rounds).await;
        let met: BTreeSet<(u64, u64)> = matches(&now)
            .iter()
            .map(|it| (it.2.min(it.3), it.2.max(it.3)))
            .collect();
        assert_eq!(met.len(), usize::from(size) * usize::from(size - 1) / 2);
        assert_eq!(met.len(), matches(&now).len());
    }
}

#[tokio::test]
async fn interstate_teams_meet_by_their_own_charts() {
    for (size, rounds) in [(8_u16, 14_u8), (6, 15)] {
        let mut body = teams(size, "round-robin");
        body["regulation"] = json!("abf-championships");
        body["rounds"] = json!(rounds);
        body["boards"] = json!(16);
        let now = drawn(body, rounds).await;
        let mut printed: Vec<(u8, u64, u64)> = Vec::new();
        for row in golden("movement_itc_rr_001.tsv") {
            if row[0] == size.to_string() {
                let team = |at: usize| row[at].parse::<u64>().expect("a team");
                for round in [&row[2], &row[3]]
                    .into_iter()
                    .filter_map(|it| it.parse().ok())
                {
                    printed.push((round, team(4), team(5)));
                }
            }
        }
        printed.sort_unstable();
        let mut found: Vec<(u8, u64, u64)> =
            matches(&now).iter().map(|it| (it.0, it.2, it.3)).collect();
        found.sort_unstable();
        assert_eq!(found, printed, "{size} teams");
    }
}

#[tokio::test]
async fn american_whists_are_those_of_the_manual() {
    for size in [7_u16, 9, 11, 13] {
        let rounds = u8::try_from(size - 1).expect("a few");
        let now = drawn(teams(size, "american-whist"), rounds).await;
        let printed: BTreeSet<(u64, u64, u64, u64, u64)> =
            golden("movement_american_whist_003.tsv")
                .iter()
                .filter(|row| row[0] == size.to_string())
                .map(|row| {
                    let number = |at: usize| row[at].parse::<u64>().expect("a number");
                    (
                        number(1),
                        number(2),
                        number(3),
                        number(4),
                        number(5) * 2 - 1,
                    )
                })
                .collect();
        let number = |value: &Value| value.as_u64().expect("a number");
        let mut found = BTreeSet::new();
        for round in now["rounds"].as_array().expect("rounds") {
            for half in round["halves"].as_array().expect("halves") {
                let boards = half["boards"].as_str().expect("boards");
                let first = boards.split('-').next().and_then(|it| it.parse().ok());
                let (table, ns, ew) = (&half["table"], &half["ns"], &half["ew"]);
                let sides = (number(ns), number(ew));
                let first = first.expect("a board");
                found.insert((
                    number(&round["round"]),
                    number(table),
                    sides.0,
                    sides.1,
                    first,
                ));
            }
        }
        assert_eq!(found, printed, "{size} teams");
    }
}

fn met_in(now: &Value, round: u8) -> BTreeSet<(u64, u64)> {
    let all = matches(now).into_iter().filter(|it| it.0 == round);
    all.map(|it| (it.2.min(it.3), it.2.max(it.3))).collect()
}

/// A Swiss of pairs that begins in a certain way.
fn swiss(size: u16, first: &str) -> Value {
    json!({"size": size, "format": "swiss", "rounds": 9, "boards": 2, "comparison": "butler",
        "first": first})
}

#[tokio::test]
async fn seeded_starts_give_everybody_opponents_that_add_up() {
    for (size, outer) in [(20_u64, 10_u64), (22, 8)] {
        let body = swiss(u16::try_from(size).expect("small"), "seeded-start");
        let now = drawn(body, 2).await;
        let lower = size - outer;
        for own in 1..=outer {
            assert!(
                met_in(&now, 1).contains(&(own, own + lower)),
                "{own} of {size}"
            );
            let mate = outer + 1 - own;
            assert!(met_in(&now, 2).contains(&(own.min(mate), own.max(mate))));
            let (below, mate) = (own + lower, 2 * lower + outer + 1 - own - lower);
            assert!(met_in(&now, 2).contains(&(below.min(mate), below.max(mate))));
        }
        // The middle six of 22 play among themselves, nobody twice the same.
        let six = |round| -> BTreeSet<(u64, u64)> {
            let inner = |it: &(u64, u64)| it.0 > outer && it.1 <= lower;
            met_in(&now, round).into_iter().filter(inner).collect()
        };
        let pool = usize::from(size == 22) * 3;
        assert_eq!((six(1).len(), six(2).len()), (pool, pool));
        assert!(six(1).is_disjoint(&six(2)));
    }
    let quarters = drawn(swiss(16, "quarters"), 1).await;
    let outer = |it: u64| it <= 4 || it > 12;
    assert!(
        met_in(&quarters, 1)
            .iter()
            .all(|it| outer(it.0) != outer(it.1))
    );
    let halves = drawn(swiss(16, "halves"), 1).await;
    assert!(met_in(&halves, 1).iter().all(|it| it.1 == it.0 + 8));
}

/// Whether everybody can be given an opponent whom they may meet.
fn can_all_meet(who: &[u64], may_meet: &impl Fn(&(u64, u64)) -> bool) -> bool {
    let [first, others @ ..] = who else {
        return true;
    };
    others.iter().any(|second| {
        let rest: Vec<u64> = others.iter().filter(|it| *it != second).copied().collect();
        may_meet(&(*first, *second)) && can_all_meet(&rest, may_meet)
    })
}

#[tokio::test]
async fn a_modified_swiss_repeats_only_the_first_half_and_a_danish_whatever_comes() {
    let mut body = swiss(6, "random");
    body["rematches"] = json!({"of-first-half": 9});
    let now = drawn(body, 9).await;
    let mut met: BTreeMap<(u64, u64), Vec<u8>> = BTreeMap::new();
    for round in 1..=9 {
        // Nobody again up to round 5, then only those of rounds 1 to 4. Where earlier rounds have
        // left no such draw, something gives way.
        let may_meet = |pair: &(u64, u64)| match met.get(pair) {
            None => true,
            Some(rounds) => round > 5 && rounds.iter().all(|it| *it <= 4),
        };
        let pairs = met_in(&now, round);
        let possible = can_all_meet(&(1..=6).collect::<Vec<u64>>(), &may_meet);
        assert!(
            pairs.iter().all(may_meet) || !possible,
            "round {round}: {pairs:?} after {met:?}"
        );
        for pair in pairs {
            met.entry(pair).or_default().push(round);
        }
    }
    let mut danish = swiss(4, "random");
    danish["method"] = json!("danish");
    let stage = Stage::open(danish).await;
    for table in 1..=2 {
        for board in 1..=2 {
            stage
                .types(table, 1, board, if table == 1 { "90" } else { "0" })
                .await;
        }
    }
    stage.draw(json!({})).await;
    let now = stage.now().await;
    let places: Vec<u64> = now["standing"]
        .as_array()
        .expect("a standing")
        .iter()
        .filter_map(|line| line["contestant"].as_u64())
        .collect();
    let first = (places[0].min(places[1]), places[0].max(places[1]));
    assert!(met_in(&now, 2).contains(&first), "1 against 2, met or not");
}

#[tokio::test]
async fn penalties_count_in_the_draw_where_the_regulation_does_not_leave_them_out() {
    for (regulation, counts) in [("new-zealand-club", true), ("abf-championships", false)] {
        let mut body = teams(4, "swiss");
        body["rounds"] = json!(2);
        body["boards"] = json!(16);
        body["regulation"] = json!(regulation);
        let stage = Stage::open(body).await;
        for number in 1..=2_u16 {
            for board in 1..=16 {
                stage
                    .swings(number, 1, board, i64::from(board == 2) * i64::from(number))
                    .await;
            }
        }
        let before = stage.now().await;
        let leader = before["standing"][0]["contestant"]
            .as_u64()
            .expect("a team");
        let fine = json!({"pair": format!("A{leader}NS"), "kind": "VictoryPoints", "value": "5",
            "why": "late"});
        stage.site.does("/api/penalties", fine).await;
        let proposal = stage.post("/api/contest/draw/propose", json!({})).await;
        let first = proposal["standing"][0]["contestant"].as_u64();
        assert_eq!(first != Some(leader), counts, "{regulation}");
        assert_eq!(proposal["standing"].as_array().map(Vec::len), Some(4));
    }
}
