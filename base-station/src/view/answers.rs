//! What each answer to a finding is called, and what pressing it does.

use std::collections::BTreeSet;

use protocol::words::{
    BoardNumber, BoardResult, Doubling, PairNumber, Played, RoundNumber, Seat, Side,
};

use super::findings::{IT_IS_RIGHT, planned_boards};
use super::warnings::AnswerView;
use crate::checks::{Answer, FindingId, Kind, Room};
use crate::session::plan::{Ruling, Sitting};
use crate::session::{Cell, Command, Session, TableId};

/// The button for one answer of a finding.
pub(super) fn answer(
    session: &Session,
    room: &Room,
    id: FindingId,
    number: usize,
    given: &Answer,
) -> AnswerView {
    AnswerView {
        label: label(given),
        answer: number.to_string(),
        changes_movement: matches!(given, Answer::ApplyMovement { .. }),
        false_alarm: matches!(given, Answer::ItIsRight),
        commands: commands(session, room, id, given),
    }
}

fn label(given: &Answer) -> String {
    match given {
        Answer::ChangeDeclarer { declarer } => format!("{} declared", seat_name(*declarer)),
        Answer::LeaveLeadEmpty => "Leave the lead empty".to_owned(),
        Answer::ChangeLead { lead } => format!("The lead was {lead}"),
        Answer::ChangeTricks { tricks } => format!("Declarer took {tricks} tricks"),
        Answer::MakeDoubled => "It was doubled".to_owned(),
        Answer::PassedOut => "It was passed out".to_owned(),
        Answer::NotPlayed => "It was not played".to_owned(),
        Answer::UseScore { score } => format!("The score is {score}"),
        Answer::MoveToBoard { board } => format!("It belongs to board {board}"),
        Answer::ExchangeBoards { with } => format!("Exchange with board {with}"),
        Answer::ShiftBoards { by } => format!("Correct all numbers of this round by {by:+}"),
        Answer::AllowBoard { board } => format!("Allow board {board}"),
        Answer::TakeAway => "Take this result away".to_owned(),
        Answer::SwapPads { with } => format!("Swap the pads with table {with}"),
        Answer::SeatPairs { .. } => "Record the round for these pairs".to_owned(),
        Answer::ApplyMovement { from, .. } => format!("Change the movement from round {from}"),
        Answer::Tell { words } => format!("Tell the room: {words}"),
        Answer::Visit { table } => format!("Seen to it at table {table}"),
        Answer::TakeDealsOff => "Take the deal file off".to_owned(),
        Answer::ItIsRight => IT_IS_RIGHT.to_owned(),
    }
}

const fn seat_name(seat: Seat) -> &'static str {
    match seat {
        Seat::North => "North",
        Seat::East => "East",
        Seat::South => "South",
        Seat::West => "West",
    }
}

fn commands(session: &Session, room: &Room, id: FindingId, given: &Answer) -> Vec<Command> {
    match given {
        Answer::SwapPads { with } => swap_pads(id, *with).into_iter().collect(),
        Answer::SeatPairs { ns, ew } => seat_pairs(session, room, id, (*ns, *ew)),
        Answer::ApplyMovement { movement, .. } => {
            // The whole of it: rounds already played come out as they really were.
            let sittings = movement.numbered_rounds().flat_map(|(round, planned)| {
                planned.tables().map(move |(table, seating)| Sitting {
                    round,
                    table,
                    ns: seating.ns,
                    ew: seating.ew,
                    boards: seating.boards.clone(),
                    arrow_switched: false,
                })
            });
            vec![Command::ChangeMovement {
                section: id.section,
                from: RoundNumber::FIRST,
                movement: movement.name.clone(),
                sittings: sittings.collect(),
                instructions: movement.notes.clone(),
                why: "the movement doctor's remedy".to_owned(),
            }]
        }
        Answer::ShiftBoards { by } => shift(session, room, id, *by),
        Answer::TakeDealsOff => vec![Command::AttachDeals {
            file: String::new(),
            deals: Vec::new(),
        }],
        _ => cell(id).map_or_else(Vec::new, |cell| at_line(session, cell, given)),
    }
}

/// Books a table's round, what is in and what is to come, for those who say they sit there.
fn seat_pairs(
    session: &Session,
    room: &Room,
    id: FindingId,
    (ns, ew): (Option<PairNumber>, Option<PairNumber>),
) -> Vec<Command> {
    let (Some(table), Some(round)) = (id.table, id.round) else {
        return Vec::new();
    };
    let place = TableId {
        section: id.section,
        table,
    };
    // Pairs that sit the other way round keep the names of the directions they play for.
    let (of_ns, of_ew) = if id.kind == Kind::ArrowSwitchMissed {
        (Side::EastWest, Side::NorthSouth)
    } else {
        (Side::NorthSouth, Side::EastWest)
    };
    let name = |side, number: Option<PairNumber>| {
        number.map(|number| session.pair_id(id.section, side, number))
    };
    let planned = planned_boards(room, table, round).into_iter();
    let here = |cell: &&Cell| cell.table_id() == place && cell.round == round;
    let entered = session.lines.keys().filter(here).map(|cell| cell.board);
    let boards: BTreeSet<BoardNumber> = planned.chain(entered).collect();
    boards
        .into_iter()
        .map(|board| Command::CorrectPairs {
            cell: Cell::new(place, round, board),
            ns: name(of_ns, ns),
            ew: name(of_ew, ew),
            why: "as the players said at the table".to_owned(),
        })
        .collect()
}

fn cell(id: FindingId) -> Option<Cell> {
    let table = TableId {
        section: id.section,
        table: id.table?,
    };
    Some(Cell::new(table, id.round?, id.board?))
}

fn swap_pads(id: FindingId, with: protocol::words::TableNumber) -> Option<Command> {
    let table = |table| TableId {
        section: id.section,
        table,
    };
    Some(Command::SwapPads {
        one: table(id.table?),
        other: table(with),
    })
}

fn rule(cell: Cell, ruling: Ruling) -> Command {
    Command::Rule {
        cell,
        ruling,
        why: String::new(),
    }
}

fn result_at(session: &Session, cell: Cell) -> Option<BoardResult> {
    session.lines.get(&cell)?.result()
}

/// Answers that change one line, or two that change places.
fn at_line(session: &Session, cell: Cell, given: &Answer) -> Vec<Command> {
    let changed = |change: &dyn Fn(&mut Played)| match result_at(session, cell) {
        Some(BoardResult::Played(mut played)) => {
            change(&mut played);
            vec![rule(cell, Ruling::Result(BoardResult::Played(played)))]
        }
        _ => Vec::new(),
    };
    match *given {
        Answer::ChangeDeclarer { declarer } => changed(&|p| p.contract.declarer = declarer),
        Answer::LeaveLeadEmpty => changed(&|p| p.lead = None),
        Answer::ChangeLead { lead } => changed(&|p| p.lead = Some(lead)),
        Answer::ChangeTricks { tricks } => changed(&|p| p.tricks = tricks),
        Answer::MakeDoubled => changed(&|p| p.contract.doubling = Doubling::Doubled),
        // What was written beside it is forgotten; the contract stays.
        Answer::UseScore { .. } => changed(&|_| ()),
        Answer::PassedOut => vec![rule(cell, Ruling::Result(BoardResult::PassedOut))],
        Answer::NotPlayed => vec![rule(cell, Ruling::Result(BoardResult::NotPlayed))],
        Answer::TakeAway => vec![rule(cell, Ruling::TakenAway)],
        Answer::AllowBoard { .. } => vec![Command::AllowBoard { cell }],
        Answer::MoveToBoard { board } => vec![move_line(cell, board)],
        Answer::ExchangeBoards { with } => {
            let other = Cell {
                board: with,
                ..cell
            };
            match (result_at(session, cell), result_at(session, other)) {
                (Some(here), Some(there)) => vec![
                    rule(cell, Ruling::Result(there)),
                    rule(other, Ruling::Result(here)),
                ],
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

fn move_line(from: Cell, board: BoardNumber) -> Command {
    Command::MoveLine {
        from,
        to: Cell { board, ..from },
        why: String::new(),
    }
}

/// Moves the results of a round one by one, the one that has room first.
fn shift(session: &Session, room: &Room, id: FindingId, by: i8) -> Vec<Command> {
    let (Some(table), Some(round)) = (id.table, id.round) else {
        return Vec::new();
    };
    let place = TableId {
        section: id.section,
        table,
    };
    let mut lines: Vec<Cell> = session
        .lines
        .iter()
        .filter(|(cell, line)| cell.table_id() == place && cell.round == round && line.is_in())
        .map(|(cell, _)| *cell)
        .collect();
    lines.sort_by_key(|cell| cell.board);
    if by > 0 {
        lines.reverse();
    }
    let due = planned_boards(room, table, round);
    lines
        .into_iter()
        .filter_map(|cell| {
            let board = cell.board.get().checked_add_signed(by)?;
            let board = BoardNumber::new(board).filter(|board| due.contains(board))?;
            Some(move_line(cell, board))
        })
        .collect()
}
