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
