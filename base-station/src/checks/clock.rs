//! What only time tells: a table that falls behind. (Boards that are missing and pads that are
//! silent are the session's own business: it knows the clock and hears the pads.)

use protocol::words::{RoundNumber, TableNumber};

use super::finding::{Confidence, Finding, Remedy};
use super::room::Room;
use super::what::What;

/// Tables that are more than a whole round behind most others.
pub(super) fn behind(room: &Room) -> Vec<Finding> {
    let Some(round) = room.movement.round(RoundNumber::FIRST) else {
        return Vec::new();
    };
    let entered = |table| room.entered_count(table);
    // A table that sat out has fewer to enter: what counts is what it still owes.
    let mut progress: Vec<(usize, TableNumber)> = round
        .tables()
        .filter_map(|(table, _)| Some((boards_passed(room, table, entered(table))?, table)))
        .collect();
    progress.sort_unstable();
    let Some(&(usual, _)) = progress.get(progress.len() / 2) else {
        return Vec::new();
    };
    let allowed = room.movement.boards_per_round() + 1;
    progress
        .into_iter()
        .take_while(|(done, _)| done + allowed < usual)
        .map(|(done, table)| {
            Finding::at(
                room,
                (Some(table), None, None),
                What::TableBehind {
                    boards: usual - done,
                },
                Confidence::percent(90),
                vec![Remedy::Visit { table }, Remedy::ItIsRight],
            )
        })
        .collect()
}

/// How many boards into the movement a table is that has entered so many, boards of rounds in
/// which it sat out included; `None` for a table that never plays.
fn boards_passed(room: &Room, table: TableNumber, mut entered: usize) -> Option<usize> {
    let mut passed = 0;
    let mut plays = false;
    for round in &room.movement.rounds {
        let seating = round.at(table)?;
        if seating.is_played() {
            plays = true;
            let here = entered.min(seating.boards.len());
            passed += here;
            entered -= here;
            if here < seating.boards.len() {
                break;
            }
        } else {
            passed += room.movement.boards_per_round();
        }
    }
    plays.then_some(passed)
}
