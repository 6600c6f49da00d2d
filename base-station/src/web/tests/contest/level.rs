//! Who ends level: places that are shared, matches that are played on, and fines in IMPs.

use super::regulations::{first_number, rule};
use super::stage::Stage;
use super::*;

/// What somebody who plays a final sets up.
fn two_teams(more: &Value) -> Value {
    let mut body = json!({"format": "head-to-head", "rounds": 2, "boards": 4,
        "comparison": "teams-imps", "contestants": [
            {"number": 1, "name": "Eagles"}, {"number": 2, "name": "Owls"}]});
    if let Some((body, more)) = body.as_object_mut().zip(more.as_object()) {
        body.extend(more.clone());
    }
    body
}

/// A match in two stanzas of four boards that is level: six IMPs each way.
async fn level_final(rules: Value) -> Stage {
    let stage = Stage::open(two_teams(&rules)).await;
    for (round, imps) in [(1, 6), (2, -6)] {
        if round > 1 {
            stage.draw(json!({})).await;
        }
        stage.wins(1, round, 4, imps).await;
    }
    stage
}

fn places(now: &Value) -> Vec<(u64, u64, String)> {
    let lines = now["standing"].as_array().expect("a standing");
    let number = |value: &Value| value.as_u64().expect("a number");
    let by = |line: &Value| line["decided_by"].as_str().unwrap_or_default().to_owned();
    lines
        .iter()
        .map(|line| {
            (
                number(&line["place"]),
                number(&line["contestant"]),
                by(line),
            )
        })
        .collect()
}

fn next_step(now: &Value) -> &str {
    now["next_step"].as_str().expect("a sentence")
}

/// Plays on, by as many boards as the page says; away wins the last board by so many IMPs.
async fn plays_on(stage: &Stage, round: u8, first: u8, expected: i64, imps: i64) {
    let now = stage.now().await;
    assert_eq!(now["play_off"].as_i64(), Some(expected), "{now}");
    let boards = u8::try_from(expected).expect("a few");
    stage
        .post("/api/contest/play-off", json!({"why": "level"}))
        .await;
    stage.draw(json!({})).await;
    let now = stage.now().await;
    let last = first + boards - 1;
    let shown = if boards == 1 {
        first.to_string()
    } else {
        format!("{first}-{last}")
    };
    assert_eq!(now["rounds"][usize::from(round) - 1]["boards"], shown);
    for board in first..=last {
        let here = if board == last { -imps } else { 0 };
        stage.swings(1, round, board, here).await;
    }
}

#[tokio::test]
async fn a_final_that_is_level_is_played_on_as_its_regulation_prints() {
    let boards = |text: &Value| first_number(text.as_str().expect("a rule")) / 100;
    let sabf = &rule("R038")["order"][0];
    let grand = sabf.as_str().and_then(|it| it.split('(').nth(1));
    let gnot = &rule("R045")["KO_rep_SF_F"];
    let place = &rule("R048")["for_final_spot"];
    let stories = [
        (json!({"regulation": "sabf"}), vec![boards(sabf); 2]),
        (
            json!({"regulation": "sabf", "level": "sabf-grand-final"}),
            vec![first_number(grand.expect("the grand final")) / 100; 2],
        ),
        (
            json!({"regulation": "gnot"}),
            vec![boards(&gnot[0]), boards(&gnot[1]), boards(&gnot[1])],
        ),
        (
            json!({"level": "gnot2012-final-place"}),
            vec![boards(&place[0]), boards(&place[1])],
        ),
    ];
    for (rules, lengths) in stories {
        let stage = level_final(rules.clone()).await;
        let (mut first, mut round) = (9, 3);
        for (at, length) in lengths.iter().enumerate() {
            let level = stage.now().await;
            assert_eq!(places(&level)[1].0, 1, "{rules}: they share the place");
            let step = if *length == 1 {
                "play one more board".to_owned()
            } else {
                format!("play {length} more boards")
            };
            assert!(next_step(&level).contains(&step), "{rules}: {level}");
            let imps = if at + 1 == lengths.len() { 3 } else { 0 };
            plays_on(&stage, round, first, *length, imps).await;
            first += u8::try_from(*length).expect("a few");
            round += 1;
        }
        let end = stage.now().await;
        assert_eq!(
            places(&end),
            [(1, 2, String::new()), (2, 1, "a play-off".to_owned())],
            "{rules}"
        );
        let own = &end["rounds"][usize::from(round) - 2]["matches"][0];
        assert_eq!(
            own["home"]["vp"], own["away"]["vp"],
            "more boards are no VPs"
        );
        let remarks = own["remarks"].to_string();
        assert!(remarks.contains("Owls wins by a play-off"), "{remarks}");
        assert_eq!(end["play_off"], Value::Null);
        let no = json!({"why": "once more"});
        let no = stage.refused("/api/contest/play-off", no).await;
        assert!(no.contains("not level"), "{no}");
    }
}

#[tokio::test]
async fn shorter_matches_are_rescored_by_boards_won_then_total_points_then_a_lot() {
    let printed = rule("R048");
    let stories = [
        ("gnot2012-rescored", "14_boards_first_half", 0),
        ("gnot2012-second-half", "14_boards_second_half", 1),
        ("gnot2012-long", "28_boards_not_for_national_final", 1),
    ];
    for (rule, key, play_offs) in stories {
        let lengths: Vec<i64> = (0..play_offs)
            .map(|at| first_number(printed[key][at].as_str().expect("a rule")) / 100)
            .collect();
        // Six IMPs on one board against twice three: who won two boards has won.
        for (second, by, first_place) in [
            ([-3, -3], "boards won, then total points", 2),
            ([-6, 0], "a lot", 0),
        ] {
            let stage = Stage::open(two_teams(&json!({"level": rule}))).await;
            stage.wins(1, 1, 4, 6).await;
            stage.draw(json!({})).await;
            for (board, imps) in (5..).zip([second[0], second[1], 0, 0]) {
                stage.swings(1, 2, board, imps).await;
            }
            let (mut first, mut round) = (9, 3);
            for length in &lengths {
                plays_on(&stage, round, first, *length, 0).await;
                first += u8::try_from(*length).expect("a few");
                round += 1;
            }
            let end = stage.now().await;
            if first_place == 0 {
                assert!(next_step(&end).contains("draw a lot"), "{rule}: {end}");
                assert_eq!(places(&end)[1].0, 1);
                let lot = json!({"contestants": [2, 1], "by": "lot", "seed": 17, "why": "level"});
                stage.post("/api/contest/tie", lot).await;
            }
            let end = stage.now().await;
            let lines = places(&end);
            assert_eq!((lines[0].0, lines[1].0), (1, 2), "{rule}: {lines:?}");
            assert_eq!(lines[1].2, by, "{rule}");
            assert!(first_place == 0 || lines[0].1 == first_place, "{lines:?}");
            assert!(next_step(&end).contains("Release"), "{end}");
            assert_eq!(end["play_off"], Value::Null, "{rule}");
            let told = &end["rounds"][usize::from(round) - 2]["matches"][0]["remarks"];
            assert!(
                told.to_string().contains(&format!("wins by {by}")),
                "{told}"
            );
        }
    }
    // A board each by one IMP, and ten points more in all.
    let stage = Stage::open(two_teams(&json!({"level": "gnot2012-rescored"}))).await;
    stage.wins(1, 1, 4, 0).await;
    stage.types(1, 1, 1, "140").await;
    stage.types(2, 1, 1, "110").await;
    stage.draw(json!({})).await;
    stage.wins(1, 2, 4, -1).await;
    let end = stage.now().await;
    assert_eq!(end["rounds"][1]["matches"][0]["home"]["margin"], 0.0);
    let winner = &places(&end)[0];
    assert_eq!((winner.0, winner.1), (1, 1), "{end}");
}

#[tokio::test]
async fn pads_that_had_finished_their_match_play_on() {
    let stage = level_final(json!({"regulation": "sabf"})).await;
    let mut pads = Vec::new();
    for table in [1, 2] {
        pads.push(TablePad::log_on(&stage.site, table).await);
    }
    stage
        .post("/api/contest/play-off", json!({"why": "level"}))
        .await;
    stage.draw(json!({})).await;
    for pad in &mut pads {
        let told = super::slips::told(&stage.site, pad).await;
        let total = told.iter().find_map(|down| match down {
            Down::Schedule { rounds_total, .. } => Some(rounds_total.get()),
            _ => None,
        });
        assert_eq!(total, Some(3), "{told:?}");
        for board in 9..=12 {
            pad.enters(&stage.site, 3, board).await;
        }
    }
    let sheet = stage.sheet(3, 1).await;
    let lines = sheet["lines"].as_array().expect("lines");
    assert_eq!(lines.len(), 12, "the play-off is on the sheet");
    let points = |line: &Value, side: &str| line[side].as_f64().expect("IMPs");
    let net: f64 = lines[8..]
        .iter()
        .map(|line| points(line, "home") - points(line, "away"))
        .sum();
    assert!(net.abs() > 0.5, "the results of this test decide it");
    let winner = if net > 0.0 { 1 } else { 2 };
    let end = stage.now().await;
    assert_eq!(places(&end)[0].1, winner);
    assert_eq!(sheet["matching"]["home"]["margin"], 0.0);
}

#[tokio::test]
async fn three_of_a_pool_are_ranked_by_wins_and_a_lot_or_play_off_parts_the_rest() {
    let order = rule("R049")["order"].clone();
    assert_eq!(order, json!(["wins", "net IMPs", "IMP quotient"]));
    let pool = async |margins: [i64; 3]| {
        let body = json!({"size": 3, "format": "round-robin", "boards": 6,
            "comparison": "teams-imps", "ties": "gnot2012-pool"});
        let stage = Stage::set_up(body).await;
        let pairs = [(1, 2), (2, 3), (3, 1)];
        for ((round, (home, away)), margin) in (1_u8..).zip(pairs).zip(margins) {
            let bye = 6 - home - away;
            let matches = json!([{"home": home, "away": away}]);
            stage.draw(json!({"matches": matches, "bye": bye})).await;
            if round == 1 {
                stage.site.open_for_log_on().await;
            }
            stage.wins(1, round, 6, margin).await;
        }
        stage
    };
    // 1 and 2 are level and both beat 3: a win and a half each, 2 by more IMPs; byes count nothing.
    let stage = pool([0, 5, -2]).await;
    let now = stage.now().await;
    let lines = places(&now);
    assert_eq!(lines[0].1, 2, "{lines:?}");
    assert_eq!(lines[1], (2, 1, "net IMPs".to_owned()));
    let wins = |at: usize| now["standing"][at]["ties"][0]["value"].as_str();
    let wins: Vec<f64> = (0..3).filter_map(|at| wins(at)?.parse().ok()).collect();
    assert_eq!(wins, [1.5, 1.5, 0.0]);
    // Each beats one by as much: nothing separates them.
    let stage = pool([5, 5, 5]).await;
    let before = stage.now().await;
    assert!(places(&before).iter().all(|line| line.0 == 1), "{before}");
    for (wrong, why) in [
        (json!([1, 2]), "everybody who shares a place"),
        (json!([1, 2, 2]), "everybody who shares a place"),
        (json!([1, 2, 9]), "no contestant 9"),
    ] {
        let lot = json!({"contestants": wrong, "by": "lot", "why": "level"});
        let no = stage.refused("/api/contest/tie", lot).await;
        assert!(no.contains(why), "{no}");
    }
    let no = stage
        .refused("/api/contest/play-off", json!({"why": "level"}))
        .await;
    assert!(no.contains("stanzas"), "{no}");
    assert_eq!(stage.now().await, before, "nothing changed");
    // The same seed gives the same lot, however they are named.
    let mut lots = Vec::new();
    for named in [json!([1, 2, 3]), json!([3, 1, 2])] {
        let lot = json!({"contestants": named, "by": "lot", "seed": 17, "why": "level"});
        stage.post("/api/contest/tie", lot).await;
        lots.push(places(&stage.now().await));
    }
    assert_eq!(lots[0], lots[1]);
    assert_eq!(lots[0][2].2, "a lot");
    // Then they play for it after all, and that is taken back.
    let played = json!({"contestants": [3, 1, 2], "by": "play-off", "why": "two boards each"});
    let done = stage.post("/api/contest/tie", played).await;
    let order: Vec<u64> = places(&stage.now().await).iter().map(|it| it.1).collect();
    assert_eq!(order, [3, 1, 2]);
    let undo = json!({"change": done["seq"], "why": "they had not"});
    stage.site.does("/api/undo", undo).await;
    assert_eq!(places(&stage.now().await), lots[0]);
}

/// IMPs that an offence takes off home's margin; what home loses away has won.
async fn costs(stage: &Stage, offence: Value) -> i64 {
    let margins = async || {
        let now = stage.now().await;
        let rounds = now["rounds"].as_array().expect("rounds");
        let own = rounds.iter().find_map(|it| it["matches"].get(0)).cloned();
        let own = own.expect("the match");
        ["home", "away"].map(|side| super::stage::hundredths(&own[side]["margin"].to_string()))
    };
    let before = margins().await;
    let fine = json!({"contestant": 1, "offence": offence, "why": "noted"});
    stage.post("/api/contest/fine", fine).await;
    let after = margins().await;
    assert_eq!(after[0], -after[1]);
    before[0] - after[0]
}

async fn first_stanza(regulation: &str, boards: u8) -> Stage {
    let rules = json!({"regulation": regulation, "boards": boards});
    let stage = Stage::open(two_teams(&rules)).await;
    stage.wins(1, 1, boards, 12).await;
    stage
}

#[tokio::test]
async fn finals_are_fined_in_imps_and_the_fine_stays_when_the_next_stanza_is_drawn() {
    let late = |minutes: i64| json!({"kind": "late", "minutes": minutes});
    // The last minute of each band of the table.
    let sabf = first_stanza("sabf", 4).await;
    let printed = rule("R022");
    for (minutes, row) in [4, 10, 15, 20, 30].into_iter().zip(0..) {
        let penalty = printed["table"][row]["penalty"].to_string();
        if penalty.contains("warning") {
            assert_eq!(costs(&sabf, late(minutes)).await, 0, "a warning first");
        }
        assert_eq!(costs(&sabf, late(minutes)).await, first_number(&penalty));
    }
    let fine = json!({"contestant": 1, "offence": late(31), "why": "noted"});
    let lost = sabf.refused("/api/contest/fine", fine).await;
    assert!(lost.contains("forfeit"), "{lost}");
    let sum = |now: &Value| {
        let rounds = now["rounds"].as_array().expect("rounds").clone();
        let own = rounds.iter().find_map(|it| it["matches"].get(0).cloned());
        own.expect("the match")["home"]["margin"].as_f64()
    };
    let before = sum(&sabf.now().await);
    sabf.draw(json!({})).await;
    assert_eq!(sum(&sabf.now().await), before);
    // Inter-state teams print the IMPs of a final in brackets.
    let bracket = |text: &str| first_number(text.split('(').nth(1).expect("IMPs"));
    let itc = first_stanza("abf-championships", 8).await;
    let table = &rule("R024")["table"];
    assert_eq!(costs(&itc, late(5)).await, 0, "a warning first");
    assert_eq!(
        costs(&itc, late(12)).await,
        bracket(&table[2]["penalty"].to_string())
    );
    let slow = rule("R030")["cancelled_board"].clone();
    let boards = |boards: u16| json!({"kind": "slow", "boards": boards, "minutes": 5});
    let [once, again] = ["first", "each_further"].map(|it| bracket(&slow[it].to_string()));
    assert_eq!(costs(&itc, boards(2)).await, once + again);
    let telephone = json!({"kind": "telephone"});
    assert_eq!(costs(&itc, telephone.clone()).await, 0, "a warning first");
    let printed = &rule("R083")["smoking_phone_alcohol"]["ITC final"];
    assert_eq!(
        costs(&itc, telephone.clone()).await,
        first_number(&printed.to_string())
    );
    let gnot = first_stanza("gnot", 4).await;
    let printed = rule("R085")["penalty"].to_string();
    let imps = printed.split("or").nth(1).expect("IMPs");
    assert_eq!(costs(&gnot, telephone).await, first_number(imps));
}
