//! The club's key and everything that is derived from it.

use core::fmt;
use core::str::FromStr;

use hkdf::Hkdf;
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use super::{NetworkId, Tag, Version};
use crate::words::{PadId, Refusal};

/// The secret that a club's base stations and pads share.
#[derive(Clone, PartialEq, Eq)]
pub struct ClubKey([u8; 32]);

/// What a pad keeps of the club key: enough for its own conversation, and for nobody else's. Who
/// reads a pad's flash can be that pad, and no other pad and no base.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PadKeys {
    /// Only this pad and the base have it.
    pad: [u8; 32],
    /// Where version 1 kept a key that all pads of the club shared.
    shared: Forgotten,
    /// Two bytes that tell clubs apart without telling the key.
    check: KeyCheck,
}

/// Sixteen bytes of a pad's flash that once held a secret: read over, and written as zeros.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Forgotten;

impl Serialize for Forgotten {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        [0u8; 16].serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Forgotten {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <[u8; 16]>::deserialize(deserializer).map(|_| Self)
    }
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

/// Counts the associations of one pad. It never goes back: pads keep it in flash. A pad reserves
/// sixteen at every start and uses a few an evening, so the numbers outlast every pad; one that
/// comes near their end asks for a new key, and at the end it falls silent, because none may be
/// used twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct AssociationNumber(pub u32);

impl AssociationNumber {
    /// No association has it: it stands behind the last.
    pub const END: Self = Self(u32::MAX);

    /// From here on a pad asks for a new key while it still works: a million are left, enough for a
    /// start a minute over six weeks.
    pub const NEAR_END: Self = Self(u32::MAX - (1 << 20));

    /// As it goes into keys and nonces.
    pub(crate) const fn bytes(self) -> [u8; 4] {
        self.0.to_le_bytes()
    }

    /// As it goes on the air in version 1.
    pub(crate) const fn low_bytes(self) -> [u8; 2] {
        let [low, high, ..] = self.0.to_le_bytes();
        [low, high]
    }

    /// The one after; behind the last there is only [`Self::END`].
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
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
            shared: Forgotten,
            check: self.check(),
        }
    }

    /// The secret of a code that makes a phone the pad of a table.
    pub(crate) fn phone_code(&self, name: &[u8]) -> [u8; 16] {
        derive(&[], &self.0, &[b"byestand phone code", name])
    }

    /// The secret of a code for a pair's own phone.
    pub(crate) fn own_phone_code(&self, name: &[u8]) -> [u8; 16] {
        derive(&[], &self.0, &[b"byestand own phone code", name])
    }

    /// Version 1: every pad of the club has it, so what is sealed with it proves little.
    #[cfg(feature = "hub")]
    pub(crate) fn stranger(&self) -> [u8; 16] {
        derive(&[], &self.0, &[b"byestand stranger"])
    }
}

impl PadKeys {
    /// So many bytes are the keys of a pad.
    pub const LEN: usize = 34;

    /// The keys themselves, to be told to the pad that they are made for and to nobody else.
    pub fn bytes(&self) -> [u8; Self::LEN] {
        let mut bytes = [0; Self::LEN];
        for (to, from) in bytes.iter_mut().zip(self.pad.iter().chain(&self.check.0)) {
            *to = *from;
        }
        bytes
    }

    /// Keys that were told in this way.
    pub fn from_bytes(bytes: &[u8; Self::LEN]) -> Self {
        let (mut pad, mut check) = ([0; 32], [0; 2]);
        for (to, from) in pad.iter_mut().chain(&mut check).zip(bytes) {
            *to = *from;
        }
        Self {
            pad,
            shared: Forgotten,
            check: KeyCheck(check),
        }
    }

    /// What differs between clubs and may be seen by everybody.
    pub const fn check(&self) -> KeyCheck {
        self.check
    }

    /// The key of a pad's first word to a base.
    pub(crate) fn hello(&self) -> [u8; 16] {
        derive(&[], &self.pad, &[b"byestand hello"])
    }

    /// Eight bytes that nobody without the key can foresee, and that differ as long as the place
    /// in the pad's life does.
    pub(crate) fn salt(&self, place: [&[u8]; 3]) -> [u8; 8] {
        let [start, hello, seed] = place;
        derive(&[], &self.pad, &[b"byestand salt", start, hello, seed])
    }

    /// The key of the base's answer to one hello of this pad.
    pub(crate) fn stranger(&self, base: BaseNonce, network: NetworkId, hello: Tag) -> [u8; 16] {
        let info: [&[u8]; 3] = [b"byestand 2 stranger", &[network.get()], &hello];
        derive(&base.0, &self.pad, &info)
    }

    pub(crate) fn session(
        &self,
        version: Version,
        base: BaseNonce,
        network: NetworkId,
        association: AssociationNumber,
    ) -> SessionKeys {
        let (low, all) = (association.low_bytes(), association.bytes());
        let key = |direction: &[u8], number: &[u8]| -> [u8; 16] {
            derive(&base.0, &self.pad, &[direction, &[network.get()], number])
        };
        match version {
            Version::One => SessionKeys {
                up: key(b"byestand up", &low),
                down: key(b"byestand down", &low),
            },
            Version::Two => SessionKeys {
                up: key(b"byestand 2 up", &all),
                down: key(b"byestand 2 down", &all),
            },
        }
    }
}

/// HKDF-SHA-256 with everything that names the key as its info.
pub(crate) fn derive<const N: usize>(salt: &[u8], secret: &[u8], info: &[&[u8]]) -> [u8; N] {
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
