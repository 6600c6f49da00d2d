//! Makes the wiring diagram and the page of the pad one can build from `firmware/hardware/pad.toml`:
//! `cargo run -p tests --bin hardware`.

use tests::hardware::{Hardware, folder};

fn main() -> std::io::Result<()> {
    let hardware = Hardware::read();
    std::fs::write(folder().join("wiring.svg"), hardware.diagram())?;
    std::fs::write(folder().join("README.md"), hardware.page())
}
