//! The time of one radio channel, which all receivers on it share.

use alloc::collections::BTreeMap;

use super::meter::Meter;
use crate::link::Timing;
use crate::link::cycle::{Cycle, Place, signed};
use crate::link::fit::{Fit, Spread};
use crate::time::{Instant, Span};
use crate::words::PadId;

/// A frame that comes further than this from where a pad should have called was not meant for
/// that moment.
const MEANT_WITHIN: Span = Span::from_millis(260);

/// One channel.
#[derive(Debug)]
pub(super) struct Channel {
    timing: Timing,
    pub(super) cycle: Cycle,
    /// The slots that are taken for check-ins.
    pub(super) places: BTreeMap<Place, PadId>,
    /// The slot that the last stranger was given, and in which cycle.
    strangers_slot: (Instant, u8),
    pub(super) meter: Meter,
}

impl Channel {
    pub(super) fn new(timing: &Timing, rigid: bool) -> Self {
        Self {
            timing: *timing,
            cycle: Cycle::new(timing),
            places: BTreeMap::new(),
            strangers_slot: (Instant::ZERO, 0),
            meter: Meter::new(timing, rigid),
        }
    }

    pub(super) const fn fit(&self) -> Fit {
        self.meter.fit()
    }

    /// Divides the time anew. Nobody has a slot for check-ins then.
    pub(super) fn refit(&mut self, fit: Fit, now: Instant) {
        let before = self.fit();
        self.meter.set_fit(fit, now);
        let cycle = Cycle::fitted(&self.timing, &fit);
        if cycle.is_other(&self.cycle) || before.at_once != fit.at_once {
            self.cycle = cycle;
            self.places.clear();
        }
    }

    /// Strangers of one window get slots of their own in the next cycle.
    pub(super) fn slot_for_stranger(&mut self, begins: Instant) -> u8 {
        let cycle = self.cycle.cycle_at(Instant::ZERO, begins);
        let slot = match self.strangers_slot {
            (other, last) if other == cycle => self.cycle.message_slot_after(last),
            _ => 0,
        };
        self.strangers_slot = (cycle, slot);
        slot
    }

    /// A pad that reckons with this turn-around called at `heard` and was meant to at `meant`.
    pub(super) fn arrived(&mut self, meant: Instant, turnaround_ms: u8, heard: Instant) {
        let off = signed(heard) - signed(meant);
        if off.unsigned_abs() <= MEANT_WITHIN.as_micros() {
            self.meter.arrived(off + i64::from(turnaround_ms) * 1_000);
        }
    }

    /// Whether the cycle is another one than all pads know.
    pub(super) fn is_wide(&self) -> bool {
        let fit = self.fit();
        !fit.at_once && fit.up.max(fit.down) > Spread::NARROW
    }

    /// Whether a frame that began then can be the check-in of this place, late or not.
    pub(super) fn is_near(&self, place: Place, heard: Instant) -> bool {
        let off = signed(heard) - signed(self.cycle.nearest(place, heard));
        let half_slot = self.cycle.slot_start(1).as_micros() / 2;
        let late = self.fit().up.span() + Span::from_micros(half_slot);
        let early = i64::try_from(half_slot).unwrap_or_default();
        off >= -early && off < i64::try_from(late.as_micros()).unwrap_or_default()
    }
}
