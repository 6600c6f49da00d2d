//! Keeping sessions: a backup of everything, one session as a file, and its name.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use protocol::words::SessionId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Answer;
use crate::session::Command;
use crate::web::{Body, Director, Named, Problem, Web};
use telling::tell;

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(backup))
        .routes(routes!(export))
        .routes(routes!(import))
        .routes(routes!(rename))
}

/// A session file, as it was saved.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct SessionFile {
    /// Its text.
    text: String,
}

/// The session that was taken in.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
struct Imported {
    /// Its number in this calendar.
    #[schema(value_type = u32)]
    session: SessionId,
}

/// What a session is called.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Renamed {
    session: u32,
    /// The name of its event.
    event: String,
    #[schema(example = "2026-11-16")]
    date: String,
    /// May be empty.
    #[serde(default)]
    title: String,
}

fn number(session: u32) -> Result<SessionId, Problem> {
    SessionId::try_from(session).map_err(Problem::from)
}

/// The whole journal as one file: every session, every name, every change.
#[utoipa::path(get, path = "/api/backup", tag = "files", responses((status = 200, body = Vec<u8>, content_type = "application/octet-stream")))]
async fn backup(State(web): State<Web>, _director: Director) -> Result<Response, Problem> {
    let file = web.desk().backup().await?;
    Ok(saved("byestand-backup.db", file))
}

/// One session as a file that another base station can take in.
#[utoipa::path(get, path = "/api/calendar/sessions/{session}/file", tag = "files", params(("session" = u32, Path)), responses((status = 200, body = String, content_type = "application/octet-stream"), (status = 404, body = crate::web::ProblemBody)))]
async fn export(
    State(web): State<Web>,
    _director: Director,
    Named(session): Named<u32>,
) -> Result<Response, Problem> {
    let session = number(session)?;
    let state = web.desk().state();
    let scheduled =
        state.club.sessions.get(&session).ok_or_else(|| {
            Problem::not_found(tell!(Refused::ThereNoSessionCalendar { session }))
        })?;
    let file = web.desk().export(session).await?;
    Ok(saved(
        &format!("session-{}-{session}.jsonl", scheduled.date),
        file,
    ))
}

/// Takes in a session from such a file, as a new session of the calendar.
#[utoipa::path(post, path = "/api/calendar/import", tag = "files", request_body = SessionFile, responses((status = 200, body = Imported), (status = 400, body = crate::web::ProblemBody)))]
async fn import(
    State(web): State<Web>,
    director: Director,
    Body(file): Body<SessionFile>,
) -> Result<Json<Imported>, Problem> {
    let session = web.desk().import(&director, file.text.into_bytes()).await?;
    Ok(Json(Imported { session }))
}

/// Calls a session and its event otherwise.
#[utoipa::path(post, path = "/api/calendar/rename", tag = "set-up", request_body = Renamed, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn rename(State(web): State<Web>, director: Director, Body(new): Body<Renamed>) -> Answer {
    let session = number(new.session)?;
    let state = web.desk().state();
    let command = Command::RenameSession {
        session,
        date: new.date,
        title: new.title,
    };
    // All or nothing: a date that is refused must not leave the event renamed.
    web.desk().would_do(&director, &command)?;
    let event = state.club.sessions.get(&session).map(|it| it.event);
    if let Some(event) = event
        && state.club.event_name(session) != Some(new.event.trim())
    {
        let name = new.event;
        let command = Command::RenameEvent { event, name };
        web.desk().act(&director, command).await?;
    }
    web.desk().done(&director, command).await
}

fn saved(name: &str, content: Vec<u8>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{name}\""),
        ),
    ];
    (headers, content).into_response()
}
