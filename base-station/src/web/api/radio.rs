//! The radio: receivers and their modems, what was heard, and what to do about it.

use axum::Json;
use axum::extract::State;
use protocol::modem::{Power, RadioChannel};
use serde::{Deserialize, Serialize};
use telling::tell;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::daemon::{
    Advice, ChannelHeard, ModemKnown, ModemState, Modems, NotDone, Qualities, Quarter, SetPin,
};
use crate::view::pad_name;
use crate::web::{Body, Director, Named, Problem, Reader, Web};

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(radio))
        .routes(routes!(set_receiver))
        .routes(routes!(scan_channels))
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
    /// The channels that the country allows; empty where none was said (`--country`).
    channels: Vec<u8>,
    /// A person connects the modems' SET pins with ground (`--set-pin hand`).
    by_hand: bool,
}

/// What is known of a pad's radio: no modem that we know measures a signal.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct PadRadioView {
    /// The eight digits on its back.
    pad: String,
    /// By quarters of an hour, the newest last.
    quarters: Vec<QuarterView>,
    /// What follows.
    advice: Option<Advice>,
    /// The figure that it follows from: a share of a hundred, for `Muted` a number of answers.
    advice_figure: Option<u32>,
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
    /// Its number.
    id: u16,
    name: String,
    /// Plugged in and open.
    connected: bool,
    /// Thousandths of the last hour in which the base was on the air there.
    share_permille: u16,
    /// How many of them the country's law allows; nothing without `--country`, or without a limit.
    limit_permille: Option<u16>,
    /// Answers of the last hour that were not sent, because the law allows no more.
    held_back: u32,
    /// Its modem; nothing where it was not asked (`--channel`).
    modem: Option<ModemView>,
}

/// A receiver's modem, as it says itself.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
struct ModemView {
    /// `Set`, `Silent`, `Differs` or `Waits` (for a person with a wire).
    state: ModemState,
    channel: Option<u8>,
    baud: Option<u32>,
    dbm: Option<i8>,
    /// Which line of the adapter its SET pin is on.
    pin: Option<SetPin>,
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

/// On which channel a receiver is to be.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct OnChannel {
    /// One that the country allows.
    #[schema(example = 3)]
    channel: u8,
}

/// What was heard on every channel, and how the modem is now.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct ScanView {
    channels: Vec<ChannelView>,
    modem: ModemView,
}

/// What was heard on a channel: others with such modems, at the same rate.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
struct ChannelView {
    channel: u8,
    /// Thousandths of the time in which somebody was heard.
    busy_permille: u32,
    bytes: usize,
    /// How long it was listened.
    seconds: u64,
}

impl ModemView {
    fn of(known: ModemKnown) -> Self {
        Self {
            state: known.state,
            channel: known.found.channel.map(RadioChannel::get),
            baud: known.found.baud,
            dbm: known.found.power.map(Power::dbm),
            pin: known.pin,
        }
    }
}

fn channels(modems: Option<&Modems>) -> Vec<u8> {
    let channels = modems.map_or_else(Vec::new, Modems::channels);
    channels.into_iter().map(RadioChannel::get).collect()
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
        .map(|(pad, quarters, advised)| PadRadioView {
            pad: pad_name(pad),
            quarters: quarters.iter().map(quarter).collect(),
            advice: advised.map(|it| it.advice),
            advice_figure: advised.map(|it| it.figure),
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
        id: receiver.port,
        name: receiver.name,
        connected: receiver.connected,
        share_permille: receiver.share_permille,
        limit_permille: receiver.limit_permille,
        held_back: receiver.held_back,
        modem: receiver.modem.map(ModemView::of),
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
        channels: channels(web.desk().modems()),
        by_hand: web.desk().modems().is_some_and(Modems::is_by_hand),
    })
}

/// Sets a receiver's modem, and has it set so whenever it is plugged in until the base station
/// ends. Pads wait for a second or two.
#[utoipa::path(post, path = "/api/radio/receivers/{receiver}/set", tag = "pads", params(("receiver" = u16, Path, example = 0)), request_body = OnChannel, responses((status = 200, body = ModemView), (status = 404, body = crate::web::ProblemBody), (status = 409, body = crate::web::ProblemBody)))]
async fn set_receiver(
    State(web): State<Web>,
    _director: Director,
    Named(receiver): Named<u16>,
    Body(wanted): Body<OnChannel>,
) -> Result<Json<ModemView>, Problem> {
    let (modems, channel) = (modems(&web)?, channel(wanted)?);
    let done = modems.set(receiver, channel).await;
    let done = done.map_err(|why| problem(why, modems))?;
    Ok(Json(ModemView::of(done.known)))
}

/// Listens for some seconds on each channel that the country allows, then goes to the one that is
/// named. Pads wait meanwhile.
#[utoipa::path(post, path = "/api/radio/receivers/{receiver}/scan", tag = "pads", params(("receiver" = u16, Path, example = 0)), request_body = OnChannel, responses((status = 200, body = ScanView), (status = 404, body = crate::web::ProblemBody), (status = 409, body = crate::web::ProblemBody)))]
async fn scan_channels(
    State(web): State<Web>,
    _director: Director,
    Named(receiver): Named<u16>,
    Body(home): Body<OnChannel>,
) -> Result<Json<ScanView>, Problem> {
    let (modems, home) = (modems(&web)?, channel(home)?);
    let done = modems.scan(receiver, home).await;
    let done = done.map_err(|why| problem(why, modems))?;
    let view = |it: &ChannelHeard| ChannelView {
        channel: it.channel.get(),
        busy_permille: it.busy_permille(modems.baud()),
        bytes: it.bytes,
        seconds: it.listened.as_secs(),
    };
    Ok(Json(ScanView {
        channels: done.heard.iter().map(view).collect(),
        modem: ModemView::of(done.known),
    }))
}

/// The receivers' modems; none where the base station is not the real one.
fn modems(web: &Web) -> Result<&Modems, Problem> {
    let none = || Problem::not_found(tell!(Asked::NoReceiversHere));
    web.desk().modems().ok_or_else(none)
}

fn channel(wanted: OnChannel) -> Result<RadioChannel, Problem> {
    let none = || Problem::unreadable(tell!(Asked::ExpectedRadioChannel));
    RadioChannel::new(wanted.channel).ok_or_else(none)
}

fn problem(why: NotDone, modems: &Modems) -> Problem {
    match why {
        NotDone::NoCountry => Problem::refused(tell!(Asked::RadioNeedsCountry)),
        NotDone::Unlawful(channel) => {
            let allowed: Vec<String> = modems.channels().iter().map(ToString::to_string).collect();
            Problem::refused(tell!(Asked::RadioChannelUnlawful {
                channel: channel.get(),
                allowed: allowed.join(", ")
            }))
        }
        NotDone::Gone => Problem::not_found(tell!(Asked::ReceiverNotPlugged)),
        NotDone::InTheNetwork => Problem::refused(tell!(Asked::ReceiverInNetwork)),
        NotDone::ByHand => Problem::refused(tell!(Asked::ScanNotByHand)),
    }
}
