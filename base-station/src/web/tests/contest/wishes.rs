//! What the director wishes of a draw: repeats by hand are refused until they are meant, who can't
//! move keeps the table, and the journal says how a draw came about.

use super::stage::Stage;
use super::*;

/// Matches as they are written by hand.
fn by_hand(pairs: &[[u64; 2]]) -> Value {
    pairs
        .iter()
        .map(|[home, away]| json!({"home": home, "away": away}))
        .collect()
}

/// What the history says, the newest first.
async fn history(stage: &Stage) -> String {
    stage
        .site
        .ask("GET", "/api/history", None)
        .await
        .1
        .to_string()
}

#[tokio::test]
async fn a_repeated_match_bye_or_triangle_by_hand_is_refused_until_it_is_meant() {
    let teams = json!({"size": 5, "format": "swiss", "rounds": 4, "boards": 4,
        "comparison": "teams-imps", "odd": "triangle"});
    let stage = Stage::set_up(teams).await;
    let first = json!({"matches": by_hand(&[[1, 2], [3, 4]]), "bye": 5});
    stage.draw(first).await;
    stage.site.open_for_log_on().await;
    assert_eq!(stage.now().await["rounds"][0]["by_hand"], true);
    assert!(history(&stage).await.contains("drawn by hand"));
    let said = async |draw: Value| stage.refused("/api/contest/draw", draw).await;
    let met = said(json!({"matches": by_hand(&[[2, 1], [3, 5]]), "bye": 4})).await;
    assert!(met.contains("2 and 1 have met"), "{met}");
    let bye = said(json!({"matches": by_hand(&[[1, 3], [2, 4]]), "bye": 5})).await;
    assert!(bye.contains("5 has had a bye"), "{bye}");
    let three = said(json!({"matches": by_hand(&[[4, 5]]), "triangle": [3, 2, 1]})).await;
    assert!(three.contains("have met"), "{three}");
    // The other three have not, and they begin their triangle; the others wait a round for it.
    stage
        .draw(json!({"matches": by_hand(&[[2, 4]]), "triangle": [1, 3, 5]}))
        .await;
    let now = stage.now().await;
    assert_eq!(now["rounds"][1]["triangle"], json!([1, 3, 5]));
    assert_eq!(now["rounds"][1]["halves"].as_array().map(Vec::len), Some(3));
    // It goes on by itself, and a repeat that is meant is drawn.
    let again = json!({"matches": by_hand(&[[4, 2]]), "allow_rematches": true});
    stage.draw(again).await;
    let now = stage.now().await;
    assert_eq!(now["rounds"][2]["matches"][0]["rematch"], true, "{now}");
}

#[tokio::test]
async fn a_draw_says_whether_it_was_made_by_hand_or_by_which_method() {
    let pairs = json!({"size": 6, "format": "swiss", "rounds": 3, "boards": 3,
        "comparison": "butler"});
    let stage = Stage::set_up(pairs).await;
    let round = async |round: usize| stage.now().await["rounds"][round - 1].clone();
    // Proposed, and published as it was proposed.
    let proposed = stage
        .post("/api/contest/draw/propose", json!({"seed": 4}))
        .await;
    let seats = proposed["matches"].as_array().expect("matches").clone();
    let seats: Value = seats
        .iter()
        .map(|it| json!({"home": it["home"], "away": it["away"], "table": it["table"]}))
        .collect();
    stage.draw(json!({"seed": 4, "matches": seats})).await;
    let first = round(1).await;
    assert_eq!(
        (&first["by_hand"], &first["seed"]),
        (&json!(false), &json!(4))
    );
    assert_eq!(first["method"], "swiss");
    // The same seed with two of them exchanged is a draw by hand, whose lots nobody drew.
    let mut changed = seats.clone();
    let home = changed[0]["home"].clone();
    changed[0]["home"] = changed[1]["home"].clone();
    changed[1]["home"] = home;
    stage
        .draw(json!({"round": 1, "seed": 4, "matches": changed, "why": "one came late"}))
        .await;
    let by_hand = round(1).await;
    assert_eq!(
        (&by_hand["by_hand"], &by_hand["seed"]),
        (&json!(true), &Value::Null)
    );
    // Another method than that of the stage is in the history.
    stage.site.open_for_log_on().await;
    stage.draw(json!({"method": "danish", "seed": 8})).await;
    assert_eq!(round(2).await["method"], "danish");
    let told = history(&stage).await;
    assert!(
        told.contains("drawn the Danish way, as the director asked"),
        "{told}"
    );
}

#[tokio::test]
async fn who_cannot_move_keeps_the_table_in_every_method_by_hand_and_in_a_chart() {
    let entries = |stationary: u16| -> Value {
        (1..=6)
            .map(|number| match number {
                5 => json!({"number": 5, "stationary": stationary}),
                number => json!({"number": number}),
            })
            .collect()
    };
    for format in ["swiss", "round-robin"] {
        let stage = Stage::set_up(
            json!({"contestants": entries(2), "format": format, "rounds": 4,
            "boards": 3, "comparison": "butler"}),
        )
        .await;
        let at = async || {
            let drawn = matches(&stage.now().await);
            let last = drawn.iter().map(|it| it.0).max();
            let own = drawn
                .iter()
                .find(|it| Some(it.0) == last && (it.2 == 5 || it.3 == 5));
            own.map(|it| it.1)
        };
        stage.draw(json!({"seed": 3})).await;
        assert_eq!(at().await, Some(2), "{format}");
        stage.site.open_for_log_on().await;
        if format == "round-robin" {
            stage.draw(json!({})).await;
            assert_eq!(at().await, Some(2), "{format}");
            continue;
        }
        for method in ["swiss", "classical", "danish"] {
            stage.draw(json!({"seed": 3, "method": method})).await;
            assert_eq!(at().await, Some(2), "{method}");
        }
        let hand = json!({"round": 4, "why": "a guest came", "allow_rematches": true,
            "matches": by_hand(&[[1, 2], [3, 4], [5, 6]])});
        stage.draw(hand).await;
        assert_eq!(at().await, Some(2));
        let moved = json!({"round": 4, "why": "?", "allow_rematches": true, "matches": [
            {"home": 1, "away": 2, "table": 1}, {"home": 3, "away": 4, "table": 2},
            {"home": 5, "away": 6, "table": 3}]});
        let moved = stage.refused("/api/contest/draw", moved).await;
        assert!(moved.contains("5 can’t move from table 2"), "{moved}");
    }
}

#[tokio::test]
async fn a_team_of_a_yellow_system_has_no_say_in_who_meets_whom() {
    let stage = Stage::open(
        json!({"size": 2, "format": "head-to-head", "rounds": 2, "boards": 4,
        "comparison": "teams-imps", "regulation": "gnot", "column": "nearest-even",
        "scale": "wbf"}),
    )
    .await;
    let first = async |round: usize| {
        let now = stage.now().await;
        now["rounds"][round - 1]["matches"][0]["seats_first"].clone()
    };
    let home = first(1).await.as_u64().expect("home posts first");
    let visitors = 3 - home;
    let yellow = json!({"contestant": visitors, "offence": {"kind": "yellow"},
        "why": "a forcing pass is used"});
    stage.post("/api/contest/fine", yellow).await;
    assert_eq!(
        first(1).await,
        json!(visitors),
        "they post first in this match"
    );
    assert!(history(&stage).await.contains("yellow"));
}
