//! English sentences that the journal keeps, or that packages of their own say, for people.

use serde::{Serialize, Serializer};
use telling::Told;

/// What the package `movement` says, and what of it stands in the journal: the name of a movement,
/// what a repair did, what the director does in the room.
pub fn of_movement(text: &str) -> Told {
    Told::recognised(
        &[
            "movement-",
            "call-",
            "contest-round-drawn",
            "contest-round-robin-",
            "contest-swiss-",
            "bws-as-bws-file",
            "refused-bye-stand-put-right",
            "refused-from-round-movement-another",
            "refused-pair-does-not-play-2",
            "refused-skip-after-round",
            "refused-with-late-",
            "refused-without-pair",
        ],
        text,
    )
}

/// What the package `contest` says.
pub fn of_contest(text: &str) -> Told {
    Told::recognised(&["contest-"], text)
}

/// Why something was changed. The director's own words stay as they are; the base station's own
/// reasons are these.
pub fn of_reason(text: &str) -> Told {
    Told::recognised(
        &[
            "asked-typed-from-paper-sheet",
            "bws-as-scoring-program",
            "bws-scoring-program-changed-its",
            "preset-",
        ],
        text,
    )
}

/// What the journal, its copies and files say of themselves.
pub fn of_journal(text: &str) -> Told {
    Told::recognised(&["journal-"], text)
}

/// What is said of files of other programs.
pub fn of_exchange(text: &str) -> Told {
    Told::recognised(
        &[
            "exchange-",
            "bws-",
            "people-",
            "connector-",
            "journal-",
            "refused-",
            "game-",
        ],
        text,
    )
}

/// Serialises sentences about files in the reader's words.
pub(crate) fn all_in_words<S: Serializer>(texts: &[String], to: S) -> Result<S::Ok, S::Error> {
    let told: Vec<Told> = texts.iter().map(|text| of_exchange(text)).collect();
    told.serialize(to)
}

/// The same for one, where there is one.
#[expect(clippy::ref_option, reason = "what serde hands over")]
pub(crate) fn some_in_words<S: Serializer>(
    text: &Option<String>,
    to: S,
) -> Result<S::Ok, S::Error> {
    text.as_deref().map(of_exchange).serialize(to)
}

/// Serialises what is said of matches in the reader's words.
pub(crate) fn contest_in_words<S: Serializer>(text: &str, to: S) -> Result<S::Ok, S::Error> {
    of_contest(text).serialize(to)
}

/// The same for several sentences.
pub(crate) fn contests_in_words<S: Serializer>(texts: &[String], to: S) -> Result<S::Ok, S::Error> {
    let told: Vec<Told> = texts.iter().map(|text| of_contest(text)).collect();
    told.serialize(to)
}

/// The same where there may be nothing to say.
#[expect(clippy::ref_option, reason = "what serde hands over")]
pub(crate) fn some_contest_in_words<S: Serializer>(
    text: &Option<String>,
    to: S,
) -> Result<S::Ok, S::Error> {
    text.as_deref().map(of_contest).serialize(to)
}
