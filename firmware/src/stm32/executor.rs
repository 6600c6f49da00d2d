//! The executor of all tasks, in an interrupt vector that the chip does not use otherwise.
//!
//! It runs at the lowest priority, and the thread below it sleeps until an interrupt.
#![expect(
    unsafe_code,
    reason = "the executor's contract: `on_interrupt` is called from its own vector and nowhere else"
)]
use embassy_executor::{InterruptExecutor, SendSpawner};
use embassy_stm32::interrupt;
use embassy_stm32::interrupt::{InterruptExt, Priority};

static EXECUTOR: InterruptExecutor = InterruptExecutor::new();

/// Starts the executor. Called once, by the program's entry.
pub(crate) fn start() -> SendSpawner {
    interrupt::SWPMI1.set_priority(Priority::P15);
    EXECUTOR.start(interrupt::SWPMI1)
}

#[interrupt]
unsafe fn SWPMI1() {
    // SAFETY: this is the vector that `EXECUTOR` was started on, and nothing else calls it.
    unsafe { EXECUTOR.on_interrupt() }
}
