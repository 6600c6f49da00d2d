//! What a program is, and who signed that; and a file with the programs for both slots.

use ed25519_dalek::{Signature, VerifyingKey};
use protocol::message::FirmwareVersion;
use protocol::words::Refusal;
use sha2::{Digest, Sha256};

use super::Slot;

/// Bytes of a manifest.
pub const MANIFEST_LEN: usize = 112;
const SIGNED_LEN: usize = 48;
const MAGIC: [u8; 7] = *b"BYEPAD1";

/// What a program is, and who says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// The slot it is linked for.
    pub slot: Slot,
    /// Its length.
    pub len: u32,
    /// Its version.
    pub version: FirmwareVersion,
    /// The wire version that it speaks.
    pub wire: u8,
    /// SHA-256 over the program.
    pub hash: [u8; 32],
    /// Ed25519 over everything before it.
    pub signature: [u8; 64],
}

impl Manifest {
    /// What is signed.
    pub fn signed(&self) -> [u8; SIGNED_LEN] {
        let mut bytes = [0; SIGNED_LEN];
        let FirmwareVersion(major, minor, patch) = self.version;
        let parts = MAGIC
            .into_iter()
            .chain([self.slot.number()])
            .chain(self.len.to_le_bytes())
            .chain([major, minor, patch, self.wire])
            .chain(self.hash);
        for (place, byte) in bytes.iter_mut().zip(parts) {
            *place = byte;
        }
        bytes
    }

    /// Whether the owner of this key vouches for it.
    pub fn is_signed_by(&self, makers: &[u8; 32]) -> bool {
        let signature = Signature::from_bytes(&self.signature);
        VerifyingKey::from_bytes(makers)
            .is_ok_and(|key| key.verify_strict(&self.signed(), &signature).is_ok())
    }

    /// As it is written.
    pub fn bytes(&self) -> [u8; MANIFEST_LEN] {
        let mut bytes = [0; MANIFEST_LEN];
        let parts = self.signed().into_iter().chain(self.signature);
        for (place, byte) in bytes.iter_mut().zip(parts) {
            *place = byte;
        }
        bytes
    }

    /// Back from what was written.
    pub fn read(bytes: &[u8; MANIFEST_LEN]) -> Option<Self> {
        let (signed, signature) = bytes.split_first_chunk::<SIGNED_LEN>()?;
        let (magic, rest) = signed.split_first_chunk::<7>()?;
        let ([slot], rest) = rest.split_first_chunk::<1>()?;
        let (len, rest) = rest.split_first_chunk::<4>()?;
        let ([major, minor, patch, wire], rest) = rest.split_first_chunk::<4>()?;
        (*magic == MAGIC).then_some(())?;
        Some(Self {
            slot: Slot::from_number(*slot)?,
            len: u32::from_le_bytes(*len),
            version: FirmwareVersion(*major, *minor, *patch),
            wire: *wire,
            hash: rest.try_into().ok()?,
            signature: signature.try_into().ok()?,
        })
    }
}

/// How a file with programs begins.
pub const PACKAGE_MAGIC: [u8; 8] = *b"BYEPADS1";

/// A file with one version's programs for both slots: the magic, both manifests, both programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Package<'a> {
    /// For the first slot.
    pub a: Program<'a>,
    /// For the second.
    pub b: Program<'a>,
}

/// A program with its manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Program<'a> {
    /// What it is.
    pub manifest: Manifest,
    /// Itself.
    pub bytes: &'a [u8],
}

impl<'a> Package<'a> {
    /// Reads a file. Whether pads trust its makers is for the pads to say.
    pub fn read(file: &'a [u8]) -> Result<Self, Refusal> {
        let parts = || {
            let (magic, rest) = file.split_first_chunk::<8>()?;
            let (a, rest) = rest.split_first_chunk::<MANIFEST_LEN>()?;
            let (b, rest) = rest.split_first_chunk::<MANIFEST_LEN>()?;
            (*magic == PACKAGE_MAGIC).then_some(())?;
            let (a, b) = (Manifest::read(a)?, Manifest::read(b)?);
            let len = usize::try_from(a.len).ok()?;
            let (of_a, of_b) = rest.split_at_checked(len)?;
            let programs = [(a, of_a), (b, of_b)];
            Some(programs.map(|(manifest, bytes)| Program { manifest, bytes }))
        };
        let [a, b] = parts().ok_or(Refusal("this is no file with a program for pads"))?;
        let fits = |one: Program<'_>, slot: Slot| {
            one.manifest.slot == slot
                && usize::try_from(one.manifest.len) == Ok(one.bytes.len())
                && one.bytes.len().is_multiple_of(8)
                && Sha256::digest(one.bytes)[..] == one.manifest.hash
        };
        let same = (a.manifest.version, a.manifest.wire) == (b.manifest.version, b.manifest.wire);
        if !(fits(a, Slot::A) && fits(b, Slot::B) && same) {
            return Err(Refusal("the file is damaged: get it again"));
        }
        Ok(Self { a, b })
    }

    /// The program for a slot.
    pub const fn of(&self, slot: Slot) -> Program<'a> {
        match slot {
            Slot::A => self.a,
            Slot::B => self.b,
        }
    }
}
