//! The ranking lists in words.

use std::collections::BTreeSet;

use protocol::words::{RoundNumber, Side};
use serde::Serialize;
use utoipa::ToSchema;

use super::announced::{AnnouncedList, announced};
use crate::scoring::{Percent, Points};
use crate::session::plan::{Method, Partner};
use crate::session::{
    Below, Club, LargeField, PairId, Penalty, PenaltyEffect, RankingList, Scores, Session,
};
use telling::{Told, tell};

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
    #[schema(value_type = Vec<String>)]
    pub problems: Vec<Told>,
    /// What was taken off, and warnings.
    pub penalties: Vec<PenaltyView>,
    /// Who has less than this share of the boards, in percent, has no place.
    pub least_share_percent: u8,
    /// With how many decimals points are shown.
    pub decimals: u8,
    /// Who came where as the room is told: matches by their standing, everybody else as above.
    pub announced: Vec<AnnouncedList>,
    /// How many pairs the larger field has; none where the session is part of none, or its centre is
    /// silent.
    pub field_pairs: Option<usize>,
}

/// A penalty or a warning.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PenaltyView {
    /// Whose.
    #[schema(value_type = String, example = "A7NS")]
    pub pair: PairId,
    /// The pair's players.
    #[schema(value_type = String)]
    pub names: Told,
    /// `minus 10% of a top`.
    #[schema(value_type = String)]
    pub amount: Told,
    /// What it takes off the points.
    pub points: Option<f64>,
    /// What it takes off the percentage.
    pub percent: Option<f64>,
    /// Whether it counts: a warning does not, nor what this scoring has no use for.
    pub counts: bool,
    /// Why, where players may read it or the director asks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Whether players may read why.
    pub public: bool,
}

/// A club in a match between two.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ClubView {
    /// `Visitors` or `Home club`.
    #[schema(value_type = String)]
    pub name: Told,
    /// Matchpoints or IMPs of all its pairs.
    pub points: f64,
    /// At matchpoints the mean of its pairs' percentages, penalties and all.
    pub percent: Option<f64>,
}

/// One list.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ListView {
    /// `Section A, North-South`.
    #[schema(value_type = String)]
    pub title: Told,
    /// The best first.
    pub lines: Vec<RankingLineView>,
}

/// A pair in a list.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RankingLineView {
    /// `1`, `2=`; empty below the line.
    pub place: String,
    /// Whether it has a place, and if not, why.
    pub standing: RankingStanding,
    /// The pair.
    #[schema(value_type = String, example = "A7NS")]
    pub pair: PairId,
    /// Its names.
    #[schema(value_type = String)]
    pub names: Told,
    /// Boards that counted.
    pub boards: u32,
    /// Matchpoints or IMPs.
    pub points: f64,
    /// At matchpoints.
    pub percent: Option<f64>,
    /// Its place in the larger field of which the session is a part, while its centre answers.
    pub field_rank: Option<u32>,
    /// And its percentage there.
    pub field_percent: Option<f64>,
}

/// Whether a pair has a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub enum RankingStanding {
    /// It has.
    Ranked,
    /// It went home.
    WentHome,
    /// It has too few of the boards.
    FewBoards,
}

impl RankingView {
    /// The ranking as it stands, as players may see it.
    pub fn of(club: &Club, session: &Session) -> Self {
        Self::scored(club, session, &session.scores())
    }

    /// The same with the reasons of all penalties.
    pub fn for_director(mut self, session: &Session) -> Self {
        for (view, penalty) in self.penalties.iter_mut().zip(session.penalties.values()) {
            view.why = Some(penalty.why.clone());
        }
        self
    }

    /// The same, where the session has been scored already.
    pub fn scored(club: &Club, session: &Session, scores: &Scores) -> Self {
        let standings = &scores.standings;
        let sections = session.sections.len();
        let mut ranking = Self {
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
            problems: standings.problems.clone(),
            penalties: penalties(club, session, scores),
            least_share_percent: session.scoring.least_share_percent,
            decimals: super::decimals(session),
            announced: Vec::new(),
            field_pairs: None,
        };
        ranking.announced = announced(club, session, &ranking);
        ranking
    }

    /// The same with the places in a larger field.
    pub fn in_field(mut self, session: &Session, field: Option<&LargeField>) -> Self {
        let Some(field) = field.filter(|field| field.session == session.id) else {
            return self;
        };
        self.field_pairs = Some(field.pairs_in_all);
        for line in self.lists.iter_mut().flat_map(|list| &mut list.lines) {
            if let Some((rank, percent)) = field.place(session, line.pair) {
                line.field_rank = Some(rank);
                line.field_percent = Some(Percent(percent).to_f64());
            }
        }
        self
    }
}

fn penalties(club: &Club, session: &Session, scores: &Scores) -> Vec<PenaltyView> {
    let view = |penalty: &Penalty| {
        let (points, percent) = match scores.effect(session, penalty) {
            PenaltyEffect::Nothing => (None, None),
            PenaltyEffect::Points(points) => (Some(points.to_f64()), None),
            PenaltyEffect::Percent(percent) => (None, Some(percent.to_f64())),
        };
        PenaltyView {
            pair: penalty.pair,
            names: pair_names(club, session, penalty.pair, RoundNumber::FIRST),
            amount: super::amount_text(penalty.amount),
            points,
            percent,
            counts: points.is_some() || percent.is_some(),
            why: penalty.public.then(|| penalty.why.clone()),
            public: penalty.public,
        }
    };
    session.penalties.values().map(view).collect()
}

/// Both clubs of every section that plays an inter-club match, all sections together: what the
/// ranking gives each of its pairs, those below the line as well, added up. A club's percentage is
/// the mean of its pairs', each as heavy as the tops it played for.
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
        let (mut points, mut top, mut weighed) = (Points::ZERO, 0_i128, 0_i128);
        for place in of_club {
            let most = i128::from(place.top.ten_thousandths());
            points += place.points;
            if let Some(percent) = place.percent {
                top += most;
                weighed += i128::from(percent.0) * most;
            }
        }
        // Hundredths of a percent, the half up.
        let percent = (top > 0).then(|| (2 * weighed + top).div_euclid(2 * top));
        ClubView {
            name,
            points: points.to_f64(),
            percent: percent
                .and_then(|hundredths| i32::try_from(hundredths).ok())
                .map(|hundredths| Percent(hundredths).to_f64()),
        }
    };
    vec![
        club(tell!(Ranking::Visitors), true),
        club(tell!(Ranking::HomeClub), false),
    ]
}

fn title(list: &RankingList, sections: usize) -> Told {
    let side = match list.side {
        Some(Side::NorthSouth) => Some(tell!(Game::NorthSouth)),
        Some(Side::EastWest) => Some(tell!(Game::EastWest)),
        None => None,
    };
    let section = list.section.filter(|_| sections > 1);
    match (section, side) {
        (Some(section), Some(side)) => tell!(Ranking::Section { section, side }),
        (Some(section), None) => tell!(Ranking::SectionAlone { section }),
        (None, Some(side)) => side,
        (None, None) => tell!(Ranking::AllPairs),
    }
}

fn lines(club: &Club, session: &Session, list: &RankingList) -> Vec<RankingLineView> {
    let shared = |rank: u32| {
        let mut places = list.places.iter();
        places
            .by_ref()
            .filter(|place| place.rank == Some(rank))
            .count()
            > 1
    };
    list.places
        .iter()
        .map(|place| RankingLineView {
            place: place.rank.map_or_else(String::new, |rank| {
                format!("{rank}{}", if shared(rank) { "=" } else { "" })
            }),
            standing: match place.below {
                None => RankingStanding::Ranked,
                Some(Below::WentHome) => RankingStanding::WentHome,
                Some(Below::FewBoards) => RankingStanding::FewBoards,
            },
            pair: place.pair,
            names: pair_names(club, session, place.pair, RoundNumber::FIRST),
            boards: place.boards,
            points: place.points.to_f64(),
            percent: place.percent.map(Percent::to_f64),
            field_rank: None,
            field_percent: None,
        })
        .collect()
}

/// Both names of a pair as printed; its number where none is known.
pub fn pair_names(club: &Club, session: &Session, pair: PairId, round: RoundNumber) -> Told {
    let name = |partner| session.roster.name(club, pair, partner, round);
    match (name(Partner::First), name(Partner::Second)) {
        (first, second) if first.is_empty() && second.is_empty() => {
            tell!(Game::PairOfNumber {
                pair: session.number_of(pair)
            })
        }
        (first, second) if second.is_empty() => Told::as_written(first),
        (first, second) if first.is_empty() => Told::as_written(second),
        (first, second) => Told::as_written(format!("{first} – {second}")),
    }
}
