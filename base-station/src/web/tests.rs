mod competition;
mod contest;
mod damaged;
mod deals;
mod doubted;
mod fuzz;
mod history;
mod import;
mod looking;
mod movement;
mod on_paper;
mod paper;
mod people;
mod phone;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use protocol::link::{Quality, Tally};
use protocol::modem::{ModemSettings, Outcome, RadioChannel, Trouble};
use protocol::words::PadId;
use serde_json::{Value, json};
use tempfile::TempDir;
use tower::ServiceExt;

use super::{Desk, Reach, router};
use crate::daemon::{
    self, Air, ModemKnown, Owner, Qualities, Receiver, SessionHandle, SetPin, SystemClock,
};
use crate::store::Store;

/// A base station in a folder of its own, and its page without a network.
struct Site {
    router: Router,
    session: SessionHandle,
    token: String,
    cookie: String,
    _owner: Owner,
    _folder: TempDir,
}

impl Site {
    async fn open() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path()).expect("a journal");
        Self::over(folder, store).await
    }

    async fn over(folder: TempDir, store: Store) -> Self {
        let owner = daemon::start(store, SystemClock).expect("an owner");
        let session = owner.handle.clone();
        let mut site = Self {
            router: router(
                Desk::from(session.clone()),
                Reach {
                    addresses: vec!["http://127.0.0.1".to_owned()],
                    ..Reach::default()
                },
            ),
            session,
            token: String::new(),
            cookie: String::new(),
            _owner: owner,
            _folder: folder,
        };
        let (_, me) = site.ask("GET", "/api/login", None).await;
        site.token = me["csrf"].as_str().expect("a token").to_owned();
        site
    }

    /// The same site in a local network.
    fn at(mut self, address: &str) -> Self {
        let reach = Reach {
            addresses: vec![address.to_owned()],
            ..Reach::default()
        };
        self.router = router(Desk::from(self.session.clone()), reach);
        self
    }

    async fn ask(&self, method: &str, path: &str, body: Option<Value>) -> (StatusCode, Value) {
        let body = body.map(|body| body.to_string());
        self.ask_raw(method, path, body.unwrap_or_default()).await
    }

    /// As the browser that is signed in asks.
    fn browser_asks(&self, method: &str, path: &str, body: impl Into<Body>) -> Request<Body> {
        Request::builder()
            .method(method)
            .uri(path)
            .header("host", "127.0.0.1:8080")
            .header("content-type", "application/json")
            .header("x-byestand-csrf", &self.token)
            .header("cookie", &self.cookie)
            .body(body.into())
            .expect("a request")
    }

    async fn ask_raw(&self, method: &str, path: &str, body: String) -> (StatusCode, Value) {
        let request = self.browser_asks(method, path, body);
        let answer = self
            .router
            .clone()
            .oneshot(request)
            .await
            .expect("an answer");
        let status = answer.status();
        let length_max = 16 * 1024 * 1024;
        let body = axum::body::to_bytes(answer.into_body(), length_max).await;
        let body = body.expect("a body");
        let value = serde_json::from_slice(&body)
            .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&body).into_owned()));
        (status, value)
    }

    async fn does(&self, path: &str, body: Value) -> Value {
        let (status, answer) = self.ask("POST", path, Some(body)).await;
        assert_eq!(status, StatusCode::OK, "{path}: {answer}");
        answer
    }

    async fn set_up(&self) {
        let event = json!({"name": "Monday pairs", "date": "2026-11-16"});
        self.does("/api/calendar/events", event).await;
        let room = json!({"section": "A", "colour": "Red", "pairs": 10, "boards_min": 15, "boards_max": 15});
        self.does("/api/setup/sections", room).await;
        self.open_for_log_on().await;
    }

    /// The club's PIN is chosen, and the session opened.
    async fn open_for_log_on(&self) {
        let pin = json!({"pin": "7316"});
        let (status, answer) = self.ask("PUT", "/api/rules/director-pin", Some(pin)).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        self.does("/api/open", json!({})).await;
    }
}

#[tokio::test]
async fn an_evening_is_set_up_in_three_requests_and_has_its_grid() {
    let site = Site::open().await;
    site.set_up().await;
    let (status, view) = site.ask("GET", "/api/view", None).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(view["session"]["event"], "Monday pairs");
    assert_eq!(view["session"]["phase"], "Open");
    assert_eq!(view["tables"].as_array().map(Vec::len), Some(5));
    assert_eq!(view["cells"].as_array().map(Vec::len), Some(25));
    let first = &view["cells"][0];
    assert_eq!(first["state"], "NotLoggedOn", "{first}");
    assert_eq!(first["boards"], json!([1, 2, 3]));
}

#[tokio::test]
async fn a_result_is_entered_corrected_and_taken_back_again() {
    let site = Site::open().await;
    site.set_up().await;
    let place = json!({"table": "A1", "round": 1, "board": 2});
    let with = |extra: Value| {
        let mut body = place.clone();
        let both = body.as_object_mut().zip(extra.as_object());
        if let Some((body, extra)) = both {
            body.extend(extra.clone());
        }
        body
    };
    let line = site
        .does("/api/lines/typed", with(json!({"typed": "4SS+1"})))
        .await;
    assert_eq!(line["score"], 650, "North-South are vulnerable on board 2");
    let result =
        json!({"kind": "Played", "contract": "4S", "declarer": "S", "result": "-1", "lead": "HK"});
    let done = site
        .does(
            "/api/lines/rule",
            with(json!({"result": result, "why": "both agree"})),
        )
        .await;
    let (_, cell) = site.ask("GET", "/api/tables/A1/rounds/1", None).await;
    assert_eq!(cell["lines"][1]["score"], -100, "{cell}");
    assert_eq!(cell["lines"][1]["changed"], true);
    assert_eq!(cell["history"].as_array().map(Vec::len), Some(2));
    assert_eq!(cell["history"][1]["why"], "both agree");
    let undo = json!({"change": done["seq"], "why": "the wrong board"});
    site.does("/api/undo", undo).await;
    let (_, cell) = site.ask("GET", "/api/tables/A1/rounds/1", None).await;
    assert_eq!(cell["lines"][1]["score"], 650, "{cell}");
    assert_eq!(cell["history"][1]["undone"], true);
}

#[tokio::test]
async fn strangers_see_nothing_and_readers_change_nothing() {
    let mut site = Site::open().await;
    site.set_up().await;
    site.does(
        "/api/access/password",
        json!({"password": "three small clubs"}),
    )
    .await;
    for path in ["/api/view", "/api/ranking", "/api/events", "/print/ranking"] {
        assert_eq!(
            site.ask("GET", path, None).await.0,
            StatusCode::UNAUTHORIZED,
            "{path}"
        );
    }
    let (status, _) = site
        .ask("POST", "/api/gate", Some(json!({"open": false})))
        .await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    assert_eq!(
        site.ask("GET", "/results", None).await.0,
        StatusCode::NOT_FOUND
    );
    let wrong = json!({"name": "Anna", "password": "wrong"});
    let (status, refused) = site.ask("POST", "/api/login", Some(wrong)).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED, "{refused}");
    let right = json!({"name": "Anna", "password": "three small clubs"});
    let request = Request::post("/api/login")
        .header("content-type", "application/json")
        .body(Body::from(right.to_string()))
        .expect("a request");
    let answer = site
        .router
        .clone()
        .oneshot(request)
        .await
        .expect("an answer");
    assert_eq!(answer.status(), StatusCode::OK);
    let cookie = answer.headers()["set-cookie"].to_str().expect("text");
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"),
        "{cookie}"
    );
    site.cookie = cookie.split(';').next().expect("a cookie").to_owned();
    let (_, me) = site.ask("GET", "/api/login", None).await;
    assert_eq!(me["name"], "Anna");
    let forged = site
        .ask("POST", "/api/gate", Some(json!({"open": false})))
        .await;
    assert_eq!(
        forged.0,
        StatusCode::FORBIDDEN,
        "the old token is worth nothing"
    );
    site.token = me["csrf"].as_str().expect("a token").to_owned();
    site.does("/api/gate", json!({"open": false})).await;
}

#[tokio::test]
async fn settings_change_together_or_not_at_all() {
    let site = Site::open().await;
    site.set_up().await;
    let (_, before) = site.ask("GET", "/api/settings", None).await;
    let mut new = before.clone();
    new["pads"]["ranking"] = json!(true);
    new["timing"]["minutes_a_board"] = json!(0);
    let (status, answer) = site.ask("PUT", "/api/settings", Some(new)).await;
    assert_eq!(status, StatusCode::CONFLICT, "{answer}");
    let (_, after) = site.ask("GET", "/api/settings", None).await;
    assert_eq!(after, before);
}

#[tokio::test]
async fn a_wrong_method_and_an_endless_word_are_answered_with_one_short_sentence() {
    let site = Site::open().await;
    site.set_up().await;
    let endless = json!({"open": "x".repeat(100_000)});
    for (method, body) in [("PATCH", None), ("POST", Some(endless))] {
        let (status, answer) = site.ask(method, "/api/gate", body).await;
        assert!(status.is_client_error(), "{method}: {status}");
        let sentence = answer["problem"].as_str().unwrap_or_default();
        assert!((20..400).contains(&sentence.len()), "{method}: {sentence}");
    }
}

#[tokio::test]
async fn frames_are_counted_where_a_program_can_read_them() {
    let site = Site::open().await;
    let (status, radio) = site.ask("GET", "/api/radio", None).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(radio["frames"]["replayed"], 0, "{radio}");
    assert_eq!(radio["receivers"], json!([]));
}

#[tokio::test]
async fn what_is_known_of_modems_and_of_each_pads_radio_can_be_read() {
    let site = Site::open().await;
    let pad = |number| PadId::new(number).expect("a pad");
    let counted = |heard, missed| Quality {
        heard,
        missed,
        repeated: 0,
    };
    let mut qualities = Qualities::default();
    let good = (1..=4).map(|number| (pad(number), counted(20, 1)));
    qualities.take(
        good.chain([(pad(5), counted(10, 10))]),
        Air::default(),
        1_000,
    );
    let channel = RadioChannel::new(3).expect("a channel");
    let wanted = ModemSettings {
        channel,
        ..ModemSettings::FACTORY
    };
    let silent = Outcome::Not(Trouble::Silent);
    let receiver = Receiver {
        port: 0,
        name: "COM7".to_owned(),
        connected: true,
        share_permille: 100,
        limit_permille: Some(100),
        held_back: 7,
        modem: Some(ModemKnown::of(silent, wanted, SetPin::Rts)),
    };
    let known = (Tally::default(), qualities);
    site.session.receivers(vec![receiver], known).await;
    let mut radio = Value::Null;
    // The owner takes it in when it comes to it.
    while radio["receivers"][0].is_null() {
        (_, radio) = site.ask("GET", "/api/radio", None).await;
    }
    let receiver = &radio["receivers"][0];
    assert_eq!(receiver["share_permille"], 100, "{radio}");
    assert_eq!(receiver["limit_permille"], 100, "{radio}");
    assert_eq!(receiver["held_back"], 7, "{radio}");
    assert_eq!(receiver["modem"]["state"], "Silent", "{radio}");
    let pads = radio["pads"].as_array().expect("pads");
    assert_eq!(pads.len(), 5);
    assert_eq!(pads[0]["quarters"][0]["answered_percent"], 96);
    assert_eq!(pads[4]["quarters"][0]["answered_percent"], 50);
    assert_eq!(pads[0]["advice"], Value::Null);
    assert_eq!(pads[4]["advice"], "Hole", "the others hear well");
    assert_eq!(pads[4]["advice_figure"], 50);
    // The law's limit is no secret of that page.
    let (_, view) = site.ask("GET", "/api/view", None).await;
    let lamp = &view["lamps"]["receiver"];
    assert_eq!(lamp["state"], "Bad", "{lamp}");
    let text = lamp["text"].as_str().expect("a sentence");
    assert!(text.contains("7 answers were held back"), "{text}");
}

#[tokio::test]
async fn the_page_has_a_text_for_every_key_and_gets_one_file_a_language() {
    let site = Site::open().await;
    let (status, english) = site.ask("GET", "/assets/lang/en.json", None).await;
    assert_eq!(status, StatusCode::OK);
    for language in telling::Language::ALL {
        let path = format!("/assets/lang/{}.json", language.code());
        let (status, texts) = site.ask("GET", &path, None).await;
        assert_eq!(status, StatusCode::OK, "{path}");
        let (texts, known) = (texts.as_object().expect("texts"), english.as_object());
        assert_eq!(Some(texts.len()), known.map(serde_json::Map::len), "{path}");
        // A number chooses the form.
        assert!(texts["checklist_warnings"]["one"].is_string(), "{path}");
    }
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/js");
    for file in std::fs::read_dir(folder).expect("scripts") {
        let script = std::fs::read_to_string(file.expect("a file").path()).expect("text");
        // Every piece but the first begins with a key: `t("key"`.
        for piece in [" t(\"", "(t(\"", "[t(\""]
            .iter()
            .flat_map(|call| script.split(call).skip(1))
        {
            let key = piece.split('"').next().unwrap_or_default();
            assert!(english.get(key).is_some(), "no text for {key}");
        }
    }
}

#[tokio::test]
async fn a_refusal_is_told_in_the_language_that_is_asked_for() {
    let site = Site::open().await;
    let told = [
        (
            "en",
            "There is no such page here. Go back to the first page.",
        ),
        (
            "fr",
            "Il n’y a pas de telle page ici. Retournez à la première page.",
        ),
        (
            "nl",
            "Zo’n pagina is er hier niet. Ga terug naar de eerste pagina.",
        ),
    ];
    for (language, words) in told {
        let path = format!("/api/nowhere?language={language}");
        let (_, answer) = site.ask("GET", &path, None).await;
        assert_eq!(answer["problem"], words, "{language}");
    }
}

/// Programs make functions of operations, by their names.
#[tokio::test]
async fn no_two_operations_of_the_interface_have_one_name() {
    let site = Site::open().await;
    let (_, description) = site.ask("GET", "/api/openapi.json", None).await;
    let paths = description["paths"].as_object().expect("paths");
    let operations = paths.values().filter_map(Value::as_object).flatten();
    let mut names: Vec<&str> = operations
        .filter_map(|(_, operation)| operation["operationId"].as_str())
        .collect();
    names.sort_unstable();
    assert!(names.len() > 100, "{}", names.len());
    let twice: Vec<&[&str]> = names.windows(2).filter(|it| it[0] == it[1]).collect();
    assert!(twice.is_empty(), "{twice:?}");
}

/// What nobody says any more must go from the catalogues: a message is told by `tell!`.
#[test]
fn every_message_of_the_catalogues_is_one_that_the_base_still_says() {
    fn sources(folder: &std::path::Path, all: &mut String) {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                sources(&path, all);
            } else if path.extension().is_some_and(|name| name == "rs") {
                let text = std::fs::read_to_string(&path).expect("a source");
                // A literal that goes on in the next line is one literal.
                let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
                all.push_str(&lines.join("\n").replace("\\\n", ""));
            }
        }
    }
    let mut said = String::new();
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in [
        "src",
        "centre/src",
        "contest/src",
        "deals/src",
        "movement/src",
        "scoring/src",
    ] {
        sources(&here.join(folder), &mut said);
    }
    sources(&here.join("telling/src"), &mut said);
    sources(&here.join("../protocol/src"), &mut said);
    let english = telling::Catalogue::of(telling::Language::English);
    let camel = |words: &str| -> String {
        let words = words.split('-').map(|word| {
            let (first, rest) = word.split_at(word.len().min(1));
            first.to_uppercase() + rest
        });
        words.collect()
    };
    let gone: Vec<&str> = english
        .ids()
        .filter(|id| {
            let Some((group, name)) = id.split_once('-').filter(|(group, _)| !group.contains('_'))
            else {
                return false;
            };
            let variant = format!("{}::{}", camel(group), camel(name));
            let told = said.match_indices(&variant).any(|(at, _)| {
                let after = said[at + variant.len()..].chars().next();
                !after.is_some_and(char::is_alphanumeric)
            });
            !told
        })
        .collect();
    assert!(gone.is_empty(), "nobody says any more: {gone:#?}");
}

#[tokio::test]
async fn point_2_the_club_manuals_preset_is_chosen_as_a_whole_with_each_boards_own_top() {
    let site = Site::open().await;
    site.set_up().await;
    let (_, presets) = site.ask("GET", "/api/settings/presets", None).await;
    let presets = presets["presets"].as_array().expect("presets").clone();
    let manual = presets.iter().find(|it| it["name"] == "ClubManual");
    let manual = manual.expect("the club manual")["scoring"].clone();
    let (_, mut settings) = site.ask("GET", "/api/settings", None).await;
    assert_eq!(settings["scoring"]["short_boards"], "CommonTop");
    settings["scoring"] = manual.clone();
    let (status, after) = site.ask("PUT", "/api/settings", Some(settings)).await;
    assert_eq!(status, StatusCode::OK, "{after}");
    assert_eq!(after["scoring"], manual);
    assert_eq!(after["scoring"]["short_boards"], "OwnTop");
    let (_, kept) = site.ask("GET", "/api/settings", None).await;
    assert_eq!(kept["scoring"], manual);
}
