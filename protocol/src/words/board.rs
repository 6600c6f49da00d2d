//! The board: its number says who deals and who is vulnerable.

use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Serialize};

use super::numbers::ranged;
use super::{Refusal, Seat, Side};

ranged!(
    /// The number on a board, from 1. Dealer and vulnerability repeat every sixteen boards.
    BoardNumber, u8, 1, u8::MAX, "expected a board number from 1 to 255"
);

/// Which sides lose and gain more on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Vulnerability {
    /// Nobody.
    None,
    /// North-South only.
    NorthSouth,
    /// East-West only.
    EastWest,
    /// Everybody.
    Both,
}

impl BoardNumber {
    /// North deals board 1, East board 2, and so on.
    pub const fn dealer(self) -> Seat {
        Seat::from_index(self.get() - 1)
    }

    /// The vulnerability printed on the board.
    pub const fn vulnerability(self) -> Vulnerability {
        let deal = self.get() - 1;
        // Every group of four boards begins one step later in the same cycle of four.
        match (deal % 4 + deal / 4) % 4 {
            0 => Vulnerability::None,
            1 => Vulnerability::NorthSouth,
            2 => Vulnerability::EastWest,
            _ => Vulnerability::Both,
        }
    }

    /// The board with the next higher number.
    pub const fn next(self) -> Option<Self> {
        match self.get().checked_add(1) {
            Some(number) => Self::new(number),
            None => None,
        }
    }
}

impl Vulnerability {
    /// Whether this side is vulnerable.
    pub const fn of(self, side: Side) -> bool {
        matches!(
            (self, side),
            (Self::Both, _)
                | (Self::NorthSouth, Side::NorthSouth)
                | (Self::EastWest, Side::EastWest)
        )
    }
}

impl FromStr for Vulnerability {
    type Err = Refusal;

    /// Reads the words of deal files (`None`, `Love`, `-`, `NS`, `EW`, `All`, `Both`) as well as ours.
    fn from_str(text: &str) -> Result<Self, Refusal> {
        let text = text.trim();
        let is = |words: &[&str]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
        if is(&["none", "nil", "love", "-"]) {
            Ok(Self::None)
        } else if is(&["ns", "n-s"]) {
            Ok(Self::NorthSouth)
        } else if is(&["ew", "e-w"]) {
            Ok(Self::EastWest)
        } else if is(&["both", "all"]) {
            Ok(Self::Both)
        } else {
            Err(Refusal("expected a vulnerability: none, ns, ew or both"))
        }
    }
}

impl fmt::Display for Vulnerability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::None => "none",
            Self::NorthSouth => "NS",
            Self::EastWest => "EW",
            Self::Both => "both",
        })
    }
}
