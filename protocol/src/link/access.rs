//! When a pad speaks.

use super::Timing;
use super::conversation::SlotGrant;
use super::cycle::{Cycle, Slots, signed};
use super::fit::{Fit, Gauge, Measured, Told};
use crate::frame::Phase;
use crate::time::{Instant, Span};

/// A pad trusts the slots that it learned for this long. Two clocks that each are off by 30
/// millionths are 7 ms apart after it, a third of a slot at 19,200 baud.
const TRUST: Span = Span::from_secs(120);

/// Bytes on the air of the longest call with a result.
const CALL_BYTES: usize = 32;

/// In the narrow cycle a frame that comes this much off, in microseconds, is a late one; more is
/// the word of another clock.
const OWN_CLOCK_OFF_MAX: i64 = 120_000;

/// Where calls are answered as they come: after no answer a pad waits up to this long, twice as
/// long after the next, up to [`RETRIES_SPREAD`] times more.
const BACK_OFF: Span = Span::from_millis(60);
const RETRIES_SPREAD: u64 = 6;

/// Bytes of answers that may go before ours, and ours.
const ANSWER_BYTES: usize = 60;

/// The base writes to disk, and its modem may be busy with somebody else.
const BASE_THINKS: Span = Span::from_millis(20);

/// Calls that do not know the slots are spread over this many cycles.
const SPREAD_CYCLES: u64 = 2;

/// Repeated calls are spread over at most this many cycles.
const RETRY_CYCLES_MAX: u64 = 4;

/// Of what an answer deviates from where it was expected, a pad on a radio with wide spread
/// believes one part in so many: the rest is that frame's own delay.
const BELIEVED_PART: i64 = 4;

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
    pub(super) fn number(&mut self, limit: u64) -> u64 {
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

/// When a frame was heard, in two ways: bytes can come in pieces with pauses between them.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeardAt {
    /// When its first byte, the leading delimiter, began.
    pub(super) begins: Instant,
    /// When its last byte had come.
    pub(super) ends: Instant,
}

/// What the base says of its cycle in a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    pub(super) phase: Phase,
    /// Nothing stands for the narrow cycle.
    pub(super) told: Option<Told>,
}

/// Chooses moments to speak.
#[derive(Clone, Debug)]
pub(super) struct Access {
    timing: Timing,
    cycle: Cycle,
    fit: Fit,
    /// Fits are not understood: a pad from before there were any.
    rigid: bool,
    /// The start of a cycle, and when it was learned.
    learned: Option<(Instant, Instant)>,
    /// When the base itself told it, and proved that it was the base.
    told: Option<Instant>,
    /// Calls without an answer in this contact.
    retries: u64,
    speak_at: Instant,
    gauge: Gauge,
}

impl Access {
    pub(super) fn new(timing: &Timing) -> Self {
        Self {
            timing: *timing,
            cycle: Cycle::new(timing),
            fit: Fit::narrow(timing),
            rigid: false,
            learned: None,
            told: None,
            retries: 0,
            speak_at: Instant::ZERO,
            gauge: Gauge::default(),
        }
    }

    /// From now on fits are not understood.
    pub(super) const fn make_rigid(&mut self) {
        self.rigid = true;
    }

    pub(super) const fn is_rigid(&self) -> bool {
        self.rigid
    }

    /// The fit in force.
    pub(super) const fn fit(&self) -> Fit {
        self.fit
    }

    /// The fit in force, as the base tells it in the first part of its cycle.
    pub(super) const fn as_told(&self) -> Told {
        Told {
            fit: self.fit,
            part: 0,
        }
    }

    /// Whether the radio is worse than the narrow cycle reckons with.
    pub(super) fn is_wide(&self) -> bool {
        self.fit.up.span().max(self.fit.down.span()) > Span::ZERO
    }

    /// What was measured since it was told last.
    pub(super) fn measured(&self) -> Measured {
        self.gauge.measured()
    }

    /// The base has heard what was measured.
    pub(super) fn measured_told(&mut self) {
        self.gauge.told();
    }

    /// A call goes out.
    pub(super) fn called(&mut self) {
        self.gauge.called(self.retries > 0);
    }

    /// The answer to a call that was handed over so long ago has come.
    pub(super) fn answered(&mut self, after: Span) {
        self.gauge.answered(after);
    }

    /// From handing a frame over to the beginning of its slot.
    pub(super) const fn turnaround(&self) -> Span {
        self.fit.turnaround()
    }

    /// When to hand the frame to the modem.
    pub(super) fn speak_at(&self) -> Instant {
        self.speak_at
    }

    /// A first call, as soon as can be from this moment on.
    pub(super) fn begin(&mut self, from: Instant, jitter: &mut Jitter) {
        self.retries = 0;
        if self.fit.at_once {
            self.speak_at = from + jitter.below(self.timing.airtime(CALL_BYTES));
            return;
        }
        let begins = from + self.turnaround();
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
        let begins = speak_at + self.turnaround() + self.cycle.period();
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
        self.cycle.length().times(count)
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
        if self.fit.at_once {
            let waits = self.timing.airtime(CALL_BYTES).max(BACK_OFF);
            self.speak_at = now + jitter.below(waits.times(self.retries.min(RETRIES_SPREAD) + 1));
            return;
        }
        // A pad waits for late answers until the next cycle has begun, and calls in that one.
        let ended = now - self.fit.down.span();
        self.speak_at = match self.cycle_at(ended) {
            None => now + jitter.below(self.cycle.length().times(SPREAD_CYCLES)),
            Some(cycle) => {
                let after = 1 + jitter.number(cycles);
                let at = self.in_cycle_after(cycle, after, Slots::Messages, jitter);
                if at >= now {
                    at
                } else {
                    self.in_rest_of_cycle(now, jitter)
                }
            }
        };
    }

    /// Any message slot that is left of this cycle, or one of the next.
    fn in_rest_of_cycle(&self, now: Instant, jitter: &mut Jitter) -> Instant {
        let begins = now + self.turnaround();
        let cycle = self.cycle_at(begins).unwrap_or(begins);
        let (_, count) = self.cycle.range(Slots::Messages);
        match self.cycle.slot_from(cycle, begins) {
            Some(first) => self.for_slot(cycle, first + jitter.number(count - first)),
            None => self.in_cycle_after(cycle, 1, Slots::Messages, jitter),
        }
    }

    /// When the answer to a call that ends now must have been heard. In doubt (calls before this
    /// one were not answered) the base may have restarted with another clock, and its window may
    /// be anywhere.
    pub(super) fn answer_until(&self, now: Instant, doubt: bool) -> Instant {
        let late = self.fit.down.span();
        if self.fit.at_once && !doubt {
            // After four calls in vain the base may gather calls again, and answer in its window.
            let cycles = match self.retries {
                0..=3 => 0,
                4..=6 => 1,
                _ => 2,
            };
            let window = self.cycle.length().times(cycles) + late;
            return now + self.answer_takes().max(window);
        }
        match self.cycle_at(now).filter(|_| !doubt) {
            // Whoever does not know the slots does not know the base's window either.
            None => now + self.cycle.length().times(2) + late,
            Some(cycle) if now <= self.cycle.answers_from(cycle) => {
                self.cycle.answers_until(cycle) + self.half_late()
            }
            Some(cycle) => self.cycle.answers_until(cycle + self.cycle.length()) + self.half_late(),
        }
    }

    /// Where calls are answered as they come: how long that takes from the end of a call, as the
    /// modem would send it if it were quick.
    fn answer_takes(&self) -> Span {
        let Fit { up, down, .. } = self.fit;
        let slow = (self.turnaround() - self.timing.turnaround).times(2);
        let answer = self.timing.turnaround + self.timing.airtime(ANSWER_BYTES);
        up.span() + down.span() + slow + BASE_THINKS + answer
    }

    /// Answers can come so much later than a window in the middle of the spread has them.
    fn half_late(&self) -> Span {
        Span::from_micros(self.fit.down.span().as_micros() / 2)
    }

    /// When the answer to the next call must have been heard.
    pub(super) fn answer_by(&self) -> Instant {
        let call = self.turnaround() + self.timing.airtime(CALL_BYTES);
        self.answer_until(self.speak_at + call, false)
    }

    /// The modem's time for a message where calls are answered as they come: ten calls.
    pub(super) fn ten_calls(&self) -> Option<Span> {
        let call = self.turnaround() + self.timing.airtime(CALL_BYTES) + self.answer_takes();
        self.fit.at_once.then(|| call.times(10))
    }

    /// From the moment to speak in a check-in slot to the end of the window.
    pub(super) fn check_in_takes(&self) -> Span {
        if self.fit.at_once {
            let call = self.turnaround() + self.timing.airtime(CALL_BYTES);
            return call + self.answer_takes();
        }
        let (first, _) = self.cycle.range(Slots::CheckIns);
        let rest = self.cycle.length() - self.cycle.slot_start(first);
        self.turnaround() + rest + self.half_late()
    }

    /// The base was heard to begin a frame, and says where in its cycle. True if the division of
    /// time is another one than before.
    pub(super) fn learn(&mut self, word: Word, heard: HeardAt) -> bool {
        let fit = match word.told.filter(|_| !self.rigid) {
            Some(told) => told.fit,
            None => Fit::narrow(&self.timing),
        };
        let refitted = fit != self.fit;
        if refitted {
            self.fit = fit;
            self.cycle = Cycle::fitted(&self.timing, &fit);
            self.learned = None;
            self.gauge.forget_deviations();
        }
        self.observe(word, heard);
        self.told = Some(heard.ends);
        refitted
    }

    fn observe(&mut self, word: Word, heard: HeardAt) {
        let part = word.told.map_or(0, |told| told.part);
        let now = heard.ends;
        let seen = self.cycle.start(word.phase, part, heard.begins);
        let Some((start, _)) = self.learned.filter(|_| self.cycle_at(now).is_some()) else {
            self.learned = Some((seen, now));
            return;
        };
        let deviation = self.cycle.deviation(start, seen);
        let usual = self.fit.down.span() + self.fit.up.span();
        let usual = i64::try_from(usual.as_micros()).unwrap_or_default();
        if deviation.abs() <= usual.max(OWN_CLOCK_OFF_MAX) {
            self.gauge.deviated(deviation);
        } else {
            // Another clock, not a late frame.
            self.gauge.forget_deviations();
        }
        let start = if self.is_wide() && deviation.abs() <= usual {
            let believed = deviation - deviation / BELIEVED_PART;
            let start = signed(seen) - believed;
            Instant::from_micros(u64::try_from(start).unwrap_or_default())
        } else {
            seen
        };
        self.learned = Some((start, now));
    }

    /// The same, from a frame that anybody may have made. It counts where the base itself has
    /// told nothing for a while, or where what it told leads to no answer.
    pub(super) fn hearsay(&mut self, phase: Phase, heard: HeardAt, lost: bool) {
        let knows = self
            .told
            .is_some_and(|told| heard.ends.since(told) <= TRUST);
        // Which part of a wide cycle it was, only the base's word under our keys tells.
        if (lost || !knows) && !self.is_wide() {
            let seen = self.cycle.start(phase, 0, heard.begins);
            self.learned = Some((seen, heard.ends));
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
        cycle + self.cycle.slot_start(slot) - self.turnaround()
    }
}
