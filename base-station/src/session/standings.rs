//! The ranking: who stands where, and who has no place; always derived and never stored.

use std::collections::{BTreeMap, BTreeSet};

use protocol::words::{BoardNumber, SectionLetter, Side};

use super::plan::{self, PenaltyAmount};
use super::{Cell, Line, PairId, Refused, Session};
pub use crate::scoring::Below;
use crate::scoring::{self, Contestant, DatumRules, Percent, Points, Ranking, Rules, Trimming};
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

impl Session {
    /// The rules that the scoring modules work by.
    pub fn rules(&self) -> Rules {
        let usual = Rules::default();
        let mut contests = self.contests.values();
        let contest = contests.find(|it| !it.plan.is_teams());
        Rules {
            method: match self.scoring.method {
                plan::Method::Matchpoints => scoring::Method::Matchpoints,
                plan::Method::CrossImps => scoring::Method::CrossImps,
                plan::Method::Butler => scoring::Method::Butler(self.datum_rules()),
            },
            scale: if self.scoring.single {
                scoring::Scale::Single
            } else {
                scoring::Scale::Double
            },
            adjusted: self.scoring.adjusted_rows,
            short_boards: self.scoring.short_boards,
            rounding: self.scoring.rounding,
            least_share_percent: self.scoring.least_share_percent,
            across: self.scoring.across_sections,
            average_plus: contest.map_or(usual.average_plus, |it| it.plan.rules.average_plus()),
            ..usual
        }
    }

    /// Whose datum: that of the matches tonight, so that travellers show what the matches count.
    fn datum_rules(&self) -> DatumRules {
        let contest = self.contests.values().next();
        contest.map_or_else(
            || DatumRules::new(Trimming::Each(1)),
            |it| it.plan.rules.datum.rules(),
        )
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
    pub(super) fn lists(&self, ranking: &Ranking<PairId>) -> Vec<RankingList> {
        let mut lists: BTreeMap<(Option<SectionLetter>, Option<Side>), Vec<RankingPlace>> =
            BTreeMap::new();
        for standing in &ranking.standings {
            let pair = standing.contestant;
            let section = (!self.scoring.across_sections).then_some(pair.section);
            let place = RankingPlace {
                rank: standing.rank,
                below: standing.below,
                pair,
                boards: standing.boards,
                points: standing.points,
                top: standing.top,
                percent: standing.percent,
            };
            lists.entry((section, pair.side)).or_default().push(place);
        }
        lists
            .into_iter()
            .map(|((section, side), places)| RankingList {
                section,
                side,
                places,
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

    /// The name of a pair in the ranking: with its direction where its section has two lists, and
    /// without where it has one.
    pub(super) fn ranked_as(&self, pair: PairId) -> PairId {
        let section = self.sections.get(&pair.section);
        let one_winner = section.is_some_and(|section| section.one_winner);
        let side = match pair.side {
            None if !one_winner => Some(Side::NorthSouth),
            Some(Side::NorthSouth) if one_winner => None,
            side => side,
        };
        PairId { side, ..pair }
    }
}

impl Contestant for PairId {
    fn section(self) -> SectionLetter {
        self.section
    }

    fn direction(self) -> Option<Side> {
        self.side
    }
}
