//! Matches: setting a Swiss or a round robin up, drawing, deciding, and where everybody stands.

mod input;

use axum::Json;
use axum::extract::State;
use protocol::words::TableNumber;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::input::{
    Contests, DrawInput, MatchDecision, MatchName, NewContest, Withdrawal, contestant,
};
use super::Answer;
use super::input::{round, section};
use crate::contest::draw::{Draw, Wish};
use crate::session::{Command, ContestCommand, State as Room};
use crate::view::{ContestView, MatchSheetView, ProposalView};
use crate::web::{Asked, Body, Director, Problem, Reader, Web};
use telling::tell;

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(contests, plan))
        .routes(routes!(propose))
        .routes(routes!(publish))
        .routes(routes!(sheet))
        .routes(routes!(decide))
        .routes(routes!(withdraw))
}

/// The matches of all sections: standing, rounds, cross-table and what to do next. Readers see them
/// when the result is released.
#[utoipa::path(get, path = "/api/contest", tag = "matches", responses((status = 200, body = Contests), (status = 409, body = crate::web::ProblemBody)))]
async fn contests(State(web): State<Web>, reader: Reader) -> Result<Json<Contests>, Problem> {
    let state = web.desk().state();
    may_see(&state, &reader)?;
    Ok(Json(Contests {
        contests: ContestView::all(&state),
    }))
}

/// Onlookers see matches when the result is released: a room that still plays learns nothing.
fn may_see(state: &Room, reader: &Reader) -> Result<(), Problem> {
    let session = super::results::session(state)?;
    if reader.is_director() || session.phase == crate::session::Phase::Released {
        return Ok(());
    }
    Err(Problem::refused(tell!(Asked::DirectorNotReleasedResult)))
}

/// Sets a section up to play matches, or anew before anything is in.
#[utoipa::path(post, path = "/api/contest", tag = "matches", request_body = NewContest, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn plan(State(web): State<Web>, director: Director, Body(new): Body<NewContest>) -> Answer {
    let command = ContestCommand::Plan {
        section: section(&new.section)?,
        plan: new.plan()?,
    };
    web.desk().done(&director, Command::Contest(command)).await
}

/// Draws a round and says why it comes out so. Nothing is published.
#[utoipa::path(post, path = "/api/contest/draw/propose", tag = "matches", request_body = DrawInput, responses((status = 200, body = ProposalView), (status = 409, body = crate::web::ProblemBody)))]
async fn propose(
    State(web): State<Web>,
    _director: Director,
    Body(input): Body<DrawInput>,
) -> Result<Json<ProposalView>, Problem> {
    let letter = section(&input.section)?;
    let state = web.desk().state();
    let wish = input.wish()?;
    let seed = input.seed.unwrap_or_else(fresh_seed);
    // A large field takes a moment: off the async threads.
    let proposed = tokio::task::spawn_blocking(move || {
        let session = super::results::session(&state)?;
        let proposal = session
            .propose_draw(letter, &wish, seed)
            .map_err(|refused| Problem::refused(refused.0))?;
        ProposalView::of(&state, letter, &proposal)
            .ok_or_else(|| Problem::not_found(tell!(Contest::ThereNoMatchesSection)))
    });
    proposed.await.map_err(Problem::fault)?.map(Json)
}

/// Publishes a draw: as it was proposed (`matches`), or drawn now. Pads get it at their next
/// contact.
#[utoipa::path(post, path = "/api/contest/draw", tag = "matches", request_body = DrawInput, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn publish(
    State(web): State<Web>,
    director: Director,
    Body(input): Body<DrawInput>,
) -> Answer {
    let letter = section(&input.section)?;
    let state = web.desk().state();
    let wish = input.wish()?;
    let seed = input.seed.unwrap_or_else(fresh_seed);
    let proposed = tokio::task::spawn_blocking(move || {
        let session = super::results::session(&state)?;
        session
            .propose_draw(letter, &wish, seed)
            .map_err(|refused| Problem::refused(refused.0))
    });
    let proposal = proposed.await.map_err(Problem::fault)??;
    let mut draw: Draw = proposal.drawn.draw;
    input.keep_tables(&mut draw)?;
    let proposed_by = input
        .seed
        .filter(|_| input.matches.is_some())
        .map(|seed| Wish {
            round: u16::from(proposal.round.get()),
            method: input.method.unwrap_or_default(),
            rematches: input.rematches.unwrap_or_default(),
            odd: input.odd.unwrap_or_default(),
            seed,
        });
    let by_rule = proposal.wish.is_some();
    let command = ContestCommand::Publish {
        section: letter,
        round: proposal.round,
        draw,
        wish: proposal.wish.or(proposed_by),
        // What the method itself could not avoid need not be allowed by hand.
        rematches: input.allow_rematches || by_rule,
        why: input.why,
    };
    web.desk().done(&director, Command::Contest(command)).await
}

/// A match board by board.
#[utoipa::path(get, path = "/api/contest/match", tag = "matches", params(("section" = String, Query, example = "A"), ("round" = u8, Query), ("number" = u16, Query, description = "Its number in the draw")), responses((status = 200, body = MatchSheetView), (status = 404, body = crate::web::ProblemBody)))]
async fn sheet(
    State(web): State<Web>,
    reader: Reader,
    Asked(name): Asked<MatchName>,
) -> Result<Json<MatchSheetView>, Problem> {
    let letter = section(&name.section)?;
    let state = web.desk().state();
    may_see(&state, &reader)?;
    ContestView::sheet(&state, letter, name.round, name.number)
        .map(Json)
        .ok_or_else(|| Problem::not_found(tell!(Contest::ThereNoSuchMatch)))
}

/// Decides a match that was not played properly; without a decision its boards count again.
#[utoipa::path(post, path = "/api/contest/match", tag = "matches", request_body = MatchDecision, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn decide(
    State(web): State<Web>,
    director: Director,
    Body(input): Body<MatchDecision>,
) -> Answer {
    let command = ContestCommand::Decide {
        section: section(&input.section)?,
        round: round(input.round)?,
        table: TableNumber::try_from(input.number).map_err(Problem::from)?,
        decision: input.decision,
        why: input.why,
    };
    web.desk().done(&director, Command::Contest(command)).await
}

/// Lets a contestant go home.
#[utoipa::path(post, path = "/api/contest/withdraw", tag = "matches", request_body = Withdrawal, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn withdraw(
    State(web): State<Web>,
    director: Director,
    Body(input): Body<Withdrawal>,
) -> Answer {
    let command = ContestCommand::Withdraw {
        section: section(&input.section)?,
        contestant: contestant(input.contestant)?,
        from: input.from.map(round).transpose()?,
        matches: input.matches,
        why: input.why,
    };
    web.desk().done(&director, Command::Contest(command)).await
}

/// Small enough for every program that reads JSON.
fn fresh_seed() -> u64 {
    fastrand::u64(1..1 << 53)
}
