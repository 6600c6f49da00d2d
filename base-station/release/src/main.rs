//! `release licences FILE`: writes the licences of every part that is compiled into `byestand`.
//! `release parts TRIPLE`: prints the list of its parts (SBOM) on a platform as `CycloneDX` JSON.
//! `release key FILE`: makes a key that signs programs of pads, and prints its public part.
//! `release pads IMAGES OUT`: makes of the images in a folder what a programmer writes into a new
//! pad, and the file with which the page updates one. `BYESTAND_SIGNING_KEY` names the key's file;
//! without it the development key signs, which pads that are built from source trust.
//!
//! Parts are what cargo would compile for the program on any of the platforms we release for,
//! without what only builds or tests it. A part whose package carries no licence file is listed
//! with the licence that it names.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use ed25519_dalek::SigningKey;
use protocol::message::FirmwareVersion;
use release::pads::{Image, development_key, factory, package};
use release::supply_chain::{Parts, Policy};
use serde::Deserialize;

/// The start of the names of files in which packages keep their licences, in capitals.
const LICENCE_FILES: [&str; 5] = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"];

/// The program that is released.
const PROGRAM: &str = "base-station";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["licences", out] => write_licences(Path::new(out)),
        ["parts"] => print_parts(None),
        ["parts", triple] => print_parts(Some(triple)),
        ["key", file] => make_key(Path::new(file)),
        ["pads", images, out] => match pack_pads(Path::new(images), Path::new(out)) {
            Ok(()) => ExitCode::SUCCESS,
            Err(problem) => refuse(&problem),
        },
        _ => refuse(
            "expected 'licences FILE', 'key FILE', 'pads IMAGES OUT', or 'parts' with a target triple or without",
        ),
    }
}

/// A file that is there already is somebody's key.
#[expect(
    clippy::print_stdout,
    reason = "the public part is what the caller asked for"
)]
fn make_key(file: &Path) -> ExitCode {
    let secret: [u8; 32] = rand::random();
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options
        .open(file)
        .and_then(|mut open| writeln!(open, "{}", digits(&secret)));
    if let Err(fault) = written {
        return refuse(&format!("{} can't be written: {fault}", file.display()));
    }
    let public = SigningKey::from_bytes(&secret).verifying_key().to_bytes();
    println!("BYESTAND_MAKERS={}", digits(&public));
    ExitCode::SUCCESS
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

fn signing_key() -> Result<SigningKey, String> {
    let Some(file) = std::env::var_os("BYESTAND_SIGNING_KEY") else {
        return Ok(development_key());
    };
    let line = std::fs::read_to_string(&file)
        .map_err(|fault| format!("{} can't be read: {fault}", Path::new(&file).display()))?;
    let pairs = line.trim().as_bytes().chunks(2);
    let pairs = pairs.map(|pair| u8::from_str_radix(&String::from_utf8_lossy(pair), 16).ok());
    let secret: Option<Vec<u8>> = pairs.collect();
    let secret = secret.and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
    let secret = secret.ok_or("expected 64 hexadecimal digits in the key's file")?;
    Ok(SigningKey::from_bytes(&secret))
}

fn pack_pads(images: &Path, out: &Path) -> Result<(), String> {
    let key = signing_key()?;
    let read = |name: &str| {
        let file = images.join(name);
        let elf = std::fs::read(&file)
            .map_err(|fault| format!("{} can't be read: {fault}", file.display()))?;
        Image::read(&elf).map_err(|fault| format!("{}: {fault}", file.display()))
    };
    let (loader, a, b) = (read("loader")?, read("pad")?, read("pad-b")?);
    if !(a.trusts(&key) && b.trusts(&key)) {
        return Err("these images do not trust the key that is to sign them: build them with the BYESTAND_MAKERS that 'release key' printed".to_owned());
    }
    let FirmwareVersion(major, minor, patch) = a.version().ok_or("it has no version")?;
    let name = format!("byestand-pad-{major}.{minor}.{patch}");
    let files = [
        (format!("{name}.update"), package(&a, &b, &key)?),
        (format!("{name}-new.bin"), factory(&loader, &a, &key)?),
    ];
    for (name, bytes) in files {
        let file = out.join(name);
        std::fs::write(&file, bytes)
            .map_err(|fault| format!("{} can't be written: {fault}", file.display()))?;
    }
    Ok(())
}

fn print_parts(triple: Option<&str>) -> ExitCode {
    let list = Parts::read_for(triple).bill_of_materials(PROGRAM);
    let mut out = std::io::stdout().lock();
    let written = serde_json::to_writer_pretty(&mut out, &list)
        .map_err(std::io::Error::from)
        .and_then(|()| writeln!(out));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => refuse(&format!("the list of parts can't be printed: {fault}")),
    }
}

fn write_licences(out: &Path) -> ExitCode {
    if let Some(objection) = objection() {
        return refuse(&objection);
    }
    let text = match parts().and_then(|parts| licences(&parts)) {
        Ok(text) => text,
        Err(problem) => return refuse(&problem),
    };
    match std::fs::write(out, text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => refuse(&format!("{} can't be written: {fault}", out.display())),
    }
}

/// What the policy in `deny.toml` has against releasing the program as it is.
fn objection() -> Option<String> {
    let (parts, policy) = (Parts::read_for(None), Policy::read());
    let parts = parts.of(PROGRAM);
    let objections = parts.iter().filter_map(|part| policy.objection(part));
    let objections: Vec<String> = objections.chain(policy.duplicates(&parts)).collect();
    (!objections.is_empty()).then(|| objections.join("\n"))
}

#[expect(clippy::print_stderr, reason = "a command tells its caller here")]
fn refuse(problem: &str) -> ExitCode {
    eprintln!("{problem}");
    ExitCode::from(2)
}

/// One package that is compiled into the program.
#[derive(Debug)]
struct Part {
    name: String,
    version: String,
    licence: String,
    folder: PathBuf,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
    workspace_members: BTreeSet<String>,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    license_file: Option<String>,
    manifest_path: PathBuf,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<Kind>,
}

#[derive(Deserialize)]
struct Kind {
    /// Absent for what is compiled in; `build` and `dev` otherwise.
    kind: Option<String>,
}

/// What is compiled in, by name, without our own packages.
fn parts() -> Result<Vec<Part>, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked"])
        .args(["--features", "base-station/double-dummy"])
        .output()
        .map_err(|fault| format!("cargo can't be started: {fault}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let metadata: Metadata = serde_json::from_slice(&output.stdout)
        .map_err(|fault| format!("cargo's list of packages can't be read: {fault}"))?;
    Ok(compiled_in(&metadata))
}

fn compiled_in(metadata: &Metadata) -> Vec<Part> {
    let uses: BTreeMap<&str, &[Dependency]> = metadata
        .resolve
        .nodes
        .iter()
        .map(|node| (node.id.as_str(), node.deps.as_slice()))
        .collect();
    let program = metadata
        .packages
        .iter()
        .find(|package| package.name == PROGRAM)
        .map(|package| package.id.as_str());
    let mut found: BTreeSet<&str> = BTreeSet::new();
    let mut waiting: Vec<&str> = program.into_iter().collect();
    while let Some(id) = waiting.pop() {
        if found.insert(id) {
            let inside = |part: &&Dependency| part.dep_kinds.iter().any(|k| k.kind.is_none());
            let below = uses.get(id).copied().unwrap_or_default();
            waiting.extend(below.iter().filter(inside).map(|part| part.pkg.as_str()));
        }
    }
    let mut parts: Vec<Part> = metadata
        .packages
        .iter()
        .filter(|package| found.contains(package.id.as_str()))
        .filter(|package| !metadata.workspace_members.contains(&package.id))
        .map(|package| Part {
            name: package.name.clone(),
            version: package.version.clone(),
            licence: package
                .license
                .clone()
                .or_else(|| package.license_file.clone())
                .unwrap_or_default(),
            folder: package
                .manifest_path
                .parent()
                .map(Path::to_owned)
                .unwrap_or_default(),
        })
        .collect();
    parts.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    parts
}

/// All of it as one text: first who is in it, then each licence's words once, with those it is for.
fn licences(parts: &[Part]) -> Result<String, String> {
    let mut text =
        String::from("Byestand is made with these parts. Its own licence is MIT or Apache-2.0.\n");
    let mut words: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for part in parts {
        let named = format!("{} {}", part.name, part.version);
        if part.licence.is_empty() {
            return Err(format!("{named} names no licence: it can't be released"));
        }
        let _ = writeln!(text, "{named}: {}", part.licence);
        for file in licence_files(&part.folder)? {
            let licence = std::fs::read_to_string(&file)
                .map_err(|fault| format!("the licence of {named} can't be read: {fault}"))?;
            let for_whom = words.entry(licence.replace("\r\n", "\n")).or_default();
            if !for_whom.contains(&named) {
                for_whom.push(named.clone());
            }
        }
    }
    for (licence, for_whom) in words {
        let _ = write!(
            text,
            "\n\n{}\n{}\n\n{}\n",
            "=".repeat(72),
            for_whom.join(", "),
            licence.trim()
        );
    }
    Ok(text)
}

/// Those of the package, and those that lie beside the fonts in it.
fn licence_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder)
        .map_err(|fault| format!("{} can't be read: {fault}", folder.display()))?;
    let fonts = std::fs::read_dir(folder.join("fonts"));
    let mut files: Vec<PathBuf> = entries
        .chain(fonts.into_iter().flatten())
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_file())
        .filter(|path| {
            let name = path
                .file_name()
                .map(|name| name.to_string_lossy().to_uppercase());
            name.is_some_and(|name| LICENCE_FILES.iter().any(|start| name.starts_with(start)))
        })
        .collect();
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_names_the_parts_that_are_compiled_in_and_no_others() {
        let parts = parts().expect("cargo knows our packages");
        let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
        for inside in ["rusqlite", "axum", "dds-bridge-sys", "tokio"] {
            assert!(names.contains(&inside), "{inside} is compiled in");
        }
        for outside in ["proptest", "cc", "bindgen", "protocol", "tests"] {
            assert!(!names.contains(&outside), "{outside} is not");
        }
        let text = licences(&parts).expect("every part names a licence");
        assert!(text.contains("Permission is hereby granted"));
    }
}
