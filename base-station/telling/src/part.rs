//! The parts of a message.

use std::borrow::Cow;

use fluent_bundle::FluentValue;
use protocol::words::{
    BoardNumber, Card, Contract, PairNumber, Percentage, PlayerNumber, RoundNumber, Score, Seat,
    SectionLetter, SessionId, Side, TableNumber, Tricks, Vulnerability,
};
use serde::{Serialize, Serializer};

use crate::{Told, Voice, game, tell};

/// One part of a message.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// A number.
    Number(i64),
    /// A number with decimals, as `12.50`.
    Decimal(Decimal),
    /// What is never translated: a name, a file, a table's `A7`.
    Name(Cow<'static, str>),
    /// A contract without its declarer.
    Contract(Contract),
    /// A card.
    Card(Card),
    /// A letter for a seat, as on a pad.
    Letter(Seat),
    /// Letters for a side.
    Letters(Side),
    /// A pair of the field, until somebody who knows the players says how it is called.
    Pair(Pair),
    /// Another message.
    Told(Box<Told>),
    /// One after the other with commas.
    List(Vec<Part>),
    /// The same with "and" before the last.
    All(Vec<Part>),
}

/// A pair by its number. [`Told::calling`] puts names to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pair {
    /// Its section, where that has to be said.
    pub section: Option<SectionLetter>,
    /// Its line, where both directions count from 1.
    pub side: Option<Side>,
    /// Its number.
    pub number: PairNumber,
}

/// A number that chooses between singular and plural.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Count(pub i64);

/// A number with decimals, as it is written with a point.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decimal(String);

impl Decimal {
    /// A number with so many decimals.
    pub fn new(number: f64, digits: usize) -> Self {
        Self(format!("{number:.digits$}"))
    }

    /// A number with as many decimals as it has: `17`, `2.5`.
    pub fn as_it_is(number: f64) -> Self {
        Self(number.to_string())
    }

    /// A percentage without its sign: `60`, `52.08`.
    pub fn percent(percentage: Percentage) -> Self {
        let (whole, parts) = (percentage.get() / 100, percentage.get() % 100);
        if parts == 0 {
            Self(whole.to_string())
        } else {
            Self(format!("{whole}.{parts:02}"))
        }
    }
}

/// A seat or a side by its letters, where it would be its name otherwise.
#[derive(Clone, Copy, Debug)]
pub struct Letter<T>(pub T);

/// A list with "and" before the last.
#[derive(Clone, Debug)]
pub struct All<T>(pub Vec<T>);

/// What can be a part of a message.
pub trait Tells<P> {
    /// As that part.
    fn tells(&self) -> P;
}

impl<P, T: Tells<P> + ?Sized> Tells<P> for &T {
    fn tells(&self) -> P {
        (**self).tells()
    }
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl Tells<Count> for $number {
            fn tells(&self) -> Count {
                Count(i64::try_from(*self).unwrap_or(i64::MAX))
            }
        }
        impl Tells<Part> for $number {
            fn tells(&self) -> Part {
                Part::Number(i64::try_from(*self).unwrap_or(i64::MAX))
            }
        }
    )*};
}
numbers!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize u128);

macro_rules! numbered {
    ($($word:ty)*) => {$(
        impl Tells<Count> for $word {
            fn tells(&self) -> Count {
                Count(i64::from(self.get()))
            }
        }
        impl Tells<Part> for $word {
            fn tells(&self) -> Part {
                Part::Number(i64::from(self.get()))
            }
        }
    )*};
}
numbered!(BoardNumber PairNumber PlayerNumber RoundNumber SessionId TableNumber Tricks);

macro_rules! as_they_are {
    ($($word:ty)*) => {$(
        impl Tells<$word> for $word {
            fn tells(&self) -> $word {
                self.clone()
            }
        }
    )*};
}
as_they_are!(Part Count Seat Contract Card);

impl Tells<Part> for Decimal {
    fn tells(&self) -> Part {
        Part::Decimal(self.clone())
    }
}

impl Tells<Part> for str {
    fn tells(&self) -> Part {
        Part::Name(self.to_owned().into())
    }
}

impl Tells<Part> for String {
    fn tells(&self) -> Part {
        Part::Name(self.clone().into())
    }
}

impl Tells<Part> for Cow<'_, str> {
    fn tells(&self) -> Part {
        Part::Name(self.clone().into_owned().into())
    }
}

impl Tells<Part> for char {
    fn tells(&self) -> Part {
        Part::Name(self.to_string().into())
    }
}

impl Tells<Part> for SectionLetter {
    fn tells(&self) -> Part {
        Part::Name(self.to_string().into())
    }
}

impl Tells<Part> for Score {
    fn tells(&self) -> Part {
        Part::Number(i64::from(self.0))
    }
}

impl Tells<Part> for Told {
    fn tells(&self) -> Part {
        Part::Told(Box::new(self.clone()))
    }
}

impl<T: Tells<Part>> Tells<Part> for [T] {
    fn tells(&self) -> Part {
        Part::List(self.iter().map(Tells::tells).collect())
    }
}

impl<T: Tells<Part>> Tells<Part> for Vec<T> {
    fn tells(&self) -> Part {
        self.as_slice().tells()
    }
}

impl<T: Tells<Part>> Tells<Part> for All<T> {
    fn tells(&self) -> Part {
        Part::All(self.0.iter().map(Tells::tells).collect())
    }
}

/// In words, in the voice of the edge that writes it.
impl Serialize for Pair {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.tells().in_words(Voice::now()))
    }
}

impl Tells<Part> for Pair {
    fn tells(&self) -> Part {
        Part::Pair(*self)
    }
}

impl Tells<Part> for Letter<Seat> {
    fn tells(&self) -> Part {
        Part::Letter(self.0)
    }
}

impl Tells<Part> for Letter<Side> {
    fn tells(&self) -> Part {
        Part::Letters(self.0)
    }
}

macro_rules! by_from {
    ($($word:ty)*) => {$(
        impl Tells<Part> for $word {
            fn tells(&self) -> Part {
                (*self).into()
            }
        }
    )*};
}
by_from!(Seat Side Vulnerability Card Contract Count);

impl From<Count> for Part {
    fn from(count: Count) -> Self {
        Self::Number(count.0)
    }
}

impl From<Contract> for Part {
    fn from(contract: Contract) -> Self {
        Self::Contract(contract)
    }
}

impl From<Card> for Part {
    fn from(card: Card) -> Self {
        Self::Card(card)
    }
}

impl From<Told> for Part {
    fn from(told: Told) -> Self {
        Self::Told(Box::new(told))
    }
}

impl From<Seat> for Part {
    fn from(seat: Seat) -> Self {
        Self::from(match seat {
            Seat::North => tell!(Game::North),
            Seat::East => tell!(Game::East),
            Seat::South => tell!(Game::South),
            Seat::West => tell!(Game::West),
        })
    }
}

impl From<Side> for Part {
    fn from(side: Side) -> Self {
        Self::from(match side {
            Side::NorthSouth => tell!(Game::NorthSouth),
            Side::EastWest => tell!(Game::EastWest),
        })
    }
}

impl From<Vulnerability> for Part {
    fn from(vulnerability: Vulnerability) -> Self {
        match vulnerability {
            Vulnerability::None => tell!(Game::None).into(),
            Vulnerability::NorthSouth => Self::Letters(Side::NorthSouth),
            Vulnerability::EastWest => Self::Letters(Side::EastWest),
            Vulnerability::Both => tell!(Game::Both).into(),
        }
    }
}

impl Part {
    /// The same with every pair in it as it is called.
    pub(crate) fn calling(self, called: &impl Fn(Pair) -> Self) -> Self {
        let each = |parts: Vec<Self>| {
            let parts = parts.into_iter();
            parts.map(|part| part.calling(called)).collect()
        };
        match self {
            Self::Pair(pair) => called(pair),
            Self::Told(told) => Self::from(told.calling(called)),
            Self::List(parts) => Self::List(each(parts)),
            Self::All(parts) => Self::All(each(parts)),
            Self::Number(_)
            | Self::Decimal(_)
            | Self::Name(_)
            | Self::Contract(_)
            | Self::Card(_)
            | Self::Letter(_)
            | Self::Letters(_) => self,
        }
    }

    /// As Fluent takes it.
    pub(crate) fn value(&self, voice: Voice) -> FluentValue<'static> {
        match self {
            Self::Number(number) => FluentValue::from(*number),
            other => FluentValue::String(Cow::Owned(other.in_words(voice))),
        }
    }

    /// The words.
    pub fn in_words(&self, voice: Voice) -> String {
        let language = voice.language;
        match self {
            Self::Number(number) => number.to_string(),
            Self::Decimal(Decimal(written)) => {
                written.replace('.', language.point().encode_utf8(&mut [0; 4]))
            }
            Self::Name(name) => name.clone().into_owned(),
            Self::Contract(contract) => game::contract(*contract, voice),
            Self::Card(card) => game::card(*card, voice),
            Self::Letter(seat) => game::seat_letter(*seat, language).to_owned(),
            Self::Letters(side) => game::side_letters(*side, language).to_owned(),
            Self::Pair(pair) => {
                let section = pair.section.map_or_else(String::new, |it| it.to_string());
                let side = pair.side.map(|side| game::side_letters(side, language));
                let side = side.map_or_else(String::new, |letters| format!("{letters} "));
                format!("{side}{section}{}", pair.number)
            }
            Self::Told(told) => told.in_words(voice),
            Self::List(parts) => listed(parts, voice).join(", "),
            Self::All(parts) => {
                let mut words = listed(parts, voice);
                match (words.pop(), words.is_empty()) {
                    (None, _) => String::new(),
                    (Some(only), true) => only,
                    (Some(last), false) => {
                        let all = tell!(Game::ListAnd {
                            all: words.join(", "),
                            last
                        });
                        all.in_words(voice)
                    }
                }
            }
        }
    }
}

fn listed(parts: &[Part], voice: Voice) -> Vec<String> {
    parts.iter().map(|part| part.in_words(voice)).collect()
}
