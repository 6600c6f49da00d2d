//! Players: one name where the wire has two, and numbers that pads can type.

use protocol::words::PlayerNumber;

/// First and last name as people say it.
pub fn name(first: &str, last: &str) -> String {
    let words = first.split_whitespace().chain(last.split_whitespace());
    words.collect::<Vec<_>>().join(" ")
}

/// First and last name of a whole one: the last word is the last name, which must not be empty.
pub fn split(name: &str) -> (String, String) {
    let name = name.trim();
    match name.rsplit_once(' ') {
        Some((first, last)) => (first.trim().to_owned(), last.to_owned()),
        None => (String::new(), name.to_owned()),
    }
}

/// The number, if a pad can type it: digits only, at most nine of them.
pub fn number(text: &str) -> Option<PlayerNumber> {
    let digits = text.trim();
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| digits.parse().ok()).flatten()
}
