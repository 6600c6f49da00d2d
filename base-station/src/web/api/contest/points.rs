//! Who may enter: points for places in several events of matches.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use telling::{Told, tell};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::field::StageName;
use super::fresh_seed;
use crate::contest::points::{Entry, Event, ForPlaces, Placed, entries};
use crate::session::of_apart;
use crate::web::{Body, Director, Problem, Web};

/// Events and pairs that one order is made of: a season of a state.
const MANY: usize = 200;

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new().routes(routes!(points))
}

/// Events whose places are worth points, and the pairs that want to enter.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PointsInput {
    events: Vec<WorthPoints>,
    /// The two players of each, by their names.
    #[schema(example = json!([["Ann Ace", "Bob Bee"]]))]
    pairs: Vec<[String; 2]>,
    /// The seed of the lots; a new one where it is left out.
    seed: Option<u64>,
}

/// An event of matches that has been played.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct WorthPoints {
    /// Its last session; this one where it is left out.
    session: Option<u32>,
    /// Its section there.
    #[schema(example = "A")]
    section: String,
    /// What its places are worth: `state-teams-stage`, `swiss-pairs`, `open-teams`,
    /// `state-teams-final`, `state-pairs`, `national-teams`, `national-butler`, `open-pairs`,
    /// `mixed-pairs`.
    #[schema(value_type = String, example = "swiss-pairs")]
    worth: ForPlaces,
    /// It is one of the Butler qualifying events, which count twice between those who are level.
    #[serde(default)]
    butler: bool,
}

/// In which order pairs may enter.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct InOrder {
    /// Of the lots.
    seed: u64,
    /// The best first.
    lines: Vec<EntryLine>,
}

/// A pair with its points.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct EntryLine {
    place: u32,
    players: [String; 2],
    /// From each event; none where neither of them played.
    points: Vec<Option<f64>>,
    total: f64,
    /// How often they came first, second, third, fourth and fifth together.
    places: [u32; 5],
    /// What put it behind the one before, where points don't.
    #[schema(value_type = Option<String>)]
    decided_by: Option<Told>,
}

/// In which order pairs may enter by the points for their places in several events of matches: what
/// two won together counts in full, what either won with others half. Nothing is changed.
#[utoipa::path(post, path = "/api/contest/points", operation_id = "points_for_places", tag = "matches", request_body = PointsInput, responses((status = 200, body = InOrder), (status = 409, body = crate::web::ProblemBody)))]
async fn points(
    State(web): State<Web>,
    _director: Director,
    Body(input): Body<PointsInput>,
) -> Result<Json<InOrder>, Problem> {
    if input.events.len() > MANY || input.pairs.len() > MANY {
        return Err(Problem::unreadable(tell!(Contest::PointsTooMany {
            n: MANY
        })));
    }
    check(&input.pairs)?;
    let mut events = Vec::new();
    for own in &input.events {
        let place = StageName::new(own.session, own.section.clone());
        let ended = place.ended(&web).await?;
        let sharing: BTreeMap<u32, usize> =
            ended
                .standing
                .iter()
                .fold(BTreeMap::new(), |mut all, line| {
                    *all.entry(line.place).or_default() += 1;
                    all
                });
        let placed = ended.standing.iter().map(|line| Placed {
            place: line.place,
            sharing: sharing.get(&line.place).copied().unwrap_or(1),
            players: ended.people(line),
        });
        events.push(Event {
            worth: own.worth,
            butler: own.butler,
            placed: placed.collect(),
        });
    }
    let seed = input.seed.unwrap_or_else(fresh_seed);
    let lines = entries(&input.pairs, &events, seed).into_iter();
    Ok(Json(InOrder {
        seed,
        lines: lines.map(EntryLine::of).collect(),
    }))
}

/// Everybody enters once, with somebody else.
fn check(pairs: &[[String; 2]]) -> Result<(), Problem> {
    let mut seen = std::collections::BTreeSet::new();
    for name in pairs.iter().flatten() {
        let name = name.trim();
        if name.is_empty() || !seen.insert(name.to_lowercase()) {
            return Err(Problem::unreadable(tell!(Contest::PointsPlayers { name })));
        }
    }
    Ok(())
}

impl EntryLine {
    fn of(own: Entry) -> Self {
        let hundredths = |number: i32| f64::from(number) / 100.0;
        Self {
            place: own.place,
            total: hundredths(own.total()),
            points: own.points.iter().map(|it| it.map(hundredths)).collect(),
            places: own.places,
            decided_by: own.decided_by.map(of_apart),
            players: own.players,
        }
    }
}
