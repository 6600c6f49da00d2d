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
