//! How each event changes a session. Infallible: an event that makes no sense (any more) changes
//! nothing, because it was right when it was written and the journal is never edited.

#![deny(
    clippy::wildcard_enum_match_arm,
    clippy::match_wildcard_for_single_variants
)]

mod counts;
mod movement;
mod pads;
mod results;

use std::sync::Arc;

use imbl::OrdSet;
use protocol::words::SessionId;

use counts::Counted;

use super::concerns::{club_events, evening_events, pad_events, result_events};
use super::plan::Partner;
use super::state::Section;
use super::{Clock, ClockUntil, ConnectorEvent, Event, Phase, Player, Record, Seq, Session};

/// How many records are folded before somebody may say that it is enough.
const LOOK_AT_CLOCK_EVERY: usize = 64;

impl Session {
    /// A session from all its records at once: what was taken back is known beforehand, so that
    /// each is folded once, however many were.
    pub fn folded(id: SessionId, records: impl Iterator<Item = Arc<Record>>) -> Self {
        Self::folded_until(id, records, || false).unwrap_or_else(|| Self::new(id))
    }

    /// The same, unless it is `enough` before all are folded.
    pub fn folded_until(
        id: SessionId,
        records: impl Iterator<Item = Arc<Record>>,
        enough: impl Fn() -> bool,
    ) -> Option<Self> {
        let records: imbl::Vector<Arc<Record>> = records.collect();
        let mut session = Self::new(id);
        session.undone = taken_back(&records);
        for (at, record) in records.iter().enumerate() {
            if at % LOOK_AT_CLOCK_EVERY == 0 && enough() {
                return None;
            }
            session.fold_one(record);
        }
        session.count_results(Counted::Everything);
        session.records = records;
        Some(session)
    }

    /// Takes in one record. The same live and on replay.
    pub(super) fn apply(&mut self, record: &Arc<Record>) {
        if matches!(record.event, Event::Undone { .. }) {
            // Undoing may reach far back, so everything else is folded anew without it: the only
            // way that is right for every kind of event.
            let mut records = std::mem::take(&mut self.records);
            records.push_back(Arc::clone(record));
            *self = Self::folded(self.id, records.into_iter());
        } else {
            self.records.push_back(Arc::clone(record));
            self.fold(record);
        }
    }

    fn fold(&mut self, record: &Record) {
        let counted = self.about_to_change(&record.event);
        self.fold_one(record);
        self.count_results(counted);
    }

    fn fold_one(&mut self, record: &Record) {
        if self.undone.contains(&record.seq) {
            // The pad's number stays used, or the same entry would count when it is sent again.
            if let Event::Entered { pad, entry, .. } = &record.event {
                self.entries.insert((*pad, entry.number));
            }
            return;
        }
        match &record.event {
            pad_events!() => self.fold_pad(record),
            result_events!() => self.fold_result(record),
            evening_events!() => self.fold_evening(record),
            // They are in the club's history, see `Club::apply`.
            club_events!() => {}
        }
    }

    fn fold_evening(&mut self, record: &Record) {
        match &record.event {
            Event::SectionPlanned { section, plan } => {
                self.sections.insert(*section, Section::planned(plan));
            }
            Event::SectionRemoved { section } => {
                self.sections.remove(section);
            }
            Event::ScoringChosen(scoring) => self.scoring = *scoring,
            Event::SettingsChanged(settings) => self.settings = *settings,
            Event::TimingChosen(timing) => self.timing = *timing,
            Event::WayChosen(way) => self.way = Some(*way),
            Event::SectionGateSet { section, open } => {
                if *open {
                    self.closed.remove(section);
                } else {
                    self.closed.insert(*section);
                }
            }
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
            Event::MovementRevised { .. } => self.revise_movement(&record.event, record),
            Event::PlayerNamed {
                pair,
                partner,
                number,
                name,
                from,
                digits,
            } => {
                if let Some(number) = number {
                    self.roster.write(*number, *digits);
                }
                let player = Player {
                    number: *number,
                    name: (!name.is_empty()).then(|| name.clone()),
                };
                self.roster.seat(*pair, *partner, *from, player);
            }
            Event::Contest(event) => self.fold_contest(event, record),
            Event::RoundTaken(taken) => self.fold_led(*taken, record.seq),
            Event::Connector(ConnectorEvent::Accepted { guid, queue, upto }) => {
                self.accepted.insert((guid.clone(), *queue), *upto);
            }
            Event::NoticeSent { tables, text } if tables.is_empty() => {
                self.announced = Some((record.at, text.clone()));
            }
            // Its tables read it; nothing changes.
            Event::NoticeSent { .. } | club_events!() | pad_events!() | result_events!() => {}
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
