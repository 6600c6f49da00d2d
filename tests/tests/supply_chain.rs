//! What Byestand is made of keeps to the policy in `deny.toml`. `tests/supply-chain` asks
//! `cargo-deny` the same and more.

use std::collections::BTreeSet;

use release::supply_chain::{Parts, Policy};

#[test]
fn every_part_keeps_to_the_policy_of_licences_bans_and_sources() {
    let (parts, policy) = (Parts::read(), Policy::read());
    let objections: Vec<String> = parts
        .all()
        .filter_map(|part| policy.objection(part))
        .collect();
    assert!(objections.is_empty(), "{objections:#?}");
    assert!(parts.all().count() > 200, "cargo knows few parts");
}

#[test]
fn a_part_that_breaks_the_policy_is_named() {
    let (parts, policy) = (Parts::read(), Policy::read());
    let part = parts.all().find(|part| part.source.is_some());
    let part = part.expect("a part of somebody else's");
    assert_eq!(policy.objection(part), None);
    for license in [None, Some("GPL-3.0-only"), Some("MIT AND SSPL-1.0")] {
        let mut closed = part.clone();
        closed.license = license.map(str::to_owned);
        assert!(policy.objection(&closed).is_some(), "{license:?}");
    }
    let mut banned = part.clone();
    banned.name = "bitmaps".to_owned();
    assert!(policy.objection(&banned).is_some());
    for source in [
        "git+https://example.org/part",
        "registry+https://example.org/parts",
    ] {
        let mut elsewhere = part.clone();
        elsewhere.source = Some(source.to_owned());
        assert!(policy.objection(&elsewhere).is_some(), "{source}");
    }
}

#[test]
fn no_part_of_the_program_is_there_twice_without_a_reason() {
    let (parts, policy) = (Parts::read(), Policy::read());
    let wrong = policy.duplicates(&parts.of("base-station"));
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_list_of_parts_names_what_the_program_is_made_of_and_nothing_else() {
    let list = Parts::read().bill_of_materials("base-station");
    assert_eq!(list["bomFormat"], "CycloneDX");
    let components = list["components"].as_array().expect("parts");
    let names: BTreeSet<&str> = components
        .iter()
        .filter_map(|part| part["name"].as_str())
        .collect();
    let parts = [
        "rustls",
        "rusqlite",
        "protocol",
        "scoring",
        "axum",
        "dds-bridge-sys",
    ];
    for part in parts {
        assert!(names.contains(part), "{part} is missing");
    }
    for tool in ["fantoccini", "insta", "bitmaps", "tests"] {
        assert!(!names.contains(tool), "{tool} is not in the program");
    }
    for part in components.iter().filter(|part| part["purl"].is_string()) {
        let hash = part["hashes"][0]["content"].as_str().unwrap_or_default();
        assert_eq!(hash.len(), 64, "{part}");
    }
}
