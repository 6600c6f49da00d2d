//! A match in stanzas that was begun on an earlier night: its boards of then count with those of
//! tonight.

use scoring::Points;
use scoring::regulations::Rescored;

use crate::pairs::PairsSheet;
use crate::rules::Rules;
use crate::teams::TeamsSheet;

/// What the boards of a match came to on earlier nights, for home and away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stanzas {
    /// IMPs or matchpoints gained.
    pub scored: [Points; 2],
    /// By how much each of them leads, penalties included, without what it brought along.
    pub margins: [Points; 2],
    /// Boards that counted.
    pub counted: u16,
    /// Boards that could not be compared.
    pub lost: u16,
    /// The boards counted again, for home.
    pub rescored: Rescored,
    /// Matchpoints that there were to gain.
    pub top: Points,
}

impl Stanzas {
    /// Both together.
    #[must_use]
    pub fn with(self, more: Self) -> Self {
        let both = |one: [Points; 2], other: [Points; 2]| [one[0] + other[0], one[1] + other[1]];
        Self {
            scored: both(self.scored, more.scored),
            margins: both(self.margins, more.margins),
            counted: self.counted + more.counted,
            lost: self.lost + more.lost,
            rescored: self.rescored.with(more.rescored),
            top: self.top + more.top,
        }
    }

    /// Seen from the other side.
    #[must_use]
    pub const fn turned(self) -> Self {
        let [home, away] = self.scored;
        let [lead, other] = self.margins;
        Self {
            scored: [away, home],
            margins: [other, lead],
            rescored: Rescored {
                won: -self.rescored.won,
                points: -self.rescored.points,
            },
            ..self
        }
    }
}

impl TeamsSheet {
    /// Counts the boards of earlier nights with these.
    pub fn goes_on_from(&mut self, before: &Stanzas) {
        self.result.first += before.scored[0];
        self.result.second += before.scored[1];
        for (margin, earlier) in self.result.margins.iter_mut().zip(before.margins) {
            *margin += earlier;
        }
        self.counted += before.counted;
        self.lost += before.lost;
        self.before = before.rescored;
    }

    /// The boards counted again, for home; those of earlier nights included.
    pub fn rescored(&self) -> Rescored {
        self.before.with(Rescored::of(&self.compared))
    }
}

impl PairsSheet {
    /// Counts the boards of earlier nights with these.
    pub fn goes_on_from(&mut self, before: &Stanzas, rules: &Rules) {
        for (total, earlier) in self.totals.iter_mut().zip(before.margins) {
            *total += earlier;
        }
        self.counted += before.counted;
        self.lost += before.lost;
        self.top += before.top;
        self.compare_with_top(rules);
    }
}
