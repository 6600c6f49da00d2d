//! Who goes on from one stage into the next, and with what.

use super::examples::example;
use super::regulations::rule;
use super::stage::{Stage, hundredths};
use super::*;

/// A stage of one round whose matches are awarded: 1 against 2, 3 against 4 and so on, in hundredths.
async fn awarded(comparison: &str, points: &[[i64; 2]]) -> Stage {
    let size = 2 * points.len();
    let stage = Stage::set_up(
        json!({"size": size, "format": "swiss", "rounds": 1, "boards": 8,
        "comparison": comparison}),
    )
    .await;
    let pairs: Vec<Value> = (1..=size)
        .step_by(2)
        .map(|home| json!({"home": home, "away": home + 1}))
        .collect();
    stage.draw(json!({"matches": pairs})).await;
    stage.site.open_for_log_on().await;
    for (number, [home, away]) in (1..).zip(points) {
        let award = json!({"round": 1, "number": number, "why": "as in the example",
            "decision": {"kind": "awarded", "home": home, "away": away}});
        stage.post("/api/contest/match", award).await;
    }
    stage
}

fn second(comparison: &str, format: &str, take: usize, carry: &str) -> Value {
    json!({"section": "B", "name": "Second stage", "format": format, "rounds": 1, "boards": 8,
        "comparison": comparison, "odd": "bye", "from": {"section": "A", "take": take, "carry": carry}})
}

/// Who plays the second stage, with the hundredths of a victory point that they bring along.
async fn brought(stage: &Stage, comparison: &str, take: usize, carry: &str) -> Vec<(u64, i64)> {
    let format = if take == 2 { "head-to-head" } else { "swiss" };
    let new = second(comparison, format, take, carry);
    stage.site.does("/api/contest", new).await;
    let mut all: Vec<(u64, i64)> = second_stage(stage).await["standing"]
        .as_array()
        .expect("a standing")
        .iter()
        .map(|line| {
            let who = line["contestant"].as_u64().expect("a number");
            (who, hundredths(&line["carry_over"].to_string()))
        })
        .collect();
    all.sort_unstable();
    all
}

async fn second_stage(stage: &Stage) -> Value {
    let (_, all) = stage.site.ask("GET", "/api/contest", None).await;
    all["contests"][1].clone()
}

#[tokio::test]
async fn who_goes_on_brings_along_what_the_worked_examples_print() {
    // Clubs: the difference, or three tenths of everything where scores are spread widely.
    let club = example("carry_003");
    let vp: Vec<i64> = (0..2)
        .map(|at| club["input"]["vp"][at].as_i64().expect("points") * 100)
        .collect();
    let stage = awarded("teams-imps", &[[vp[0], 4_000], [3_000, vp[1]]]).await;
    let lead = club["expected"]["carry"].as_i64().expect("points") * 100;
    let difference = brought(&stage, "teams-imps", 2, "difference").await;
    assert_eq!(difference, [(1, lead), (4, 0)]);
    let share = club["expected"]["wide_range_pct"]
        .as_i64()
        .expect("percent");
    let wide = brought(&stage, "teams-imps", 2, "wide-spread").await;
    assert_eq!(wide, [(1, vp[0] * share / 100), (4, vp[1] * share / 100)]);
    let all = brought(&stage, "teams-imps", 2, "all").await;
    assert_eq!(all, [(1, vp[0]), (4, vp[1])]);
    let nothing = brought(&stage, "teams-imps", 2, "nothing").await;
    assert_eq!(nothing, [(1, 0), (4, 0)]);
    // ABF open pairs by their places, whoever else goes on.
    let places = example("carry_001_open")["expected"]["places_1_to_5"].clone();
    assert_eq!(places, rule("R097")["open"]);
    let points = [
        [9_000, 8_000],
        [7_000, 6_000],
        [5_000, 4_000],
        [3_000, 2_000],
    ];
    let stage = awarded("butler", &points).await;
    let printed: Vec<(u64, i64)> = (1..=6_u64)
        .zip(0..)
        .map(|(who, at)| (who, places[at].as_i64().unwrap_or(0) * 100))
        .collect();
    assert_eq!(brought(&stage, "butler", 6, "open-pairs").await, printed);
    // Mixed pairs: 1 + 6 (z - y) / (x - y), to two decimals.
    let stage = awarded("butler", &[[10_000, 7_300], [6_000, 4_000]]).await;
    let mixed = brought(&stage, "butler", 3, "mixed-pairs").await;
    assert_eq!(mixed, [(1, 700), (2, 295), (3, 100)]);
}

#[tokio::test]
async fn a_final_begins_with_a_tenth_of_the_lead_and_ends_without_it_where_it_is_level() {
    let printed = example("carry_001_itc");
    let margin = hundredths(&printed["input"]["vp_margin"].to_string());
    let final_of = async |lead: i64, away_wins: i64| {
        let stage = awarded("teams-imps", &[[10_000, 0], [0, 10_000 - lead]]).await;
        let mut new = second("teams-imps", "head-to-head", 2, "itc-final");
        new["regulation"] = json!("abf-championships");
        new["scale"] = json!("wbf");
        stage.site.does("/api/contest", new).await;
        stage
            .site
            .does("/api/contest/draw", json!({"section": "B"}))
            .await;
        for board in 1..=8 {
            let imps = if board == 1 { away_wins } else { 0 };
            let closed = if imps == 0 { "0" } else { "90" };
            for (table, typed) in [("B1", "0"), ("B2", closed)] {
                let line = json!({"table": table, "round": 1, "board": board, "typed": typed});
                stage.site.does("/api/lines/typed", line).await;
            }
        }
        second_stage(&stage).await
    };
    let now = final_of(margin, 0).await;
    let own = &now["rounds"][0]["matches"][0];
    assert_eq!(own["home"]["margin"], printed["expected"]["imps"], "{own}");
    // Three IMPs ahead, and the visitors win the boards by three: without the lead they have won.
    let now = final_of(3_000, 3).await;
    assert_eq!(now["rounds"][0]["matches"][0]["home"]["margin"], 0.0);
    let first = &now["standing"][0];
    assert_eq!(
        (&first["place"], &first["contestant"]),
        (&json!(1), &json!(4))
    );
    let by = &now["standing"][1]["decided_by"];
    assert_eq!(by, "the boards without carry-over", "{now}");
}

#[tokio::test]
async fn a_stage_that_is_not_over_or_shares_its_last_place_hands_nobody_on() {
    let stage = awarded("butler", &[[9_000, 8_000], [8_000, 6_000]]).await;
    let no = async |take: usize| {
        let new = second("butler", "swiss", take, "all");
        refused(&stage.site, "/api/contest", new).await
    };
    for (take, why) in [
        (1, "from 2 to 4"),
        (5, "from 2 to 4"),
        (2, "Place 2 is shared"),
    ] {
        let said = no(take).await;
        assert!(said.contains(why), "{said}");
    }
    // A lot decides who of them goes on.
    let lot = json!({"contestants": [2, 3], "by": "lot", "seed": 5, "why": "level"});
    stage.post("/api/contest/tie", lot).await;
    let lucky = stage.now().await["standing"][1]["contestant"].as_u64();
    let on = brought(&stage, "butler", 2, "nothing").await;
    let on: Vec<u64> = on.into_iter().map(|(who, _)| who).collect();
    assert_eq!(on, [1, lucky.expect("a number")]);
    // Its boards count again, and there are none.
    let open = json!({"round": 1, "number": 2, "why": "they play it"});
    stage.post("/api/contest/match", open).await;
    let said = no(4).await;
    assert!(said.contains("not finished"), "{said}");
}

/// A stage of three matches in a section, each side with so many hundredths.
async fn phase(site: &Site, section: &str, from: Option<&str>, points: &[i64; 6]) {
    let mut body = json!({"section": section, "name": format!("Phase {section}"), "boards": 8,
        "format": "swiss", "rounds": 1, "comparison": "teams-imps", "regulation": "sabf",
        "ties": "sabf-state-teams"});
    match from {
        None => body["size"] = json!(6),
        Some(from) => body["from"] = json!({"section": from, "take": 6, "carry": "all"}),
    }
    site.does("/api/contest", body).await;
    let pairs = [[1, 2], [3, 4], [5, 6]].map(|[home, away]| json!({"home": home, "away": away}));
    let draw = json!({"section": section, "matches": pairs, "allow_rematches": true});
    site.does("/api/contest/draw", draw).await;
    if from.is_none() {
        site.open_for_log_on().await;
    }
    for (number, two) in (1..).zip(points.chunks(2)) {
        let award = json!({"section": section, "round": 1, "number": number, "why": "as planned",
            "decision": {"kind": "awarded", "home": two[0], "away": two[1]}});
        site.does("/api/contest/match", award).await;
    }
}

#[tokio::test]
async fn two_stages_are_one_by_the_points_of_their_places() {
    let printed = rule("R040")["points"].clone();
    let for_place = |place: usize| printed[place.to_string()].as_f64().unwrap_or(0.0);
    assert_eq!(
        rule("R040")["order"],
        json!([
            "VP both phases",
            "VP after removal of fines",
            "net IMPs",
            "lot"
        ])
    );
    let site = Site::open().await;
    let event = json!({"name": "State teams", "date": "2026-11-17"});
    site.does("/api/calendar/events", event).await;
    // 1, 3 and 5 are the first three, then 3, 1 and 6; what they brought along does not count twice.
    phase(&site, "A", None, &[1_800, 200, 1_700, 300, 1_200, 700]).await;
    phase(&site, "B", Some("A"), &[700, 300, 900, 100, 0, 1_700]).await;
    let stages = json!({"section": "B", "also": [{"section": "A"}]});
    let over = async || {
        let answer = site.does("/api/contest/over-stages", stages.clone()).await;
        answer["lines"].as_array().expect("lines").clone()
    };
    let first = over().await;
    let places = |section: usize| {
        let site = &site;
        async move {
            let (_, all) = site.ask("GET", "/api/contest", None).await;
            let lines = all["contests"][section]["standing"].clone();
            let lines = lines.as_array().expect("a standing").iter();
            lines
                .map(|line| (line["contestant"].as_u64(), line["place"].as_u64()))
                .collect::<BTreeMap<_, _>>()
        }
    };
    let (one, two) = (places(0).await, places(1).await);
    for line in &first {
        let who = line["contestant"].as_u64();
        let [one, two] = [&one, &two].map(|places| {
            let place = places[&who].expect("a place");
            for_place(usize::try_from(place).expect("a few"))
        });
        assert_eq!(line["points"], json!([one, two]), "{line}");
        assert_eq!(line["total"].as_f64(), Some(one + two));
    }
    // Who has as many points is separated by the victory points of both.
    let ahead = |lines: &[Value], one: u64, other: u64| {
        let at = |who: u64| lines.iter().position(|it| it["contestant"] == who);
        at(one) < at(other)
    };
    let level: Vec<&Value> = first
        .iter()
        .filter(|it| it["total"] == first[0]["total"])
        .collect();
    assert_eq!(level.len(), 2, "{first:?}");
    assert!(level[0]["vp"].as_f64() > level[1]["vp"].as_f64());
    let [leader, next] = [0, 1].map(|at| level[at]["contestant"].as_u64().expect("a number"));
    // A penalty makes their victory points equal: then those without it count.
    let lead = level[0]["vp"].as_f64().expect("points") - level[1]["vp"].as_f64().expect("points");
    let fine = json!({"pair": format!("A{leader}NS"), "kind": "VictoryPoints",
        "value": format!("{lead:.2}"), "why": "late"});
    site.does("/api/penalties", fine).await;
    let fined = over().await;
    assert_eq!(fined[0]["vp"], fined[1]["vp"], "{fined:?}");
    assert!(ahead(&fined, leader, next));
    assert!(fined[0]["vp_played"].as_f64() > fined[1]["vp_played"].as_f64());
    // The best four of both go on.
    let last = json!({"section": "C", "name": "Final", "boards": 8, "format": "swiss", "rounds": 1,
        "comparison": "teams-imps", "first": "halves",
        "from": {"section": "B", "take": 4, "also": [{"section": "A"}]}});
    site.does("/api/contest", last).await;
    let (_, all) = site.ask("GET", "/api/contest", None).await;
    let entries: Vec<Value> = all["contests"][2]["entries"]
        .as_array()
        .expect("entries")
        .iter()
        .map(|it| it["contestant"].clone())
        .collect();
    let best: Vec<Value> = fined[..4]
        .iter()
        .map(|it| it["contestant"].clone())
        .collect();
    assert_eq!(entries, best);
    let unfinished = json!({"section": "C", "also": [{"section": "A"}]});
    let refusal = refused(&site, "/api/contest/over-stages", unfinished).await;
    assert!(refusal.contains("not drawn"), "{refusal}");
}

/// A Swiss of one round whose pairs have these players, in sections A and on: who is written first
/// wins.
async fn qualifying(site: &Site, section: &str, comparison: &str, matches: &[[Vec<&str>; 2]]) {
    let mut contestants = Vec::new();
    let mut pairs = Vec::new();
    for (number, [home, away]) in (1..).step_by(2).zip(matches) {
        contestants.push(json!({"number": number, "players": home}));
        contestants.push(json!({"number": number + 1, "players": away}));
        pairs.push(json!({"home": number, "away": number + 1}));
    }
    let body = json!({"section": section, "name": format!("Qualifying {section}"), "boards": 8,
        "format": "swiss", "rounds": 1, "comparison": comparison, "contestants": contestants});
    site.does("/api/contest", body).await;
    site.does(
        "/api/contest/draw",
        json!({"section": section, "matches": pairs}),
    )
    .await;
    if section == "A" {
        site.open_for_log_on().await;
    }
    for (number, home) in (1..=pairs.len()).zip([2_000, 1_900, 1_800]) {
        let award = json!({"section": section, "round": 1, "number": number, "why": "as planned",
            "decision": {"kind": "awarded", "home": home, "away": 2_000 - home}});
        site.does("/api/contest/match", award).await;
    }
}

#[tokio::test]
async fn pairs_enter_by_the_points_of_their_places_in_several_events() {
    let order = rule("R042")["order"].clone();
    assert_eq!(
        (&order[0], &order[1], &order[6], &order[7]),
        (
            &json!("qualifying points"),
            &json!("first places"),
            &json!("doubling butler qualifying points"),
            &json!("lot")
        )
    );
    let site = Site::open().await;
    let event = json!({"name": "Open trials", "date": "2026-11-17"});
    site.does("/api/calendar/events", event).await;
    let two = |one: &'static str, other: &'static str| vec![one, other];
    // A Butler qualifying, then teams in which partners play apart.
    let pairs = [
        [two("Ann", "Bob"), two("Kim", "Lou")],
        [two("Cleo", "Dan"), two("Mia", "Ned")],
        [two("Eve", "Fay"), two("Oda", "Pat")],
    ];
    qualifying(&site, "A", "butler", &pairs).await;
    let teams = [
        [
            vec!["Cleo", "Dan", "Eve", "Kim", "Gus"],
            vec!["Mia", "Ned", "Oda", "Pat"],
        ],
        [
            vec!["Ann", "Bob", "Hal", "Ida"],
            vec!["Fay", "Joe", "Ken", "Lou"],
        ],
    ];
    qualifying(&site, "B", "teams-imps", &teams).await;
    let wanted = json!({"seed": 4, "events": [
            {"section": "A", "worth": "swiss-pairs", "butler": true},
            {"section": "B", "worth": "open-teams"}],
        "pairs": [["Eve", "Fay"], ["Ann", "Bob"], ["Cleo", "Dan"], ["Mia", "Ned"], ["Kim", "Zoe"]]});
    let answer = site.does("/api/contest/points", wanted.clone()).await;
    let lines = answer["lines"].as_array().expect("lines");
    let shown: Vec<Value> = lines
        .iter()
        .map(|line| json!([line["players"][0], line["points"], line["total"]]))
        .collect();
    // 60 and 40; 45 and four fifths of 60; 40, half of 48 and half of 30; 30 and 20; half of 25 and
    // half of 48.
    assert_eq!(
        json!(shown),
        json!([
            ["Ann", [60.0, 40.0], 100.0],
            ["Cleo", [45.0, 48.0], 93.0],
            ["Eve", [40.0, 39.0], 79.0],
            ["Mia", [30.0, 20.0], 50.0],
            ["Kim", [12.5, 24.0], 36.5]
        ])
    );
    assert_eq!(lines[0]["places"], json!([1, 1, 0, 0, 0]));
    // Other events, other points: teams of five lose a fifth of them.
    let level = json!({"seed": 4, "pairs": [["Cleo", "Dan"], ["Kim", "Gus"], ["Ann", "Bob"]],
        "events": [{"section": "A", "worth": "national-teams"},
            {"section": "B", "worth": "national-teams"}]});
    let answer = site.does("/api/contest/points", level).await;
    let lines = answer["lines"].as_array().expect("lines");
    assert_eq!(lines[0]["players"][0], "Ann", "60 and 40");
    assert_eq!(lines[1]["players"][0], "Cleo", "40 and 48");
    let twice = json!({"events": [{"section": "A", "worth": "state-pairs"}],
        "pairs": [["Ann", "Bob"], ["ann", "Dan"]]});
    let refusal = refused(&site, "/api/contest/points", twice).await;
    assert!(refusal.contains("ann"), "{refusal}");
    // Two who have won nothing are put in order by a lot, which its seed gives again.
    let nothing = |seed: u64| {
        json!({"seed": seed, "events": [{"section": "A", "worth": "state-pairs"}],
            "pairs": [["Una", "Vic"], ["Wes", "Xen"], ["Yas", "Zoe"]]})
    };
    let by_lot = site.does("/api/contest/points", nothing(9)).await;
    assert_eq!(by_lot["lines"][2]["decided_by"], "a lot");
    let again = site.does("/api/contest/points", nothing(9)).await;
    assert_eq!(by_lot, again);
}
