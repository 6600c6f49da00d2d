//! Steps over a load or store that hit a fence, with a model's answer.
use models::decode::{Access, LoadMultiple, decode, decode_multiple};

use crate::bench;
use crate::bus;
use crate::startup;

const FAULT_STATUS: u32 = 0xE000_ED28;
const HARD_FAULT_STATUS: u32 = 0xE000_ED2C;
/// The processor was to run what is behind a fence.
const STEP_FENCED: u32 = 1;
const FENCED_ADDRESS: u32 = 0xE000_ED34;
const BUS_ADDRESS: u32 = 0xE000_ED38;

/// The image's registers at the fault: eight that the processor pushed, and R4 to R11 that the
/// handler in `startup` pushed.
struct Registers {
    pushed: *mut u32,
    high: *mut u32,
}

impl Registers {
    const RETURN_ADDRESS: usize = 6;
    const STATUS: usize = 7;

    fn general(&mut self, number: usize) -> &mut u32 {
        unsafe {
            &mut *match number {
                0..=3 => self.pushed.add(number),
                4..=11 => self.high.add(number - 4),
                12 => self.pushed.add(4),
                _ => self.pushed.add(5),
            }
        }
    }

    fn pushed(&mut self, index: usize) -> &mut u32 {
        unsafe { &mut *self.pushed.add(index) }
    }

    fn step_over(&mut self, length: u32) {
        *self.pushed(Self::RETURN_ADDRESS) += length;
        // The access may have sat in an if-then block, whose state moves on with it.
        let status = *self.pushed(Self::STATUS);
        let block = (status >> 8 & 0xFC) | (status >> 25 & 3);
        let block = if block.trailing_zeros() >= 3 {
            0
        } else {
            (block & 0xE0) | (block << 1 & 0x1F)
        };
        *self.pushed(Self::STATUS) =
            (status & !0x0600_FC00) | (block & 0xFC) << 8 | (block & 3) << 25;
    }
}

/// Called by the assembly in `startup`; answers 1 when the access was taken care of, and 0 when
/// the fault is the image's own.
#[unsafe(no_mangle)]
extern "C" fn shim_fault(pushed: *mut u32, high: *mut u32) -> u32 {
    let mut registers = Registers { pushed, high };
    let status = bus::load(FAULT_STATUS);
    let handled = if status & STEP_FENCED != 0 {
        startup::follow(*registers.pushed(Registers::RETURN_ADDRESS))
    } else {
        faulting_address(status).is_some_and(|address| emulate(address, &mut registers))
    };
    if handled {
        bus::store(FAULT_STATUS, status);
        bus::store(HARD_FAULT_STATUS, u32::MAX);
    } else {
        bench::with(|bench| bench.log.drain());
    }
    handled.into()
}

fn faulting_address(status: u32) -> Option<u32> {
    const FENCED: u32 = 0x82;
    const NO_MEMORY: u32 = 0x8200;
    if status & FENCED == FENCED {
        Some(bus::load(FENCED_ADDRESS))
    } else if status & NO_MEMORY == NO_MEMORY {
        Some(bus::load(BUS_ADDRESS))
    } else {
        None
    }
}

fn emulate(address: u32, registers: &mut Registers) -> bool {
    let at = *registers.pushed(Registers::RETURN_ADDRESS);
    let (first, second) = (bus::load_half(at), bus::load_half(at + 2));
    if let Some(load) = decode_multiple(first, second) {
        return emulate_multiple(load, registers);
    }
    let Some(access) = decode(first, second) else {
        return false;
    };
    if access.load {
        let Some(value) = bench::with(|bench| bench.load(address)) else {
            return false;
        };
        *registers.general(access.register) = extend(value, access);
    } else {
        let value = *registers.general(access.register);
        if !bench::with(|bench| bench.store(address, access.bytes, value)) {
            return false;
        }
    }
    if let Some((base, distance)) = access.write_back {
        let base = registers.general(base);
        *base = base.wrapping_add_signed(distance);
    }
    registers.step_over(access.length);
    true
}

fn emulate_multiple(load: LoadMultiple, registers: &mut Registers) -> bool {
    let mut address = *registers.general(load.base);
    for register in (0..15).filter(|register| load.registers >> register & 1 == 1) {
        let Some(value) = bench::with(|bench| bench.load(address)) else {
            return false;
        };
        *registers.general(register) = value;
        address += 4;
    }
    if load.write_back {
        *registers.general(load.base) = address;
    }
    registers.step_over(load.length);
    true
}

fn extend(value: u32, access: Access) -> u32 {
    let unused = 32 - 8 * access.bytes;
    let shifted = value << unused;
    if access.signed {
        (shifted.cast_signed() >> unused).cast_unsigned()
    } else {
        shifted >> unused
    }
}
