//! What regulations add to the arithmetic: awards, penalties, forfeits, carry-over, ties.
//!
//! Each rule is named after the event it comes from: SABF, the ABF's championships with the
//! ITC, IPC and ABPC, GNOT 2006, New Zealand clubs, GNOT NSWBA 2012.
//! Where a source contradicts itself, the choice is told at the rule.

mod carry_over;
mod club;
mod forfeit;
mod knockout;
mod penalties;
mod swiss;
mod ties;

pub use carry_over::CarryOver;
pub use club::{
    ClubPoints, counted_with_substitute, instant_matchpoints, pair_handicap, psyche_imps,
    psyche_percent, rating_points, weighted_mean,
};
pub use forfeit::{Forfeit, SpoiledMatch, SpoiltBoards};
pub use knockout::{
    KnockOut, LevelMatch, Rescored, Settled, rank_double_knock_out, rank_entering_swiss,
    rank_single_knock_out,
};
pub use penalties::{
    Amount, FouledByTeam, LateArrival, Lateness, SlowPlay, UnconfirmedScore, share_of_session,
};
pub use swiss::EntryScore;
pub use ties::{
    Criterion, MatchRecord, Order, RankedTeam, TeamNumber, TeamRecord, aggregates_tied,
    rank_sessions, rank_teams, rank_with_reasons,
};

use super::{AveragePlus, Percent, Points, Several};

/// Average plus by event.
impl AveragePlus {
    /// ABF's teams: 3 IMPs to each side.
    pub const ABF_TEAMS: Self = Self {
        several: Several::SquareRoot,
        ..Self::TEAMS
    };
    /// ABF's pairs: 2 IMPs, or 60%.
    pub const ABF_PAIRS: Self = Self {
        several: Several::SquareRoot,
        ..Self::BUTLER
    };
    /// SABF: 60%, and 2 IMPs for a cancelled Butler board.
    pub const SABF: Self = Self::BUTLER;
    /// GNOT 2006 gives nothing for a fouled board.
    pub const GNOT_2006: Self = Self {
        percent: Percent::whole(60),
        imps: Points::ZERO,
        several: Several::Each,
    };
}
