//! The models together, and which of them answers at which address.
use core::cell::UnsafeCell;

use models::display::Display;
use models::timer::{self, Timer};

use crate::bus;
use crate::flash::{self, Flash};
use crate::log::Log;
use crate::pins;
use crate::power::{Clocks, Power};
use crate::semihosting;
use crate::small_devices::{Converter, Watchdog, serial};
use crate::window;

/// The first of the devices on the slow bus, which share a fence.
pub(crate) const SLOW_BUS: u32 = 0x4000_0000;
const TIMER: u32 = 0x4000_7C00;
const WATCHDOG: u32 = 0x4000_3000;
const POWER: u32 = 0x4000_7000;
/// The first of the devices on the fast bus, which share another.
pub(crate) const FAST_BUS: u32 = 0x4002_0000;
const CLOCKS: u32 = 0x4002_1000;
const FLASH_CONTROLLER: u32 = 0x4002_2000;
pub(crate) const SPI1: u32 = 0x4001_3000;
pub(crate) const CONVERTER: u32 = 0x5004_0000;
/// USART1, the service port, and UART4, the radio.
pub(crate) const SERIAL_PORTS: [u32; 2] = [0x4001_3800, 0x4000_4C00];
/// The chip's unique number, 12 bytes that QEMU has no memory for.
const UNIQUE_NUMBER: u32 = 0x1FFF_7590;

/// What the converter made of the internal reference in the factory, at 3.0 V.
const CALIBRATED_REFERENCE: u32 = 0x1FFF_75AA;

const SYSTICK_CONTROL: u32 = 0xE000_E010;
const SYSTICK_RELOAD: u32 = 0xE000_E014;
const SYSTICK_CURRENT: u32 = 0xE000_E018;

pub(crate) struct Bench {
    pub(crate) flash: Flash,
    pub(crate) log: Log,
    /// Makes the chip's number differ from pad to pad.
    pub(crate) identity: u32,
    pub(crate) clocks: Clocks,
    power: Power,
    timer: Timer,
    watchdog: Watchdog,
    display: Display,
    converter: Converter,
}

/// Only exception handlers of the bench touch it, and they do not interrupt each other: the
/// image's faults and `SysTick` both run at a priority that the other can't pre-empt.
struct Exclusive(UnsafeCell<Bench>);
unsafe impl Sync for Exclusive {}

static BENCH: Exclusive = Exclusive(UnsafeCell::new(Bench {
    flash: Flash::new(),
    log: Log::new(),
    identity: 0,
    clocks: Clocks::new(),
    power: Power::new(),
    timer: Timer::at_rest(),
    watchdog: Watchdog::new(),
    display: Display::at_rest(),
    converter: Converter::new(),
}));

/// Runs `action` on the one bench.
pub(crate) fn with<T>(action: impl FnOnce(&mut Bench) -> T) -> T {
    action(unsafe { &mut *BENCH.0.get() })
}

impl Bench {
    /// What a load from `address` answers, or nothing if no model lives there.
    pub(crate) fn load(&mut self, address: u32) -> Option<u32> {
        let offset = address & 0x3FF;
        Some(match address & !0x3FF {
            TIMER => {
                self.advance();
                self.timer.load(offset)
            }
            POWER => self.power.load(offset),
            WATCHDOG => self.watchdog.load(offset),
            CLOCKS => self.clocks.load(address),
            FLASH_CONTROLLER => self.flash.load(offset),
            SPI1 => self.display.load(offset),
            CONVERTER => self.converter.load(offset),
            port if SERIAL_PORTS.contains(&port) => {
                let (value, taken) = serial::load(address);
                if taken {
                    wake_the_main_loop();
                }
                value
            }
            pins::PORT_A..pins::PORT_D_END => pins::load(address),
            _ => match address {
                UNIQUE_NUMBER => self.identity,
                0x1FFF_7594 => 0x4259_4553,
                0x1FFF_7598 => 0x5441_4E44,
                CALIBRATED_REFERENCE => 1_655,
                _ if is_fenced_without_model(address) => 0,
                _ => return None,
            },
        })
    }

    /// Takes a store, and says whether a model lives at `address`.
    pub(crate) fn store(&mut self, address: u32, bytes: u32, value: u32) -> bool {
        let offset = address & 0x3FF;
        match address & !0x3FF {
            TIMER => {
                self.advance();
                let now = semihosting::elapsed_ns();
                let source = Clocks::source_of_timer();
                self.timer.store(offset, value, now, source);
                self.arm();
            }
            CLOCKS => {
                bus::store(address, value);
                if Clocks::timer_is_reset() {
                    self.timer = Timer::at_rest();
                }
            }
            POWER => self.power.store(offset, value),
            WATCHDOG => self.watchdog.store(offset, value),
            FLASH_CONTROLLER => self.flash.store(offset, value),
            SPI1 => self.display.store(
                offset,
                value,
                pins::display_is_selected(),
                window::set_pixels,
            ),
            CONVERTER => self.converter.store(offset, value),
            port if SERIAL_PORTS.contains(&port) => serial::store(address, value),
            pins::PORT_A..pins::PORT_D_END => {
                bus::store(address, value);
                if !pins::display_is_selected() {
                    self.display.deselect();
                }
            }
            _ if flash::is_flash(address) && bytes == 4 => self.flash.program(address, value),
            _ => return is_fenced_without_model(address),
        }
        true
    }

    /// Lets the host's time pass on the board.
    pub(crate) fn advance(&mut self) {
        let now = semihosting::elapsed_ns();
        self.timer.advance(now);
        self.watchdog.advance(now);
        self.log.drain();
    }

    /// Has the timer's interrupt taken if it is due, and `SysTick` go off at the next event.
    pub(crate) fn arm(&self) {
        if self.timer.interrupt_is_due() {
            bus::pend(timer::INTERRUPT);
        }
        bus::store(SYSTICK_RELOAD, self.timer.cycles_to_next_event() - 1);
        bus::store(SYSTICK_CURRENT, 0);
        bus::store(SYSTICK_CONTROL, 7);
    }
}

/// A fence covers a few neighbours of the modelled devices; they read as zero, as in QEMU itself.
fn is_fenced_without_model(address: u32) -> bool {
    matches!(address, 0x4000_0000..0x4000_8000 | 0x4002_0000..0x4002_4000 | 0x5004_0400..0x5008_0000)
}

/// QEMU's serial port does not tell its main loop that the receiver is free again, so the next
/// byte would wait for some other event. Restarting `SysTick` re-arms a timer of the host's, and
/// that wakes the loop.
fn wake_the_main_loop() {
    bus::store(SYSTICK_CONTROL, 6);
    bus::store(SYSTICK_CONTROL, 7);
}
