//! A panic is logged and restarts the pad, which then resumes from its flash.
use core::panic::PanicInfo;

use cortex_m::peripheral::SCB;

/// Time for a probe to fetch the log before the reset: a tenth of a second at 16 MHz.
const LOG_CYCLES: u32 = 1_600_000;

#[panic_handler]
fn panic(info: &PanicInfo) -> ! {
    cortex_m::interrupt::disable();
    defmt::error!("{}", defmt::Display2Format(info));
    cortex_m::asm::delay(LOG_CYCLES);
    SCB::sys_reset()
}

#[defmt::panic_handler]
fn defmt_panic() -> ! {
    cortex_m::asm::delay(LOG_CYCLES);
    SCB::sys_reset()
}
