//! A late pair for which no seat is free: each round it is a guest in another pair's place.

use std::collections::BTreeSet;

use protocol::words::{BoardNumber, PairNumber, RoundNumber, Side, TableNumber};

use super::{Change, Revision};
use crate::{Instruction, Lists, Movement, Outcome, PairId, Round, Seating};

impl Movement {
    /// Nobody else's movement changes: the newcomer takes the place of a pair each round, plays no
    /// board twice, meets nobody and displaces nobody more often than need be, and sits out as
    /// little as possible.
    pub(super) fn as_guest(&self, after: RoundNumber) -> Option<Revision> {
        // With two lists the guest joins East-West, who are used to moving.
        let (line, sides): (_, &[Side]) = match self.lists {
            Lists::One => (None, &Side::BOTH),
            Lists::Two => (Some(Side::EastWest), &[Side::EastWest]),
        };
        let newcomer = PairId {
            line,
            number: self.free_number(line)?,
        };
        let rounds = self.rounds.get(usize::from(after.get())..)?;
        let visits = LENIENCES.into_iter().find_map(|lenience| {
            let mut search = Search {
                rounds,
                sides,
                lenience,
                visits: Vec::new(),
                boards: BTreeSet::new(),
                sit_outs: lenience.sit_outs,
                steps_left: SEARCH_STEPS_MAX,
            };
            search.seat(0).then_some(search.visits)
        })?;
        let mut movement = self.clone();
        let mut instructions = Vec::new();
        for visit in &visits {
            let index = usize::from(after.get()) + visit.index;
            let seating = movement.rounds.get_mut(index)?.at_mut(visit.table)?;
            *seating.pair_mut(visit.side) = Some(newcomer.number);
            let displaced = PairId {
                line,
                number: visit.displaced,
            };
            instructions.push(Instruction::GuestSits {
                round: index + 1,
                side: visit.side,
                table: visit.table,
                displaced,
            });
        }
        let change = Change {
            what: Some(Outcome::Guest { newcomer }),
            instructions,
            ..Change::default()
        };
        self.revised(movement, after, change).ok()
    }
}

/// A round of the late pair in another pair's seats.
#[derive(Clone, Copy, Debug)]
struct Visit {
    /// The round, counted from 0 for the first that the guest plays.
    index: usize,
    table: TableNumber,
    side: Side,
    displaced: PairNumber,
    opponents: PairNumber,
}

/// What a search for seats puts up with.
#[derive(Clone, Copy, Debug)]
struct Lenience {
    /// How often the guest may meet one pair.
    meetings: u8,
    /// How often one pair may be displaced.
    displacements: u8,
    /// How many rounds the guest may sit out.
    sit_outs: u8,
}

const fn lenience(meetings: u8, displacements: u8, sit_outs: u8) -> Lenience {
    Lenience {
        meetings,
        displacements,
        sit_outs,
    }
}

/// From what everybody would like to what can still be called a game. Movements with more rounds
/// than tables, and many of an even number of tables, have no perfect seats for a guest.
const LENIENCES: [Lenience; 7] = [
    lenience(1, 1, 0),
    lenience(2, 1, 0),
    lenience(2, 2, 0),
    lenience(1, 1, 1),
    lenience(2, 2, 1),
    lenience(2, 2, 2),
    lenience(3, 3, 2),
];

/// Far more than any real movement needs; a hopeless one gives up in milliseconds.
const SEARCH_STEPS_MAX: u32 = 200_000;

struct Search<'a> {
    rounds: &'a [Round],
    sides: &'a [Side],
    lenience: Lenience,
    visits: Vec<Visit>,
    boards: BTreeSet<BoardNumber>,
    /// How many rounds the guest may still sit out.
    sit_outs: u8,
    steps_left: u32,
}

impl Search<'_> {
    fn seat(&mut self, index: usize) -> bool {
        let rounds = self.rounds;
        let Some(round) = rounds.get(index) else {
            return true;
        };
        for (table, seating) in round.tables() {
            for side in self.sides.iter().copied() {
                let Some(left) = self.steps_left.checked_sub(1) else {
                    return false;
                };
                self.steps_left = left;
                if self.take(index, table, side, seating) {
                    if self.seat(index + 1) {
                        return true;
                    }
                    self.give_back(seating);
                }
            }
        }
        if let Some(left) = self.sit_outs.checked_sub(1) {
            self.sit_outs = left;
            if self.seat(index + 1) {
                return true;
            }
            self.sit_outs += 1;
        }
        false
    }

    fn take(&mut self, index: usize, table: TableNumber, side: Side, seating: &Seating) -> bool {
        let (Some(ns), Some(ew)) = (seating.ns, seating.ew) else {
            return false;
        };
        let (displaced, opponents) = match side {
            Side::NorthSouth => (ns, ew),
            Side::EastWest => (ew, ns),
        };
        let count = |which: fn(&Visit) -> PairNumber, pair| {
            let times = self.visits.iter().filter(|visit| which(visit) == pair);
            times.count()
        };
        let mut boards = seating.boards.iter();
        if seating.boards.is_empty()
            || boards.any(|board| self.boards.contains(&board))
            || count(|visit| visit.opponents, opponents) >= self.lenience.meetings.into()
            || count(|visit| visit.displaced, displaced) >= self.lenience.displacements.into()
        {
            return false;
        }
        self.boards.extend(seating.boards.iter());
        self.visits.push(Visit {
            index,
            table,
            side,
            displaced,
            opponents,
        });
        true
    }

    fn give_back(&mut self, seating: &Seating) {
        self.visits.pop();
        for board in seating.boards.iter() {
            self.boards.remove(&board);
        }
    }
}
