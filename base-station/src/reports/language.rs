//! The languages of sheets. Texts are data: the same files that the director's page reads.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use jiff::civil::Date;
use jiff::tz::{Offset, TimeZone};

use super::said::Phrases;
use crate::session::Moment;

/// A language that every text exists in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
pub enum Language {
    /// Everything the base says is written in it.
    #[default]
    #[serde(rename = "en")]
    English,
    /// The second one.
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

    /// The best of what a browser says its reader understands (`de-AT,de;q=0.9,en;q=0.5`).
    pub fn understood(wishes: &str) -> Self {
        let mut best = (0.0, Self::default());
        for wish in wishes.split(',') {
            let (name, weight) = wish.split_once(";q=").unwrap_or((wish, "1"));
            let weight: f64 = weight.trim().parse().unwrap_or(0.0);
            let code = name.trim().get(..2).unwrap_or_default();
            let known = Self::ALL
                .into_iter()
                .find(|known| known.code().eq_ignore_ascii_case(code));
            if let Some(known) = known.filter(|_| weight > best.0) {
                best = (weight, known);
            }
        }
        best.1
    }

    /// What is said in it.
    pub fn words(self) -> &'static Words {
        static ENGLISH: LazyLock<Words> =
            LazyLock::new(|| Words::read(Language::English, ENGLISH_TEXTS, "{}"));
        static GERMAN: LazyLock<Words> =
            LazyLock::new(|| Words::read(Language::German, GERMAN_TEXTS, GERMAN_SENTENCES));
        match self {
            Self::English => &ENGLISH,
            Self::German => &GERMAN,
        }
    }
}

const ENGLISH_TEXTS: &str = include_str!("../../assets/lang/en.json");
const GERMAN_TEXTS: &str = include_str!("../../assets/lang/de.json");
const GERMAN_SENTENCES: &str = include_str!("../../assets/lang/de.said.json");

/// All texts of a language.
#[derive(Debug)]
pub struct Words {
    /// Which one.
    pub language: Language,
    texts: BTreeMap<String, String>,
    phrases: Phrases,
}

impl Words {
    fn read(language: Language, texts: &str, sentences: &str) -> Self {
        // Both files are part of the program, and a test reads them.
        let texts = serde_json::from_str(texts).unwrap_or_default();
        let sentences = serde_json::from_str(sentences).unwrap_or_default();
        Self {
            language,
            texts,
            phrases: Phrases::new(sentences),
        }
    }

    /// The keys of all texts.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.texts.keys().map(String::as_str)
    }

    /// The text of a key; the key itself where there is none.
    pub fn text<'a>(&'a self, key: &'a str) -> &'a str {
        self.texts.get(key).map_or(key, String::as_str)
    }

    /// The same with its `{names}` filled in.
    pub fn with(&self, key: &str, values: &[(&str, &dyn std::fmt::Display)]) -> String {
        let mut text = self.text(key).to_owned();
        for (name, value) in values {
            text = text.replace(&format!("{{{name}}}"), &value.to_string());
        }
        text
    }

    /// What the base station said, in this language where the sentence is known.
    pub fn said(&self, english: &str) -> String {
        self.phrases.said(english)
    }

    /// A number with so many decimals, as people of this language write it.
    pub fn decimal(&self, number: f64, digits: usize) -> String {
        let written = format!("{number:.digits$}");
        match self.language {
            Language::English => written,
            Language::German => written.replace('.', ","),
        }
    }

    /// A number with two decimals, or nothing.
    pub fn two(&self, number: Option<f64>) -> String {
        number.map_or_else(String::new, |number| self.decimal(number, 2))
    }

    /// `2026-11-16` as people of this language write a day; as it stands where it is none.
    pub fn day(&self, written: &str) -> String {
        written.parse::<Date>().map_or_else(
            |_| written.to_owned(),
            |date| date.strftime(self.text("sheet_day")).to_string(),
        )
    }

    /// Day and time of a moment on a wall clock so many minutes ahead of universal time.
    pub fn moment(&self, moment: Moment, minutes_east: i16) -> String {
        let ms = i64::try_from(moment.0).unwrap_or_default();
        let offset = Offset::from_seconds(i32::from(minutes_east) * 60).unwrap_or(Offset::UTC);
        let format = format!("{}, %H:%M", self.text("sheet_day"));
        jiff::Timestamp::from_millisecond(ms).map_or_else(
            |_| String::new(),
            |time| {
                let there = time.to_zoned(TimeZone::fixed(offset));
                there.strftime(&format).to_string()
            },
        )
    }
}
