//! The languages that people are spoken to in, on pads and by the base station.

use serde::{Deserialize, Serialize};

/// A language that every text exists in. Pads know the later ones from
/// [`crate::both_ends::FOUR_LANGUAGES`] on.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Language {
    /// The first one, and what is spoken where nobody asks for another.
    #[default]
    #[serde(alias = "en")]
    English,
    /// Deutsch.
    #[serde(alias = "de")]
    German,
    /// Français.
    #[serde(alias = "fr")]
    French,
    /// Nederlands.
    #[serde(alias = "nl")]
    Dutch,
}

impl Language {
    /// All of them, for a choice.
    pub const ALL: [Self; 4] = [Self::English, Self::German, Self::French, Self::Dutch];

    /// As browsers call it.
    pub const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::French => "fr",
            Self::Dutch => "nl",
        }
    }

    /// As its speakers call it.
    pub const fn own_name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::German => "Deutsch",
            Self::French => "Français",
            Self::Dutch => "Nederlands",
        }
    }

    /// The language of a code such as `de`, with or without a country.
    pub fn of_code(code: &str) -> Option<Self> {
        let code = code.trim().split(['-', '_']).next().unwrap_or_default();
        Self::ALL
            .into_iter()
            .find(|known| known.code().eq_ignore_ascii_case(code))
    }

    /// What stands before the part of a number that is less than one.
    pub const fn point(self) -> char {
        match self {
            Self::English => '.',
            Self::German | Self::French | Self::Dutch => ',',
        }
    }
}
