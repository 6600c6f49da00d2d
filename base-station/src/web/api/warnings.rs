//! Warnings: answers with one click, and how loudly each check speaks.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Answer;
use super::input::WhoWasAsked;
use crate::checks::{Attention, Kind};
use crate::session::{Command, Preview};
use crate::view::{self, CheckView};
use crate::watch::{NotOffered, Settlement, Warning};
use crate::web::{Body, Director, Named, Problem, Web};
use telling::tell;

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(answer))
        .routes(routes!(preview_answer))
        .routes(routes!(checks))
        .routes(routes!(set_check))
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
    /// Where the answer changes a result: who was asked before, or why nobody had to be.
    asked: Option<WhoWasAsked>,
}

/// A check of the watchful base.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CheckInput {
    attention: AttentionInput,
}

/// How loudly a check speaks.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum AttentionInput {
    /// It is shown at once.
    On,
    /// It is listed, without a sound or a box.
    Quiet,
    /// It is not looked for.
    Off,
}

/// All checks, and how often they were wrong tonight.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct CheckList {
    checks: Vec<CheckView>,
    /// Results that are in.
    results: usize,
    /// Warnings of which the director said that nothing was wrong.
    false_alarms: usize,
}

impl AnswerInput {
    /// The warning and the answer that are meant.
    fn among<'a>(&self, warnings: &'a [Warning]) -> Result<Settlement<'a>, Problem> {
        let key = self.key.clone().into();
        Settlement::of(warnings, &key, &self.answer).map_err(|why| match why {
            NotOffered::Gone => Problem::refused(tell!(Asked::WarningGonePutRight)),
            NotOffered::NoSuchAnswer => Problem::unreadable(tell!(Asked::NotOneAnswersWarning)),
        })
    }
}

/// The checks of the watchful base, with their settings and how often they were wrong.
#[utoipa::path(get, path = "/api/checks", tag = "warnings", responses((status = 200, body = CheckList)))]
async fn checks(State(web): State<Web>, _director: Director) -> Result<Json<CheckList>, Problem> {
    let warnings = web.warnings().await?;
    let state = web.desk().state();
    let checks = view::checks(&state, &warnings);
    let lines = state
        .session
        .iter()
        .flat_map(|session| session.lines.values());
    Ok(Json(CheckList {
        results: lines.filter(|line| line.is_in()).count(),
        false_alarms: checks.iter().map(|check| check.false_alarms).sum(),
        checks,
    }))
}

/// Lets a check speak up, be quiet, or be off, from now on and in later sessions.
#[utoipa::path(put, path = "/api/checks/{kind}", tag = "warnings", params(("kind" = String, Path, example = "lead-not-held")), request_body = CheckInput, responses((status = 200, body = super::Done), (status = 404, body = crate::web::ProblemBody)))]
async fn set_check(
    State(web): State<Web>,
    director: Director,
    Named(name): Named<String>,
    Body(input): Body<CheckInput>,
) -> Answer {
    let kind =
        Kind::named(&name).ok_or_else(|| Problem::not_found(tell!(Asked::ThereNoCheckName)))?;
    let attention = match input.attention {
        AttentionInput::On => Attention::On,
        AttentionInput::Quiet => Attention::Quiet,
        AttentionInput::Off => Attention::Off,
    };
    let command = Command::SetCheck { kind, attention };
    web.desk().done(&director, command).await
}

/// What an answer that changes the movement would mean for whom. Nothing happens.
#[utoipa::path(post, path = "/api/warnings/preview", tag = "warnings", request_body = AnswerInput, responses((status = 200, description = "What changes for whom", body = Object), (status = 409, body = crate::web::ProblemBody)))]
async fn preview_answer(
    State(web): State<Web>,
    _director: Director,
    Body(input): Body<AnswerInput>,
) -> Result<Json<Preview>, Problem> {
    let warnings = web.warnings().await?;
    let command = input
        .among(&warnings)?
        .changes_movement()
        .ok_or_else(|| Problem::refused(tell!(Asked::AnswerDoesNotChange)))?;
    web.desk().preview(command.clone()).await.map(Json)
}

/// Answers a warning with one of the answers it offers.
#[utoipa::path(post, path = "/api/warnings/answer", tag = "warnings", request_body = AnswerInput, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn answer(
    State(web): State<Web>,
    director: Director,
    Body(input): Body<AnswerInput>,
) -> Answer {
    let warnings = web.warnings().await?;
    let settlement = input.among(&warnings)?;
    let settled = view::settled(settlement.offer());
    let Some(command) = settlement.command() else {
        let note = settlement.note(settled);
        return web.desk().done(&director, note).await;
    };
    let command = match input.asked {
        None => command.clone(),
        Some(asked) => command.clone().on_grounds(asked.grounds()),
    };
    let done = web.desk().act(&director, command).await?;
    let left = web.warnings().await?;
    match settlement.note_if_left(&left, settled) {
        Some(note) => web.desk().done(&director, note).await,
        None => Ok(Json(done)),
    }
}
