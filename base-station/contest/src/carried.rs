//! What contestants bring along from one stage of an event to the next.

use scoring::regulations::CarryOver;
use scoring::{Points, VictoryPoints};
use serde::{Deserialize, Serialize};

use crate::ContestantNumber;
use crate::standing::Line;

/// By which rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Carried {
    /// Nothing: everybody begins anew.
    #[default]
    Nothing,
    /// All victory points.
    All,
    /// What each is ahead of the last who goes on (clubs).
    Difference,
    /// Three tenths of what each has (clubs, where scores are spread widely).
    WideSpread,
    /// A tenth of what each is ahead of the last, in IMPs (inter-state teams final).
    ItcFinal,
    /// 10, 8, 6, 4, 2 for the first five (ABF open pairs).
    OpenPairs,
    /// From 7 for the first to 1 for the last, straight in between (ABF mixed pairs).
    MixedPairs,
}

/// Somebody who goes on, and with what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Brought {
    /// Who.
    pub contestant: ContestantNumber,
    /// Victory points.
    pub vp: VictoryPoints,
    /// IMPs, in a match that IMPs decide.
    pub imps: Points,
}

impl Carried {
    /// Whether somebody who comes in for another one brings along what its own score is worth; by
    /// the other rules it is nothing.
    pub const fn is_own_share(self) -> bool {
        match self {
            Self::All | Self::WideSpread => true,
            Self::Nothing
            | Self::Difference
            | Self::ItcFinal
            | Self::OpenPairs
            | Self::MixedPairs => false,
        }
    }

    /// What those bring along who go on, the best first.
    pub fn brought(self, lines: &[&Line]) -> Vec<Brought> {
        let scores = || lines.iter().map(|line| line.vp);
        let lowest = scores().min().unwrap_or_default();
        let highest = scores().max().unwrap_or_default();
        let nothing = VictoryPoints::default();
        lines
            .iter()
            .zip(1..)
            .map(|(line, place)| Brought {
                contestant: line.contestant,
                vp: match self {
                    Self::Nothing | Self::ItcFinal => nothing,
                    Self::All => line.vp,
                    Self::Difference => in_vp(CarryOver::Difference.lead(line.vp, lowest)),
                    Self::WideSpread => in_vp(CarryOver::WideSpread.lead(line.vp, nothing)),
                    Self::OpenPairs => CarryOver::open_pairs(place),
                    Self::MixedPairs => CarryOver::mixed_pairs(line.vp, lowest, highest),
                },
                imps: match self {
                    Self::ItcFinal => CarryOver::ItcFinal.lead(line.vp, lowest),
                    Self::Nothing
                    | Self::All
                    | Self::Difference
                    | Self::WideSpread
                    | Self::OpenPairs
                    | Self::MixedPairs => Points::ZERO,
                },
            })
            .collect()
    }
}

/// Rounded half up to a hundredth.
fn in_vp(points: Points) -> VictoryPoints {
    let hundredths = (points.ten_thousandths() + 50).div_euclid(100);
    VictoryPoints(i32::try_from(hundredths).unwrap_or(i32::MAX))
}
