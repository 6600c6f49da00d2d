//! An event over several nights.

use super::naive::{naive_night, naive_vp};
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
    // The middle night goes on from the first, the last one from the middle one.
    for session in &sessions[1..] {
        site.does("/api/calendar/choose", json!({"session": session}))
            .await;
        site.does("/api/contest/earlier", json!({"section": "A"}))
            .await;
    }
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
