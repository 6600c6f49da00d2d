//! All rooms of a congress on one page: how far every table is, and who calls the director.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::{Html, Response};
use axum::routing::get;
use maud::{Markup, html};
use telling::tell;

use super::door::{self, Organiser};
use super::event::answer;
use crate::field::Sheet;
use crate::said::TableSaid;
use crate::snapshot::Snapshot;
use crate::web::page::frame;
use crate::web::pages::phase;
use crate::web::{Reader, Refusal, Web};

pub(super) fn routes() -> Router<Web> {
    Router::new().route("/organise/event/{event}/rooms", get(rooms))
}

async fn rooms(State(web): State<Web>, Path(event): Path<i32>, headers: HeaderMap) -> Response {
    let page = async {
        if Organiser::of(&web, &headers).await?.is_none() {
            return Ok(door::page(&web, Reader::of(&headers)).await);
        }
        let none = || Refusal::not_found(tell!(Centre::NoSuchEvent));
        let shown = web.follower().event(event).await.ok_or_else(none)?;
        Ok(page(Reader::of(&headers), &shown))
    };
    answer(page.await, &headers)
}

fn page(reader: Reader, shown: &Snapshot) -> Html<String> {
    let event = shown.about.event;
    let calls: Vec<(&str, TableSaid)> = shown
        .clubs
        .iter()
        .filter_map(|(number, room)| Some((room.name.as_str(), shown.sheets.get(number)?)))
        .flat_map(|(name, sheet)| sheet.tables.values().map(move |table| (name, *table)))
        .filter(|(_, table)| table.calls)
        .collect();
    let body = html! {
        p { a href={ "/organise/event/" (event) } { (shown.about.name) } }
        div #live {
            @if calls.is_empty() { p.quiet { (reader.text("centre_nobody_calls")) } }
            @else { ul.troubles role="status" { @for (room, table) in &calls {
                li { "⚑ " (call(reader, room, *table)) }
            } } }
            @for (number, room) in &shown.clubs {
                section.room {
                    h2 { (room.name) " · " (phase(reader, shown, *number)) }
                    @if let Some(sheet) = shown.sheets.get(number) { (grid(reader, sheet)) }
                }
            }
        }
    };
    frame(reader, reader.text("centre_rooms"), Some(shown), &body)
}

fn call(reader: Reader, room: &str, table: TableSaid) -> String {
    let parts: [(&str, &dyn std::fmt::Display); 2] = [("room", &room), ("table", &table.table)];
    reader.with("centre_room_calls", &parts)
}

/// A tile for each table: its round, and how many of the round's boards are in.
fn grid(reader: Reader, sheet: &Sheet) -> Markup {
    html! { ul.tables { @for table in sheet.tables.values() {
        @let done = table.played >= table.boards;
        li.done[done].calls[table.calls] {
            strong { (table.table) @if table.calls { " ⚑" } }
            " " (reader.with("centre_room_round", &[("round", &table.round)]))
            " " span { (table.played) "/" (table.boards) @if done { " ✓" } }
        }
    } } }
}
