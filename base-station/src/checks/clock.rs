//! What only time tells: a table that falls behind, a pad that has fallen silent.

use protocol::words::{RoundNumber, TableNumber};

use super::finding;
use super::finding::{Answer, Confidence, Finding, FindingId, Kind};
use super::room::{Moment, Room};

/// A pad that has missed this many check-ins is silent.
const CHECK_INS_MISSED: u64 = 3;

/// Boards of earlier rounds that a table which has moved on did not enter.
pub(super) fn missing(room: &Room, table: TableNumber) -> Vec<Finding> {
    let Some(latest) = room
        .news(table)
        .and_then(|news| news.entered.last().map(|(round, _)| *round))
    else {
        return Vec::new();
    };
    let earlier = (RoundNumber::MIN.get()..latest.get()).filter_map(RoundNumber::new);
    earlier
        .flat_map(|round| {
            let seen = room.boards_seen(table, round);
            room.seating(table, round)
                .filter(|seating| seating.is_played())
                .into_iter()
                .flat_map(|seating| seating.boards.iter())
                .filter(move |board| !seen.contains(board))
                .map(move |board| (round, board))
        })
        .map(|(round, board)| Finding {
            id: FindingId {
                board: Some(board),
                ..finding::table(room, Kind::ScoreMissing, table, round)
            },
            sentence: format!(
                "Table {table} has moved on from round {round}, but its result of board {board} \
                 has not come."
            ),
            confidence: Confidence::CERTAIN,
            answers: vec![
                Answer::Visit { table },
                Answer::NotPlayed,
                Answer::ItIsRight,
            ],
        })
        .collect()
}

/// Tables that are more than a whole round behind most others.
pub(super) fn behind(room: &Room) -> Vec<Finding> {
    let Some(round) = room.movement.round(RoundNumber::FIRST) else {
        return Vec::new();
    };
    let entered = |table| room.news(table).map_or(0, |news| news.entered.len());
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
        .map(|(done, table)| Finding {
            id: FindingId {
                kind: Kind::TableBehind,
                section: room.section,
                table: Some(table),
                round: None,
                board: None,
            },
            sentence: format!(
                "Table {table} is {} boards behind the middle of the room.",
                usual - done
            ),
            confidence: Confidence::percent(90),
            answers: vec![Answer::Visit { table }, Answer::ItIsRight],
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

/// Pads that have missed their check-ins.
pub(super) fn silent(room: &Room, now: Moment) -> Vec<Finding> {
    room.all_news()
        .filter_map(|(table, news)| {
            let for_ms = now.since_ms(news.heard?);
            if for_ms <= CHECK_INS_MISSED * room.check_in_ms {
                return None;
            }
            Some(Finding {
                id: FindingId {
                    kind: Kind::PadSilent,
                    section: room.section,
                    table: Some(table),
                    round: None,
                    board: None,
                },
                sentence: format!(
                    "The pad of table {table} has not been heard for {} minutes. Its results are \
                     safe in it; bring it nearer or replace it.",
                    for_ms / 60_000
                ),
                confidence: Confidence::CERTAIN,
                answers: vec![
                    Answer::Visit { table },
                    Answer::ReplacePad { table },
                    Answer::ItIsRight,
                ],
            })
        })
        .collect()
}
