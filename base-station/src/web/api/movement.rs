//! Changes of the movement while it is being played: what is possible, what it would mean, and
//! doing it.

use axum::Json;
use axum::extract::State;
use protocol::words::{RoundNumber, TableNumber};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Answer;
use super::input::{pair, round, section};
use crate::movement::change::{Manner, RelayMistake};
use crate::session::{Command, Preview, Repair, RepairChoice};
use crate::web::{Body, Director, Named, Problem, Web};
use telling::tell;

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(possible))
        .routes(routes!(preview))
        .routes(routes!(apply))
}

/// A change of one section's movement.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct MovementChange {
    #[schema(example = "A")]
    section: String,
    repair: RepairInput,
    #[serde(default)]
    why: String,
}

/// What has to change. Where `from` is left out it is the first round that nobody has begun.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case", tag = "kind")]
enum RepairInput {
    /// A pair that comes late.
    LatePair {
        /// The first round it plays.
        from: Option<u8>,
        /// How it is let in; the best way there is where it is left out.
        manner: Option<MannerInput>,
    },
    /// Two pairs that come late and have a table to themselves.
    LateTable {
        /// The first round it plays.
        from: Option<u8>,
    },
    /// A pair that goes home.
    PairLeaves {
        /// Which.
        #[schema(example = "A7EW")]
        pair: String,
        /// The first round it does not play.
        from: Option<u8>,
    },
    /// The pairs that have sat at a table go home.
    TableLeaves {
        /// The table's number.
        table: u16,
        /// The first round they do not play.
        from: Option<u8>,
    },
    /// Fewer rounds.
    CutShort {
        /// The last round that is played.
        last: u8,
    },
    /// The bye-stand of a share-and-relay stood one table out since round 1.
    ByeStandOut {
        /// Which way.
        mistake: StandInput,
    },
    /// East-West skipped at the wrong time, or will.
    SkipMade {
        /// After this round.
        after: u8,
    },
}

/// How a late pair is let in.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum MannerInput {
    /// In the seats of a phantom or of a pair that has left.
    EmptySeats,
    /// In a Howell: it takes over another pair's card.
    TakesOverACard,
    /// At a table of its own, in the next larger Mitchell.
    NewTable,
    /// As a guest that takes another pair's place each round.
    Guest,
}

/// Where the bye-stand stood.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum StandInput {
    /// One table too low.
    TooLow,
    /// One table too high.
    TooHigh,
}

/// What can be done to a section's movement now.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct Possible {
    /// The first round that nobody has begun.
    #[schema(value_type = u8)]
    first_free_round: RoundNumber,
    /// Repairs that need nothing but a click: late pairs in each manner, the bye-stand, the skip.
    #[schema(value_type = Vec<Object>)]
    choices: Vec<RepairChoice>,
}

impl RepairInput {
    fn repair(&self) -> Result<Repair, Problem> {
        let from = |from: &Option<u8>| from.map(round).transpose();
        Ok(match self {
            Self::LatePair {
                from: begin,
                manner,
            } => Repair::LatePair {
                from: from(begin)?,
                manner: manner.map(|manner| match manner {
                    MannerInput::EmptySeats => Manner::EmptySeats,
                    MannerInput::TakesOverACard => Manner::TakesOverACard,
                    MannerInput::NewTable => Manner::NewTable,
                    MannerInput::Guest => Manner::Guest,
                }),
            },
            Self::LateTable { from: begin } => Repair::LateTable { from: from(begin)? },
            Self::PairLeaves {
                pair: leaver,
                from: begin,
            } => Repair::PairLeaves {
                pair: pair(leaver)?,
                from: from(begin)?,
            },
            Self::TableLeaves { table, from: begin } => Repair::TableLeaves {
                table: TableNumber::try_from(*table).map_err(Problem::from)?,
                from: from(begin)?,
            },
            Self::CutShort { last } => Repair::CutShort {
                last: round(*last)?,
            },
            Self::ByeStandOut { mistake } => Repair::ByeStandOut {
                mistake: match mistake {
                    StandInput::TooLow => RelayMistake::TooLow,
                    StandInput::TooHigh => RelayMistake::TooHigh,
                },
            },
            Self::SkipMade { after } => Repair::SkipMade {
                after: round(*after)?,
            },
        })
    }
}

impl MovementChange {
    fn command(&self) -> Result<Command, Problem> {
        Ok(Command::ReviseMovement {
            section: section(&self.section)?,
            repair: self.repair.repair()?,
            why: self.why.clone(),
        })
    }
}

/// What can be done to a section's movement now, and what each repair would do in a sentence.
#[utoipa::path(get, path = "/api/movement/{section}/repairs", tag = "movement", params(("section" = String, Path, example = "A")), responses((status = 200, body = Possible), (status = 404, body = crate::web::ProblemBody)))]
async fn possible(
    State(web): State<Web>,
    _director: Director,
    Named(letter): Named<String>,
) -> Result<Json<Possible>, Problem> {
    let letter = section(&letter)?;
    let state = web.desk().state();
    let session = super::results::session(&state)?;
    if !session.sections.contains_key(&letter) {
        return Err(Problem::not_found(tell!(Asked::ThereNoSectionTonight {
            letter
        })));
    }
    let session = session.clone();
    let possible = tokio::task::spawn_blocking(move || Possible {
        first_free_round: session.first_free_round(letter),
        choices: session.repairs(letter),
    });
    possible.await.map(Json).map_err(Problem::fault)
}

/// What a change would mean for whom, in sentences and as data. Nothing happens.
#[utoipa::path(post, path = "/api/movement/preview", tag = "movement", request_body = MovementChange, responses((status = 200, description = "What changes for whom", body = Object), (status = 409, body = crate::web::ProblemBody)))]
async fn preview(
    State(web): State<Web>,
    _director: Director,
    Body(change): Body<MovementChange>,
) -> Result<Json<Preview>, Problem> {
    web.desk().preview(change.command()?).await.map(Json)
}

/// Changes the movement. What is in stays, and pads hear of it at their next contact.
#[utoipa::path(post, path = "/api/movement/apply", tag = "movement", request_body = MovementChange, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn apply(
    State(web): State<Web>,
    director: Director,
    Body(change): Body<MovementChange>,
) -> Answer {
    web.desk().done(&director, change.command()?).await
}
