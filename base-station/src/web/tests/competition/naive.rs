//! Competitions by plain sums, written without a look at the program's own way.

use std::collections::BTreeMap;

/// Percentages of a session in hundredths, by players' numbers in order.
pub(super) type Brought = BTreeMap<[u32; 2], i64>;

/// `Player 1003 – Player 1004`.
pub(super) fn pair_of(names: &str) -> [u32; 2] {
    let numbers: Vec<u32> = names
        .split(|letter: char| !letter.is_ascii_digit())
        .filter_map(|digits| digits.parse().ok())
        .collect();
    let mut pair: [u32; 2] = numbers.try_into().expect("two players");
    pair.sort_unstable();
    pair
}

/// The mean, halves up.
pub(super) fn mean(scores: &[i64]) -> i64 {
    let count = i64::try_from(scores.len()).expect("a few");
    let sum: i64 = scores.iter().sum();
    // Whole part and what is left over.
    sum / count + i64::from(2 * (sum % count) >= count)
}

/// How a pair played a session of a championship.
#[derive(Clone, Copy)]
pub(super) enum How {
    Itself,
    /// These two sat there for it.
    Substitutes([u32; 2]),
    /// Away, with its average.
    Represents,
    /// Nothing for the session.
    Nothing,
}

/// A pair's sum in a championship: its own sessions in full; with substitutes at most its average,
/// and at least nine tenths of that or 50%.
pub(super) fn championship(nights: &[Brought], pair: [u32; 2], how: &[How]) -> i64 {
    let own: Vec<i64> = nights
        .iter()
        .zip(how)
        .filter(|(_, how)| matches!(how, How::Itself))
        .map(|(night, _)| night[&pair])
        .collect();
    let average = mean(&own);
    let others = nights.iter().zip(how).map(|(night, how)| match how {
        How::Itself | How::Nothing => 0,
        How::Represents => average,
        How::Substitutes(seats) => {
            let nine_tenths = (average * 9 + 5) / 10;
            let least = if nine_tenths < 5_000 {
                nine_tenths
            } else {
                5_000
            };
            let scored = night[seats];
            if scored > average {
                average
            } else if scored < least {
                least
            } else {
                scored
            }
        }
    });
    own.iter().sum::<i64>() + others.sum::<i64>()
}

/// The mean of the best so many, of who played enough.
pub(super) fn ladder(mut scores: Vec<i64>, to_qualify: usize, to_count: usize) -> Option<i64> {
    if scores.len() < to_qualify {
        return None;
    }
    scores.sort_unstable();
    let best: Vec<i64> = scores.into_iter().rev().take(to_count).collect();
    Some(mean(&best))
}
