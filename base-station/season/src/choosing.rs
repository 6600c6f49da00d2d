//! Who meets whom in a round where the best choose their opponents: those who may choose one after the
//! other, and the rest best against worst. Nobody meets a former opponent unless it can't be avoided.

use serde::{Deserialize, Serialize};

/// The most contestants of such a round.
const MOST: usize = 16;

/// Who chooses, and from whom. Nobody does where `choosers` is 0: all meet best against worst.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// The first so many, one after the other.
    pub choosers: u16,
    /// From this place on.
    pub from: u16,
}

/// A choice that is to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToChoose {
    /// Whose, by place from 0.
    pub by: usize,
    /// Whom it may choose.
    pub from: Vec<usize>,
}

/// How far a round is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choosing {
    /// Somebody chooses now.
    Next(ToChoose),
    /// Everybody has an opponent: the better one first.
    Paired(Vec<[usize; 2]>),
}

/// Why it does not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotChoosable {
    /// An odd number, or too many.
    Contestants {
        /// At most.
        most: usize,
    },
    /// Somebody was chosen whom it may not choose.
    NotThatOne(ToChoose),
}

impl Choice {
    /// What the choices so far lead to, for contestants in the order of their rank. A choice that is
    /// `None` has lapsed: nobody was there to make it.
    pub fn choosing(
        self,
        contestants: usize,
        met: impl Fn(usize, usize) -> bool,
        picks: &[Option<usize>],
    ) -> Result<Choosing, NotChoosable> {
        if contestants > MOST || !contestants.is_multiple_of(2) || contestants == 0 {
            return Err(NotChoosable::Contestants { most: MOST });
        }
        let rematches = Rematches::of(contestants, met);
        let mut left = (1_usize << contestants) - 1;
        let mut pairs = Vec::new();
        for by in 0..usize::from(self.choosers) {
            if left & (1 << by) == 0 {
                continue;
            }
            let first = usize::from(self.from).max(1) - 1;
            let free = (first..contestants).filter(|it| *it != by && left & (1 << it) != 0);
            let next = ToChoose {
                by,
                from: rematches.best(left, by, free),
            };
            if next.from.is_empty() {
                break;
            }
            match picks.get(by) {
                None => return Ok(Choosing::Next(next)),
                Some(None) => {}
                Some(Some(own)) if next.from.contains(own) => {
                    pairs.push([by, *own]);
                    left &= !((1 << by) | (1 << own));
                }
                Some(Some(_)) => return Err(NotChoosable::NotThatOne(next)),
            }
        }
        while left != 0 {
            let best = usize::try_from(left.trailing_zeros()).unwrap_or_default();
            let others = (best + 1..contestants).rev();
            let others = others.filter(|it| left & (1 << it) != 0);
            let Some(worst) = rematches.best(left, best, others).first().copied() else {
                break;
            };
            pairs.push([best, worst]);
            left &= !((1 << best) | (1 << worst));
        }
        Ok(Choosing::Paired(pairs))
    }
}

/// The fewest rematches of every group that could be left.
struct Rematches {
    fewest: Vec<u8>,
    met: Vec<Vec<bool>>,
}

impl Rematches {
    fn of(contestants: usize, met: impl Fn(usize, usize) -> bool) -> Self {
        let all = 0..contestants;
        let row = |one: usize| all.clone().map(|other| met(one, other)).collect();
        let met: Vec<Vec<bool>> = all.clone().map(row).collect();
        let mut fewest = vec![0_u8; 1 << contestants];
        for group in 1..1_usize << contestants {
            if group.count_ones() % 2 == 1 {
                continue;
            }
            let one = usize::try_from(group.trailing_zeros()).unwrap_or_default();
            let others = (one + 1..contestants).filter(|it| group & (1 << it) != 0);
            let least = others.map(|other| {
                u8::from(met[one][other]) + fewest[group & !((1 << one) | (1 << other))]
            });
            fewest[group] = least.min().unwrap_or_default();
        }
        Self { fewest, met }
    }

    /// Of these opponents those with whom fewest meet again, whoever is left then.
    fn best(&self, left: usize, one: usize, others: impl Iterator<Item = usize>) -> Vec<usize> {
        let cost = |other: usize| {
            u8::from(self.met[one][other]) + self.fewest[left & !((1 << one) | (1 << other))]
        };
        let others: Vec<usize> = others.collect();
        let least = others.iter().map(|other| cost(*other)).min();
        let fits = |other: &usize| Some(cost(*other)) == least;
        others.into_iter().filter(fits).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EIGHT: Choice = Choice {
        choosers: 3,
        from: 4,
    };

    fn nobody(_: usize, _: usize) -> bool {
        false
    }

    fn next(found: Result<Choosing, NotChoosable>) -> (usize, Vec<usize>) {
        match found.expect("possible") {
            Choosing::Next(next) => (next.by, next.from),
            Choosing::Paired(pairs) => panic!("{pairs:?}"),
        }
    }

    #[test]
    fn the_first_three_choose_one_after_the_other_and_the_last_two_meet() {
        assert_eq!(
            next(EIGHT.choosing(8, nobody, &[])),
            (0, vec![3, 4, 5, 6, 7])
        );
        let picks = [Some(7), Some(4)];
        assert_eq!(next(EIGHT.choosing(8, nobody, &picks)), (2, vec![3, 5, 6]));
        let picks = [Some(7), Some(4), Some(3)];
        let paired = EIGHT.choosing(8, nobody, &picks);
        let pairs = vec![[0, 7], [1, 4], [2, 3], [5, 6]];
        assert_eq!(paired, Ok(Choosing::Paired(pairs)));
        let wrong = EIGHT.choosing(8, nobody, &[Some(1)]);
        assert!(matches!(wrong, Err(NotChoosable::NotThatOne(_))));
        // A choice that nobody is there to make lapses.
        assert_eq!(
            next(EIGHT.choosing(8, nobody, &[None])),
            (1, vec![3, 4, 5, 6, 7])
        );
    }

    #[test]
    fn former_opponents_are_no_choice_while_there_is_another_way() {
        let met =
            |one: usize, other: usize| [(0, 7), (2, 3)].contains(&(one.min(other), one.max(other)));
        assert_eq!(next(EIGHT.choosing(8, met, &[])), (0, vec![3, 4, 5, 6]));
        // After these the third would be left with the fourth, whom it has met: not a choice.
        assert_eq!(
            next(EIGHT.choosing(8, met, &[Some(4)])),
            (1, vec![3, 5, 6, 7])
        );
        let six = Choice {
            choosers: 2,
            from: 3,
        };
        // The last two have met: whoever chooses takes one of them.
        let last = |one: usize, other: usize| (one.min(other), one.max(other)) == (4, 5);
        assert_eq!(next(six.choosing(6, last, &[Some(2)])), (1, vec![4, 5]));
        // Where everybody has met everybody, rank decides alone.
        let all = six.choosing(6, |_, _| true, &[Some(2), Some(3)]);
        assert_eq!(all, Ok(Choosing::Paired(vec![[0, 2], [1, 3], [4, 5]])));
    }

    #[test]
    fn best_meets_worst_where_nobody_chooses_as_far_as_they_have_not_met() {
        let none = Choice::default();
        let found = none.choosing(16, nobody, &[]);
        let pairs = (0..8).map(|at| [at, 15 - at]).collect();
        assert_eq!(found, Ok(Choosing::Paired(pairs)));
        let met = |one: usize, other: usize| (one.min(other), one.max(other)) == (0, 3);
        let found = none.choosing(4, met, &[]);
        assert_eq!(found, Ok(Choosing::Paired(vec![[0, 2], [1, 3]])));
        for odd in [0, 3, 18] {
            assert!(none.choosing(odd, nobody, &[]).is_err());
        }
    }
}
