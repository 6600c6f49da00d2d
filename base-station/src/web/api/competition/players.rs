//! Players over many sessions: totals, a year, handicaps worked out.

use axum::Json;
use axum::extract::State;
use season::{Hundredths, Scale};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::input::hundredths;
use super::player;
use crate::session::State as Room;
use crate::view::{Audience, Nights, PlayersView, YearView};
use crate::web::{Asked, Director, Problem, Reader, Web};
use telling::tell;

pub(in crate::web::api) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(totals))
        .routes(routes!(one_year))
        .routes(routes!(worked_out))
}

/// From one day to another, both included; left out, without end.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Period {
    #[param(example = "2026-01-01")]
    from: Option<String>,
    #[param(example = "2026-12-31")]
    until: Option<String>,
}

/// Whose results, and from when to when.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(in crate::web) struct YearOf {
    /// Number, or name of who has none.
    #[param(example = "1001")]
    pub(in crate::web) player: String,
    #[param(example = "2026-01-01")]
    pub(in crate::web) from: Option<String>,
    #[param(example = "2026-12-31")]
    pub(in crate::web) until: Option<String>,
}

/// Handicaps from the results of a period.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct WorkOut {
    #[param(example = "2026-03-01")]
    from: Option<String>,
    #[param(example = "2026-08-31")]
    until: Option<String>,
    /// The largest handicap: 5, 9 or 12, for instance.
    #[param(example = 9)]
    most: Option<f64>,
    /// To multiples of this: 1, 0.5 or 0.1, for instance.
    #[param(example = 1)]
    step: Option<f64>,
    /// Whoever has played fewer sessions gets none.
    #[param(example = 3)]
    sessions: Option<u16>,
}

/// Handicaps as they came out; nothing is set.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct WorkedOut {
    /// Sessions that were looked at.
    sessions: usize,
    handicaps: Vec<WorkedLine>,
}

/// A player's handicap, and what it rests on.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct WorkedLine {
    /// Number, or name of who has none.
    player: String,
    name: String,
    /// Sessions played in the period.
    sessions: u16,
    /// Their mean.
    mean: f64,
    /// 50 less the mean, on the scale.
    handicap: f64,
}

/// Something of all sessions of a period.
async fn over<T: Send + 'static>(
    web: &Web,
    state: &Room,
    audience: Audience,
    (from, until): (Option<&str>, Option<&str>),
    make: impl FnOnce(&Nights<'_>, &[protocol::words::SessionId]) -> T + Send + 'static,
) -> Result<T, Problem> {
    let sessions = state.club.sessions_between(from, until);
    let sessions = sessions.map_err(|refused| Problem::unreadable(refused.0))?;
    let nights = web.nights(state, &sessions).await?;
    let club = state.club.clone();
    let totals = tokio::task::spawn_blocking(move || {
        let nights = Nights::of(&club, &nights, audience);
        make(&nights, &sessions)
    });
    totals.await.map_err(Problem::fault)
}

/// Everybody who played in a period: sessions, mean, club points.
#[utoipa::path(get, path = "/api/players/totals", tag = "competitions", params(Period), responses((status = 200, body = PlayersView)))]
async fn totals(
    State(web): State<Web>,
    reader: Reader,
    Asked(period): Asked<Period>,
) -> Result<Json<PlayersView>, Problem> {
    let state = web.desk().state();
    let period = (period.from.as_deref(), period.until.as_deref());
    let audience = reader.audience();
    let made = over(&web, &state, audience, period, PlayersView::of);
    made.await.map(Json)
}

/// A player's results session by session, with partners, places and club points.
#[utoipa::path(get, path = "/api/players/year", tag = "competitions", params(YearOf), responses((status = 200, body = YearView), (status = 404, body = crate::web::ProblemBody)))]
async fn one_year(
    State(web): State<Web>,
    reader: Reader,
    Asked(asked): Asked<YearOf>,
) -> Result<Json<YearView>, Problem> {
    let state = web.desk().state();
    let audience = reader.audience();
    year_of(&web, &state, audience, &asked).await.map(Json)
}

/// A player's results in a period.
pub(in crate::web) async fn year_of(
    web: &Web,
    state: &Room,
    audience: Audience,
    asked: &YearOf,
) -> Result<YearView, Problem> {
    let period = (asked.from.as_deref(), asked.until.as_deref());
    let who = player(&state.club, &asked.player)?;
    let listed = state.club.lists_player(&who);
    let made = over(web, state, audience, period, move |nights, sessions| {
        YearView::of(nights, sessions, &who)
    });
    let year = made.await?;
    if year.lines.is_empty() && !listed {
        let player = year.name;
        return Err(Problem::not_found(tell!(Competition::NoSuchPlayer {
            player
        })));
    }
    Ok(year)
}

/// Works handicaps out from the results of a period; `PUT /api/competitions/{competition}/handicaps`
/// sets them.
#[utoipa::path(get, path = "/api/players/handicaps", tag = "competitions", params(WorkOut), responses((status = 200, body = WorkedOut), (status = 400, body = crate::web::ProblemBody)))]
async fn worked_out(
    State(web): State<Web>,
    _director: Director,
    Asked(asked): Asked<WorkOut>,
) -> Result<Json<WorkedOut>, Problem> {
    let scale = Scale {
        most: hundredths(asked.most.unwrap_or(9.0))?,
        step: hundredths(asked.step.unwrap_or(1.0))?,
        sessions: asked.sessions.unwrap_or(1).max(1),
    };
    let fits = (Hundredths::whole(1)..=Hundredths::whole(50)).contains(&scale.most)
        && (Hundredths(10)..=Hundredths::whole(5)).contains(&scale.step);
    if !fits {
        return Err(Problem::unreadable(tell!(Competition::ScaleFrom1)));
    }
    let state = web.desk().state();
    let period = (asked.from.as_deref(), asked.until.as_deref());
    let made = over(
        &web,
        &state,
        Audience::Director,
        period,
        move |nights, sessions| {
            let lines = PlayersView::handicaps(nights, sessions, scale).into_iter();
            let lines = lines.map(|(line, sessions, mean)| WorkedLine {
                player: line.player,
                name: line.name,
                sessions,
                mean,
                handicap: line.handicap,
            });
            WorkedOut {
                sessions: sessions.len(),
                handicaps: lines.collect(),
            }
        },
    );
    made.await.map(Json)
}
