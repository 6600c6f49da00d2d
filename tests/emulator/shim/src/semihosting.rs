//! Calls to the host through QEMU's semihosting.
use core::arch::asm;

const OPEN: u32 = 0x01;
const WRITE: u32 = 0x05;
const READ: u32 = 0x06;
const SEEK: u32 = 0x0A;
const LENGTH: u32 = 0x0C;
const COMMAND_LINE: u32 = 0x15;
const ELAPSED: u32 = 0x30;

/// How a file is opened, in semihosting's numbering of `fopen`'s modes.
#[derive(Clone, Copy)]
pub(crate) enum Mode {
    /// `r+b`
    Existing = 3,
    /// `ab`
    Append = 9,
}

/// A file on the host.
#[derive(Clone, Copy)]
pub(crate) struct File(u32);

impl File {
    pub(crate) fn open(name: &[u8], mode: Mode) -> Option<Self> {
        // The name is a slice of a line that ends every word with a zero byte.
        let handle = call(
            OPEN,
            &[name.as_ptr() as u32, mode as u32, name.len() as u32],
        );
        (handle >= 0).then_some(Self(handle.cast_unsigned()))
    }

    /// Writes `length` bytes from `address` at `position`.
    pub(crate) fn write_at(self, position: u32, address: u32, length: u32) {
        call(SEEK, &[self.0, position]);
        self.write(address, length);
    }

    pub(crate) fn write(self, address: u32, length: u32) {
        call(WRITE, &[self.0, address, length]);
    }

    /// Reads `length` bytes at `position` to `address`, which may be the image's flash.
    pub(crate) fn read_at(self, position: u32, address: u32, length: u32) {
        call(SEEK, &[self.0, position]);
        call(READ, &[self.0, address, length]);
    }

    /// QEMU's append mode starts at the front unless told otherwise.
    pub(crate) fn seek_end(self) {
        let length = call(LENGTH, &[self.0]);
        call(SEEK, &[self.0, length.max(0).cast_unsigned()]);
    }
}

/// Nanoseconds since QEMU started, on the host's clock.
pub(crate) fn elapsed_ns() -> u64 {
    let halves = [0u32; 2];
    call(ELAPSED, &halves);
    // The host wrote behind the compiler's back.
    let [low, high] = unsafe { core::ptr::read_volatile(&raw const halves) };
    u64::from(high) << 32 | u64::from(low)
}

/// The words that QEMU was given with `arg=`, zero-terminated in `line`.
pub(crate) fn command_line(line: &mut [u8]) -> bool {
    let block = [line.as_mut_ptr() as u32, line.len() as u32];
    let done = call(COMMAND_LINE, &block) == 0;
    line.iter_mut()
        .filter(|byte| **byte == b' ')
        .for_each(|byte| *byte = 0);
    done
}

fn call(operation: u32, block: &[u32]) -> i32 {
    let answer: i32;
    unsafe { asm!("bkpt 0xab", inout("r0") operation => answer, in("r1") block.as_ptr()) };
    answer
}
