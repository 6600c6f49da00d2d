//! Lateness, slow play, unconfirmed scores, telephones, line-ups, fouled boards and substitutes:
//! what each regulation takes off.

use scoring::regulations::{
    Amount, FouledByTeam, LateArrival, Lateness, SlowPlay, UnconfirmedScore, psyche_imps,
};
use scoring::{Points, VictoryPoints};
use serde::{Deserialize, Serialize};

use crate::rules::{Comparison, Regulation, Rules};

/// What somebody did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Offence {
    /// Came late.
    Late {
        /// By so many minutes.
        minutes: u16,
        /// So many boards could not be finished for it.
        #[serde(default, skip_serializing_if = "is_none")]
        boards: u16,
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
    /// A telephone was on.
    Telephone,
    /// The line-up was not posted in time.
    LineUp,
    /// A board was fouled, which a team is to blame for.
    Fouled {
        /// The hands of partners were exchanged.
        exchanged: bool,
    },
    /// A substitute plays who is better than whom it stands for. No offence, but it costs like one.
    Substitute {
        /// How much the team gains by it.
        gain: Gain,
    },
    /// A psyche against players who are protected from it.
    Psyche {
        /// IMPs that it won on the board; less than nothing where it lost them.
        imps: i16,
    },
    /// A highly unusual (yellow) system is used in this match. No offence, but it costs the say in who
    /// meets whom.
    Yellow,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde hands over")]
const fn is_none(boards: &u16) -> bool {
    *boards == 0
}

/// How much a team gains by a substitute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Gain {
    /// Nothing.
    None,
    /// Some.
    Some,
    /// A significant gain.
    Significant,
    /// A substantial one: an IMP a board.
    Substantial,
}

impl Gain {
    /// IMPs off a match of so many boards. The guide has 10 and 14 boards; between them, and
    /// beyond, it is drawn straight, and never more than an IMP a board.
    fn imps(self, boards: u16) -> i64 {
        let (ten, fourteen) = match self {
            Self::None => (0, 0),
            Self::Some => (4, 5),
            Self::Significant => (7, 8),
            Self::Substantial => (10, 14),
        };
        let boards = i64::from(boards);
        match boards {
            ..10 => (2 * ten * boards + 10) / 20,
            10..=14 => ten + (2 * (fourteen - ten) * (boards - 10) + 4) / 8,
            _ => (2 * fourteen * boards + 14) / 28,
        }
    }
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
    /// The say in who meets whom in this match.
    SeatingRights,
    /// The regulation leaves it to the director.
    ByHand,
}

/// In which match it happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InMatch {
    /// Of so many boards.
    pub boards: u16,
    /// A match in stanzas, which IMPs decide: penalties are in IMPs where a regulation has them.
    pub by_imps: bool,
}

impl Offence {
    /// Whether two offences are of the same kind: a second one costs more.
    pub const fn is_like(self, other: Self) -> bool {
        matches!(
            (self, other),
            (Self::Late { .. }, Self::Late { .. })
                | (Self::Slow { .. }, Self::Slow { .. })
                | (Self::Score, Self::Score)
                | (Self::Telephone, Self::Telephone)
                | (Self::LineUp, Self::LineUp)
                | (Self::Psyche { .. }, Self::Psyche { .. })
                | (Self::Yellow, Self::Yellow)
        )
    }

    /// What it costs by the rules of a stage, after `earlier` ones of its kind.
    pub fn cost(self, rules: &Rules, own: InMatch, earlier: usize) -> Cost {
        let before = earlier > 0;
        let teams = rules.comparison.is_teams();
        let vp = |points| Cost::Vp(VictoryPoints::whole(points));
        match self {
            Self::Late { minutes, boards } => late(rules, own, (minutes, boards), before),
            Self::Slow { boards, minutes } => slow(rules, own, (boards, minutes), before),
            Self::Telephone => match rules.regulation {
                Regulation::AbfChampionships if !before => Cost::Warning,
                Regulation::AbfChampionships | Regulation::Gnot if own.by_imps => {
                    Cost::Imps(Points::whole(9))
                }
                Regulation::AbfChampionships => vp(if teams { 9 } else { 3 }),
                Regulation::Gnot => vp(3),
                Regulation::NewZealandClub | Regulation::Sabf | Regulation::SabfTrials => {
                    Cost::ByHand
                }
            },
            Self::LineUp => match (rules.regulation, earlier) {
                (Regulation::AbfChampionships, 0) if teams => Cost::SeatingRights,
                (Regulation::AbfChampionships, 1) if teams => vp(3),
                (Regulation::AbfChampionships, _) if teams => vp(6),
                _ => Cost::ByHand,
            },
            Self::Fouled { exchanged } => {
                let how = if exchanged {
                    FouledByTeam::HandsExchanged
                } else {
                    FouledByTeam::Misboarded
                };
                match rules.regulation {
                    Regulation::NewZealandClub if teams && own.by_imps => {
                        Cost::Imps(how.penalty().1)
                    }
                    Regulation::NewZealandClub if teams => Cost::Vp(how.penalty().0),
                    _ => Cost::ByHand,
                }
            }
            Self::Substitute { gain } => match rules.regulation {
                Regulation::Sabf | Regulation::SabfTrials if teams => {
                    Cost::Imps(Points::whole(gain.imps(own.boards)))
                }
                _ => Cost::ByHand,
            },
            Self::Score => match (rules.regulation, before) {
                (Regulation::AbfChampionships, false) => Cost::Warning,
                (Regulation::AbfChampionships, true) if teams => {
                    Cost::Vp(UnconfirmedScore::Itc.penalty())
                }
                (Regulation::AbfChampionships, true) => Cost::Vp(UnconfirmedScore::Pairs.penalty()),
                (
                    Regulation::NewZealandClub
                    | Regulation::Sabf
                    | Regulation::Gnot
                    | Regulation::SabfTrials,
                    _,
                ) => Cost::ByHand,
            },
            Self::Psyche { imps } => psyche(rules, imps),
            Self::Yellow if teams => Cost::SeatingRights,
            // A pair has nobody to choose between.
            Self::Yellow => Cost::ByHand,
        }
    }
}

/// Minus three on the board, or what it was if that is worse; at matchpoints the board is awarded.
fn psyche(rules: &Rules, imps: i16) -> Cost {
    let in_imps = matches!(
        rules.comparison,
        Comparison::TeamsImps | Comparison::Butler | Comparison::CrossImps
    );
    match rules.regulation {
        Regulation::Sabf | Regulation::SabfTrials if in_imps => {
            let actual = Points::whole(imps.into());
            let [counts, _] = psyche_imps(actual);
            if counts == actual {
                Cost::Warning
            } else {
                Cost::Imps(actual - counts)
            }
        }
        Regulation::Sabf
        | Regulation::SabfTrials
        | Regulation::NewZealandClub
        | Regulation::AbfChampionships
        | Regulation::Gnot => Cost::ByHand,
    }
}

fn late(rules: &Rules, own: InMatch, (minutes, boards): (u16, u16), before: bool) -> Cost {
    let table = match (rules.regulation, rules.comparison.is_teams()) {
        // Three IMPs for every board that was not finished in time.
        (Regulation::Gnot, true) if boards > 0 => {
            return Cost::Imps(Points::whole(3 * i64::from(boards)));
        }
        // Ten minutes are borne with, and more than thirty lose the match.
        (Regulation::SabfTrials, _) => {
            return match minutes {
                ..=10 => Cost::Warning,
                11..=30 => Cost::ByHand,
                31.. => Cost::Forfeit,
            };
        }
        (Regulation::Sabf, _) if own.by_imps => LateArrival::SabfFinals,
        (Regulation::Sabf, _) => LateArrival::SabfTeams,
        (Regulation::AbfChampionships, true) if own.by_imps => LateArrival::ItcFinal,
        (Regulation::AbfChampionships, true) => LateArrival::Itc,
        (Regulation::AbfChampionships, false) if own.by_imps => LateArrival::SwissPairsImps,
        (Regulation::AbfChampionships, false) => LateArrival::SwissPairs,
        (Regulation::NewZealandClub | Regulation::Gnot, _) => return Cost::ByHand,
    };
    by_table(table, minutes, before)
}

fn by_table(table: LateArrival, minutes: u16, before: bool) -> Cost {
    match table.penalty(minutes, before) {
        Lateness::Nothing | Lateness::Warning => Cost::Warning,
        Lateness::Penalty(amount) => of_amount(amount),
        Lateness::Director => Cost::ByHand,
        Lateness::Forfeit => Cost::Forfeit,
    }
}

fn slow(rules: &Rules, own: InMatch, (boards, minutes): (u16, u16), before: bool) -> Cost {
    let rule = match (rules.regulation, rules.comparison.is_teams()) {
        // In finals so many minutes over cost what so many minutes late do.
        (Regulation::Sabf, _) if own.by_imps => {
            return by_table(LateArrival::SabfFinals, minutes, before);
        }
        (Regulation::Sabf, _) => SlowPlay::SabfTeams,
        (Regulation::SabfTrials, _) => SlowPlay::SabfTrials,
        (Regulation::AbfChampionships, _) if own.by_imps => SlowPlay::AbfFinal,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guide_for_substitutes_has_ten_and_fourteen_boards() {
        let levels = [Gain::None, Gain::Some, Gain::Significant, Gain::Substantial];
        assert_eq!(levels.map(|gain| gain.imps(10)), [0, 4, 7, 10]);
        assert_eq!(levels.map(|gain| gain.imps(14)), [0, 5, 8, 14]);
        assert_eq!(levels.map(|gain| gain.imps(12)), [0, 5, 8, 12]);
        assert_eq!(levels.map(|gain| gain.imps(8)), [0, 3, 6, 8]);
        assert_eq!(levels.map(|gain| gain.imps(28)), [0, 10, 16, 28]);
    }
}
