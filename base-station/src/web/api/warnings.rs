//! Answers to warnings: one click, one command.

use axum::extract::State;
use protocol::words::BoardResult;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Answer;
use crate::session::plan::Ruling;
use crate::session::{Cell, Command, Seq};
use crate::view::{WarningKind, WarningView};
use crate::web::{Body, Director, Problem, Web};

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(answer))
        .routes(routes!(preview))
}

/// An answer to a warning.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct AnswerInput {
    /// The warning's key.
    key: String,
    /// One of the answers it offers.
    #[schema(example = "noted")]
    answer: String,
}

/// What an answer that changes the movement would mean for whom. Nothing happens.
#[utoipa::path(post, path = "/api/warnings/preview", tag = "results", request_body = AnswerInput, responses((status = 200, description = "What changes for whom", body = Object), (status = 409, body = crate::web::ProblemBody)))]
async fn preview(
    State(web): State<Web>,
    _director: Director,
    Body(input): Body<AnswerInput>,
) -> Result<axum::Json<crate::session::Preview>, Problem> {
    let warnings = web.desk().warnings().await?;
    let change = warnings
        .iter()
        .find(|warning| warning.key == input.key)
        .and_then(|warning| {
            let mut offered = warning.answers.iter();
            offered.find(|answer| answer.answer == input.answer)
        })
        .and_then(|answer| {
            answer
                .commands
                .iter()
                .find(|command| changes_movement(command))
        })
        .ok_or_else(|| Problem::refused("That answer does not change the movement."))?;
    web.desk().preview(change.clone()).await.map(axum::Json)
}

fn changes_movement(command: &Command) -> bool {
    matches!(command, Command::ChangeMovement { .. })
}

/// Answers a warning with one of the answers it offers.
#[utoipa::path(post, path = "/api/warnings/answer", tag = "results", request_body = AnswerInput, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn answer(
    State(web): State<Web>,
    director: Director,
    Body(input): Body<AnswerInput>,
) -> Answer {
    let warnings = web.desk().warnings().await?;
    let warning = warnings
        .iter()
        .find(|warning| warning.key == input.key)
        .ok_or_else(|| Problem::refused("That warning has gone: it was put right meanwhile."))?;
    let offered = warning
        .answers
        .iter()
        .find(|answer| answer.answer == input.answer)
        .ok_or_else(|| Problem::unreadable("That is not one of the answers to this warning."))?;
    let mut done = None;
    let of_finding = offered.commands.iter().cloned();
    for command in commands(warning, &offered.answer)
        .into_iter()
        .chain(of_finding)
    {
        done = Some(web.desk().act(&director, command).await?);
    }
    let settled = Command::AnswerWarning {
        warning: warning.key.clone(),
        answer: offered.label.clone(),
    };
    // What was put right needs no note that it was.
    if let Some(done) = done {
        let left = web.desk().warnings().await?;
        if !left.iter().any(|left| left.key == input.key) {
            return Ok(axum::Json(done));
        }
    }
    web.desk().done(&director, settled).await
}

/// What an answer does besides settling the warning.
fn commands(warning: &WarningView, answer: &str) -> Vec<Command> {
    let cell = || Some(Cell::new(warning.table?, warning.round?, warning.board?));
    let rule = |ruling| {
        cell().map(|cell| Command::Rule {
            cell,
            ruling,
            why: String::new(),
        })
    };
    let kept = || {
        let seq = warning.key.strip_prefix("kept:")?.parse().ok()?;
        Some(Seq(seq))
    };
    let command = match (warning.kind, answer) {
        (WarningKind::BoardMissing, "not_played") => rule(Ruling::Result(BoardResult::NotPlayed)),
        (WarningKind::BoardMissing, "late_play") => rule(Ruling::LatePlay),
        (WarningKind::EntryKept, "use") => kept().map(|kept| Command::UseKept { kept }),
        (WarningKind::EntryKept, "ignore") => kept().map(|kept| Command::IgnoreKept { kept }),
        (WarningKind::BoardWanted, "allow") => cell().map(|cell| Command::AllowBoard { cell }),
        _ => None,
    };
    command.into_iter().collect()
}
