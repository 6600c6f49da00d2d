//! What a base says to a centre, in a form that is kept for ever: append variants, give new fields
//! a default, and never change what one means.

use std::fmt;
use std::str::FromStr;

use protocol::words::{
    BoardNumber, PairNumber, Percentage, Refusal, RoundNumber, Score, SectionLetter, Side,
    TableNumber,
};
use scoring::{Award, Fault, Form, Outcome, Pair, Row, WeightedScore};
use serde::{Deserialize, Serialize};

/// One thing that is so from now on, whatever was said of it before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Said {
    /// A line of a score sheet.
    Line(Line),
    /// Nothing stands there any more.
    Gone(Place),
    /// A pair: what is known of it besides its results.
    Pair(PairSaid),
    /// There is no such pair any more.
    PairGone(PairName),
    /// How far the evening is.
    Phase(Phase),
    /// The base's journal is an older copy: what came after it may be said otherwise, or be missing
    /// until the pads have sent it again.
    OlderCopy {
        /// The last record that the journal had when it was last looked at.
        had: u64,
        /// The last that it has now.
        has: u64,
    },
    /// How far a table of a room is. Said only where the organiser looks after rooms.
    Table(TableSaid),
    /// There is no such table any more.
    TableGone(TableName),
}

/// How far the evening of a club is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Boards are still played.
    #[default]
    Playing,
    /// Play is over; results may be put right.
    Over,
    /// The club stands by its results.
    Released,
}

/// One board at one table in one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "WrittenPlace", into = "WrittenPlace")]
pub struct Place {
    /// The section.
    pub section: SectionLetter,
    /// The board.
    pub board: BoardNumber,
    /// The round.
    pub round: RoundNumber,
    /// The table.
    pub table: TableNumber,
}

/// A pair of a club as it is written: `A12`, or `A12NS` where both directions count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PairName(pub Pair);

/// A table of a room as it is written: `A7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TableName {
    /// The section.
    pub section: SectionLetter,
    /// The table.
    pub table: TableNumber,
}

/// How far a table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableSaid {
    /// Which.
    pub table: TableName,
    /// The round that it plays.
    pub round: RoundNumber,
    /// Boards of the round that are in.
    pub played: u8,
    /// Boards of the round.
    pub boards: u8,
    /// It calls the director.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub calls: bool,
    /// Since when, by the base's own clock: who settles the call from elsewhere names it so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub called: Option<u64>,
}

/// What became of a board at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// Where and when.
    pub place: Place,
    /// North-South.
    pub ns: Option<PairName>,
    /// East-West.
    pub ew: Option<PairName>,
    /// What.
    pub became: Became,
    /// Which form of a fouled board they played; 0 is the usual one.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub form: u8,
    /// Whether North-South and East-West were to blame that it was fouled.
    #[serde(default, skip_serializing_if = "nobody_is_to_blame")]
    pub fault: [Fault; 2],
}

/// What became of a board, as far as scoring is concerned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Became {
    /// A result, from North-South's view.
    Score(i16),
    /// It was not played.
    NotPlayed,
    /// A pair had no opponents.
    SitOut,
    /// The director awarded something to North-South and to East-West.
    Adjusted(Awarded, Awarded),
}

/// What a side was awarded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Awarded {
    /// Hundredths of a percent.
    Percent(u16),
    /// At no fault.
    AveragePlus,
    /// Partly at fault.
    Average,
    /// At fault.
    AverageMinus,
    /// Scores from North-South's view with their weights in hundredths of a percent.
    Scores(Vec<(i16, u16)>),
}

/// What is known of a pair besides its results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairSaid {
    /// Which.
    pub pair: PairName,
    /// Its players' names, where the club lets them be known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub players: Option<[String; 2]>,
    /// The list of its own in which it is ranked, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// It went home, and has no place.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gone: bool,
    /// What it was fined.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub penalties: Vec<Penalty>,
}

/// A penalty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Penalty {
    /// Hundredths of a percent of a top of the field.
    OfATop(u16),
    /// Ten-thousandths of a matchpoint or an IMP.
    Points(i64),
    /// Hundredths of a percent off the result.
    Percent(u16),
}

/// As it is written down: `["A",7,3,12]`, section, table, round and board.
#[derive(Serialize, Deserialize)]
struct WrittenPlace(char, u16, u8, u8);

impl TryFrom<WrittenPlace> for Place {
    type Error = Refusal;

    fn try_from(written: WrittenPlace) -> Result<Self, Refusal> {
        const EXPECTED: Refusal = Refusal("expected a section, a table, a round and a board");
        let WrittenPlace(section, table, round, board) = written;
        Ok(Self {
            section: SectionLetter::new(section).ok_or(EXPECTED)?,
            table: TableNumber::new(table).ok_or(EXPECTED)?,
            round: RoundNumber::new(round).ok_or(EXPECTED)?,
            board: BoardNumber::new(board).ok_or(EXPECTED)?,
        })
    }
}

impl From<Place> for WrittenPlace {
    fn from(place: Place) -> Self {
        Self(
            place.section.letter(),
            place.table.get(),
            place.round.get(),
            place.board.get(),
        )
    }
}

impl fmt::Display for PairName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = match self.0.direction {
            Some(Side::NorthSouth) => "NS",
            Some(Side::EastWest) => "EW",
            None => "",
        };
        write!(f, "{}{}{side}", self.0.section, self.0.number)
    }
}

impl FromStr for PairName {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        const EXPECTED: Refusal = Refusal("expected a pair such as A12, A12NS or A12EW");
        let mut letters = text.chars();
        let section = letters
            .next()
            .and_then(SectionLetter::new)
            .ok_or(EXPECTED)?;
        let rest = letters.as_str();
        let (digits, direction) = match (rest.strip_suffix("NS"), rest.strip_suffix("EW")) {
            (Some(digits), _) => (digits, Some(Side::NorthSouth)),
            (None, Some(digits)) => (digits, Some(Side::EastWest)),
            (None, None) => (rest, None),
        };
        let number = digits.parse().ok().and_then(PairNumber::new);
        Ok(Self(Pair {
            section,
            direction,
            number: number.ok_or(EXPECTED)?,
        }))
    }
}

impl TryFrom<String> for PairName {
    type Error = Refusal;

    fn try_from(text: String) -> Result<Self, Refusal> {
        text.parse()
    }
}

impl From<PairName> for String {
    fn from(pair: PairName) -> Self {
        pair.to_string()
    }
}

impl fmt::Display for TableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.section, self.table)
    }
}

impl TryFrom<String> for TableName {
    type Error = Refusal;

    fn try_from(text: String) -> Result<Self, Refusal> {
        const EXPECTED: Refusal = Refusal("expected a table such as A7");
        let mut letters = text.chars();
        let section = letters.next().and_then(SectionLetter::new);
        let table = letters.as_str().parse().ok().and_then(TableNumber::new);
        Ok(Self {
            section: section.ok_or(EXPECTED)?,
            table: table.ok_or(EXPECTED)?,
        })
    }
}

impl From<TableName> for String {
    fn from(table: TableName) -> Self {
        table.to_string()
    }
}

/// The longest name of a category.
const CATEGORY_LEN_MAX: usize = 60;

impl Said {
    /// Whether it means something: weights that add up, and shares of no more than the whole.
    pub(crate) fn is_sound(&self) -> bool {
        match self {
            Self::Line(line) => line.became.is_sound(),
            Self::Pair(pair) => pair.category.as_ref().is_none_or(|category| {
                let plain = !category.is_empty() && !category.contains(char::is_control);
                plain && category.chars().count() <= CATEGORY_LEN_MAX
            }),
            Self::Gone(_)
            | Self::PairGone(_)
            | Self::Phase(_)
            | Self::Table(_)
            | Self::TableGone(_) => true,
            Self::OlderCopy { had, has } => had > has,
        }
    }
}

impl Line {
    /// For scoring, with contestants as the caller knows them.
    pub(crate) fn row<C>(&self, of: impl Fn(Pair) -> C) -> Row<C> {
        let named = |pair: Option<PairName>| pair.map(|PairName(pair)| of(pair));
        Row {
            section: self.place.section,
            table: Some(self.place.table),
            round: Some(self.place.round),
            ns: named(self.ns),
            ew: named(self.ew),
            outcome: self.became.outcome(),
            form: Form(self.form),
            fault: self.fault,
        }
    }
}

impl Became {
    fn is_sound(&self) -> bool {
        match self {
            Self::Score(_) | Self::NotPlayed | Self::SitOut => true,
            Self::Adjusted(ns, ew) => ns.is_sound() && ew.is_sound(),
        }
    }

    fn outcome(&self) -> Outcome {
        match self {
            Self::Score(score) => Outcome::Score(Score(*score)),
            Self::NotPlayed => Outcome::NotPlayed,
            Self::SitOut => Outcome::SitOut,
            Self::Adjusted(ns, ew) => Outcome::adjusted(ns.award(), ew.award()),
        }
    }
}

impl From<&Outcome> for Became {
    fn from(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Score(score) => Self::Score(score.0),
            Outcome::NotPlayed => Self::NotPlayed,
            Outcome::SitOut => Self::SitOut,
            Outcome::Adjusted(adjustment) => {
                Self::Adjusted((&adjustment.ns).into(), (&adjustment.ew).into())
            }
        }
    }
}

impl Awarded {
    fn is_sound(&self) -> bool {
        let whole = Percentage::MAX.get();
        match self {
            Self::Percent(hundredths) => *hundredths <= whole,
            Self::AveragePlus | Self::Average | Self::AverageMinus => true,
            Self::Scores(scores) => {
                let sum: u32 = scores.iter().map(|(_, weight)| u32::from(*weight)).sum();
                sum == u32::from(whole)
            }
        }
    }

    fn award(&self) -> Award {
        let share = |hundredths: u16| Percentage::new(hundredths).unwrap_or(Percentage::MIN);
        match self {
            Self::Percent(hundredths) => Award::Percentage(share(*hundredths)),
            Self::AveragePlus => Award::AveragePlus,
            Self::Average => Award::Average,
            Self::AverageMinus => Award::AverageMinus,
            Self::Scores(scores) => {
                let scores = scores.iter().map(|(score, weight)| WeightedScore {
                    score: Score(*score),
                    weight: share(*weight),
                });
                Award::Assigned(scores.collect())
            }
        }
    }
}

impl From<&Award> for Awarded {
    fn from(award: &Award) -> Self {
        match award {
            Award::Percentage(share) => Self::Percent(share.get()),
            Award::AveragePlus => Self::AveragePlus,
            Award::Average => Self::Average,
            Award::AverageMinus => Self::AverageMinus,
            Award::Assigned(scores) => {
                let scores = scores.iter().map(|it| (it.score.0, it.weight.get()));
                Self::Scores(scores.collect())
            }
        }
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands the field over by reference"
)]
const fn is_usual(form: &u8) -> bool {
    *form == 0
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands the field over by reference"
)]
fn nobody_is_to_blame(fault: &[Fault; 2]) -> bool {
    *fault == [Fault::None; 2]
}
