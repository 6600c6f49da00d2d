//! An event as its organiser sees it: its clubs, their codes and troubles, and the final result.

use axum::Router;
use axum::extract::{Form, Path, State};
use axum::http::HeaderMap;
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use ed25519_dalek::SigningKey;
use maud::{Markup, html};
use serde::Deserialize;
use telling::tell;
use tokio_postgres::Row;

use super::door::Organiser;
use super::named;
use crate::chain::sign;
use crate::entered::about;
use crate::follow::read_whole;
use crate::snapshot::{About, Snapshot};
use crate::web::bases::changed;
use crate::web::page::frame;
use crate::web::pages::{RankingView, phase};
use crate::web::secret::{code, hash_of_code};
use crate::web::{Reader, Refusal, Web};

/// The most tables of a room.
const TABLES_MAX: i16 = 200;

/// Clubs that are entered at once.
const CLUBS_MAX: usize = 2_000;

pub(super) fn routes() -> Router<Web> {
    Router::new()
        .route("/organise/event/{event}", get(event))
        .route("/organise/event/{event}/clubs", post(enter))
        .route("/organise/event/{event}/codes", post(new_code))
        .route("/organise/event/{event}/withdraw", post(withdraw))
        .route("/organise/event/{event}/final", post(make_final))
}

/// A code and the club that it is for; shown once.
type Codes = Vec<(String, String)>;

async fn event(State(web): State<Web>, Path(event): Path<i32>, headers: HeaderMap) -> Response {
    let page = async {
        match Organiser::of(&web, &headers).await? {
            Some(_) => event_page(&web, event, Reader::of(&headers), &Codes::new()).await,
            None => Ok(super::door::page(&web, Reader::of(&headers)).await),
        }
    };
    answer(page.await, &headers)
}

pub(super) fn answer(page: Result<Html<String>, Refusal>, headers: &HeaderMap) -> Response {
    match page {
        Ok(page) => page.into_response(),
        Err(refusal) => refusal.page(headers),
    }
}

pub(super) async fn event_page(
    web: &Web,
    event: i32,
    reader: Reader,
    codes: &Codes,
) -> Result<Html<String>, Refusal> {
    let none = || Refusal::not_found(tell!(Centre::NoSuchEvent));
    let shown = web.follower().event(event).await.ok_or_else(none)?;
    let client = web.database().page().await?;
    let clubs = client
        .query(
            "SELECT club.club, club.name, region, code IS NOT NULL, base.base, seq, withdrawn
             FROM club LEFT JOIN base USING (base) WHERE club.event = $1 ORDER BY club.club",
            &[&event],
        )
        .await?;
    let troubles = client
        .query(
            "SELECT club.name, kind, at, times FROM trouble
             JOIN base USING (base) JOIN club USING (club)
             WHERE base.event = $1 ORDER BY last DESC LIMIT 200",
            &[&event],
        )
        .await?;
    drop(client);
    let here = format!("/organise/event/{event}");
    let hint = if shown.staged.is_some() {
        "centre_enter_rooms_hint"
    } else {
        "centre_enter_hint"
    };
    let body = html! {
        p { a href={ "/event/" (event) } { (reader.text("centre_ranking")) }
            @if shown.about.rooms { " · " a href={ (here) "/rooms" } { (reader.text("centre_rooms")) } }
            @if shown.staged.is_some() { " · " a href={ (here) "/matches" } { (reader.text("centre_matches")) } }
        }
        (shown_codes(reader, codes))
        (told_troubles(reader, &troubles))
        (club_table(reader, &shown, &clubs, &here))
        @if !shown.about.is_final {
            h2 { (reader.text("centre_enter_clubs")) }
            form method="post" action={ (here) "/clubs" } {
                label { (reader.text(hint))
                    textarea name="clubs" rows="6" required {} }
                button { (reader.text("centre_enter")) }
            }
            h2 { (reader.text("centre_make_final")) }
            form method="post" action={ (here) "/final" } {
                p { (reader.text("centre_final_hint")) }
                button { (reader.text("centre_make_final")) }
            }
        }
    };
    Ok(frame(reader, &shown.about.name, None, &body))
}

fn shown_codes(reader: Reader, codes: &Codes) -> Markup {
    html! { @if !codes.is_empty() {
        section.codes {
            h2 { (reader.text("centre_codes")) }
            p { (reader.text("centre_codes_hint")) }
            table { tbody { @for (club, code) in codes {
                tr { td { (club) } td { code { (code) } } }
            } } }
        }
    } }
}

fn told_troubles(reader: Reader, troubles: &[Row]) -> Markup {
    let sentence = |row: &Row| {
        let (club, at): (&str, i64) = (row.get(0), row.get(2));
        let told = match row.get(1) {
            "fork" => tell!(Centre::TroubleFork { club, at }),
            "changed" => tell!(Centre::TroubleChanged { club, at }),
            "retired" => tell!(Centre::TroubleRetired { club }),
            "forged" => tell!(Centre::TroubleForged { club }),
            _ => tell!(Centre::TroubleNewer { club, at }),
        };
        told.in_words(reader.voice)
    };
    html! { @if !troubles.is_empty() {
        section.troubles {
            h2 { "⚑ " (reader.text("centre_troubles")) }
            ul { @for row in troubles {
                li { (sentence(row)) " (" (row.get::<_, i64>(3)) "×)" }
            } }
        }
    } }
}

fn club_table(reader: Reader, shown: &Snapshot, clubs: &[Row], here: &str) -> Markup {
    html! { table.clubs {
        thead { tr {
            th { (reader.text("centre_club")) }
            th { (reader.text("centre_region")) }
            th { (reader.text("centre_how_far")) }
            th.number { (reader.text("centre_records")) }
            th {}
        } }
        tbody { @for row in clubs {
            @let number: i32 = row.get(0);
            @let withdrawn: bool = row.get(6);
            tr {
                td { (row.get::<_, &str>(1)) }
                td { (row.get::<_, &str>(2)) }
                td { @if withdrawn { (reader.text("centre_withdrawn")) }
                    @else if row.get::<_, Option<i32>>(4).is_none() {
                        (reader.text(if row.get(3) { "centre_code_out" } else { "centre_not_joined" }))
                    } @else { (phase(reader, shown, number)) }
                    @let copies = shown.sheets.get(&number).map_or(0, |it| it.older_copies);
                    @if copies > 0 { " ⚑ " (reader.text("centre_older_copy")) }
                }
                td.number { (row.get::<_, Option<i64>>(5).unwrap_or_default()) }
                td { @if !shown.about.is_final {
                    form.inline method="post" action={ (here) "/codes" } {
                        input type="hidden" name="club" value=(number);
                        button { (reader.text("centre_new_code")) }
                    }
                    form.inline method="post" action={ (here) "/withdraw" } {
                        input type="hidden" name="club" value=(number);
                        button { (reader.text(if withdrawn { "centre_take_back" } else { "centre_withdraw" })) }
                    }
                } }
            }
        } }
    } }
}

#[derive(Deserialize)]
struct NewClubs {
    clubs: String,
}

/// Enters clubs, one a line: its name, and its region behind a semicolon or a tabulator.
async fn enter(
    State(web): State<Web>,
    Path(event): Path<i32>,
    headers: HeaderMap,
    Form(new): Form<NewClubs>,
) -> Response {
    let page = async {
        Organiser::must(&web, &headers).await?;
        let mut clubs = Vec::new();
        for line in new.clubs.lines().filter(|line| !line.trim().is_empty()) {
            let (name, region) = line.split_once([';', '\t']).unwrap_or((line, ""));
            let region = match region.trim() {
                "" => "",
                region => named(region)?,
            };
            clubs.push((named(name)?.to_owned(), region.to_owned()));
        }
        if clubs.len() > CLUBS_MAX {
            return Err(Refusal::refused(tell!(Centre::TooManyClubs {
                most: CLUBS_MAX
            })));
        }
        let codes = enter_clubs(&web, event, clubs).await?;
        event_page(&web, event, Reader::of(&headers), &codes).await
    };
    answer(page.await, &headers)
}

async fn enter_clubs(
    web: &Web,
    event: i32,
    mut clubs: Vec<(String, String)>,
) -> Result<Codes, Refusal> {
    let mut client = web.database().page().await?;
    let step = client.transaction().await?;
    let about = may_change(&step, event).await?;
    let codes: Vec<String> = clubs.iter().map(|_| code()).collect();
    let tables = tables(&about, &mut clubs)?;
    let hashes: Vec<Vec<u8>> = codes.iter().map(|code| hash_of_code(code)).collect();
    let (names, regions): (Vec<String>, Vec<String>) = clubs.into_iter().unzip();
    step.execute(
        "INSERT INTO club (event, name, region, code, tables)
         SELECT $1, name, region, code, tables
         FROM unnest($2::text[], $3::text[], $4::bytea[], $5::int2[])
         AS entered (name, region, code, tables)",
        &[&event, &names, &regions, &hashes, &tables],
    )
    .await?;
    changed(&step, event).await?;
    step.commit().await?;
    Ok(names.into_iter().zip(codes).collect())
}

/// How many tables each room has: that stands where a club's region would, in an event whose matches
/// are drawn over its rooms.
fn tables(about: &About, clubs: &mut [(String, String)]) -> Result<Vec<i16>, Refusal> {
    if about.matches.is_none() {
        return Ok(vec![0; clubs.len()]);
    }
    let all = clubs.iter_mut().map(|(name, region)| {
        let wrong = || {
            Refusal::refused(tell!(Centre::TablesWanted {
                room: name.as_str()
            }))
        };
        let tables = std::mem::take(region)
            .parse()
            .ok()
            .filter(|it| (1..=TABLES_MAX).contains(it));
        tables.ok_or_else(wrong)
    });
    all.collect()
}

/// Locks an event that is there and not final.
pub(super) async fn may_change(
    step: &tokio_postgres::Transaction<'_>,
    event: i32,
) -> Result<About, Refusal> {
    step.execute("SELECT 1 FROM event WHERE event = $1 FOR UPDATE", &[&event])
        .await?;
    let about = about(step, event).await?;
    let about = about.ok_or_else(|| Refusal::not_found(tell!(Centre::NoSuchEvent)))?;
    if about.is_final {
        return Err(Refusal::refused(tell!(Centre::EventFinal)));
    }
    Ok(about)
}

#[derive(Deserialize)]
struct OfClub {
    club: i32,
}

async fn new_code(
    State(web): State<Web>,
    Path(event): Path<i32>,
    headers: HeaderMap,
    Form(OfClub { club }): Form<OfClub>,
) -> Response {
    let page = async {
        Organiser::must(&web, &headers).await?;
        let mut client = web.database().page().await?;
        let step = client.transaction().await?;
        may_change(&step, event).await?;
        let code = code();
        let row = step
            .query_opt(
                "UPDATE club SET code = $3 WHERE club = $1 AND event = $2 RETURNING name",
                &[&club, &event, &hash_of_code(&code)],
            )
            .await?;
        let row = row.ok_or_else(|| Refusal::not_found(tell!(Centre::NoSuchClub)))?;
        step.commit().await?;
        drop(client);
        let codes = vec![(row.get(0), code)];
        event_page(&web, event, Reader::of(&headers), &codes).await
    };
    answer(page.await, &headers)
}

/// A club that does not take part after all, or does again.
async fn withdraw(
    State(web): State<Web>,
    Path(event): Path<i32>,
    headers: HeaderMap,
    Form(OfClub { club }): Form<OfClub>,
) -> Response {
    let done = async {
        Organiser::must(&web, &headers).await?;
        let mut client = web.database().page().await?;
        let step = client.transaction().await?;
        may_change(&step, event).await?;
        step.execute(
            "UPDATE club SET withdrawn = NOT withdrawn WHERE club = $1 AND event = $2",
            &[&club, &event],
        )
        .await?;
        changed(&step, event).await?;
        step.commit().await?;
        Ok::<_, Refusal>(())
    };
    back_to(event, done.await, &headers)
}

fn back_to(event: i32, done: Result<(), Refusal>, headers: &HeaderMap) -> Response {
    match done {
        Ok(()) => Redirect::to(&format!("/organise/event/{event}")).into_response(),
        Err(refusal) => refusal.page(headers),
    }
}

async fn make_final(
    State(web): State<Web>,
    Path(event): Path<i32>,
    headers: HeaderMap,
) -> Response {
    let done = async {
        Organiser::must(&web, &headers).await?;
        freeze(&web, event).await
    };
    back_to(event, done.await, &headers)
}

/// Makes the result final: read anew from the first record to the last while nobody can add one,
/// and signed.
async fn freeze(web: &Web, event: i32) -> Result<(), Refusal> {
    let mut client = web.database().page().await?;
    let step = client.transaction().await?;
    let about = may_change(&step, event).await?;
    let shown = read_whole(&step, about).await?;
    let waiting: Vec<&str> = shown
        .not_released()
        .map(|club| club.name.as_str())
        .collect();
    if shown.clubs.is_empty() || !waiting.is_empty() {
        let (n, clubs) = (waiting.len(), some_of(&waiting));
        return Err(Refusal::refused(tell!(Centre::NotAllReleased { n, clubs })));
    }
    let text = serde_json::to_string(&RankingView::of(&shown, true)).unwrap_or_default();
    let row = step
        .query_one("SELECT value FROM setting WHERE name = 'key'", &[])
        .await?;
    let key: &str = row.get(0);
    let key = crate::server::key_of(key).ok_or_else(|| {
        Refusal::new(
            axum::http::StatusCode::INTERNAL_SERVER_ERROR,
            tell!(Centre::KeyUnfit),
        )
    })?;
    let signature = sign(&SigningKey::from_bytes(&key), &text);
    step.execute(
        "UPDATE event SET final = $2, signature = $3 WHERE event = $1",
        &[&event, &text, &signature],
    )
    .await?;
    changed(&step, event).await?;
    step.commit().await?;
    Ok(())
}

/// The first of many names.
fn some_of(names: &[&str]) -> String {
    const SHOWN_MAX: usize = 5;
    let more = if names.len() > SHOWN_MAX { ", …" } else { "" };
    let shown: Vec<&str> = names.iter().take(SHOWN_MAX).copied().collect();
    format!("{}{more}", shown.join(", "))
}
