//! Ladders of pairs and players, with handicaps, and players' years.

use super::naive::{ladder, mean};
use super::*;

/// Scores by player.
fn by_player(nights: &[Brought]) -> BTreeMap<u32, Vec<(u32, i64)>> {
    let mut scores: BTreeMap<u32, Vec<(u32, i64)>> = BTreeMap::new();
    for night in nights {
        for ([one, other], percent) in night {
            scores.entry(*one).or_default().push((*other, *percent));
            scores.entry(*other).or_default().push((*one, *percent));
        }
    }
    scores
}

fn rules(contestants: &str, numbers: [u16; 3]) -> Value {
    json!({"contestants": contestants, "measure": "percent", "total": "mean",
        "sessions": numbers[0], "to_qualify": numbers[1], "to_count": numbers[2]})
}

#[tokio::test]
#[expect(
    clippy::too_many_lines,
    reason = "one club's season, from its nights to its ladders"
)]
async fn ladders_of_pairs_and_players_count_the_best_five_of_six_and_handicaps_turn_them_round() {
    let site = Site::open().await;
    members(&site).await;
    let mut nights: Vec<Seats> = vec![ten_pairs(); 6];
    // Pair 1 misses one session, pair 2 two, and two players change partners once.
    nights[0][0] = [1121, 1122];
    nights[2][1] = [1121, 1122];
    nights[3][1] = [1121, 1123];
    nights[5][8] = [1017, 1020];
    nights[5][9] = [1019, 1018];
    let mut brought = Vec::new();
    for (at, seats) in (1..).zip(&nights) {
        brought.push(
            site.evening(&format!("2026-03-{:02}", 3 * at), seats, 90 + at)
                .await
                .1,
        );
    }
    let plan =
        json!({"name": "Pairs 6-5-5", "rules": rules("pairs", [6, 5, 5]), "takes": {"event": 1}});
    let number = site.begins(plan).await;
    let mut pairs: BTreeMap<[u32; 2], Vec<i64>> = BTreeMap::new();
    for night in &brought {
        for (pair, percent) in night {
            pairs.entry(*pair).or_default().push(*percent);
        }
    }
    let expected: BTreeMap<String, i64> = pairs
        .into_iter()
        .filter_map(|(pair, scores)| Some((named(pair), ladder(scores, 5, 5)?)))
        .collect();
    let now = site.competition(number).await;
    let got: BTreeMap<String, i64> = placed(&now)
        .into_iter()
        .map(|(names, it)| (names, it.1))
        .collect();
    assert_eq!(got, expected);
    assert_eq!(expected.len(), 9, "pair 2 played four times");

    let plan = json!({"name": "Players 6-5-5", "rules": rules("players", [6, 5, 5]), "takes": {"event": 1}});
    let players = site.begins(plan).await;
    let scores = by_player(&brought);
    let expected: BTreeMap<String, i64> = scores
        .iter()
        .filter_map(|(player, scores)| {
            let scores = scores.iter().map(|(_, percent)| *percent).collect();
            Some((format!("Player {player}"), ladder(scores, 5, 5)?))
        })
        .collect();
    let now = site.competition(players).await;
    let got: BTreeMap<String, i64> = placed(&now)
        .into_iter()
        .map(|(names, it)| (names, it.1))
        .collect();
    assert_eq!(got, expected);

    // Handicaps from all results of March, on a scale of nine.
    let worked = site
        .reads("/api/players/handicaps?from=2026-03-01&until=2026-03-31&most=9&sessions=2")
        .await;
    let handicaps: BTreeMap<u32, i64> = scores
        .iter()
        .filter(|(_, scores)| scores.len() >= 2)
        .map(|(player, scores)| {
            let percents: Vec<i64> = scores.iter().map(|it| it.1).collect();
            let exact = 5_000 - mean(&percents);
            // To whole percents, halves up.
            let whole = (exact + 50).div_euclid(100) * 100;
            (*player, whole.clamp(-900, 900))
        })
        .collect();
    let lines = worked["handicaps"].as_array().expect("handicaps");
    let got: BTreeMap<u32, i64> = lines
        .iter()
        .map(|line| {
            let player = line["player"].as_str().expect("a player").parse();
            (player.expect("a number"), hundredths(&line["handicap"]))
        })
        .collect();
    assert_eq!(got, handicaps);
    let mut with = rules("pairs", [6, 1, 5]);
    with["handicap"] = json!(true);
    let plan = json!({"name": "Handicap", "rules": with, "takes": {"event": 1}});
    let handicap = site.begins(plan).await;
    let set: Vec<Value> = lines
        .iter()
        .map(|line| json!({"player": line["player"], "handicap": line["handicap"]}))
        .collect();
    let path = format!("/api/competitions/{handicap}/handicaps");
    site.puts(&path, json!({"handicaps": set})).await;
    let now = site.competition(handicap).await;
    let own = |pair: [u32; 2]| {
        let sum: i64 = pair
            .iter()
            .map(|it| handicaps.get(it).copied().unwrap_or_default())
            .sum();
        (sum + 1).div_euclid(2)
    };
    for line in now["lines"].as_array().expect("lines") {
        let pair = pair_of(line["names"].as_str().expect("names"));
        let raw: Vec<i64> = brought
            .iter()
            .filter_map(|night| night.get(&pair).copied())
            .collect();
        let with = raw.iter().map(|it| it + own(pair)).collect();
        assert_eq!(
            Some(hundredths(&line["total"])),
            ladder(with, 1, 5),
            "{line}"
        );
        assert_eq!(
            Some(hundredths(&line["raw_total"])),
            ladder(raw, 1, 5),
            "{line}"
        );
    }
    let problem = site
        .refuses(
            "PUT",
            &format!("/api/competitions/{number}/handicaps"),
            json!({"handicaps": set}),
        )
        .await;
    assert!(problem.contains("Pairs 6-5-5"), "{problem}");
}

#[tokio::test]
async fn over_three_nights_whoever_kept_one_partner_is_out_and_a_year_shows_every_session() {
    let site = Site::open().await;
    members(&site).await;
    let mut nights: Vec<Seats> = vec![ten_pairs(); 3];
    // Pairs 1 to 6 change partners among themselves on the third night; pairs 7 to 10 never do.
    for at in 0..3_u32 {
        let first = 1001 + 4 * at;
        let place = usize::try_from(2 * at).expect("a seat");
        nights[2][place] = [first, first + 2];
        nights[2][place + 1] = [first + 1, first + 3];
    }
    let mut brought = Vec::new();
    for (at, seats) in (1..).zip(&nights) {
        brought.push(
            site.evening(&format!("2026-05-{:02}", 7 * at), seats, 300 + at)
                .await
                .1,
        );
    }
    let presets = site.reads("/api/competitions/presets").await;
    let preset = presets["presets"].as_array().expect("presets");
    let preset = preset
        .iter()
        .find(|it| it["name"] == "change-partner")
        .expect("it");
    let plan = json!({"name": "Change partners", "rules": preset["rules"], "takes": {"event": 1}});
    let number = site.begins(plan).await;
    let now = site.competition(number).await;
    let scores = by_player(&brought);
    let expected: BTreeMap<String, i64> = scores
        .iter()
        .filter(|(player, _)| **player <= 1012)
        .map(|(player, scores)| {
            let percents: Vec<i64> = scores.iter().map(|it| it.1).collect();
            (format!("Player {player}"), mean(&percents))
        })
        .collect();
    let got: BTreeMap<String, i64> = placed(&now)
        .into_iter()
        .map(|(names, it)| (names, it.1))
        .collect();
    assert_eq!(got, expected);
    let kept = line_of(&now, "Player 1020");
    assert_eq!(
        (&kept["standing"], &kept["why"]),
        (&json!("out"), &json!("one partner throughout"))
    );

    // Seniors and the rest have winners of their own.
    let groups = json!({"kind": "categories", "names": ["Seniors"], "players": [["1003", "Seniors"], ["player 1004", "Seniors"]]});
    site.puts(&format!("/api/competitions/{number}/groups"), groups)
        .await;
    let now = site.competition(number).await;
    assert_eq!(now["groups"][0]["places"].as_array().map(Vec::len), Some(2));
    let nobody =
        json!({"kind": "categories", "names": ["Seniors"], "players": [["1003", "Juniors"]]});
    site.refuses("PUT", &format!("/api/competitions/{number}/groups"), nobody)
        .await;

    let year = site
        .reads("/api/players/year?player=1001&from=2026-01-01&until=2026-12-31")
        .await;
    let own: Vec<i64> = year["lines"]
        .as_array()
        .expect("lines")
        .iter()
        .map(|it| hundredths(&it["percent"]))
        .collect();
    let expected: Vec<i64> = scores[&1001].iter().map(|it| it.1).collect();
    assert_eq!(own, expected);
    assert_eq!(hundredths(&year["mean"]), mean(&expected));
    assert_eq!(year["lines"][2]["partner"], "Player 1003");
    assert_eq!(year["partners"][0]["sessions"], 2);
    let points: u64 = year["lines"]
        .as_array()
        .expect("lines")
        .iter()
        .map(|it| it["points"].as_u64().expect("points"))
        .sum();
    let totals = site.reads("/api/players/totals?from=2026-01-01").await;
    let line = totals["players"]
        .as_array()
        .expect("players")
        .iter()
        .find(|it| it["player"] == "1001");
    assert_eq!(line.expect("a line")["points"], points);
    // 15 boards are half of what 20 award: 40, 27 and 13 for the best of nine become 20, 14 and 7.
    let all: u64 = totals["players"]
        .as_array()
        .expect("players")
        .iter()
        .map(|it| it["points"].as_u64().expect("points"))
        .sum();
    assert!(
        all > 0 && all.is_multiple_of(2),
        "partners win together: {all}"
    );
    let page = site.reads("/print/player?player=1001&language=fr").await;
    assert!(
        page.as_str()
            .is_some_and(|it| it.contains("<polyline") && it.contains("Player 1002"))
    );
}

#[tokio::test]
async fn what_makes_no_sense_is_refused_with_one_sentence_and_changes_nothing() {
    let site = Site::open().await;
    members(&site).await;
    site.evening("2026-05-01", &ten_pairs(), 1).await;
    let with = |key: &str, value: Value| {
        let mut rules = rules("pairs", [6, 5, 5]);
        rules[key] = value;
        json!({"name": "Odd", "rules": rules})
    };
    for plan in [
        with("sessions", json!(0)),
        with("sessions", json!(400)),
        with("to_count", json!(0)),
        with("to_count", json!(7)),
        with("to_qualify", json!(7)),
        with("own", json!(6)),
        with("partners", json!("must-change")),
        with("level_within", json!(0.001)),
        with("level_within", json!(2)),
        with("contestants", json!("horses")),
        json!({"name": " ", "rules": rules("pairs", [6, 5, 5])}),
        json!({"name": "Odd", "rules": rules("pairs", [6, 5, 5]), "takes": {"event": 77}}),
        json!({"name": "Odd", "rules": rules("pairs", [6, 5, 5]), "takes": {"from": "2026-13-01"}}),
        json!({"name": "Odd", "rules": rules("pairs", [6, 5, 5]), "takes": {"from": "2026-05-02", "until": "2026-05-01"}}),
        json!({"name": "A ladder with a hole"}),
    ] {
        site.refuses("POST", "/api/competitions", plan).await;
    }
    let number = site
        .begins(json!({"name": "Ladder", "rules": rules("pairs", [6, 5, 5])}))
        .await;
    let path = |part: &str| format!("/api/competitions/{number}/{part}");
    let entry = json!({"pairs": [["1001", "1002"]]});
    assert!(
        site.refuses("POST", &path("entries"), entry)
            .await
            .contains("Ladder")
    );
    for (part, body) in [
        ("sessions", json!({"session": 99, "counts": "in"})),
        ("sessions", json!({"session": 1, "counts": "perhaps"})),
        (
            "notes",
            json!({"session": 1, "entry": 1, "note": {"kind": "nobody"}}),
        ),
        (
            "handicaps",
            json!({"handicaps": [{"player": "1001", "handicap": -6}]}),
        ),
        (
            "groups",
            json!({"kind": "strata", "names": ["A"], "players": []}),
        ),
        (
            "groups",
            json!({"kind": "categories", "names": ["A", "A"], "players": []}),
        ),
        ("entries/1", json!({"players": ["1001", "1002"]})),
    ] {
        site.refuses("PUT", &path(part), body).await;
    }
    for nowhere in [
        "/api/competitions/77",
        "/competitions/77",
        "/print/competitions/77",
        "/api/players/year?player=Nobody",
    ] {
        let (status, _) = site.ask("GET", nowhere, None).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{nowhere}");
    }
    for unreadable in [
        "/api/players/year?player=",
        "/api/players/totals?from=yesterday",
        "/api/players/handicaps?most=0",
        "/api/players/handicaps?most=9&step=0",
    ] {
        let (status, _) = site.ask("GET", unreadable, None).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{unreadable}");
    }
}
