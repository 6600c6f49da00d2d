//! A board over the whole field: every score and how often it came, once the last club has played.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::{Html, Response};
use axum::routing::get;
use maud::html;
use protocol::words::BoardNumber;
use telling::tell;

use super::page::{decimal, frame};
use super::pages::{HTML, kept, shown};
use super::{Reader, Refusal, Web};
use crate::snapshot::{BoardShown, Snapshot};

pub(super) fn routes() -> Router<Web> {
    Router::new().route("/event/{event}/board/{board}", get(board))
}

async fn board(
    State(web): State<Web>,
    Path((event, number)): Path<(i32, u8)>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let shown = shown(&web, event, &headers).await?;
    if !shown.is_open() {
        return Err(Refusal::refused(tell!(Centre::BoardsNotYet)).page(&headers));
    }
    let none = || Refusal::not_found(tell!(Centre::NoSuchBoard)).page(&headers);
    let over = BoardNumber::new(number).and_then(|board| shown.boards.get(&board));
    let over = over.ok_or_else(none)?;
    let name = format!("board {number}");
    Ok(kept(&shown, &headers, &name, HTML, |reader| {
        board_page(reader, &shown, number, over).0
    }))
}

fn board_page(reader: Reader, shown: &Snapshot, number: u8, over: &BoardShown) -> Html<String> {
    let event = shown.about.event;
    let title = reader.with("centre_board", &[("board", &number)]);
    let per_cent = |it: Option<scoring::Percent>| {
        it.map_or_else(String::new, |percent| decimal(reader, percent.to_f64()))
    };
    let body = html! {
        p { a href={ "/event/" (event) } { (shown.about.name) } }
        div #live { table.ranking {
            thead { tr {
                th.number { (reader.text("centre_score_ns")) }
                th.number { (reader.text("centre_times")) }
                th.number { (reader.text("centre_percent_ns")) }
            } }
            tbody { @for kind in &over.scores {
                tr {
                    td.number { @match kind.score {
                        Some(score) => { (score) }
                        None => { (reader.text("centre_adjusted")) }
                    } }
                    td.number { (kind.times) }
                    td.number { (per_cent(kind.percent_of(over.top))) }
                }
            } }
        } }
    };
    frame(reader, &title, Some(shown), &body)
}
