//! Movements: who sits where in which round, and which boards lie there.
//!
//! A [`Movement`] is plain data that a director can read and edit: for every round and table a
//! [`Seating`] of a North-South pair, an East-West pair and a set of boards. The generators
//! ([`generate`]) write that data from a few parameters, [`check`](Movement::check) proves it
//! sound before anybody plays it, [`suggest`] ranks the choices for a room, and [`change`] turns
//! it into another movement in mid-session without touching a round that was played.

mod board_set;
mod cards;
pub mod change;
mod check;
pub mod draw;
mod generate;
mod moves;
mod phantom;
mod refused;
mod schedule;
pub mod seeding;
mod sentence;
mod suggest;
mod summary;
#[cfg(test)]
mod tests;
mod text;
mod told;

pub use board_set::BoardSet;
pub use cards::{CardLine, TableCard};
pub use check::{Balance, Fault, Meetings, Report, Sharing};
pub use generate::{Kind, Numbering, Setup, Variant, generate};
pub use moves::{Announcement, BoardsGo, NextMove, PairGoes};
pub use phantom::PhantomAdvice;
pub use refused::Refused;
pub use schedule::{
    ByeStand, Family, FeedIn, Layout, Lists, Movement, PairId, Place, Round, Seating, Share,
    SpecialMove,
};
pub use sentence::NoSuchSentence;
pub use suggest::{Choice, Room, minutes_of_round, suggest};
pub use summary::{Relay, Stack, Summary, Triples};
pub use text::{TextFault, TextProblem};
pub use told::{Instruction, MitchellKind, Outcome, Reason, Sets, StackedSets};

/// The example of the README is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
