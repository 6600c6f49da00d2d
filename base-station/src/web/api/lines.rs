//! What the director does to lines of score sheets.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use protocol::words::BoardNumber;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::input::{
    PenaltyKind, Place, ResultInput, WhoWasAsked, board, pair, penalty, section, table,
};
use super::{Answer, typed};
use crate::session::plan::{Fault, Ruling};
use crate::session::{Cell, Command, Line, Seq, Session, TableId};
use crate::view::LineView;
use crate::web::{Body, Director, Problem, Web};
use telling::tell;

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(rule))
        .routes(routes!(type_in))
        .routes(routes!(correct_pairs))
        .routes(routes!(turn))
        .routes(routes!(move_line))
        .routes(routes!(allow))
        .routes(routes!(refuse))
        .routes(routes!(fouled))
        .routes(routes!(penalise))
        .routes(routes!(undo))
}

/// Deciding a line.
#[derive(Clone, Debug, Deserialize, ToSchema)]
struct RuleInput {
    #[serde(flatten)]
    place: Place,
    result: ResultInput,
    /// Why; may be empty for a plain correction.
    #[serde(default)]
    why: String,
    /// Who was asked before a result was changed, or why nobody had to be.
    asked: Option<WhoWasAsked>,
}

/// A line as typed into a score sheet.
#[derive(Clone, Debug, Deserialize, ToSchema)]
struct Typed {
    #[serde(flatten)]
    place: Place,
    /// `4SS=`, `620`, `-50`, `0`, `A60/40`, `NP`.
    #[schema(example = "4SS=", max_length = 20)]
    typed: String,
}

/// Who really played.
#[derive(Clone, Debug, Deserialize, ToSchema)]
struct Pairs {
    #[serde(flatten)]
    place: Place,
    /// Who sat North-South; nobody where it is left out.
    #[schema(example = "A7NS")]
    ns: Option<String>,
    /// Who sat East-West; nobody where it is left out.
    #[schema(example = "A3EW")]
    ew: Option<String>,
    #[serde(default)]
    why: String,
}

/// A line and a reason.
#[derive(Clone, Debug, Deserialize, ToSchema)]
struct LineAndReason {
    #[serde(flatten)]
    place: Place,
    #[serde(default)]
    why: String,
}

/// A result that belongs elsewhere.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Move {
    from: Place,
    to: Place,
    #[serde(default)]
    why: String,
}

/// Whose fault it is that a table has another form of a board.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
enum WhoseFault {
    /// Nobody's at that table.
    #[default]
    Nobody,
    /// North-South's.
    NorthSouth,
    /// East-West's.
    EastWest,
    /// Both sides' together.
    Both,
}

impl WhoseFault {
    const fn of_both(self) -> (Fault, Fault) {
        match self {
            Self::Nobody => (Fault::None, Fault::None),
            Self::NorthSouth => (Fault::Responsible, Fault::None),
            Self::EastWest => (Fault::None, Fault::Responsible),
            Self::Both => (Fault::Partly, Fault::Partly),
        }
    }
}

/// Tables that played, or will play, another form of a board.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Fouled {
    #[schema(example = "A")]
    section: String,
    board: u8,
    /// The letter of the other form, from B.
    #[schema(example = "B")]
    form: String,
    /// The tables that played it or have yet to play it.
    tables: Vec<String>,
    /// Whose fault that is, by table; nobody's where it is left out.
    #[serde(default)]
    faults: BTreeMap<String, WhoseFault>,
    #[serde(default)]
    why: String,
}

/// A penalty or a warning.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PenaltyInput {
    #[schema(example = "A7NS")]
    pair: String,
    kind: PenaltyKind,
    /// How much, without a sign; not for a warning.
    #[serde(default)]
    #[schema(example = "10")]
    value: String,
    why: String,
    /// Whether players may read why on the sheets.
    #[serde(default)]
    print_why: bool,
}

/// Taking a change back.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Undo {
    /// Its place in the journal.
    change: u64,
    #[serde(default)]
    why: String,
}

/// Decides a line: corrects it, puts it in, adjusts it, calls it a late play, takes it away.
#[utoipa::path(post, path = "/api/lines/rule", tag = "results", request_body = RuleInput, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn rule(State(web): State<Web>, director: Director, Body(input): Body<RuleInput>) -> Answer {
    let (cell, ruling, why) = (input.place.cell()?, input.result.ruling()?, input.why);
    let command = Command::Rule { cell, ruling, why };
    let command = match input.asked {
        None => command,
        Some(asked) => command.on_grounds(asked.grounds()),
    };
    web.desk().done(&director, command).await
}

/// Types a line into a score sheet.
#[utoipa::path(post, path = "/api/lines/typed", tag = "results", request_body = Typed, responses((status = 200, body = LineView), (status = 400, body = crate::web::ProblemBody)))]
async fn type_in(
    State(web): State<Web>,
    director: Director,
    Body(input): Body<Typed>,
) -> Result<Json<LineView>, Problem> {
    let cell = input.place.cell()?;
    let command = match typed::read(&input.typed, cell.board)? {
        (Ruling::Result(result), Some(stated)) => Command::WriteIn {
            cell,
            result,
            stated,
        },
        (ruling @ Ruling::Award { .. }, _) => Command::Rule {
            cell,
            ruling,
            why: "typed from the paper sheet".to_owned(),
        },
        (ruling, _) => Command::TypeIn { cell, ruling },
    };
    web.desk().act(&director, command).await?;
    let state = web.desk().state();
    let session = super::results::session(&state)?;
    Ok(Json(LineView::now(session, &session.scores(), cell)))
}

/// Says who really played a board.
#[utoipa::path(post, path = "/api/lines/pairs", tag = "results", request_body = Pairs, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn correct_pairs(
    State(web): State<Web>,
    director: Director,
    Body(input): Body<Pairs>,
) -> Answer {
    let command = Command::CorrectPairs {
        cell: input.place.cell()?,
        ns: input.ns.as_deref().map(pair).transpose()?,
        ew: input.ew.as_deref().map(pair).transpose()?,
        why: input.why,
    };
    web.desk().done(&director, command).await
}

/// The pairs of a line sat the other way round.
#[utoipa::path(post, path = "/api/lines/turn", tag = "results", request_body = LineAndReason, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn turn(
    State(web): State<Web>,
    director: Director,
    Body(input): Body<LineAndReason>,
) -> Answer {
    let command = Command::TurnLine {
        cell: input.place.cell()?,
        why: input.why,
    };
    web.desk().done(&director, command).await
}

/// A result was entered for the wrong board, round or table.
#[utoipa::path(post, path = "/api/lines/move", tag = "results", request_body = Move, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn move_line(State(web): State<Web>, director: Director, Body(input): Body<Move>) -> Answer {
    let command = Command::MoveLine {
        from: input.from.cell()?,
        to: input.to.cell()?,
        why: input.why,
    };
    web.desk().done(&director, command).await
}

/// Lets a table enter a board that is not on its sheet.
#[utoipa::path(post, path = "/api/lines/allow", tag = "results", request_body = Place, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn allow(State(web): State<Web>, director: Director, Body(place): Body<Place>) -> Answer {
    let cell = place.cell()?;
    web.desk()
        .done(&director, Command::AllowBoard { cell })
        .await
}

/// Says no to a table that wants to enter a board that is not on its sheet.
#[utoipa::path(post, path = "/api/lines/refuse", tag = "results", request_body = Place, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn refuse(State(web): State<Web>, director: Director, Body(place): Body<Place>) -> Answer {
    let cell = place.cell()?;
    web.desk()
        .done(&director, Command::RefuseBoard { cell })
        .await
}

/// Some tables played another form of a board.
#[utoipa::path(post, path = "/api/boards/fouled", tag = "results", request_body = Fouled, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn fouled(State(web): State<Web>, director: Director, Body(input): Body<Fouled>) -> Answer {
    let (section, board) = (section(&input.section)?, board(input.board)?);
    let mut letters = input.form.trim().chars();
    let form = letters
        .next()
        .map(|letter| letter.to_ascii_uppercase())
        .filter(|letter| letters.next().is_none() && ('B'..='Z').contains(letter))
        .ok_or_else(|| Problem::unreadable(tell!(Asked::ExpectedLetterFromB)))?;
    let state = web.desk().state();
    let session = super::results::session(&state)?;
    let mut groups = Vec::new();
    for name in &input.tables {
        groups.push((place_of(session, table(name)?, board)?, form));
    }
    // Other forms stay as they were said earlier.
    let earlier = session.fouled.iter().filter(|(cell, (other, _))| {
        (cell.section, cell.board) == (section, board)
            && *other != form
            && *other != Line::USUAL_FORM
            && !groups.iter().any(|(named, _)| named == *cell)
    });
    let earlier: Vec<_> = earlier.map(|(cell, (other, _))| (*cell, *other)).collect();
    groups.extend(earlier);
    let mut faults = Vec::new();
    for (name, whose) in &input.faults {
        let (ns, ew) = whose.of_both();
        faults.push((place_of(session, table(name)?, board)?, ns, ew));
    }
    let said_anew = |cell: &Cell| faults.iter().any(|(named, ..)| named == cell);
    let earlier = session.fouled.iter().filter(|(cell, (_, fault))| {
        (cell.section, cell.board) == (section, board)
            && *fault != [Fault::None; 2]
            && !said_anew(cell)
    });
    let earlier: Vec<_> = earlier
        .map(|(cell, (_, [ns, ew]))| (*cell, *ns, *ew))
        .collect();
    faults.extend(earlier);
    let command = Command::SetFouled {
        section,
        board,
        groups,
        faults,
        why: input.why,
    };
    web.desk().done(&director, command).await
}

/// Where a table has played a board, or will.
fn place_of(session: &Session, table: TableId, board: BoardNumber) -> Result<Cell, Problem> {
    let mut played = session.board_lines(table.section, board);
    let played = played.find(|(cell, line)| cell.table_id() == table && line.is_in());
    let plan = session.sections.get(&table.section);
    let mut sheets = plan.into_iter().flat_map(|plan| plan.sheets(table.table));
    let planned = sheets.find(|sitting| sitting.is_played() && sitting.boards.contains(board));
    played
        .map(|(cell, _)| *cell)
        .or_else(|| planned.map(|sitting| Cell::new(table, sitting.round, board)))
        .ok_or_else(|| Problem::refused(tell!(Asked::TableDoesNotPlay { table, board })))
}

/// Gives a pair a penalty or a warning.
#[utoipa::path(post, path = "/api/penalties", tag = "results", request_body = PenaltyInput, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn penalise(
    State(web): State<Web>,
    director: Director,
    Body(input): Body<PenaltyInput>,
) -> Answer {
    let command = Command::Penalise {
        pair: pair(&input.pair)?,
        amount: penalty(input.kind, &input.value)?,
        why: input.why,
        public: input.print_why,
    };
    web.desk().done(&director, command).await
}

/// Takes an earlier change back.
#[utoipa::path(post, path = "/api/undo", tag = "results", request_body = Undo, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn undo(State(web): State<Web>, director: Director, Body(input): Body<Undo>) -> Answer {
    let command = Command::Undo {
        change: Seq(input.change),
        why: input.why,
    };
    web.desk().done(&director, command).await
}
