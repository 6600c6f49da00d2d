//! Makes bitmaps of the pad's type, and for bare metal puts the top-level `memory.x` on the linker's
//! search path and passes the link scripts of the image.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs};

use fontdue::{Font, FontSettings};

/// The pad's type: see `type/README.md`.
const TYPE: &str = "type/AtkinsonHyperlegibleNext-SemiBold.ttf";

/// Name and height of the capitals in pixels, and whether names are set in it.
const SIZES: [(&str, usize, bool); 3] = [
    ("SMALL", 18, false),
    ("NORMAL", 24, true),
    ("LARGE", 34, false),
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../memory.x");
    println!("cargo::rerun-if-changed={TYPE}");
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it for build scripts"));
    fs::write(out.join("type.rs"), faces()).expect("the output folder can be written");
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "none") {
        fs::copy("../memory.x", out.join("memory.x"))
            .expect("memory.x is at the top of the repository");
        println!("cargo::rustc-link-search={}", out.display());
        for argument in ["--nmagic", "-Tlink.x", "-Tdefmt.x"] {
            println!("cargo::rustc-link-arg-bin=pad={argument}");
        }
    }
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
            for byte in coverage.chunks(8) {
                let ink = byte.iter().enumerate();
                bits.push(ink.fold(0_u8, |row, (place, ink)| {
                    row | u8::from(*ink >= 112) << (7 - place)
                }));
            }
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
