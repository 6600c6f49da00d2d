//! Changing the movement in mid-session: what is played stays, what is to come is rewritten.
//!
//! Every change gives a [`Revision`]: the new movement, and a preview of what changes for whom.
//! A revision is only given when the new movement is sound from the first round to the last.

mod guest;
mod late_pair;
mod repair;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fmt;

use protocol::words::{BoardNumber, RoundNumber, Side, TableNumber};
use serde::{Deserialize, Serialize};

use super::{Family, Instruction, Movement, Outcome, PairId, Place, Refused};

pub use late_pair::Manner;
pub use repair::RelayMistake;

/// A pair that goes by another number from now on, in rounds already played, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Renumbered {
    /// Its number until now.
    pub from: PairId,
    /// Its number from now on.
    pub to: PairId,
}

/// A pair that sits elsewhere than it was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moved {
    /// When.
    pub round: RoundNumber,
    /// Who, by its new number.
    pub pair: PairId,
    /// Where it would have been; nowhere for a pair that sat out or was not there.
    pub before: Option<Place>,
    /// Where it is now; nowhere for a pair that sits out or has left.
    pub after: Option<Place>,
}

/// A table with other boards than planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherBoards {
    /// When.
    pub round: RoundNumber,
    /// Where.
    pub table: TableNumber,
}

/// The preview of a change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// What it comes to; nothing where somebody else says it.
    pub what: Option<Outcome>,
    /// What the director does in the room, in order.
    pub instructions: Vec<Instruction>,
    /// Pairs that get another number.
    pub renumbered: Vec<Renumbered>,
    /// Pairs that sit elsewhere, round by round.
    pub moved: Vec<Moved>,
    /// Tables with other boards, round by round.
    pub other_boards: Vec<OtherBoards>,
    /// Boards that come into play.
    pub boards_added: BTreeSet<BoardNumber>,
    /// Boards that are taken away unplayed.
    pub boards_removed: BTreeSet<BoardNumber>,
    /// Rounds before and after the change.
    pub rounds: (usize, usize),
}

/// A changed movement with its preview.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revision {
    /// The movement from the first round to the last, as it was played and will be.
    pub movement: Movement,
    /// What is different.
    pub change: Change,
}

impl Movement {
    /// A pair goes home after `after`; its seats stay empty from then on.
    pub fn with_withdrawn_pair(
        &self,
        pair: PairId,
        after: RoundNumber,
    ) -> Result<Revision, Refused> {
        let gone = self.without_pair(pair)?;
        let mut movement = self.clone();
        for (index, round) in gone.rounds.into_iter().enumerate() {
            if index >= usize::from(after.get()) {
                movement.rounds[index] = round;
            }
        }
        self.revised(
            movement,
            after,
            Change {
                what: Some(Outcome::PairLeaves { pair, after }),
                instructions: vec![Instruction::OpponentsSitOut { pair }],
                ..Change::default()
            },
        )
    }

    /// Both pairs of a table go home, so that the table stands idle where they would have sat.
    pub fn with_table_removed(
        &self,
        table: TableNumber,
        after: RoundNumber,
    ) -> Result<Revision, Refused> {
        let pairs: Vec<PairId> = Side::BOTH
            .into_iter()
            .filter_map(|side| {
                let number = self.seating(after, table)?.pair(side)?;
                Some(self.pair_id(side, number))
            })
            .collect();
        let what = match pairs[..] {
            [one, other, ..] => Outcome::PairsLeaveTable {
                table,
                one,
                other,
                after,
            },
            [pair] => Outcome::OnePairLeavesTable { table, pair, after },
            [] => {
                return Err(Refused::NobodySitsThere {
                    table,
                    round: after,
                });
            }
        };
        let mut movement = self.clone();
        for &pair in &pairs {
            movement = movement.with_withdrawn_pair(pair, after)?.movement;
        }
        self.revised(
            movement,
            after,
            Change {
                what: Some(what),
                ..Change::default()
            },
        )
    }

    /// The session ends after `last` instead of running its full length.
    pub fn cut_short(&self, last: RoundNumber, after: RoundNumber) -> Result<Revision, Refused> {
        let rounds = usize::from(last.get());
        if last < after || rounds >= self.round_count() {
            return Err(Refused::CannotBeLast {
                last,
                first: after,
                until: self.round_count().saturating_sub(1),
            });
        }
        let mut movement = self.clone();
        movement.rounds.truncate(rounds);
        self.revised(
            movement,
            after,
            Change {
                what: Some(Outcome::LastRound { last }),
                ..Change::default()
            },
        )
    }

    /// Puts a changed movement and its preview together, and refuses what cannot be played or
    /// would rewrite a round that was.
    fn revised(
        &self,
        mut movement: Movement,
        after: RoundNumber,
        mut change: Change,
    ) -> Result<Revision, Refused> {
        if usize::from(after.get()) > self.round_count() {
            return Err(Refused::TooFewRounds {
                rounds: self.round_count(),
                after,
            });
        }
        let known = self.faults();
        if let Some(fault) = movement
            .faults()
            .into_iter()
            .find(|fault| !known.contains(fault))
        {
            return Err(Refused::NotPlayable { fault });
        }
        if movement.rounds != self.rounds && movement.family == self.family {
            let cut_only = self.rounds.starts_with(&movement.rounds);
            if !cut_only {
                movement.family = Family::Custom;
            }
        }
        self.compare(&movement, &mut change);
        Ok(Revision { movement, change })
    }

    /// Adds to a change how another movement differs from this one, round by round.
    pub fn compare(&self, new: &Movement, change: &mut Change) {
        change.rounds = (self.round_count(), new.round_count());
        change.boards_added = new.boards().difference(&self.boards()).copied().collect();
        change.boards_removed = self.boards().difference(&new.boards()).copied().collect();
        let renumbered = change.renumbered.clone();
        let new_name = |pair: PairId| {
            renumbered
                .iter()
                .find(|entry| entry.from == pair)
                .map_or(pair, |entry| entry.to)
        };
        for (number, round) in new.numbered_rounds() {
            let Some(old) = self.round(number) else {
                continue;
            };
            let before: Vec<(PairId, Place)> = self
                .seated(old)
                .map(|(pair, place)| (new_name(pair), place))
                .collect();
            let after: Vec<(PairId, Place)> = new.seated(round).collect();
            let names: BTreeSet<PairId> =
                before.iter().chain(&after).map(|(pair, _)| *pair).collect();
            let place_in = |places: &[(PairId, Place)], pair: PairId| {
                places
                    .iter()
                    .find(|(seated, _)| *seated == pair)
                    .map(|(_, place)| *place)
            };
            for pair in names {
                let (before, after) = (place_in(&before, pair), place_in(&after, pair));
                if before != after {
                    change.moved.push(Moved {
                        round: number,
                        pair,
                        before,
                        after,
                    });
                }
            }
            for (table, seating) in round.tables() {
                if old
                    .at(table)
                    .is_some_and(|old| old.boards != seating.boards)
                {
                    change.other_boards.push(OtherBoards {
                        round: number,
                        table,
                    });
                }
            }
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(what) = &self.what {
            writeln!(f, "{what}")?;
        }
        for line in &self.instructions {
            writeln!(f, "- {line}")?;
        }
        for entry in &self.renumbered {
            writeln!(
                f,
                "Pair {} is pair {} from now on, its earlier results too.",
                entry.from, entry.to
            )?;
        }
        let nowhere = |place: Option<Place>| {
            place.map_or_else(|| "sitting out".to_owned(), |place| place.to_string())
        };
        for moved in &self.moved {
            writeln!(
                f,
                "Round {}: pair {} {} (was {}).",
                moved.round,
                moved.pair,
                nowhere(moved.after),
                nowhere(moved.before)
            )?;
        }
        Ok(())
    }
}
