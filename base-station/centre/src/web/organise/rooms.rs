//! All rooms of a congress on one page: how far every table is, and who calls the director;
//! calls are settled here, too.

use axum::Router;
use axum::extract::{Form, Path, State};
use axum::http::HeaderMap;
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use maud::{Markup, html};
use serde::Deserialize;
use telling::tell;

use super::door::{self, Organiser};
use super::event::answer;
use crate::field::{Club, Sheet};
use crate::said::TableSaid;
use crate::snapshot::Snapshot;
use crate::web::bases::changed;
use crate::web::page::frame;
use crate::web::pages::phase;
use crate::web::{Reader, Refusal, Web};

pub(super) fn routes() -> Router<Web> {
    Router::new()
        .route("/organise/event/{event}/rooms", get(rooms))
        .route("/organise/event/{event}/rooms/settled", post(settle))
}

#[derive(Deserialize)]
struct Settled {
    club: i32,
    table: String,
    called: i64,
}

/// The director has been at a table that called: its room's base hears of it, and its pad.
async fn settle(
    State(web): State<Web>,
    Path(event): Path<i32>,
    headers: HeaderMap,
    Form(call): Form<Settled>,
) -> Response {
    let done = async {
        Organiser::must(&web, &headers).await?;
        let mut client = web.database().page().await?;
        let step = client.transaction().await?;
        let known = step
            .execute(
                "INSERT INTO settled_call (club, at_table, called)
                 SELECT club, $3, $4 FROM club WHERE club = $1 AND event = $2
                 ON CONFLICT DO NOTHING",
                &[&call.club, &event, &call.table, &call.called],
            )
            .await?;
        if known > 0 {
            changed(&step, event).await?;
        }
        step.commit().await?;
        Ok::<_, Refusal>(())
    };
    match done.await {
        Ok(()) => Redirect::to(&format!("/organise/event/{event}/rooms")).into_response(),
        Err(refusal) => refusal.page(&headers),
    }
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
    let rooms = shown.clubs.iter();
    let rooms = rooms.filter_map(|(number, room)| Some((*number, room, shown.sheets.get(number)?)));
    let calls = rooms.flat_map(|(number, room, sheet)| {
        let tables = sheet.tables.values();
        let calls = tables.filter(|table| table.calls);
        calls.map(move |table| (number, room, *table))
    });
    let calls: Vec<(i32, &Club, TableSaid)> = calls.collect();
    let body = html! {
        p { a href={ "/organise/event/" (event) } { (shown.about.name) } }
        div #live {
            @if calls.is_empty() { p.quiet { (reader.text("centre_nobody_calls")) } }
            @else { ul.troubles role="status" { @for (number, room, table) in &calls {
                li { "⚑ " (call(reader, &room.name, *table)) " " (answer_to(reader, event, *number, room, *table)) }
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

/// What can be done about a call; nothing where its base says no time, because it is an older one.
fn answer_to(reader: Reader, event: i32, club: i32, room: &Club, table: TableSaid) -> Markup {
    html! { @if let Some(called) = table.called {
        @if room.settled.contains(&(table.table, called)) { "· " (reader.text("centre_call_settled")) }
        @else {
            form.inline method="post" action={ "/organise/event/" (event) "/rooms/settled" } {
                input type="hidden" name="club" value=(club);
                input type="hidden" name="table" value=(table.table);
                input type="hidden" name="called" value=(called);
                button { (reader.text("centre_settle_call")) }
            }
        }
    } }
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
