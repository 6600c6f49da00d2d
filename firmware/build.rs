//! Makes bitmaps of the pad's type, tells whose programs pads trust, and for bare metal says where in
//! the flash each program lies and passes the link scripts.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs};

use fontdue::{Font, FontSettings};

#[path = "type/pack.rs"]
mod pack;

/// The pad's type: see `type/README.md`.
const TYPE: &str = "type/AtkinsonHyperlegibleNext-SemiBold.ttf";

/// Name and height of the capitals in pixels, and whether names are set in it.
const SIZES: [(&str, usize, bool); 3] = [
    ("SMALL", 18, false),
    ("NORMAL", 24, true),
    ("LARGE", 34, false),
];

/// The public key of those who may sign programs, in hexadecimal: see `makers.pub`.
const MAKERS: &str = "makers.pub";
const MAKERS_VARIABLE: &str = "BYESTAND_MAKERS";

/// Each program, and where it lies in the flash: `Layout::CHIP` in `src/slots`.
const PLACES: [(&str, &str); 3] = [
    ("loader", "ORIGIN = 0x08000000, LENGTH = 32K"),
    ("pad", "ORIGIN = 0x08008000, LENGTH = 470K"),
    ("pad-b", "ORIGIN = 0x08080000, LENGTH = 470K"),
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../memory.x");
    println!("cargo::rerun-if-changed={MAKERS}");
    println!("cargo::rerun-if-env-changed={MAKERS_VARIABLE}");
    println!("cargo::rerun-if-changed=type");
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it for build scripts"));
    fs::write(out.join("type.rs"), faces()).expect("the output folder can be written");
    fs::write(out.join("makers.rs"), makers()).expect("the output folder can be written");
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "none") {
        for (program, place) in PLACES {
            let folder = out.join(program);
            fs::create_dir_all(&folder).expect("the output folder can be written");
            fs::copy("../memory.x", folder.join("memory.x"))
                .expect("memory.x is at the top of the repository");
            let place = format!("FLASH : {place}\n");
            fs::write(folder.join("place.x"), place).expect("it can be written");
            let search = format!("-L{}", folder.display());
            for argument in [search.as_str(), "--nmagic", "-Tlink.x", "-Tdefmt.x"] {
                println!("cargo::rustc-link-arg-bin={program}={argument}");
            }
        }
    }
}

/// The key as Rust.
fn makers() -> String {
    let key = env::var(MAKERS_VARIABLE)
        .unwrap_or_else(|_| fs::read_to_string(MAKERS).expect("makers.pub is beside this script"));
    let digits = key.lines().find(|line| !line.starts_with('#'));
    let digits = digits.unwrap_or_default().trim();
    assert!(
        digits.len() == 64 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()),
        "{MAKERS_VARIABLE} or {MAKERS}: expected 64 hexadecimal digits"
    );
    let bytes = digits.as_bytes().chunks(2);
    let bytes = bytes.map(|pair| format!("0x{}", String::from_utf8_lossy(pair)));
    format!("[{}]", bytes.collect::<Vec<_>>().join(", "))
}

/// The letters of English, German, French and Dutch, and for names those of Latin Europe.
fn letters(for_names: bool) -> Vec<char> {
    let mut letters: Vec<char> = (' '..='~').chain('À'..='ÿ').collect();
    letters.extend("§°·«»¿¡Œœ–’…€".chars());
    if for_names {
        letters.extend('Ā'..='ſ');
    }
    letters.sort_unstable();
    letters.dedup();
    letters
}

/// All faces as Rust.
fn faces() -> String {
    let bytes = fs::read(TYPE).expect("the type is beside this script");
    let font = Font::from_bytes(bytes, FontSettings::default()).expect("a font");
    let mut source = String::new();
    for (name, capitals, for_names) in SIZES {
        let size = size_of(&font, capitals);
        let (mut glyphs, mut bits) = (String::new(), Vec::new());
        for letter in letters(for_names) {
            if font.lookup_glyph_index(letter) == 0 {
                continue;
            }
            let (metrics, coverage) = font.rasterize(letter, size);
            let pixels = |count: usize| i32::try_from(count).expect("a small number");
            let top = pixels(capitals) - pixels(metrics.height) - metrics.ymin;
            writeln!(
                glyphs,
                "Glyph {{ letter: {:?}, at: {}, width: {}, height: {}, left: {}, top: {top}, advance: {} }},",
                letter,
                bits.len(),
                metrics.width,
                metrics.height,
                metrics.xmin,
                metrics.advance_width.round(),
            )
            .expect("a string takes everything");
            let rows = coverage.chunks(metrics.width.max(1)).map(|row| {
                let columns = row.iter().enumerate();
                columns.fold(0_u64, |row, (column, ink)| {
                    row | u64::from(*ink >= 112) << (63 - column)
                })
            });
            let width = u32::try_from(metrics.width).expect("a small number");
            bits.extend(pack::pack(&rows.collect::<Vec<_>>(), width));
        }
        writeln!(
            source,
            "pub(super) static {name}: Face = Face {{ glyphs: &[{glyphs}], bits: &{bits:?} }};"
        )
        .expect("a string takes everything");
    }
    source
}

/// The size at which capitals have this height.
fn size_of(font: &Font, capitals: usize) -> f32 {
    let mut size = 10.0;
    while font.metrics('H', size).height < capitals {
        size += 0.125;
    }
    size
}
