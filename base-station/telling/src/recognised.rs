//! English sentences that are kept or come as texts, found again in the catalogue.
//!
//! Old journals hold sentences (the name of a movement, what a repair did), and pure packages that
//! others may use on their own answer in English. A sentence is looked for only among the messages
//! that it can be; what is a name, a file or a reason is never looked at.

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex};

use fluent_syntax::ast::{Expression, InlineExpression, Pattern, PatternElement};
use protocol::words::Refusal;

use crate::catalogue::messages;
use crate::{Catalogue, Language, Part, Told};

/// Parts with these names are what somebody wrote.
const WRITTEN: [&str; 12] = [
    "name",
    "names",
    "file",
    "folder",
    "player",
    "given",
    "text",
    "title",
    "address",
    "cause",
    "error",
    "rejection",
];

/// A sentence shorter than this without its parts must not swallow a whole other one that ends
/// alike.
const SHORT: usize = 7;

/// One message: texts and names of parts take turns, a text first and last.
struct Sentence {
    id: &'static str,
    texts: Vec<&'static str>,
    names: Vec<&'static str>,
    fixed: usize,
}

impl Sentence {
    fn of(id: &'static str, pattern: &'static Pattern<&'static str>) -> Option<Self> {
        let (mut texts, mut names) = (vec![""], Vec::new());
        for element in &pattern.elements {
            match element {
                PatternElement::TextElement { value } => *texts.last_mut()? = value,
                PatternElement::Placeable {
                    expression: Expression::Inline(InlineExpression::VariableReference { id }),
                } => {
                    names.push(id.name);
                    texts.push("");
                }
                // A sentence with forms is always told as a value.
                PatternElement::Placeable { .. } => return None,
            }
        }
        let fixed = texts.iter().map(|text| text.len()).sum();
        (fixed > 0).then_some(Self {
            id,
            texts,
            names,
            fixed,
        })
    }

    /// What stands at the places of the parts, if the fixed texts are all there.
    fn parts<'a>(&self, text: &'a str) -> Option<Vec<&'a str>> {
        let (first, others) = self.texts.split_first()?;
        let mut rest = text.strip_prefix(first)?;
        let Some((last, between)) = others.split_last() else {
            return rest.is_empty().then(Vec::new);
        };
        let mut parts = Vec::new();
        for fixed in between {
            // A part is never empty, so the text after it is looked for behind one letter.
            let start = rest.chars().next()?.len_utf8();
            let at = start + rest.get(start..)?.find(fixed)?;
            parts.push(rest.get(..at)?);
            rest = rest.get(at + fixed.len()..)?;
        }
        parts.push(rest.strip_suffix(last)?);
        let few_words = |part: &&str| {
            let mut words = part.split(", ");
            words.all(|word| !word.contains([' ', '.', ':', ';', '!', '?']))
        };
        let fits = parts.iter().all(|part| !part.is_empty())
            && (self.fixed > SHORT || parts.iter().all(few_words));
        fits.then_some(parts)
    }
}

/// Every message whose name begins with one of these, those with the longest fixed text first.
fn among(prefixes: &'static [&'static str]) -> &'static [Sentence] {
    type Known = BTreeMap<&'static [&'static str], &'static [Sentence]>;
    static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);
    let mut known = match KNOWN.lock() {
        Ok(known) => known,
        Err(poisoned) => poisoned.into_inner(),
    };
    known.entry(prefixes).or_insert_with(|| {
        let english = Catalogue::of(Language::English);
        let mut sentences: Vec<Sentence> = messages(english.resource())
            .filter(|(id, _)| prefixes.iter().any(|prefix| id.starts_with(prefix)))
            .filter_map(|(id, pattern)| Sentence::of(id, pattern))
            .collect();
        sentences.sort_by_key(|sentence| std::cmp::Reverse(sentence.fixed));
        // The lists are constants of the program: there are a handful of them.
        Vec::leak(sentences)
    })
}

impl Told {
    /// An English text that was kept or came from a package of its own, as the messages it is made
    /// of; as it is written where it is none of those whose names begin so.
    pub fn recognised(prefixes: &'static [&'static str], text: &str) -> Self {
        if let Some(told) = whole(prefixes, text) {
            return told;
        }
        let mut sentences = Vec::new();
        let mut rest = text;
        while let Some(end) = rest.find(". ") {
            let (sentence, after) = rest.split_at(end + 1);
            sentences.push(sentence);
            rest = after.trim_start();
        }
        if sentences.is_empty() {
            return Self::as_written(text.to_owned());
        }
        sentences.push(rest);
        Self::sentences(sentences.into_iter().map(|sentence| {
            whole(prefixes, sentence).unwrap_or_else(|| Self::as_written(sentence.to_owned()))
        }))
    }
}

/// The same for half a sentence that was made a whole one.
fn whole(prefixes: &'static [&'static str], text: &str) -> Option<Told> {
    exactly(prefixes, text).or_else(|| {
        let mut letters = text.trim_end_matches('.').chars();
        let first = letters.next()?;
        let half = format!("{}{}", first.to_lowercase(), letters.as_str());
        exactly(prefixes, &half).map(Told::whole)
    })
}

fn exactly(prefixes: &'static [&'static str], text: &str) -> Option<Told> {
    among(prefixes).iter().find_map(|sentence| {
        let parts = sentence.parts(text)?;
        let named = sentence.names.iter().zip(parts).map(|(name, part)| {
            let part = if WRITTEN.contains(name) {
                Part::Name(part.to_owned().into())
            } else {
                part.parse().map_or_else(
                    |_| Part::from(Told::recognised(prefixes, part)),
                    Part::Number,
                )
            };
            (*name, part)
        });
        Some(Told::message(sentence.id, named.collect()))
    })
}

/// What was expected of a text or a number.
impl From<Refusal> for Told {
    fn from(refusal: Refusal) -> Self {
        Self::recognised(&["game-", "asked-", "people-"], refusal.0)
    }
}

/// English words of a module that does not tell values yet.
const ENGLISH: &[&str] = &["contest-", "refused-", "movement-", "asked-", "game-"];

impl From<&str> for Told {
    fn from(english: &str) -> Self {
        Self::recognised(ENGLISH, english)
    }
}

impl From<String> for Told {
    fn from(english: String) -> Self {
        Self::recognised(ENGLISH, &english)
    }
}
