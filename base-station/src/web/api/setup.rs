//! Setting up: calendar, sections from the adviser, deals, players, settings.

use axum::Json;
use axum::extract::State;
use protocol::message::{HandRecord, Settings};
use protocol::words::{Side, TableNumber};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Answer;
use super::input::section;
use crate::movement::{Choice, Movement, Place, Room, suggest};
use crate::session::plan::{Scoring, SectionPlan, Timing};
use crate::session::{Command, EventId};
use crate::web::{Body, Director, Named, Problem, Reader, Web};

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(calendar))
        .routes(routes!(create_event))
        .routes(routes!(add_session))
        .routes(routes!(choose_session))
        .routes(routes!(suggestions))
        .routes(routes!(plan_section))
        .routes(routes!(remove_section))
        .routes(routes!(attach_deals))
        .routes(routes!(settings, change_settings))
}

/// Sessions of the calendar.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct Calendar {
    /// The latest first.
    sessions: Vec<CalendarLine>,
}

/// A session of the calendar.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct CalendarLine {
    id: u32,
    event_id: u32,
    event: String,
    date: String,
    title: String,
    chosen: bool,
    /// Results that pads still held when another session was being played.
    late_entries: u16,
}

/// A new event with its first session.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewEvent {
    name: String,
    /// As 2026-11-16.
    #[schema(example = "2026-11-16")]
    date: String,
    #[serde(default)]
    title: String,
}

/// One more session of an event.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewSession {
    event: u32,
    #[schema(example = "2026-11-16")]
    date: String,
    #[serde(default)]
    title: String,
}

/// A session.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Chosen {
    session: u32,
}

/// What the room has tonight.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct RoomInput {
    /// Pairs in the room; an odd number leaves a half table.
    #[schema(minimum = 5, maximum = 400, example = 24)]
    pairs: u16,
    /// Boards a pair should play, at least.
    #[schema(example = 24)]
    boards_min: u8,
    /// At most.
    #[schema(example = 27)]
    boards_max: u8,
}

/// Movements that fit, best first.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct Suggestions {
    #[schema(value_type = Vec<Object>)]
    choices: Vec<Choice>,
}

/// A section with one of the suggested movements.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewSection {
    #[schema(example = "A")]
    section: String,
    /// The colour of its cards and boards.
    #[serde(default)]
    colour: String,
    pairs: u16,
    boards_min: u8,
    boards_max: u8,
    /// The name of a suggested movement; the best one where it is left out.
    movement: Option<String>,
    /// Where the missing pair of a half table would start, as `NS 12`; the adviser's place where
    /// it is left out.
    #[schema(example = "NS 12")]
    phantom: Option<String>,
}

/// A deal file.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct DealFile {
    /// Its name.
    #[schema(example = "monday.pbn")]
    file: String,
    /// Its text.
    pbn: String,
}

/// What was read from a deal file.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct DealsRead {
    boards: usize,
    /// `1-24`.
    range: String,
}

/// Everything that can be chosen about a session.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct AllSettings {
    /// How pads behave.
    #[schema(value_type = Object)]
    pads: Settings,
    /// How it is scored.
    #[schema(value_type = Object)]
    scoring: Scoring,
    /// How long rounds take.
    #[schema(value_type = Object)]
    timing: Timing,
}

/// The calendar.
#[utoipa::path(get, path = "/api/calendar", tag = "set-up", responses((status = 200, body = Calendar)))]
async fn calendar(State(web): State<Web>, _reader: Reader) -> Json<Calendar> {
    let state = web.desk().state();
    let sessions = state
        .club
        .sessions
        .iter()
        .rev()
        .map(|(id, scheduled)| CalendarLine {
            id: id.get(),
            event_id: scheduled.event.0,
            event: state.club.event_name(*id).unwrap_or_default().to_owned(),
            date: scheduled.date.clone(),
            title: scheduled.title.clone(),
            chosen: state.club.chosen == Some(*id),
            late_entries: scheduled.late_entries,
        });
    Json(Calendar {
        sessions: sessions.collect(),
    })
}

/// Creates an event with its first session, which becomes the one being worked with.
#[utoipa::path(post, path = "/api/calendar/events", tag = "set-up", request_body = NewEvent, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn create_event(
    State(web): State<Web>,
    director: Director,
    Body(new): Body<NewEvent>,
) -> Answer {
    let command = Command::CreateEvent {
        name: new.name,
        date: new.date,
        title: new.title,
    };
    web.desk().done(&director, command).await
}

/// Adds a session to an event.
#[utoipa::path(post, path = "/api/calendar/sessions", tag = "set-up", request_body = NewSession, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn add_session(
    State(web): State<Web>,
    director: Director,
    Body(new): Body<NewSession>,
) -> Answer {
    let command = Command::AddSession {
        event: EventId(new.event),
        date: new.date,
        title: new.title,
    };
    web.desk().done(&director, command).await
}

/// Works with another session from now on.
#[utoipa::path(post, path = "/api/calendar/choose", tag = "set-up", request_body = Chosen, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn choose_session(
    State(web): State<Web>,
    director: Director,
    Body(chosen): Body<Chosen>,
) -> Answer {
    let session = chosen
        .session
        .try_into()
        .map_err(|refusal: protocol::words::Refusal| Problem::from(refusal))?;
    web.desk()
        .done(&director, Command::ChooseSession { session })
        .await
}

/// Movements that fit the room, best first, with their reasons.
#[utoipa::path(post, path = "/api/setup/suggest", tag = "set-up", request_body = RoomInput, responses((status = 200, body = Suggestions), (status = 409, body = crate::web::ProblemBody)))]
async fn suggestions(
    _director: Director,
    Body(room): Body<RoomInput>,
) -> Result<Json<Suggestions>, Problem> {
    let choices = advise(room).await?;
    Ok(Json(Suggestions { choices }))
}

/// The adviser tries every movement: off the async threads.
async fn advise(room: RoomInput) -> Result<Vec<Choice>, Problem> {
    /// Larger rooms are played in sections.
    const PAIRS_MAX: u16 = 400;
    /// Nobody plays more in one session.
    const BOARDS_MAX: u8 = 60;
    if room.pairs > PAIRS_MAX || room.boards_max > BOARDS_MAX {
        return Err(Problem::unreadable(format!(
            "Expected at most {PAIRS_MAX} pairs in a section and at most {BOARDS_MAX} boards."
        )));
    }
    let room = Room {
        pairs: room.pairs,
        boards: room.boards_min..=room.boards_max,
    };
    tokio::task::spawn_blocking(move || suggest(&room))
        .await
        .map_err(Problem::fault)?
        .map_err(|refused| Problem::refused(refused.to_string()))
}

/// Sets a section up with one of the suggested movements, or anew.
#[utoipa::path(post, path = "/api/setup/sections", tag = "set-up", request_body = NewSection, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn plan_section(
    State(web): State<Web>,
    director: Director,
    Body(new): Body<NewSection>,
) -> Answer {
    let letter = section(&new.section)?;
    let room = RoomInput {
        pairs: new.pairs,
        boards_min: new.boards_min,
        boards_max: new.boards_max,
    };
    let mut choices = advise(room).await?.into_iter();
    let choice = match &new.movement {
        None => choices.next(),
        Some(name) => choices.find(|choice| &choice.name == name),
    };
    let choice = choice.ok_or_else(|| {
        Problem::refused("There is no such movement for this room. Ask for suggestions again.")
    })?;
    let phantom = new.phantom.as_deref().or(choice.phantom.as_deref());
    let movement = seated(&choice.movement, new.pairs, phantom)?;
    let plan = SectionPlan::of(&movement, &new.colour);
    let command = Command::PlanSection {
        section: letter,
        plan,
    };
    web.desk().done(&director, command).await
}

/// The movement with its phantom in place, where the room has a half table.
fn seated(movement: &Movement, pairs: u16, phantom: Option<&str>) -> Result<Movement, Problem> {
    if pairs.is_multiple_of(2) {
        return Ok(movement.clone());
    }
    let expected =
        || Problem::unreadable("Expected where the missing pair would start, as NS 12 or EW 3.");
    let words: Vec<&str> = phantom.ok_or_else(expected)?.split_whitespace().collect();
    let side = words.iter().find_map(|word| word.parse::<Side>().ok());
    let table = words
        .iter()
        .find_map(|word| word.parse::<TableNumber>().ok());
    let place = Place {
        table: table.ok_or_else(expected)?,
        side: side.ok_or_else(expected)?,
    };
    let missing = movement
        .starts_at(place)
        .ok_or_else(|| Problem::refused(format!("No pair of this movement starts at {place}.")))?;
    movement
        .without_pair(missing)
        .map_err(|refused| Problem::refused(refused.to_string()))
}

/// Drops a section.
#[utoipa::path(delete, path = "/api/setup/sections/{section}", tag = "set-up", params(("section" = String, Path, example = "A")), responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn remove_section(
    State(web): State<Web>,
    director: Director,
    Named(letter): Named<String>,
) -> Answer {
    let section = section(&letter)?;
    web.desk()
        .done(&director, Command::RemoveSection { section })
        .await
}

/// Reads a deal file (PBN).
#[utoipa::path(post, path = "/api/deals", tag = "set-up", request_body = DealFile, responses((status = 200, body = DealsRead), (status = 400, body = crate::web::ProblemBody)))]
async fn attach_deals(
    State(web): State<Web>,
    director: Director,
    Body(file): Body<DealFile>,
) -> Result<Json<DealsRead>, Problem> {
    let deals = crate::deals::read_pbn(file.pbn.as_bytes())
        .map_err(|error| Problem::unreadable(error.to_string()))?;
    let records: Vec<_> = deals.iter().map(HandRecord::from).collect();
    let boards = records.len();
    let range = match (records.first(), records.last()) {
        (Some(first), Some(last)) => format!("{}-{}", first.board, last.board),
        _ => String::new(),
    };
    let command = Command::AttachDeals {
        file: file.file,
        deals: records,
    };
    web.desk().act(&director, command).await?;
    Ok(Json(DealsRead { boards, range }))
}

/// All settings of the session.
#[utoipa::path(get, path = "/api/settings", tag = "set-up", responses((status = 200, body = AllSettings)))]
async fn settings(
    State(web): State<Web>,
    _director: Director,
) -> Result<Json<AllSettings>, Problem> {
    let state = web.desk().state();
    Ok(Json(AllSettings::of(super::results::session(&state)?)))
}

/// Changes settings; they reach pads at their next contact.
#[utoipa::path(put, path = "/api/settings", tag = "set-up", request_body = AllSettings, responses((status = 200, body = AllSettings), (status = 409, body = crate::web::ProblemBody)))]
async fn change_settings(
    State(web): State<Web>,
    director: Director,
    Body(new): Body<AllSettings>,
) -> Result<Json<AllSettings>, Problem> {
    let state = web.desk().state();
    let now = AllSettings::of(super::results::session(&state)?);
    if new.pads != now.pads {
        web.desk()
            .act(&director, Command::ChangeSettings(new.pads))
            .await?;
    }
    if new.scoring != now.scoring {
        web.desk()
            .act(&director, Command::ChooseScoring(new.scoring))
            .await?;
    }
    if new.timing != now.timing {
        web.desk()
            .act(&director, Command::ChooseTiming(new.timing))
            .await?;
    }
    let state = web.desk().state();
    Ok(Json(AllSettings::of(super::results::session(&state)?)))
}

impl AllSettings {
    const fn of(session: &crate::session::Session) -> Self {
        Self {
            pads: session.settings,
            scoring: session.scoring,
            timing: session.timing,
        }
    }
}
