//! The Butler datum: an average of the field's scores without its extremes.

use super::Imps;

/// How a datum is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DatumRules {
    /// Which scores are left out.
    pub trimming: Trimming,
    /// To what the average is rounded.
    pub rounding: DatumRounding,
}

/// Which extreme scores are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trimming {
    /// None below six results, from then on a sixth at each end (SABF, round robin, and the first
    /// two rounds of a Swiss).
    Sixth,
    /// As [`Trimming::Sixth`] in rounds 1 and 2; later of the top twelve tables only, two at each
    /// end (SABF, Swiss).
    SwissTopTwelve,
    /// One at each end below 15 results, two up to 24, then a tenth (ABF).
    Tenth,
    /// That many at each end (New Zealand: one; GNOT 2006: two; ABF's open pairs, first stage: three).
    Each(u8),
    /// For one form of a fouled board: one at each end from 3 results on, two above 7 (ABF).
    FouledAbf,
    /// For one form of a fouled board: one at each end from 3 results on (SABF).
    FouledSabf,
}

/// To what the average is rounded. Only ABF says so at all, and not which way an exact 5 goes:
/// never upwards, or the two sides of a table would not lose and win the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DatumRounding {
    /// To tens, 5 away from zero.
    #[default]
    HalfAwayFromZero,
    /// To tens, 5 to the even ten.
    HalfEven,
    /// Not at all.
    Exact,
}

/// An average of scores: exact, or a whole ten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Datum {
    points: i64,
    /// Of how many scores `points` is the sum; 1 once it is rounded.
    scores: i64,
}

impl DatumRules {
    /// With exact fives rounded away from zero.
    pub const fn new(trimming: Trimming) -> Self {
        Self {
            trimming,
            rounding: DatumRounding::HalfAwayFromZero,
        }
    }

    /// The rule for the forms of a fouled board that belongs to this one.
    pub const fn for_forms(self) -> Self {
        let trimming = match self.trimming {
            Trimming::Sixth | Trimming::SwissTopTwelve | Trimming::FouledSabf => {
                Trimming::FouledSabf
            }
            // Three at each end is ABF's open pairs.
            Trimming::Tenth | Trimming::Each(3) | Trimming::FouledAbf => Trimming::FouledAbf,
            Trimming::Each(_) => self.trimming,
        };
        Self { trimming, ..self }
    }
}

impl Trimming {
    /// How many scores are left out at each end; one always remains.
    pub fn each_end(self, results: usize) -> usize {
        let wanted = match self {
            Self::Sixth if results < 6 => 0,
            Self::Sixth => results / 6,
            Self::SwissTopTwelve => 2,
            Self::Tenth if results < 15 => 1,
            Self::Tenth if results <= 24 => 2,
            Self::Tenth => results / 10,
            Self::Each(number) => usize::from(number),
            Self::FouledAbf if results > 7 => 2,
            Self::FouledSabf | Self::FouledAbf => usize::from(results >= 3),
        };
        wanted.min(results.saturating_sub(1) / 2)
    }
}

impl Datum {
    /// The datum of scores in rising order, each with the number of tables that had it.
    pub fn of<I>(sorted: I, results: usize, rules: DatumRules) -> Option<Self>
    where
        I: IntoIterator<Item = (i32, usize)>,
    {
        let drop = rules.trimming.each_end(results);
        let (mut before, mut points, mut scores) = (0, 0, 0);
        for (score, tables) in sorted {
            let after = before + tables;
            // What remains of this score between the two cuts.
            let kept = after.min(results - drop).saturating_sub(before.max(drop));
            let kept = i64::try_from(kept).unwrap_or(i64::MAX);
            points += i64::from(score) * kept;
            scores += kept;
            before = after;
        }
        Self::average(points, scores, rules.rounding)
    }

    /// The average of so many scores.
    #[inline]
    pub(super) fn average(points: i64, scores: i64, rounding: DatumRounding) -> Option<Self> {
        (scores > 0).then(|| Self { points, scores }.rounded(rounding))
    }

    /// What a score is worth against this datum, from North-South's view.
    #[inline]
    pub fn imps(self, score: i32) -> Imps {
        // A rounded datum, which is the usual one, needs no division.
        if self.scores == 1 {
            let datum = i32::try_from(self.points).unwrap_or_default();
            return Imps::of_difference(score - datum);
        }
        Imps::of_fraction(i64::from(score) * self.scores - self.points, self.scores)
    }

    /// For showing.
    #[expect(clippy::cast_precision_loss, reason = "a few thousand points")]
    pub fn to_f64(self) -> f64 {
        self.points as f64 / self.scores as f64
    }

    fn rounded(self, rounding: DatumRounding) -> Self {
        let step = 10 * self.scores;
        // A division of 32 bits takes half as long, and nearly all boards can do with it.
        let below = match (i32::try_from(self.points), i32::try_from(step)) {
            (Ok(points), Ok(step)) => points.div_euclid(step).into(),
            _ => self.points.div_euclid(step),
        };
        // Twice the way from the ten below to the next one, against one whole way.
        let up = match (2 * (self.points - below * step)).cmp(&step) {
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Greater => true,
            std::cmp::Ordering::Equal => match rounding {
                DatumRounding::HalfAwayFromZero | DatumRounding::Exact => self.points > 0,
                DatumRounding::HalfEven => below % 2 != 0,
            },
        };
        if rounding == DatumRounding::Exact {
            return self;
        }
        Self {
            points: 10 * (below + i64::from(up)),
            scores: 1,
        }
    }
}
