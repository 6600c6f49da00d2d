//! How much of the time a base is on the air, and how much it may be.

use alloc::collections::VecDeque;

use crate::time::{Instant, Span};

/// The law counts by the hour.
const HOUR: Span = Span::from_secs(3_600);

/// What is counted together.
const MINUTE: Span = Span::from_secs(60);

/// One minute.
#[derive(Debug)]
struct Minute {
    number: u64,
    spent: Span,
    /// Answers that were not sent, because the law allowed no more.
    held_back: u32,
}

/// Time on the air within the last hour, and the limit.
#[derive(Debug, Default)]
pub(super) struct Airtime {
    minutes: VecDeque<Minute>,
    /// Thousandths of the time; nothing is no limit.
    limit_permille: Option<u16>,
}

impl Airtime {
    pub(super) const fn set_limit(&mut self, permille: Option<u16>) {
        self.limit_permille = permille;
    }

    pub(super) fn spend(&mut self, span: Span, now: Instant) {
        self.note(span, 0, now);
    }

    /// An answer is not sent.
    pub(super) fn hold_back(&mut self, now: Instant) {
        self.note(Span::ZERO, 1, now);
    }

    fn note(&mut self, spent: Span, held_back: u32, now: Instant) {
        let number = minute(now);
        match self.minutes.back_mut() {
            Some(last) if last.number == number => {
                last.spent = last.spent + spent;
                last.held_back = last.held_back.saturating_add(held_back);
            }
            _ => self.minutes.push_back(Minute {
                number,
                spent,
                held_back,
            }),
        }
        let ended = an_hour_before(now);
        while self.minutes.front().is_some_and(|it| it.number <= ended) {
            self.minutes.pop_front();
        }
    }

    fn within_the_hour(&self, now: Instant) -> impl Iterator<Item = &Minute> {
        let ended = an_hour_before(now);
        self.minutes.iter().filter(move |it| it.number > ended)
    }

    fn spent(&self, now: Instant) -> Span {
        let within = self.within_the_hour(now);
        within.fold(Span::ZERO, |sum, it| sum + it.spent)
    }

    /// How many answers of the last hour were not sent.
    pub(super) fn held_back(&self, now: Instant) -> u32 {
        let within = self.within_the_hour(now);
        within.fold(0, |sum, it| sum.saturating_add(it.held_back))
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

fn minute(now: Instant) -> u64 {
    now.as_micros() / MINUTE.as_micros()
}

/// The last minute that is not within the hour any more.
fn an_hour_before(now: Instant) -> u64 {
    minute(now).saturating_sub(HOUR.as_micros() / MINUTE.as_micros())
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
        airtime.hold_back(at(6));
        airtime.hold_back(at(7));
        assert_eq!(airtime.held_back(at(8)), 2);
        assert_eq!(airtime.held_back(at(66)), 1);
        assert!(
            airtime.allows(MINUTE, at(60)),
            "the first minute is an hour ago"
        );
        assert_eq!(airtime.share_permille(at(90)), 0);
        assert!(airtime.is_plenty(at(90)));
    }
}
