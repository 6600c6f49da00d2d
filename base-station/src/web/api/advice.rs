//! The adviser: which movement suits the room, and setting a section up with it.

use axum::Json;
use axum::extract::State;
use protocol::words::{Side, TableNumber};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Answer;
use super::chosen::{Picture, PictureSeat, seats};
use super::input::section;
use crate::movement::{Choice, Movement, Place, Reason, Room, suggest};
use crate::session::plan::{SectionPlan, Timing};
use crate::session::{
    Command, movement_name, of_instruction, of_reason_of_movement, of_refused_movement,
};
use crate::web::{Body, Director, Problem, Web};
use telling::{Told, tell};

/// Larger rooms are played in sections.
const PAIRS_MAX: u16 = 400;

/// Nobody plays more in one session.
const BOARDS_MAX: u8 = 60;

/// Rounds that come with a suggestion: one, and where everybody goes after it.
const PICTURED_AT_FIRST: u8 = 2;

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(suggestions))
        .routes(routes!(picture_suggested))
        .routes(routes!(plan_section))
}

/// What the room has tonight.
#[derive(Clone, Debug, Deserialize, ToSchema)]
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
    /// Where the missing pair of a half table would start, as `NS 12`; the adviser chooses where
    /// it is left out.
    #[schema(example = "NS 12")]
    phantom: Option<String>,
}

/// Movements that fit, best first.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct Suggestions {
    choices: Vec<Suggestion>,
}

/// A movement that fits.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct Suggestion {
    /// What it is called; names it when the section is set up.
    name: String,
    /// The same in the reader's language.
    #[schema(value_type = String)]
    title: Told,
    /// Tables, a half one counted.
    tables: usize,
    /// Boards in play.
    boards: usize,
    /// Boards a pair plays when it never sits out.
    boards_played: usize,
    rounds: usize,
    per_round: usize,
    /// One or two ranking lists.
    lists: u8,
    /// Where the missing pair would start, in a room with a half table.
    phantom: Option<String>,
    /// From the first call to the end of the last round, by the session's round clock.
    minutes: u64,
    /// What speaks for it.
    #[schema(value_type = Vec<String>)]
    reasons: Vec<Told>,
    /// What speaks against it.
    #[schema(value_type = Vec<String>)]
    drawbacks: Vec<Told>,
    /// What the director tells the room: relay and share, bye-stands, skips.
    #[schema(value_type = Vec<String>)]
    instructions: Vec<Told>,
    /// The room in its first two rounds.
    seats: Vec<PictureSeat>,
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

/// Movements that fit the room, best first, with their reasons.
#[utoipa::path(post, path = "/api/setup/suggest", tag = "set-up", request_body = RoomInput, responses((status = 200, body = Suggestions), (status = 409, body = crate::web::ProblemBody)))]
async fn suggestions(
    State(web): State<Web>,
    _director: Director,
    Body(room): Body<RoomInput>,
) -> Result<Json<Suggestions>, Problem> {
    let state = web.desk().state();
    let timing = state
        .session
        .as_ref()
        .map_or(Timing::CLUB_EVENING, |session| session.timing);
    let choices = advise(&room).await?;
    let choices = choices
        .iter()
        .map(|choice| Suggestion::of(choice, room.pairs, timing))
        .collect::<Result<_, _>>()?;
    Ok(Json(Suggestions { choices }))
}

/// Sets a section up with one of the suggested movements, or anew.
#[utoipa::path(post, path = "/api/setup/sections", tag = "set-up", request_body = NewSection, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn plan_section(
    State(web): State<Web>,
    director: Director,
    Body(new): Body<NewSection>,
) -> Answer {
    let letter = section(&new.section)?;
    let plan = new.plan().await?;
    let command = Command::PlanSection {
        section: letter,
        plan,
    };
    web.desk().done(&director, command).await
}

/// Shows every round of a suggested movement, and changes nothing.
#[utoipa::path(post, path = "/api/setup/suggested", tag = "set-up", request_body = NewSection, responses((status = 200, body = Picture), (status = 409, body = crate::web::ProblemBody)))]
async fn picture_suggested(
    _director: Director,
    Body(new): Body<NewSection>,
) -> Result<Json<Picture>, Problem> {
    Ok(Json(Picture::of(&new.plan().await?)))
}

impl NewSection {
    async fn plan(self) -> Result<SectionPlan, Problem> {
        let room = RoomInput {
            pairs: self.pairs,
            boards_min: self.boards_min,
            boards_max: self.boards_max,
            phantom: self.phantom,
        };
        let mut choices = advise(&room).await?.into_iter();
        let choice = match &self.movement {
            None => choices.next(),
            Some(name) => choices.find(|choice| &choice.name == name),
        };
        let choice = choice.ok_or_else(|| Problem::refused(tell!(Asked::ThereNoSuchMovement)))?;
        let movement = seated(&choice, self.pairs)?;
        Ok(SectionPlan::of(&movement, &self.colour))
    }
}

/// The adviser tries every movement: off the async threads.
async fn advise(room: &RoomInput) -> Result<Vec<Choice>, Problem> {
    if room.pairs > PAIRS_MAX || room.boards_max > BOARDS_MAX {
        return Err(Problem::unreadable(tell!(Asked::ExpectedAtMostPairs {
            pair: PAIRS_MAX,
            board: BOARDS_MAX
        })));
    }
    let half = !room.pairs.is_multiple_of(2);
    let wanted = room.phantom.as_deref().filter(|_| half);
    let room = Room {
        pairs: room.pairs,
        boards: room.boards_min..=room.boards_max,
        phantom: wanted.map(place).transpose()?,
    };
    tokio::task::spawn_blocking(move || suggest(&room))
        .await
        .map_err(Problem::fault)?
        .map_err(|refused| Problem::refused(of_refused_movement(&refused)))
}

/// `NS 12`, `12 NS`, `NS at table 12`.
pub(super) fn place(text: &str) -> Result<Place, Problem> {
    let expected = || Problem::unreadable(tell!(Asked::ExpectedWhereMissingPair));
    let mut words = text.split_whitespace();
    let side = words.clone().find_map(|word| word.parse::<Side>().ok());
    let table = words.find_map(|word| word.parse::<TableNumber>().ok());
    Ok(Place {
        table: table.ok_or_else(expected)?,
        side: side.ok_or_else(expected)?,
    })
}

/// The movement with its phantom in place, where the room has a half table.
fn seated(choice: &Choice, pairs: u16) -> Result<Movement, Problem> {
    let movement = &choice.movement;
    let place = match &choice.phantom {
        Some(phantom) if !pairs.is_multiple_of(2) => place(phantom)?,
        _ => return Ok(movement.clone()),
    };
    without(movement, place)
}

/// The movement without the pair that would start there.
pub(super) fn without(movement: &Movement, place: Place) -> Result<Movement, Problem> {
    let missing = movement.starts_at(place).ok_or_else(|| {
        Problem::refused(tell!(Asked::NoPairMovementStarts {
            place: place.to_string()
        }))
    })?;
    movement
        .without_pair(missing)
        .map_err(|refused| Problem::refused(of_refused_movement(&refused)))
}

impl Suggestion {
    fn of(choice: &Choice, pairs: u16, timing: Timing) -> Result<Self, Problem> {
        let a_round = choice.per_round as u64 * u64::from(timing.minutes_a_board)
            + u64::from(timing.minutes_to_move);
        let told = |all: &[Reason]| all.iter().map(of_reason_of_movement).collect();
        let movement = seated(choice, pairs)?;
        Ok(Self {
            name: choice.name.clone(),
            title: movement_name(&choice.name),
            tables: choice.tables,
            boards: choice.boards,
            boards_played: choice.boards_played,
            rounds: choice.rounds,
            per_round: choice.per_round,
            lists: choice.lists,
            phantom: choice.phantom.clone(),
            minutes: a_round * choice.rounds as u64,
            reasons: told(&choice.reasons),
            drawbacks: told(&choice.drawbacks),
            instructions: movement.instructions().iter().map(of_instruction).collect(),
            seats: seats(&SectionPlan::of(&movement, "").sittings, PICTURED_AT_FIRST),
        })
    }
}
