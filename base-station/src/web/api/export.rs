//! Everything as files: CSV, and one web page that needs nothing else.

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::reports;
use crate::web::{Director, Problem, Reads, Web};

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(ranking_csv))
        .routes(routes!(results))
        .routes(routes!(page))
}

/// The ranking as CSV.
#[utoipa::path(get, path = "/api/export/ranking.csv", tag = "files", responses((status = 200, body = String, content_type = "text/csv")))]
async fn ranking_csv(State(web): State<Web>, _director: Director) -> Result<Response, Problem> {
    let state = web.desk().state();
    let session = super::results::session(&state)?;
    let csv = reports::ranking_csv(&state.club, session).map_err(Problem::fault)?;
    Ok(file("text/csv; charset=utf-8", "ranking.csv", csv))
}

/// All results as CSV, a line for each board at each table.
#[utoipa::path(get, path = "/api/export/results.csv", tag = "files", responses((status = 200, body = String, content_type = "text/csv")))]
async fn results(State(web): State<Web>, _director: Director) -> Result<Response, Problem> {
    let state = web.desk().state();
    let session = super::results::session(&state)?;
    let csv = reports::results_csv(&state.club, session).map_err(Problem::fault)?;
    Ok(file("text/csv; charset=utf-8", "results.csv", csv))
}

/// Ranking, travellers, score cards and cards as one web page that needs nothing else.
#[utoipa::path(get, path = "/api/export/results.html", tag = "files", responses((status = 200, body = String, content_type = "text/html")))]
async fn page(
    State(web): State<Web>,
    _director: Director,
    Reads(language): Reads,
) -> Result<Response, Problem> {
    let state = web.desk().state();
    let session = super::results::session(&state)?;
    let page = crate::web::pages::sheet_of(&web, &state, session, language).whole_page();
    Ok(file(
        "text/html; charset=utf-8",
        "results.html",
        page.into(),
    ))
}

pub(super) fn file(kind: &'static str, name: &str, content: Vec<u8>) -> Response {
    let saved = format!("attachment; filename=\"{name}\"");
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, saved),
    ];
    (headers, content).into_response()
}
