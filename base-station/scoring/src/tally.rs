//! How many tables had which score on a board, kept so that one more result is one more count,
//! and the points of every score follow without looking at the rows again.

use std::collections::BTreeMap;

use protocol::words::Score;

use super::datum::Datum;
use super::exact::Fraction;
use super::points::Divisor;
use super::{AdjustedRows, Imps, Method, Points, Rounding, Rules};

/// The largest score there is, in tens: a redoubled grand slam, vulnerable, down thirteen.
const LARGEST_TENS: i16 = 760;
const BUCKETS: usize = 2 * LARGEST_TENS as usize + 1;
const WORDS: usize = BUCKETS.div_ceil(64);

/// Counts by score, and the points each score earns North-South.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    counts: Box<[u32]>,
    points: Box<[Points]>,
    /// A bit for every score that occurs, so that the few that do are found at once.
    present: [u64; WORDS],
    results: usize,
    /// Kept between boards only to save allocating them again.
    distinct: Vec<(i32, u32)>,
    imps: Vec<i64>,
}

/// The place of a score in a tally.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bucket(u16);

impl Bucket {
    /// `None` for a score that no contract can give.
    #[inline]
    pub(super) fn of(score: Score) -> Option<Self> {
        // Counted from the lowest score there is, so that one comparison finds both ends.
        let above = (i32::from(score.0) + 10 * i32::from(LARGEST_TENS)).cast_unsigned();
        let tens = above / 10;
        if above > 20 * u32::from(LARGEST_TENS.unsigned_abs()) || tens * 10 != above {
            return None;
        }
        u16::try_from(tens).ok().map(Self)
    }

    fn score(index: usize) -> i32 {
        // Every index is below BUCKETS, which is small.
        (i32::try_from(index).unwrap_or_default() - i32::from(LARGEST_TENS)) * 10
    }
}

impl Tally {
    pub(super) fn new() -> Self {
        Self {
            counts: vec![0; BUCKETS].into_boxed_slice(),
            points: vec![Points::ZERO; BUCKETS].into_boxed_slice(),
            present: [0; WORDS],
            results: 0,
            distinct: Vec::new(),
            imps: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, bucket: Bucket) {
        let index = usize::from(bucket.0);
        self.counts[index] += 1;
        self.present[index / 64] |= 1 << (index % 64);
        self.results += 1;
    }

    pub(super) fn remove(&mut self, bucket: Bucket) {
        let index = usize::from(bucket.0);
        self.counts[index] -= 1;
        if self.counts[index] == 0 {
            self.present[index / 64] &= !(1 << (index % 64));
        }
        self.results -= 1;
    }

    /// How many results are in it.
    pub(super) const fn results(&self) -> usize {
        self.results
    }

    pub(super) fn clear(&mut self) {
        for (word, present) in self.present.iter_mut().enumerate() {
            for index in bits(word, *present) {
                self.counts[index] = 0;
            }
            *present = 0;
        }
        self.results = 0;
    }

    /// What North-South earn with this score, after [`Tally::evaluate`].
    pub(super) fn points(&self, bucket: Bucket) -> Points {
        self.points[usize::from(bucket.0)]
    }

    /// Works out the points of every score. A datum that comes from elsewhere (only some tables
    /// count) is given as `datum`.
    pub(super) fn evaluate(
        &mut self,
        size: BoardSize,
        rules: &Rules,
        datum: Option<Datum>,
    ) -> Option<Datum> {
        self.distinct.clear();
        for (word, &present) in self.present.iter().enumerate() {
            for index in bits(word, present) {
                self.distinct
                    .push((Bucket::score(index), self.counts[index]));
            }
        }
        match rules.method {
            Method::Matchpoints => {
                self.matchpoints(size, rules);
                None
            }
            Method::CrossImps => {
                self.cross_imps(rules);
                None
            }
            Method::Butler(datum_rules) => {
                let sorted = self.distinct.iter();
                let sorted = sorted.map(|&(score, tables)| (score, tables as usize));
                let datum = datum.or_else(|| Datum::of(sorted, self.results, datum_rules))?;
                for &(score, _) in &self.distinct {
                    self.points[place(score)] = datum.imps(score).into();
                }
                Some(datum)
            }
        }
    }

    fn matchpoints(&mut self, size: BoardSize, rules: &Rules) {
        let mut below = 0;
        for &(score, tables) in &self.distinct {
            self.points[place(score)] = size.matchpoints(below, tables, self.results, rules);
            below += tables;
        }
    }

    fn cross_imps(&mut self, rules: &Rules) {
        self.imps.clear();
        self.imps.resize(self.distinct.len(), 0);
        // What one score wins from another, that one loses: each two are compared once.
        let mut pairs = self.distinct.as_slice();
        let mut sums = self.imps.as_mut_slice();
        while let ([(score, tables), rest @ ..], [sum, others @ ..]) = (pairs, sums) {
            for ((other, there), lost) in rest.iter().zip(others.iter_mut()) {
                let imps = i64::from(Imps::of_difference(score - other).0);
                *sum += imps * i64::from(*there);
                *lost -= imps * i64::from(*tables);
            }
            (pairs, sums) = (rest, others);
        }
        let average = Average::new(self.others(), rules.rounding);
        for (&(score, _), &sum) in self.distinct.iter().zip(&self.imps) {
            self.points[place(score)] = average.of(sum);
        }
    }

    /// What a score gets from every table of a cross-IMP board, before it is averaged.
    fn imps_from_all(&self, score: i32) -> i64 {
        self.distinct
            .iter()
            .map(|&(other, tables)| {
                i64::from(Imps::of_difference(score - other).0) * i64::from(tables)
            })
            .sum()
    }

    fn others(&self) -> usize {
        self.results.saturating_sub(1).max(1)
    }

    /// The IMPs of every score without any rounding, after [`Tally::evaluate`].
    pub(super) fn exact_imps(&self, rules: &Rules) -> BTreeMap<Score, Fraction> {
        self.distinct
            .iter()
            .map(|&(score, _)| {
                let exact = match rules.method {
                    Method::CrossImps => {
                        let others = i128::try_from(self.others()).unwrap_or(1);
                        Fraction::new(i128::from(self.imps_from_all(score)), others)
                    }
                    Method::Butler(_) | Method::Matchpoints => {
                        Fraction::from(self.points[place(score)])
                    }
                };
                (Score(i16::try_from(score).unwrap_or_default()), exact)
            })
            .collect()
    }
}

/// Many sums of IMPs divided by the same number of tables, halves away from zero.
pub(super) struct Average {
    others: usize,
    rounding: Rounding,
    step: u64,
    quantum: i64,
    /// By two steps.
    steps: Option<Divisor>,
}

impl Average {
    pub(super) fn new(others: usize, rounding: Rounding) -> Self {
        let quantum = i64::try_from(rounding.quantum()).unwrap_or(1);
        let others_64 = u64::try_from(others).unwrap_or(u64::MAX);
        let step = quantum.unsigned_abs().checked_mul(others_64);
        let steps = step.and_then(|step| step.checked_mul(2));
        Self {
            others,
            rounding,
            step: step.unwrap_or_default(),
            quantum,
            steps: steps.and_then(Divisor::new),
        }
    }

    #[inline]
    pub(super) fn of(&self, sum: i64) -> Points {
        self.short_way(sum).unwrap_or_else(|| {
            let others = i128::try_from(self.others).unwrap_or(1);
            Points::ratio_half_away(i128::from(sum), others, self.rounding)
        })
    }

    /// `None` where the numbers are too large for this way.
    #[inline]
    fn short_way(&self, sum: i64) -> Option<Points> {
        let doubled = sum
            .unsigned_abs()
            .checked_mul(2 * Points::UNIT.unsigned_abs())?;
        let (steps, _) = self.steps?.of(doubled.checked_add(self.step)?);
        let points = i64::try_from(steps).ok()?.checked_mul(self.quantum)?;
        Some(Points::from_ten_thousandths(points * sum.signum()))
    }
}

/// How many results a board has, and as how many they are to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BoardSize {
    /// Its results, adjusted ones included.
    pub(super) counted: usize,
    /// As many as the boards played most have, or just its own.
    pub(super) field: usize,
}

impl BoardSize {
    /// What a score is worth that so many of the `real` results are below, and so many are equal to,
    /// itself among them.
    #[inline]
    pub(super) fn matchpoints(self, below: u32, equal: u32, real: usize, rules: &Rules) -> Points {
        // Two halves for every worse result, one for every equal one but itself.
        let won = 2 * i64::from(below) + i64::from(equal) - 1;
        let halves = rules.halves_a_point();
        if real == self.field {
            let half = Points::UNIT / i64::try_from(halves).unwrap_or(1);
            return Points::from_ten_thousandths(won * half);
        }
        let won = stretched(i128::from(won), self.counted, real, rules.adjusted);
        let won = self.to_the_field(won);
        Points::ratio(won.0, won.1 * halves, rules.rounding)
    }

    /// Halves of a comparison won among `counted` results, a numerator and a denominator, as if
    /// there had been as many as in the field: Neuberg's formula.
    pub(super) fn to_the_field(self, (won, of): (i128, i128)) -> (i128, i128) {
        if self.field == self.counted {
            return (won, of);
        }
        let field = i128::try_from(self.field).unwrap_or(i128::MAX);
        let counted = i128::try_from(self.counted.max(1)).unwrap_or(i128::MAX);
        ((won + of) * field - of * counted, of * counted)
    }
}

/// Halves of a comparison won among `real` results, made comparable with a field of `counted`: a
/// numerator and a denominator.
pub(super) fn stretched(
    won: i128,
    counted: usize,
    real: usize,
    method: AdjustedRows,
) -> (i128, i128) {
    let field = i128::try_from(counted).unwrap_or(i128::MAX);
    let group = i128::try_from(real).unwrap_or(i128::MAX);
    match method {
        AdjustedRows::Neuberg => ((won + 1) * field - group, group),
        AdjustedRows::Manual => (won + field - group, 1),
    }
}

fn place(score: i32) -> usize {
    usize::try_from(score / 10 + i32::from(LARGEST_TENS)).unwrap_or_default()
}

/// The indices of the bits that are set in a word.
fn bits(word: usize, mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (bits != 0).then(|| {
            let index = word * 64 + bits.trailing_zeros() as usize;
            bits &= bits - 1;
            index
        })
    })
}
