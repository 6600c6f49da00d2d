//! Puts the top-level `memory.x` on the linker's search path and passes the link scripts of the
//! image, for bare metal only.
use std::path::PathBuf;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../memory.x");
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "none") {
        let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it for build scripts"));
        fs::copy("../memory.x", out.join("memory.x"))
            .expect("memory.x is at the top of the repository");
        println!("cargo::rustc-link-search={}", out.display());
        for argument in ["--nmagic", "-Tlink.x", "-Tdefmt.x"] {
            println!("cargo::rustc-link-arg-bin=pad={argument}");
        }
    }
}
