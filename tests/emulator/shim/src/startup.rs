//! Takes the reset, puts up the fences, and starts the loader; when the loader starts one of the pad's
//! programs, the bench goes along.
use core::arch::{asm, global_asm};
use core::panic::PanicInfo;
use core::ptr::addr_of_mut;

use crate::bench::{self, Bench, CONVERTER, FAST_BUS, SERIAL_PORTS, SLOW_BUS, SPI1};
use crate::bus;
use crate::flash;
use crate::pins;
use crate::semihosting;

/// 16 of the processor and 82 of the chip.
const VECTORS: usize = 16 + 82;
const HARD_FAULT: usize = 3;
const SYSTICK: usize = 15;

/// The vector table of the program that runs, with the bench's two handlers in it.
#[unsafe(link_section = ".vectors")]
static mut TABLE: [u32; 256] = [0; 256];
/// Where faults go that are the image's own.
static mut HARD_FAULT_OF_IMAGE: u32 = 0;

global_asm!(
    ".section .text.entry,\"ax\"",
    ".global _start",
    ".thumb_func",
    "_start:",
    "ldr r0, =__shim_stack",
    "mov sp, r0",
    "bl shim_setup",
    "ldr r2, ={image}",
    "ldr r0, [r2]",
    "ldr r1, [r2, #4]",
    "msr msp, r0",
    "mov lr, #-1",
    "bx r1",
    ".thumb_func",
    "shim_hard_fault:",
    "tst lr, #4",
    "ite eq",
    "mrseq r0, msp",
    "mrsne r0, psp",
    "push {{r3-r11, lr}}",
    "add r1, sp, #4",
    "bl shim_fault",
    "cmp r0, #0",
    "beq 1f",
    "pop {{r3-r11, pc}}",
    "1: pop {{r3-r11, lr}}",
    "ldr r0, ={handler}",
    "ldr r0, [r0]",
    "bx r0",
    image = const flash::START,
    handler = sym HARD_FAULT_OF_IMAGE,
);

unsafe extern "C" {
    fn shim_hard_fault();
}

#[unsafe(no_mangle)]
extern "C" fn shim_setup() {
    bench::with(read_command_line);
    take_over_vectors(flash::START);
    put_up_fences();
    await_the_start_of_a_program();
}

/// The loader has gone to an address behind a fence: that is where one of the pad's programs
/// begins. Says whether it is.
pub(crate) fn follow(address: u32) -> bool {
    let slot = flash::SLOTS.iter().rev().find(|slot| address >= **slot);
    let Some(slot) = slot.filter(|_| flash::is_flash(address)) else {
        return false;
    };
    take_over_vectors(*slot);
    put_up_fences();
    true
}

#[unsafe(no_mangle)]
extern "C" fn shim_systick() {
    bench::with(|bench| {
        bench.advance();
        bench.arm();
    });
}

fn take_over_vectors(program: u32) {
    const VECTOR_TABLE: u32 = 0xE000_ED08;
    unsafe {
        let table = &mut *addr_of_mut!(TABLE);
        for (number, vector) in (0..).zip(table.iter_mut().take(VECTORS)) {
            *vector = bus::load(program + 4 * number);
        }
        HARD_FAULT_OF_IMAGE = table[HARD_FAULT];
        table[HARD_FAULT] = shim_hard_fault as *const () as u32 | 1;
        table[SYSTICK] = shim_systick as *const () as u32 | 1;
        bus::store(VECTOR_TABLE, table.as_ptr() as u32);
    }
}

/// What the image may do behind a fence.
#[derive(Clone, Copy)]
enum Permit {
    Nothing = 0,
    Reading = 6,
    /// Running and reading.
    Running = 7,
}

/// The unit has eight regions, so neighbours share one: a region's eighths can be left open.
fn put_up_fences() {
    const CONTROL: u32 = 0xE000_ED94;
    const ENABLED_EXCEPT_IN_FAULTS: u32 = 0b101;
    // The watchdog is in eighth 3 of 32 KiB, the power controller and LPTIM1 are in eighth 7.
    fence(0, SLOW_BUS, 15, 0b0111_0111, Permit::Nothing);
    // The controllers of clocks and flash are in eighths 2 and 4 of 16 KiB.
    fence(1, FAST_BUS, 14, 0b1110_1011, Permit::Nothing);
    fence(2, flash::START, 20, 0, Permit::Running);
    fence(3, pins::PORT_A, 12, 0, Permit::Nothing);
    fence(4, SPI1, 10, 0, Permit::Nothing);
    // Clear, receive and transmit registers only, so that status reads stay fast.
    fence(5, SERIAL_PORTS[0] + 0x20, 5, 0, Permit::Nothing);
    fence(6, SERIAL_PORTS[1] + 0x20, 5, 0, Permit::Nothing);
    fence(7, CONVERTER, 15, 0, Permit::Nothing);
    bus::store(CONTROL, ENABLED_EXCEPT_IN_FAULTS);
    unsafe { asm!("dsb", "isb") };
}

/// The first step into a slot is stopped at a fence. The loader needs neither the serial ports nor the
/// converter, whose fences these are afterwards.
fn await_the_start_of_a_program() {
    for (number, slot) in (6..).zip(flash::SLOTS) {
        fence(number, slot, 15, 0, Permit::Reading);
    }
}

/// Region `number` from `base` on, two to the power of `size` bytes, without its `open` eighths.
fn fence(number: u32, base: u32, size: u32, open: u32, permit: Permit) {
    const NUMBER: u32 = 0xE000_ED98;
    const BASE: u32 = 0xE000_ED9C;
    const ATTRIBUTES: u32 = 0xE000_EDA0;
    const NEVER_EXECUTED: u32 = 1 << 28;
    const DEVICE: u32 = 1 << 16;
    const CACHED: u32 = 1 << 17;
    let kind = match permit {
        Permit::Running => CACHED | 6 << 24,
        Permit::Reading | Permit::Nothing => NEVER_EXECUTED | DEVICE | (permit as u32) << 24,
    };
    bus::store(NUMBER, number);
    bus::store(BASE, base);
    bus::store(ATTRIBUTES, kind | open << 8 | (size - 1) << 1 | 1);
}

/// `-semihosting-config arg=pad,arg=<flash file>,arg=<log file>,arg=<number of the pad>`, and
/// `arg=no-crystal` for a board on which that part is missing.
fn read_command_line(bench: &mut Bench) {
    let mut line = [0; 256];
    if !semihosting::command_line(&mut line) {
        return;
    }
    let mut words = line.split(|byte| *byte == 0).skip(1);
    if let Some(flash) = words.next() {
        bench.flash.insert(flash);
    }
    if let Some(log) = words.next() {
        bench.log.open(log);
        bench.log.rescue();
    }
    if let Some(identity) = words.next() {
        let digits = identity.iter().filter(|byte| byte.is_ascii_digit());
        bench.identity = digits.fold(0, |number, digit| number * 10 + u32::from(digit - b'0'));
    }
    bench.clocks.has_crystal = words.next() != Some(b"no-crystal");
}

#[panic_handler]
fn panic(_: &PanicInfo) -> ! {
    loop {
        unsafe { asm!("wfi") };
    }
}
