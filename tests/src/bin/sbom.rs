//! Prints the list of parts (SBOM) of the base station's program as `CycloneDX` JSON, for a release:
//! `cargo run -p tests --bin sbom > byestand.cdx.json`, and for another platform
//! `cargo run -p tests --bin sbom -- x86_64-pc-windows-gnu`.

use std::io::Write;

use tests::supply_chain::Parts;

fn main() -> std::io::Result<()> {
    let target = std::env::args().nth(1);
    let list = Parts::read_for(target.as_deref()).bill_of_materials("base-station");
    let mut out = std::io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, &list)?;
    writeln!(out)
}
