//! The base station on its machine: first start, practice evening, starting with the machine,
//! copies brought back, and what a helper on the telephone asks for.

use std::fmt::Write as _;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::Extensions;
use serde::{Deserialize, Serialize};
use telling::tell;
use utoipa::ToSchema;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use super::Answer;
use super::cable::version;
use crate::daemon::{Door, House, key_mark, last_lines};
use crate::session::{Command, Moment};
use crate::store::{COPIES_FOLDER, Restorable, prepare_restore};
use crate::view::pad_name;
use crate::web::{Body, Director, Problem, Web, address_of};

/// Ten years of a large hall.
const COPY_LEN_MAX: usize = 600_000_000;

/// Letters and digits that may be a key in a log.
const SECRET_LEN_MIN: usize = 16;

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(house))
        .routes(routes!(name_club))
        .routes(routes!(practice))
        .routes(routes!(autostart))
        .routes(routes!(let_in))
        .routes(routes!(end))
        .routes(routes!(diagnostics))
        .routes(routes!(copies))
        .routes(routes!(restore))
        .routes(routes!(upload).layer(DefaultBodyLimit::max(COPY_LEN_MAX)))
}

/// The base station on its machine.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct HouseView {
    /// Of the program.
    version: &'static str,
    /// What the club is called; empty until somebody has said so.
    club: String,
    /// Nobody has done anything here yet.
    first_start: bool,
    /// Whether it starts with the machine; none where it can't.
    autostart: Option<bool>,
    /// Whether other machines may come in.
    phones_come_in: bool,
    /// How, as the director chose here; none where the command line said so.
    door: Option<DoorWay>,
}

/// How other machines come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum DoorWay {
    /// Not at all.
    Shut,
    /// With the club's own certificate, about which each browser warns once.
    Encrypted,
    /// So that whoever is in the same network can read along.
    Plain,
}

/// Who is let in.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct LetIn {
    door: DoorWay,
    /// The director's password from now on. Nobody is let in without one.
    password: Option<String>,
}

/// The base station starts again.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct DoorDone {
    /// Its page on this machine from then on.
    page: String,
}

/// What the club is called.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ClubName {
    #[schema(example = "Bridge Club Northbank")]
    name: String,
}

/// Whether it starts with the machine.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Switched {
    on: bool,
}

/// A practice evening.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct PracticeView {
    /// Its page, on this machine.
    page: String,
}

/// The copies beside the journal.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct Copies {
    /// The latest first.
    copies: Vec<CopyView>,
}

/// One of them.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct CopyView {
    name: String,
    made_ms: u64,
    bytes: u64,
}

/// Which copy.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CopyName {
    #[schema(example = "journal-3.sqlite")]
    name: String,
}

/// The base station starts again with this copy.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
struct Restoring {
    /// When it was made.
    #[schema(value_type = Option<u64>)]
    made_ms: Option<Moment>,
    records: u64,
}

/// A text to be sent to somebody who helps.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct Diagnostics {
    text: String,
}

/// The version, the club's name, and how the base station starts.
#[utoipa::path(get, path = "/api/house", tag = "club", responses((status = 200, body = HouseView), (status = 404, body = crate::web::ProblemBody)))]
async fn house(State(web): State<Web>, _director: Director) -> Result<Json<HouseView>, Problem> {
    let house = web.desk().house()?;
    let club = web.desk().state().club;
    let fresh = club.name.is_empty() && club.sessions.is_empty() && club.members.is_empty();
    Ok(Json(HouseView {
        version: env!("CARGO_PKG_VERSION"),
        first_start: fresh,
        club: club.name,
        autostart: house.autostart().map(|start| start.is_on()),
        phones_come_in: web.addresses().len() > 1,
        door: house.door().map(|door| match door {
            Door::Shut => DoorWay::Shut,
            Door::Encrypted => DoorWay::Encrypted,
            Door::Plain => DoorWay::Plain,
        }),
    }))
}

/// Says what the club is called, for sheets and files.
#[utoipa::path(put, path = "/api/house/club", tag = "club", request_body = ClubName, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn name_club(
    State(web): State<Web>,
    director: Director,
    Body(ClubName { name }): Body<ClubName>,
) -> Answer {
    let command = Command::NameClub { name };
    web.desk().done(&director, command).await
}

/// Plays a practice evening beside the real one: nothing of it touches the club's data.
#[utoipa::path(post, path = "/api/house/practice", tag = "club", responses((status = 200, body = PracticeView), (status = 404, body = crate::web::ProblemBody), (status = 409, body = crate::web::ProblemBody)))]
async fn practice(
    State(web): State<Web>,
    _director: Director,
    extensions: Extensions,
) -> Result<Json<PracticeView>, Problem> {
    let house = web.desk().house()?.clone();
    if !address_of(&extensions).is_loopback() {
        return Err(Problem::refused(tell!(Asked::PracticeOwnScreen)));
    }
    let begun = tokio::task::spawn_blocking(move || house.practise()).await;
    let page = begun.map_err(Problem::fault)?.map_err(Problem::fault)?;
    Ok(Json(PracticeView { page }))
}

/// Has the base station start with the machine, or not.
#[utoipa::path(put, path = "/api/house/autostart", tag = "club", request_body = Switched, responses((status = 200, body = Switched), (status = 404, body = crate::web::ProblemBody), (status = 409, body = crate::web::ProblemBody)))]
async fn autostart(
    State(web): State<Web>,
    _director: Director,
    Body(Switched { on }): Body<Switched>,
) -> Result<Json<Switched>, Problem> {
    let house = web.desk().house()?;
    let start = house
        .autostart()
        .ok_or_else(|| Problem::refused(tell!(Asked::CantStartByItself)))?;
    start.switch(on).map_err(Problem::fault)?;
    let on = start.is_on();
    Ok(Json(Switched { on }))
}

/// Lets phones and other machines in, or shuts the door: the base station starts again for it.
#[utoipa::path(put, path = "/api/house/door", tag = "club", request_body = LetIn, responses((status = 200, body = DoorDone), (status = 404, body = crate::web::ProblemBody), (status = 409, body = crate::web::ProblemBody)))]
async fn let_in(
    State(web): State<Web>,
    director: Director,
    extensions: Extensions,
    Body(LetIn { door, password }): Body<LetIn>,
) -> Result<Json<DoorDone>, Problem> {
    let house = web.desk().house()?;
    if house.door().is_none() {
        return Err(Problem::refused(tell!(Asked::DoorNamed)));
    }
    let (door, scheme) = match door {
        DoorWay::Shut => (Door::Shut, "http"),
        DoorWay::Encrypted => (Door::Encrypted, "https"),
        DoorWay::Plain => (Door::Plain, "http"),
    };
    if let Some(password) = password {
        let hash = web.bench().hash(address_of(&extensions), password).await?;
        let command = Command::SetPassword { hash };
        web.desk().act(&director, command).await?;
    } else if door != Door::Shut && web.access().password.is_none() {
        return Err(Problem::refused(tell!(Asked::DoorNeedsPassword)));
    }
    house.set_door(door).map_err(Problem::fault)?;
    house.start_again();
    let port = web.addresses().first().and_then(|it| it.rsplit(':').next());
    let port = port.unwrap_or_default();
    Ok(Json(DoorDone {
        page: format!("{scheme}://127.0.0.1:{port}/"),
    }))
}

/// The base station ends.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
struct Ended {
    /// Results that pads send from now on wait on the pads.
    ended: bool,
}

/// Ends the base station: whoever started it from a menu has no window to close. Pads keep what they
/// have until it is started again.
#[utoipa::path(post, path = "/api/house/end", tag = "club", responses((status = 200, body = Ended), (status = 404, body = crate::web::ProblemBody), (status = 409, body = crate::web::ProblemBody)))]
async fn end(
    State(web): State<Web>,
    _director: Director,
    extensions: Extensions,
) -> Result<Json<Ended>, Problem> {
    let house = web.desk().house()?;
    if !address_of(&extensions).is_loopback() {
        return Err(Problem::refused(tell!(Asked::EndOwnScreen)));
    }
    house.end();
    Ok(Json(Ended { ended: true }))
}

/// What somebody who helps wants to know, without names and without keys.
#[utoipa::path(get, path = "/api/house/diagnostics", tag = "club", responses((status = 200, body = Diagnostics), (status = 404, body = crate::web::ProblemBody)))]
async fn diagnostics(
    State(web): State<Web>,
    _director: Director,
) -> Result<Json<Diagnostics>, Problem> {
    let house = web.desk().house()?;
    let mut text = figures(&web);
    let state = web.desk().state();
    let club = &state.club;
    let mut names: Vec<&str> = club.members.values().map(String::as_str).collect();
    names.push(&club.name);
    names.extend(club.events.values().map(String::as_str));
    names.extend(club.sessions.values().map(|it| it.title.as_str()));
    let players: Vec<String> = state
        .session
        .iter()
        .flat_map(|session| session.roster.iter())
        .map(|(.., player)| player.name_from(club))
        .collect();
    names.extend(players.iter().map(String::as_str));
    let home = directories::BaseDirs::new().map(|dirs| dirs.home_dir().display().to_string());
    names.extend(home.as_deref());
    text.push_str("\nlog\n");
    for line in last_lines(house.data()) {
        text.push_str(&without_names(&line, &names));
        text.push('\n');
    }
    Ok(Json(Diagnostics { text }))
}

/// Figures that name nobody.
fn figures(web: &Web) -> String {
    let state = web.desk().state();
    let club = &state.club;
    let (receivers, tally) = web.desk().radio();
    let mut text = String::new();
    let mut figure = |what: &str, value: &dyn std::fmt::Display| {
        let _ = writeln!(text, "{what}: {value}");
    };
    figure("version", &env!("CARGO_PKG_VERSION"));
    figure("wire version", &protocol::message::WIRE_VERSION);
    figure("system", &std::env::consts::OS);
    figure("processor", &std::env::consts::ARCH);
    figure("records", &state.seq.0);
    figure("sessions", &club.sessions.len());
    figure("members", &club.members.len());
    figure("pads", &club.pads.known.len());
    figure("revoked pads", &club.revoked.len());
    figure("receivers", &receivers.len());
    let plugged = receivers.iter().filter(|it| it.connected).count();
    figure("receivers connected", &plugged);
    let _ = writeln!(text, "frames: {tally:?}");
    if let Some(session) = &state.session {
        let _ = writeln!(
            text,
            "session: {:?}, {} sections, {} tables, gate open {}",
            session.phase,
            session.sections.len(),
            session.tables.len(),
            session.gate_open
        );
    }
    for (pad, known) in &club.pads.known {
        let battery = known
            .batteries
            .last()
            .map_or(0, |(_, raw)| u16::from(*raw) * 20);
        let firmware = known.firmware.map(version).unwrap_or_default();
        let _ = writeln!(
            text,
            "pad {}: firmware {firmware}, {battery} mV",
            pad_name(*pad)
        );
    }
    text
}

/// A line of the log without names, and without anything that may be a key.
fn without_names(line: &str, names: &[&str]) -> String {
    let mut line = line.to_owned();
    for name in names.iter().filter(|name| name.chars().count() > 2) {
        line = line.replace(name, "[name]");
    }
    let mut told = String::new();
    let is_digit = |letter: char| letter.is_ascii_hexdigit();
    let mut rest = line.as_str();
    while let Some(start) = rest.find(is_digit) {
        let (before, from) = rest.split_at(start);
        let len = from.find(|letter| !is_digit(letter)).unwrap_or(from.len());
        let (digits, after) = from.split_at(len);
        told.push_str(before);
        told.push_str(if len >= SECRET_LEN_MIN {
            "[digits]"
        } else {
            digits
        });
        rest = after;
    }
    told.push_str(rest);
    told
}

/// The copies that were made as the evening went, every ten minutes.
#[utoipa::path(get, path = "/api/backups", tag = "files", responses((status = 200, body = Copies), (status = 404, body = crate::web::ProblemBody)))]
async fn copies(State(web): State<Web>, _director: Director) -> Result<Json<Copies>, Problem> {
    let folder = web.desk().house()?.data().join(COPIES_FOLDER);
    let mut copies = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let (Ok(name), Ok(about)) = (entry.file_name().into_string(), entry.metadata()) else {
            continue;
        };
        let made = about.modified().ok().and_then(|at| {
            let since = at.duration_since(std::time::UNIX_EPOCH).ok()?;
            u64::try_from(since.as_millis()).ok()
        });
        if name.ends_with(".sqlite") {
            copies.push(CopyView {
                name,
                made_ms: made.unwrap_or_default(),
                bytes: about.len(),
            });
        }
    }
    copies.sort_by_key(|copy| std::cmp::Reverse(copy.made_ms));
    Ok(Json(Copies { copies }))
}

/// Brings one of these copies back: the base station starts again with it. The journal that is
/// there now is kept in a folder of its own, and pads are asked for what came since.
#[utoipa::path(post, path = "/api/backups/restore", tag = "files", request_body = CopyName, responses((status = 200, body = Restoring), (status = 404, body = crate::web::ProblemBody), (status = 409, body = crate::web::ProblemBody)))]
async fn restore(
    State(web): State<Web>,
    _director: Director,
    Body(CopyName { name }): Body<CopyName>,
) -> Result<Json<Restoring>, Problem> {
    let house = web.desk().house()?;
    let plain = name.ends_with(".sqlite") && !name.contains(['/', '\\']);
    let copy = house.data().join(COPIES_FOLDER).join(&name);
    let content = match std::fs::read(&copy) {
        Ok(content) if plain => content,
        _ => return Err(Problem::not_found(tell!(Asked::NoCopyOfName))),
    };
    bring_back(&web, content).await
}

/// Brings a copy back that was saved from a page.
#[utoipa::path(post, path = "/api/backups/upload", tag = "files", request_body(content = Vec<u8>, content_type = "application/octet-stream"), responses((status = 200, body = Restoring), (status = 404, body = crate::web::ProblemBody), (status = 409, body = crate::web::ProblemBody)))]
async fn upload(
    State(web): State<Web>,
    _director: Director,
    content: Bytes,
) -> Result<Json<Restoring>, Problem> {
    bring_back(&web, content.to_vec()).await
}

async fn bring_back(web: &Web, content: Vec<u8>) -> Result<Json<Restoring>, Problem> {
    let house: House = web.desk().house()?.clone();
    let keyring = web.desk().cable()?.keyring().clone();
    let ours = [Some(keyring.current()), keyring.old()];
    let ours: Vec<_> = ours
        .into_iter()
        .flatten()
        .map(|key| key_mark(&key))
        .collect();
    // A club that moves to this laptop without its key is asked about it at the start.
    let moves_in = web.desk().state().club.is_untouched();
    let data = house.data().to_owned();
    let prepared = tokio::task::spawn_blocking(move || {
        prepare_restore(&data, &content, |found: Restorable| match found.key_mark {
            Some(mark) if !ours.contains(&mark) && !moves_in => Err(tell!(Journal::CopyAnotherKey)),
            _ => Ok(()),
        })
    });
    let found = prepared.await.map_err(Problem::fault)?;
    let found = found.map_err(Problem::refused)?;
    house.start_again();
    Ok(Json(Restoring {
        made_ms: found.made,
        records: found.records,
    }))
}

#[cfg(test)]
mod tests {
    use super::without_names;

    #[test]
    fn what_is_sent_to_a_helper_names_nobody_and_gives_no_key_away() {
        let names = ["Anna Kovacs", "Northbank", "/home/anna"];
        let key = "00112233445566778899aabbccddeeff";
        let line = format!("WARN /home/anna/x: Anna Kovacs of Northbank, key {key}, record 4711");
        let told = without_names(&line, &names);
        assert_eq!(
            told,
            "WARN [name]/x: [name] of [name], key [digits], record 4711"
        );
    }
}
