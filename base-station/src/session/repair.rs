//! Putting a movement right while it is being played: which repairs there are, and what each of
//! them makes of a section. The rules are the movement library's; here they meet what is in.

use std::collections::BTreeSet;

use protocol::words::{PairNumber, RoundNumber, SectionLetter, TableNumber};
use serde::{Deserialize, Serialize};

use super::kept_words::kept_outcome;
use super::plan::Sitting;
use super::{Cell, Event, PairId, Phase, Refused, Section, Session};
use crate::checks::doctor::recognised;
use crate::movement::change::{Change, Manner, RelayMistake, Revision};
use crate::movement::{
    self, Family, Instruction, Layout, Lists, Movement, Outcome, Round, Seating,
};
use telling::{Told, tell};

/// What has to change. Rounds that are left out are the first one that nobody has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Repair {
    /// A pair that comes late.
    LatePair {
        /// The first round it plays.
        from: Option<RoundNumber>,
        /// How it is let in; the best way there is where it is left out.
        manner: Option<Manner>,
    },
    /// Two pairs that come late and have a table to themselves.
    LateTable {
        /// The first round it plays.
        from: Option<RoundNumber>,
    },
    /// A pair that goes home.
    PairLeaves {
        /// Which.
        pair: PairId,
        /// The first round it does not play.
        from: Option<RoundNumber>,
    },
    /// The pairs that have sat at a table go home.
    TableLeaves {
        /// Which table.
        table: TableNumber,
        /// The first round they do not play.
        from: Option<RoundNumber>,
    },
    /// Fewer rounds than planned.
    CutShort {
        /// The last round that is played.
        last: RoundNumber,
    },
    /// The bye-stand of a share-and-relay stood one table out.
    ByeStandOut {
        /// Which way.
        mistake: RelayMistake,
    },
    /// East-West skipped at the wrong time, or will.
    SkipMade {
        /// After this round.
        after: RoundNumber,
    },
}

/// A repair that could be made now, or why not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RepairChoice {
    /// What the page sends to preview or apply it.
    pub repair: Repair,
    /// What would change, in one sentence; or why it can't be done.
    pub sentence: Told,
    /// Whether it can be done.
    pub possible: bool,
}

/// A revised movement, and since when it holds.
struct Revised {
    revision: Revision,
    /// The first round that nobody may have begun; `None` where rounds come out as they really
    /// were played.
    ahead_from: Option<RoundNumber>,
    /// What is said of it in the movement's name.
    remark: String,
}

impl Session {
    /// The first round that nobody has begun in a section.
    pub fn first_free_round(&self, section: SectionLetter) -> RoundNumber {
        let begun = self
            .lines
            .iter()
            .filter(|(cell, line)| cell.section == section && line.is_in())
            .map(|(cell, _)| cell.round)
            .max();
        let begun = begun.max(self.clock.map(|clock| clock.round));
        begun.map_or(RoundNumber::FIRST, |round| round.next().unwrap_or(round))
    }

    /// The repairs that need nothing but a click, with what each would do.
    pub fn repairs(&self, letter: SectionLetter) -> Vec<RepairChoice> {
        let late = Manner::ALL.map(|manner| Repair::LatePair {
            from: None,
            manner: Some(manner),
        });
        let stands = [RelayMistake::TooLow, RelayMistake::TooHigh]
            .map(|mistake| Repair::ByeStandOut { mistake });
        let room = self.room_round();
        let skips = [RoundNumber::new(room.get() - 1), Some(room)]
            .into_iter()
            .flatten()
            .map(|after| Repair::SkipMade { after });
        late.into_iter()
            .chain([Repair::LateTable { from: None }])
            .chain(stands)
            .chain(skips)
            .map(|repair| match self.revised_by(letter, repair) {
                Ok(Event::MovementRevised { what, .. }) => RepairChoice {
                    repair,
                    sentence: kept_outcome(&what),
                    possible: true,
                },
                Ok(_) => RepairChoice {
                    repair,
                    sentence: Told::nothing(),
                    possible: false,
                },
                Err(refused) => RepairChoice {
                    repair,
                    sentence: refused.0,
                    possible: false,
                },
            })
            .collect()
    }

    /// The event that a repair leads to, without a reason yet.
    pub(super) fn revised_by(
        &self,
        letter: SectionLetter,
        repair: Repair,
    ) -> Result<Event, Refused> {
        let section = self
            .sections
            .get(&letter)
            .ok_or_else(|| Refused::because(tell!(Refused::ThereNoSection { section: letter })))?;
        if self.phase == Phase::SettingUp {
            return Err(Refused::because(tell!(Refused::SessionNotOpenYet)));
        }
        let old = section.as_movement();
        let revised = self.revision(letter, &old, repair)?;
        let name = if revised.revision.movement.name == old.name {
            format!("{}, {}", section.movement, revised.remark)
        } else {
            revised.revision.movement.name.clone()
        };
        let sittings = section.sittings_of(&revised.revision.movement);
        if let Some(from) = revised.ahead_from {
            self.nobody_has_begun(letter, from, &sittings)?;
        }
        let gone = match repair {
            Repair::PairLeaves { .. } | Repair::TableLeaves { .. } => {
                gone_home(letter, &old, &revised)
            }
            _ => Vec::new(),
        };
        let change = revised.revision.change;
        let mut event = self.revised_to(letter, section, name, sittings, change);
        if let Event::MovementRevised { gone: pairs, .. } = &mut event {
            *pairs = gone;
        }
        Ok(event)
    }

    /// The event that replaces a section's sittings.
    pub(super) fn revised_to(
        &self,
        letter: SectionLetter,
        section: &Section,
        movement: String,
        sittings: Vec<Sitting>,
        change: Change,
    ) -> Event {
        let from = first_difference(section, &sittings, &change);
        let id = |pair: movement::PairId| PairId {
            section: letter,
            side: pair.line,
            number: pair.number,
        };
        Event::MovementRevised {
            section: letter,
            from,
            not_played: self.without_boards(letter, section, &sittings),
            gone: Vec::new(),
            movement,
            sittings,
            renumbered: change
                .renumbered
                .iter()
                .map(|entry| (id(entry.from), id(entry.to)))
                .collect(),
            what: change
                .what
                .map_or_else(String::new, |what| what.to_string()),
            instructions: change
                .instructions
                .iter()
                .map(ToString::to_string)
                .collect(),
            why: String::new(),
        }
    }

    /// Results at tables that had boards in a round and have none there any more.
    fn without_boards(
        &self,
        letter: SectionLetter,
        section: &Section,
        sittings: &[Sitting],
    ) -> Vec<Cell> {
        let emptied = |cell: &Cell| {
            let had = section.sittings.get(&(cell.table, cell.round));
            had.is_some_and(|had| !had.boards.is_empty())
                && sittings.iter().any(|new| {
                    (new.table, new.round) == (cell.table, cell.round) && new.boards.is_empty()
                })
        };
        self.lines
            .iter()
            .filter(|(cell, line)| cell.section == letter && line.is_in() && emptied(cell))
            .map(|(cell, _)| *cell)
            .collect()
    }

    fn revision(
        &self,
        letter: SectionLetter,
        old: &Movement,
        repair: Repair,
    ) -> Result<Revised, Refused> {
        let begin = |from: Option<RoundNumber>| {
            let from = from.unwrap_or_else(|| self.first_free_round(letter));
            (from, RoundNumber::new(from.get() - 1))
        };
        let (revision, ahead_from, remark) = match repair {
            Repair::LatePair { from, manner } => {
                let (from, after) = begin(from);
                let revision = match (after, manner) {
                    (None, _) => old.with_missing_pair(),
                    (Some(after), None) => old.with_late_pair(after),
                    (Some(after), Some(manner)) => old.with_late_pair_in(after, manner),
                };
                (revision, Some(from), "with a late pair".to_owned())
            }
            Repair::LateTable { from } => {
                let (from, after) = begin(from);
                let revision = old.with_late_table(after.unwrap_or(RoundNumber::FIRST));
                (revision, Some(from), "with a late table".to_owned())
            }
            Repair::PairLeaves { pair, from } => {
                let (from, after) = begin(from);
                let revision = leaves(old, pair, from, after)?;
                let remark = format!("without pair {}", pair.number);
                (revision, Some(from), remark)
            }
            Repair::TableLeaves { table, from } => {
                let (from, after) = begin(from);
                let after =
                    after.ok_or_else(|| Refused::because(tell!(Refused::NobodyPlayedYetSet)))?;
                let revision = old.with_table_removed(table, after);
                let remark = format!("without the pairs of table {table}");
                (revision, Some(from), remark)
            }
            Repair::CutShort { last } => {
                let from = last
                    .next()
                    .filter(|from| usize::from(from.get()) <= old.round_count());
                let from = from.ok_or_else(|| {
                    Refused::because(tell!(Refused::SectionEndsWithRound {
                        letter,
                        round: old.round_count()
                    }))
                })?;
                let revision = old.cut_short(last, last);
                (revision, Some(from), format!("{last} rounds"))
            }
            Repair::ByeStandOut { mistake } => (
                old.with_relay_put_right(mistake),
                None,
                "bye-stand put right".to_owned(),
            ),
            Repair::SkipMade { after } => (
                old.with_skip_made_after(after),
                None,
                format!("skip after round {after}"),
            ),
        };
        Ok(Revised {
            revision: revision?,
            ahead_from,
            remark,
        })
    }

    /// What is in stays: a round can't be changed at a table that has begun it.
    fn nobody_has_begun(
        &self,
        letter: SectionLetter,
        from: RoundNumber,
        sittings: &[Sitting],
    ) -> Result<(), Refused> {
        let begun = self.lines.iter().find(|(cell, line)| {
            let as_before = || {
                let now = self.sitting(cell.table_id(), cell.round);
                let new = sittings
                    .iter()
                    .find(|new| (new.table, new.round) == (cell.table, cell.round));
                now == new
            };
            cell.section == letter && cell.round >= from && line.is_in() && !as_before()
        });
        match begun {
            None => Ok(()),
            Some((cell, _)) => Err(Refused::because(tell!(Refused::ResultRoundBegun { cell }))),
        }
    }
}

/// The first round in which anybody does something else than known, whatever their numbers are.
fn first_difference(section: &Section, sittings: &[Sitting], change: &Change) -> RoundNumber {
    let renumbered = |number: Option<PairNumber>| {
        let entry = change
            .renumbered
            .iter()
            .find(|entry| Some(entry.from.number) == number);
        entry.map_or(number, |entry| Some(entry.to.number))
    };
    let differs = |new: &&Sitting| match section.sittings.get(&(new.table, new.round)) {
        Some(old) => {
            let old = Sitting {
                ns: renumbered(old.ns),
                ew: renumbered(old.ew),
                ..old.clone()
            };
            old != **new
        }
        // A table that did not exist and plays nothing makes no difference.
        None => new.is_played(),
    };
    let changed = sittings.iter().filter(differs).map(|sitting| sitting.round);
    let known = sittings
        .iter()
        .map(|sitting| (sitting.table, sitting.round));
    let known: BTreeSet<_> = known.collect();
    let gone = section.sittings.keys().filter(|key| !known.contains(*key));
    let gone = gone.map(|(_, round)| *round);
    changed.chain(gone).min().unwrap_or(RoundNumber::FIRST)
}

/// The pairs that had rounds to play and have none any more, by their new numbers.
fn gone_home(letter: SectionLetter, old: &Movement, revised: &Revised) -> Vec<PairId> {
    let new = &revised.revision.movement;
    let from = revised.ahead_from.unwrap_or(RoundNumber::FIRST);
    let plays = |movement: &Movement, pair: movement::PairId| {
        movement
            .numbered_rounds()
            .any(|(round, _)| round >= from && movement.where_is(pair, round).is_some())
    };
    let renumbered = |pair: movement::PairId| {
        let mut entries = revised.revision.change.renumbered.iter();
        let entry = entries.find(|entry| entry.from == pair);
        entry.map_or(pair, |entry| entry.to)
    };
    let gone = old.pairs().into_iter();
    gone.filter(|pair| plays(old, *pair) && !plays(new, renumbered(*pair)))
        .map(renumbered)
        .map(|pair| PairId {
            section: letter,
            side: pair.line,
            number: pair.number,
        })
        .collect()
}

/// A pair goes home before a round that may be the first one.
fn leaves(
    old: &Movement,
    pair: PairId,
    from: RoundNumber,
    after: Option<RoundNumber>,
) -> Result<Result<Revision, movement::Refused>, Refused> {
    let id = movement::PairId {
        line: pair.side,
        number: pair.number,
    };
    let plays = old
        .numbered_rounds()
        .any(|(round, _)| round >= from && old.where_is(id, round).is_some());
    if !plays {
        return Err(Refused::because(tell!(Refused::PairDoesNotPlayFrom {
            pair,
            from
        })));
    }
    Ok(match after {
        Some(after) => old.with_withdrawn_pair(id, after),
        None => old.without_pair(id).map(|movement| {
            let mut change = Change {
                what: Some(Outcome::PairDoesNotPlay { pair: id }),
                instructions: vec![Instruction::OpponentsSitOut { pair: id }],
                ..Change::default()
            };
            old.compare(&movement, &mut change);
            Revision { movement, change }
        }),
    })
}

impl Section {
    /// The section's schedule as the movement library knows it, recognised by its rounds.
    pub fn as_movement(&self) -> Movement {
        let tables = self.tables().map(|table| usize::from(table.get())).max();
        let empty = Round {
            seatings: vec![Seating::default(); tables.unwrap_or(0)],
        };
        let mut rounds = vec![empty; usize::from(self.last_round().get())];
        for sitting in self.sittings.values() {
            let seat = rounds
                .get_mut(usize::from(sitting.round.get()) - 1)
                .and_then(|round| round.at_mut(sitting.table));
            if let Some(seat) = seat {
                seat.ns = sitting.ns;
                seat.ew = sitting.ew;
                seat.boards = sitting.boards.clone();
                seat.copy = 1;
            }
        }
        recognised(Movement {
            name: self.movement.clone(),
            family: Family::Custom,
            lists: if self.one_winner {
                Lists::One
            } else {
                Lists::Two
            },
            rounds,
            layout: Layout::default(),
            special: None,
            notes: Vec::new(),
        })
    }

    /// A movement as this section's sittings. Chairs that were exchanged stay so.
    pub(super) fn sittings_of(&self, movement: &Movement) -> Vec<Sitting> {
        let switched = |table: TableNumber, round: RoundNumber| {
            let here = self.sittings.get(&(table, round));
            let in_round = || {
                let mut there = self.sittings.values().filter(|it| it.round == round);
                there.next().is_some_and(|first| {
                    first.arrow_switched && there.all(|other| other.arrow_switched)
                })
            };
            here.map_or_else(in_round, |here| here.arrow_switched)
        };
        let seatings = movement.seatings();
        seatings
            .map(|at| Sitting {
                arrow_switched: switched(at.1, at.0),
                ..Sitting::planned(at)
            })
            .collect()
    }
}
