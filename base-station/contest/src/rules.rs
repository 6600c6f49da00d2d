//! How a stage is scored: the choices of a regulation, in the form that journals keep.

use scoring::regulations::Forfeit;
use scoring::{
    AveragePlus, DatumRules, FractionOfImp, Method, Percent, Points, Several, Trimming, VpError,
    VpScale,
};
use serde::{Deserialize, Serialize};

pub use crate::ties::{Level, Ties};

/// What the boards of a match are turned into.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Comparison {
    /// Two tables of a teams match, in IMPs.
    TeamsImps,
    /// Two tables of a teams match: a board is won, halved or lost.
    BoardAMatch,
    /// A pairs match, in IMPs against the datum of the field.
    #[default]
    Butler,
    /// A pairs match, in IMPs against every other table.
    CrossImps,
    /// A pairs match, by matchpoints as a percentage.
    Matchpoints,
}

impl Comparison {
    /// Whether a match has two tables.
    pub const fn is_teams(self) -> bool {
        matches!(self, Self::TeamsImps | Self::BoardAMatch)
    }
}

/// Whose datum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DatumOf {
    /// The top and the bottom score are left out.
    #[default]
    Club,
    /// A sixth at each end from six results on.
    Sabf,
    /// The same in rounds 1 and 2, later the top twelve tables without two at each end.
    SabfSwiss,
    /// One, two, or a tenth at each end.
    Abf,
    /// Three at each end.
    AbfOpen,
    /// Two at each end.
    Gnot,
}

impl DatumOf {
    /// The rule.
    pub const fn rules(self) -> DatumRules {
        DatumRules::new(match self {
            Self::Club => Trimming::Each(1),
            Self::Sabf => Trimming::Sixth,
            Self::SabfSwiss => Trimming::SwissTopTwelve,
            Self::Abf => Trimming::Tenth,
            Self::AbfOpen => Trimming::Each(3),
            Self::Gnot => Trimming::Each(2),
        })
    }
}

/// Which column of the scale a match of so many boards uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Column {
    /// That of its boards.
    #[default]
    Boards,
    /// That of the nearest even number; of two the lower one that the scale has: nine boards use
    /// eight, and seven do where there is no column of six.
    NearestEven,
    /// That of seven tenths of the boards: a Butler match on a teams scale.
    SevenTenths,
}

impl Column {
    /// The column, on a scale for matches of any length.
    pub(crate) const fn of(self, boards: u16) -> u16 {
        match self {
            Self::Boards => boards,
            // Every odd number has two neighbours as near; a match of one board has only one.
            Self::NearestEven if boards == 1 => 2,
            Self::NearestEven => boards - boards % 2,
            Self::SevenTenths => VpScale::butler_boards(boards),
        }
    }
}

/// To what a fraction of an IMP is rounded before the scale is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fraction {
    /// To the nearest whole one, halves upwards.
    #[default]
    HalfUp,
    /// To the nearest whole one, halves downwards.
    HalfDown,
    /// Cut off, in the favour of nobody.
    Cut,
}

impl Fraction {
    /// The rule.
    pub const fn rule(self) -> FractionOfImp {
        match self {
            Self::HalfUp => FractionOfImp::HalfUp,
            Self::HalfDown => FractionOfImp::HalfDown,
            Self::Cut => FractionOfImp::Cut,
        }
    }
}

/// A named set of rules that a director chooses and may change point by point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Regulation {
    /// New Zealand clubs.
    #[default]
    NewZealandClub,
    /// SABF.
    Sabf,
    /// ABF championships.
    AbfChampionships,
    /// GNOT.
    Gnot,
    /// SABF, trials.
    SabfTrials,
}

impl Regulation {
    /// How it draws a Swiss where nobody says otherwise.
    pub const fn method(self) -> crate::draw::Method {
        match self {
            // These prescribe it.
            Self::Sabf | Self::SabfTrials | Self::Gnot => crate::draw::Method::Classical,
            Self::NewZealandClub | Self::AbfChampionships => crate::draw::Method::Swiss,
        }
    }
}

/// How a stage is scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// The named set it began with; forfeits and penalties follow it.
    #[serde(default)]
    pub regulation: Regulation,
    /// What boards are turned into.
    #[serde(default)]
    pub comparison: Comparison,
    /// Whose datum.
    #[serde(default)]
    pub datum: DatumOf,
    /// The scale.
    #[serde(default)]
    pub scale: VpScale,
    /// Its column.
    #[serde(default)]
    pub column: Column,
    /// Fractions of IMPs.
    #[serde(default)]
    pub fraction: Fraction,
    /// Ties.
    #[serde(default)]
    pub ties: Ties,
    /// What a bye is worth, in hundredths of a victory point.
    #[serde(default = "twelve")]
    pub bye: i32,
    /// Whether penalties count in the standing that a draw goes by.
    #[serde(default = "yes")]
    pub penalties_in_draw: bool,
    /// Matches in stanzas that end level.
    #[serde(default, skip_serializing_if = "Level::is_shared")]
    pub level: Level,
}

const fn twelve() -> i32 {
    1_200
}

const fn yes() -> bool {
    true
}

impl Rules {
    /// What a regulation says of such matches.
    pub const fn of(regulation: Regulation, comparison: Comparison) -> Self {
        let club = Self {
            regulation,
            comparison,
            datum: DatumOf::Club,
            scale: VpScale::Wbf,
            column: Column::NearestEven,
            fraction: Fraction::HalfUp,
            ties: Ties::SwissPoints,
            bye: twelve(),
            penalties_in_draw: true,
            level: Level::Shared,
        };
        let by_percent = matches!(
            comparison,
            Comparison::Matchpoints | Comparison::BoardAMatch
        );
        let butler = matches!(comparison, Comparison::Butler | Comparison::CrossImps);
        let chosen = match regulation {
            Regulation::NewZealandClub => club,
            Regulation::Sabf | Regulation::SabfTrials => Self {
                datum: DatumOf::SabfSwiss,
                scale: VpScale::WbfFormula,
                column: if butler {
                    Column::SevenTenths
                } else {
                    Column::Boards
                },
                ties: if matches!(regulation, Regulation::SabfTrials) {
                    Ties::SabfTrials
                } else {
                    Ties::SabfTeams
                },
                level: Level::SabfFinal,
                ..club
            },
            Regulation::AbfChampionships => Self {
                datum: DatumOf::Abf,
                scale: if butler { VpScale::Abf12 } else { VpScale::Itc },
                column: Column::Boards,
                ties: if butler { Ties::AbfStage } else { Ties::Itc },
                bye: if butler { 1_200 } else { 3_500 },
                penalties_in_draw: false,
                level: Level::WithoutCarryOver,
                ..club
            },
            Regulation::Gnot => Self {
                datum: DatumOf::Gnot,
                scale: VpScale::Gnot2006,
                column: Column::Boards,
                fraction: Fraction::HalfDown,
                ties: Ties::GnotLast,
                bye: 1_800,
                level: Level::Gnot2006,
                ..club
            },
        };
        if by_percent {
            return Self {
                scale: match regulation {
                    Regulation::AbfChampionships => VpScale::Ipc,
                    _ => VpScale::MatchpointSwiss,
                },
                column: Column::Boards,
                bye: twelve(),
                ..chosen
            };
        }
        chosen
    }

    /// What average plus is worth.
    pub const fn average_plus(&self) -> AveragePlus {
        let teams = self.comparison.is_teams();
        match (self.regulation, teams) {
            (Regulation::AbfChampionships, true) => AveragePlus::ABF_TEAMS,
            (Regulation::AbfChampionships, false) => AveragePlus::ABF_PAIRS,
            (Regulation::Gnot, _) => AveragePlus::GNOT_2006,
            (Regulation::Sabf | Regulation::SabfTrials, _) => AveragePlus::SABF,
            (Regulation::NewZealandClub, true) => AveragePlus {
                percent: Percent::whole(60),
                imps: Points::whole(3),
                several: Several::Each,
            },
            (Regulation::NewZealandClub, false) => AveragePlus::BUTLER,
        }
    }

    /// The rule for matches that were not played.
    pub const fn forfeit(&self, boards: u16) -> Forfeit {
        match self.regulation {
            Regulation::Sabf | Regulation::SabfTrials => Forfeit::Sabf { boards },
            Regulation::AbfChampionships if self.comparison.is_teams() => Forfeit::Itc,
            // Swiss pairs of ABF are as clubs do it.
            Regulation::NewZealandClub | Regulation::AbfChampionships => {
                Forfeit::Club { before_2013: false }
            }
            Regulation::Gnot => Forfeit::Gnot2006,
        }
    }

    /// The field's method in a pairs match; `None` in a teams match.
    pub const fn method(&self) -> Option<Method> {
        match self.comparison {
            Comparison::Butler => Some(Method::Butler(self.datum.rules())),
            Comparison::CrossImps => Some(Method::CrossImps),
            Comparison::Matchpoints => Some(Method::Matchpoints),
            Comparison::TeamsImps | Comparison::BoardAMatch => None,
        }
    }

    /// Whether matches of so many boards have a column on the scale.
    pub fn check(&self, boards: u16) -> Result<(), VpError> {
        self.has(self.column(boards))
    }

    /// Which column of its scale a match of so many boards uses.
    pub fn column(&self, boards: u16) -> u16 {
        let column = self.column.of(boards);
        let other = column.saturating_add(2);
        let between = self.column == Column::NearestEven && boards % 2 == 1 && boards > 1;
        if between && self.has(column).is_err() && self.has(other).is_ok() {
            other
        } else {
            column
        }
    }

    fn has(&self, column: u16) -> Result<(), VpError> {
        let scale = self.scale;
        if matches!(
            self.comparison,
            Comparison::Matchpoints | Comparison::BoardAMatch
        ) {
            scale.by_percent(column, Percent::AVERAGE).map(drop)
        } else {
            scale.by_imps(column, 0).map(drop)
        }
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self::of(Regulation::NewZealandClub, Comparison::Butler)
    }
}
