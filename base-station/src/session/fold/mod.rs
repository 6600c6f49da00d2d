//! How each event changes a session. Infallible: an event that makes no sense (any more) changes
//! nothing, because it was right when it was written and the journal is never edited.

mod movement;
mod pads;
mod results;

use std::sync::Arc;

use imbl::OrdSet;

use super::plan::Partner;
use super::state::Section;
use super::{Clock, ClockUntil, Event, Penalty, Phase, Player, Record, Seq, Session};

impl Session {
    /// Takes in one record. The same live and on replay.
    pub(super) fn apply(&mut self, record: &Arc<Record>) {
        if matches!(record.event, Event::Undone { .. }) {
            // Undoing may reach far back, so everything else is folded anew without it: the only
            // way that is right for every kind of event.
            let mut records = std::mem::take(&mut self.records);
            records.push_back(Arc::clone(record));
            *self = Self::new(self.id);
            self.undone = taken_back(&records);
            for record in &records {
                self.fold(record);
            }
            self.records = records;
        } else {
            self.records.push_back(Arc::clone(record));
            self.fold(record);
        }
    }

    fn fold(&mut self, record: &Record) {
        if self.undone.contains(&record.seq) {
            // The pad's number stays used, or the same entry would count when it is sent again.
            if let Event::Entered { pad, entry, .. } = &record.event {
                self.entries.insert((*pad, entry.number));
            }
            return;
        }
        match &record.event {
            Event::PadAdmitted { .. }
            | Event::PadLoggedOff { .. }
            | Event::TableFreed { .. }
            | Event::PadsSwapped { .. }
            | Event::PadMoved { .. }
            | Event::PadSilent { .. }
            | Event::PadHeardAgain { .. }
            | Event::BatteryLow { .. }
            | Event::DirectorCalled { .. }
            | Event::CallSettled { .. }
            | Event::PlayersSeated { .. }
            | Event::PairsSeen { .. }
            | Event::BoardWanted { .. }
            | Event::BoardAllowed { .. } => self.fold_pad(record),
            Event::Entered { .. }
            | Event::EntryKept { .. }
            | Event::KeptEntryUsed { .. }
            | Event::KeptEntryIgnored { .. }
            | Event::Ruled { .. }
            | Event::PairsCorrected { .. }
            | Event::LineMoved { .. }
            | Event::FouledSet { .. } => self.fold_result(record),
            Event::Penalised { pair, amount, why } => {
                let penalty = Penalty {
                    pair: *pair,
                    amount: *amount,
                    why: why.clone(),
                    who: record.who.clone(),
                    at: record.at,
                };
                self.penalties.insert(record.seq, penalty);
            }
            event => self.fold_evening(event, record),
        }
    }

    fn fold_evening(&mut self, event: &Event, record: &Record) {
        match event {
            Event::SectionPlanned { section, plan } => {
                self.sections.insert(*section, Section::planned(plan));
            }
            Event::SectionRemoved { section } => {
                self.sections.remove(section);
            }
            Event::ScoringChosen(scoring) => self.scoring = *scoring,
            Event::SettingsChanged(settings) => self.settings = *settings,
            Event::TimingChosen(timing) => self.timing = *timing,
            Event::DealsAttached { deals, .. } => {
                self.deals = deals
                    .iter()
                    .map(|deal| (deal.board, deal.clone()))
                    .collect();
            }
            Event::DealAnalysed { record } => {
                if let Some(known) = self.deals.get_mut(&record.board)
                    && known.deal == record.deal
                {
                    *known = record.clone();
                }
            }
            Event::Opened => self.phase = Phase::Open,
            Event::GateSet { open } => self.gate_open = *open,
            Event::PlayEnded | Event::Reopened { .. } => self.phase = Phase::Ended,
            Event::Released => {
                self.phase = Phase::Released;
                self.released = Some(record.at);
            }
            Event::ClockStarted { round, ends } => {
                let until = ClockUntil::Ends(*ends);
                self.clock = Some(Clock {
                    round: *round,
                    until,
                });
            }
            Event::ClockHeld { left_ms } => self.set_clock(ClockUntil::HeldWith(*left_ms)),
            Event::ClockGoesOn { ends } => self.set_clock(ClockUntil::Ends(*ends)),
            Event::RoundEnded {
                section,
                table,
                round,
            } => self.end_round(*section, *table, *round),
            Event::MovementChanged {
                section,
                from,
                movement,
                sittings,
                ..
            } => {
                if let Some(section) = self.sections.get_mut(section) {
                    section.change_movement(*from, movement, sittings);
                }
            }
            Event::MovementRevised { .. } => self.revise_movement(event, record),
            Event::PlayerNamed {
                pair,
                partner,
                number,
                name,
                from,
            } => {
                let player = Player {
                    number: *number,
                    name: (!name.is_empty()).then(|| name.clone()),
                };
                self.roster.seat(*pair, *partner, *from, player);
            }
            Event::WarningAnswered { warning, answer } => {
                self.answers.insert(warning.clone(), answer.clone());
            }
            _ => {}
        }
    }

    fn set_clock(&mut self, until: ClockUntil) {
        if let Some(clock) = &mut self.clock {
            clock.until = until;
        }
    }
}

/// Which records are taken back: an undoing counts unless it was itself undone later.
fn taken_back(records: &imbl::Vector<Arc<Record>>) -> OrdSet<Seq> {
    let mut undone = OrdSet::new();
    for record in records.iter().rev() {
        if let Event::Undone { change, .. } = record.event
            && !undone.contains(&record.seq)
        {
            undone.insert(change);
        }
    }
    undone
}

/// North and East first, South and West second.
pub(super) const fn partner_at(seat: protocol::words::Seat) -> Partner {
    use protocol::words::Seat;
    match seat {
        Seat::North | Seat::East => Partner::First,
        Seat::South | Seat::West => Partner::Second,
    }
}
