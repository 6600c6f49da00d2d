//! Two places for the pad's program, and which of them runs.
//!
//! The running program is never touched: a new one is written into the other slot, whole, and only
//! then a note says that it is to be tried. The loader starts what is to be tried once; if that
//! start has not reached its base before the next one, the old program is back. So there is no
//! moment in which a cut leaves a pad without a program, and no page is ever copied.
//!
//! Each program is linked for its slot. Behind it, in the slot's last page, is its [`Manifest`]: what
//! it is, and who signed that. The journal of results is elsewhere and knows nothing of all this.
//!
//! embassy-boot was looked at: it swaps two programs page by page at every update and every way
//! back, through a third place. Here nothing is moved, so a start takes no longer than before, a
//! page is erased once an update, and there is no half-swapped state to come back from.

use embedded_storage_async::nor_flash::NorFlash;
use protocol::message::{FirmwareVersion, WIRE_VERSION, WIRE_VERSION_MIN};
use protocol::words::Refusal;
use sha2::{Digest, Sha256};

mod manifest;

pub use manifest::{MANIFEST_LEN, Manifest, PACKAGE_MAGIC, Package, Program};

const WORD_LEN: usize = 8;
const PAGE_LEN: u32 = 2 * 1024;
/// Bytes that are read at a time while a program is looked through.
const PIECE_LEN: usize = 256;

/// A place for a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// The first, in the chip's first bank.
    A,
    /// The second, in the other bank.
    B,
}

impl Slot {
    /// The other one.
    pub const fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }

    const fn number(self) -> u8 {
        match self {
            Self::A => 0xA1,
            Self::B => 0xB2,
        }
    }

    const fn from_number(number: u8) -> Option<Self> {
        match number {
            0xA1 => Some(Self::A),
            0xB2 => Some(Self::B),
            _ => None,
        }
    }
}

/// Where everything lies in the flash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Two pages of notes.
    pub notes: u32,
    /// The first slot.
    pub a: u32,
    /// The second slot.
    pub b: u32,
    /// The length of a slot, its last page for the manifest.
    pub slot_len: u32,
}

impl Layout {
    /// The STM32L475: the loader in the first 32 KiB, a slot in each bank, and the journal where it
    /// always was, in the last 16 KiB.
    pub const CHIP: Self = Self {
        notes: 504 * 1024,
        a: 32 * 1024,
        b: 512 * 1024,
        slot_len: 472 * 1024,
    };

    /// Where a slot begins.
    pub const fn start(self, slot: Slot) -> u32 {
        match slot {
            Slot::A => self.a,
            Slot::B => self.b,
        }
    }

    /// Where a slot's manifest is.
    pub const fn manifest(self, slot: Slot) -> u32 {
        self.start(slot) + self.slot_len - PAGE_LEN
    }

    /// Bytes that a program may have.
    pub const fn program_len_max(self) -> u32 {
        self.slot_len - PAGE_LEN
    }
}

/// What the notes say of the programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The program that works.
    pub good: Slot,
    /// The program that is to be tried, and whether it was started.
    pub trial: Option<(Slot, bool)>,
}

/// A word of the notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Note {
    /// Try it.
    Try(Slot),
    /// It is being tried.
    Started(Slot),
    /// It works.
    Good(Slot),
    /// It did not reach its base.
    Back(Slot),
    /// This page of notes counts, and the other does not, if its number is lower.
    Page(u16),
}

impl Note {
    /// Every byte twice, once inverted: a word that a cut left half-written is none.
    const fn word(self) -> [u8; WORD_LEN] {
        let [kind, one, other] = match self {
            Self::Try(slot) => [0x11, slot.number(), 0],
            Self::Started(slot) => [0x22, slot.number(), 0],
            Self::Good(slot) => [0x33, slot.number(), 0],
            Self::Back(slot) => [0x44, slot.number(), 0],
            Self::Page(number) => {
                let [low, high] = number.to_le_bytes();
                [0x55, low, high]
            }
        };
        [0xC5, kind, one, other, !kind, !one, !other, 0x3A]
    }

    fn read(word: [u8; WORD_LEN]) -> Option<Self> {
        let [_, kind, one, other, ..] = word;
        let slot = Slot::from_number(one);
        let note = match kind {
            0x11 => Self::Try(slot?),
            0x22 => Self::Started(slot?),
            0x33 => Self::Good(slot?),
            0x44 => Self::Back(slot?),
            0x55 => Self::Page(u16::from_le_bytes([one, other])),
            _ => return None,
        };
        (note.word() == word).then_some(note)
    }
}

/// The flash could not be read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotError;

const fn spoilt(_: SlotError) -> Refusal {
    Refusal("the flash can't be read or written: take this pad out of use")
}

/// Both slots and the notes about them.
#[derive(Debug)]
pub struct Slots<S> {
    flash: S,
    layout: Layout,
}

impl<S: NorFlash> Slots<S> {
    /// In this flash.
    pub const fn new(flash: S, layout: Layout) -> Self {
        Self { flash, layout }
    }

    /// The flash again.
    pub fn into_flash(self) -> S {
        self.flash
    }

    /// What the notes say. A pad without notes runs what the factory wrote into the first slot.
    pub async fn standing(&mut self) -> Result<Standing, SlotError> {
        let mut standing = Standing {
            good: Slot::A,
            trial: None,
        };
        let Some((page, _)) = self.page_in_use().await? else {
            return Ok(standing);
        };
        for at in words(page) {
            match Note::read(self.word(at).await?) {
                Some(Note::Try(slot)) => standing.trial = Some((slot, false)),
                Some(Note::Started(slot)) => standing.trial = Some((slot, true)),
                Some(Note::Good(slot)) => (standing.good, standing.trial) = (slot, None),
                Some(Note::Back(_)) => standing.trial = None,
                Some(Note::Page(_)) | None => {}
            }
        }
        Ok(standing)
    }

    /// Which program is to be started now: the loader's one decision. It is noted before the
    /// program starts, so that a program that never comes back is not started twice.
    pub async fn choose(&mut self) -> Result<Slot, SlotError> {
        let standing = self.standing().await?;
        match standing.trial {
            Some((slot, false)) if self.is_whole(slot).await? => {
                self.note(Note::Started(slot)).await?;
                Ok(slot)
            }
            Some((slot, _)) => {
                self.note(Note::Back(slot)).await?;
                Ok(standing.good)
            }
            None => Ok(standing.good),
        }
    }

    /// The program that runs has reached its base: it is the one from now on.
    pub async fn confirm(&mut self, running: Slot) -> Result<(), SlotError> {
        if self.standing().await?.trial == Some((running, true)) {
            self.note(Note::Good(running)).await?;
        }
        Ok(())
    }

    /// Makes room for a new program beside the one that runs: whatever was to be tried is not any
    /// more, and what is in the other slot has no manifest from now on.
    pub async fn begin(&mut self, running: Slot) -> Result<(), Refusal> {
        let standing = self.standing().await.map_err(spoilt)?;
        if let Some((slot, _)) = standing.trial {
            if slot == running {
                return Err(Refusal(
                    "this program is on trial itself: wait until it has reached the base",
                ));
            }
            self.note(Note::Back(slot)).await.map_err(spoilt)?;
        }
        let at = self.layout.manifest(running.other());
        self.erase_page(at).await.map_err(spoilt)
    }

    /// Writes a piece of the new program: whole words, in order, each page erased as it is begun. A
    /// piece lies in one page.
    pub async fn write(&mut self, running: Slot, at: u32, piece: &[u8]) -> Result<(), SlotError> {
        let len = u32::try_from(piece.len()).map_err(|_| SlotError)?;
        let end = at.checked_add(len).ok_or(SlotError)?;
        if end > self.layout.program_len_max() {
            return Err(SlotError);
        }
        let place = self.layout.start(running.other()) + at;
        if place.is_multiple_of(PAGE_LEN) {
            self.erase_page(place).await?;
        }
        let written = self.flash.write(place, piece).await;
        written.map_err(|_| SlotError)
    }

    /// The new program is there: it is to be tried at the next start, if it is what its manifest
    /// says, `makers` have signed that, and it is another than the one of `version` that runs.
    pub async fn finish(
        &mut self,
        (running, version): (Slot, FirmwareVersion),
        manifest: &Manifest,
        makers: &[u8; 32],
    ) -> Result<(), Refusal> {
        let slot = running.other();
        if manifest.slot != slot {
            return Err(Refusal("expected the program for the other slot"));
        }
        if !manifest.is_signed_by(makers) {
            return Err(Refusal("the program is not signed by this pad's makers"));
        }
        if manifest.version == version {
            return Err(Refusal("this pad runs that version already"));
        }
        if !(WIRE_VERSION_MIN..=WIRE_VERSION.saturating_add(1)).contains(&manifest.wire) {
            return Err(Refusal(
                "no base understands both that program and this one",
            ));
        }
        if manifest.len > self.layout.program_len_max() {
            return Err(Refusal("the program is too long"));
        }
        if self.hash(slot, manifest.len).await.map_err(spoilt)? != manifest.hash {
            return Err(Refusal(
                "the program did not arrive as it was sent: send it again",
            ));
        }
        let at = self.layout.manifest(slot);
        let written = self.flash.write(at, &manifest.bytes()).await;
        written.map_err(|_| spoilt(SlotError))?;
        self.note(Note::Try(slot)).await.map_err(spoilt)
    }

    async fn erase_page(&mut self, page: u32) -> Result<(), SlotError> {
        let erased = self.flash.erase(page, page + PAGE_LEN).await;
        erased.map_err(|_| SlotError)
    }

    /// What is in a slot, as its manifest says.
    pub async fn manifest(&mut self, slot: Slot) -> Result<Option<Manifest>, SlotError> {
        let mut bytes = [0; MANIFEST_LEN];
        let at = self.layout.manifest(slot);
        let read = self.flash.read(at, &mut bytes).await;
        read.map_err(|_| SlotError)?;
        Ok(Manifest::read(&bytes).filter(|manifest| manifest.slot == slot))
    }

    /// Whether a slot holds what its manifest says.
    pub async fn is_whole(&mut self, slot: Slot) -> Result<bool, SlotError> {
        let Some(manifest) = self.manifest(slot).await? else {
            return Ok(false);
        };
        let fits = manifest.len <= self.layout.program_len_max();
        Ok(fits && self.hash(slot, manifest.len).await? == manifest.hash)
    }

    async fn hash(&mut self, slot: Slot, len: u32) -> Result<[u8; 32], SlotError> {
        let mut hash = Sha256::new();
        let mut piece = [0; PIECE_LEN];
        let start = self.layout.start(slot);
        let mut at = 0;
        while at < len {
            let left = usize::try_from(len - at)
                .unwrap_or(PIECE_LEN)
                .min(PIECE_LEN);
            let part = piece.get_mut(..left).ok_or(SlotError)?;
            let read = self.flash.read(start + at, part).await;
            read.map_err(|_| SlotError)?;
            hash.update(&*part);
            at += u32::try_from(left).map_err(|_| SlotError)?;
        }
        let mut found = [0; 32];
        found
            .iter_mut()
            .zip(hash.finalize())
            .for_each(|(place, byte)| *place = byte);
        Ok(found)
    }

    /// Appends a note. Where the page is full, what counts of it goes into the other page, whose
    /// number is written last: until then the old page counts, and from then on the new one.
    async fn note(&mut self, note: Note) -> Result<(), SlotError> {
        if let Some((page, number)) = self.page_in_use().await? {
            if let Some(free) = self.free_word(page).await? {
                return self.put(free, note).await;
            }
            let standing = self.standing().await?;
            let next = if page == self.layout.notes {
                page + PAGE_LEN
            } else {
                self.layout.notes
            };
            return self
                .begin_page(next, number.wrapping_add(1), standing, note)
                .await;
        }
        let nothing = Standing {
            good: Slot::A,
            trial: None,
        };
        self.begin_page(self.layout.notes, 1, nothing, note).await
    }

    async fn begin_page(
        &mut self,
        page: u32,
        number: u16,
        standing: Standing,
        note: Note,
    ) -> Result<(), SlotError> {
        self.erase_page(page).await?;
        let trial = standing.trial.map(|(slot, started)| {
            if started {
                Note::Started(slot)
            } else {
                Note::Try(slot)
            }
        });
        let mut at = page + 8;
        for one in [Some(Note::Good(standing.good)), trial, Some(note)]
            .into_iter()
            .flatten()
        {
            self.put(at, one).await?;
            at += 8;
        }
        self.put(page, Note::Page(number)).await
    }

    /// The page of notes that counts, and its number.
    async fn page_in_use(&mut self) -> Result<Option<(u32, u16)>, SlotError> {
        let mut found: Option<(u32, u16)> = None;
        for page in [self.layout.notes, self.layout.notes + PAGE_LEN] {
            if let Some(Note::Page(number)) = Note::read(self.word(page).await?) {
                // Numbers come round after 65,536 pages of notes; the later one is a little ahead.
                let later = found.is_none_or(|(_, other)| number.wrapping_sub(other) < 0x8000);
                if later {
                    found = Some((page, number));
                }
            }
        }
        Ok(found)
    }

    /// The first word behind everything that was ever written, torn or not.
    async fn free_word(&mut self, page: u32) -> Result<Option<u32>, SlotError> {
        let mut free = None;
        for at in words(page).skip(1) {
            if self.word(at).await? == [0xff; WORD_LEN] {
                free = free.or(Some(at));
            } else {
                free = None;
            }
        }
        Ok(free)
    }

    async fn put(&mut self, at: u32, note: Note) -> Result<(), SlotError> {
        let written = self.flash.write(at, &note.word()).await;
        written.map_err(|_| SlotError)
    }

    async fn word(&mut self, at: u32) -> Result<[u8; WORD_LEN], SlotError> {
        let mut word = [0; WORD_LEN];
        let read = self.flash.read(at, &mut word).await;
        read.map_err(|_| SlotError)?;
        Ok(word)
    }
}

fn words(page: u32) -> impl Iterator<Item = u32> {
    (page..page + PAGE_LEN).step_by(WORD_LEN)
}
