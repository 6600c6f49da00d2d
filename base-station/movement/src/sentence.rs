//! Sentences that are values: an enum with parts, written in English and read back.
//!
//! Who speaks another language matches the value; who keeps the text (a journal) gets the value
//! back from it with [`str::parse`].

/// A text that is none of the sentences it was taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected one of the sentences that movements are told in")]
pub struct NoSuchSentence;

/// What stands at the places of the parts, if everything else of the template is there.
pub(crate) fn taken_apart<'a>(
    template: &'static str,
    text: &'a str,
) -> Option<Vec<(&'static str, &'a str)>> {
    let (mut template, mut text) = (template, text);
    let mut parts = Vec::new();
    loop {
        let (fixed, rest) = template.split_once('{').unwrap_or((template, ""));
        text = text.strip_prefix(fixed)?;
        let Some((name, after)) = rest.split_once('}') else {
            return text.is_empty().then_some(parts);
        };
        let end = match after.split_once('{') {
            Some((next, _)) => text.find(next)?,
            // Nothing but this stands behind the last part.
            None => text.strip_suffix(after)?.len(),
        };
        parts.push((name, text.get(..end)?));
        text = text.get(end..)?;
        template = after;
    }
}

/// One part by its name; the same at every place where it stands.
pub(crate) fn part<T: std::str::FromStr>(
    parts: Option<&[(&'static str, &str)]>,
    name: &str,
) -> Option<T> {
    let mut written = parts?.iter().filter(|(known, _)| *known == name);
    let (_, first) = written.next()?;
    let same = written.all(|(_, other)| other == first);
    same.then(|| first.parse().ok()).flatten()
}

/// Makes an enum of sentences. The text of each is its English; parts stand in it in braces.
macro_rules! sentences {
    ($(#[$about:meta])* $name:ident {
        $($(#[$doc:meta])* $variant:ident $({ $($part:ident: $of:ty),+ })? = $text:literal,)+
    }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum $name {
            $(
                $(#[$doc])*
                #[doc = concat!("*", $text, "*")]
                $variant $({
                    $(
                        #[doc = concat!("`", stringify!($part), "` of the sentence.")]
                        $part: $of,
                    )+
                })?,
            )+
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $(Self::$variant $({ $($part),+ })? => write!(f, $text),)+
                }
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::NoSuchSentence;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                $(
                    let parts = $crate::sentence::taken_apart($text, text);
                    if parts.is_some()
                        $($(&& let Some($part) =
                            $crate::sentence::part(parts.as_deref(), stringify!($part)))+)?
                    {
                        return Ok(Self::$variant $({ $($part),+ })?);
                    }
                )+
                Err($crate::NoSuchSentence)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(from)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}
pub(crate) use sentences;
