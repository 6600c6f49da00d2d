//! TIM2 as the image's time driver uses it: a 16-bit counter with an overflow and two compare
//! channels, counted on the host's clock.

/// The image's tick rate; it is counted whatever the prescaler says.
pub const TICKS_PER_SECOND: u64 = 32_768;
/// TIM2's interrupt number.
pub const INTERRUPT: u32 = 28;

const OVERFLOW: u32 = 1;
const HALF_WAY: u32 = 1 << 1;
const ALARM: u32 = 1 << 2;

/// The timer.
pub struct Timer {
    control: u32,
    interrupts_enabled: u32,
    status: u32,
    prescaler: u32,
    reload: u32,
    compare: [u32; 2],
    count: u32,
    ticks_seen: u64,
}

impl Timer {
    /// Stopped, as after a reset.
    pub const fn at_rest() -> Self {
        Self {
            control: 0,
            interrupts_enabled: 0,
            status: 0,
            prescaler: 0,
            reload: 0xFFFF,
            compare: [0; 2],
            count: 0,
            ticks_seen: 0,
        }
    }

    fn running(&self) -> bool {
        self.control & 1 != 0
    }

    /// Ticks until the counter reaches `at`: 1 to 65,536.
    fn distance(&self, at: u32) -> u32 {
        (at.wrapping_sub(self.count).wrapping_sub(1) & 0xFFFF) + 1
    }

    /// Counts the host time that went by since the last call and raises flags.
    pub fn advance(&mut self, elapsed_ns: u64) {
        let total = elapsed_ns / 1000 * TICKS_PER_SECOND / 1_000_000;
        let passed = total.saturating_sub(self.ticks_seen);
        let mut ticks = u32::try_from(passed).unwrap_or(u32::MAX);
        self.ticks_seen = total;
        while self.running() && ticks > 0 {
            let half_way = self.distance(self.compare[0]);
            let overflow = self.distance(0);
            let alarm = self.distance(self.compare[1]);
            let step = half_way.min(overflow).min(alarm);
            if ticks < step {
                self.count += ticks;
                return;
            }
            // A half period that the image has not yet taken note of is never run past: a starved
            // host makes the pad's time stand still rather than jump.
            let unseen = |flag, distance| distance == step && self.status & flag != 0;
            if unseen(HALF_WAY, half_way) || unseen(OVERFLOW, overflow) {
                return;
            }
            self.count = (self.count + step) & 0xFFFF;
            ticks -= step;
            for (flag, distance) in [(OVERFLOW, overflow), (HALF_WAY, half_way), (ALARM, alarm)] {
                if distance == step {
                    self.status |= flag;
                }
            }
        }
    }

    /// Whether a flag is up whose interrupt the image has enabled.
    pub fn interrupt_is_due(&self) -> bool {
        self.status & self.interrupts_enabled & (OVERFLOW | HALF_WAY | ALARM) != 0
    }

    /// Processor cycles until something happens; 24 bits, which is what `SysTick` can wait for.
    pub fn cycles_to_next_event(&self) -> u32 {
        const LONGEST: u32 = 0xFF_FFFF;
        if !self.running() {
            return LONGEST;
        }
        let mut next = self.distance(self.compare[0]).min(self.distance(0));
        if self.interrupts_enabled & ALARM != 0 {
            next = next.min(self.distance(self.compare[1]));
        }
        next.saturating_mul(self.prescaler + 1).clamp(64, LONGEST)
    }

    /// What a load from one of the registers answers.
    pub fn load(&self, offset: u32) -> u32 {
        match offset {
            0x00 => self.control,
            0x0C => self.interrupts_enabled,
            0x10 => self.status,
            0x24 => self.count,
            0x28 => self.prescaler,
            0x2C => self.reload,
            0x34 => self.compare[0],
            0x38 => self.compare[1],
            _ => 0,
        }
    }

    /// Takes a store to one of the registers.
    pub fn store(&mut self, offset: u32, value: u32) {
        match offset {
            0x00 => self.control = value,
            0x0C => self.interrupts_enabled = value,
            0x10 => self.status &= value,
            0x14 => self.count = 0,
            0x24 => self.count = value & 0xFFFF,
            0x28 => self.prescaler = value & 0xFFFF,
            0x2C => self.reload = value,
            0x34 => self.compare[0] = value & 0xFFFF,
            0x38 => self.compare[1] = value & 0xFFFF,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Timer;

    fn running_timer() -> Timer {
        let mut timer = Timer::at_rest();
        timer.store(0x34, 0x8000);
        timer.store(0x38, 0xFFFF);
        timer.store(0x0C, 0b111);
        timer.store(0x00, 1);
        timer
    }

    #[test]
    fn a_second_of_the_host_is_a_second_of_the_pad() {
        let mut timer = running_timer();
        timer.advance(500_000_000);
        assert_eq!(timer.load(0x24), 16_384);
        assert!(!timer.interrupt_is_due());
        timer.advance(1_000_000_000);
        assert!(timer.interrupt_is_due());
        assert_eq!(timer.load(0x10) & 2, 2);
    }

    #[test]
    fn a_starved_host_makes_the_pads_time_stand_still() {
        let mut timer = running_timer();
        timer.advance(1_000_000_000);
        // Nobody clears the half-way flag for a minute.
        timer.advance(61_000_000_000);
        assert!(
            timer.load(0x24) < 0x8000,
            "overflowed once and stopped before half way"
        );
    }
}
