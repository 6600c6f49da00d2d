//! An event over several nights.

use super::naive::{naive_night, naive_vp};
use super::stage::Stage;
use super::*;

/// A night of three rounds at eleven tables; `from` is the session of the night before.
async fn night(site: &Site, name: &str, from: Option<u64>) -> u64 {
    let event = json!({"name": name, "date": "2026-11-17"});
    site.does("/api/calendar/events", event).await;
    match from {
        None => {
            let swiss = json!({"section": "A", "name": "Swiss pairs", "size": 22,
                "format": "swiss", "rounds": 3, "boards": 9, "comparison": "butler"});
            site.does("/api/contest", swiss).await;
        }
        Some(session) => {
            let further = json!({"section": "A", "from_session": session, "from_section": "A"});
            site.does("/api/contest/continue", further).await;
        }
    }
    site.does("/api/contest/draw", json!({"section": "A", "seed": 5}))
        .await;
    site.open_for_log_on().await;
    let mut pads = Vec::new();
    for table in 1..=11 {
        pads.push(TablePad::log_on(site, table).await);
    }
    for round in 1..=3 {
        if round > 1 {
            site.does("/api/contest/draw", json!({"section": "A", "seed": 5}))
                .await;
        }
        for pad in &mut pads {
            pad.plays(site, round, (round - 1) * 9 + 1..=round * 9)
                .await;
        }
    }
    u64::from(
        site.session
            .view()
            .state
            .session
            .as_ref()
            .expect("a session")
            .id
            .get(),
    )
}

#[tokio::test]
async fn a_swiss_of_three_nights_never_repeats_a_match_and_adds_everything_up() {
    let site = Site::open().await;
    let mut naive: BTreeMap<u64, i64> = BTreeMap::new();
    let mut met = std::collections::BTreeSet::new();
    let mut sessions = Vec::new();
    for name in ["Swiss 1", "Swiss 2", "Swiss 3"] {
        sessions.push(night(&site, name, sessions.last().copied()).await);
        let now = contest(&site).await;
        let drawn = matches(&now);
        for (_, _, home, away) in &drawn {
            let pair = (*home.min(away), *home.max(away));
            assert!(met.insert(pair), "{pair:?} meet again on {name}");
        }
        for (pair, vp) in naive_night(&drawn) {
            *naive.entry(pair).or_default() += vp;
        }
        assert_eq!(standing(&now), naive, "after {name}");
    }
    let end = contest(&site).await;
    assert_eq!((met.len(), &end["rounds_before"]), (99, &json!(6)));
    let against = end["cross_table"][0]["against"].as_array().expect("cells");
    assert_eq!(against.len(), 9);
    assert_eq!(end["standing"][0]["matches"], 9);
    // A board of the first night is corrected: this night hears of it when it is told to.
    let before = standing(&end);
    site.does("/api/calendar/choose", json!({"session": sessions[0]}))
        .await;
    let result = json!({"kind": "Played", "contract": "7NT", "declarer": "N", "result": "="});
    let line = json!({"table": "A3", "round": 1, "board": 4, "result": result, "why": "misread"});
    site.does("/api/lines/rule", line).await;
    let corrected = standing(&contest(&site).await);
    // The last night goes on from the middle one, which nobody has told of it.
    site.does("/api/calendar/choose", json!({"session": sessions[2]}))
        .await;
    site.does("/api/contest/earlier", json!({"section": "A"}))
        .await;
    let after = standing(&contest(&site).await);
    let first: BTreeMap<u64, i64> = corrected
        .iter()
        .map(|(pair, vp)| (*pair, vp + after[pair] - corrected[pair]))
        .collect();
    assert_eq!(first, after);
    let changed = after
        .iter()
        .filter(|(pair, vp)| before[*pair] != **vp)
        .count();
    assert!(changed >= 2, "{changed}");
    assert_eq!(naive_vp("8", 0), 1_000);
    let again = refused(&site, "/api/contest/earlier", json!({"section": "A"})).await;
    assert!(again.contains("othing has changed"), "{again}");
}

#[tokio::test]
async fn who_went_home_on_the_first_night_is_not_drawn_on_the_second() {
    let site = Site::open().await;
    let first = night(&site, "Swiss 1", None).await;
    // All is drawn: from the next night on.
    for contestant in [4, 9] {
        let gone = json!({"section": "A", "contestant": contestant, "why": "ill"});
        site.does("/api/contest/withdraw", gone).await;
    }
    let event = json!({"name": "Swiss 2", "date": "2026-11-24"});
    site.does("/api/calendar/events", event).await;
    let further = json!({"section": "A", "from_session": first, "from_section": "A", "rounds": 1});
    site.does("/api/contest/continue", further).await;
    site.does("/api/contest/draw", json!({"section": "A"}))
        .await;
    let now = contest(&site).await;
    let drawn = matches(&now);
    assert_eq!(drawn.len(), 10);
    assert!(
        drawn
            .iter()
            .all(|it| ![it.2, it.3].contains(&4) && ![it.2, it.3].contains(&9))
    );
    assert_eq!(
        now["standing"].as_array().map(Vec::len),
        Some(22),
        "they keep their place"
    );
    let wrong = json!({"section": "B", "from_session": first, "from_section": "C"});
    let wrong = refused(&site, "/api/contest/continue", wrong).await;
    assert!(wrong.contains("plays no matches"), "{wrong}");
}

/// A further night of what was played in a session.
async fn next_night(stage: &Stage, from: u64, more: Value) {
    let name = format!("The night after session {from}");
    let event = json!({"name": name, "date": "2026-11-24"});
    stage.site.does("/api/calendar/events", event).await;
    let mut further = json!({"from_session": from, "from_section": "A"});
    if let Some((further, more)) = further.as_object_mut().zip(more.as_object()) {
        further.extend(more.clone());
    }
    stage.post("/api/contest/continue", further).await;
}

fn session_of(stage: &Stage) -> u64 {
    let view = stage.site.session.view();
    let session = view.state.session.as_ref().expect("a session");
    u64::from(session.id.get())
}

fn two(one: [u64; 2], other: [u64; 2]) -> Value {
    let pairs = [one, other].map(|[home, away]| json!({"home": home, "away": away}));
    json!({"matches": pairs})
}

#[tokio::test]
async fn a_forfeit_of_the_first_night_is_settled_with_the_last_round_of_the_event() {
    let teams = |nights: u8| {
        json!({"size": 4, "format": "swiss", "rounds": 2, "nights": nights, "boards": 4,
            "comparison": "teams-imps"})
    };
    let mut ends = Vec::new();
    for nights in [2, 1] {
        let stage = Stage::set_up(teams(nights)).await;
        stage.draw(two([1, 2], [3, 4])).await;
        stage.site.open_for_log_on().await;
        stage.wins(1, 1, 4, 0).await;
        let forfeit = json!({"round": 1, "number": 2, "why": "did not come",
            "decision": {"kind": "forfeit", "by": 4}});
        stage.post("/api/contest/match", forfeit).await;
        stage.draw(two([3, 1], [2, 4])).await;
        stage.wins(1, 2, 4, 24).await;
        stage.wins(2, 2, 4, 0).await;
        let now = stage.now().await;
        ends.push((standing(&now)[&3], points(&now, 2, 1)[0], stage));
    }
    let (interim, won, stage) = &ends[0];
    let (settled, ..) = &ends[1];
    assert!(*won > 1_200, "{won}");
    assert_eq!(
        *interim,
        won + 1_200,
        "the interim score until the event is over"
    );
    assert_eq!(
        *settled,
        won + won,
        "their own mean is more, and a single night is over"
    );
    // The second night: who has met is known, and the forfeit is drawn by as it was.
    let first = session_of(stage);
    next_night(stage, first, json!({})).await;
    let met = stage
        .refused("/api/contest/draw", two([2, 1], [3, 4]))
        .await;
    assert!(met.contains("2 and 1 have met"), "{met}");
    let proposal = stage
        .post("/api/contest/draw/propose", json!({"seed": 2}))
        .await;
    let stood = proposal["standing"].as_array().expect("a standing");
    let own = stood
        .iter()
        .find(|line| line["contestant"] == 3)
        .expect("3");
    #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
    let shown = *interim as f64 / 100.0;
    assert_eq!(own["vp"].as_f64(), Some(shown));
    // Who drops in starts by the leader and the rounds of both nights.
    let late = json!({"why": "lost their knock-out", "entry": "gnot2006",
        "contestant": {"number": 5, "name": "Late"}});
    stage.post("/api/contest/join", late).await;
    let leader = standing(&stage.now().await)[&3];
    assert_eq!(standing(&stage.now().await)[&5], leader.min(4_000));
    stage
        .post(
            "/api/contest/withdraw",
            json!({"contestant": 5, "why": "no sixth team"}),
        )
        .await;
    stage.draw(two([3, 2], [1, 4])).await;
    stage.site.open_for_log_on().await;
    stage.wins(1, 1, 4, 12).await;
    stage.wins(2, 1, 4, 0).await;
    let before = stage.now().await;
    assert_eq!(before["rounds_in_all"], json!(4));
    let second = points(&before, 1, 1)[0];
    assert_eq!(standing(&before)[&3], won + 1_200 + second, "still interim");
    // The last round is drawn: the mean of both nights.
    let again = json!({"matches": two([3, 1], [4, 2])["matches"], "allow_rematches": true});
    stage.draw(again).await;
    stage.wins(1, 2, 4, 12).await;
    stage.wins(2, 2, 4, 0).await;
    let end = stage.now().await;
    let third = points(&end, 2, 1)[0];
    let mean = (2 * (won + second + third) + 3).div_euclid(6);
    assert_eq!(standing(&end)[&3], won + second + third + mean);
    // The cross-table of that round says the same.
    let against = end["cross_table"][2]["against"].as_array().expect("cells");
    let cell = against.iter().find(|it| it["round"] == 1).expect("round 1");
    #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
    let shown = mean as f64 / 100.0;
    assert_eq!(cell["vp"].as_f64(), Some(shown));
    // All nights were played; one more only if somebody says how many rounds.
    let second = session_of(stage);
    let event = json!({"name": "One too many", "date": "2026-12-01"});
    stage.site.does("/api/calendar/events", event).await;
    let more = json!({"from_session": second, "from_section": "A"});
    let more = stage.refused("/api/contest/continue", more).await;
    assert!(
        more.contains("All rounds of this event were played"),
        "{more}"
    );
}

#[tokio::test]
async fn who_goes_home_for_good_on_the_second_night_forfeits_the_first_one_too() {
    let stage = Stage::set_up(
        json!({"size": 6, "format": "swiss", "rounds": 1, "nights": 2,
        "boards": 4, "comparison": "teams-imps"}),
    )
    .await;
    let pairs = |three: [[u64; 2]; 3]| {
        let pairs = three.map(|[home, away]| json!({"home": home, "away": away}));
        json!({"matches": pairs})
    };
    stage.draw(pairs([[1, 2], [3, 4], [5, 6]])).await;
    stage.site.open_for_log_on().await;
    for number in 1..=3 {
        stage.wins(number, 1, 4, 0).await;
    }
    let first = session_of(&stage);
    next_night(&stage, first, json!({})).await;
    assert_eq!(standing(&stage.now().await)[&1], 1_000);
    let gone = json!({"contestant": 2, "matches": "cancelled", "why": "left the club"});
    stage.post("/api/contest/withdraw", gone).await;
    // Drawn matches were worth ten; a match against nobody is worth twelve.
    let now = stage.now().await;
    assert_eq!(standing(&now)[&1], 1_200);
    assert_eq!(standing(&now)[&2], 0);
    // Five are left: somebody has a bye, and it is nobody who went home.
    let wish = json!({"seed": 3, "odd": "bye"});
    stage.draw(wish).await;
    let drawn = stage.now().await;
    let bye = drawn["rounds"][0]["bye"]["contestant"].as_u64();
    assert!(bye.is_some_and(|it| it != 2), "{drawn}");
    assert_eq!(
        drawn["rounds"][0]["matches"].as_array().map(Vec::len),
        Some(2)
    );
    let line = drawn["standing"].as_array().expect("a standing");
    let line = line.iter().find(|it| it["contestant"] == 2).expect("2");
    assert_eq!(line["withdrawn"], true);
}

#[tokio::test]
async fn a_round_robin_of_eight_teams_is_played_to_its_end_on_three_nights() {
    let stage = Stage::set_up(json!({"size": 8, "format": "round-robin", "nights": 3,
        "boards": 2, "comparison": "teams-imps"}))
    .await;
    let mut met = std::collections::BTreeSet::new();
    let mut nights = Vec::new();
    for night in 0..3 {
        if night > 0 {
            let from = session_of(&stage);
            next_night(&stage, from, json!({})).await;
        }
        let rounds = stage.now().await["rounds_planned"]
            .as_u64()
            .expect("rounds");
        nights.push(rounds);
        for round in 1..=u8::try_from(rounds).expect("a few") {
            stage.draw(json!({})).await;
            if round == 1 {
                stage.site.open_for_log_on().await;
            }
            for number in 1..=4 {
                stage.wins(number, round, 2, 0).await;
            }
        }
        for (_, _, home, away) in matches(&stage.now().await) {
            assert!(
                met.insert((home.min(away), home.max(away))),
                "{home} {away}"
            );
        }
    }
    assert_eq!((nights, met.len()), (vec![3, 3, 1], 28));
    let from = session_of(&stage);
    let event = json!({"name": "One too many", "date": "2026-12-01"});
    stage.site.does("/api/calendar/events", event).await;
    let more = json!({"from_session": from, "from_section": "A", "rounds": 1});
    let more = stage.refused("/api/contest/continue", more).await;
    assert!(more.contains("Everybody has met everybody"), "{more}");
}

/// Margin and victory points of home and away in the first match, in hundredths.
fn of_match(now: &Value, round: usize, number: usize) -> [i64; 4] {
    let own = &now["rounds"][round - 1]["matches"][number - 1];
    let figure = |side: &str, what: &str| super::stage::hundredths(&own[side][what].to_string());
    [
        figure("home", "margin"),
        figure("away", "margin"),
        figure("home", "vp"),
        figure("away", "vp"),
    ]
}

#[tokio::test]
async fn a_match_in_stanzas_is_one_match_on_two_nights() {
    let stage = Stage::set_up(json!({"format": "head-to-head", "rounds": 1, "nights": 2,
        "boards": 8, "comparison": "teams-imps", "level": "gnot2006", "contestants": [
            {"number": 1}, {"number": 2}, {"number": 3, "carry_imps": 2.5}, {"number": 4}]}))
    .await;
    // Others than those who stand beside each other in the list.
    stage.draw(two([1, 3], [2, 4])).await;
    stage.site.open_for_log_on().await;
    stage.wins(1, 1, 8, 13).await;
    stage.wins(2, 1, 8, -10).await;
    let first = stage.now().await;
    let vp = |margin: i64| [naive_vp("16", margin), 2_000 - naive_vp("16", margin)];
    // 3 has brought two and a half IMPs along; half an IMP is rounded as the club does it.
    let [home, away, ..] = of_match(&first, 1, 1);
    assert_eq!((home, away), (1_050, -1_050));
    let [won, lost] = vp(10);
    assert_eq!(of_match(&first, 1, 2), [-1_000, 1_000, lost, won]);
    assert_eq!(first["rounds"][0]["matches"][1]["seats_first"], 2);
    let missing = json!({"boards": 2, "why": "level?"});
    let early = stage
        .refused("/api/contest/play-off", missing.clone())
        .await;
    assert!(early.contains("level"), "{early}");

    let before = session_of(&stage);
    next_night(&stage, before, json!({})).await;
    let others = two([1, 2], [3, 4]);
    let refusal = stage
        .refused("/api/contest/draw", json!({"matches": others["matches"]}))
        .await;
    assert!(refusal.contains("stanza"), "{refusal}");
    let begun = stage.now().await;
    assert_eq!(
        standing(&begun),
        standing(&first),
        "nothing is lost meanwhile"
    );
    stage.draw(json!({})).await;
    let drawn = stage.now().await;
    let met: Vec<_> = matches(&drawn).iter().map(|it| (it.2, it.3)).collect();
    assert_eq!(met, [(1, 3), (2, 4)]);
    // The visitors seat first in the second stanza.
    assert_eq!(drawn["rounds"][0]["matches"][1]["seats_first"], 4);
    assert_eq!(standing(&drawn), standing(&first));
    stage.site.open_for_log_on().await;
    stage.wins(1, 1, 8, 4).await;
    stage.wins(2, 1, 8, 10).await;
    let end = stage.now().await;
    let [home, away, ..] = of_match(&end, 1, 1);
    assert_eq!((home, away), (1_450, -1_450));
    let said = end["rounds"][0]["matches"][0]["remarks"].to_string();
    assert!(said.contains("earlier nights with 13 IMPs"), "{said}");
    let (_, sheets) = stage
        .site
        .ask("GET", "/print/matchsheets?language=en", None)
        .await;
    assert!(
        sheets.to_string().contains("earlier nights with 13 IMPs"),
        "{sheets}"
    );
    // Level over both nights: two more boards.
    assert_eq!(of_match(&end, 1, 2), [0, 0, 1_000, 1_000]);
    let step = end["next_step"].as_str().expect("a step");
    assert!(step.contains("2 more boards"), "{step}");
    assert_eq!(standing(&end)[&2], 1_000);
    assert_eq!(end["standing"].as_array().map(Vec::len), Some(4));
    assert!(
        end["standing"]
            .as_array()
            .is_some_and(|all| all.iter().all(|line| line["matches"] == 1)),
        "{end}"
    );
    // A board of the first night is corrected: by as much the match of both nights changes.
    let tonight = session_of(&stage);
    stage
        .site
        .does("/api/calendar/choose", json!({"session": before}))
        .await;
    stage.wins(2, 1, 8, -12).await;
    stage
        .site
        .does("/api/calendar/choose", json!({"session": tonight}))
        .await;
    stage.post("/api/contest/earlier", json!({})).await;
    let [lost, won] = vp(-2);
    let corrected = stage.now().await;
    assert_eq!(of_match(&corrected, 1, 2), [-200, 200, lost, won]);
    assert_eq!(
        corrected["next_step"],
        "All matches are in. Release the result."
    );
}

#[tokio::test]
async fn boards_of_the_first_night_are_counted_again_where_a_match_of_two_ends_level() {
    // Fourteen boards in all, rescored by boards won, then total points.
    let stage = Stage::set_up(
        json!({"size": 2, "format": "head-to-head", "rounds": 1, "nights": 2,
        "boards": 2, "comparison": "teams-imps", "level": "gnot2012-rescored"}),
    )
    .await;
    stage.draw(json!({})).await;
    stage.site.open_for_log_on().await;
    // Home wins both boards by an IMP each on the first night, and loses one by two on the second.
    for board in [1, 2] {
        stage.swings(1, 1, board, 1).await;
    }
    let before = session_of(&stage);
    next_night(&stage, before, json!({})).await;
    stage.draw(json!({})).await;
    stage.site.open_for_log_on().await;
    stage.swings(1, 1, 1, -2).await;
    stage.swings(1, 1, 2, 0).await;
    let end = stage.now().await;
    assert_eq!(of_match(&end, 1, 1)[0], 0);
    assert_eq!(end["standing"][0]["contestant"], 1, "{end}");
    assert_eq!(end["standing"][1]["place"], 2);
}
