//! What the club has decided for all its evenings: correction period, the clock on the wall, and
//! the penalties its regulations name.

use axum::Json;
use axum::extract::State;
use protocol::message::Pin;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Answer;
use crate::session::Command;
use crate::view::{PenaltyPreset, penalty_kinds, penalty_presets};
use crate::web::{Body, Director, Problem, Web};
use telling::tell;

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(rules))
        .routes(routes!(correction_period))
        .routes(routes!(local_time))
        .routes(routes!(director_pin))
        .routes(routes!(presets))
}

/// What holds for all evenings.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
struct Rules {
    /// For so many hours after its release a result can be put right.
    correction_hours: u16,
    /// The clock on the wall is so many minutes ahead of universal time.
    minutes_east: i16,
    /// Whether the number that opens the director's menu on pads has been chosen: no session can be
    /// opened before.
    director_pin_chosen: bool,
    /// When the correction period of the session being worked with ends; none before release.
    correction_ends_ms: Option<u64>,
}

/// How long results can be put right after their release.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CorrectionPeriod {
    #[schema(example = 48)]
    hours: u16,
}

/// What the clock on the wall shows.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct LocalTime {
    /// Minutes ahead of universal time; less than 0 west of Greenwich.
    #[schema(example = 60)]
    minutes_east: i16,
}

/// What opens the director's menu on pads.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewPin {
    /// Four digits.
    #[schema(example = "7316")]
    pin: String,
}

/// Penalties to choose from.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct Presets {
    /// Those that fit the session's scoring first.
    presets: Vec<PenaltyPreset>,
    /// The kinds that count in this session.
    kinds: Vec<&'static str>,
}

/// Correction period and local time.
#[utoipa::path(get, path = "/api/rules", tag = "club", responses((status = 200, body = Rules)))]
async fn rules(State(web): State<Web>, _director: Director) -> Json<Rules> {
    let state = web.desk().state();
    let hours = state.club.correction_hours;
    let released = state.session.as_ref().and_then(|session| session.released);
    Json(Rules {
        correction_hours: hours,
        minutes_east: state.club.minutes_east,
        director_pin_chosen: state.director_pin().is_some(),
        correction_ends_ms: released.map(|at| at.plus_ms(u64::from(hours) * 3_600_000).0),
    })
}

/// Chooses for how long results can be put right after their release.
#[utoipa::path(put, path = "/api/rules/correction-period", tag = "club", request_body = CorrectionPeriod, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn correction_period(
    State(web): State<Web>,
    director: Director,
    Body(CorrectionPeriod { hours }): Body<CorrectionPeriod>,
) -> Answer {
    let command = Command::SetCorrectionPeriod { hours };
    web.desk().done(&director, command).await
}

/// Says what the clock on the wall shows, for the time of day on pads.
#[utoipa::path(put, path = "/api/rules/local-time", tag = "club", request_body = LocalTime, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn local_time(
    State(web): State<Web>,
    director: Director,
    Body(LocalTime { minutes_east }): Body<LocalTime>,
) -> Answer {
    let command = Command::SetLocalTime { minutes_east };
    web.desk().done(&director, command).await
}

/// Chooses the number that opens the director's menu on every pad, now and in later sessions. Pads
/// at tables learn it at their next contact, those in the box when it is typed on them.
#[utoipa::path(put, path = "/api/rules/director-pin", tag = "club", request_body = NewPin, responses((status = 200, body = super::Done), (status = 400, body = crate::web::ProblemBody), (status = 409, body = crate::web::ProblemBody)))]
async fn director_pin(
    State(web): State<Web>,
    director: Director,
    Body(NewPin { pin }): Body<NewPin>,
) -> Answer {
    let digits = pin.trim();
    let four = digits.len() == 4 && digits.bytes().all(|digit| digit.is_ascii_digit());
    let pin = digits.parse().ok().filter(|_| four).map(Pin);
    let pin = pin.ok_or_else(|| Problem::unreadable(tell!(Refused::DirectorsPinFourDigits)))?;
    web.desk()
        .done(&director, Command::SetDirectorPin { pin })
        .await
}

/// Penalties and warnings that regulations name, ready for `POST /api/penalties`.
#[utoipa::path(get, path = "/api/penalties/presets", tag = "results", responses((status = 200, body = Presets), (status = 409, body = crate::web::ProblemBody)))]
async fn presets(State(web): State<Web>, _director: Director) -> Result<Json<Presets>, Problem> {
    let state = web.desk().state();
    let session = super::results::session(&state)?;
    let (method, in_matches) = (session.scoring.method, !session.contests.is_empty());
    let mut presets = penalty_presets(method, in_matches);
    presets.sort_by_key(|preset| !preset.fits);
    Ok(Json(Presets {
        presets,
        kinds: penalty_kinds(method, in_matches),
    }))
}
