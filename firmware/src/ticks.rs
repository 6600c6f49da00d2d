//! The pad's time, made of a counter of 16 bits that can run on while the processor stops.
//!
//! A time driver reads the counter whenever it is asked for the time, and has itself woken by the
//! counter's compare register. Both are arithmetic, and both are here.

/// What the counter counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beat {
    /// A crystal of 32,768 Hz, which runs on in STOP: one tick a count.
    Crystal,
    /// The processor's own oscillator, divided down to 125,000 Hz. It stands still in STOP.
    Oscillator,
}

/// Setting the compare register takes three beats of a crystal; anything nearer could be missed.
const NEAREST: u64 = 8;

/// Half a turn of the counter: whoever reads it at least twice a turn never loses one.
const FARTHEST: u64 = 0x8000;

/// The chip wants the compare value to stay below the counter's last.
const COMPARE_MAX: u16 = 0xFFFE;

impl Beat {
    /// Ticks to counts as a fraction in lowest terms: 32,768 to 125,000, or one to one.
    const fn ratio(self) -> (u64, u64) {
        match self {
            Self::Crystal => (1, 1),
            Self::Oscillator => (4_096, 15_625),
        }
    }
}

/// The time since the start, in ticks.
#[derive(Debug)]
pub struct Ticks {
    beat: Beat,
    /// Ticks from before the counter was given its present beat.
    before: u64,
    /// Counts since then.
    counted: u64,
}

impl Ticks {
    /// The start: the counter stands at 0 and counts the oscillator, which is there at once.
    pub const fn new() -> Self {
        Self {
            beat: Beat::Oscillator,
            before: 0,
            counted: 0,
        }
    }

    /// What the counter counts now.
    pub const fn beat(&self) -> Beat {
        self.beat
    }

    /// The time, from a reading of the counter. At most one turn may lie between two readings.
    pub fn read(&mut self, counter: u16) -> u64 {
        let seen = (self.counted & 0xFFFF) as u16;
        self.counted += u64::from(counter.wrapping_sub(seen));
        let (ticks, counts) = self.beat.ratio();
        self.before + self.counted * ticks / counts
    }

    /// From this last reading on, the counter starts anew at 0 with another beat. No time is lost.
    pub fn change(&mut self, counter: u16, beat: Beat) {
        self.before = self.read(counter);
        self.counted = 0;
        self.beat = beat;
    }

    /// What to compare the counter with so that it wakes the processor at tick `at`; counted from
    /// the last reading. Where that is far away it wakes earlier, to be read.
    pub fn compare(&self, at: u64) -> u16 {
        let (ticks, counts) = self.beat.ratio();
        let ahead = at.saturating_sub(self.before).saturating_mul(counts);
        let nearest = self.counted + NEAREST;
        let farthest = self.counted + FARTHEST;
        let wanted = ahead.div_ceil(ticks).clamp(nearest, farthest);
        ((wanted & 0xFFFF) as u16).min(COMPARE_MAX)
    }
}

impl Default for Ticks {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::{Beat, FARTHEST, NEAREST, Ticks};

    /// Ticks of the pad's time in one second.
    const TICKS_PER_SECOND: u64 = 32_768;

    fn on_crystal() -> Ticks {
        let mut ticks = Ticks::new();
        ticks.change(0, Beat::Crystal);
        ticks
    }

    #[test]
    fn the_counter_turns_over_and_time_goes_on() {
        let mut ticks = on_crystal();
        let mut counter: u16 = 0;
        for turn in 1..=1_000 {
            counter = counter.wrapping_add(0xC000);
            assert_eq!(ticks.read(counter), turn * 0xC000);
        }
    }

    #[test]
    fn a_second_of_the_oscillator_is_a_second_of_the_crystal() {
        let mut ticks = Ticks::new();
        let mut counter: u16 = 0;
        for _ in 0..10 {
            counter = counter.wrapping_add(12_500);
            ticks.read(counter);
        }
        assert_eq!(ticks.read(counter), TICKS_PER_SECOND);
        // The crystal has started: the counter begins at 0, and the time goes on.
        ticks.change(counter, Beat::Crystal);
        assert_eq!(ticks.read(0), TICKS_PER_SECOND);
        assert_eq!(ticks.read(32_768), 2 * TICKS_PER_SECOND);
    }

    /// Winds the counter on to where the compare value matches, as the chip does.
    fn ring(ticks: &mut Ticks, counter: &mut u16, at: u64) -> u64 {
        *counter = ticks.compare(at);
        ticks.read(*counter)
    }

    #[test]
    fn every_alarm_rings_at_its_time_and_never_before() {
        for beat in [Beat::Crystal, Beat::Oscillator] {
            for start in [0_u16, 1, 0x7FFF, 0xFFF0, 0xFFFE, 0xFFFF] {
                for ahead in [0, 1, 7, 8, 100, 0x7FFF, 0x8000, 0xFFFF, 0x1_0000, 1_000_000] {
                    let mut ticks = Ticks::new();
                    ticks.change(0, beat);
                    let mut counter = start;
                    let now = ticks.read(counter);
                    let at = now + ahead;
                    let mut rung = ring(&mut ticks, &mut counter, at);
                    while rung < at {
                        rung = ring(&mut ticks, &mut counter, at);
                    }
                    let late = rung - at;
                    assert!(late <= 2 * NEAREST, "{beat:?} {start:#x} {ahead}: {late}");
                }
            }
        }
    }

    #[test]
    fn with_no_alarm_at_all_the_counter_is_read_in_time() {
        let mut ticks = on_crystal();
        let mut counter = 0;
        for _ in 0..100 {
            let before = ticks.read(counter);
            let passed = ring(&mut ticks, &mut counter, u64::MAX) - before;
            assert!((FARTHEST - 1..=FARTHEST).contains(&passed), "{passed}");
        }
    }
}
