//! Events with stages: begun, set up stage by stage, followed to the winner.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use protocol::words::PairNumber;
use season::{Choosing, Contestants, ToChoose};
use telling::tell;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::super::Answer;
use super::input::Away;
use super::knockout;
use super::stage_field::{chosen, number_at, seeded, taken_over};
use super::stage_input::{
    BegunChampionship, ChampionshipInput, ChampionshipLine, Championships, ChoosingView, DrawStage,
    PassedInput, PicksInput, PlayedInput,
};
use crate::session::{
    ChampionshipCommand, ChampionshipId, Command, CompetitionCommand, FieldAt, KnockOutCommand,
    KnockOutPlan, StageAt, State as Room,
};
use crate::view::{Audience, ChampionshipView, StageView, Stages};
use crate::web::api::input::section;
use crate::web::{Body, Director, Named, Problem, Reader, Web};

pub(in crate::web::api) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(all, begin))
        .routes(routes!(one, change))
        .routes(routes!(played_at))
        .routes(routes!(draw))
        .routes(routes!(choosing))
        .routes(routes!(pass_over))
        .routes(routes!(put_away))
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
    let mut competitions = BTreeMap::new();
    for id in own.competitions() {
        competitions.insert(id, super::view(web, &state, id.0, audience).await?);
    }
    let made = tokio::task::spawn_blocking(move || {
        let stages = Stages {
            competitions: &competitions,
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
    if let Some(competition) = input.competition {
        let (competition, over_sessions) = super::known(&club.club, competition)?;
        if over_sessions.plan.rules.contestants != Contestants::NominatedPairs {
            return Err(Problem::refused(tell!(Championship::PairsMustEnter {
                name: &*over_sessions.plan.name
            })));
        }
        let command = ChampionshipCommand::SetStage {
            championship: ChampionshipId(number),
            stage,
            at: Some(StageAt::Competition(competition)),
            taken: taken.unwrap_or_default(),
        };
        return done(&web, &director, command).await;
    }
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

/// Draws a stage that is a knock-out: from those who go on, or from entries of its own. Those who have
/// the same place are seeded by lot, apart from those they have met where that can be.
#[utoipa::path(post, path = "/api/championships/{championship}/stages/{stage}/draw", operation_id = "draw_stage", tag = "competitions", params(("championship" = u32, Path), ("stage" = u8, Path)), request_body = DrawStage, responses((status = 200, body = super::super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn draw(
    State(web): State<Web>,
    director: Director,
    Named((number, stage)): Named<(u32, u8)>,
    Body(input): Body<DrawStage>,
) -> Answer {
    let now = view(&web, number, Audience::Director).await?;
    let own = stage_of(&now, stage)?;
    let Some(shape) = own.knock_out else {
        return Err(Problem::refused(tell!(Championship::NotAKnockOut {
            n: stage
        })));
    };
    may_be_set(own)?;
    let coming = seeded(&now, own, shape, &input)?;
    let of_stage = coming.iter().map(|it| it.name.clone());
    let plan = KnockOutPlan {
        name: format!("{} · {}", now.name, own.name),
        shape,
        entrants: of_stage.chain(input.entrants).collect(),
        left: own.left,
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
        taken: taken_over(&coming)?,
    };
    done(&web, &director, command).await
}

/// Who chooses an opponent now, after these choices; or who meets whom. Nothing is changed.
#[utoipa::path(post, path = "/api/championships/{championship}/stages/{stage}/choosing", operation_id = "choosing", tag = "competitions", params(("championship" = u32, Path), ("stage" = u8, Path)), request_body = PicksInput, responses((status = 200, body = ChoosingView), (status = 409, body = crate::web::ProblemBody)))]
async fn choosing(
    State(web): State<Web>,
    _director: Director,
    Named((number, stage)): Named<(u32, u8)>,
    Body(input): Body<PicksInput>,
) -> Result<Json<ChoosingView>, Problem> {
    let now = view(&web, number, Audience::Director).await?;
    let own = stage_of(&now, stage)?;
    may_be_set(own)?;
    Ok(Json(match chosen(&now, own, &input.picks)? {
        Choosing::Next(ToChoose { by, from }) => ChoosingView {
            by: number_at(own, by),
            from: from.iter().filter_map(|at| number_at(own, *at)).collect(),
            pairs: Vec::new(),
        },
        Choosing::Paired(pairs) => ChoosingView {
            by: None,
            from: Vec::new(),
            pairs: (pairs.iter())
                .filter_map(|[one, other]| Some([number_at(own, *one)?, number_at(own, *other)?]))
                .collect(),
        },
    }))
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

pub(super) fn contestant(number: u16) -> Result<PairNumber, Problem> {
    PairNumber::try_from(number).map_err(Problem::from)
}

pub(super) fn stage_of(view: &ChampionshipView, stage: u8) -> Result<&StageView, Problem> {
    let own = view.stage(stage);
    own.ok_or_else(|| Problem::not_found(tell!(Championship::NoSuchStage { n: stage })))
}

/// A stage is set up once its field is known.
pub(super) fn may_be_set(own: &StageView) -> Result<(), Problem> {
    match &own.cannot {
        Some(why) => Err(Problem::refused(why.clone())),
        None => Ok(()),
    }
}

pub(super) async fn does(
    web: &Web,
    director: &Director,
    command: ChampionshipCommand,
) -> Result<(), Problem> {
    let command = Command::Competition(CompetitionCommand::Championship(command));
    web.desk().act(director, command).await.map(drop)
}

async fn done(web: &Web, director: &Director, command: ChampionshipCommand) -> Answer {
    let command = Command::Competition(CompetitionCommand::Championship(command));
    web.desk().done(director, command).await
}
