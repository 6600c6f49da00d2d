//! The flash and its controller. All of it is kept in a file on the host, so that it survives the end
//! of QEMU as it survives a power cut.
use crate::bus;
use crate::semihosting::{File, Mode};

/// The loader is at its beginning, the journal at its end.
pub(crate) const START: u32 = 0x0800_0000;
const LENGTH: u32 = 1024 * 1024;
/// The pad's programs, of which the loader starts one.
pub(crate) const SLOTS: [u32; 2] = [START + 32 * 1024, START + 512 * 1024];
const PAGE: u32 = 2048;
const PAGES_A_BANK: u32 = 256;

const PROGRAM: u32 = 1;
const PAGE_ERASE: u32 = 1 << 1;
const BEGIN: u32 = 1 << 16;
const LOCKED: u32 = 1 << 31;
const PROGRAM_ERROR: u32 = 1 << 3;
const PROTECTION_ERROR: u32 = 1 << 4;
const SEQUENCE_ERROR: u32 = 1 << 7;

const ERASED: [u8; 64] = [0xFF; 64];

pub(crate) struct Flash {
    access: u32,
    status: u32,
    control: u32,
    last_key: u32,
    /// A double word is programmed by two stores; this is the first of them.
    first_half: u32,
    file: Option<File>,
}

impl Flash {
    pub(crate) const fn new() -> Self {
        Self {
            access: 0x600,
            status: 0,
            control: LOCKED,
            last_key: 0,
            first_half: 0,
            file: None,
        }
    }

    /// Brings the flash to the state that the file has kept.
    pub(crate) fn insert(&mut self, name: &[u8]) {
        self.file = File::open(name, Mode::Existing);
        if let Some(file) = self.file {
            file.read_at(0, START, LENGTH);
        }
    }

    pub(crate) fn load(&self, offset: u32) -> u32 {
        match offset {
            0x00 => self.access,
            0x10 => self.status,
            0x14 => self.control,
            // The option bytes as the factory ships them.
            0x20 => 0xFFEF_F8AA,
            _ => 0,
        }
    }

    pub(crate) fn store(&mut self, offset: u32, value: u32) {
        match offset {
            0x00 => self.access = value,
            0x08 => {
                if self.last_key == 0x4567_0123 && value == 0xCDEF_89AB {
                    self.control &= !LOCKED;
                }
                self.last_key = value;
            }
            0x10 => self.status &= !value,
            0x14 if self.control & LOCKED == 0 => {
                self.control = value & !BEGIN;
                if value & BEGIN != 0 && value & PAGE_ERASE != 0 {
                    self.erase_page((value >> 3 & 0xFF) + (value >> 11 & 1) * PAGES_A_BANK);
                }
            }
            _ => {}
        }
    }

    fn erase_page(&mut self, number: u32) {
        let page = START + number * PAGE;
        match self.file {
            Some(file) if is_flash(page) => {
                erase(file, page - START, PAGE);
                file.read_at(page - START, page, PAGE);
            }
            _ => self.status |= PROTECTION_ERROR,
        }
    }

    /// A store to the flash: half of a double word, which must have been erased before.
    pub(crate) fn program(&mut self, address: u32, value: u32) {
        if self.control & PROGRAM == 0 {
            self.status |= SEQUENCE_ERROR;
            return;
        }
        if address & 4 == 0 {
            self.first_half = value;
            return;
        }
        let start = address - 4;
        let old = [bus::load(start), bus::load(address)];
        let new = [self.first_half, value];
        if old != [u32::MAX; 2] && new != [0; 2] {
            self.status |= PROGRAM_ERROR;
        } else if let Some(file) = self.file {
            file.write_at(start - START, new.as_ptr() as u32, 8);
            file.read_at(start - START, start, 8);
        }
    }
}

pub(crate) fn is_flash(address: u32) -> bool {
    (START..START + LENGTH).contains(&address)
}

fn erase(file: File, position: u32, length: u32) {
    for at in (position..position + length).step_by(ERASED.len()) {
        file.write_at(at, ERASED.as_ptr() as u32, ERASED.len() as u32);
    }
}
