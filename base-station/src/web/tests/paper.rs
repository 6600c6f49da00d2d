//! Hand records and PDF files, asked for as a browser and a script do.

use std::collections::BTreeSet;

use axum::http::StatusCode;
use serde_json::json;

use super::Site;
use crate::reports::SHEETS;

fn real_deals() -> String {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/real/club_session_deals.pbn"
    );
    std::fs::read_to_string(path).expect("the real deals")
}

#[tokio::test]
async fn hand_records_show_the_boards_in_play_and_no_others() {
    let site = Site::open().await;
    site.set_up().await;
    let read = site
        .does(
            "/api/deals",
            json!({"file": "monday.pbn", "pbn": real_deals()}),
        )
        .await;
    assert_eq!(read["boards"], 36);
    for sheet in ["records", "hands"] {
        let path = format!("/print/{sheet}?language=en");
        let (status, page) = site.ask("GET", &path, None).await;
        assert_eq!(status, StatusCode::OK);
        let page = page.as_str().expect("a page");
        let deals = page.matches("class=\"deal").count();
        assert_eq!(deals, 15, "{sheet}: fifteen boards are played tonight");
    }
    let (_, page) = site.ask("GET", "/print/records?language=en", None).await;
    let page = page.as_str().expect("a page");
    // Every deal's points add up to forty.
    let points: Vec<&str> = page.split("<div class=\"middle\">").skip(1).collect();
    assert_eq!(points.len(), 15);
    for middle in points {
        let end = middle.find("</div></div>").expect("an end");
        let sum: u32 = middle[..end]
            .split(|letter: char| !letter.is_ascii_digit())
            .filter_map(|number| number.parse::<u32>().ok())
            .sum();
        assert_eq!(sum, 40, "{}", &middle[..end]);
    }
    assert!(page.contains("class=\"makes\""), "what can be made");
}

#[tokio::test]
async fn every_sheet_is_there_as_pdf() {
    let site = Site::open().await;
    site.set_up().await;
    site.does(
        "/api/deals",
        json!({"file": "monday.pbn", "pbn": real_deals()}),
    )
    .await;
    let line = json!({"table": "A1", "round": 1, "board": 1, "typed": "4SS+1"});
    site.does("/api/lines/typed", line).await;
    let mut paths: Vec<String> = Vec::new();
    for kind in &SHEETS {
        paths.push(format!("/print/{}.pdf?paper=letter&language=de", kind.name));
        paths.push(format!("/api/exchange/pdf?sheet={}&paper=a4", kind.name));
    }
    paths.push("/print/cards/A.pdf".to_owned());
    paths.push("/api/exchange/pdf".to_owned());
    for path in paths {
        let (status, file) = site.ask("GET", &path, None).await;
        assert_eq!(status, StatusCode::OK, "{path}: {file}");
        let file = file.as_str().expect("a file");
        assert!(file.starts_with("%PDF-"), "{path}");
        assert!(file.trim_end().ends_with("%%EOF"), "{path}");
    }
    let (status, _) = site.ask("GET", "/print/menu.pdf", None).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    let (status, refused) = site.ask("GET", "/api/exchange/pdf?sheet=menu", None).await;
    assert_eq!(status, StatusCode::CONFLICT);
    let said = refused["problem"].as_str().expect("a sentence");
    assert!(said.contains("ranking, standing"), "{said}");
}

#[tokio::test]
async fn the_description_names_the_kind_of_every_file_for_other_programs() {
    let site = Site::open().await;
    let (_, description) = site.ask("GET", "/api/openapi.json", None).await;
    let asked = &description["paths"]["/api/exchange/{format}"]["get"];
    let named = asked["responses"]["200"]["content"].as_object();
    let named: BTreeSet<&str> = named
        .expect("kinds of content")
        .keys()
        .map(String::as_str)
        .collect();
    let kinds = crate::exchange::Format::ALL.map(|format| {
        let whole = format.media_type();
        whole.split(';').next().expect("a kind")
    });
    assert_eq!(named, BTreeSet::from(kinds));
}

#[tokio::test]
async fn a_club_without_a_printer_has_every_sheet_on_phones_once_it_is_released() {
    let site = Site::open().await;
    site.set_up().await;
    let sheet = "/results/sheets/travellers?language=en";
    assert_eq!(
        site.ask("GET", sheet, None).await.0,
        StatusCode::NOT_FOUND,
        "nothing before the release"
    );
    // Who sits where is no secret, and players have it before they sit down.
    for sheet in ["route", "names"] {
        let path = format!("/results/sheets/{sheet}?language=en");
        assert_eq!(site.ask("GET", &path, None).await.0, StatusCode::OK);
    }
    let (status, page) = site.ask("GET", "/results?language=en", None).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    let page = page.as_str().expect("a page");
    assert!(page.contains("has not released the result"), "{page}");
    assert!(page.contains("/results/sheets/route?language=en"), "{page}");
    assert!(!page.contains("sheets/draw"), "nothing is drawn tonight");
    site.does("/api/end-play", json!({})).await;
    let anyway = json!({"despite_checklist": true});
    site.does("/api/release", anyway).await;
    for name in ["ranking", "travellers", "scorecards", "charts", "winners"] {
        let path = format!("/results/sheets/{name}?language=en");
        let (status, page) = site.ask("GET", &path, None).await;
        assert_eq!(status, StatusCode::OK, "{name}");
        let page = page.as_str().expect("a page");
        assert!(page.contains("Back to the ranking"), "{name}");
        assert!(page.contains("data-print"), "a button that prints: {name}");
    }
    // Table cards have codes on them, and what was rescued is the director's business.
    for name in ["cards", "rescue", "menu"] {
        let path = format!("/results/sheets/{name}");
        let (status, _) = site.ask("GET", &path, None).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{name}");
    }
    // A code of this machine's own address would lead phones to themselves.
    let code = "/results/qr.svg?sheet=travellers";
    assert_eq!(site.ask("GET", code, None).await.0, StatusCode::NOT_FOUND);
    let site = site.at("http://192.168.1.20:7373");
    let (status, picture) = site.ask("GET", code, None).await;
    assert_eq!(status, StatusCode::OK);
    let other = site.ask("GET", "/results/qr.svg", None).await.1;
    assert_ne!(picture, other, "each sheet has its own code");
}
