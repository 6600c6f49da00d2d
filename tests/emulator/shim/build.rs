//! Places the shim in SRAM2, for bare metal only.
use std::env;

fn main() {
    println!("cargo::rerun-if-changed=shim.ld");
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "none") {
        let directory = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it for build scripts");
        println!("cargo::rustc-link-arg-bins=-T{directory}/shim.ld");
    }
}
