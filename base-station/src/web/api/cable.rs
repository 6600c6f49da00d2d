//! Pads by cable: who is plugged in, the club's key with one click, and the factory's test.

use axum::Json;
use axum::extract::State;
use protocol::message::{FirmwareVersion, Language};
use protocol::words::PadId;
use serde::{Deserialize, Serialize};
use telling::{Told, tell};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Done;
use super::pads::pad;
use super::programs::{ProgramView, UpdateView, program_view, update_view};
use crate::daemon::cable::{Belongs, PadTuned, Plugged};
use crate::daemon::{Cable, CableError};
use crate::session::{BATTERY_LOW_20_MV, Command, Moment, Trust};
use crate::view::pad_name;
use crate::web::{Body, Director, Named, Problem, Web};

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(plugged))
        .routes(routes!(welcome))
        .routes(routes!(test))
        .routes(routes!(protocol))
}

/// What is plugged in.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct CableView {
    pads: Vec<PluggedView>,
    /// The lowest number that no sticker of the club has; 0 when all are given away.
    free_number: u8,
    /// The channel of the modems that the club's pads have.
    usual_channel: u8,
    /// The languages that pads speak.
    languages: Vec<&'static str>,
    /// The program that pads can be given; none until a file was chosen.
    program: Option<ProgramView>,
}

/// To whom a pad at the cable belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
enum Belonging {
    /// It has not said so yet.
    Untold,
    /// A new pad: to no club.
    New,
    /// To this club.
    Ours,
    /// To this club, with the key from before the renewal.
    OldKey,
    /// To another club, or to another network of this one.
    Other,
}

/// A pad at the cable.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct PluggedView {
    /// The port it is plugged in at.
    port: String,
    /// The eight digits on its back; none until it has introduced itself.
    #[schema(example = "00C0FFEE")]
    pad: Option<String>,
    belongs: Belonging,
    /// What it runs.
    firmware: Option<String>,
    /// The network that it speaks in; pads of another one are not heard.
    network: Option<u8>,
    /// The channel that its modem is meant to be on; none for a pad of no club.
    channel: Option<u8>,
    /// How its modem is set; none of a pad whose program sets no modem.
    modem: Option<PadTuned>,
    /// The number on its sticker; 0 for none.
    number: Option<u8>,
    /// The code of its language.
    language: Option<String>,
    /// Both cells together, in millivolts.
    battery_mv: Option<u16>,
    /// Results agreed and not yet received.
    unsent: Option<u8>,
    /// The base has answered it since its radio was tested.
    answered: bool,
    /// Keys that were not pressed yet in the test of them.
    missing_keys: Vec<&'static str>,
    /// What its display shows, line by line.
    screen: Vec<String>,
    /// What it refused last.
    refused: Option<String>,
    /// It was revoked.
    revoked: bool,
    /// Whether its program can be changed by cable.
    updatable: bool,
    /// The update that was begun last.
    update: Option<UpdateView>,
}

/// What a pad is given.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Welcomed {
    /// The number for its sticker; the lowest free one where none is said.
    number: Option<u8>,
    /// The code of a language, such as `en`.
    #[schema(example = "en")]
    language: String,
    /// The channel of its modem; its own, or that of the club's other pads, where none is said.
    channel: Option<u8>,
}

/// What a pad was given.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
struct WelcomeDone {
    /// The place of the record in the journal.
    #[schema(value_type = u64)]
    seq: crate::session::Seq,
    /// The number for its sticker.
    number: u8,
}

/// A part of the factory's test.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Part {
    Keys,
    Black,
    White,
    Chequers,
    Sound,
    Radio,
    End,
}

/// Which part is to be tested.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct TestPart {
    part: Part,
}

/// What only a person can see and hear.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Seen {
    /// Every pixel was black, white and chequered.
    pixels: bool,
    /// The buzzer was heard.
    sound: bool,
}

/// What a test found.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct Protocol {
    pad: String,
    /// The number on its sticker; 0 for none.
    number: u8,
    firmware: String,
    #[schema(value_type = u64)]
    at_ms: Moment,
    /// All was well.
    passed: bool,
    keys: Verdict,
    pixels: Verdict,
    sound: Verdict,
    battery: Verdict,
    radio: Verdict,
}

/// One part of it.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct Verdict {
    passed: bool,
    /// A figure or a list: 36 of 36 keys, 3020 mV.
    found: String,
}

pub(super) fn problem(fault: CableError) -> Problem {
    let not_there = matches!(fault, CableError::NotThere(_));
    let said = told(fault);
    if not_there {
        Problem::not_found(said)
    } else {
        Problem::refused(said)
    }
}

pub(super) fn told(fault: CableError) -> Told {
    match fault {
        CableError::NotThere(pad) => tell!(Asked::PadNotAtCable {
            pad: format!("{pad:08X}")
        }),
        CableError::Silent => tell!(Asked::PadCableSilent),
        CableError::Refused(why) => tell!(Asked::PadSaidNo { why }),
        CableError::NoProgram => tell!(Asked::PadNoProgram),
        CableError::NoSlots => tell!(Asked::PadNoLoader),
        CableError::UnderWay => tell!(Asked::PadUpdateUnderWay),
        CableError::NotStarted => tell!(Asked::PadUpdateNotStarted),
        CableError::NotReached => tell!(Asked::PadUpdateNotReached),
    }
}

fn belonging(cable: &Cable, plugged: &Plugged) -> Belonging {
    match plugged.belongs {
        Belongs::Untold => Belonging::Untold,
        Belongs::Nobody => Belonging::New,
        Belongs::Club { .. } if cable.is_ours(plugged) => Belonging::Ours,
        Belongs::Club { .. } if cable.was_ours(plugged) => Belonging::OldKey,
        Belongs::Club { .. } => Belonging::Other,
    }
}

/// The network and the channel of a pad that has been given both.
const fn places_on_the_air(belongs: Belongs) -> (Option<u8>, Option<u8>) {
    match belongs {
        Belongs::Untold | Belongs::Nobody => (None, None),
        Belongs::Club {
            network, channel, ..
        } => (Some(network), Some(channel)),
    }
}

pub(super) fn version(firmware: FirmwareVersion) -> String {
    let FirmwareVersion(major, minor, patch) = firmware;
    format!("{major}.{minor}.{patch}")
}

/// The pads at the cables of this machine.
#[utoipa::path(get, path = "/api/cable", tag = "pads", responses((status = 200, body = CableView), (status = 404, body = crate::web::ProblemBody)))]
async fn plugged(State(web): State<Web>, _director: Director) -> Result<Json<CableView>, Problem> {
    let cable = web.desk().cable()?;
    let state = web.desk().state();
    let pads = cable.plugged().into_iter().map(|(port, pad)| PluggedView {
        port,
        belongs: belonging(cable, &pad),
        firmware: pad.firmware.map(version),
        network: places_on_the_air(pad.belongs).0,
        channel: places_on_the_air(pad.belongs).1,
        modem: pad.modem.map(|it| it.tuned),
        number: pad.condition.as_ref().map(|it| it.number),
        language: pad.condition.as_ref().map(|it| it.language.clone()),
        battery_mv: pad.condition.as_ref().map(|it| it.battery_mv),
        unsent: pad.condition.as_ref().map(|it| it.unsent),
        answered: pad.condition.as_ref().is_some_and(|it| it.answered),
        missing_keys: pad.missing_keys(),
        revoked: pad.pad.is_some_and(|it| state.club.revoked.contains(&it)),
        updatable: pad.program.is_some(),
        update: pad.pad.and_then(|it| cable.update_of(it)).map(update_view),
        pad: pad.pad.map(pad_name),
        screen: pad.screen,
        refused: pad.refused,
    });
    Ok(Json(CableView {
        pads: pads.collect(),
        free_number: state.club.pads.free_number(),
        usual_channel: state.club.pads.usual_channel(),
        languages: Language::ALL.map(Language::code).into(),
        program: cable.program().map(|program| program_view(&program)),
    }))
}

/// Makes a pad at the cable one of the club: gives it the club's key, a number for its sticker,
/// channel and language. Everything is in its flash when this answers.
#[utoipa::path(post, path = "/api/cable/{pad}/welcome", tag = "pads", params(("pad" = String, Path, example = "00C0FFEE")), request_body = Welcomed, responses((status = 200, body = WelcomeDone), (status = 404, body = crate::web::ProblemBody), (status = 409, body = crate::web::ProblemBody)))]
async fn welcome(
    State(web): State<Web>,
    director: Director,
    Named(name): Named<String>,
    Body(given): Body<Welcomed>,
) -> Result<Json<WelcomeDone>, Problem> {
    let pad = pad(&name)?;
    let cable = web.desk().cable()?;
    if Language::of_code(&given.language).is_none() {
        return Err(Problem::unreadable(tell!(Asked::PadsDoNotSpeak)));
    }
    let number = number_for(&web, pad, given.number)?;
    let own = web.desk().state().club.pads.channel_for(pad);
    let channel = given.channel.unwrap_or(own);
    let command = Command::ChangeTrust(Trust::PadWelcomed {
        pad,
        number,
        channel,
    });
    web.desk().would_do(&director, &command)?;
    let welcomed = cable.welcome(pad, number, &given.language, channel);
    welcomed.await.map_err(problem)?;
    let Done { seq } = web.desk().act(&director, command).await?;
    Ok(Json(WelcomeDone { seq, number }))
}

/// The number that the director chose, or the pad's own, or a free one.
fn number_for(web: &Web, pad: PadId, chosen: Option<u8>) -> Result<u8, Problem> {
    let state = web.desk().state();
    let pads = &state.club.pads;
    if let Some(number) = chosen {
        return match pads.of_number(number) {
            Some(other) if other != pad => Err(Problem::refused(tell!(Asked::PadHasNumber {
                pad: pad_name(other),
                number
            }))),
            _ => Ok(number),
        };
    }
    let own = pads.known.get(&pad).map_or(0, |pad| pad.number);
    Ok(if own == 0 { pads.free_number() } else { own })
}

/// Has a pad at the cable show, sound or send something, or wait for its keys.
#[utoipa::path(post, path = "/api/cable/{pad}/test", tag = "pads", params(("pad" = String, Path, example = "00C0FFEE")), request_body = TestPart, responses((status = 200, body = PluggedNow), (status = 404, body = crate::web::ProblemBody), (status = 409, body = crate::web::ProblemBody)))]
async fn test(
    State(web): State<Web>,
    _director: Director,
    Named(name): Named<String>,
    Body(TestPart { part }): Body<TestPart>,
) -> Result<Json<PluggedNow>, Problem> {
    let pad = pad(&name)?;
    let cable = web.desk().cable()?;
    let word = match part {
        Part::Keys => "keys",
        Part::Black => "black",
        Part::White => "white",
        Part::Chequers => "chequers",
        Part::Sound => "sound",
        Part::Radio => "radio",
        Part::End => "end",
    };
    if matches!(part, Part::Keys) {
        cable.forget_keys(pad);
    }
    cable.tell(pad, &format!("test {word}")).map_err(problem)?;
    Ok(Json(PluggedNow { asked: word }))
}

/// The pad was asked.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
struct PluggedNow {
    /// For this part of the test.
    asked: &'static str,
}

/// Ends the test of a pad: what was found, to be kept. The journal notes whether all was well.
#[utoipa::path(post, path = "/api/cable/{pad}/protocol", tag = "pads", params(("pad" = String, Path, example = "00C0FFEE")), request_body = Seen, responses((status = 200, body = Protocol), (status = 404, body = crate::web::ProblemBody), (status = 409, body = crate::web::ProblemBody)))]
async fn protocol(
    State(web): State<Web>,
    director: Director,
    Named(name): Named<String>,
    Body(seen): Body<Seen>,
) -> Result<Json<Protocol>, Problem> {
    let pad = pad(&name)?;
    let cable = web.desk().cable()?;
    let plugged = cable.pad(pad).map_err(problem)?;
    cable.tell(pad, "test end").map_err(problem)?;
    let now = web.desk().now();
    let protocol = judge(pad, &plugged, seen, now);
    let passed = protocol.passed;
    let command = Command::ChangeTrust(Trust::PadTested { pad, passed });
    web.desk().act(&director, command).await?;
    Ok(Json(protocol))
}

fn judge(pad: PadId, plugged: &Plugged, seen: Seen, at_ms: Moment) -> Protocol {
    let condition = plugged.condition.as_ref();
    let missing = plugged.missing_keys();
    let finding = |passed: bool, found: String| Verdict { passed, found };
    let yes_no = |yes: bool| finding(yes, if yes { "yes" } else { "no" }.to_owned());
    let battery = condition.map_or(0, |it| it.battery_mv);
    let keys = if missing.is_empty() {
        finding(true, plugged.keys.len().to_string())
    } else {
        finding(false, missing.join(" "))
    };
    let mut protocol = Protocol {
        pad: pad_name(pad),
        number: condition.map_or(0, |it| it.number),
        firmware: plugged.firmware.map(version).unwrap_or_default(),
        at_ms,
        passed: false,
        keys,
        pixels: yes_no(seen.pixels),
        sound: yes_no(seen.sound),
        battery: finding(
            battery >= u16::from(BATTERY_LOW_20_MV) * 20,
            format!("{battery} mV"),
        ),
        radio: yes_no(condition.is_some_and(|it| it.answered)),
    };
    protocol.passed = [
        &protocol.keys,
        &protocol.pixels,
        &protocol.sound,
        &protocol.battery,
        &protocol.radio,
    ]
    .iter()
    .all(|part| part.passed);
    protocol
}
