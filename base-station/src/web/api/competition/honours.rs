//! Who won what in a year.

use std::collections::BTreeSet;

use axum::Json;
use axum::extract::State;
use protocol::words::SessionId;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{championship, knockout, view};
use crate::session::{Club, KnockOutId, State as Room};
use crate::view::{Audience, HonouredEvent, HonoursView};
use crate::web::{Asked, Problem, Reader, Web};

pub(in crate::web::api) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new().routes(routes!(honours))
}

/// Of which year.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(in crate::web) struct HonoursOf {
    /// That of the latest session where it is left out.
    #[param(example = "2026")]
    year: Option<String>,
}

/// Who won what in a year: of every competition, knock-out and championship that ended in it.
#[utoipa::path(get, path = "/api/competitions/honours", operation_id = "honours", tag = "competitions", params(HonoursOf), responses((status = 200, body = HonoursView)))]
async fn honours(
    State(web): State<Web>,
    reader: Reader,
    Asked(asked): Asked<HonoursOf>,
) -> Result<Json<HonoursView>, Problem> {
    let state = web.desk().state();
    honours_of(&web, &state, reader.audience(), asked)
        .await
        .map(Json)
}

/// The same for whoever reads it.
pub(in crate::web) async fn honours_of(
    web: &Web,
    state: &Room,
    audience: Audience,
    asked: HonoursOf,
) -> Result<HonoursView, Problem> {
    let club = &state.club;
    let latest = club.sessions.values().map(|it| it.date.as_str()).max();
    let of_latest = || latest.unwrap_or_default().chars().take(4).collect();
    let year: String = asked.year.unwrap_or_else(of_latest);
    let mut events = Vec::new();
    for (number, own) in club.competitions.iter().filter(|(_, it)| !it.away) {
        let sessions = club.sessions_of(own).into_iter().collect();
        if ends_in(club, &sessions, &year).is_some() {
            let view = view(web, state, number.0, audience).await?;
            events.extend(HonouredEvent::of_competition(&view));
        }
    }
    let mut in_stages: BTreeSet<KnockOutId> = BTreeSet::new();
    for (number, own) in club.championships.iter().filter(|(_, it)| !it.away) {
        let mut sessions = own.sessions();
        for competition in own.competitions() {
            if let Some(own) = club.competitions.get(&competition) {
                sessions.extend(club.sessions_of(own));
            }
        }
        for knock_out in own.knock_outs() {
            in_stages.insert(knock_out);
            sessions.extend(played_in(club, knock_out));
        }
        if let Some(date) = ends_in(club, &sessions, &year) {
            let view = championship::view(web, number.0, audience).await?;
            events.extend(HonouredEvent::of_championship(&view, date));
        }
    }
    let alone = club.knock_outs.iter();
    let alone = alone.filter(|(number, it)| !it.away && !in_stages.contains(number));
    for (number, _) in alone {
        if let Some(date) = ends_in(club, &played_in(club, *number), &year) {
            let view = knockout::view(web, state, number.0, audience).await?;
            events.extend(HonouredEvent::of_knock_out(&view, date));
        }
    }
    events.retain(|it| it.date.starts_with(&year));
    events.sort_by(|one, other| (&other.date, &one.name).cmp(&(&one.date, &other.name)));
    Ok(HonoursView { year, events })
}

/// The sessions in which a knock-out was played.
fn played_in(club: &Club, number: KnockOutId) -> BTreeSet<SessionId> {
    let own = club.knock_outs.get(&number).into_iter();
    let met = own.flat_map(|it| it.met.values()).flat_map(|it| &it.at);
    met.map(|at| at.session).collect()
}

/// The day of the last of these sessions, where it is in the year.
fn ends_in(club: &Club, sessions: &BTreeSet<SessionId>, year: &str) -> Option<String> {
    let dates = sessions.iter().filter_map(|it| club.sessions.get(it));
    let last = dates.map(|it| it.date.as_str()).max()?;
    last.starts_with(year).then(|| last.to_owned())
}
