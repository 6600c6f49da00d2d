//! Reading: the picture, cells, tables, boards, ranking, checklist, history.

use axum::Json;
use axum::extract::State;
use protocol::words::{RoundNumber, Side};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::input::{board, round, section, table};
use crate::session::{
    Club, OpenPoint, OpenPointKind, PairId, Record, Scores, Seq, Session, State as Room, TableId,
    checklist,
};
use crate::view::{
    BoardView, ChangeView, LineView, RankingView, View, WarningView, concerns, decimals, pair_names,
};
use crate::web::{Asked, Named, Problem, Reader, Web};
use telling::{Told, tell};

/// Changes in one answer; older ones are asked for with `before`.
const HISTORY_LEN: usize = 200;

/// Pairs without names that the checklist names each in a line of its own.
const NAMELESS_ONE_BY_ONE: usize = 3;

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(view))
        .routes(routes!(cell))
        .routes(routes!(table_sheet))
        .routes(routes!(board_of_section))
        .routes(routes!(ranking))
        .routes(routes!(open_points))
        .routes(routes!(history))
}

/// A table's round, opened.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct CellDetail {
    /// The pairs by name.
    #[schema(value_type = String)]
    ns_name: Told,
    #[schema(value_type = String)]
    ew_name: Told,
    /// `matchpoints` or `imps`.
    points_name: &'static str,
    /// With how many decimals points are shown.
    decimals: u8,
    /// Board by board.
    lines: Vec<LineView>,
    /// What happened to them.
    history: Vec<ChangeView>,
    /// What looks wrong.
    warnings: Vec<WarningView>,
}

/// A table's whole score sheet, up to the round being played; on paper, with every round.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct Sheet {
    lines: Vec<LineView>,
}

/// What is open before the result can be released.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct Checklist {
    items: Vec<ChecklistItem>,
}

/// A point of the checklist.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct ChecklistItem {
    done: bool,
    #[schema(value_type = String)]
    text: Told,
}

/// The audit trail.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct History {
    /// The latest first.
    changes: Vec<ChangeView>,
}

/// Which part of the audit trail.
#[derive(Clone, Copy, Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct HistoryPart {
    /// Only what came before this place.
    before: Option<u64>,
    /// At most so many.
    most: Option<usize>,
}

/// The session, or a sentence where there is none.
pub(super) fn session(state: &Room) -> Result<&Session, Problem> {
    state
        .session
        .as_ref()
        .ok_or_else(|| Problem::refused(tell!(Asked::ThereNoSessionYet)))
}

/// The whole picture: session, lamps, clock, tables, cells, warnings, pads.
#[utoipa::path(get, path = "/api/view", tag = "live", responses((status = 200, body = View)))]
async fn view(State(web): State<Web>, reader: Reader) -> Result<Json<View>, Problem> {
    let warnings = web.warnings().await?;
    let view = web.desk().view_with(&warnings, web.live().watch_failed());
    Ok(Json(if reader.is_director() {
        view
    } else {
        view.for_everybody()
    }))
}

/// A table's round: its boards, their worth, what happened to them.
#[utoipa::path(get, path = "/api/tables/{table}/rounds/{round}", tag = "results",
    params(("table" = String, Path, example = "A7"), ("round" = u8, Path)),
    responses((status = 200, body = CellDetail), (status = 404, body = crate::web::ProblemBody)))]
async fn cell(
    State(web): State<Web>,
    reader: Reader,
    Named((name, number)): Named<(String, u8)>,
) -> Result<Json<CellDetail>, Problem> {
    let (table, round) = (table(&name)?, round(number)?);
    let state = web.desk().state();
    let session = session(&state)?;
    let sitting = session
        .sitting(table, round)
        .ok_or_else(|| Problem::not_found(tell!(Asked::ThereNoTableRound { table, round })))?;
    let lines = lines_of(session, &session.scores(), (table, round), &reader);
    let name = |side, number: Option<protocol::words::PairNumber>| {
        number.map_or_else(Told::nothing, |number| {
            let pair = session.pair_id(table.section, side, number);
            pair_names(&state.club, session, pair, round)
        })
    };
    let history = session
        .records
        .iter()
        .filter(|record| concerns(&record.event, table, round))
        .filter_map(|record| change(&state.club, Some(session), record, &reader))
        .collect();
    let picture = web.live().view_for(&reader);
    let warnings = picture
        .warnings
        .iter()
        .filter(|warning| {
            warning.table == Some(table) && warning.round.is_none_or(|there| there == round)
        })
        .cloned()
        .collect();
    Ok(Json(CellDetail {
        ns_name: name(Side::NorthSouth, sitting.ns),
        ew_name: name(Side::EastWest, sitting.ew),
        points_name: points_name(session),
        decimals: decimals(session),
        lines,
        history,
        warnings,
    }))
}

/// What the numbers beside a result are called.
pub(crate) fn points_name(session: &Session) -> &'static str {
    match session.scoring.method {
        crate::session::plan::Method::Matchpoints => "matchpoints",
        _ => "imps",
    }
}

/// A record in words, as far as the reader may know it.
fn change(
    club: &Club,
    session: Option<&Session>,
    record: &Record,
    reader: &Reader,
) -> Option<ChangeView> {
    if reader.is_director() {
        Some(ChangeView::of(club, session, record))
    } else {
        // What concerns the club is the director's business.
        let session = session.filter(|_| record.session.is_some())?;
        ChangeView::for_everybody(club, session, record)
    }
}

/// The lines of a table's round: what the movement plans and what came besides.
fn lines_of(
    session: &Session,
    scores: &Scores,
    (table, round): (TableId, RoundNumber),
    reader: &Reader,
) -> Vec<LineView> {
    let mut cells = session.expected(table, round);
    let besides = session
        .lines
        .keys()
        .filter(|cell| cell.table_id() == table && cell.round == round);
    cells.extend(besides);
    cells.sort_by_key(|cell| cell.board);
    cells.dedup();
    cells
        .into_iter()
        .map(|cell| {
            let line = LineView::now(session, scores, cell);
            if reader.is_director() {
                line
            } else {
                line.for_everybody(session)
            }
        })
        .collect()
}

/// A table's whole score sheet, up to the round being played; on paper, with every round.
#[utoipa::path(get, path = "/api/tables/{table}", tag = "results", params(("table" = String, Path, example = "A7")),
    responses((status = 200, body = Sheet), (status = 404, body = crate::web::ProblemBody)))]
async fn table_sheet(
    State(web): State<Web>,
    reader: Reader,
    Named(name): Named<String>,
) -> Result<Json<Sheet>, Problem> {
    let table = table(&name)?;
    let state = web.desk().state();
    let session = session(&state)?;
    let plan = session
        .sections
        .get(&table.section)
        .filter(|plan| plan.tables().any(|known| known == table.table))
        .ok_or_else(|| Problem::not_found(tell!(Refused::ThereNoTableTonight { table })))?;
    // A sheet of paper has room for the whole evening, and nobody knows which round is on it last.
    let until = if session.is_table_on_paper(table) {
        plan.last_round()
    } else {
        session.room_round().max(session.table_round(table))
    };
    let scores = session.scores();
    let lines = plan
        .sheets(table.table)
        .filter(|sitting| sitting.round <= until)
        .flat_map(|sitting| lines_of(session, &scores, (table, sitting.round), &reader))
        .collect();
    Ok(Json(Sheet { lines }))
}

/// A board: its results, best for North-South first, and its cards. Readers see results and cards
/// when every table has finished the board.
#[utoipa::path(get, path = "/api/sections/{section}/boards/{board}", tag = "results",
    params(("section" = String, Path, example = "A"), ("board" = u8, Path)),
    responses((status = 200, body = BoardView), (status = 404, body = crate::web::ProblemBody)))]
async fn board_of_section(
    State(web): State<Web>,
    reader: Reader,
    Named((letter, number)): Named<(String, u8)>,
) -> Result<Json<BoardView>, Problem> {
    let (section, board) = (section(&letter)?, board(number)?);
    let state = web.desk().state();
    let session = session(&state)?;
    let view = BoardView::of(session, section, board);
    Ok(Json(if reader.is_director() {
        view
    } else {
        view.for_everybody(session)
    }))
}

/// The ranking as it stands. Readers see it when it is released.
#[utoipa::path(get, path = "/api/ranking", tag = "results", responses((status = 200, body = RankingView), (status = 409, body = crate::web::ProblemBody)))]
async fn ranking(State(web): State<Web>, reader: Reader) -> Result<Json<RankingView>, Problem> {
    let state = web.desk().state();
    let session = session(&state)?;
    if !reader.is_director() && session.phase != crate::session::Phase::Released {
        return Err(Problem::refused(tell!(Asked::DirectorNotReleasedResult)));
    }
    let field = web.desk().session().view().large_field.clone();
    let ranking = RankingView::of(&state.club, session).in_field(session, field.as_deref());
    Ok(Json(if reader.is_director() {
        ranking.for_director(session)
    } else {
        ranking
    }))
}

/// What is open before the result can be released.
#[utoipa::path(get, path = "/api/checklist", tag = "results", responses((status = 200, body = Checklist)))]
async fn open_points(State(web): State<Web>, _reader: Reader) -> Result<Json<Checklist>, Problem> {
    let state = web.desk().state();
    let points = checklist(&state.club, session(&state)?, web.desk().now());
    let mut items: Vec<ChecklistItem> = in_one_line(points)
        .into_iter()
        .map(|sentence| ChecklistItem {
            done: false,
            text: sentence.whole(),
        })
        .collect();
    if items.is_empty() {
        items.push(ChecklistItem {
            done: true,
            text: tell!(Asked::EveryBoardEveryName),
        });
    }
    Ok(Json(Checklist { items }))
}

/// A club that takes no names must not lose the other points in a list of all its pairs.
fn in_one_line(points: Vec<OpenPoint>) -> Vec<Told> {
    let nameless: Vec<PairId> = points
        .iter()
        .filter_map(|point| match point.kind {
            OpenPointKind::NoName(pair) => Some(pair),
            _ => None,
        })
        .collect();
    let many = nameless.len() > NAMELESS_ONE_BY_ONE;
    let mut sentences: Vec<Told> = points
        .into_iter()
        .filter(|point| !(many && matches!(point.kind, OpenPointKind::NoName(_))))
        .map(|point| point.sentence)
        .collect();
    if many {
        sentences.push(tell!(Asked::PairsPlayerWithoutName {
            n: nameless.len(),
            pairs: nameless
        }));
    }
    sentences
}

/// The audit trail of the club and the chosen session, the latest first.
#[utoipa::path(get, path = "/api/history", tag = "results", params(HistoryPart), responses((status = 200, body = History)))]
async fn history(
    State(web): State<Web>,
    reader: Reader,
    Asked(part): Asked<HistoryPart>,
) -> Json<History> {
    let state = web.desk().state();
    let most = part.most.unwrap_or(HISTORY_LEN).min(HISTORY_LEN);
    let latest = state.records_before(part.before.map(Seq), most);
    let changes = latest
        .iter()
        .filter_map(|record| change(&state.club, state.session.as_ref(), record, &reader))
        .collect();
    Json(History { changes })
}
