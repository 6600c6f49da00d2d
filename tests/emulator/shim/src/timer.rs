//! LPTIM1 as the image's time driver uses it: a counter of 16 bits with one compare value, counted
//! on the host's clock.

/// LPTIM1's interrupt number.
pub const INTERRUPT: u32 = 65;

/// The crystal, and the oscillator of the processor.
const CRYSTAL_HZ: u64 = 32_768;
const OSCILLATOR_HZ: u64 = 16_000_000;

/// Where the clock for the counter comes from, in the numbering of the clock controller.
const FROM_CRYSTAL: u32 = 3;

const STATUS: u32 = 0x00;
const CLEAR: u32 = 0x04;
const INTERRUPTS: u32 = 0x08;
const SETTINGS: u32 = 0x0C;
const CONTROL: u32 = 0x10;
const COMPARE: u32 = 0x14;
const RELOAD: u32 = 0x18;
const COUNT: u32 = 0x1C;

const MATCH: u32 = 1;
const COMPARE_TAKEN: u32 = 1 << 3;
const RELOAD_TAKEN: u32 = 1 << 4;
const ENABLED: u32 = 1;
const CONTINUOUS: u32 = 1 << 2;

/// So far the counter runs past a match that the image has not yet taken note of: a starved host
/// makes the pad's time stand still rather than jump.
const UNSEEN_MAX: u32 = 0x4000;

/// The timer.
pub struct Timer {
    status: u32,
    interrupts_enabled: u32,
    settings: u32,
    control: u32,
    compare: u32,
    reload: u32,
    count: u32,
    hertz: u64,
    /// The host's time when the counter was started, and the counts since then.
    started_ns: u64,
    counts_seen: u64,
    /// Counts since a match that the image has not yet cleared.
    unseen: u32,
}

impl Timer {
    /// Stopped, as after a reset.
    pub const fn at_rest() -> Self {
        Self {
            status: 0,
            interrupts_enabled: 0,
            settings: 0,
            control: 0,
            compare: 0,
            reload: 1,
            count: 0,
            hertz: CRYSTAL_HZ,
            started_ns: 0,
            counts_seen: 0,
            unseen: 0,
        }
    }

    fn running(&self) -> bool {
        self.control & (ENABLED | CONTINUOUS) == ENABLED | CONTINUOUS
    }

    /// Counts until the counter matches: 1 to 65,536.
    fn distance(&self) -> u32 {
        (self.compare.wrapping_sub(self.count).wrapping_sub(1) & 0xFFFF) + 1
    }

    /// Counts the host time that went by since the last call and raises the flag at a match.
    pub fn advance(&mut self, elapsed_ns: u64) {
        if !self.running() {
            return;
        }
        let total = elapsed_ns.saturating_sub(self.started_ns) / 1_000 * self.hertz / 1_000_000;
        let passed = total.saturating_sub(self.counts_seen);
        self.counts_seen = total;
        let mut counts = u32::try_from(passed).unwrap_or(u32::MAX);
        if self.status & MATCH == 0 {
            let distance = self.distance();
            if counts < distance {
                self.step(counts);
                return;
            }
            self.step(distance);
            counts -= distance;
            self.status |= MATCH;
            self.unseen = 0;
        }
        let counts = counts.min(UNSEEN_MAX - self.unseen);
        self.unseen += counts;
        self.step(counts);
    }

    fn step(&mut self, counts: u32) {
        self.count = (self.count + counts) & 0xFFFF;
    }

    /// Whether a flag is up whose interrupt the image has enabled.
    pub fn interrupt_is_due(&self) -> bool {
        self.status & self.interrupts_enabled & MATCH != 0
    }

    /// Processor cycles until something happens; 24 bits, which is what `SysTick` can wait for.
    pub fn cycles_to_next_event(&self) -> u32 {
        const LONGEST: u32 = 0xFF_FFFF;
        if !self.running() {
            return LONGEST;
        }
        let cycles = u64::from(self.distance()) * OSCILLATOR_HZ / self.hertz;
        u32::try_from(cycles).unwrap_or(LONGEST).clamp(64, LONGEST)
    }

    /// What a load from one of the registers answers.
    pub fn load(&self, offset: u32) -> u32 {
        match offset {
            STATUS => self.status,
            INTERRUPTS => self.interrupts_enabled,
            SETTINGS => self.settings,
            CONTROL => self.control,
            COMPARE => self.compare,
            RELOAD => self.reload,
            COUNT => self.count,
            _ => 0,
        }
    }

    /// Takes a store to one of the registers at this moment of the host, with the clock source that
    /// the clock controller has for the counter.
    pub fn store(&mut self, offset: u32, value: u32, elapsed_ns: u64, source: u32) {
        match offset {
            CLEAR => {
                self.status &= !value;
                if value & MATCH != 0 {
                    self.unseen = 0;
                }
            }
            INTERRUPTS => self.interrupts_enabled = value,
            SETTINGS => self.settings = value,
            CONTROL => {
                let was_running = self.running();
                self.control = value;
                if self.running() && !was_running {
                    self.started_ns = elapsed_ns;
                    self.counts_seen = 0;
                    self.hertz = if source == FROM_CRYSTAL {
                        CRYSTAL_HZ
                    } else {
                        OSCILLATOR_HZ
                    } >> (self.settings >> 9 & 7);
                }
            }
            COMPARE => {
                self.compare = value & 0xFFFF;
                self.status |= COMPARE_TAKEN;
            }
            RELOAD => {
                self.reload = value & 0xFFFF;
                self.status |= RELOAD_TAKEN;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        CLEAR, COMPARE, CONTROL, COUNT, FROM_CRYSTAL, INTERRUPTS, SETTINGS, STATUS, Timer,
    };

    fn running_timer(source: u32, divider: u32) -> Timer {
        let mut timer = Timer::at_rest();
        let settings = [(SETTINGS, divider << 9), (INTERRUPTS, 1), (COMPARE, 0x8000)];
        for (register, value) in settings.into_iter().chain([(CONTROL, 1), (CONTROL, 5)]) {
            timer.store(register, value, 0, source);
        }
        timer
    }

    #[test]
    fn a_second_of_the_host_is_a_second_of_the_crystal() {
        let mut timer = running_timer(FROM_CRYSTAL, 0);
        timer.advance(500_000_000);
        assert_eq!(timer.load(COUNT), 16_384);
        assert!(!timer.interrupt_is_due());
        timer.advance(1_000_000_000);
        assert!(timer.interrupt_is_due());
        assert_eq!(timer.load(STATUS) & 1, 1);
        timer.store(CLEAR, 1, 0, FROM_CRYSTAL);
        assert!(!timer.interrupt_is_due());
    }

    #[test]
    fn the_divided_oscillator_counts_faster() {
        let mut timer = running_timer(2, 7);
        timer.advance(100_000_000);
        assert_eq!(timer.load(COUNT), 12_500);
    }

    #[test]
    fn a_starved_host_makes_the_pads_time_stand_still() {
        let mut timer = running_timer(FROM_CRYSTAL, 0);
        timer.advance(1_000_000_000);
        // Nobody clears the flag for a minute.
        timer.advance(31_000_000_000);
        timer.advance(61_000_000_000);
        assert_eq!(
            timer.load(COUNT),
            0xC000,
            "a quarter of a turn past the match"
        );
    }
}
