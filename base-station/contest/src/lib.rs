//! Matches: who plays whom, what a match comes to, and where everybody stands.
//!
//! A [`draw`] makes the matches of a round from the [`draw::Entrant`]s and a [`draw::Wish`]. It
//! is pure: the seed of every lot is an argument, so that a draw can be shown to anybody again.
//! [`Rules`] say how a stage is scored; [`teams`] and [`pairs`] add a match up board by board;
//! [`irregular`] knows matches that were not played properly; [`standing`] ranks everybody and says
//! why.

pub mod carried;
pub mod draw;
pub mod irregular;
mod lot;
pub mod offence;
pub mod pairs;
pub mod points;
pub mod qualifying;
pub mod rules;
pub mod stages;
pub mod standing;
pub mod stanzas;
pub mod teams;
mod ties;
mod times;

pub use lot::Lot;
pub use rules::{Comparison, Regulation, Rules};
pub use times::MatchTime;

/// The number of a pair or a team in its event.
pub use protocol::words::PairNumber as ContestantNumber;

/// Why a round can't be drawn so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Nobody has said what becomes of the one who is left over.
    #[error("{size} is an odd number: say whether somebody has a bye or three play a triangle")]
    OddField {
        /// How many there are.
        size: usize,
    },
    /// A first round that brings two together who may not meet.
    #[error(
        "this draw would bring {one} and {other} together, who may not meet: draw with another \
         seed, or by hand"
    )]
    MayNotMeet {
        /// One of them.
        one: ContestantNumber,
        /// The other.
        other: ContestantNumber,
    },
    /// A seeded start is over.
    #[error("the seeded start has two rounds: draw this one from the standing")]
    SeededStartOver,
    /// Too small a field for it.
    #[error("{size} contestants are too few for a seeded start: draw by lot or in halves")]
    TooFewForSeededStart {
        /// How many there are.
        size: usize,
    },
    /// Fewer than three.
    #[error("a triangle needs three contestants")]
    TriangleNeedsThree,
    /// No draw can weigh them.
    #[error("the scores are too far apart to be drawn: look for a misprint")]
    ScoresTooFarApart,
    /// One or nobody.
    #[error("a draw needs at least two contestants")]
    TooFew,
    /// More than a draw can do.
    #[error("a draw has at most {most} contestants")]
    TooMany {
        /// How many it can do.
        most: usize,
    },
    /// Somebody is entered twice.
    #[error("contestant {contestant} is there twice")]
    Twice {
        /// Who.
        contestant: ContestantNumber,
    },
    /// Somebody is their own opponent.
    #[error("contestant {contestant} can't meet itself")]
    MeetsItself {
        /// Who.
        contestant: ContestantNumber,
    },
    /// Nobody has that number.
    #[error("there is no contestant {contestant}")]
    NoSuchContestant {
        /// The number.
        contestant: ContestantNumber,
    },
    /// Somebody was written into two matches.
    #[error("contestant {contestant} is in two matches of this round")]
    TwoMatches {
        /// Who.
        contestant: ContestantNumber,
    },
    /// Somebody was left out.
    #[error("contestant {contestant} has no match in this round and no bye")]
    LeftOut {
        /// Who.
        contestant: ContestantNumber,
    },
}

#[cfg(test)]
mod tests;
