//! What declarer undertook, and how many tricks were taken.

use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Serialize};

use super::numbers::ranged;
use super::{Refusal, Seat, Suit};

ranged!(
    /// How many tricks above six were bid: 1 to 7.
    Level, u8, 1, 7, "expected a level from 1 to 7"
);
ranged!(
    /// How many tricks declarer took: 0 to 13.
    Tricks, u8, 0, 13, "expected a number of tricks from 0 to 13"
);

/// The trump suit or its absence, from the lowest bid to the highest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Strain {
    /// 20 a trick.
    Clubs,
    /// 20 a trick.
    Diamonds,
    /// 30 a trick.
    Hearts,
    /// 30 a trick.
    Spades,
    /// 40 for the first trick, then 30.
    NoTrump,
}

/// Whether the contract was doubled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Doubling {
    /// Neither doubled nor redoubled.
    Undoubled,
    /// Written x.
    Doubled,
    /// Written xx.
    Redoubled,
}

/// The final bid and who plays it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Contract {
    /// 1 to 7.
    pub level: Level,
    /// Trumps.
    pub strain: Strain,
    /// Doubled or not.
    pub doubling: Doubling,
    /// Who plays it.
    pub declarer: Seat,
}

impl Strain {
    /// From the lowest.
    pub const ALL: [Self; 5] = [
        Self::Clubs,
        Self::Diamonds,
        Self::Hearts,
        Self::Spades,
        Self::NoTrump,
    ];

    /// The trump suit, if there is one.
    pub const fn trumps(self) -> Option<Suit> {
        match self {
            Self::Clubs => Some(Suit::Clubs),
            Self::Diamonds => Some(Suit::Diamonds),
            Self::Hearts => Some(Suit::Hearts),
            Self::Spades => Some(Suit::Spades),
            Self::NoTrump => None,
        }
    }
}

impl From<Suit> for Strain {
    fn from(suit: Suit) -> Self {
        match suit {
            Suit::Clubs => Self::Clubs,
            Suit::Diamonds => Self::Diamonds,
            Suit::Hearts => Self::Hearts,
            Suit::Spades => Self::Spades,
        }
    }
}

impl fmt::Display for Strain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.trumps() {
            Some(suit) => fmt::Display::fmt(&suit, f),
            None => f.write_str("NT"),
        }
    }
}

impl Level {
    /// Tricks needed to make a contract of this level.
    pub const fn tricks_needed(self) -> u8 {
        self.get() + 6
    }

    /// Reads a result as the field writes it, relative to this level: `+1`, `=`, `-2`, also `0`
    /// for just made.
    pub fn tricks_from_text(self, text: &str) -> Result<Tricks, Refusal> {
        const EXPECTED: Refusal = Refusal("expected a result such as =, +1 or -2");
        let text = text.trim();
        let over = match text {
            "=" | "" => 0,
            _ => match text.strip_prefix(['-', '\u{2212}']) {
                Some(down) => -down.parse::<i8>().map_err(|_| EXPECTED)?,
                None => text
                    .strip_prefix('+')
                    .unwrap_or(text)
                    .parse()
                    .map_err(|_| EXPECTED)?,
            },
        };
        if text.is_empty() {
            return Err(EXPECTED);
        }
        self.tricks_from_over(over).ok_or(Refusal(
            "that result would need fewer than 0 or more than 13 tricks",
        ))
    }

    /// The number of tricks that is `over` above what this level needs (negative: down).
    pub fn tricks_from_over(self, over: i8) -> Option<Tricks> {
        u8::try_from(self.tricks_needed().cast_signed() + over)
            .ok()
            .and_then(Tricks::new)
    }
}

impl Contract {
    /// Overtricks (positive), just made (0) or undertricks (negative).
    pub const fn over(&self, tricks: Tricks) -> i8 {
        tricks.get().cast_signed() - self.level.tricks_needed().cast_signed()
    }

    /// The player who makes the opening lead.
    pub const fn leader(&self) -> Seat {
        self.declarer.left()
    }

    /// Reads `4SX`, `3 NT`, `1nxx`, `4♠` and the like; the declarer stands apart in every form
    /// the field uses.
    pub fn parse(text: &str, declarer: Seat) -> Result<Self, Refusal> {
        const EXPECTED: Refusal = Refusal("expected a contract such as 4S, 3NT, 4SX or PASS");
        let mut letters = text
            .chars()
            .filter(|letter| !letter.is_whitespace())
            .peekable();
        let level = letters
            .next()
            .and_then(|digit| digit.to_digit(10))
            .and_then(|digit| u8::try_from(digit).ok())
            .and_then(Level::new)
            .ok_or(EXPECTED)?;
        let strain = match letters.next() {
            Some('N' | 'n') => {
                let _ = letters.next_if(|&letter| letter == 'T' || letter == 't');
                Strain::NoTrump
            }
            Some(letter) => Suit::from_char(letter).ok_or(EXPECTED)?.into(),
            None => return Err(EXPECTED),
        };
        let doubles = letters.clone().count();
        if letters.any(|letter| !matches!(letter, 'x' | 'X' | '*')) {
            return Err(EXPECTED);
        }
        let doubling = match doubles {
            0 => Doubling::Undoubled,
            1 => Doubling::Doubled,
            2 => Doubling::Redoubled,
            _ => return Err(EXPECTED),
        };
        Ok(Self {
            level,
            strain,
            doubling,
            declarer,
        })
    }
}

impl fmt::Display for Doubling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Undoubled => "",
            Self::Doubled => "X",
            Self::Redoubled => "XX",
        })
    }
}

/// `4SX`; the declarer is printed apart.
impl fmt::Display for Contract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.level, self.strain, self.doubling)
    }
}
