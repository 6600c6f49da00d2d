//! What is on the air: addressing, counters, encryption, and where a frame begins and ends.
//!
//! ```text
//! 00 | COBS( header | ciphertext | tag 8 ) | 00
//! ```
//! The leading zero is for modems that garble their first byte. Header and everything that names
//! the conversation are authenticated; messages are encrypted as well (AES-128-CCM).

mod deframer;
mod header;
mod keys;
mod seal;

pub use deframer::{Body, Collected, Deframer};
pub use header::{Address, Direction, Header, Phase};
pub use keys::{AssociationNumber, BaseNonce, ClubKey, KeyCheck, PadKeys};
pub(crate) use keys::{SessionKeys, derive};
#[cfg(feature = "hub")]
pub(crate) use seal::tag_of;
pub(crate) use seal::{Nonce, Plaintext, Tag, open, seal};

use core::fmt;
use core::str::FromStr;

use crate::words::Refusal;

/// Tells two events in one room apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct NetworkId(u8);

impl NetworkId {
    /// Any byte names a network.
    pub const fn new(number: u8) -> Self {
        Self(number)
    }

    /// The plain number.
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl FromStr for NetworkId {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        text.trim()
            .parse()
            .map(Self)
            .map_err(|_| Refusal("expected a network number from 0 to 255"))
    }
}

impl fmt::Display for NetworkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// The wire version that a frame speaks. Pads speak the second; the base understands the first
/// as long as the club allows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Version {
    /// Its answers to strangers are sealed with a key that all pads of a club share.
    One,
    /// Nothing that a pad believes can be made with what another pad knows.
    Two,
}

/// The longest frame on the air in bytes, delimiters included. A frame this long takes 54 ms at
/// 19,200 baud, so that nobody waits long for somebody else's download.
pub const FRAME_LEN_MAX: usize = 102;

/// A frame as it goes to the modem.
pub type FrameBytes = heapless::Vec<u8, FRAME_LEN_MAX>;
