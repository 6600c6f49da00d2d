//! What is known of each pad's radio, quarter of an hour by quarter of an hour. The modems that we
//! use measure no signal: what can be counted is how often a pad had to call.

use std::collections::{BTreeMap, VecDeque};

use protocol::link::Quality;
use protocol::words::PadId;

/// A quarter of an hour.
const QUARTER_MS: u64 = 15 * 60 * 1_000;

/// So many are kept: an evening.
const QUARTERS_MAX: usize = 24;

/// So few calls say nothing yet.
const CALLS_MIN: u32 = 8;

/// A pad that gets no answer to so many of a hundred calls has a bad place, if others have not.
const LOST_BAD_PERCENT: u32 = 40;

/// A room in which most pads get no answer to so many of a hundred calls has a bad channel.
const LOST_CROWDED_PERCENT: u32 = 30;

/// One pad in a quarter of an hour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quarter {
    /// When it began, in milliseconds since 1970.
    pub from_ms: u64,
    /// Calls that it made, repeated ones too.
    pub calls: u32,
    /// Calls that did not come.
    pub missed: u32,
    /// Calls that came because the answer to the one before did not.
    pub repeated: u32,
}

impl Quarter {
    /// Of a hundred calls so many had no answer.
    fn lost_percent(&self) -> u32 {
        let lost = self.missed.saturating_add(self.repeated).min(self.calls);
        (lost * 100).checked_div(self.calls).unwrap_or_default()
    }

    /// Of a hundred calls so many were answered.
    pub fn answered_percent(&self) -> u32 {
        100 - self.lost_percent()
    }
}

/// What to do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
pub enum Advice {
    /// This table is in a hole: move the pad, or put the receiver higher.
    Hole,
    /// Most tables call in vain: another channel, or a receiver nearer.
    Crowded,
}

/// Every pad's quarters, the newest last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Qualities {
    pads: BTreeMap<PadId, VecDeque<Quarter>>,
    /// What each pad had told when it was last looked at.
    seen: BTreeMap<PadId, Quality>,
}

impl Qualities {
    /// Looks at what the link knows now.
    pub fn take(&mut self, pads: impl IntoIterator<Item = (PadId, Quality)>, now_ms: u64) {
        let from_ms = now_ms - now_ms % QUARTER_MS;
        for (pad, quality) in pads {
            let before = self.seen.insert(pad, quality).unwrap_or_default();
            let (heard, missed) = (quality.heard - before.heard, quality.missed - before.missed);
            let repeated = quality.repeated - before.repeated;
            if heard == 0 {
                continue;
            }
            let quarters = self.pads.entry(pad).or_default();
            if quarters.back().is_none_or(|it| it.from_ms != from_ms) {
                if quarters.len() >= QUARTERS_MAX {
                    quarters.pop_front();
                }
                quarters.push_back(Quarter {
                    from_ms,
                    ..Quarter::default()
                });
            }
            if let Some(quarter) = quarters.back_mut() {
                quarter.calls += heard + missed;
                quarter.missed += missed;
                quarter.repeated += repeated;
            }
        }
    }

    /// Every pad's quarters, and what follows for it.
    pub fn pads(&self) -> impl Iterator<Item = (PadId, &VecDeque<Quarter>, Option<Advice>)> {
        let crowded = self.is_crowded();
        self.pads.iter().map(move |(pad, quarters)| {
            let bad = quarters
                .back()
                .is_some_and(|last| lost_percent(last) >= Some(LOST_BAD_PERCENT));
            let advice = match (crowded, bad) {
                (true, _) => Some(Advice::Crowded),
                (false, true) => Some(Advice::Hole),
                (false, false) => None,
            };
            (*pad, quarters, advice)
        })
    }

    /// Whether most pads call in vain too often in the newest quarter.
    fn is_crowded(&self) -> bool {
        let last = |quarters: &VecDeque<Quarter>| quarters.back().copied();
        let newest = self.pads.values().filter_map(last).map(|it| it.from_ms);
        let Some(newest) = newest.max() else {
            return false;
        };
        let of_newest = self.pads.values().filter_map(last);
        let percents: Vec<u32> = of_newest
            .filter(|it| it.from_ms == newest)
            .filter_map(|it| lost_percent(&it))
            .collect();
        let bad = percents
            .iter()
            .filter(|percent| **percent >= LOST_CROWDED_PERCENT)
            .count();
        // One table in a hole does not make a channel crowded.
        percents.len() > 2 && bad * 2 > percents.len()
    }
}

/// How many of a hundred calls had no answer; nothing where too few were made.
fn lost_percent(quarter: &Quarter) -> Option<u32> {
    (quarter.calls >= CALLS_MIN).then(|| quarter.lost_percent())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pad(number: u32) -> PadId {
        PadId::new(number).expect("a pad")
    }

    fn told(calls: u32, missed: u32) -> Quality {
        Quality {
            heard: calls - missed,
            missed,
            repeated: 0,
        }
    }

    fn advice(qualities: &Qualities) -> Vec<Option<Advice>> {
        qualities.pads().map(|(_, _, advice)| advice).collect()
    }

    #[test]
    fn calls_are_counted_in_the_quarter_in_which_they_came() {
        let mut qualities = Qualities::default();
        qualities.take([(pad(1), told(10, 1))], QUARTER_MS + 5);
        qualities.take([(pad(1), told(10, 1))], QUARTER_MS + 9);
        qualities.take([(pad(1), told(14, 1))], 2 * QUARTER_MS);
        let (_, quarters, _) = qualities.pads().next().expect("one");
        let calls: Vec<(u64, u32)> = quarters.iter().map(|it| (it.from_ms, it.calls)).collect();
        assert_eq!(calls, [(QUARTER_MS, 10), (2 * QUARTER_MS, 4)]);
    }

    #[test]
    fn one_table_that_calls_in_vain_is_in_a_hole_and_all_of_them_make_a_crowded_channel() {
        let mut qualities = Qualities::default();
        let good = (1..=4).map(|number| (pad(number), told(20, 1)));
        qualities.take(good.chain([(pad(5), told(20, 15))]), 1);
        assert_eq!(
            advice(&qualities),
            [None, None, None, None, Some(Advice::Hole)]
        );
        let bad = (1..=5).map(|number| (pad(number), told(60, 30)));
        qualities.take(bad, 2);
        assert_eq!(advice(&qualities), [Some(Advice::Crowded); 5]);
    }

    #[test]
    fn a_pad_that_has_hardly_called_says_nothing() {
        let mut qualities = Qualities::default();
        qualities.take([(pad(1), told(3, 2))], 1);
        assert_eq!(advice(&qualities), [None]);
    }
}
