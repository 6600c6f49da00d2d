//! Pages that the server makes itself: printed sheets, the players' page, the interface's list.

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use maud::{DOCTYPE, html};
use qrcode::QrCode;
use qrcode::render::svg;
use serde::Deserialize;
use utoipa::openapi::OpenApi;

use super::{Asked, Named, Problem, Reader, Reads, Web};
use crate::reports::{self, Language, Numbers, Paper, Sheet, SheetKind, Words};
use crate::session::{PairId, Phase, Session, State as Room};
use telling::tell;

pub(super) fn routes() -> Router<Web> {
    Router::new()
        .route("/print/{sheet}", get(print))
        .route("/print/cards/{section}", get(print_cards))
        .route("/results", get(results))
        .route("/results/qr.svg", get(results_code))
        .route("/results/pairs/{pair}", get(own_results))
        .route("/results/sheets/{sheet}", get(public_sheet))
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct OnPaper {
    #[serde(default)]
    paper: Paper,
    /// Players' numbers beside their names.
    #[serde(default)]
    numbers: bool,
    /// Pairs' numbers in a column of their own.
    #[serde(default = "yes")]
    pairs: bool,
}

const fn yes() -> bool {
    true
}

impl OnPaper {
    const fn on_lists(self) -> Numbers {
        Numbers {
            pairs: self.pairs,
            players: self.numbers,
        }
    }
}

/// Somebody looks at this with a browser, so a refusal is a page as well.
pub(super) fn as_page(language: Language, made: Result<String, Problem>) -> Response {
    as_shown(language, made.map(|page| Html(page).into_response()))
}

fn as_shown(language: Language, made: Result<Response, Problem>) -> Response {
    made.unwrap_or_else(|problem| {
        let page = reports::apology(Words::of(language), problem.sentence());
        (problem.status(), Html(page)).into_response()
    })
}

/// `ranking.pdf` is the sheet `ranking` as PDF.
fn name_and_form(name: &str) -> (&str, bool) {
    let pdf = name.strip_suffix(".pdf");
    (pdf.unwrap_or(name), pdf.is_some())
}

/// A sheet that a browser shows or saves.
fn as_pdf(
    sheet: &Sheet<'_>,
    kind: &'static SheetKind,
    body: &maud::Markup,
) -> Result<Response, Problem> {
    let file = reports::pdf_of(sheet, &[(kind, body)]).map_err(Problem::fault)?;
    let name = format!("inline; filename=\"{}.pdf\"", kind.name);
    let headers = [
        (header::CONTENT_TYPE, "application/pdf".to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, file).into_response())
}

/// A sheet on paper, or as the page that is printed.
fn shown(
    sheet: &Sheet<'_>,
    kind: &'static SheetKind,
    body: &maud::Markup,
    pdf: bool,
) -> Result<Response, Problem> {
    if pdf {
        as_pdf(sheet, kind, body)
    } else {
        Ok(Html(kind.page_with(sheet, body)).into_response())
    }
}

/// An address that nothing stands behind. Programs are told in their own way.
pub(super) async fn nowhere(uri: Uri, Reads(language): Reads) -> Response {
    let problem = Problem::not_found(tell!(Asked::ThereNoSuchPageHere));
    if uri.path().starts_with("/api/") {
        problem.into_response()
    } else {
        as_page(language, Err(problem))
    }
}

/// The session, where its result may be shown to this visitor.
fn session<'a>(state: &'a Room, reader: Option<&Reader>) -> Result<&'a Session, Problem> {
    let session = state
        .session
        .as_ref()
        .ok_or_else(|| Problem::not_found(tell!(Asked::ThereNoSessionYet2)))?;
    let director = reader.is_some_and(Reader::is_director);
    if director || session.phase == Phase::Released {
        Ok(session)
    } else {
        Err(Problem::not_found(tell!(
            Asked::DirectorNotReleasedResultYet
        )))
    }
}

async fn print(
    State(web): State<Web>,
    reader: Result<Reader, Problem>,
    Named(sheet): Named<String>,
    Asked(asked): Asked<OnPaper>,
    Reads(language): Reads,
) -> Response {
    as_shown(language, printed(&web, reader, &sheet, asked, language))
}

fn printed(
    web: &Web,
    reader: Result<Reader, Problem>,
    name: &str,
    asked: OnPaper,
    language: Language,
) -> Result<Response, Problem> {
    let state = web.desk().state();
    let reader = reader?;
    if name == "rescue" && state.session.is_none() && reader.is_director() {
        // A journal can be damaged before a session is chosen.
        let words = Words::of(language);
        let title = words.text("print_rescue");
        let body = html! { main { h1 { (title) } (reports::rescue_of(&state, words)) } };
        return Ok(Html(reports::plain(words, title, &body)).into_response());
    }
    let session = session(&state, Some(&reader))?;
    let sheet = Sheet {
        paper: asked.paper,
        numbers: asked.on_lists(),
        codes: codes_of(web, &reader, session),
        ..sheet_of(web, &state, session, language)
    };
    let (name, pdf) = name_and_form(name);
    let kind =
        SheetKind::named(name).ok_or_else(|| Problem::not_found(tell!(Asked::ThereNoSuchSheet)))?;
    shown(&sheet, kind, &(kind.body)(&sheet), pdf)
}

/// What a sheet is made from, on the usual paper.
pub(crate) fn sheet_of<'a>(
    web: &Web,
    state: &'a Room,
    session: &'a Session,
    language: Language,
) -> Sheet<'a> {
    Sheet {
        printed: web.desk().now(),
        on_site: true,
        field: web.desk().session().view().large_field.clone(),
        ..Sheet::on_paper(state, session, language)
    }
}

/// The codes for the table cards, where phones can reach this page. Whoever may only look is not
/// shown them.
fn codes_of(
    web: &Web,
    reader: &Reader,
    session: &Session,
) -> std::collections::BTreeMap<crate::session::TableId, String> {
    let shown = reader.is_director() && web.phone_address().is_some();
    let tables = session.all_tables().filter(|_| shown);
    tables
        .filter_map(|table| Some((table, web.phone_link(table)?)))
        .collect()
}

async fn print_cards(
    State(web): State<Web>,
    reader: Result<Reader, Problem>,
    Named(letter): Named<String>,
    Asked(OnPaper { paper, .. }): Asked<OnPaper>,
    Reads(language): Reads,
) -> Response {
    let made = || {
        let reader = reader?;
        let state = web.desk().state();
        let (letter, pdf) = name_and_form(&letter);
        let letter: protocol::words::SectionLetter = letter.parse()?;
        let found = state.session.as_ref().and_then(|session| {
            let section = session.sections.get(&letter)?;
            Some((session, section))
        });
        let (session, section) = found
            .ok_or_else(|| Problem::not_found(tell!(Asked::ThereNoSectionTonight { letter })))?;
        let sheet = Sheet {
            paper,
            codes: codes_of(&web, &reader, session),
            ..sheet_of(&web, &state, session, language)
        };
        let body = reports::table_cards(&sheet, letter, section);
        let kind = SheetKind::named("cards");
        let kind = kind.ok_or_else(|| Problem::not_found(tell!(Asked::ThereNoSuchSheet)))?;
        shown(&sheet, kind, &body, pdf)
    };
    as_shown(language, made())
}

/// The players' page, for everybody once the result is released.
async fn results(State(web): State<Web>, Reads(language): Reads) -> Response {
    let state = web.desk().state();
    let Some(own) = &state.session else {
        let none = session(&state, None).map(|_| String::new());
        return as_page(language, none);
    };
    let sheet = sheet_of(&web, &state, own, language);
    match own.phase {
        Phase::Released => as_page(language, Ok(sheet.public_page())),
        // Who plays matches has to know where to go before anything is released.
        Phase::Open if !own.contests.is_empty() => as_page(language, Ok(sheet.live_page())),
        Phase::SettingUp | Phase::Open | Phase::Ended => {
            let sheets: Vec<_> = before_play(own).collect();
            let page = Html(sheet.early_page(&sheets));
            (StatusCode::NOT_FOUND, page).into_response()
        }
    }
}

async fn own_results(
    State(web): State<Web>,
    Named(name): Named<String>,
    Reads(language): Reads,
) -> Response {
    released(&web, language, |sheet| {
        let pair: PairId = name.parse()?;
        if !sheet.session.pairs().contains(&pair) {
            return Err(Problem::not_found(tell!(Asked::ThereNoPairTonight {
                pair
            })));
        }
        Ok(sheet.public_scorecard(pair))
    })
}

/// Sheets that tell who sits where: they hang on the wall before anybody has played a board.
const BEFORE_PLAY: [&str; 3] = ["draw", "route", "names"];

/// The sheets of this session that players may read at any time.
fn before_play(session: &Session) -> impl Iterator<Item = &'static SheetKind> {
    let drawn = !session.contests.is_empty();
    let names = BEFORE_PLAY.into_iter();
    names
        .filter(move |name| drawn || *name != "draw")
        .filter_map(SheetKind::named)
}

/// A page for everybody, of a session whose result is released.
fn released(
    web: &Web,
    language: Language,
    page: impl FnOnce(&Sheet<'_>) -> Result<String, Problem>,
) -> Response {
    let state = web.desk().state();
    let made =
        session(&state, None).and_then(|session| page(&sheet_of(web, &state, session, language)));
    as_page(language, made)
}

/// Sheets that players may read on their phones instead of on a wall: who sits where at any time,
/// what was played once the result is released.
const ON_PHONES: [&str; 14] = [
    "ranking",
    "standing",
    "draw",
    "crosstable",
    "matchsheets",
    "travellers",
    "frequencies",
    "scorecards",
    "route",
    "names",
    "hands",
    "records",
    "charts",
    "winners",
];

/// A sheet as it would hang on the wall, for the phones of a club that has no printer.
async fn public_sheet(
    State(web): State<Web>,
    Named(name): Named<String>,
    Reads(language): Reads,
) -> Response {
    let page = |sheet: &Sheet<'_>| {
        let kind = SheetKind::named(&name).filter(|kind| ON_PHONES.contains(&kind.name));
        let kind = kind.ok_or_else(|| Problem::not_found(tell!(Asked::ThereNoSuchSheet)))?;
        let back = sheet.way_back();
        let body = html! { ((kind.body)(sheet)) (back) };
        Ok(kind.page_with(sheet, &body))
    };
    let state = web.desk().state();
    let early = |session: &&Session| before_play(session).any(|kind| kind.name == name);
    match state.session.as_ref().filter(early) {
        Some(session) => as_page(language, page(&sheet_of(&web, &state, session, language))),
        None => released(&web, language, page),
    }
}

/// Which sheet a code leads to; the players' page where none is named.
#[derive(Clone, Debug, Deserialize)]
struct CodeOf {
    #[serde(default)]
    sheet: String,
}

/// The way to the players' page, to be photographed from the director's screen.
async fn results_code(
    State(web): State<Web>,
    Asked(asked): Asked<CodeOf>,
) -> Result<impl IntoResponse, Problem> {
    // A code of this machine's own address would lead every phone to itself.
    let address = web
        .phone_address()
        .ok_or_else(|| Problem::not_found(tell!(Asked::PhonesCantReachPage)))?;
    let page = match ON_PHONES.into_iter().find(|name| *name == asked.sheet) {
        Some(name) => format!("{address}/results/sheets/{name}"),
        None => format!("{address}/results"),
    };
    let code = QrCode::new(page).map_err(Problem::fault)?;
    let picture = code
        .render::<svg::Color<'_>>()
        .min_dimensions(180, 180)
        .build();
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], picture))
}

/// The interface in a table, for programmers without a tool to read the description.
pub(super) fn api_page(description: &OpenApi) -> String {
    let paths = serde_json::to_value(&description.paths).unwrap_or_default();
    let empty = serde_json::Map::new();
    let paths = paths.as_object().unwrap_or(&empty);
    html! {
        (DOCTYPE)
        html lang="en" {
            head { meta charset="utf-8"; meta name="viewport" content="width=device-width, initial-scale=1"; title { "The API of Byestand" } link rel="stylesheet" href="/assets/css/base.css"; }
            body { main {
                h1 { "The API of Byestand" }
                p { "The whole description, generated from the code: " a href="/api/openapi.json" { "/api/openapi.json" } }
                div.scroll tabindex="0" role="group" aria-label="Requests" { table {
                    thead { tr { th { "Request" } th { "Address" } th { "What it does" } } }
                    tbody { @for (path, methods) in paths {
                        @for (method, operation) in methods.as_object().unwrap_or(&empty) {
                            tr { td { (method.to_uppercase()) } td { code { (path) } } td { (operation["summary"].as_str().unwrap_or_default()) } }
                        }
                    } }
                } }
            } }
        }
    }
    .into_string()
}
