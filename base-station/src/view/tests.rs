use protocol::words::RoundNumber;

use super::grid::{Facts, Pace};
use super::{CellState, ChangeView};
use telling::{Language, Voice};

use crate::session::{Event, Moment, Record, Seq, Who};

fn round(number: u8) -> RoundNumber {
    RoundNumber::new(number).expect("a round")
}

/// The room is in round 3, and the time of round 1 is over.
const fn pace(room: RoundNumber, over: Option<RoundNumber>) -> Pace {
    Pace { room, over }
}

#[test]
fn a_cell_says_in_one_word_what_the_director_must_know() {
    let usual = Facts {
        played: true,
        all_in: false,
        on_paper: None,
        logged_on: true,
        round: round(3),
        table_round: round(3),
    };
    let room = pace(round(3), Some(round(1)));
    let told = [
        ("being played", usual, CellState::Current),
        (
            "wholly in",
            Facts {
                all_in: true,
                ..usual
            },
            CellState::AllIn,
        ),
        (
            "nobody to play",
            Facts {
                played: false,
                ..usual
            },
            CellState::SitOut,
        ),
        (
            "the room is ahead",
            Facts {
                round: round(2),
                ..usual
            },
            CellState::Late,
        ),
        (
            "its time is over",
            Facts {
                round: round(1),
                ..usual
            },
            CellState::Missing,
        ),
        (
            "not yet",
            Facts {
                round: round(5),
                ..usual
            },
            CellState::Waiting,
        ),
        (
            "a quick table",
            Facts {
                round: round(4),
                table_round: round(4),
                ..usual
            },
            CellState::Current,
        ),
        (
            "no pad",
            Facts {
                logged_on: false,
                ..usual
            },
            CellState::NotLoggedOn,
        ),
        (
            "no pad and the time is over",
            Facts {
                logged_on: false,
                round: round(1),
                ..usual
            },
            CellState::Missing,
        ),
        (
            "no pad, but not due either",
            Facts {
                logged_on: false,
                round: round(6),
                ..usual
            },
            CellState::Waiting,
        ),
    ];
    for (story, facts, expected) in told {
        assert_eq!(facts.state(room), expected, "{story}");
    }
}

/// Every kind of event as it is stored; a test of `session` sees that none is missing.
const STORED: &str = include_str!("../session/tests/stored.jsonl");

/// Words that no German sentence has.
const ENGLISH_WORDS: &[&str] = &[
    "the", "was", "were", "of", "is", "are", "from", "with", "pad", "pads", "table", "tables",
    "round", "may", "a", "by", "for", "that", "and", "result", "pair", "session", "to",
];

/// What people typed, which stays as it is in every language.
fn typed(value: &serde_json::Value, texts: &mut Vec<String>) {
    match value {
        serde_json::Value::String(text) => texts.push(text.clone()),
        serde_json::Value::Array(parts) => parts.iter().for_each(|part| typed(part, texts)),
        serde_json::Value::Object(parts) => parts.values().for_each(|part| typed(part, texts)),
        _ => {}
    }
}

#[test]
fn the_audit_trail_has_a_sentence_for_every_kind_of_event_in_both_languages() {
    let mut faults = Vec::new();
    for line in STORED.lines() {
        let event: Event = serde_json::from_str(line).expect("a stored event");
        let record = Record {
            seq: Seq(1),
            at: Moment(0),
            who: Who::Base,
            session: None,
            event,
        };
        let english = ChangeView::of(&crate::session::Club::default(), None, &record).text;
        if english.is_empty() {
            faults.push(format!("nothing is said of {line}"));
            continue;
        }
        let mut german = english.in_words(Voice::plain(Language::German));
        let english = english.to_string();
        if german == english {
            faults.push(format!("no German for: {english}"));
        }
        let mut texts = Vec::new();
        let parts = serde_json::from_str(line).expect("JSON");
        typed(&parts, &mut texts);
        for text in texts {
            german = german.replace(&text, "");
        }
        let mut words = german.split(|letter: char| !letter.is_alphanumeric());
        if let Some(word) = words.find(|word| ENGLISH_WORDS.contains(word)) {
            faults.push(format!("{word} is English: {german}"));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
