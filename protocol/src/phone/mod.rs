//! How a phone becomes a pad: the code that it scans at a table, and the keys that it is given.
//!
//! A code has a name, which everybody may see, and a secret, which stands in the part of the
//! address that a browser never sends. The phone draws a number of its own ([`Device`]), says it
//! together with a proof that it has read the secret, and gets its identity and its keys sealed
//! under the secret and that number. Who only listens learns neither; who has not read the code
//! can ask for nothing.

mod notes;

use core::fmt;
use core::str::FromStr;

use aes::Aes128;
use ccm::aead::array::Array;
use ccm::consts::{U8, U13};
use ccm::{AeadInOut, Ccm, KeyInit};

use crate::frame::{ClubKey, NetworkId, PadKeys, derive};
use crate::words::{PadId, Refusal, SectionLetter, SessionId, TableNumber};

pub use notes::{End, LineSalt, Notes};

/// What seals a grant or a note.
type Cipher = Ccm<Aes128, U8, U13>;

/// Proves that nothing was changed.
pub type Tag = [u8; 8];

/// What a phone draws at random, once for each code that it scans: the same phone that asks again
/// gets the same answer, and another one gets none.
pub type Device = [u8; 16];

/// Shows that the phone has read the code.
pub type Proof = [u8; 16];

/// Identity, keys and network.
const GRANT_LEN: usize = 4 + PadKeys::LEN + 1;

/// A grant as it is sent: sealed, with a tag of eight bytes.
pub type SealedGrant = [u8; GRANT_LEN + 8];

/// The name of a code. The number counts the codes of a table: when one has been used, the next one
/// is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Code {
    /// For this session.
    pub session: SessionId,
    /// In this section.
    pub section: SectionLetter,
    /// At this table.
    pub table: TableNumber,
    /// Counted from 0.
    pub number: u16,
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            session,
            section,
            table,
            number,
        } = self;
        write!(f, "{session}-{section}-{table}-{number}")
    }
}

const EXPECTED: Refusal =
    Refusal("expected the code of a table: session, section, table and number");

impl FromStr for Code {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        let mut parts = text.split('-');
        let mut next = || parts.next().ok_or(EXPECTED);
        let code = Self {
            session: next()?.parse()?,
            section: next()?.parse()?,
            table: next()?.parse()?,
            number: next()?.parse().map_err(|_| EXPECTED)?,
        };
        match parts.next() {
            None => Ok(code),
            Some(_) => Err(EXPECTED),
        }
    }
}

/// The secret of a code.
#[derive(Clone, PartialEq, Eq)]
pub struct CodeSecret([u8; 16]);

/// What a phone is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Who it is from now on.
    pub pad: PadId,
    /// Its keys.
    pub keys: PadKeys,
    /// Where it finds its base.
    pub network: NetworkId,
}

impl CodeSecret {
    /// The secret that belongs to a code of this club.
    pub fn of(club: &ClubKey, code: Code) -> Self {
        let [s0, s1, s2, s3] = code.session.get().to_le_bytes();
        let [t0, t1] = code.table.get().to_le_bytes();
        let [n0, n1] = code.number.to_le_bytes();
        let name = [s0, s1, s2, s3, u8::from(code.section), t0, t1, n0, n1];
        Self(club.phone_code(&name))
    }

    /// The secret of a code for a pair's own phone, by the code's whole name.
    pub fn of_own(club: &ClubKey, name: &str) -> Self {
        Self(club.own_phone_code(name.as_bytes()))
    }

    /// Shows that whoever says this device's number has read the code.
    pub fn proof(&self, device: &Device) -> Proof {
        derive(&[], &self.0, &[b"byestand phone proof", device])
    }

    /// Whether a proof is right. It takes as long for every wrong one.
    pub fn is_proven(&self, device: &Device, proof: &Proof) -> bool {
        let right = self.proof(device);
        let differ = right.iter().zip(proof).fold(0, |all, (a, b)| all | (a ^ b));
        differ == 0
    }

    /// What the phone is given, readable for nobody else.
    pub fn seal(&self, device: &Device, grant: &Grant) -> Option<SealedGrant> {
        let mut sealed = [0; GRANT_LEN + 8];
        let (plain, tag) = sealed.split_last_chunk_mut::<8>()?;
        let content = grant.pad.get().to_le_bytes().into_iter();
        let content = content
            .chain(grant.keys.bytes())
            .chain([grant.network.get()]);
        for (to, from) in plain.iter_mut().zip(content) {
            *to = from;
        }
        let made = self
            .cipher(device)
            .encrypt_inout_detached(&Array(NONCE), b"", plain.into());
        *tag = made.ok()?.into();
        Some(sealed)
    }

    /// What this phone was given; `None` if it was not given by this club for this device.
    pub fn open(&self, device: &Device, sealed: &SealedGrant) -> Option<Grant> {
        let mut sealed = *sealed;
        let (plain, tag) = sealed.split_last_chunk_mut::<8>()?;
        let tag = Array(*tag);
        self.cipher(device)
            .decrypt_inout_detached(&Array(NONCE), b"", plain.into(), &tag)
            .ok()?;
        let (pad, rest) = plain.split_first_chunk::<4>()?;
        let (keys, network) = rest.split_first_chunk()?;
        Some(Grant {
            pad: PadId::new(u32::from_le_bytes(*pad))?,
            keys: PadKeys::from_bytes(keys),
            network: NetworkId::new(*network.first()?),
        })
    }

    /// One key for each device, which seals one thing: the nonce need not change.
    fn cipher(&self, device: &Device) -> Cipher {
        let key: [u8; 16] = derive(&[], &self.0, &[b"byestand phone grant", device]);
        Cipher::new(&Array(key))
    }
}

const NONCE: [u8; 13] = [0; 13];

/// As it stands in the address: 32 hexadecimal digits.
impl fmt::Display for CodeSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for CodeSecret {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        const EXPECTED: Refusal = Refusal("expected the secret of a code: 32 hexadecimal digits");
        let mut digits = text.chars().map(|digit| digit.to_digit(16));
        let mut next = || {
            let digit = digits.next().flatten().ok_or(EXPECTED)?;
            u8::try_from(digit).map_err(|_| EXPECTED)
        };
        let mut secret = [0; 16];
        for byte in &mut secret {
            *byte = next()? << 4 | next()?;
        }
        match digits.next() {
            None => Ok(Self(secret)),
            Some(_) => Err(EXPECTED),
        }
    }
}

/// Secrets stay out of logs.
impl fmt::Debug for CodeSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CodeSecret")
    }
}
