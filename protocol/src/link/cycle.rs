//! How the channel's time is divided: slots in which pads call, then a window in which the base
//! answers them all.
//!
//! Pads cannot all hear each other, and while a modem turns from hearing to sending it is deaf,
//! so listening before speaking prevents too few collisions and costs a turn-around for each
//! answer. With slots two calls collide only if they choose the same one; and one turn-around
//! serves all answers of a cycle. There are no beacons: every frame of the base says where in the
//! cycle it began, and a pad that was in contact within the last minutes still knows.

use super::Timing;
use super::fit::{Fit, Spread};
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

/// The same in a wide cycle, in which more pads call, and answers tell the fit.
const ANSWERS_LEN_WIDE: usize = 200;

/// Narrow cycles in a wide one at most.
const PARTS_MAX: u64 = 16;

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

/// The division of time that follows from a modem, and from what was measured of it.
///
/// A wide cycle is as long as several narrow ones. So a pad that knows only those still knows
/// where a narrow one begins, and calls until it meets the base's window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cycle {
    slot: u64,
    message_slots: u64,
    check_in_slots: u64,
    /// How much later than their slot calls can begin.
    up: Span,
    /// Of the narrow cycle.
    narrow: u64,
    length: u64,
}

/// How many slots for check-ins all pads need within a period, if a cycle is as long as `length`
/// says for a number of them.
fn check_in_slots_needed(most: u64, length: impl Fn(u64) -> u64) -> u64 {
    let enough = |slots: &u64| *slots * (CHECK_IN_EVERY.as_micros() / length(*slots)) >= PADS;
    (CHECK_IN_SLOTS_MIN..most).find(enough).unwrap_or(most)
}

impl Cycle {
    /// The narrow cycle, with which everybody begins.
    pub(super) fn new(timing: &Timing) -> Self {
        let slot = timing.airtime(CALL_LEN) + GUARD;
        let answers = timing.airtime(ANSWERS_LEN).max(ANSWERS_MIN);
        let window = THINK + timing.turnaround + answers + GUARD;
        let length = |check_in_slots| {
            let slots = MESSAGE_SLOTS + check_in_slots;
            (slot.times(slots) + window).as_micros().max(1)
        };
        let check_in_slots = check_in_slots_needed(MESSAGE_SLOTS, length);
        let length = length(check_in_slots);
        Self {
            slot: slot.as_micros().max(1),
            message_slots: MESSAGE_SLOTS,
            check_in_slots,
            up: Span::ZERO,
            narrow: length,
            length,
        }
    }

    /// The cycle for what was measured. Slots are wider by as much as calls lie apart. Where that
    /// is more than a call takes, calls that begin at any moment meet less often than wide slots
    /// cost, so the slots have no guard there and only spread the calls.
    pub(super) fn fitted(timing: &Timing, fit: &Fit) -> Self {
        let narrow = Self::new(timing);
        if fit.at_once || (fit.up, fit.down) == (Spread::NARROW, Spread::NARROW) {
            return narrow;
        }
        let (up, down) = (fit.up.span(), fit.down.span());
        let call = timing.airtime(CALL_LEN);
        let slot = if up <= call {
            call + up.max(GUARD)
        } else {
            call
        };
        let slot = slot.as_micros().max(1);
        let answers = timing.airtime(ANSWERS_LEN_WIDE).max(ANSWERS_MIN);
        let window = (THINK + up + timing.turnaround + down + answers + GUARD).as_micros();
        let fewest = slot * (MESSAGE_SLOTS + CHECK_IN_SLOTS_MIN) + window;
        let parts = fewest.div_ceil(narrow.length).clamp(1, PARTS_MAX);
        let length = parts * narrow.length;
        let slots = (length.saturating_sub(window) / slot).max(2);
        let check_in_slots = check_in_slots_needed(slots / 2, |_| length).max(1);
        Self {
            slot,
            message_slots: slots - check_in_slots,
            check_in_slots,
            up,
            narrow: narrow.length,
            length,
        }
    }

    /// The first of these slots, and how many there are.
    pub(super) const fn range(&self, slots: Slots) -> (u64, u64) {
        match slots {
            Slots::Messages => (0, self.message_slots),
            Slots::LateMessages => {
                let early = self.message_slots / 2;
                (early, self.message_slots - early)
            }
            Slots::CheckIns => (self.message_slots, self.check_in_slots),
        }
    }

    /// Whether somebody who knows the one does not know the other.
    #[cfg(feature = "hub")]
    pub(super) const fn is_other(&self, other: &Self) -> bool {
        self.slot != other.slot
            || self.length != other.length
            || self.message_slots != other.message_slots
            || self.check_in_slots != other.check_in_slots
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
    pub(super) fn message_slot_after(&self, slot: u8) -> u8 {
        let next = (u64::from(slot) + 1) % self.message_slots.max(1);
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
        (slot < self.message_slots).then_some(slot)
    }

    /// When the base begins to turn around for its answers.
    pub(super) fn answers_from(&self, cycle: Instant) -> Instant {
        cycle + self.slot_start(self.message_slots + self.check_in_slots) + self.up + THINK
    }

    /// When the last answer of a cycle has been heard.
    pub(super) fn answers_until(&self, cycle: Instant) -> Instant {
        cycle + self.length() - GUARD
    }

    /// The check-in slot in which a frame that began at this moment, preamble included, was sent.
    #[cfg(feature = "hub")]
    pub(super) fn place(&self, begins: Instant) -> Option<Place> {
        let middle = begins + Span::from_micros(self.slot / 2);
        let cycle = middle.as_micros() / self.length;
        let slot = middle.as_micros() % self.length / self.slot;
        let (first, count) = self.range(Slots::CheckIns);
        (first..first + count)
            .contains(&slot)
            .then_some((cycle % self.period_cycles().max(1), slot))
    }

    /// When this place came round, or comes round, nearest to a moment.
    #[cfg(feature = "hub")]
    pub(super) fn nearest(&self, place: Place, at: Instant) -> Instant {
        let period = self.period_cycles().max(1) * self.length;
        let into = place.0 * self.length + place.1 * self.slot;
        let round = (at.as_micros() + period / 2).saturating_sub(into) / period;
        Instant::from_micros(round * period + into)
    }

    /// Every check-in slot of a period, the later ones from now first. Where the base answers each
    /// call as it comes it is deaf for the next one, so there they are spread over the period.
    #[cfg(feature = "hub")]
    pub(super) fn places(&self, now: Instant, spread: bool) -> impl Iterator<Item = Place> {
        let (first, count) = self.range(Slots::CheckIns);
        let period = self.period_cycles().max(1);
        let cycle = now.as_micros() / self.length;
        (0..period * count).map(move |at| {
            if spread {
                let ahead = at % period * stride(period) % period;
                ((cycle + ahead) % period, first + at / period)
            } else {
                let ahead = period - at / count;
                ((cycle + ahead) % period, first + at % count)
            }
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

    /// The phase of a moment by the clock whose cycles start at zero, in the narrow cycle.
    #[cfg(feature = "hub")]
    pub(super) fn phase(&self, at: Instant) -> Phase {
        let into = at.as_micros() % self.narrow;
        Phase(u8::try_from(into * 256 / self.narrow).unwrap_or_default())
    }

    /// Which of the narrow cycles of its cycle a moment is in.
    #[cfg(feature = "hub")]
    pub(super) fn part(&self, at: Instant) -> u8 {
        u8::try_from(at.as_micros() % self.length / self.narrow).unwrap_or_default()
    }

    /// The start of the cycle in which a frame began at this moment, its preamble not counted.
    pub(super) fn start(&self, phase: Phase, part: u8, begins: Instant) -> Instant {
        let into = (u64::from(phase.0) * 2 + 1) * self.narrow / 512;
        begins - Span::from_micros(into + u64::from(part) * self.narrow)
    }

    /// How many microseconds later than the cycles that start at `start` one starts at `other`.
    pub(super) fn deviation(&self, start: Instant, other: Instant) -> i64 {
        let half = Span::from_micros(self.length / 2);
        let nearest = self.cycle_at(start, other + half);
        signed(other) - signed(nearest)
    }
}

/// A step that comes to every number below the period once, and never soon near one before.
#[cfg(feature = "hub")]
fn stride(period: u64) -> u64 {
    let divisor = |a: u64, b: u64| {
        let (mut a, mut b) = (a, b);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let golden = period * 618 / 1_000;
    (golden.max(1)..=period.max(1))
        .find(|step| divisor(period, *step) == 1)
        .unwrap_or(1)
}

/// Microseconds since the start, to be subtracted.
pub(super) fn signed(at: Instant) -> i64 {
    i64::try_from(at.as_micros()).unwrap_or(i64::MAX)
}
