//! An evening without pads, as the page and a script see it.

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::Site;

impl Site {
    async fn plan_without_pads(&self) {
        let event = json!({"name": "Paper night", "date": "2026-11-16"});
        self.does("/api/calendar/events", event).await;
        let room = json!({"section": "A", "colour": "Red", "pairs": 10, "boards_min": 15, "boards_max": 15});
        self.does("/api/setup/sections", room).await;
    }

    async fn picture(&self) -> Value {
        self.ask("GET", "/api/view", None).await.1
    }

    async fn types(&self, table: &str, round: u8, board: u8, typed: &str) -> Value {
        let line = json!({"table": table, "round": round, "board": board, "typed": typed});
        self.does("/api/lines/typed", line).await
    }
}

fn all<'a>(view: &'a Value, list: &str, what: &str) -> Vec<&'a Value> {
    let items = view[list].as_array().expect("a list").iter();
    items.map(|item| &item[what]).collect()
}

#[tokio::test]
async fn an_evening_chosen_to_be_on_paper_opens_without_a_pin_and_asks_for_no_pad() {
    let site = Site::open().await;
    site.plan_without_pads().await;
    let way = json!({"way": "Paper"});
    let (status, _) = site.ask("PUT", "/api/settings/way", Some(way)).await;
    assert_eq!(status, StatusCode::OK);
    site.does("/api/open", json!({})).await;
    let view = site.picture().await;
    assert_eq!(view["session"]["on_paper"], true);
    assert!(
        all(&view, "tables", "state")
            .iter()
            .all(|it| *it == "OnPaper")
    );
    assert!(
        all(&view, "cells", "state")
            .iter()
            .all(|it| *it == "Waiting")
    );
    site.types("A1", 1, 1, "4SS=").await;
    let view = site.picture().await;
    assert_eq!(view["cells"][0]["state"], "Current");
    assert_eq!(
        view["cells"][0]["changed"], false,
        "typed once is not changed"
    );
    let line = site.types("A1", 1, 1, "4SS+1").await;
    assert_eq!(line["changed"], true, "typed twice is");
    site.does("/api/end-play", json!({})).await;
    let view = site.picture().await;
    let kinds = all(&view, "warnings", "kind");
    assert!(
        !kinds
            .iter()
            .any(|it| *it == "BoardMissing" || *it == "ReplaceAdvised"),
        "{kinds:?}"
    );
    let (_, list) = site.ask("GET", "/api/checklist", None).await;
    let points = all(&list, "items", "text");
    let missing: Vec<_> = points
        .iter()
        .filter(|it| it.to_string().contains("not typed yet"))
        .collect();
    assert_eq!(missing.len(), 1, "{points:?}");
    assert!(missing[0].to_string().contains("74 results"), "{missing:?}");
}

#[tokio::test]
async fn an_evening_without_a_pad_is_found_out_and_a_pad_is_taken_all_the_same() {
    let site = Site::open().await;
    site.set_up().await;
    assert_eq!(site.picture().await["session"]["on_paper"], false);
    for board in 1..=3 {
        site.types("A1", 1, board, "0").await;
    }
    assert_eq!(site.picture().await["session"]["on_paper"], true);
    let (status, _) = site
        .ask("PUT", "/api/settings/way", Some(json!({"way": "Pads"})))
        .await;
    assert_eq!(status, StatusCode::OK);
    let view = site.picture().await;
    assert_eq!(
        view["session"]["on_paper"], false,
        "the director knows better"
    );
    assert_eq!(view["tables"][1]["state"], "NotLoggedOn");
    let way = json!({"way": "Carrier pigeons"});
    let (status, _) = site.ask("PUT", "/api/settings/way", Some(way)).await;
    assert!(status.is_client_error());
}
