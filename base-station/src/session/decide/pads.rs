//! Commands about pads and tables.

use protocol::words::{Epoch, PadId};

use super::{Decided, refuse};
use crate::session::{Command, Event, Phase, Refused, Session, State, TableId};

pub(super) fn decide(state: &State, session: &Session, command: &Command) -> Option<Decided> {
    Some(match command {
        Command::FreeTable { table } => {
            holder(session, *table).map(|(pad, _)| vec![Event::TableFreed { table: *table, pad }])
        }
        Command::SwapPads { one, other } => swap(state, session, *one, *other),
        Command::MovePad { from, to } => move_pad(state, session, *from, *to),
        Command::SettleCall { table } => {
            let called = session.tables.get(table).and_then(|table| table.called);
            if called.is_some() {
                Ok(vec![Event::CallSettled { table: *table }])
            } else {
                refuse(format!("table {table} has not called"))
            }
        }
        Command::AllowBoard { cell } => {
            if session.sitting(cell.table_id(), cell.round).is_none() {
                refuse(format!(
                    "there is no table {} in round {}",
                    cell.table_id(),
                    cell.round
                ))
            } else if session.allowed.contains(cell) {
                refuse(format!("{cell} is allowed already"))
            } else {
                let mut events = vec![Event::BoardAllowed { cell: *cell }];
                events.extend(kept_for(session, *cell));
                Ok(events)
            }
        }
        _ => return None,
    })
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
        .ok_or_else(|| Refused::because(format!("no pad is logged on at table {table}")))
}

/// The events that give a pad a new epoch at a table.
pub(in crate::session) fn epoch_for(
    state: &State,
    session: &Session,
    pad: PadId,
    table: TableId,
) -> Result<(Epoch, Event), Refused> {
    let of_table = session
        .tables
        .get(&table)
        .and_then(|table| table.last_epoch);
    let epoch = state.club.next_epoch(pad, of_table).ok_or_else(|| {
        Refused::because("this pad has logged on too often in its life: give it a new club key")
    })?;
    let given = Event::EpochGiven {
        pad,
        epoch,
        session: session.id,
        table,
    };
    Ok((epoch, given))
}

fn swap(state: &State, session: &Session, one: TableId, other: TableId) -> Decided {
    if one == other {
        return refuse("name two different tables");
    }
    if session.phase != Phase::Open {
        return refuse("pads are swapped while the session is open");
    }
    let (first, _) = holder(session, one)?;
    let (second, _) = holder(session, other)?;
    let (of_one, given_second) = epoch_for(state, session, second, one)?;
    let (of_other, given_first) = epoch_for(state, session, first, other)?;
    Ok(vec![
        given_second,
        given_first,
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
        return refuse(format!("there is no table {to} tonight"));
    }
    if holder(session, to).is_ok() {
        return refuse(format!(
            "table {to} has a pad: swap the two pads instead, or free the table first"
        ));
    }
    let (epoch, given) = epoch_for(state, session, pad, to)?;
    Ok(vec![
        given,
        Event::PadMoved {
            pad,
            from,
            to,
            epoch,
        },
    ])
}
