//! Erasures that a power cut can't leave half done.
//!
//! An erasure takes milliseconds. A cut in its middle leaves a page that is neither old nor erased:
//! its marks may still say "in use" while its records are garbled, and the log above would copy
//! from it. So every erasure is announced in a page of its own first, and taken up again at the
//! next start.
//!
//! An announcement is settled by writing zeros over it: the one second write of a word that the
//! STM32L4's flash allows (reference manual RM0351, PROGERR).

use embedded_storage_async::nor_flash::{ErrorType, NorFlash, ReadNorFlash};

const WORD_LEN: usize = 8;

/// A flash whose erasures are whole.
pub(crate) struct WholeErasures<S> {
    flash: S,
    /// The page of the announcements.
    notes: u32,
}

impl<S: NorFlash> WholeErasures<S> {
    /// Announcements are kept in the page at this address, which nobody else may use.
    pub(crate) const fn new(flash: S, notes: u32) -> Self {
        Self { flash, notes }
    }

    pub(crate) const fn flash(&mut self) -> &mut S {
        &mut self.flash
    }

    pub(crate) fn into_flash(self) -> S {
        self.flash
    }

    /// Ends what a power cut interrupted. To be called before anything else at every start.
    pub(crate) async fn take_up(&mut self) -> Result<(), S::Error> {
        for slot in self.slots() {
            if let Some(page) = announced(self.word(slot).await?) {
                let address = u32::from(page) * page_len::<S>();
                self.flash.erase(address, address + page_len::<S>()).await?;
                self.flash.write(slot, &[0; WORD_LEN]).await?;
            }
        }
        Ok(())
    }

    async fn erase_page(&mut self, address: u32) -> Result<(), S::Error> {
        let page = u16::try_from(address / page_len::<S>()).unwrap_or(u16::MAX);
        let slot = self.free_slot().await?;
        self.flash.write(slot, &announcement(page)).await?;
        self.flash.erase(address, address + page_len::<S>()).await?;
        self.flash.write(slot, &[0; WORD_LEN]).await
    }

    /// The first unused word. A full page has only settled announcements and is erased; if that is
    /// cut short, what is left of it announces nothing, because zeros can't become an announcement
    /// by chance.
    async fn free_slot(&mut self) -> Result<u32, S::Error> {
        for slot in self.slots() {
            if self.word(slot).await? == [0xff; WORD_LEN] {
                return Ok(slot);
            }
        }
        let end = self.notes + page_len::<S>();
        self.flash.erase(self.notes, end).await?;
        Ok(self.notes)
    }

    fn slots(&self) -> impl Iterator<Item = u32> + use<S> {
        (self.notes..self.notes + page_len::<S>()).step_by(WORD_LEN)
    }

    async fn word(&mut self, address: u32) -> Result<[u8; WORD_LEN], S::Error> {
        let mut word = [0; WORD_LEN];
        self.flash.read(address, &mut word).await?;
        Ok(word)
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "addresses of a NOR flash are 32 bits wide, so its pages are smaller"
)]
const fn page_len<S: NorFlash>() -> u32 {
    S::ERASE_SIZE as u32
}

/// The page twice, once inverted, between two signs: a torn word is none.
const fn announcement(page: u16) -> [u8; WORD_LEN] {
    let [low, high] = page.to_le_bytes();
    [0xE5, low, high, !low, !high, 0x3A, low ^ 0x5C, high ^ 0xA3]
}

fn announced(word: [u8; WORD_LEN]) -> Option<u16> {
    let [_, low, high, ..] = word;
    let page = u16::from_le_bytes([low, high]);
    (word == announcement(page)).then_some(page)
}

impl<S: ErrorType> ErrorType for WholeErasures<S> {
    type Error = S::Error;
}

impl<S: NorFlash> ReadNorFlash for WholeErasures<S> {
    const READ_SIZE: usize = S::READ_SIZE;

    async fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), S::Error> {
        self.flash.read(offset, bytes).await
    }

    fn capacity(&self) -> usize {
        self.flash.capacity()
    }
}

impl<S: NorFlash> NorFlash for WholeErasures<S> {
    const WRITE_SIZE: usize = S::WRITE_SIZE;
    const ERASE_SIZE: usize = S::ERASE_SIZE;

    async fn erase(&mut self, from: u32, to: u32) -> Result<(), S::Error> {
        let mut address = from;
        while address < to {
            self.erase_page(address).await?;
            address += page_len::<S>();
        }
        Ok(())
    }

    async fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), S::Error> {
        self.flash.write(offset, bytes).await
    }
}
