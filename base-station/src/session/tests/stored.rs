//! The literal text of stored events. A line that was released is never edited: it stands in
//! journals on clubs' disks. If a test here fails, do not change the test and do not change the
//! line: the change that it found would make old journals unreadable, or write what older versions
//! can't read.

use crate::session::{Event, Who};

/// What is stored, one a line, for every kind of event.
const STORED: &str = include_str!("stored.jsonl");

#[test]
fn every_stored_event_is_read_and_written_again_letter_for_letter() {
    for line in STORED.lines() {
        let event: Event =
            serde_json::from_str(line).unwrap_or_else(|fault| panic!("{line}: {fault}"));
        assert_eq!(serde_json::to_string(&event).expect("can be written"), line);
    }
}

/// The names of an enum's variants, from its source.
fn variants<'a>(source: &'a str, name: &str) -> Vec<&'a str> {
    let body = source
        .split(&format!("pub enum {name} {{"))
        .nth(1)
        .and_then(|rest| rest.split("\n}\n").next())
        .unwrap_or_else(|| panic!("{name} is not there"));
    let names = body.lines().filter_map(|line| {
        let name = line.strip_prefix("    ")?;
        let end = name.find([' ', '(', ','])?;
        let name = &name[..end];
        name.starts_with(char::is_uppercase).then_some(name)
    });
    names.collect()
}

#[test]
fn every_kind_of_event_has_its_stored_line() {
    let kinds = variants(include_str!("../event.rs"), "Event");
    assert!(kinds.len() >= 45, "only {kinds:?} were found");
    for kind in kinds {
        let quoted = format!("\"{kind}\"");
        let stored = STORED
            .lines()
            .any(|line| line == quoted || line.starts_with(&format!("{{{quoted}:")));
        assert!(stored, "add a stored line for {kind}");
    }
}

#[test]
fn every_kind_inside_an_event_has_its_stored_line() {
    let inner = [
        (
            "Contest",
            variants(include_str!("../contest/mod.rs"), "ContestEvent"),
        ),
        (
            "TrustChanged",
            variants(include_str!("../trust.rs"), "Trust"),
        ),
        (
            "Replacing",
            variants(include_str!("../trust.rs"), "Replacing"),
        ),
        (
            "Connector",
            variants(include_str!("../connector.rs"), "ConnectorEvent"),
        ),
        (
            "Competition",
            variants(include_str!("../competition/mod.rs"), "CompetitionEvent"),
        ),
        ("WayChosen", variants(include_str!("../plan.rs"), "Way")),
    ];
    for (outer, kinds) in inner {
        assert!(kinds.len() >= 2, "only {kinds:?} were found in {outer}");
        for kind in kinds {
            let (alone, with) = (
                format!("{{\"{outer}\":\"{kind}\"}}"),
                format!("{{\"{outer}\":{{\"{kind}\":"),
            );
            let mut lines = STORED.lines();
            assert!(
                lines.any(|line| line == alone || line.starts_with(&with)),
                "add a stored line for {outer}, {kind}"
            );
        }
    }
}

#[test]
fn every_format_decision_and_offence_of_matches_has_its_stored_line() {
    let kinds = [
        (
            "format",
            variants(include_str!("../contest/plan.rs"), "Format"),
        ),
        (
            "decision",
            variants(
                include_str!("../../../contest/src/irregular.rs"),
                "Decision",
            ),
        ),
        (
            "offence",
            variants(include_str!("../../../contest/src/offence.rs"), "Offence"),
        ),
    ];
    for (field, kinds) in kinds {
        assert!(kinds.len() >= 7, "only {kinds:?} were found in {field}");
        for kind in kinds {
            let mut kebab = String::new();
            for (at, letter) in kind.chars().enumerate() {
                if letter.is_uppercase() && at > 0 {
                    kebab.push('-');
                }
                kebab.extend(letter.to_lowercase());
            }
            let stored = format!("\"{field}\":{{\"kind\":\"{kebab}\"");
            assert!(STORED.contains(&stored), "add a stored line for {stored}");
        }
    }
}

#[test]
fn point_8_the_audit_trail_names_every_kind_of_event() {
    use crate::session::{Moment, Record, Seq};
    let words = |event: &Event| {
        let record = Record {
            seq: Seq(1),
            at: Moment(1),
            who: Who::Base,
            session: None,
            event: event.clone(),
        };
        crate::view::ChangeView::of(&crate::session::Club::default(), None, &record)
            .text
            .to_string()
    };
    for line in STORED.lines() {
        let event: Event = serde_json::from_str(line).expect("a stored event");
        let said = words(&event);
        assert!(said.split(' ').count() >= 2, "{line} is told as {said:?}");
    }
}

#[test]
fn who_did_it_is_stored_in_these_words() {
    let cases = [
        (Who::Base, r#""Base""#),
        (Who::Director("Anna".to_owned()), r#"{"Director":"Anna"}"#),
        (Who::Pad(super::pad_id(7)), r#"{"Pad":7}"#),
    ];
    for (who, text) in cases {
        assert_eq!(serde_json::to_string(&who).expect("can be written"), text);
        assert_eq!(serde_json::from_str::<Who>(text).expect("can be read"), who);
    }
}
