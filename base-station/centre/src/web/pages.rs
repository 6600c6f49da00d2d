//! What readers see: events, the ranking, a club, a board; and the same for programs.

use std::collections::BTreeSet;
use std::fmt::{Display, Write as _};
use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use maud::{Markup, html};
use protocol::words::BoardNumber;
use scoring::Standing;
use serde::{Deserialize, Serialize};
use telling::tell;

use super::page::{board_link, frame, pair, place, result};
use super::{Reader, Refusal, Web, matches, usebio};
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
        .route("/event/{event}/ranking.json", get(ranking_json))
        .route("/event/{event}/final.json", get(final_json))
        .route("/event/{event}/usebio.xml", get(usebio_file))
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
pub(super) async fn shown(
    web: &Web,
    event: i32,
    headers: &HeaderMap,
) -> Result<Arc<Snapshot>, Response> {
    let none = || Refusal::not_found(tell!(Centre::NoSuchEvent)).page(headers);
    web.follower().event(event).await.ok_or_else(none)
}

#[derive(Debug, Default, Deserialize)]
struct Which {
    #[serde(default)]
    page: usize,
    #[serde(default)]
    region: String,
    #[serde(default)]
    category: String,
}

impl Which {
    fn whose(&self) -> Whose {
        match (self.region.as_str(), self.category.as_str()) {
            ("", "") => Whose::All,
            ("", category) => Whose::Category(category.to_owned()),
            (region, _) => Whose::Region(region.to_owned()),
        }
    }
}

async fn ranking(
    State(web): State<Web>,
    Path(event): Path<i32>,
    Query(which): Query<Which>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let shown = shown(&web, event, &headers).await?;
    let name = format!("ranking {} {:?}", which.page, which.whose());
    Ok(kept(&shown, &headers, &name, HTML, |reader| {
        ranking_page(reader, &shown, &which).0
    }))
}

pub(super) const HTML: &str = "text/html; charset=utf-8";
const JSON: &str = "application/json";

/// A page of a moment, made for the first who asks for it. Whoever has it already is told so, and
/// what stands between us and many readers may keep it for as long as nobody reads faster.
pub(super) fn kept(
    shown: &Snapshot,
    headers: &HeaderMap,
    name: &str,
    kind: &'static str,
    make: impl FnOnce(Reader) -> String,
) -> Response {
    let reader = Reader::of(headers);
    let language = reader.voice.language.code();
    let tag = format!("W/\"{}-{language}\"", shown.stamp());
    let asked = |name: HeaderName| headers.get(name).and_then(|it| it.to_str().ok());
    let about = [
        (header::ETAG, tag.clone()),
        (header::CACHE_CONTROL, "public, max-age=1".to_owned()),
        (header::VARY, "accept-language, accept-encoding".to_owned()),
        (header::CONTENT_TYPE, kind.to_owned()),
    ];
    if asked(header::IF_NONE_MATCH).is_some_and(|known| known.contains(&tag)) {
        return (StatusCode::NOT_MODIFIED, about).into_response();
    }
    let page = (shown.pages).get_or_make(&format!("{language} {name}"), || make(reader));
    let squeezed = asked(header::ACCEPT_ENCODING).is_some_and(|it| it.contains("gzip"));
    if squeezed && !page.squeezed.is_empty() {
        let coding = [(header::CONTENT_ENCODING, "gzip")];
        return (about, coding, page.squeezed).into_response();
    }
    (about, page.plain).into_response()
}

fn ranking_page(reader: Reader, shown: &Snapshot, which: &Which) -> Html<String> {
    let event = shown.about.event;
    let whose = which.whose();
    let list = shown.list(&whose);
    let pages = list.len().div_ceil(PAGE);
    let page = which.page.min(pages.saturating_sub(1));
    let places = list.iter().skip(page * PAGE).take(PAGE);
    let boards: Vec<BoardNumber> = shown.boards.keys().copied().collect();
    let body = html! {
        div #live {
            (how_far(reader, shown))
            @if let Some(staged) = &shown.staged { (matches::standing(reader, shown, staged)) }
            @else {
                (regions(reader, shown, which))
                (standings(reader, shown, &whose, places))
                @if pages > 1 { (turn(reader, which, page, pages)) }
            }
            @if shown.is_open() {
                h2 { (reader.text("centre_boards")) }
                p.boards { @for board in boards { (board_link(event, board)) " " } }
                p { a href={ "/event/" (event) "/usebio.xml" } { (reader.text("centre_usebio")) } }
            }
            h2 { (reader.text("centre_clubs")) }
            (clubs(reader, shown))
        }
    };
    frame(reader, &shown.about.name, Some(shown), &body)
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

/// Lists of their own: regions and categories.
fn regions(reader: Reader, shown: &Snapshot, which: &Which) -> Markup {
    let regions: BTreeSet<&str> = shown.clubs.values().map(|it| it.region.as_str()).collect();
    let regions = if regions.len() > 1 {
        regions
    } else {
        BTreeSet::new()
    };
    let regions = regions.into_iter().filter(|region| !region.is_empty());
    let regions = regions.map(|region| (region, Whose::Region(region.to_owned())));
    let categories = shown.categories().into_iter();
    let categories = categories.map(|it| (it, Whose::Category(it.to_owned())));
    let lists: Vec<(&str, Whose)> = regions.chain(categories).collect();
    let here = which.whose();
    html! { @if !lists.is_empty() {
        nav.regions {
            (link(reader.text("centre_everybody"), here == Whose::All, 0, &Whose::All))
            @for (name, whose) in &lists { " " (link(name, here == *whose, 0, whose)) }
        }
    } }
}

/// A link to a part of the ranking; the one that is shown is none.
fn link(text: &str, here: bool, page: usize, whose: &Whose) -> Markup {
    let (key, value) = match whose {
        Whose::All | Whose::Club(_) => ("region", ""),
        Whose::Region(region) => ("region", region.as_str()),
        Whose::Category(category) => ("category", category.as_str()),
    };
    let value = value.bytes().fold(String::new(), |mut written, byte| {
        let _ = write!(written, "%{byte:02X}");
        written
    });
    html! {
        @if here { strong aria-current="page" { (text) } }
        @else { a href={ "?page=" (page) "&" (key) "=" (value) } { (text) } }
    }
}

fn turn(reader: Reader, which: &Which, page: usize, pages: usize) -> Markup {
    let parts: [(&str, &dyn Display); 2] = [("page", &(page + 1)), ("pages", &pages)];
    let whose = which.whose();
    html! { nav.turn {
        @if page > 0 { (link(reader.text("centre_earlier"), false, page - 1, &whose)) " " }
        (reader.with("centre_page", &parts))
        @if page + 1 < pages { " " (link(reader.text("centre_later"), false, page + 1, &whose)) }
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
) -> Result<Response, Response> {
    let shown = shown(&web, event, &headers).await?;
    let none = || Refusal::not_found(tell!(Centre::NoSuchClub)).page(&headers);
    let club = shown.clubs.get(&number).ok_or_else(none)?;
    let name = format!("club {number}");
    Ok(kept(&shown, &headers, &name, HTML, |reader| {
        club_page(reader, &shown, number, &club.name).0
    }))
}

fn club_page(reader: Reader, shown: &Snapshot, number: i32, name: &str) -> Html<String> {
    let event = shown.about.event;
    let whose = Whose::Club(number);
    let list = shown.list(&whose);
    let doubled = shown.doubled.get(&number).into_iter().flatten();
    let doubled: Vec<String> = doubled.map(|it| place(reader, *it)).collect();
    let body = html! {
        p { a href={ "/event/" (event) } { (shown.about.name) } " · " (phase(reader, shown, number)) }
        div #live {
            (how_far(reader, shown))
            @if !doubled.is_empty() {
                p.warning { "⚑ " (reader.text("centre_not_counted")) " " (doubled.join(", ")) }
            }
            (standings(reader, shown, &whose, list.iter()))
        }
    };
    frame(reader, name, Some(shown), &body)
}

/// The ranking for programs. It is what the final result signs.
#[derive(Debug, Serialize)]
pub(super) struct RankingView<'a> {
    event: i32,
    name: &'a str,
    /// So many records were taken when it was made.
    place: i64,
    is_final: bool,
    /// Where everybody stands who plays matches over all rooms.
    #[serde(skip_serializing_if = "Option::is_none")]
    standing: Option<Vec<matches::StandingView<'a>>>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    category: Option<&'a str>,
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
                category: shown.category(entrant),
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
            standing: shown.staged.as_ref().map(matches::StandingView::all),
            pairs: pairs.collect(),
        }
    }
}

async fn ranking_json(
    State(web): State<Web>,
    Path(event): Path<i32>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let shown = web.follower().event(event).await;
    let shown = shown.ok_or_else(|| Refusal::not_found(tell!(Centre::NoSuchEvent)))?;
    Ok(kept(&shown, &headers, "ranking.json", JSON, |_| {
        let view = RankingView::of(&shown, shown.about.is_final);
        serde_json::to_string(&view).unwrap_or_default()
    }))
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

/// The whole event for programs that read USEBIO, once the last club has played.
async fn usebio_file(
    State(web): State<Web>,
    Path(event): Path<i32>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let shown = shown(&web, event, &headers).await?;
    if !shown.is_open() {
        return Err(Refusal::refused(tell!(Centre::BoardsNotYet)).page(&headers));
    }
    let told = |refusal: Refusal| refusal.page(&headers);
    let client = web.database().page().await.map_err(|it| told(it.into()))?;
    let sql = "SELECT to_char(created, 'DD/MM/YYYY') FROM event WHERE event = $1";
    let row = client.query_one(sql, &[&event]).await;
    let date: String = row.map_err(|it| told(it.into()))?.get(0);
    drop(client);
    let made = tokio::task::spawn_blocking(move || usebio::write(&shown, &date)).await;
    let made = made.map_err(std::io::Error::other).and_then(|made| made);
    let file = made.map_err(|fault| {
        tracing::error!(%fault, "the file could not be written");
        let told = tell!(Centre::DatabaseAway);
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, told).page(&headers)
    })?;
    let about = [
        (header::CONTENT_TYPE, "application/xml".to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"event-{event}-usebio.xml\""),
        ),
    ];
    Ok((about, file).into_response())
}
