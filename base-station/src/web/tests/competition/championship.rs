//! A championship of pairs over six sessions.

use super::naive::{How, championship};
use super::*;

/// Six sessions with substitutes, pairs that are away, and one that comes without leave.
async fn six_sessions(site: &Site) -> (Vec<u64>, Vec<Brought>) {
    let mut nights: Vec<Seats> = vec![ten_pairs(); 6];
    nights[1][0] = [1001, 1101];
    nights[2][1] = [1102, 1103];
    nights[3][2] = [1104, 1105];
    nights[4][3] = [1106, 1008];
    nights[4][4] = [1107, 1108];
    nights[5][5] = [1109, 1110];
    let mut sessions = Vec::new();
    let mut brought = Vec::new();
    for (at, seats) in (1..).zip(&nights) {
        let (session, ranking) = site
            .evening(&format!("2026-09-{:02}", 4 * at), seats, at)
            .await;
        sessions.push(session);
        brought.push(ranking);
    }
    (sessions, brought)
}

/// How each pair of the championship played, as the director says it.
fn as_noted() -> Vec<([u32; 2], [How; 6])> {
    use How::{Itself, Nothing, Represents, Substitutes};
    let pairs = ten_pairs();
    let mut how = vec![[Itself; 6]; 10];
    how[0][1] = Substitutes([1001, 1101]);
    how[1][2] = Substitutes([1102, 1103]);
    how[2][3] = Represents;
    how[3][4] = Substitutes([1008, 1106]);
    how[4][4] = Nothing;
    how[5][5] = Nothing;
    pairs.into_iter().zip(how).collect()
}

fn expect_sums(competition: &Value, brought: &[Brought]) {
    let expected: BTreeMap<String, i64> = as_noted()
        .iter()
        .map(|(pair, how)| (named(*pair), championship(brought, *pair, how)))
        .collect();
    let got = placed(competition);
    assert_eq!(got.len(), 10, "{competition}");
    for (names, sum) in &expected {
        assert_eq!(got[names].1, *sum, "{names}");
        let better = expected.values().filter(|it| **it > sum + 3).count();
        let place: usize = got[names].0.trim_end_matches('=').parse().expect("a place");
        assert!(place > better, "{names} is place {place} behind {better}");
    }
    let winner = expected
        .iter()
        .max_by_key(|(_, sum)| **sum)
        .expect("a winner");
    assert_eq!(competition["lines"][0]["names"], **winner.0);
}

#[tokio::test]
async fn a_championship_of_six_sessions_with_substitutes_and_pairs_away_adds_up_and_follows_a_correction()
 {
    let site = Site::open().await;
    members(&site).await;
    let (sessions, mut brought) = six_sessions(&site).await;
    let presets = site.reads("/api/competitions/presets").await;
    let rules = presets["presets"][0]["rules"].clone();
    assert_eq!(presets["presets"][0]["name"], "championship");
    let plan = json!({"name": "Club  Championship", "rules": rules, "takes": {"event": 1}});
    let number = site.begins(plan.clone()).await;
    let problem = site.refuses("POST", "/api/competitions", plan).await;
    assert!(problem.contains("Club Championship"), "{problem}");
    let path = |part: &str| format!("/api/competitions/{number}/{part}");
    let pairs: Vec<[String; 2]> = ten_pairs()
        .into_iter()
        .map(|[one, other]| [one.to_string(), format!("player {other}")])
        .collect();
    site.does(&path("entries"), json!({"pairs": pairs})).await;
    let twice = json!({"pairs": [["1111", "1112"], ["1113", "1001"]]});
    let problem = site.refuses("POST", &path("entries"), twice).await;
    assert!(problem.contains("Player 1001"), "{problem}");
    let note = async |session: usize, entry: u16, note: Value| {
        let note = json!({"session": sessions[session], "entry": entry, "note": note});
        site.puts(&path("notes"), note).await;
    };
    note(
        2,
        2,
        json!({"kind": "played-by", "players": ["1102", "1103"], "excused": true}),
    )
    .await;
    note(3, 3, json!({"kind": "away", "absence": "representing"})).await;
    note(
        4,
        5,
        json!({"kind": "played-by", "players": ["1107", "1108"]}),
    )
    .await;
    let now = site.competition(number).await;
    assert_eq!(now["problems"], json!([]), "{now}");
    expect_sums(&now, &brought);
    let cell = &line_of(&now, &named([1001, 1002]))["cells"][1];
    assert_eq!(cell["played"], "substitute");
    assert!(
        cell["note"]
            .as_str()
            .is_some_and(|it| it.contains("Player 1101")),
        "{cell}"
    );

    // One board of the first session is corrected after the last: everything follows.
    let before = placed(&now);
    let choose = json!({"session": sessions[0]});
    site.does("/api/calendar/choose", choose).await;
    site.does("/api/reopen", json!({"why": "a wrong score"}))
        .await;
    let corrected = json!({"table": "A1", "round": 1, "board": 1,
        "result": {"kind": "Played", "contract": "7NTXX", "declarer": "N", "result": "="}, "why": "the slip"});
    site.does("/api/lines/rule", corrected).await;
    site.does("/api/release", json!({"despite_checklist": true}))
        .await;
    brought[0] = site.brought().await;
    let now = site.competition(number).await;
    assert_ne!(placed(&now), before, "the correction is seen");
    expect_sums(&now, &brought);
}

#[tokio::test]
async fn who_played_too_little_has_no_place_and_a_result_claimed_twice_is_put_to_the_director() {
    let site = Site::open().await;
    members(&site).await;
    let mut nights: Vec<Seats> = vec![ten_pairs(); 3];
    // One of pair 1 plays with one of pair 2, and the other two stay away.
    nights[1][0] = [1001, 1004];
    nights[1][1] = [1120, 1121];
    for (at, seats) in (1..).zip(&nights) {
        site.evening(&format!("2026-10-0{at}"), seats, 40 + at)
            .await;
    }
    let rules = json!({"contestants": "nominated-pairs", "measure": "percent", "total": "sum", "sessions": 3,
        "to_qualify": 3, "to_count": 3, "own": 2, "level_within": 0.03, "ties": "sabf-pairs"});
    let plan = json!({"name": "Three Mondays", "rules": rules, "takes": {"from": "2026-10-01", "until": "2026-10-31"}});
    let number = site.begins(plan).await;
    let pairs: Vec<[String; 2]> = ten_pairs()
        .into_iter()
        .map(|it| it.map(|it| it.to_string()))
        .collect();
    let entries = format!("/api/competitions/{number}/entries");
    site.does(&entries, json!({"pairs": pairs})).await;
    let now = site.competition(number).await;
    assert_eq!(
        now["problems"].as_array().map(Vec::len),
        Some(2),
        "{}",
        now["problems"]
    );
    for pair in [[1001, 1002], [1003, 1004]] {
        let line = line_of(&now, &named(pair));
        assert_eq!(
            (&line["place"], &line["standing"]),
            (&json!(""), &json!("out"))
        );
        assert_eq!(line["cells"][1]["played"], "unclear");
        assert!(
            line["why"].as_str().is_some_and(|it| it.contains("2 of 3")),
            "{line}"
        );
    }
    let note = json!({"session": 2, "entry": 1, "note": {"kind": "played-by", "players": ["1001", "1004"]}});
    site.puts(&format!("/api/competitions/{number}/notes"), note)
        .await;
    let now = site.competition(number).await;
    assert_eq!(line_of(&now, &named([1001, 1002]))["standing"], "qualified");
    // A session that is taken out counts for nobody.
    let out = json!({"session": 2, "counts": "out"});
    site.puts(&format!("/api/competitions/{number}/sessions"), out)
        .await;
    let now = site.competition(number).await;
    assert_eq!(now["left_out"][0]["id"], 2);
    assert_eq!(now["lines"][0]["cells"].as_array().map(Vec::len), Some(2));
    assert_eq!(now["lines"][0]["standing"], "on-the-way");
}

#[tokio::test]
async fn players_see_on_their_page_what_is_released_and_the_address_stays() {
    let site = Site::open().await;
    members(&site).await;
    site.evening("2026-10-01", &ten_pairs(), 7).await;
    let rules = json!({"contestants": "pairs", "measure": "percent", "total": "sum", "sessions": 3, "to_qualify": 0, "to_count": 3});
    let plan = json!({"name": "Autumn <Cup>", "rules": rules, "takes": {"event": 1}});
    let number = site.begins(plan).await;
    let page = |path: String| {
        let site = &site;
        async move { site.reads(&path).await.as_str().expect("a page").to_owned() }
    };
    let address = format!("/competitions/{number}");
    let shown = page(address.clone()).await;
    assert!(
        shown.contains("Autumn &lt;Cup&gt;") && shown.contains("Player 1001"),
        "{shown}"
    );
    site.sits_down("2026-10-08", &ten_pairs()).await;
    site.plays(8).await;
    site.does("/api/end-play", json!({})).await;
    let director = site.competition(number).await;
    assert_eq!(
        director["lines"][0]["cells"].as_array().map(Vec::len),
        Some(2)
    );
    assert!(
        director["problems"][0]
            .as_str()
            .is_some_and(|it| it.contains("2026-10-08"))
    );
    let body = |page: &str| page.split("<footer").next().map(str::to_owned);
    let hidden = page(address.clone()).await;
    assert!(hidden.contains("not finished yet"), "{hidden}");
    assert_eq!(
        hidden.matches("<td class=\"number\">1</td>").count(),
        10,
        "one session each"
    );
    site.does("/api/release", json!({"despite_checklist": true}))
        .await;
    let released = page(address).await;
    assert_ne!(body(&released), body(&hidden));
    assert_eq!(released.matches("<td class=\"number\">2</td>").count(), 10);
    let all = page("/competitions".to_owned()).await;
    assert!(all.contains(&format!("/competitions/{number}")), "{all}");
    let printed = page(format!("/print/competitions/{number}?language=de")).await;
    assert!(printed.contains("@page { size: a4"), "{printed}");
    let away = format!("/api/competitions/{number}/away");
    site.puts(&away, json!({"away": true})).await;
    let (status, _) = site
        .ask("GET", &format!("/competitions/{number}"), None)
        .await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    site.refuses(
        "PUT",
        &format!("/api/competitions/{number}/sessions"),
        json!({"session": 1, "counts": "out"}),
    )
    .await;
    site.puts(&away, json!({"away": false})).await;
    page(format!("/competitions/{number}")).await;
}
