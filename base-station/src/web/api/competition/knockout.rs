//! Knock-outs over sessions: drawn by seeding, with what sessions' boards tell.

use axum::Json;
use axum::extract::State;
use protocol::words::SessionId;
use season::{Ended, MatchNumber, Shape};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::super::Answer;
use super::input::Away;
use crate::session::{
    Club, Command, CompetitionCommand, KnockOutCommand, KnockOutId, KnockOutPlan, PlayedAt,
    State as Room,
};
use crate::view::{Audience, KnockOutView, Nights};
use crate::web::api::input::section;
use crate::web::{Body, Director, Named, Problem, Reader, Web};
use telling::tell;

pub(in crate::web::api) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(all, draw))
        .routes(routes!(one))
        .routes(routes!(settle))
        .routes(routes!(put_away))
}

/// All knock-outs.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct KnockOuts {
    /// The latest first.
    knock_outs: Vec<KnockOutLine>,
}

/// A knock-out in a line.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct KnockOutLine {
    id: u32,
    name: String,
    /// `single-knock-out`, `double-knock-out` or `final-five`.
    #[schema(value_type = String)]
    shape: Shape,
    /// It is put away.
    away: bool,
}

/// A knock-out to be drawn.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewKnockOut {
    #[schema(example = "Club Teams")]
    name: String,
    /// `single-knock-out`, `double-knock-out` or `final-five`.
    #[schema(value_type = String, example = "single-knock-out")]
    shape: Shape,
    /// Who, the strongest first.
    entrants: Vec<String>,
    /// It is over when so many are left who have not lost.
    #[serde(default = "the_winner")]
    #[schema(example = 1)]
    left: u16,
}

const fn the_winner() -> u16 {
    1
}

/// The knock-out that was drawn.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
struct Drawn {
    /// Its number.
    knock_out: u32,
}

/// What becomes of a match.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, tag = "kind", rename_all = "kebab-case")]
enum Settling {
    /// It is played in sessions: their boards say who wins.
    PlayedAt {
        /// One for each part of the match.
        at: Vec<PartInput>,
        /// A further part is to come in another session: nobody has won yet.
        #[serde(default)]
        goes_on: bool,
    },
    /// A side goes on by the director's word: a forfeit, a lot, more boards.
    Won {
        /// 1 or 2.
        side: u8,
        why: String,
    },
    /// Neither side came: nobody goes on.
    Abandoned { why: String },
    /// The director's word is taken back: the boards tell.
    ByBoards,
    /// Nothing is said about it any more.
    Open,
}

/// A part of a match.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PartInput {
    session: u32,
    #[schema(example = "A")]
    section: String,
    /// The numbers that both sides have there.
    contestants: [u16; 2],
    /// It began with what the parts before it came to.
    #[serde(default)]
    brings: bool,
}

/// A knock-out of this club.
pub(in crate::web) fn known(
    club: &Club,
    number: u32,
) -> Result<(KnockOutId, &crate::session::KnockOut), Problem> {
    let number = KnockOutId(number);
    let known = club.knock_outs.get(&number);
    known
        .map(|knock_out| (number, knock_out))
        .ok_or_else(|| Problem::not_found(tell!(Knockout::NoSuchKnockOut { n: number.0 })))
}

/// A knock-out as it stands, for whoever reads it.
pub(in crate::web) async fn view(
    web: &Web,
    state: &Room,
    number: u32,
    audience: Audience,
) -> Result<KnockOutView, Problem> {
    let (number, knock_out) = known(&state.club, number)?;
    let met = knock_out.met.values().flat_map(|it| &it.at);
    let mut sessions: Vec<SessionId> = met.map(|at| at.session).collect();
    sessions.sort_unstable();
    sessions.dedup();
    let nights = web.nights(state, &sessions).await?;
    let nights = Nights::of(&state.club, &nights, audience);
    Ok(KnockOutView::of(&nights, number, knock_out))
}

/// All knock-outs, the latest first.
#[utoipa::path(get, path = "/api/knockouts", operation_id = "all_knockouts", tag = "competitions", responses((status = 200, body = KnockOuts)))]
async fn all(State(web): State<Web>, _reader: Reader) -> Json<KnockOuts> {
    let club = web.desk().state().club;
    let all = club.knock_outs.iter().rev();
    Json(KnockOuts {
        knock_outs: all
            .map(|(number, it)| KnockOutLine {
                id: number.0,
                name: it.plan.name.clone(),
                shape: it.plan.shape,
                away: it.away,
            })
            .collect(),
    })
}

/// Draws a knock-out by seeding: with byes for the strongest where the number asks for them.
#[utoipa::path(post, path = "/api/knockouts", tag = "competitions", request_body = NewKnockOut, responses((status = 200, body = Drawn), (status = 409, body = crate::web::ProblemBody)))]
async fn draw(
    State(web): State<Web>,
    director: Director,
    Body(input): Body<NewKnockOut>,
) -> Result<Json<Drawn>, Problem> {
    let plan = KnockOutPlan {
        name: input.name,
        shape: input.shape,
        entrants: input.entrants,
        left: input.left,
    };
    let name = plan.name.split_whitespace().collect::<Vec<_>>().join(" ");
    let command = CompetitionCommand::KnockOut(KnockOutCommand::Draw { plan });
    web.desk()
        .act(&director, Command::Competition(command))
        .await?;
    let club = web.desk().state().club;
    let mut all = club.knock_outs.iter().rev();
    let drawn = all.find(|(_, it)| !it.away && it.plan.name == name);
    let drawn = drawn.ok_or_else(|| Problem::fault("the new knock-out is not there"))?;
    Ok(Json(Drawn {
        knock_out: drawn.0.0,
    }))
}

/// A knock-out as it stands: whoever is not signed in sees what is released.
#[utoipa::path(get, path = "/api/knockouts/{knockout}", operation_id = "one_knockout", tag = "competitions", params(("knockout" = u32, Path)), responses((status = 200, body = KnockOutView), (status = 404, body = crate::web::ProblemBody)))]
async fn one(
    State(web): State<Web>,
    reader: Reader,
    Named(number): Named<u32>,
) -> Result<Json<KnockOutView>, Problem> {
    let audience = reader.audience();
    let state = web.desk().state();
    view(&web, &state, number, audience).await.map(Json)
}

/// Says where a match is played, or what became of it. Who meets stays from then on, whatever
/// becomes of earlier results; the answer to who would meet otherwise is in the view.
#[utoipa::path(put, path = "/api/knockouts/{knockout}/matches/{match}", tag = "competitions", params(("knockout" = u32, Path), ("match" = u16, Path)), request_body = Settling, responses((status = 200, body = super::super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn settle(
    State(web): State<Web>,
    director: Director,
    Named((knock_out, own)): Named<(u32, u16)>,
    Body(input): Body<Settling>,
) -> Answer {
    let state = web.desk().state();
    let now = view(&web, &state, knock_out, Audience::Director).await?;
    let (knock_out, number) = (KnockOutId(knock_out), MatchNumber(own));
    let command = if matches!(input, Settling::Open) {
        KnockOutCommand::Reopen { knock_out, number }
    } else {
        let sides = sides_of(&now, own)?;
        let decide = |ended, why| KnockOutCommand::Decide {
            knock_out,
            number,
            sides,
            ended,
            why,
        };
        match input {
            Settling::PlayedAt { at, goes_on } => KnockOutCommand::Meet {
                knock_out,
                number,
                sides,
                at: parts(&web, &state, at).await?,
                goes_on,
            },
            Settling::Won { side, why } => {
                let side = side.checked_sub(1).filter(|side| *side < 2);
                let side = side.ok_or_else(|| Problem::unreadable(tell!(Knockout::Side1Or2)))?;
                decide(Some(Ended::Won(side)), why)
            }
            Settling::Abandoned { why } => decide(Some(Ended::Abandoned), why),
            Settling::ByBoards | Settling::Open => decide(None, String::new()),
        }
    };
    let command = Command::Competition(CompetitionCommand::KnockOut(command));
    web.desk().done(&director, command).await
}

/// Who meets in a match, where both are known.
fn sides_of(view: &KnockOutView, number: u16) -> Result<[u16; 2], Problem> {
    let own = view.matches.iter().find(|it| it.number == number);
    let own = own.ok_or_else(|| Problem::refused(tell!(Knockout::NoSuchMatch { number })))?;
    match (own.sides[0].seed, own.sides[1].seed) {
        (Some(one), Some(other)) => Ok([one, other]),
        _ => Err(Problem::refused(tell!(Knockout::NotReady { number }))),
    }
}

/// Parts of a match, each in a section that plays matches.
async fn parts(web: &Web, state: &Room, at: Vec<PartInput>) -> Result<Vec<PlayedAt>, Problem> {
    let mut parts = Vec::new();
    for input in at {
        let session = SessionId::try_from(input.session).map_err(Problem::from)?;
        let letter = section(&input.section)?;
        let night = if state.club.sessions.contains_key(&session) {
            web.nights(state, &[session]).await?.pop()
        } else {
            None
        };
        if !night.is_some_and(|night| night.plays_matches(letter)) {
            return Err(Problem::refused(tell!(Knockout::NoSuchSection {
                session: session.get(),
                section: letter
            })));
        }
        parts.push(PlayedAt {
            session,
            section: letter,
            contestants: input.contestants,
            brings: input.brings,
        });
    }
    Ok(parts)
}

/// Puts a knock-out away, or brings it back.
#[utoipa::path(put, path = "/api/knockouts/{knockout}/away", operation_id = "put_knockout_away", tag = "competitions", params(("knockout" = u32, Path)), request_body = Away, responses((status = 200, body = super::super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn put_away(
    State(web): State<Web>,
    director: Director,
    Named(number): Named<u32>,
    Body(Away { away }): Body<Away>,
) -> Answer {
    let command = KnockOutCommand::PutAway {
        knock_out: KnockOutId(number),
        away,
    };
    let command = Command::Competition(CompetitionCommand::KnockOut(command));
    web.desk().done(&director, command).await
}
