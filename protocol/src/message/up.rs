//! From a pad to the base.

use serde::{Deserialize, Serialize};

use super::Pin;
use crate::words::{
    BoardNumber, BoardResult, PairNumber, PlayerNumber, RoundNumber, SectionLetter, TableNumber,
};

/// Everything a pad can say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Up {
    /// Players claim a table that no pad holds.
    LogOn(LogOn),
    /// A director puts this pad in the place of the one that holds the table now.
    Replace(LogOn),
    /// The pad that holds the table has lost its game (New Game by mistake, worn flash) and
    /// wants it back.
    Recover(LogOn),
    /// Nothing to report but that the pad is there; also rides behind other messages.
    CheckIn(CheckIn),
    /// Who sits here.
    Players(Players),
    /// Which pairs the players say sit here this round.
    PairsSeen {
        /// The round they are about to play.
        round: RoundNumber,
        /// North-South; `None` is a phantom.
        ns: Option<PairNumber>,
        /// East-West; `None` is a phantom.
        ew: Option<PairNumber>,
    },
    /// The players want to enter a board that is not on this table's sheet.
    BoardWanted {
        /// The round being played.
        round: RoundNumber,
        /// What they typed.
        board: BoardNumber,
    },
    /// The director allowed such a board on the pad itself.
    BoardAllowedHere {
        /// The round being played.
        round: RoundNumber,
        /// The board that may be entered.
        board: BoardNumber,
    },
    /// An agreed result, a correction, or a board not played.
    Entry(Entry),
    /// What a replaced pad still holds; offered to the director, counted nowhere by itself.
    Held(Entry),
    /// Please come to this table.
    CallDirector,
    /// It has sorted itself out.
    CancelCall,
    /// The pad wants to show something that only the base knows.
    Ask(Question),
    /// The director had the pad send its whole game again; this many entries follow.
    ResendingEverything {
        /// How many.
        entries: u8,
    },
    /// The table is done for tonight.
    LogOff,
    /// Somebody typed this as the director's number: is it? Any pad of the club may ask, also one
    /// without a table. Answered with [`super::Down::PinJudged`].
    DirectorPin(Pin),
    /// Both sides accept the slip of their match.
    SlipAccepted {
        /// Of this round.
        round: RoundNumber,
        /// [`super::Slip::check`] of the slip that they read.
        check: u16,
    },
}

/// Counts a pad's entries within one session, from 1. The base keeps each number once, so that
/// sending an entry a thousand times is the same as once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct EntryNumber(pub u16);

impl EntryNumber {
    /// The first entry of a session.
    pub const FIRST: Self = Self(1);

    /// The last that a base takes. What comes after it can't be told from it, and is refused.
    pub const LAST: Self = Self(u16::MAX - 1);

    /// Whether a pad can count to it.
    pub const fn is_countable(self) -> bool {
        self.0 >= Self::FIRST.0 && self.0 <= Self::LAST.0
    }

    /// The one after; a session ends long before the numbers do.
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

/// One agreed line of a table's score sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Entry {
    /// Which of the pad's entries this is.
    pub number: EntryNumber,
    /// The round the board belongs to.
    pub round: RoundNumber,
    /// The round in which the players agreed it: a correction is judged by this, not by when it
    /// arrives.
    pub agreed_in: RoundNumber,
    /// The board.
    pub board: BoardNumber,
    /// What became of it.
    pub result: BoardResult,
    /// It replaces an earlier entry for the same board of this round.
    pub correction: bool,
    /// The director entered it on the pad, behind the PIN.
    pub by_director: bool,
}

/// A claim to a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LogOn {
    /// The section.
    pub section: SectionLetter,
    /// The table in it.
    pub table: TableNumber,
    /// The pad's own wire version.
    pub wire_version: u8,
    /// The pad's firmware.
    pub firmware: FirmwareVersion,
    /// How the pad is.
    pub state: CheckIn,
}

/// Major, minor, patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct FirmwareVersion(pub u8, pub u8, pub u8);

/// How a pad is, for the director's list of pads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct CheckIn {
    /// Of both cells together, in units of 20 mV: 150 is 3.0 V. 0 where no gauge answers.
    pub battery_20_mv: u8,
    /// How strongly the base was heard last, in dB below 0 dBm; 0 where the modem can't tell.
    pub signal_minus_dbm: u8,
    /// Entries agreed and not yet received.
    pub unsent: u8,
    /// The round the table is in.
    pub round: RoundNumber,
}

/// Player numbers by seat from North clockwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Players {
    /// From which round on they sit here.
    pub round: RoundNumber,
    /// `None` where nothing was entered; 0 is a visitor or a phantom.
    pub seats: [Option<PlayerNumber>; 4],
}

/// What a pad can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Question {
    /// The results of a board that this table has finished.
    Traveller(BoardNumber),
    /// The cards of a board that this table has finished, with double-dummy tricks and par.
    HandRecord(BoardNumber),
    /// The standing, once the director has released it.
    Ranking,
    /// Everything the base has of this table.
    History,
}
