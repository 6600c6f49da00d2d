//! Movements from parameters: the rules of the directors' manual, not its tables of results.

pub(crate) mod build;
mod circles;
mod howell;
mod interclub;
#[cfg(test)]
mod manual_tests;
pub(crate) mod mitchell;
#[cfg(test)]
mod params_tests;
#[cfg(test)]
mod sweep_tests;
#[cfg(test)]
mod tests;
mod whist;

use std::num::NonZeroU8;

use protocol::words::{BoardNumber, TableNumber};
use serde::{Deserialize, Serialize};

use super::{Movement, Refused};

/// Which movement to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// NS sit, EW and boards go round.
    Mitchell,
    /// Nearly everybody moves.
    Howell,
    /// EW turn round at the top table.
    Hesitation,
    /// One more round than tables, with a wandering set.
    FatMitchell,
    /// Two copies of the boards.
    Web,
    /// Two more tables than rounds.
    BowmanEwing,
    /// One EW pair roves.
    Rover,
    /// Teams, an odd number of them; tables are teams.
    AmericanWhist,
    /// Two clubs, the visitors sit.
    Interclub,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Mitchell,
        Self::Howell,
        Self::Hesitation,
        Self::FatMitchell,
        Self::Web,
        Self::BowmanEwing,
        Self::Rover,
        Self::AmericanWhist,
        Self::Interclub,
    ];

    /// As it is typed.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mitchell => "mitchell",
            Self::Howell => "howell",
            Self::Hesitation => "hesitation",
            Self::FatMitchell => "fat-mitchell",
            Self::Web => "web",
            Self::BowmanEwing => "bowman-ewing",
            Self::Rover => "rover",
            Self::AmericanWhist => "american-whist",
            Self::Interclub => "interclub",
        }
    }

    /// In the middle of a sentence.
    pub(crate) const fn with_article(self) -> &'static str {
        match self {
            Self::Mitchell => "a Mitchell",
            Self::Howell => "a Howell",
            Self::Hesitation => "a Hesitation",
            Self::FatMitchell => "a Fat Mitchell",
            Self::Web => "a Web",
            Self::BowmanEwing => "a Bowman-Ewing",
            Self::Rover => "a Rover",
            Self::AmericanWhist => "American Whist",
            Self::Interclub => "an inter-club match",
        }
    }

    /// What it is, in a few words.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Mitchell => "NS sit, EW up one table, boards down one",
            Self::Howell => "Nearly everybody moves, one list",
            Self::Hesitation => "A Mitchell with one list",
            Self::FatMitchell => "One more round than tables",
            Self::Web => "Two copies of the boards",
            Self::BowmanEwing => "Two more tables than rounds",
            Self::Rover => "One EW pair roves",
            Self::AmericanWhist => "An odd number of teams",
            Self::Interclub => "Two clubs: the visitors sit, the home club moves",
        }
    }
}

/// How the pairs of a one-list Mitchell are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbering {
    /// Moving pairs from 1, then NS of the top table, then the sitting pairs.
    EwFirst,
    /// NS by their table, then EW by theirs.
    NsFirst,
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
    /// How a Hesitation numbers its pairs; EW first unless the director says otherwise.
    pub numbering: Option<Numbering>,
}

impl Setup {
    /// Tables and boards, everything else as the manual has it.
    pub const fn new(tables: TableNumber, boards: BoardNumber) -> Self {
        Self {
            tables,
            boards,
            per_round: None,
            variant: None,
            numbering: None,
        }
    }
}

/// The movement of this kind with exactly these boards.
pub(crate) fn exact(kind: Kind, setup: Setup) -> Result<Movement, Refused> {
    match kind {
        Kind::Mitchell => mitchell::exact(setup),
        _ => generate(kind, setup),
    }
}

/// The movement of this kind for this room, proven sound, or the reason why there is none.
pub fn generate(kind: Kind, setup: Setup) -> Result<Movement, Refused> {
    if kind != Kind::Mitchell && setup.variant.is_some() {
        return Err(Refused::VariantOfMitchell);
    }
    if kind != Kind::Hesitation && setup.numbering.is_some() {
        return Err(Refused::NumberingOfHesitation);
    }
    let movement = match kind {
        Kind::Mitchell => mitchell::generate(setup),
        Kind::Howell => howell::generate(setup),
        Kind::Hesitation => circles::hesitation(setup),
        Kind::FatMitchell => circles::fat_mitchell(setup),
        Kind::Web => circles::web(setup),
        Kind::BowmanEwing => circles::bowman_ewing(setup),
        Kind::Rover => circles::rover(setup),
        Kind::AmericanWhist => whist::american_whist(setup),
        Kind::Interclub => interclub::interclub(setup),
    }?;
    match movement.faults().into_iter().next() {
        None => Ok(movement),
        Some(fault) => Err(Refused::CannotBePlayed {
            name: movement.name,
            fault,
        }),
    }
}
