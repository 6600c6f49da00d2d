//! Changes of the movement while it is being played.

use axum::extract::State;
use protocol::words::PairNumber;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Answer;
use super::input::{pair, round, section};
use crate::session::Command;
use crate::web::{Body, Director, Problem, Web};

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(late_pair))
        .routes(routes!(withdraw))
        .routes(routes!(cut_short))
}

/// A pair that comes late.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct LatePair {
    #[schema(example = "A")]
    section: String,
    /// The first round they play.
    from: u8,
    /// Their number.
    pair: u16,
}

/// A pair that goes home.
#[derive(Clone, Debug, Deserialize, ToSchema)]
struct Withdrawn {
    #[schema(example = "A7EW")]
    pair: String,
    /// The first round they don't play.
    from: u8,
    #[serde(default)]
    why: String,
}

/// Fewer rounds.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CutShort {
    #[schema(example = "A")]
    section: String,
    /// The last round that is played.
    last: u8,
    #[serde(default)]
    why: String,
}

/// Seats a late pair: in the phantom's place, or as a guest that displaces others.
#[utoipa::path(post, path = "/api/movement/late-pair", tag = "movement", request_body = LatePair, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn late_pair(
    State(web): State<Web>,
    director: Director,
    Body(input): Body<LatePair>,
) -> Answer {
    let command = Command::SeatLatePair {
        section: section(&input.section)?,
        from: round(input.from)?,
        pair: PairNumber::try_from(input.pair).map_err(Problem::from)?,
    };
    web.desk().done(&director, command).await
}

/// A pair goes home; its opponents sit out.
#[utoipa::path(post, path = "/api/movement/withdraw", tag = "movement", request_body = Withdrawn, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn withdraw(
    State(web): State<Web>,
    director: Director,
    Body(input): Body<Withdrawn>,
) -> Answer {
    let command = Command::WithdrawPair {
        pair: pair(&input.pair)?,
        from: round(input.from)?,
        why: input.why,
    };
    web.desk().done(&director, command).await
}

/// Ends the movement after a round.
#[utoipa::path(post, path = "/api/movement/cut-short", tag = "movement", request_body = CutShort, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn cut_short(
    State(web): State<Web>,
    director: Director,
    Body(input): Body<CutShort>,
) -> Answer {
    let command = Command::CutShort {
        section: section(&input.section)?,
        last: round(input.last)?,
        why: input.why,
    };
    web.desk().done(&director, command).await
}
