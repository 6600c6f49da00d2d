//! The pad's programs for those who use them: what a programmer writes into a new pad, and the file
//! with which the page updates one by cable.

use ed25519_dalek::{Signer, SigningKey};
use object::read::elf::{ElfFile32, ProgramHeader};
use object::{Endianness, Object, ObjectSymbol};
use pad::slots::{Layout, Manifest, PACKAGE_MAGIC, Package, Slot};
use protocol::message::{FirmwareVersion, WIRE_VERSION};
use sha2::{Digest, Sha256};

/// Where the chip's flash begins.
const FLASH: u32 = 0x0800_0000;

/// Under this name an image has its version.
const VERSION: &str = "BYESTAND_VERSION";

/// Bytes that the flash writes together.
const WORD_LEN: usize = 8;

/// A program as it lies in the flash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// From the beginning of the flash.
    start: u32,
    bytes: Vec<u8>,
    /// Where its version is; the loader has none.
    version_at: Option<usize>,
}

impl Image {
    /// From what the linker has made.
    pub fn read(elf: &[u8]) -> Result<Self, String> {
        let file = ElfFile32::<Endianness>::parse(elf).map_err(|fault| fault.to_string())?;
        let endian = file.endian();
        let mut parts = Vec::new();
        for header in file.elf_program_headers() {
            let bytes = header.data(endian, elf).unwrap_or_default();
            let at = header.p_paddr(endian);
            if header.p_type(endian) == object::elf::PT_LOAD && !bytes.is_empty() {
                parts.push((
                    at.checked_sub(FLASH).ok_or("it is not for the flash")?,
                    bytes,
                ));
            }
        }
        let start = parts.iter().map(|(at, _)| *at).min();
        let start = start.ok_or("it is empty")?;
        let mut whole = Vec::new();
        for (at, part) in parts {
            let at = usize::try_from(at - start).map_err(|fault| fault.to_string())?;
            let end = (at + part.len()).next_multiple_of(WORD_LEN);
            whole.resize(whole.len().max(end), 0xff);
            whole[at..at + part.len()].copy_from_slice(part);
        }
        let mut symbols = file.symbols();
        let version = symbols.find(|symbol| symbol.name() == Ok(VERSION));
        let version_at = version
            .and_then(|symbol| u32::try_from(symbol.address()).ok())
            .and_then(|at| usize::try_from(at.checked_sub(FLASH + start)?).ok());
        Ok(Self {
            start,
            bytes: whole,
            version_at,
        })
    }

    /// Its version, as it would say itself.
    pub fn version(&self) -> Option<FirmwareVersion> {
        let at = self.version_at?;
        let [major, minor, patch] = self.bytes.get(at..at + 3)?.try_into().ok()?;
        Some(FirmwareVersion(major, minor, patch))
    }

    /// The same program under another version: a pad can't tell it from the next one.
    #[must_use]
    pub fn renamed(mut self, FirmwareVersion(major, minor, patch): FirmwareVersion) -> Self {
        if let Some(at) = self.version_at {
            self.bytes[at..at + 3].copy_from_slice(&[major, minor, patch]);
        }
        self
    }

    /// Whether pads with this program trust what a key signs.
    pub fn trusts(&self, key: &SigningKey) -> bool {
        let makers = key.verifying_key().to_bytes();
        self.bytes.windows(makers.len()).any(|it| it == makers)
    }

    fn manifest(&self, key: &SigningKey) -> Result<Manifest, String> {
        let places = [Slot::A, Slot::B];
        let slot = places
            .into_iter()
            .find(|slot| Layout::CHIP.start(*slot) == self.start);
        let mut manifest = Manifest {
            slot: slot.ok_or("it is linked for neither slot")?,
            len: u32::try_from(self.bytes.len()).map_err(|fault| fault.to_string())?,
            version: self.version().ok_or("it does not say its version")?,
            wire: WIRE_VERSION,
            hash: Sha256::digest(&self.bytes).into(),
            signature: [0; 64],
        };
        if manifest.len > Layout::CHIP.program_len_max() {
            return Err("it is too long for its slot".to_owned());
        }
        manifest.signature = key.sign(&manifest.signed()).to_bytes();
        Ok(manifest)
    }
}

/// The key with which anybody can sign; pads that are built from source trust it.
pub fn development_key() -> SigningKey {
    let words = "Byestand: the development key, with which anybody can sign";
    SigningKey::from_bytes(&Sha256::digest(words).into())
}

/// The file with which the page updates pads.
pub fn package(a: &Image, b: &Image, key: &SigningKey) -> Result<Vec<u8>, String> {
    let mut file = PACKAGE_MAGIC.to_vec();
    for image in [a, b] {
        file.extend(image.manifest(key)?.bytes());
    }
    file.extend(&a.bytes);
    file.extend(&b.bytes);
    Package::read(&file).map_err(|refusal| refusal.to_string())?;
    Ok(file)
}

/// What a programmer writes into a new pad from the beginning of its flash: the loader and the first
/// program.
pub fn factory(loader: &Image, a: &Image, key: &SigningKey) -> Result<Vec<u8>, String> {
    let layout = Layout::CHIP;
    let manifest = a.manifest(key)?;
    if loader.start != 0 || loader.bytes.len() > layout.start(Slot::A) as usize {
        return Err("the loader does not fit before the first slot".to_owned());
    }
    let parts: [(u32, &[u8]); 3] = [
        (0, &loader.bytes),
        (layout.start(Slot::A), &a.bytes),
        (layout.manifest(Slot::A), &manifest.bytes()),
    ];
    let mut flash = Vec::new();
    for (at, part) in parts {
        flash.resize(at as usize, 0xff);
        flash.extend_from_slice(part);
    }
    Ok(flash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pads_from_source_trust_the_development_key() {
        assert_eq!(
            development_key().verifying_key().to_bytes(),
            pad::update::MAKERS,
            "unless BYESTAND_MAKERS names another"
        );
    }

    #[test]
    fn a_file_is_made_of_images_for_both_slots_and_no_others() {
        let image = |slot: Slot, fill: u8| Image {
            start: Layout::CHIP.start(slot),
            bytes: [[fill; 64], [1; 64]].concat(),
            version_at: Some(64),
        };
        let (a, b) = (image(Slot::A, 3), image(Slot::B, 4));
        let key = development_key();
        let file = package(&a, &b, &key).expect("both slots");
        let read = Package::read(&file).expect("as it was made");
        assert_eq!(read.of(Slot::B).bytes, b.bytes);
        assert_eq!(read.a.manifest.version, FirmwareVersion(1, 1, 1));
        assert!(read.a.manifest.is_signed_by(&pad::update::MAKERS));
        assert!(package(&b, &a, &key).is_err(), "the wrong way round");
        let mut damaged = file;
        if let Some(last) = damaged.last_mut() {
            *last ^= 1;
        }
        assert!(Package::read(&damaged).is_err());
    }
}
