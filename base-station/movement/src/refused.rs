//! Why a movement cannot be had.

/// One sentence for the director: what is wrong and what would be right instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refused(pub String);

impl Refused {
    /// A refusal in these words.
    pub fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }
}
