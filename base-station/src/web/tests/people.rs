//! The club's list of players, looked at before it counts.

use axum::http::StatusCode;
use base64::Engine as _;
use serde_json::{Value, json};

use super::Site;

fn file(text: &str, columns: &[&str]) -> Value {
    let bytes = encoding_rs::WINDOWS_1252.encode(text).0;
    let base64 = base64::engine::general_purpose::STANDARD.encode(bytes);
    json!({"base64": base64, "columns": columns})
}

const LIST: &str = "Verein;Nachname;Vorname;Mail;Nummer\n\
    3;Müller;Jürgen;jm@example.org;00017\n\
    3;Weiß;Ruth;rw@example.org;1018\n\
    3;Niemand;;;x\n";

#[tokio::test]
async fn a_list_of_players_is_shown_before_it_counts() {
    let site = Site::open().await;
    site.does("/api/members", json!({"csv": "17,Juergen Mueller\n"}))
        .await;
    let before = site.session.view().state.seq;
    let shown = site.does("/api/members/preview", file(LIST, &[])).await;
    assert_eq!(site.session.view().state.seq, before, "nothing is changed");
    assert_eq!(shown["encoding"], "windows-1252");
    assert_eq!(shown["new"], 1);
    assert_eq!(shown["left_out"], 1);
    assert_eq!(
        shown["renamed"],
        json!([[17, "Juergen Mueller", "Jürgen Müller"]])
    );
    let columns: Vec<&Value> = (shown["columns"].as_array().expect("columns").iter())
        .map(|column| &column["column"])
        .collect();
    assert_eq!(
        columns,
        ["nothing", "surname", "first-name", "email", "number"]
    );
    assert_eq!(shown["people"][0]["name"], "Jürgen Müller");
    assert!(!shown.to_string().contains("example.org"), "{shown}");
    // One bad line is refused with its number, unless the others are wanted all the same.
    let (status, refused) = site
        .ask("POST", "/api/members", Some(file(LIST, &[])))
        .await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    let said = refused["problem"].as_str().expect("a sentence");
    assert!(said.starts_with("Line 4 of the list"), "{said}");
    let mut wanted = file(LIST, &[]);
    wanted["without_problems"] = json!(true);
    let taken = site.does("/api/members", wanted).await;
    assert_eq!(taken, json!({"members": 2, "left_out": 1}));
    let (_, found) = site.ask("GET", "/api/members?search=Müll", None).await;
    assert_eq!(
        found["members"],
        json!([{"number": 17, "written": "00017", "name": "Jürgen Müller"}]),
        "zeros in front are kept as the list has them"
    );
    // What was guessed can be put right.
    let columns = ["nothing", "first-name", "surname", "email", "number"];
    let shown = site
        .does("/api/members/preview", file(LIST, &columns))
        .await;
    assert_eq!(shown["people"][0]["name"], "Müller Jürgen");
    // A name that could not be typed can't be taken either.
    let long = format!("5,{}\n", "x".repeat(200));
    let (status, refused) = site
        .ask("POST", "/api/members", Some(json!({"csv": long})))
        .await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{refused}");
    let nonsense = json!({"base64": "not base64!"});
    let (status, _) = site
        .ask("POST", "/api/members/preview", Some(nonsense))
        .await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
}

/// A number that the club's list does not have is kept as it was typed.
#[tokio::test]
async fn zeros_in_front_of_a_number_stay_where_no_list_knows_it() {
    let site = Site::open().await;
    site.set_up().await;
    let typed = |number: u32, digits: u8| json!({"pair": "A1NS", "partner": "First", "number": number, "digits": digits, "name": "Ruth Weiss"});
    for (digits, written) in [(6, "004711"), (4, "4711"), (0, "4711"), (7, "0004711")] {
        site.does("/api/names", typed(4711, digits)).await;
        let (_, names) = site.ask("GET", "/api/names", None).await;
        let pairs = names["pairs"].as_array().expect("pairs");
        let pair = pairs.iter().find(|pair| pair["pair"] == "A1NS");
        let player = &pair.expect("the pair")["players"][0];
        assert_eq!(player["written"], written);
        assert_eq!(player["number"], 4711);
    }
    let line = json!({"table": "A1", "round": 1, "board": 1, "typed": "4SS="});
    site.does("/api/lines/typed", line).await;
    // The sheet has it as well, where numbers are wanted; and pairs' numbers go where they are not.
    let (_, sheet) = site.ask("GET", "/print/ranking?numbers=true", None).await;
    let sheet = sheet.as_str().expect("a page");
    assert!(
        sheet.contains("0004711") && sheet.contains("NS 1"),
        "{sheet}"
    );
    let (_, sheet) = site.ask("GET", "/print/ranking?pairs=false", None).await;
    let sheet = sheet.as_str().expect("a page");
    assert!(sheet.contains("Ruth Weiss"), "{sheet}");
    assert!(
        !sheet.contains("0004711") && !sheet.contains("<td>NS 1"),
        "{sheet}"
    );
    // The club's own way of writing it counts where the list has it.
    site.does("/api/members", json!({"csv": "04711,Ruth Weiss\n"}))
        .await;
    let (_, sheet) = site.ask("GET", "/print/ranking?numbers=true", None).await;
    let sheet = sheet.as_str().expect("a page");
    assert!(sheet.contains("(04711)"), "{sheet}");
}

/// The journal, a warning and a refusal say who it is about as the room does.
#[tokio::test]
async fn sentences_of_the_base_call_pairs_as_the_room_does() {
    let site = Site::open().await;
    site.set_up().await;
    for (partner, name) in [("First", "Ann Cooper"), ("Second", "Bob Fisher")] {
        let named = json!({"pair": "A1NS", "partner": partner, "name": name});
        site.does("/api/names", named).await;
    }
    let fine = json!({"pair": "A1NS", "kind": "Warning", "why": "slow"});
    let (status, answer) = site.ask("POST", "/api/penalties", Some(fine)).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let (_, history) = site.ask("GET", "/api/history?language=de", None).await;
    let said = history["changes"][0]["text"].as_str().expect("a text");
    assert!(said.contains("NS 1 Ann Cooper und Bob Fisher"), "{said}");
    let (_, refused) = site
        .ask(
            "POST",
            "/api/names",
            Some(json!({"pair": "A99NS", "partner": "First", "name": "X"})),
        )
        .await;
    let said = refused["problem"].as_str().expect("a sentence");
    assert_eq!(said, "There is no pair NS 99 in this session.");
    for page in ["/api/history", "/api/checklist", "/api/view"] {
        let (_, answer) = site.ask("GET", page, None).await;
        let sentences = sentences_of(&answer);
        let raw = sentences.iter().find(|it| {
            let words = it.split(|letter: char| !letter.is_alphanumeric());
            words
                .into_iter()
                .any(|word| word.starts_with('A') && (word.ends_with("NS") || word.ends_with("EW")))
        });
        assert_eq!(raw, None, "{page}");
    }
}

fn sentences_of(answer: &Value) -> Vec<String> {
    match answer {
        Value::Object(fields) => {
            let mut all = Vec::new();
            for (name, value) in fields {
                match value {
                    Value::String(text)
                        if ["text", "sentence", "problem"].contains(&name.as_str()) =>
                    {
                        all.push(text.clone());
                    }
                    other => all.extend(sentences_of(other)),
                }
            }
            all
        }
        Value::Array(items) => items.iter().flat_map(sentences_of).collect(),
        _ => Vec::new(),
    }
}

#[tokio::test]
async fn pads_speak_what_the_director_reads_and_then_what_they_spoke_last() {
    let site = Site::open().await;
    for (evening, last, spoken) in [
        ("Montag", "Dutch", "German"),
        ("Dienstag", "French", "Dutch"),
    ] {
        let evening = json!({"name": evening, "date": "2026-11-16"});
        site.does("/api/calendar/events?language=de", evening).await;
        let (_, mut settings) = site.ask("GET", "/api/settings", None).await;
        assert_eq!(settings["pads"]["language"], spoken);
        settings["pads"]["language"] = json!(last);
        site.ask("PUT", "/api/settings", Some(settings)).await;
    }
}
