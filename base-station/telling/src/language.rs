//! The languages that there is a catalogue for.

use serde::{Deserialize, Serialize};
use unic_langid::LanguageIdentifier;

/// A language that every text exists in.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum Language {
    /// The first one, and what is spoken where nobody asks for another.
    #[default]
    #[serde(rename = "en")]
    English,
    /// German.
    #[serde(rename = "de")]
    German,
}

impl Language {
    /// All of them, for a choice.
    pub const ALL: [Self; 2] = [Self::English, Self::German];

    /// As browsers call it.
    pub const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
        }
    }

    /// As its speakers call it.
    pub const fn own_name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::German => "Deutsch",
        }
    }

    /// The language of a code such as `de`, with or without a country.
    pub fn of_code(code: &str) -> Option<Self> {
        let code = code.trim().split(['-', '_']).next().unwrap_or_default();
        Self::ALL
            .into_iter()
            .find(|known| known.code().eq_ignore_ascii_case(code))
    }

    /// The best of what a browser says its reader understands (`de-AT,de;q=0.9,en;q=0.5`).
    pub fn understood(wishes: &str) -> Self {
        let mut best = (0.0, Self::default());
        for wish in wishes.split(',') {
            let (name, weight) = wish.split_once(";q=").unwrap_or((wish, "1"));
            let weight: f64 = weight.trim().parse().unwrap_or(0.0);
            if let Some(known) = Self::of_code(name).filter(|_| weight > best.0) {
                best = (weight, known);
            }
        }
        best.1
    }

    /// What stands before the part of a number that is less than one.
    pub const fn point(self) -> char {
        match self {
            Self::English => '.',
            Self::German => ',',
        }
    }

    /// Its catalogue, as it is written.
    pub(crate) const fn source(self) -> &'static str {
        match self {
            Self::English => include_str!("../lang/en.ftl"),
            Self::German => include_str!("../lang/de.ftl"),
        }
    }

    /// As Fluent knows it, for its plural rules.
    pub(crate) fn identifier(self) -> LanguageIdentifier {
        // The codes are codes of languages, and a test has Fluent choose plural forms by them.
        self.code().parse().unwrap_or_default()
    }
}
