//! Pads and tables: calls settled, tables freed, pads swapped and moved, frames counted.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Answer;
use super::input::table;
use crate::session::Command;
use crate::web::{Body, Director, Named, Reader, Web};

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(settle_call))
        .routes(routes!(free))
        .routes(routes!(swap))
        .routes(routes!(move_pad))
        .routes(routes!(radio))
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

/// The radio since the base station started. Brought up to date every two seconds.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct RadioView {
    receivers: Vec<ReceiverView>,
    frames: FramesView,
}

/// A receiver.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct ReceiverView {
    name: String,
    /// Plugged in and open.
    connected: bool,
}

/// Frames heard. Only those taken have an effect.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
struct FramesView {
    /// Taken.
    accepted: u32,
    /// No frame at all: noise, or two pads at once.
    garbled: u32,
    /// With a wrong tag: a flipped bit, or somebody without the key.
    forged: u32,
    /// Heard before.
    replayed: u32,
    /// Of another network on the same channel.
    other_network: u32,
    /// Of our network, under another club's key.
    other_club: u32,
    /// Of a table's earlier pad, or of keys that are no longer in use.
    old_epoch: u32,
    /// With a message that this version does not know.
    unknown: u32,
    /// Pads that called without being known: after a restart of the base, all of them once.
    strangers: u32,
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

/// Receivers, and what became of the frames they brought.
#[utoipa::path(get, path = "/api/radio", tag = "pads", responses((status = 200, body = RadioView)))]
async fn radio(State(web): State<Web>, _reader: Reader) -> Json<RadioView> {
    let (receivers, tally) = web.desk().radio();
    let receivers = receivers.into_iter().map(|receiver| ReceiverView {
        name: receiver.name,
        connected: receiver.connected,
    });
    Json(RadioView {
        receivers: receivers.collect(),
        frames: FramesView {
            accepted: tally.accepted,
            garbled: tally.garbled,
            forged: tally.forged,
            replayed: tally.replayed,
            other_network: tally.other_network,
            other_club: tally.other_club,
            old_epoch: tally.old_epoch,
            unknown: tally.unknown,
            strangers: tally.strangers,
        },
    })
}
