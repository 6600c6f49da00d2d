//! A board counts once for a table and once for a pair.

use protocol::words::{BoardResult, Side};

use super::finding;
use super::finding::{Answer, Confidence, Finding, Kind};
use super::room::{Line, LineId, PairsSeen, Room};

/// The same board earlier at this table, or earlier by one of these pairs.
pub(super) fn check(room: &Room, id: LineId, line: &Line) -> Option<Finding> {
    if !was_played(line) {
        return None;
    }
    let earlier = || {
        room.traveller(id.board)
            .filter(|(other, there)| *other != id && was_played(there))
            .filter(|(other, there)| (there.at, *other) < (line.at, id))
    };
    if let Some((other, there)) = earlier().find(|(other, _)| other.table == id.table) {
        return Some(twice(room, id, line, other, there));
    }
    let pairs = who(room, id, line);
    earlier().find_map(|(other, there)| {
        let before = who(room, other, there);
        let again = Side::BOTH.into_iter().find_map(|side| {
            let pair = room.pair(side, of(pairs, side)?);
            let met = Side::BOTH
                .into_iter()
                .any(|way| of(before, way).is_some_and(|number| room.pair(way, number) == pair));
            met.then_some(pair)
        })?;
        Some(Finding {
            id: finding::line(room, Kind::PairPlayedAlready, id),
            sentence: format!(
                "Table {}, board {}: pair {again} has played this board already, in round {} at \
                 table {}. Either the board number is wrong or the pairs are.",
                id.table, id.board, other.round, other.table
            ),
            confidence: Confidence::percent(90),
            answers: [Answer::Visit { table: id.table }]
                .into_iter()
                .chain(missing_boards(room, id).map(|board| Answer::MoveToBoard { board }))
                .chain([Answer::TakeAway, Answer::ItIsRight])
                .collect(),
        })
    })
}

fn twice(room: &Room, id: LineId, line: &Line, other: LineId, there: &Line) -> Finding {
    let same = if line.result == there.result {
        "with the same result"
    } else {
        "with another result"
    };
    let mut answers: Vec<Answer> = missing_boards(room, id)
        .map(|board| Answer::MoveToBoard { board })
        .collect();
    answers.extend([
        Answer::TakeAway,
        Answer::Visit { table: id.table },
        Answer::ItIsRight,
    ]);
    Finding {
        id: finding::line(room, Kind::BoardTwice, id),
        sentence: format!(
            "Table {} entered board {} in round {} {same}, but it has had that board in round {}.",
            id.table, id.board, id.round, other.round
        ),
        confidence: Confidence::percent(95),
        answers,
    }
}

/// Boards that the table should have entered in that round and has not: where a result that
/// stands on the wrong board belongs.
pub(super) fn missing_boards(
    room: &Room,
    id: LineId,
) -> impl Iterator<Item = protocol::words::BoardNumber> {
    let seen = room.boards_seen(id.table, id.round);
    room.seating(id.table, id.round)
        .into_iter()
        .flat_map(|seating| seating.boards.iter())
        .filter(move |board| !seen.contains(board))
}

/// Who really sat there: what the players said goes before what the movement says.
fn who(room: &Room, id: LineId, line: &Line) -> PairsSeen {
    room.pairs_at(id.table, id.round).unwrap_or(PairsSeen {
        ns: line.ns,
        ew: line.ew,
    })
}

fn of(pairs: PairsSeen, side: Side) -> Option<protocol::words::PairNumber> {
    match side {
        Side::NorthSouth => pairs.ns,
        Side::EastWest => pairs.ew,
    }
}

fn was_played(line: &Line) -> bool {
    matches!(line.result, BoardResult::Played(_) | BoardResult::PassedOut)
}
