//! Names for the things of a session: places in the journal, moments, tables, pairs, cells.

use std::fmt;
use std::str::FromStr;

use protocol::words::{
    BoardNumber, PadId, PairNumber, Refusal, RoundNumber, SectionLetter, Side, TableNumber,
};
use serde::{Deserialize, Serialize};
use telling::{Part, Tells, Told, tell};

/// A record's place in the club's journal, from 1, without gaps. 0 is "before the first".
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Seq(pub u64);

impl Seq {
    /// The one after.
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl fmt::Display for Seq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// Milliseconds since 1970 in universal time, as the laptop's clock had it.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Moment(pub u64);

impl Moment {
    /// This much later.
    pub const fn plus_ms(self, ms: u64) -> Self {
        Self(self.0.saturating_add(ms))
    }

    /// How long ago that was; 0 where the clock was set back meanwhile.
    pub const fn since_ms(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }

    /// Seconds since midnight where the clock is so many minutes ahead of universal time.
    pub fn time_of_day_s(self, minutes_east: i16) -> u32 {
        let there = (self.0 / 1000).saturating_add_signed(i64::from(minutes_east) * 60);
        u32::try_from(there % 86_400).unwrap_or_default()
    }
}

/// Who did something.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Who {
    /// The base station by itself.
    Base,
    /// A director, by the name given at the page.
    Director(String),
    /// The players, through this pad.
    Pad(PadId),
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Base => f.write_str("the base station"),
            Self::Director(name) => f.write_str(name),
            Self::Pad(pad) => write!(f, "pad {:08X}", pad.get()),
        }
    }
}

/// An event of the club's calendar (a Monday night, a championship of five sessions).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EventId(pub u32);

/// A table of the room, written `A7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TableId {
    /// The section.
    pub section: SectionLetter,
    /// The table in it.
    pub table: TableNumber,
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.section, self.table)
    }
}

impl FromStr for TableId {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        const EXPECTED: Refusal = Refusal("expected a section letter and a table number: A7");
        let mut rest = text.trim().chars();
        let section = rest.next().and_then(SectionLetter::new).ok_or(EXPECTED)?;
        let table = rest.as_str().parse().map_err(|_| EXPECTED)?;
        Ok(Self { section, table })
    }
}

impl TryFrom<String> for TableId {
    type Error = Refusal;

    fn try_from(text: String) -> Result<Self, Refusal> {
        text.parse()
    }
}

impl From<TableId> for String {
    fn from(table: TableId) -> Self {
        table.to_string()
    }
}

/// A pair of the field, written `A12` or, where both directions count from 1, `A12NS`, `A12EW`.
///
/// The side belongs to the pair's name, not to the chairs: `A3NS` that sat the wrong way round
/// on a board is still `A3NS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PairId {
    /// The section.
    pub section: SectionLetter,
    /// Its direction in a two-winner movement.
    pub side: Option<Side>,
    /// Its number.
    pub number: PairNumber,
}

impl fmt::Display for PairId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.section, self.number)?;
        self.side.map_or(Ok(()), |side| write!(f, "{side}"))
    }
}

impl FromStr for PairId {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        const EXPECTED: Refusal = Refusal("expected a pair such as A12, A12NS or A12EW");
        let mut rest = text.trim().chars();
        let section = rest.next().and_then(SectionLetter::new).ok_or(EXPECTED)?;
        let rest = rest.as_str().to_ascii_uppercase();
        let (digits, side) = if let Some(digits) = rest.strip_suffix("NS") {
            (digits, Some(Side::NorthSouth))
        } else if let Some(digits) = rest.strip_suffix("EW") {
            (digits, Some(Side::EastWest))
        } else {
            (rest.as_str(), None)
        };
        let number = digits.parse().map_err(|_| EXPECTED)?;
        Ok(Self {
            section,
            side,
            number,
        })
    }
}

impl TryFrom<String> for PairId {
    type Error = Refusal;

    fn try_from(text: String) -> Result<Self, Refusal> {
        text.parse()
    }
}

impl From<PairId> for String {
    fn from(pair: PairId) -> Self {
        pair.to_string()
    }
}

/// One board at one table in one round: a line of the table's score sheet.
///
/// Ordered by section and board first, so that a board's results lie together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// The section.
    pub section: SectionLetter,
    /// The board.
    pub board: BoardNumber,
    /// The round it belongs to.
    pub round: RoundNumber,
    /// The table.
    pub table: TableNumber,
}

impl Cell {
    /// The line of a board at a table.
    pub const fn new(table: TableId, round: RoundNumber, board: BoardNumber) -> Self {
        Self {
            section: table.section,
            board,
            round,
            table: table.table,
        }
    }

    /// Where it is played.
    pub const fn table_id(&self) -> TableId {
        TableId {
            section: self.section,
            table: self.table,
        }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "table {} round {} board {}",
            self.table_id(),
            self.round,
            self.board
        )
    }
}

/// How a cell is written down: `{"table":"A7","round":3,"board":12}`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCell {
    table: TableId,
    round: RoundNumber,
    board: BoardNumber,
}

impl Serialize for Cell {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        WrittenCell {
            table: self.table_id(),
            round: self.round,
            board: self.board,
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = WrittenCell::deserialize(deserializer)?;
        Ok(Self::new(written.table, written.round, written.board))
    }
}

impl Tells<Part> for Cell {
    fn tells(&self) -> Part {
        tell!(Game::TableRoundBoard {
            table: self.table_id(),
            round: self.round,
            board: self.board,
        })
        .into()
    }
}

/// These are written alike in every language.
macro_rules! as_written {
    ($($word:ty)*) => {$(
        impl Tells<Part> for $word {
            fn tells(&self) -> Part {
                Part::Name(self.to_string().into())
            }
        }
    )*};
}
as_written!(TableId Seq);

impl Tells<Part> for PairId {
    fn tells(&self) -> Part {
        Part::Pair(telling::Pair {
            section: Some(self.section),
            side: self.side,
            number: self.number,
        })
    }
}

impl Who {
    /// For people.
    pub fn told(&self) -> Told {
        match self {
            Self::Base => tell!(Game::BaseStation),
            Self::Director(name) => Told::as_written(name.clone()),
            Self::Pad(_) => Told::as_written(self.to_string()),
        }
    }
}
