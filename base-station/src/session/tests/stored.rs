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

#[test]
fn every_kind_of_event_has_its_stored_line() {
    let source = include_str!("../event.rs");
    let body = source
        .split("pub enum Event {")
        .nth(1)
        .and_then(|rest| rest.split("\n}\n").next())
        .expect("the enum is there");
    let kinds = body.lines().filter_map(|line| {
        let name = line.strip_prefix("    ")?;
        let end = name.find([' ', '(', ','])?;
        let name = &name[..end];
        name.starts_with(char::is_uppercase).then_some(name)
    });
    let mut count = 0;
    for kind in kinds {
        count += 1;
        let quoted = format!("\"{kind}\"");
        let stored = STORED
            .lines()
            .any(|line| line == quoted || line.starts_with(&format!("{{{quoted}:")));
        assert!(stored, "add a stored line for {kind}");
    }
    assert!(count >= 45, "only {count} kinds were found in the source");
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
        crate::view::ChangeView::of(None, &record).text.to_string()
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
