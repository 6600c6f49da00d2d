//! `release FILE`: writes the licences of every part that is compiled into `byestand`.
//!
//! Parts are what cargo would compile for the program on any of the platforms we release for,
//! without what only builds or tests it. A part whose package carries no licence file is listed
//! with the licence that it names.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use serde::Deserialize;

/// The start of the names of files in which packages keep their licences, in capitals.
const LICENCE_FILES: [&str; 5] = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"];

/// The program that is released.
const PROGRAM: &str = "base-station";

fn main() -> ExitCode {
    let Some(out) = std::env::args_os().nth(1) else {
        return refuse("name the file to write: release LICENCES.txt");
    };
    let text = match parts().and_then(|parts| licences(&parts)) {
        Ok(text) => text,
        Err(problem) => return refuse(&problem),
    };
    match std::fs::write(&out, text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => refuse(&format!("{} can't be written: {fault}", out.display())),
    }
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

fn licence_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder)
        .map_err(|fault| format!("{} can't be read: {fault}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries
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
