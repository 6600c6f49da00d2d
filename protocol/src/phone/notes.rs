//! Notes between the base and a phone, beside the frames of the pad: who accepts, and what a pair
//! may read. They are live: one that is lost is not sent again.
//!
//! Each line has keys of its own, made of the phone's keys and of what both ends draw for this
//! line, and each note has a number: what was said before, or on another line, can't be read as
//! something new.

use ccm::aead::array::Array;
use ccm::{AeadInOut, KeyInit};

use super::{Cipher, Tag};
use crate::frame::{PadKeys, derive};

/// What an end draws for a line.
pub type LineSalt = [u8; 16];

/// Which end of the line this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The base station.
    Base,
    /// The phone.
    Phone,
}

/// One end of a line's notes.
#[derive(Clone)]
pub struct Notes {
    mine: [u8; 16],
    theirs: [u8; 16],
    sent: u64,
    heard: u64,
}

impl Notes {
    /// Notes on a line for which the base has drawn one salt and the phone the other.
    pub fn new(keys: &PadKeys, base: &LineSalt, phone: &LineSalt, end: End) -> Self {
        let secret = keys.bytes();
        let up = derive(base, &secret, &[b"byestand note up", phone]);
        let down = derive(base, &secret, &[b"byestand note down", phone]);
        let (mine, theirs) = match end {
            End::Base => (down, up),
            End::Phone => (up, down),
        };
        Self {
            mine,
            theirs,
            sent: 0,
            heard: 0,
        }
    }

    /// Seals a note where it lies; the tag goes with it. At most 65,535 bytes.
    pub fn seal(&mut self, note: &mut [u8]) -> Option<Tag> {
        let nonce = nonce(self.sent);
        self.sent += 1;
        let made = Cipher::new(&Array(self.mine)).encrypt_inout_detached(&nonce, b"", note.into());
        Some(made.ok()?.into())
    }

    /// Opens the next note where it lies; `None` if it is not the next one of the other end.
    pub fn open(&mut self, note: &mut [u8], tag: &Tag) -> Option<()> {
        let nonce = nonce(self.heard);
        Cipher::new(&Array(self.theirs))
            .decrypt_inout_detached(&nonce, b"", note.into(), &Array(*tag))
            .ok()?;
        self.heard += 1;
        Some(())
    }
}

fn nonce(number: u64) -> Array<u8, ccm::consts::U13> {
    let mut nonce = [0; 13];
    for (to, from) in nonce.iter_mut().zip(number.to_le_bytes()) {
        *to = from;
    }
    Array(nonce)
}

/// Keys stay out of logs.
impl core::fmt::Debug for Notes {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Notes")
    }
}
