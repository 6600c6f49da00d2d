//! Events with stages: begun, set up stage by stage, followed to the winner.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use protocol::words::{PairNumber, SectionLetter};
use serde::Deserialize;
use telling::tell;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::super::Answer;
use super::input::Away;
use super::knockout;
use super::stage_input::{
    BegunChampionship, ChampionshipInput, ChampionshipLine, Championships, PassedInput, PlayedInput,
};
use crate::session::{
    ChampionshipCommand, ChampionshipId, Command, CompetitionCommand, ContestantPlan, FieldAt,
    KnockOutCommand, KnockOutPlan, StageAt, State as Room, Taken,
};
use crate::view::{Audience, ChampionshipView, ComingView, StageView, Stages};
use crate::web::api::input::section;
use crate::web::api::results;
use crate::web::{Body, Director, Named, Problem, Reader, Web};

pub(in crate::web::api) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(all, begin))
        .routes(routes!(one, change))
        .routes(routes!(played_at))
        .routes(routes!(draw))
        .routes(routes!(pass_over))
        .routes(routes!(put_away))
}

/// A stage of a championship that a section plays.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::web::api) struct StageOf {
    championship: u32,
    /// From 1.
    stage: u8,
}

/// A championship of this club.
pub(in crate::web) fn known(
    room: &Room,
    number: u32,
) -> Result<(ChampionshipId, &crate::session::Championship), Problem> {
    let number = ChampionshipId(number);
    let known = room.club.championships.get(&number);
    known
        .map(|championship| (number, championship))
        .ok_or_else(|| Problem::not_found(tell!(Championship::NoSuch { n: number.0 })))
}

/// A championship as it stands, for whoever reads it.
pub(in crate::web) async fn view(
    web: &Web,
    number: u32,
    audience: Audience,
) -> Result<ChampionshipView, Problem> {
    let state = web.desk().state();
    let (number, own) = known(&state, number)?;
    let own = own.clone();
    let mut sessions = BTreeMap::new();
    for id in own.sessions() {
        let (_, session) = web.desk().known_session(Some(id)).await?;
        sessions.insert(id, session);
    }
    let mut knock_outs = BTreeMap::new();
    for id in own.knock_outs() {
        knock_outs.insert(id, knockout::view(web, &state, id.0, audience).await?);
    }
    let made = tokio::task::spawn_blocking(move || {
        let stages = Stages {
            club: &state.club,
            sessions: &sessions,
            knock_outs: &knock_outs,
            audience,
        };
        ChampionshipView::of(&stages, number, &own)
    });
    made.await.map_err(Problem::fault)
}

/// All championships, the latest first.
#[utoipa::path(get, path = "/api/championships", operation_id = "all_championships", tag = "competitions", responses((status = 200, body = Championships)))]
async fn all(State(web): State<Web>, _reader: Reader) -> Json<Championships> {
    let club = web.desk().state().club;
    let all = club.championships.iter().rev();
    Json(Championships {
        championships: all
            .map(|(number, it)| ChampionshipLine {
                id: number.0,
                name: it.plan.name.clone(),
                stages: it.plan.stages.len(),
                away: it.away,
            })
            .collect(),
    })
}

/// Begins a championship: its stages, and who goes on from each.
#[utoipa::path(post, path = "/api/championships", operation_id = "begin_championship", tag = "competitions", request_body = ChampionshipInput, responses((status = 200, body = BegunChampionship), (status = 409, body = crate::web::ProblemBody)))]
async fn begin(
    State(web): State<Web>,
    director: Director,
    Body(input): Body<ChampionshipInput>,
) -> Result<Json<BegunChampionship>, Problem> {
    let plan = input.plan();
    does(&web, &director, ChampionshipCommand::Begin { plan }).await?;
    let club = web.desk().state().club;
    let begun = club.championships.get_max();
    let begun = begun.ok_or_else(|| Problem::fault("the new championship is not there"))?;
    Ok(Json(BegunChampionship {
        championship: begun.0.0,
    }))
}

/// A championship as it stands: whoever is not signed in sees what is released.
#[utoipa::path(get, path = "/api/championships/{championship}", operation_id = "one_championship", tag = "competitions", params(("championship" = u32, Path)), responses((status = 200, body = ChampionshipView), (status = 404, body = crate::web::ProblemBody)))]
async fn one(
    State(web): State<Web>,
    reader: Reader,
    Named(number): Named<u32>,
) -> Result<Json<ChampionshipView>, Problem> {
    let audience = reader.audience();
    view(&web, number, audience).await.map(Json)
}

/// Changes its name or its stages; where they were played stays.
#[utoipa::path(put, path = "/api/championships/{championship}", operation_id = "change_championship", tag = "competitions", params(("championship" = u32, Path)), request_body = ChampionshipInput, responses((status = 200, body = super::super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn change(
    State(web): State<Web>,
    director: Director,
    Named(number): Named<u32>,
    Body(input): Body<ChampionshipInput>,
) -> Answer {
    let command = ChampionshipCommand::Change {
        championship: ChampionshipId(number),
        plan: input.plan(),
    };
    done(&web, &director, command).await
}

/// Says where a stage is played that was set up elsewhere, or where its further night is.
#[utoipa::path(put, path = "/api/championships/{championship}/stages/{stage}", operation_id = "stage_played_at", tag = "competitions", params(("championship" = u32, Path), ("stage" = u8, Path)), request_body = PlayedInput, responses((status = 200, body = super::super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn played_at(
    State(web): State<Web>,
    director: Director,
    Named((number, stage)): Named<(u32, u8)>,
    Body(input): Body<PlayedInput>,
) -> Answer {
    let club = web.desk().state();
    let (_, own) = known(&club, number)?;
    let taken = own.set.get(&stage).map(|(_, taken)| taken.clone());
    let mut fields = Vec::new();
    for field in &input.fields {
        let session = super::session(field.session)?;
        let section = section(&field.section)?;
        let (_, there) = web.desk().known_session(Some(session)).await?;
        if !there.contests.contains_key(&section) {
            let session = session.get();
            return Err(Problem::refused(tell!(Knockout::NoSuchSection {
                session,
                section
            })));
        }
        fields.push(FieldAt { session, section });
    }
    let command = ChampionshipCommand::SetStage {
        championship: ChampionshipId(number),
        stage,
        at: (!fields.is_empty()).then_some(StageAt::Fields(fields)),
        taken: taken.unwrap_or_default(),
    };
    done(&web, &director, command).await
}

/// Draws a stage that is a knock-out from those who go on.
#[utoipa::path(post, path = "/api/championships/{championship}/stages/{stage}/draw", operation_id = "draw_stage", tag = "competitions", params(("championship" = u32, Path), ("stage" = u8, Path)), responses((status = 200, body = super::super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn draw(
    State(web): State<Web>,
    director: Director,
    Named((number, stage)): Named<(u32, u8)>,
) -> Answer {
    let now = view(&web, number, Audience::Director).await?;
    let own = stage_of(&now, stage)?;
    let Some(shape) = own.knock_out else {
        return Err(Problem::refused(tell!(Championship::NotAKnockOut {
            n: stage
        })));
    };
    may_be_set(own)?;
    let plan = KnockOutPlan {
        name: format!("{} · {}", now.name, own.name),
        shape,
        entrants: own.coming.iter().map(|it| it.name.clone()).collect(),
    };
    let command = CompetitionCommand::KnockOut(KnockOutCommand::Draw { plan });
    web.desk()
        .act(&director, Command::Competition(command))
        .await?;
    let club = web.desk().state().club;
    let drawn = club.knock_outs.get_max().map(|(number, _)| *number);
    let drawn = drawn.ok_or_else(|| Problem::fault("the new knock-out is not there"))?;
    let command = ChampionshipCommand::SetStage {
        championship: ChampionshipId(number),
        stage,
        at: Some(StageAt::KnockOut(drawn)),
        taken: taken_over(&own.coming)?,
    };
    done(&web, &director, command).await
}

/// Says that somebody does not go on: the next one does. Or that it does after all.
#[utoipa::path(put, path = "/api/championships/{championship}/stages/{stage}/passed-over", operation_id = "pass_over", tag = "competitions", params(("championship" = u32, Path), ("stage" = u8, Path)), request_body = PassedInput, responses((status = 200, body = super::super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn pass_over(
    State(web): State<Web>,
    director: Director,
    Named((number, stage)): Named<(u32, u8)>,
    Body(input): Body<PassedInput>,
) -> Answer {
    let now = view(&web, number, Audience::Director).await?;
    let own = stage_of(&now, stage)?;
    let at = usize::from(input.field).wrapping_sub(1);
    let mut lines = own.fields.get(at).into_iter().flat_map(|it| &it.lines);
    if !lines.any(|it| it.contestant == input.contestant) {
        let n = input.contestant;
        return Err(Problem::refused(tell!(Championship::NoSuchContestant {
            n,
            stage
        })));
    }
    let command = ChampionshipCommand::PassOver {
        championship: ChampionshipId(number),
        stage,
        field: input.field,
        contestant: contestant(input.contestant)?,
        how: input.how,
        why: input.why,
    };
    done(&web, &director, command).await
}

/// Puts a championship away, or brings it back.
#[utoipa::path(put, path = "/api/championships/{championship}/away", operation_id = "put_championship_away", tag = "competitions", params(("championship" = u32, Path)), request_body = Away, responses((status = 200, body = super::super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn put_away(
    State(web): State<Web>,
    director: Director,
    Named(number): Named<u32>,
    Body(Away { away }): Body<Away>,
) -> Answer {
    let command = ChampionshipCommand::PutAway {
        championship: ChampionshipId(number),
        away,
    };
    done(&web, &director, command).await
}

impl StageOf {
    /// Who plays this stage, as they go on from the one before; `None` where it has entries of its
    /// own. A stage that can't be set up now is refused.
    pub(in crate::web::api) async fn field(
        self,
        web: &Web,
    ) -> Result<Option<Vec<ContestantPlan>>, Problem> {
        let now = view(web, self.championship, Audience::Director).await?;
        let own = stage_of(&now, self.stage)?;
        if own.knock_out.is_some() {
            let n = self.stage;
            return Err(Problem::refused(tell!(Championship::IsAKnockOut { n })));
        }
        if own.from.is_none() {
            return Ok(None);
        }
        may_be_set(own)?;
        let plans = own.coming.iter().map(|it| {
            #[expect(clippy::cast_possible_truncation, reason = "a few hundred")]
            let [vp, imps] = [it.vp * 100.0, it.imps * 10_000.0].map(|it| it.round() as i64);
            Ok(ContestantPlan {
                name: it.name.clone(),
                carry_over: i32::try_from(vp).unwrap_or(i32::MAX),
                carry_imps: imps,
                ..ContestantPlan::numbered(contestant(it.number)?)
            })
        });
        let mut plans: Vec<ContestantPlan> = plans.collect::<Result<_, Problem>>()?;
        self.with_players(web, own, &mut plans).await?;
        Ok(Some(plans))
    }

    /// Players and clubs stay as they were entered.
    async fn with_players(
        self,
        web: &Web,
        own: &StageView,
        plans: &mut [ContestantPlan],
    ) -> Result<(), Problem> {
        let state = web.desk().state();
        let (_, championship) = known(&state, self.championship)?;
        let from = own.from.map_or(0, |it| it.stage);
        let Some((StageAt::Fields(fields), _)) = championship.set.get(&from) else {
            return Ok(());
        };
        for (at, place) in (1..).zip(fields) {
            let (_, session) = web.desk().known_session(Some(place.session)).await?;
            let Some(before) = session.contests.get(&place.section) else {
                continue;
            };
            let coming = own.coming.iter().zip(plans.iter_mut());
            for (it, plan) in coming.filter(|(it, _)| it.field == at) {
                let known = before.plan.contestants.iter();
                let mut known = known.filter(|known| known.number.get() == it.contestant);
                if let Some(known) = known.next() {
                    plan.players.clone_from(&known.players);
                    plan.club.clone_from(&known.club);
                    plan.seats_first = known.seats_first;
                }
            }
        }
        Ok(())
    }

    /// Notes that a section of the chosen session plays it.
    pub(in crate::web::api) async fn is_played(
        self,
        web: &Web,
        director: &Director,
        section: SectionLetter,
    ) -> Result<(), Problem> {
        let now = view(web, self.championship, Audience::Director).await?;
        let state = web.desk().state();
        let session = results::session(&state)?.id;
        let (_, championship) = known(&state, self.championship)?;
        let own = stage_of(&now, self.stage)?;
        let place = FieldAt { session, section };
        let known = championship.set.get(&self.stage);
        let mut fields = match known {
            Some((StageAt::Fields(fields), _)) if own.from.is_none() => fields.clone(),
            _ => Vec::new(),
        };
        if !fields.contains(&place) {
            fields.push(place);
        }
        let command = ChampionshipCommand::SetStage {
            championship: ChampionshipId(self.championship),
            stage: self.stage,
            at: Some(StageAt::Fields(fields)),
            taken: taken_over(&own.coming)?,
        };
        does(web, director, command).await
    }
}

/// A further night of a stage: from then on that is where it is played.
pub(in crate::web::api) async fn goes_on(
    web: &Web,
    director: &Director,
    from: FieldAt,
    to: FieldAt,
) -> Result<(), Problem> {
    let club = web.desk().state().club;
    for (number, own) in club.championships.iter().filter(|(_, it)| !it.away) {
        for (stage, (at, taken)) in &own.set {
            let StageAt::Fields(fields) = at else {
                continue;
            };
            if !fields.contains(&from) {
                continue;
            }
            let moved = fields.iter().map(|it| if *it == from { to } else { *it });
            let command = ChampionshipCommand::SetStage {
                championship: *number,
                stage: *stage,
                at: Some(StageAt::Fields(moved.collect())),
                taken: taken.clone(),
            };
            does(web, director, command).await?;
        }
    }
    Ok(())
}

/// Who comes over, as it is written down.
fn taken_over(coming: &[ComingView]) -> Result<Vec<Taken>, Problem> {
    let taken = coming.iter().map(|it| {
        #[expect(clippy::cast_possible_truncation, reason = "a few hundred")]
        let [vp, imps] = [it.vp * 100.0, it.imps * 10_000.0].map(|it| it.round() as i64);
        Ok(Taken {
            field: it.field,
            contestant: contestant(it.contestant)?,
            number: contestant(it.number)?,
            vp: i32::try_from(vp).unwrap_or(i32::MAX),
            imps,
        })
    });
    taken.collect()
}

fn contestant(number: u16) -> Result<PairNumber, Problem> {
    PairNumber::try_from(number).map_err(Problem::from)
}

fn stage_of(view: &ChampionshipView, stage: u8) -> Result<&StageView, Problem> {
    let own = view.stage(stage);
    own.ok_or_else(|| Problem::not_found(tell!(Championship::NoSuchStage { n: stage })))
}

/// A stage is set up once its field is known.
fn may_be_set(own: &StageView) -> Result<(), Problem> {
    match &own.cannot {
        Some(why) => Err(Problem::refused(why.clone())),
        None => Ok(()),
    }
}

async fn does(web: &Web, director: &Director, command: ChampionshipCommand) -> Result<(), Problem> {
    let command = Command::Competition(CompetitionCommand::Championship(command));
    web.desk().act(director, command).await.map(drop)
}

async fn done(web: &Web, director: &Director, command: ChampionshipCommand) -> Answer {
    let command = Command::Competition(CompetitionCommand::Championship(command));
    web.desk().done(director, command).await
}
