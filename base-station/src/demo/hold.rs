//! Pages of the demonstration on which a visitor holds a pad in the hand.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use maud::{Markup, html};
use pad::Key;
use protocol::words::TableNumber;
use tokio::sync::{mpsc, oneshot};

use super::TABLES;
use super::room::Wish;
use crate::reports::{Words, bare_page};
use crate::web::Reads;

/// A header that a page of another site can't send without being asked first.
const OWN_PAGE: &str = "x-byestand-pad";

/// The pages, and what their script asks for.
pub(super) fn routes(hands: mpsc::Sender<Wish>) -> Router {
    Router::new()
        .route("/demo/pads", get(all))
        .route(
            "/demo/tables",
            get(|| async { Json((1..=TABLES).collect::<Vec<_>>()) }),
        )
        .route("/demo/pads/{table}", get(one))
        .route("/demo/pads/{table}/pixels", get(pixels))
        .route("/demo/pads/{table}/keys/{key}", post(press))
        .with_state(hands)
}

async fn all(Reads(language): Reads) -> Html<String> {
    let words = Words::of(language);
    page(
        words,
        words.text("page_pads"),
        &html! {
            h1 { (words.text("hold_title")) }
            p { (words.text("hold_intro")) }
            ul.pads {
                @for table in 1..=TABLES {
                    li { a href={ "/demo/pads/" (table) "?language=" (language.code()) } { (words.with("table_n", &[("table", &table)])) } }
                }
            }
            p { a href="/" { (words.text("hold_back")) } }
        },
    )
}

async fn one(Path(table): Path<TableNumber>, Reads(language): Reads) -> Response {
    let words = Words::of(language);
    if table.get() > TABLES {
        return (StatusCode::NOT_FOUND, words.text("hold_no_table")).into_response();
    }
    let title = words.with("table_n", &[("table", &table)]);
    page(
        words,
        &title,
        &html! {
            h1 { (title) }
            canvas #display width="400" height="240" data-table=(table) role="img"
                aria-label=(words.text("hold_display")) {}
            div.keypad role="group" aria-label=(words.text("hold_keys")) {
                @for (index, key) in Key::ALL.into_iter().enumerate() {
                    button.long[key.legend().len() > 4] type="button" data-key=(index) {
                        (key.legend())
                        @if let Some(small) = key.small_legend() { small { (small) } }
                    }
                }
            }
            p.ways {
                a href={ "/demo/pads?language=" (language.code()) } { (words.text("hold_other")) } " "
                a href="/" { (words.text("hold_back")) }
            }
            script type="module" src="/assets/js/pad.js" {}
        },
    )
    .into_response()
}

fn page(words: &Words, title: &str, body: &Markup) -> Html<String> {
    let head = html! {
        title { (title) " – Byestand" }
        link rel="icon" href="/assets/icon.svg";
        link rel="stylesheet" href="/assets/css/pad.css";
    };
    Html(bare_page(words, &head, &html! { main { (body) } }))
}

async fn pixels(
    State(hands): State<mpsc::Sender<Wish>>,
    Path(table): Path<TableNumber>,
) -> Response {
    let (reply, answer) = oneshot::channel();
    let asked = hands.send(Wish::See(table, reply)).await.is_ok();
    match answer.await {
        Ok(pixels) if asked => {
            let kind = (header::CONTENT_TYPE, "application/octet-stream");
            ([kind], pixels.bytes().to_vec()).into_response()
        }
        _ => (StatusCode::NOT_FOUND, "There is no pad at this table.").into_response(),
    }
}

async fn press(
    State(hands): State<mpsc::Sender<Wish>>,
    Path((table, key)): Path<(TableNumber, usize)>,
    headers: HeaderMap,
) -> Response {
    if !headers.contains_key(OWN_PAGE) {
        return (
            StatusCode::FORBIDDEN,
            "Only the pad's own page presses keys.",
        )
            .into_response();
    }
    match Key::ALL.get(key) {
        Some(&key) if hands.send(Wish::Press(table, key)).await.is_ok() => {
            StatusCode::NO_CONTENT.into_response()
        }
        _ => (StatusCode::NOT_FOUND, "There is no such key.").into_response(),
    }
}
