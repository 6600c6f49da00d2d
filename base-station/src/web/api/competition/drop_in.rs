//! Those who lost in a knock-out drop into the Swiss that is played beside it.

use axum::Json;
use axum::extract::State;
use protocol::words::{PairNumber, SectionLetter};
use serde::{Deserialize, Serialize};
use telling::tell;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::knockout;
use crate::session::{Command, Contest, ContestCommand, ContestantPlan, LostMatch};
use crate::view::{Audience, KnockOutMatch, KnockOutView};
use crate::web::api::contest::EntryRule;
use crate::web::api::input::section;
use crate::web::api::results;
use crate::web::{Body, Director, Named, Problem, Web};

pub(in crate::web::api) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new().routes(routes!(drop_in))
}

/// Who drops in, and with what.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct DropIn {
    /// The section of tonight's session that plays the Swiss.
    #[schema(example = "S")]
    section: String,
    /// Those who lost in this round of the knock-out.
    round: u16,
    /// What they start with, by the leader's score: `gnot2006`, `gnot2012`; nothing where it is left out.
    #[schema(value_type = Option<String>)]
    entry: Option<EntryRule>,
    /// They don't meet each other in their first round.
    #[serde(default)]
    apart: bool,
    why: String,
}

/// Those who dropped in.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct DroppedIn {
    contestants: Vec<DroppedLine>,
}

/// Somebody who dropped in.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct DroppedLine {
    /// Its number in the Swiss.
    number: u16,
    name: String,
    /// Victory points that it starts with.
    vp: f64,
}

/// Takes everybody who lost in a round of a knock-out into the Swiss of a section, from its next round
/// on, under the number of its seed where that is free. Whom it has met in the knock-out it does not
/// meet again if that can be avoided.
#[utoipa::path(post, path = "/api/knockouts/{knockout}/drop-in", operation_id = "drop_in", tag = "competitions", params(("knockout" = u32, Path)), request_body = DropIn, responses((status = 200, body = DroppedIn), (status = 409, body = crate::web::ProblemBody)))]
async fn drop_in(
    State(web): State<Web>,
    director: Director,
    Named(number): Named<u32>,
    Body(input): Body<DropIn>,
) -> Result<Json<DroppedIn>, Problem> {
    let letter = section(&input.section)?;
    let state = web.desk().state();
    let now = knockout::view(&web, &state, number, Audience::Director).await?;
    let losers = losers(&now, input.round)?;
    let mut plans: Vec<ContestantPlan> = Vec::new();
    {
        let session = results::session(&state)?;
        let contest = contest_of(session.contests.get(&letter), letter)?;
        // Everybody starts with what the leader has before any of them is there.
        let carry_over = input.entry.map_or(0, |it| it.carry_over(session, letter));
        for own in &losers {
            let mut there = contest.plan.contestants.iter();
            if there.any(|it| it.name == own.name) {
                continue;
            }
            let seed = PairNumber::try_from(own.seed).map_err(Problem::from)?;
            let known = contest.plan.contestants.iter().chain(&plans);
            let taken: Vec<u16> = known.map(|it| it.number.get()).collect();
            let free = taken.iter().max().map_or(1, |most| most + 1);
            let number = if taken.contains(&own.seed) {
                PairNumber::try_from(free).map_err(Problem::from)?
            } else {
                seed
            };
            let met = contest.plan.contestants.iter();
            let met = met.filter(|it| own.beat.contains(&it.name));
            plans.push(ContestantPlan {
                name: own.name.clone(),
                carry_over,
                forbidden: met.map(|it| it.number).collect(),
                lost: own.lost,
                apart: input.apart,
                ..ContestantPlan::numbered(number)
            });
        }
    }
    if plans.is_empty() {
        return Err(Problem::refused(tell!(Knockout::NobodyDropsIn {
            round: input.round
        })));
    }
    let mut contestants = Vec::new();
    for plan in plans {
        contestants.push(DroppedLine {
            number: plan.number.get(),
            name: plan.name.clone(),
            vp: f64::from(plan.carry_over) / 100.0,
        });
        let joined = ContestCommand::Join {
            section: letter,
            contestant: plan,
            why: input.why.clone(),
        };
        web.desk().act(&director, Command::Contest(joined)).await?;
    }
    Ok(Json(DroppedIn { contestants }))
}

fn contest_of(contest: Option<&Contest>, section: SectionLetter) -> Result<&Contest, Problem> {
    contest.ok_or_else(|| Problem::refused(tell!(Contest::SectionPlaysNoMatches { section })))
}

/// Somebody who lost.
struct Loser {
    seed: u16,
    name: String,
    lost: Option<LostMatch>,
    /// Whom it had beaten before.
    beat: Vec<String>,
}

/// Those who lost in a round that is over.
fn losers(view: &KnockOutView, round: u16) -> Result<Vec<Loser>, Problem> {
    let of_round: Vec<&KnockOutMatch> = (view.matches.iter())
        .filter(|it| it.stage == round && !it.bye)
        .collect();
    let ended = |it: &&KnockOutMatch| it.winner.is_some() || it.abandoned;
    if of_round.is_empty() || !of_round.iter().all(ended) {
        return Err(Problem::refused(tell!(Knockout::RoundNotOver { round })));
    }
    let lost = of_round.iter().filter_map(|own| {
        let side = usize::from(1 - own.winner?.min(1));
        let seed = own.sides[side].seed?;
        let earlier = view.matches.iter().filter(|it| it.stage < round);
        let beat = earlier.filter_map(|it| {
            let winner = usize::from(it.winner?.min(1));
            let won = it.sides[winner].seed == Some(seed);
            won.then(|| it.sides[1 - winner].name.to_string())
        });
        let scored = own.scored.map(|it| it.map(whole));
        Some(Loser {
            seed,
            name: own.sides[side].name.to_string(),
            lost: scored.map(|it| LostMatch {
                scored: it[side],
                conceded: it[1 - side],
            }),
            beat: beat.collect(),
        })
    });
    Ok(lost.collect())
}

/// Whole IMPs.
fn whole(imps: f64) -> u16 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a few hundred IMPs"
    )]
    let whole = imps.round().clamp(0.0, 10_000.0) as u16;
    whole
}
