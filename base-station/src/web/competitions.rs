//! Competitions as pages: for the wall, and for everybody's phone under an address that stays.

use std::collections::BTreeMap;

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use qrcode::QrCode;
use qrcode::render::svg;
use serde::Deserialize;

use super::api::competition::{
    HonoursOf, YearOf, championship, honours_of, knockout, known, view, year_of,
};
use super::pages::as_page;
use super::{Asked, Named, Problem, Reader, Reads, Web};
use crate::reports::{self, Language, Notice, Paper, Words};
use crate::session::State as Room;
use crate::view::Audience;
use telling::tell;

pub(super) fn routes() -> Router<Web> {
    Router::new()
        .route("/competitions", get(all))
        .route("/competitions/honours", get(honours))
        .route("/print/competitions/honours", get(print_honours))
        .route("/competitions/{competition}", get(one))
        .route("/championships/{championship}", get(championship))
        .route(
            "/championships/{championship}/qr.svg",
            get(championship_code),
        )
        .route(
            "/print/championships/{championship}",
            get(print_championship),
        )
        .route("/competitions/{competition}/qr.svg", get(code))
        .route("/print/competitions/{competition}", get(print))
        .route("/print/player", get(print_year))
        .route("/knockouts/{knockout}", get(knock_out))
        .route("/knockouts/{knockout}/picture.svg", get(picture))
        .route("/print/knockouts/{knockout}", get(print_knock_out))
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct OnPaper {
    #[serde(default)]
    paper: Paper,
}

fn notice<'a>(web: &Web, state: &'a Room, language: Language, paper: Option<Paper>) -> Notice<'a> {
    Notice {
        club: &state.club,
        words: Words::of(language),
        paper,
        printed: web.desk().now(),
    }
}

/// What is played over several sessions, for everybody.
async fn all(State(web): State<Web>, Reads(language): Reads) -> Response {
    let state = web.desk().state();
    let page = reports::competitions_page(&notice(&web, &state, language, None));
    as_page(language, Ok(page))
}

/// A competition for everybody: what is released.
async fn one(
    State(web): State<Web>,
    Named(number): Named<u32>,
    Reads(language): Reads,
) -> Response {
    let made = async {
        let state = web.desk().state();
        let (_, competition) = known(&state.club, number)?;
        if competition.away {
            return Err(Problem::not_found(tell!(Competition::NoSuchCompetition {
                n: number
            })));
        }
        let view = view(&web, &state, number, Audience::Everybody).await?;
        let notice = notice(&web, &state, language, None);
        Ok(reports::competition_page(&notice, &view))
    };
    as_page(language, made.await)
}

/// For the wall.
async fn print(
    State(web): State<Web>,
    reader: Result<Reader, Problem>,
    Named(number): Named<u32>,
    Asked(OnPaper { paper }): Asked<OnPaper>,
    Reads(language): Reads,
) -> Response {
    let made = async {
        let audience = reader?.audience();
        let state = web.desk().state();
        let view = view(&web, &state, number, audience).await?;
        let notice = notice(&web, &state, language, Some(paper));
        Ok(reports::competition_page(&notice, &view))
    };
    as_page(language, made.await)
}

/// A player's results, to take home.
async fn print_year(
    State(web): State<Web>,
    reader: Result<Reader, Problem>,
    Asked(asked): Asked<YearOf>,
    Asked(OnPaper { paper }): Asked<OnPaper>,
    Reads(language): Reads,
) -> Response {
    let made = async {
        let audience = reader?.audience();
        let state = web.desk().state();
        let year = year_of(&web, &state, audience, &asked).await?;
        let notice = notice(&web, &state, language, Some(paper));
        Ok(reports::year_page(&notice, &year))
    };
    as_page(language, made.await)
}

/// The way to a competition's page, to be photographed from the director's screen.
async fn code(
    State(web): State<Web>,
    Named(number): Named<u32>,
) -> Result<impl IntoResponse, Problem> {
    known(&web.desk().state().club, number)?;
    qr_of(&web, &format!("/competitions/{number}"))
}

/// The same for an event with stages.
async fn championship_code(
    State(web): State<Web>,
    Named(number): Named<u32>,
) -> Result<impl IntoResponse, Problem> {
    championship::known(&web.desk().state(), number)?;
    qr_of(&web, &format!("/championships/{number}"))
}

/// The way to a page, as a picture.
fn qr_of(web: &Web, page: &str) -> Result<impl IntoResponse + use<>, Problem> {
    let address = web
        .phone_address()
        .ok_or_else(|| Problem::not_found(tell!(Asked::PhonesCantReachPage)))?;
    let code = QrCode::new(format!("{address}{page}")).map_err(Problem::fault)?;
    let picture = code
        .render::<svg::Color<'_>>()
        .min_dimensions(180, 180)
        .build();
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], picture))
}

/// An event with stages for everybody: what is released.
async fn championship(
    State(web): State<Web>,
    Named(number): Named<u32>,
    Reads(language): Reads,
) -> Response {
    let made = async {
        let state = web.desk().state();
        if championship::known(&state, number)?.1.away {
            return Err(Problem::not_found(tell!(Championship::NoSuch {
                n: number
            })));
        }
        of_championship(&web, number, Audience::Everybody, (language, None)).await
    };
    as_page(language, made.await)
}

/// For the wall.
async fn print_championship(
    State(web): State<Web>,
    reader: Result<Reader, Problem>,
    Named(number): Named<u32>,
    Asked(OnPaper { paper }): Asked<OnPaper>,
    Reads(language): Reads,
) -> Response {
    let made = async {
        let audience = reader?.audience();
        of_championship(&web, number, audience, (language, Some(paper))).await
    };
    as_page(language, made.await)
}

async fn of_championship(
    web: &Web,
    number: u32,
    audience: Audience,
    (language, paper): (Language, Option<Paper>),
) -> Result<String, Problem> {
    let view = championship::view(web, number, audience).await?;
    let state = web.desk().state();
    let mut knock_outs = BTreeMap::new();
    for drawn in view.stages.iter().filter_map(|it| it.drawn) {
        knock_outs.insert(drawn, knockout::view(web, &state, drawn, audience).await?);
    }
    let notice = notice(web, &state, language, paper);
    Ok(reports::championship_page(&notice, &view, &knock_outs))
}

/// Who won what in a year, for everybody.
async fn honours(
    State(web): State<Web>,
    Asked(asked): Asked<HonoursOf>,
    Reads(language): Reads,
) -> Response {
    let made = async {
        let state = web.desk().state();
        let view = honours_of(&web, &state, Audience::Everybody, asked).await?;
        Ok(reports::honours_page(
            &notice(&web, &state, language, None),
            &view,
        ))
    };
    as_page(language, made.await)
}

/// For the wall.
async fn print_honours(
    State(web): State<Web>,
    reader: Result<Reader, Problem>,
    Asked(OnPaper { paper }): Asked<OnPaper>,
    Asked(asked): Asked<HonoursOf>,
    Reads(language): Reads,
) -> Response {
    let made = async {
        let audience = reader?.audience();
        let state = web.desk().state();
        let view = honours_of(&web, &state, audience, asked).await?;
        let notice = notice(&web, &state, language, Some(paper));
        Ok(reports::honours_page(&notice, &view))
    };
    as_page(language, made.await)
}

/// A knock-out for everybody.
async fn knock_out(
    State(web): State<Web>,
    Named(number): Named<u32>,
    Reads(language): Reads,
) -> Response {
    let made = async {
        let state = web.desk().state();
        let (_, known) = knockout::known(&state.club, number)?;
        if known.away {
            return Err(Problem::not_found(tell!(Knockout::NoSuchKnockOut {
                n: number
            })));
        }
        let view = knockout::view(&web, &state, number, Audience::Everybody).await?;
        let notice = notice(&web, &state, language, None);
        Ok(reports::knock_out_page(&notice, &view))
    };
    as_page(language, made.await)
}

/// For the wall.
async fn print_knock_out(
    State(web): State<Web>,
    reader: Result<Reader, Problem>,
    Named(number): Named<u32>,
    Asked(OnPaper { paper }): Asked<OnPaper>,
    Reads(language): Reads,
) -> Response {
    let made = async {
        let audience = reader?.audience();
        let state = web.desk().state();
        let view = knockout::view(&web, &state, number, audience).await?;
        let notice = notice(&web, &state, language, Some(paper));
        Ok(reports::knock_out_page(&notice, &view))
    };
    as_page(language, made.await)
}

/// The picture alone, for the director's page.
async fn picture(
    State(web): State<Web>,
    reader: Reader,
    Named(number): Named<u32>,
    Reads(language): Reads,
) -> Result<impl IntoResponse, Problem> {
    let state = web.desk().state();
    let view = knockout::view(&web, &state, number, reader.audience()).await?;
    let picture = reports::bracket_picture(Words::of(language), &view);
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], picture))
}
