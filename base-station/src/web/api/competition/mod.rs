//! Competitions over several sessions: championships, ladders, handicaps, and players' years.

pub(in crate::web) mod championship;
pub(in crate::web::api) mod drop_in;
mod honours;
mod input;
pub(in crate::web) mod knockout;
pub(in crate::web::api) mod play;
mod players;
pub(in crate::web::api) mod stage_field;
mod stage_input;

use axum::Json;
use axum::extract::State;
use protocol::words::SessionId;
use season::{Contestants, Entry, EntryNumber, PlayerKey, Rules};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::input::{
    Away, Begun, CompetitionLineShort, Competitions, EntryInput, GroupsInput, HandicapsInput,
    KindsToBegin, NewEntries, NoteInput, PlanInput, Preset, SessionInput,
};
use super::Answer;
use crate::session::{Club, Command, CompetitionCommand, CompetitionId, State as Room};
use crate::view::{Audience, CompetitionView, Nights};
use crate::web::{Body, Director, Named, Problem, Reader, Web};
use telling::tell;

pub(super) use honours::routes as honours_routes;
pub(in crate::web) use honours::{HonoursOf, honours_of};
pub(super) use players::routes as players_routes;
pub(in crate::web) use players::{YearOf, year_of};

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(all, begin))
        .routes(routes!(presets))
        .routes(routes!(one, change))
        .routes(routes!(set_session))
        .routes(routes!(enter))
        .routes(routes!(change_entry))
        .routes(routes!(note))
        .routes(routes!(set_handicaps))
        .routes(routes!(group))
        .routes(routes!(put_away))
}

/// A competition of this club, and its number.
pub(in crate::web) fn known(
    club: &Club,
    number: u32,
) -> Result<(CompetitionId, &crate::session::Competition), Problem> {
    let number = CompetitionId(number);
    let known = club.competitions.get(&number);
    known
        .map(|competition| (number, competition))
        .ok_or_else(|| Problem::not_found(tell!(Competition::NoSuchCompetition { n: number.0 })))
}

/// A competition as it stands, for whoever reads it.
pub(in crate::web) async fn view(
    web: &Web,
    state: &Room,
    number: u32,
    audience: Audience,
) -> Result<CompetitionView, Problem> {
    let (number, competition) = known(&state.club, number)?;
    let sessions = state.club.sessions_of(competition);
    let nights = web.nights(state, &sessions).await?;
    let (club, competition) = (state.club.clone(), competition.clone());
    // Ten years of a club take a moment.
    let made = tokio::task::spawn_blocking(move || {
        let nights = Nights::of(&club, &nights, audience);
        CompetitionView::of(&nights, number, &competition)
    });
    made.await.map_err(Problem::fault)
}

fn session(number: u32) -> Result<SessionId, Problem> {
    SessionId::try_from(number).map_err(Problem::from)
}

async fn does(web: &Web, director: &Director, command: CompetitionCommand) -> Answer {
    web.desk()
        .done(director, Command::Competition(command))
        .await
}

/// All competitions, the latest first.
#[utoipa::path(get, path = "/api/competitions", operation_id = "all_competitions", tag = "competitions", responses((status = 200, body = Competitions)))]
async fn all(State(web): State<Web>, _reader: Reader) -> Json<Competitions> {
    let club = web.desk().state().club;
    let line = |(number, competition): (&CompetitionId, &crate::session::Competition)| {
        CompetitionLineShort {
            id: number.0,
            name: competition.plan.name.clone(),
            contestants: competition.plan.rules.contestants,
            away: competition.away,
            sessions: club.sessions_of(competition).len(),
            planned: competition.plan.rules.sessions,
        }
    };
    Json(Competitions {
        competitions: club.competitions.iter().rev().map(line).collect(),
    })
}

/// Kinds of competitions to begin with, with the numbers that are usual.
#[utoipa::path(get, path = "/api/competitions/presets", operation_id = "competition_presets", tag = "competitions", responses((status = 200, body = KindsToBegin)))]
async fn presets(_director: Director) -> Json<KindsToBegin> {
    let ladder = |contestants| Rules::ladder(contestants, 6, 5, 5);
    let kinds = [
        ("championship", Rules::sabf_pairs(6)),
        ("pairs-ladder", ladder(Contestants::Pairs)),
        ("players-ladder", ladder(Contestants::Players)),
        (
            "handicap-ladder",
            Rules {
                handicap: true,
                ..ladder(Contestants::Pairs)
            },
        ),
        (
            "change-partner",
            Rules {
                partners: season::Partners::MustChange,
                ..Rules::ladder(Contestants::Players, 3, 3, 3)
            },
        ),
    ];
    Json(KindsToBegin {
        presets: kinds
            .into_iter()
            .map(|(name, rules)| Preset {
                name,
                rules: rules.into(),
            })
            .collect(),
    })
}

/// Begins a competition.
#[utoipa::path(post, path = "/api/competitions", tag = "competitions", request_body = PlanInput, responses((status = 200, body = Begun), (status = 409, body = crate::web::ProblemBody)))]
async fn begin(
    State(web): State<Web>,
    director: Director,
    Body(input): Body<PlanInput>,
) -> Result<Json<Begun>, Problem> {
    let plan = input.plan()?;
    let name = plan.name.split_whitespace().collect::<Vec<_>>().join(" ");
    let command = Command::Competition(CompetitionCommand::Begin { plan });
    web.desk().act(&director, command).await?;
    let club = web.desk().state().club;
    let mut all = club.competitions.iter().rev();
    let begun = all.find(|(_, it)| !it.away && it.plan.name == name);
    let begun = begun.ok_or_else(|| Problem::fault("the new competition is not there"))?;
    Ok(Json(Begun {
        competition: begun.0.0,
    }))
}

/// A competition as it stands: whoever is not signed in sees what is released.
#[utoipa::path(get, path = "/api/competitions/{competition}", operation_id = "one_competition", tag = "competitions", params(("competition" = u32, Path)), responses((status = 200, body = CompetitionView), (status = 404, body = crate::web::ProblemBody)))]
async fn one(
    State(web): State<Web>,
    reader: Reader,
    Named(number): Named<u32>,
) -> Result<Json<CompetitionView>, Problem> {
    let audience = reader.audience();
    let state = web.desk().state();
    view(&web, &state, number, audience).await.map(Json)
}

/// Gives a competition another name or other rules; what was played counts by them at once.
#[utoipa::path(put, path = "/api/competitions/{competition}", tag = "competitions", params(("competition" = u32, Path)), request_body = PlanInput, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn change(
    State(web): State<Web>,
    director: Director,
    Named(number): Named<u32>,
    Body(input): Body<PlanInput>,
) -> Answer {
    let command = CompetitionCommand::Change {
        competition: CompetitionId(number),
        plan: input.plan()?,
    };
    does(&web, &director, command).await
}

/// Puts a session in or takes it out, or leaves it to the competition's plan again.
#[utoipa::path(put, path = "/api/competitions/{competition}/sessions", tag = "competitions", params(("competition" = u32, Path)), request_body = SessionInput, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn set_session(
    State(web): State<Web>,
    director: Director,
    Named(number): Named<u32>,
    Body(input): Body<SessionInput>,
) -> Answer {
    let command = CompetitionCommand::SetSession {
        competition: CompetitionId(number),
        session: session(input.session)?,
        counts: input.counts.read(),
    };
    does(&web, &director, command).await
}

/// Enters pairs: all of them, or none where one is refused.
#[utoipa::path(post, path = "/api/competitions/{competition}/entries", tag = "competitions", params(("competition" = u32, Path)), request_body = NewEntries, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn enter(
    State(web): State<Web>,
    director: Director,
    Named(number): Named<u32>,
    Body(input): Body<NewEntries>,
) -> Answer {
    let club = web.desk().state().club;
    if input.pairs.is_empty() {
        return Err(Problem::unreadable(tell!(Competition::ExpectedPlayer)));
    }
    let commands = input
        .pairs
        .iter()
        .map(|players| {
            Ok(Command::Competition(CompetitionCommand::Enter {
                competition: CompetitionId(number),
                players: pair(&club, players)?,
            }))
        })
        .collect::<Result<Vec<_>, Problem>>()?;
    web.desk()
        .done(&director, Command::Together(commands))
        .await
}

/// Puts an entry right: other players, withdrawn, or playing along without a place.
#[utoipa::path(put, path = "/api/competitions/{competition}/entries/{entry}", tag = "competitions", params(("competition" = u32, Path), ("entry" = u16, Path)), request_body = EntryInput, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn change_entry(
    State(web): State<Web>,
    director: Director,
    Named((number, entry)): Named<(u32, u16)>,
    Body(input): Body<EntryInput>,
) -> Answer {
    let club = web.desk().state().club;
    let command = CompetitionCommand::ChangeEntry {
        competition: CompetitionId(number),
        entry: EntryNumber(entry),
        pair: Entry {
            players: pair(&club, &input.players)?,
            withdrawn: input.withdrawn,
            non_contending: input.non_contending,
        },
    };
    does(&web, &director, command).await
}

/// Says who played a session for a nominated pair, or why it was away.
#[utoipa::path(put, path = "/api/competitions/{competition}/notes", tag = "competitions", params(("competition" = u32, Path)), request_body = NoteInput, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn note(
    State(web): State<Web>,
    director: Director,
    Named(number): Named<u32>,
    Body(input): Body<NoteInput>,
) -> Answer {
    let club = web.desk().state().club;
    let command = CompetitionCommand::Note {
        competition: CompetitionId(number),
        session: session(input.session)?,
        entry: EntryNumber(input.entry),
        note: input.note.read(&club)?,
    };
    does(&web, &director, command).await
}

/// Gives players handicaps, or takes them away.
#[utoipa::path(put, path = "/api/competitions/{competition}/handicaps", tag = "competitions", params(("competition" = u32, Path)), request_body = HandicapsInput, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn set_handicaps(
    State(web): State<Web>,
    director: Director,
    Named(number): Named<u32>,
    Body(input): Body<HandicapsInput>,
) -> Answer {
    let club = web.desk().state().club;
    let command = CompetitionCommand::SetHandicaps {
        competition: CompetitionId(number),
        handicaps: input.read(&club)?,
    };
    does(&web, &director, command).await
}

/// Gives categories or strata winners of their own.
#[utoipa::path(put, path = "/api/competitions/{competition}/groups", tag = "competitions", params(("competition" = u32, Path)), request_body = GroupsInput, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn group(
    State(web): State<Web>,
    director: Director,
    Named(number): Named<u32>,
    Body(input): Body<GroupsInput>,
) -> Answer {
    let club = web.desk().state().club;
    let command = CompetitionCommand::Group {
        competition: CompetitionId(number),
        groups: input.read(&club)?,
    };
    does(&web, &director, command).await
}

/// Puts a competition away, or brings it back.
#[utoipa::path(put, path = "/api/competitions/{competition}/away", operation_id = "put_competition_away", tag = "competitions", params(("competition" = u32, Path)), request_body = Away, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn put_away(
    State(web): State<Web>,
    director: Director,
    Named(number): Named<u32>,
    Body(Away { away }): Body<Away>,
) -> Answer {
    let command = CompetitionCommand::PutAway {
        competition: CompetitionId(number),
        away,
    };
    does(&web, &director, command).await
}

/// A player by number or name.
fn player(club: &Club, text: &str) -> Result<PlayerKey, Problem> {
    club.player(text)
        .map_err(|_| Problem::unreadable(tell!(Competition::ExpectedPlayer)))
}

fn pair(club: &Club, players: &[String; 2]) -> Result<[PlayerKey; 2], Problem> {
    Ok([player(club, &players[0])?, player(club, &players[1])?])
}
