//! What readers see: events, the ranking, a club, a board; and the same for programs.

use std::collections::BTreeSet;
use std::fmt::{Display, Write as _};
use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use maud::{Markup, html};
use protocol::words::BoardNumber;
use scoring::Standing;
use serde::{Deserialize, Serialize};
use telling::tell;

use super::page::{board_link, decimal, frame, pair, place, result};
use super::{Reader, Refusal, Web};
use crate::field::Entrant;
use crate::said::{PairName, Phase};
use crate::snapshot::{Snapshot, Whose};

/// Pairs on one page.
const PAGE: usize = 100;

pub(super) fn routes() -> Router<Web> {
    Router::new()
        .route("/", get(events))
        .route("/event/{event}", get(ranking))
        .route("/event/{event}/club/{club}", get(club))
        .route("/event/{event}/board/{board}", get(board))
        .route("/event/{event}/ranking.json", get(ranking_json))
        .route("/event/{event}/final.json", get(final_json))
}

async fn events(State(web): State<Web>, headers: HeaderMap) -> Result<Html<String>, Response> {
    let reader = Reader::of(&headers);
    let told = |refusal: Refusal| refusal.page(&headers);
    let client = web.database().page().await.map_err(|it| told(it.into()))?;
    let rows = client
        .query(
            "SELECT event, name, final IS NOT NULL FROM event ORDER BY event DESC",
            &[],
        )
        .await
        .map_err(|it| told(it.into()))?;
    let events = rows.iter();
    let events = events.map(|it| (it.get(0), it.get(1), it.get(2)));
    let events: Vec<(i32, &str, bool)> = events.collect();
    let title = reader.text("centre_events");
    let body = html! {
        @if events.is_empty() { p { (reader.text("centre_no_events")) } }
        ul.events { @for (event, name, is_final) in events {
            li {
                a href={ "/event/" (event) } { (name) }
                @if is_final { " · " (reader.text("centre_final")) }
            }
        } }
        p.quiet { a href="/organise" { (reader.text("centre_organise")) } }
    };
    Ok(frame(reader, title, None, &body))
}

/// The event, or a page that says that there is none.
async fn shown(web: &Web, event: i32, headers: &HeaderMap) -> Result<Arc<Snapshot>, Response> {
    let none = || Refusal::not_found(tell!(Centre::NoSuchEvent)).page(headers);
    web.follower().event(event).await.ok_or_else(none)
}

#[derive(Debug, Default, Deserialize)]
struct Which {
    #[serde(default)]
    page: usize,
    #[serde(default)]
    region: String,
}

async fn ranking(
    State(web): State<Web>,
    Path(event): Path<i32>,
    Query(which): Query<Which>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let shown = shown(&web, event, &headers).await?;
    let reader = Reader::of(&headers);
    let key = format!(
        "{} {} {}",
        reader.voice.language.code(),
        which.page,
        which.region
    );
    let made = || ranking_page(reader, &shown, &which).0;
    let page = shown.pages.get_or_make(key, made);
    Ok(Html(page).into_response())
}

fn ranking_page(reader: Reader, shown: &Snapshot, which: &Which) -> Html<String> {
    let event = shown.about.event;
    let whose = match which.region.as_str() {
        "" => Whose::All,
        region => Whose::Region(region.to_owned()),
    };
    let list = shown.list(&whose);
    let pages = list.len().div_ceil(PAGE);
    let page = which.page.min(pages.saturating_sub(1));
    let places = list.iter().skip(page * PAGE).take(PAGE);
    let boards: Vec<BoardNumber> = shown.boards.keys().copied().collect();
    let body = html! {
        div #live {
            (how_far(reader, shown))
            (regions(reader, shown, which))
            (standings(reader, shown, &whose, places))
            @if pages > 1 { (turn(reader, which, page, pages)) }
            @if shown.is_open() {
                h2 { (reader.text("centre_boards")) }
                p.boards { @for board in boards { (board_link(event, board)) " " } }
            }
            h2 { (reader.text("centre_clubs")) }
            (clubs(reader, shown))
        }
    };
    frame(reader, &shown.about.name, Some(event), &body)
}

/// Whether the result is final, and who is still missing.
fn how_far(reader: Reader, shown: &Snapshot) -> Markup {
    let waiting = shown.not_released().count();
    let clubs = shown.clubs.len();
    let released = clubs - waiting;
    let parts: [(&str, &dyn Display); 2] = [("n", &released), ("clubs", &clubs)];
    html! {
        @if shown.about.is_final {
            p.final { "✓ " (reader.text("centre_is_final")) " "
                a href={ "/event/" (shown.about.event) "/final.json" } { (reader.text("centre_signed")) } }
        } @else {
            p.provisional { "… " (reader.text("centre_provisional")) " " (reader.with("centre_released_of", &parts)) }
        }
    }
}

fn regions(reader: Reader, shown: &Snapshot, which: &Which) -> Markup {
    let regions: BTreeSet<&str> = shown.clubs.values().map(|it| it.region.as_str()).collect();
    html! { @if regions.len() > 1 {
        nav.regions {
            (link(reader.text("centre_everybody"), which.region.is_empty(), 0, ""))
            @for region in regions.into_iter().filter(|region| !region.is_empty()) {
                " " (link(region, which.region == region, 0, region))
            }
        }
    } }
}

/// A link to a part of the ranking; the one that is shown is none.
fn link(text: &str, here: bool, page: usize, region: &str) -> Markup {
    let region = region.bytes().fold(String::new(), |mut written, byte| {
        let _ = write!(written, "%{byte:02X}");
        written
    });
    html! {
        @if here { strong aria-current="page" { (text) } }
        @else { a href={ "?page=" (page) "&region=" (region) } { (text) } }
    }
}

fn turn(reader: Reader, which: &Which, page: usize, pages: usize) -> Markup {
    let parts: [(&str, &dyn Display); 2] = [("page", &(page + 1)), ("pages", &pages)];
    html! { nav.turn {
        @if page > 0 { (link(reader.text("centre_earlier"), false, page - 1, &which.region)) " " }
        (reader.with("centre_page", &parts))
        @if page + 1 < pages { " " (link(reader.text("centre_later"), false, page + 1, &which.region)) }
    } }
}

fn standings<'a>(
    reader: Reader,
    shown: &Snapshot,
    whose: &Whose,
    places: impl Iterator<Item = &'a Standing<Entrant>>,
) -> Markup {
    let event = shown.about.event;
    let club_name = |club: i32| shown.clubs.get(&club).map_or("", |it| it.name.as_str());
    let of_club = matches!(whose, Whose::Club(_));
    let mut places = places.peekable();
    html! {
        @if places.peek().is_none() {
            p { (reader.text("centre_no_results")) }
        } @else {
            table.ranking {
                thead { tr {
                    th.number { (reader.text("centre_place")) }
                    @if of_club { th.number { (reader.text("centre_in_club")) } }
                    th { (reader.text("centre_pair_heading")) }
                    @if !of_club { th { (reader.text("centre_club")) } }
                    th.number { (reader.text("centre_played")) }
                    th.number { (reader.text("centre_result")) }
                } }
                tbody { @for standing in places {
                    @let entrant = standing.contestant;
                    tr {
                        @if of_club {
                            @let overall = shown.ranking.find(entrant).and_then(|it| it.rank);
                            td.number { (rank(overall)) }
                        }
                        td.number { (rank(standing.rank)) }
                        td { (pair(reader, shown, entrant)) }
                        @if !of_club {
                            td { a href={ "/event/" (event) "/club/" (entrant.club) } { (club_name(entrant.club)) } }
                        }
                        td.number { (standing.boards) }
                        td.number { (result(reader, &shown.rules, standing)) }
                    }
                } }
            }
        }
    }
}

fn rank(rank: Option<u32>) -> String {
    rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string())
}

fn clubs(reader: Reader, shown: &Snapshot) -> Markup {
    let event = shown.about.event;
    html! { table.clubs { tbody { @for (number, club) in &shown.clubs {
        tr {
            td { a href={ "/event/" (event) "/club/" (number) } { (club.name) } }
            td { (club.region) }
            td { (phase(reader, shown, *number)) }
        }
    } } } }
}

/// How far a club is, in words.
pub(super) fn phase(reader: Reader, shown: &Snapshot, club: i32) -> &'static str {
    if !shown.sheets.contains_key(&club) {
        return reader.text("centre_not_heard");
    }
    match shown.phase(club) {
        Phase::Playing => reader.text("centre_playing"),
        Phase::Over => reader.text("centre_over"),
        Phase::Released => reader.text("centre_released"),
    }
}

async fn club(
    State(web): State<Web>,
    Path((event, number)): Path<(i32, i32)>,
    headers: HeaderMap,
) -> Result<Html<String>, Response> {
    let shown = shown(&web, event, &headers).await?;
    let reader = Reader::of(&headers);
    let none = || Refusal::not_found(tell!(Centre::NoSuchClub)).page(&headers);
    let club = shown.clubs.get(&number).ok_or_else(none)?;
    let whose = Whose::Club(number);
    let list = shown.list(&whose);
    let doubled = shown.doubled.get(&number).into_iter().flatten();
    let doubled: Vec<String> = doubled.map(|it| place(reader, *it)).collect();
    let body = html! {
        p { a href={ "/event/" (event) } { (shown.about.name) } " · " (phase(reader, &shown, number)) }
        div #live {
            (how_far(reader, &shown))
            @if !doubled.is_empty() {
                p.warning { "⚑ " (reader.text("centre_not_counted")) " " (doubled.join(", ")) }
            }
            (standings(reader, &shown, &whose, list.iter()))
        }
    };
    Ok(frame(reader, &club.name, Some(event), &body))
}

async fn board(
    State(web): State<Web>,
    Path((event, number)): Path<(i32, u8)>,
    headers: HeaderMap,
) -> Result<Html<String>, Response> {
    let shown = shown(&web, event, &headers).await?;
    let reader = Reader::of(&headers);
    if !shown.is_open() {
        return Err(Refusal::refused(tell!(Centre::BoardsNotYet)).page(&headers));
    }
    let none = || Refusal::not_found(tell!(Centre::NoSuchBoard)).page(&headers);
    let over = BoardNumber::new(number).and_then(|board| shown.boards.get(&board));
    let over = over.ok_or_else(none)?;
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
    Ok(frame(reader, &title, Some(event), &body))
}

/// The ranking for programs. It is what the final result signs.
#[derive(Debug, Serialize)]
pub(super) struct RankingView<'a> {
    event: i32,
    name: &'a str,
    /// So many records were taken when it was made.
    place: i64,
    is_final: bool,
    pairs: Vec<PairView<'a>>,
}

#[derive(Debug, Serialize)]
struct PairView<'a> {
    rank: Option<u32>,
    club: i32,
    club_name: &'a str,
    region: &'a str,
    pair: PairName,
    players: Option<&'a [String; 2]>,
    boards: u32,
    points: scoring::Points,
    percent: Option<scoring::Percent>,
}

impl<'a> RankingView<'a> {
    pub(super) fn of(shown: &'a Snapshot, is_final: bool) -> Self {
        let pairs = shown.ranking.standings.iter().map(|standing| {
            let entrant = standing.contestant;
            let club = shown.clubs.get(&entrant.club);
            PairView {
                rank: standing.rank,
                club: entrant.club,
                club_name: club.map_or("", |it| it.name.as_str()),
                region: club.map_or("", |it| it.region.as_str()),
                pair: PairName(entrant.pair),
                players: shown.players(entrant),
                boards: standing.boards,
                points: standing.points,
                percent: standing.percent,
            }
        });
        Self {
            event: shown.about.event,
            name: &shown.about.name,
            place: shown.place,
            is_final,
            pairs: pairs.collect(),
        }
    }
}

async fn ranking_json(State(web): State<Web>, Path(event): Path<i32>) -> Result<Response, Refusal> {
    let shown = web.follower().event(event).await;
    let shown = shown.ok_or_else(|| Refusal::not_found(tell!(Centre::NoSuchEvent)))?;
    let view = RankingView::of(&shown, shown.about.is_final);
    Ok(Json(view).into_response())
}

/// The final result, the centre's signature under it and the key to check it with.
async fn final_json(State(web): State<Web>, Path(event): Path<i32>) -> Result<Response, Refusal> {
    let client = web.database().page().await?;
    let row = client
        .query_opt(
            "SELECT final, signature, (SELECT value FROM setting WHERE name = 'public key')
             FROM event WHERE event = $1 AND final IS NOT NULL",
            &[&event],
        )
        .await?;
    let row = row.ok_or_else(|| Refusal::not_found(tell!(Centre::NotFinal)))?;
    let (text, signature, key): (String, String, Option<String>) =
        (row.get(0), row.get(1), row.get(2));
    let view = serde_json::json!({ "result": text, "signature": signature, "key": key });
    Ok(Json(view).into_response())
}
