//! Reads one Thumb load or store instruction.

/// A single-register load or store, as far as a device needs to know it.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub struct Access {
    /// A load fills the register, a store empties it into the device.
    pub load: bool,
    /// 1, 2 or 4.
    pub bytes: u32,
    /// A short load that extends the sign.
    pub signed: bool,
    /// The register that is loaded or stored.
    pub register: usize,
    /// The instruction's own length in bytes.
    pub length: u32,
    /// The base register that moves along, and by how much.
    pub write_back: Option<(usize, i32)>,
}

/// The access that the instruction at `first`, `second` makes, if it is of the kind that compilers
/// use for device registers: one register at a time.
pub fn decode(first: u16, second: u16) -> Option<Access> {
    let opcode = u32::from(first);
    let short = |load, bytes, signed| Access {
        load,
        bytes,
        signed,
        register: usize::from(first & 7),
        length: 2,
        write_back: None,
    };
    let load = opcode & 0x800 != 0;
    match opcode >> 12 {
        5 => {
            let (load, bytes, signed) = REGISTER_OFFSET[(opcode >> 9 & 7) as usize];
            Some(short(load, bytes, signed))
        }
        6 => Some(short(load, 4, false)),
        7 => Some(short(load, 1, false)),
        8 => Some(short(load, 2, false)),
        15 if opcode & 0xFE00 == 0xF800 && opcode >> 5 & 3 != 3 => Some(wide(opcode, second)),
        _ => None,
    }
}

/// A load of several registers from consecutive words, as a compiler copies a small array.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub struct LoadMultiple {
    /// The register that holds the address.
    pub base: usize,
    /// One bit a register that is loaded, in ascending order.
    pub registers: u16,
    /// The base moves past the last word.
    pub write_back: bool,
    /// The instruction's own length in bytes.
    pub length: u32,
}

/// The load of several registers that the instruction at `first`, `second` makes, if it is one.
pub fn decode_multiple(first: u16, second: u16) -> Option<LoadMultiple> {
    if first & 0xF800 == 0xC800 {
        let base = first >> 8 & 7;
        let registers = first & 0xFF;
        return Some(LoadMultiple {
            base: base.into(),
            registers,
            write_back: registers >> base & 1 == 0,
            length: 2,
        });
    }
    // Loading the program counter would be a jump.
    (first & 0xFFD0 == 0xE890 && second & 0x8000 == 0).then(|| LoadMultiple {
        base: usize::from(first & 15),
        registers: second,
        write_back: first & 0x20 != 0,
        length: 4,
    })
}

/// The eight instructions that share an encoding with a register offset: load, bytes, signed.
const REGISTER_OFFSET: [(bool, u32, bool); 8] = [
    (false, 4, false),
    (false, 2, false),
    (false, 1, false),
    (true, 1, true),
    (true, 4, false),
    (true, 2, false),
    (true, 1, false),
    (true, 2, true),
];

fn wide(opcode: u32, second: u16) -> Access {
    let moves_base = opcode & 0x80 == 0 && second & 0x900 == 0x900;
    let write_back = moves_base.then(|| {
        let distance = i32::from(second & 0xFF);
        let up = second & 0x200 != 0;
        (
            (opcode & 15) as usize,
            if up { distance } else { -distance },
        )
    });
    Access {
        load: opcode & 0x10 != 0,
        bytes: 1 << (opcode >> 5 & 3),
        signed: opcode & 0x100 != 0,
        register: usize::from(second >> 12),
        length: 4,
        write_back,
    }
}

#[cfg(test)]
mod tests {
    use super::{Access, LoadMultiple, decode, decode_multiple};

    /// Halfwords as an assembler emits them, and what they do.
    #[test]
    fn the_loads_and_stores_of_a_driver_are_understood() {
        let access = |load, bytes, register, length| Access {
            load,
            bytes,
            signed: false,
            register,
            length,
            write_back: None,
        };
        let cases = [
            ("ldr r0, [r1]", 0x6808, 0, access(true, 4, 0, 2)),
            ("str r2, [r1, #4]", 0x604A, 0, access(false, 4, 2, 2)),
            ("strb r3, [r0]", 0x7003, 0, access(false, 1, 3, 2)),
            ("ldrh r5, [r4]", 0x8825, 0, access(true, 2, 5, 2)),
            ("ldrb r1, [r2, r3]", 0x5CD1, 0, access(true, 1, 1, 2)),
            ("ldr.w r9, [r1, #36]", 0xF8D1, 0x9024, access(true, 4, 9, 4)),
            (
                "strb.w r8, [r0, #40]",
                0xF880,
                0x8028,
                access(false, 1, 8, 4),
            ),
        ];
        for (text, first, second, expected) in cases {
            assert_eq!(decode(first, second), Some(expected), "{text}");
        }
    }

    #[test]
    fn a_store_that_moves_its_base_says_so() {
        // str r0, [r1], #4 and ldrsb.w r2, [r3, #-1]!
        assert_eq!(
            decode(0xF841, 0x0B04).and_then(|access| access.write_back),
            Some((1, 4))
        );
        let load = decode(0xF913, 0x2D01).expect("a load");
        assert_eq!(
            (load.signed, load.bytes, load.write_back),
            (true, 1, Some((3, -1)))
        );
    }

    #[test]
    fn a_copied_array_is_a_load_of_several_registers() {
        let multiple = |base, registers, write_back, length| LoadMultiple {
            base,
            registers,
            write_back,
            length,
        };
        let cases = [
            (
                "ldm.w r0, {r3, r5, r6}",
                0xE890,
                0x0068,
                multiple(0, 0x68, false, 4),
            ),
            (
                "ldm.w r8!, {r1, r2}",
                0xE8B8,
                0x0006,
                multiple(8, 0x06, true, 4),
            ),
            ("ldm r1!, {r2, r3}", 0xC90C, 0, multiple(1, 0x0C, true, 2)),
            ("ldm r1, {r1, r2}", 0xC906, 0, multiple(1, 0x06, false, 2)),
        ];
        for (text, first, second, expected) in cases {
            assert_eq!(decode_multiple(first, second), Some(expected), "{text}");
        }
        for (first, second) in [(0xE8BD, 0x8010), (0xE880, 0x0003), (0x6808, 0)] {
            assert_eq!(decode_multiple(first, second), None, "{first:#06x}");
        }
    }

    #[test]
    fn what_is_no_single_access_is_left_to_the_image() {
        for (first, second) in [(0xBF00, 0), (0xE8BD, 0x8010), (0xC803, 0), (0x4770, 0)] {
            assert_eq!(decode(first, second), None, "{first:#06x}");
        }
    }
}
