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
const MAY_USE: [(&str, &[&str]); 20] = [
    ("protocol", &[]),
    ("air", &["protocol"]),
    ("firmware", &["protocol"]),
    ("virtual-pad", &["protocol", "firmware"]),
    ("phone", &["protocol", "firmware"]),
    ("phone-image", &[]),
    ("scoring", &["protocol"]),
    ("movement", &["protocol"]),
    ("deals", &["protocol"]),
    ("jet", &[]),
    ("connector", &["protocol"]),
    ("centre", &["contest", "protocol", "scoring", "telling"]),
    ("contest", &["protocol", "scoring", "movement"]),
    ("season", &["protocol", "scoring"]),
    ("release", &["firmware", "protocol"]),
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
            "season",
            "centre",
            "telling",
            "phone-image",
        ],
    ),
    (
        "tests",
        &[
            "protocol",
            "air",
            "firmware",
            "virtual-pad",
            "phone",
            "jet",
            "base-station",
            "bench-parts",
            "release",
            "telling",
        ],
    ),
    ("bench-parts", &["protocol"]),
    ("bench-shim", &[]),
];

/// The modules of the base station from the lowest to the highest: each may use those before it.
const MODULES: [&str; 16] = [
    "password",
    "connections",
    "double_dummy",
    "checks",
    "session",
    "watch",
    "store",
    "connector",
    "view",
    "reports",
    "exchange",
    "daemon",
    "web",
    "serve",
    "demo",
    "cli",
];

/// Packages whose public items are for others: two libraries with readmes of their own, and the
/// benches on which pads and the air are tried out.
const FOR_OTHERS: [&str; 4] = [
    "base-station/scoring/",
    "base-station/movement/",
    "protocol/air/",
    "firmware/virtual/",
];

/// Public items that no program of ours uses yet, and why they are there.
const NOT_YET_USED: [(&str, &str); 0] = [];

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
    let place = |module: &str| MODULES.iter().position(|one| *one == module);
    let mut found = Vec::new();
    for (path, text) in programs() {
        let Ok(path) = path.strip_prefix("base-station/src") else {
            continue;
        };
        let first = path.iter().next().and_then(|first| first.to_str());
        let module = first.unwrap_or_default().trim_end_matches(".rs");
        if matches!(module, "lib" | "main") {
            continue;
        }
        let own = place(module).unwrap_or_else(|| panic!("say in MODULES where {module} belongs"));
        for used in text.split("crate::").skip(1) {
            let used: String = used.chars().take_while(|it| is_of_a_name(*it)).collect();
            if place(&used).is_some_and(|used| used > own) {
                found.push(format!("{} uses crate::{used}", path.display()));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn nothing_is_public_that_nobody_uses() {
    let programs = programs();
    let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, text) in &programs {
        let mut exported = false;
        for line in text.lines() {
            // What is passed on is not used by that.
            exported |= line.trim_start().starts_with("pub use ");
            if !exported {
                for word in line.split(|it| !is_of_a_name(it)) {
                    *uses.entry(word).or_default() += 1;
                }
            }
            exported &= !line.contains(';');
        }
    }
    let mut unused = Vec::new();
    for (path, text) in &programs {
        if FOR_OTHERS.iter().any(|folder| path.starts_with(folder)) {
            continue;
        }
        for line in text.lines() {
            let Some(name) = public_item(line) else {
                continue;
            };
            let excused = NOT_YET_USED.iter().any(|(excused, _)| *excused == name);
            match (uses.get(name), excused) {
                (Some(1), false) => unused.push(format!("{}: {name}", path.display())),
                (Some(2..), true) => unused.push(format!("{name} is used: it needs no excuse")),
                _ => {}
            }
        }
    }
    assert!(unused.is_empty(), "{unused:#?}");
}

/// The name that a line makes public.
fn public_item(line: &str) -> Option<&str> {
    let mut words = line
        .trim_start()
        .strip_prefix("pub ")?
        .split(' ')
        .peekable();
    while words
        .next_if(|word| matches!(*word, "const" | "async" | "unsafe"))
        .is_some()
    {}
    let kind = words.next()?;
    // `pub const NAME`: the word before it was taken for that of `const fn`.
    let name = match kind {
        "fn" | "struct" | "enum" | "trait" | "type" | "static" => words.next()?,
        name if name.ends_with(':') && line.contains(" const ") => name,
        _ => return None,
    };
    name.split(|it| !is_of_a_name(it)).next()
}

const fn is_of_a_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

#[test]
fn regulations_are_called_by_their_names_and_not_by_numbers_of_documents() {
    let mut found = Vec::new();
    for (path, text) in sources(&["rs", "js", "json"]) {
        let is_of_tests = path.starts_with("tests") || is_test(&path);
        if is_of_tests || !(path.starts_with("base-station") || path.starts_with("firmware")) {
            continue;
        }
        for (number, line) in (1..).zip(text.lines()) {
            let mut words =
                line.split(|it: char| !is_of_a_name(it) && !matches!(it, '.' | ',' | '-'));
            let numbered = |word: &str| {
                let word = word.trim_end_matches(['.', ',']);
                let word = word.split('-').next().unwrap_or(word);
                let digits = word.trim_start_matches(|it: char| it.is_ascii_alphabetic());
                matches!(digits, "000" | "001" | "002" | "003" | "004")
            };
            if words.any(numbered) {
                found.push(format!("{}:{number}: {}", path.display(), line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

/// The sources of programs, without comments and without what is there for tests only.
fn programs() -> Vec<(PathBuf, String)> {
    let mut sources = sources(&["rs"]);
    sources.retain(|(path, _)| !is_test(path));
    for (_, text) in &mut sources {
        let code = text
            .split("#[cfg(test)]\nmod tests {")
            .next()
            .unwrap_or_default();
        let lines = code.lines();
        *text = lines
            .map(|line| line.split("//").next().unwrap_or_default())
            .collect::<Vec<_>>()
            .join("\n");
    }
    sources
}

fn is_test(path: &Path) -> bool {
    let mut parts = path.iter().filter_map(|part| part.to_str());
    parts.any(|part| matches!(part, "tests" | "benches" | "examples") || part.ends_with("tests.rs"))
}

/// What is decided about a warning is decided in `watch`: the site knows warnings by their names,
/// hands them to be shown, and does what an answer says. It never looks at what they are about.
#[test]
fn the_site_decides_nothing_about_warnings() {
    let forbidden = [
        "AnswerWarning",
        "WarningId::",
        "WarningKind",
        "Cause::",
        "Remedy",
        "Finding",
        "strip_prefix(\"kept",
    ];
    let mut found = Vec::new();
    for (path, text) in sources(&["rs"]) {
        let of_site = path.starts_with("base-station/src/web");
        if !of_site || path.iter().any(|it| it == "tests.rs" || it == "tests") {
            continue;
        }
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for word in forbidden {
            if code.contains(word) {
                found.push(format!("{}: {word}", path.display()));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
    let page = std::fs::read_to_string(root().join("base-station/src/web/api/warnings.rs"));
    assert!(page.is_ok_and(|text| text.contains("Settlement::of")));
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
