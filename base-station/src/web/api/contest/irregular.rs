//! Rounds that went wrong: others met than were drawn, a board is spoiled, somebody appeals.

use axum::extract::State;
use protocol::words::{BoardNumber, TableNumber};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::orders::contestant;
use crate::session::{Appeal, Command, ContestCommand, Seq};
use crate::web::api::Answer;
use crate::web::api::input::{round, section};
use crate::web::{Body, Director, Problem, Web};

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(otherwise))
        .routes(routes!(replace_board))
        .routes(routes!(appeal))
        .routes(routes!(settle_appeal))
}

/// Who met whom, where it is not as drawn.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Otherwise {
    #[schema(example = "A")]
    section: String,
    round: u8,
    /// Matches that differ.
    matches: Vec<OtherMatch>,
    why: String,
}

/// Who sat at the tables of a match.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct OtherMatch {
    /// Its number in the draw.
    number: u16,
    home: u16,
    away: u16,
}

/// A board for a spoiled one.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ReplacedBoard {
    #[schema(example = "A")]
    section: String,
    round: u8,
    /// The match's number in the draw.
    number: u16,
    /// The spoiled one.
    board: u8,
    /// The other; no match of the event uses it.
    with: u8,
    why: String,
}

/// An appeal.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewAppeal {
    #[schema(example = "A")]
    section: String,
    round: u8,
    /// The match's number in the draw.
    number: u16,
    board: Option<u8>,
    /// Who appeals.
    by: u16,
    about: String,
    /// Even though its time is over.
    #[serde(default)]
    despite_deadline: bool,
}

/// What came of an appeal.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct SettledAppeal {
    #[schema(example = "A")]
    section: String,
    /// Its number among the appeals of the section.
    appeal: u64,
    outcome: String,
}

fn table(number: u16) -> Result<TableNumber, Problem> {
    TableNumber::try_from(number).map_err(Problem::from)
}

fn board(number: u8) -> Result<BoardNumber, Problem> {
    BoardNumber::try_from(number).map_err(Problem::from)
}

/// Others met in a round than were drawn, and it can't be played again: what was played counts.
/// Whether that was a mismatch is decided on the sheet of each match.
#[utoipa::path(post, path = "/api/contest/otherwise", tag = "matches", request_body = Otherwise, responses((status = 200, body = crate::web::api::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn otherwise(
    State(web): State<Web>,
    director: Director,
    Body(input): Body<Otherwise>,
) -> Answer {
    let matches = input.matches.iter().map(|it| {
        let (home, away) = (contestant(it.home)?, contestant(it.away)?);
        Ok::<_, Problem>((table(it.number)?, home, away))
    });
    let command = ContestCommand::PlayedOtherwise {
        section: section(&input.section)?,
        round: round(input.round)?,
        matches: matches.collect::<Result<_, _>>()?,
        why: input.why,
    };
    web.desk().done(&director, Command::Contest(command)).await
}

/// Plays another board for a spoiled one at both tables of a teams match; pads hear of it.
#[utoipa::path(post, path = "/api/contest/replace-board", tag = "matches", request_body = ReplacedBoard, responses((status = 200, body = crate::web::api::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn replace_board(
    State(web): State<Web>,
    director: Director,
    Body(input): Body<ReplacedBoard>,
) -> Answer {
    let command = ContestCommand::ReplaceBoard {
        section: section(&input.section)?,
        round: round(input.round)?,
        table: table(input.number)?,
        board: board(input.board)?,
        with: board(input.with)?,
        why: input.why,
    };
    web.desk().done(&director, Command::Contest(command)).await
}

/// Notes an appeal against a ruling in a match, with the moment until which it could be made.
#[utoipa::path(post, path = "/api/contest/appeal", tag = "matches", request_body = NewAppeal, responses((status = 200, body = crate::web::api::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn appeal(
    State(web): State<Web>,
    director: Director,
    Body(input): Body<NewAppeal>,
) -> Answer {
    let command = ContestCommand::Appeal {
        section: section(&input.section)?,
        appeal: Appeal {
            round: round(input.round)?,
            table: table(input.number)?,
            board: input.board.map(board).transpose()?,
            by: contestant(input.by)?,
            about: input.about,
            until: None,
        },
        despite_deadline: input.despite_deadline,
    };
    web.desk().done(&director, Command::Contest(command)).await
}

/// Notes what came of an appeal.
#[utoipa::path(post, path = "/api/contest/appeal/settle", tag = "matches", request_body = SettledAppeal, responses((status = 200, body = crate::web::api::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn settle_appeal(
    State(web): State<Web>,
    director: Director,
    Body(input): Body<SettledAppeal>,
) -> Answer {
    let command = ContestCommand::SettleAppeal {
        section: section(&input.section)?,
        appeal: Seq(input.appeal),
        outcome: input.outcome,
    };
    web.desk().done(&director, Command::Contest(command)).await
}
