//! Writes every screen of the pad as a PNG: `cargo run -p firmware --example screens`.
//!
//! English goes to `firmware/screens`, every other language to a folder of its own below it, each
//! with a page that shows them all.

#[path = "../tests/room/mod.rs"]
mod room;

use std::error::Error;
use std::fmt::Write as _;
use std::fs::{File, create_dir_all};
use std::io::BufWriter;
use std::path::Path;

use pad::{DISPLAY_HEIGHT, DISPLAY_WIDTH, Screen};
use protocol::message::Language;
use virtual_pad::Pixels;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("screens");
    for (language, folder) in [
        (Language::English, folder.clone()),
        (Language::German, folder.join("deutsch")),
        (Language::French, folder.join("francais")),
        (Language::Dutch, folder.join("nederlands")),
    ] {
        create_dir_all(&folder)?;
        let mut page = String::from(
            "# Every screen of the pad\n\nWritten by `cargo run -p firmware --example screens`.\n",
        );
        for (name, screen) in room::gallery::gallery(language) {
            write(&screen, &folder.join(&name).with_extension("png"))?;
            writeln!(page, "\n![{name}]({name}.png)")?;
        }
        std::fs::write(folder.join("README.md"), page)?;
    }
    Ok(())
}

fn write(screen: &Screen, path: &Path) -> Result<(), Box<dyn Error>> {
    let mut encoder = png::Encoder::new(
        BufWriter::new(File::create(path)?),
        DISPLAY_WIDTH,
        DISPLAY_HEIGHT,
    );
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    encoder.set_compression(png::Compression::High);
    // Ink is black: a zero in the picture.
    let paper: Vec<u8> = Pixels::of(screen)
        .bytes()
        .iter()
        .map(|byte| !byte)
        .collect();
    encoder.write_header()?.write_image_data(&paper)?;
    Ok(())
}
