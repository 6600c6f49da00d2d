//! Two boards of one round entered under each other's numbers: nothing is out of place, but the
//! contracts and leads fit the other deal.

use std::collections::BTreeMap;

use protocol::words::{BoardNumber, BoardResult, Played, RoundNumber, TableNumber};

use super::finding::{Confidence, Finding, Remedy};
use super::plausible::{Field, Judge};
use super::room::{Fact, LineId, Room};
use super::what::What;

/// How rarely two boards are exchanged, as a logarithm.
const MISTAKE: f64 = -6.5;

/// The odds from which the director hears about it.
const TELL_FROM: f64 = 1.5;

/// The fields of boards, each looked at once.
#[derive(Default)]
pub(super) struct Fields(BTreeMap<BoardNumber, Field>);

impl Fields {
    fn of(&mut self, room: &Room, board: BoardNumber) -> Field {
        // It rests on the board's results, also where they have been counted before.
        room.note(Fact::Traveller(board));
        *self
            .0
            .entry(board)
            .or_insert_with(|| Field::of(room, board))
    }
}

/// Every pair of boards of the round that fits better the other way round.
pub(super) fn check(
    room: &Room,
    table: TableNumber,
    round: RoundNumber,
    fields: &mut Fields,
) -> Vec<Finding> {
    let boards: Vec<(BoardNumber, Played)> = room
        .boards_seen(table, round)
        .into_iter()
        .filter_map(|board| {
            let line = room.line(LineId {
                board,
                round,
                table,
            })?;
            match line.result {
                BoardResult::Played(played) => Some((board, played)),
                _ => None,
            }
        })
        .collect();
    if !room.has_deals() || boards.len() < 2 {
        return Vec::new();
    }
    let judges: Vec<Judge> = boards
        .iter()
        .map(|(board, played)| Judge {
            dealt: room.dealt(*board),
            field: fields
                .of(room, *board)
                .without(BoardResult::Played(*played)),
        })
        .collect();
    let fit = |judge: usize, result: usize| {
        let (_, played) = boards[result];
        judges[judge].plausibility_with_lead(played.contract, played.tricks, played.lead)
    };
    let mut findings = Vec::new();
    for one in 0..boards.len() {
        for other in one + 1..boards.len() {
            let gain = fit(one, other) + fit(other, one) - fit(one, one) - fit(other, other);
            let odds = gain + MISTAKE;
            if odds > TELL_FROM {
                let with = boards[other].0;
                findings.push(Finding::at(
                    room,
                    (Some(table), Some(round), Some(boards[one].0)),
                    What::BoardsExchanged { with },
                    Confidence::from_log_odds(odds),
                    vec![
                        Remedy::ExchangeBoards { with },
                        Remedy::Visit { table },
                        Remedy::ItIsRight,
                    ],
                ));
            }
        }
    }
    findings
}
