//! The ranking lists in words.

use std::collections::BTreeSet;

use protocol::words::{RoundNumber, Side};
use serde::Serialize;
use utoipa::ToSchema;

use crate::session::plan::{Method, Partner};
use crate::session::{Club, PairId, RankingList, Session};

/// All ranking lists.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RankingView {
    /// `matchpoints` or `imps`.
    pub points_name: &'static str,
    /// A list for each section and direction, or fewer where they are ranked together.
    pub lists: Vec<ListView>,
    /// In a match between two clubs: what each of them has.
    pub clubs: Vec<ClubView>,
    /// What could not be counted.
    pub problems: Vec<String>,
}

/// A club in a match between two.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ClubView {
    /// `Visitors` or `Home club`.
    pub name: &'static str,
    /// Matchpoints or IMPs of all its pairs.
    pub points: f64,
    /// At matchpoints.
    pub percent: Option<f64>,
}

/// One list.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ListView {
    /// `Section A, North-South`.
    pub title: String,
    /// The best first.
    pub lines: Vec<RankingLineView>,
}

/// A pair in a list.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RankingLineView {
    /// `1`, `2=`.
    pub place: String,
    /// The pair.
    #[schema(value_type = String, example = "A7NS")]
    pub pair: PairId,
    /// Its names.
    pub names: String,
    /// Boards that counted.
    pub boards: u32,
    /// Matchpoints or IMPs.
    pub points: f64,
    /// At matchpoints.
    pub percent: Option<f64>,
}

impl RankingView {
    /// The ranking as it stands.
    pub fn of(club: &Club, session: &Session) -> Self {
        let standings = session.standings();
        let sections = session.sections.len();
        Self {
            points_name: match session.scoring.method {
                Method::Matchpoints => "matchpoints",
                Method::CrossImps | Method::Butler => "imps",
            },
            lists: standings
                .lists
                .iter()
                .map(|list| ListView {
                    title: title(list, sections),
                    lines: lines(club, session, list),
                })
                .collect(),
            clubs: clubs(session, &standings.lists),
            problems: standings.problems,
        }
    }
}

/// Both clubs of every section that plays an inter-club match, all sections together.
fn clubs(session: &Session, lists: &[RankingList]) -> Vec<ClubView> {
    let visitors: BTreeSet<_> = session
        .sections
        .iter()
        .filter_map(|(letter, section)| Some((*letter, section.visitors()?)))
        .flat_map(|(letter, pairs)| pairs.into_iter().map(move |number| (letter, number)))
        .collect();
    if visitors.is_empty() {
        return Vec::new();
    }
    let club = |name, visiting| {
        let places = lists.iter().flat_map(|list| &list.places);
        let of_club = places.filter(|place| {
            visitors.contains(&(place.pair.section, place.pair.number)) == visiting
        });
        let (points, top) = of_club.fold((0.0, 0.0), |(points, top), place| {
            (points + place.points.to_f64(), top + place.top.to_f64())
        });
        ClubView {
            name,
            points,
            percent: (top > 0.0).then(|| (10_000.0 * points / top).round() / 100.0),
        }
    };
    vec![club("Visitors", true), club("Home club", false)]
}

fn title(list: &RankingList, sections: usize) -> String {
    let side = match list.side {
        Some(Side::NorthSouth) => Some("North-South"),
        Some(Side::EastWest) => Some("East-West"),
        None => None,
    };
    let section = list
        .section
        .filter(|_| sections > 1)
        .map(|section| format!("Section {section}"));
    match (section, side) {
        (Some(section), Some(side)) => format!("{section}, {side}"),
        (Some(section), None) => section,
        (None, Some(side)) => side.to_owned(),
        (None, None) => "All pairs".to_owned(),
    }
}

fn lines(club: &Club, session: &Session, list: &RankingList) -> Vec<RankingLineView> {
    let shared = |rank: u32| {
        list.places
            .iter()
            .filter(|place| place.rank == rank)
            .count()
            > 1
    };
    list.places
        .iter()
        .map(|place| RankingLineView {
            place: format!(
                "{}{}",
                place.rank,
                if shared(place.rank) { "=" } else { "" }
            ),
            pair: place.pair,
            names: pair_names(club, session, place.pair, RoundNumber::FIRST),
            boards: place.boards,
            points: place.points.to_f64(),
            percent: place.percent.map(crate::scoring::Percent::to_f64),
        })
        .collect()
}

/// Both names of a pair as printed; its number where none is known.
pub fn pair_names(club: &Club, session: &Session, pair: PairId, round: RoundNumber) -> String {
    let name = |partner| session.roster.name(club, pair, partner, round);
    match (name(Partner::First), name(Partner::Second)) {
        (first, second) if first.is_empty() && second.is_empty() => format!("pair {pair}"),
        (first, second) if second.is_empty() => first,
        (first, second) if first.is_empty() => second,
        (first, second) => format!("{first} – {second}"),
    }
}
