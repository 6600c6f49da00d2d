//! What can be done about a warning, and what the base does then.

use std::collections::BTreeSet;

use protocol::words::{
    BoardNumber, BoardResult, Doubling, PairNumber, Played, RoundNumber, Side, TableNumber,
};

use super::{Cause, WarningId};
use crate::checks::{Finding, FindingId, Kind, Remedy, Room};
use crate::session::plan::{Ruling, Sitting};
use crate::session::{Cell, Command, Session, Settled, TableId, Trust};

/// A button: what it says, and what the base does then.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// What the director says with it.
    pub answer: Answer,
    /// What the base does then, all of it or nothing, besides noting the answer; `None` where there
    /// is nothing to do.
    pub command: Option<Command>,
}

/// What the director can say to a warning.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Yes, replace the pad.
    Replace,
    /// No, keep the one that works.
    Keep,
    /// No, and never listen to that pad again.
    Revoke,
    /// Seen to it.
    Noted,
    /// The board was not played.
    NotPlayed,
    /// It is played later.
    LatePlay,
    /// Let the kept entry count.
    Use,
    /// Leave it.
    Ignore,
    /// Let the table enter the board.
    Allow,
    /// Don't.
    Refuse,
    /// Nothing is wrong.
    Right,
    /// A remedy of a finding, by its place among them.
    Remedy(usize, Remedy),
}

impl Answer {
    /// Its name in the interface, together with its warning's.
    pub fn name(&self) -> String {
        match self {
            Self::Replace => "replace".to_owned(),
            Self::Keep => "keep".to_owned(),
            Self::Revoke => "revoke".to_owned(),
            Self::Noted => "noted".to_owned(),
            Self::NotPlayed => "not_played".to_owned(),
            Self::LatePlay => "late_play".to_owned(),
            Self::Use => "use".to_owned(),
            Self::Ignore => "ignore".to_owned(),
            Self::Allow => "allow".to_owned(),
            Self::Refuse => "refuse".to_owned(),
            Self::Right => "right".to_owned(),
            Self::Remedy(place, _) => place.to_string(),
        }
    }

    /// Whether it says that nothing was wrong.
    pub const fn is_false_alarm(&self) -> bool {
        matches!(self, Self::Right | Self::Remedy(_, Remedy::ItIsRight))
    }

    /// Whether it changes a score that players have agreed.
    pub const fn changes_score(&self) -> bool {
        matches!(
            self,
            Self::Remedy(
                _,
                Remedy::ChangeDeclarer { .. }
                    | Remedy::ChangeTricks { .. }
                    | Remedy::MakeDoubled
                    | Remedy::PassedOut
                    | Remedy::NotPlayed
                    | Remedy::UseScore { .. }
                    | Remedy::ExchangeBoards { .. }
                    | Remedy::TakeAway
            )
        )
    }

    /// Whether it changes the movement, so that people look first at what that means for whom.
    pub const fn changes_movement(&self) -> bool {
        matches!(self, Self::Remedy(_, Remedy::ApplyMovement { .. }))
    }

    /// How it is noted, in these words where something was done.
    pub fn settles(&self, words: String) -> Settled {
        if self.is_false_alarm() {
            Settled::NothingWrong
        } else {
            Settled::Said(words)
        }
    }
}

/// The offers of a warning of the session itself.
pub(super) fn offers(id: &WarningId, cause: &Cause, answers: &[Answer]) -> Vec<Offer> {
    let offer = |answer: &Answer| Offer {
        answer: answer.clone(),
        command: command(id, cause, answer),
    };
    answers.iter().map(offer).collect()
}

/// What an answer to a warning of the session does.
fn command(id: &WarningId, cause: &Cause, answer: &Answer) -> Option<Command> {
    let replace = |allowed| match cause {
        Cause::ReplaceAsked { table, pad } => Some(Command::AnswerReplace {
            table: *table,
            pad: *pad,
            allowed,
        }),
        _ => None,
    };
    let cell = || match cause {
        Cause::BoardMissing(cell) | Cause::BoardWanted(cell) => Some(*cell),
        _ => None,
    };
    let kept = || match id {
        WarningId::EntryKept(kept) => Some(*kept),
        _ => None,
    };
    match answer {
        Answer::Replace => replace(true),
        Answer::Keep => replace(false),
        Answer::Revoke => match cause {
            Cause::ReplaceAsked { pad, .. } => {
                Some(Command::ChangeTrust(Trust::PadRevoked { pad: *pad }))
            }
            _ => None,
        },
        Answer::NotPlayed => {
            let ruling = Ruling::Result(BoardResult::NotPlayed);
            cell().map(|cell| rule(cell, ruling))
        }
        Answer::LatePlay => cell().map(|cell| rule(cell, Ruling::LatePlay)),
        Answer::Use => kept().map(|kept| Command::UseKept { kept }),
        Answer::Ignore => kept().map(|kept| Command::IgnoreKept { kept }),
        Answer::Allow => cell().map(|cell| Command::AllowBoard { cell }),
        Answer::Refuse => cell().map(|cell| Command::RefuseBoard { cell }),
        Answer::Noted | Answer::Right | Answer::Remedy(..) => None,
    }
}

/// The offers of a finding.
pub(super) fn of_finding(session: &Session, room: &Room, finding: &Finding) -> Vec<Offer> {
    let remedies = finding.remedies.iter().enumerate();
    remedies
        .map(|(place, remedy)| {
            let mut commands = remedied(session, room, finding.id, remedy);
            Offer {
                answer: Answer::Remedy(place, remedy.clone()),
                command: if commands.len() > 1 {
                    Some(Command::Together(commands))
                } else {
                    commands.pop()
                },
            }
        })
        .collect()
}

/// What a remedy changes, step by step.
fn remedied(session: &Session, room: &Room, id: FindingId, remedy: &Remedy) -> Vec<Command> {
    let line = cell(id);
    let at_line = |step: &dyn Fn(Cell) -> Command| line.map(step).into_iter().collect();
    let changed = |change: &dyn Fn(&mut Played)| {
        let played = line.and_then(|cell| match result_at(session, cell)? {
            BoardResult::Played(mut played) => {
                change(&mut played);
                Some(rule(cell, Ruling::Result(BoardResult::Played(played))))
            }
            BoardResult::PassedOut
            | BoardResult::NotPlayed
            | BoardResult::SitOut
            | BoardResult::Adjusted { .. } => None,
        });
        played.into_iter().collect()
    };
    let result = |result| at_line(&move |cell| rule(cell, Ruling::Result(result)));
    match remedy {
        Remedy::ChangeDeclarer { declarer } => changed(&|it| it.contract.declarer = *declarer),
        Remedy::LeaveLeadEmpty => changed(&|it| it.lead = None),
        Remedy::ChangeLead { lead } => changed(&|it| it.lead = Some(*lead)),
        Remedy::ChangeTricks { tricks } => changed(&|it| it.tricks = *tricks),
        Remedy::MakeDoubled => changed(&|it| it.contract.doubling = Doubling::Doubled),
        // What was written beside it is forgotten; the contract stays.
        Remedy::UseScore { .. } => changed(&|_| ()),
        Remedy::PassedOut => result(BoardResult::PassedOut),
        Remedy::NotPlayed => result(BoardResult::NotPlayed),
        Remedy::TakeAway => at_line(&|cell| rule(cell, Ruling::TakenAway)),
        Remedy::AllowBoard { .. } => at_line(&|cell| Command::AllowBoard { cell }),
        Remedy::MoveToBoard { board } => at_line(&|cell| move_line(cell, *board)),
        Remedy::ExchangeBoards { with } => exchange(session, line, *with).unwrap_or_default(),
        Remedy::ShiftBoards { by } => shift(session, room, id, *by),
        Remedy::SwapPads { with } => swap_pads(id, *with).into_iter().collect(),
        Remedy::SeatPairs { ns, ew } => seat_pairs(session, room, id, (*ns, *ew)),
        Remedy::ApplyMovement { movement, .. } => {
            // The whole of it: rounds already played come out as they really were.
            vec![Command::ChangeMovement {
                section: id.section,
                from: RoundNumber::FIRST,
                movement: movement.name.clone(),
                sittings: movement.seatings().map(Sitting::planned).collect(),
                instructions: movement.notes.iter().map(ToString::to_string).collect(),
                why: "the movement doctor's remedy".to_owned(),
            }]
        }
        Remedy::TakeDealsOff => vec![Command::AttachDeals {
            file: String::new(),
            deals: Vec::new(),
        }],
        Remedy::Tell { .. } | Remedy::Visit { .. } | Remedy::ItIsRight => Vec::new(),
    }
}

/// Books a table's round, what is in and what is to come, for those who say they sit there.
fn seat_pairs(
    session: &Session,
    room: &Room,
    id: FindingId,
    (ns, ew): (Option<PairNumber>, Option<PairNumber>),
) -> Vec<Command> {
    let (Some(place), Some(round)) = (table(id), id.round) else {
        return Vec::new();
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
    let here = |cell: &&Cell| cell.table_id() == place && cell.round == round;
    let entered = session.lines.keys().filter(here).map(|cell| cell.board);
    let planned = planned_boards(room, place.table, round);
    let boards: BTreeSet<BoardNumber> = planned.into_iter().chain(entered).collect();
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

fn table(id: FindingId) -> Option<TableId> {
    Some(TableId {
        section: id.section,
        table: id.table?,
    })
}

fn cell(id: FindingId) -> Option<Cell> {
    Some(Cell::new(table(id)?, id.round?, id.board?))
}

fn swap_pads(id: FindingId, with: TableNumber) -> Option<Command> {
    let one = table(id)?;
    let other = TableId { table: with, ..one };
    Some(Command::SwapPads { one, other })
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

/// Two results of a round change places.
fn exchange(session: &Session, line: Option<Cell>, with: BoardNumber) -> Option<Vec<Command>> {
    let cell = line?;
    let other = Cell {
        board: with,
        ..cell
    };
    let (here, there) = (result_at(session, cell)?, result_at(session, other)?);
    Some(vec![
        rule(cell, Ruling::Result(there)),
        rule(other, Ruling::Result(here)),
    ])
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
    let (Some(place), Some(round)) = (table(id), id.round) else {
        return Vec::new();
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
    let due = planned_boards(room, place.table, round);
    lines
        .into_iter()
        .filter_map(|cell| {
            let board = cell.board.get().checked_add_signed(by)?;
            let board = BoardNumber::new(board).filter(|board| due.contains(board))?;
            Some(move_line(cell, board))
        })
        .collect()
}

/// The boards of a table in a round, as planned.
fn planned_boards(room: &Room, table: TableNumber, round: RoundNumber) -> Vec<BoardNumber> {
    room.seating(table, round)
        .map_or_else(Vec::new, |seating| seating.boards.iter().collect())
}
