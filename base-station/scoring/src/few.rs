//! Boards of a club's size: every result is compared with every other one, many at once and without
//! a branch, where counting every score costs more than the comparisons.

use super::board::{PairScore, RowScores};
use super::datum::{Datum, DatumRules};
use super::row::{Outcome, Row};
use super::tally::{Average, Bucket};
use super::{Imps, Method, Points, Rules, Trimming};

/// Above this many results it is cheaper to count every score.
const MOST: usize = 32;

/// Fills `scores` for a board on which everybody has a real result and nothing else is to be
/// thought of; `None` for any other.
pub(super) fn evaluate<C>(
    rows: &[Row<C>],
    most: usize,
    rules: &Rules,
    scores: &mut Vec<RowScores>,
) -> Option<(Points, Option<Datum>)> {
    if rows.len() > MOST || rules.field(rows.len(), most) != rows.len() {
        return None;
    }
    if rows.len() <= MOST / 2 {
        sized::<C, { MOST / 2 }>(rows, rules, scores)
    } else {
        sized::<C, MOST>(rows, rules, scores)
    }
}

fn sized<C, const N: usize>(
    rows: &[Row<C>],
    rules: &Rules,
    scores: &mut Vec<RowScores>,
) -> Option<(Points, Option<Datum>)> {
    let form = rows.first()?.form;
    // Places that nobody needs are above every score.
    let mut all = [i16::MAX; N];
    for (place, row) in all.iter_mut().zip(rows) {
        match row.outcome {
            Outcome::Score(score) if row.form == form && Bucket::of(score).is_some() => {
                *place = score.0;
            }
            _ => return None,
        }
    }
    let results = rows.len();
    let top = rules.top(results);
    let fill = |scores: &mut Vec<RowScores>, points: &[Points]| {
        scores.clear();
        scores.extend(points.iter().map(|&points| RowScores {
            ns: Some(PairScore::of(points)),
            ew: Some(PairScore::of(top - points)),
        }));
    };
    match rules.method {
        Method::Matchpoints => {
            let half = Points::UNIT / i64::try_from(rules.halves_a_point()).unwrap_or(1);
            let points =
                won(&all, results).map(|won| Points::from_ten_thousandths(i64::from(won) * half));
            fill(scores, &points[..results]);
            Some((top, None))
        }
        Method::CrossImps => {
            fill(scores, &cross_imps(&all, results, rules)[..results]);
            Some((top, None))
        }
        Method::Butler(datum) if datum.trimming == Trimming::SwissTopTwelve => None,
        Method::Butler(datum_rules) => {
            let datum = datum(&all, results, datum_rules)?;
            scores.clear();
            scores.extend(all[..results].iter().map(|&score| {
                let points = Points::from(datum.imps(score.into()));
                RowScores {
                    ns: Some(PairScore::of(points)),
                    ew: Some(PairScore::of(top - points)),
                }
            }));
            Some((top, Some(datum)))
        }
    }
}

/// Halves of a comparison that each has won.
#[inline]
fn won<const N: usize>(all: &[i16; N], results: usize) -> [i16; N] {
    // Itself is no comparison.
    let mut won = [-1; N];
    for &one in &all[..results] {
        for (won, &other) in won.iter_mut().zip(all) {
            *won += i16::from(one < other) + i16::from(one <= other);
        }
    }
    won
}

/// The average without its extremes.
#[inline]
fn datum<const N: usize>(all: &[i16; N], results: usize, rules: DatumRules) -> Option<Datum> {
    // Where each stands in rising order: behind the lower ones, and of equal ones the earlier.
    let indices = const { indices::<N>() };
    let mut places = [0_i16; N];
    for (&one, &at) in all[..results].iter().zip(&indices) {
        for ((place, &other), &index) in places.iter_mut().zip(all).zip(&indices) {
            let earlier = one == other && at < index;
            *place += i16::from(one < other) + i16::from(earlier);
        }
    }
    let drop = rules.trimming.each_end(results);
    let first = i16::try_from(drop).ok()?;
    let end = i16::try_from(results - drop).ok()?;
    let mut points = 0_i32;
    for (place, &score) in places.into_iter().zip(all) {
        points += i32::from(score) * i32::from((first..end).contains(&place));
    }
    Datum::average(points.into(), i64::from(end - first), rules.rounding)
}

#[inline]
fn cross_imps<const N: usize>(all: &[i16; N], results: usize, rules: &Rules) -> [Points; N] {
    let mut sums = [0_i32; N];
    for (at, &one) in all[..results].iter().enumerate() {
        let mut sum = 0;
        for (&other, lost) in all[..at].iter().zip(sums.iter_mut()) {
            let Imps(imps) = Imps::of_difference(i32::from(one) - i32::from(other));
            sum += imps;
            *lost -= imps;
        }
        sums[at] += sum;
    }
    let average = Average::new(results.saturating_sub(1).max(1), rules.rounding);
    let mut points = [Points::ZERO; N];
    for (points, &sum) in points.iter_mut().zip(&sums[..results]) {
        *points = average.of(sum.into());
    }
    points
}

const fn indices<const N: usize>() -> [i16; N] {
    let mut all = [0; N];
    let mut at = 1;
    while at < N {
        all[at] = all[at - 1] + 1;
        at += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use protocol::words::{PairNumber, Score, SectionLetter};

    use super::super::board::{BoardScores, evaluate as by_counting};
    use super::super::tally::{BoardSize, Tally};
    use super::super::{Compared, DatumRounding, Scale, Scorer, score_board_in};
    use super::*;

    fn counted(rows: &[Row], rules: &Rules) -> BoardScores {
        let mut tally = Tally::new();
        for row in rows {
            let Outcome::Score(score) = row.outcome else {
                continue;
            };
            tally.add(Bucket::of(score).expect("a score that there is"));
        }
        let size = BoardSize {
            counted: rows.len(),
            field: rows.len(),
        };
        let mut scores = Vec::new();
        let (top, datum) = by_counting(&mut tally, rows, size, rules, &mut scores);
        BoardScores {
            top,
            datum,
            forms: Vec::new(),
            rows: scores,
        }
    }

    fn methods() -> impl Strategy<Value = Method> {
        let trimming = prop_oneof![
            Just(Trimming::Sixth),
            Just(Trimming::Tenth),
            (0..4_u8).prop_map(Trimming::Each),
        ];
        let rounding = prop_oneof![
            Just(DatumRounding::HalfAwayFromZero),
            Just(DatumRounding::HalfEven),
            Just(DatumRounding::Exact),
        ];
        prop_oneof![
            Just(Method::Matchpoints),
            Just(Method::CrossImps),
            (trimming, rounding)
                .prop_map(|(trimming, rounding)| Method::Butler(DatumRules { trimming, rounding })),
        ]
    }

    proptest! {
        /// One score by itself has the share that it has when all rows are scored.
        #[test]
        fn a_score_beside_the_others_has_the_share_that_the_whole_board_gives(
            tens in prop::collection::vec(-62..62_i16, 2..40),
            more in 0..5_usize,
            single in any::<bool>(),
        ) {
            let rows: Vec<Row> = (1..)
                .zip(&tens)
                .map(|(number, tens)| {
                    let pair = PairNumber::new(number).expect("from 1");
                    Row::new(SectionLetter::A, pair, pair, Outcome::Score(Score(10 * tens)))
                })
                .collect();
            let scale = if single { Scale::Single } else { Scale::Double };
            let rules = Rules { scale, ..Rules::default() };
            let most = rows.len() + more;
            let whole = score_board_in(&rows, &rules, most);
            for (row, own) in whole.rows.iter().zip(&tens) {
                let count = |wanted: fn(&i16, &i16) -> bool| {
                    let found = tens.iter().filter(|other| wanted(other, own)).count();
                    u32::try_from(found).expect("a few")
                };
                let compared = Compared {
                    below: count(|other, own| other < own),
                    equal: count(|other, own| other == own),
                    results: rows.len(),
                };
                let points = row.ns.expect("it counts").points;
                prop_assert_eq!(compared.percent(&rules, most), points.percent_of(whole.top));
            }
        }

        /// Few results, many of them equal, and now and then one at the end of what there is.
        #[test]
        fn a_board_of_a_clubs_size_is_worth_what_counting_every_score_gives(
            tens in prop::collection::vec(prop_oneof![8 => -62..62_i16, 1 => -760..=760_i16], 1..40),
            method in methods(),
            single in any::<bool>(),
        ) {
            let rows: Vec<Row> = (1..)
                .zip(&tens)
                .map(|(number, tens)| {
                    let pair = PairNumber::new(number).expect("from 1");
                    let outcome = Outcome::Score(Score(10 * tens));
                    Row::new(SectionLetter::A, pair, pair, outcome)
                })
                .collect();
            let scale = if single { Scale::Single } else { Scale::Double };
            let rules = Rules { method, scale, ..Rules::default() };
            let taken = evaluate(&rows, 0, &rules, &mut Vec::new()).is_some();
            prop_assert_eq!(taken, rows.len() <= MOST);
            let mut scorer = Scorer::new(rules.clone());
            prop_assert_eq!(scorer.board(&rows), &counted(&rows, &rules));
        }
    }
}
