//! Compiles the pad to WebAssembly, in a target folder of its own. Whatever is missing for that
//! stops nobody from building the base station.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const TARGET: &str = "wasm32-unknown-unknown";

/// What the nested build must not take over from the one around it: wrappers of clippy, flags for
/// this machine's processor, the folder and target of the outer build.
const NOT_OURS: [&str; 9] = [
    "RUSTC",
    "RUSTC_WRAPPER",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTFLAGS",
    "CARGO_ENCODED_RUSTFLAGS",
    "CARGO_BUILD_TARGET",
    "CARGO_TARGET_DIR",
    "CARGO_BUILD_TARGET_DIR",
    "CARGO_MAKEFLAGS",
];

fn main() {
    let workspace = Path::new("../../..");
    for path in [
        "build.rs",
        "../src",
        "../Cargo.toml",
        "../../src",
        "../../Cargo.toml",
        "../../../protocol/src",
        "../../../protocol/Cargo.toml",
        "../../../Cargo.lock",
    ] {
        println!("cargo::rerun-if-changed={path}");
    }
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it for build scripts"));
    let (image, missing) = match build(workspace, &out) {
        Ok(image) => (image, String::new()),
        Err(why) => {
            println!("cargo::warning=phones can't be pads with this program: {why}");
            (Vec::new(), why)
        }
    };
    fs::write(out.join("phone.wasm"), image).expect("the output folder can be written");
    fs::write(out.join("missing.txt"), missing).expect("the output folder can be written");
}

fn build(workspace: &Path, out: &Path) -> Result<Vec<u8>, String> {
    if !has_target() {
        // Where rustup is not, or gets nothing, the build says what is missing.
        let _ = clean("rustup").args(["target", "add", TARGET]).output();
    }
    if !has_target() {
        return Err(format!(
            "Rust's target {TARGET} is not on this machine: run rustup target add {TARGET} and build again"
        ));
    }
    // One folder for all profiles: <target>/<profile>/build/<package>/out.
    let shared = out.ancestors().nth(4).unwrap_or(out).join("phone");
    let cargo = env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let built = clean(&cargo)
        .current_dir(workspace)
        .args(["build", "--package", "phone", "--lib", "--profile", "phone"])
        .args(["--locked", "--target", TARGET, "--target-dir"])
        .arg(&shared)
        .output()
        .map_err(|fault| format!("cargo could not be run: {fault}"))?;
    if !built.status.success() {
        let said = String::from_utf8_lossy(&built.stderr);
        let last = said.lines().rev().find(|line| !line.trim().is_empty());
        return Err(format!(
            "compiling the package phone for {TARGET} failed: {}",
            last.unwrap_or("no reason given")
        ));
    }
    let image = shared.join(TARGET).join("phone/phone.wasm");
    fs::read(&image).map_err(|fault| format!("{} can't be read: {fault}", image.display()))
}

/// Whether the compiler that cargo uses has the target's standard library.
fn has_target() -> bool {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let asked = clean(&rustc)
        .args(["--print", "target-libdir", "--target", TARGET])
        .output();
    let folder = asked.ok().filter(|asked| asked.status.success());
    let folder = folder.and_then(|asked| String::from_utf8(asked.stdout).ok());
    folder.is_some_and(|folder| Path::new(folder.trim()).is_dir())
}

fn clean(program: &str) -> Command {
    let mut command = Command::new(program);
    for name in NOT_OURS {
        command.env_remove(name);
    }
    command
}
