//! The closest draw: a minimum-weight perfect matching.
//!
//! Each rule is a level. One point on a level outweighs everything that all matches together can
//! cost on the levels below it, so no number of close matches buys a rematch.

use integer_blossom::min_weight_perfect_matching;

use super::{Field, Found, matched};
use crate::Refused;

/// What a match costs, the worst first.
type Costs = [i64; LEVELS];

const LEVELS: usize = 9;
const FORBIDDEN: usize = 0;
const REMATCH: usize = 1;
/// The bye goes to the lowest of those who had fewest.
const BYE_AGAIN: usize = 2;
const BYE_HEIGHT: usize = 3;
const ONE_CLUB: usize = 4;
const STATIONARY: usize = 5;
/// In hundredths of a victory point, squared: one match of 4 apart is worse than two of 2.
const SQUARES: usize = 6;
/// Two who were both at home more often than away, or the other way round.
const HOME: usize = 7;
const LOT: usize = 8;

/// How finely equal draws are separated by lot.
const LOTS: usize = 1 << 10;

/// The draw that breaks fewest rules, and of those the closest.
pub(super) fn closest(field: &Field<'_>, playing: &[usize]) -> Result<Found, Refused> {
    let bye = !playing.len().is_multiple_of(2);
    let size = playing.len() + usize::from(bye);
    let mut lot = field.lot.clone();
    let mut costs = vec![[0; LEVELS]; size * size];
    for first in 0..size {
        for second in first + 1..size {
            let drawn_lot = i64::try_from(lot.below(LOTS)).unwrap_or_default();
            costs[first * size + second] = match playing.get(second) {
                Some(&other) => of_match(field, playing[first], other, drawn_lot),
                None => of_bye(field, playing[first], playing.len() - 1 - first),
            };
        }
    }
    let flat = flattened(&costs, size)?;
    let mate = matched(&flat, size, min_weight_perfect_matching);
    let mut found = Found::default();
    for (first, &second) in mate.iter().enumerate() {
        if first > second {
            continue;
        }
        match playing.get(second) {
            Some(&other) => found.pairs.push((playing[first], other)),
            None => found.bye = Some(playing[first]),
        }
    }
    Ok(found)
}

fn of_match(field: &Field<'_>, one: usize, other: usize, lot: i64) -> Costs {
    let difference = field.difference(one, other);
    let homes = field.ranked[one].home.signum() + field.ranked[other].home.signum();
    let mut costs = [0; LEVELS];
    costs[FORBIDDEN] = i64::from(field.forbidden(one, other));
    costs[REMATCH] = i64::from(field.met(one, other).is_some());
    costs[ONE_CLUB] = i64::from(field.one_club(one, other));
    costs[STATIONARY] = i64::from(field.both_stationary(one, other));
    costs[SQUARES] = difference * difference;
    costs[HOME] = i64::from(homes.abs() == 2);
    costs[LOT] = lot;
    costs
}

fn of_bye(field: &Field<'_>, one: usize, height: usize) -> Costs {
    let mut costs = [0; LEVELS];
    costs[BYE_AGAIN] = i64::from(field.ranked[one].byes);
    costs[BYE_HEIGHT] = i64::try_from(height).unwrap_or(i64::MAX);
    costs
}

/// The levels as one number.
fn flattened(costs: &[Costs], size: usize) -> Result<Vec<i128>, Refused> {
    let matches = i128::try_from(size / 2).unwrap_or(i128::MAX);
    let mut weights = [1_i128; LEVELS];
    for level in (1..LEVELS).rev() {
        let most = costs.iter().map(|it| it[level]).max().unwrap_or_default();
        // More than all matches can cost on this level and the ones below it.
        let whole = i128::from(most) * matches + 1;
        weights[level - 1] = weights[level]
            .checked_mul(whole)
            // The matching adds and doubles these numbers.
            .filter(|weight| *weight < i128::MAX >> 24)
            .ok_or(Refused::ScoresTooFarApart)?;
    }
    let flat = |it: &Costs| {
        let levels = it.iter().zip(weights);
        levels
            .map(|(&cost, weight)| i128::from(cost) * weight)
            .sum()
    };
    Ok(costs.iter().map(flat).collect())
}
