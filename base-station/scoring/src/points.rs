//! Exact numbers: points in ten-thousandths, percentages in hundredths, and how they are rounded.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

use serde::{Deserialize, Serialize, Serializer};

/// Matchpoints or IMPs, in ten-thousandths, which is the finest rounding any regulation asks for.
///
/// No floating point: a matchpoint that is a hair too small is a complaint at the bar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points(i64);

impl Points {
    /// Ten-thousandths in one point.
    pub const UNIT: i64 = 10_000;
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// Whole points.
    pub const fn whole(points: i64) -> Self {
        Self(points * Self::UNIT)
    }

    /// From ten-thousandths of a point.
    pub const fn from_ten_thousandths(parts: i64) -> Self {
        Self(parts)
    }

    /// In ten-thousandths of a point.
    pub const fn ten_thousandths(self) -> i64 {
        self.0
    }

    /// The fraction `numerator / denominator` of a point, rounded half up.
    pub fn ratio(numerator: i128, denominator: i128, rounding: Rounding) -> Self {
        Self(rounding.half_up(numerator * i128::from(Self::UNIT), denominator))
    }

    /// As [`Points::ratio`], rounded half down: what the other side gets when one side's half was
    /// rounded up, so that the two still add up.
    pub fn ratio_half_down(numerator: i128, denominator: i128, rounding: Rounding) -> Self {
        Self(-rounding.half_up(-numerator * i128::from(Self::UNIT), denominator))
    }

    /// As [`Points::ratio`], rounded half away from zero: IMPs, where one side has what the other
    /// side lacks, whichever of them is called North-South.
    pub fn ratio_half_away(numerator: i128, denominator: i128, rounding: Rounding) -> Self {
        if numerator < 0 {
            Self::ratio_half_down(numerator, denominator, rounding)
        } else {
            Self::ratio(numerator, denominator, rounding)
        }
    }

    /// That share of these points, rounded half up.
    pub fn share(self, percent: Percent, rounding: Rounding) -> Self {
        let numerator = i128::from(self.0) * i128::from(percent.0);
        Self(rounding.half_up(numerator, 10_000))
    }

    /// These points as a percentage of `top`, rounded half up; `None` when there is no top.
    pub fn percent_of(self, top: Self) -> Option<Percent> {
        self.percent_and_half(top).map(|(percent, _)| percent)
    }

    /// The percentages of these points and of the rest of the top, which the opponents have: one
    /// division for both.
    pub(super) fn percents_of_both(self, top: Self) -> Option<[Percent; 2]> {
        let (percent, half) = self.percent_and_half(top)?;
        // An exact half goes up on both sides.
        let rest = Percent(10_000 - percent.0 + i32::from(half));
        Some([percent, rest])
    }

    /// The percentage, and whether exactly a half was rounded up.
    fn percent_and_half(self, top: Self) -> Option<(Percent, bool)> {
        if top.0 <= 0 {
            return None;
        }
        // Doubled numbers keep the half of the rounding whole. Only a whole large event needs
        // more than 64 bits.
        let doubled = self
            .0
            .checked_mul(20_000)
            .and_then(|it| it.checked_add(top.0));
        if let (Some(doubled), Some(tops)) = (doubled, top.0.checked_mul(2)) {
            let percent = doubled.div_euclid(tops);
            let most = if percent < 0 { i32::MIN } else { i32::MAX };
            let hundredths = i32::try_from(percent).unwrap_or(most);
            return Some((Percent(hundredths), percent * tops == doubled));
        }
        let doubled = i128::from(self.0) * 20_000 + i128::from(top.0);
        let tops = i128::from(top.0) * 2;
        let percent = doubled.div_euclid(tops);
        Some((Percent(saturate(percent)), percent * tops == doubled))
    }

    /// For JSON and printing only; never computed with.
    pub fn to_f64(self) -> f64 {
        decimal(self.0, Self::UNIT)
    }
}

/// Divides many numbers by the same one: a multiplication and a look instead of a division.
#[derive(Clone, Copy, Debug)]
pub(super) struct Divisor {
    by: u64,
    /// 2^64 divided by it, cut off.
    inverse: u64,
}

impl Divisor {
    /// `None` for 0.
    pub(super) const fn new(by: u64) -> Option<Self> {
        match u64::MAX.checked_div(by) {
            Some(inverse) => Some(Self { by, inverse }),
            None => None,
        }
    }

    /// The quotient, cut off, and what remains.
    #[inline]
    pub(super) fn of(self, number: u64) -> (u64, u64) {
        let product = u128::from(number) * u128::from(self.inverse);
        let mut quotient = u64::try_from(product >> 64).unwrap_or_default();
        let mut rest = number - quotient * self.by;
        // The inverse was cut off, so the quotient may be a little too small, never too large.
        while rest >= self.by {
            quotient += 1;
            rest -= self.by;
        }
        (quotient, rest)
    }
}

/// Percentages of one top.
#[derive(Clone, Copy, Debug)]
pub(super) struct PercentsOf {
    top: Points,
    /// 2^64 divided by twice the top, rounded up: where the top is small, multiplying by it is an
    /// exact division.
    inverse: Option<u64>,
}

impl PercentsOf {
    /// The product of what is divided and what it is divided by must stay below 2^64. That is a
    /// board of a thousand results.
    const SMALL: i64 = 20_000_000;

    pub(super) fn new(top: Points) -> Self {
        let doubled = u64::try_from(2 * top.0.min(Self::SMALL)).unwrap_or_default();
        let inverse = u64::MAX.checked_div(doubled).map(|it| it + 1);
        Self {
            top,
            inverse: inverse.filter(|_| top.0 <= Self::SMALL),
        }
    }

    /// The percentages of these points and of the rest of the top, which the opponents have.
    #[inline]
    pub(super) fn both(self, points: Points) -> [Option<Percent>; 2] {
        match self.inverse {
            Some(inverse) if (0..=self.top.0).contains(&points.0) => {
                // Doubled numbers keep the half of the rounding whole.
                let doubled = (20_000 * points.0 + self.top.0).cast_unsigned();
                let (rest, percent) = doubled.carrying_mul(inverse, 0);
                let percent = i32::try_from(percent).unwrap_or(i32::MAX);
                // Nothing remained where the rest is smaller than one step: an exact half, which
                // goes up on both sides.
                let other = 10_000 - percent + i32::from(rest < inverse);
                [Some(Percent(percent)), Some(Percent(other))]
            }
            _ => self.long_way(points),
        }
    }

    #[cold]
    fn long_way(self, points: Points) -> [Option<Percent>; 2] {
        let both = points.percents_of_both(self.top);
        both.map_or([None; 2], |both| both.map(Some))
    }
}

/// A percentage in hundredths. Unlike [`protocol::words::Percentage`] it can leave 0 to 100: a
/// penalty, a handicap or a carry-over may push it out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Percent(pub i32);

impl Percent {
    /// Half of what can be had.
    pub const AVERAGE: Self = Self(5_000);

    /// Whole percents.
    pub const fn whole(percent: i32) -> Self {
        Self(percent * 100)
    }

    /// For JSON and printing only.
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

impl From<protocol::words::Percentage> for Percent {
    fn from(percentage: protocol::words::Percentage) -> Self {
        Self(i32::from(percentage.get()))
    }
}

/// To what a computed number of points is rounded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rounding {
    /// To 0.1, as the club manual does.
    Tenth,
    /// To 0.01.
    #[default]
    Hundredth,
    /// To 0.0001.
    TenThousandth,
}

impl Rounding {
    pub(super) const fn quantum(self) -> i128 {
        match self {
            Self::Tenth => 1_000,
            Self::Hundredth => 100,
            Self::TenThousandth => 1,
        }
    }

    /// `numerator / denominator` to the nearest multiple of the quantum, halves upwards.
    fn half_up(self, numerator: i128, denominator: i128) -> i64 {
        // Nearly always the numbers are small, and then one cheap division does it.
        if let (Ok(small), Ok(step)) = (
            i64::try_from(2 * numerator),
            i64::try_from(self.quantum() * denominator),
        ) && let (Some(sum), Some(double)) = (small.checked_add(step), step.checked_mul(2))
        {
            return sum.div_euclid(double) * i64::try_from(self.quantum()).unwrap_or(1);
        }
        let step = self.quantum() * denominator;
        let steps = (2 * numerator + step).div_euclid(2 * step);
        saturate(steps * self.quantum())
    }
}

/// Fields are far too small to get near the limits; if one ever did, it must not wrap.
fn saturate<T: TryFrom<i128> + Bounded>(number: i128) -> T {
    T::try_from(number).unwrap_or(if number < 0 { T::LEAST } else { T::MOST })
}

trait Bounded {
    const LEAST: Self;
    const MOST: Self;
}

impl Bounded for i64 {
    const LEAST: Self = Self::MIN;
    const MOST: Self = Self::MAX;
}

impl Bounded for i32 {
    const LEAST: Self = Self::MIN;
    const MOST: Self = Self::MAX;
}

#[expect(
    clippy::cast_precision_loss,
    reason = "shown numbers have at most eleven digits"
)]
fn decimal(parts: i64, unit: i64) -> f64 {
    parts as f64 / unit as f64
}

impl Add for Points {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Points {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for Points {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl SubAssign for Points {
    fn sub_assign(&mut self, other: Self) {
        self.0 -= other.0;
    }
}

impl Neg for Points {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Self>>(points: I) -> Self {
        points.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Points {
    /// As few decimals as tell the whole number: `9`, `9.6`, `4.8333`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, parts) = (self.0.abs() / Self::UNIT, self.0.abs() % Self::UNIT);
        let sign = if self.0 < 0 { "-" } else { "" };
        let text = format!("{sign}{whole}.{parts:04}");
        f.pad(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

impl fmt::Display for Percent {
    /// Two decimals: `56.25`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let hundredths = self.0.unsigned_abs();
        f.pad(&format!(
            "{sign}{}.{:02}",
            hundredths / 100,
            hundredths % 100
        ))
    }
}

impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Whole points as whole numbers: `20`, not `20.0`.
        if self.0 % Self::UNIT == 0 {
            serializer.serialize_i64(self.0 / Self::UNIT)
        } else {
            serializer.serialize_f64(self.to_f64())
        }
    }
}

impl Serialize for Percent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.to_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentage_by_multiplying_is_the_one_by_dividing() {
        // Tops of 2 to 4,000 results, and points that need not be whole.
        for top in [2, 4, 20, 38, 198, 254, 1_998, 2_000, 2_002, 7_998] {
            let top = Points::whole(top);
            let percents = PercentsOf::new(top);
            let step = (top.0 / 1_999).max(1);
            for points in (-3..=2_003).map(|steps| Points(steps * step)) {
                let divided = points.percents_of_both(top).expect("a top");
                assert_eq!(
                    percents.both(points),
                    divided.map(Some),
                    "{points} of {top}"
                );
            }
        }
        assert_eq!(PercentsOf::new(Points::ZERO).both(Points::ZERO), [None; 2]);
    }
}
