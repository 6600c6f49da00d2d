//! Pads and tables: calls settled, tables freed, pads swapped and moved.

use axum::extract::State;
use protocol::words::PadId;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Answer;
use super::input::table;
use crate::session::{Command, Trust};
use crate::web::{Body, Director, Named, Problem, Web};
use telling::tell;

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(settle_call))
        .routes(routes!(free))
        .routes(routes!(swap))
        .routes(routes!(move_pad))
        .routes(routes!(replace))
        .routes(routes!(revoke))
        .routes(routes!(restore_pad))
        .routes(routes!(old_pads))
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

/// What the director says to a pad that wants a table whose own pad works.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ReplaceAnswer {
    /// The pad that asks, by the eight digits on its back.
    #[schema(example = "00C0FFEE")]
    pad: String,
    /// Yes or no.
    allowed: bool,
}

/// Whether pads of wire version 1 are taken.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct OldPads {
    allowed: bool,
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

/// Lets a pad have a table whose own pad works, or not.
#[utoipa::path(post, path = "/api/tables/{table}/replace", tag = "pads", params(("table" = String, Path, example = "A7")), request_body = ReplaceAnswer, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn replace(
    State(web): State<Web>,
    director: Director,
    Named(name): Named<String>,
    Body(input): Body<ReplaceAnswer>,
) -> Answer {
    let command = Command::AnswerReplace {
        table: table(&name)?,
        pad: pad(&input.pad)?,
        allowed: input.allowed,
    };
    web.desk().done(&director, command).await
}

/// Revokes a pad that was stolen or lost: nothing it says has an effect any more.
#[utoipa::path(post, path = "/api/pads/{pad}/revoke", tag = "pads", params(("pad" = String, Path, example = "00C0FFEE")), responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn revoke(State(web): State<Web>, director: Director, Named(name): Named<String>) -> Answer {
    let command = Command::ChangeTrust(Trust::PadRevoked { pad: pad(&name)? });
    web.desk().done(&director, command).await
}

/// Trusts a revoked pad again, because it was found.
#[utoipa::path(post, path = "/api/pads/{pad}/restore", tag = "pads", params(("pad" = String, Path, example = "00C0FFEE")), responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn restore_pad(
    State(web): State<Web>,
    director: Director,
    Named(name): Named<String>,
) -> Answer {
    let command = Command::ChangeTrust(Trust::PadRestored { pad: pad(&name)? });
    web.desk().done(&director, command).await
}

/// Takes pads of wire version 1, or not.
#[utoipa::path(put, path = "/api/radio/old-pads", tag = "pads", request_body = OldPads, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn old_pads(
    State(web): State<Web>,
    director: Director,
    Body(input): Body<OldPads>,
) -> Answer {
    let allowed = input.allowed;
    let command = Command::ChangeTrust(Trust::OldPads { allowed });
    web.desk().done(&director, command).await
}

/// A pad by the eight hexadecimal digits on its back.
pub(super) fn pad(name: &str) -> Result<PadId, Problem> {
    let name = name.trim();
    let digits = name.len() == 8 && name.bytes().all(|digit| digit.is_ascii_hexdigit());
    let number = u32::from_str_radix(name, 16).ok().filter(|_| digits);
    number
        .and_then(PadId::new)
        .ok_or_else(|| Problem::unreadable(tell!(Asked::ExpectedEightDigitsBack)))
}
