//! Formats beside the plain Swiss and round robin, played whole and added up the long way.

use super::naive::{golden, naive_match, naive_vp, printed};
use super::*;

async fn set_up(site: &Site, body: Value) {
    let event = json!({"name": "Teams", "date": "2026-11-17"});
    site.does("/api/calendar/events", event).await;
    let mut whole =
        json!({"section": "A", "name": "Teams", "boards": 6, "comparison": "teams-imps"});
    if let Some((whole, body)) = whole.as_object_mut().zip(body.as_object()) {
        whole.extend(body.clone());
    }
    site.does("/api/contest", whole).await;
}

/// Every table of a round plays what its sheet says.
async fn play(site: &Site, pads: &mut Vec<TablePad>, round: u8) {
    let state = site.session.view().state.clone();
    let session = state.session.as_ref().expect("a session");
    let section = &session.sections[&SectionLetter::A];
    let sittings: Vec<(u16, Vec<u8>)> = section
        .sittings
        .values()
        .filter(|it| it.round.get() == round && it.is_played())
        .map(|it| {
            (
                it.table.get(),
                it.boards.iter().map(BoardNumber::get).collect(),
            )
        })
        .collect();
    for (table, boards) in sittings {
        let known = pads.iter().position(|pad| pad.table == table);
        let at = if let Some(at) = known {
            at
        } else {
            pads.push(TablePad::log_on(site, table).await);
            pads.len() - 1
        };
        for board in boards {
            pads[at].enters(site, round, board).await;
        }
    }
}

/// Draws and plays all rounds.
async fn play_all(site: &Site, rounds: u8) -> Value {
    let mut pads = Vec::new();
    for round in 1..=rounds {
        site.does("/api/contest/draw", json!({"section": "A", "seed": 3}))
            .await;
        if round == 1 {
            site.open_for_log_on().await;
        }
        play(site, &mut pads, round).await;
    }
    contest(site).await
}

/// Halves of all rounds: round, table, North-South, East-West, first board.
fn halves(contest: &Value) -> Vec<(u8, u16, u64, u64, u8)> {
    let number = |value: &Value| value.as_u64().expect("a number");
    let mut all = Vec::new();
    for round in contest["rounds"].as_array().expect("rounds") {
        for half in round["halves"].as_array().expect("halves") {
            let boards = half["boards"].as_str().expect("boards");
            let first = boards.split('-').next().and_then(|it| it.parse().ok());
            all.push((
                u8::try_from(number(&round["round"])).expect("a round"),
                u16::try_from(number(&half["table"])).expect("a table"),
                number(&half["ns"]),
                number(&half["ew"]),
                first.expect("a board"),
            ));
        }
    }
    all
}

/// What two halves of a match and whole matches come to, by the printed column of six boards.
fn naive(contest: &Value, halves: &[(u8, u16, u64, u64, u8)], teams: u64) -> BTreeMap<u64, i64> {
    let mut totals: BTreeMap<u64, i64> = (1..=teams).map(|team| (team, 0)).collect();
    let mut add = |home: u64, away: u64, net: i64| {
        *totals.entry(home).or_default() += naive_vp("6", net);
        *totals.entry(away).or_default() += naive_vp("6", -net);
    };
    for (round, table, ns, ew, first) in halves {
        let mate = halves
            .iter()
            .find(|it| (it.2, it.3, it.4) == (*ew, *ns, *first));
        let mate = mate.expect("the other half");
        if (round, table) < (&mate.0, &mate.1) {
            let net = naive_match((*round, *table), (mate.0, mate.1), *first..first + 6);
            add(*ns, *ew, net);
        }
    }
    let of_halves = |round: u8, table: u16| halves.iter().any(|it| (it.0, it.1) == (round, table));
    for (round, number, home, away) in matches(contest) {
        // A match of halves goes by the table of its second one.
        if !of_halves(round, number) {
            let first = (round - 1) * 6 + 1;
            let (open, closed) = (number * 2 - 1, number * 2);
            add(
                home,
                away,
                naive_match((round, open), (round, closed), first..first + 6),
            );
        }
    }
    totals
}

fn all_meet_once(contest: &Value, teams: u64) {
    let met: std::collections::BTreeSet<(u64, u64)> = matches(contest)
        .iter()
        .map(|it| (it.2.min(it.3), it.2.max(it.3)))
        .collect();
    let count = u64::try_from(matches(contest).len()).expect("a few");
    assert_eq!(count, teams * (teams - 1) / 2);
    assert_eq!(u64::try_from(met.len()).expect("a few"), count);
}

#[tokio::test]
async fn seven_teams_of_a_swiss_play_triangles_over_two_rounds() {
    let site = Site::open().await;
    let swiss = json!({"size": 7, "format": "swiss", "rounds": 4, "odd": "triangle"});
    set_up(&site, swiss).await;
    let end = play_all(&site, 4).await;
    assert_eq!(end["next_step"], "All matches are in. Release the result.");
    let found = halves(&end);
    assert_eq!(found.len(), 12, "three tables in each of four rounds");
    assert_eq!(standing(&end), naive(&end, &found, 7));
    // Everybody has played four matches, and nobody the same one twice.
    let lines = end["standing"].as_array().expect("a standing");
    assert!(lines.iter().all(|line| line["matches"] == 4), "{lines:?}");
    let three = |round: usize| end["rounds"][round]["triangle"].clone();
    assert_eq!(three(0), three(1));
    assert_ne!(three(1), three(2));
    // A triangle that would begin in the last round can't be played.
    let site = Site::open().await;
    set_up(
        &site,
        json!({"size": 7, "format": "swiss", "rounds": 1, "odd": "triangle"}),
    )
    .await;
    let no = refused(&site, "/api/contest/draw", json!({"section": "A"})).await;
    assert!(no.contains("takes two rounds"), "{no}");
}

#[tokio::test]
async fn five_teams_play_an_american_whist_by_the_printed_chart() {
    let site = Site::open().await;
    set_up(&site, json!({"size": 5, "format": "american-whist"})).await;
    let end = play_all(&site, 4).await;
    let printed: Vec<(u8, u16, u64, u64, u8)> = golden("movement_american_whist_003.tsv")
        .iter()
        .filter(|row| row[0] == "5")
        .map(|row| {
            let number = |at: usize| row[at].parse::<u64>().expect("a number");
            let first = u8::try_from(number(5)).expect("a set") * 6 - 5;
            let (round, table) = (number(1), number(2));
            let (round, table) = (u8::try_from(round), u16::try_from(table));
            (
                round.expect("a round"),
                table.expect("a table"),
                number(3),
                number(4),
                first,
            )
        })
        .collect();
    let mut found = halves(&end);
    found.sort_unstable();
    assert_eq!(found, printed);
    all_meet_once(&end, 5);
    assert_eq!(standing(&end), naive(&end, &printed, 5));
}

#[tokio::test]
async fn seven_teams_play_a_round_robin_with_troikas() {
    let site = Site::open().await;
    set_up(
        &site,
        json!({"size": 7, "format": "round-robin", "odd": "triangle"}),
    )
    .await;
    let end = play_all(&site, 6).await;
    all_meet_once(&end, 7);
    let troikas: Vec<Value> = golden("movement_round_robin_003.tsv")
        .iter()
        .filter(|row| row[0] == "7" && row[2] == "troika")
        .map(|row| {
            let number = |at: usize| row[at].parse::<u64>().expect("a team");
            json!([number(3), number(4), number(5)])
        })
        .collect();
    let rounds = end["rounds"].as_array().expect("rounds");
    let drawn: Vec<Value> = rounds
        .iter()
        .map(|round| round["triangle"].clone())
        .collect();
    assert_eq!(drawn, troikas);
    assert_eq!(standing(&end), naive(&end, &halves(&end), 7));
}

#[tokio::test]
async fn twelve_and_fourteen_pairs_play_the_butler_charts() {
    for pairs in [12_u64, 14] {
        let site = Site::open().await;
        let event = json!({"name": "Butler", "date": "2026-11-17"});
        site.does("/api/calendar/events", event).await;
        let butler = json!({"section": "A", "name": "Butler", "size": pairs, "boards": 2,
            "format": "butler-chart", "comparison": "butler"});
        site.does("/api/contest", butler).await;
        for _ in 1..pairs {
            site.does("/api/contest/draw", json!({"section": "A"}))
                .await;
            if site
                .session
                .view()
                .state
                .session
                .as_ref()
                .is_some_and(|it| it.phase == crate::session::Phase::SettingUp)
            {
                site.open_for_log_on().await;
            }
        }
        let drawn = contest(&site).await;
        let printed = printed("movement_butler_rr_000.tsv", pairs);
        assert_eq!(matches(&drawn), printed);
        all_meet_once(&drawn, pairs);
    }
}

#[tokio::test]
async fn a_match_in_stanzas_is_one_match_and_the_visitors_seat_first_in_the_second() {
    let site = Site::open().await;
    let teams = json!([
        {"number": 1, "name": "Eagles", "players": ["Ann", "Bob", "Cleo", "Dan", "Eve"]},
        {"number": 2, "name": "Owls", "players": ["Fay", "Gus", "Hal", "Ida"]}]);
    let stanzas = json!({"contestants": teams, "format": "head-to-head", "rounds": 3,
        "scale": "wbf-formula"});
    set_up(&site, stanzas).await;
    site.does("/api/contest/draw", json!({"section": "A"}))
        .await;
    site.open_for_log_on().await;
    let mut pads = Vec::new();
    play(&site, &mut pads, 1).await;
    assert_eq!(
        contest(&site).await["rounds"][0]["matches"][0]["seats_first"],
        1
    );
    site.does("/api/contest/draw", json!({"section": "A"}))
        .await;
    let line_up = |round: u8, north: &str| {
        json!({"section": "A", "contestant": 1, "round": round,
        "players": [north, "Bob", "Cleo", "Dan"]})
    };
    site.does("/api/contest/line-up", line_up(2, "Eve")).await;
    let late = refused(&site, "/api/contest/line-up", line_up(1, "Eve")).await;
    assert!(late.contains("between rounds"), "{late}");
    let stranger = refused(&site, "/api/contest/line-up", line_up(2, "Fay")).await;
    assert!(stranger.contains("not one of the players"), "{stranger}");
    play(&site, &mut pads, 2).await;
    site.does("/api/contest/draw", json!({"section": "A"}))
        .await;
    play(&site, &mut pads, 3).await;
    let end = contest(&site).await;
    let own = &end["rounds"][2]["matches"][0];
    assert_eq!(end["rounds"][1]["matches"], json!([]), "it is one match");
    let net: i64 = (1..=3_u8)
        .map(|round| naive_match((round, 1), (round, 2), (round - 1) * 6 + 1..=round * 6))
        .sum();
    let net = f64::from(i32::try_from(net).expect("a few IMPs"));
    assert_eq!(own["home"]["margin"].as_f64(), Some(net));
    // Eve played from the second stanza on, Ann only in the first.
    let boards = |name: &str| {
        let players = end["players"].as_array().expect("players");
        let own = players
            .iter()
            .find(|line| line["name"] == name)
            .expect("a player");
        own["boards"].as_u64()
    };
    assert_eq!(
        (boards("Ann"), boards("Eve"), boards("Fay")),
        (Some(6), Some(12), Some(18))
    );
}

#[tokio::test]
async fn a_swiss_and_a_match_in_stanzas_are_played_beside_each_other() {
    let site = Site::open().await;
    set_up(&site, json!({"size": 4, "format": "swiss", "rounds": 2})).await;
    let beside = json!({"section": "B", "name": "Final", "size": 2, "format": "head-to-head",
        "rounds": 2, "boards": 6, "comparison": "teams-imps", "scale": "wbf-formula"});
    site.does("/api/contest", beside).await;
    for section in ["A", "B"] {
        site.does("/api/contest/draw", json!({"section": section}))
            .await;
    }
    site.open_for_log_on().await;
    let mut pads = Vec::new();
    play(&site, &mut pads, 1).await;
    let both = async || site.ask("GET", "/api/contest", None).await.1["contests"].clone();
    let steps = both().await;
    assert_eq!(steps[0]["next_step"], "Draw round 2.");
    assert_eq!(
        steps[1]["next_step"],
        "Round 1: 2 tables are playing. Then draw round 2, or draw it now."
    );
    // The match goes on by itself, with pads of the same set.
    let letter: SectionLetter = "B".parse().expect("a section");
    let mut final_pads = Vec::new();
    for table in 1..=2 {
        final_pads.push(TablePad::log_on_in(&site, letter, table).await);
    }
    for round in 1..=2 {
        if round == 2 {
            for section in ["A", "B"] {
                site.does("/api/contest/draw", json!({"section": section}))
                    .await;
            }
            play(&site, &mut pads, 2).await;
        }
        for pad in &mut final_pads {
            pad.plays(&site, round, (round - 1) * 6 + 1..=round * 6)
                .await;
        }
    }
    let end = both().await;
    for event in [&end[0], &end[1]] {
        assert_eq!(
            event["next_step"],
            "All matches are in. Release the result."
        );
    }
    let mut naive: BTreeMap<u64, i64> = BTreeMap::new();
    for (round, number, home, away) in matches(&end[0]) {
        let boards = (round - 1) * 6 + 1..=round * 6;
        let net = naive_match((round, number * 2 - 1), (round, number * 2), boards);
        *naive.entry(home).or_default() += naive_vp("6", net);
        *naive.entry(away).or_default() += naive_vp("6", -net);
    }
    assert_eq!(standing(&end[0]), naive);
    let net: i64 = (1..=2_u8)
        .map(|round| naive_match((round, 1), (round, 2), (round - 1) * 6 + 1..=round * 6))
        .sum();
    let net = f64::from(i32::try_from(net).expect("a few IMPs"));
    let own = &end[1]["rounds"][1]["matches"][0];
    assert_eq!(own["home"]["margin"].as_f64(), Some(net));
}

#[tokio::test]
async fn forbidden_pairs_stay_apart_and_who_cannot_move_keeps_the_table() {
    let site = Site::open().await;
    let mut entries: Vec<Value> = (1..=8).map(|number| json!({"number": number})).collect();
    entries[0] = json!({"number": 1, "forbidden": [2, 3, 4, 5, 6, 7]});
    entries[7] = json!({"number": 8, "stationary": 3});
    let event = json!({"name": "Pairs", "date": "2026-11-17"});
    site.does("/api/calendar/events", event).await;
    let swiss = json!({"section": "A", "name": "Swiss", "contestants": entries, "format": "swiss",
        "rounds": 2, "boards": 4, "comparison": "cross-imps"});
    site.does("/api/contest", swiss).await;
    let mut seed = 1;
    // Lots that bring 1 and somebody else together are refused with what to do.
    loop {
        let body = json!({"section": "A", "seed": seed});
        let (status, answer) = site.ask("POST", "/api/contest/draw", Some(body)).await;
        if status == StatusCode::OK {
            break;
        }
        assert!(
            answer["problem"]
                .as_str()
                .is_some_and(|it| it.contains("another seed"))
        );
        seed += 1;
    }
    let drawn = matches(&contest(&site).await);
    let own = drawn
        .iter()
        .find(|it| it.2 == 1 || it.3 == 1)
        .expect("a match");
    assert_eq!((own.2 + own.3, own.1), (9, 3), "1 meets 8 at table 3");
    // Drawn again with a reason, by hand, before anybody has played.
    let by_hand = json!({"section": "A", "round": 1, "why": "a pair was late", "matches": [
        {"home": 8, "away": 1, "table": 3}, {"home": 2, "away": 3, "table": 1},
        {"home": 4, "away": 5, "table": 2}, {"home": 6, "away": 7, "table": 4}]});
    site.does("/api/contest/draw", by_hand).await;
    let again = matches(&contest(&site).await);
    assert_eq!(again[2], (1, 3, 8, 1));
}

#[tokio::test]
async fn late_teams_join_a_swiss_and_meet_the_leaders_in_their_first_round() {
    let site = Site::open().await;
    set_up(&site, json!({"size": 4, "format": "swiss", "rounds": 3})).await;
    site.does("/api/contest/draw", json!({"section": "A", "seed": 3}))
        .await;
    site.open_for_log_on().await;
    let mut pads = Vec::new();
    play(&site, &mut pads, 1).await;
    for number in [5, 6] {
        let late = json!({"section": "A", "why": "lost their knock-out",
            "contestant": {"number": number, "carry_over": 8.0, "name": format!("Late {number}")}});
        site.does("/api/contest/join", late).await;
    }
    let twice = json!({"section": "A", "why": "?", "contestant": {"number": 5}});
    let twice = refused(&site, "/api/contest/join", twice).await;
    assert!(twice.contains("5 is not possible"), "{twice}");
    let before = contest(&site).await;
    let leaders: Vec<u64> = before["standing"]
        .as_array()
        .expect("a standing")
        .iter()
        .filter_map(|line| line["contestant"].as_u64())
        .filter(|number| *number < 5)
        .collect();
    assert_eq!(standing(&before)[&5], 800);
    site.does(
        "/api/contest/draw",
        json!({"section": "A", "drop_ins": true, "seed": 4}),
    )
    .await;
    let now = contest(&site).await;
    let met = |number: u64| {
        let drawn = matches(&now);
        let own = drawn
            .iter()
            .find(|it| it.0 == 2 && (it.2 == number || it.3 == number));
        own.map(|it| it.2 + it.3 - number).expect("a match")
    };
    assert_eq!([met(5), met(6)], [leaders[0], leaders[1]]);
    // A table that was not there in round 1 plays in round 2, and the others too.
    play(&site, &mut pads, 2).await;
    assert_eq!(contest(&site).await["next_step"], "Draw round 3.");
}
