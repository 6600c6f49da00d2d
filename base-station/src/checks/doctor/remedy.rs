//! What to do about a movement mistake: put it back before play, or play on and change the plan.
//!
//! "Play on" is only offered where the changed movement lets nobody meet a board twice.

use std::collections::BTreeMap;

use protocol::words::{RoundNumber, Side};

use super::Mistake;
use super::worlds::World;
use crate::checks::finding::Remedy;
use crate::checks::room::Room;
use crate::movement::change::RelayMistake;
use crate::movement::{Family, Instruction, Movement, PairId};

/// The best first: before anybody has finished a board the room is put right, later the plan is.
pub(super) fn remedies(
    room: &Room,
    round: RoundNumber,
    (mistake, since): (Mistake, RoundNumber),
    world: &World,
) -> Vec<Remedy> {
    // A mistake that is rounds old can't be put back.
    let put_right = (since == round).then(|| Remedy::Tell {
        mistake,
        stand: super::stand(&room.movement),
    });
    let apply = |movement| Remedy::ApplyMovement {
        from: round,
        movement: Box::new(movement),
    };
    let from_the_manual = manual_repair(&room.movement, round, (mistake, since)).map(apply);
    let play_on = play_on(&room.movement, round, world).map(apply);
    let mut remedies: Vec<Remedy> = from_the_manual.into_iter().chain(play_on).collect();
    let at = if anybody_has_played(room, round, world) {
        remedies.len()
    } else {
        0
    };
    remedies.splice(at..at, put_right);
    remedies
}

/// The directors' manual knows how to go on after a bye-stand that stood one table out from the
/// start, and after a skip at the wrong time. What to say to the room is in the movement's notes.
fn manual_repair(
    movement: &Movement,
    round: RoundNumber,
    (mistake, since): (Mistake, RoundNumber),
) -> Option<Movement> {
    let before = RoundNumber::new(round.get() - 1)?;
    // In this round the misplaced stand brings East-West the boards they began with.
    let half_way = usize::from(round.get()) == movement.table_count() / 2 + 1;
    let from_the_start = since.get() == 2;
    let revision = match mistake {
        Mistake::RelayTooLow if half_way && from_the_start => {
            movement.with_relay_put_right(RelayMistake::TooLow)
        }
        Mistake::RelayTooHigh if half_way && from_the_start => {
            movement.with_relay_put_right(RelayMistake::TooHigh)
        }
        Mistake::SkipEarly => movement.with_skip_made_after(before),
        Mistake::SkipLate => movement.with_skip_made_after(round),
        _ => return None,
    };
    let revision = revision.ok()?;
    let mut movement = revision.movement;
    movement.notes.extend(revision.change.instructions);
    Some(movement)
}

/// Whether a result has come from a table that is not as planned.
fn anybody_has_played(room: &Room, round: RoundNumber, world: &World) -> bool {
    let Some(planned) = room.movement.round(round) else {
        return false;
    };
    planned.tables().any(|(table, seating)| {
        let index = usize::from(table.get()) - 1;
        let astray = world.ew.get(index) != Some(&seating.ew)
            || world.boards.get(index) != Some(&&seating.boards);
        astray && room.boards_entered(table, round).next().is_some()
    })
}

/// This round as it lies, everything after it as planned.
fn play_on(movement: &Movement, round: RoundNumber, world: &World) -> Option<Movement> {
    let mut changed = movement.clone();
    let seatings = &mut changed
        .rounds
        .get_mut(usize::from(round.get()) - 1)?
        .seatings;
    for ((seating, ew), boards) in seatings.iter_mut().zip(&world.ew).zip(&world.boards) {
        seating.ew = *ew;
        seating.boards = (*boards).clone();
    }
    changed.family = Family::Custom;
    changed.notes.push(Instruction::PlayedAsItLay { round });
    (!meets_a_board_twice(&changed)).then_some(changed)
}

fn meets_a_board_twice(movement: &Movement) -> bool {
    let mut met: BTreeMap<PairId, [u64; 4]> = BTreeMap::new();
    for round in &movement.rounds {
        for seating in round.seatings.iter().filter(|seat| seat.is_played()) {
            for side in Side::BOTH {
                let Some(number) = seating.pair(side) else {
                    continue;
                };
                let bits = met.entry(movement.pair_id(side, number)).or_default();
                for board in seating.boards.iter() {
                    let (word, bit) = (board.get() / 64, 1 << (board.get() % 64));
                    let word = &mut bits[usize::from(word)];
                    if *word & bit != 0 {
                        return true;
                    }
                    *word |= bit;
                }
            }
        }
    }
    false
}
