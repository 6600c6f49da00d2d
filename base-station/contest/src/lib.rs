//! Matches: who plays whom, what a match comes to, and where everybody stands.
//!
//! A [`draw`] makes the matches of a round from the [`draw::Entrant`]s and a [`draw::Wish`]. It
//! is pure: the seed of every lot is an argument, so that a draw can be shown to anybody again.
//! [`Rules`] say how a stage is scored; [`teams`] and [`pairs`] add a match up board by board;
//! [`irregular`] knows matches that were not played properly; [`standing`] ranks everybody and says
//! why.

pub mod draw;
pub mod irregular;
mod lot;
pub mod offence;
pub mod pairs;
pub mod rules;
pub mod standing;
pub mod teams;

pub use lot::Lot;
pub use rules::{Comparison, Regulation, Rules};

/// The number of a pair or a team in its event.
pub use protocol::words::PairNumber as ContestantNumber;

/// Why something can't be done, as a sentence for the director.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refused(pub String);

impl Refused {
    /// From any sentence.
    pub fn because(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }
}

#[cfg(test)]
mod tests;
