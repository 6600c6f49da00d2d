//! The devices of which the image needs only a few registers.
use crate::bus;
use crate::window;

/// The independent watchdog, counted on the host's clock.
pub(crate) struct Watchdog {
    prescaler: u32,
    reload: u32,
    running: bool,
    left_ns: u64,
    last_ns: u64,
}

impl Watchdog {
    /// Time that passed while the host did not let QEMU run does not count against the pad.
    const LONGEST_STEP_NS: u64 = 1_000_000_000;

    pub(crate) const fn new() -> Self {
        Self {
            prescaler: 0,
            reload: 0xFFF,
            running: false,
            left_ns: 0,
            last_ns: 0,
        }
    }

    /// Both update flags are always clear.
    pub(crate) fn load(&self, offset: u32) -> u32 {
        match offset {
            0x04 => self.prescaler,
            0x08 => self.reload,
            _ => 0,
        }
    }

    pub(crate) fn store(&mut self, offset: u32, value: u32) {
        match (offset, value) {
            (0x00, 0xCCCC) => self.running = true,
            (0x00, 0xAAAA) => {}
            (0x04, _) => self.prescaler = value & 7,
            (0x08, _) => self.reload = value & 0xFFF,
            _ => return,
        }
        // Ticks of a 32 kHz oscillator, divided by 4 to 256.
        self.left_ns = u64::from(self.reload + 1) * (4 << self.prescaler.min(6)) * 31_250;
    }

    /// Resets the board when the image has forgotten its watchdog for too long.
    pub(crate) fn advance(&mut self, elapsed_ns: u64) {
        let step = (elapsed_ns - self.last_ns).min(Self::LONGEST_STEP_NS);
        self.last_ns = elapsed_ns;
        if self.running {
            self.left_ns = self.left_ns.saturating_sub(step);
            if self.left_ns == 0 {
                bus::reset();
            }
        }
    }
}

/// The analogue converter: ready at once, and every channel is the battery.
pub(crate) struct Converter {
    control: u32,
    status: u32,
    others: [u32; 64],
}

impl Converter {
    const STATUS: u32 = 0x00;
    const CONTROL: u32 = 0x08;
    const DATA: u32 = 0x40;
    const READY: u32 = 1;
    const CONVERTED: u32 = 0b1100;
    const ENABLE: u32 = 1;
    const DISABLE: u32 = 1 << 1;
    const BEGIN: u32 = 1 << 2;
    const STOP: u32 = 1 << 4;
    const CALIBRATE: u32 = 1 << 31;

    pub(crate) const fn new() -> Self {
        Self {
            control: 0,
            status: 0,
            others: [0; 64],
        }
    }

    pub(crate) fn load(&self, offset: u32) -> u32 {
        match offset {
            Self::STATUS => self.status,
            Self::CONTROL => self.control,
            Self::DATA => window::battery(),
            _ => self.others.get((offset / 4) as usize).copied().unwrap_or(0),
        }
    }

    pub(crate) fn store(&mut self, offset: u32, value: u32) {
        match offset {
            Self::STATUS => self.status &= !value,
            Self::CONTROL => {
                if value & Self::ENABLE != 0 {
                    self.status |= Self::READY;
                }
                if value & Self::BEGIN != 0 {
                    self.status |= Self::CONVERTED;
                }
                self.control = value & !(Self::BEGIN | Self::STOP | Self::CALIBRATE);
                if value & Self::DISABLE != 0 {
                    self.control &= !(Self::ENABLE | Self::DISABLE);
                }
            }
            _ => {
                if let Some(register) = self.others.get_mut((offset / 4) as usize) {
                    *register = value;
                }
            }
        }
    }
}

/// The serial ports' data and flag registers, whose models in QEMU take whole words only.
pub(crate) mod serial {
    use crate::bus;

    const CLEAR: u32 = 0x20;
    const RECEIVE: u32 = 0x24;
    /// The flags that a store to the clear register really clears; QEMU's model clears any bit
    /// written, among them those for an empty transmitter and a full receiver.
    const CLEARABLE: u32 = 0x0012_1B5F;

    /// Says whether a received byte was taken.
    pub(crate) fn load(address: u32) -> (u32, bool) {
        let value = bus::load(address & !3) >> (8 * (address & 3));
        (value, address & 0x3FC == RECEIVE)
    }

    pub(crate) fn store(address: u32, value: u32) {
        let mask = if address & 0x3FC == CLEAR {
            CLEARABLE
        } else {
            0x1FF
        };
        bus::store(address & !3, value & mask);
    }
}
