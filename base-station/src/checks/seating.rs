//! Boards and pairs at the wrong table: wrong numbers, swapped pads, a pair in the wrong seats.
//!
//! Every oddity of a round gets one explanation, the widest first: the room moved otherwise than
//! planned (the doctor), two tables have each other's pads, one table alone is wrong.

use std::collections::BTreeSet;

use protocol::words::{BoardNumber, PairNumber, RoundNumber, Side, TableNumber};

use super::finding::{Confidence, Finding, Remedy};
use super::room::{LineId, PairsSeen, Room};
use super::what::What;
use super::{doctor, repeats};
use crate::movement::Seating;

/// What is odd at one table in a round.
#[derive(Clone, Debug)]
pub(super) struct Oddity {
    pub(super) table: TableNumber,
    /// Boards seen that are not on its sheet.
    pub(super) strangers: Vec<BoardNumber>,
    /// What its players said, if it differs from the sheet.
    pub(super) pairs: Option<PairsSeen>,
}

/// Everything odd about where boards and pairs are in a round, explained.
pub(super) fn check(room: &Room, round: RoundNumber) -> Vec<Finding> {
    let mut odd = oddities(room, round);
    if odd.is_empty() {
        return Vec::new();
    }
    let mut findings = Vec::new();
    if let Some(diagnosis) = doctor::diagnose(room, round) {
        odd.retain(|oddity| !diagnosis.explained.contains(&oddity.table));
        findings.push(doctor::finding(room, &diagnosis));
    }
    let mut swapped = BTreeSet::new();
    for oddity in &odd {
        if swapped.contains(&oddity.table) {
            continue;
        }
        if let Some((other, confidence)) = swapped_with(room, round, oddity) {
            swapped.extend([oddity.table, other]);
            findings.push(pads_swapped(room, round, oddity.table, other, confidence));
        }
    }
    for oddity in odd.iter().filter(|odd| !swapped.contains(&odd.table)) {
        findings.extend(wrong_pairs(room, round, oddity));
        findings.extend(wrong_boards(room, round, oddity));
    }
    findings
}

fn oddities(room: &Room, round: RoundNumber) -> Vec<Oddity> {
    let Some(planned) = room.movement.round(round) else {
        return Vec::new();
    };
    planned
        .tables()
        .filter_map(|(table, seating)| {
            let strangers: Vec<BoardNumber> = room
                .boards_seen(table, round)
                .into_iter()
                .filter(|board| !seating.boards.contains(*board))
                .collect();
            let pairs = room
                .pairs_at(table, round)
                .filter(|seen| seen.ns != seating.ns || seen.ew != seating.ew);
            (pairs.is_some() || !strangers.is_empty()).then_some(Oddity {
                table,
                strangers,
                pairs,
            })
        })
        .collect()
}

/// The table whose pad this one seems to have.
fn swapped_with(
    room: &Room,
    round: RoundNumber,
    oddity: &Oddity,
) -> Option<(TableNumber, Confidence)> {
    let mut best: Option<(TableNumber, u8)> = None;
    for (other, there) in room.movement.round(round)?.tables() {
        if other == oddity.table || !there.is_played() {
            continue;
        }
        let here = room.seating(oddity.table, round)?;
        let forth = looks_like(room, round, oddity.table, here, there);
        let back = looks_like(room, round, other, there, here);
        let percent = match (forth, back) {
            (Likeness::Whole, Likeness::Whole) => 97,
            (Likeness::Whole, Likeness::Part) | (Likeness::Part, Likeness::Whole) => 92,
            (Likeness::Whole, Likeness::Weak) | (Likeness::Weak, Likeness::Whole) => 85,
            // Or the other table has said nothing yet. Whatever contradicts it ends it.
            (Likeness::Part, Likeness::Part) | (Likeness::Whole, Likeness::Nothing) => 80,
            (Likeness::Part, Likeness::Weak) | (Likeness::Weak, Likeness::Part) => 75,
            _ => continue,
        };
        if best.is_none_or(|(_, known)| percent > known) {
            best = Some((other, percent));
        }
    }
    best.map(|(other, percent)| (other, Confidence::percent(percent)))
}

/// How much what a table said looks like the sheet of another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Likeness {
    /// It has said nothing that tells the two apart.
    Nothing,
    /// Its East-West pair alone: they may as well sit at the wrong table.
    Weak,
    /// Its boards or its North-South pair.
    Part,
    /// Two of these three.
    Whole,
    /// It has boards or pairs that are not the other table's.
    Contradicts,
}

fn looks_like(
    room: &Room,
    round: RoundNumber,
    table: TableNumber,
    own: &Seating,
    other: &Seating,
) -> Likeness {
    let pairs = room.pairs_at(table, round);
    let says = |side: Side| match pairs.map(|seen| pair_of(seen, side)) {
        // Players press OK without reading: a pair that is as planned proves nothing.
        None => Says::Nothing,
        Some(said) if said == own.pair(side) => Says::Nothing,
        Some(said) if said == other.pair(side) => Says::TheOther,
        Some(_) => Says::Another,
    };
    let boards = room.boards_seen(table, round);
    let boards_say = if own.boards == other.boards || boards.is_empty() {
        Says::Nothing
    } else if boards.iter().any(|board| other.boards.contains(*board)) {
        Says::TheOther
    } else {
        Says::Another
    };
    match (says(Side::NorthSouth), says(Side::EastWest), boards_say) {
        (Says::Another, ..) | (_, Says::Another, _) => Likeness::Contradicts,
        // The numbers that the pad proposes, entered for the boards on the table.
        (Says::TheOther, Says::TheOther, _) | (Says::TheOther, _, Says::TheOther) => {
            Likeness::Whole
        }
        (_, Says::TheOther, Says::TheOther) => Likeness::Whole,
        (Says::TheOther, _, _) | (_, _, Says::TheOther) => Likeness::Part,
        (_, _, Says::Another) => Likeness::Contradicts,
        (_, Says::TheOther, _) => Likeness::Weak,
        _ => Likeness::Nothing,
    }
}

/// Which sheet a thing that a table said is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Says {
    Nothing,
    TheOther,
    Another,
}

fn pair_of(seen: PairsSeen, side: Side) -> Option<PairNumber> {
    match side {
        Side::NorthSouth => seen.ns,
        Side::EastWest => seen.ew,
    }
}

fn pads_swapped(
    room: &Room,
    round: RoundNumber,
    one: TableNumber,
    other: TableNumber,
    confidence: Confidence,
) -> Finding {
    Finding::table(
        room,
        (one.min(other), round),
        What::PadsSwapped { one, other },
        confidence,
        vec![
            Remedy::SwapPads {
                with: one.max(other),
            },
            Remedy::Visit { table: one },
            Remedy::ItIsRight,
        ],
    )
}

fn wrong_pairs(room: &Room, round: RoundNumber, oddity: &Oddity) -> Option<Finding> {
    let seen = oddity.pairs?;
    let table = oddity.table;
    let planned = room.seating(table, round)?;
    let seat = Remedy::SeatPairs {
        ns: seen.ns,
        ew: seen.ew,
    };
    let visit = Remedy::Visit { table };
    if seen.ns == planned.ew && seen.ew == planned.ns {
        return Some(Finding::table(
            room,
            (table, round),
            What::ArrowSwitchMissed,
            Confidence::percent(95),
            vec![seat, visit, Remedy::ItIsRight],
        ));
    }
    let belongs = seen.ew.and_then(|ew| {
        let pair = room.pair(Side::EastWest, ew);
        room.movement.where_is(pair, round)
    });
    Some(Finding::table(
        room,
        (table, round),
        What::OtherPairs {
            planned: PairsSeen {
                ns: planned.ns,
                ew: planned.ew,
            },
            seen,
            belongs,
        },
        Confidence::percent(90),
        vec![visit, seat, Remedy::ItIsRight],
    ))
}

fn wrong_boards(room: &Room, round: RoundNumber, oddity: &Oddity) -> Vec<Finding> {
    let table = oddity.table;
    let (Some(planned), Some(&stranger)) = (room.seating(table, round), oddity.strangers.first())
    else {
        return Vec::new();
    };
    let seen = room.boards_seen(table, round);
    let shifts = shifts(planned, &seen);
    if let Some(&by) = shifts.first()
        && seen.len() > oddity.strangers.len()
    {
        return vec![shifted(room, (table, round), planned, by, &shifts)];
    }
    let owner = room.movement.round(round).and_then(|round| {
        let mut tables = round.tables();
        tables.find(|(_, seating)| seating.is_played() && seating.boards.contains(stranger))
    });
    let id = LineId {
        board: stranger,
        round,
        table,
    };
    let to_own = repeats::missing_boards(room, id).map(|board| Remedy::MoveToBoard { board });
    let shift = shifts.iter().map(|by| Remedy::ShiftBoards { by: -by });
    let mut remedies: Vec<Remedy> = shift.collect();
    remedies.push(Remedy::Visit { table });
    remedies.extend(to_own);
    remedies.extend([Remedy::AllowBoard { board: stranger }, Remedy::ItIsRight]);
    let what = What::BoardNotHere {
        due: planned.boards.clone(),
        owner: owner.map(|(owner, _)| owner),
    };
    let confidence = Confidence::percent(95);
    vec![Finding::line(room, id, what, confidence, remedies)]
}

/// By how much all numbers may have been entered too high (or, negative, too low), the likeliest
/// first: players begin with the lowest board.
fn shifts(planned: &Seating, seen: &BTreeSet<BoardNumber>) -> Vec<i8> {
    let lowest = |board: Option<BoardNumber>| board.map_or(0, |board| i16::from(board.get()));
    let from_lowest = lowest(seen.first().copied()) - lowest(planned.boards.lowest());
    let mut by = [1i8, -1, 2, -2];
    by.sort_by_key(|by| (i16::from(*by) - from_lowest).abs());
    by.into_iter()
        .filter(|by| {
            seen.iter().all(|board| {
                board
                    .get()
                    .checked_add_signed(-by)
                    .and_then(BoardNumber::new)
                    .is_some_and(|board| planned.boards.contains(board))
            })
        })
        .collect()
}

fn shifted(
    room: &Room,
    (table, round): (TableNumber, RoundNumber),
    planned: &Seating,
    by: i8,
    all: &[i8],
) -> Finding {
    let shift = all.iter().map(|by| Remedy::ShiftBoards { by: -by });
    let rest = [Remedy::Visit { table }, Remedy::ItIsRight];
    Finding::table(
        room,
        (table, round),
        What::BoardsShifted {
            due: planned.boards.clone(),
            by,
        },
        Confidence::percent(85),
        shift.chain(rest).collect(),
    )
}
