//! Turns results into matchpoints, IMPs, victory points and rankings.
//!
//! A traveller is a slice of [`Row`]s (who met whom, and the [`Outcome`]); [`Rules`] say how it
//! is scored; [`score_board`] answers with [`BoardScores`], row by row. A [`Field`] keeps all
//! boards of an event up to date one result at a time and answers with a [`Ranking`]. Everything
//! is exact ([`Points`] in ten-thousandths) and pure.
//!
//! Where a half must be rounded, North-South's goes up and East-West's down, so that the two pairs
//! of a table always share exactly one top.

mod board;
mod datum;
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
mod victory;

pub use board::{BoardScores, OwnAverage, PairScore, RowScores, Scorer, score_board};
pub use datum::{Datum, DatumRounding, DatumRules, Trimming};
pub use field::{BoardView, Field, FieldError};
pub use imps::Imps;
pub use points::{Percent, Points, Rounding};
pub use ranking::{
    Penalty, Ranking, SessionAdjustments, SettledAward, Standing, divided_by_root, of_a_top,
};
pub use row::{Adjustment, Award, Contestant, Fault, Form, Outcome, Row, WeightedScore};
pub use rules::{AdjustedRows, AveragePlus, FouledBoards, Method, Rules, Scale, Several, Winners};
pub use teams::{MatchResult, TeamsBoard};
pub use victory::{ItcLoser, VictoryPoints, VpError, VpScale, VpShare};
