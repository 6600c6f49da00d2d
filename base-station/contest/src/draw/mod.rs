//! Draws: who meets whom in a round, at which table, and why.
//!
//! Three methods. [`Method::Swiss`] finds the draw whose opponents are closest of all draws that
//! break as few rules as possible: a minimum-weight matching over costs in a strict order. [`Method::Classical`] is what SABF and GNOT prescribe: the highest against the next
//! highest not met yet, repaired from the bottom. [`Method::Danish`] is the same with rematches.
//! First rounds have ways of their own: [`first_round`].

mod classical;
mod cost;
mod drop_in;
mod first;
mod hand;
mod odd;
mod reasons;
mod seats;

#[cfg(test)]
mod tests;

use protocol::words::TableNumber;
use scoring::VictoryPoints;
use serde::{Deserialize, Serialize};

use crate::{ContestantNumber, Lot, Refused};

pub use drop_in::with_drop_ins;
pub use first::{FirstRound, first_round};
pub use hand::by_hand;
pub use reasons::{PassedOver, Place, Reason, Why};

/// Somebody who is to be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// Who.
    pub number: ContestantNumber,
    /// What they have, as far as the draw goes by it.
    pub vp: VictoryPoints,
    /// Their place, where a regulation separates equal scores; equal places are separated by lot.
    pub place: u32,
    /// Whom they met, and when.
    pub met: Vec<Meeting>,
    /// How often they had no opponent.
    pub byes: u16,
    /// How often they played in a triangle.
    pub triangles: u16,
    /// Whom they may not meet in this round.
    pub forbidden: Vec<ContestantNumber>,
    /// Whether they can't move.
    pub stationary: Stationary,
    /// Where they come from; two of one club are kept apart while nothing better is lost by it.
    pub club: Option<String>,
    /// How often they were at home, less how often they were away.
    pub home: i32,
}

impl Entrant {
    /// One who has played nothing yet, can move and may meet everybody.
    pub const fn new(number: ContestantNumber) -> Self {
        Self {
            number,
            vp: VictoryPoints(0),
            place: 0,
            met: Vec::new(),
            byes: 0,
            triangles: 0,
            forbidden: Vec::new(),
            stationary: Stationary::No,
            club: None,
            home: 0,
        }
    }
}

/// An earlier match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// Whom they met.
    pub opponent: ContestantNumber,
    /// In which round.
    pub round: u16,
}

/// Whether a contestant can change tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stationary {
    /// It can.
    #[default]
    No,
    /// It can't, wherever it sits.
    Anywhere,
    /// It keeps this table.
    At(TableNumber),
}

/// How opponents are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// As close in score as possible over the whole field.
    #[default]
    Swiss,
    /// The highest against the next highest not met yet, repaired from the bottom.
    Classical,
    /// The highest against the next highest, met or not.
    Danish,
}

/// Which earlier matches may be played again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rematches {
    /// None while there is another way.
    #[default]
    Avoided,
    /// In the second half of so many rounds, those of the first half (ABF's modified Swiss).
    OfFirstHalf(u16),
    /// All, from this round on ("1 against 2" in the last one).
    From(u16),
}

/// What becomes of an odd field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OddField {
    /// The director has not said: an odd field is refused.
    #[default]
    Ask,
    /// The lowest who had none yet sits out.
    Bye,
    /// Three of similar score outside the top half play each other, over two rounds.
    Triangle,
    /// The same three in one round: each match is half as long and worth half as much.
    ShortTriangle,
}

/// What the director wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wish {
    /// The round that is drawn, from 1.
    pub round: u16,
    /// How.
    pub method: Method,
    /// What may be repeated.
    pub rematches: Rematches,
    /// What becomes of an odd field.
    pub odd: OddField,
    /// For everything that only a lot can decide.
    pub seed: u64,
}

/// A match of a draw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairing {
    /// Where: the table of a pairs match, the number of a teams match.
    pub table: TableNumber,
    /// Sits North-South, or is at home.
    pub home: ContestantNumber,
    /// The others.
    pub away: ContestantNumber,
    /// They have met before.
    pub rematch: bool,
    /// The first board, where a movement gives each table its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_board: Option<u8>,
}

/// Who meets whom in a round.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draw {
    /// Table 1 first.
    pub matches: Vec<Pairing>,
    /// Who has no opponent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bye: Option<ContestantNumber>,
    /// Three who play each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub triangle: Option<[ContestantNumber; 3]>,
    /// Tables that play half a match: the other half is another table's, perhaps in another round.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub halves: Vec<Half>,
    /// Who waits for the rest of the draw, because it depends on matches that are not finished.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<ContestantNumber>,
    /// Who takes which number of the chart from this round on, where that goes by placing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<ContestantNumber>,
}

/// One table of a match of teams whose two tables do not sit down together: of a triangle, or of
/// an American Whist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Half {
    /// Where.
    pub table: TableNumber,
    /// Sits North-South.
    pub ns: ContestantNumber,
    /// Sits East-West.
    pub ew: ContestantNumber,
    /// The first board of the set they play; the other half has the same set.
    pub first_board: u8,
    /// So many boards, where it is not a whole match's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boards: Option<u8>,
}

/// A draw and why it is as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawn {
    /// The draw.
    pub draw: Draw,
    /// The standing it was made from, the best first.
    pub standing: Vec<Place>,
    /// Of each match, in the draw's order: whom its higher contestant would have met before.
    pub passed_over: Vec<Vec<PassedOver>>,
}

/// The most contestants of one draw.
pub const CONTESTANTS_MAX: usize = 1_000;

/// Draws a round.
pub fn draw(entrants: &[Entrant], wish: &Wish) -> Result<Drawn, Refused> {
    let field = Field::new(entrants, wish)?;
    let odd = !field.len().is_multiple_of(2);
    let (triangle, playing) = match (odd, wish.odd) {
        (true, OddField::Ask) => {
            return Err(Refused::OddField { size: field.len() });
        }
        (true, OddField::Triangle | OddField::ShortTriangle) => {
            let triangle = odd::triangle(&field)?;
            let rest = (0..field.len()).filter(|it| !triangle.contains(it));
            (Some(triangle), rest.collect())
        }
        _ => (None, (0..field.len()).collect::<Vec<usize>>()),
    };
    let found = match wish.method {
        Method::Swiss => cost::closest(&field, &playing)?,
        Method::Classical | Method::Danish => classical::by_rank(&field, &playing),
    };
    Ok(field.told(&found, triangle))
}

/// Who meets whom at the least cost: nearly all of the time that a draw takes. Tests count how often it
/// is asked for.
fn matched<T>(costs: &[T], size: usize, matching: fn(&[T], usize) -> Vec<usize>) -> Vec<usize> {
    #[cfg(test)]
    tests::MATCHINGS.with(|counted| counted.set(counted.get() + 1));
    matching(costs, size)
}

/// Pairs by their places in the field, the higher one first; and who has a bye.
#[derive(Clone, Debug, Default)]
struct Found {
    pairs: Vec<(usize, usize)>,
    bye: Option<usize>,
}

/// The contestants in the order of the standing, with everything that may keep two apart.
struct Field<'a> {
    wish: &'a Wish,
    ranked: Vec<&'a Entrant>,
    lot: Lot,
}

impl<'a> Field<'a> {
    fn new(entrants: &'a [Entrant], wish: &'a Wish) -> Result<Self, Refused> {
        check(entrants)?;
        let mut lot = Lot::new(wish.seed);
        let mut ranked: Vec<&Entrant> = entrants.iter().collect();
        // Whatever order they came in, the same seed gives the same draw.
        ranked.sort_by_key(|it| it.number);
        lot.shuffle(&mut ranked);
        ranked.sort_by_key(|it| (std::cmp::Reverse(it.vp), it.place));
        Ok(Self { wish, ranked, lot })
    }

    fn len(&self) -> usize {
        self.ranked.len()
    }

    /// The last round in which two met, where it counts as a rematch.
    fn met(&self, one: usize, other: usize) -> Option<u16> {
        let (one, other) = (self.ranked[one], self.ranked[other]);
        let mine = one.met.iter().map(|it| (it, other.number));
        let theirs = other.met.iter().map(|it| (it, one.number));
        mine.chain(theirs)
            .filter(|(meeting, number)| meeting.opponent == *number)
            .map(|(meeting, _)| meeting.round)
            .filter(|&round| self.wish.rematches.counts(round, self.wish.round))
            .max()
    }

    fn forbidden(&self, one: usize, other: usize) -> bool {
        let (one, other) = (self.ranked[one], self.ranked[other]);
        one.forbidden.contains(&other.number) || other.forbidden.contains(&one.number)
    }

    fn one_club(&self, one: usize, other: usize) -> bool {
        let (one, other) = (&self.ranked[one].club, &self.ranked[other].club);
        one.is_some() && one == other
    }

    /// Two who can't move can't meet, unless they share a table already.
    fn both_stationary(&self, one: usize, other: usize) -> bool {
        match (self.ranked[one].stationary, self.ranked[other].stationary) {
            (Stationary::No, _) | (_, Stationary::No) => false,
            (Stationary::At(here), Stationary::At(there)) => here != there,
            _ => true,
        }
    }

    fn difference(&self, one: usize, other: usize) -> i64 {
        i64::from(self.ranked[one].vp.0) - i64::from(self.ranked[other].vp.0)
    }
}

impl Rematches {
    /// Whether a match of an earlier round may not be repeated in this one.
    const fn counts(self, earlier: u16, now: u16) -> bool {
        match self {
            Self::Avoided => true,
            Self::OfFirstHalf(rounds) => {
                // 9 rounds: no rematch up to round 5, then those of rounds 1 to 4.
                now <= rounds / 2 + 1 || earlier > rounds / 2
            }
            Self::From(round) => now < round,
        }
    }
}

fn check(entrants: &[Entrant]) -> Result<(), Refused> {
    if entrants.len() < 2 {
        return Err(Refused::TooFew);
    }
    if entrants.len() > CONTESTANTS_MAX {
        return Err(Refused::TooMany {
            most: CONTESTANTS_MAX,
        });
    }
    let mut numbers: Vec<ContestantNumber> = entrants.iter().map(|it| it.number).collect();
    numbers.sort_unstable();
    if let Some(&[twice, ..]) = numbers.windows(2).find(|two| two[0] == two[1]) {
        return Err(Refused::Twice { contestant: twice });
    }
    for entrant in entrants {
        let others = entrant.met.iter().map(|it| it.opponent);
        for other in others.chain(entrant.forbidden.iter().copied()) {
            if other == entrant.number {
                return Err(Refused::MeetsItself { contestant: other });
            }
        }
    }
    Ok(())
}
