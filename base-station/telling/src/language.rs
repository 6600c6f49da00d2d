//! The catalogue of every language.

use protocol::message::Language;
use unic_langid::LanguageIdentifier;

/// The best of what a browser says its reader understands (`de-AT,de;q=0.9,en;q=0.5`).
pub fn understood(wishes: &str) -> Language {
    let mut best = (0.0, Language::default());
    for wish in wishes.split(',') {
        let (name, weight) = wish.split_once(";q=").unwrap_or((wish, "1"));
        let weight: f64 = weight.trim().parse().unwrap_or(0.0);
        if let Some(known) = Language::of_code(name).filter(|_| weight > best.0) {
            best = (weight, known);
        }
    }
    best.1
}

/// A catalogue, as it is written.
pub(crate) const fn source(language: Language) -> &'static str {
    match language {
        Language::English => include_str!("../lang/en.ftl"),
        Language::German => include_str!("../lang/de.ftl"),
        Language::French => include_str!("../lang/fr.ftl"),
        Language::Dutch => include_str!("../lang/nl.ftl"),
    }
}

/// As Fluent knows a language, for its plural rules.
pub(crate) fn identifier(language: Language) -> LanguageIdentifier {
    // The codes are codes of languages, and a test has Fluent choose plural forms by them.
    language.code().parse().unwrap_or_default()
}
