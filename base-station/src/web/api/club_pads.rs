//! The club's pads from evening to evening, and the renewal of the club's key.

use axum::Json;
use axum::extract::State;
use axum::http::Extensions;
use axum::response::Response;
use protocol::frame::ClubKey;
use serde::{Deserialize, Serialize};
use telling::tell;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::cable::version;
use super::{Answer, Done};
use crate::daemon::key_mark;
use crate::session::{Command, Moment, Trust};
use crate::view::pad_name;
use crate::web::{Body, Director, Problem, Web, address_of};

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(club_pads))
        .routes(routes!(renew_key))
        .routes(routes!(end_old_key))
        .routes(routes!(key_file))
        .routes(routes!(take_key))
}

/// The club's pads.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct ClubPadsView {
    pads: Vec<ClubPadView>,
    /// Since when the club has its new key, while the old one still counts.
    #[schema(value_type = Option<u64>)]
    renewing_since_ms: Option<Moment>,
    /// The four digits that tell the club's key from others, as pads show them.
    key_check: Option<String>,
}

/// A pad of the club.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct ClubPadView {
    /// The eight digits on its back.
    #[schema(example = "00C0FFEE")]
    pad: String,
    /// The number on its sticker; 0 for none.
    number: u8,
    /// The channel that its modem was given with the key.
    channel: u8,
    /// When it was last heard or given a table.
    #[schema(value_type = Option<u64>)]
    seen_ms: Option<Moment>,
    /// What it ran then.
    firmware: Option<String>,
    /// How its cells were at each log-on, the latest last.
    batteries: Vec<BatteryView>,
    /// It was revoked.
    revoked: bool,
    /// While the key is renewed: it has the new one.
    new_key: Option<bool>,
    /// When it was tested by cable.
    #[schema(value_type = Option<u64>)]
    tested_ms: Option<Moment>,
    /// And whether all was well.
    test_passed: Option<bool>,
}

/// A pad's cells at one log-on.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
struct BatteryView {
    #[schema(value_type = u64)]
    at_ms: Moment,
    /// Both together.
    battery_mv: u16,
}

/// The key of a club that comes from another laptop.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct TakenKey {
    /// As its file has it: 64 hexadecimal digits.
    key: String,
}

/// Every pad that was ever given the club's key by cable, or a table.
#[utoipa::path(get, path = "/api/club/pads", tag = "pads", responses((status = 200, body = ClubPadsView)))]
async fn club_pads(State(web): State<Web>, _director: Director) -> Json<ClubPadsView> {
    let state = web.desk().state();
    let presence = web.desk().presence();
    let club = &state.club;
    let mut pads: Vec<ClubPadView> = club
        .pads
        .known
        .iter()
        .map(|(id, pad)| ClubPadView {
            pad: pad_name(*id),
            number: pad.number,
            channel: pad.channel,
            seen_ms: presence.pads.get(id).map(|heard| heard.at).max(pad.seen),
            firmware: pad.firmware.map(version),
            batteries: pad
                .batteries
                .iter()
                .map(|(at, raw)| BatteryView {
                    at_ms: *at,
                    battery_mv: u16::from(*raw) * 20,
                })
                .collect(),
            revoked: club.revoked.contains(id),
            new_key: club.pads.renewing.map(|_| club.pads.has_new_key(*id)),
            tested_ms: pad.tested.map(|(at, _)| at),
            test_passed: pad.tested.map(|(_, passed)| passed),
        })
        .collect();
    pads.sort_by_key(|pad| (pad.number == 0, pad.number, pad.pad.clone()));
    let check = web.desk().cable().ok().map(|cable| {
        let [high, low] = cable.keyring().current().check().0;
        format!("{high:02X}{low:02X}")
    });
    Json(ClubPadsView {
        pads,
        renewing_since_ms: club.pads.renewing,
        key_check: check,
    })
}

/// Draws a new key for the club. Pads that come with the old one are given it over the air; the
/// others by cable. Revoked pads get nothing.
#[utoipa::path(post, path = "/api/club/key/renew", tag = "pads", responses((status = 200, body = super::Done), (status = 404, body = crate::web::ProblemBody), (status = 409, body = crate::web::ProblemBody)))]
async fn renew_key(State(web): State<Web>, director: Director) -> Answer {
    let desk = web.desk();
    let keyring = desk.cable()?.keyring().clone();
    if desk.state().club.pads.renewing.is_some() {
        return Err(Problem::refused(tell!(Refused::ClubsKeyRenewedAlready)));
    }
    let key = ClubKey::new(rand::random());
    let mark = key_mark(&key);
    // The files first: a key that a pad has learned must never be lost again.
    let renewed = tokio::task::spawn_blocking(move || keyring.renew(key)).await;
    renewed.map_err(Problem::fault)?.map_err(Problem::fault)?;
    desk.session()
        .note_key(mark)
        .await
        .map_err(Problem::fault)?;
    desk.done(&director, Command::ChangeTrust(Trust::KeyRenewed))
        .await
}

/// The old key counts no more: pads that still have it are turned away, and need the cable.
#[utoipa::path(post, path = "/api/club/key/end-old", tag = "pads", responses((status = 200, body = super::Done), (status = 404, body = crate::web::ProblemBody), (status = 409, body = crate::web::ProblemBody)))]
async fn end_old_key(State(web): State<Web>, director: Director) -> Answer {
    let desk = web.desk();
    let keyring = desk.cable()?.keyring().clone();
    let command = Command::ChangeTrust(Trust::OldKeyEnded);
    desk.would_do(&director, &command)?;
    let ended = tokio::task::spawn_blocking(move || keyring.end_old()).await;
    ended.map_err(Problem::fault)?.map_err(Problem::fault)?;
    desk.done(&director, command).await
}

/// The club's key as a file, to be kept apart from this machine: with it and a copy of the journal
/// another laptop takes this one's place. On this machine only.
#[utoipa::path(get, path = "/api/club/key/file", tag = "pads", responses((status = 200, body = String, content_type = "text/plain"), (status = 404, body = crate::web::ProblemBody)))]
async fn key_file(
    State(web): State<Web>,
    _director: Director,
    extensions: Extensions,
) -> Result<Response, Problem> {
    if !address_of(&extensions).is_loopback() {
        return Err(Problem::refused(tell!(Asked::KeyOwnScreen)));
    }
    let line = web.desk().cable()?.keyring().line();
    Ok(super::export::file(
        "text/plain; charset=utf-8",
        "club.key",
        line.into_bytes(),
    ))
}

/// Takes the key of a club that moves to this laptop, which has done nothing yet.
#[utoipa::path(post, path = "/api/club/key/take", tag = "pads", request_body = TakenKey, responses((status = 200, body = Done), (status = 404, body = crate::web::ProblemBody)))]
async fn take_key(
    State(web): State<Web>,
    _director: Director,
    Body(TakenKey { key }): Body<TakenKey>,
) -> Answer {
    let desk = web.desk();
    let keyring = desk.cable()?.keyring().clone();
    let key: ClubKey = key
        .trim()
        .parse()
        .map_err(|_| Problem::unreadable(tell!(Asked::KeyNone)))?;
    if !desk.state().club.is_untouched() {
        return Err(Problem::refused(tell!(Asked::KeyTooLate)));
    }
    let mark = key_mark(&key);
    let taken = tokio::task::spawn_blocking(move || keyring.take(key)).await;
    taken.map_err(Problem::fault)?.map_err(Problem::fault)?;
    desk.session()
        .note_key(mark)
        .await
        .map_err(Problem::fault)?;
    Ok(Json(Done {
        seq: desk.state().seq,
    }))
}
