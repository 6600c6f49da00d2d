//! Looks up what the base station says in another language: whole sentences with their `{parts}`.
//!
//! The page does the same in `assets/js/text.js`, from the same file.

use std::collections::BTreeMap;

/// A sentence shorter than this without its parts must not swallow a whole other one that ends
/// alike ("{n} tables").
const SHORT: usize = 7;

/// Every known sentence.
#[derive(Debug, Default)]
pub(super) struct Phrases {
    /// Those with the longest fixed text first.
    all: Vec<Phrase>,
}

/// A sentence: text and names of parts take turns, a text first and last.
#[derive(Debug)]
struct Phrase {
    texts: Vec<String>,
    names: Vec<String>,
    own: String,
    fixed: usize,
}

impl Phrases {
    pub(super) fn new(sentences: BTreeMap<String, String>) -> Self {
        let mut all: Vec<Phrase> = sentences.into_iter().map(Phrase::new).collect();
        all.sort_by_key(|phrase| std::cmp::Reverse(phrase.fixed));
        Self { all }
    }

    /// The sentences of a text one by one, as they are where they are not known.
    pub(super) fn said(&self, text: &str) -> String {
        if self.all.is_empty() || text.is_empty() {
            return text.to_owned();
        }
        if let Some(whole) = self.whole(text) {
            return whole;
        }
        let mut sentences = Vec::new();
        let mut rest = text;
        while let Some(end) = rest.find(". ") {
            let (sentence, after) = rest.split_at(end + 1);
            sentences.push(sentence);
            rest = after.trim_start();
        }
        sentences.push(rest);
        let own = sentences.into_iter().map(|sentence| {
            let known = self.whole(sentence);
            known.unwrap_or_else(|| sentence.to_owned())
        });
        own.collect::<Vec<_>>().join(" ")
    }

    /// Where the base makes a whole sentence of a half one, it begins with a capital and ends with
    /// a stop.
    fn whole(&self, text: &str) -> Option<String> {
        self.look(text).or_else(|| {
            let half = first_letter(text.trim_end_matches('.'), |letter| {
                letter.to_lowercase().to_string()
            });
            let own = self.look(&half)?;
            let own = first_letter(&own, |letter| letter.to_uppercase().to_string());
            Some(if text.ends_with('.') { own + "." } else { own })
        })
    }

    fn look(&self, text: &str) -> Option<String> {
        self.all.iter().find_map(|phrase| {
            let parts = phrase.parts(text)?;
            let mut own = phrase.own.clone();
            for (name, part) in phrase.names.iter().zip(parts) {
                own = own.replace(&format!("{{{name}}}"), &self.said(part));
            }
            Some(own)
        })
    }
}

impl Phrase {
    fn new((english, own): (String, String)) -> Self {
        let pieces: Vec<&str> = english.split(['{', '}']).collect();
        let every_other = |from| pieces.iter().skip(from).step_by(2);
        let texts: Vec<String> = every_other(0).map(|it| (*it).to_owned()).collect();
        Self {
            fixed: texts.iter().map(String::len).sum(),
            names: every_other(1).map(|it| (*it).to_owned()).collect(),
            texts,
            own,
        }
    }

    /// What stands at the places of the parts, if the fixed texts are all there.
    fn parts<'a>(&self, text: &'a str) -> Option<Vec<&'a str>> {
        let (first, others) = self.texts.split_first()?;
        let mut rest = text.strip_prefix(first.as_str())?;
        let Some((last, between)) = others.split_last() else {
            return rest.is_empty().then(Vec::new);
        };
        let mut parts = Vec::new();
        for fixed in between {
            // A part is never empty, so the text after it is looked for behind one letter.
            let start = rest.chars().next()?.len_utf8();
            let at = start + rest.get(start..)?.find(fixed.as_str())?;
            parts.push(rest.get(..at)?);
            rest = rest.get(at + fixed.len()..)?;
        }
        parts.push(rest.strip_suffix(last.as_str())?);
        let few_words = |part: &&str| {
            let mut words = part.split(", ");
            words.all(|word| !word.contains([' ', '.', ':', ';', '!', '?']))
        };
        let fits = parts.iter().all(|part| !part.is_empty())
            && (self.fixed > SHORT || parts.iter().all(few_words));
        fits.then_some(parts)
    }
}

fn first_letter(text: &str, change: impl Fn(char) -> String) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        format!("{}{}", change(first), letters.as_str())
    })
}
