//! How the division of time fits the radio that is really there.
//!
//! The base knows where the check-ins that it has given slots to, and the calls of pads that it
//! has just met, should begin; the pads know where its answers should. How far what is heard lies
//! from that says how wide slots and window must be, and how long before its slot a pad should
//! hand a frame to its modem. A good modem has the narrow cycle that all pads begin with.

use super::Timing;
use crate::time::Span;

/// How far apart frames that should begin at the same moment do, in milliseconds, step by step.
/// The first step is the guard of the narrow cycle.
const STEPS_MS: [u8; 12] = [4, 7, 11, 17, 25, 36, 50, 70, 90, 120, 160, 220];

/// A step of [`STEPS_MS`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Spread(u8);

impl Spread {
    /// What every radio has: the guard of the narrow cycle covers it.
    pub const NARROW: Self = Self(0);

    /// The narrowest step that holds so much; the widest for what none holds.
    pub fn holding(span: Span) -> Self {
        let fits = |step: &u8| Span::from_millis(u64::from(*step)) >= span;
        let step = STEPS_MS.iter().position(fits);
        let last = STEPS_MS.len() - 1;
        Self(u8::try_from(step.unwrap_or(last)).unwrap_or_default())
    }

    /// The time that it stands for; nothing for the narrow one, which has the usual guard.
    pub fn span(self) -> Span {
        let step = STEPS_MS.get(usize::from(self.0)).filter(|_| self.0 > 0);
        Span::from_millis(step.copied().unwrap_or_default().into())
    }

    fn from_nibble(nibble: u8) -> Self {
        let last = u8::try_from(STEPS_MS.len() - 1).unwrap_or_default();
        Self(nibble.min(last))
    }
}

/// What both ends reckon with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Fit {
    /// How far apart calls arrive at the base that were meant for the same moment.
    pub up: Spread,
    /// The same of the base's answers at the pads.
    pub down: Spread,
    /// From the moment a pad hands over a frame to the moment the base takes for its beginning,
    /// for the quickest of them.
    pub turnaround_ms: u8,
    /// Nobody waits for a slot, and the base answers each call as it comes: on a bad radio with
    /// little to say that is quicker, and rarely two meet.
    pub at_once: bool,
}

/// Bytes of a fit on the air: the spreads, the turn-around, and the part of the cycle with
/// [`AT_ONCE`].
pub(super) const TOLD_LEN: usize = 3;

/// In the byte with the part of the cycle.
const AT_ONCE: u8 = 0x80;

/// A fit and where in the cycle the frame that tells it began, as the base says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) fit: Fit,
    /// Which of the narrow cycles that this cycle has room for.
    pub(super) part: u8,
}

impl Fit {
    /// What the link begins with, and what it keeps on a modem that is as it should be.
    pub fn narrow(timing: &Timing) -> Self {
        Self {
            up: Spread::NARROW,
            down: Spread::NARROW,
            turnaround_ms: u8::try_from(timing.turnaround.as_millis()).unwrap_or(u8::MAX),
            at_once: false,
        }
    }

    pub(super) const fn turnaround(&self) -> Span {
        Span::from_millis(self.turnaround_ms as u64)
    }
}

impl Told {
    #[cfg(feature = "hub")]
    pub(super) const fn encode(self) -> [u8; TOLD_LEN] {
        let Fit {
            up,
            down,
            turnaround_ms,
            at_once,
        } = self.fit;
        let mode = if at_once { AT_ONCE } else { 0 };
        [
            up.0 | down.0 << 4,
            turnaround_ms,
            self.part & !AT_ONCE | mode,
        ]
    }

    /// From the bytes; steps that this version does not have are the widest it has.
    pub(super) fn decode([spreads, turnaround_ms, part]: [u8; TOLD_LEN]) -> Self {
        Self {
            fit: Fit {
                up: Spread::from_nibble(spreads & 0xF),
                down: Spread::from_nibble(spreads >> 4),
                turnaround_ms,
                at_once: part & AT_ONCE != 0,
            },
            part: part & !AT_ONCE,
        }
    }
}

/// Bytes of what a pad has measured, on the air.
pub(super) const MEASURED_LEN: usize = 4;

/// What a pad has measured since it said so last, told with its check-ins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Measured {
    /// How far apart the last answers came, measured from where they should, in milliseconds.
    pub spread_ms: u8,
    /// Calls, repeated ones not counted.
    pub calls: u8,
    /// Calls that had to be repeated, every time counted.
    pub repeats: u8,
    /// From handing a call to the modem to the end of its answer, in units of 10 ms, on average;
    /// 0 if there was none.
    pub trip_10_ms: u8,
}

impl Measured {
    pub(super) const fn encode(self) -> [u8; MEASURED_LEN] {
        [self.spread_ms, self.calls, self.repeats, self.trip_10_ms]
    }

    #[cfg(feature = "hub")]
    pub(super) const fn decode(bytes: [u8; MEASURED_LEN]) -> Self {
        let [spread_ms, calls, repeats, trip_10_ms] = bytes;
        Self {
            spread_ms,
            calls,
            repeats,
            trip_10_ms,
        }
    }
}

/// A pad's own measurements.
#[derive(Clone, Debug, Default)]
pub(super) struct Gauge {
    /// How much later than expected the last answers came, in microseconds, the newest last.
    deviations: heapless::Deque<i32, 8>,
    calls: u8,
    repeats: u8,
    trips: u32,
    trips_10_ms: u32,
}

impl Gauge {
    /// An answer came so much later than it should have.
    pub(super) fn deviated(&mut self, micros: i64) {
        if self.deviations.is_full() {
            self.deviations.pop_front();
        }
        let _ = self
            .deviations
            .push_back(i32::try_from(micros).unwrap_or_default());
    }

    /// Where answers should come has changed.
    pub(super) fn forget_deviations(&mut self) {
        self.deviations.clear();
    }

    pub(super) fn called(&mut self, again: bool) {
        let number = if again {
            &mut self.repeats
        } else {
            &mut self.calls
        };
        *number = number.saturating_add(1);
    }

    pub(super) fn answered(&mut self, after: Span) {
        self.trips = self.trips.saturating_add(1);
        let after = u32::try_from(after.as_millis() / 10).unwrap_or(u32::MAX);
        self.trips_10_ms = self.trips_10_ms.saturating_add(after);
    }

    pub(super) fn measured(&self) -> Measured {
        let (least, most) = (self.deviations.iter().min(), self.deviations.iter().max());
        let spread = match (least, most) {
            (Some(least), Some(most)) => most.abs_diff(*least).div_ceil(1_000),
            _ => 0,
        };
        let trip = self.trips_10_ms.checked_div(self.trips).unwrap_or_default();
        Measured {
            spread_ms: u8::try_from(spread).unwrap_or(u8::MAX),
            calls: self.calls,
            repeats: self.repeats,
            trip_10_ms: u8::try_from(trip).unwrap_or(u8::MAX),
        }
    }

    /// The base has heard it.
    pub(super) fn told(&mut self) {
        let deviations = core::mem::take(&mut self.deviations);
        *self = Self {
            deviations,
            ..Self::default()
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_narrowest_step_that_holds_a_spread_is_told_and_read_back() {
        for (millis, step) in [(0, 0), (4, 0), (5, 7), (17, 17), (76, 90), (500, 220)] {
            let spread = Spread::holding(Span::from_millis(millis));
            assert_eq!(spread.span(), Span::from_millis(step), "{millis} ms");
        }
        assert_eq!(Spread::from_nibble(15).span(), Span::from_millis(220));
    }

    /// What went on the air once does so for ever.
    #[cfg(feature = "hub")]
    #[test]
    fn the_bytes_of_a_fit_and_of_what_a_pad_measured_are_these() {
        let fit = |up, down, turnaround_ms, at_once| Fit {
            up: Spread(up),
            down: Spread(down),
            turnaround_ms,
            at_once,
        };
        let told = [
            (fit(8, 7, 23, true), 0, [0x78, 23, 0x80]),
            (fit(9, 8, 40, false), 1, [0x89, 40, 0x01]),
            (fit(0, 0, 9, false), 0, [0x00, 9, 0x00]),
        ];
        for (fit, part, bytes) in told {
            let told = Told { fit, part };
            assert_eq!(told.encode(), bytes);
            assert_eq!(Told::decode(bytes), told);
        }
        let measured = Measured {
            spread_ms: 70,
            calls: 5,
            repeats: 2,
            trip_10_ms: 31,
        };
        assert_eq!(measured.encode(), [70, 5, 2, 31]);
        assert_eq!(Measured::decode([70, 5, 2, 31]), measured);
    }

    #[test]
    fn a_pad_says_how_far_apart_the_last_eight_answers_came() {
        let mut gauge = Gauge::default();
        assert_eq!(gauge.measured(), Measured::default());
        for late in [90_000, -1_000, 500, 7_000, 0, 0, 0, 0, 0] {
            gauge.deviated(late);
        }
        gauge.called(false);
        gauge.called(true);
        gauge.answered(Span::from_millis(120));
        gauge.answered(Span::from_millis(180));
        let measured = gauge.measured();
        assert_eq!(measured.spread_ms, 8, "the ninth has pushed out the first");
        assert_eq!((measured.calls, measured.repeats), (1, 1));
        assert_eq!(measured.trip_10_ms, 15);
        gauge.told();
        assert_eq!(gauge.measured().calls, 0);
        assert_eq!(gauge.measured().spread_ms, 8);
    }
}
