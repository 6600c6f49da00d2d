//! How many tables had which score on a board, kept so that one more result is one more count,
//! and the points of every score follow without looking at the rows again.

use protocol::words::Score;

use super::datum::Datum;
use super::{AdjustedRows, Imps, Method, Points, Rules};

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
    /// Kept between boards only to save allocating it again.
    distinct: Vec<(i32, u32)>,
}

/// The place of a score in a tally.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bucket(u16);

impl Bucket {
    /// `None` for a score that no contract can give.
    pub(super) fn of(score: Score) -> Option<Self> {
        let tens = score.0 / 10;
        if tens * 10 != score.0 || tens.abs() > LARGEST_TENS {
            return None;
        }
        u16::try_from(tens + LARGEST_TENS).ok().map(Self)
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
        for word in 0..WORDS {
            for index in bits(word, self.present[word]) {
                self.counts[index] = 0;
            }
            self.present[word] = 0;
        }
        self.results = 0;
    }

    /// What North-South earn with this score, after [`Tally::evaluate`].
    pub(super) fn points(&self, bucket: Bucket) -> Points {
        self.points[usize::from(bucket.0)]
    }

    /// Works out the points of every score. `counted` is the number of results including adjusted
    /// ones. A datum that comes from elsewhere (only some tables count) is given as `datum`.
    pub(super) fn evaluate(
        &mut self,
        counted: usize,
        rules: &Rules,
        datum: Option<Datum>,
    ) -> Option<Datum> {
        self.distinct.clear();
        for word in 0..WORDS {
            for index in bits(word, self.present[word]) {
                self.distinct
                    .push((Bucket::score(index), self.counts[index]));
            }
        }
        match rules.method {
            Method::Matchpoints => {
                self.matchpoints(counted, rules);
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

    fn matchpoints(&mut self, counted: usize, rules: &Rules) {
        let (real, adjusted) = (self.results, counted - self.results);
        let halves = rules.halves_a_point();
        let half = Points::UNIT / i64::try_from(halves).unwrap_or(1);
        let mut below = 0;
        for &(score, tables) in &self.distinct {
            // Two halves for every worse result, one for every equal one but itself.
            let won = 2 * below + i64::from(tables) - 1;
            below += i64::from(tables);
            self.points[place(score)] = if adjusted == 0 {
                Points::from_ten_thousandths(won * half)
            } else {
                let won = stretched(i128::from(won), counted, real, rules.adjusted);
                Points::ratio(won.0, won.1 * halves, rules.rounding)
            };
        }
    }

    fn cross_imps(&mut self, rules: &Rules) {
        let others = i128::try_from(self.results.saturating_sub(1).max(1)).unwrap_or(1);
        for &(score, _) in &self.distinct {
            let sum: i64 = self
                .distinct
                .iter()
                .map(|&(other, tables)| {
                    i64::from(Imps::of_difference(score - other).0) * i64::from(tables)
                })
                .sum();
            self.points[place(score)] = Points::ratio(i128::from(sum), others, rules.rounding);
        }
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
