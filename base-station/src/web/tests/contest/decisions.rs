//! Matches that were not played properly, by each regulation, through the interface.

use super::*;

/// A round robin of four teams by a regulation, everything played but one match of round 2.
async fn round_robin(regulation: &str, boards: u8) -> (Site, u16) {
    let site = Site::open().await;
    let event = json!({"name": "Teams", "date": "2026-11-17"});
    site.does("/api/calendar/events", event).await;
    let teams = json!({"section": "A", "name": "Teams", "size": 4, "format": "round-robin",
        "boards": boards, "comparison": "teams-imps", "regulation": regulation});
    site.does("/api/contest", teams).await;
    let mut pads = Vec::new();
    for round in 1..=3_u8 {
        site.does("/api/contest/draw", json!({"section": "A"}))
            .await;
        if round == 1 {
            site.open_for_log_on().await;
            for table in 1..=4 {
                pads.push(TablePad::log_on(&site, table).await);
            }
        }
        let skipped = |table: u16| round == 2 && table > 2;
        for pad in pads.iter_mut().filter(|pad| !skipped(pad.table)) {
            pad.plays(&site, round, (round - 1) * boards + 1..=round * boards)
                .await;
        }
    }
    (site, 2)
}

/// What a team got in its regular matches, and what its opponents got there.
fn others(now: &Value, team: u64) -> (Vec<i64>, Vec<i64>) {
    let (mut own, mut against) = (Vec::new(), Vec::new());
    for (round, number, home, away) in matches(now) {
        if (round, number) == (2, 2) {
            continue;
        }
        let [at_home, visitors] = points(now, usize::from(round), usize::from(number));
        if home == team {
            own.push(at_home);
            against.push(visitors);
        } else if away == team {
            own.push(visitors);
            against.push(at_home);
        }
    }
    (own, against)
}

fn mean(scores: &[i64]) -> i64 {
    let count = i64::try_from(scores.len()).expect("a few");
    (2 * scores.iter().sum::<i64>() + count).div_euclid(2 * count)
}

#[tokio::test]
async fn a_forfeit_is_settled_as_each_regulation_says() {
    for (regulation, boards, least) in [
        ("new-zealand-club", 8, 1_200),
        // What 12 IMPs are worth in eight boards by the formula.
        ("sabf", 8, 1_439),
        ("abf-championships", 16, 5_650),
        ("gnot", 8, 1_800),
    ] {
        let (site, number) = round_robin(regulation, boards).await;
        let before = contest(&site).await;
        let own = matches(&before)
            .into_iter()
            .find(|it| (it.0, it.1) == (2, number));
        let (_, _, home, away) = own.expect("the match");
        assert!(
            before["next_step"]
                .as_str()
                .is_some_and(|it| it.starts_with("Round 2: "))
        );
        let forfeit = json!({"section": "A", "round": 2, "number": number, "why": "did not come",
            "decision": {"kind": "forfeit", "by": away}});
        site.does("/api/contest/match", forfeit).await;
        let now = contest(&site).await;
        let (own, _) = others(&now, home);
        let (offender, opponents) = others(&now, away);
        let by_means = match regulation {
            "new-zealand-club" => mean(&opponents),
            "sabf" => 2_000 - mean(&offender),
            "abf-championships" => 7_000 - mean(&offender),
            _ => (3_000 - mean(&offender)).min(2_500),
        };
        let right = least.max(mean(&own)).max(by_means);
        assert_eq!(points(&now, 2, 2), [right, 0], "{regulation}");
        // Its boards count after all: nothing is in yet.
        let again = json!({"section": "A", "round": 2, "number": number, "why": "they came"});
        site.does("/api/contest/match", again).await;
        let own = &contest(&site).await["rounds"][1]["matches"][1];
        assert_eq!(own["home"]["vp"], Value::Null);
    }
}

#[tokio::test]
async fn a_match_that_both_teams_played_in_one_direction_is_worth_eight_to_each() {
    let (site, number) = round_robin("new-zealand-club", 8).await;
    let same = json!({"section": "A", "round": 2, "number": number, "why": "found at the end",
        "decision": {"kind": "same-direction"}});
    site.does("/api/contest/match", same).await;
    assert_eq!(points(&contest(&site).await, 2, 2), [800, 800]);
    let cancelled = json!({"section": "A", "round": 2, "number": number, "why": "fire alarm",
        "decision": {"kind": "cancelled"}});
    site.does("/api/contest/match", cancelled).await;
    let now = contest(&site).await;
    let own = matches(&now)
        .into_iter()
        .find(|it| (it.0, it.1) == (2, number));
    let (_, _, home, away) = own.expect("the match");
    let each = [home, away].map(|team| mean(&others(&now, team).0).max(1_200));
    assert_eq!(points(&now, 2, 2), each);
    // Three victory points off for a disturbance, and the line says so.
    let fine = json!({"pair": "A1NS", "kind": "VictoryPoints", "value": "3", "why": "shouting"});
    site.does("/api/penalties", fine).await;
    let after = contest(&site).await;
    assert_eq!(standing(&after)[&1], standing(&now)[&1] - 300);
}

#[tokio::test]
async fn a_first_offence_is_a_warning_and_the_second_costs_what_the_regulation_says() {
    let (site, _) = round_robin("sabf", 8).await;
    let late = |contestant: u64| {
        json!({"section": "A", "contestant": contestant,
        "offence": {"kind": "late", "minutes": 3}, "why": "traffic"})
    };
    let before = standing(&contest(&site).await);
    site.does("/api/contest/fine", late(1)).await;
    assert_eq!(standing(&contest(&site).await), before, "warned");
    site.does("/api/contest/fine", late(2)).await;
    site.does("/api/contest/fine", late(1)).await;
    let after = standing(&contest(&site).await);
    assert_eq!((after[&1], after[&2]), (before[&1] - 50, before[&2]));
    // Slow play is another kind: warned again.
    let slow = json!({"section": "A", "contestant": 1, "why": "long thoughts",
        "offence": {"kind": "slow", "boards": 2, "minutes": 9}});
    site.does("/api/contest/fine", slow.clone()).await;
    assert_eq!(standing(&contest(&site).await), after);
    site.does("/api/contest/fine", slow).await;
    assert_eq!(standing(&contest(&site).await)[&1], after[&1] - 200);
    let (club, _) = round_robin("new-zealand-club", 8).await;
    let by_hand = refused(&club, "/api/contest/fine", late(1)).await;
    assert!(by_hand.contains("by hand"), "{by_hand}");
}

#[tokio::test]
async fn the_page_and_the_watch_say_where_to_look_in_a_match() {
    let (site, _) = round_robin("new-zealand-club", 8).await;
    let warned = async || -> Vec<String> {
        let (_, view) = site.ask("GET", "/api/view", None).await;
        let all = view["warnings"].as_array().expect("warnings").iter();
        let open = all.filter(|it| it["kind"] == "InMatch" && it["answered"] == false);
        open.map(|it| it["key"].as_str().expect("a key").to_owned())
            .collect()
    };
    let remarks = |now: &Value, round: usize| -> Vec<String> {
        let said = now["rounds"][round - 1]["matches"][0]["remarks"].as_array();
        let said = said.expect("remarks").iter();
        said.map(|it| it.as_str().expect("a sentence").to_owned())
            .collect()
    };
    // A grand slam against two down.
    for (table, contract, result) in [("A1", "7NT", "="), ("A2", "7NT", "-2")] {
        let result =
            json!({"kind": "Played", "contract": contract, "declarer": "N", "result": result});
        let line = json!({"table": table, "round": 1, "board": 4, "result": result, "why": "true"});
        site.does("/api/lines/rule", line).await;
    }
    let now = contest(&site).await;
    let said = remarks(&now, 1);
    assert!(
        said.iter()
            .any(|it| it.starts_with("Look at board 4: a swing of 2")),
        "{said:?}"
    );
    assert_eq!(warned().await, ["match:swing:A1:1:4"]);
    let seen = json!({"key": "match:swing:A1:1:4", "answer": "right"});
    site.does("/api/warnings/answer", seen).await;
    assert_eq!(warned().await, Vec::<String>::new());
    // The visitors sat North-South at both tables.
    let turn = json!({"table": "A1", "round": 1, "board": 2, "why": "sat wrongly"});
    site.does("/api/lines/turn", turn.clone()).await;
    let said = remarks(&contest(&site).await, 1);
    assert!(
        said.iter()
            .any(|it| it.starts_with("Board 2: both pairs of a team")),
        "{said:?}"
    );
    assert_eq!(warned().await, ["match:same-way:A1:1:2"]);
    site.does("/api/lines/turn", turn).await;
    assert_eq!(warned().await, Vec::<String>::new(), "gone with its cause");
    let away = json!({"table": "A2", "round": 1, "board": 6, "result": {"kind": "TakenAway"},
        "why": "it was another board"});
    site.does("/api/lines/rule", away).await;
    let said = remarks(&contest(&site).await, 1);
    let half = "Only board 6 at table 2 is missing.";
    assert!(said.iter().any(|it| it == half), "{said:?}");
}

#[tokio::test]
async fn a_pair_at_the_wrong_match_and_a_board_of_the_other_set_are_noticed() {
    let (site, _) = round_robin("new-zealand-club", 8).await;
    let drawn = matches(&contest(&site).await);
    let (home, away) = (drawn[0].2, drawn[0].3);
    let stranger = drawn[1].2;
    let remarks = async || contest(&site).await["rounds"][0]["matches"][0]["remarks"].to_string();
    let warned = async || {
        let (_, view) = site.ask("GET", "/api/view", None).await;
        let all = view["warnings"].as_array().expect("warnings").iter();
        all.filter(|it| it["answered"] == false).count()
    };
    let before = (remarks().await, warned().await);
    let margin = contest(&site).await["rounds"][0]["matches"][0]["home"]["margin"].clone();
    let sat = |ns: u64| {
        json!({"table": "A1", "round": 1, "board": 3, "ns": format!("A{ns}NS"),
            "ew": format!("A{away}EW"), "why": "they say so"})
    };
    site.does("/api/lines/pairs", sat(stranger)).await;
    let said = remarks().await;
    assert!(said.contains("board 3"), "{said}");
    assert!(warned().await > before.1, "the watch sees it, too");
    let now = contest(&site).await;
    assert_eq!(now["rounds"][0]["matches"][0]["complete"], false);
    // They were right after all.
    site.does("/api/lines/pairs", sat(home)).await;
    assert_eq!(remarks().await, before.0);
    // Board 5 was board 12, which the next round plays.
    let place = |board: u8| json!({"table": "A1", "round": 1, "board": board});
    let moved = json!({"from": place(5), "to": place(12), "why": "the wrong board"});
    site.does("/api/lines/move", moved).await;
    let said = remarks().await;
    assert!(said.contains("another set"), "{said}");
    assert!(said.contains("Only board 5"), "{said}");
    let back = json!({"from": place(12), "to": place(5), "why": "no, it was 5"});
    site.does("/api/lines/move", back).await;
    assert_eq!(remarks().await, before.0);
    let after = contest(&site).await["rounds"][0]["matches"][0]["home"]["margin"].clone();
    assert_eq!(after, margin);
}
