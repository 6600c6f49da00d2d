//! Knock-outs from the draw to the winner.

use super::*;

fn teams(count: usize) -> Vec<String> {
    (1..=count).map(|seed| format!("Team {seed}")).collect()
}

async fn drawn(site: &Site, shape: &str, count: usize) -> u64 {
    let plan =
        json!({"name": format!("{shape} of {count}"), "shape": shape, "entrants": teams(count)});
    let drawn = site.does("/api/knockouts", plan).await;
    drawn["knock_out"].as_u64().expect("a number")
}

async fn now(site: &Site, number: u64) -> Value {
    site.reads(&format!("/api/knockouts/{number}")).await
}

fn ready(view: &Value) -> Vec<Value> {
    let matches = view["matches"].as_array().expect("matches").iter();
    matches.filter(|it| it["ready"] == true).cloned().collect()
}

/// Lets a team win whatever it plays where `stronger` says so; answers with every match played, as
/// winner and loser.
async fn played_out(
    site: &Site,
    number: u64,
    stronger: impl Fn(u64, u64) -> bool,
) -> Vec<(u64, u64)> {
    let mut played = Vec::new();
    loop {
        let view = now(site, number).await;
        let Some(own) = ready(&view).into_iter().next() else {
            return played;
        };
        let seed = |at: usize| own["sides"][at]["seed"].as_u64().expect("a seed");
        let first = stronger(seed(0), seed(1));
        let winner = if first { 1 } else { 2 };
        played.push(if first {
            (seed(0), seed(1))
        } else {
            (seed(1), seed(0))
        });
        let path = format!("/api/knockouts/{number}/matches/{}", own["number"]);
        site.puts(
            &path,
            json!({"kind": "won", "side": winner, "why": "played elsewhere"}),
        )
        .await;
    }
}

/// Places by the number of matches that everybody lost, counted from the end.
fn naive_places(played: &[(u64, u64)], lives: usize) -> BTreeMap<u64, usize> {
    let mut lost: BTreeMap<u64, usize> = BTreeMap::new();
    let mut order = Vec::new();
    for (_, loser) in played {
        let times = lost.entry(*loser).or_default();
        *times += 1;
        if *times == lives {
            order.push(*loser);
        }
    }
    let (winner, _) = played.last().expect("a final");
    order.push(*winner);
    let all = order.len();
    (order.into_iter().enumerate())
        .map(|(at, seed)| (seed, all - at))
        .collect()
}

fn placed_teams(view: &Value) -> BTreeMap<u64, usize> {
    let places = view["places"].as_array().expect("places").iter();
    places
        .map(|place| {
            let name = place["name"].as_str().expect("a name");
            let number = place["place"]
                .as_str()
                .expect("a place")
                .trim_end_matches('=');
            (
                name.trim_start_matches("Team ").parse().expect("a seed"),
                number.parse().expect("a place"),
            )
        })
        .collect()
}

#[tokio::test]
async fn knock_outs_of_any_size_are_played_to_their_winner_with_byes_where_they_belong() {
    let site = Site::open().await;
    for (shape, count, lives) in [
        ("single-knock-out", 11, 1),
        ("double-knock-out", 13, 2),
        ("final-five", 5, 0),
    ] {
        let number = drawn(&site, shape, count).await;
        let begin = now(&site, number).await;
        let byes = begin["matches"].as_array().expect("matches").iter();
        let byes: Vec<u64> = byes
            .filter(|it| it["bye"] == true && it["stage"] == 1)
            .flat_map(|it| [&it["sides"][0]["seed"], &it["sides"][1]["seed"]].map(Value::as_u64))
            .flatten()
            .collect();
        let expected = if shape == "final-five" {
            0
        } else {
            count.next_power_of_two() - count
        };
        assert_eq!(byes.len(), expected, "{shape}");
        assert!(byes.iter().all(|seed| *seed <= expected as u64), "{byes:?}");
        // Even seeds are stronger than they were thought to be.
        let strength = |seed: u64| {
            if seed.is_multiple_of(2) {
                seed
            } else {
                100 + seed
            }
        };
        let played = played_out(&site, number, |one, other| strength(one) < strength(other)).await;
        let view = now(&site, number).await;
        assert_eq!(view["places"][0]["name"], "Team 2", "{shape}");
        let places = placed_teams(&view);
        assert_eq!(places.len(), count, "{shape}");
        if lives > 0 {
            assert_eq!(played.len(), lives * (count - 1), "{shape}");
            for (seed, place) in naive_places(&played, lives) {
                assert!(
                    places[&seed] <= place,
                    "{shape}: Team {seed} {} {place}",
                    places[&seed]
                );
            }
        }
        let picture = site
            .reads(&format!("/knockouts/{number}/picture.svg"))
            .await;
        let picture = picture.as_str().expect("a picture").to_owned();
        assert_eq!(
            picture.matches("<rect x=").count(),
            view["matches"].as_array().expect("matches").len()
        );
        for page in [
            format!("/knockouts/{number}"),
            format!("/print/knockouts/{number}?language=nl"),
        ] {
            let page = site.reads(&page).await;
            assert!(
                page.as_str()
                    .is_some_and(|it| it.contains("<svg") && it.contains("Team 2 ✓")),
                "{page}"
            );
        }
    }
    let all = site.reads("/competitions").await;
    assert!(all.as_str().is_some_and(|it| it.contains("/knockouts/3")));
}

/// A match of two teams over four boards; what each wins is typed in at the open table.
async fn evening_match(site: &Site, name: &str, typed: [&str; 4]) -> u64 {
    let event = json!({"name": name, "date": "2026-11-17"});
    site.does("/api/calendar/events", event).await;
    let teams = json!({"section": "A", "name": name, "size": 2, "format": "head-to-head", "rounds": 1,
        "boards": 4, "comparison": "teams-imps"});
    site.does("/api/contest", teams).await;
    let draw = json!({"section": "A", "matches": [{"home": 1, "away": 2}]});
    site.does("/api/contest/draw", draw).await;
    site.open_for_log_on().await;
    for (board, open) in (1..).zip(typed) {
        for (table, typed) in [("A1", open), ("A2", "0")] {
            let line = json!({"table": table, "round": 1, "board": board, "typed": typed});
            site.does("/api/lines/typed", line).await;
        }
    }
    site.does("/api/end-play", json!({})).await;
    site.chosen()
}

/// Who meets in a match, by their seeds.
fn seeds(own: &Value) -> Vec<Value> {
    let sides = own["sides"].as_array().expect("sides").iter();
    sides.map(|it| it["seed"].clone()).collect()
}

#[tokio::test]
async fn boards_decide_a_match_and_a_correction_after_the_next_draw_is_told_and_changes_no_draw() {
    let site = Site::open().await;
    let number = drawn(&site, "single-knock-out", 4).await;
    let session = evening_match(&site, "Semi-final", ["140", "0", "0", "0"]).await;
    let first = ready(&now(&site, number).await)[0].clone();
    let path = |own: &Value| format!("/api/knockouts/{number}/matches/{own}");
    let at = json!([{"session": session, "section": "A", "contestants": [1, 2]}]);
    let nowhere = json!([{"session": session, "section": "B", "contestants": [1, 2]}]);
    site.refuses(
        "PUT",
        &path(&first["number"]),
        json!({"kind": "played-at", "at": nowhere}),
    )
    .await;
    site.refuses(
        "PUT",
        &path(&json!(3)),
        json!({"kind": "won", "side": 1, "why": "too early"}),
    )
    .await;
    site.puts(
        &path(&first["number"]),
        json!({"kind": "played-at", "at": at}),
    )
    .await;
    let told = now(&site, number).await;
    let own = told["matches"]
        .as_array()
        .expect("matches")
        .iter()
        .find(|it| it["number"] == first["number"]);
    let own = own.expect("the match");
    assert_eq!(
        (&own["winner"], &own["margin"]),
        (&json!(0), &json!(4.0)),
        "140 is four IMPs"
    );
    assert_eq!(own["at"][0]["section"], "A");
    let public = site.reads(&format!("/knockouts/{number}")).await;
    assert!(
        !public.as_str().expect("a page").contains("✓"),
        "it is not released"
    );
    site.releases_again().await;
    let public = site.reads(&format!("/knockouts/{number}")).await;
    assert!(public.as_str().expect("a page").contains("✓"), "{public}");

    // The other semi-final by forfeit, and the final is drawn.
    let other = ready(&told)[0].clone();
    site.puts(
        &path(&other["number"]),
        json!({"kind": "won", "side": 2, "why": "forfeit"}),
    )
    .await;
    let last = ready(&now(&site, number).await)[0].clone();
    let finalists = seeds(&last);
    site.puts(&path(&last["number"]), json!({"kind": "by-boards"}))
        .await;

    // A board of the first semi-final is corrected: its loser would play the final.
    site.does("/api/reopen", json!({"why": "a wrong score"}))
        .await;
    let corrected = json!({"table": "A1", "round": 1, "board": 1,
        "result": {"kind": "Played", "contract": "4S", "declarer": "N", "result": "-4"}, "why": "the slip"});
    site.does("/api/lines/rule", corrected).await;
    site.releases_again().await;
    let after = now(&site, number).await;
    let last = after["matches"]
        .as_array()
        .expect("matches")
        .last()
        .expect("a final")
        .clone();
    let still = seeds(&last);
    assert_eq!(still, finalists, "what was drawn stays");
    assert!(
        last["otherwise"]
            .as_str()
            .is_some_and(|it| it.contains("would meet")),
        "{last}"
    );
    site.puts(&path(&last["number"]), json!({"kind": "open"}))
        .await;
    let open = now(&site, number).await;
    let last = open["matches"]
        .as_array()
        .expect("matches")
        .last()
        .expect("a final")
        .clone();
    assert!(last["otherwise"].is_null());
    let then = seeds(&last);
    assert_ne!(then, finalists);
}

impl Site {
    async fn releases_again(&self) {
        self.does("/api/release", json!({"despite_checklist": true}))
            .await;
    }
}

#[tokio::test]
async fn a_knock_out_that_makes_no_sense_is_refused() {
    let site = Site::open().await;
    let with =
        |shape: &str, entrants: Value| json!({"name": "Odd", "shape": shape, "entrants": entrants});
    for plan in [
        with("single-knock-out", json!(["Alone"])),
        with("single-knock-out", json!([])),
        with("double-knock-out", json!(teams(257))),
        with("final-five", json!(teams(6))),
        with("single-knock-out", json!(["Eagles", "Eagles"])),
        with("single-knock-out", json!(["Eagles", " "])),
        with("horse-race", json!(teams(4))),
        json!({"name": " ", "shape": "single-knock-out", "entrants": teams(4)}),
    ] {
        site.refuses("POST", "/api/knockouts", plan).await;
    }
    let number = drawn(&site, "single-knock-out", 4).await;
    let again =
        json!({"name": "single-knock-out of 4", "shape": "final-five", "entrants": teams(5)});
    site.refuses("POST", "/api/knockouts", again).await;
    let path = |own: u32| format!("/api/knockouts/{number}/matches/{own}");
    for (own, body) in [
        (3, json!({"kind": "won", "side": 1, "why": ""})),
        (9, json!({"kind": "abandoned", "why": ""})),
        (1, json!({"kind": "won", "side": 3, "why": ""})),
        (1, json!({"kind": "open"})),
        (
            1,
            json!({"kind": "played-at", "at": [{"session": 7, "section": "A", "contestants": [1, 2]}]}),
        ),
        (1, json!({"kind": "lost"})),
    ] {
        site.refuses("PUT", &path(own), body).await;
    }
    for nowhere in ["/api/knockouts/9", "/knockouts/9", "/print/knockouts/9"] {
        assert_eq!(
            site.ask("GET", nowhere, None).await.0,
            StatusCode::NOT_FOUND
        );
    }
    let away = format!("/api/knockouts/{number}/away");
    site.puts(&away, json!({"away": true})).await;
    site.refuses(
        "PUT",
        &path(1),
        json!({"kind": "won", "side": 1, "why": ""}),
    )
    .await;
    site.puts(&away, json!({"away": false})).await;
    site.puts(&path(1), json!({"kind": "abandoned", "why": "a storm"}))
        .await;
    assert_eq!(now(&site, number).await["matches"][0]["abandoned"], true);
}
