//! What one session brought.

use protocol::words::SessionId;

use crate::{Hundredths, PlayerKey};

/// A session, as far as competitions need it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Night {
    /// Which.
    pub session: SessionId,
    /// Tables that played.
    pub tables: usize,
    /// Its pairs.
    pub lines: Vec<NightLine>,
}

/// What a pair brought home.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NightLine {
    /// Who played the most of its boards; nobody where no name is known.
    pub players: [Option<PlayerKey>; 2],
    /// At matchpoints.
    pub percent: Option<Hundredths>,
    /// In matches.
    pub vp: Option<Hundredths>,
    /// Net IMPs, where its boards were scored so.
    pub imps: Option<Hundredths>,
    /// Boards that counted.
    pub boards: u32,
    /// Which ranking list it stood in.
    pub list: usize,
    /// Its place there.
    pub rank: Option<u32>,
    /// How many stood there.
    pub of: u32,
}

impl NightLine {
    /// Whether somebody played in it.
    pub(crate) fn has(&self, player: &PlayerKey) -> bool {
        self.players.iter().flatten().any(|it| it == player)
    }

    /// Whom a player played with.
    pub(crate) fn partner_of(&self, player: &PlayerKey) -> Option<&PlayerKey> {
        self.players.iter().flatten().find(|it| *it != player)
    }
}

impl Night {
    /// A player's line: the one with more boards where somebody moved.
    pub(crate) fn line_of(&self, player: &PlayerKey) -> Option<&NightLine> {
        let own = self.lines.iter().filter(|line| line.has(player));
        own.reduce(|one, other| {
            if other.boards > one.boards {
                other
            } else {
                one
            }
        })
    }
}
