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

/// What had to give way in a draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Two who have met meet again.
    MeetAgain {
        /// Who stands higher.
        higher: ContestantNumber,
        /// Who stands lower.
        lower: ContestantNumber,
    },
    /// Others stood closer.
    PassedOver {
        /// Who stands higher.
        higher: ContestantNumber,
        /// Who stands lower.
        lower: ContestantNumber,
        /// Who stands between them.
        others: Vec<PassedOver>,
    },
    /// Somebody has no opponent.
    Bye(ContestantNumber),
    /// Three play each other.
    Triangle([ContestantNumber; 3]),
}

impl Reason {
    /// In a sentence.
    fn sentence(&self, name: impl Fn(ContestantNumber) -> String) -> String {
        match self {
            Self::MeetAgain { higher, lower } => {
                format!("{} and {} meet again.", name(*higher), name(*lower))
            }
            Self::PassedOver {
                higher,
                lower,
                others,
            } => {
                let others: Vec<String> = others
                    .iter()
                    .map(|it| format!("{} ({})", name(it.contestant), it.why))
                    .collect();
                let (higher, lower) = (name(*higher), name(*lower));
                format!("{higher} meets {lower} and not {}.", others.join(", "))
            }
            Self::Bye(who) => format!("{} has a bye.", name(*who)),
            Self::Triangle(three) => {
                let [one, two, three] = three.map(name);
                format!("{one}, {two} and {three} play a triangle.")
            }
        }
    }
}

impl Drawn {
    /// What had to give way: rematches, byes, and opponents who stood closer.
    pub fn reasons(&self) -> Vec<Reason> {
        let mut reasons = Vec::new();
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
            if pairing.rematch {
                reasons.push(Reason::MeetAgain { higher, lower });
            }
            if !passed.is_empty() {
                reasons.push(Reason::PassedOver {
                    higher,
                    lower,
                    others: passed.clone(),
                });
            }
        }
        reasons.extend(self.draw.bye.map(Reason::Bye));
        reasons.extend(self.draw.triangle.map(Reason::Triangle));
        reasons
    }

    /// The same in sentences.
    pub fn sentences(&self, name: impl Fn(ContestantNumber) -> String) -> Vec<String> {
        let reasons = self.reasons();
        reasons.iter().map(|it| it.sentence(&name)).collect()
    }
}
