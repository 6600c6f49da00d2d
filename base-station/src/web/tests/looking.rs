//! *Anyone may look*: what somebody who has not signed in is shown, and for how long.

use std::collections::BTreeSet;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, header};
use axum::response::Response;
use futures_util::StreamExt;

use super::*;
use crate::web::api;

const PASSWORD: &str = "three small clubs";

/// Boards that every table has played in the evening of these tests; all others are in play.
const PLAYED: std::ops::RangeInclusive<u64> = 1..=3;

/// How soon a stream must end when whoever opened it may not listen any more.
const END_MAX: Duration = Duration::from_secs(1);

impl Site {
    /// Sets a password, says whether anyone may look, and signs the director in.
    pub(super) async fn shut(&mut self, anyone_may_look: bool) {
        let reading = json!({"without_password": anyone_may_look});
        self.does("/api/access/reading", reading).await;
        self.does("/api/access/password", json!({"password": PASSWORD}))
            .await;
        self.sign_in().await;
    }

    async fn sign_in(&mut self) {
        let given = json!({"name": "Anna", "password": PASSWORD}).to_string();
        let request = Request::post("/api/login")
            .header("content-type", "application/json")
            .body(Body::from(given))
            .expect("a request");
        let answer = self.router.clone().oneshot(request).await.expect("answers");
        assert_eq!(answer.status(), StatusCode::OK);
        let cookie = answer.headers()["set-cookie"].to_str().expect("text");
        cookie
            .split(';')
            .next()
            .expect("a cookie")
            .clone_into(&mut self.cookie);
        let (_, me) = self.ask("GET", "/api/login", None).await;
        me["csrf"]
            .as_str()
            .expect("a token")
            .clone_into(&mut self.token);
    }

    /// The answer to a browser with this cookie.
    async fn get(&self, path: &str, cookie: &str) -> Response {
        let request = Request::get(path)
            .header("host", "127.0.0.1:8080")
            .header("cookie", cookie)
            .body(Body::empty())
            .expect("a request");
        self.router.clone().oneshot(request).await.expect("answers")
    }

    async fn text(&self, path: &str, cookie: &str) -> String {
        let answer = self.get(path, cookie).await;
        let body = axum::body::to_bytes(answer.into_body(), 16 << 20).await;
        String::from_utf8_lossy(&body.expect("a body")).into_owned()
    }

    /// An evening of five tables with cards: boards 1 to 3 are played at every table that is to
    /// play them, of the others there are results from the first round, one with an impossible
    /// lead.
    async fn in_play(&self) {
        let event = json!({"name": "Monday pairs", "date": "2026-11-16"});
        self.does("/api/calendar/events", event).await;
        let room = json!({"section": "A", "colour": "Red", "pairs": 10, "boards_min": 15, "boards_max": 15});
        self.does("/api/setup/sections", room).await;
        let deals = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../tests/real/club_session_deals.pbn"
        );
        let pbn = std::fs::read_to_string(deals).expect("deals");
        self.does("/api/deals", json!({"file": "tonight.pbn", "pbn": pbn}))
            .await;
        self.open_for_log_on().await;
        let (_, view) = self.ask("GET", "/api/view", None).await;
        for cell in view["cells"].as_array().expect("cells") {
            for board in cell["boards"].as_array().expect("boards") {
                let played = PLAYED.contains(&board.as_u64().expect("a number"));
                if cell["state"] == "SitOut" || !(played || cell["round"] == 1) {
                    continue;
                }
                let (contract, lead, why) = if played {
                    ("2D", Value::Null, "")
                } else {
                    ("5H", json!("CA"), "West claims the CK with 5H")
                };
                let result = json!({"kind": "Played", "contract": contract, "declarer": "S", "result": "-1", "lead": lead});
                let line = json!({"table": cell["table"], "round": cell["round"], "board": board, "result": result, "why": why});
                self.does("/api/lines/rule", line).await;
            }
        }
        // So many leads that nobody holds look like the wrong deal file; the director knows better.
        let (_, view) = self.ask("GET", "/api/view", None).await;
        let warnings = view["warnings"].as_array().expect("warnings");
        let doubt = warnings.iter().find(|it| it["check"] == "deals-do-not-fit");
        let doubt = doubt.expect("the deal file is doubted");
        let right = json!({"key": doubt["key"], "answer": doubt["answers"][1]["answer"]});
        self.does("/api/warnings/answer", right).await;
        let notice = json!({"tables": ["A1"], "text": "Your 5H went down after the CA"});
        self.does("/api/notices", notice).await;
        let penalty = json!({"pair": "A1NS", "kind": "Warning", "why": "showed the CA of 5H"});
        self.does("/api/penalties", penalty).await;
        let rules = json!({"contestants": "pairs", "measure": "percent", "total": "sum", "sessions": 2,
            "to_qualify": 0, "to_count": 2});
        let plan = json!({"name": "Ladder", "rules": rules, "takes": {"event": 1}});
        self.does("/api/competitions", plan).await;
        let plan = json!({"name": "Cup", "shape": "single-knock-out", "entrants": ["One", "Two"]});
        self.does("/api/knockouts", plan).await;
        let plan = json!({"name": "Event", "stages": [{"name": "One"}]});
        self.does("/api/championships", plan).await;
    }
}

/// Every address that can be read, with everything that the evening has put in for names.
fn every_address() -> Vec<String> {
    let description = serde_json::to_value(api::description()).expect("a description");
    let paths = description["paths"].as_object().expect("paths");
    let readable = paths
        .iter()
        .filter(|(_, methods)| methods["get"].is_object());
    let mut addresses: Vec<String> = readable.map(|(path, _)| path.clone()).collect();
    for sheet in &crate::reports::SHEETS {
        addresses.push(format!("/print/{}", sheet.name));
    }
    let as_files = ["ranking.pdf", "scorecards.pdf", "records.pdf"];
    addresses.extend(as_files.map(|sheet| format!("/print/{sheet}")));
    addresses.extend(
        [
            "/",
            "/print/cards/A",
            "/results",
            "/results/pairs/A1NS",
            "/results/pairs/A1",
            "/results/qr.svg",
            "/competitions",
            "/competitions/1",
            "/print/competitions/1",
            "/competitions/honours",
            "/print/competitions/honours",
            "/championships/1",
            "/print/championships/1",
            "/knockouts/1",
            "/print/knockouts/1",
            "/print/player?player=1001",
            "/api/history?before=40",
            "/api/docs",
        ]
        .map(str::to_owned),
    );
    let names: [(&str, Vec<String>); 9] = [
        (
            "{table}",
            (1..=5).map(|table| format!("A{table}")).collect(),
        ),
        ("{round}", (1..=5).map(|round| round.to_string()).collect()),
        ("{board}", (1..=20).map(|board| board.to_string()).collect()),
        ("{section}", vec!["A".to_owned()]),
        ("{session}", vec!["1".to_owned()]),
        ("{competition}", vec!["1".to_owned()]),
        ("{knockout}", vec!["1".to_owned()]),
        ("{championship}", vec!["1".to_owned()]),
        (
            "{format}",
            crate::exchange::Format::ALL
                .map(|it| it.name().to_owned())
                .into(),
        ),
    ];
    for (name, values) in names {
        addresses = addresses
            .into_iter()
            .flat_map(|path| {
                if path.contains(name) {
                    values.iter().map(|it| path.replace(name, it)).collect()
                } else {
                    vec![path]
                }
            })
            .collect();
    }
    assert!(addresses.iter().all(|path| !path.contains('{')));
    addresses
}

/// An answer with its suits as letters, whatever a page wraps around their signs.
fn in_letters(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for part in text.replace("</span>", "").split("<span") {
        // Behind the first one every part begins inside of a tag.
        let inside = if plain.is_empty() { "" } else { ">" };
        let rest = part.split_once('>').filter(|_| !inside.is_empty());
        plain.push_str(rest.map_or(part, |(_, rest)| rest));
    }
    let letters = [('♠', "S"), ('♥', "H"), ('♦', "D"), ('♣', "C")];
    letters
        .iter()
        .fold(plain, |text, (sign, letter)| text.replace(*sign, letter))
}

/// The words of an answer.
fn words(text: &str) -> BTreeSet<&str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric())
        .collect()
}

/// What must not be known: contract and lead of boards in play, and every holding of their cards
/// that is long enough to be told from other words.
async fn secrets(site: &Site) -> BTreeSet<String> {
    let mut secrets: BTreeSet<String> = ["5H", "CA", "CK"].map(str::to_owned).into();
    let mut public = BTreeSet::new();
    for board in 1..=20 {
        let path = format!("/api/sections/A/boards/{board}");
        let (_, seen) = site.ask("GET", &path, None).await;
        let holdings = ["N", "E", "S", "W"]
            .iter()
            .flat_map(|seat| ["S", "H", "D", "C"].map(|suit| &seen["hand"][*seat][suit]))
            .filter_map(Value::as_str)
            .filter(|cards| cards.len() >= 3 && cards.contains(['A', 'K', 'Q', 'J', 'T']))
            .map(str::to_owned);
        if PLAYED.contains(&board) {
            public.extend(holdings);
        } else {
            secrets.extend(holdings);
        }
    }
    assert!(secrets.len() > 100, "few holdings: {}", secrets.len());
    &secrets - &public
}

/// Reads a stream until it ends or has nothing to say for a while.
async fn listen(answer: Response, silence: Duration) -> (String, bool) {
    let mut said = String::new();
    let mut pieces = answer.into_body().into_data_stream();
    loop {
        match tokio::time::timeout(silence, pieces.next()).await {
            Ok(Some(Ok(piece))) => said.push_str(&String::from_utf8_lossy(&piece)),
            Ok(_) => return (said, true),
            Err(_) => return (said, false),
        }
    }
}

#[tokio::test]
async fn anyone_who_looks_sees_no_card_and_no_contract_of_a_board_in_play() {
    let mut site = Site::open().await;
    site.in_play().await;
    site.shut(true).await;
    let secrets = secrets(&site).await;
    let (_, view) = site.ask("GET", "/api/view", None).await;
    let warnings = view["warnings"].to_string();
    assert!(
        warnings.contains("CA"),
        "a lead that is not held: {warnings}"
    );
    let stream = site.get("/api/events", "").await;
    assert_eq!(stream.status(), StatusCode::OK);
    let mut told_to_the_director = BTreeSet::new();
    for path in every_address() {
        let stream = path == "/api/events";
        let answer = if stream {
            let reader = site.get("/api/events?since=0", "").await;
            listen(reader, Duration::from_millis(200)).await.0
        } else {
            site.text(&path, "").await
        };
        let answer = in_letters(&answer);
        for word in words(&answer) {
            assert!(!secrets.contains(word), "{path} tells {word}: {answer}");
        }
        if !stream && path != "/api/backup" {
            let answer = in_letters(&site.text(&path, &site.cookie).await);
            let told = words(&answer)
                .into_iter()
                .filter(|it| secrets.contains(*it));
            told_to_the_director.extend(told.map(str::to_owned));
        }
    }
    // What the director is told shows that nothing was overlooked for want of eyes.
    assert_eq!(told_to_the_director, secrets);
    // And what has happened since the stream was opened: another result, another warning.
    let result =
        json!({"kind": "Played", "contract": "5H", "declarer": "N", "result": "=", "lead": "CA"});
    let line = json!({"table": "A1", "round": 2, "board": 6, "result": result});
    let (_, cell) = site.ask("GET", "/api/tables/A1/rounds/2", None).await;
    let board = cell["lines"][0]["board"].clone();
    let mut line = line;
    line["board"] = board;
    site.does("/api/lines/rule", line).await;
    let (said, _) = listen(stream, Duration::from_secs(2)).await;
    assert!(said.contains("event: change"), "{said}");
    for word in words(&said) {
        assert!(!secrets.contains(word), "the stream tells {word}: {said}");
    }
}

/// Half a round of matches has a result that nobody else may know yet.
async fn matches_in_play(comparison: &str, format: &str) -> Site {
    let mut site = Site::open().await;
    let event = json!({"name": "Matches", "date": "2026-11-17"});
    site.does("/api/calendar/events", event).await;
    let stage = json!({"section": "A", "name": "Matches", "size": 4, "format": format,
        "rounds": 3, "boards": 6, "comparison": comparison});
    site.does("/api/contest", stage).await;
    site.does("/api/contest/draw", json!({"section": "A", "seed": 3}))
        .await;
    site.open_for_log_on().await;
    for (board, declarer) in [(1, "N"), (2, "S"), (3, "E")] {
        let result =
            json!({"kind": "Played", "contract": "5HX", "declarer": declarer, "result": "-4"});
        let line = json!({"table": "A1", "round": 1, "board": board, "result": result, "why": ""});
        site.does("/api/lines/rule", line).await;
    }
    site.shut(true).await;
    site
}

#[tokio::test]
async fn anyone_who_looks_sees_no_result_of_a_match_that_others_still_play() {
    for (comparison, format) in [("butler", "swiss"), ("teams-imps", "round-robin")] {
        let site = matches_in_play(comparison, format).await;
        // Four down doubled, in all that a side can write it.
        let secrets = ["5HX", "5Hx", "800", "1100", "-800", "-1100"];
        let mut told = 0;
        for path in every_address().iter().filter(|it| *it != "/api/events") {
            let answer = in_letters(&site.text(path, "").await);
            for word in words(&answer) {
                assert!(!secrets.contains(&word), "{path} tells {word}: {answer}");
            }
            let answer = in_letters(&site.text(path, &site.cookie).await);
            told += words(&answer)
                .iter()
                .filter(|it| secrets.contains(it))
                .count();
        }
        assert!(told > 5, "the director is told: {told}");
    }
}

#[tokio::test]
async fn point_6_the_reason_of_a_penalty_is_told_to_nobody_before_or_after_the_release() {
    let mut site = Site::open().await;
    site.in_play().await;
    for (kind, why, public) in [
        ("PercentOfTop", "sangquietly", false),
        ("Warning", "hummedloudly", false),
        ("PercentOfTop", "camelate", true),
    ] {
        let value = if kind == "Warning" { "" } else { "10" };
        let fine =
            json!({"pair": "A1NS", "kind": kind, "value": value, "why": why, "print_why": public});
        site.does("/api/penalties", fine).await;
    }
    site.shut(true).await;
    let mut said: BTreeSet<&str> = BTreeSet::new();
    for released in [false, true] {
        if released {
            site.does("/api/end-play", json!({})).await;
            site.does("/api/release", json!({"despite_checklist": true}))
                .await;
        }
        for path in every_address().iter().filter(|it| *it != "/api/events") {
            let answer = site.text(path, "").await;
            for secret in ["sangquietly", "hummedloudly"] {
                assert!(!answer.contains(secret), "{path} tells {secret}: {answer}");
            }
            if answer.contains("camelate") {
                assert!(released, "{path} tells it before the release");
                said.insert("camelate");
            }
        }
    }
    let history = site.text("/api/history", &site.cookie).await;
    let secrets = ["sangquietly", "hummedloudly"];
    said.extend(secrets.iter().filter(|secret| history.contains(**secret)));
    assert_eq!(said.len(), 3, "who may know is told: {said:?}");
}

#[tokio::test]
async fn anyone_who_looks_sees_a_board_whole_once_everybody_has_played_it() {
    let mut site = Site::open().await;
    site.in_play().await;
    site.shut(true).await;
    let played = site.text("/api/sections/A/boards/2", "").await;
    assert!(played.contains("2D by S -1"), "{played}");
    assert!(played.contains("AKT9"), "the cards: {played}");
    let in_play = site.text("/api/tables/A2/rounds/1", "").await;
    assert!(in_play.contains("\"Hidden\""), "it is in: {in_play}");
    let late =
        json!({"table": "A1", "round": 1, "board": 2, "result": {"kind": "LatePlay"}, "why": ""});
    let (_, sheet) = site.ask("GET", "/api/tables/A1/rounds/1", None).await;
    let mut late = late;
    let first = &sheet["lines"][0]["board"];
    late["board"] = first.clone();
    site.does("/api/lines/rule", late).await;
    let again = site
        .text(&format!("/api/sections/A/boards/{first}"), "")
        .await;
    assert!(
        !again.contains("2D by S"),
        "a table has still to play it: {again}"
    );
    site.does("/api/end-play", json!({})).await;
    site.does("/api/release", json!({"despite_checklist": true}))
        .await;
    let released = site.text("/api/history", "").await;
    assert!(released.contains("5H by S"), "{released}");
}

#[tokio::test]
async fn a_stream_ends_within_a_second_when_its_session_its_password_or_its_leave_is_revoked() {
    let mut site = Site::open().await;
    site.set_up().await;
    let open = site.get("/api/events", "").await;
    site.shut(true).await;
    assert!(listen(open, END_MAX).await.1, "the first password");
    let lasting = site.get("/api/events", "").await;
    for what in ["signing out", "a new password"] {
        let stream = site.get("/api/events", &site.cookie).await;
        assert_eq!(stream.status(), StatusCode::OK);
        if what == "signing out" {
            let (status, _) = site.ask("POST", "/api/logout", None).await;
            assert_eq!(status, StatusCode::NO_CONTENT);
        } else {
            let password = json!({"password": PASSWORD});
            site.does("/api/access/password", password).await;
        }
        assert!(listen(stream, END_MAX).await.1, "{what}");
        site.sign_in().await;
    }
    let mine = site.get("/api/events", &site.cookie).await;
    let shut = json!({"without_password": false});
    site.does("/api/access/reading", shut).await;
    assert!(listen(lasting, END_MAX).await.1, "looking was forbidden");
    let (said, ended) = listen(mine, Duration::from_millis(300)).await;
    assert!(!ended && said.contains("event: view"), "the director stays");
}

#[tokio::test]
async fn answers_with_private_content_are_not_to_be_stored() {
    let mut site = Site::open().await;
    site.in_play().await;
    site.shut(true).await;
    let mut kept = Vec::new();
    for path in every_address() {
        for cookie in ["", &site.cookie] {
            let answer = site.get(&path, cookie).await;
            let rule = answer.headers()[header::CACHE_CONTROL]
                .to_str()
                .expect("text");
            if rule != "no-store" {
                kept.push(path.clone());
            }
        }
    }
    kept.dedup();
    // The page itself, without anything in it.
    assert_eq!(kept, ["/"]);
    let script = site.get("/assets/js/main.js", "").await;
    assert_eq!(script.headers()[header::CACHE_CONTROL], "no-cache");
}
