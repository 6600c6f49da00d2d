//! Compiles the pad to WebAssembly, in a target folder of its own. Whatever is missing for that
//! stops nobody from building the base station.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

const TARGET: &str = "wasm32-unknown-unknown";

/// The longest that rustup may take to fetch the target: a machine whose network swallows everything
/// still builds.
const FETCH_MAX: Duration = Duration::from_mins(2);

/// The longest that the nested build may take; on a slow laptop it is about a minute.
const BUILD_MAX: Duration = Duration::from_mins(15);

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
        let mut rustup = clean("rustup");
        let _ = bounded(rustup.args(["target", "add", TARGET]), out, FETCH_MAX);
    }
    if !has_target() {
        // rustup writes this when a target comes: then this is tried again.
        let components =
            libraries().and_then(|folder| Some(folder.parent()?.parent()?.join("components")));
        if let Some(components) = components.filter(|it| it.exists()) {
            println!("cargo::rerun-if-changed={}", components.display());
        }
        return Err(format!(
            "Rust's target {TARGET} is not on this machine: run rustup target add {TARGET} and build again"
        ));
    }
    // One folder for all profiles: <target>/<profile>/build/<package>/out.
    let shared = out.ancestors().nth(4).unwrap_or(out).join("phone");
    let cargo = env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let mut nested = clean(&cargo);
    nested
        .current_dir(workspace)
        .env("CARGO_ENCODED_RUSTFLAGS", places_renamed())
        .args(["build", "--package", "phone", "--lib", "--profile", "phone"])
        .args(["--locked", "--target", TARGET, "--target-dir"])
        .arg(&shared);
    bounded(&mut nested, out, BUILD_MAX)
        .map_err(|why| format!("compiling the package phone for {TARGET} failed: {why}"))?;
    let image = shared.join(TARGET).join("phone/phone.wasm");
    fs::read(&image).map_err(|fault| format!("{} can't be read: {fault}", image.display()))
}

/// Runs a program to its end, or ends it after a time. What failed is said in its own last words.
fn bounded(command: &mut Command, out: &Path, longest: Duration) -> Result<(), String> {
    let told = |fault: std::io::Error| fault.to_string();
    let log = out.join("said.txt");
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(fs::File::create(&log).map_err(told)?)
        .spawn()
        .map_err(told)?;
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait().map_err(told)? {
            let said = fs::read_to_string(&log).unwrap_or_default();
            let last = said.lines().rev().find(|line| !line.trim().is_empty());
            let why = last.unwrap_or("no reason given").to_owned();
            return status.success().then_some(()).ok_or(why);
        }
        if started.elapsed() > longest {
            child.kill().and_then(|()| child.wait()).map_err(told)?;
            return Err(format!("it took longer than {} seconds", longest.as_secs()));
        }
        thread::sleep(Duration::from_millis(100));
    }
}

/// Whether the compiler that cargo uses has the target's standard library.
fn has_target() -> bool {
    libraries().is_some_and(|folder| folder.is_dir())
}

/// Where the target's standard library is, or would be.
fn libraries() -> Option<PathBuf> {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let asked = clean(&rustc)
        .args(["--print", "target-libdir", "--target", TARGET])
        .output();
    let folder = asked.ok().filter(|asked| asked.status.success());
    let folder = folder.and_then(|asked| String::from_utf8(asked.stdout).ok());
    folder.map(|folder| PathBuf::from(folder.trim()))
}

/// Of the flags of the build around this one: those by which a release says nothing of where it was
/// made, and is the same wherever that was.
fn places_renamed() -> String {
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let renamed = flags
        .split('\u{1f}')
        .filter(|flag| flag.starts_with("--remap-path-prefix="));
    renamed.collect::<Vec<_>>().join("\u{1f}")
}

fn clean(program: &str) -> Command {
    let mut command = Command::new(program);
    for name in NOT_OURS {
        command.env_remove(name);
    }
    command
}
