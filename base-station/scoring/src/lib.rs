//! Turns results into matchpoints, IMPs, victory points and rankings.
//!
//! A traveller is a slice of [`Row`]s (who met whom, and the [`Outcome`]); [`Rules`] say how it
//! is scored; [`score_board`] answers with [`BoardScores`], row by row. A [`Field`] keeps all
//! boards of an event up to date one result at a time and answers with a [`Ranking`]. Everything
//! is exact ([`Points`] in ten-thousandths) and pure.
//!
//! Where half a matchpoint must be rounded, North-South's goes up and East-West's down, so that the
//! two pairs of a table always share exactly one top; IMPs are rounded away from zero, so that one
//! side has just what the other lacks, and their totals are added up exactly and rounded once. Rankings go by the percentage as it is printed, with
//! two decimals: pairs that read the same are tied.
//!
//! # Where a source is wrong or silent
//!
//! - New Zealand's formula for a fouled board is printed without its fraction bar, and would exceed the
//!   top; it is `(M x E + (E - A)) / A`, which is Neuberg's.
//! - New Zealand's example of a vulnerable 3NT made at one table and one down at the other takes 50 for
//!   the undertrick; it is 100 (the swing is 12 IMPs either way).
//! - New Zealand's four matchpoint scores of a weighted score cannot come from one traveller (650 earns
//!   more than 680 and 1430): they are an exercise in arithmetic only.
//! - New Zealand says nothing about its quick method for fouled boards beyond doing it by hand: here every
//!   result of another form counts as a tie ([`FouledBoards::Quick`]).
//! - ABF does not say what the loser of an ITC match gets ([`VpScale::Itc`]), nor how 10% of a number
//!   of results is rounded for the datum (down), nor an exact 5 (away from zero,
//!   [`DatumRounding`]).
//! - ABF's award for several average pluses is a square root ([`Several::SquareRoot`]): together
//!   `n` of them are worth the root of `n` times what one is worth above average.
//! - GNOT 2006 enters a forfeit with 18 victory points and 28 IMPs, which its own scale does not match.
//! - SABF's tie "within 0.03" is not transitive ([`regulations::aggregates_tied`]).
//! - SABF's rule on psyches lost a verb ([`regulations::psyche_imps`]).
//! - New Zealand's rating points are read as four fifths of the old ones and all of the new ones: its one
//!   example (80 and 20 make 84) would also allow 80 and a fifth of 20.

mod board;
mod datum;
mod exact;
mod few;
mod field;
mod imps;
mod irregular;
mod points;
mod ranking;
pub mod regulations;
mod row;
mod rules;
mod tally;
mod teams;
mod traveller;
mod victory;

pub use board::{
    BoardScores, Compared, OwnAverage, PairScore, RowScores, Scorer, score_board, score_board_in,
};
pub use datum::{Datum, DatumRounding, DatumRules, Trimming};
pub use field::{BoardView, Field, FieldError};
pub use imps::Imps;
pub use points::{Percent, Points, Rounding};
pub use ranking::{
    Below, Penalty, Ranking, SessionAdjustments, SettledAward, Standing, divided_by_root, of_a_top,
};
pub use row::{Adjustment, Award, Contestant, Fault, Form, Outcome, Pair, Row, WeightedScore};
pub use rules::{
    AdjustedRows, AveragePlus, FouledBoards, Method, Rules, Scale, Several, ShortBoards,
};
pub use teams::{FractionOfImp, MatchResult, TeamsBoard};
pub use victory::{Columns, VictoryPoints, VpError, VpScale, VpShare};

/// The example of the README is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
