//! Fractions of an IMP that are added up without rounding.

use super::{Points, Rounding};

/// A fraction of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fraction {
    numerator: i128,
    /// Above 0.
    denominator: i128,
}

/// The denominator of a sum whose own would not fit any more: nobody meets so many different
/// numbers of tables in one event, and if somebody did, a millionth of a millionth is lost.
const COARSE: i128 = 1_000_000_000_000;

impl Default for Fraction {
    fn default() -> Self {
        Self::new(0, 1)
    }
}

impl From<Points> for Fraction {
    fn from(points: Points) -> Self {
        Self::new(points.ten_thousandths().into(), Points::UNIT.into())
    }
}

impl Fraction {
    /// In lowest terms.
    pub(super) fn new(numerator: i128, denominator: i128) -> Self {
        let common = greatest_common_divisor(numerator, denominator);
        Self {
            numerator: numerator / common,
            denominator: denominator / common,
        }
    }

    pub(super) const fn negated(self) -> Self {
        Self {
            numerator: -self.numerator,
            ..self
        }
    }

    /// The sum, exact unless its denominator outgrows what fits.
    pub(super) fn plus(self, other: Self) -> Self {
        if self.denominator == other.denominator
            && let Some(numerator) = self.numerator.checked_add(other.numerator)
        {
            return Self { numerator, ..self };
        }
        self.exact_sum(other).unwrap_or_else(|| {
            let numerator = self.coarse().saturating_add(other.coarse());
            Self::new(numerator, COARSE)
        })
    }

    /// Rounded once, halves away from zero.
    pub(super) fn rounded(self, rounding: Rounding) -> Points {
        Points::ratio_half_away(self.numerator, self.denominator, rounding)
    }

    fn exact_sum(self, other: Self) -> Option<Self> {
        let common = greatest_common_divisor(self.denominator, other.denominator);
        let own_factor = other.denominator / common;
        let denominator = self.denominator.checked_mul(own_factor)?;
        let own = self.numerator.checked_mul(own_factor)?;
        let theirs = other.numerator.checked_mul(self.denominator / common)?;
        // Rounding multiplies by a few more digits.
        denominator.checked_mul(COARSE)?;
        let numerator = own.checked_add(theirs)?;
        numerator.checked_mul(COARSE)?;
        Some(Self::new(numerator, denominator))
    }

    fn coarse(self) -> i128 {
        let (whole, rest) = (
            self.numerator / self.denominator,
            self.numerator % self.denominator,
        );
        let part = rest
            .checked_mul(COARSE)
            .map_or(0, |rest| rest / self.denominator);
        whole.saturating_mul(COARSE).saturating_add(part)
    }
}

fn greatest_common_divisor(one: i128, other: i128) -> i128 {
    let (mut one, mut other) = (one.unsigned_abs(), other.unsigned_abs());
    while other != 0 {
        (one, other) = (other, one % other);
    }
    i128::try_from(one.max(1)).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thirds_and_sevenths_are_added_up_without_a_loss() {
        let third = Fraction::new(1, 3);
        let sum = third.plus(third).plus(third);
        assert_eq!(sum.rounded(Rounding::TenThousandth), Points::whole(1));
        let mut sum = Fraction::default();
        for tables in 1..=9 {
            sum = sum.plus(Fraction::new(1, tables));
            sum = sum.plus(Fraction::new(1, tables).negated());
        }
        assert_eq!(sum.numerator, 0);
    }

    #[test]
    fn a_sum_of_too_many_different_tables_is_still_right_to_a_hundredth() {
        let primes = (2..400_i128).filter(|it| (2..*it).all(|by| it % by != 0));
        let mut sum = Fraction::default();
        let mut near = 0.0;
        for prime in primes {
            sum = sum.plus(Fraction::new(1, prime));
            near += 1.0 / f64::from(i32::try_from(prime).expect("small"));
        }
        assert!((sum.rounded(Rounding::Hundredth).to_f64() - near).abs() < 0.006);
    }
}
