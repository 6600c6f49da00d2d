//! Rules of the regulations with their own figures, read from the standing.

use super::stage::Stage;
use super::*;

pub(super) fn rule(id: &str) -> Value {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/golden/regulations.json"
    );
    let text = std::fs::read_to_string(path).expect("the regulations");
    let all: Vec<Value> = serde_json::from_str(&text).expect("a list");
    let found = all.into_iter().find(|it| it["id"] == id);
    found.unwrap_or_else(|| panic!("no rule {id}"))["rule"].clone()
}

/// The first number of a text such as `3 VP (3 IMP)`, in hundredths.
pub(super) fn first_number(text: &str) -> i64 {
    let digits = |letter: char| letter.is_ascii_digit() || letter == '.';
    let from = text.find(digits).expect("a number");
    let number = text[from..].split(|letter| !digits(letter)).next();
    super::stage::hundredths(number.expect("a number"))
}

async fn begun(regulation: &str, comparison: &str, boards: u8) -> Stage {
    Stage::open(
        json!({"size": 4, "format": "swiss", "rounds": 2, "boards": boards,
        "comparison": comparison, "regulation": regulation}),
    )
    .await
}

/// What an offence takes off the standing.
async fn costs(stage: &Stage, offence: Value) -> i64 {
    let before = standing(&stage.now().await)[&1];
    let fine = json!({"contestant": 1, "offence": offence, "why": "noted"});
    stage.post("/api/contest/fine", fine).await;
    before - standing(&stage.now().await)[&1]
}

#[tokio::test]
async fn who_comes_late_loses_what_each_table_prints() {
    for (id, regulation, comparison, boards) in [
        ("R021", "sabf", "teams-imps", 8),
        ("R024", "abf-championships", "teams-imps", 16),
        ("R025", "abf-championships", "butler", 12),
    ] {
        let stage = begun(regulation, comparison, boards).await;
        for row in rule(id)["table"].as_array().expect("bands") {
            let minutes = row["min"].as_str().expect("minutes");
            // The last minute of each band: the bands of two regulations begin where others end.
            let minutes: u64 = match minutes.strip_prefix('<') {
                Some(below) => below.parse::<u64>().expect("minutes") - 1,
                None => minutes
                    .split('-')
                    .nth(1)
                    .and_then(|it| it.parse().ok())
                    .expect("minutes"),
            };
            let late = json!({"kind": "late", "minutes": minutes});
            let printed = &row["penalty"];
            if let Some(later) = printed.as_str().and_then(|it| it.strip_prefix("warning,")) {
                assert_eq!(costs(&stage, late.clone()).await, 0, "{id}: warned");
                assert_eq!(costs(&stage, late).await, first_number(later), "{id}");
            } else {
                let printed = printed.to_string();
                assert_eq!(
                    costs(&stage, late).await,
                    first_number(&printed),
                    "{id}: {minutes} minutes"
                );
            }
        }
    }
}

#[tokio::test]
async fn who_plays_slowly_loses_what_each_regulation_prints() {
    let slow =
        |boards: u16, minutes: u16| json!({"kind": "slow", "boards": boards, "minutes": minutes});
    for (id, regulation, comparison, length) in [
        ("R030", "abf-championships", "teams-imps", 16),
        ("R031", "abf-championships", "butler", 12),
    ] {
        let printed = &rule(id)["cancelled_board"];
        let each = ["first", "each_further"].map(|it| first_number(&printed[it].to_string()));
        let stage = begun(regulation, comparison, length).await;
        assert_eq!(costs(&stage, slow(1, 0)).await, each[0], "{id}");
        assert_eq!(
            costs(&stage, slow(3, 0)).await,
            each[0] + 2 * each[1],
            "{id}"
        );
    }
    // A victory point a board, nothing the first time.
    let sabf = begun("sabf", "teams-imps", 8).await;
    assert!(
        rule("R027")["penalty"]
            .as_str()
            .is_some_and(|it| it.starts_with("1 VP per"))
    );
    assert_eq!(costs(&sabf, slow(2, 0)).await, 0);
    assert_eq!(costs(&sabf, slow(2, 0)).await, 200);
    // Swiss pairs of GNOT: one for the first board, two for any other, nothing the first time.
    let pairs = begun("gnot", "butler", 8).await;
    assert_eq!(costs(&pairs, slow(1, 0)).await, 0);
    assert_eq!(costs(&pairs, slow(2, 0)).await, 300);
    // Head to head IMPs go off the match: three a board and one a minute.
    let teams = begun("gnot", "teams-imps", 8).await;
    for board in 1..=8 {
        teams.swings(1, 1, board, 3).await;
    }
    let own = matches(&teams.now().await)[0].2;
    let margin = |now: &Value| now["rounds"][0]["matches"][0]["home"]["margin"].as_f64();
    for (times, left) in [(1, 24.0), (2, 14.0)] {
        let fine = json!({"contestant": own, "offence": slow(2, 4), "why": "long thoughts"});
        teams.post("/api/contest/fine", fine).await;
        assert_eq!(margin(&teams.now().await), Some(left), "time {times}");
    }
}

#[tokio::test]
async fn substitutes_and_discipline_cost_what_the_guides_print() {
    let guide = &rule("R076")["guide"];
    for (boards, key) in [(10_u8, "10_boards"), (14, "14_boards")] {
        for (level, gain) in [(1, "some"), (2, "significant"), (3, "substantial")] {
            let stage = begun("sabf", "teams-imps", boards).await;
            for board in 1..=boards {
                stage.swings(1, 1, board, 3).await;
            }
            let own = matches(&stage.now().await)[0].2;
            let offence = json!({"kind": "substitute", "gain": gain});
            let fine = json!({"contestant": own, "offence": offence, "why": "much stronger"});
            stage.post("/api/contest/fine", fine).await;
            let margin = stage.now().await["rounds"][0]["matches"][0]["home"]["margin"].as_f64();
            let off = guide[key][level].as_f64().expect("IMPs");
            assert_eq!(margin, Some(3.0 * f64::from(boards) - off), "{key} {gain}");
        }
    }
    let score = json!({"kind": "score"});
    let telephone = json!({"kind": "telephone"});
    let printed = &rule("R004")["subsequent"];
    let phones = &rule("R083")["smoking_phone_alcohol"];
    for (comparison, boards, scores, phone) in [
        ("teams-imps", 16, "ITC", "ITC qualifying"),
        ("butler", 12, "ABPC", "IPC ABPC"),
    ] {
        let stage = begun("abf-championships", comparison, boards).await;
        for (offence, printed) in [(&score, &printed[scores]), (&telephone, &phones[phone])] {
            assert_eq!(costs(&stage, offence.clone()).await, 0, "a warning first");
            let right = first_number(&printed.to_string());
            assert_eq!(costs(&stage, offence.clone()).await, right, "{comparison}");
        }
    }
}

/// Two who each play others, and then the second does not come.
async fn forfeits(stage: &Stage, rounds: &[[(u16, i64); 2]], boards: u8) {
    let size = u64::try_from(standing(&stage.now().await).len()).expect("a few");
    for (round, matches) in (1_u8..).zip(rounds) {
        let (first, second) = (u64::from(matches[0].0), u64::from(matches[1].0));
        let mut left: Vec<u64> = (3..=size).collect();
        left.retain(|it| *it != first && *it != second);
        let mut pairs = vec![
            json!({"home": 1, "away": first}),
            json!({"home": second, "away": 2}),
        ];
        let others = left.chunks(2);
        pairs.extend(others.map(|two| json!({"home": two[0], "away": two[1]})));
        stage
            .draw(json!({"matches": pairs, "allow_rematches": true}))
            .await;
        if round == 1 {
            stage.site.open_for_log_on().await;
        }
        stage.wins(1, round, boards, matches[0].1).await;
        stage.wins(2, round, boards, matches[1].1).await;
    }
    let mut pairs = vec![json!({"home": 1, "away": 2})];
    let others: Vec<u64> = (3..=size).collect();
    pairs.extend(
        others
            .chunks(2)
            .map(|two| json!({"home": two[0], "away": two[1]})),
    );
    stage
        .draw(json!({"matches": pairs, "allow_rematches": true}))
        .await;
    let round = rounds.len() + 1;
    let forfeit = json!({"round": round, "number": 1, "why": "did not come",
        "decision": {"kind": "forfeit", "by": 2}});
    stage.post("/api/contest/match", forfeit).await;
}

fn sides(now: &Value, round: usize, what: &str) -> [Option<f64>; 2] {
    let own = &now["rounds"][round - 1]["matches"][0];
    ["home", "away"].map(|side| own[side][what].as_f64())
}

#[tokio::test]
async fn forfeits_of_the_worked_examples_come_to_what_they_print() {
    let example = super::examples::example;
    // Club: 12, the own mean of 11.2, or the 13.4 that the others got against who stayed away.
    let printed = example("forfeit_003");
    assert_eq!(printed["input"]["own_average"], 11.2);
    let stage = Stage::set_up(
        json!({"size": 12, "format": "swiss", "rounds": 6, "boards": 8,
        "comparison": "teams-imps", "scale": "wbf-discrete"}),
    )
    .await;
    let margins = [(4, 10), (1, 10), (1, 7), (1, 7), (1, 7)];
    let rounds: Vec<[(u16, i64); 2]> = (0_u16..)
        .zip(margins)
        .map(|(at, (own, other))| [(3 + at, own), (8 + at, other)])
        .collect();
    forfeits(&stage, &rounds, 8).await;
    assert_eq!(
        sides(&stage.now().await, 6, "vp"),
        [
            printed["expected"]["winner_vp"].as_f64(),
            printed["expected"]["forfeiter_vp"].as_f64()
        ]
    );
    // Inter-state teams: 56.5 is more than the mean of 50 and than what a mean of 20 leaves.
    let printed = example("forfeit_001_itc");
    let stage = Stage::set_up(
        json!({"size": 4, "format": "swiss", "rounds": 2, "boards": 16,
        "comparison": "teams-imps", "regulation": "abf-championships"}),
    )
    .await;
    forfeits(&stage, &[[(3, 15), (4, 15)]], 16).await;
    let now = stage.now().await;
    let expected = &printed["expected"];
    assert_eq!(
        sides(&now, 2, "vp"),
        [expected["final"].as_f64(), expected["offender_vp"].as_f64()]
    );
    assert_eq!(
        sides(&now, 2, "margin"),
        [
            expected["imps_non_offender"].as_f64(),
            expected["offender_imps"].as_f64()
        ]
    );
    // GNOT: 18 for the next draw, and at the end what the offender's mean of 10 leaves of 30.
    let printed = example("forfeit_002");
    let stage = Stage::set_up(
        json!({"size": 4, "format": "swiss", "rounds": 3, "boards": 14,
        "comparison": "teams-imps", "regulation": "gnot"}),
    )
    .await;
    forfeits(&stage, &[[(3, 8), (4, 19)]], 14).await;
    let expected = &printed["expected"];
    let now = stage.now().await;
    assert_eq!(
        sides(&now, 2, "vp"),
        [
            expected["draw_vp"].as_f64(),
            expected["offender_vp"].as_f64()
        ]
    );
    assert_eq!(
        sides(&now, 2, "margin"),
        [
            expected["draw_imps"].as_f64(),
            expected["offender_imps"].as_f64()
        ]
    );
    let last = json!({"matches": [{"home": 1, "away": 4}, {"home": 2, "away": 3}],
        "allow_rematches": true});
    stage.draw(last).await;
    assert_eq!(
        sides(&stage.now().await, 2, "vp")[0],
        expected["final_vp"].as_f64()
    );
}

#[tokio::test]
async fn a_director_reads_what_a_regulation_sets_before_choosing_it() {
    let site = Site::open().await;
    let words = async |regulation: &str, comparison: &str, boards: u16| {
        let path = format!(
            "/api/contest/regulation?regulation={regulation}&comparison={comparison}&boards={boards}"
        );
        let (status, answer) = site.ask("GET", &path, None).await;
        assert_eq!(status, StatusCode::OK, "{path}: {answer}");
        answer
    };
    let itc = words("abf-championships", "teams-imps", 16).await;
    assert_eq!(
        (&itc["scale"], &itc["bye"], &itc["minutes"]),
        (&json!("itc"), &json!(35.0), &json!(120))
    );
    let said = itc["lines"].to_string();
    for sentence in [
        "16 boards",
        "at least 56.50 VPs",
        "12 minutes late: 6.00 VPs off",
        "left out, or agreed wrongly: a warning; not for the first time: 3.00 VPs off",
    ] {
        assert!(said.contains(sentence), "{sentence}: {said}");
    }
    let gnot = words("gnot", "teams-imps", 14).await;
    assert_eq!(
        (&gnot["scale"], &gnot["level"], &gnot["method"]),
        (&json!("gnot2006"), &json!("gnot2006"), &json!("classical"))
    );
    let none = words("gnot", "teams-imps", 13).await;
    assert!(
        none["lines"]
            .to_string()
            .contains("no column for 13 boards"),
        "{none}"
    );
    let club = words("new-zealand-club", "matchpoints", 9).await;
    assert!(
        club["lines"].to_string().contains("Average plus is 60%"),
        "{club}"
    );
    for odd in [
        "regulation=nobody&comparison=teams-imps&boards=8",
        "regulation=gnot",
    ] {
        let (status, _) = site
            .ask("GET", &format!("/api/contest/regulation?{odd}"), None)
            .await;
        assert!(status.is_client_error(), "{odd}");
    }
}
