//! When a pad checks in.
//!
//! Check-ins have slots of their own. The base gives each pad one when it hears from it outside,
//! and the pad comes back to it every period, so check-ins do not collide. A base that has
//! restarted learns the slots again from the pads that keep to them.

use crate::both_ends::CHECK_IN_MAX;
use crate::link::access::{Access, Jitter};
use crate::time::{Instant, Span};

/// How much earlier than it must a pad checks in: its clock may be slow.
const EARLY: Span = Span::from_secs(1);

/// The shortest rest after a check-in without an answer; it doubles up to [`REST_CYCLES_MAX`].
const REST_CYCLES_MIN: u64 = 3;

/// The longest rest, or up to twice that. When a full room of pads looks for a base at once, the
/// slots of this many cycles are as many as there are pads.
const REST_CYCLES_MAX: u64 = 16;

/// A slot that has been answered is given up after this many failures in a row: one is bad luck.
const FAILURES_MAX: u8 = 4;

/// Where the next check-in goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    /// As soon as can be, since no slot is known or there is a hurry.
    #[default]
    Anywhere,
    /// A slot for check-ins, to the moment.
    CheckInSlot,
    /// A slot for messages, to the moment, after a failure.
    MessageSlot,
}

/// The next check-in, and the slot kept for it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CheckIns {
    /// When to speak next.
    next: Option<Instant>,
    place: Place,
    /// The slot that was answered last.
    kept: Option<Instant>,
    /// Failures in a row in the kept slot.
    slot_failures: u8,
    /// Failures in a row.
    failures: u8,
    /// The contact that is going on carries one.
    due: bool,
}

impl CheckIns {
    pub(super) fn begin(&mut self, now: Instant, access: &Access, jitter: &mut Jitter) {
        *self = Self::default();
        self.next = Some(now + jitter.below(access.period()));
    }

    /// Now, whatever was planned.
    pub(super) fn at_once(&mut self, now: Instant) {
        self.next = Some(now);
        self.place = Place::Anywhere;
    }

    /// When to wake the modem.
    pub(super) fn wakes_at(&self, wake_up: Span) -> Option<Instant> {
        self.next.map(|next| next - wake_up)
    }

    pub(super) fn begin_if_due(&mut self, now: Instant, wake_up: Span) -> bool {
        self.due = self.wakes_at(wake_up).is_some_and(|at| at <= now);
        self.due
    }

    pub(super) const fn is_due(&self) -> bool {
        self.due
    }

    /// The moment to speak, if it must be met.
    pub(super) fn slot(&self) -> Option<Instant> {
        self.next
            .filter(|_| self.due && self.place != Place::Anywhere)
    }

    /// The base has given us this slot.
    pub(super) fn granted(&mut self, speak_at: Instant, access: &Access) {
        self.slot_failures = 0;
        self.kept = Some(speak_at - access.period());
        if self.next.is_some() {
            self.next = Some(speak_at);
            self.place = Place::CheckInSlot;
        }
    }

    /// Slots are other ones from now on: whatever was kept is none.
    pub(super) fn refitted(&mut self) {
        self.kept = None;
        if self.place != Place::Anywhere {
            self.place = Place::Anywhere;
        }
    }

    /// The base has answered, a check-in or something else.
    pub(super) fn answered(&mut self, now: Instant, access: &Access, jitter: &mut Jitter) {
        let Some(next) = self.next else { return };
        if core::mem::take(&mut self.due) {
            self.failures = 0;
            if self.place == Place::CheckInSlot {
                self.slot_failures = 0;
                self.kept = Some(next);
            }
            self.plan(now, access, jitter);
        } else if self.place == Place::CheckInSlot
            && next + access.period() <= now + (CHECK_IN_MAX - EARLY)
        {
            // This counts as the next check-in too; the one after it still comes in time.
            if let Some(later) = access.same_slot(next) {
                self.kept = self.kept.map(|_| next);
                self.next = Some(later);
            }
        }
    }

    /// The contact has ended without an answer.
    pub(super) fn failed(&mut self, now: Instant, access: &Access, jitter: &mut Jitter) {
        if !core::mem::take(&mut self.due) {
            return;
        }
        if self.place == Place::CheckInSlot {
            self.slot_failures += 1;
            self.kept = match self.kept {
                Some(kept) if self.slot_failures < FAILURES_MAX => access.same_slot(kept),
                _ => None,
            };
        }
        let cycles = (REST_CYCLES_MIN << self.failures.min(4)).min(REST_CYCLES_MAX);
        let rest = access.cycles(cycles);
        self.failures = self.failures.saturating_add(1);
        let about = now + jitter.between(rest, rest + rest);
        let slot = access.late_message_slot(about, jitter);
        self.place = match slot {
            Some(_) => Place::MessageSlot,
            None => Place::Anywhere,
        };
        self.next = Some(slot.unwrap_or(about));
    }

    /// The kept slot of the next period, or any, until the base gives us one.
    fn plan(&mut self, now: Instant, access: &Access, jitter: &mut Jitter) {
        let planned = self
            .kept
            .and_then(|kept| access.same_slot(kept))
            .or_else(|| access.check_in_slot(now + access.period(), jitter));
        self.place = match planned {
            Some(_) => Place::CheckInSlot,
            None => Place::Anywhere,
        };
        self.next = Some(planned.unwrap_or(now + access.period()));
    }
}
