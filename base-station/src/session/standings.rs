//! What results are worth: travellers and the ranking, always derived and never stored.

use std::collections::BTreeMap;

use protocol::words::{BoardNumber, PairNumber, Percentage, SectionLetter, Side};

use super::decide::PAIR_NUMBER_MAX;
use super::plan::{self, PenaltyAmount, Ruling, SideAward};
use super::{Cell, Line, PairId, Session};
use crate::scoring::{
    self, Award, BoardScores, Contestant, DatumRules, Field, Form, Outcome, Percent, Points, Row,
    Rules, Trimming, WeightedScore, Winners, score_board,
};

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

/// The ranking lists of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standings {
    /// A list for each section and direction, or fewer where they are ranked together.
    pub lists: Vec<RankingList>,
    /// What could not be counted, in words: a pair that played a board twice.
    pub problems: Vec<String>,
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
    /// From 1; equals share a rank.
    pub rank: u32,
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

    /// The results of a board, with what they are worth.
    pub fn traveller(&self, section: SectionLetter, board: BoardNumber) -> Traveller {
        let (found, scores) = self.scored_board(section, board);
        let mut lines: Vec<TravellerLine> = found
            .into_iter()
            .zip(&scores.rows)
            .map(|((cell, line), row)| {
                let share = |score: Option<scoring::PairScore>| {
                    let points = score.map(|score| score.points);
                    (
                        points,
                        points.and_then(|points| points.percent_of(scores.top)),
                    )
                };
                let (ns, ns_percent) = share(row.ns);
                let (ew, ew_percent) = share(row.ew);
                TravellerLine {
                    cell: *cell,
                    line: line.clone(),
                    ns,
                    ew,
                    ns_percent,
                    ew_percent,
                }
            })
            .collect();
        lines.sort_by_key(|line| (std::cmp::Reverse(line.ns), line.cell));
        Traveller {
            board,
            top: scores.top,
            lines,
        }
    }

    /// North-South's percentage on a board so far; `None` at IMPs and before there is a field.
    pub fn percentage(&self, cell: Cell) -> Option<Percentage> {
        let (found, scores) = self.scored_board(cell.section, cell.board);
        let at = found.iter().position(|(known, _)| **known == cell)?;
        let points = scores.rows.get(at)?.ns?.points;
        let percent = points.percent_of(scores.top)?;
        Percentage::new(u16::try_from(percent.0.clamp(0, 10_000)).ok()?)
    }

    fn scored_board(
        &self,
        section: SectionLetter,
        board: BoardNumber,
    ) -> (Vec<(&Cell, &Line)>, BoardScores) {
        let sections: Vec<SectionLetter> = if self.scoring.across_sections {
            self.sections.keys().copied().collect()
        } else {
            vec![section]
        };
        let mut lines = Vec::new();
        let mut rows = Vec::new();
        for section in sections {
            for (cell, line) in self.board_lines(section, board) {
                if let Some(row) = row_of(*cell, line) {
                    lines.push((cell, line));
                    rows.push(row);
                }
            }
        }
        let scores = score_board(&rows, &self.rules());
        (lines, scores)
    }

    /// The ranking as it stands.
    pub fn standings(&self) -> Standings {
        let mut field = Field::new(self.rules());
        let mut problems = Vec::new();
        for (cell, line) in &self.lines {
            if let Some(row) = row_of(*cell, line)
                && field.set(cell.board, row).is_err()
            {
                problems.push(format!(
                    "{cell} is not counted: one of its pairs has another result on that board"
                ));
            }
        }
        for penalty in self.penalties.values() {
            if let Some(amount) = amount_of(penalty.amount) {
                let pair = (contestant(penalty.pair), amount);
                field.adjustments_mut().penalties.push(pair);
            }
        }
        let mut lists: BTreeMap<(Option<SectionLetter>, Option<Side>), Vec<RankingPlace>> =
            BTreeMap::new();
        for standing in field.ranking().standings {
            let pair = self.pair_of(standing.contestant);
            let section = (!self.scoring.across_sections).then_some(pair.section);
            let place = RankingPlace {
                rank: 0,
                pair,
                boards: standing.boards,
                points: standing.points,
                top: standing.top,
                percent: standing.percent,
            };
            lists.entry((section, pair.side)).or_default().push(place);
        }
        let lists = lists
            .into_iter()
            .map(|((section, side), places)| RankingList {
                section,
                side,
                places: ranked(places),
            })
            .collect();
        Standings { lists, problems }
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

fn contestant(pair: PairId) -> Contestant {
    Contestant {
        section: pair.section,
        direction: None,
        pair: own_number(pair),
    }
}

fn own_number(pair: PairId) -> PairNumber {
    let offset = match pair.side {
        Some(Side::EastWest) => EAST_WEST_OFFSET,
        Some(Side::NorthSouth) | None => 0,
    };
    let number = pair.number.get().saturating_add(offset);
    PairNumber::new(number).unwrap_or(PairNumber::MAX)
}

/// What the scoring modules must know of a line; `None` where there is nothing.
pub(super) fn row_of(cell: Cell, line: &Line) -> Option<Row> {
    let outcome = match &line.ruling {
        Ruling::Result(result) => Outcome::of(result, cell.board),
        Ruling::LatePlay => Outcome::NotPlayed,
        Ruling::Award { ns, ew } => Outcome::adjusted(award(ns), award(ew)),
        Ruling::TakenAway => return None,
    };
    let form = u32::from(line.form).saturating_sub(u32::from(Line::USUAL_FORM));
    Some(Row {
        section: cell.section,
        table: Some(cell.table),
        round: Some(cell.round),
        ns: line.ns.map(own_number),
        ew: line.ew.map(own_number),
        outcome,
        form: Form(u8::try_from(form).unwrap_or_default()),
        fault: [scoring::Fault::None; 2],
    })
}

fn award(award: &SideAward) -> Award {
    match award {
        SideAward::Score(score) => Award::score(*score),
        SideAward::Weighted(outcomes) => Award::Assigned(
            outcomes
                .iter()
                .map(|outcome| WeightedScore {
                    score: outcome.score,
                    weight: outcome.share,
                })
                .collect(),
        ),
        SideAward::Percent(percentage) => Award::Percentage(*percentage),
        SideAward::AveragePlus => Award::AveragePlus,
        SideAward::Average => Award::Average,
        SideAward::AverageMinus => Award::AverageMinus,
    }
}

fn amount_of(amount: PenaltyAmount) -> Option<scoring::Penalty> {
    let hundredths = |points: u32| Points::from_ten_thousandths(i64::from(points) * 100);
    match amount {
        // Victory points are taken off where matches are won, not in a pairs ranking.
        PenaltyAmount::Warning | PenaltyAmount::VictoryPoints(_) => None,
        PenaltyAmount::PercentOfTop(share) => {
            Some(scoring::Penalty::OfATop(Percent(share.get().into())))
        }
        PenaltyAmount::PercentOfSession(share) => {
            Some(scoring::Penalty::Percent(Percent(share.get().into())))
        }
        PenaltyAmount::Matchpoints(points) => Some(scoring::Penalty::Points(hundredths(points))),
        PenaltyAmount::Imps(imps) => Some(scoring::Penalty::Points(Points::whole(imps.into()))),
    }
}

/// Places within a list that the scoring modules ranked together with others: order is kept,
/// ranks are counted anew.
fn ranked(mut places: Vec<RankingPlace>) -> Vec<RankingPlace> {
    let key = |place: &RankingPlace| (place.percent.map(|percent| percent.0), place.points);
    let by = |place: &RankingPlace| match key(place) {
        (Some(percent), _) => (i64::from(percent), Points::ZERO),
        (None, points) => (0, points),
    };
    let mut last = None;
    let mut rank = 0;
    for (index, place) in (1..).zip(places.iter_mut()) {
        if last != Some(by(place)) {
            rank = index;
            last = Some(by(place));
        }
        place.rank = rank;
    }
    places
}
