//! What is known of each pad's radio, quarter of an hour by quarter of an hour. The modems that we
//! use measure no signal: what can be counted is how often a pad had to call.

use std::collections::{BTreeMap, VecDeque};

use protocol::link::{Quality, Tally};
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

/// A channel on which so many of a hundred frames are garbled, or of others, is disturbed.
const DISTURBED_PERCENT: u32 = 20;

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
        percent(lost, self.calls)
    }

    /// Of a hundred calls so many were answered.
    pub fn answered_percent(&self) -> u32 {
        100 - self.lost_percent()
    }
}

/// What to do about it. Each follows from a figure of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
pub enum Advice {
    /// This table's calls do not come: move the pad, or put the receiver higher.
    Hole,
    /// This table's calls come, and it does not hear the answers: move the pad.
    Deaf,
    /// Most tables call in vain, and much that is heard is garbled: another channel.
    Crowded,
    /// Most tables call in vain, and others are on the channel: another channel.
    Shared,
    /// Most tables' calls do not come, though the channel is quiet: the receiver hears badly.
    Far,
    /// Most tables' calls come, and the answers do not reach them: the receiver sends badly.
    Weak,
    /// Answers are held back, because the law allows no more of the hour: a second receiver.
    Muted,
}

/// What to do, and the figure that it follows from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advised {
    /// What to do.
    pub advice: Advice,
    /// For a hole and where the receiver is far: of a hundred calls so many did not come. Where
    /// answers are not heard: of a hundred calls so many were said again. On a channel with others:
    /// of a hundred frames so many were garbled, or theirs. For the law: so many answers were held
    /// back in the last hour.
    pub figure: u32,
}

/// What was heard on the air, counted since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Air {
    /// Frames of ours that were taken.
    pub taken: u32,
    /// What was no frame at all: noise, or two pads at once.
    pub garbled: u32,
    /// Frames of other networks, clubs and base stations.
    pub foreign: u32,
    /// Answers of the last hour that the law did not allow any more.
    pub held_back: u32,
}

impl Air {
    /// From what the link counts.
    pub const fn of(tally: Tally, held_back: u32) -> Self {
        let foreign = tally.other_network.saturating_add(tally.other_club);
        Self {
            taken: tally.accepted,
            garbled: tally.garbled,
            foreign: foreign.saturating_add(tally.other_base),
            held_back,
        }
    }

    /// What came after an earlier count.
    const fn since(self, before: Self) -> Self {
        Self {
            taken: self.taken.saturating_sub(before.taken),
            garbled: self.garbled.saturating_sub(before.garbled),
            foreign: self.foreign.saturating_sub(before.foreign),
            held_back: self.held_back,
        }
    }

    /// Of a hundred frames that were heard so many were of this kind.
    fn percent(self, kind: u32) -> u32 {
        let heard = self.taken.saturating_add(self.garbled);
        percent(kind, heard.saturating_add(self.foreign))
    }
}

/// Every pad's quarters, the newest last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Qualities {
    pads: BTreeMap<PadId, VecDeque<Quarter>>,
    /// What each pad had told when it was last looked at.
    seen: BTreeMap<PadId, Quality>,
    /// When the newest quarter began, and what had been heard on the air by then.
    quarter: (u64, Air),
    /// What has been heard since.
    air: Air,
    /// The last count.
    counted: Air,
}

impl Qualities {
    /// Looks at what the link knows now.
    pub fn take(
        &mut self,
        pads: impl IntoIterator<Item = (PadId, Quality)>,
        air: Air,
        now_ms: u64,
    ) {
        let from_ms = now_ms - now_ms % QUARTER_MS;
        if self.quarter.0 != from_ms {
            self.quarter = (from_ms, self.counted);
        }
        self.air = air.since(self.quarter.1);
        self.counted = air;
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
    pub fn pads(&self) -> impl Iterator<Item = (PadId, &VecDeque<Quarter>, Option<Advised>)> {
        let room = self.of_the_room();
        self.pads.iter().map(move |(pad, quarters)| {
            let bad = quarters
                .back()
                .filter(|last| lost_percent(last) >= Some(LOST_BAD_PERCENT));
            (*pad, quarters, room.or_else(|| bad.map(of_a_table)))
        })
    }

    /// What is wrong with the channel or the receiver, where most pads call in vain too often in
    /// the newest quarter.
    fn of_the_room(&self) -> Option<Advised> {
        let last = |quarters: &VecDeque<Quarter>| quarters.back().copied();
        let newest = self.pads.values().filter_map(last).map(|it| it.from_ms);
        let newest = newest.max()?;
        let of_newest = self.pads.values().filter_map(last);
        let of_newest = of_newest.filter(|it| it.from_ms == newest);
        let spoke: Vec<Quarter> = of_newest.filter(|it| it.calls >= CALLS_MIN).collect();
        let bad = |it: &&Quarter| it.lost_percent() >= LOST_CROWDED_PERCENT;
        let bad = spoke.iter().filter(bad).count();
        // One table in a hole is nothing of the room's.
        if spoke.len() <= 2 || bad * 2 <= spoke.len() {
            return None;
        }
        let air = if self.quarter.0 == newest {
            self.air
        } else {
            Air::default()
        };
        let calls = spoke.iter().map(|it| it.calls).sum();
        let missed: u32 = spoke.iter().map(|it| it.missed).sum();
        let repeated: u32 = spoke.iter().map(|it| it.repeated).sum();
        let (foreign, garbled) = (air.percent(air.foreign), air.percent(air.garbled));
        let (advice, figure) = if air.held_back > 0 && repeated > missed {
            (Advice::Muted, air.held_back)
        } else if foreign >= DISTURBED_PERCENT {
            (Advice::Shared, foreign)
        } else if garbled >= DISTURBED_PERCENT {
            (Advice::Crowded, garbled)
        } else if missed >= repeated {
            (Advice::Far, percent(missed, calls))
        } else {
            (Advice::Weak, percent(repeated, calls))
        };
        Some(Advised { advice, figure })
    }
}

/// What is wrong with one table, where others are heard.
fn of_a_table(last: &Quarter) -> Advised {
    let (advice, unanswered) = if last.missed >= last.repeated {
        (Advice::Hole, last.missed)
    } else {
        (Advice::Deaf, last.repeated)
    };
    let figure = percent(unanswered, last.calls);
    Advised { advice, figure }
}

fn percent(part: u32, whole: u32) -> u32 {
    let share = (u64::from(part) * 100).checked_div(whole.into());
    u32::try_from(share.unwrap_or_default()).unwrap_or(u32::MAX)
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

    fn repeats(calls: u32, repeated: u32) -> Quality {
        Quality {
            heard: calls,
            missed: 0,
            repeated,
        }
    }

    const QUIET: Air = Air {
        taken: 100,
        garbled: 3,
        foreign: 0,
        held_back: 0,
    };

    fn advice(qualities: &Qualities) -> Vec<Option<(Advice, u32)>> {
        let said = |it: Advised| (it.advice, it.figure);
        let pads = qualities.pads();
        pads.map(|(_, _, advised)| advised.map(said)).collect()
    }

    /// Five tables that lose half of their calls, one way or the other.
    fn in_a_bad_room(pad_has: Quality, air: Air) -> Vec<Option<(Advice, u32)>> {
        let mut qualities = Qualities::default();
        qualities.take((1..=5).map(|number| (pad(number), pad_has)), air, 1);
        advice(&qualities)
    }

    #[test]
    fn calls_are_counted_in_the_quarter_in_which_they_came() {
        let mut qualities = Qualities::default();
        qualities.take([(pad(1), told(10, 1))], QUIET, QUARTER_MS + 5);
        qualities.take([(pad(1), told(10, 1))], QUIET, QUARTER_MS + 9);
        qualities.take([(pad(1), told(14, 1))], QUIET, 2 * QUARTER_MS);
        let (_, quarters, _) = qualities.pads().next().expect("one");
        let calls: Vec<(u64, u32)> = quarters.iter().map(|it| (it.from_ms, it.calls)).collect();
        assert_eq!(calls, [(QUARTER_MS, 10), (2 * QUARTER_MS, 4)]);
    }

    #[test]
    fn one_table_among_good_ones_is_in_a_hole_or_deaf() {
        for (bad, said) in [
            (told(20, 15), (Advice::Hole, 75)),
            (repeats(20, 9), (Advice::Deaf, 45)),
        ] {
            let mut qualities = Qualities::default();
            let good = (1..=4).map(|number| (pad(number), told(20, 1)));
            qualities.take(good.chain([(pad(5), bad)]), QUIET, 1);
            assert_eq!(advice(&qualities), [None, None, None, None, Some(said)]);
        }
    }

    #[test]
    fn what_is_wrong_in_a_whole_room_is_told_apart_by_its_own_figure() {
        let lost = told(40, 20);
        let unheard = repeats(40, 20);
        let garbled = Air {
            garbled: 50,
            ..QUIET
        };
        let foreign = Air {
            foreign: 50,
            ..QUIET
        };
        let held = Air {
            held_back: 7,
            ..QUIET
        };
        for (pads, air, said) in [
            (lost, QUIET, (Advice::Far, 50)),
            (lost, garbled, (Advice::Crowded, 33)),
            (lost, foreign, (Advice::Shared, 32)),
            (unheard, QUIET, (Advice::Weak, 50)),
            (unheard, held, (Advice::Muted, 7)),
            (lost, held, (Advice::Far, 50)),
        ] {
            assert_eq!(in_a_bad_room(pads, air), [Some(said); 5], "{air:?}");
        }
    }

    #[test]
    fn what_was_garbled_an_hour_ago_is_no_reason_now() {
        let mut qualities = Qualities::default();
        let noisy = Air {
            garbled: 900,
            ..QUIET
        };
        let all = |quality| (1..=5).map(move |number| (pad(number), quality));
        qualities.take(all(told(20, 1)), noisy, 1);
        let now = Air {
            taken: 200,
            ..noisy
        };
        qualities.take(all(told(60, 30)), now, 4 * QUARTER_MS);
        let said = advice(&qualities);
        assert!(
            said.iter().all(|it| matches!(it, Some((Advice::Far, _)))),
            "{said:?}"
        );
    }

    #[test]
    fn a_pad_that_has_hardly_called_says_nothing() {
        let mut qualities = Qualities::default();
        qualities.take([(pad(1), told(3, 2))], QUIET, 1);
        assert_eq!(advice(&qualities), [None]);
    }
}
