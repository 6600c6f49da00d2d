//! Sessions for other programs: which formats there are, what each leaves out, and the files.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use base64::Engine as _;
use protocol::words::SessionId;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::daemon::TakenIn;
use crate::exchange::{About, Evening, Format, export, file_name};
use crate::reports::Paper;
use crate::web::{Asked, Body, Director, Named, Problem, Reads, Web};
use telling::{Told, tell};

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(formats))
        .routes(routes!(file))
        .routes(routes!(take_in))
}

/// Which session.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Wanted {
    /// Its number in the calendar; the chosen one unless it is named.
    session: Option<u32>,
    /// The club's name, for formats that have a place for it.
    #[serde(default)]
    club: String,
    /// The club's number in its federation.
    #[serde(default)]
    club_number: String,
    /// For PDF: one sheet, as `ranking`, `travellers`, `scorecards`, `records` or `cards`; all
    /// results where none is named.
    #[serde(default)]
    sheet: String,
    /// For PDF.
    #[serde(default)]
    #[param(value_type = Option<String>, example = "a4")]
    paper: Paper,
}

/// What can be made of a session.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct Formats {
    formats: Vec<FormatLine>,
}

/// One format.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct FormatLine {
    format: Format,
    /// A good name for the file.
    file: String,
    /// What the file would not say, sentence by sentence.
    #[schema(value_type = Vec<String>)]
    losses: Vec<Told>,
}

/// A session of another program.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Foreign {
    /// Its bytes in Base64.
    base64: String,
}

fn number(session: Option<u32>) -> Result<Option<SessionId>, Problem> {
    session
        .map(SessionId::try_from)
        .transpose()
        .map_err(Problem::from)
}

/// The formats that a session can be written in, each with what it leaves out.
#[utoipa::path(get, path = "/api/exchange", tag = "files", params(Wanted), responses((status = 200, body = Formats), (status = 404, body = crate::web::ProblemBody)))]
async fn formats(
    State(web): State<Web>,
    _director: Director,
    Asked(wanted): Asked<Wanted>,
) -> Result<Json<Formats>, Problem> {
    let (state, session) = web.desk().known_session(number(wanted.session)?).await?;
    let evening = Evening::of(&state.club, &session);
    let formats = Format::ALL
        .into_iter()
        .map(|format| FormatLine {
            format,
            file: file_name(format, &evening),
            losses: (evening.losses(format).into_iter())
                .map(|loss| session.calling(&state.club, loss))
                .collect(),
        })
        .collect();
    Ok(Json(Formats { formats }))
}

/// A session as a file for another program.
#[utoipa::path(get, path = "/api/exchange/{format}", tag = "files", params(("format" = Format, Path), Wanted), responses((status = 200, content((String = "application/xml"), (String = "text/plain"), (String = "text/csv"), (String = "application/x-msaccess"), (String = "application/zip"), (String = "application/pdf"))), (status = 409, body = crate::web::ProblemBody)))]
async fn file(
    State(web): State<Web>,
    _director: Director,
    Named(format): Named<Format>,
    Asked(wanted): Asked<Wanted>,
    Reads(language): Reads,
) -> Result<Response, Problem> {
    let (state, session) = web.desk().known_session(number(wanted.session)?).await?;
    let about = About {
        club: if wanted.club.is_empty() {
            state.club.name.clone()
        } else {
            wanted.club
        },
        club_number: wanted.club_number,
        language,
        made: web.desk().now(),
        paper: wanted.paper,
        sheet: wanted.sheet,
    };
    let name = file_name(format, &Evening::of(&state.club, &session));
    let content =
        export(format, &state, &session, &about).map_err(|why| Problem::refused(why.told()))?;
    Ok(super::export::file(format.media_type(), &name, content))
}

/// Takes in a session of another program (USEBIO, BWS, or PBN with results) as a new session of the
/// calendar. The session that is being played stays the chosen one.
#[utoipa::path(post, path = "/api/exchange/import", tag = "files", request_body = Foreign, responses((status = 200, body = TakenIn), (status = 400, body = crate::web::ProblemBody)))]
async fn take_in(
    State(web): State<Web>,
    director: Director,
    Body(foreign): Body<Foreign>,
) -> Result<Json<TakenIn>, Problem> {
    let file = base64::engine::general_purpose::STANDARD
        .decode(&foreign.base64)
        .map_err(|_| Problem::unreadable(tell!(Asked::ExpectedBytesFileBase64)))?;
    web.desk().take_in(&director, file).await.map(Json)
}
