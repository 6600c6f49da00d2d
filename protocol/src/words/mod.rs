//! The words of duplicate bridge, as types that cannot hold nonsense.
//!
//! A board is dealt with a dealer and a vulnerability that follow from its number
//! ([`BoardNumber`]). The players bid to a [`Contract`], somebody makes an [`OpeningLead`], and
//! declarer takes some number of [`Tricks`]. Together that is a [`BoardResult`], and it is worth
//! a [`Score`] to North-South.
//!
//! Every word prints ([`core::fmt::Display`]) and parses ([`core::str::FromStr`]) as people
//! write it, and refuses with a sentence ([`Refusal`]).

mod board;
mod card;
mod contract;
mod hexadecimal;
mod numbers;
mod refusal;
mod result;
mod score;
mod seat;

pub use board::{BoardNumber, Vulnerability};
pub use card::{Card, Deal, Hand, OpeningLead, Rank, Suit};
pub use contract::{Contract, Doubling, Level, Strain, Tricks};
pub use hexadecimal::from_hexadecimal;
pub use numbers::{
    Epoch, PadId, PairNumber, Percentage, PlayerNumber, RoundNumber, SectionLetter, SessionId,
    TableNumber,
};
pub use refusal::Refusal;
pub use result::{Award, BoardResult, Outcome, Played};
pub use score::{Score, score_of};
pub use seat::{Seat, Side};
