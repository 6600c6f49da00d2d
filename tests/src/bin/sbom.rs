//! Prints the list of parts (SBOM) of the base station's program as `CycloneDX` JSON, for a release:
//! `cargo run -p tests --bin sbom > byestand.cdx.json`.

use std::io::Write;

use tests::supply_chain::Parts;

fn main() -> std::io::Result<()> {
    let list = Parts::read().bill_of_materials("base-station");
    let mut out = std::io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, &list)?;
    writeln!(out)
}
