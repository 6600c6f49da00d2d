//! Looks for a round 1 of a Howell that stays sound when it is turned on.

use super::super::build::around;

/// NS, EW and set of a table, counted from 1. Pairs above the number of rounds sit.
type FirstSpot = (u16, u16, u16);

/// Steps before the first attempt gives up, and every later one. Attempts that succeed mostly do
/// so early; in another order of trying most of the others succeed, too.
const STEPS_FIRST_MAX: u32 = 10_000;
const STEPS_LATER_MAX: u32 = 400;
/// Attempts before a Howell is said not to exist.
const ATTEMPTS_MAX: usize = 60;
/// Orders of trying for each way to lay the boards out.
const ORDERS_MAX: u16 = 4;

/// A sound round 1 for so many tables and rounds, if one is found: boards in a row from table 1
/// if possible, else with one or two bye-stands somewhere in the row.
pub(super) fn first_round(tables: u16, rounds: u16) -> Option<Vec<FirstSpot>> {
    layouts(tables, rounds - tables)
        .into_iter()
        .filter(|sets| can_be_seated(sets, rounds))
        .flat_map(|sets| (0..ORDERS_MAX).map(move |order| (sets.clone(), order)))
        .zip(std::iter::once(STEPS_FIRST_MAX).chain(std::iter::repeat(STEPS_LATER_MAX)))
        .take(ATTEMPTS_MAX)
        .find_map(|((sets, order), steps)| Search::new(sets, rounds, order, steps).run())
}

/// The sets of tables 1, 2 and so on: in a row, then with one set resting after some table, then
/// with two. What is left rests after the last table.
fn layouts(tables: u16, resting: u16) -> Vec<Vec<u16>> {
    let row = |after: &[u16]| -> Vec<u16> {
        (1..=tables)
            .map(|table| {
                let rested = after.iter().filter(|&&stand| table > stand).count();
                table + u16::try_from(rested).unwrap_or(0)
            })
            .collect()
    };
    let mut layouts = vec![row(&[])];
    if resting >= 1 {
        layouts.extend((1..tables).map(|stand| row(&[stand])));
    }
    if resting >= 2 {
        layouts.extend(
            (1..tables)
                .flat_map(|one| (one..tables).map(move |other| [one, other]))
                .map(|stands| row(&stands)),
        );
    }
    layouts
}

/// A quick way to see that a layout is hopeless. The distances from the moving seats to their
/// boards must be all numbers from 1 to `rounds`, so their sum is known; with one sitting pair
/// that leaves one table at which it can sit, and that table must exist.
fn can_be_seated(sets: &[u16], rounds: u16) -> bool {
    if 2 * sets.len() != usize::from(rounds) + 1 {
        return true;
    }
    let twice: u16 = sets.iter().map(|set| 2 * (set - 1)).sum();
    sets.iter().any(|set| (set - 1) % rounds == twice % rounds)
}

struct Search {
    rounds: u16,
    /// The set on each table.
    sets: Vec<u16>,
    sitters: u16,
    /// Where in the circle of pairs to begin trying, and in which steps.
    begin: u16,
    step: u16,
    /// Pair numbers from 1 that already sit somewhere.
    seated: Vec<bool>,
    /// Distances between opponents, and from a moving pair to its boards, that are taken.
    opponents: Vec<bool>,
    boards: Vec<bool>,
    spots: Vec<FirstSpot>,
    /// Steps left before the search gives up.
    patience: u32,
}

impl Search {
    fn new(sets: Vec<u16>, rounds: u16, order: u16, patience: u32) -> Self {
        let taken = || vec![false; usize::from(rounds) + 1];
        let tables = u16::try_from(sets.len()).unwrap_or(0);
        let step = (1 + order..rounds)
            .find(|&step| shares_no_factor(step, rounds))
            .unwrap_or(1);
        Self {
            rounds,
            sets,
            sitters: 2 * tables - rounds,
            begin: order,
            step,
            seated: taken(),
            opponents: taken(),
            boards: taken(),
            spots: Vec::new(),
            patience,
        }
    }

    fn run(mut self) -> Option<Vec<FirstSpot>> {
        self.place().then_some(self.spots)
    }

    /// All moving pairs in the order of trying.
    fn order(&self) -> impl Iterator<Item = u16> + use<> {
        let (rounds, begin, step) = (self.rounds, self.begin, self.step);
        (0..rounds).map(move |index| (begin + index * step) % rounds + 1)
    }

    /// Fills the next table in every possible way until all are filled.
    fn place(&mut self) -> bool {
        let Some(&set) = self.sets.get(self.spots.len()) else {
            return true;
        };
        self.patience = self.patience.saturating_sub(1);
        if self.patience == 0 {
            return false;
        }
        let sitting = self
            .spots
            .iter()
            .filter(|spot| spot.0 > self.rounds)
            .count();
        let sitters_left = self.sitters - u16::try_from(sitting).unwrap_or(0);
        if sitters_left > 0 && self.place_sitter(set, self.rounds + sitters_left) {
            return true;
        }
        let tables_left = self.sets.len() - self.spots.len();
        tables_left > usize::from(sitters_left) && self.place_movers(set)
    }

    fn place_sitter(&mut self, set: u16, sitter: u16) -> bool {
        for mover in self.order() {
            if !self.seat(mover, set) {
                continue;
            }
            self.spots.push((sitter, mover, set));
            if self.place() {
                return true;
            }
            self.spots.pop();
            self.unseat(mover, set);
        }
        false
    }

    fn place_movers(&mut self, set: u16) -> bool {
        for ns in self.order() {
            if !self.seat(ns, set) {
                continue;
            }
            for ew in self.order() {
                let away = ns.abs_diff(ew).min(self.rounds - ns.abs_diff(ew));
                // Half-way round they would meet again in the second half.
                let twice = 2 * away == self.rounds;
                if away == 0 || twice || self.opponents[usize::from(away)] || !self.seat(ew, set) {
                    continue;
                }
                self.opponents[usize::from(away)] = true;
                self.spots.push((ns, ew, set));
                if self.place() {
                    return true;
                }
                self.spots.pop();
                self.opponents[usize::from(away)] = false;
                self.unseat(ew, set);
            }
            self.unseat(ns, set);
        }
        false
    }

    fn board_distance(&self, pair: u16, set: u16) -> usize {
        usize::from(around(i32::from(set) - i32::from(pair), self.rounds))
    }

    /// Takes a pair for a table if pair and distance are free.
    fn seat(&mut self, pair: u16, set: u16) -> bool {
        let distance = self.board_distance(pair, set);
        if self.seated[usize::from(pair)] || self.boards[distance] {
            return false;
        }
        self.seated[usize::from(pair)] = true;
        self.boards[distance] = true;
        true
    }

    fn unseat(&mut self, pair: u16, set: u16) {
        let distance = self.board_distance(pair, set);
        self.seated[usize::from(pair)] = false;
        self.boards[distance] = false;
    }
}

fn shares_no_factor(one: u16, other: u16) -> bool {
    let (mut one, mut other) = (one, other);
    while other > 0 {
        (one, other) = (other, one % other);
    }
    one == 1
}
