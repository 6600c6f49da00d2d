//! A flash in memory that is stricter than the STM32's, and whose power can be cut.
//!
//! A word of eight bytes can be written once between two erasures of its page, and then only be
//! overwritten with zeros (reference manual RM0351, PROGERR). A cut in the middle
//! of a word leaves some of its bits written; a cut in the middle of an erasure leaves the page as
//! it was, erased, or anything between.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use embedded_storage_async::nor_flash::{
    ErrorType, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash,
};
use fastrand::Rng;

/// Bytes that are erased together, as on the STM32L475.
pub const PAGE_LEN: usize = 2048;

/// Bytes that are written together, as on the STM32L475.
pub const WORD_LEN: usize = 8;

/// A flash of the size of the pad's journal.
#[derive(Clone, Debug)]
pub struct HostFlash {
    bytes: Vec<u8>,
    written: Vec<bool>,
    erasures: Vec<u32>,
    words_written: u64,
    steps: u64,
    erasure_steps: Vec<u64>,
    cut_at: Option<u64>,
    has_power: bool,
    forgetful: bool,
    rng: Rng,
}

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlashFault {
    /// The power is gone.
    PowerCut,
    /// A word was written a second time without an erasure.
    WrittenTwice,
    /// Outside the flash, or not at a word or page.
    BadAddress,
}

impl NorFlashError for FlashFault {
    fn kind(&self) -> NorFlashErrorKind {
        match self {
            Self::BadAddress => NorFlashErrorKind::OutOfBounds,
            Self::PowerCut | Self::WrittenTwice => NorFlashErrorKind::Other,
        }
    }
}

impl HostFlash {
    /// An erased flash of the journal's size; the seed decides how torn words look.
    pub fn new(seed: u64) -> Self {
        Self::of_pages(seed, ::pad::JOURNAL_LEN as usize / PAGE_LEN)
    }

    /// An erased flash of so many pages.
    pub fn of_pages(seed: u64, pages: usize) -> Self {
        let len = pages * PAGE_LEN;
        Self {
            bytes: vec![0xff; len],
            written: vec![false; len / WORD_LEN],
            erasures: vec![0; len / PAGE_LEN],
            words_written: 0,
            steps: 0,
            erasure_steps: Vec::new(),
            cut_at: None,
            has_power: true,
            forgetful: false,
            rng: Rng::with_seed(seed),
        }
    }

    /// Cuts the power inside the word or erasure with this number, counted as [`Self::steps`].
    pub fn cut_power_at(&mut self, step: u64) {
        self.cut_at = Some(step);
    }

    /// Decides anew how torn words and pages look.
    pub fn tear_with(&mut self, seed: u64) {
        self.rng = Rng::with_seed(seed);
    }

    /// Gives the power back.
    pub fn restore_power(&mut self) {
        self.cut_at = None;
        self.has_power = true;
    }

    /// Breaks the flash on purpose, so that tests can prove that they would notice: when the
    /// journal has come round, erasing its oldest page also loses the one that was filled last.
    pub fn forget_pages_on_wrap(&mut self) {
        self.forgetful = true;
    }

    /// Whether there is power.
    pub fn has_power(&self) -> bool {
        self.has_power
    }

    /// Words written and pages erased so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Which of the steps were erasures.
    pub fn erasure_steps(&self) -> &[u64] {
        &self.erasure_steps
    }

    /// Words written so far.
    pub fn words_written(&self) -> u64 {
        self.words_written
    }

    /// How often each page has been erased.
    pub fn erasures(&self) -> &[u32] {
        &self.erasures
    }

    /// What is in it.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Counts a step; true if the power is cut inside it.
    fn step(&mut self) -> Result<bool, FlashFault> {
        if !self.has_power {
            return Err(FlashFault::PowerCut);
        }
        let cut = self.cut_at == Some(self.steps);
        self.steps += 1;
        self.has_power = !cut;
        Ok(cut)
    }

    fn write_word(&mut self, at: usize, word: &[u8]) -> Result<(), FlashFault> {
        let again = std::mem::replace(&mut self.written[at / WORD_LEN], true);
        if again && word != [0; WORD_LEN] {
            return Err(FlashFault::WrittenTwice);
        }
        let cut = self.step()?;
        for (byte, new) in self.bytes[at..at + WORD_LEN].iter_mut().zip(word) {
            // Writing turns ones into zeros; a torn write turns only some of them.
            let not_reached = if cut { self.rng.u8(..) } else { 0 };
            *byte &= new | not_reached;
        }
        self.words_written += 1;
        if cut {
            return Err(FlashFault::PowerCut);
        }
        Ok(())
    }

    fn erase_page(&mut self, page: usize) -> Result<(), FlashFault> {
        self.erasure_steps.push(self.steps);
        let cut = self.step()?;
        let bytes = &mut self.bytes[page * PAGE_LEN..(page + 1) * PAGE_LEN];
        let outcome = if cut { self.rng.u8(..3) } else { 0 };
        match outcome {
            0 => bytes.fill(0xff),
            1 => {}
            _ => bytes.iter_mut().for_each(|byte| *byte |= self.rng.u8(..)),
        }
        let words = PAGE_LEN / WORD_LEN;
        self.written[page * words..(page + 1) * words].fill(outcome != 0);
        self.erasures[page] += 1;
        // The last page is not in the round; between the oldest page and the one filled last is
        // the one that has just been begun.
        let round = self.erasures.len() - 1;
        if self.forgetful && page < round && self.erasures[page] > 1 {
            let lost = (page + round - 2) % round;
            self.bytes[lost * PAGE_LEN..(lost + 1) * PAGE_LEN].fill(0xff);
            self.written[lost * words..(lost + 1) * words].fill(false);
        }
        if cut {
            return Err(FlashFault::PowerCut);
        }
        Ok(())
    }

    fn range(&self, offset: u32, len: usize, unit: usize) -> Result<usize, FlashFault> {
        let start = offset as usize;
        let fits = start + len <= self.bytes.len();
        let aligned = start.is_multiple_of(unit) && len.is_multiple_of(unit);
        (fits && aligned)
            .then_some(start)
            .ok_or(FlashFault::BadAddress)
    }
}

impl ErrorType for HostFlash {
    type Error = FlashFault;
}

impl ReadNorFlash for HostFlash {
    const READ_SIZE: usize = 1;

    async fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), FlashFault> {
        if !self.has_power {
            return Err(FlashFault::PowerCut);
        }
        let start = self.range(offset, bytes.len(), 1)?;
        bytes.copy_from_slice(&self.bytes[start..start + bytes.len()]);
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.bytes.len()
    }
}

impl NorFlash for HostFlash {
    const WRITE_SIZE: usize = WORD_LEN;
    const ERASE_SIZE: usize = PAGE_LEN;

    async fn erase(&mut self, from: u32, to: u32) -> Result<(), FlashFault> {
        let start = self.range(from, (to - from) as usize, PAGE_LEN)?;
        (start / PAGE_LEN..to as usize / PAGE_LEN).try_for_each(|page| self.erase_page(page))
    }

    async fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), FlashFault> {
        let start = self.range(offset, bytes.len(), WORD_LEN)?;
        let words = bytes.chunks(WORD_LEN).enumerate();
        words
            .map(|(index, word)| (start + index * WORD_LEN, word))
            .try_for_each(|(at, word)| self.write_word(at, word))
    }
}

/// Runs a future of the store, which on a PC never has to wait for anything.
pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
}
