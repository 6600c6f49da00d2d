//! Every text that a pad can show, in every language: data, not code.
//!
//! A text belongs to a place on the display, and the place says how long it may be. `{}` stands
//! for a number or a word that the pad fills in.

/// Writes the texts of a language, so that none can be missing.
macro_rules! in_words {
    ($($name:ident $words:literal)*) => {
        pub(super) const fn words(text: super::Text) -> &'static str {
            match text { $(super::Text::$name => $words,)* }
        }
    };
}

mod dutch;
mod french;
mod german;
mod table;

use core::fmt::{Display, Write};

use heapless::{String, Vec};
use protocol::message::{Language, RefusalReason};
use protocol::words::{Seat, Side, Vulnerability};

use crate::RowStyle;
use crate::draw::{Type, width};

pub use table::Text;

/// Where a text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// One row, as titles and prompts are.
    Row,
    /// One row of the largest type.
    Large,
    /// A hint at the foot.
    Hint,
    /// A sentence of at most twenty words, broken over at most four rows.
    Sentence,
    /// A sentence under a row of the largest type, broken over at most two rows.
    Prompt,
    /// A warning about a key, broken over at most two rows.
    Warning,
    /// A word inside a row.
    Word,
}

impl Place {
    /// Rows that a text may take there.
    pub const fn rows(self) -> usize {
        match self {
            Self::Sentence => 4,
            Self::Prompt | Self::Warning => 2,
            Self::Row | Self::Large | Self::Hint | Self::Word => 1,
        }
    }
}

impl Text {
    /// The text in a language.
    pub const fn in_language(self, language: Language) -> &'static str {
        match language {
            Language::English => self.in_english(),
            Language::German => german::words(self),
            Language::French => french::words(self),
            Language::Dutch => dutch::words(self),
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

/// Breaks a text at its blanks into rows of this style.
pub fn wrap<const ROWS: usize>(text: &str, style: RowStyle) -> Vec<&str, ROWS> {
    let mut rows = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() && !rows.is_full() {
        let (row, behind) = break_row(rest, style);
        let _ = rows.push(row);
        rest = behind;
    }
    rows
}

fn break_row(text: &str, style: RowStyle) -> (&str, &str) {
    if style.fits(text) {
        return (text, "");
    }
    let fits = |end: &usize| text.get(..*end).is_some_and(|part| style.fits(part));
    let ends = text.char_indices().map(|(at, _)| at);
    let too_far = ends.take_while(fits).last().unwrap_or(text.len());
    // The blank may stand directly behind the last letter that fits.
    let blanks = text.match_indices(' ').map(|(at, _)| at);
    let blank = blanks.take_while(|at| *at <= too_far).last();
    let (row, behind) = text
        .split_at_checked(blank.unwrap_or(too_far))
        .unwrap_or((text, ""));
    (row, behind.trim_start())
}

/// A line of names: what does not fit is left out, and a sign says so.
pub(crate) fn shortened<const N: usize>(line: &str, pixels: i32) -> String<N> {
    if width(line, Type::Normal) <= pixels
        && let Ok(whole) = line.try_into()
    {
        return whole;
    }
    let sign = width("…", Type::Normal);
    let mut short = String::new();
    for letter in cut(line, pixels - sign).chars() {
        // Room for the sign itself.
        if short.len() + letter.len_utf8() + '…'.len_utf8() > N {
            break;
        }
        let _ = short.push(letter);
    }
    let _ = short.push('…');
    short
}

/// As much of a text as fits into so many pixels.
fn cut(text: &str, pixels: i32) -> &str {
    let ends = text
        .char_indices()
        .map(|(at, letter)| at + letter.len_utf8());
    let fits = |end: &usize| {
        text.get(..*end)
            .is_some_and(|part| width(part, Type::Normal) <= pixels)
    };
    let end = ends.take_while(fits).last().unwrap_or(0);
    text.get(..end).unwrap_or(text).trim_end()
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
        RefusalReason::AskingDirector => Text::RefusedAskingDirector,
        RefusalReason::BoardNotOfSession => Text::RefusedBoardNotOfSession,
        RefusalReason::BoardOfEarlierRound => Text::RefusedBoardOfEarlierRound,
        RefusalReason::NoDealFile => Text::RefusedNoDealFile,
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

/// A seat's letter.
pub const fn seat_letter(seat: Seat, language: Language) -> char {
    match (seat, language) {
        (Seat::North, _) => 'N',
        (Seat::East, Language::English | Language::French) => 'E',
        (Seat::East, Language::German | Language::Dutch) | (Seat::West, Language::French) => 'O',
        (Seat::South, Language::Dutch) => 'Z',
        (Seat::South, _) => 'S',
        (Seat::West, _) => 'W',
    }
}

/// A side's letters.
pub const fn side_letters(side: Side, language: Language) -> &'static str {
    match (side, language) {
        (Side::NorthSouth, Language::Dutch) => "N-Z",
        (Side::NorthSouth, _) => "N-S",
        (Side::EastWest, Language::English) => "E-W",
        (Side::EastWest, Language::German | Language::Dutch) => "O-W",
        (Side::EastWest, Language::French) => "E-O",
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
            for language in Language::ALL {
                let words = text.in_language(language);
                let filled: String<256> = fill(words, &[&GAP, &GAP, &GAP]);
                let style = match text.place() {
                    Place::Large => RowStyle::Large,
                    _ => RowStyle::Normal,
                };
                let rows = wrap::<9>(&filled, style).len();
                let most = text.place().rows();
                assert!(rows <= most, "{text:?} in {language:?}: {rows} rows");
                assert!(!words.is_empty(), "{text:?}");
            }
        }
    }

    #[test]
    fn no_refusal_has_more_than_twenty_words() {
        for text in Text::ALL {
            if matches!(
                text.place(),
                Place::Sentence | Place::Prompt | Place::Warning
            ) {
                for language in Language::ALL {
                    let words = text.in_language(language);
                    assert!(words.split_whitespace().count() <= 20, "{words}");
                }
            }
        }
    }

    #[test]
    fn all_languages_have_the_same_gaps_and_only_letters_the_display_has() {
        for text in Text::ALL {
            let gaps = |language| text.in_language(language).matches("{}").count();
            for language in Language::ALL {
                assert_eq!(gaps(language), gaps(Language::English), "{text:?}");
                for letter in text.in_language(language).chars() {
                    let latin = u32::from(letter) < 256;
                    assert!(latin || "♠♥♦♣▲▼◄►".contains(letter), "{text:?}: {letter}");
                }
            }
        }
    }

    #[test]
    fn a_long_sentence_is_broken_at_its_blanks() {
        let rows: Vec<&str, 4> = wrap("Another pad holds this table.", RowStyle::Normal);
        assert_eq!(rows, ["Another pad holds this", "table."]);
        let rows: Vec<&str, 4> = wrap("Die Turnierleitung weiß es.", RowStyle::Normal);
        assert_eq!(rows, ["Die Turnierleitung weiß", "es."]);
        let rows: Vec<&str, 4> = wrap("Donaudampfschifffahrtsgesellschaft", RowStyle::Normal);
        assert_eq!(rows.len(), 2, "a word that is too long is broken anywhere");
        assert_eq!(cut("Elisa Eggers-Östlund", 100), "Elisa");
        assert_eq!(shortened::<32>("Elisa Eggers", 400), "Elisa Eggers");
        assert_eq!(shortened::<32>("Elisa Eggers-Östlund", 100), "Elis…");
        assert_eq!(shortened::<8>("Elisa Eggers", 400), "Elisa…");
    }
}
