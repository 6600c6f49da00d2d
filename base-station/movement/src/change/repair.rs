//! Mistakes in the room that the manual knows how to put right.

use protocol::words::RoundNumber;
use serde::{Deserialize, Serialize};

use super::{Change, Revision};
use crate::generate::build::{around, pair, round, table};
use crate::{BoardSet, Family, Instruction, Movement, Outcome, Refused, Share};

/// Where the bye-stand of a share-and-relay was put by mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RelayMistake {
    /// One table too low.
    TooLow,
    /// One table too high.
    TooHigh,
}

impl Movement {
    /// The sets of a share-and-relay in the order of the row: where each table's boards come from.
    fn row_of_sets(&self) -> Option<(u16, Vec<BoardSet>)> {
        let tables = u16::try_from(self.table_count()).ok()?;
        let whole =
            self.family == Family::ShareAndRelay && self.round_count() == usize::from(tables);
        // Table 1 sees the whole row.
        let row = self
            .rounds
            .iter()
            .map(|round| round.seatings.first().map(|seating| seating.boards.clone()))
            .collect::<Option<Vec<_>>>()?;
        whole.then_some((tables, row))
    }

    /// The same Mitchell with the highest boards on its bye-stand, so that every table begins with
    /// the set of its own number and a late pair finds its boards without relabelling.
    pub fn with_highest_boards_resting(&self) -> Self {
        let resting = self
            .layout
            .bye_stands
            .first()
            .and_then(|stand| stand.boards.first().cloned());
        let sets = self.board_sets();
        let relabel = |set: &BoardSet| {
            let index = sets.iter().position(|known| known == set)?;
            let rested = sets
                .iter()
                .position(|known| Some(known) == resting.as_ref())?;
            let label = match index.cmp(&rested) {
                std::cmp::Ordering::Less => index,
                std::cmp::Ordering::Equal => sets.len() - 1,
                std::cmp::Ordering::Greater => index - 1,
            };
            sets.get(label).cloned()
        };
        let mut movement = self.clone();
        let tables = movement
            .rounds
            .iter_mut()
            .flat_map(|round| &mut round.seatings);
        let stands = movement
            .layout
            .bye_stands
            .iter_mut()
            .flat_map(|stand| &mut stand.boards);
        let stacks = movement
            .layout
            .feed_ins
            .iter_mut()
            .flat_map(|stack| &mut stack.boards);
        for set in tables
            .map(|seating| &mut seating.boards)
            .chain(stands)
            .chain(stacks)
        {
            if let Some(label) = relabel(set) {
                *set = label;
            }
        }
        movement
    }

    /// The bye-stand stood one table out until round `tables / 2 + 1`, in which it is noticed.
    ///
    /// The rounds before come out as they were really played.
    pub fn with_relay_put_right(&self, mistake: RelayMistake) -> Result<Revision, Refused> {
        let (tables, row) = self.row_of_sets().ok_or(Refused::NoByeStandToPutRight)?;
        let half = tables / 2;
        let set = |number: u16| row[usize::from(around(i32::from(number), tables)) - 1].clone();
        let mut movement = self.clone();
        let (wrong_table, sharer) = match mistake {
            RelayMistake::TooLow => (half, tables),
            RelayMistake::TooHigh => (half + 1, 1),
        };
        for number in 1..=tables {
            let Some(seatings) = movement.rounds.get_mut(usize::from(number) - 1) else {
                continue;
            };
            let seatings = &mut seatings.seatings;
            if number <= half {
                // What the table beside the misplaced stand really had.
                let had = match mistake {
                    RelayMistake::TooLow => wrong_table + 1,
                    RelayMistake::TooHigh => wrong_table,
                };
                seatings[usize::from(wrong_table) - 1].boards = set(had + number - 1);
                continue;
            }
            let shared_set = match mistake {
                RelayMistake::TooLow => number + tables - 1,
                RelayMistake::TooHigh => number + 1,
            };
            seatings[usize::from(sharer) - 1].boards = set(shared_set);
            let swap_round = match mistake {
                RelayMistake::TooLow => half + 1,
                RelayMistake::TooHigh => tables,
            };
            if number == swap_round {
                seatings[usize::from(sharer) - 1].ns = pair(wrong_table);
                seatings[usize::from(wrong_table) - 1].ns = pair(sharer);
            }
        }
        let (stand, partner) = match mistake {
            RelayMistake::TooLow => (Instruction::StandUp, tables - 1),
            RelayMistake::TooHigh => (Instruction::StandDown, 2),
        };
        movement.layout.shares = vec![Share {
            tables: (table(sharer.min(partner)), table(sharer.max(partner))),
        }];
        let (one, other) = (sharer, wrong_table);
        let swap = match mistake {
            RelayMistake::TooLow => Instruction::ChangePlacesNow { one, other },
            RelayMistake::TooHigh => Instruction::ChangePlacesAtTheEnd { one, other },
        };
        let change = Change {
            what: Some(Outcome::ByeStandPutRight),
            instructions: vec![
                stand,
                Instruction::ExchangeStandBoards { table: wrong_table },
                swap,
                Instruction::SharesInstead {
                    table: sharer,
                    with: partner,
                },
            ],
            ..Change::default()
        };
        self.revised(movement, round(half), change)
    }

    /// East-West skipped after round `skipped` instead of half-way.
    ///
    /// Too early: they stay for one round later on, so that they catch the boards they jumped.
    /// Too late: what was played between was boards they had had, and does not count.
    pub fn with_skip_made_after(&self, skipped: RoundNumber) -> Result<Revision, Refused> {
        let tables = u16::try_from(self.table_count()).unwrap_or(u16::MAX);
        if self.family != Family::SkipMitchell || self.round_count() != usize::from(tables) {
            return Err(Refused::NoSkipToPutRight);
        }
        let (half, made) = (tables / 2, u16::from(skipped.get()));
        if made == half || made >= tables {
            return Err(Refused::SkipBelongsThere { half, tables });
        }
        let mut movement = self.clone();
        for (number, round) in (1..=tables).zip(&mut movement.rounds) {
            // How many tables East-West are above the one they began at.
            let up = if made < half {
                number - 1 + u16::from(number > made) - u16::from(number > made + half)
            } else {
                number - 1 + u16::from(number > made)
            };
            for (here, seating) in (1..=tables).zip(&mut round.seatings) {
                let began = around(i32::from(here) - i32::from(up), tables);
                seating.ew = seating.ew.and(pair(began));
                if number > half && number <= made {
                    seating.boards = BoardSet::default();
                }
            }
        }
        movement.special = None;
        let (what, instructions) = if made < half {
            let round = made + half;
            let stay = vec![Instruction::StayOnce { round }];
            (Outcome::SkipTooEarly { made }, stay)
        } else {
            let played = Instruction::PlayedBefore {
                first: half + 1,
                last: made,
            };
            let up = Instruction::GoUpTwo { round: made };
            (Outcome::SkipTooLate { made }, vec![up, played])
        };
        let change = Change {
            what: Some(what),
            instructions,
            ..Change::default()
        };
        self.revised(movement, skipped, change)
    }
}
