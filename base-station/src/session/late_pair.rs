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
            "no seats can be found in which the late pair meets new boards and opponents every \
             round: start it one round later, or give it the rest of the evening off",
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
}

impl Guest {
    fn is_at(&self, sitting: &Sitting) -> bool {
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

/// Seats for a guest in every round, so that it plays no board twice, meets nobody twice, and
/// nobody is displaced twice. Backtracking: at most a few dozen tables and rounds.
fn displaced(section: &Section, sittings: &[Sitting], from: RoundNumber) -> Option<Vec<Guest>> {
    // With two lists the guest joins East-West, who are used to moving.
    let sides: &[Side] = if section.one_winner {
        &Side::BOTH
    } else {
        &[Side::EastWest]
    };
    let mut search = Search {
        sittings,
        sides,
        last: section.last_round(),
        guests: Vec::new(),
        boards: BTreeSet::new(),
        met: BTreeSet::new(),
        displaced: BTreeSet::new(),
        steps_left: SEARCH_STEPS_MAX,
    };
    search.seat(from).then_some(search.guests)
}

/// Far more than any real movement needs; a hopeless one gives up in milliseconds.
const SEARCH_STEPS_MAX: u32 = 200_000;

struct Search<'a> {
    sittings: &'a [Sitting],
    sides: &'a [Side],
    last: RoundNumber,
    guests: Vec<Guest>,
    boards: BTreeSet<BoardNumber>,
    met: BTreeSet<PairNumber>,
    displaced: BTreeSet<(Side, PairNumber)>,
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
                    let seated = match round.next() {
                        Some(next) => self.seat(next),
                        None => true,
                    };
                    if seated {
                        return true;
                    }
                    self.give_back(sitting);
                }
            }
        }
        false
    }

    fn take(&mut self, sitting: &Sitting, side: Side) -> bool {
        let (Some(ns), Some(ew)) = (sitting.ns, sitting.ew) else {
            return false;
        };
        let (displaced, opponents) = match side {
            Side::NorthSouth => (ns, ew),
            Side::EastWest => (ew, ns),
        };
        // In one list a pair is displaced once, whichever way it sits.
        let name = (self.sides.first().copied().unwrap_or(side), displaced);
        let new_boards = sitting
            .boards
            .iter()
            .all(|board| !self.boards.contains(&board));
        if sitting.boards.is_empty()
            || !new_boards
            || self.met.contains(&opponents)
            || self.displaced.contains(&name)
        {
            return false;
        }
        self.boards.extend(sitting.boards.iter());
        self.met.insert(opponents);
        self.displaced.insert(name);
        self.guests.push(Guest {
            round: sitting.round,
            table: sitting.table,
            side,
            displaced,
        });
        true
    }

    fn give_back(&mut self, sitting: &Sitting) {
        let Some(guest) = self.guests.pop() else {
            return;
        };
        for board in sitting.boards.iter() {
            self.boards.remove(&board);
        }
        let opponents = match guest.side {
            Side::NorthSouth => sitting.ew,
            Side::EastWest => sitting.ns,
        };
        if let Some(opponents) = opponents {
            self.met.remove(&opponents);
        }
        let name = (
            self.sides.first().copied().unwrap_or(guest.side),
            guest.displaced,
        );
        self.displaced.remove(&name);
    }
}
