//! Pads and tables: calls settled, tables freed, pads swapped and moved, frames counted.

use axum::Json;
use axum::extract::State;
use protocol::modem::{Power, RadioChannel};
use protocol::words::PadId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Answer;
use super::input::table;
use crate::daemon::{Advice, ModemState, Qualities, Quarter};
use crate::session::{Command, Trust};
use crate::view::pad_name;
use crate::web::{Body, Director, Named, Problem, Reader, Web};
use telling::tell;

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(settle_call))
        .routes(routes!(free))
        .routes(routes!(swap))
        .routes(routes!(move_pad))
        .routes(routes!(radio))
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

/// The radio since the base station started. Brought up to date every two seconds.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct RadioView {
    receivers: Vec<ReceiverView>,
    frames: FramesView,
    /// The number that keeps two clubs in one building apart; pads of another one are not heard.
    network: Option<u8>,
    /// Pads that were revoked, by the eight digits on their backs.
    revoked: Vec<String>,
    /// Pads that speak wire version 1 are taken.
    old_pads: bool,
    /// What is known of each pad's radio.
    pads: Vec<PadRadioView>,
}

/// What is known of a pad's radio: no modem that we know measures a signal.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct PadRadioView {
    /// The eight digits on its back.
    pad: String,
    /// By quarters of an hour, the newest last.
    quarters: Vec<QuarterView>,
    /// What follows: `Hole` (move this pad, or put the receiver higher) or `Crowded` (take another
    /// channel).
    advice: Option<Advice>,
}

/// A pad in a quarter of an hour.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
struct QuarterView {
    /// When it began.
    from_ms: u64,
    /// Calls that it made, repeated ones too.
    calls: u32,
    /// Calls that did not come.
    missed: u32,
    /// Calls that came because the answer to the one before did not.
    repeated: u32,
    /// Of a hundred calls so many were answered.
    answered_percent: u32,
}

/// A receiver.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct ReceiverView {
    name: String,
    /// Plugged in and open.
    connected: bool,
    /// Thousandths of the last hour in which the base was on the air there.
    share_permille: u16,
    /// Its modem; nothing where it was not asked (`--channel`).
    modem: Option<ModemView>,
}

/// A receiver's modem, as it says itself.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
struct ModemView {
    /// `Set`, `Silent` or `Differs`.
    state: ModemState,
    channel: Option<u8>,
    baud: Option<u32>,
    dbm: Option<i8>,
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
    /// Of another base station on our network.
    other_base: u32,
    /// Of pads that were revoked.
    revoked: u32,
    /// Of pads that speak wire version 1, where it is not allowed.
    old_version: u32,
    /// Messages for pads that were too long for the air and never went.
    unsendable: u32,
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

fn pads_radio(qualities: &Qualities) -> Vec<PadRadioView> {
    let quarter = |it: &Quarter| QuarterView {
        from_ms: it.from_ms,
        calls: it.calls,
        missed: it.missed,
        repeated: it.repeated,
        answered_percent: it.answered_percent(),
    };
    qualities
        .pads()
        .map(|(pad, quarters, advice)| PadRadioView {
            pad: pad_name(pad),
            quarters: quarters.iter().map(quarter).collect(),
            advice,
        })
        .collect()
}

/// Receivers, and what became of the frames they brought.
#[utoipa::path(get, path = "/api/radio", tag = "pads", responses((status = 200, body = RadioView)))]
async fn radio(State(web): State<Web>, _reader: Reader) -> Json<RadioView> {
    let (receivers, tally) = web.desk().radio();
    let state = web.desk().state();
    let club = &state.club;
    let receivers = receivers.into_iter().map(|receiver| ReceiverView {
        name: receiver.name,
        connected: receiver.connected,
        share_permille: receiver.share_permille,
        modem: receiver.modem.map(|known| ModemView {
            state: known.state,
            channel: known.found.channel.map(RadioChannel::get),
            baud: known.found.baud,
            dbm: known.found.power.map(Power::dbm),
        }),
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
            other_base: tally.other_base,
            revoked: tally.revoked,
            old_version: tally.old_version,
            unsendable: tally.unsendable,
        },
        network: web.network(),
        revoked: club.revoked.iter().copied().map(pad_name).collect(),
        old_pads: club.takes_old_pads(),
        pads: pads_radio(&web.desk().qualities()),
    })
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
