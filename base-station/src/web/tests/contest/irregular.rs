//! Rounds that went wrong: others met than were drawn, spoiled boards, matches that were not
//! finished, offences and appeals.

use super::stage::Stage;
use super::*;

/// Four teams, a round played: home of match 1 wins by 30 IMPs, that of match 2 by none.
async fn four_teams(regulation: &str, boards: u8) -> Stage {
    let stage = Stage::set_up(json!({"size": 4, "format": "swiss", "rounds": 3,
        "boards": boards, "comparison": "teams-imps", "regulation": regulation}))
    .await;
    stage
        .draw(json!({"matches": [{"home": 1, "away": 2}, {"home": 3, "away": 4}]}))
        .await;
    stage.site.open_for_log_on().await;
    stage.wins(1, 1, boards, 30).await;
    stage.wins(2, 1, boards, 0).await;
    stage
}

#[tokio::test]
async fn who_met_others_than_were_drawn_keeps_what_the_mismatch_leaves() {
    let stage = four_teams("new-zealand-club", 8).await;
    // 1 has 18.31, 2 has 1.69, 3 and 4 have 10 each.
    let before = standing(&stage.now().await);
    assert!(before[&1] - before[&3] > 500 && before[&4] - before[&2] > 500);
    let drawn = json!({"matches": [{"home": 1, "away": 3}, {"home": 4, "away": 2}]});
    stage.draw(drawn).await;
    // They sat down as 1 against 2 and 4 against 3, by the fault of 1 and 3.
    let wrong = json!({"round": 2, "why": "read the wrong line",
        "matches": [{"number": 1, "home": 1, "away": 2}, {"number": 2, "home": 4, "away": 4}]});
    let twice = stage.refused("/api/contest/otherwise", wrong).await;
    assert!(twice.contains("each in one match"), "{twice}");
    let met = json!({"round": 2, "why": "read the wrong line",
        "matches": [{"number": 1, "home": 1, "away": 2}, {"number": 2, "home": 4, "away": 3}]});
    stage.wins(1, 2, 8, 20).await;
    stage.wins(2, 2, 8, 4).await;
    stage.post("/api/contest/otherwise", met).await;
    let now = stage.now().await;
    assert_eq!(now["rounds"][1]["otherwise"], true);
    assert!(
        now["rounds"][1]["matches"][0]["remarks"] == json!([]),
        "{now}"
    );
    let [first, second] = points(&now, 2, 1);
    assert_eq!(first + second, 2_000, "boards count as they are");
    let decide = |number: u16, home: bool, away: bool| {
        json!({"round": 2, "number": number, "why": "wrong opponents", "decision":
            {"kind": "mismatch", "home_at_fault": home, "away_at_fault": away}})
    };
    stage
        .post("/api/contest/match", decide(1, true, false))
        .await;
    stage
        .post("/api/contest/match", decide(2, false, true))
        .await;
    let now = stage.now().await;
    // 1 was at fault and met 2 instead of 3, who is much weaker: three quarters of what is above 5.
    // 2 was not and met 1 instead of 4, who is much stronger: 5 and three quarters.
    let three_quarters = |points: i64| (3 * points + 2).div_euclid(4);
    assert_eq!(
        points(&now, 2, 1),
        [
            500 + three_quarters(first - 500),
            500 + three_quarters(second)
        ]
    );
    // 4 was not at fault and met 3 instead of 2, who is stronger by more than 5; 3 met 4 for 1.
    let own = &now["rounds"][1]["matches"][1];
    assert_eq!(own["decision"], "others met than were drawn");
    let [fourth, third] = points(&now, 2, 2);
    assert!(fourth > 1_000 && third > 0, "{own}");
    assert_ne!(fourth + third, 2_000);
}

#[tokio::test]
async fn a_match_that_was_not_finished_counts_as_far_as_it_was_played() {
    let stage = four_teams("new-zealand-club", 8).await;
    stage
        .draw(json!({"matches": [{"home": 1, "away": 3}, {"home": 2, "away": 4}]}))
        .await;
    stage.wins(2, 2, 8, 0).await;
    for board in 9..=13 {
        stage.swings(1, 2, board, 2).await;
    }
    let next = stage.now().await["next_step"].clone();
    assert!(
        next.as_str().is_some_and(|it| it.starts_with("Round 2: ")),
        "{next}"
    );
    let counts = json!({"round": 2, "number": 1, "why": "the caretaker",
        "decision": {"kind": "boards-in"}});
    stage.post("/api/contest/match", counts).await;
    let now = stage.now().await;
    assert_eq!(now["next_step"], "Draw round 3.");
    let own = &now["rounds"][1]["matches"][0];
    assert_eq!(own["home"]["margin"], 10.0);
    // The column of the scheduled length.
    assert_eq!(points(&now, 2, 1)[0], naive::naive_vp("8", 10));
}

/// Two teams over two stanzas of four boards: home wins 3 IMPs on each of the first, and so many on
/// each of the second.
async fn two_stanzas(second: i64) -> Stage {
    let stage = Stage::open(json!({"size": 2, "format": "head-to-head", "rounds": 2,
        "boards": 4, "comparison": "teams-imps", "scale": "wbf-formula"}))
    .await;
    for board in 1..=4 {
        stage.swings(1, 1, board, 3).await;
    }
    stage.draw(json!({})).await;
    for board in 5..=8 {
        stage.swings(1, 2, board, second).await;
    }
    stage
}

#[tokio::test]
async fn valid_boards_of_a_stanza_count_where_team_mates_sat_the_same_way_in_another() {
    let stage = two_stanzas(1).await;
    for board in 5..=8 {
        let turn = json!({"table": "A1", "round": 2, "board": board, "why": "sat wrongly"});
        stage.site.does("/api/lines/turn", turn).await;
    }
    let counts = json!({"round": 2, "number": 1, "why": "no time to play it again",
        "decision": {"kind": "boards-in"}});
    stage.post("/api/contest/match", counts).await;
    let now = stage.now().await;
    let own = &now["rounds"][1]["matches"][0];
    assert_eq!(
        (own["home"]["margin"].as_f64(), &own["complete"]),
        (Some(12.0), &json!(true))
    );
}

#[tokio::test]
async fn more_than_half_of_the_boards_lost_spoils_a_match() {
    for (regulation, boards, least) in [
        ("new-zealand-club", 8, 1_200),
        ("abf-championships", 16, 5_650),
    ] {
        let stage = Stage::open(json!({"size": 2, "format": "head-to-head", "rounds": 1,
            "boards": boards, "comparison": "teams-imps", "regulation": regulation}))
        .await;
        for board in 1..=boards {
            if board <= boards / 2 + 1 {
                for table in [1, 2] {
                    stage
                        .rules(table, 1, board, json!({"kind": "NotPlayed"}))
                        .await;
                }
            } else {
                stage.swings(1, 1, board, 0).await;
            }
        }
        let now = stage.now().await;
        let remarks = now["rounds"][0]["matches"][0]["remarks"].to_string();
        assert!(remarks.contains("More than half"), "{remarks}");
        let cancelled = json!({"round": 1, "number": 1, "why": "spoiled",
            "decision": {"kind": "cancelled"}});
        stage.post("/api/contest/match", cancelled).await;
        assert_eq!(
            points(&stage.now().await, 1, 1),
            [least, least],
            "{regulation}"
        );
    }
}

#[tokio::test]
async fn offences_cost_what_each_regulation_says_and_earlier_ones_are_remembered() {
    let fine = |offence: Value| json!({"contestant": 1, "offence": offence, "why": "noted"});
    let off = async |stage: &Stage, offence: Value| -> i64 {
        let before = standing(&stage.now().await)[&1];
        stage.post("/api/contest/fine", fine(offence)).await;
        before - standing(&stage.now().await)[&1]
    };
    let abf = four_teams("abf-championships", 16).await;
    let (line_up, telephone) = (json!({"kind": "line-up"}), json!({"kind": "telephone"}));
    abf.draw(json!({"matches": [{"home": 3, "away": 1}, {"home": 2, "away": 4}]}))
        .await;
    let seats_first = |now: &Value| now["rounds"][1]["matches"][0]["seats_first"].clone();
    assert_eq!(seats_first(&abf.now().await), 3);
    assert_eq!(off(&abf, line_up.clone()).await, 0);
    assert_eq!(
        seats_first(&abf.now().await),
        1,
        "it has lost its seating rights"
    );
    assert_eq!(off(&abf, line_up.clone()).await, 300);
    assert_eq!(off(&abf, line_up).await, 600);
    assert_eq!(off(&abf, telephone.clone()).await, 0, "a warning");
    assert_eq!(off(&abf, telephone.clone()).await, 900);
    let gnot = four_teams("gnot", 8).await;
    assert_eq!(off(&gnot, telephone.clone()).await, 300);
    let club = four_teams("new-zealand-club", 8).await;
    let fouled = |exchanged: bool| json!({"kind": "fouled", "exchanged": exchanged});
    assert_eq!(off(&club, fouled(false)).await, 50);
    assert_eq!(off(&club, fouled(true)).await, 150);
    let by_hand = club.refused("/api/contest/fine", fine(telephone)).await;
    assert!(by_hand.contains("by hand"), "{by_hand}");
    // A substitute who is much better: an IMP a board off the match.
    let sabf = four_teams("sabf", 14).await;
    let margin = |now: &Value| now["rounds"][0]["matches"][0]["home"]["margin"].as_f64();
    assert_eq!(margin(&sabf.now().await), Some(30.0));
    let substitute = json!({"kind": "substitute", "gain": "substantial"});
    sabf.post("/api/contest/fine", fine(substitute)).await;
    assert_eq!(margin(&sabf.now().await), Some(16.0));
}

#[tokio::test]
async fn an_appeal_is_noted_with_its_deadline_and_asked_for_before_the_release() {
    let stage = four_teams("sabf", 8).await;
    let appeal = |by: u16, board: u8| json!({"round": 1, "number": 1, "board": board, "by": by, "about": "a hesitation"});
    let stranger = stage.refused("/api/contest/appeal", appeal(3, 2)).await;
    assert!(stranger.contains("does not play match 1"), "{stranger}");
    let board = stage.refused("/api/contest/appeal", appeal(2, 30)).await;
    assert!(board.contains("does not belong"), "{board}");
    stage.post("/api/contest/appeal", appeal(2, 2)).await;
    let noted = stage.now().await["appeals"][0].clone();
    let (at, until) = (noted["at_ms"].as_u64(), noted["until_ms"].as_u64());
    let minutes = until
        .zip(at)
        .map(|(until, at)| (until - at).div_ceil(60_000));
    assert_eq!(
        minutes,
        Some(30),
        "half an hour after the last result: {noted}"
    );
    stage.site.does("/api/end-play", json!({})).await;
    let (_, list) = stage.site.ask("GET", "/api/checklist", None).await;
    assert!(list.to_string().contains("it has not been heard"), "{list}");
    let settled = json!({"appeal": noted["appeal"], "outcome": "the ruling stands"});
    stage
        .post("/api/contest/appeal/settle", settled.clone())
        .await;
    let again = stage.refused("/api/contest/appeal/settle", settled).await;
    assert!(again.contains("settled already"), "{again}");
    let (_, list) = stage.site.ask("GET", "/api/checklist", None).await;
    assert!(
        !list.to_string().contains("it has not been heard"),
        "{list}"
    );
    // With no time for appeals they come too late, unless the director takes them all the same.
    let strict = Stage::open(json!({"size": 2, "format": "head-to-head", "rounds": 1,
        "boards": 2, "comparison": "teams-imps", "appeal_minutes": 0}))
    .await;
    for board in 1..=2 {
        strict.swings(1, 1, board, 1).await;
    }
    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    let late = strict.refused("/api/contest/appeal", appeal(1, 2)).await;
    assert!(late.contains("0 minutes ago"), "{late}");
    let mut anyway = appeal(1, 2);
    anyway["despite_deadline"] = json!(true);
    strict.post("/api/contest/appeal", anyway).await;
    assert_eq!(
        strict.now().await["appeals"].as_array().map(Vec::len),
        Some(1)
    );
}

#[tokio::test]
async fn matches_of_a_team_that_goes_home_stand_or_are_cancelled_as_the_director_says() {
    for cancelled in [false, true] {
        let stage = four_teams("new-zealand-club", 8).await;
        let before = standing(&stage.now().await);
        let how = if cancelled { "cancelled" } else { "stand" };
        stage
            .post(
                "/api/contest/withdraw",
                json!({"contestant": 2, "matches": how, "why": "ill"}),
            )
            .await;
        let after = stage.now().await;
        let own = &after["rounds"][0]["matches"][0];
        if cancelled {
            // As if it had not come: twelve at least for its opponents.
            assert_eq!(points(&after, 1, 1), [1_200, 0], "{own}");
        } else {
            assert_eq!(standing(&after), before);
        }
    }
}

fn sheet_of(told: &[Down], round: u8) -> Vec<u8> {
    let mut boards = Vec::new();
    for down in told {
        match down {
            Down::Schedule { rounds, .. } => {
                for sheet in rounds.iter().filter(|it| it.round.get() == round) {
                    let first = sheet.first_board.get();
                    boards.extend(first..first + sheet.boards);
                }
            }
            Down::BoardAllowed { round: of, board } if of.get() == round => {
                boards.push(board.get());
            }
            _ => {}
        }
    }
    boards
}

/// The records of boards that others are played for.
fn replacements(stage: &Stage) -> Vec<u64> {
    let now = stage.site.session.view().state.clone();
    let records = &now.session.as_ref().expect("a session").records;
    let replaced = records.iter().filter(|it| {
        let event = &it.event;
        matches!(
            event,
            crate::session::Event::Contest(crate::session::ContestEvent::BoardReplaced { .. })
        )
    });
    replaced.map(|it| it.seq.0).collect()
}

#[tokio::test]
async fn another_board_is_played_for_a_spoiled_one_at_both_tables_of_a_match() {
    let stage = four_teams("abf-championships", 16).await;
    stage
        .draw(json!({"matches": [{"home": 1, "away": 3}, {"home": 2, "away": 4}]}))
        .await;
    let mut pads = [1, 3].map(|_| None);
    for (pad, table) in pads.iter_mut().zip([1, 3]) {
        *pad = Some(TablePad::log_on(&stage.site, table).await);
    }
    // The open room had played it when the closed one found that a card was face up.
    stage.types(1, 2, 17, "400").await;
    let replace = |number: u16, board: u8, with: u8| json!({"round": 2, "number": number, "board": board, "with": with, "why": "face up"});
    let path = "/api/contest/replace-board";
    // Pads that log on or come back are still being written down: only the answer is looked at.
    let says_no = async |path: &str, mut body: Value| -> String {
        body["section"] = json!("A");
        let (status, answer) = stage.site.ask("POST", path, Some(body)).await;
        assert!(status.is_client_error(), "{answer}");
        answer["problem"].as_str().expect("a sentence").to_owned()
    };
    let planned = says_no(path, replace(1, 17, 40)).await;
    assert!(planned.contains("played tonight already"), "{planned}");
    let stranger = says_no(path, replace(1, 3, 60)).await;
    assert!(stranger.contains("does not belong"), "{stranger}");
    stage.post(path, replace(1, 17, 60)).await;
    let own: Vec<u8> = (18..=32).chain([60]).collect();
    let as_drawn: Vec<u8> = (17..=32).collect();
    let mut hears = async |stage: &Stage, at: usize| {
        let pad = pads[at].as_mut().expect("a pad");
        sheet_of(&slips::told(&stage.site, pad).await, 2)
    };
    assert_eq!(hears(&stage, 0).await, own, "it is played last");
    assert_eq!(hears(&stage, 1).await, as_drawn, "of another match");
    // The same deal for the same spoiled board in another match, and for no other board.
    let other = says_no(path, replace(2, 18, 60)).await;
    assert!(other.contains("played tonight already"), "{other}");
    stage.post(path, replace(2, 17, 60)).await;
    assert_eq!(hears(&stage, 1).await, own);
    // That was the wrong match: it is taken back.
    let replaced = replacements(&stage);
    let undo = json!({"change": replaced[1], "why": "not theirs"});
    stage.site.does("/api/undo", undo).await;
    assert_eq!(hears(&stage, 1).await, as_drawn);
    stage.wins(2, 2, 16, 5).await;
    for board in 18..=32 {
        stage.swings(1, 2, board, 0).await;
    }
    let now = stage.now().await;
    let missing = &now["rounds"][1]["matches"][0]["missing"];
    assert_eq!(*missing, json!(["1: 60", "2: 60"]));
    stage.swings(1, 2, 60, 3).await;
    let now = stage.now().await;
    let played = &now["rounds"][1]["matches"][0];
    assert_eq!(played["home"]["margin"], 3.0, "board 17 does not count");
    assert_eq!(played["remarks"], json!([]), "and nobody is told of it");
    assert_eq!(now["next_step"], "Draw round 3.");
    let boards: Vec<u64> = stage.sheet(2, 1).await["lines"]
        .as_array()
        .expect("boards")
        .iter()
        .filter_map(|line| line["board"].as_u64())
        .collect();
    assert!(boards.contains(&60) && !boards.contains(&17), "{boards:?}");
    // Once the next round is drawn it stands.
    stage
        .draw(json!({"matches": [{"home": 1, "away": 4}, {"home": 2, "away": 3}]}))
        .await;
    let late = json!({"change": replaced[0], "why": "too late"});
    let (status, answer) = stage.site.ask("POST", "/api/undo", Some(late)).await;
    assert!(status.is_client_error(), "{answer}");
    assert_eq!(
        stage.now().await["rounds"][1]["matches"][0]["home"]["margin"],
        3.0
    );
}

#[tokio::test]
async fn a_board_of_the_first_stanza_is_replaced_while_the_second_is_played() {
    let stage = two_stanzas(0).await;
    let replaced = json!({"round": 2, "number": 1, "board": 2, "with": 20, "why": "fouled"});
    stage.post("/api/contest/replace-board", replaced).await;
    let missing = stage.now().await["rounds"][1]["matches"][0]["missing"].clone();
    assert_eq!(missing, json!(["1: 20", "2: 20"]));
    stage.swings(1, 1, 20, 1).await;
    let now = stage.now().await;
    let own = &now["rounds"][1]["matches"][0];
    assert_eq!(own["home"]["margin"], 10.0, "{own}");
    assert_eq!(now["next_step"], "All matches are in. Release the result.");
    // Pairs compare with the field: nobody plays another board there.
    let pairs = Stage::open(
        json!({"size": 4, "format": "swiss", "rounds": 1, "boards": 8,
        "comparison": "butler"}),
    )
    .await;
    let replaced = json!({"round": 1, "number": 1, "board": 2, "with": 20, "why": "fouled"});
    let refused = pairs.refused("/api/contest/replace-board", replaced).await;
    assert!(!refused.is_empty(), "{refused}");
}
