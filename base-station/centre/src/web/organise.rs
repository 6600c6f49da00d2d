//! For organisers: events, their clubs, codes for joining, and the final result.

mod door;
mod event;
mod matches;
mod rooms;

use axum::extract::{Form, State};
use axum::http::HeaderMap;
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Router, http::StatusCode};
use maud::html;
use protocol::words::{BoardNumber, RoundNumber};
use serde::Deserialize;
use telling::tell;

use super::page::frame;
use super::{Reader, Refusal, Web};
use door::Organiser;
pub use door::PasswordUnfit;
pub(crate) use door::new_password;

/// Nothing that people name is longer.
const NAME_LEN_MAX: usize = 120;

pub(super) fn routes() -> Router<Web> {
    Router::new()
        .route("/organise", get(events))
        .route("/organise/sign-in", post(door::sign_in))
        .route("/organise/sign-out", post(door::sign_out))
        .route("/organise/event", post(create))
        .merge(event::routes())
        .merge(rooms::routes())
        .merge(matches::routes())
}

/// A name that somebody typed.
fn named(text: &str) -> Result<&str, Refusal> {
    let text = text.trim();
    let fits = !text.is_empty() && text.chars().count() <= NAME_LEN_MAX;
    let told = || tell!(Centre::NameWanted { most: NAME_LEN_MAX });
    let wrong = || Refusal::new(StatusCode::BAD_REQUEST, told());
    if fits && !text.contains(char::is_control) {
        Ok(text)
    } else {
        Err(wrong())
    }
}

async fn events(State(web): State<Web>, headers: HeaderMap) -> Response {
    let page = match Organiser::of(&web, &headers).await {
        Ok(Some(_)) => events_page(&web, Reader::of(&headers)).await,
        Ok(None) => Ok(door::page(&web, Reader::of(&headers)).await),
        Err(refusal) => Err(refusal),
    };
    match page {
        Ok(page) => page.into_response(),
        Err(refusal) => refusal.page(&headers),
    }
}

async fn events_page(web: &Web, reader: Reader) -> Result<Html<String>, Refusal> {
    let client = web.database().page().await?;
    let rows = client
        .query("SELECT event, name FROM event ORDER BY event DESC", &[])
        .await?;
    let body = html! {
        ul.events { @for row in &rows {
            li { a href={ "/organise/event/" (row.get::<_, i32>(0)) } { (row.get::<_, &str>(1)) } }
        } }
        h2 { (reader.text("centre_new_event")) }
        form method="post" action="/organise/event" {
            label { (reader.text("centre_name")) input name="name" required maxlength=(NAME_LEN_MAX); }
            label { (reader.text("centre_scored_by"))
                select name="method" {
                    option value="matchpoints" { (reader.text("centre_matchpoints")) }
                    option value="cross_imps" { (reader.text("centre_cross_imps")) }
                    option value="butler" { (reader.text("centre_butler")) }
                }
            }
            label.tick { input type="checkbox" name="rooms" value="true"; " " (reader.text("centre_as_rooms")) }
            label { (reader.text("centre_swiss_rounds")) input name="rounds" inputmode="numeric"; }
            label { (reader.text("centre_swiss_boards")) input name="boards" inputmode="numeric"; }
            button { (reader.text("centre_create")) }
        }
        form.quiet method="post" action="/organise/sign-out" { button { (reader.text("centre_sign_out")) } }
    };
    Ok(frame(reader, reader.text("centre_organise"), None, &body))
}

#[derive(Deserialize)]
struct NewEvent {
    name: String,
    method: String,
    #[serde(default)]
    rooms: bool,
    /// Rounds of matches that are drawn over all rooms; nothing where there are none.
    #[serde(default)]
    rounds: String,
    /// Boards of a match.
    #[serde(default)]
    boards: String,
}

impl NewEvent {
    /// Rounds and boards of matches, where they are played.
    fn matches(&self) -> Result<Option<(i16, i16)>, Refusal> {
        let (rounds, boards) = (self.rounds.trim(), self.boards.trim());
        if rounds.is_empty() && boards.is_empty() {
            return Ok(None);
        }
        let most = BoardNumber::MAX.get();
        let wrong = || Refusal::refused(tell!(Centre::MatchesWanted { most }));
        let small = |text: &str| text.parse::<u8>().ok().filter(|it| *it > 0);
        let (rounds, boards) = small(rounds).zip(small(boards)).ok_or_else(wrong)?;
        let rules = crate::stage::rules(&self.method);
        let fits = u16::from(rounds) * u16::from(boards) <= u16::from(most)
            && RoundNumber::new(rounds).is_some()
            && rules.check(boards.into()).is_ok();
        if fits {
            Ok(Some((rounds.into(), boards.into())))
        } else {
            Err(wrong())
        }
    }
}

async fn create(State(web): State<Web>, headers: HeaderMap, Form(new): Form<NewEvent>) -> Response {
    match create_event(&web, &headers, &new).await {
        Ok(event) => Redirect::to(&format!("/organise/event/{event}")).into_response(),
        Err(refusal) => refusal.page(&headers),
    }
}

async fn create_event(web: &Web, headers: &HeaderMap, new: &NewEvent) -> Result<i32, Refusal> {
    Organiser::must(web, headers).await?;
    let name = named(&new.name)?;
    if !["matchpoints", "cross_imps", "butler"].contains(&new.method.as_str()) {
        return Err(Refusal::new(
            StatusCode::BAD_REQUEST,
            tell!(Centre::MethodUnknown),
        ));
    }
    let (rounds, boards) = new.matches()?.unzip();
    // Whoever draws over rooms looks after them.
    let rooms = new.rooms || rounds.is_some();
    let client = web.database().page().await?;
    let row = client
        .query_one(
            "INSERT INTO event (name, method, rooms, rounds, boards)
             VALUES ($1, $2, $3, $4, $5) RETURNING event",
            &[&name, &new.method, &rooms, &rounds, &boards],
        )
        .await?;
    Ok(row.get(0))
}
