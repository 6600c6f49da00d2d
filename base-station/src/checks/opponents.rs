//! A board takes two pairs: results at tables where the movement has only one of them.

use protocol::words::{BoardResult, PairNumber, Side};

use super::finding::{Confidence, Finding, Remedy};
use super::room::{Line, LineId, Room};
use super::what::What;
use crate::movement::Lists;

/// A result of a pair that has nobody to play against: the other one has gone home, or was thought
/// to have.
pub(super) fn check(room: &Room, id: LineId, line: &Line) -> Option<Finding> {
    let played = matches!(line.result, BoardResult::Played(_) | BoardResult::PassedOut);
    let missing = match (line.ns, line.ew) {
        (Some(_), Some(_)) => return None,
        (None, _) => Side::NorthSouth,
        (_, None) => Side::EastWest,
    };
    // Players who said who they are have told it already.
    if !played || room.pairs_at(id.table, id.round).is_some() {
        return None;
    }
    let free = free_pairs(room, id, missing);
    let mut remedies = Vec::new();
    if let [pair] = free[..] {
        let (ns, ew) = match missing {
            Side::NorthSouth => (Some(pair), line.ew),
            Side::EastWest => (line.ns, Some(pair)),
        };
        remedies.push(Remedy::SeatPairs { ns, ew });
    }
    remedies.extend([
        Remedy::Visit { table: id.table },
        Remedy::TakeAway,
        Remedy::ItIsRight,
    ]);
    let what = What::PairMissing {
        side: missing,
        free: match free[..] {
            [pair] => Some(pair),
            _ => None,
        },
    };
    let confidence = Confidence::percent(if free.len() == 1 { 90 } else { 60 });
    Some(Finding::line(room, id, what, confidence, remedies))
}

/// Pairs of that side that have played before and sit nowhere in this round.
fn free_pairs(room: &Room, id: LineId, missing: Side) -> Vec<PairNumber> {
    let earlier = room.movement.numbered_rounds();
    let seatings = earlier
        .filter(|(round, _)| *round < id.round)
        .flat_map(|(_, planned)| planned.tables().map(|(_, seating)| seating));
    let sides: &[Side] = match room.movement.lists {
        Lists::One => &[Side::NorthSouth, Side::EastWest],
        Lists::Two => std::slice::from_ref(&missing),
    };
    let mut free: Vec<PairNumber> = seatings
        .flat_map(|seating| sides.iter().filter_map(|side| seating.pair(*side)))
        .filter(|pair| {
            let pair = room.pair(missing, *pair);
            room.movement.where_is(pair, id.round).is_none()
        })
        .collect();
    free.sort_unstable();
    free.dedup();
    free
}
