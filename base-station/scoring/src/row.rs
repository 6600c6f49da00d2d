//! One line of a traveller: who played a board against whom, and what became of it.

use std::fmt;
use std::hash::Hash;

use protocol::words::{
    BoardNumber, BoardResult, PairNumber, Percentage, RoundNumber, Score, SectionLetter, Side,
    TableNumber,
};
use serde::{Deserialize, Serialize};

/// Who is ranked: the key by which the caller knows a pair. Scoring looks at nothing of it but the
/// list that it belongs to, so a pair may sit either way and still be the same.
pub trait Contestant: Copy + Ord + Hash + fmt::Debug + fmt::Display {
    /// The section, which has a list of its own unless sections are ranked together.
    fn section(self) -> SectionLetter;

    /// The direction where a section has two lists; `None` where it has one.
    fn direction(self) -> Option<Side>;
}

/// A pair by its number, for callers without a key of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    /// Where it sits.
    pub section: SectionLetter,
    /// Its direction where there are two winners; `None` where all pairs are in one list and
    /// numbered through.
    pub direction: Option<Side>,
    /// Its number.
    pub number: PairNumber,
}

impl Contestant for Pair {
    fn section(self) -> SectionLetter {
        self.section
    }

    fn direction(self) -> Option<Side> {
        self.direction
    }
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pair {}", self.number)?;
        if let Some(side) = self.direction {
            write!(f, " ({side})")?;
        }
        write!(f, " of section {}", self.section)
    }
}

/// One line of a traveller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row<C = Pair> {
    /// The section it was played in.
    pub section: SectionLetter,
    /// The table, where it is known. Only the Swiss Butler datum asks for it.
    pub table: Option<TableNumber>,
    /// The round, where it is known. Again only for the Swiss Butler datum.
    pub round: Option<RoundNumber>,
    /// North-South; `None` is a missing pair.
    pub ns: Option<C>,
    /// East-West; `None` is a missing pair.
    pub ew: Option<C>,
    /// What became of the board.
    pub outcome: Outcome,
    /// Which form of a fouled board they played.
    pub form: Form,
    /// Who fouled it, from the view of North-South and East-West.
    pub fault: [Fault; 2],
}

/// What became of a board at a table, as far as scoring is concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A real result, from North-South's view; a passed-out board is a real result of 0.
    Score(Score),
    /// Not played at this table: nobody is compared with it, and the top shrinks.
    NotPlayed,
    /// One pair had no opponents: the same, but no fault of anybody.
    SitOut,
    /// The director awarded something to each side.
    Adjusted(Box<Adjustment>),
}

/// What the director awarded. The sides need not balance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adjustment {
    /// To North-South.
    pub ns: Award,
    /// To East-West.
    pub ew: Award,
}

/// What the director awarded to one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Award {
    /// An artificial score: that share of a top, and no more.
    Percentage(Percentage),
    /// At no fault: 60%, or what the pair earns on its other boards if that is more.
    AveragePlus,
    /// Partly at fault: 50%.
    Average,
    /// At fault: 40%, or what the pair earns on its other boards if that is less.
    AverageMinus,
    /// One or several scores from North-South's view, with their weights (Law 12C1c). A split
    /// score is a different one for each side.
    Assigned(Vec<WeightedScore>),
}

/// A possible result and how likely the director found it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WeightedScore {
    /// From North-South's view.
    pub score: Score,
    /// All weights of an award add up to 100%.
    #[serde(rename = "share")]
    pub weight: Percentage,
}

/// The cards a table played when a board was fouled: each form is a board of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Form(pub u8);

/// Whether a pair was to blame for a fouled board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fault {
    /// Not at all: 10% on top in a small group.
    #[default]
    None,
    /// In part.
    Partly,
    /// It was theirs: 10% off.
    Responsible,
}

impl Row {
    /// An ordinary line where each direction has a list of its own, and counts from 1.
    pub const fn new(
        section: SectionLetter,
        ns: PairNumber,
        ew: PairNumber,
        outcome: Outcome,
    ) -> Self {
        let ns = Pair::listed(section, Some(Side::NorthSouth), ns);
        let ew = Pair::listed(section, Some(Side::EastWest), ew);
        Self::of(section, ns, ew, outcome)
    }

    /// An ordinary line where all pairs of a section are in one list and numbered through.
    pub const fn numbered_through(
        section: SectionLetter,
        ns: PairNumber,
        ew: PairNumber,
        outcome: Outcome,
    ) -> Self {
        let (ns, ew) = (
            Pair::listed(section, None, ns),
            Pair::listed(section, None, ew),
        );
        Self::of(section, ns, ew, outcome)
    }
}

impl Pair {
    const fn listed(section: SectionLetter, direction: Option<Side>, number: PairNumber) -> Self {
        Self {
            section,
            direction,
            number,
        }
    }
}

impl<C: Copy> Row<C> {
    /// An ordinary line of these two.
    pub const fn of(section: SectionLetter, ns: C, ew: C, outcome: Outcome) -> Self {
        Self {
            section,
            table: None,
            round: None,
            ns: Some(ns),
            ew: Some(ew),
            outcome,
            form: Form(0),
            fault: [Fault::None; 2],
        }
    }

    /// The contestant of that side.
    pub const fn contestant(&self, side: Side) -> Option<C> {
        match side {
            Side::NorthSouth => self.ns,
            Side::EastWest => self.ew,
        }
    }
}

impl Outcome {
    /// What became of `board`, in the words that travel from the pads.
    pub fn of(result: &BoardResult, board: BoardNumber) -> Self {
        match result {
            BoardResult::NotPlayed => Self::NotPlayed,
            BoardResult::SitOut => Self::SitOut,
            BoardResult::Adjusted { ns, ew } => {
                Self::adjusted(Award::Percentage(*ns), Award::Percentage(*ew))
            }
            BoardResult::Played(_) | BoardResult::PassedOut => {
                Self::Score(result.score(board).unwrap_or_default())
            }
        }
    }

    /// An award to each side.
    pub fn adjusted(ns: Award, ew: Award) -> Self {
        Self::Adjusted(Box::new(Adjustment { ns, ew }))
    }

    /// Whether it counts as a result of the board, and so makes the top larger.
    pub const fn counts(&self) -> bool {
        matches!(self, Self::Score(_) | Self::Adjusted(_))
    }
}

impl Award {
    /// One score, from North-South's view.
    pub fn score(score: Score) -> Self {
        let weight = Percentage::MAX;
        Self::Assigned(vec![WeightedScore { score, weight }])
    }

    /// Several scores; `None` when their weights do not add up to 100%.
    pub fn weighted(scores: Vec<WeightedScore>) -> Option<Self> {
        let sum: u32 = scores.iter().map(|it| u32::from(it.weight.get())).sum();
        (sum == u32::from(Percentage::MAX.get())).then_some(Self::Assigned(scores))
    }
}

impl Adjustment {
    /// The award of that side.
    pub const fn award(&self, side: Side) -> &Award {
        match side {
            Side::NorthSouth => &self.ns,
            Side::EastWest => &self.ew,
        }
    }
}
