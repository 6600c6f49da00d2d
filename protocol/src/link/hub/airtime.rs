//! How much of the time a base is on the air, and how much it may be.

use alloc::collections::VecDeque;

use crate::time::{Instant, Span};

/// The law counts by the hour.
const HOUR: Span = Span::from_secs(3_600);

/// What is counted together.
const MINUTE: Span = Span::from_secs(60);

/// Time on the air within the last hour, and the limit.
#[derive(Debug, Default)]
pub(super) struct Airtime {
    /// Minutes, and what was spent in each.
    minutes: VecDeque<(u64, Span)>,
    /// Thousandths of the time; nothing is no limit.
    limit_permille: Option<u16>,
}

impl Airtime {
    pub(super) const fn set_limit(&mut self, permille: Option<u16>) {
        self.limit_permille = permille;
    }

    pub(super) fn spend(&mut self, span: Span, now: Instant) {
        let minute = now.as_micros() / MINUTE.as_micros();
        match self.minutes.back_mut() {
            Some((last, spent)) if *last == minute => *spent = *spent + span,
            _ => self.minutes.push_back((minute, span)),
        }
        let old = minute.saturating_sub(HOUR.as_micros() / MINUTE.as_micros());
        while self.minutes.front().is_some_and(|(first, _)| *first <= old) {
            self.minutes.pop_front();
        }
    }

    fn spent(&self, now: Instant) -> Span {
        let minute = now.as_micros() / MINUTE.as_micros();
        let old = minute.saturating_sub(HOUR.as_micros() / MINUTE.as_micros());
        let within = self.minutes.iter().filter(|(at, _)| *at > old);
        within.fold(Span::ZERO, |sum, (_, spent)| sum + *spent)
    }

    /// Thousandths of the last hour.
    pub(super) fn share_permille(&self, now: Instant) -> u16 {
        let share = self.spent(now).as_micros() * 1_000 / HOUR.as_micros();
        u16::try_from(share).unwrap_or(u16::MAX)
    }

    /// Whether so much more may be sent.
    pub(super) fn allows(&self, span: Span, now: Instant) -> bool {
        self.has_room(span, now, 100)
    }

    /// Whether there is so much room that answers can go twice.
    pub(super) fn is_plenty(&self, now: Instant) -> bool {
        self.has_room(Span::ZERO, now, 70)
    }

    fn has_room(&self, more: Span, now: Instant, percent: u64) -> bool {
        self.limit_permille.is_none_or(|permille| {
            let most = HOUR.as_micros() / 1_000 * u64::from(permille) / 100 * percent;
            (self.spent(now) + more).as_micros() <= most
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_kept_and_comes_back_with_the_hour() {
        let mut airtime = Airtime::default();
        let at = |minutes: u64| Instant::from_millis(minutes * 60_000 + 3_600_000);
        assert!(airtime.allows(HOUR, at(0)), "without a limit");
        airtime.set_limit(Some(100));
        for minute in 0..6 {
            assert!(airtime.allows(MINUTE, at(minute)), "minute {minute}");
            airtime.spend(MINUTE, at(minute));
        }
        assert_eq!(airtime.share_permille(at(6)), 100);
        assert!(!airtime.allows(Span::from_millis(20), at(6)));
        assert!(!airtime.is_plenty(at(6)));
        assert!(
            airtime.allows(MINUTE, at(60)),
            "the first minute is an hour ago"
        );
        assert_eq!(airtime.share_permille(at(90)), 0);
        assert!(airtime.is_plenty(at(90)));
    }
}
