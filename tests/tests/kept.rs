//! What an earlier Byestand wrote opens, replays and shows the same, sheet for sheet.
//!
//! If the journal, the backup or the session file can't be read any more, the change is wrong, not
//! the file. If a sheet or an answer was changed on purpose, `cargo run -p tests --bin kept --
//! --answers` writes the new ones down.

use serde_json::Value;
use tests::kept::{self, Answer};

/// Where two texts part.
fn first_difference(then: &str, now: &str) -> String {
    let same = then.bytes().zip(now.bytes()).take_while(|(a, b)| a == b);
    let at = same.count();
    let near = |text: &str| -> String {
        let from = text.len().min(at.saturating_sub(120));
        let bytes = text.as_bytes();
        String::from_utf8_lossy(&bytes[from..bytes.len().min(at + 200)]).into_owned()
    };
    format!("then: …{}…\nnow:  …{}…", near(then), near(now))
}

/// Whether everything that was answered then is answered now: a field may be added, none may
/// change or go.
fn holds(now: &Value, then: &Value) -> bool {
    match (now, then) {
        (Value::Object(now), Value::Object(then)) => then
            .iter()
            .all(|(name, then)| now.get(name).is_some_and(|now| holds(now, then))),
        (Value::Array(now), Value::Array(then)) => {
            now.len() == then.len() && now.iter().zip(then).all(|(now, then)| holds(now, then))
        }
        (now, then) => now == then,
    }
}

fn same(now: &str, then: &str) -> bool {
    if now == then {
        return true;
    }
    match (serde_json::from_str(now), serde_json::from_str(then)) {
        (Ok(now), Ok(then)) => holds(&now, &then),
        _ => false,
    }
}

fn compare(now: &[Answer], then: &[Answer]) {
    let mut wrong = Vec::new();
    for (name, text) in then {
        match now.iter().find(|(it, _)| it == name) {
            Some((_, now)) if same(now, text) => {}
            Some((_, now)) => wrong.push(format!("{name}\n{}", first_difference(text, now))),
            None => wrong.push(format!("{name} is not answered any more")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(then.len() > 15, "only {} answers were kept", then.len());
}

fn answers_then(of_file: bool) -> Vec<Answer> {
    let text = String::from_utf8(kept::unpacked(kept::ANSWERS)).expect("text");
    let mut answers = kept::read(&text);
    answers.retain(|(name, _)| name.ends_with(kept::OF_THE_FILE) == of_file);
    answers
}

#[tokio::test]
async fn a_journal_of_an_earlier_version_shows_the_same_sheet_for_sheet() {
    let now = kept::shown_of_journal().await;
    compare(&now, &answers_then(false));
}

#[tokio::test]
async fn a_backup_of_an_earlier_version_shows_the_same_sheet_for_sheet() {
    let now = kept::shown_of_backup().await;
    compare(&now, &answers_then(false));
}

#[test]
fn a_session_file_of_an_earlier_version_shows_the_same_sheet_for_sheet() {
    compare(&kept::shown_of_file(), &answers_then(true));
}
