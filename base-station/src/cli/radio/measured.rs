//! What is made of moments: the figures of a run between two modems.

use std::time::Duration;

/// One frame that was sent.
#[derive(Clone, Debug, Default)]
pub(super) struct Sent {
    /// What came of it: how many bytes, and how long after the first was written.
    pub(super) pieces: Vec<(usize, Duration)>,
    /// All of it came, and nothing else.
    pub(super) whole: bool,
}

/// The figures of one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Measured {
    pub(super) frames: usize,
    pub(super) lost: usize,
    /// From writing the first byte to reading the first: least, half, 99 of 100, most.
    pub(super) first: [Duration; 4],
    /// The same to the last.
    pub(super) last: [Duration; 4],
    /// Frames with a pause inside that is longer than the line needs.
    pub(super) paused: usize,
    /// The longest of those.
    pub(super) pause: Duration,
}

impl Measured {
    /// From all frames of a run, on a line where a byte takes so long.
    pub(super) fn of(sent: &[Sent], byte: Duration) -> Self {
        let whole: Vec<&Sent> = sent.iter().filter(|it| it.whole).collect();
        let times = |of: fn(&Sent) -> Option<Duration>| {
            let mut times: Vec<Duration> = whole.iter().filter_map(|it| of(it)).collect();
            times.sort_unstable();
            spread(&times)
        };
        let pauses: Vec<Duration> = whole
            .iter()
            .filter_map(|it| longest_pause(it, byte))
            .collect();
        Self {
            frames: sent.len(),
            lost: sent.len() - whole.len(),
            first: times(|it| it.pieces.first().map(|(_, at)| *at)),
            last: times(|it| it.pieces.last().map(|(_, at)| *at)),
            paused: pauses.len(),
            pause: pauses.into_iter().max().unwrap_or_default(),
        }
    }

    /// In percent.
    pub(super) fn loss(&self) -> usize {
        (self.lost * 100)
            .checked_div(self.frames)
            .unwrap_or_default()
    }
}

/// Least, half, 99 of 100, most.
fn spread(sorted: &[Duration]) -> [Duration; 4] {
    let at = |percent: usize| {
        let last = sorted.len().saturating_sub(1);
        let place = (sorted.len() * percent / 100).min(last);
        sorted.get(place).copied().unwrap_or_default()
    };
    [at(0), at(50), at(99), at(100)]
}

/// A pause is what lies between two pieces beyond the time that the second one's bytes take, and
/// beyond what a host may be late.
fn longest_pause(sent: &Sent, byte: Duration) -> Option<Duration> {
    const LATE: Duration = Duration::from_millis(2);
    sent.pieces
        .windows(2)
        .filter_map(|pair| match pair {
            [(_, before), (bytes, after)] => {
                let line = byte * u32::try_from(*bytes).unwrap_or(u32::MAX);
                after.saturating_sub(*before).checked_sub(line + LATE)
            }
            _ => None,
        })
        .max()
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn delay_loss_and_pauses_are_counted() {
        let whole = |first: u64| Sent {
            pieces: vec![(16, ms(first)), (10, ms(first + 25))],
            whole: true,
        };
        let sent = [whole(30), whole(10), Sent::default(), whole(80)];
        let measured = Measured::of(&sent, Duration::from_micros(521));
        assert_eq!(
            (measured.frames, measured.lost, measured.loss()),
            (4, 1, 25)
        );
        assert_eq!(measured.first, [ms(10), ms(30), ms(80), ms(80)]);
        assert_eq!(measured.last[3], ms(105));
        assert_eq!(measured.paused, 3);
        assert_eq!(measured.pause, Duration::from_micros(17_790));
    }

    #[test]
    fn nothing_heard_is_all_lost_and_no_delay() {
        let measured = Measured::of(&[Sent::default()], ms(1));
        assert_eq!((measured.lost, measured.first), (1, [Duration::ZERO; 4]));
    }
}
