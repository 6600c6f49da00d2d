//! How events change pads and tables.

use protocol::words::{Epoch, PadId, PlayerNumber, RoundNumber, Seat, SectionLetter, Side};

use super::partner_at;
use crate::session::concerns::{club_events, evening_events, result_events};
use crate::session::{
    Event, Lost, Pad, Player, Record, Replacing, Session, Standing, Table, TableId,
};

impl Session {
    pub(super) fn fold_pad(&mut self, record: &Record) {
        match &record.event {
            Event::PadAdmitted {
                pad,
                table,
                epoch,
                how,
                firmware,
            } => {
                let admitted = Pad {
                    table: *table,
                    epoch: *epoch,
                    how: *how,
                    since: record.at,
                    firmware: *firmware,
                    standing: Standing::Holds,
                    silent: None,
                    battery_low: false,
                    entered: None,
                };
                let old = self.holder(*table).filter(|old| old != pad);
                let cells = old.map(|old| self.may_have_held(*table, old, record.at));
                self.leave_other_tables(*pad, *table);
                self.pads.insert(*pad, admitted);
                self.hold(*table, *pad, *epoch);
                if let Some(cells) = cells {
                    let epoch = *epoch;
                    self.table_mut(*table).lost = Some(Lost { epoch, cells });
                }
            }
            Event::PadLoggedOff { pad, table } => {
                self.give_up(*pad, *table, Standing::LoggedOff);
            }
            Event::TableFreed { table, pad } => self.give_up(*pad, *table, Standing::Freed),
            Event::PadsSwapped { one, other, epochs } => self.swap_pads(*one, *other, *epochs),
            Event::PadMoved {
                pad,
                from,
                to,
                epoch,
            } => {
                self.move_lines(*pad, *from, *to);
                self.leave_other_tables(*pad, *to);
                self.hold(*to, *pad, *epoch);
            }
            Event::PadSilent { pad, .. } => {
                self.change_pad(*pad, |pad| pad.silent = Some(record.at));
            }
            Event::PadHeardAgain { pad, .. } => self.change_pad(*pad, |pad| pad.silent = None),
            Event::BatteryLow { pad, .. } => self.change_pad(*pad, |pad| pad.battery_low = true),
            Event::DirectorCalled { table } => self.table_mut(*table).called = Some(record.at),
            Event::CallSettled { table } => self.table_mut(*table).called = None,
            Event::PlayersSeated {
                table,
                round,
                seats,
            } => self.seat_players(*table, *round, seats),
            Event::PairsSeen {
                table,
                round,
                ns,
                ew,
            } => {
                self.table_mut(*table).seen.insert(*round, (*ns, *ew));
            }
            Event::BoardWanted { cell } => {
                self.wanted.insert(*cell, record.at);
            }
            Event::BoardAllowed { cell } => {
                self.wanted.remove(cell);
                self.refused.remove(cell);
                self.allowed.insert(*cell);
            }
            Event::Replacing(replacing) => {
                let (Replacing::Asked { table, .. } | Replacing::Answered { table, .. }) =
                    replacing;
                self.table_mut(*table).replacing(*replacing);
            }
            Event::BoardRefused(cell) => {
                self.wanted.remove(cell);
                self.refused.insert(*cell);
            }
            club_events!() | evening_events!() | result_events!() => {}
        }
    }

    pub(super) fn table_mut(&mut self, table: TableId) -> &mut Table {
        self.tables.entry(table).or_default()
    }

    pub(super) fn end_round(
        &mut self,
        section: SectionLetter,
        table: Option<TableId>,
        round: RoundNumber,
    ) {
        let tables: Vec<TableId> = match (table, self.sections.get(&section)) {
            (Some(table), _) => vec![table],
            (None, Some(found)) => found
                .tables()
                .map(|table| TableId { section, table })
                .collect(),
            (None, None) => Vec::new(),
        };
        for table in tables {
            let table = self.table_mut(table);
            table.ended = table.ended.max(Some(round));
        }
    }

    fn change_pad(&mut self, pad: PadId, change: impl FnOnce(&mut Pad)) {
        if let Some(pad) = self.pads.get_mut(&pad) {
            change(pad);
        }
    }

    /// Puts a pad at a table; whoever held it is replaced.
    fn hold(&mut self, table: TableId, pad: PadId, epoch: Epoch) {
        let seat = self.table_mut(table);
        let before = seat.holder.replace((pad, epoch));
        seat.asking.clear();
        seat.last_epoch = seat.last_epoch.max(Some(epoch));
        if let Some((old, _)) = before.filter(|(old, _)| *old != pad) {
            self.change_pad(old, |old| {
                if old.table == table {
                    old.standing = Standing::Replaced;
                }
            });
        }
        self.change_pad(pad, |pad| {
            pad.table = table;
            pad.epoch = epoch;
            pad.standing = Standing::Holds;
        });
    }

    /// A pad is at one table only.
    fn leave_other_tables(&mut self, pad: PadId, table: TableId) {
        if let Some(known) = self.pads.get(&pad)
            && known.table != table
        {
            let left = known.table;
            let seat = self.table_mut(left);
            if seat.holder.is_some_and(|(holder, _)| holder == pad) {
                seat.holder = None;
            }
        }
    }

    fn give_up(&mut self, pad: PadId, table: TableId, standing: Standing) {
        let seat = self.table_mut(table);
        if seat.holder.is_some_and(|(holder, _)| holder == pad) {
            seat.holder = None;
        }
        self.change_pad(pad, |pad| {
            if pad.table == table {
                pad.standing = standing;
            }
        });
    }

    fn swap_pads(&mut self, one: TableId, other: TableId, epochs: [Epoch; 2]) {
        let holder = |session: &Self, table| {
            let table: Option<&Table> = session.tables.get(&table);
            table.and_then(|table| table.holder).map(|(pad, _)| pad)
        };
        let (Some(first), Some(second)) = (holder(self, one), holder(self, other)) else {
            return;
        };
        self.swap_lines((first, one), (second, other));
        let [of_one, of_other] = epochs;
        self.table_mut(one).holder = None;
        self.table_mut(other).holder = None;
        self.hold(one, second, of_one);
        self.hold(other, first, of_other);
    }

    fn seat_players(
        &mut self,
        table: TableId,
        round: RoundNumber,
        seats: &[Option<PlayerNumber>; 4],
    ) {
        let Some(sitting) = self.sitting(table, round).cloned() else {
            return;
        };
        for (seat, number) in Seat::ALL.into_iter().zip(seats) {
            let pair = match seat.side() {
                Side::NorthSouth => sitting.ns,
                Side::EastWest => sitting.ew,
            };
            if let (Some(pair), Some(number)) = (pair, number) {
                let pair = self.pair_id(table.section, seat.side(), pair);
                let player = Player {
                    number: Some(*number),
                    name: None,
                };
                self.roster.seat(pair, partner_at(seat), round, player);
            }
        }
    }
}
