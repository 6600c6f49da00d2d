//! Howells: nearly everybody moves, one list ranks all.
//!
//! A Howell is one round turned on: every moving pair follows the pair with the next lower
//! number, and the boards go back one table. So round 1 tells it all. For 3 to 9 tables round 1
//! is the manual's; for another number of rounds (a shortened Howell has one more sitting pair
//! for every round removed) it is found by search, under the conditions that make the turning
//! sound: no two tables at the same distance between their pairs, and no two moving seats at the
//! same distance from their boards.

mod search;

use super::Setup;
use super::build::{ROUNDS_MAX, Spot, around, boards_of_set, plain, size, table, write_rounds};
use crate::{ByeStand, Family, Instruction, Kind, Lists, Movement, Refused};

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

/// Longer ones that the manual does not have: full Howells of 6, 8 and 9 tables, and two that are
/// shortened less. The search found them once, given more patience than it has here.
const LONGER_CARDS: [GuideCard; 5] = [
    (
        11,
        &[
            (1, 3, 1),
            (6, 9, 2),
            (2, 7, 4),
            (10, 11, 5),
            (12, 5, 6),
            (4, 8, 7),
        ],
    ),
    (
        12,
        &[
            (14, 1, 1),
            (3, 8, 2),
            (7, 11, 3),
            (6, 9, 4),
            (2, 12, 5),
            (4, 5, 6),
            (13, 10, 7),
        ],
    ),
    (
        15,
        &[
            (16, 5, 1),
            (12, 4, 2),
            (3, 1, 3),
            (9, 15, 4),
            (11, 8, 5),
            (14, 13, 6),
            (2, 7, 8),
            (10, 6, 9),
        ],
    ),
    (
        15,
        &[
            (18, 2, 1),
            (17, 4, 2),
            (16, 6, 3),
            (8, 13, 4),
            (12, 1, 5),
            (14, 11, 6),
            (3, 5, 8),
            (7, 15, 9),
            (10, 9, 10),
        ],
    ),
    (
        17,
        &[
            (18, 2, 1),
            (6, 8, 3),
            (4, 12, 5),
            (16, 15, 6),
            (1, 11, 7),
            (14, 3, 8),
            (5, 17, 9),
            (10, 7, 10),
            (9, 13, 11),
        ],
    ),
];

/// Five rounds of three tables: too few sets for boards that only go round, so they are placed
/// by hand, and all tables share the last set.
const THREE_TABLES: [[u16; 3]; 5] = [[1, 2, 4], [2, 3, 4], [3, 2, 1], [4, 3, 1], [5, 5, 5]];

/// A Howell is for rooms in which everybody can hear the director; more tables play a Mitchell.
const TABLES_MAX: u16 = 12;

/// The Howell for these tables and boards: the manual's where the boards fit it.
pub(super) fn generate(setup: Setup) -> Result<Movement, Refused> {
    let tables = setup.tables.get();
    let boards = u16::from(setup.boards.get());
    if !(3..=TABLES_MAX).contains(&tables) {
        return Err(Refused::TablesOfHowell {
            tables,
            most: TABLES_MAX,
        });
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
            Refused::BoardsOfHowell {
                boards,
                tables,
                instead: usual * per_round,
                rounds: usual,
                per_round,
            }
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
        return Err(Refused::BoardsOfSmallHowell { boards });
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
    let mut movement = plain(name, Family::Of(Kind::Howell), Lists::One, rounds);
    movement.notes.push(Instruction::AllShareLast);
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
        if let Some((usual, spots)) = guide_card(tables)
            && usual == rounds
        {
            return Some(Self {
                rounds,
                spots: spots.to_vec(),
            });
        }
        LONGER_CARDS
            .iter()
            .find(|(longer, spots)| *longer == rounds && spots.len() == usize::from(tables))
            .map(|(_, spots)| spots.to_vec())
            .or_else(|| search::first_round(tables, rounds))
            .map(|spots| Self { rounds, spots }.balanced())
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
        let mut movement = plain(name, Family::Of(Kind::Howell), Lists::One, rounds);
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
