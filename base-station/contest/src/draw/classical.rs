//! The classical way: the highest against the next highest not met yet, repaired from the bottom.
//!
//! By hand this is going back, from the last table up, until it comes out: which ends with the
//! first draw in the order of the standing that breaks as few rules as any draw does. Going back
//! one by one can take for ever; here a matching tells at once whether the rest comes out.

use integer_blossom::min_weight_perfect_matching;

use super::{Field, Found, Method, matched};

/// One forbidden match is worse than rematches at all tables.
const FORBIDDEN: i64 = 1_000_000;

/// The classical draw, or the Danish one.
pub(super) fn by_rank(field: &Field<'_>, playing: &[usize]) -> Found {
    let mut found = Found::default();
    let mut rest: Vec<usize> = playing.to_vec();
    if !rest.len().is_multiple_of(2) {
        let bye = bye(field, &rest);
        rest.retain(|&it| Some(it) != bye);
        found.bye = bye;
    }
    let mut left = least(field, &rest);
    while !rest.is_empty() {
        let straight = straight_on(field, &rest);
        let kept = longest_good(field, &rest, &straight, left);
        for &(one, other) in &straight[..kept] {
            left -= blame(field, one, other);
            take(&mut rest, one, other);
            found.pairs.push((one, other));
        }
        if let Some(&highest) = rest.first() {
            // The next highest leads nowhere: somebody further down does.
            let mut others = candidates(field, &rest, highest);
            let good = others.find(|&other| {
                let mut without = rest.clone();
                take(&mut without, highest, other);
                blame(field, highest, other) + least(field, &without) <= left
            });
            // There always is one: `left` is what the best way through costs.
            let other = good.unwrap_or(rest[1]);
            left -= blame(field, highest, other);
            take(&mut rest, highest, other);
            found.pairs.push((highest, other));
        }
    }
    found
}

/// The lowest of those with fewest byes, without whom the others come out as well as without
/// anybody else.
fn bye(field: &Field<'_>, playing: &[usize]) -> Option<usize> {
    let mut order = playing.to_vec();
    order.reverse();
    order.sort_by_key(|&it| field.ranked[it].byes);
    // What the best draw costs whoever sits out, found at one go.
    let best = least_of(field, playing, true);
    let cost = |it: usize| {
        let others: Vec<usize> = playing.iter().copied().filter(|&one| one != it).collect();
        least(field, &others)
    };
    order.iter().copied().find(|&it| cost(it) <= best)
}

/// From the top down, always the next highest that may be met.
fn straight_on(field: &Field<'_>, rest: &[usize]) -> Vec<(usize, usize)> {
    let mut rest = rest.to_vec();
    let mut pairs = Vec::with_capacity(rest.len() / 2);
    while let Some(&highest) = rest.first() {
        let Some(other) = candidates(field, &rest, highest).next() else {
            break;
        };
        take(&mut rest, highest, other);
        pairs.push((highest, other));
    }
    pairs
}

/// How many of these pairs can stay: the fewer, the easier it is for the rest, so halving finds
/// the number.
fn longest_good(
    field: &Field<'_>,
    rest: &[usize],
    straight: &[(usize, usize)],
    left: i64,
) -> usize {
    let good = |kept: usize| {
        let mut without = rest.to_vec();
        let mut cost = 0;
        for &(one, other) in &straight[..kept] {
            cost += blame(field, one, other);
            take(&mut without, one, other);
        }
        cost <= left && cost + least(field, &without) <= left
    };
    if good(straight.len()) {
        return straight.len();
    }
    let (mut good_to, mut bad_from) = (0, straight.len());
    while bad_from - good_to > 1 {
        let middle = usize::midpoint(good_to, bad_from);
        if good(middle) {
            good_to = middle;
        } else {
            bad_from = middle;
        }
    }
    good_to
}

/// Whom the highest can meet: in the order of the standing, those to be avoided last.
fn candidates(
    field: &Field<'_>,
    rest: &[usize],
    highest: usize,
) -> impl Iterator<Item = usize> + use<> {
    let mut others: Vec<usize> = rest.iter().copied().filter(|&it| it != highest).collect();
    others.sort_by_key(|&other| blame(field, highest, other));
    others.into_iter()
}

/// What the best draw of these costs.
fn least(field: &Field<'_>, rest: &[usize]) -> i64 {
    least_of(field, rest, false)
}

/// The same; one of an odd number may sit out, whoever it is.
fn least_of(field: &Field<'_>, rest: &[usize], bye: bool) -> i64 {
    let size = rest.len() + usize::from(bye);
    let mut costs = vec![0_i64; size * size];
    for first in 0..rest.len() {
        for second in first + 1..rest.len() {
            costs[first * size + second] = blame(field, rest[first], rest[second]);
        }
    }
    let mate = matched(&costs, size, min_weight_perfect_matching);
    let pairs = mate.iter().enumerate().filter(|(one, other)| one < *other);
    pairs.map(|(one, &other)| costs[one * size + other]).sum()
}

fn blame(field: &Field<'_>, one: usize, other: usize) -> i64 {
    let rematch = field.wish.method != Method::Danish && field.met(one, other).is_some();
    let kept_apart = field.forbidden(one, other) || field.both_stationary(one, other);
    FORBIDDEN * i64::from(kept_apart) + i64::from(rematch)
}

fn take(rest: &mut Vec<usize>, one: usize, other: usize) {
    rest.retain(|&it| it != one && it != other);
}
