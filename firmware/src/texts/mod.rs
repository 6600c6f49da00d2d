//! Every text that a pad can show, in every language: data, not code.
//!
//! A text belongs to a place on the display, and the place says how long it may be. `{}` stands
//! for a number or a word that the pad fills in.

mod table;

use core::fmt::{Display, Write};

use heapless::{String, Vec};
use protocol::message::{Language, RefusalReason};
use protocol::words::{Seat, Vulnerability};

use crate::RowStyle;

pub use table::Text;

/// Where a text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// One large row, as titles and prompts are.
    Row,
    /// One small row.
    Small,
    /// A hint at the foot.
    Hint,
    /// A sentence of at most twenty words, broken over at most four rows.
    Sentence,
    /// A warning about a key, broken over at most two rows.
    Warning,
    /// A word inside a row.
    Word,
}

impl Place {
    /// Characters that fit.
    pub const fn columns(self) -> usize {
        match self {
            Self::Row => RowStyle::Normal.columns(),
            Self::Small => RowStyle::Small.columns(),
            Self::Hint => 13,
            Self::Sentence => 4 * RowStyle::Normal.columns(),
            Self::Warning => 2 * RowStyle::Normal.columns(),
            Self::Word => 14,
        }
    }
}

impl Text {
    /// The text in a language.
    pub const fn in_language(self, language: Language) -> &'static str {
        let (english, german) = self.both();
        match language {
            Language::English => english,
            Language::German => german,
        }
    }
}

/// Fills the gaps of a template. What does not fit is left out.
pub fn fill<const N: usize>(template: &str, gaps: &[&dyn Display]) -> String<N> {
    let mut filled = String::new();
    let mut gaps = gaps.iter();
    let mut parts = template.split("{}");
    if let Some(first) = parts.next() {
        let _ = filled.push_str(first);
    }
    for part in parts {
        if let Some(gap) = gaps.next() {
            let _ = write!(filled, "{gap}");
        }
        let _ = filled.push_str(part);
    }
    filled
}

/// Breaks a text at its blanks into rows of at most `columns` characters.
pub fn wrap<const ROWS: usize>(text: &str, columns: usize) -> Vec<&str, ROWS> {
    let mut rows = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() && !rows.is_full() {
        let (row, behind) = break_row(rest, columns);
        let _ = rows.push(row);
        rest = behind;
    }
    rows
}

fn break_row(text: &str, columns: usize) -> (&str, &str) {
    let Some((too_far, letter)) = text.char_indices().nth(columns) else {
        return (text, "");
    };
    // The blank may stand directly behind the last column.
    let fits = text.get(..too_far + letter.len_utf8()).unwrap_or(text);
    let at = fits.rfind(' ').unwrap_or(too_far);
    let (row, behind) = text.split_at_checked(at).unwrap_or((text, ""));
    (row, behind.trim_start())
}

/// Why the base refuses, as a sentence for the players.
pub const fn refusal(reason: RefusalReason) -> Text {
    match reason {
        RefusalReason::SessionNotOpen => Text::RefusedSessionNotOpen,
        RefusalReason::TableInUse => Text::RefusedTableInUse,
        RefusalReason::NoSuchSection => Text::RefusedNoSuchSection,
        RefusalReason::NoSuchTable => Text::RefusedNoSuchTable,
        RefusalReason::Replaced => Text::RefusedReplaced,
        RefusalReason::BoardOutOfRange => Text::RefusedBoardOutOfRange,
        RefusalReason::RoundOver => Text::RefusedRoundOver,
        RefusalReason::Stopped => Text::RefusedStopped,
        RefusalReason::Impossible => Text::RefusedImpossible,
        RefusalReason::SessionOver => Text::RefusedSessionOver,
        RefusalReason::VersionTooOld => Text::RefusedVersionTooOld,
        RefusalReason::NotAllowed => Text::RefusedNotAllowed,
        RefusalReason::DiskFailed => Text::RefusedDiskFailed,
    }
}

/// A seat's name.
pub const fn seat(seat: Seat) -> Text {
    match seat {
        Seat::North => Text::North,
        Seat::East => Text::East,
        Seat::South => Text::South,
        Seat::West => Text::West,
    }
}

/// Who is vulnerable.
pub const fn vulnerability(vulnerability: Vulnerability) -> Text {
    match vulnerability {
        Vulnerability::None => Text::VulnerableNone,
        Vulnerability::NorthSouth => Text::VulnerableNs,
        Vulnerability::EastWest => Text::VulnerableEw,
        Vulnerability::Both => Text::VulnerableBoth,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What fills a gap is at most this long where a text is measured.
    const GAP: &str = "123";

    #[test]
    fn every_text_fits_its_place_in_every_language() {
        for text in Text::ALL {
            for language in [Language::English, Language::German] {
                let words = text.in_language(language);
                let filled: String<256> = fill(words, &[&GAP, &GAP, &GAP]);
                let columns = text.place().columns();
                assert!(
                    filled.chars().count() <= columns,
                    "{text:?} in {language:?}: {} of {columns} columns",
                    filled.chars().count()
                );
                let row = RowStyle::Normal.columns();
                let rows = wrap::<9>(&filled, row).len();
                match text.place() {
                    Place::Sentence => assert!(rows <= 4, "{text:?} {language:?}: {rows} rows"),
                    Place::Warning => assert!(rows <= 2, "{text:?} {language:?}: {rows} rows"),
                    _ => {}
                }
                assert!(!words.is_empty(), "{text:?}");
            }
        }
    }

    #[test]
    fn no_refusal_has_more_than_twenty_words() {
        for text in Text::ALL {
            let (english, german) = text.both();
            if matches!(text.place(), Place::Sentence | Place::Warning) {
                for words in [english, german] {
                    assert!(words.split_whitespace().count() <= 20, "{words}");
                }
            }
        }
    }

    #[test]
    fn both_languages_have_the_same_gaps_and_only_letters_the_display_has() {
        for text in Text::ALL {
            let (english, german) = text.both();
            assert_eq!(
                english.matches("{}").count(),
                german.matches("{}").count(),
                "{text:?}"
            );
            for letter in english.chars().chain(german.chars()) {
                let latin = u32::from(letter) < 256;
                assert!(latin || "♠♥♦♣▲▼◄►".contains(letter), "{text:?}: {letter}");
            }
        }
    }

    #[test]
    fn a_long_sentence_is_broken_at_its_blanks() {
        let rows: Vec<&str, 4> = wrap("Another pad holds this table.", 22);
        assert_eq!(rows, ["Another pad holds this", "table."]);
        let rows: Vec<&str, 4> = wrap("Die Turnierleitung weiß es.", 22);
        assert_eq!(rows, ["Die Turnierleitung", "weiß es."]);
        let rows: Vec<&str, 4> = wrap("Donaudampfschifffahrtsgesellschaft", 22);
        assert_eq!(rows.first(), Some(&"Donaudampfschifffahrts"));
    }
}
