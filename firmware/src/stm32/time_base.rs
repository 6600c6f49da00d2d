//! The time driver of all timers: LPTIM1, the one counter of the chip that runs on in STOP 2.
//!
//! It starts on the processor's oscillator, which is there at once, and changes to the crystal of
//! 32,768 Hz when that swings, which takes up to two seconds. Where it never swings the pad keeps
//! its time and scores; it only can't stop. The arithmetic is in [`pad::ticks`].
//!
//! The counter is never disabled once it runs on the crystal: by the chip's errata sheet a
//! low-power timer that is disabled in the moment of its interrupt can keep the chip from stopping.
#![expect(
    unsafe_code,
    reason = "the driver's functions have fixed names, and unmasking an interrupt is unsafe"
)]
use core::cell::RefCell;
use core::task::Waker;

use embassy_stm32::interrupt;
use embassy_stm32::interrupt::InterruptExt;
use embassy_stm32::pac::lptim::vals::Presc;
use embassy_stm32::pac::rcc::vals::{Lptim1sel, Lsedrv};
use embassy_stm32::pac::{EXTI, LPTIM1, RCC};
use embassy_sync::blocking_mutex::CriticalSectionMutex;
use embassy_time::Timer;
use embassy_time_driver::Driver;
use embassy_time_queue_utils::Queue;
use pad::ticks::{Beat, Ticks};

/// How long the crystal may take; the data sheet says two seconds.
const CRYSTAL_LOOKS: u32 = 50;
const CRYSTAL_LOOK_MS: u64 = 100;
/// A register write takes three beats of the counter, which are 1,500 cycles of the processor.
const WRITE_LOOKS_MAX: u32 = 2_000;
/// The counter's wake-up line is the first of the second register.
const WAKE_UP_LINE: usize = 0;

struct TimeBase(CriticalSectionMutex<RefCell<State>>);

struct State {
    ticks: Ticks,
    queue: Queue,
    /// What the compare register was given last.
    compare: Option<u16>,
    /// The counter has not yet said that it has the value.
    writing: bool,
}

embassy_time_driver::time_driver_impl!(static TIME_BASE: TimeBase = TimeBase(
    CriticalSectionMutex::new(RefCell::new(State {
        ticks: Ticks::new(),
        queue: Queue::new(),
        compare: None,
        writing: false,
    }))
));

impl Driver for TimeBase {
    fn now(&self) -> u64 {
        self.with(State::now)
    }

    fn schedule_wake(&self, at: u64, waker: &Waker) {
        self.with(|state| {
            if state.queue.schedule_wake(at, waker) {
                state.arm();
            }
        });
    }
}

impl TimeBase {
    fn with<T>(&self, action: impl FnOnce(&mut State) -> T) -> T {
        self.0.lock(|state| action(&mut state.borrow_mut()))
    }
}

impl State {
    fn now(&mut self) -> u64 {
        self.ticks.read(counter())
    }

    /// Wakes whoever is due, and has the counter wake the processor for the next.
    fn arm(&mut self) {
        self.settle();
        let now = self.now();
        let next = self.queue.next_expiration(now);
        let compare = self.ticks.compare(next);
        // Two alarms in a row are never the same; the same value is the same alarm.
        if self.compare.replace(compare) != Some(compare) {
            LPTIM1.cmp().write(|w| w.set_cmp(compare));
            self.writing = true;
        }
    }

    /// Waits until the counter has taken the last compare value.
    fn settle(&mut self) {
        if self.writing {
            wait_until(|| LPTIM1.isr().read().cmpok(0));
            LPTIM1.icr().write(|w| w.set_cmpokcf(0, true));
            self.writing = false;
        }
    }

    fn count(&mut self, beat: Beat) {
        self.ticks.change(counter(), beat);
        RCC.apb1rstr1().modify(|w| w.set_lptim1rst(true));
        let (source, divider) = match beat {
            Beat::Crystal => (Lptim1sel::LSE, Presc::DIV1),
            Beat::Oscillator => (Lptim1sel::HSI, Presc::DIV128),
        };
        RCC.ccipr().modify(|w| w.set_lptim1sel(source));
        RCC.apb1rstr1().modify(|w| w.set_lptim1rst(false));
        LPTIM1.cfgr().write(|w| w.set_presc(divider));
        LPTIM1.ier().write(|w| w.set_ccie(0, true));
        LPTIM1.cr().write(|w| w.set_enable(true));
        LPTIM1.arr().write(|w| w.set_arr(u16::MAX));
        wait_until(|| LPTIM1.isr().read().arrok());
        LPTIM1.cr().write(|w| {
            w.set_enable(true);
            w.set_cntstrt(true);
        });
        (self.compare, self.writing) = (None, false);
        self.arm();
    }
}

/// The counter may be caught in the middle of a step; twice the same is right.
fn counter() -> u16 {
    let mut last = LPTIM1.cnt().read().cnt();
    loop {
        let again = LPTIM1.cnt().read().cnt();
        if again == last {
            return again;
        }
        last = again;
    }
}

fn wait_until(condition: impl Fn() -> bool) {
    let _ = (0..WRITE_LOOKS_MAX).any(|_| condition());
}

/// Starts the time. Called once, by the program's entry, before any task runs.
pub(crate) fn start() {
    RCC.apb1enr1().modify(|w| w.set_lptim1en(true));
    TIME_BASE.with(|state| state.count(Beat::Oscillator));
    EXTI.imr(1).modify(|w| w.set_line(WAKE_UP_LINE, true));
    // SAFETY: the handler below takes nothing but the driver's state, which is behind its lock.
    unsafe { interrupt::LPTIM1.enable() };
    RCC.bdcr().modify(|w| {
        w.set_lsedrv(Lsedrv::LOW);
        w.set_lseon(true);
    });
}

/// What the time is counted by.
pub(crate) fn beat() -> Beat {
    TIME_BASE.with(|state| state.ticks.beat())
}

/// Before the processor stops: the next alarm must have reached the counter.
pub(crate) fn settle() {
    TIME_BASE.with(State::settle);
}

/// Changes to the crystal as soon as it swings.
#[embassy_executor::task]
pub(crate) async fn wait_for_crystal() {
    for _ in 0..CRYSTAL_LOOKS {
        if RCC.bdcr().read().lserdy() {
            TIME_BASE.with(|state| state.count(Beat::Crystal));
            defmt::info!("the crystal runs: the pad stops while nothing happens");
            return;
        }
        Timer::after_millis(CRYSTAL_LOOK_MS).await;
    }
    defmt::warn!("the crystal does not run: the pad sleeps, but never stops");
}

#[interrupt]
fn LPTIM1() {
    LPTIM1.icr().write(|w| w.set_cccf(0, true));
    TIME_BASE.with(State::arm);
}
