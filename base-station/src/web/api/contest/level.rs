//! Contestants who end level: lots, play-offs and more boards for a match.

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::fresh_seed;
use super::orders::contestant;
use crate::session::{Command, ContestCommand, TieBreak};
use crate::web::api::Answer;
use crate::web::api::input::section;
use crate::web::{Body, Director, Web};

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(separate))
        .routes(routes!(play_on))
}

/// Contestants who share a place.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct SharedPlace {
    #[schema(example = "A")]
    section: String,
    /// Everybody who shares it; after a play-off the first of them first.
    contestants: Vec<u16>,
    by: TieBreakName,
    /// The seed of the lot; a new one where it is left out.
    seed: Option<u64>,
    why: String,
}

/// What decides between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum TieBreakName {
    /// A lot.
    Lot,
    /// Boards that they played for it.
    PlayOff,
}

/// More boards for a match that is level.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct MoreBoards {
    #[schema(example = "A")]
    section: String,
    /// How many; those of the regulation where it is left out.
    boards: Option<u8>,
    why: String,
}

/// Separates contestants who share a place because no figure of the regulation does.
#[utoipa::path(post, path = "/api/contest/tie", tag = "matches", request_body = SharedPlace, responses((status = 200, body = crate::web::api::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn separate(
    State(web): State<Web>,
    director: Director,
    Body(input): Body<SharedPlace>,
) -> Answer {
    let order = input.contestants.iter().map(|number| contestant(*number));
    let command = ContestCommand::BreakTie {
        section: section(&input.section)?,
        order: order.collect::<Result<_, _>>()?,
        by: match input.by {
            TieBreakName::Lot => TieBreak::Lot {
                seed: input.seed.unwrap_or_else(fresh_seed),
            },
            TieBreakName::PlayOff => TieBreak::PlayOff,
        },
        why: input.why,
    };
    web.desk().done(&director, Command::Contest(command)).await
}

/// Plays more boards in a match in stanzas that is level: the stanza is drawn like any other.
#[utoipa::path(post, path = "/api/contest/play-off", tag = "matches", request_body = MoreBoards, responses((status = 200, body = crate::web::api::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn play_on(
    State(web): State<Web>,
    director: Director,
    Body(input): Body<MoreBoards>,
) -> Answer {
    let command = ContestCommand::PlayOff {
        section: section(&input.section)?,
        boards: input.boards,
        why: input.why,
    };
    web.desk().done(&director, Command::Contest(command)).await
}
