//! Matches: setting a Swiss or a round robin up, drawing, deciding, and where everybody stands.

mod field;
mod input;
mod irregular;
mod level;
mod orders;
mod points;
mod regulation;
mod stage;

use axum::Json;
use axum::extract::State;
use protocol::words::SectionLetter;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(in crate::web::api) use self::field::EntryRule;
use self::field::{Latecomer, OverAll, Stages};
use self::input::{
    Contests, DrawInput, FineInput, FormatName, FurtherNight, LineUpInput, MatchDecision,
    MatchName, NewContest, SectionName, Withdrawal,
};
use super::competition::championship::goes_on;
use super::input::section;
use super::{Answer, Order};
use crate::contest::draw::Draw;
use crate::session::{
    Command, ContestCommand, ContestPlan, DrawAsked, DrawProposal, FieldAt, State as Room,
};
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
        .routes(routes!(line_up))
        .routes(routes!(join))
        .routes(routes!(fine))
        .routes(routes!(go_on))
        .routes(routes!(take_earlier))
        .routes(routes!(over_stages))
        .merge(irregular::routes())
        .merge(level::routes())
        .merge(points::routes())
        .merge(regulation::routes())
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
    let qualified = match (&new.from, new.stage) {
        (Some(from), None) => Some(from.field(&web).await?),
        (None, Some(stage)) => {
            let in_two_fields = new.format == FormatName::TwoFields;
            stage.field(&web, in_two_fields).await?
        }
        (Some(_), Some(_)) => {
            return Err(Problem::unreadable(tell!(Championship::FromOrStage)));
        }
        (None, None) => None,
    };
    let letter = section(&new.section)?;
    let command = ContestCommand::Plan {
        section: letter,
        plan: new.plan(qualified)?,
    };
    let done = web
        .desk()
        .done(&director, Command::Contest(command))
        .await?;
    if let Some(stage) = new.stage {
        stage.is_played(&web, &director, letter).await?;
    }
    Ok(done)
}

/// Where everybody stands over several stages of an event: points for places. Nothing is changed.
#[utoipa::path(post, path = "/api/contest/over-stages", tag = "matches", request_body = Stages, responses((status = 200, body = OverAll), (status = 409, body = crate::web::ProblemBody)))]
async fn over_stages(
    State(web): State<Web>,
    _director: Director,
    Body(stages): Body<Stages>,
) -> Result<Json<OverAll>, Problem> {
    Ok(Json(stages.over_all(&web).await?))
}

/// Draws a round and says why it comes out so. Nothing is published.
#[utoipa::path(post, path = "/api/contest/draw/propose", tag = "matches", request_body = DrawInput, responses((status = 200, body = ProposalView), (status = 409, body = crate::web::ProblemBody)))]
async fn propose(
    State(web): State<Web>,
    _director: Director,
    Body(input): Body<DrawInput>,
) -> Result<Json<ProposalView>, Problem> {
    let letter = section(&input.section)?;
    let proposal = proposal(&web, letter, &input).await?;
    ProposalView::of(&web.desk().state(), letter, &proposal)
        .map(Json)
        .ok_or_else(|| Problem::not_found(tell!(Contest::ThereNoMatchesSection)))
}

/// A draw as it would come out now.
async fn proposal(
    web: &Web,
    letter: SectionLetter,
    input: &DrawInput,
) -> Result<DrawProposal, Problem> {
    let (state, wish) = (web.desk().state(), input.wish()?);
    let seed = input.seed.unwrap_or_else(fresh_seed);
    // A large field takes a moment: off the async threads.
    let proposed = tokio::task::spawn_blocking(move || {
        let session = super::results::session(&state)?;
        session
            .propose_draw(letter, &wish, seed)
            .map_err(|refused| Problem::refused(refused.0))
    });
    proposed.await.map_err(Problem::fault)?
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
    let proposal = proposal(&web, letter, &input).await?;
    // Matches that somebody sent are those that a rule or a chart brings, or made by hand.
    let (by_hand, wish) = if input.matches.is_none() {
        (false, proposal.wish)
    } else {
        let drawn = as_drawn(&web, letter, &input, &proposal).await;
        (drawn.is_none(), drawn.and_then(|it| it.wish))
    };
    let certain = certain_part(&web, letter, &proposal);
    let mut draw: Draw = match certain.filter(|_| input.certain_only) {
        Some(certain) => certain,
        None if input.certain_only => {
            return Err(Problem::refused(tell!(Contest::NothingCertain)));
        }
        None => proposal.drawn.draw,
    };
    input.keep_tables(&mut draw)?;
    let asked = DrawAsked {
        by_hand,
        certain_only: input.certain_only,
        ..input.wish()?.asked()
    };
    let command = ContestCommand::Publish {
        section: letter,
        round: proposal.round,
        draw,
        wish,
        asked,
        // What the method itself could not avoid need not be allowed by hand.
        rematches: input.allow_rematches || !by_hand,
        why: input.why,
    };
    web.desk().done(&director, Command::Contest(command)).await
}

/// The draw by its rule or chart, where that comes out as the matches that somebody sent: they were
/// proposed, and nobody has changed them. `None` where they were made by hand.
async fn as_drawn(
    web: &Web,
    letter: SectionLetter,
    input: &DrawInput,
    written: &DrawProposal,
) -> Option<DrawProposal> {
    let by_rule = DrawInput {
        matches: None,
        ..input.clone()
    };
    let drawn = proposal(web, letter, &by_rule).await.ok()?;
    // Without its seed only a chart comes out the same.
    let known = input.seed.is_some() || drawn.wish.is_none();
    let sides = |draw: &Draw| {
        let matches = draw.matches.iter().map(|it| (it.home, it.away));
        let all: std::collections::BTreeSet<_> = matches.collect();
        (all, draw.bye, draw.triangle)
    };
    let same = sides(&drawn.drawn.draw) == sides(&written.drawn.draw);
    (known && same).then_some(drawn)
}

/// The part of a draw that does not depend on what is still played.
fn certain_part(web: &Web, letter: SectionLetter, proposal: &DrawProposal) -> Option<Draw> {
    let state = web.desk().state();
    let contest = state.session.as_ref()?.contests.get(&letter)?;
    let certain = proposal.certain(contest)?;
    (!certain.matches.is_empty()).then_some(certain)
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
async fn decide(order: Order<MatchDecision>) -> Answer {
    order.done(MatchDecision::command).await
}

/// Lets a contestant go home.
#[utoipa::path(post, path = "/api/contest/withdraw", tag = "matches", request_body = Withdrawal, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn withdraw(order: Order<Withdrawal>) -> Answer {
    order.done(Withdrawal::command).await
}

/// Says who of a team plays from a round on.
#[utoipa::path(post, path = "/api/contest/line-up", tag = "matches", request_body = LineUpInput, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn line_up(order: Order<LineUpInput>) -> Answer {
    order.done(LineUpInput::command).await
}

/// Takes somebody into a Swiss who comes late, or drops in from a knock-out, from the first round
/// that is not drawn.
#[utoipa::path(post, path = "/api/contest/join", tag = "matches", request_body = Latecomer, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn join(State(web): State<Web>, director: Director, Body(input): Body<Latecomer>) -> Answer {
    let letter = section(&input.section)?;
    let mut contestant = input.contestant.plan()?;
    if let Some(rule) = input.entry {
        let state = web.desk().state();
        let session = super::results::session(&state)?;
        contestant.carry_over = rule.carry_over(session, letter);
    }
    let command = ContestCommand::Join {
        section: letter,
        contestant,
        why: input.why,
    };
    web.desk().done(&director, Command::Contest(command)).await
}

/// Notes that somebody came late, played slowly or left a score out; what it costs, and whether it
/// is a warning the first time, is in the regulation of the event.
#[utoipa::path(post, path = "/api/contest/fine", tag = "matches", request_body = FineInput, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn fine(order: Order<FineInput>) -> Answer {
    order.done(FineInput::command).await
}

/// Sets a further night of an event up: the same contestants and rules, with everything that the
/// nights before brought.
#[utoipa::path(post, path = "/api/contest/continue", tag = "matches", request_body = FurtherNight, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn go_on(
    State(web): State<Web>,
    director: Director,
    Body(input): Body<FurtherNight>,
) -> Answer {
    let mut plan = earlier_plan(&web, input.from_session, &input.from_section).await?;
    let before = plan.rounds_before();
    plan.rounds_in_all = input.rounds_in_all.or(plan.rounds_in_all);
    let left = plan.rounds_in_all.map(|all| all.saturating_sub(before));
    plan.rounds = match (input.rounds, left) {
        (Some(rounds), _) => rounds,
        (None, Some(0)) => return Err(Problem::refused(tell!(Contest::AllNightsPlayed))),
        (None, Some(left)) => plan.rounds.min(left),
        (None, None) => plan.rounds,
    };
    if let Some(all) = &mut plan.rounds_in_all {
        // A night more than was planned.
        *all = (*all).max(before.saturating_add(plan.rounds));
    }
    let letter = section(&input.section)?;
    let from = plan.earlier.as_ref().map(|it| FieldAt {
        session: it.session,
        section: it.section,
    });
    let command = ContestCommand::Plan {
        section: letter,
        plan,
    };
    let done = web
        .desk()
        .done(&director, Command::Contest(command))
        .await?;
    let session = web.desk().state().session.map(|it| it.id);
    if let (Some(from), Some(session)) = (from, session) {
        let to = FieldAt {
            session,
            section: letter,
        };
        goes_on(&web, &director, from, to).await?;
    }
    Ok(done)
}

/// Takes over what was corrected on earlier nights since this one was set up.
#[utoipa::path(post, path = "/api/contest/earlier", tag = "matches", request_body = SectionName, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn take_earlier(
    State(web): State<Web>,
    director: Director,
    Body(input): Body<SectionName>,
) -> Answer {
    let letter = section(&input.section)?;
    let state = web.desk().state();
    let session = super::results::session(&state)?;
    let contest = session.contests.get(&letter);
    let known = contest.and_then(|it| it.plan.earlier.clone());
    let known = known.ok_or_else(|| Problem::refused(tell!(Contest::BeganTonight)))?;
    let from = known.section.to_string();
    let plan = earlier_plan(&web, known.session.get(), &from).await?;
    let command = ContestCommand::TakeEarlier {
        section: letter,
        earlier: plan.earlier.unwrap_or(known),
    };
    web.desk().done(&director, Command::Contest(command)).await
}

/// Nights of one event that are looked back to.
const NIGHTS_MAX: usize = 60;

/// What an earlier session hands on, as the nights before that one are by now.
async fn earlier_plan(web: &Web, session: u32, letter: &str) -> Result<ContestPlan, Problem> {
    let wanted = protocol::words::SessionId::try_from(session).map_err(Problem::from)?;
    if web.desk().state().session.is_some_and(|it| it.id == wanted) {
        return Err(Problem::refused(tell!(Contest::ChooseEarlier)));
    }
    let mut next = Some((wanted, section(letter)?));
    let mut nights = Vec::new();
    while let Some((wanted, letter)) = next.filter(|_| nights.len() < NIGHTS_MAX) {
        let (_, night) = match web.desk().known_session(Some(wanted)).await {
            Ok(known) => known,
            Err(unknown) if nights.is_empty() => return Err(unknown),
            // A night of another journal: what was taken over from it stands.
            Err(_) => break,
        };
        let contest = night.contests.get(&letter);
        let before = contest.and_then(|it| it.plan.earlier.as_ref());
        next = before.map(|it| (it.session, it.section));
        nights.push((night, letter));
    }
    let plan = tokio::task::spawn_blocking(move || {
        let mut nights = nights.into_iter().rev();
        let (first, letter) = nights.next()?;
        let first = first.contest_for_next_night(letter);
        Some(nights.fold(first, |before, (night, letter)| {
            let night = match before?.earlier {
                Some(earlier) => night.with_earlier(letter, earlier),
                None => night,
            };
            night.contest_for_next_night(letter)
        }))
    });
    let plan = plan.await.map_err(Problem::fault)?;
    let plan = plan.ok_or_else(|| Problem::refused(tell!(Contest::ChooseEarlier)))?;
    plan.map_err(|refused| Problem::refused(refused.0))
}

/// Small enough for every program that reads JSON.
fn fresh_seed() -> u64 {
    fastrand::u64(1..1 << 53)
}
