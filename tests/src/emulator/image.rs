//! The image that would be flashed, and what it takes of the chip.

use std::path::{Path, PathBuf};

use object::{Object, ObjectSection, ObjectSymbol, SectionFlags, elf};
use protocol::message::FirmwareVersion;
use release::pads::{self, development_key, factory, package};

/// The pad's image and the bench shim that runs it in the emulator.
#[derive(Clone, Debug)]
pub struct Image {
    /// The pad's program for its first slot, as it would be flashed.
    pub pad: PathBuf,
    /// The same for its second slot.
    pub second: PathBuf,
    /// What starts one of them.
    pub loader: PathBuf,
    /// Loaded beside it, in the emulator only.
    pub shim: PathBuf,
}

/// Bytes of the chip's memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Code and constants.
    pub text: u64,
    /// Variables with a first value, which takes flash as well as RAM.
    pub data: u64,
    /// Variables that start as zero or with nothing.
    pub bss: u64,
}

impl Size {
    /// What the image takes of the flash.
    pub fn flash(self) -> u64 {
        self.text + self.data
    }

    /// What the image's statics take of the RAM; the stack is not among them.
    pub fn static_ram(self) -> u64 {
        self.data + self.bss
    }
}

impl Image {
    /// The image that `tests/firmware-toolchain` has built.
    ///
    /// Panics with the command to type if it has not.
    pub fn built() -> Self {
        let directory = target_directory().join("thumbv7em-none-eabihf/firmware");
        let image = Self::inside(&directory);
        for (file, command) in [
            (&image.pad, "fw"),
            (&image.second, "fw"),
            (&image.loader, "fw"),
            (&image.shim, "shim"),
        ] {
            assert!(
                file.is_file(),
                "{} is missing: build it with `tests/firmware-toolchain {command}`",
                file.display()
            );
        }
        image
    }

    /// The image, if `tests/firmware-toolchain fw` has built it. Enough to be measured, not to be
    /// run: the shim may be missing.
    pub fn find() -> Option<Self> {
        let directory = target_directory().join("thumbv7em-none-eabihf/firmware");
        let image = Self::inside(&directory);
        image.pad.is_file().then_some(image)
    }

    fn inside(directory: &Path) -> Self {
        Self {
            pad: directory.join("pad"),
            second: directory.join("pad-b"),
            loader: directory.join("loader"),
            shim: directory.join("bench-shim"),
        }
    }

    /// What a programmer writes into a new pad.
    pub fn factory(&self) -> Vec<u8> {
        factory(&read(&self.loader), &read(&self.pad), &development_key()).expect("they fit")
    }

    /// The file with which the page updates pads to a version; what is in it differs from the image
    /// that was built in its version only.
    pub fn update(&self, version: FirmwareVersion) -> Vec<u8> {
        let [a, b] = [&self.pad, &self.second].map(|file| read(file).renamed(version));
        package(&a, &b, &development_key()).expect("they fit")
    }

    /// Measures the sections that are loaded.
    pub fn size(&self) -> Size {
        let bytes = std::fs::read(&self.pad).expect("the image can be read");
        let file = object::File::parse(&*bytes).expect("the image is an ELF file");
        let mut size = Size {
            text: 0,
            data: 0,
            bss: 0,
        };
        for section in file.sections() {
            let SectionFlags::Elf { sh_flags } = section.flags() else {
                continue;
            };
            let has = |flag: u32| sh_flags & u64::from(flag) != 0;
            let kind = match (has(elf::SHF_ALLOC), has(elf::SHF_WRITE)) {
                (false, _) => continue,
                (true, false) => &mut size.text,
                (true, true) if section.file_range().is_some() => &mut size.data,
                (true, true) => &mut size.bss,
            };
            *kind += section.size();
        }
        size
    }

    /// Where the linker has put a symbol.
    pub fn address_of(&self, name: &str) -> u64 {
        let bytes = std::fs::read(&self.pad).expect("the image can be read");
        let file = object::File::parse(&*bytes).expect("the image is an ELF file");
        file.symbols()
            .find(|symbol| symbol.name() == Ok(name))
            .unwrap_or_else(|| panic!("the image has no symbol {name}"))
            .address()
    }
}

fn read(file: &Path) -> pads::Image {
    let elf = std::fs::read(file).expect("the image can be read");
    pads::Image::read(&elf).expect("an image for the flash")
}

/// Cargo's target directory, from the place of the running test.
pub(crate) fn target_directory() -> PathBuf {
    let program = std::env::current_exe().expect("a running program has a path");
    // target/debug/deps/test, or target/release/program
    let is_profile = |folder: &&Path| {
        let name = folder.file_name().and_then(|name| name.to_str());
        matches!(name, Some("debug" | "release"))
    };
    let profile = program.ancestors().find(is_profile);
    profile
        .and_then(Path::parent)
        .map(Path::to_owned)
        .expect("tests run from cargo's target directory")
}
