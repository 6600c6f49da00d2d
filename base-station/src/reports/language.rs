//! The words of sheets: the catalogue of a language, with numbers and days as its people write them.

use std::sync::LazyLock;

use jiff::civil::Date;
use jiff::tz::{Offset, TimeZone};
pub use telling::Language;
use telling::{Catalogue, Told, Voice};

use crate::session::Moment;

/// What is said in a language.
#[derive(Debug)]
pub struct Words {
    /// Which one.
    pub language: Language,
    catalogue: &'static Catalogue,
}

impl Words {
    /// What is said in a language.
    pub fn of(language: Language) -> &'static Self {
        static ALL: LazyLock<[Words; Language::ALL.len()]> = LazyLock::new(|| {
            Language::ALL.map(|language| Words {
                language,
                catalogue: Catalogue::of(language),
            })
        });
        let known = ALL.iter().find(|words| words.language == language);
        // Every language is in `ALL`.
        known.unwrap_or(&ALL[0])
    }

    /// The text of a key; the key itself where there is none.
    pub fn text<'a>(&'a self, key: &'a str) -> &'a str {
        self.catalogue.text(key)
    }

    /// The same with its parts filled in.
    pub fn with(&self, key: &str, parts: &[(&str, &dyn std::fmt::Display)]) -> String {
        self.catalogue.with(key, parts)
    }

    /// What people are told.
    pub fn say(&self, told: &Told) -> String {
        told.in_words(Voice::with_symbols(self.language))
    }

    /// A pair's number with the letters of the language: `NS 7`.
    pub fn pair(&self, pair: telling::Pair) -> String {
        telling::Part::Pair(pair).in_words(Voice::with_symbols(self.language))
    }

    /// The letter of a seat: `O` for East in German.
    pub fn seat(&self, seat: char) -> &str {
        self.text(match seat {
            'N' => "letter_north",
            'E' => "letter_east",
            'S' => "letter_south",
            _ => "letter_west",
        })
    }

    /// A card's rank: `10`, and `R` for a king in French.
    pub fn rank(&self, rank: char) -> String {
        let honour = match rank {
            'A' => "honour_ace",
            'K' => "honour_king",
            'Q' => "honour_queen",
            'J' => "honour_jack",
            'T' => return "10".to_owned(),
            small => return small.to_string(),
        };
        self.text(honour).to_owned()
    }

    /// A number with so many decimals, as people of this language write it.
    pub fn decimal(&self, number: f64, digits: usize) -> String {
        let point = self.language.point();
        format!("{number:.digits$}").replace('.', point.encode_utf8(&mut [0; 4]))
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
