//! Why a draw is as it is.

use scoring::VictoryPoints;
use serde::Serialize;

use super::{Draw, Drawn, Field, Found};
use crate::ContestantNumber;

/// Where a contestant stood when the draw was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// From 1; separated by lot where nothing else does.
    pub place: usize,
    /// Who.
    pub contestant: ContestantNumber,
    /// What they had.
    pub vp: VictoryPoints,
}

/// Somebody whom the higher contestant of a match stood closer to, and did not get.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PassedOver {
    /// Who.
    pub contestant: ContestantNumber,
    /// Why not.
    pub why: Why,
}

/// Why two who are next to each other did not meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "because")]
pub enum Why {
    /// They have met.
    Met {
        /// In this round.
        round: u16,
    },
    /// They may not meet.
    Forbidden,
    /// They come from one club.
    OneClub,
    /// Neither can move.
    BothStationary,
    /// They sit out, or play in the triangle.
    NotDrawn,
    /// So that the draw comes out for everybody.
    ForTheOthers,
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Met { round } => write!(f, "met in round {round}"),
            Self::Forbidden => f.write_str("may not meet"),
            Self::OneClub => f.write_str("of one club"),
            Self::BothStationary => f.write_str("neither can move"),
            Self::NotDrawn => f.write_str("not in a match of two"),
            Self::ForTheOthers => f.write_str("so that the others come out"),
        }
    }
}

impl Field<'_> {
    pub(super) fn explained(
        &self,
        draw: Draw,
        found: &Found,
        triangle: Option<[usize; 3]>,
    ) -> Drawn {
        let mut partner = vec![None; self.len()];
        for &(one, other) in &found.pairs {
            partner[one] = Some(other);
            partner[other] = Some(one);
        }
        let out = |place: usize| {
            found.bye == Some(place) || triangle.is_some_and(|three| three.contains(&place))
        };
        let passed_over = found
            .pairs
            .iter()
            .map(|&(one, other)| {
                let (higher, lower) = (one.min(other), one.max(other));
                (higher + 1..lower)
                    // Who is higher up already has an opponent who stands higher.
                    .filter(|&between| partner[between].is_none_or(|it| it > higher))
                    .map(|between| PassedOver {
                        contestant: self.ranked[between].number,
                        why: self.why_not(higher, between, out(between)),
                    })
                    .collect()
            })
            .collect();
        let standing = (1..)
            .zip(&self.ranked)
            .map(|(place, entrant)| Place {
                place,
                contestant: entrant.number,
                vp: entrant.vp,
            })
            .collect();
        Drawn {
            draw,
            standing,
            passed_over,
        }
    }

    fn why_not(&self, one: usize, other: usize, out: bool) -> Why {
        if out {
            return Why::NotDrawn;
        }
        if self.forbidden(one, other) {
            return Why::Forbidden;
        }
        if let Some(round) = self.met(one, other) {
            return Why::Met { round };
        }
        if self.one_club(one, other) {
            return Why::OneClub;
        }
        if self.both_stationary(one, other) {
            return Why::BothStationary;
        }
        Why::ForTheOthers
    }
}

impl Drawn {
    /// What had to give way, in sentences: rematches, byes, and opponents who stood closer.
    pub fn sentences(&self, name: impl Fn(ContestantNumber) -> String) -> Vec<String> {
        let mut said = Vec::new();
        for (pairing, passed) in self.draw.matches.iter().zip(&self.passed_over) {
            let rank = |number| {
                let place = self.standing.iter().find(|it| it.contestant == number);
                place.map_or(usize::MAX, |it| it.place)
            };
            let (home, away) = (pairing.home, pairing.away);
            let (higher, lower) = if rank(home) < rank(away) {
                (home, away)
            } else {
                (away, home)
            };
            let (higher, lower) = (name(higher), name(lower));
            if pairing.rematch {
                said.push(format!("{higher} and {lower} meet again."));
            }
            if !passed.is_empty() {
                let reasons: Vec<String> = passed
                    .iter()
                    .map(|it| format!("{} ({})", name(it.contestant), it.why))
                    .collect();
                said.push(format!(
                    "{higher} meets {lower} and not {}.",
                    reasons.join(", ")
                ));
            }
        }
        if let Some(bye) = self.draw.bye {
            said.push(format!("{} has a bye.", name(bye)));
        }
        if let Some(three) = self.draw.triangle {
            let [one, two, three] = three.map(name);
            said.push(format!("{one}, {two} and {three} play a triangle."));
        }
        said
    }
}
