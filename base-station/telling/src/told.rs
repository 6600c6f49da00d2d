//! The value itself.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Catalogue, Pair, Part, Voice};

/// Something that people are told. [`fmt::Display`] and [`Serialize`] make words of it in the
/// voice of the edge that does so ([`Voice::now`]), which is English by default.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Told(Kind);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Kind {
    /// A message of the catalogue and its parts.
    Message(&'static str, Vec<(&'static str, Part)>),
    /// What somebody wrote: a name, a reason, a sentence in an old journal, a fault of the system.
    AsWritten(Cow<'static, str>),
    /// One after the other.
    Sentences(Vec<Told>),
    /// Half a sentence as a whole one: with a capital and a stop.
    Whole(Box<Told>),
}

impl Told {
    /// A message of the catalogue. Made by the enums of the groups, which know its parts.
    pub(crate) const fn message(id: &'static str, parts: Vec<(&'static str, Part)>) -> Self {
        Self(Kind::Message(id, parts))
    }

    /// Which message of the catalogue it is, for a program that has the same one; `None` where
    /// somebody wrote it.
    pub fn message_id(&self) -> Option<&'static str> {
        match &self.0 {
            Kind::Message(id, _) => Some(id),
            Kind::Whole(half) => half.message_id(),
            Kind::AsWritten(_) | Kind::Sentences(_) => None,
        }
    }

    /// What somebody wrote, never translated: a name, a reason, a sentence in an old journal, a
    /// fault that the system tells.
    pub fn as_written(text: impl Into<Cow<'static, str>>) -> Self {
        Self(Kind::AsWritten(text.into()))
    }

    /// Nothing.
    pub const fn nothing() -> Self {
        Self(Kind::AsWritten(Cow::Borrowed("")))
    }

    /// Several sentences, one after the other.
    pub fn sentences(all: impl IntoIterator<Item = Self>) -> Self {
        Self(Kind::Sentences(all.into_iter().collect()))
    }

    /// Cores refuse in half a sentence ("expected ..."): as a whole one, with a capital and a stop.
    pub fn whole(self) -> Self {
        match self.0 {
            Kind::Whole(_) => self,
            _ => Self(Kind::Whole(Box::new(self))),
        }
    }

    /// The same with every pair in it as it is called: whoever knows the players says how.
    #[must_use]
    pub fn calling(self, called: &impl Fn(Pair) -> Part) -> Self {
        Self(match self.0 {
            Kind::Message(id, parts) => {
                let parts = parts.into_iter();
                let called = parts.map(|(name, part)| (name, part.calling(called)));
                Kind::Message(id, called.collect())
            }
            Kind::AsWritten(text) => Kind::AsWritten(text),
            Kind::Sentences(all) => {
                Kind::Sentences(all.into_iter().map(|told| told.calling(called)).collect())
            }
            Kind::Whole(half) => Kind::Whole(Box::new(half.calling(called))),
        })
    }

    /// Whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        match &self.0 {
            Kind::Message(..) => false,
            Kind::AsWritten(text) => text.is_empty(),
            Kind::Sentences(all) => all.iter().all(Self::is_empty),
            Kind::Whole(half) => half.is_empty(),
        }
    }

    /// The name of the message, where it is one of the catalogue.
    pub fn id(&self) -> Option<&'static str> {
        match &self.0 {
            Kind::Message(id, _) => Some(id),
            Kind::Whole(half) => half.id(),
            Kind::AsWritten(_) | Kind::Sentences(_) => None,
        }
    }

    /// The words.
    pub fn in_words(&self, voice: Voice) -> String {
        match &self.0 {
            Kind::Message(id, parts) => Catalogue::of(voice.language).filled(
                id,
                parts.iter().map(|(name, part)| (*name, part.value(voice))),
            ),
            Kind::AsWritten(text) => text.clone().into_owned(),
            Kind::Sentences(all) => {
                let words = all.iter().map(|told| told.in_words(voice));
                let said: Vec<String> = words.filter(|words| !words.is_empty()).collect();
                said.join(" ")
            }
            Kind::Whole(half) => whole_sentence(&half.in_words(voice)),
        }
    }
}

fn whole_sentence(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| {
        let end = if words.ends_with(['.', '!', '?', '…', ':']) {
            ""
        } else {
            "."
        };
        format!("{}{}{end}", first.to_uppercase(), letters.as_str())
    })
}

impl Default for Told {
    fn default() -> Self {
        Self::nothing()
    }
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.in_words(Voice::now()))
    }
}

impl std::error::Error for Told {}

impl Serialize for Told {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.in_words(Voice::now()))
    }
}

/// What comes in words stays those words.
impl<'de> Deserialize<'de> for Told {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from).map(Self::as_written)
    }
}

/// What it is in English, for tests.
impl PartialEq<str> for Told {
    fn eq(&self, other: &str) -> bool {
        self.in_words(Voice::default()) == other
    }
}

impl PartialEq<&str> for Told {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}

impl From<&Told> for Told {
    fn from(told: &Told) -> Self {
        told.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    /// What somebody is called is never looked into, whatever it looks like.
    #[test]
    fn a_player_called_north_or_j_smith_stays_so_in_every_sentence_of_every_language() {
        let english = Catalogue::of(Language::English).shapes();
        let mut said = 0;
        for (id, shape) in &english {
            let known: Vec<&'static str> =
                shape.parts.iter().map(|it| &*it.clone().leak()).collect();
            let written = known.iter().filter(|it| !shape.forms.contains_key(**it));
            for part in written {
                for name in ["North", "J. Smith", "Pair 7. No", "pair 7 leaves"] {
                    let parts = known.iter().map(|known| {
                        let value = if known == part { name } else { "2" };
                        (*known, Part::Name(value.into()))
                    });
                    let told = Told::message(id, parts.collect());
                    for language in Language::ALL {
                        let words = told.in_words(Voice::plain(language));
                        assert!(words.contains(name), "{id} in {language:?}: {words}");
                        said += 1;
                    }
                }
            }
        }
        assert!(said > 10_000, "{said}");
    }
}
