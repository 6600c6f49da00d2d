//! Cards, hands and deals.

use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Refusal, Seat};

/// A suit, from the lowest to the highest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Suit {
    /// Minor.
    Clubs,
    /// Minor.
    Diamonds,
    /// Major.
    Hearts,
    /// Major.
    Spades,
}

impl Suit {
    /// From the lowest.
    pub const ALL: [Self; 4] = [Self::Clubs, Self::Diamonds, Self::Hearts, Self::Spades];

    /// C, D, H or S.
    pub const fn letter(self) -> char {
        match self {
            Self::Clubs => 'C',
            Self::Diamonds => 'D',
            Self::Hearts => 'H',
            Self::Spades => 'S',
        }
    }

    /// The suit of a letter or a symbol.
    pub const fn from_char(letter: char) -> Option<Self> {
        match letter {
            'C' | 'c' | '♣' => Some(Self::Clubs),
            'D' | 'd' | '♦' => Some(Self::Diamonds),
            'H' | 'h' | '♥' => Some(Self::Hearts),
            'S' | 's' | '♠' => Some(Self::Spades),
            _ => None,
        }
    }
}

impl fmt::Display for Suit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.letter(), f)
    }
}

/// A rank, from the two to the ace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[serde(try_from = "u8", into = "u8")]
pub struct Rank(u8);

impl Rank {
    /// The lowest.
    pub const TWO: Self = Self(2);
    /// Written T or 10.
    pub const TEN: Self = Self(10);
    /// J.
    pub const JACK: Self = Self(11);
    /// Q.
    pub const QUEEN: Self = Self(12);
    /// K.
    pub const KING: Self = Self(13);
    /// The highest.
    pub const ACE: Self = Self(14);

    /// 2 to 10 as printed on the card, then jack 11, queen 12, king 13, ace 14.
    pub const fn new(pips: u8) -> Option<Self> {
        if pips >= 2 && pips <= 14 {
            Some(Self(pips))
        } else {
            None
        }
    }

    /// 2 to 14.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// One character: 2 to 9, T, J, Q, K, A.
    pub const fn letter(self) -> char {
        match self.0 {
            14 => 'A',
            13 => 'K',
            12 => 'Q',
            11 => 'J',
            10 => 'T',
            pips => (b'0' + pips) as char,
        }
    }

    /// The rank of one character.
    pub const fn from_char(letter: char) -> Option<Self> {
        match letter {
            'A' | 'a' => Some(Self::ACE),
            'K' | 'k' => Some(Self::KING),
            'Q' | 'q' => Some(Self::QUEEN),
            'J' | 'j' => Some(Self::JACK),
            'T' | 't' => Some(Self::TEN),
            '2'..='9' => Some(Self(letter as u8 - b'0')),
            _ => None,
        }
    }
}

impl TryFrom<u8> for Rank {
    type Error = Refusal;

    fn try_from(pips: u8) -> Result<Self, Refusal> {
        Self::new(pips).ok_or(Refusal("expected a rank from 2 to 14"))
    }
}

impl From<Rank> for u8 {
    fn from(rank: Rank) -> Self {
        rank.0
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.letter(), f)
    }
}

/// One of the 52 cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[serde(try_from = "u8", into = "u8")]
pub struct Card {
    /// Clubs to spades.
    pub suit: Suit,
    /// Two to ace.
    pub rank: Rank,
}

/// The first card of the play, from the hand to declarer's left.
pub type OpeningLead = Card;

impl Card {
    /// 0 (two of clubs) to 51 (ace of spades).
    pub const fn index(self) -> u8 {
        self.suit as u8 * 13 + self.rank.0 - 2
    }

    /// The card at 0 to 51.
    pub const fn from_index(index: u8) -> Option<Self> {
        let suit = match index / 13 {
            0 => Suit::Clubs,
            1 => Suit::Diamonds,
            2 => Suit::Hearts,
            3 => Suit::Spades,
            _ => return None,
        };
        Some(Self {
            suit,
            rank: Rank(index % 13 + 2),
        })
    }
}

impl TryFrom<u8> for Card {
    type Error = Refusal;

    fn try_from(index: u8) -> Result<Self, Refusal> {
        Self::from_index(index).ok_or(Refusal("expected a card from 0 to 51"))
    }
}

impl From<Card> for u8 {
    fn from(card: Card) -> Self {
        card.index()
    }
}

impl FromStr for Card {
    type Err = Refusal;

    /// `HK`, `hk`, `KH`, `♥K`, `D10` and `DT` are all read.
    fn from_str(text: &str) -> Result<Self, Refusal> {
        const EXPECTED: Refusal = Refusal("expected a card such as HK, S10 or DT");
        let text = text.trim();
        let first = text.chars().next().ok_or(EXPECTED)?;
        let last = text.chars().next_back().ok_or(EXPECTED)?;
        let (suit, rank) = if let Some(suit) = Suit::from_char(first) {
            (suit, text.get(first.len_utf8()..).unwrap_or_default())
        } else {
            let suit = Suit::from_char(last).ok_or(EXPECTED)?;
            (
                suit,
                text.get(..text.len() - last.len_utf8()).unwrap_or_default(),
            )
        };
        let mut letters = rank.chars();
        let rank = match (letters.next(), letters.next(), letters.next()) {
            (Some('1'), Some('0'), None) => Some(Rank::TEN),
            (Some(letter), None, None) => Rank::from_char(letter),
            _ => None,
        };
        Ok(Self {
            suit,
            rank: rank.ok_or(EXPECTED)?,
        })
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.suit, self.rank)
    }
}

/// The cards one player holds: a set of cards, normally thirteen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Hand(u64);

impl Hand {
    /// No cards.
    pub const EMPTY: Self = Self(0);

    /// Adds a card; false if it was there already.
    pub const fn insert(&mut self, card: Card) -> bool {
        let bit = 1 << card.index();
        let new = self.0 & bit == 0;
        self.0 |= bit;
        new
    }

    /// Whether the card is held.
    pub const fn holds(self, card: Card) -> bool {
        self.0 >> card.index() & 1 == 1
    }

    /// How many cards.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// No cards at all.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The cards of a suit, highest first.
    pub fn suit(self, suit: Suit) -> impl Iterator<Item = Rank> {
        (2..=14)
            .rev()
            .filter_map(Rank::new)
            .filter(move |&rank| self.holds(Card { suit, rank }))
    }
}

/// All 52 cards, thirteen to each seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "[Hand; 4]", into = "[Hand; 4]")]
pub struct Deal([Hand; 4]);

impl Deal {
    /// The deal of four hands from North clockwise, if every card is there exactly once.
    pub fn new(hands: [Hand; 4]) -> Option<Self> {
        let all = hands.iter().fold(0, |cards, hand| cards | hand.0);
        (hands.iter().all(|hand| hand.len() == 13) && all == (1 << 52) - 1).then_some(Self(hands))
    }

    /// One player's cards.
    pub const fn hand(&self, seat: Seat) -> Hand {
        let [north, east, south, west] = self.0;
        match seat {
            Seat::North => north,
            Seat::East => east,
            Seat::South => south,
            Seat::West => west,
        }
    }

    /// Who was dealt this card.
    pub fn holder(&self, card: Card) -> Seat {
        Seat::ALL
            .into_iter()
            .find(|&seat| self.hand(seat).holds(card))
            .unwrap_or(Seat::North)
    }
}

impl TryFrom<[Hand; 4]> for Deal {
    type Error = Refusal;

    fn try_from(hands: [Hand; 4]) -> Result<Self, Refusal> {
        Self::new(hands).ok_or(Refusal(
            "expected thirteen different cards in each of four hands",
        ))
    }
}

impl From<Deal> for [Hand; 4] {
    fn from(deal: Deal) -> Self {
        deal.0
    }
}
