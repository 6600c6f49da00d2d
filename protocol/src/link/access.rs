//! When a pad may speak on a channel that it shares with hundreds it cannot all hear.
//!
//! A pad listens first: it speaks after the channel was quiet for longer than the base ever takes
//! to begin an answer, so it does not cut into an exchange of which it hears either half. If it
//! heard somebody, it also waits a random number of slots, counted only while the channel is
//! quiet, so that all who waited for the same end do not begin together; and after a call without
//! an answer it draws from twice as many slots. A slot is what it takes until others hear that
//! somebody has begun.

use super::Timing;
use crate::time::{Instant, Span};

/// Slots to draw from after having heard somebody.
const SLOTS_MIN: u64 = 6;

/// Slots to draw from after several calls without an answer. More would be unfair to a pad that
/// has been unlucky, and at this many a full room gets through.
const SLOTS_MAX: u64 = 24;

/// Beyond the turn-around, for a base that is a little slow.
const MARGIN: Span = Span::from_millis(6);

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

    /// From 0 up to the span, the span itself excluded.
    pub(super) fn below(&mut self, span: Span) -> Span {
        Span::from_micros((self.next() >> 16) % span.as_micros().max(1))
    }

    /// From low to high.
    pub(super) fn between(&mut self, low: Span, high: Span) -> Span {
        low + self.below(high - low)
    }
}

/// The wait for a free channel.
#[derive(Clone, Debug)]
pub(super) struct Access {
    /// How long the channel must be quiet.
    quiet: Span,
    /// The base has just answered and expects us to go on: no need to listen.
    at_once: bool,
    slot: Span,
    slots: u64,
    /// Since when the channel has been quiet.
    quiet_since: Instant,
    /// What is left of the random wait.
    wait: Span,
    /// Somebody was heard since the last draw.
    deferred: bool,
}

impl Access {
    pub(super) fn new(timing: &Timing) -> Self {
        Self {
            quiet: timing.turnaround + timing.airtime(1) + MARGIN,
            slot: timing.turnaround + timing.airtime(1),
            at_once: false,
            slots: SLOTS_MIN,
            quiet_since: Instant::ZERO,
            wait: Span::ZERO,
            deferred: false,
        }
    }

    /// Begins to listen for a first call.
    pub(super) fn begin(&mut self, now: Instant) {
        self.at_once = false;
        self.slots = SLOTS_MIN;
        self.wait = Span::ZERO;
        self.deferred = false;
        self.quiet_since = now;
    }

    /// Goes on in an exchange that others keep quiet for.
    pub(super) fn go_on(&mut self, now: Instant) {
        self.begin(now);
        self.at_once = true;
    }

    /// Begins to listen again to go on with a download: others may go first.
    pub(super) fn resume(&mut self, now: Instant, jitter: &mut Jitter) {
        self.at_once = false;
        self.slots = SLOTS_MIN;
        self.wait = jitter.below(self.slot.times(SLOTS_MIN));
        self.deferred = true;
        self.quiet_since = now;
    }

    /// Begins to listen again after a call without an answer.
    pub(super) fn retry(&mut self, now: Instant, jitter: &mut Jitter) {
        self.at_once = false;
        self.slots = (self.slots * 2).min(SLOTS_MAX);
        self.wait = jitter.below(self.slot.times(self.slots));
        self.deferred = true;
        self.quiet_since = now;
    }

    /// Somebody is heard.
    pub(super) fn heard(&mut self, now: Instant, jitter: &mut Jitter) {
        self.at_once = false;
        if self.deferred {
            let waited = now.since(self.quiet_since + self.quiet);
            self.wait = self.wait - waited;
        } else {
            self.deferred = true;
            self.wait = jitter.below(self.slot.times(self.slots));
        }
        self.quiet_since = now;
    }

    /// When to speak if nobody is heard before.
    pub(super) fn speak_at(&self) -> Instant {
        if self.at_once {
            self.quiet_since
        } else {
            self.quiet_since + self.quiet + self.wait
        }
    }
}
