//! How the channel's time is divided: slots in which pads call, then a window in which the base
//! answers them all.
//!
//! Pads cannot all hear each other, and while a modem turns from hearing to sending it is deaf,
//! so listening before speaking prevents too few collisions and costs a turn-around for each
//! answer. With slots two calls collide only if they choose the same one; and one turn-around
//! serves all answers of a cycle. There are no beacons: every frame of the base says where in the
//! cycle it began, and a pad that was in contact within the last minutes still knows.

use super::Timing;
use crate::frame::Phase;
use crate::time::{Instant, Span};

/// Slots in a cycle for messages. More would make better use of the channel, fewer a quicker
/// answer.
const MESSAGE_SLOTS: u64 = 10;

/// The fewest slots in a cycle for check-ins. They come last, so that the modem has not long to
/// wait for the answer.
const CHECK_IN_SLOTS_MIN: u64 = 2;

/// Pads that must find a check-in slot within a period: 256 tables and some spare pads.
const PADS: u64 = 272;

/// The frame that a slot is made for: a full result with lead has 26 bytes. A pad that opens an
/// association uses some of the guard; a longer frame takes two slots.
const CALL_LEN: usize = 26;

/// What the base's window is made for: five answers with the percentage, four to strangers, or a
/// fragment.
const ANSWERS_LEN: usize = 122;

/// The base's answers have at least this long, however quick the line: its program gets the
/// processor some milliseconds late, and what would end after the window is not sent.
const ANSWERS_MIN: Span = Span::from_millis(10);

/// A pad checks in about this often: at least every 60 s, with time left to try again.
const CHECK_IN_EVERY: Span = Span::from_secs(49);

/// A check-in slot: the cycle within the period, and the slot within the cycle.
#[cfg(feature = "hub")]
pub(super) type Place = (u64, u64);

/// Which slots a call can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slots {
    /// Any for messages.
    Messages,
    /// The later ones for messages, for a modem that should not stay awake long.
    LateMessages,
    /// Those for check-ins.
    CheckIns,
}

/// Clocks drift and programs are scheduled: frames in neighbouring slots stay this far apart.
const GUARD: Span = Span::from_micros(2_000);

/// From the last slot to the moment when the base begins to turn around: time to write a result
/// to disk.
const THINK: Span = Span::from_millis(4);

/// The division of time that follows from a modem.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cycle {
    timing: Timing,
    slot: u64,
    check_in_slots: u64,
    length: u64,
}

impl Cycle {
    pub(super) fn new(timing: &Timing) -> Self {
        let slot = timing.airtime(CALL_LEN) + GUARD;
        let answers = timing.airtime(ANSWERS_LEN).max(ANSWERS_MIN);
        let window = THINK + timing.turnaround + answers + GUARD;
        let length = |check_in_slots| {
            let slots = MESSAGE_SLOTS + check_in_slots;
            (slot.times(slots) + window).as_micros().max(1)
        };
        let enough = |slots: &u64| *slots * (CHECK_IN_EVERY.as_micros() / length(*slots)) >= PADS;
        let check_in_slots = (CHECK_IN_SLOTS_MIN..MESSAGE_SLOTS)
            .find(enough)
            .unwrap_or(MESSAGE_SLOTS);
        Self {
            timing: *timing,
            slot: slot.as_micros().max(1),
            check_in_slots,
            length: length(check_in_slots),
        }
    }

    /// The first of these slots, and how many there are.
    pub(super) const fn range(&self, slots: Slots) -> (u64, u64) {
        match slots {
            Slots::Messages => (0, MESSAGE_SLOTS),
            Slots::LateMessages => (MESSAGE_SLOTS / 2, MESSAGE_SLOTS - MESSAGE_SLOTS / 2),
            Slots::CheckIns => (MESSAGE_SLOTS, self.check_in_slots),
        }
    }

    pub(super) const fn length(&self) -> Span {
        Span::from_micros(self.length)
    }

    /// Cycles from one check-in of a pad to the next.
    pub(super) const fn period_cycles(&self) -> u64 {
        CHECK_IN_EVERY.as_micros() / self.length
    }

    /// From one check-in of a pad to the next.
    pub(super) const fn period(&self) -> Span {
        Span::from_micros(self.period_cycles() * self.length)
    }

    /// The slot for messages after this one.
    #[cfg(feature = "hub")]
    pub(super) fn message_slot_after(slot: u8) -> u8 {
        let next = (u64::from(slot) + 1) % MESSAGE_SLOTS;
        u8::try_from(next).unwrap_or_default()
    }

    /// From the start of a cycle to the start of this slot.
    pub(super) const fn slot_start(&self, slot: u64) -> Span {
        Span::from_micros(self.slot * slot)
    }

    /// The start of the cycle that this moment is in, if one starts at `start`.
    pub(super) fn cycle_at(&self, start: Instant, at: Instant) -> Instant {
        if at >= start {
            at - Span::from_micros(at.since(start).as_micros() % self.length)
        } else {
            let before = start.since(at).as_micros().div_ceil(self.length);
            start - Span::from_micros(before * self.length)
        }
    }

    /// The first slot for messages that begins at this moment or later in the cycle that starts
    /// at `cycle`.
    pub(super) fn slot_from(&self, cycle: Instant, at: Instant) -> Option<u64> {
        let slot = at.since(cycle).as_micros().div_ceil(self.slot);
        (slot < MESSAGE_SLOTS).then_some(slot)
    }

    /// When the base begins to turn around for its answers.
    pub(super) fn answers_from(&self, cycle: Instant) -> Instant {
        cycle + self.slot_start(MESSAGE_SLOTS + self.check_in_slots) + THINK
    }

    /// When the last answer of a cycle has been heard.
    pub(super) fn answers_until(&self, cycle: Instant) -> Instant {
        cycle + self.length() - GUARD
    }

    /// The check-in slot in which a frame of so many bytes, heard until now, was sent.
    #[cfg(feature = "hub")]
    pub(super) fn place(&self, air_len: usize, now: Instant) -> Option<Place> {
        let middle = now - self.timing.airtime(air_len) + Span::from_micros(self.slot / 2);
        let cycle = middle.as_micros() / self.length;
        let slot = middle.as_micros() % self.length / self.slot;
        let (first, count) = self.range(Slots::CheckIns);
        (first..first + count)
            .contains(&slot)
            .then_some((cycle % self.period_cycles().max(1), slot))
    }

    /// Every check-in slot of a period, the later ones from now first.
    #[cfg(feature = "hub")]
    pub(super) fn places(&self, now: Instant) -> impl Iterator<Item = Place> {
        let (first, count) = self.range(Slots::CheckIns);
        let period = self.period_cycles().max(1);
        let cycle = now.as_micros() / self.length;
        (1..=period).rev().flat_map(move |ahead| {
            (first..first + count).map(move |slot| ((cycle + ahead) % period, slot))
        })
    }

    /// How many cycles after now this place comes round.
    #[cfg(feature = "hub")]
    pub(super) fn cycles_until(&self, place: Place, now: Instant) -> u16 {
        let period = self.period_cycles().max(1);
        let cycle = now.as_micros() / self.length % period;
        let ahead = (place.0 + period - cycle) % period;
        u16::try_from(if ahead == 0 { period } else { ahead }).unwrap_or(u16::MAX)
    }

    /// The phase of a moment by the clock whose cycles start at zero.
    #[cfg(feature = "hub")]
    pub(super) fn phase(&self, at: Instant) -> Phase {
        let into = at.as_micros() % self.length;
        Phase(u8::try_from(into * 256 / self.length).unwrap_or_default())
    }

    /// The start of the cycle in which a frame of so many bytes, heard until now, began.
    pub(super) fn start(&self, phase: Phase, air_len: usize, now: Instant) -> Instant {
        let into = (u64::from(phase.0) * 2 + 1) * self.length / 512;
        now - self.timing.bytes(air_len) - Span::from_micros(into)
    }
}
