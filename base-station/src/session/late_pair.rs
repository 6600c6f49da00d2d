//! Seating a pair that comes late: in the phantom's place, or else as a guest that displaces
//! another pair each round.

use std::collections::BTreeSet;

use protocol::words::{BoardNumber, PairNumber, RoundNumber, Side, TableNumber};

use super::plan::Sitting;
use super::{Refused, Section};

/// The sittings from a round on with the late pair in them, and how it was done, in words.
pub(super) fn seat_late_pair(
    section: &Section,
    from: RoundNumber,
    pair: PairNumber,
) -> Result<(Vec<Sitting>, String), Refused> {
    if from > section.last_round() {
        return Err(Refused::because(format!(
            "the last round is {}",
            section.last_round()
        )));
    }
    let mut sittings: Vec<Sitting> = section
        .sittings
        .values()
        .filter(|sitting| sitting.round >= from)
        .cloned()
        .collect();
    if let Some(side) = phantom_side(&sittings) {
        free_number(section, pair, side)?;
        for sitting in &mut sittings {
            if let Some(seat) = empty_seat(sitting) {
                *seat = Some(pair);
            }
        }
        return Ok((sittings, "late pair in the phantom's place".to_owned()));
    }
    free_number(section, pair, Some(Side::EastWest))?;
    let guests = displaced(section, &sittings, from).ok_or_else(|| {
        Refused::because(
            "no seats can be found in which the late pair meets new boards and opponents: start \
             it one round later, or change to another movement",
        )
    })?;
    for sitting in &mut sittings {
        if let Some(guest) = guests.iter().find(|guest| guest.is_at(sitting)) {
            *seat_mut(sitting, guest.side) = Some(pair);
        }
    }
    let list: Vec<String> = guests
        .iter()
        .map(|guest| format!("round {}: pair {} sits out", guest.round, guest.displaced))
        .collect();
    Ok((
        sittings,
        format!("late pair as a guest; {}", list.join(", ")),
    ))
}

/// A round of the late pair in another pair's seats.
#[derive(Clone, Copy, Debug)]
struct Guest {
    round: RoundNumber,
    table: TableNumber,
    side: Side,
    displaced: PairNumber,
    opponents: PairNumber,
}

impl Guest {
    fn is_at(self, sitting: &Sitting) -> bool {
        sitting.round == self.round && sitting.table == self.table
    }
}

const fn seat_mut(sitting: &mut Sitting, side: Side) -> &mut Option<PairNumber> {
    match side {
        Side::NorthSouth => &mut sitting.ns,
        Side::EastWest => &mut sitting.ew,
    }
}

fn empty_seat(sitting: &mut Sitting) -> Option<&mut Option<PairNumber>> {
    if sitting.boards.is_empty() || sitting.ns.is_some() == sitting.ew.is_some() {
        None
    } else if sitting.ns.is_none() {
        Some(&mut sitting.ns)
    } else {
        Some(&mut sitting.ew)
    }
}

/// The directions in which one pair is missing, if every round lacks exactly one.
/// `Some(None)`: sometimes this way, sometimes that.
#[expect(
    clippy::option_option,
    reason = "no phantom, and a phantom that moves, are different"
)]
fn phantom_side(sittings: &[Sitting]) -> Option<Option<Side>> {
    let rounds: BTreeSet<RoundNumber> = sittings.iter().map(|sitting| sitting.round).collect();
    let mut gaps = Vec::new();
    for sitting in sittings.iter().filter(|sitting| !sitting.boards.is_empty()) {
        match (sitting.ns, sitting.ew) {
            (None, Some(_)) => gaps.push((sitting.round, Side::NorthSouth)),
            (Some(_), None) => gaps.push((sitting.round, Side::EastWest)),
            _ => {}
        }
    }
    let gap_rounds: BTreeSet<RoundNumber> = gaps.iter().map(|(round, _)| *round).collect();
    if gap_rounds != rounds || gaps.len() != rounds.len() {
        return None;
    }
    let sides: BTreeSet<Side> = gaps.iter().map(|(_, side)| *side).collect();
    let mut sides = sides.into_iter();
    Some(match (sides.next(), sides.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    })
}

/// A late pair must have a number of its own.
fn free_number(section: &Section, pair: PairNumber, side: Option<Side>) -> Result<(), Refused> {
    let taken = section.sittings.values().any(|sitting| {
        let ns = sitting.ns == Some(pair) && (section.one_winner || side != Some(Side::EastWest));
        let ew = sitting.ew == Some(pair) && (section.one_winner || side != Some(Side::NorthSouth));
        ns || ew
    });
    if taken {
        Err(Refused::because(format!(
            "there is already a pair {pair}: give the late pair another number"
        )))
    } else {
        Ok(())
    }
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

/// Seats for a guest, so that it plays no board twice, meets nobody and displaces nobody more
/// often than need be, and sits out as little as possible.
fn displaced(section: &Section, sittings: &[Sitting], from: RoundNumber) -> Option<Vec<Guest>> {
    // With two lists the guest joins East-West, who are used to moving.
    let sides: &[Side] = if section.one_winner {
        &Side::BOTH
    } else {
        &[Side::EastWest]
    };
    LENIENCES.into_iter().find_map(|lenience| {
        let mut search = Search {
            sittings,
            sides,
            lenience,
            last: section.last_round(),
            guests: Vec::new(),
            boards: BTreeSet::new(),
            sit_outs: lenience.sit_outs,
            steps_left: SEARCH_STEPS_MAX,
        };
        search.seat(from).then_some(search.guests)
    })
}

/// Far more than any real movement needs; a hopeless one gives up in milliseconds.
const SEARCH_STEPS_MAX: u32 = 200_000;

struct Search<'a> {
    sittings: &'a [Sitting],
    sides: &'a [Side],
    lenience: Lenience,
    last: RoundNumber,
    guests: Vec<Guest>,
    boards: BTreeSet<BoardNumber>,
    /// How many rounds the guest may still sit out.
    sit_outs: u8,
    steps_left: u32,
}

impl Search<'_> {
    fn seat(&mut self, round: RoundNumber) -> bool {
        if round > self.last {
            return true;
        }
        let sittings = self.sittings;
        for sitting in sittings.iter().filter(|sitting| sitting.round == round) {
            for side in self.sides.iter().copied() {
                let Some(left) = self.steps_left.checked_sub(1) else {
                    return false;
                };
                self.steps_left = left;
                if self.take(sitting, side) {
                    if self.seat_next(round) {
                        return true;
                    }
                    self.give_back(sitting);
                }
            }
        }
        if let Some(left) = self.sit_outs.checked_sub(1) {
            self.sit_outs = left;
            if self.seat_next(round) {
                return true;
            }
            self.sit_outs += 1;
        }
        false
    }

    fn seat_next(&mut self, round: RoundNumber) -> bool {
        round.next().is_none_or(|next| self.seat(next))
    }

    fn take(&mut self, sitting: &Sitting, side: Side) -> bool {
        let (Some(ns), Some(ew)) = (sitting.ns, sitting.ew) else {
            return false;
        };
        let (displaced, opponents) = match side {
            Side::NorthSouth => (ns, ew),
            Side::EastWest => (ew, ns),
        };
        let count = |which: fn(&Guest) -> PairNumber, pair| {
            let times = self.guests.iter().filter(|guest| which(guest) == pair);
            times.count()
        };
        let new_boards = sitting
            .boards
            .iter()
            .all(|board| !self.boards.contains(&board));
        if sitting.boards.is_empty()
            || !new_boards
            || count(|guest| guest.opponents, opponents) >= self.lenience.meetings.into()
            || count(|guest| guest.displaced, displaced) >= self.lenience.displacements.into()
        {
            return false;
        }
        self.boards.extend(sitting.boards.iter());
        self.guests.push(Guest {
            round: sitting.round,
            table: sitting.table,
            side,
            displaced,
            opponents,
        });
        true
    }

    fn give_back(&mut self, sitting: &Sitting) {
        self.guests.pop();
        for board in sitting.boards.iter() {
            self.boards.remove(&board);
        }
    }
}
