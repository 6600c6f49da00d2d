//! Who won what in a year: of every competition, knock-out and championship that is over.

use serde::Serialize;
use utoipa::ToSchema;

use super::{ChampionshipView, CompetitionView, KnockOutView};

/// Places that are honoured.
const HONOURED: u32 = 3;

/// The honours of a year.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct HonoursView {
    /// Which.
    #[schema(example = "2026")]
    pub year: String,
    /// What ended in it, the latest first.
    pub events: Vec<HonouredEvent>,
}

/// An event that is over.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct HonouredEvent {
    /// What it is called.
    pub name: String,
    /// The day of its last session.
    pub date: String,
    /// The first three, and the winners of its categories.
    pub places: Vec<HonouredPlace>,
}

/// Somebody's place.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct HonouredPlace {
    /// `1`, `2=`; the name of a category for its winner.
    pub place: String,
    /// Who.
    pub names: String,
}

impl HonouredPlace {
    /// Where the place is one of the first three.
    fn of(place: &str, names: &str) -> Option<Self> {
        let number: u32 = place.trim_end_matches('=').parse().ok()?;
        (number <= HONOURED).then(|| Self {
            place: place.to_owned(),
            names: names.to_owned(),
        })
    }
}

impl HonouredEvent {
    /// A competition, once all its sessions are played.
    pub fn of_competition(view: &CompetitionView) -> Option<Self> {
        let counted = view.sessions.iter().filter(|it| it.state == "counts");
        if counted.clone().count() < usize::from(view.rules.sessions) {
            return None;
        }
        let lines = view.lines.iter();
        let places = lines.filter_map(|it| HonouredPlace::of(&it.place, &it.names));
        let groups = view.groups.iter().flat_map(|group| {
            let winners = group.places.iter();
            let winners = winners.filter(|it| it.place.trim_end_matches('=') == "1");
            winners.map(|it| HonouredPlace {
                place: group.name.clone(),
                names: it.names.clone(),
            })
        });
        Self::with(
            &view.name,
            counted.map(|it| it.date.clone()).max()?,
            places.chain(groups).collect(),
        )
    }

    /// A knock-out, once its final is over, by the day on which it was.
    pub fn of_knock_out(view: &KnockOutView, date: String) -> Option<Self> {
        let places = view.places.iter();
        let places = places.filter_map(|it| HonouredPlace::of(&it.place, &it.name));
        let over = view.matches.last().is_some_and(|it| it.winner.is_some());
        Self::with(&view.name, date, places.collect()).filter(|_| over)
    }

    /// A championship, once its stages are over.
    pub fn of_championship(view: &ChampionshipView, date: String) -> Option<Self> {
        let places = view.places.iter();
        let places = places.filter_map(|it| HonouredPlace::of(&it.place, &it.name));
        let over = view.stages.iter().all(|it| it.state == "over");
        Self::with(&view.name, date, places.collect()).filter(|_| over)
    }

    fn with(name: &str, date: String, places: Vec<HonouredPlace>) -> Option<Self> {
        (!places.is_empty()).then(|| Self {
            name: name.to_owned(),
            date,
            places,
        })
    }
}
