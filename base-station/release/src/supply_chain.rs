//! What the program is made of, as cargo knows it: for the policy in `deny.toml` and for the list
//! of parts (SBOM) that goes with a release.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

/// One package of somebody else's, or ours.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its licence, as it says itself.
    pub license: Option<String>,
    /// Where it comes from; none where it is ours.
    pub source: Option<String>,
    /// Cargo's name for it.
    id: String,
}

/// Packages and what each of them uses.
#[derive(Debug)]
pub struct Parts {
    all: BTreeMap<String, Part>,
    /// By cargo's names, what goes into a program or builds it; not what only tests need.
    uses: BTreeMap<String, Vec<String>>,
}

/// The top of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

impl Parts {
    /// Asks cargo about this machine's platform. Nothing is fetched.
    pub fn read() -> Self {
        Self::read_for(None)
    }

    /// Asks cargo about a platform, by its target triple; this machine's without one. The engine
    /// for double dummy is among the parts, as it is in releases. Nothing is fetched.
    pub fn read_for(target: Option<&str>) -> Self {
        let version = Command::new(env!("CARGO")).arg("-vV").output();
        let version = version.expect("cargo runs").stdout;
        let version = String::from_utf8_lossy(&version).into_owned();
        let host = version
            .lines()
            .find_map(|line| line.strip_prefix("host: "))
            .expect("cargo names its host")
            .to_owned();
        let output = Command::new(env!("CARGO"))
            .args(["metadata", "--format-version", "1", "--offline", "--locked"])
            .args(["--filter-platform", target.unwrap_or(&host)])
            .args(["--features", "base-station/double-dummy"])
            .current_dir(root())
            .output()
            .expect("cargo runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "cargo metadata: {said}");
        let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let all = list(&metadata["packages"]).into_iter().map(|package| {
            let part = Part {
                name: text(&package["name"]).expect("a name"),
                version: text(&package["version"]).expect("a version"),
                license: text(&package["license"]),
                source: text(&package["source"]),
                id: text(&package["id"]).expect("an id"),
            };
            (part.id.clone(), part)
        });
        let all = all.collect();
        let uses = list(&metadata["resolve"]["nodes"]).into_iter().map(|node| {
            let used = list(&node["deps"]).into_iter().filter(|used| {
                let kinds = list(&used["dep_kinds"]);
                kinds.iter().any(|kind| kind["kind"] != "dev")
            });
            let used = used.filter_map(|used| text(&used["pkg"])).collect();
            (text(&node["id"]).expect("an id"), used)
        });
        let uses = uses.collect();
        Self { all, uses }
    }

    /// Everything that goes into one of our packages, itself included.
    pub fn of(&self, name: &str) -> BTreeSet<&Part> {
        let ours = |part: &&Part| part.source.is_none() && part.name == name;
        let begin = self.all.values().find(ours).expect("one of our packages");
        let mut found = BTreeSet::new();
        let mut open = vec![begin];
        while let Some(part) = open.pop() {
            if found.insert(part) {
                let used = self.uses.get(&part.id).into_iter().flatten();
                open.extend(used.filter_map(|id| self.all.get(id)));
            }
        }
        found
    }

    /// Everything in the repository, tests and firmware included.
    pub fn all(&self) -> impl Iterator<Item = &Part> {
        self.all.values()
    }

    /// The parts of a package as a `CycloneDX` document.
    pub fn bill_of_materials(&self, name: &str) -> Value {
        let checksums = checksums();
        let parts = self.of(name);
        let component = |part: &Part| {
            let mut component = json!({
                "type": if part.name == name { "application" } else { "library" },
                "bom-ref": reference(part),
                "name": part.name,
                "version": part.version,
            });
            if let Some(license) = &part.license {
                // Some still write a stroke for "or".
                let expression = license.replace(" / ", "/").replace('/', " OR ");
                let expression = expression.replace("MPL-2.0+", "MPL-2.0");
                component["licenses"] = json!([{"expression": expression}]);
            }
            if part.source.is_some() {
                component["purl"] = json!(reference(part));
                let key = (part.name.clone(), part.version.clone());
                if let Some(checksum) = checksums.get(&key) {
                    component["hashes"] = json!([{"alg": "SHA-256", "content": checksum}]);
                }
            }
            component
        };
        let (ours, others): (Vec<&Part>, Vec<&Part>) =
            parts.iter().partition(|part| part.name == name);
        let components: Vec<Value> = others.into_iter().map(component).collect();
        let dependencies: Vec<Value> = parts
            .iter()
            .map(|part| {
                let used = self.uses.get(&part.id).into_iter().flatten();
                let used: BTreeSet<String> = used
                    .filter_map(|id| self.all.get(id))
                    .map(reference)
                    .collect();
                json!({"ref": reference(part), "dependsOn": used})
            })
            .collect();
        json!({
            "bomFormat": "CycloneDX",
            "specVersion": "1.5",
            "version": 1,
            "metadata": {"component": ours.first().map(|part| component(part))},
            "components": components,
            "dependencies": dependencies,
        })
    }
}

/// How a part is called in lists of parts.
fn reference(part: &Part) -> String {
    let Part { name, version, .. } = part;
    format!("pkg:cargo/{name}@{version}")
}

/// Where a package comes from, as the lock file says.
fn source_of(name: &str) -> Option<String> {
    let lock = std::fs::read_to_string(root().join("Cargo.lock")).expect("the lock file");
    let lock: toml::Table = lock.parse().expect("TOML");
    let packages = lock["package"].as_array()?;
    let package = packages
        .iter()
        .find(|it| it["name"].as_str() == Some(name))?;
    Some(package.get("source")?.as_str()?.to_owned())
}

/// What each package's archive must hash to, by name and version.
fn checksums() -> BTreeMap<(String, String), String> {
    let lock = std::fs::read_to_string(root().join("Cargo.lock")).expect("the lock file");
    let lock: toml::Table = lock.parse().expect("TOML");
    let packages = lock["package"].as_array().cloned().unwrap_or_default();
    let text = |package: &toml::Value, key: &str| {
        let value = package.get(key).and_then(toml::Value::as_str);
        value.map(str::to_owned)
    };
    packages
        .iter()
        .filter_map(|package| {
            let key = (text(package, "name")?, text(package, "version")?);
            Some((key, text(package, "checksum")?))
        })
        .collect()
}

/// The policy in `deny.toml`, as far as it can be checked without `cargo-deny`.
#[derive(Debug)]
pub struct Policy {
    /// Licences that are taken.
    allowed: BTreeSet<String>,
    /// Packages that are not.
    banned: BTreeSet<String>,
    /// Licences of parts that have theirs only as a text.
    clarified: BTreeMap<String, String>,
    /// Older versions beside newer ones that are put up with, as `name@version`.
    put_up_with: BTreeSet<String>,
    /// The one place that parts may come from: where `serde` does.
    registry: String,
}

impl Policy {
    /// Reads the policy of this repository.
    pub fn read() -> Self {
        let text = std::fs::read_to_string(root().join("deny.toml")).expect("the policy");
        let policy: toml::Table = text.parse().expect("TOML");
        let list = |value: &toml::Value| value.as_array().cloned().unwrap_or_default();
        let allowed = list(&policy["licenses"]["allow"]);
        let names = |value: &toml::Value| {
            let names = list(value).into_iter();
            let names = names.filter_map(|it| it["crate"].as_str().map(str::to_owned));
            names.collect()
        };
        Self {
            allowed: allowed
                .iter()
                .filter_map(|it| it.as_str().map(str::to_owned))
                .collect(),
            banned: names(&policy["bans"]["deny"]),
            clarified: list(&policy["licenses"]["clarify"])
                .iter()
                .filter_map(|it| {
                    let text = |key: &str| it[key].as_str().map(str::to_owned);
                    Some((text("crate")?, text("expression")?))
                })
                .collect(),
            put_up_with: names(&policy["bans"]["skip"]),
            registry: source_of("serde").expect("serde is a part"),
        }
    }

    /// Parts of which there are two versions without a word about it, and words about pairs that
    /// are gone.
    pub fn duplicates(&self, parts: &BTreeSet<&Part>) -> Vec<String> {
        let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for part in parts {
            let known = versions.entry(&part.name).or_default();
            known.push(&part.version);
        }
        versions.retain(|_, versions| versions.len() > 1);
        let is = |name: &str, version: &str, skip: &str| {
            let full = format!("{name}@{version}.");
            full.starts_with(&format!("{skip}."))
        };
        let mut wrong = Vec::new();
        for (name, versions) in &versions {
            let untold = versions
                .iter()
                .filter(|version| !self.put_up_with.iter().any(|skip| is(name, version, skip)));
            if untold.count() > 1 {
                wrong.push(format!("two versions of {name}: {}", versions.join(", ")));
            }
        }
        for skip in &self.put_up_with {
            let pairs = &mut versions.iter();
            let there = pairs.any(|(name, all)| all.iter().any(|it| is(name, it, skip)));
            if !there {
                wrong.push(format!("{skip} has no newer version beside it any more"));
            }
        }
        wrong
    }

    /// What is wrong with a part; `None` where nothing is.
    pub fn objection(&self, part: &Part) -> Option<String> {
        let Part { name, version, .. } = part;
        let source = part.source.as_deref()?;
        if source != self.registry {
            return Some(format!("{name} {version} comes from {source}"));
        }
        if self.banned.contains(name) {
            return Some(format!("{name} {version} is banned"));
        }
        let named = self.clarified.get(name).map(String::as_str);
        let license = part.license.as_deref().or(named).unwrap_or("nothing");
        let expression = spdx::Expression::parse_mode(license, spdx::ParseMode::LAX);
        let taken = expression.is_ok_and(|expression| {
            expression.evaluate(|wanted| {
                let id = wanted.license.id().map(|id| id.name.to_owned());
                id.is_some_and(|id| self.allowed.contains(&id))
            })
        });
        (!taken).then(|| format!("{name} {version} is under {license}"))
    }
}
