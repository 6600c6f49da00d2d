//! The power controller, which counts stops and finds fault with them; and the clock controller,
//! whose crystal can be missing.
use crate::bus;
use crate::pins;
use crate::semihosting;
use crate::window;

/// The power controller: what is written can be read back.
pub(crate) struct Power {
    registers: [u32; 64],
    /// Since when the image has the processor stop instead of sleep.
    stopped_at_ns: Option<u64>,
    stopped_ns: u64,
}

impl Power {
    const CONTROL: u32 = 0x00;
    /// Which mode the next deep sleep is; the image sets it for just as long as it stops.
    const MODE: u32 = 7;
    const STOP_2: u32 = 2;

    pub(crate) const fn new() -> Self {
        Self {
            registers: [0; 64],
            stopped_at_ns: None,
            stopped_ns: 0,
        }
    }

    pub(crate) fn load(&self, offset: u32) -> u32 {
        let register = self.registers.get((offset / 4) as usize);
        register.copied().unwrap_or(0)
    }

    pub(crate) fn store(&mut self, offset: u32, value: u32) {
        if let Some(register) = self.registers.get_mut((offset / 4) as usize) {
            *register = value;
        }
        if offset == Self::CONTROL {
            self.count_stops(value & Self::MODE == Self::STOP_2);
        }
    }

    fn count_stops(&mut self, stops: bool) {
        let now = semihosting::elapsed_ns();
        match (self.stopped_at_ns, stops) {
            (None, true) => {
                self.stopped_at_ns = Some(now);
                // A stopped chip can neither hear its modem nor its service port.
                let deaf = pins::modem_has_power() || window::cable_is_plugged();
                window::count_stop(deaf);
            }
            (Some(at), false) => {
                self.stopped_at_ns = None;
                self.stopped_ns += now - at;
                window::set_stopped_ms((self.stopped_ns / 1_000_000) as u32);
            }
            _ => {}
        }
    }
}

/// QEMU's own clock controller, except that the crystal may be missing on the board.
pub(crate) struct Clocks {
    pub(crate) has_crystal: bool,
}

impl Clocks {
    const START: u32 = 0x4002_1000;
    const RESETS: u32 = 0x38;
    const SOURCES: u32 = 0x88;
    const CRYSTAL: u32 = 0x90;
    const CRYSTAL_RUNS: u32 = 1 << 1;

    pub(crate) const fn new() -> Self {
        Self { has_crystal: true }
    }

    pub(crate) fn load(&self, address: u32) -> u32 {
        let value = bus::load(address);
        if address == Self::START + Self::CRYSTAL && !self.has_crystal {
            value & !Self::CRYSTAL_RUNS
        } else {
            value
        }
    }

    /// Whether the image holds the timer in reset.
    pub(crate) fn timer_is_reset() -> bool {
        bus::load(Self::START + Self::RESETS) >> 31 == 1
    }

    pub(crate) fn source_of_timer() -> u32 {
        bus::load(Self::START + Self::SOURCES) >> 18 & 3
    }
}
