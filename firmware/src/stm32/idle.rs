//! What the processor does while no task has anything to do: it sleeps, or it stops.
//!
//! How deeply is decided by [`pad::sleep`]. A stopped chip wakes on its oscillator of 16 MHz, which
//! is the clock it always has, so nothing has to be set up again; its registers and all of its
//! memory are kept. The watchdog counts on in STOP as the factory sets the chip: the conductor
//! feeds it every five seconds, stopped or not.
use core::cell::RefCell;
use core::sync::atomic::{AtomicBool, Ordering};

use cortex_m::peripheral::SCB;
use embassy_stm32::pac::exti::regs::Lines;
use embassy_stm32::pac::gpio::Gpio;
use embassy_stm32::pac::gpio::vals::{Idr, Moder};
use embassy_stm32::pac::pwr::vals::Lpms;
use embassy_stm32::pac::rcc::vals::Stopwuck;
use embassy_stm32::pac::{DBGMCU, EXTI, GPIOA, GPIOB, PWR, RCC};
use embassy_sync::blocking_mutex::CriticalSectionMutex;
use pad::service::Command;
use pad::sleep::{Cable, CableWatch, Depth, Flash, Needs, depth};
use protocol::link::Modem;

use super::channels::{COMMANDS, GREETED};
use super::clock;
use super::time_base;

static MODEM_IS_ON: AtomicBool = AtomicBool::new(false);
static FLASH_IS_AT_WORK: AtomicBool = AtomicBool::new(false);
static CABLE_IS_PLUGGED: AtomicBool = AtomicBool::new(false);
static WATCH: CriticalSectionMutex<RefCell<CableWatch>> =
    CriticalSectionMutex::new(RefCell::new(CableWatch::new()));

/// The lines on which the pad sends: an output that rests high would feed whatever is without
/// power at its other end.
const TO_MODEM: (Gpio, usize) = (GPIOA, 0);
const TO_CABLE: (Gpio, usize) = (GPIOB, 6);
/// The wake-up lines of the keypad's columns.
const COLUMNS: u32 = 0b11_1111;
/// The line on which the service port receives; a pull-down keeps it low without a cable.
const FROM_CABLE: (Gpio, usize) = (GPIOB, 7);

/// Sets what every stop relies on. Called once, by the program's entry.
pub(crate) fn prepare() {
    RCC.cfgr().modify(|w| w.set_stopwuck(Stopwuck::HSI));
    connect(TO_MODEM, false);
    connect(TO_CABLE, false);
}

/// Sleeps until an interrupt, as deeply as can be. Interrupts wait until the clocks are known to
/// run, and one that came just before is not slept through.
pub(crate) fn rest(control: &mut SCB) {
    let cable = look_at_cable();
    cortex_m::interrupt::free(|_| {
        let needs = Needs {
            modem: if MODEM_IS_ON.load(Ordering::Relaxed) {
                Modem::On
            } else {
                Modem::Off
            },
            flash: if FLASH_IS_AT_WORK.load(Ordering::Relaxed) {
                Flash::AtWork
            } else {
                Flash::Idle
            },
            cable,
            beat: time_base::beat(),
        };
        match depth(needs) {
            Depth::Sleep => wait_for_interrupt(),
            Depth::Stop => {
                time_base::settle();
                forget_old_edges();
                PWR.cr1().modify(|w| w.set_lpms(Lpms::STOP2));
                control.set_sleepdeep();
                wait_for_interrupt();
                control.clear_sleepdeep();
                PWR.cr1().modify(|w| w.set_lpms(Lpms::STOP0));
            }
        }
    });
}

/// Scanning leaves edges on columns that nobody waits for, and a chip with any pending edge does not
/// stop.
fn forget_old_edges() {
    let awaited = EXTI.imr(0).read().0;
    EXTI.pr(0).write_value(Lines(COLUMNS & !awaited));
}

fn wait_for_interrupt() {
    cortex_m::asm::dsb();
    cortex_m::asm::wfi();
}

/// Connects the modem's line before it gets power, and lets go of it with its power.
pub(crate) fn modem(modem: Modem) {
    let is_on = modem == Modem::On;
    if MODEM_IS_ON.swap(is_on, Ordering::Relaxed) != is_on {
        connect(TO_MODEM, is_on);
    }
}

/// Whether anybody listens at the service port.
pub(crate) fn cable_is_plugged() -> bool {
    CABLE_IS_PLUGGED.load(Ordering::Relaxed)
}

/// Keeps the clocks running as long as it lives.
pub(crate) struct FlashAtWork(());

impl FlashAtWork {
    pub(crate) fn begin() -> Self {
        FLASH_IS_AT_WORK.store(true, Ordering::Relaxed);
        Self(())
    }
}

impl Drop for FlashAtWork {
    fn drop(&mut self) {
        FLASH_IS_AT_WORK.store(false, Ordering::Relaxed);
    }
}

/// A cable that is plugged in is noticed at the next waking, which is within a second, and greeted
/// with the pad's name and its screen.
fn look_at_cable() -> Cable {
    let (port, pin) = FROM_CABLE;
    let is_high = port.idr().read().idr(pin) == Idr::HIGH;
    let cable = WATCH.lock(|watch| watch.borrow_mut().look(is_high, clock::now()));
    let is_plugged = cable == Cable::Plugged;
    if CABLE_IS_PLUGGED.swap(is_plugged, Ordering::Relaxed) != is_plugged {
        connect(TO_CABLE, is_plugged);
        // On a board whose probe is in the same socket the log can be read while the pad sleeps.
        DBGMCU.cr().modify(|w| w.set_dbg_sleep(is_plugged));
        if is_plugged {
            GREETED.signal(());
            // With two commands waiting there will be a screen anyway.
            let _ = COMMANDS.try_send(Command::Information);
        }
    }
    cable
}

fn connect((port, pin): (Gpio, usize), connected: bool) {
    let mode = if connected {
        Moder::ALTERNATE
    } else {
        Moder::ANALOG
    };
    cortex_m::interrupt::free(|_| port.moder().modify(|w| w.set_moder(pin, mode)));
}
