//! Howells: nearly everybody moves, one list ranks all.
//!
//! A Howell is one round turned on: every moving pair follows the pair with the next lower
//! number, and the boards go back one table. So round 1 tells it all. For 3 to 9 tables round 1
//! is the manual's; for another number of rounds (a shortened Howell has one more sitting pair
//! for every round removed) it is found by search, under the conditions that make the turning
//! sound: no two tables at the same distance between their pairs, and no two moving seats at the
//! same distance from their boards.

use super::Setup;
use super::build::{ROUNDS_MAX, Spot, around, boards_of_set, plain, size, table, write_rounds};
use crate::movement::{ByeStand, Family, Lists, Movement, Refused};

/// Round 1 of a Howell.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FirstRound {
    rounds: u16,
    /// NS, EW and set of each table. Pairs above `rounds` sit.
    spots: Vec<(u16, u16, u16)>,
}

/// The number of rounds, and NS, EW and set of each table in round 1.
type GuideCard = (u16, &'static [(u16, u16, u16)]);

/// The guide cards of the manual for 4 to 9 tables.
const GUIDE_CARDS: [GuideCard; 6] = [
    (7, &[(7, 5, 1), (4, 3, 3), (6, 2, 4), (8, 1, 5)]),
    (9, &[(3, 7, 1), (5, 2, 2), (10, 1, 3), (9, 8, 4), (6, 4, 5)]),
    (
        9,
        &[
            (12, 1, 1),
            (11, 4, 2),
            (10, 8, 3),
            (2, 7, 4),
            (9, 6, 5),
            (5, 3, 6),
        ],
    ),
    (
        13,
        &[
            (5, 12, 1),
            (2, 4, 2),
            (9, 10, 3),
            (14, 1, 4),
            (8, 13, 5),
            (7, 11, 6),
            (6, 3, 7),
        ],
    ),
    (
        13,
        &[
            (6, 10, 1),
            (8, 13, 2),
            (11, 5, 3),
            (4, 3, 4),
            (14, 2, 5),
            (7, 9, 6),
            (16, 1, 7),
            (15, 12, 8),
        ],
    ),
    (
        13,
        &[
            (18, 1, 1),
            (17, 12, 2),
            (8, 5, 3),
            (2, 10, 4),
            (13, 9, 5),
            (16, 7, 6),
            (15, 6, 7),
            (11, 4, 8),
            (14, 3, 9),
        ],
    ),
];

/// Five rounds of three tables: too few sets for boards that only go round, so they are placed
/// by hand, and all tables share the last set.
const THREE_TABLES: [[u16; 3]; 5] = [[1, 2, 4], [2, 3, 4], [3, 2, 1], [4, 3, 1], [5, 5, 5]];

/// A Howell is for rooms in which everybody can hear the director; more tables play a Mitchell.
const TABLES_MAX: u16 = 14;

/// The Howell for these tables and boards: the manual's where the boards fit it.
pub(super) fn generate(setup: Setup) -> Result<Movement, Refused> {
    let tables = setup.tables.get();
    let boards = u16::from(setup.boards.get());
    if !(3..=TABLES_MAX).contains(&tables) {
        return Err(Refused::new(format!(
            "a Howell is for 3 to {TABLES_MAX} tables, not {tables}; more tables play a Mitchell"
        )));
    }
    if tables == 3 {
        return three_tables(setup);
    }
    let usual = usual_rounds(tables);
    let mut choices: Vec<u16> = (tables..2 * tables)
        .filter(|&rounds| rounds <= ROUNDS_MAX && boards.is_multiple_of(rounds))
        .filter(|&rounds| {
            setup
                .per_round
                .is_none_or(|per_round| u16::from(per_round.get()) * rounds == boards)
        })
        .collect();
    choices.sort_by_key(|&rounds| (rounds.abs_diff(usual), rounds));
    let found = choices.iter().find_map(|&rounds| {
        let per_round = u8::try_from(boards / rounds).ok()?;
        FirstRound::of(tables, rounds).map(|first| first.write(per_round))
    });
    found
        .filter(|movement| movement.faults().is_empty())
        .ok_or_else(|| {
            let per_round = setup.per_round.map_or_else(
                || ((boards + usual / 2) / usual).max(1),
                |per_round| u16::from(per_round.get()),
            );
            Refused::new(format!(
                "{boards} boards do not make equal rounds of a Howell for {tables} tables; \
                 use {} boards: {usual} rounds of {per_round}",
                usual * per_round
            ))
        })
}

/// The manual's number of rounds: every pair meets every other up to 7 tables; from 8 on, 13.
fn usual_rounds(tables: u16) -> u16 {
    guide_card(tables).map_or(13.max(tables), |(rounds, _)| rounds)
}

fn guide_card(tables: u16) -> Option<GuideCard> {
    GUIDE_CARDS
        .into_iter()
        .find(|(_, spots)| spots.len() == usize::from(tables))
}

fn three_tables(setup: Setup) -> Result<Movement, Refused> {
    let boards = u16::from(setup.boards.get());
    let rounds = 5;
    let per_round = boards / rounds;
    let asked = setup
        .per_round
        .map_or(per_round, |asked| u16::from(asked.get()));
    let (true, Ok(per_round)) = (
        boards.is_multiple_of(rounds) && asked == per_round,
        u8::try_from(per_round),
    ) else {
        return Err(Refused::new(format!(
            "a Howell of 3 tables has 5 rounds, so {boards} boards do not fit; use 20 (4 a round), 25 or 30"
        )));
    };
    let first = [(6, 1), (3, 4), (5, 2)];
    let rounds = write_rounds(rounds, 3, per_round, |round, table| {
        let (ns, ew) = first[usize::from(table) - 1];
        Spot {
            ns: turned(ns, round, 5),
            ew: turned(ew, round, 5),
            set: THREE_TABLES[usize::from(round) - 1][usize::from(table) - 1],
            copy: 1,
        }
    });
    let name = format!("Howell, {}", size(3, 5, 5, per_round));
    let mut movement = plain(name, Family::Howell, Lists::One, rounds);
    movement
        .notes
        .push("All tables share the boards of the last round.".to_owned());
    Ok(movement)
}

/// The pair that has this pair's seat so many rounds later; sitters keep theirs.
fn turned(pair: u16, round: u16, movers: u16) -> u16 {
    if pair > movers {
        pair
    } else {
        around(i32::from(pair) + i32::from(round) - 1, movers)
    }
}

impl FirstRound {
    fn of(tables: u16, rounds: u16) -> Option<Self> {
        match guide_card(tables) {
            Some((usual, spots)) if usual == rounds => Some(Self {
                rounds,
                spots: spots.to_vec(),
            }),
            _ => Search::new(tables, rounds).run().map(Self::balanced),
        }
    }

    /// Turns tables round (NS for EW) as long as that makes the competition more even.
    fn balanced(mut self) -> Self {
        let uneven = |first: &Self| first.write(1).balance().deviation;
        let mut best = uneven(&self);
        let mut improved = true;
        while improved {
            improved = false;
            for index in 0..self.spots.len() {
                let mut turned = self.clone();
                let (ns, ew, set) = turned.spots[index];
                turned.spots[index] = (ew, ns, set);
                let deviation = uneven(&turned);
                // Sitting pairs keep North, and hair's breadths are not worth a turn.
                if ns <= self.rounds && deviation < best - 1e-9 {
                    (best, improved) = (deviation, true);
                    self = turned;
                }
            }
        }
        self
    }

    fn write(&self, per_round: u8) -> Movement {
        let tables = u16::try_from(self.spots.len()).unwrap_or(0);
        let rounds = write_rounds(self.rounds, tables, per_round, |round, table| {
            let (ns, ew, set) = self.spots[usize::from(table) - 1];
            Spot {
                ns: turned(ns, round, self.rounds),
                ew: turned(ew, round, self.rounds),
                set: around(i32::from(set) + i32::from(round) - 1, self.rounds),
                copy: 1,
            }
        });
        let name = format!(
            "Howell, {}",
            size(tables, self.rounds, self.rounds, per_round)
        );
        let mut movement = plain(name, Family::Howell, Lists::One, rounds);
        // Walk down the sets; where a number is missing between two tables, sets rest there.
        for (index, &(_, _, set)) in self.spots.iter().enumerate() {
            let above = (index + 1) % self.spots.len();
            let next = self.spots[above].2;
            let gap = around(i32::from(next) - i32::from(set), self.rounds) - 1;
            if gap > 0 {
                let here = u16::try_from(index).unwrap_or(0) + 1;
                movement.layout.bye_stands.push(ByeStand {
                    between: (table(here), table(u16::try_from(above).unwrap_or(0) + 1)),
                    boards: (1..=gap)
                        .map(|rest| {
                            boards_of_set(
                                around(i32::from(set) + i32::from(rest), self.rounds),
                                per_round,
                            )
                        })
                        .collect(),
                });
            }
        }
        movement
    }
}

/// Looks for a round 1 that stays sound when it is turned on.
struct Search {
    rounds: u16,
    tables: u16,
    sitters: u16,
    /// Pair numbers from 1 that already sit somewhere.
    seated: Vec<bool>,
    /// Distances between opponents, and from a moving pair to its boards, that are taken.
    opponents: Vec<bool>,
    boards: Vec<bool>,
    spots: Vec<(u16, u16, u16)>,
    /// Steps left before the search gives up.
    patience: u32,
}

/// Enough for every size that exists, and a blink of an eye.
const SEARCH_STEPS_MAX: u32 = 20_000;

impl Search {
    fn new(tables: u16, rounds: u16) -> Self {
        let taken = || vec![false; usize::from(rounds) + 1];
        Self {
            rounds,
            tables,
            sitters: 2 * tables - rounds,
            seated: taken(),
            opponents: taken(),
            boards: taken(),
            spots: Vec::new(),
            patience: SEARCH_STEPS_MAX,
        }
    }

    fn run(mut self) -> Option<FirstRound> {
        self.place().then_some(FirstRound {
            rounds: self.rounds,
            spots: self.spots,
        })
    }

    /// Fills the next table in every possible way until all are filled.
    fn place(&mut self) -> bool {
        let set = u16::try_from(self.spots.len()).unwrap_or(0) + 1;
        if set > self.tables {
            return true;
        }
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
        let tables_left = self.tables + 1 - set;
        tables_left > sitters_left && self.place_movers(set)
    }

    fn place_sitter(&mut self, set: u16, sitter: u16) -> bool {
        for mover in 1..=self.rounds {
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
        for ns in 1..=self.rounds {
            if !self.seat(ns, set) {
                continue;
            }
            for ew in 1..=self.rounds {
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
