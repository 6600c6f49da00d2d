//! The club's key and everything that is derived from it.

use core::fmt;
use core::str::FromStr;

use hkdf::Hkdf;
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use super::NetworkId;
use crate::words::{PadId, Refusal};

/// The secret that a club's base stations and pads share.
#[derive(Clone, PartialEq, Eq)]
pub struct ClubKey([u8; 32]);

/// What a pad keeps of the club key: enough for its own conversation, not enough for another's.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PadKeys {
    /// Only this pad and the base have it.
    pad: [u8; 32],
    /// Every pad of the club has it; the base's answers to strangers are checked with it.
    stranger: [u8; 16],
    /// Two bytes that tell clubs apart without telling the key.
    check: KeyCheck,
}

/// Two bytes in clear that differ between clubs, so that a pad can say that it belongs to another
/// one. They prove nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct KeyCheck(pub [u8; 2]);

/// Random bytes that a base draws when it starts. Session keys depend on them, so a base that was
/// restored from an old backup never uses a nonce again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BaseNonce(pub [u8; 8]);

/// Counts the associations of one pad. It does not go back while a base runs: pads keep it in
/// flash. A pad uses a few an evening; should the numbers ever run out they begin again, with a
/// base that has been restarted since.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct AssociationNumber(pub u32);

impl AssociationNumber {
    /// The highest: two bytes go on the air.
    const MAX: u32 = 0xFFFF;

    /// As it goes on the air, and into keys and nonces.
    pub(crate) const fn bytes(self) -> [u8; 2] {
        let [low, high, ..] = self.0.to_le_bytes();
        [low, high]
    }

    pub(crate) const fn from_bytes(bytes: [u8; 2]) -> Self {
        Self(u16::from_le_bytes(bytes) as u32)
    }

    /// The one after.
    pub const fn next(self) -> Self {
        Self(if self.0 >= Self::MAX { 1 } else { self.0 + 1 })
    }
}

/// The keys of one association, one for each direction.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct SessionKeys {
    pub(crate) up: [u8; 16],
    pub(crate) down: [u8; 16],
}

impl ClubKey {
    /// From 32 random bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The secret itself, to be written where only the club can read it.
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// What differs between clubs and may be seen by everybody.
    pub fn check(&self) -> KeyCheck {
        KeyCheck(derive(&[], &self.0, &[b"byestand check"]))
    }

    /// What one pad may know.
    pub fn for_pad(&self, pad: PadId) -> PadKeys {
        PadKeys {
            pad: derive(&[], &self.0, &[b"byestand pad", &pad.get().to_le_bytes()]),
            stranger: derive(&[], &self.0, &[b"byestand stranger"]),
            check: self.check(),
        }
    }
}

impl PadKeys {
    /// What differs between clubs and may be seen by everybody.
    pub const fn check(&self) -> KeyCheck {
        self.check
    }

    pub(crate) const fn stranger(&self) -> &[u8; 16] {
        &self.stranger
    }

    /// The key of a pad's first word to a base.
    pub(crate) fn hello(&self) -> [u8; 16] {
        derive(&[], &self.pad, &[b"byestand hello"])
    }

    pub(crate) fn session(
        &self,
        base: BaseNonce,
        network: NetworkId,
        association: AssociationNumber,
    ) -> SessionKeys {
        let association = association.bytes();
        let key = |direction: &[u8]| -> [u8; 16] {
            derive(
                &base.0,
                &self.pad,
                &[direction, &[network.get()], &association],
            )
        };
        SessionKeys {
            up: key(b"byestand up"),
            down: key(b"byestand down"),
        }
    }
}

/// HKDF-SHA-256 with everything that names the key as its info.
fn derive<const N: usize>(salt: &[u8], secret: &[u8], info: &[&[u8]]) -> [u8; N] {
    let mut key = [0; N];
    // HKDF refuses only outputs beyond 255 hashes; ours is at most one.
    let _ = Hkdf::<Sha256>::new(Some(salt), secret).expand_multi_info(info, &mut key);
    key
}

impl FromStr for ClubKey {
    type Err = Refusal;

    /// Reads 64 hexadecimal digits; blanks and line ends between them are passed over.
    fn from_str(text: &str) -> Result<Self, Refusal> {
        const EXPECTED: Refusal = Refusal("expected a club key of 64 hexadecimal digits");
        let mut digits = text
            .chars()
            .filter(|digit| !digit.is_whitespace())
            .map(|digit| {
                digit
                    .to_digit(16)
                    .and_then(|digit| u8::try_from(digit).ok())
            });
        let mut key = [0; 32];
        for byte in &mut key {
            let high = digits.next().flatten().ok_or(EXPECTED)?;
            let low = digits.next().flatten().ok_or(EXPECTED)?;
            *byte = high << 4 | low;
        }
        match digits.next() {
            None => Ok(Self(key)),
            Some(_) => Err(EXPECTED),
        }
    }
}

/// Secrets stay out of logs.
impl fmt::Debug for ClubKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ClubKey(check {:02x?})", self.check().0)
    }
}

/// Secrets stay out of logs.
impl fmt::Debug for PadKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PadKeys(check {:02x?})", self.check.0)
    }
}
