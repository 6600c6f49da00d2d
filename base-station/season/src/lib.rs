//! Competitions over several sessions: what each session brought goes in, where everybody stands
//! comes out, and why.
//!
//! A [`Night`] is what one session brought to its pairs. [`Rules`] say who competes and what
//! counts: the sum or the mean of the best so many sessions, who has a place at all, substitutes
//! and pairs that were away, handicaps, ties. [`Competition::standing`] adds up, [`group_lists`]
//! gives each category its own winner, [`year`] is one player's results, [`worked_out`] makes
//! handicaps of a period's results and [`club_points`] counts what a club awards for places.
//!
//! Everything is in hundredths, as it is printed: who reads the same is level.
//!
//! # Where a source is silent
//!
//! - SABF does not say what counts for a pair that played with a substitute before it has played a
//!   session itself: its average is taken as 50% until then.
//! - Sessions of which a pair was away with leave count for its total, and not for the number of
//!   sessions that it has to play.
//! - The club manual has no formula for handicaps from results: 50 less the mean, within the scale.

mod bracket;
mod cells;
mod choosing;
mod club_points;
mod groups;
mod handicap;
mod night;
mod player;
mod rules;
mod standing;
mod ties;
mod year;

pub use bracket::{
    Bracket, BracketMatch, BracketRefused, Ended, MatchNumber, Shape, Side, Source, Standing,
};
pub use choosing::{Choice, Choosing, NotChoosable, ToChoose};
pub use club_points::{Awarded, club_points};
pub use groups::{GroupKind, GroupList, Groups, group_lists};
pub use handicap::{Scale, Worked, worked_out};
pub use night::{Night, NightLine};
pub use player::{NoPlayer, PlayerKey};
pub use rules::{
    Contestants, Measure, Partners, Rules, RulesRefused, Substitutes, TieOrder, Total,
};
pub use standing::{
    Absence, Cell, Competition, Entry, EntryNumber, Line, Note, Played, Status, Why,
};
pub use ties::TieStep;
pub use year::{Year, YearLine, year};

use serde::{Deserialize, Serialize};

/// A percentage or victory points in hundredths; a handicap may push it out of 0 to 100.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Hundredths(pub i32);

impl Hundredths {
    /// Whole percents or victory points.
    pub const fn whole(number: i32) -> Self {
        Self(number * 100)
    }

    /// For JSON and printing only.
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / 100.0
    }

    /// The mean of these, halves up; `None` of nothing.
    fn mean(of: &[Self]) -> Option<Self> {
        let count = i64::try_from(of.len()).ok().filter(|it| *it > 0)?;
        let sum: i64 = of.iter().map(|it| i64::from(it.0)).sum();
        let mean = (2 * sum + count).div_euclid(2 * count);
        i32::try_from(mean).ok().map(Self)
    }

    /// A share of it in percent, halves up.
    fn share(self, percent: u8) -> Self {
        let whole = i64::from(self.0) * i64::from(percent);
        Self(i32::try_from((whole + 50).div_euclid(100)).unwrap_or(self.0))
    }
}

impl std::ops::Add for Hundredths {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl std::iter::Sum for Hundredths {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        Self(all.map(|it| it.0).sum())
    }
}

#[cfg(test)]
mod tests;
