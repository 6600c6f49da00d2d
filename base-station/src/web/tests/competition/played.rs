//! Knock-outs whose matches are played in sessions: stanzas, level matches, two sessions, forfeits.

use super::*;

/// What home wins on a board, by typed scores that are possible at every vulnerability.
const SWINGS: [(&str, &str); 7] = [
    ("0", "0"),
    ("110", "90"),
    ("140", "90"),
    ("90", "0"),
    ("140", "0"),
    ("200", "0"),
    ("230", "0"),
];

impl Site {
    /// A board of a match at two tables that home wins by so many IMPs, at most six.
    pub(super) async fn swings(&self, tables: [&str; 2], round: u8, board: u8, imps: i64) {
        let at = usize::try_from(imps.abs()).expect("a few");
        let (mut open, mut closed) = SWINGS[at];
        if imps < 0 {
            (open, closed) = (closed, open);
        }
        for (table, typed) in tables.into_iter().zip([open, closed]) {
            let line = json!({"table": table, "round": round, "board": board, "typed": typed});
            let (status, answer) = self.ask("POST", "/api/lines/typed", Some(line)).await;
            let stands = answer.to_string().contains("stands like that already");
            assert!(status == StatusCode::OK || stands, "{answer}");
        }
    }

    /// A stanza that home wins by so many IMPs, six a board at most.
    async fn stanza(
        &self,
        tables: [&str; 2],
        round: u8,
        boards: std::ops::RangeInclusive<u8>,
        imps: i64,
    ) {
        let mut left = imps.abs();
        for board in boards {
            let here = left.min(6);
            left -= here;
            self.swings(tables, round, board, here * imps.signum())
                .await;
        }
        assert_eq!(left, 0);
    }

    /// A further session of the first event, chosen.
    pub(super) async fn next_session(&self, date: &str) -> u64 {
        self.next_session_of("Matches", date).await
    }

    /// After a correction.
    pub(super) async fn releases_anew(&self) {
        self.does("/api/release", json!({"despite_checklist": true}))
            .await;
    }

    pub(super) async fn ends(&self) {
        self.does("/api/end-play", json!({})).await;
        self.releases_anew().await;
    }
}

async fn drawn(site: &Site, names: &[&str]) -> String {
    let plan = json!({"name": "Cup", "shape": "single-knock-out", "entrants": names});
    let drawn = site.does("/api/knockouts", plan).await;
    format!("/api/knockouts/{}", drawn["knock_out"])
}

async fn matches(site: &Site, cup: &str) -> Vec<Value> {
    let view = site.reads(cup).await;
    view["matches"].as_array().expect("matches").clone()
}

fn winner(own: &Value) -> Option<&str> {
    let side = usize::try_from(own["winner"].as_u64()?).ok()?;
    own["sides"][side]["name"].as_str()
}

const STANZAS: [&str; 4] = ["A1", "A2", "A3", "A4"];

#[tokio::test]
#[expect(
    clippy::too_many_lines,
    reason = "one round of a knock-out, from its draw to its winners"
)]
async fn a_round_of_a_knock_out_is_played_in_stanzas_and_nobody_has_won_before_the_last_one() {
    let site = Site::open().await;
    let cup = drawn(&site, &["Eagles", "Foxes", "Hawks", "Owls"]).await;
    let play = format!("{cup}/play");
    let nothing = json!({"section": "A", "stanzas": 2, "boards": 4});
    site.refuses("POST", &play, nothing.clone()).await;
    site.next_session("2026-11-17").await;
    for odd in [
        json!({"section": "A", "stanzas": 0, "boards": 4}),
        json!({"section": "A", "stanzas": 2, "boards": 200}),
        json!({"section": "A", "stanzas": 2, "boards": 4, "matches": [3]}),
        json!({"section": "A", "stanzas": 2, "boards": 4, "matches": [1, 1]}),
        json!({"section": "A", "stanzas": 2, "boards": 4, "matches": [9]}),
    ] {
        site.refuses("POST", &play, odd).await;
    }
    let mut gnot = nothing.clone();
    gnot["regulation"] = json!("gnot");
    let playing = site.does(&play, gnot).await;
    assert_eq!(playing, json!({"matches": [1, 2], "section": "A"}));
    site.refuses(
        "POST",
        &play,
        json!({"section": "B", "stanzas": 1, "boards": 4}),
    )
    .await;
    site.open_for_log_on().await;
    let contest = async || site.reads("/api/contest").await["contests"][0].clone();
    // Seeds 1 and 4, 2 and 3 meet, under their numbers.
    let first = contest().await;
    let met: Vec<[Value; 2]> = first["rounds"][0]["matches"]
        .as_array()
        .expect("matches")
        .iter()
        .map(|it| {
            [
                it["home"]["contestant"].clone(),
                it["away"]["contestant"].clone(),
            ]
        })
        .collect();
    let seeds = |own: &Value| {
        [
            own["sides"][0]["seed"].clone(),
            own["sides"][1]["seed"].clone(),
        ]
    };
    let expected: Vec<[Value; 2]> = matches(&site, &cup).await[..2].iter().map(seeds).collect();
    assert_eq!(met, expected);
    let [one, other] = [["A1", "A2"], ["A3", "A4"]];
    site.stanza(one, 1, 1..=4, 6).await;
    site.stanza(other, 1, 1..=4, 9).await;
    let half = matches(&site, &cup).await;
    assert!(
        half[..2].iter().all(|own| winner(own).is_none()),
        "{half:?}"
    );
    assert_eq!(
        (&half[0]["margin"], &half[1]["margin"]),
        (&json!(6.0), &json!(9.0))
    );
    assert_eq!(half[0]["level"], false);
    // The other way round is another match; the same matches are drawn for the second stanza.
    let crossed = json!({"section": "A", "matches": [
        {"home": met[0][0], "away": met[1][0]}, {"home": met[0][1], "away": met[1][1]}]});
    let no = site.refuses("POST", "/api/contest/draw", crossed).await;
    assert!(no.contains("other stanzas"), "{no}");
    site.does("/api/contest/draw", json!({"section": "A"}))
        .await;
    site.stanza(one, 2, 5..=8, -6).await;
    let open = matches(&site, &cup).await;
    assert!(winner(&open[1]).is_none(), "its second stanza is not in");
    assert_eq!(open[0]["level"], true);
    assert!(winner(&open[0]).is_none());
    site.stanza(other, 2, 5..=8, -3).await;
    let after = matches(&site, &cup).await;
    assert_eq!(winner(&after[1]), after[1]["sides"][0]["name"].as_str());
    assert!(winner(&after[0]).is_none(), "level by its regulation");
    let step = contest().await["next_step"].to_string();
    assert!(step.contains("2 more boards"), "{step}");
    // Two more boards, at the tables of that match alone.
    let more = json!({"section": "A", "why": "level"});
    site.does("/api/contest/play-off", more).await;
    site.does("/api/contest/draw", json!({"section": "A"}))
        .await;
    let cells = site.reads("/api/view").await["cells"].clone();
    let third = cells.as_array().expect("cells").iter();
    let mut third: Vec<&Value> = third
        .filter(|cell| {
            cell["round"] == 3 && cell["boards"].as_array().is_some_and(|it| !it.is_empty())
        })
        .map(|cell| &cell["table"])
        .collect();
    third.sort_by_key(ToString::to_string);
    assert_eq!(third, STANZAS[..2].iter().collect::<Vec<_>>());
    assert_eq!(
        winner(&matches(&site, &cup).await[1]),
        winner(&after[1]),
        "the other one is over"
    );
    site.stanza(one, 3, 9..=10, -3).await;
    let settled = matches(&site, &cup).await;
    assert_eq!(winner(&settled[0]), settled[0]["sides"][1]["name"].as_str());
    assert_eq!(settled[0]["level"], false);
    // The final, in another section: one side does not come.
    site.does(
        &play,
        json!({"section": "B", "stanzas": 2, "boards": 4, "first_board": 21}),
    )
    .await;
    let last = matches(&site, &cup).await[2].clone();
    let forfeit = json!({"section": "B", "round": 1, "number": 1, "why": "not here",
        "decision": {"kind": "forfeit", "by": last["sides"][0]["seed"]}});
    site.does("/api/contest/match", forfeit).await;
    let end = site.reads(&cup).await;
    assert_eq!(end["places"][0]["name"], last["sides"][1]["name"], "{end}");
    let places = end["places"].as_array().expect("places").iter();
    let places: Vec<&str> = places.filter_map(|it| it["place"].as_str()).collect();
    assert_eq!(places, ["1", "2", "3=", "3="]);
    let public = site.reads(&cup.replace("/api", "")).await;
    assert!(
        !public.as_str().expect("a page").contains("✓"),
        "not released"
    );
    site.ends().await;
    let public = site.reads(&cup.replace("/api", "")).await;
    assert!(public.as_str().expect("a page").contains("✓"), "{public}");
}

#[tokio::test]
async fn a_match_that_goes_on_in_another_session_begins_with_its_lead_and_follows_a_correction() {
    let site = Site::open().await;
    let cup = drawn(&site, &["Eagles", "Owls"]).await;
    let play = format!("{cup}/play");
    let first = site.next_session("2026-11-17").await;
    let half = json!({"section": "A", "stanzas": 1, "boards": 4, "goes_on": true});
    site.does(&play, half).await;
    site.open_for_log_on().await;
    site.stanza(["A1", "A2"], 1, 1..=4, 8).await;
    let now = matches(&site, &cup).await[0].clone();
    assert_eq!(
        (&now["margin"], &now["goes_on"]),
        (&json!(8.0), &json!(true))
    );
    assert!(winner(&now).is_none(), "{now}");
    site.ends().await;
    let second = site.next_session("2026-11-24").await;
    assert_ne!(first, second);
    site.does(&play, json!({"section": "A", "stanzas": 1, "boards": 4}))
        .await;
    site.does("/api/open", json!({})).await;
    let contest = site.reads("/api/contest").await["contests"][0].clone();
    assert_eq!(contest["next_round"], Value::Null, "{contest}");
    site.stanza(["A1", "A2"], 1, 1..=4, -6).await;
    let sheet = site.reads("/api/contest").await;
    let own = &sheet["contests"][0]["rounds"][0]["matches"][0];
    assert_eq!(
        own["home"]["margin"], 2.0,
        "two of the eight are left: {own}"
    );
    let end = matches(&site, &cup).await[0].clone();
    assert_eq!(
        (winner(&end), &end["margin"]),
        (Some("Eagles"), &json!(2.0))
    );
    site.ends().await;
    // A board of the first session is corrected: it was worth six.
    site.does("/api/calendar/choose", json!({"session": first}))
        .await;
    site.does("/api/reopen", json!({"why": "a wrong score"}))
        .await;
    let corrected = json!({"table": "A1", "round": 1, "board": 1,
        "result": {"kind": "PassedOut"}, "why": "the slip"});
    site.does("/api/lines/rule", corrected).await;
    site.releases_anew().await;
    let after = matches(&site, &cup).await[0].clone();
    assert_eq!(
        (winner(&after), &after["margin"]),
        (Some("Owls"), &json!(-4.0))
    );
}
