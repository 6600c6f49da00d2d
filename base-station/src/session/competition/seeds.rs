//! Seeding by lot those of a knock-out whom nothing else separates.

use contest::Lot;
use season::{Bracket, Shape};

/// The order in which contestants are seeded: those with the same number in `equals` by lot, so that
/// as few as can be meet somebody again in their first match. Answers with their places before.
pub fn seeds_by_lot(
    shape: Shape,
    equals: &[usize],
    met: impl Fn(usize, usize) -> bool,
    seed: u64,
) -> Vec<usize> {
    let mut order: Vec<usize> = (0..equals.len()).collect();
    let mut lot = Lot::new(seed);
    for level in order.chunk_by_mut(|one, other| equals[*one] == equals[*other]) {
        lot.shuffle(level);
    }
    let entrants = u16::try_from(order.len()).unwrap_or(u16::MAX);
    let Ok(bracket) = Bracket::new(shape, entrants) else {
        return order;
    };
    let meetings: Vec<[usize; 2]> = bracket
        .first_meetings()
        .map(|two| two.map(|seed| usize::from(seed) - 1))
        .collect();
    let again = |order: &[usize]| {
        let meetings = meetings.iter();
        meetings
            .filter(|[one, other]| met(order[*one], order[*other]))
            .count()
    };
    // Each exchange of two equals leaves fewer who meet again: it ends.
    loop {
        let better = exchanges(&order, equals).find(|it| again(it) < again(&order));
        match better {
            Some(better) => order = better,
            None => return order,
        }
    }
}

/// Every order in which two equals have changed places.
fn exchanges<'a>(order: &'a [usize], equals: &'a [usize]) -> impl Iterator<Item = Vec<usize>> + 'a {
    let pairs =
        (0..order.len()).flat_map(move |one| (one + 1..order.len()).map(move |it| (one, it)));
    let level = pairs.filter(|(one, other)| equals[order[*one]] == equals[order[*other]]);
    level.map(|(one, other)| {
        let mut order = order.to_vec();
        order.swap(one, other);
        order
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_are_seeded_by_lot_and_kept_from_those_they_have_met() {
        // Two who are unbeaten, two who lost to them, and the first two of the Swiss.
        let equals = [0, 0, 2, 2, 4, 5];
        let mut seen = std::collections::BTreeSet::new();
        for seed in 1..200 {
            let met = |one: usize, other: usize| (one.min(other), one.max(other)) == (2, 4);
            let order = seeds_by_lot(Shape::SingleKnockOut, &equals, met, seed);
            // 4 meets 5 and 3 meets 6.
            assert_eq!((order[4], order[5]), (4, 5));
            assert_eq!(order[3], 3, "the third has met the first of the Swiss");
            seen.insert(order);
        }
        assert_eq!(seen.len(), 2, "who is unbeaten is drawn by lot");
        let free = |_: usize, _: usize| false;
        let all: std::collections::BTreeSet<_> = (1..200)
            .map(|seed| seeds_by_lot(Shape::SingleKnockOut, &equals, free, seed))
            .collect();
        assert_eq!(all.len(), 4);
    }
}
