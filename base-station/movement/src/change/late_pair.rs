//! A pair that comes late, and how each movement makes room for it.

use std::collections::BTreeSet;

use protocol::words::{BoardNumber, PairNumber, RoundNumber, Side};
use serde::{Deserialize, Serialize};

use super::{Change, Renumbered, Revision};
use crate::generate::build::pair;
use crate::generate::mitchell::{Mitchell, family_for};
use crate::{
    BoardSet, Family, Instruction, Kind, Lists, Movement, Outcome, PairId, Refused, Round,
};

/// Standard sessions have about this many boards; of two equally near movements the nearer to it.
const BOARDS_USUAL: u16 = 26;

/// How a late pair can be let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Manner {
    /// In the seats of a phantom or of a pair that has left.
    EmptySeats,
    /// In a Howell: another pair stays at its table for good, and the newcomer takes its card.
    TakesOverACard,
    /// At a table of its own, in the next larger Mitchell.
    NewTable,
    /// As a guest that takes another pair's place each round.
    Guest,
}

impl Manner {
    /// All of them, the best first.
    pub const ALL: [Self; 4] = [
        Self::EmptySeats,
        Self::TakesOverACard,
        Self::NewTable,
        Self::Guest,
    ];
}

impl Movement {
    /// A late pair joins when round `after` is being played or over.
    ///
    /// It fills an empty seat if there is one. In a Howell it takes over pair 2's card, as the
    /// manual has it. In a Mitchell of which only round 1 was played a table is added. Otherwise
    /// it is a guest: each round it takes the place of a pair, another one as far as possible.
    pub fn with_late_pair(&self, after: RoundNumber) -> Result<Revision, Refused> {
        if usize::from(after.get()) >= self.round_count() {
            return Err(Refused::NoRoundLeft);
        }
        Manner::ALL
            .into_iter()
            .find_map(|manner| self.late_pair_in(after, manner))
            .ok_or(Refused::NoWayIn)
    }

    /// The same in one particular manner.
    pub fn with_late_pair_in(
        &self,
        after: RoundNumber,
        manner: Manner,
    ) -> Result<Revision, Refused> {
        self.late_pair_in(after, manner).ok_or(match manner {
            Manner::EmptySeats => Refused::NoEmptySeat,
            Manner::TakesOverACard => Refused::NoCardToTakeOver,
            Manner::NewTable => Refused::NoTableToAdd,
            Manner::Guest => Refused::NoSeatsForAGuest,
        })
    }

    fn late_pair_in(&self, after: RoundNumber, manner: Manner) -> Option<Revision> {
        match manner {
            Manner::EmptySeats => self.fill_empty_seats(usize::from(after.get())),
            Manner::TakesOverACard => self.join_howell(after),
            Manner::NewTable => self.add_mitchell_table(after, false),
            Manner::Guest => self.as_guest(after),
        }
    }

    /// A pair that comes before anybody has played takes the phantom's seats.
    pub fn with_missing_pair(&self) -> Result<Revision, Refused> {
        self.fill_empty_seats(0).ok_or(Refused::SetUpAnew)
    }

    /// A whole table joins a Mitchell of which only round 1 was played.
    pub fn with_late_table(&self, after: RoundNumber) -> Result<Revision, Refused> {
        self.add_mitchell_table(after, true)
            .ok_or(Refused::JoinOneByOne)
    }

    /// The lowest number that no pair of this line has.
    pub(super) fn free_number(&self, line: Option<Side>) -> Option<PairNumber> {
        let taken = self.pairs();
        (1..=PairNumber::MAX.get())
            .filter_map(PairNumber::new)
            .find(|&number| !taken.contains(&PairId { line, number }))
    }

    fn fill_empty_seats(&self, played: usize) -> Option<Revision> {
        let mut movement = self.clone();
        let mut filled = None;
        for round in movement.rounds.iter_mut().skip(played) {
            let mut empty = round
                .seatings
                .iter_mut()
                .filter(|seating| !seating.boards.is_empty())
                .flat_map(|seating| {
                    let half = seating.ns.is_some() != seating.ew.is_some();
                    [
                        (
                            Side::NorthSouth,
                            half && seating.ns.is_none(),
                            &mut seating.ns,
                        ),
                        (
                            Side::EastWest,
                            half && seating.ew.is_none(),
                            &mut seating.ew,
                        ),
                    ]
                })
                .filter(|(_, is_empty, _)| *is_empty);
            let (side, _, seat) = empty.next()?;
            let line = (self.lists == Lists::Two).then_some(side);
            let newcomer = match filled {
                None => PairId {
                    line,
                    number: self.free_number(line)?,
                },
                Some(newcomer) => newcomer,
            };
            if newcomer.line != line {
                return None;
            }
            *seat = Some(newcomer.number);
            filled = Some(newcomer);
        }
        let newcomer = filled?;
        let change = Change {
            what: Some(Outcome::TakesEmptySeats { newcomer }),
            ..Change::default()
        };
        let after = RoundNumber::new(u8::try_from(played.max(1)).ok()?)?;
        self.revised(movement, after, change).ok()
    }

    /// The manual's rule: pair 2 stays where it is and becomes a sitting pair with the next free
    /// number, the newcomer takes over pair 2's card, and whoever is due at the new sitting seat
    /// sits out one round. After later rounds another pair's seat may be the right one.
    fn join_howell(&self, after: RoundNumber) -> Option<Revision> {
        if self.family != Family::Of(Kind::Howell) {
            return None;
        }
        let numbers: BTreeSet<PairNumber> = self.pairs().iter().map(|pair| pair.number).collect();
        let preferred = PairNumber::new(2).filter(|two| numbers.contains(two));
        let others = numbers
            .iter()
            .copied()
            .filter(|&number| Some(number) != preferred);
        preferred
            .into_iter()
            .chain(others)
            .find_map(|stayer| self.join_howell_at(after, stayer))
    }

    fn join_howell_at(&self, after: RoundNumber, stayer: PairNumber) -> Option<Revision> {
        let id = |number| PairId { line: None, number };
        let next_round = after.next()?;
        let seat = self.where_is(id(stayer), after)?;
        // A pair that sits anyway has no card to hand over.
        if self.where_is(id(stayer), next_round)? == seat {
            return None;
        }
        let sitter = self.free_number(None)?;
        let mut movement = self.clone();
        for (index, round) in movement.rounds.iter_mut().enumerate() {
            if index < usize::from(after.get()) {
                rename(round, stayer, sitter);
            } else {
                *round.at_mut(seat.table)?.pair_mut(seat.side) = Some(sitter);
            }
        }
        let change = Change {
            what: Some(Outcome::TakesOverACard {
                stayer,
                after,
                seat,
            }),
            instructions: vec![
                Instruction::OldPairStays {
                    stayer,
                    seat,
                    sitter,
                },
                Instruction::NewPairFollows { stayer, next_round },
                Instruction::DueAtSeatSitsOut { seat },
            ],
            renumbered: vec![Renumbered {
                from: id(stayer),
                to: id(sitter),
            }],
            ..Change::default()
        };
        let mut revision = self.revised(movement, after, change).ok()?;
        // It is still a Howell, and another late pair can join the same way.
        revision.movement.family = Family::Of(Kind::Howell);
        Some(revision)
    }

    /// The manual's rule for a Mitchell after round 1: the next larger Mitchell whose round 1 is
    /// the one that was played. Every table keeps the set it began with, the new table takes the
    /// lowest unused set, the bye-stand the highest, and what is left over is taken away.
    fn add_mitchell_table(&self, after: RoundNumber, whole: bool) -> Option<Revision> {
        let mitchell = matches!(
            self.family,
            Family::Of(Kind::Mitchell)
                | Family::ShareAndRelay
                | Family::FeedInMitchell
                | Family::SkipMitchell
        );
        if !mitchell || after != RoundNumber::FIRST || self.sitting_out(after).len() > 1 {
            return None;
        }
        let tables = u16::try_from(self.table_count()).ok()? + 1;
        let per_round = u8::try_from(self.boards_per_round()).ok()?;
        let sets = u16::try_from(self.board_sets().len()).ok()?;
        let boards = |sets: u16| sets * u16::from(per_round);
        let mut sizes: Vec<u16> = (tables..=sets + 4).collect();
        sizes.sort_by_key(|&size| {
            let from_usual = boards(size).abs_diff(BOARDS_USUAL);
            (size.abs_diff(sets), from_usual, size)
        });
        sizes.into_iter().find_map(|size| {
            let family = family_for(tables, size, per_round, None)?;
            let plan = Mitchell {
                tables,
                sets: size,
                per_round,
                family,
            };
            self.as_larger_mitchell(plan, after, whole)
        })
    }

    fn as_larger_mitchell(
        &self,
        plan: Mitchell,
        after: RoundNumber,
        whole: bool,
    ) -> Option<Revision> {
        let mut movement = plan.write();
        let relabelled = self.sets_for(plan, &movement)?;
        let relabel = |set: &BoardSet| -> Option<BoardSet> {
            let number = set.lowest()?.get().div_ceil(plan.per_round);
            relabelled.get(usize::from(number) - 1).cloned()
        };
        for seating in movement
            .rounds
            .iter_mut()
            .flat_map(|round| &mut round.seatings)
        {
            seating.boards = relabel(&seating.boards)?;
        }
        for set in movement
            .layout
            .bye_stands
            .iter_mut()
            .flat_map(|stand| &mut stand.boards)
            .chain(
                movement
                    .layout
                    .feed_ins
                    .iter_mut()
                    .flat_map(|stack| &mut stack.boards),
            )
        {
            *set = relabel(set)?;
        }
        let newcomer = plan.tables;
        if whole {
            // Nobody has played at the new table in round 1.
            movement.rounds.first_mut()?.seatings.last_mut()?.boards = BoardSet::default();
        } else {
            let phantom = PairId {
                line: Some(Side::NorthSouth),
                number: pair(newcomer)?,
            };
            movement = movement.without_pair(phantom).ok()?;
        }
        let table = newcomer;
        let mut instructions = vec![if whole {
            Instruction::TableBeginsLater { table }
        } else {
            Instruction::LatePairSits { table }
        }];
        instructions.extend(movement.instructions());
        let family = movement.family;
        let change = Change {
            what: Some(Outcome::Becomes {
                name: movement.name.clone(),
            }),
            instructions,
            ..Change::default()
        };
        let mut revision = self.revised(movement, after, change).ok()?;
        revision.movement.family = family;
        let kept = self.rounds.first()?.seatings.iter();
        let same = kept
            .zip(&revision.movement.rounds.first()?.seatings)
            .all(|(old, new)| (old.ns, old.ew, &old.boards) == (new.ns, new.ew, &new.boards));
        same.then_some(revision)
    }

    /// Which boards each set of the plan stands for, so that round 1 is as it was played.
    fn sets_for(&self, plan: Mitchell, movement: &Movement) -> Option<Vec<BoardSet>> {
        let mut sets: Vec<Option<BoardSet>> = vec![None; usize::from(plan.sets)];
        let began = &self.rounds.first()?.seatings;
        for (here, seating) in (1..plan.tables).zip(began) {
            let slot = sets.get_mut(usize::from(plan.first_set(here)) - 1)?;
            if slot.as_ref().is_some_and(|set| *set != seating.boards) {
                return None;
            }
            *slot = Some(seating.boards.clone());
        }
        let mut spare: Vec<BoardSet> = self
            .board_sets()
            .into_iter()
            .filter(|set| began.iter().all(|seating| seating.boards != *set))
            .collect();
        let wanted = sets.iter().filter(|slot| slot.is_none()).count();
        let mut next = self.boards().last()?.get();
        while spare.len() < wanted {
            let first = BoardNumber::new(next.checked_add(1)?)?;
            next = next.checked_add(plan.per_round)?;
            spare.push(BoardSet::range(first, BoardNumber::new(next)?));
        }
        spare.truncate(wanted);
        // The bye-stand has the highest one, so that it can be taken away again.
        let stand = movement.layout.bye_stands.first();
        if let Some(set) = stand.and_then(|stand| stand.boards.first()?.lowest()) {
            let index = usize::from(set.get().div_ceil(plan.per_round)) - 1;
            if sets.get(index)?.is_none() {
                sets[index] = spare.pop();
            }
        }
        let mut spare = spare.into_iter();
        for slot in sets.iter_mut().filter(|slot| slot.is_none()) {
            *slot = spare.next();
        }
        sets.into_iter().collect()
    }
}

/// Gives a pair another number in one round.
fn rename(round: &mut Round, from: PairNumber, to: PairNumber) {
    for seating in &mut round.seatings {
        for side in Side::BOTH {
            let seat = seating.pair_mut(side);
            if *seat == Some(from) {
                *seat = Some(to);
            }
        }
    }
}
