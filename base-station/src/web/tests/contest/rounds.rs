//! How rounds are drawn early and played: certain matches first, triangles in one round, one set of
//! boards for two tables, movements scored by matches, and the clock.

use protocol::message::Down;

use super::naive::{naive_imps, naive_match, naive_vp};
use super::stage::Stage;
use super::*;

/// Eight teams after a round, with match 4 short of its last board.
async fn one_board_missing() -> Stage {
    // Three groups far apart: 1 and 3, 2 and 4, and the others.
    let carried = [100, 50, 100, 50, 0, 0, 0, 0];
    let entries: Vec<Value> = (1..)
        .zip(carried)
        .map(|(number, points): (u16, u16)| json!({"number": number, "carry_over": points}))
        .collect();
    let stage = Stage::set_up(
        json!({"contestants": entries, "format": "swiss", "rounds": 3,
        "boards": 4, "comparison": "teams-imps"}),
    )
    .await;
    let pairs = [(1, 2), (3, 4), (5, 6), (7, 8)];
    let pairs: Vec<Value> = pairs
        .map(|(home, away)| json!({"home": home, "away": away}))
        .into();
    stage.draw(json!({"matches": pairs})).await;
    stage.site.open_for_log_on().await;
    for (number, imps) in [(1, 24), (2, 20), (3, 1)] {
        stage.wins(number, 1, 4, imps).await;
    }
    for board in 1..=3 {
        stage.swings(4, 1, board, 0).await;
    }
    // The closed room has the last board, the open room has not.
    stage.types(8, 1, 4, "0").await;
    stage
}

#[tokio::test]
async fn matches_that_do_not_depend_on_the_last_board_are_published_before_it_is_in() {
    let stage = one_board_missing().await;
    let proposal = stage
        .post("/api/contest/draw/propose", json!({"seed": 9}))
        .await;
    assert_eq!(proposal["unfinished"], json!([4]));
    let ends = proposal["ends"].as_u64().expect("every end was tried");
    assert!((20..=60).contains(&ends), "{ends}");
    let certain = proposal["certain"]
        .as_array()
        .expect("what is certain")
        .clone();
    let all = proposal["matches"].as_array().expect("matches").clone();
    // 1 and 3 lead by far, 2 and 4 are far behind: only 5 to 8 depend on the board.
    let meets = |number: u64| {
        let own = all
            .iter()
            .find(|it| it["home"] == number || it["away"] == number);
        let own = own.expect("a match");
        let other = own["home"].as_u64().unwrap_or(0) + own["away"].as_u64().unwrap_or(0) - number;
        (other, certain.contains(&own["table"]))
    };
    assert_eq!(meets(1), (3, true));
    assert_eq!(meets(2), (4, true));
    assert!(!meets(7).1 || !meets(5).1, "{proposal}");
    stage
        .draw(json!({"seed": 9, "certain_only": true, "method": "classical"}))
        .await;
    let half = stage.now().await;
    assert_eq!(half["rounds"][1]["method"], "classical");
    let waiting = half["rounds"][1]["waiting"].as_array().map(Vec::len);
    assert_eq!(waiting, Some(8 - 2 * certain.len()), "{half}");
    assert!(
        half["next_step"]
            .as_str()
            .is_some_and(|it| it.starts_with("Round 1: table 7")),
        "{half}"
    );
    // The first tables begin before the room is through.
    let published = matches(&half)
        .into_iter()
        .find(|it| it.0 == 2)
        .expect("a match");
    let table = published.1 * 2 - 1;
    let mut pad = TablePad::log_on(&stage.site, table).await;
    pad.enters(&stage.site, 2, 5).await;
    // Whoever waits hears that the round is not drawn.
    let mut waits = TablePad::log_on(&stage.site, 8).await;
    let told = slips::told(&stage.site, &mut waits).await;
    let not_drawn = |down: &Down| matches!(down, Down::NotDrawn { from, .. } if from.get() == 2);
    assert!(told.iter().any(not_drawn), "{told:?}");
    // The last board comes: the rest is drawn, and what was published stands.
    stage.types(7, 1, 4, "620").await;
    assert_eq!(stage.now().await["next_step"], "Draw round 2.");
    // It is drawn as the first part was asked for, whatever the stage was set up with.
    stage.draw(json!({"seed": 9})).await;
    let whole = stage.now().await;
    assert_eq!(whole["rounds"][1]["method"], "classical");
    assert_eq!(whole["rounds"][1]["waiting"], json!([]));
    let second: Vec<_> = matches(&whole).into_iter().filter(|it| it.0 == 2).collect();
    assert_eq!(second.len(), 4);
    assert!(second.contains(&published));
    assert_eq!(
        whole["rounds"][1]["matches"].as_array().map(Vec::len),
        Some(4)
    );
    // A round that is drawn whole is not drawn again once it has begun.
    let again = stage
        .refused("/api/contest/draw", json!({"round": 2, "why": "?"}))
        .await;
    assert!(again.contains("has begun"), "{again}");
}

#[tokio::test]
async fn what_is_called_certain_is_drawn_whatever_the_last_board_brings() {
    let certain = one_board_missing()
        .await
        .post("/api/contest/draw/propose", json!({"seed": 9}))
        .await;
    let tables = certain["certain"].as_array().expect("certain").clone();
    let sure = |proposal: &Value| -> Vec<(u64, u64)> {
        let all = proposal["matches"].as_array().expect("matches").iter();
        all.map(|it| {
            let (home, away) = (it["home"].as_u64(), it["away"].as_u64());
            let (home, away) = (home.expect("a team"), away.expect("a team"));
            (home.min(away), home.max(away))
        })
        .collect()
    };
    let all = certain["matches"].as_array().expect("matches");
    let promised: Vec<(u64, u64)> = sure(&certain)
        .into_iter()
        .zip(all)
        .filter(|(_, it)| tables.contains(&it["table"]))
        .map(|(pair, _)| pair)
        .collect();
    assert!(!promised.is_empty());
    for score in [
        "0", "90", "-100", "400", "-620", "980", "-1430", "2220", "-7600",
    ] {
        let stage = one_board_missing().await;
        let line = json!({"table": "A7", "round": 1, "board": 4, "typed": score});
        let (status, _) = stage.site.ask("POST", "/api/lines/typed", Some(line)).await;
        if status != StatusCode::OK {
            continue; // Not at this vulnerability.
        }
        let drawn = stage
            .post("/api/contest/draw/propose", json!({"seed": 9}))
            .await;
        let drawn = sure(&drawn);
        assert!(
            promised.iter().all(|pair| drawn.contains(pair)),
            "{score}: {drawn:?}"
        );
    }
    // At Butler the datum of everybody hangs on it, and that is looked at, too.
    let pairs = Stage::open(
        json!({"size": 8, "format": "swiss", "rounds": 2, "boards": 4,
        "comparison": "butler"}),
    )
    .await;
    for table in 1..=4_u16 {
        for board in 1..=4_u8 {
            let score = ["620", "90", "0", "-50"][usize::from(table - 1)];
            let score = if board % 4 == 2 || table > 1 {
                score
            } else {
                "400"
            };
            if (table, board) != (4, 4) {
                let line = json!({"table": format!("A{table}"), "round": 1, "board": board, "typed": score});
                let (status, _) = pairs.site.ask("POST", "/api/lines/typed", Some(line)).await;
                if status != StatusCode::OK {
                    pairs.types(table, 1, board, "0").await;
                }
            }
        }
    }
    let proposal = pairs
        .post("/api/contest/draw/propose", json!({"seed": 1}))
        .await;
    assert!(
        proposal["ends"].as_u64().is_some_and(|ends| ends > 1),
        "{proposal}"
    );
}

#[tokio::test]
async fn seven_teams_play_a_triangle_in_one_round() {
    let site = Site::open().await;
    let event = json!({"name": "Teams", "date": "2026-11-17"});
    site.does("/api/calendar/events", event).await;
    let swiss = json!({"section": "A", "name": "Teams", "size": 7, "format": "swiss", "rounds": 1,
        "boards": 6, "comparison": "teams-imps", "odd": "short-triangle"});
    site.does("/api/contest", swiss).await;
    site.does("/api/contest/draw", json!({"section": "A", "seed": 3}))
        .await;
    site.open_for_log_on().await;
    let drawn = contest(&site).await;
    let halves = drawn["rounds"][0]["halves"]
        .as_array()
        .expect("halves")
        .clone();
    assert_eq!(halves.len(), 6, "three tables, two halves each");
    let number = |value: &Value| value.as_u64().expect("a number");
    let first = |half: &Value| -> u8 {
        let boards = half["boards"].as_str().expect("boards");
        boards
            .split('-')
            .next()
            .and_then(|it| it.parse().ok())
            .expect("a board")
    };
    // Opponents change at half-time, and the pad of the table hears who comes.
    let table = u16::try_from(number(&halves[0]["table"])).expect("a table");
    let mut pad = TablePad::log_on(&site, table).await;
    let sheet = async |site: &Site, pad: &mut TablePad| {
        let told = slips::told(site, pad).await;
        let sheet = told.iter().find_map(|down| match down {
            Down::Schedule { rounds, .. } => rounds.first().copied(),
            _ => None,
        });
        let sheet = sheet.expect("a sheet");
        (
            sheet.ew.map(|it| u64::from(it.get())),
            sheet.first_board.get(),
            sheet.boards,
        )
    };
    let here: Vec<&Value> = halves.iter().filter(|it| it["table"] == table).collect();
    let expected = |half: &Value| (half["ew"].as_u64(), first(half), 3_u8);
    assert_eq!(sheet(&site, &mut pad).await, expected(here[0]));
    for board in first(here[0])..first(here[0]) + 3 {
        pad.enters(&site, 1, board).await;
    }
    assert_eq!(sheet(&site, &mut pad).await, expected(here[1]));
    for board in first(here[1])..first(here[1]) + 3 {
        pad.enters(&site, 1, board).await;
    }
    // Everybody else plays.
    let mut tables: Vec<(u16, Vec<u8>)> = (1..=4).map(|table| (table, (1..=6).collect())).collect();
    for half in &halves {
        let table = u16::try_from(number(&half["table"])).expect("a table");
        tables.push((table, (first(half)..first(half) + 3).collect()));
    }
    let mut pads: BTreeMap<u16, TablePad> = BTreeMap::new();
    for (at, boards) in tables.into_iter().filter(|it| it.0 != table) {
        let mut pad = match pads.remove(&at) {
            Some(pad) => pad,
            None => TablePad::log_on(&site, at).await,
        };
        for board in boards {
            pad.enters(&site, 1, board).await;
        }
        pads.insert(at, pad);
    }
    let end = contest(&site).await;
    assert_eq!(end["next_step"], "All matches are in. Release the result.");
    let mut naive: BTreeMap<u64, i64> = (1..=7).map(|team| (team, 0)).collect();
    for half in &halves {
        let mate = halves.iter().find(|it| {
            it["ns"] == half["ew"] && it["ew"] == half["ns"] && it["boards"] == half["boards"]
        });
        let mate = mate.expect("the other half");
        let place = |half: &Value| {
            (
                1_u8,
                u16::try_from(number(&half["table"])).expect("a table"),
            )
        };
        if place(half) < place(mate) {
            let net = naive_match(place(half), place(mate), first(half)..first(half) + 3);
            // Half as long, and worth half as much, to a hundredth.
            let home = (three_boards(net) + 1).div_euclid(2);
            *naive.entry(number(&half["ns"])).or_default() += home;
            *naive.entry(number(&half["ew"])).or_default() += 1_000 - home;
        }
    }
    for (_, table, home, away) in matches(&end).into_iter().filter(|it| it.1 <= 2) {
        let net = naive_match((1, table * 2 - 1), (1, table * 2), 1..7);
        *naive.entry(home).or_default() += naive_vp("6", net);
        *naive.entry(away).or_default() += naive_vp("6", -net);
    }
    let total: i64 = standing(&end).values().sum();
    assert_eq!(total, 7 * 1_000, "everybody plays for a whole match");
    let differs: Vec<_> = standing(&end)
        .into_iter()
        .filter(|(team, vp)| (naive[team] - vp).abs() > 1)
        .collect();
    assert_eq!(differs, [], "{naive:?}");
}

/// The WBF scale for three boards (the club rounds to two) by its formula, in hundredths.
fn three_boards(margin: i64) -> i64 {
    let golden = (5_f64.sqrt() - 1.0) / 2.0;
    let blitz = 15.0 * 2_f64.sqrt();
    #[expect(clippy::cast_precision_loss, reason = "a few IMPs")]
    let share = (margin.abs() as f64).min(blitz) * 3.0 / blitz;
    let won = 10.0 * (1.0 - golden.powf(share)) / (1.0 - golden.powi(3));
    #[expect(clippy::cast_possible_truncation, reason = "at most 2000")]
    let winner = ((10.0 + won) * 100.0).round() as i64;
    if margin < 0 { 2_000 - winner } else { winner }
}

#[tokio::test]
async fn two_tables_that_share_one_set_of_boards_begin_at_its_two_ends() {
    for one_set in [false, true] {
        let stage = Stage::open(json!({"size": 2, "format": "head-to-head", "rounds": 1,
            "boards": 8, "comparison": "teams-imps", "one_set": one_set}))
        .await;
        let mut firsts = Vec::new();
        for table in [1, 2] {
            let mut pad = TablePad::log_on(&stage.site, table).await;
            let told = slips::told(&stage.site, &mut pad).await;
            let sheet = told.iter().find_map(|down| match down {
                Down::Schedule { rounds, .. } => rounds.first().copied(),
                _ => None,
            });
            // No pad loses a board: all of the set are on its sheet.
            let sheet = sheet.expect("a sheet");
            assert_eq!((sheet.first_board.get(), sheet.boards), (1, 8));
            let loose = |it: &Down| matches!(it, Down::BoardAllowed { .. });
            assert!(!told.iter().any(loose), "{told:?}");
            let now = stage.site.session.view().state.clone();
            let session = now.session.as_ref().expect("a session");
            let id = crate::session::TableId {
                section: SectionLetter::A,
                table: TableNumber::new(table).expect("a table"),
            };
            let sitting = session.sitting(id, RoundNumber::FIRST).expect("a sitting");
            firsts.extend(sitting.boards.iter().next().map(BoardNumber::get));
        }
        assert_eq!(firsts, if one_set { [1, 5] } else { [1, 1] });
    }
}

#[tokio::test]
async fn a_howell_is_scored_in_victory_points_by_match() {
    let site = Site::open().await;
    let event = json!({"name": "Butler", "date": "2026-11-17"});
    site.does("/api/calendar/events", event).await;
    let butler = |format: &str| {
        json!({"section": "A", "name": "Butler evening", "format": format,
            "comparison": "cross-imps", "scale": "wbf-formula", "column": "boards"})
    };
    let none = refused(&site, "/api/contest", butler("movement")).await;
    assert!(none.contains("hoose a movement"), "{none}");
    let room = json!({"section": "A", "colour": "Red", "pairs": 6, "boards_min": 15,
        "boards_max": 15, "movement": "Howell"});
    let (status, _) = site.ask("POST", "/api/setup/sections", Some(room)).await;
    if status != StatusCode::OK {
        let room = json!({"section": "A", "colour": "Red", "pairs": 6, "boards_min": 15, "boards_max": 15});
        site.does("/api/setup/sections", room).await;
    }
    site.does("/api/contest", butler("movement")).await;
    site.open_for_log_on().await;
    let state = site.session.view().state.clone();
    let session = state.session.as_ref().expect("a session");
    let sittings: Vec<_> = session.sections[&SectionLetter::A]
        .sittings
        .values()
        .filter(|it| it.is_played())
        .cloned()
        .collect();
    let mut pads: BTreeMap<u16, TablePad> = BTreeMap::new();
    for sitting in &sittings {
        let table = sitting.table.get();
        if let std::collections::btree_map::Entry::Vacant(free) = pads.entry(table) {
            free.insert(TablePad::log_on(&site, table).await);
        }
        let pad = pads.get_mut(&table).expect("a pad");
        for board in sitting.boards.iter() {
            pad.enters(&site, sitting.round.get(), board.get()).await;
        }
    }
    let end = contest(&site).await;
    assert_eq!(end["next_step"], "All matches are in. Release the result.");
    assert_eq!(matches(&end).len(), sittings.len());
    // Cross-IMPs the long way: each board against every other table that played it.
    let mut naive: BTreeMap<u64, f64> = BTreeMap::new();
    for own in &sittings {
        let mut net = 0.0;
        for board in own.boards.iter() {
            let at =
                |round: u8, table: u16| score(result_at(round, table, board.get()), board.get());
            let mine = at(own.round.get(), own.table.get());
            let others: Vec<i64> = sittings
                .iter()
                .filter(|it| {
                    it.boards.contains(board) && (it.round, it.table) != (own.round, own.table)
                })
                .map(|it| naive_imps(mine - at(it.round.get(), it.table.get())))
                .collect();
            #[expect(clippy::cast_precision_loss, reason = "a few IMPs")]
            let mean = others.iter().sum::<i64>() as f64 / others.len().max(1) as f64;
            net += mean;
        }
        let boards = f64::from(u8::try_from(own.boards.len()).expect("a few"));
        let vp = formula(net, boards);
        let (ns, ew) = (own.ns.expect("a pair"), own.ew.expect("a pair"));
        *naive.entry(u64::from(ns.get())).or_default() += vp;
        *naive.entry(u64::from(ew.get())).or_default() += 20.0 - vp;
    }
    for (pair, vp) in standing(&end) {
        #[expect(clippy::cast_precision_loss, reason = "a few hundred")]
        let shown = vp as f64 / 100.0;
        assert!(
            (shown - naive[&pair]).abs() < 0.05,
            "{pair}: {shown}, {naive:?}"
        );
    }
    let draws = refused(
        &site,
        "/api/contest/draw",
        json!({"section": "A", "round": 1, "why": "?"}),
    )
    .await;
    assert!(draws.contains("movement"), "{draws}");
}

/// The WBF scale by its formula, for a margin rounded to whole IMPs.
fn formula(margin: f64, boards: f64) -> f64 {
    let golden = (5_f64.sqrt() - 1.0) / 2.0;
    let blitz = 15.0 * boards.sqrt();
    let whole = (margin + 0.5).floor();
    let share = whole.abs().min(blitz) * 3.0 / blitz;
    let won = 10.0 * (1.0 - golden.powf(share)) / (1.0 - golden.powi(3));
    let winner = ((10.0 + won) * 100.0).round() / 100.0;
    if whole < 0.0 { 20.0 - winner } else { winner }
}

#[tokio::test]
async fn the_clock_gives_a_match_the_minutes_of_its_regulation() {
    for (body, minutes, stop) in [
        (json!({"boards": 9, "comparison": "butler"}), 54, 3),
        (
            json!({"boards": 14, "comparison": "teams-imps", "regulation": "gnot"}),
            105,
            0,
        ),
        (
            json!({"boards": 16, "comparison": "teams-imps", "regulation": "abf-championships"}),
            120,
            0,
        ),
        (
            json!({"boards": 10, "comparison": "teams-imps", "regulation": "sabf"}),
            75,
            5,
        ),
        (
            json!({"boards": 9, "comparison": "butler", "minutes": 60, "no_new_board": 4}),
            60,
            4,
        ),
    ] {
        let mut whole = json!({"size": 4, "format": "swiss", "rounds": 2});
        if let Some((whole, body)) = whole.as_object_mut().zip(body.as_object()) {
            whole.extend(body.clone());
        }
        let stage = Stage::open(whole).await;
        stage
            .site
            .does("/api/clock", json!({"action": "start", "round": 1}))
            .await;
        let (_, view) = stage.site.ask("GET", "/api/view", None).await;
        let (clock, now) = (&view["clock"], view["now_ms"].as_u64().expect("now"));
        let left = clock["ends_ms"].as_u64().expect("an end") - now;
        assert_eq!(left.div_ceil(60_000), minutes, "{body}");
        assert_eq!(clock["no_new_board_ms"], stop * 60_000, "{body}");
        let shown = stage.now().await;
        assert_eq!(
            (shown["minutes"].clone(), shown["no_new_board"].clone()),
            (json!(minutes), json!(stop))
        );
    }
}
