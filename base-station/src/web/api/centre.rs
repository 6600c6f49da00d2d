//! The centre with which this club is one field with others: joining it, and how our pairs stand.

use std::sync::Arc;

use ::centre::{Field, OwnBoard, OwnPair};
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use telling::{Told, tell};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::daemon::CentreState;
use crate::session::State as Known;
use crate::session::{Moment, PairId};
use crate::web::{Asked, Body, Director, Problem, Web};

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(state, join, leave))
        .routes(routes!(tell_names))
        .routes(routes!(keep_copy))
        .routes(routes!(set_categories))
        .routes(routes!(restore))
}

/// How it stands with the centre.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct CentreView {
    /// Whether this base station has joined one.
    joined: bool,
    /// Its address, with a slash at its end.
    address: String,
    /// The page of the event.
    page: String,
    event: String,
    club: String,
    /// The session that is played there.
    session: Option<u32>,
    /// Whether the centre is told the players' names.
    names: bool,
    /// Whether the centre keeps a sealed copy of everything.
    copy: bool,
    /// Lists of their own in which pairs are ranked, too: a pair and its category on each line.
    categories: String,
    /// When the copy was last known to be all that there is.
    #[schema(value_type = Option<u64>)]
    copied_ms: Option<Moment>,
    /// Changes that the centre has.
    sent: usize,
    /// Changes that there are.
    all: usize,
    /// Why nothing goes on.
    #[schema(value_type = Option<String>)]
    problem: Option<Told>,
    /// How our pairs stood when the centre was last heard.
    field: Option<FieldView>,
}

/// How our pairs stand in the whole field.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct FieldView {
    clubs: usize,
    pairs_in_all: usize,
    is_final: bool,
    pairs: Vec<FieldPair>,
    boards: Vec<FieldBoard>,
}

/// A pair of ours.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct FieldPair {
    /// As the room calls it.
    #[schema(value_type = String)]
    called: Told,
    #[schema(example = "A7NS")]
    pair: String,
    rank: Option<u32>,
    /// At matchpoints.
    percent: Option<f64>,
    /// Matchpoints or IMPs.
    points: f64,
}

/// A board that the club has played, over the whole field.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct FieldBoard {
    board: u8,
    scores: Vec<FieldScore>,
}

/// A score of a board and how often it came.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct FieldScore {
    /// From North-South's view; none where the director awarded something.
    score: Option<i16>,
    times: usize,
    /// Worth to North-South.
    percent: Option<f64>,
}

/// What a director gives to join.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Wanted {
    #[schema(example = "https://centre.example")]
    address: String,
    /// From the organiser.
    code: String,
    /// Whether the centre may know the players' names.
    #[serde(default)]
    names: bool,
    /// Whether the centre keeps a copy of everything, sealed under the club's key.
    #[serde(default)]
    copy: bool,
}

/// How it is left.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Leaving {
    /// Also where something can't be sent before.
    #[serde(default)]
    unsent: bool,
}

/// Whether the centre may know the players' names.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NamesGoUp {
    names: bool,
}

/// Whether the centre keeps a copy of everything.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CopyIsKept {
    copy: bool,
}

/// Lists of their own.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CategoriesTyped {
    /// A pair and its category on each line.
    #[schema(example = "A7NS Seniors")]
    categories: String,
}

/// Where the copy is.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CopyAt {
    #[schema(example = "https://centre.example")]
    address: String,
}

/// What was brought back.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
struct BroughtBack {
    /// When the copy was last added to.
    #[schema(value_type = Option<u64>)]
    made_ms: Option<Moment>,
    /// How many records it has.
    records: u64,
}

/// The centre: whether one was joined, what it has, and how our pairs stand there.
#[utoipa::path(get, path = "/api/centre", operation_id = "centre_state", tag = "centre", responses((status = 200, body = CentreView), (status = 404, body = crate::web::ProblemBody)))]
async fn state(State(web): State<Web>, _director: Director) -> Result<Json<CentreView>, Problem> {
    Ok(Json(view(&web)?))
}

/// Joins a centre with a code from its organiser: the session that is being played is part of its
/// event from now on.
#[utoipa::path(post, path = "/api/centre", operation_id = "join_centre", tag = "centre", request_body = Wanted, responses((status = 200, body = CentreView), (status = 404, body = crate::web::ProblemBody), (status = 409, body = crate::web::ProblemBody)))]
async fn join(
    State(web): State<Web>,
    _director: Director,
    Body(wanted): Body<Wanted>,
) -> Result<Json<CentreView>, Problem> {
    let centre = web.desk().centre()?;
    let joined = centre.join(wanted.address, wanted.code, wanted.names, wanted.copy);
    joined.await.map_err(Problem::refused)?;
    Ok(Json(view(&web)?))
}

/// Leaves the centre: what waits is sent first, and nothing more after that. What the centre has it
/// keeps.
#[utoipa::path(delete, path = "/api/centre", operation_id = "leave_centre", tag = "centre", params(Leaving), responses((status = 200, body = CentreView), (status = 404, body = crate::web::ProblemBody), (status = 409, body = crate::web::ProblemBody)))]
async fn leave(
    State(web): State<Web>,
    Asked(leaving): Asked<Leaving>,
    _director: Director,
) -> Result<Json<CentreView>, Problem> {
    let left = web.desk().centre()?.leave(leaving.unsent);
    left.await.map_err(Problem::refused)?;
    Ok(Json(view(&web)?))
}

/// Lets the centre know the players' names, or no longer.
#[utoipa::path(put, path = "/api/centre/names", tag = "centre", request_body = NamesGoUp, responses((status = 200, body = CentreView), (status = 404, body = crate::web::ProblemBody), (status = 409, body = crate::web::ProblemBody)))]
async fn tell_names(
    State(web): State<Web>,
    _director: Director,
    Body(NamesGoUp { names }): Body<NamesGoUp>,
) -> Result<Json<CentreView>, Problem> {
    let told = web.desk().centre()?.tell_names(names);
    told.await.map_err(Problem::refused)?;
    Ok(Json(view(&web)?))
}

/// Has the centre keep a copy of everything, sealed under the club's key, or no longer add to it.
#[utoipa::path(put, path = "/api/centre/copy", tag = "centre", request_body = CopyIsKept, responses((status = 200, body = CentreView), (status = 404, body = crate::web::ProblemBody), (status = 409, body = crate::web::ProblemBody)))]
async fn keep_copy(
    State(web): State<Web>,
    _director: Director,
    Body(CopyIsKept { copy }): Body<CopyIsKept>,
) -> Result<Json<CentreView>, Problem> {
    let kept = web.desk().centre()?.keep_copy(copy);
    kept.await.map_err(Problem::refused)?;
    Ok(Json(view(&web)?))
}

/// Ranks pairs in lists of their own as well, such as seniors or juniors.
#[utoipa::path(put, path = "/api/centre/categories", tag = "centre", request_body = CategoriesTyped, responses((status = 200, body = CentreView), (status = 404, body = crate::web::ProblemBody), (status = 409, body = crate::web::ProblemBody)))]
async fn set_categories(
    State(web): State<Web>,
    _director: Director,
    Body(typed): Body<CategoriesTyped>,
) -> Result<Json<CentreView>, Problem> {
    let set = web.desk().centre()?.categories(typed.categories);
    set.await.map_err(Problem::refused)?;
    Ok(Json(view(&web)?))
}

/// Brings the club back from the copy that a centre has: the base station starts again with it. The
/// club's key was taken in before. What is here now is kept in a folder of its own.
#[utoipa::path(post, path = "/api/centre/restore", operation_id = "restore_from_centre", tag = "centre", request_body = CopyAt, responses((status = 200, body = BroughtBack), (status = 404, body = crate::web::ProblemBody), (status = 409, body = crate::web::ProblemBody)))]
async fn restore(
    State(web): State<Web>,
    _director: Director,
    Body(CopyAt { address }): Body<CopyAt>,
) -> Result<Json<BroughtBack>, Problem> {
    let house = web.desk().house()?.clone();
    let restored = web.desk().centre()?.restore(address);
    let found = restored.await.map_err(Problem::refused)?;
    house.start_again();
    Ok(Json(BroughtBack {
        made_ms: found.made,
        records: found.records,
    }))
}

fn view(web: &Web) -> Result<CentreView, Problem> {
    let known = web.desk().state();
    let CentreState {
        joined,
        sent,
        all,
        problem,
        field,
        copied,
    } = web.desk().centre()?.state();
    let at = joined.as_ref();
    let text =
        |of: fn(&crate::daemon::AtCentre) -> &String| at.map(of).cloned().unwrap_or_default();
    Ok(CentreView {
        joined: at.is_some(),
        address: text(|it| &it.address),
        page: at.map_or_else(String::new, |it| {
            format!("{}event/{}", it.address, it.event)
        }),
        event: text(|it| &it.event_name),
        club: text(|it| &it.club_name),
        session: at.map(|it| it.session),
        names: at.is_some_and(|it| it.names),
        copy: at.is_some_and(|it| it.copy),
        categories: text(|it| &it.categories),
        copied_ms: copied,
        sent,
        all,
        problem: problem.map(Told::whole),
        field: field.map(|field| field_view(&known, &field)),
    })
}

fn field_view(known: &Known, field: &Arc<Field>) -> FieldView {
    FieldView {
        clubs: field.clubs,
        pairs_in_all: field.pairs_in_all,
        is_final: field.is_final,
        pairs: field
            .pairs
            .iter()
            .map(|pair| pair_view(known, pair))
            .collect(),
        boards: field.boards.iter().map(board_view).collect(),
    }
}

fn pair_view(known: &Known, own: &OwnPair) -> FieldPair {
    let pair = PairId {
        section: own.pair.0.section,
        side: own.pair.0.direction,
        number: own.pair.0.number,
    };
    FieldPair {
        called: known.calling(tell!(Centre::OwnPair { pair })),
        pair: pair.to_string(),
        rank: own.rank,
        percent: own.percent.map(hundredths),
        points: crate::scoring::Points::from_ten_thousandths(own.points).to_f64(),
    }
}

fn board_view(own: &OwnBoard) -> FieldBoard {
    let scores = own.scores.iter().map(|it| FieldScore {
        score: it.score,
        times: it.times,
        percent: it.percent.map(hundredths),
    });
    FieldBoard {
        board: own.board,
        scores: scores.collect(),
    }
}

fn hundredths(percent: i32) -> f64 {
    f64::from(percent) / 100.0
}
