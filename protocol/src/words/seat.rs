//! The four seats of a table and the two sides they form.

use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Refusal;

/// One of the four players, by the compass. Play goes clockwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Seat {
    /// Partner of South.
    North,
    /// Partner of West.
    East,
    /// Partner of North.
    South,
    /// Partner of East.
    West,
}

/// A partnership by its direction at the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Side {
    /// North and South.
    NorthSouth,
    /// East and West.
    EastWest,
}

impl Seat {
    /// Clockwise from North.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// Clockwise from North: 0 to 3.
    pub const fn index(self) -> u8 {
        self as u8
    }

    /// The seat at a clockwise distance from North, taken modulo four.
    pub const fn from_index(index: u8) -> Self {
        match index % 4 {
            0 => Self::North,
            1 => Self::East,
            2 => Self::South,
            _ => Self::West,
        }
    }

    /// The player to the left, who plays next. Declarer's left-hand opponent leads.
    pub const fn left(self) -> Self {
        Self::from_index(self as u8 + 1)
    }

    /// The player across the table.
    pub const fn partner(self) -> Self {
        Self::from_index(self as u8 + 2)
    }

    /// The player to the right, who played before.
    pub const fn right(self) -> Self {
        Self::from_index(self as u8 + 3)
    }

    /// The side this player belongs to.
    pub const fn side(self) -> Side {
        match self {
            Self::North | Self::South => Side::NorthSouth,
            Self::East | Self::West => Side::EastWest,
        }
    }

    /// N, E, S or W.
    pub const fn letter(self) -> char {
        match self {
            Self::North => 'N',
            Self::East => 'E',
            Self::South => 'S',
            Self::West => 'W',
        }
    }
}

impl Side {
    /// North-South first.
    pub const BOTH: [Self; 2] = [Self::NorthSouth, Self::EastWest];

    /// The opponents.
    pub const fn other(self) -> Self {
        match self {
            Self::NorthSouth => Self::EastWest,
            Self::EastWest => Self::NorthSouth,
        }
    }
}

impl FromStr for Seat {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        let text = text.trim();
        Self::ALL
            .into_iter()
            .find(|seat| {
                let name = match seat {
                    Self::North => "North",
                    Self::East => "East",
                    Self::South => "South",
                    Self::West => "West",
                };
                text.eq_ignore_ascii_case(name)
                    || name
                        .get(..1)
                        .is_some_and(|letter| text.eq_ignore_ascii_case(letter))
            })
            .ok_or(Refusal("expected a seat: N, E, S or W"))
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.letter(), f)
    }
}

impl FromStr for Side {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        match text.trim() {
            "NS" | "ns" | "N-S" => Ok(Self::NorthSouth),
            "EW" | "ew" | "E-W" => Ok(Self::EastWest),
            _ => Err(Refusal("expected a direction: NS or EW")),
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::NorthSouth => "NS",
            Self::EastWest => "EW",
        })
    }
}
