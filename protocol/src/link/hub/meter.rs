//! What the base measures of a channel, and the fit that follows from it.

use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec::Vec;

use crate::link::Timing;
use crate::link::fit::{Fit, Spread};
use crate::time::{Instant, Span};
use crate::words::PadId;

/// Arrivals that are remembered.
const ARRIVALS_MAX: usize = 64;

/// So many of a hundred on each side are left aside: a call that was meant for another moment, a
/// laptop that was late. What the rest shows is taken for as much less than all of it.
const OUTLIERS_PERCENT: usize = 10;

/// So many arrivals say enough for wider slots; waiting for more would lose what comes.
const ENOUGH_TO_WIDEN: usize = 10;

/// So many say enough for narrower ones.
const ENOUGH_TO_NARROW: usize = 24;

/// A fit is not narrowed sooner than this after it was changed, because every change costs each
/// pad a call.
const KEPT_FOR: Span = Span::from_secs(60);

/// What a pad has told counts for this long.
const REPORT_COUNTS_FOR: Span = Span::from_secs(200);

/// A pad's turn-around may differ by so much from what is told before it is told anew, in
/// milliseconds; more where frames are spread wide.
const TURNAROUND_OFF_MS: i64 = 3;

/// Over how many calls the load is measured.
const CALLS_MAX: usize = 32;

/// With the base deaf for this part of the time, in percent, because it answers calls as they
/// come, it gathers them and answers in a window.
const DEAF_MAX_PERCENT: u64 = 35;

/// And below this it does so no more.
const DEAF_AGAIN_PERCENT: u64 = 15;

/// Bytes of an answer.
const ANSWER_LEN: usize = 26;

/// What has been measured of one channel.
#[derive(Debug)]
pub(super) struct Meter {
    timing: Timing,
    fit: Fit,
    changed: Instant,
    /// From a pad's handing over to the beginning as the base sees it, in microseconds.
    arrivals: VecDeque<i64>,
    /// Since the fit was changed.
    fresh: usize,
    /// What pads have told of the answers' spread, and when.
    reports: BTreeMap<PadId, (u8, Instant)>,
    /// The fit never changes: the link as it was before.
    fixed: bool,
    /// When calls came.
    calls: VecDeque<Instant>,
}

impl Meter {
    pub(super) fn new(timing: &Timing, fixed: bool) -> Self {
        Self {
            timing: *timing,
            fit: Fit::narrow(timing),
            changed: Instant::ZERO,
            arrivals: VecDeque::new(),
            fresh: 0,
            reports: BTreeMap::new(),
            fixed,
            calls: VecDeque::new(),
        }
    }

    /// A pad called.
    pub(super) fn called(&mut self, now: Instant) {
        if self.calls.len() >= CALLS_MAX {
            self.calls.pop_front();
        }
        self.calls.push_back(now);
    }

    /// The part of the time, in percent, for which the base is deaf if it answers as calls come.
    fn deaf_percent(&self, fit: &Fit, now: Instant) -> u64 {
        let Some(first) = self.calls.front().filter(|_| self.calls.len() >= CALLS_MAX) else {
            return 0;
        };
        let half = Span::from_micros(fit.up.span().as_micros() / 2);
        let answer = fit.turnaround() + half + self.timing.bytes(ANSWER_LEN);
        let calls = u64::try_from(self.calls.len()).unwrap_or_default();
        let all = answer.times(calls).as_micros();
        all * 100 / now.since(*first).as_micros().max(1)
    }

    /// Whether calls should be answered as they come.
    fn at_once(&self, wanted: &Fit, now: Instant) -> bool {
        let most = if self.fit.at_once || self.fit == Fit::narrow(&self.timing) {
            DEAF_MAX_PERCENT
        } else {
            DEAF_AGAIN_PERCENT
        };
        let bad = wanted.up.max(wanted.down) > Spread::NARROW;
        bad && self.deaf_percent(wanted, now) < most
    }

    pub(super) const fn fit(&self) -> Fit {
        self.fit
    }

    pub(super) const fn set_fit(&mut self, fit: Fit, now: Instant) {
        self.fit = fit;
        self.changed = now;
        self.fresh = 0;
    }

    /// A pad handed a frame over and it arrived after so many microseconds (or before, by our
    /// clocks).
    pub(super) fn arrived(&mut self, micros: i64) {
        if self.arrivals.len() >= ARRIVALS_MAX {
            self.arrivals.pop_front();
        }
        self.arrivals.push_back(micros);
        self.fresh += 1;
    }

    /// A pad tells how far apart our answers come there.
    pub(super) fn reported(&mut self, pad: PadId, spread_ms: u8, now: Instant) {
        self.reports.insert(pad, (spread_ms, now));
    }

    /// The fit that should be in force from now on, if it is another one.
    pub(super) fn judge(&mut self, now: Instant) -> Option<Fit> {
        if self.fixed || self.arrivals.len() < ENOUGH_TO_WIDEN {
            return None;
        }
        self.reports
            .retain(|_, (_, at)| now.since(*at) <= REPORT_COUNTS_FOR);
        let mut wanted = self.wanted();
        wanted.at_once = self.at_once(&wanted, now);
        let wider = wanted.up > self.fit.up || wanted.down > self.fit.down;
        let narrower = wanted.up < self.fit.up || wanted.down < self.fit.down;
        let off = i64::from(wanted.turnaround_ms) - i64::from(self.fit.turnaround_ms);
        let allowed = i64::try_from(self.fit.up.span().as_millis() / 6).unwrap_or_default();
        let rested = now.since(self.changed) >= KEPT_FOR && self.fresh >= ENOUGH_TO_NARROW;
        let shifted = off.abs() > TURNAROUND_OFF_MS.max(allowed);
        let crowded = self.fit.at_once && !wanted.at_once;
        if wider || crowded {
            // What was wide in one direction stays so until it has been narrow for a while.
            let fit = Fit {
                up: wanted.up.max(self.fit.up),
                down: wanted.down.max(self.fit.down),
                ..wanted
            };
            return Some(fit);
        }
        let quiet = wanted.at_once && !self.fit.at_once;
        if (narrower || quiet) && rested {
            return Some(wanted);
        }
        let settled = shifted && self.fresh >= ENOUGH_TO_NARROW;
        settled.then_some(Fit {
            turnaround_ms: wanted.turnaround_ms,
            ..self.fit
        })
    }

    fn wanted(&self) -> Fit {
        let mut arrivals: Vec<i64> = self.arrivals.iter().copied().collect();
        arrivals.sort_unstable();
        let aside = arrivals.len() * OUTLIERS_PERCENT / 100;
        let least = arrivals.get(aside).copied().unwrap_or_default();
        let most = arrivals.get(arrivals.len().saturating_sub(1 + aside));
        let most = most.copied().unwrap_or_default();
        let seen = most.abs_diff(least);
        let tails = seen * 2 * OUTLIERS_PERCENT as u64 / (100 - 2 * OUTLIERS_PERCENT as u64);
        let up = Spread::holding(Span::from_micros(seen + tails));
        let least = least - i64::try_from(tails / 2).unwrap_or_default();
        let narrow = Fit::narrow(&self.timing);
        let turnaround_ms = u8::try_from((least / 1_000).max(0)).unwrap_or(u8::MAX);
        let usual = turnaround_ms.abs_diff(narrow.turnaround_ms);
        Fit {
            up,
            down: self.down().unwrap_or(up),
            turnaround_ms: if i64::from(usual) <= TURNAROUND_OFF_MS && up == Spread::NARROW {
                narrow.turnaround_ms
            } else {
                turnaround_ms
            },
            at_once: false,
        }
    }

    /// What nine pads in ten stay within. Before anybody has told: the answers come through the
    /// same kind of modem as the calls.
    fn down(&self) -> Option<Spread> {
        let mut reports: Vec<u8> = self.reports.values().map(|(spread, _)| *spread).collect();
        reports.sort_unstable();
        let at = reports.len().saturating_sub(1 + reports.len() / 10);
        let spread = reports.get(at)?;
        Some(Spread::holding(Span::from_millis(u64::from(*spread))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fed(arrivals: impl IntoIterator<Item = i64>) -> Meter {
        let mut meter = Meter::new(&Timing::COMMON, false);
        for micros in arrivals {
            meter.arrived(micros);
        }
        meter
    }

    #[test]
    fn a_modem_as_it_should_be_keeps_the_narrow_cycle() {
        let mut meter = fed((0..64).map(|at| 15_000 + at * 40));
        assert_eq!(meter.judge(Instant::from_millis(100_000)), None);
    }

    /// As far apart as the calls of a bad modem.
    fn bad() -> impl Iterator<Item = i64> {
        (0..ENOUGH_TO_WIDEN as i64).map(|at| 6_000 + at * 7_000)
    }

    #[test]
    fn a_few_arrivals_that_lie_apart_are_enough_and_calls_are_answered_as_they_come() {
        let mut meter = fed(bad().skip(1));
        assert_eq!(meter.judge(Instant::ZERO), None);
        meter.arrived(6_000);
        let fit = meter.judge(Instant::ZERO).expect("wider");
        assert_eq!(fit.up.span(), Span::from_millis(70));
        assert_eq!(fit.down, fit.up, "until pads have told");
        assert!(fit.at_once);
    }

    #[test]
    fn a_full_room_on_a_bad_radio_is_answered_in_a_window() {
        let mut meter = fed(bad());
        for at in 0..CALLS_MAX as u64 {
            meter.called(Instant::from_millis(at * 100));
        }
        let now = Instant::from_millis(CALLS_MAX as u64 * 100);
        let fit = meter.judge(now).expect("wider");
        assert!(!fit.at_once, "ten calls a second");
        meter.set_fit(fit, now);
        for at in 0..CALLS_MAX as u64 {
            meter.arrived(20_000 + i64::try_from(at % 10).unwrap() * 7_000);
            meter.called(now + Span::from_secs(at * 3));
        }
        let fit = meter.judge(now + Span::from_secs(96)).expect("quiet");
        assert!(fit.at_once);
    }

    #[test]
    fn one_call_in_ten_that_was_meant_for_another_moment_says_nothing() {
        let mut meter = fed((0..60).map(|at| if at % 20 == 0 { 90_000 } else { 15_000 }));
        assert_eq!(meter.judge(Instant::from_millis(100_000)), None);
    }

    #[test]
    fn it_becomes_narrow_again_only_after_a_quiet_minute() {
        let mut meter = fed(bad());
        let wide = meter.judge(Instant::ZERO).expect("wider");
        meter.set_fit(wide, Instant::ZERO);
        for _ in 0..ARRIVALS_MAX {
            meter.arrived(15_000);
        }
        assert_eq!(meter.judge(Instant::from_millis(30_000)), None);
        let fit = meter.judge(Instant::from_millis(61_000));
        assert_eq!(fit, Some(Fit::narrow(&Timing::COMMON)));
    }

    #[test]
    fn the_pads_say_how_wide_the_window_is() {
        let mut meter = fed(bad());
        for pad in 1..=10 {
            let pad = PadId::new(pad).expect("a pad");
            meter.reported(pad, 3, Instant::ZERO);
        }
        // One pad whose clock is bad does not widen the window for all.
        meter.reported(PadId::new(1).expect("a pad"), 200, Instant::ZERO);
        let fit = meter.judge(Instant::ZERO).expect("wider");
        assert_eq!(fit.down, Spread::NARROW);
    }

    #[test]
    fn the_link_as_it_was_never_changes() {
        let mut meter = Meter::new(&Timing::COMMON, true);
        for micros in bad() {
            meter.arrived(micros);
        }
        assert_eq!(meter.judge(Instant::ZERO), None);
    }
}
