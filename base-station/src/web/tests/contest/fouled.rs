//! Datums that are not those of a section's own results: each form of a fouled board has its own,
//! and sections that are one field share theirs.

use super::naive::naive_imps;
use super::regulations::rule;
use super::stage::Stage;
use super::*;

/// What eleven tables score on a board at which nobody is vulnerable.
const SCORES: [i64; 11] = [-50, 70, 90, 110, 120, 140, 150, 170, 400, 420, -300];

/// Tables that play the other form.
const OTHERS: usize = 8;

/// The average without so many at each end, to tens.
fn datum(scores: &[i64], each_end: usize) -> i64 {
    let mut sorted = scores.to_vec();
    sorted.sort_unstable();
    let kept = &sorted[each_end..sorted.len() - each_end];
    let count = i64::try_from(kept.len()).expect("a few");
    (2 * kept.iter().sum::<i64>() + 10 * count).div_euclid(20 * count) * 10
}

fn points(value: i64) -> f64 {
    f64::from(i32::try_from(value).expect("a few hundred"))
}

async fn shown(stage: &Stage, table: u16) -> (Option<f64>, Option<f64>) {
    let sheet = stage.sheet(1, table).await;
    let line = &sheet["lines"][0];
    (line["datum"].as_f64(), line["home"].as_f64())
}

async fn one_board(rules: Value) -> Stage {
    let mut body = json!({"size": 22, "format": "swiss", "rounds": 1, "boards": 1,
        "comparison": "butler", "column": "nearest-even"});
    if let Some((body, rules)) = body.as_object_mut().zip(rules.as_object()) {
        body.extend(rules.clone());
    }
    let stage = Stage::open(body).await;
    for (table, score) in (1..).zip(SCORES) {
        stage.types(table, 1, 1, &score.to_string()).await;
    }
    stage
}

async fn foul(stage: &Stage, tables: impl Iterator<Item = u16>) {
    let tables: Vec<String> = tables.map(|table| format!("A{table}")).collect();
    let other = json!({"board": 1, "form": "B", "tables": tables, "why": "hands exchanged"});
    stage.post("/api/boards/fouled", other).await;
}

#[tokio::test]
async fn each_form_of_a_fouled_board_is_compared_with_its_own_datum() {
    // SABF: included, compared by itself, or cancelled.
    let options = rule("R053")["options"].clone();
    assert_eq!(options.as_array().map(Vec::len), Some(3));
    let abf = rule("R057")["separate_entities"].clone();
    assert_eq!(abf, "drop 2 extremes (3-7 results) or 4 (more than 7)");
    assert_eq!(rule("R059")["fouled"], "second field with its own datum");
    // Left out at each end of all eleven, of the eight and of the three.
    for (datums, [all, eight, three]) in [
        ("sabf", [1, 1, 1]),
        ("abf", [1, 2, 1]),
        ("abf-open", [3, 2, 1]),
        ("club", [1, 1, 1]),
    ] {
        let stage = one_board(json!({"datum": datums})).await;
        let included = datum(&SCORES, all);
        for (table, score) in (1..).zip(SCORES) {
            let imps = naive_imps(score - included);
            let expected = (Some(points(included)), Some(points(imps)));
            assert_eq!(shown(&stage, table).await, expected, "{datums} {table}");
        }
        foul(&stage, 1..=8).await;
        let own = [
            datum(&SCORES[..OTHERS], eight),
            datum(&SCORES[OTHERS..], three),
        ];
        for (table, score) in (1..).zip(SCORES) {
            let own = own[usize::from(table > 8)];
            let imps = naive_imps(score - own);
            let expected = (Some(points(own)), Some(points(imps)));
            assert_eq!(shown(&stage, table).await, expected, "{datums} {table}");
        }
        // The traveller says the same.
        let path = "/api/sections/A/boards/1";
        let (status, traveller) = stage.site.ask("GET", path, None).await;
        assert_eq!(status, StatusCode::OK, "{traveller}");
        assert_eq!(
            traveller["datums"],
            json!({"A": points(own[1]), "B": points(own[0])})
        );
        let (_, sheet) = stage.site.ask("GET", "/print/travellers", None).await;
        let sheet = sheet.as_str().expect("a page");
        assert!(sheet.contains(&format!("form B {:+}", own[0])), "{sheet}");
    }
}

#[tokio::test]
async fn a_cancelled_form_is_worth_two_imps_and_the_others_are_compared_without_it() {
    assert_eq!(
        rule("R053")["options"][2],
        "cancel and 2 IMPs to the cancelled contestants"
    );
    let stage =
        one_board(json!({"regulation": "sabf", "column": "boards", "scale": "wbf-formula"})).await;
    let plus =
        json!({"kind": "Adjusted", "ns": {"kind": "AveragePlus"}, "ew": {"kind": "AveragePlus"}});
    for table in 9..=11 {
        stage.rules(table, 1, 1, plus.clone()).await;
    }
    let rest = datum(&SCORES[..OTHERS], 1);
    for (table, score) in (1..).zip(&SCORES[..OTHERS]) {
        let imps = points(naive_imps(score - rest));
        assert_eq!(shown(&stage, table).await.1, Some(imps), "{table}");
    }
    for table in 9..=11 {
        let sheet = stage.sheet(1, table).await;
        let line = &sheet["lines"][0];
        assert_eq!(
            (line["home"].as_f64(), line["away"].as_f64()),
            (Some(2.0), Some(2.0))
        );
    }
}

/// Three tables of youth beside five of seniors, on the same boards.
#[tokio::test]
async fn sections_that_are_one_field_share_their_datum() {
    assert_eq!(
        rule("R054")["fewer_than_4_tables"],
        "seniors averages used as well"
    );
    let stage = Stage::set_up(
        json!({"size": 6, "format": "swiss", "rounds": 2, "boards": 1,
        "comparison": "butler", "datum": "club", "column": "nearest-even"}),
    )
    .await;
    let seniors = json!({"section": "B", "name": "Seniors", "size": 10, "format": "swiss",
        "rounds": 1, "boards": 1, "comparison": "butler", "column": "nearest-even"});
    stage.site.does("/api/contest", seniors).await;
    stage.draw(json!({"seed": 3})).await;
    let draw = json!({"section": "B", "seed": 3});
    stage.site.does("/api/contest/draw", draw).await;
    stage.site.open_for_log_on().await;
    let (youth, seniors) = SCORES.split_at(3);
    let seniors = &seniors[..5];
    for (section, scores) in [("A", youth), ("B", seniors)] {
        for (table, score) in (1..).zip(scores) {
            let table = format!("{section}{table}");
            let line = json!({"table": table, "round": 1, "board": 1, "typed": score.to_string()});
            stage.site.does("/api/lines/typed", line).await;
        }
    }
    let is = |scores: &[i64]| Some(points(datum(scores, 1)));
    assert_eq!(shown(&stage, 1).await.0, is(youth));
    let (_, mut settings) = stage.site.ask("GET", "/api/settings", None).await;
    settings["scoring"]["across_sections"] = json!(true);
    let (status, answer) = stage.site.ask("PUT", "/api/settings", Some(settings)).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    assert_ne!(is(youth), is(&SCORES[..8]));
    for (table, score) in (1..).zip(youth) {
        let imps = points(naive_imps(score - datum(&SCORES[..8], 1)));
        assert_eq!(
            shown(&stage, table).await,
            (is(&SCORES[..8]), Some(imps)),
            "{table}"
        );
    }
    let (_, traveller) = stage
        .site
        .ask("GET", "/api/sections/A/boards/1", None)
        .await;
    assert_eq!(traveller["datum"].as_f64(), is(&SCORES[..8]));
}

#[tokio::test]
async fn a_round_robin_of_sabf_leaves_out_a_sixth_in_every_round() {
    let stage = Stage::open(
        json!({"size": 14, "format": "butler-chart", "rounds": 3, "boards": 1,
        "comparison": "butler", "regulation": "sabf"}),
    )
    .await;
    // Scores that there are at every vulnerability.
    let scores = [-150, 70, 90, -110, 110, 200, -100];
    assert_ne!(datum(&scores, 1), datum(&scores, 2));
    for round in 1..=3 {
        if round > 1 {
            stage.draw(json!({})).await;
        }
        for (table, score) in (1..).zip(scores) {
            stage.types(table, round, round, &score.to_string()).await;
        }
        // In a Swiss it would be two from the third round on.
        let shown = stage.sheet(round, 1).await["lines"][0]["datum"].as_f64();
        let expected = points(datum(&scores, 1));
        assert_eq!(shown, Some(expected), "round {round}");
    }
}
