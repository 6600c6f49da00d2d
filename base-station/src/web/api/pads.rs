//! Pads and tables: calls settled, tables freed, pads swapped and moved.

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Answer;
use super::input::table;
use crate::session::Command;
use crate::web::{Body, Director, Named, Web};

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(settle_call))
        .routes(routes!(free))
        .routes(routes!(swap))
        .routes(routes!(move_pad))
}

/// Two tables.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Swap {
    #[schema(example = "A3")]
    one: String,
    #[schema(example = "A4")]
    other: String,
}

/// From one table to another.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct MovePad {
    #[schema(example = "A3")]
    from: String,
    #[schema(example = "A4")]
    to: String,
}

/// The director has been at the table that called.
#[utoipa::path(post, path = "/api/tables/{table}/call-settled", tag = "pads", params(("table" = String, Path, example = "A7")), responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn settle_call(
    State(web): State<Web>,
    director: Director,
    Named(name): Named<String>,
) -> Answer {
    let table = table(&name)?;
    web.desk()
        .done(&director, Command::SettleCall { table })
        .await
}

/// Frees a table of its pad, so that another can log on.
#[utoipa::path(post, path = "/api/tables/{table}/free", tag = "pads", params(("table" = String, Path, example = "A7")), responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn free(State(web): State<Web>, director: Director, Named(name): Named<String>) -> Answer {
    let table = table(&name)?;
    web.desk()
        .done(&director, Command::FreeTable { table })
        .await
}

/// Two tables' pads had been mixed up: everything they entered changes places.
#[utoipa::path(post, path = "/api/pads/swap", tag = "pads", request_body = Swap, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn swap(State(web): State<Web>, director: Director, Body(swap): Body<Swap>) -> Answer {
    let command = Command::SwapPads {
        one: table(&swap.one)?,
        other: table(&swap.other)?,
    };
    web.desk().done(&director, command).await
}

/// A pad had logged on at the wrong table.
#[utoipa::path(post, path = "/api/pads/move", tag = "pads", request_body = MovePad, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn move_pad(
    State(web): State<Web>,
    director: Director,
    Body(input): Body<MovePad>,
) -> Answer {
    let command = Command::MovePad {
        from: table(&input.from)?,
        to: table(&input.to)?,
    };
    web.desk().done(&director, command).await
}
