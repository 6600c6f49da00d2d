//! What the director wished of a draw.

use contest::ContestantNumber;
use contest::draw::{FirstRound, Method, OddField, Rematches};
use protocol::words::RoundNumber;
use serde::{Deserialize, Serialize};

use super::{Contest, DrawWish};

/// What the director wished of a draw, beyond what the stage was set up with: kept with it, so that
/// anybody can be told later how it came about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawAsked {
    /// For the first round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<FirstRound>,
    /// The method.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<Method>,
    /// What may be repeated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rematches: Option<Rematches>,
    /// What becomes of an odd field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub odd: Option<OddField>,
    /// Matches were written down by hand.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_hand: bool,
    /// Those who come new met the best of the others.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub drop_ins: bool,
    /// Only what was certain was published.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub certain_only: bool,
}

impl DrawAsked {
    /// Whether all was as the stage was set up.
    pub(super) fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

impl DrawWish {
    /// What of it the journal keeps.
    pub const fn asked(&self) -> DrawAsked {
        DrawAsked {
            first: self.first,
            method: self.method,
            rematches: self.rematches,
            odd: self.odd,
            by_hand: self.by_hand.is_some(),
            drop_ins: self.drop_ins,
            certain_only: false,
        }
    }
}

impl Contest {
    /// What is wanted of a round of which a part is published: the rest is drawn as that was, and
    /// matches by hand that are published already are not drawn again.
    pub(super) fn wished(&self, round: RoundNumber, wanted: &DrawWish) -> DrawWish {
        let mut wanted = wanted.clone();
        let half_drawn = self.rounds.get(&round);
        let Some(known) = half_drawn.filter(|it| !it.draw.waiting.is_empty()) else {
            return wanted;
        };
        wanted.method = wanted.method.or(known.asked.method);
        wanted.rematches = wanted.rematches.or(known.asked.rematches);
        wanted.odd = wanted.odd.or(known.asked.odd);
        if let Some(by) = &mut wanted.by_hand {
            let published = |one: &(ContestantNumber, ContestantNumber)| {
                let mut matches = known.draw.matches.iter();
                matches.any(|it| (it.home, it.away) == *one)
            };
            by.matches.retain(|one| !published(one));
        }
        wanted
    }
}
