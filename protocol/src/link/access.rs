//! When a pad speaks.

use super::conversation::SlotGrant;
use super::cycle::{Cycle, Slots};
use super::{LINE_ANSWER, Medium, Timing};
use crate::frame::Phase;
use crate::time::{Instant, Span};

/// A pad trusts the slots that it learned for this long. Two clocks that each are off by 30
/// millionths are 7 ms apart after it, a third of a slot at 19,200 baud.
const TRUST: Span = Span::from_secs(120);

/// Bytes on the air of the longest call with a result.
const CALL_BYTES: usize = 32;

/// Calls that do not know the slots are spread over this many cycles.
const SPREAD_CYCLES: u64 = 2;

/// Repeated calls are spread over at most this many cycles.
const RETRY_CYCLES_MAX: u64 = 4;

/// A cycle of a line, for the rests between calls without an answer.
const LINE_CYCLE: Span = Span::from_millis(300);

/// A small generator that spreads pads over the channel; no secret depends on it.
#[derive(Clone, Debug)]
pub(super) struct Jitter(u64);

impl Jitter {
    pub(super) fn new(seed: u64) -> Self {
        // A generator of this kind must not start at zero, and near seeds should not begin alike.
        let mut jitter = Self((seed ^ 0x9E37_79B9_7F4A_7C15).max(1));
        for _ in 0..8 {
            jitter.next();
        }
        jitter
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// From 0 to below the limit.
    fn number(&mut self, limit: u64) -> u64 {
        (self.next() >> 16) % limit.max(1)
    }

    /// From 0 up to the span, the span itself excluded.
    pub(super) fn below(&mut self, span: Span) -> Span {
        Span::from_micros(self.number(span.as_micros()))
    }

    /// From low to high.
    pub(super) fn between(&mut self, low: Span, high: Span) -> Span {
        low + self.below(high - low)
    }
}

/// Chooses moments to speak.
#[derive(Clone, Debug)]
pub(super) struct Access {
    timing: Timing,
    cycle: Cycle,
    /// The start of a cycle, and when it was learned.
    learned: Option<(Instant, Instant)>,
    /// When the base itself told it, and proved that it was the base.
    told: Option<Instant>,
    /// Calls without an answer in this contact.
    retries: u64,
    speak_at: Instant,
}

impl Access {
    pub(super) fn new(timing: &Timing) -> Self {
        Self {
            timing: *timing,
            cycle: Cycle::new(timing),
            learned: None,
            told: None,
            retries: 0,
            speak_at: Instant::ZERO,
        }
    }

    const fn is_line(&self) -> bool {
        matches!(self.timing.medium, Medium::Line)
    }

    /// When to hand the frame to the modem.
    pub(super) fn speak_at(&self) -> Instant {
        self.speak_at
    }

    /// A first call, as soon as can be from this moment on.
    pub(super) fn begin(&mut self, from: Instant, jitter: &mut Jitter) {
        self.retries = 0;
        if self.is_line() {
            self.speak_at = from;
            return;
        }
        let begins = from + self.timing.turnaround;
        self.speak_at = match self.cycle_at(begins) {
            None => from + jitter.below(self.cycle.length()),
            Some(cycle) => match self.cycle.slot_from(cycle, begins) {
                Some(slot) => self.for_slot(cycle, slot),
                None => self.in_cycle_after(cycle, 1, Slots::Messages, jitter),
            },
        };
    }

    /// A check-in slot about then, if the slots are known. It is the moment to speak.
    pub(super) fn check_in_slot(&self, about: Instant, jitter: &mut Jitter) -> Option<Instant> {
        let cycle = self.cycle_at(about)?;
        Some(self.in_cycle_after(cycle, 0, Slots::CheckIns, jitter))
    }

    /// A message slot about then that is not long before the answers.
    pub(super) fn late_message_slot(&self, about: Instant, jitter: &mut Jitter) -> Option<Instant> {
        let cycle = self.cycle_at(about)?;
        Some(self.in_cycle_after(cycle, 1, Slots::LateMessages, jitter))
    }

    /// The same slot a period later, by what is known of the slots now.
    pub(super) fn same_slot(&self, speak_at: Instant) -> Option<Instant> {
        let slot = self.cycle.slot_start(1);
        let begins = speak_at + self.timing.turnaround + self.cycle.period();
        let middle = begins + Span::from_micros(slot.as_micros() / 2);
        let cycle = self.cycle_at(middle)?;
        let slot = middle.since(cycle).as_micros() / slot.as_micros().max(1);
        let (first, count) = self.cycle.range(Slots::CheckIns);
        Some(self.for_slot(cycle, slot.clamp(first, first + count - 1)))
    }

    /// The moment to speak in a slot that the base has just granted.
    pub(super) fn granted(&self, grant: SlotGrant, now: Instant) -> Option<Instant> {
        let cycle = self.cycle_at(now)? + self.cycle.length().times(grant.cycles.into());
        Some(self.for_slot(cycle, grant.slot.into()))
    }

    /// So many cycles.
    pub(super) fn cycles(&self, count: u64) -> Span {
        let cycle = if self.is_line() {
            LINE_CYCLE
        } else {
            self.cycle.length()
        };
        cycle.times(count)
    }

    /// From one check-in to the next.
    pub(super) fn period(&self) -> Span {
        self.cycle.period()
    }

    /// A check-in in its slot, which begins when the modem is awake.
    pub(super) fn begin_at(&mut self, speak_at: Instant) {
        self.retries = 0;
        self.speak_at = speak_at;
    }

    /// The next call of a contact that goes on, in the next cycle: others may go first.
    pub(super) fn resume(&mut self, now: Instant, jitter: &mut Jitter) {
        self.retries = 0;
        self.repeat(now, 1, jitter);
    }

    /// The next call of a contact that goes on, in the slot that the base has given us for it.
    pub(super) fn resume_in(&mut self, slot: u8, now: Instant, jitter: &mut Jitter) {
        self.resume(now, jitter);
        let grant = SlotGrant { cycles: 1, slot };
        if let Some(speak_at) = self.granted(grant, now) {
            self.speak_at = speak_at;
        }
    }

    /// The call again after no answer, over more cycles each time.
    pub(super) fn retry(&mut self, now: Instant, jitter: &mut Jitter) {
        self.retries += 1;
        self.repeat(now, (1 + self.retries / 4).min(RETRY_CYCLES_MAX), jitter);
    }

    fn repeat(&mut self, now: Instant, cycles: u64, jitter: &mut Jitter) {
        self.speak_at = match self.cycle_at(now) {
            None if self.is_line() => now,
            None => now + jitter.below(self.cycle.length().times(SPREAD_CYCLES)),
            Some(cycle) => {
                self.in_cycle_after(cycle, 1 + jitter.number(cycles), Slots::Messages, jitter)
            }
        };
    }

    /// When the answer to a call that ends now must have been heard. In doubt (calls before this
    /// one were not answered) the base may have restarted with another clock, and its window may
    /// be anywhere.
    pub(super) fn answer_until(&self, now: Instant, doubt: bool) -> Instant {
        match self.cycle_at(now).filter(|_| !doubt) {
            None if self.is_line() => now + LINE_ANSWER,
            // Whoever does not know the slots does not know the base's window either.
            None => now + self.cycle.length().times(2),
            Some(cycle) if now <= self.cycle.answers_from(cycle) => self.cycle.answers_until(cycle),
            Some(cycle) => self.cycle.answers_until(cycle + self.cycle.length()),
        }
    }

    /// When the answer to the next call must have been heard.
    pub(super) fn answer_by(&self) -> Instant {
        let call = self.timing.turnaround + self.timing.airtime(CALL_BYTES);
        self.answer_until(self.speak_at + call, false)
    }

    /// The base was heard to begin a frame of so many bytes in this phase.
    pub(super) fn learn(&mut self, phase: Phase, air_len: usize, now: Instant) {
        if self.is_line() {
            return;
        }
        self.learned = Some((self.cycle.start(phase, air_len, now), now));
        self.told = Some(now);
    }

    /// The same, from a frame that anybody may have made. It counts where the base itself has
    /// told nothing for a while, or where what it told leads to no answer.
    pub(super) fn hearsay(&mut self, phase: Phase, air_len: usize, now: Instant, lost: bool) {
        if self.is_line() {
            return;
        }
        let knows = self.told.is_some_and(|told| now.since(told) <= TRUST);
        if lost || !knows {
            self.learned = Some((self.cycle.start(phase, air_len, now), now));
        }
    }

    fn cycle_at(&self, at: Instant) -> Option<Instant> {
        let (start, learned) = self.learned?;
        (at.since(learned) <= TRUST).then(|| self.cycle.cycle_at(start, at))
    }

    fn in_cycle_after(
        &self,
        cycle: Instant,
        cycles: u64,
        slots: Slots,
        jitter: &mut Jitter,
    ) -> Instant {
        let (first, count) = self.cycle.range(slots);
        let slot = first + jitter.number(count);
        self.for_slot(cycle + self.cycle.length().times(cycles), slot)
    }

    /// The modem turns around first, and then the frame meets the slot.
    fn for_slot(&self, cycle: Instant, slot: u64) -> Instant {
        cycle + self.cycle.slot_start(slot) - self.timing.turnaround
    }
}
