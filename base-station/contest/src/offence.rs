//! Lateness, slow play and unconfirmed scores: what each regulation takes off.

use scoring::regulations::{Amount, LateArrival, Lateness, SlowPlay, UnconfirmedScore};
use scoring::{Points, VictoryPoints};
use serde::{Deserialize, Serialize};

use crate::rules::{Regulation, Rules};

/// What somebody did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Offence {
    /// Came late.
    Late {
        /// By so many minutes.
        minutes: u16,
    },
    /// Boards were taken away for lack of time.
    Slow {
        /// So many.
        boards: u16,
        /// So many minutes over.
        minutes: u16,
    },
    /// A score was left out, or both sides agreed on a wrong one.
    Score,
}

/// What it costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// A warning.
    Warning,
    /// Victory points.
    Vp(VictoryPoints),
    /// IMPs off the match.
    Imps(Points),
    /// The match: its opponents win by forfeit.
    Forfeit,
    /// The regulation leaves it to the director.
    ByHand,
}

impl Offence {
    /// Whether two offences are of the same kind: a second one costs more.
    pub const fn is_like(self, other: Self) -> bool {
        matches!(
            (self, other),
            (Self::Late { .. }, Self::Late { .. })
                | (Self::Slow { .. }, Self::Slow { .. })
                | (Self::Score, Self::Score)
        )
    }

    /// What it costs by the rules of a stage; `before` says that it is not the first of its kind.
    pub fn cost(self, rules: &Rules, before: bool) -> Cost {
        match self {
            Self::Late { minutes } => late(rules, minutes, before),
            Self::Slow { boards, minutes } => slow(rules, boards, minutes, before),
            Self::Score => match (rules.regulation, before) {
                (Regulation::AbfChampionships, false) => Cost::Warning,
                (Regulation::AbfChampionships, true) if rules.comparison.is_teams() => {
                    Cost::Vp(UnconfirmedScore::Itc.penalty())
                }
                (Regulation::AbfChampionships, true) => Cost::Vp(UnconfirmedScore::Pairs.penalty()),
                (Regulation::NewZealandClub | Regulation::Sabf | Regulation::Gnot, _) => {
                    Cost::ByHand
                }
            },
        }
    }
}

fn late(rules: &Rules, minutes: u16, before: bool) -> Cost {
    let table = match (rules.regulation, rules.comparison.is_teams()) {
        (Regulation::Sabf, _) => LateArrival::SabfTeams,
        (Regulation::AbfChampionships, true) => LateArrival::Itc,
        (Regulation::AbfChampionships, false) => LateArrival::SwissPairs,
        (Regulation::NewZealandClub | Regulation::Gnot, _) => return Cost::ByHand,
    };
    match table.penalty(minutes, before) {
        Lateness::Nothing | Lateness::Warning => Cost::Warning,
        Lateness::Penalty(amount) => of_amount(amount),
        Lateness::Director => Cost::ByHand,
        Lateness::Forfeit => Cost::Forfeit,
    }
}

fn slow(rules: &Rules, boards: u16, minutes: u16, before: bool) -> Cost {
    let rule = match (rules.regulation, rules.comparison.is_teams()) {
        (Regulation::Sabf, _) => SlowPlay::SabfTeams,
        (Regulation::AbfChampionships, true) => SlowPlay::Itc,
        (Regulation::AbfChampionships, false) => SlowPlay::SwissPairs,
        (Regulation::Gnot, true) => SlowPlay::GnotHeadToHead,
        (Regulation::Gnot, false) => SlowPlay::GnotSwissPairs,
        (Regulation::NewZealandClub, _) => return Cost::ByHand,
    };
    rule.penalty(boards, minutes, !before)
        .map_or(Cost::Warning, of_amount)
}

const fn of_amount(amount: Amount) -> Cost {
    match amount {
        Amount::Vp(points) => Cost::Vp(points),
        Amount::Imps(imps) => Cost::Imps(imps),
        // A share of a board's top means nothing in a match.
        Amount::OfATop(_) => Cost::ByHand,
    }
}
