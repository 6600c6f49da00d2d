//! The long way for boards that are out of the ordinary: fouled ones, and those with split or
//! weighted scores, where the two sides are compared each for itself.

use std::collections::BTreeMap;

use protocol::words::{Percentage, Score, Side};

use super::board::{
    BoardScores, OwnAverage, PairScore, RowScores, artificial, artificial_exact, swiss_datum,
};
use super::datum::Datum;
use super::exact::Fraction;
use super::row::{Award, Contestant, Form, Outcome, Row, WeightedScore};
use super::tally::{BoardSize, stretched};
use super::{AdjustedRows, Fault, FouledBoards, Imps, Method, Percent, Points, Rules};

/// One whole result, as weights count.
const WHOLE: i128 = Percentage::MAX.get() as i128;

/// Scores a board of any kind, in an event whose boards have at most `most` results; with the
/// fractions that are added up where IMPs are.
pub(super) fn score<C: Contestant>(
    rows: &[Row<C>],
    rules: &Rules,
    most: usize,
) -> (BoardScores, Vec<[Fraction; 2]>) {
    let counted = rows.iter().filter(|row| row.outcome.counts()).count();
    let size = BoardSize {
        counted,
        field: rules.field(counted, most),
    };
    let top = rules.top(size.field);
    let mut scores = vec![RowScores::default(); rows.len()];
    let mut exact = vec![[Fraction::default(); 2]; rows.len()];
    let mut datum = None;
    let mut of_forms: Vec<(Form, Datum)> = Vec::new();
    for side in Side::BOTH {
        let forms = Forms::of(rows, side);
        for (index, row) in rows.iter().enumerate() {
            if let Outcome::Adjusted(adjustment) = &row.outcome {
                let award = adjustment.award(side);
                *scores[index].side_mut(side) = artificial(award, top, rules);
                *of_side(&mut exact[index], side) =
                    artificial_exact(award, rules).unwrap_or_default();
            }
        }
        for (form, group) in &forms.groups {
            let field = Comparison {
                rules,
                side,
                size,
                top,
                group,
                forms: forms.groups.len(),
            };
            let average = field.datum(rows);
            datum = datum.or(average);
            if let Some(average) = average.filter(|_| forms.groups.len() > 1)
                && !of_forms.iter().any(|(known, _)| known == form)
            {
                of_forms.push((*form, average));
            }
            for (row, pair, fraction) in field.scores(rows, average) {
                *scores[row].side_mut(side) = Some(pair);
                *of_side(&mut exact[row], side) = fraction;
            }
        }
    }
    let board = BoardScores {
        top,
        datum,
        forms: of_forms,
        rows: scores,
    };
    (board, exact)
}

const fn of_side<T>([ns, ew]: &mut [T; 2], side: Side) -> &mut T {
    match side {
        Side::NorthSouth => ns,
        Side::EastWest => ew,
    }
}

/// The real results of one side, by the form of the board they were made on.
struct Forms {
    groups: BTreeMap<Form, Group>,
}

/// The results made on the same cards.
#[derive(Default)]
struct Group {
    /// Row and what the side has there.
    entries: Vec<(usize, Vec<WeightedScore>)>,
    /// How much weight each score has in the group, in rising order.
    weights: BTreeMap<Score, i128>,
}

impl Forms {
    fn of<C>(rows: &[Row<C>], side: Side) -> Self {
        let mut groups: BTreeMap<Form, Group> = BTreeMap::new();
        for (index, row) in rows.iter().enumerate() {
            let scores = match &row.outcome {
                Outcome::Score(score) => vec![WeightedScore {
                    score: *score,
                    weight: Percentage::MAX,
                }],
                Outcome::Adjusted(adjustment) => match adjustment.award(side) {
                    Award::Assigned(scores) => scores.clone(),
                    _ => continue,
                },
                Outcome::NotPlayed | Outcome::SitOut => continue,
            };
            let group = groups.entry(row.form).or_default();
            for it in &scores {
                *group.weights.entry(it.score).or_default() += i128::from(it.weight.get());
            }
            group.entries.push((index, scores));
        }
        Self { groups }
    }
}

/// A group within its field, seen from one side.
struct Comparison<'a> {
    rules: &'a Rules,
    side: Side,
    size: BoardSize,
    top: Points,
    group: &'a Group,
    forms: usize,
}

impl Comparison<'_> {
    /// What every row of the group is worth.
    fn scores<C>(
        &self,
        rows: &[Row<C>],
        datum: Option<Datum>,
    ) -> Vec<(usize, PairScore, Fraction)> {
        let entries = &self.group.entries;
        if let (Method::Butler(_), Some(datum)) = (self.rules.method, datum) {
            return entries
                .iter()
                .map(|(row, scores)| self.imps(*row, self.against_datum(scores, datum)))
                .collect();
        }
        let against_all = self.against_all();
        let won: Vec<(usize, i128)> = entries
            .iter()
            .map(|(row, scores)| (*row, self.against_others(scores, &against_all)))
            .collect();
        if self.is_small() {
            let small = self.fixed_percentages(rows, &won).into_iter();
            return small
                .map(|(row, score)| (row, score, Fraction::default()))
                .collect();
        }
        won.into_iter()
            .map(|(row, won)| match self.rules.method {
                Method::Matchpoints => {
                    let score = PairScore::of(self.matchpoints(won));
                    (row, score, Fraction::default())
                }
                Method::Butler(_) | Method::CrossImps => {
                    let others = self.group.entries.len().saturating_sub(1).max(1);
                    let others = i128::try_from(others).unwrap_or(1);
                    self.imps(row, Fraction::new(won, others * WHOLE * WHOLE))
                }
            })
            .collect()
    }

    fn imps(&self, row: usize, exact: Fraction) -> (usize, PairScore, Fraction) {
        let points = exact.rounded(self.rules.rounding);
        (row, PairScore::of(points), exact)
    }

    /// What each score of the group gets from all weight in the group.
    fn against_all(&self) -> BTreeMap<Score, i128> {
        let weights = &self.group.weights;
        weights
            .keys()
            .map(|&own| {
                let sum = weights
                    .iter()
                    .map(|(&other, weight)| self.compare(own, other) * weight)
                    .sum();
                (own, sum)
            })
            .collect()
    }

    /// Halves of a comparison, or IMPs, won from the other rows: times `WHOLE` squared.
    fn against_others(&self, scores: &[WeightedScore], all: &BTreeMap<Score, i128>) -> i128 {
        scores
            .iter()
            .map(|own| {
                // Nobody is compared with the other halves of their own weighted score.
                let with_itself: i128 = scores
                    .iter()
                    .map(|it| self.compare(own.score, it.score) * i128::from(it.weight.get()))
                    .sum();
                let won = all.get(&own.score).copied().unwrap_or_default() - with_itself;
                i128::from(own.weight.get()) * won
            })
            .sum()
    }

    /// What one result gets from another: halves at matchpoints, IMPs otherwise.
    fn compare(&self, own: Score, other: Score) -> i128 {
        let ahead = match self.side {
            Side::NorthSouth => i32::from(own.0) - i32::from(other.0),
            Side::EastWest => i32::from(other.0) - i32::from(own.0),
        };
        match self.rules.method {
            Method::Matchpoints => i128::from(ahead.signum() + 1),
            Method::Butler(_) | Method::CrossImps => i128::from(Imps::of_difference(ahead).0),
        }
    }

    fn matchpoints(&self, won: i128) -> Points {
        let square = WHOLE * WHOLE;
        let (factor, constant, denominator) = self.stretch(self.group.entries.len());
        let won = (won * factor + constant * square, denominator * square);
        let (numerator, denominator) = self.size.to_the_field(won);
        let denominator = denominator * self.rules.halves_a_point();
        // The sides round their halves in opposite directions, so that a table still adds up.
        match self.side {
            Side::NorthSouth => Points::ratio(numerator, denominator, self.rules.rounding),
            Side::EastWest => Points::ratio_half_down(numerator, denominator, self.rules.rounding),
        }
    }

    /// Factor, constant and denominator that make `won` comparable with the whole board.
    fn stretch(&self, real: usize) -> (i128, i128, i128) {
        let method = match (self.forms, self.rules.fouled) {
            (0 | 1, _) => self.rules.adjusted,
            (_, FouledBoards::ByForm) => AdjustedRows::Neuberg,
            (_, FouledBoards::Quick) => AdjustedRows::Manual,
        };
        let (constant, denominator) = stretched(0, self.size.counted, real, method);
        let (with_one, _) = stretched(1, self.size.counted, real, method);
        (with_one - constant, constant, denominator)
    }

    /// A form of one to three results, and no more than a third of the field, is too small to be
    /// stretched.
    fn is_small(&self) -> bool {
        let real = self.group.entries.len();
        self.rules.method == Method::Matchpoints
            && self.rules.fouled == FouledBoards::ByForm
            && self.forms > 1
            && real <= 3
            && real * 3 <= self.size.counted
    }

    /// 50; 55 and 45; 60, 50 and 40 percent, shared by those who tie, and what fault or the lack
    /// of it adds.
    fn fixed_percentages<C>(
        &self,
        rows: &[Row<C>],
        won: &[(usize, i128)],
    ) -> Vec<(usize, PairScore)> {
        let square = WHOLE * WHOLE;
        let average = i128::try_from(won.len()).unwrap_or(1) - 1;
        won.iter()
            .map(|&(row, won)| {
                // Five percent for every half of a comparison above the group's average: just
                // what the fixed percentages and the sharing of ties come to.
                let above = (won - average * square) * 500 / square;
                let above = i32::try_from(above).unwrap_or_default();
                let fault = match self.side {
                    Side::NorthSouth => rows[row].fault[0],
                    Side::EastWest => rows[row].fault[1],
                };
                let percent = Percent(Percent::AVERAGE.0 + above + fault.indemnity().0);
                let own_average = match fault {
                    Fault::None => OwnAverage::IfMore,
                    Fault::Partly | Fault::Responsible => OwnAverage::Never,
                };
                let points = self.top.share(percent, self.rules.rounding);
                (
                    row,
                    PairScore {
                        points,
                        own_average,
                    },
                )
            })
            .collect()
    }

    /// The average of the table results of the group: awards are compared with it, but are not in
    /// it.
    fn datum<C: Contestant>(&self, rows: &[Row<C>]) -> Option<Datum> {
        let Method::Butler(rules) = self.rules.method else {
            return None;
        };
        if self.forms == 1
            && let Some(datum) = swiss_datum(rows, self.rules)
        {
            return Some(datum);
        }
        let rules = if self.forms > 1 {
            rules.for_forms()
        } else {
            rules
        };
        let mut scores: Vec<i32> = self
            .group
            .entries
            .iter()
            .filter_map(|&(row, _)| match rows[row].outcome {
                Outcome::Score(score) => Some(i32::from(score.0)),
                _ => None,
            })
            .collect();
        scores.sort_unstable();
        let results = scores.len();
        Datum::of(scores.into_iter().map(|score| (score, 1)), results, rules)
    }

    fn against_datum(&self, scores: &[WeightedScore], datum: Datum) -> Fraction {
        let sum: i128 = scores
            .iter()
            .map(|it| {
                let imps = i128::from(datum.imps(i32::from(it.score.0)).0);
                imps * i128::from(it.weight.get())
            })
            .sum();
        let exact = Fraction::new(sum, WHOLE);
        match self.side {
            Side::NorthSouth => exact,
            Side::EastWest => exact.negated(),
        }
    }
}

impl RowScores {
    fn side_mut(&mut self, side: Side) -> &mut Option<PairScore> {
        match side {
            Side::NorthSouth => &mut self.ns,
            Side::EastWest => &mut self.ew,
        }
    }
}
