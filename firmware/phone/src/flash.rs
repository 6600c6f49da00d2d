//! The pad's flash in a browser: pages in memory, and a note of those that the browser's storage
//! does not have yet.

use std::collections::BTreeSet;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use embedded_storage_async::nor_flash::{
    ErrorType, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash,
};

/// Bytes that are erased together, as on the chip.
pub const PAGE_LEN: usize = 2048;

/// Pages of the pad's journal.
pub const PAGES: usize = pad::JOURNAL_LEN as usize / PAGE_LEN;

/// Bytes that are written together, as on the chip.
const WORD_LEN: usize = 8;

/// The pages.
#[derive(Clone, Debug)]
pub(crate) struct Pages {
    bytes: Vec<u8>,
    unwritten: BTreeSet<usize>,
    /// Pages that the browser's storage would not take. They are offered again with the next ones.
    owed: BTreeSet<usize>,
}

/// Outside the flash, or not at a word or page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BadAddress;

impl NorFlashError for BadAddress {
    fn kind(&self) -> NorFlashErrorKind {
        NorFlashErrorKind::OutOfBounds
    }
}

impl Pages {
    /// What the browser's storage has; pages that it does not have are erased ones.
    pub(crate) fn new(stored: &[(usize, Vec<u8>)]) -> Self {
        let mut pages = Self {
            bytes: vec![0xff; PAGES * PAGE_LEN],
            unwritten: BTreeSet::new(),
            owed: BTreeSet::new(),
        };
        for (page, bytes) in stored {
            if let Some(to) = pages.page_mut(*page)
                && bytes.len() == PAGE_LEN
            {
                to.copy_from_slice(bytes);
            }
        }
        pages
    }

    /// Pages that the browser's storage does not have yet.
    pub(crate) fn unwritten(&self) -> impl Iterator<Item = (usize, &[u8])> {
        let page = |page: &usize| {
            let bytes = self.bytes.chunks(PAGE_LEN).nth(*page)?;
            Some((*page, bytes))
        };
        self.unwritten.iter().filter_map(page)
    }

    /// The browser's storage has them now.
    pub(crate) fn are_written(&mut self) {
        self.unwritten.clear();
    }

    /// The browser's storage would not take them.
    pub(crate) fn are_refused(&mut self) {
        self.owed.append(&mut self.unwritten);
    }

    /// What was refused is to be written after all; false where nothing was.
    pub(crate) fn offer_again(&mut self) -> bool {
        self.unwritten.append(&mut self.owed);
        !self.unwritten.is_empty()
    }

    /// Whether the browser's storage has everything.
    pub(crate) fn is_kept(&self) -> bool {
        self.unwritten.is_empty() && self.owed.is_empty()
    }

    fn page_mut(&mut self, page: usize) -> Option<&mut [u8]> {
        self.bytes.chunks_mut(PAGE_LEN).nth(page)
    }

    fn range(&mut self, offset: u32, len: usize, unit: usize) -> Result<&mut [u8], BadAddress> {
        let start = offset as usize;
        if !start.is_multiple_of(unit) || !len.is_multiple_of(unit) {
            return Err(BadAddress);
        }
        self.bytes.get_mut(start..start + len).ok_or(BadAddress)
    }

    fn touch(&mut self, offset: u32, len: usize) {
        let start = offset as usize;
        let pages = start / PAGE_LEN..(start + len).div_ceil(PAGE_LEN);
        self.unwritten.append(&mut self.owed);
        self.unwritten.extend(pages);
    }
}

impl ErrorType for Pages {
    type Error = BadAddress;
}

impl ReadNorFlash for Pages {
    const READ_SIZE: usize = 1;

    async fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), BadAddress> {
        let len = bytes.len();
        bytes.copy_from_slice(self.range(offset, len, 1)?);
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.bytes.len()
    }
}

impl NorFlash for Pages {
    const WRITE_SIZE: usize = WORD_LEN;
    const ERASE_SIZE: usize = PAGE_LEN;

    async fn erase(&mut self, from: u32, to: u32) -> Result<(), BadAddress> {
        let len = to.checked_sub(from).ok_or(BadAddress)? as usize;
        self.range(from, len, PAGE_LEN)?.fill(0xff);
        self.touch(from, len);
        Ok(())
    }

    async fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), BadAddress> {
        let to = self.range(offset, bytes.len(), WORD_LEN)?;
        for (to, from) in to.iter_mut().zip(bytes) {
            // As a flash does it: ones become zeros, and nothing else changes.
            *to &= from;
        }
        self.touch(offset, bytes.len());
        Ok(())
    }
}

/// Runs a future of the store, which never has to wait here: the pages are in memory.
pub(crate) fn at_once<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
}
