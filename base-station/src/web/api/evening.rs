//! The evening itself: opening, the gate, the clock, messages, the end.

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Answer;
use super::input::{round, section, table};
use crate::session::Command;
use crate::web::{Body, Director, Problem, Web};

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(open))
        .routes(routes!(gate))
        .routes(routes!(end_play))
        .routes(routes!(release))
        .routes(routes!(reopen))
        .routes(routes!(end_round))
        .routes(routes!(clock))
        .routes(routes!(notice))
}

/// Whether pads may send.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Gate {
    open: bool,
}

/// Publishing the result.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Release {
    /// Even though the checklist has open points.
    #[serde(default)]
    despite_checklist: bool,
}

/// A reason.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Reason {
    why: String,
}

/// Ending a round.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct RoundEnd {
    /// The section's letter.
    #[schema(example = "A")]
    section: String,
    /// One table; all of the section where it is left out.
    #[schema(example = "A7")]
    table: Option<String>,
    round: u8,
}

/// What to do with the clock.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "lowercase", tag = "action")]
enum Clock {
    /// Start the clock of a round.
    Start { round: u8 },
    /// Hold it.
    Hold,
    /// Let it go on.
    Resume,
    /// Give more minutes, or fewer.
    Add { minutes: i8 },
}

/// A message to tables.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Notice {
    /// To these; empty for all.
    #[schema(example = json!(["A7"]))]
    tables: Vec<String>,
    /// Three lines of the pad's display.
    #[schema(max_length = 96)]
    text: String,
}

/// Opens the session: pads may log on.
#[utoipa::path(post, path = "/api/open", tag = "evening", responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn open(State(web): State<Web>, director: Director) -> Answer {
    web.desk().done(&director, Command::Open).await
}

/// Stops or starts the pads.
#[utoipa::path(post, path = "/api/gate", tag = "evening", request_body = Gate, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn gate(
    State(web): State<Web>,
    director: Director,
    Body(Gate { open }): Body<Gate>,
) -> Answer {
    web.desk().done(&director, Command::SetGate { open }).await
}

/// Play is over; results can still be put right.
#[utoipa::path(post, path = "/api/end-play", tag = "evening", responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn end_play(State(web): State<Web>, director: Director) -> Answer {
    web.desk().done(&director, Command::EndPlay).await
}

/// Publishes the result.
#[utoipa::path(post, path = "/api/release", tag = "evening", request_body = Release, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn release(
    State(web): State<Web>,
    director: Director,
    Body(Release { despite_checklist }): Body<Release>,
) -> Answer {
    let command = Command::Release { despite_checklist };
    web.desk().done(&director, command).await
}

/// Takes the result back to put it right.
#[utoipa::path(post, path = "/api/reopen", tag = "evening", request_body = Reason, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn reopen(
    State(web): State<Web>,
    director: Director,
    Body(Reason { why }): Body<Reason>,
) -> Answer {
    web.desk().done(&director, Command::Reopen { why }).await
}

/// Ends a round at one table or in a section.
#[utoipa::path(post, path = "/api/rounds/end", tag = "evening", request_body = RoundEnd, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn end_round(
    State(web): State<Web>,
    director: Director,
    Body(end): Body<RoundEnd>,
) -> Answer {
    let command = Command::EndRound {
        section: section(&end.section)?,
        table: end.table.as_deref().map(table).transpose()?,
        round: round(end.round)?,
    };
    web.desk().done(&director, command).await
}

/// Starts, holds or changes the round clock.
#[utoipa::path(post, path = "/api/clock", tag = "evening", request_body = Clock, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn clock(State(web): State<Web>, director: Director, Body(clock): Body<Clock>) -> Answer {
    let command = match clock {
        Clock::Start { round: number } => Command::StartClock {
            round: round(number)?,
        },
        Clock::Hold => Command::HoldClock,
        Clock::Resume => Command::ResumeClock,
        Clock::Add { minutes } => Command::AddMinutes { minutes },
    };
    web.desk().done(&director, command).await
}

/// Sends a message to tables.
#[utoipa::path(post, path = "/api/notices", tag = "evening", request_body = Notice, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn notice(State(web): State<Web>, director: Director, Body(notice): Body<Notice>) -> Answer {
    let tables: Result<Vec<_>, Problem> = notice.tables.iter().map(|name| table(name)).collect();
    let command = Command::SendNotice {
        tables: tables?,
        text: notice.text,
    };
    web.desk().done(&director, command).await
}
