//! A board counts once for a table and once for a pair.

use std::collections::BTreeMap;

use protocol::words::{BoardNumber, BoardResult, Side, TableNumber};

use super::finding::{Confidence, Finding, Remedy};
use super::room::{Line, LineId, PairsSeen, Room};
use super::what::What;
use crate::movement::PairId;

/// Every result of the board whose table, or one of whose pairs, has had it before.
pub(super) fn check(room: &Room, board: BoardNumber) -> Vec<Finding> {
    let mut lines: Vec<(LineId, &Line)> = room
        .traveller(board)
        .filter(|(_, line)| was_played(line))
        .collect();
    lines.sort_by_key(|(id, line)| (line.at, *id));
    let mut tables: BTreeMap<TableNumber, (LineId, &Line)> = BTreeMap::new();
    let mut pairs: BTreeMap<PairId, LineId> = BTreeMap::new();
    let mut findings = Vec::new();
    for (id, line) in lines {
        let seated = who(room, id, line);
        let again = seated
            .into_iter()
            .find_map(|pair| Some((pair, *pairs.get(&pair)?)));
        match (tables.get(&id.table), again) {
            (Some((other, there)), _) => findings.push(twice(room, id, line, *other, there)),
            (None, Some((pair, other))) => findings.push(again_by(room, id, pair, other)),
            (None, None) => {}
        }
        tables.entry(id.table).or_insert((id, line));
        for pair in who(room, id, line) {
            pairs.entry(pair).or_insert(id);
        }
    }
    findings
}

fn again_by(room: &Room, id: LineId, pair: PairId, other: LineId) -> Finding {
    let what = What::PairPlayedAlready {
        pair,
        round: other.round,
        table: other.table,
    };
    let remedies = [Remedy::Visit { table: id.table }]
        .into_iter()
        .chain(missing_boards(room, id).map(|board| Remedy::MoveToBoard { board }))
        .chain([Remedy::TakeAway, Remedy::ItIsRight])
        .collect();
    Finding::line(room, id, what, Confidence::percent(90), remedies)
}

fn twice(room: &Room, id: LineId, line: &Line, other: LineId, there: &Line) -> Finding {
    let mut remedies: Vec<Remedy> = missing_boards(room, id)
        .map(|board| Remedy::MoveToBoard { board })
        .collect();
    remedies.extend([
        Remedy::TakeAway,
        Remedy::Visit { table: id.table },
        Remedy::ItIsRight,
    ]);
    let what = What::BoardTwice {
        same: line.result == there.result,
        before: other.round,
    };
    Finding::line(room, id, what, Confidence::percent(95), remedies)
}

/// Boards that the table should have entered in that round and has not: where a result that
/// stands on the wrong board belongs.
pub(super) fn missing_boards(room: &Room, id: LineId) -> impl Iterator<Item = BoardNumber> {
    let seen = room.boards_seen(id.table, id.round);
    room.seating(id.table, id.round)
        .into_iter()
        .flat_map(|seating| seating.boards.iter())
        .filter(move |board| !seen.contains(board))
}

/// Who really sat there: what the players said goes before what the movement says.
fn who(room: &Room, id: LineId, line: &Line) -> impl IntoIterator<Item = PairId> + use<> {
    let seen = room.pairs_at(id.table, id.round).unwrap_or(PairsSeen {
        ns: line.ns,
        ew: line.ew,
    });
    let ns = seen.ns.map(|pair| room.pair(Side::NorthSouth, pair));
    let ew = seen.ew.map(|pair| room.pair(Side::EastWest, pair));
    [ns, ew].into_iter().flatten()
}

fn was_played(line: &Line) -> bool {
    matches!(line.result, BoardResult::Played(_) | BoardResult::PassedOut)
}
