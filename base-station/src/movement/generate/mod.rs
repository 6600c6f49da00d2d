//! Movements from parameters: the rules of the directors' manual, not its tables of results.

mod build;
mod mitchell;
#[cfg(test)]
mod tests;

use std::num::NonZeroU8;

use protocol::words::{BoardNumber, TableNumber};

use super::{Movement, Refused};

/// Which movement to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// NS sit, EW and boards go round.
    Mitchell,
}

/// A Mitchell of a certain kind instead of the manual's own choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// EW miss a table half-way.
    Skip,
    /// A bye-stand in the middle, two tables share.
    Share,
    /// More sets than tables.
    FeedIn,
}

/// What the director has: tables, boards, and how many to a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The highest table; a half table counts.
    pub tables: TableNumber,
    /// The highest board.
    pub boards: BoardNumber,
    /// Boards a round, where the director insists.
    pub per_round: Option<NonZeroU8>,
    /// Which Mitchell, where the director insists.
    pub variant: Option<Variant>,
}

/// The movement of this kind for this room, proven sound, or the reason why there is none.
pub fn generate(kind: Kind, setup: Setup) -> Result<Movement, Refused> {
    match kind {
        Kind::Mitchell => mitchell::generate(setup),
    }
}
