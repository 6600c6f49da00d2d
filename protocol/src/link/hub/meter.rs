//! What the base measures of a channel, and the fit that follows from it.

use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec::Vec;

use crate::link::Timing;
use crate::link::fit::{Fit, Measured, Spread};
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

/// How often a pad calls at the end of a round: a result and a check-in a minute, and some again.
/// What is going on just now says nothing of that, and dividing time anew in the middle of it costs
/// every pad a call.
const CALLS_OF_A_PAD_MILLIHERTZ: u64 = 48;

/// With the base deaf for this part of the time, in percent, because it answers calls as they
/// come, it gathers them and answers in a window.
const DEAF_MAX_PERCENT: u64 = 30;

/// And below this it does so no more.
const DEAF_AGAIN_PERCENT: u64 = 25;

/// Below this it sends its answers twice.
const TWICE_BELOW_PERCENT: u64 = 20;

/// Pads repeat much if they do for so many of a hundred calls.
const REPEATS_MUCH_PERCENT: u32 = 100;

/// Where calls are answered as they come, so many say that too many call at once.
const CROWDED_PERCENT: u32 = 150;

/// Both if they have told of so many calls.
const REPORTED_CALLS_MIN: u32 = 32;

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
    /// What pads have told, and when.
    reports: BTreeMap<PadId, (Measured, Instant)>,
    /// The fit never changes: the link as it was before.
    fixed: bool,
    /// Pads on this channel.
    pads: u64,
    /// Calls and repetitions that pads have told of with this fit; older ones count less.
    told: (u32, u32),
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
            pads: 0,
            told: (0, 0),
        }
    }

    /// So many pads are on this channel.
    pub(super) const fn room(&mut self, pads: u64) {
        self.pads = pads;
    }

    /// The part of the time, in percent, for which the base is deaf at the end of a round if it
    /// answers as calls come.
    fn deaf_percent(&self, fit: &Fit) -> u64 {
        let half = Span::from_micros(fit.up.span().as_micros() / 2);
        let answer = fit.turnaround() + half + self.timing.bytes(ANSWER_LEN);
        self.pads * CALLS_OF_A_PAD_MILLIHERTZ * answer.as_micros() / 10_000_000
    }

    /// Whether answers can be sent twice where they are sent as calls come.
    pub(super) fn has_time(&self) -> bool {
        self.deaf_percent(&self.fit) < TWICE_BELOW_PERCENT
    }

    /// Whether calls should be answered as they come.
    fn at_once(&self, measured: &Fit) -> bool {
        let most = if self.fit.at_once {
            DEAF_MAX_PERCENT
        } else {
            DEAF_AGAIN_PERCENT
        };
        self.deaf_percent(measured) < most && !self.pads_repeat(CROWDED_PERCENT)
    }

    pub(super) const fn fit(&self) -> Fit {
        self.fit
    }

    pub(super) const fn set_fit(&mut self, fit: Fit, now: Instant) {
        self.fit = fit;
        self.changed = now;
        self.fresh = 0;
        self.told = (0, 0);
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
    pub(super) fn reported(&mut self, pad: PadId, told: Measured, now: Instant) {
        self.reports.insert(pad, (told, now));
        // What pads tell happened since their check-in before.
        if now.since(self.changed) >= KEPT_FOR {
            let (calls, repeats) = &mut self.told;
            *calls += u32::from(told.calls);
            *repeats += u32::from(told.repeats);
            if *calls >= 4 * REPORTED_CALLS_MIN {
                (*calls, *repeats) = (*calls / 2, *repeats / 2);
            }
        }
    }

    /// The fit that should be in force from now on, if it is another one.
    pub(super) fn judge(&mut self, now: Instant) -> Option<Fit> {
        if self.fixed || self.arrivals.len() < ENOUGH_TO_WIDEN {
            return None;
        }
        self.reports
            .retain(|_, (_, at)| now.since(*at) <= REPORT_COUNTS_FOR);
        let wanted = self.wanted();
        let off = i64::from(wanted.turnaround_ms) - i64::from(self.fit.turnaround_ms);
        let allowed = i64::try_from(self.fit.up.span().as_millis() / 6).unwrap_or_default();
        let shifted = off.abs() > TURNAROUND_OFF_MS.max(allowed);
        let first = self.changed == Instant::ZERO;
        let rested = now.since(self.changed) >= KEPT_FOR && self.fresh >= ENOUGH_TO_NARROW;
        let good = self.is_narrow();
        let crowded = self.fit.at_once && !wanted.at_once && !good;
        let same = self.fit.at_once == wanted.at_once;
        let wider = same && (wanted.up > self.fit.up || wanted.down > self.fit.down);
        let quiet = wanted.at_once && !self.fit.at_once;
        if wider && !first {
            // What was wide in one direction stays so until it has been narrow for a while.
            return Some(Fit {
                up: wanted.up.max(self.fit.up),
                down: wanted.down.max(self.fit.down),
                ..wanted
            });
        }
        if crowded || ((wider || quiet) && (first || rested)) {
            return Some(wanted);
        }
        if (same || good) && rested && self.is_clearly_narrower() {
            return Some(wanted);
        }
        let settled = shifted && self.fresh >= ENOUGH_TO_NARROW;
        settled.then_some(Fit {
            turnaround_ms: wanted.turnaround_ms,
            ..self.fit
        })
    }

    /// Whether it would be narrower even if everything lay half as far apart again: what is at the
    /// edge of a step stays where it is.
    fn is_clearly_narrower(&self) -> bool {
        let wider = |span: Span| Span::from_micros(span.as_micros() * 3 / 2);
        let up = Spread::holding(wider(self.up_spread().1));
        let down = self.down_spread().map(|span| Spread::holding(wider(span)));
        let down = down.unwrap_or(up);
        up <= self.fit.up && down <= self.fit.down && (up < self.fit.up || down < self.fit.down)
    }

    /// The quickest call in microseconds, and how far apart they lie.
    fn up_spread(&self) -> (i64, Span) {
        let mut arrivals: Vec<i64> = self.arrivals.iter().copied().collect();
        arrivals.sort_unstable();
        let aside = arrivals.len() * OUTLIERS_PERCENT / 100;
        let least = arrivals.get(aside).copied().unwrap_or_default();
        let most = arrivals.get(arrivals.len().saturating_sub(1 + aside));
        let most = most.copied().unwrap_or_default();
        let seen = most.abs_diff(least);
        let tails = seen * 2 * OUTLIERS_PERCENT as u64 / (100 - 2 * OUTLIERS_PERCENT as u64);
        let least = least - i64::try_from(tails / 2).unwrap_or_default();
        (least, Span::from_micros(seen + tails))
    }

    fn wanted(&self) -> Fit {
        let (least, spread) = self.up_spread();
        let up = Spread::holding(spread);
        let narrow = Fit::narrow(&self.timing);
        let turnaround_ms = u8::try_from((least / 1_000).max(0)).unwrap_or(u8::MAX);
        let usual = turnaround_ms.abs_diff(narrow.turnaround_ms);
        let down = self.down_spread().map_or(up, Spread::holding);
        let turnaround_ms = if i64::from(usual) <= TURNAROUND_OFF_MS && up == Spread::NARROW {
            narrow.turnaround_ms
        } else {
            turnaround_ms
        };
        let measured = Fit {
            up,
            down,
            turnaround_ms,
            at_once: false,
        };
        if self.is_narrow() {
            return measured;
        }
        if self.at_once(&measured) {
            return Fit {
                at_once: true,
                ..measured
            };
        }
        // Frames can be shorter on the air than on the line, and a wide cycle is long. So calls are
        // gathered in the narrow one, unless pads have to repeat too much there.
        let is_wide = !self.fit.at_once && self.fit.up.max(self.fit.down) > Spread::NARROW;
        if is_wide || self.pads_repeat(REPEATS_MUCH_PERCENT) {
            return measured;
        }
        Fit {
            up: Spread::NARROW,
            down: Spread::NARROW,
            ..measured
        }
    }

    /// Whether the radio is as it should be.
    fn is_narrow(&self) -> bool {
        let up = Spread::holding(self.up_spread().1);
        let down = self.down_spread().map_or(up, Spread::holding);
        up.max(down) == Spread::NARROW
    }

    /// Whether pads had to repeat so many of a hundred calls.
    const fn pads_repeat(&self, percent: u32) -> bool {
        let (calls, repeats) = self.told;
        calls >= REPORTED_CALLS_MIN && repeats * 100 > calls * percent
    }

    /// What nine pads in ten stay within. Before anybody has told: the answers come through the
    /// same kind of modem as the calls.
    fn down_spread(&self) -> Option<Span> {
        let spread = |(told, _): &(Measured, Instant)| told.spread_ms;
        let mut reports: Vec<u8> = self.reports.values().map(spread).collect();
        reports.sort_unstable();
        let at = reports.len().saturating_sub(1 + reports.len() / 10);
        let spread = reports.get(at)?;
        Some(Span::from_millis(u64::from(*spread)))
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

    fn told(spread_ms: u8) -> Measured {
        Measured {
            spread_ms,
            ..Measured::default()
        }
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
        meter.room(128);
        let now = Instant::from_millis(1_000);
        let fit = meter.judge(now).unwrap_or(meter.fit());
        assert!(!fit.at_once, "a hundred tables");
        assert_eq!(fit.up, Spread::NARROW, "until pads repeat too much");
        meter.set_fit(fit, now);
        let much = Measured {
            spread_ms: 70,
            calls: 40,
            repeats: 90,
            trip_10_ms: 30,
        };
        let now = now + KEPT_FOR;
        meter.reported(PadId::MIN, much, now);
        let fit = meter.judge(now).expect("wide");
        assert!(!fit.at_once && fit.up > Spread::NARROW);
        meter.set_fit(fit, now);
        meter.room(30);
        for micros in bad().chain(bad()).chain(bad()) {
            meter.arrived(micros);
        }
        let fit = meter.judge(now + KEPT_FOR).expect("most have gone home");
        assert!(fit.at_once);
    }

    #[test]
    fn one_call_in_ten_that_was_meant_for_another_moment_says_nothing() {
        let mut meter = fed((0..60).map(|at| if at % 20 == 0 { 90_000 } else { 15_000 }));
        assert_eq!(meter.judge(Instant::from_millis(100_000)), None);
    }

    #[test]
    fn it_becomes_narrow_again_when_the_radio_is() {
        let mut meter = fed(bad());
        let wide = meter.judge(Instant::ZERO).expect("wider");
        meter.set_fit(wide, Instant::from_millis(1_000));
        for _ in 0..ARRIVALS_MAX {
            meter.arrived(15_000);
        }
        let fit = meter.judge(Instant::from_millis(62_000));
        assert_eq!(fit, Some(Fit::narrow(&Timing::COMMON)));
    }

    #[test]
    fn the_pads_say_how_wide_the_window_is() {
        let mut meter = fed(bad());
        for pad in 1..=10 {
            let pad = PadId::new(pad).expect("a pad");
            meter.reported(pad, told(3), Instant::ZERO);
        }
        // One pad whose clock is bad does not widen the window for all.
        meter.reported(PadId::new(1).expect("a pad"), told(200), Instant::ZERO);
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
