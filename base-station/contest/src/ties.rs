//! What separates who has equal victory points, and what settles a match that ends level.

use scoring::regulations::{LevelMatch, Order};
use serde::{Deserialize, Serialize};

/// What separates those who have equal victory points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ties {
    /// Net IMPs.
    NetImps,
    /// Net IMPs of the matches between them.
    HeadToHead,
    /// The sum of what the opponents won elsewhere, then net IMPs (clubs).
    #[default]
    SwissPoints,
    /// SABF teams.
    SabfTeams,
    /// ABF championships, end of a stage.
    AbfStage,
    /// Inter-state teams.
    Itc,
    /// GNOT, last round.
    GnotLast,
    /// SABF, state teams qualifying.
    SabfStateTeams,
    /// SABF, Butler trials.
    SabfTrials,
    /// Inter-state teams, final: without the carry-over.
    ItcFinal,
    /// GNOT 2012, pools of three: wins, net IMPs, the quotient of IMPs.
    Gnot2012Pool,
    /// GNOT 2012, Swiss.
    Gnot2012Swiss,
}

impl Ties {
    /// The order of criteria.
    pub const fn order(self) -> Order {
        match self {
            Self::NetImps => Order::ClubRoundRobin,
            Self::HeadToHead => Order::ClubHeadToHead,
            Self::SwissPoints => Order::ClubSwiss,
            Self::SabfTeams => Order::SabfTeams,
            Self::AbfStage => Order::AbpcStage,
            Self::Itc => Order::Itc,
            Self::GnotLast => Order::GnotLast,
            Self::SabfStateTeams => Order::SabfStateTeams,
            Self::SabfTrials => Order::SabfButlerTrials,
            Self::ItcFinal => Order::ItcFinal,
            Self::Gnot2012Pool => Order::Gnot2012Pool,
            Self::Gnot2012Swiss => Order::Gnot2012Swiss,
        }
    }

    /// The order before the end, for the next draw of a Swiss.
    pub const fn draw_order(self) -> Order {
        match self {
            Self::SabfTeams | Self::SabfStateTeams | Self::SabfTrials => Order::SabfSwissDraw,
            Self::AbfStage => Order::AbpcDraw,
            Self::GnotLast => Order::GnotDraw,
            Self::NetImps
            | Self::HeadToHead
            | Self::SwissPoints
            | Self::Itc
            | Self::ItcFinal
            | Self::Gnot2012Pool
            | Self::Gnot2012Swiss => self.order(),
        }
    }
}

/// What settles a match of two teams that ends level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Nothing: it stays level.
    #[default]
    Shared,
    /// Four more boards, as often as it takes (SABF finals).
    SabfFinal,
    /// Six more boards, as often as it takes (SABF grand final).
    SabfGrandFinal,
    /// Two more boards, then one at a time (GNOT 2006).
    Gnot2006,
    /// Boards won, then total points, then a lot (GNOT 2012, first half of an evening).
    Gnot2012Rescored,
    /// One more board, then all are rescored (GNOT 2012, second half of an evening).
    Gnot2012SecondHalf,
    /// Two more boards, then all are rescored (GNOT 2012, 28 boards).
    Gnot2012Long,
    /// Four more boards, then one at a time (GNOT 2012, for a place in the final).
    Gnot2012FinalPlace,
    /// What was brought along is taken off; then it stays level (inter-state teams final).
    WithoutCarryOver,
}

impl Level {
    /// The rule for more boards or a rescoring; `None` where there is none.
    pub const fn rule(self) -> Option<LevelMatch> {
        Some(match self {
            Self::Shared | Self::WithoutCarryOver => return None,
            Self::SabfFinal => LevelMatch::SabfFinal,
            Self::SabfGrandFinal => LevelMatch::SabfGrandFinal,
            Self::Gnot2006 => LevelMatch::Gnot2006,
            Self::Gnot2012Rescored => LevelMatch::Gnot2012Rescored,
            Self::Gnot2012SecondHalf => LevelMatch::Gnot2012SecondHalf,
            Self::Gnot2012Long => LevelMatch::Gnot2012Long,
            Self::Gnot2012FinalPlace => LevelMatch::Gnot2012FinalPlace,
        })
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde hands over")]
    pub(crate) fn is_shared(&self) -> bool {
        *self == Self::Shared
    }
}
