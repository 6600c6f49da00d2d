//! House style as a test: what reviewers would otherwise have to say again and again.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The longest source file, tests included. Whatever is longer has two responsibilities.
const FILE_LINES_MAX: usize = 500;

/// Everything that may stand at the top of the repository.
const TOP_LEVEL: [&str; 16] = [
    ".cargo",
    ".ci",
    ".gitignore",
    "ARCHITECTURE.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "base-station",
    "deny.toml",
    "firmware",
    "memory.x",
    "protocol",
    "rust-toolchain.toml",
    "tests",
];

/// Which of our packages each package may use. Dependencies point one way: from the room to the
/// words of the game.
const MAY_USE: [(&str, &[&str]); 15] = [
    ("protocol", &[]),
    ("air", &["protocol"]),
    ("firmware", &["protocol"]),
    ("virtual-pad", &["protocol", "firmware"]),
    ("scoring", &["protocol"]),
    ("movement", &["protocol"]),
    ("deals", &["protocol"]),
    ("jet", &[]),
    ("connector", &["protocol"]),
    ("contest", &["protocol", "scoring", "movement"]),
    ("release", &[]),
    ("telling", &["protocol"]),
    (
        "base-station",
        &[
            "protocol",
            "air",
            "virtual-pad",
            "firmware",
            "scoring",
            "movement",
            "deals",
            "jet",
            "connector",
            "contest",
            "telling",
        ],
    ),
    (
        "tests",
        &[
            "protocol",
            "air",
            "firmware",
            "virtual-pad",
            "jet",
            "base-station",
        ],
    ),
    ("bench-shim", &[]),
];

/// Inside the base station: the pure modules know nothing of the session, and none of them knows
/// who shows or stores it.
const MODULE_MUST_NOT_USE: [(&str, &[&str]); 3] = [
    (
        "checks",
        &["session", "store", "link", "web", "daemon", "cli"],
    ),
    ("session", &["store", "link", "web", "daemon", "cli"]),
    ("store", &["link", "web", "daemon", "cli"]),
];

#[test]
fn the_top_level_holds_only_what_the_design_names() {
    let unexpected: Vec<_> = tracked_files()
        .into_iter()
        .filter_map(|path| Some(path.iter().next()?.to_str()?.to_owned()))
        .filter(|entry| !TOP_LEVEL.contains(&entry.as_str()))
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    assert!(unexpected.is_empty(), "not in the design: {unexpected:?}");
}

#[test]
fn no_source_file_outgrows_its_responsibility() {
    let long: Vec<_> = sources(&["rs", "js", "css", "html"])
        .into_iter()
        .map(|(path, text)| (path, text.lines().count()))
        .filter(|(_, lines)| *lines > FILE_LINES_MAX)
        .collect();
    assert!(
        long.is_empty(),
        "longer than {FILE_LINES_MAX} lines: {long:#?}"
    );
}

#[test]
fn no_source_carries_unfinished_work_or_silenced_lints() {
    // Written in two parts so that this file does not find itself.
    let forbidden = [
        concat!("todo", "!("),
        concat!("unimplemented", "!("),
        concat!("dbg", "!("),
        concat!("#[all", "ow("),
        concat!("#![all", "ow("),
        concat!("#[ign", "ore"),
    ];
    assert_nowhere(&forbidden, sources(&["rs"]));
}

#[test]
fn nothing_names_a_machine_path_or_a_package_registry() {
    let forbidden = [
        concat!("/wo", "rk/"),
        concat!("/ro", "ot/"),
        concat!("/fa", "rm/"),
        concat!("crates", ".io"),
        concat!("registry.npm", "js"),
        concat!("deb.deb", "ian"),
        concat!("pypi", ".org"),
    ];
    let endings = [
        "rs", "js", "css", "html", "md", "toml", "sh", "json", "tsv", "csv", "run", "",
    ];
    let mut files = sources(&endings);
    files.retain(|(path, _)| !path.ends_with("Cargo.lock") && !path.starts_with(".git"));
    assert_nowhere(&forbidden, files);
}

#[test]
fn every_picture_and_page_that_a_page_links_to_is_there() {
    let kept: BTreeSet<PathBuf> = tracked_files().into_iter().collect();
    let (mut missing, mut links) = (Vec::new(), 0);
    for (path, text) in sources(&["md"]) {
        let folder = path.parent().unwrap_or(Path::new(""));
        for link in text.split("](").skip(1) {
            let end = link.find(')').expect("a link ends");
            let target = link[..end].split('#').next().unwrap_or_default();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            links += 1;
            let linked = within(&folder.join(target));
            let there = kept.contains(&linked) || kept.iter().any(|file| file.starts_with(&linked));
            if !there {
                missing.push(format!("{}: {target}", path.display()));
            }
        }
    }
    assert!(links > 100, "the pages link to more than {links} files");
    assert!(missing.is_empty(), "{missing:#?}");
}

/// A path without steps back.
fn within(path: &Path) -> PathBuf {
    let mut steps: Vec<_> = Vec::new();
    for step in path.components() {
        match step {
            std::path::Component::ParentDir => {
                steps.pop();
            }
            std::path::Component::CurDir => {}
            _ => steps.push(step),
        }
    }
    steps.into_iter().collect()
}

/// Names every line that has one of these words.
fn assert_nowhere(forbidden: &[&str], files: Vec<(PathBuf, String)>) {
    let mut found = Vec::new();
    for (path, text) in files {
        for (number, line) in (1..).zip(text.lines()) {
            if forbidden.iter().any(|word| line.contains(word)) {
                found.push(format!("{}:{number}: {}", path.display(), line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn packages_depend_on_each_other_in_one_direction() {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--no-deps",
            "--offline",
        ])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let metadata: serde_json::Value =
        serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON");
    let packages = metadata["packages"].as_array().expect("a list of packages");
    let ours: BTreeSet<&str> = packages.iter().filter_map(|p| p["name"].as_str()).collect();
    let allowed: BTreeMap<_, _> = MAY_USE.into_iter().collect();
    for package in packages {
        let name = package["name"].as_str().expect("a package has a name");
        let may_use = allowed
            .get(name)
            .unwrap_or_else(|| panic!("say in MAY_USE what {name} may use"));
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let used = dependency["name"]
                .as_str()
                .expect("a dependency has a name");
            let for_tests_only = dependency["kind"] == "dev";
            if ours.contains(used) && !for_tests_only {
                assert!(may_use.contains(&used), "{name} must not depend on {used}");
            }
        }
    }
}

#[test]
fn modules_of_the_base_station_depend_on_each_other_in_one_direction() {
    let mut found = Vec::new();
    for (module, forbidden) in MODULE_MUST_NOT_USE {
        let folder = Path::new("base-station/src").join(module);
        for (path, text) in sources(&["rs"]) {
            let of_module = path.starts_with(&folder) || path == folder.with_extension("rs");
            if !of_module
                || path
                    .iter()
                    .any(|part| part == "tests.rs" || part == "tests")
            {
                continue;
            }
            for other in forbidden {
                if text.contains(&format!("crate::{other}")) {
                    found.push(format!("{} uses crate::{other}", path.display()));
                }
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// What git keeps, as it stands in the working tree.
fn tracked_files() -> Vec<PathBuf> {
    let output = Command::new("git")
        .args(["ls-files", "-z"])
        .current_dir(root())
        .output()
        .expect("git runs");
    assert!(output.status.success(), "git ls-files failed");
    let listing = String::from_utf8(output.stdout).expect("paths are UTF-8");
    listing
        .split('\0')
        .filter(|path| !path.is_empty())
        .map(PathBuf::from)
        .collect()
}

fn sources(endings: &[&str]) -> Vec<(PathBuf, String)> {
    tracked_files()
        .into_iter()
        .filter(|path| {
            let ending = path
                .extension()
                .and_then(|ending| ending.to_str())
                .unwrap_or("");
            endings.contains(&ending)
        })
        .filter_map(|path| {
            let text = std::fs::read_to_string(root().join(&path)).ok()?;
            Some((path, text))
        })
        .collect()
}
