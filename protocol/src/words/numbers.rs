//! Numbers that name things: pairs, tables, rounds, pads. Never bare integers across an API.

use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Refusal;

/// Defines a number that only exists inside its range.
macro_rules! ranged {
    ($(#[$doc:meta])* $name:ident, $int:ty, $low:expr, $high:expr, $expected:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        pub struct $name($int);

        impl $name {
            /// The smallest one.
            pub const MIN: Self = Self($low);
            /// The largest one.
            pub const MAX: Self = Self($high);

            /// The number, if it is one that can occur.
            pub const fn new(number: $int) -> Option<Self> {
                // Wider than the number itself, so that no comparison is useless.
                if number as i64 >= $low as i64 && number as i64 <= $high as i64 { Some(Self(number)) } else { None }
            }

            /// The plain number.
            pub const fn get(self) -> $int {
                self.0
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.0.serialize(serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let number = <$int as serde::Deserialize>::deserialize(deserializer)?;
                Self::try_from(number).map_err(serde::de::Error::custom)
            }
        }

        impl TryFrom<$int> for $name {
            type Error = Refusal;

            fn try_from(number: $int) -> Result<Self, Refusal> {
                Self::new(number).ok_or(Refusal($expected))
            }
        }

        impl From<$name> for $int {
            fn from(number: $name) -> Self {
                number.0
            }
        }

        impl FromStr for $name {
            type Err = Refusal;

            fn from_str(text: &str) -> Result<Self, Refusal> {
                text.trim().parse().ok().and_then(Self::new).ok_or(Refusal($expected))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }
    };
}
pub(super) use ranged;

ranged!(
    /// A pair's number within its section (and direction, in a two-winner movement).
    ///
    /// Sixteen bits, because the scoring modules also rank fields far larger than one room.
    PairNumber, u16, 1, u16::MAX, "expected a pair number from 1 to 65535"
);
ranged!(
    /// A table's number within its section.
    TableNumber, u16, 1, u16::MAX, "expected a table number from 1 to 65535"
);
ranged!(
    /// A round of a session, counted from 1.
    RoundNumber, u8, 1, 99, "expected a round number from 1 to 99"
);
ranged!(
    /// A player's number in the club's or the national list; 0 is a visitor or a phantom.
    PlayerNumber, u32, 0, 999_999_999, "expected a player number of at most nine digits"
);
ranged!(
    /// Hundredths of a percent, from 0 to 100%.
    Percentage, u16, 0, 10_000, "expected a percentage from 0 to 100"
);
ranged!(
    /// One session of one event, as the base station numbers them. Never used twice by a club.
    SessionId, u32, 0, u32::MAX, "expected a session number"
);
ranged!(
    /// A pad for life: derived from the chip's own unique identity.
    PadId, u32, 0, u32::MAX, "expected a pad identity"
);
ranged!(
    /// Which log-on of a table a pad belongs to. A replacement pad gets the next one, and what an
    /// older epoch still says changes nothing.
    Epoch, u16, 0, u16::MAX, "expected an epoch from 0 to 65535"
);

impl RoundNumber {
    /// The first round of every session.
    pub const FIRST: Self = Self::MIN;

    /// The round after this one, if a session can have that many.
    pub const fn next(self) -> Option<Self> {
        Self::new(self.0 + 1)
    }
}

impl PlayerNumber {
    /// What a visitor without a number types.
    pub const VISITOR: Self = Self(0);
}

impl Percentage {
    /// From whole percents.
    pub const fn whole(percent: u8) -> Option<Self> {
        Self::new(percent as u16 * 100)
    }
}

/// A section of the room, called by a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SectionLetter(u8);

impl SectionLetter {
    /// The only section of most evenings.
    pub const A: Self = Self(b'A');

    /// The section of a capital or small letter from A to Z.
    pub const fn new(letter: char) -> Option<Self> {
        if letter.is_ascii_alphabetic() {
            Some(Self(letter.to_ascii_uppercase() as u8))
        } else {
            None
        }
    }

    /// The capital letter.
    pub const fn letter(self) -> char {
        self.0 as char
    }
}

impl TryFrom<u8> for SectionLetter {
    type Error = Refusal;

    fn try_from(letter: u8) -> Result<Self, Refusal> {
        Self::new(letter as char).ok_or(Refusal("expected a section letter from A to Z"))
    }
}

impl From<SectionLetter> for u8 {
    fn from(section: SectionLetter) -> Self {
        section.0
    }
}

impl FromStr for SectionLetter {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        let mut letters = text.trim().chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) => Self::new(letter),
            _ => None,
        }
        .ok_or(Refusal("expected a section letter from A to Z"))
    }
}

impl fmt::Display for SectionLetter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.letter(), f)
    }
}
