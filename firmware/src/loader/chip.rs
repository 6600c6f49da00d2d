//! The loader on the chip.
use core::panic::PanicInfo;

use cortex_m::peripheral::SCB;
use cortex_m_rt::{entry, exception};
use embassy_embedded_hal::adapter::BlockingAsync;
use embassy_futures::block_on;
use embassy_stm32::flash::Flash;
use embassy_stm32::pac::FLASH;
use embassy_stm32::peripherals;
use pad::slots::{Layout, Slot, Slots};

const FLASH_START: u32 = 0x0800_0000;
const RAM: core::ops::RangeInclusive<u32> = 0x2000_0000..=0x2001_8000;

#[entry]
fn start() -> ! {
    // SAFETY: nobody else has taken it: this is all that runs.
    let flash = unsafe { peripherals::FLASH::steal() };
    let flash = BlockingAsync::new(Flash::new_blocking(flash));
    let mut slots = Slots::new(flash, Layout::CHIP);
    // A flash that can't be written is no reason to start nothing.
    let chosen = block_on(slots.choose()).unwrap_or(Slot::A);
    let slot = if holds_a_program(chosen) {
        chosen
    } else {
        chosen.other()
    };
    // SAFETY: a stack pointer and an address in that slot are there; if in neither slot, no pad's
    // program is on this chip, and nothing that could be done is left.
    unsafe { cortex_m::asm::bootload(beginning(slot) as *const u32) }
}

fn beginning(slot: Slot) -> u32 {
    FLASH_START + Layout::CHIP.start(slot)
}

/// Whether a slot begins as programs do: with the end of a stack, and where to start.
fn holds_a_program(slot: Slot) -> bool {
    let at = beginning(slot) as *const u32;
    // SAFETY: both words are flash.
    let [stack, entry] = unsafe { [at.read_volatile(), at.add(1).read_volatile()] };
    let program = beginning(slot)..beginning(slot) + Layout::CHIP.program_len_max();
    RAM.contains(&stack) && program.contains(&entry)
}

/// A double word that a power cut left half-written: notes have check bits of their own.
#[exception]
unsafe fn NonMaskableInt() {
    FLASH.eccr().modify(|w| w.set_eccd(true));
}

#[panic_handler]
fn panic(_: &PanicInfo) -> ! {
    SCB::sys_reset()
}

#[defmt::panic_handler]
fn defmt_panic() -> ! {
    SCB::sys_reset()
}

/// The drivers want somebody to tell; nobody listens yet.
#[defmt::global_logger]
struct Silence;

// SAFETY: nothing is kept and nothing is written.
unsafe impl defmt::Logger for Silence {
    fn acquire() {}
    unsafe fn flush() {}
    unsafe fn release() {}
    unsafe fn write(_: &[u8]) {}
}
