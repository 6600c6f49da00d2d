//! The time of one radio channel, which all receivers on it share.

use alloc::collections::BTreeMap;

use super::airtime::Airtime;
use super::meter::Meter;
use super::{Hub, Port};
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
    /// Of the base's receivers on this channel together.
    pub(super) airtime: Airtime,
}

impl Channel {
    pub(super) fn new(timing: &Timing, rigid: bool) -> Self {
        Self {
            timing: *timing,
            cycle: Cycle::new(timing),
            places: BTreeMap::new(),
            strangers_slot: (Instant::ZERO, 0),
            meter: Meter::new(timing, rigid),
            airtime: Airtime::default(),
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

impl Hub {
    /// This receiver is on that channel from now on. Receivers on one channel share its time;
    /// all are on channel 0 until somebody says otherwise.
    pub fn set_channel(&mut self, port: Port, channel: u8) {
        let receiver = self.ports.entry(port).or_default();
        receiver.channel = channel;
        receiver.deframer.clear();
    }

    /// So many thousandths of an hour may the base be on the air on each channel: the law of the
    /// country. Nothing is no limit.
    pub fn set_share(&mut self, permille: Option<u16>) {
        self.share_permille = permille;
        for channel in self.channels.values_mut() {
            channel.airtime.set_limit(permille);
        }
    }

    /// How many thousandths of the last hour the base was on the air on a receiver's channel.
    pub fn share(&self, port: Port, now: Instant) -> u16 {
        let channel = self.channels.get(&self.channel_of(port));
        channel.map_or(0, |it| it.airtime.share_permille(now))
    }

    /// The fit of the channel that a receiver is on.
    pub fn fit(&self, port: Port) -> Fit {
        let channel = self.channels.get(&self.channel_of(port));
        channel.map_or_else(|| Fit::narrow(&self.timing), Channel::fit)
    }

    /// Begins with a fit that was measured before a restart, instead of the narrow one.
    pub fn set_fit(&mut self, port: Port, fit: Fit, now: Instant) {
        self.channel(port).refit(fit, now);
    }

    pub(super) fn channel_of(&self, port: Port) -> u8 {
        self.ports.get(&port).map_or(0, |it| it.channel)
    }

    pub(super) fn channel(&mut self, port: Port) -> &mut Channel {
        let number = self.channel_of(port);
        let (timing, rigid) = (self.timing, self.rigid);
        let share = self.share_permille;
        self.channels.entry(number).or_insert_with(|| {
            let mut channel = Channel::new(&timing, rigid);
            channel.airtime.set_limit(share);
            channel
        })
    }
}
