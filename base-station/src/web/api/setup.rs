//! Setting up: calendar, deals, settings.

use axum::Json;
use axum::extract::State;
use protocol::message::{HandRecord, Settings};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Answer;
use super::input::section;
use crate::session::plan::{Scoring, Timing};
use crate::session::{Command, EventId};
use crate::web::{Body, Director, Named, Problem, Reader, Web};

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(calendar))
        .routes(routes!(create_event))
        .routes(routes!(add_session))
        .routes(routes!(choose_session))
        .routes(routes!(remove_section))
        .routes(routes!(attach_deals))
        .routes(routes!(settings, change_settings))
}

/// Sessions of the calendar.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct Calendar {
    /// The latest first.
    sessions: Vec<CalendarLine>,
}

/// A session of the calendar.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct CalendarLine {
    id: u32,
    event_id: u32,
    event: String,
    date: String,
    title: String,
    chosen: bool,
    /// Results that pads still held when another session was being played.
    late_entries: u16,
}

/// A new event with its first session.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewEvent {
    name: String,
    /// As 2026-11-16.
    #[schema(example = "2026-11-16")]
    date: String,
    #[serde(default)]
    title: String,
}

/// One more session of an event.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewSession {
    event: u32,
    #[schema(example = "2026-11-16")]
    date: String,
    #[serde(default)]
    title: String,
}

/// A session.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Chosen {
    session: u32,
}

/// A deal file.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct DealFile {
    /// Its name.
    #[schema(example = "monday.pbn")]
    file: String,
    /// Its text.
    pbn: String,
}

/// What was read from a deal file.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct DealsRead {
    boards: usize,
    /// `1-24`.
    range: String,
}

/// Everything that can be chosen about a session.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct AllSettings {
    /// How pads behave.
    #[schema(value_type = Object)]
    pads: Settings,
    /// How it is scored.
    #[schema(value_type = Object)]
    scoring: Scoring,
    /// How long rounds take.
    #[schema(value_type = Object)]
    timing: Timing,
}

/// The calendar.
#[utoipa::path(get, path = "/api/calendar", tag = "set-up", responses((status = 200, body = Calendar)))]
async fn calendar(State(web): State<Web>, _reader: Reader) -> Json<Calendar> {
    let state = web.desk().state();
    let sessions = state
        .club
        .sessions
        .iter()
        .rev()
        .map(|(id, scheduled)| CalendarLine {
            id: id.get(),
            event_id: scheduled.event.0,
            event: state.club.event_name(*id).unwrap_or_default().to_owned(),
            date: scheduled.date.clone(),
            title: scheduled.title.clone(),
            chosen: state.club.chosen == Some(*id),
            late_entries: scheduled.late_entries,
        });
    Json(Calendar {
        sessions: sessions.collect(),
    })
}

/// Creates an event with its first session, which becomes the one being worked with.
#[utoipa::path(post, path = "/api/calendar/events", tag = "set-up", request_body = NewEvent, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn create_event(
    State(web): State<Web>,
    director: Director,
    Body(new): Body<NewEvent>,
) -> Answer {
    let command = Command::CreateEvent {
        name: new.name,
        date: new.date,
        title: new.title,
    };
    web.desk().done(&director, command).await
}

/// Adds a session to an event.
#[utoipa::path(post, path = "/api/calendar/sessions", tag = "set-up", request_body = NewSession, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn add_session(
    State(web): State<Web>,
    director: Director,
    Body(new): Body<NewSession>,
) -> Answer {
    let command = Command::AddSession {
        event: EventId(new.event),
        date: new.date,
        title: new.title,
    };
    web.desk().done(&director, command).await
}

/// Works with another session from now on.
#[utoipa::path(post, path = "/api/calendar/choose", tag = "set-up", request_body = Chosen, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn choose_session(
    State(web): State<Web>,
    director: Director,
    Body(chosen): Body<Chosen>,
) -> Answer {
    let session = chosen
        .session
        .try_into()
        .map_err(|refusal: protocol::words::Refusal| Problem::from(refusal))?;
    web.desk()
        .done(&director, Command::ChooseSession { session })
        .await
}

/// Drops a section.
#[utoipa::path(delete, path = "/api/setup/sections/{section}", tag = "set-up", params(("section" = String, Path, example = "A")), responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn remove_section(
    State(web): State<Web>,
    director: Director,
    Named(letter): Named<String>,
) -> Answer {
    let section = section(&letter)?;
    web.desk()
        .done(&director, Command::RemoveSection { section })
        .await
}

/// Reads a deal file (PBN).
#[utoipa::path(post, path = "/api/deals", tag = "set-up", request_body = DealFile, responses((status = 200, body = DealsRead), (status = 400, body = crate::web::ProblemBody)))]
async fn attach_deals(
    State(web): State<Web>,
    director: Director,
    Body(file): Body<DealFile>,
) -> Result<Json<DealsRead>, Problem> {
    let deals = crate::deals::read_pbn(file.pbn.as_bytes()).map_err(Problem::unreadable)?;
    let records: Vec<_> = deals.iter().map(HandRecord::from).collect();
    let boards = records.len();
    let range = match (records.first(), records.last()) {
        (Some(first), Some(last)) => format!("{}-{}", first.board, last.board),
        _ => String::new(),
    };
    let command = Command::AttachDeals {
        file: file.file,
        deals: records,
    };
    web.desk().act(&director, command).await?;
    Ok(Json(DealsRead { boards, range }))
}

/// All settings of the session.
#[utoipa::path(get, path = "/api/settings", tag = "set-up", responses((status = 200, body = AllSettings)))]
async fn settings(
    State(web): State<Web>,
    _director: Director,
) -> Result<Json<AllSettings>, Problem> {
    let state = web.desk().state();
    Ok(Json(AllSettings::of(super::results::session(&state)?)))
}

/// Changes settings; they reach pads at their next contact.
#[utoipa::path(put, path = "/api/settings", tag = "set-up", request_body = AllSettings, responses((status = 200, body = AllSettings), (status = 409, body = crate::web::ProblemBody)))]
async fn change_settings(
    State(web): State<Web>,
    director: Director,
    Body(new): Body<AllSettings>,
) -> Result<Json<AllSettings>, Problem> {
    let state = web.desk().state();
    let now = AllSettings::of(super::results::session(&state)?);
    let pads = (new.pads != now.pads).then_some(Command::ChangeSettings(new.pads));
    let scoring = (new.scoring != now.scoring).then_some(Command::ChooseScoring(new.scoring));
    let timing = (new.timing != now.timing).then_some(Command::ChooseTiming(new.timing));
    let commands: Vec<_> = [pads, scoring, timing].into_iter().flatten().collect();
    // All or nothing: one that will be refused must not leave the others changed.
    for command in &commands {
        web.desk().would_do(&director, command)?;
    }
    for command in commands {
        web.desk().act(&director, command).await?;
    }
    let state = web.desk().state();
    Ok(Json(AllSettings::of(super::results::session(&state)?)))
}

impl AllSettings {
    const fn of(session: &crate::session::Session) -> Self {
        Self {
            pads: session.settings,
            scoring: session.scoring,
            timing: session.timing,
        }
    }
}
