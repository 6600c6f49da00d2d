//! Carries the image's defmt log from its RTT buffer to a file on the host.
use crate::bus;
use crate::semihosting::{File, Mode};

/// `SEGGER RTT`, the mark of the control block.
const MARK: [u32; 3] = [0x4747_4553, 0x5220_5245, 0x0000_5454];
/// The control block is a static of the image, so it lies near the start of its RAM.
const SEARCHED: core::ops::Range<u32> = 0x2000_0000..0x2001_0000;

pub(crate) struct Log {
    file: Option<File>,
    control_block: Option<u32>,
}

impl Log {
    pub(crate) const fn new() -> Self {
        Self {
            file: None,
            control_block: None,
        }
    }

    pub(crate) fn open(&mut self, name: &[u8]) {
        self.file = File::open(name, Mode::Append);
        if let Some(file) = self.file {
            file.seek_end();
        }
    }

    /// Before the image starts: carries away what it left when it was reset, and forgets where its
    /// control block was, since RAM is about to be cleared.
    pub(crate) fn rescue(&mut self) {
        self.drain();
        if let Some(block) = self.control_block.take() {
            bus::store(block, 0);
        }
    }

    /// Moves what has been logged since the last call.
    pub(crate) fn drain(&mut self) {
        let Some(file) = self.file else { return };
        if self.control_block.is_none() {
            self.control_block = find();
        }
        let Some(block) = self.control_block else {
            return;
        };
        let [buffer, size, written] = [28, 32, 36].map(|offset| bus::load(block + offset));
        let mut read = bus::load(block + 40);
        while read != written && written < size && read < size {
            let length = if written > read {
                written - read
            } else {
                size - read
            };
            file.write(buffer + read, length);
            read = (read + length) % size;
        }
        bus::store(block + 40, read);
    }
}

fn find() -> Option<u32> {
    SEARCHED
        .step_by(4)
        .find(|at| MARK == [0, 4, 8].map(|offset| bus::load(at + offset)))
}
