//! Victory points: what a match is worth by its margin.

mod tables;

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};

use super::Percent;

/// Victory points in hundredths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VictoryPoints(pub i32);

/// How a match's margin is turned into victory points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VpScale {
    /// The WBF's continuous scale with increments that never grow (New Zealand's tables).
    #[default]
    Wbf,
    /// The WBF's continuous scale as its formula gives it (SABF's tables).
    WbfFormula,
    /// The WBF's scale in whole victory points (New Zealand).
    WbfDiscrete,
    /// By percentage, in whole victory points (SABF).
    MatchpointSwiss,
    /// By percentage, on three straight lines (ABF, inter-state pairs).
    Ipc,
    /// Twelve boards (ABF, Swiss pairs).
    Abf12,
    /// The 25-point scale of 2006, for 8 or 14 boards (GNOT 2006).
    Gnot2006,
    /// 35 each, and the margin added (ABF, inter-state teams); the loser gets 35 less the margin,
    /// but not below 0: ABF does not spell that out, and this fits the rest of it.
    Itc,
    /// The same, but the loser gets what the winner leaves of 70.
    ItcComplement,
}

/// The victory points of both sides of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct VpShare {
    /// The side whose margin or percentage was given.
    pub winner: VictoryPoints,
    /// The other one.
    pub loser: VictoryPoints,
}

/// Why a scale has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VpError {
    /// A scale of IMPs was given a percentage, or nothing.
    #[error("this scale goes by the winner's margin in IMPs, not by a percentage")]
    NeedsImps,
    /// A scale of percentages was given IMPs, or nothing.
    #[error("this scale goes by a percentage, not by a margin in IMPs")]
    NeedsPercent,
    /// Percentages are 0 to 100.
    #[error("expected a percentage from 0 to 100")]
    NotAPercentage,
    /// No boards, or more than a match can have.
    #[error("expected a number of boards from 1 to 999")]
    Boards,
    /// The scale has columns for certain numbers only.
    #[error("this scale is made for {0} boards")]
    OnlyFor(Columns),
}

/// For how many boards a scale has columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Columns {
    /// For one number of boards.
    Only(u16),
    /// For one of two.
    Either(u16, u16),
    /// For all from the first to the last.
    Range(u16, u16),
}

impl std::fmt::Display for Columns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Only(boards) => write!(f, "{boards}"),
            Self::Either(one, other) => write!(f, "{one} or {other}"),
            Self::Range(first, last) => write!(f, "{first} to {last}"),
        }
    }
}

const TWENTY: VictoryPoints = VictoryPoints(2_000);
/// More boards than any match has; keeps the arithmetic small.
const BOARDS_MOST: u16 = 999;

impl VpScale {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Wbf,
        Self::WbfFormula,
        Self::WbfDiscrete,
        Self::MatchpointSwiss,
        Self::Ipc,
        Self::Abf12,
        Self::Gnot2006,
        Self::Itc,
        Self::ItcComplement,
    ];

    /// As it is typed, and what it is in a few words.
    pub const fn name(self) -> (&'static str, &'static str) {
        match self {
            Self::Wbf => ("wbf", "WBF continuous, with increments that never grow"),
            Self::WbfFormula => ("wbf-formula", "WBF continuous, as its formula gives it"),
            Self::WbfDiscrete => ("wbf-discrete", "WBF in whole victory points"),
            Self::MatchpointSwiss => (
                "matchpoint-swiss",
                "Swiss pairs at matchpoints, by percentage",
            ),
            Self::Ipc => ("ipc", "Inter-state pairs, by percentage"),
            Self::Abf12 => ("abf12", "ABF Swiss pairs of 12 boards"),
            Self::Gnot2006 => ("gnot2006", "The 25-point scale of 2006, for 8 or 14 boards"),
            Self::Itc => ("itc", "Inter-state teams"),
            Self::ItcComplement => (
                "itc-complement",
                "Inter-state teams; the loser gets what is left of 70",
            ),
        }
    }

    /// Whether it goes by a percentage.
    pub const fn goes_by_percent(self) -> bool {
        matches!(self, Self::MatchpointSwiss | Self::Ipc)
    }

    /// What a drawn match is worth to each side.
    pub const fn draw(self) -> VictoryPoints {
        VictoryPoints::whole(match self {
            Self::Gnot2006 => 15,
            Self::Itc | Self::ItcComplement => 35,
            _ => 10,
        })
    }

    /// By the winner's margin.
    pub fn by_imps(self, boards: u16, margin: u32) -> Result<VpShare, VpError> {
        let of_twenty = |winner| Ok(VpShare::of(winner, TWENTY));
        match self {
            Self::WbfFormula => of_twenty(formula(checked(boards)?, margin)),
            Self::Wbf => of_twenty(concave(checked(boards)?, margin)),
            Self::WbfDiscrete => of_twenty(discrete(checked(boards)?, margin)),
            Self::Abf12 if boards == 12 => of_twenty(abf12(margin)),
            Self::Abf12 => Err(VpError::OnlyFor(Columns::Only(12))),
            Self::Gnot2006 => gnot_2006(boards, margin),
            Self::Itc => Ok(itc(margin)),
            Self::ItcComplement => Ok(VpShare::of(itc(margin).winner, VictoryPoints::whole(70))),
            Self::MatchpointSwiss | Self::Ipc => Err(VpError::NeedsPercent),
        }
    }

    /// By one side's percentage, which need not be the winner's.
    pub fn by_percent(self, boards: u16, percent: Percent) -> Result<VpShare, VpError> {
        if !(0..=10_000).contains(&percent.0) {
            return Err(VpError::NotAPercentage);
        }
        match self {
            Self::Ipc => Ok(VpShare::of(ipc(percent), TWENTY)),
            Self::MatchpointSwiss if percent < Percent::AVERAGE => {
                let other = matchpoint_swiss(boards, Percent(10_000 - percent.0))?;
                Ok(VpShare::of(TWENTY - other, TWENTY))
            }
            Self::MatchpointSwiss => Ok(VpShare::of(matchpoint_swiss(boards, percent)?, TWENTY)),
            _ => Err(VpError::NeedsImps),
        }
    }

    /// For a match whose sides' margins do not mirror each other, because both were awarded IMPs
    /// on a spoiled board: each side by its own.
    pub fn by_each_margin(
        self,
        boards: u16,
        own: i32,
        other: i32,
    ) -> Result<[VictoryPoints; 2], VpError> {
        let side = |margin: i32| {
            let share = self.by_imps(boards, margin.unsigned_abs())?;
            Ok(if margin < 0 {
                share.loser
            } else {
                share.winner
            })
        };
        Ok([side(own)?, side(other)?])
    }

    /// The column of the teams scale that a Butler match uses: seven tenths of its boards.
    pub const fn butler_boards(boards: u16) -> u16 {
        // Halves go up.
        boards / 10 * 7 + (boards % 10 * 7 + 5) / 10
    }
}

const fn checked(boards: u16) -> Result<u16, VpError> {
    if boards >= 1 && boards <= BOARDS_MOST {
        Ok(boards)
    } else {
        Err(VpError::Boards)
    }
}

/// The margin from which on a match of that many boards is won by 20-0.
fn blitz(boards: u16) -> f64 {
    15.0 * f64::from(boards).sqrt()
}

/// The WBF's curve: each IMP is worth the same factor less than the one before.
fn curve(boards: u16, margin: u32) -> f64 {
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    let way = f64::from(margin) / blitz(boards);
    if way >= 1.0 {
        return 20.0;
    }
    10.0 + 10.0 * (1.0 - golden.powf(3.0 * way)) / (1.0 - golden.powi(3))
}

#[expect(clippy::cast_possible_truncation, reason = "at most 2000 hundredths")]
fn formula(boards: u16, margin: u32) -> VictoryPoints {
    VictoryPoints((curve(boards, margin) * 100.0 + 0.5).floor() as i32)
}

/// The smallest whole margin worth 20.
fn cap(boards: u16) -> u32 {
    let mut margin = 0;
    while f64::from(margin) < blitz(boards) {
        margin += 1;
    }
    margin
}

/// The formula, smoothed: rounding to hundredths makes some steps larger than the one before, and
/// every such step is evened out, until none is left.
fn concave(boards: u16, margin: u32) -> VictoryPoints {
    let mut scale: Vec<i32> = (0..=cap(boards))
        .map(|imps| formula(boards, imps).0)
        .collect();
    let mut changed = true;
    while changed {
        changed = false;
        for middle in 1..scale.len() - 1 {
            if scale[middle] - scale[middle - 1] < scale[middle + 1] - scale[middle] {
                scale[middle] += 1;
                changed = true;
            }
        }
    }
    let margin = usize::try_from(margin).unwrap_or(usize::MAX);
    VictoryPoints(scale.get(margin).copied().unwrap_or(TWENTY.0))
}

/// Whole victory points. No band of margins may be wider than the next higher one; the 10-10 band
/// reaches to both sides of a drawn match.
fn discrete(boards: u16, margin: u32) -> VictoryPoints {
    let nearest = |imps| (curve(boards, imps) + 0.5).floor();
    let mut imps = 0;
    // The highest margins worth 10, 11, ... 19.
    let mut highest: Vec<u32> = (10..20_u8)
        .map(|points| {
            while nearest(imps + 1) <= f64::from(points) {
                imps += 1;
            }
            imps
        })
        .collect();
    let width = |highest: &[u32], band: usize| match band {
        0 => 2 * highest[0] + 1,
        _ => highest[band] - highest[band - 1],
    };
    let mut changed = true;
    while changed {
        changed = false;
        for band in 0..highest.len() - 1 {
            while width(&highest, band) > width(&highest, band + 1) {
                highest[band] -= 1;
                changed = true;
            }
        }
    }
    let band = highest.partition_point(|&most| most < margin);
    VictoryPoints(1_000 + 100 * i32::try_from(band).unwrap_or(10))
}

/// A third, then two ninths, then a bit less a victory point for every IMP, in hundredths.
fn abf12(margin: u32) -> VictoryPoints {
    let margin = i32::try_from(margin.min(39)).unwrap_or(39);
    let steps = [(14, 33), (13, 22), (12, 21)];
    let mut left = margin;
    let gained: i32 = steps
        .iter()
        .map(|&(imps, each)| {
            let taken = left.min(imps);
            left -= taken;
            taken * each
        })
        .sum();
    VictoryPoints(1_000 + gained)
}

fn gnot_2006(boards: u16, margin: u32) -> Result<VpShare, VpError> {
    let (_, highest) = tables::GNOT_2006
        .iter()
        .find(|(column, _)| *column == boards)
        .ok_or(VpError::OnlyFor(Columns::Either(8, 14)))?;
    let band = highest.partition_point(|&most| most < margin);
    let band = i32::try_from(band).unwrap_or(15);
    Ok(VpShare {
        winner: VictoryPoints::whole((15 + band).min(25)),
        loser: VictoryPoints::whole(15 - band),
    })
}

/// One for each of the first 30 IMPs, then a tenth for each of the next 25.
fn itc(margin: u32) -> VpShare {
    let margin = i32::try_from(margin.min(55)).unwrap_or(55);
    VpShare {
        winner: VictoryPoints(3_500 + 100 * margin.min(30) + 10 * (margin - 30).max(0)),
        loser: VictoryPoints((3_500 - 100 * margin).max(0)),
    }
}

/// Nothing up to 30%, 5 at 42.5%, 15 at 57.5%, 20 from 70% on, straight in between.
fn ipc(percent: Percent) -> VictoryPoints {
    let at = percent.0.clamp(3_000, 7_000);
    let (from, vp, rise, run) = match at {
        ..4_250 => (3_000, 0, 500, 1_250),
        4_250..5_750 => (4_250, 500, 1_000, 1_500),
        _ => (5_750, 1_500, 500, 1_250),
    };
    // Rounded half up.
    VictoryPoints(vp + (2 * (at - from) * rise + run) / (2 * run))
}

fn matchpoint_swiss(boards: u16, percent: Percent) -> Result<VictoryPoints, VpError> {
    let (_, highest) = tables::MATCHPOINT_SWISS
        .iter()
        .find(|(most, _)| boards <= *most)
        .filter(|_| boards > 0)
        .ok_or(VpError::OnlyFor(Columns::Range(1, 55)))?;
    let band = highest.partition_point(|&most| most < percent.0);
    Ok(VictoryPoints::whole(10 + i32::try_from(band).unwrap_or(10)))
}

impl VpShare {
    fn of(winner: VictoryPoints, sum: VictoryPoints) -> Self {
        let loser = sum - winner;
        Self { winner, loser }
    }
}

impl VictoryPoints {
    /// Whole victory points.
    pub const fn whole(points: i32) -> Self {
        Self(points * 100)
    }
}

impl std::ops::Sub for VictoryPoints {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl std::ops::Add for VictoryPoints {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl fmt::Display for VictoryPoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Percent(self.0), f)
    }
}

impl Serialize for VictoryPoints {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(f64::from(self.0) / 100.0)
    }
}
