//! Matches: whom a table plays, and the slip that both sides accept at the end.

use heapless::Vec;
use serde::{Deserialize, Serialize};

use super::Name;
use crate::words::{BoardNumber, RoundNumber, Score, Side};

/// Boards of a slip: the longest match that is played in one go.
pub const SLIP_LINES_MAX: usize = 32;

/// The match that a table plays in a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchAtTable {
    /// In this round.
    pub round: RoundNumber,
    /// Which side of the table is at home.
    pub home: Side,
    /// The teams of North-South and of East-West; empty where they go by their players.
    pub names: [Name; 2],
}

/// What a match has come to, as one of its tables sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slip {
    /// Of this round.
    pub round: RoundNumber,
    /// Another one after every change of a result: what is accepted is what was read.
    pub check: u16,
    /// Board by board.
    pub lines: Vec<SlipLine, SLIP_LINES_MAX>,
    /// What North-South have together, in tenths; none until all of the field is in.
    pub total: Option<i16>,
    /// Victory points of North-South and East-West in hundredths; none until all is in.
    pub vp: Option<[i16; 2]>,
    /// Both sides have accepted it: corrections go through the director.
    pub accepted: bool,
}

/// A board of a slip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlipLine {
    /// Which.
    pub board: BoardNumber,
    /// North-South's score here.
    pub here: Option<Score>,
    /// North-South's score at the other table of a teams match.
    pub there: Option<Score>,
    /// What North-South got for it, in tenths; none until it is known.
    pub points: Option<i16>,
}
