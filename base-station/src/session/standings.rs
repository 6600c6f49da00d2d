//! The ranking: who stands where, and who has no place; always derived and never stored.

use std::collections::{BTreeMap, BTreeSet};

use protocol::words::{BoardNumber, PairNumber, SectionLetter, Side};

use super::decide::PAIR_NUMBER_MAX;
use super::plan::{self, PenaltyAmount};
use super::{Cell, Line, PairId, Refused, Session};
use crate::scoring::{
    self, Contestant, DatumRules, Percent, Points, Ranking, Rules, Trimming, Winners,
};
use telling::{Told, tell};

/// One board's results and what they are worth, best for North-South first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Traveller {
    /// The board.
    pub board: BoardNumber,
    /// The best possible; nothing at IMPs.
    pub top: Points,
    /// Every line that counts or was adjusted, with its worth.
    pub lines: Vec<TravellerLine>,
}

/// A line of a traveller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TravellerLine {
    /// Where it stands.
    pub cell: Cell,
    /// The line itself.
    pub line: Line,
    /// Worth to North-South: matchpoints or IMPs; `None` where the board does not count.
    pub ns: Option<Points>,
    /// Worth to East-West.
    pub ew: Option<Points>,
    /// North-South's share of the top; `None` at IMPs.
    pub ns_percent: Option<Percent>,
    /// East-West's.
    pub ew_percent: Option<Percent>,
}

/// Everything that a session's results are worth, as it stands.
#[derive(Clone, Debug)]
pub struct Scores {
    /// The ranking.
    pub standings: Standings,
    /// A top of the whole field, of which some penalties are a share.
    pub(super) whole_top: Points,
    pub(super) across: bool,
    pub(super) boards: BTreeMap<(Option<SectionLetter>, BoardNumber), Traveller>,
}

/// What a penalty takes off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PenaltyEffect {
    /// Nothing: a warning, or what this scoring can't count.
    Nothing,
    /// Matchpoints or IMPs.
    Points(Points),
    /// Off the final percentage.
    Percent(Percent),
}

/// The ranking lists of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standings {
    /// A list for each section and direction, or fewer where they are ranked together.
    pub lists: Vec<RankingList>,
    /// What could not be counted, in words: a pair that played a board twice.
    pub problems: Vec<Told>,
}

/// One ranking list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankingList {
    /// Its section; `None` across sections.
    pub section: Option<SectionLetter>,
    /// Its direction; `None` where there is one winner.
    pub side: Option<Side>,
    /// The best first.
    pub places: Vec<RankingPlace>,
}

/// A pair in a ranking list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankingPlace {
    /// From 1; equals share a rank. `None` below the line.
    pub rank: Option<u32>,
    /// Why it has no place, where it has none.
    pub below: Option<Below>,
    /// The pair.
    pub pair: PairId,
    /// Boards that counted.
    pub boards: u32,
    /// Matchpoints or IMPs, penalties taken off.
    pub points: Points,
    /// The most it could have had.
    pub top: Points,
    /// At matchpoints.
    pub percent: Option<Percent>,
}

/// Why a pair stands below the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Below {
    /// It went home.
    WentHome,
    /// It has too few of the boards.
    FewBoards,
}

impl Session {
    /// The rules that the scoring modules work by.
    pub fn rules(&self) -> Rules {
        Rules {
            method: match self.scoring.method {
                plan::Method::Matchpoints => scoring::Method::Matchpoints,
                plan::Method::CrossImps => scoring::Method::CrossImps,
                plan::Method::Butler => scoring::Method::Butler(DatumRules::new(Trimming::Each(1))),
            },
            scale: if self.scoring.single {
                scoring::Scale::Single
            } else {
                scoring::Scale::Double
            },
            adjusted: match self.scoring.adjusted_rows {
                plan::AdjustedRows::Neuberg => scoring::AdjustedRows::Neuberg,
                plan::AdjustedRows::Manual => scoring::AdjustedRows::Manual,
            },
            short_boards: match self.scoring.short_boards {
                plan::ShortBoards::CommonTop => scoring::ShortBoards::CommonTop,
                plan::ShortBoards::OwnTop => scoring::ShortBoards::OwnTop,
            },
            rounding: match self.scoring.rounding {
                plan::Rounding::Tenth => scoring::Rounding::Tenth,
                plan::Rounding::Hundredth => scoring::Rounding::Hundredth,
                plan::Rounding::TenThousandth => scoring::Rounding::TenThousandth,
            },
            // Pairs have numbers of their own below, so that one who sat the wrong way round
            // still gets what it earned. Lists are made afterwards.
            winners: Winners::One,
            across: self.scoring.across_sections,
            ..Rules::default()
        }
    }

    /// Whether pairs have percentages. Pads can show no other ranking.
    pub fn ranks_by_percent(&self) -> bool {
        self.scoring.method == plan::Method::Matchpoints
    }

    /// The ranking as it stands.
    pub fn standings(&self) -> Standings {
        self.scores().standings
    }

    /// The ranking as lists, those without a place below the line.
    pub(super) fn lists(&self, ranking: &Ranking) -> Vec<RankingList> {
        let mut lists: BTreeMap<(Option<SectionLetter>, Option<Side>), Vec<RankingPlace>> =
            BTreeMap::new();
        for standing in &ranking.standings {
            let pair = self.pair_of(standing.contestant);
            let section = (!self.scoring.across_sections).then_some(pair.section);
            let place = RankingPlace {
                rank: None,
                below: self.gone.contains(&pair).then_some(Below::WentHome),
                pair,
                boards: standing.boards,
                points: standing.points,
                top: standing.top,
                percent: standing.percent,
            };
            lists.entry((section, pair.side)).or_default().push(place);
        }
        let share = u32::from(self.scoring.least_share_percent);
        lists
            .into_iter()
            .map(|((section, side), places)| RankingList {
                section,
                side,
                places: ranked(places, share),
            })
            .collect()
    }

    /// What a penalty is to the scoring modules; `None` where it takes nothing off.
    pub(super) fn counted_amount(&self, amount: PenaltyAmount) -> Option<scoring::Penalty> {
        let hundredths = |points: u32| Points::from_ten_thousandths(i64::from(points) * 100);
        if !amount.has_an_effect_in(self.scoring.method) {
            return None;
        }
        match amount {
            PenaltyAmount::Warning | PenaltyAmount::VictoryPoints(_) => None,
            PenaltyAmount::PercentOfTop(share) => {
                Some(scoring::Penalty::OfATop(Percent(share.get().into())))
            }
            PenaltyAmount::PercentOfSession(share) => {
                Some(scoring::Penalty::Percent(Percent(share.get().into())))
            }
            PenaltyAmount::Matchpoints(points) => {
                Some(scoring::Penalty::Points(hundredths(points)))
            }
            PenaltyAmount::Imps(imps) => Some(scoring::Penalty::Points(Points::whole(imps.into()))),
        }
    }

    /// Whether a penalty of a pair in this section would take anything off. Victory points are won
    /// in matches only.
    pub fn can_count(&self, section: SectionLetter, amount: PenaltyAmount) -> bool {
        match amount {
            PenaltyAmount::VictoryPoints(_) => self.contests.contains_key(&section),
            _ => amount.has_an_effect_in(self.scoring.method),
        }
    }

    /// Refuses sections that are one field and play different boards.
    pub(super) fn one_field_is_possible(&self) -> Result<(), Refused> {
        if !self.scoring.across_sections {
            return Ok(());
        }
        let boards = |section: &super::Section| -> BTreeSet<BoardNumber> {
            let played = section.sittings.values().filter(|it| it.is_played());
            played.flat_map(|sitting| sitting.boards.iter()).collect()
        };
        let mut sections = self.sections.values().map(boards);
        let first = sections.next().unwrap_or_default();
        if sections.any(|other| other != first) {
            return Err(Refused::because(tell!(
                Refused::SectionsPlayDifferentBoards
            )));
        }
        Ok(())
    }

    fn pair_of(&self, contestant: Contestant) -> PairId {
        let one_winner = self
            .sections
            .get(&contestant.section)
            .is_some_and(|section| section.one_winner);
        let number = contestant.pair.get();
        let (side, number) = match number.checked_sub(EAST_WEST_OFFSET) {
            Some(number) => (Some(Side::EastWest), number),
            None if one_winner => (None, number),
            None => (Some(Side::NorthSouth), number),
        };
        PairId {
            section: contestant.section,
            side,
            number: PairNumber::new(number).unwrap_or(PairNumber::MIN),
        }
    }
}

/// In two-winner movements both directions count from 1; for scoring each pair needs a number
/// of its own, so East-West's begin behind all of North-South's.
const EAST_WEST_OFFSET: u16 = PAIR_NUMBER_MAX + 1;

pub(super) fn contestant(pair: PairId) -> Contestant {
    Contestant {
        section: pair.section,
        direction: None,
        pair: own_number(pair),
    }
}

pub(super) fn own_number(pair: PairId) -> PairNumber {
    let offset = match pair.side {
        Some(Side::EastWest) => EAST_WEST_OFFSET,
        Some(Side::NorthSouth) | None => 0,
    };
    let number = pair.number.get().saturating_add(offset);
    PairNumber::new(number).unwrap_or(PairNumber::MAX)
}

/// Places within a list that the scoring modules ranked together with others: order is kept, ranks
/// are counted anew. Who went home, or has less than `share` percent of the boards that the others
/// have, comes below the line.
fn ranked(mut places: Vec<RankingPlace>, share: u32) -> Vec<RankingPlace> {
    let most = places.iter().map(|place| place.boards).max().unwrap_or(0);
    for place in &mut places {
        if place.boards * 100 < most * share {
            place.below = place.below.or(Some(Below::FewBoards));
        }
    }
    places.sort_by_key(|place| place.below.is_some());
    let by = |place: &RankingPlace| match (place.percent, place.points) {
        (Some(percent), _) => (i64::from(percent.0), Points::ZERO),
        (None, points) => (0, points),
    };
    let mut last = None;
    let mut rank = 0;
    let above = places.iter_mut().filter(|place| place.below.is_none());
    for (index, place) in (1..).zip(above) {
        if last != Some(by(place)) {
            rank = index;
            last = Some(by(place));
        }
        place.rank = Some(rank);
    }
    places
}
