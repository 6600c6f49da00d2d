//! Rules that a director meets once in a while: trials, boards lost to late teams, psyches, what is
//! left to the director, who drops in from a knock-out, and orders that only a draw goes by.

use super::examples::example;
use super::naive::{golden, printed};
use super::regulations::{first_number, rule};
use super::stage::{Stage, hundredths};
use super::*;

fn fine(offence: &Value) -> Value {
    json!({"contestant": 1, "offence": offence, "why": "noted"})
}

fn margin(now: &Value) -> Option<f64> {
    now["rounds"][0]["matches"][0]["home"]["margin"].as_f64()
}

/// A match of two teams that home leads by 18 IMPs after its only stanza.
async fn led(regulation: &str, boards: u8) -> Stage {
    let stage = Stage::open(json!({"size": 2, "format": "head-to-head", "rounds": 1,
        "boards": boards, "comparison": "teams-imps", "regulation": regulation}))
    .await;
    stage.wins(1, 1, boards, 18).await;
    stage
}

#[tokio::test]
async fn trials_bear_with_ten_minutes_and_take_three_points_for_every_ten_of_slow_play() {
    let trials = Stage::open(json!({"size": 4, "format": "round-robin", "boards": 8,
        "comparison": "butler", "regulation": "sabf-trials"}))
    .await;
    let off = async |offence: Value| {
        let before = standing(&trials.now().await)[&1];
        trials.post("/api/contest/fine", fine(&offence)).await;
        before - standing(&trials.now().await)[&1]
    };
    let printed = rule("R029");
    let each = first_number(printed["fine"].as_str().expect("a fine"));
    assert_eq!(printed["first_offence"], "none");
    let slow = |minutes: u16| json!({"kind": "slow", "boards": 1, "minutes": minutes});
    assert_eq!(off(slow(25)).await, 0, "the first time");
    assert_eq!(off(slow(10)).await, each);
    assert_eq!(off(slow(11)).await, 2 * each, "ten minutes or part of them");
    let printed = rule("R023");
    let late = |minutes: u64| json!({"kind": "late", "minutes": minutes});
    assert_eq!(printed["start_more_than_10_min_late"], "fine");
    assert_eq!(off(late(10)).await, 0);
    let no = trials.refused("/api/contest/fine", fine(&late(11))).await;
    assert!(no.contains("by hand"), "how much is not printed: {no}");
    let lost = trials.refused("/api/contest/fine", fine(&late(31))).await;
    assert!(lost.contains("forfeit"), "{lost}");
    // Who stays away altogether: what 12 IMPs are worth in six boards, and nothing.
    let own = trials.now().await["rounds"][0]["matches"][0].clone();
    let forfeit = json!({"round": 1, "number": 1, "why": "half an hour",
        "decision": {"kind": "forfeit", "by": own["away"]["contestant"]}});
    trials.post("/api/contest/match", forfeit).await;
    let own = trials.now().await["rounds"][0]["matches"][0].clone();
    let scale = golden("vp_wbf_continuous_000.tsv");
    let twelve = scale.iter().find(|row| row[0] == "12" && row[1] == "6");
    let vp = ["home", "away"].map(|side| hundredths(&own[side]["vp"].to_string()));
    assert_eq!(vp, [hundredths(&twelve.expect("a row")[2]), 0]);
}

#[tokio::test]
async fn boards_that_a_late_team_did_not_finish_cost_imps_in_gnot() {
    let printed = first_number(rule("R026")["penalty"].as_str().expect("IMPs")) / 100;
    let stage = led("gnot", 8).await;
    let late = json!({"kind": "late", "minutes": 20, "boards": 2});
    stage.post("/api/contest/fine", fine(&late)).await;
    let left = 18 - 2 * printed;
    assert_eq!(margin(&stage.now().await).map(|it| (it * 100.0).round()), {
        #[expect(clippy::cast_precision_loss, reason = "a few")]
        let left = left as f64;
        Some(left * 100.0)
    });
    let no = json!({"kind": "late", "minutes": 20});
    let no = stage.refused("/api/contest/fine", fine(&no)).await;
    assert!(no.contains("by hand"), "{no}");
}

#[tokio::test]
async fn minutes_over_in_a_final_cost_what_coming_late_does() {
    let printed = rule("R028");
    assert_eq!(printed["penalty"], "as late arrival (IMP) if attributable");
    let table = &rule("R022")["table"];
    let stage = led("sabf", 4).await;
    let slow = |minutes: u16| json!({"kind": "slow", "boards": 1, "minutes": minutes});
    stage.post("/api/contest/fine", fine(&slow(4))).await;
    assert_eq!(margin(&stage.now().await), Some(18.0), "a warning first");
    stage.post("/api/contest/fine", fine(&slow(12))).await;
    let off = table[2]["penalty"].as_f64().expect("IMPs");
    assert_eq!(margin(&stage.now().await), Some(18.0 - off));
    let now = stage.now().await;
    assert_eq!(now["no_new_board"], 5);
    assert_eq!(now["minutes"], 30, "four boards of 7.5 minutes");
}

#[tokio::test]
async fn a_psyche_against_protected_players_is_worth_minus_three_or_less() {
    let printed = example("psyche_000")["expected"].clone();
    assert!(rule("R087")["imps"].to_string().contains("-3 or actual"));
    let least = printed["imps_offenders"].as_f64().expect("IMPs");
    let psyche = |imps: i16| json!({"kind": "psyche", "imps": imps});
    // It won six on a board, and loses three there: nine off the match.
    let teams = led("sabf", 4).await;
    teams.post("/api/contest/fine", fine(&psyche(6))).await;
    let now = teams.now().await;
    assert_eq!(margin(&now), Some(12.0 + least));
    let away = now["rounds"][0]["matches"][0]["away"]["margin"].as_f64();
    assert_eq!(away, Some(-12.0 - least), "the opponents get the opposite");
    teams.post("/api/contest/fine", fine(&psyche(-5))).await;
    assert_eq!(margin(&teams.now().await), Some(12.0 + least), "bad enough");
    let club = led("new-zealand-club", 4).await;
    let no = club.refused("/api/contest/fine", fine(&psyche(6))).await;
    assert!(no.contains("by hand"), "{no}");
    // At matchpoints the board is awarded: nothing, and 60% or what they had.
    let pairs = Stage::open(json!({"size": 4, "format": "round-robin", "rounds": 1,
        "boards": 9, "comparison": "matchpoints", "regulation": "sabf"}))
    .await;
    pairs.types(2, 1, 1, "0").await;
    let percent = |of: &str| printed[of].as_f64().expect("percent");
    for theirs in ["opponents_pct", "min_opponents_pct"] {
        let typed = format!("A{}/{}", percent("offenders_pct"), percent(theirs));
        pairs.types(1, 1, 1, &typed).await;
        let line = pairs.sheet(1, 1).await["lines"][0].clone();
        // Two tables make a top of 2.
        let got = ["home", "away"].map(|side| line[side].as_f64().map(|it| it * 50.0));
        assert_eq!(got, [Some(0.0), Some(percent(theirs))], "{line}");
    }
}

#[tokio::test]
async fn what_a_regulation_leaves_to_the_director_is_typed() {
    let printed = rule("R006")["frequent_mis_scoring"].to_string();
    let trials = Stage::open(json!({"size": 4, "format": "round-robin", "boards": 10,
        "comparison": "butler", "regulation": "sabf-trials"}))
    .await;
    let no = trials
        .refused("/api/contest/fine", fine(&json!({"kind": "score"})))
        .await;
    assert!(no.contains("by hand"), "{no}");
    let before = standing(&trials.now().await)[&1];
    let points = first_number(&printed) / 100;
    let typed = json!({"pair": "A1", "kind": "VictoryPoints", "value": points.to_string(),
        "why": "scores were wrong again and again"});
    trials.site.does("/api/penalties", typed).await;
    assert_eq!(standing(&trials.now().await)[&1], before - points * 100);
    // An appeal without merit: six IMPs off the match of two teams.
    let printed = rule("R019")["penalty"].to_string();
    let imps = printed.split("or").nth(1).map(first_number);
    let imps = imps.expect("IMPs") / 100;
    let teams = led("new-zealand-club", 4).await;
    let typed = json!({"pair": "A1NS", "kind": "Imps", "value": imps.to_string(),
        "why": "an appeal without merit"});
    teams.site.does("/api/penalties", typed).await;
    assert_eq!(margin(&teams.now().await), Some(12.0));
    assert_eq!(imps, 6);
}

#[tokio::test]
async fn who_drops_in_is_ordered_by_the_knock_out_match_that_it_lost() {
    assert_eq!(
        rule("R050")["entering_swiss"],
        json!([
            "lost a play-off first",
            "smallest IMP difference",
            "smallest IMP quotient (winner/loser)",
            "lot"
        ])
    );
    assert_eq!(rule("R093")["swiss"], "k-th in Swiss v k-th dropping in");
    let stage = Stage::open(
        json!({"size": 6, "format": "swiss", "rounds": 3, "boards": 4,
        "comparison": "teams-imps"}),
    )
    .await;
    for (number, imps) in [(1, 12), (2, 6), (3, 3)] {
        stage.wins(number, 1, 4, imps).await;
    }
    let leaders: Vec<u64> = stage.now().await["standing"]
        .as_array()
        .expect("a standing")
        .iter()
        .filter_map(|line| line["contestant"].as_u64())
        .collect();
    let joins = |number: u16, lost: Value| json!({"why": "lost", "contestant": {"number": number, "carry_over": 9.0, "lost": lost}});
    let won = joins(11, json!({"scored": 42, "conceded": 41}));
    let no = stage.refused("/api/contest/join", won).await;
    assert!(no.contains("only who lost"), "{no}");
    // 13 lost by most; 11 and 15 by three, 15 with the smaller quotient; 12 lost a play-off; 14 and
    // 16 as 11, so that a lot decides between the three.
    for (number, scored, conceded) in [
        (11, 10, 13),
        (12, 30, 30),
        (13, 20, 41),
        (14, 10, 13),
        (15, 38, 41),
        (16, 10, 13),
    ] {
        let lost = json!({"scored": scored, "conceded": conceded});
        stage.post("/api/contest/join", joins(number, lost)).await;
    }
    let mut lots = Vec::new();
    for seed in [4, 4, 5, 6, 7, 8] {
        let wish = json!({"drop_ins": true, "seed": seed});
        let proposal = stage.post("/api/contest/draw/propose", wish).await;
        let drawn = proposal["matches"].as_array().expect("matches").clone();
        let met = |leader: &u64| {
            drawn.iter().find_map(|own| {
                let sides = ["home", "away"].map(|side| own[side].as_u64());
                match sides {
                    [Some(one), Some(other)] if one == *leader => Some(other),
                    [Some(one), Some(other)] if other == *leader => Some(one),
                    _ => None,
                }
            })
        };
        let order: Vec<u64> = leaders.iter().filter_map(met).collect();
        assert_eq!(order[..2], [12, 15], "{proposal}");
        assert_eq!(order[5], 13);
        lots.push(order[2..5].to_vec());
    }
    assert_eq!(lots[0], lots[1], "the seed gives the lot again");
    assert!(lots.iter().any(|it| *it != lots[0]), "{lots:?}");
    stage.draw(json!({"drop_ins": true, "seed": 4})).await;
    let drawn = matches(&stage.now().await);
    let first = drawn
        .iter()
        .find(|it| it.0 == 2 && [it.2, it.3].contains(&leaders[0]));
    let first = first.expect("the leader's match");
    assert_eq!(first.2 + first.3, leaders[0] + 12);
}

#[tokio::test]
async fn three_of_a_pool_who_are_level_play_a_triangle_of_one_board_each() {
    assert_eq!(rule("R049")["three_tied"][0], "1-board triangle");
    let body = json!({"size": 3, "format": "round-robin", "boards": 6,
        "comparison": "teams-imps", "ties": "gnot2012-pool"});
    let stage = Stage::set_up(body).await;
    for (round, (home, away)) in (1_u8..).zip([(1, 2), (2, 3), (3, 1)]) {
        let pairs = json!([{"home": home, "away": away}]);
        let wish = json!({"matches": pairs, "bye": 6 - home - away});
        stage.draw(wish).await;
        if round == 1 {
            stage.site.open_for_log_on().await;
        }
        stage.wins(1, round, 6, 5).await;
    }
    // A board against each, in a section of its own.
    let triangle = json!({"section": "B", "name": "Triangle", "format": "round-robin", "boards": 1,
        "comparison": "teams-imps", "ties": "gnot2012-pool", "from": {"section": "A", "take": 3}});
    stage.site.does("/api/contest", triangle).await;
    let second = async || {
        let (_, all) = stage.site.ask("GET", "/api/contest", None).await;
        all["contests"][1].clone()
    };
    for (round, (home, away, open)) in (1_u8..).zip([(1, 2, "0"), (2, 3, "140"), (3, 1, "90")]) {
        let pairs = json!([{"home": home, "away": away}]);
        let wish = json!({"section": "B", "matches": pairs, "bye": 6 - home - away});
        stage.site.does("/api/contest/draw", wish).await;
        for (table, typed) in [("B1", open), ("B2", "0")] {
            let line = json!({"table": table, "round": round, "board": round, "typed": typed});
            stage.site.does("/api/lines/typed", line).await;
        }
    }
    let numbers = |now: &Value| -> Vec<u64> {
        let lines = now["standing"].as_array().expect("a standing").iter();
        lines
            .filter_map(|line| line["contestant"].as_u64())
            .collect()
    };
    // 2 has won by four IMPs and halved; 3 has won by three and lost by four; 1 has halved and lost.
    let order = numbers(&second().await);
    assert_eq!(order, [2, 3, 1]);
    let decided = json!({"contestants": order, "by": "play-off", "why": "a triangle"});
    stage.post("/api/contest/tie", decided).await;
    let end = stage.now().await;
    assert_eq!(numbers(&end), order);
    assert_eq!(end["standing"][1]["decided_by"], "a play-off");
}

#[tokio::test]
async fn the_draw_goes_by_an_order_of_ties_of_its_own() {
    assert_eq!(
        rule("R039")["order"],
        json!(["sum of opponents VP", "net IMPs"])
    );
    assert_eq!(rule("R044")["swiss_draw"], json!(["net IMPs", "lot"]));
    assert_eq!(
        rule("R045")["swiss_after_1_3_5_7_8"],
        json!(["net IMP", "lot"])
    );
    for (ties, order) in [
        ("sabf-teams", [2_u64, 4, 3, 1]),
        ("abf-stage", [1, 3, 4, 2]),
        ("gnot-last", [1, 3, 4, 2]),
    ] {
        let play = async |carried: Option<&BTreeMap<u64, i64>>| -> Stage {
            let entries: Vec<Value> = (1..=4_u64)
                .map(|number| {
                    let carried = carried.map_or(0, |all| 5_000 - all[&number]);
                    #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
                    let points = carried as f64 / 100.0;
                    json!({"number": number, "carry_over": points})
                })
                .collect();
            let stage = Stage::set_up(json!({"contestants": entries, "format": "swiss",
                "rounds": 3, "boards": 8, "comparison": "teams-imps", "ties": ties}))
            .await;
            let pairs = json!([{"home": 1, "away": 2}, {"home": 3, "away": 4}]);
            stage.draw(json!({"matches": pairs})).await;
            stage.site.open_for_log_on().await;
            stage.wins(1, 1, 8, 20).await;
            stage.wins(2, 1, 8, 9).await;
            stage
        };
        let first = play(None).await;
        let level = play(Some(&standing(&first.now().await))).await;
        let proposal = level.post("/api/contest/draw/propose", json!({})).await;
        let lines = proposal["standing"].as_array().expect("a standing").iter();
        let shown: Vec<u64> = lines
            .filter_map(|line| line["contestant"].as_u64())
            .collect();
        assert_eq!(shown, order, "{ties}");
    }
}

#[tokio::test]
async fn pairs_listed_by_strength_have_the_places_that_the_chart_gives_them() {
    for pairs in [12_u64, 14] {
        let stage = Stage::set_up(json!({"size": pairs, "format": "butler-chart", "boards": 2,
            "comparison": "butler", "seeded": true}))
        .await;
        for round in 1..pairs {
            stage.draw(json!({})).await;
            if round == 1 {
                stage.site.open_for_log_on().await;
            }
        }
        let seeds: BTreeMap<u64, u64> = golden("movement_butler_rr_seedmap_000.tsv")
            .iter()
            .filter(|row| row[0] == pairs.to_string())
            .map(|row| [&row[2], &row[1]].map(|it| it.parse::<u64>().expect("a number")))
            .map(|[number, seed]| (number, seed))
            .collect();
        let printed: Vec<(u8, u16, u64, u64)> = printed("movement_butler_rr_000.tsv", pairs)
            .into_iter()
            .map(|(round, table, ns, ew)| (round, table, seeds[&ns], seeds[&ew]))
            .collect();
        assert_eq!(matches(&stage.now().await), printed);
    }
}

#[tokio::test]
async fn three_teams_play_the_troika_of_the_manual_over_two_rounds() {
    let stage = Stage::set_up(
        json!({"size": 3, "format": "swiss", "rounds": 2, "boards": 4,
        "comparison": "teams-imps", "odd": "triangle"}),
    )
    .await;
    stage.draw(json!({})).await;
    stage.site.open_for_log_on().await;
    stage.draw(json!({})).await;
    let now = stage.now().await;
    let number = |value: &Value| value.as_u64().expect("a number");
    // Round, table, who sits where, and the boards; of the file, the set by its letter.
    let mut found = Vec::new();
    for round in now["rounds"].as_array().expect("rounds") {
        for half in round["halves"].as_array().expect("halves") {
            let (ns, ew) = (number(&half["ns"]), number(&half["ew"]));
            let boards = half["boards"].as_str().expect("boards").to_owned();
            found.push((number(&round["round"]), ns.min(ew), ns.max(ew), boards));
        }
    }
    let printed = golden("movement_troika_003.tsv");
    assert_eq!(found.len(), printed.len());
    // In every round each of the three sits at two tables, and a match is played with one set of
    // boards at both of its tables, as in the file.
    let mut sets: BTreeMap<(u64, u64), Vec<&str>> = BTreeMap::new();
    for (_, one, other, boards) in &found {
        sets.entry((*one, *other)).or_default().push(boards);
    }
    let mut of_file: BTreeMap<(u64, u64), Vec<&str>> = BTreeMap::new();
    for row in &printed {
        let [ns, ew] = [&row[2], &row[3]].map(|it| it.parse::<u64>().expect("a team"));
        let met = (ns.min(ew), ns.max(ew));
        of_file.entry(met).or_default().push(&row[4]);
    }
    assert_eq!(
        sets.keys().collect::<Vec<_>>(),
        of_file.keys().collect::<Vec<_>>()
    );
    for (met, sets) in [sets, of_file].iter().flatten() {
        assert_eq!(sets.len(), 2, "{met:?} has two tables");
        assert_eq!(sets[0], sets[1], "{met:?} compares the same boards");
    }
}

#[tokio::test]
async fn from_the_third_round_the_datum_of_sabf_is_that_of_the_top_twelve_tables() {
    let printed = rule("R052");
    assert_eq!(printed["later"], "top twelve tables, drop 2 at each end");
    let stage = Stage::open(
        json!({"size": 26, "format": "swiss", "rounds": 3, "boards": 1,
        "comparison": "butler", "regulation": "sabf", "column": "nearest-even"}),
    )
    .await;
    let scores = [
        -110, 70, 90, 110, 120, 140, 150, 170, -100, -150, 80, 100, 200,
    ];
    for round in 1..=3_u8 {
        if round > 1 {
            stage.draw(json!({"seed": 3})).await;
        }
        for (table, score) in (1_u16..).zip(scores) {
            stage.types(table, round, round, &score.to_string()).await;
        }
        // A sixth of thirteen is two; later the thirteenth table does not count.
        let mut counted = scores[..if round < 3 { 13 } else { 12 }].to_vec();
        counted.sort_unstable();
        let kept = &counted[2..counted.len() - 2];
        let (sum, count) = (kept.iter().sum::<i32>(), i32::try_from(kept.len()));
        let count = count.expect("a few");
        let tens = (2 * sum + 10 * count) / (20 * count) * 10;
        let shown = stage.sheet(round, 1).await["lines"][0]["datum"].as_f64();
        assert_eq!(shown, Some(f64::from(tens)), "round {round}");
    }
}
