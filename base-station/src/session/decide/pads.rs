//! Commands about pads and tables.

use protocol::message::WIRE_VERSION;
use protocol::words::{Epoch, PadId};

use super::{Decided, not_here, refuse};
use crate::session::concerns::{
    club_commands, evening_commands, movement_commands, result_commands,
};
use crate::session::{
    Command, Event, GivenEpoch, Phase, Refused, Replacing, Session, State, TableId,
};
use telling::tell;

pub(super) fn decide(state: &State, session: &Session, command: &Command) -> Decided {
    match command {
        Command::FreeTable { table } => {
            holder(session, *table).map(|(pad, _)| vec![Event::TableFreed { table: *table, pad }])
        }
        Command::SwapPads { one, other } => swap(state, session, *one, *other),
        Command::MovePad { from, to } => move_pad(state, session, *from, *to),
        Command::AnswerReplace {
            table,
            pad,
            allowed,
        } => answer_replace(session, *table, *pad, *allowed),
        Command::SettleCall { table } => {
            let called = session.tables.get(table).and_then(|table| table.called);
            if called.is_some() {
                Ok(vec![Event::CallSettled { table: *table }])
            } else {
                refuse(tell!(Refused::TableNotCalled { table }))
            }
        }
        Command::AllowBoard { cell } => {
            if session.sitting(cell.table_id(), cell.round).is_none() {
                refuse(tell!(Refused::ThereNoTableRound {
                    table: cell.table_id(),
                    round: cell.round
                }))
            } else if !session.plays(cell.board) {
                refuse(tell!(Refused::NobodyPlaysBoardSession {
                    board: cell.board
                }))
            } else if session.allowed.contains(cell) {
                refuse(tell!(Refused::AllowedAlready { cell }))
            } else {
                let mut events = vec![Event::BoardAllowed { cell: *cell }];
                events.extend(kept_for(session, *cell));
                Ok(events)
            }
        }
        Command::RefuseBoard { cell } => {
            if session.wanted.contains_key(cell) {
                Ok(vec![Event::BoardRefused(*cell)])
            } else {
                refuse(tell!(Refused::NobodyWaitsAnswerAbout { cell }))
            }
        }
        club_commands!() | evening_commands!() | result_commands!() | movement_commands!() => {
            not_here()
        }
    }
}

fn answer_replace(session: &Session, table: TableId, pad: PadId, allowed: bool) -> Decided {
    let asking = session.tables.get(&table).map(|table| &table.asking);
    if asking.is_some_and(|asking| asking.get(&pad) == Some(&None)) {
        Ok(vec![Event::Replacing(Replacing::Answered {
            pad,
            table,
            allowed,
        })])
    } else {
        refuse(tell!(Refused::PadDoesNotAsk {
            pair: format!("{:08X}", pad.get()),
            table
        }))
    }
}

/// A result that the table had agreed before the board was allowed counts now.
fn kept_for(session: &Session, cell: crate::session::Cell) -> Option<Event> {
    use crate::session::{Cell, Fate};
    use protocol::message::RefusalReason;
    let (seq, _) = session.kept.iter().rev().find(|(_, kept)| {
        kept.fate == Fate::Waiting
            && kept.reason == RefusalReason::BoardOutOfRange
            && Cell::new(kept.table, kept.entry.round, kept.entry.board) == cell
    })?;
    Some(Event::KeptEntryUsed { kept: *seq })
}

fn holder(session: &Session, table: TableId) -> Result<(PadId, Epoch), Refused> {
    session
        .tables
        .get(&table)
        .and_then(|table| table.holder)
        .ok_or_else(|| Refused::because(tell!(Refused::NoPadLoggedAt { table })))
}

/// The events that give a pad a new epoch at a table. Of a pad that has one already the journal
/// knows which wire version it speaks.
pub(in crate::session) fn epoch_for(
    state: &State,
    session: &Session,
    pad: PadId,
    table: TableId,
    wire: u8,
) -> Result<(Epoch, GivenEpoch), Refused> {
    let of_table = session
        .tables
        .get(&table)
        .and_then(|table| table.last_epoch);
    let epoch = state
        .club
        .next_epoch(pad, of_table)
        .ok_or_else(|| Refused::because(tell!(Refused::PadLoggedTooOften)))?;
    let given = GivenEpoch {
        pad,
        epoch,
        session: session.id,
        table,
        wire,
        firmware: None,
        battery_20_mv: None,
    };
    Ok((epoch, given))
}

fn swap(state: &State, session: &Session, one: TableId, other: TableId) -> Decided {
    if one == other {
        return refuse(tell!(Refused::NameTwoDifferentTables));
    }
    if session.phase != Phase::Open {
        return refuse(tell!(Refused::PadsSwappedWhileSession));
    }
    let (first, _) = holder(session, one)?;
    let (second, _) = holder(session, other)?;
    let (of_one, given_second) = epoch_for(state, session, second, one, WIRE_VERSION)?;
    let (of_other, given_first) = epoch_for(state, session, first, other, WIRE_VERSION)?;
    Ok(vec![
        Event::EpochGiven(given_second),
        Event::EpochGiven(given_first),
        Event::PadsSwapped {
            one,
            other,
            epochs: [of_one, of_other],
        },
    ])
}

fn move_pad(state: &State, session: &Session, from: TableId, to: TableId) -> Decided {
    let (pad, _) = holder(session, from)?;
    if !session.all_tables().any(|table| table == to) {
        return refuse(tell!(Refused::ThereNoTableTonight { table: to }));
    }
    if holder(session, to).is_ok() {
        return refuse(tell!(Refused::TablePadSwapTwo { to }));
    }
    let (epoch, given) = epoch_for(state, session, pad, to, WIRE_VERSION)?;
    Ok(vec![
        Event::EpochGiven(given),
        Event::PadMoved {
            pad,
            from,
            to,
            epoch,
        },
    ])
}
