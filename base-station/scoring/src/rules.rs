//! How an event is scored: every choice that regulations leave to the organiser.

use serde::{Deserialize, Serialize};

use super::datum::DatumRules;
use super::{Percent, Points, Rounding};

/// How an event is scored. The default is a club's: double matchpoints, Neuberg.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Matchpoints or IMPs.
    pub method: Method,
    /// What a better result is worth.
    pub scale: Scale,
    /// How real results are matchpointed beside adjusted ones.
    pub adjusted: AdjustedRows,
    /// How a fouled board's forms are matchpointed.
    pub fouled: FouledBoards,
    /// What a board with fewer results than others is worth.
    pub short_boards: ShortBoards,
    /// To what computed points are rounded.
    pub rounding: Rounding,
    /// What average plus is worth.
    pub average_plus: AveragePlus,
    /// Who has less than this share of the boards that others of the list have, in percent, stands
    /// below the line; 0 ranks everybody.
    pub least_share_percent: u8,
    /// Whether all sections are one field, with one list.
    pub across: bool,
}

/// What the results of a board are turned into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Two for every worse result, one for every equal one (Law 78A).
    Matchpoints,
    /// IMPs against an average of the field.
    Butler(DatumRules),
    /// IMPs against every other table, averaged.
    CrossImps,
}

/// What beating one other pair is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Two, and one for a tie.
    #[default]
    Double,
    /// One, and a half for a tie.
    Single,
}

/// How real results are matchpointed on a board that also has adjusted ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum AdjustedRows {
    /// The real ones are stretched as if there had been as many as rows (Law 78A's usual
    /// companion).
    #[default]
    Neuberg,
    /// Every adjusted row counts as a tie for every real one, as the club manual does by hand.
    Manual,
}

/// What a board is worth on which fewer pairs have a result than on others: a sit-out, a board
/// not played, a late pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ShortBoards {
    /// As much as any other: its results are stretched by Neuberg's formula to as many as the
    /// boards played most have.
    #[default]
    CommonTop,
    /// Less: its top is its own, as the club manual does it by hand.
    OwnTop,
}

/// How the forms of a fouled board are matchpointed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FouledBoards {
    /// Each form by itself and stretched to the field; a form of up to three results, and no more
    /// than a third of the field, gets fixed percentages.
    #[default]
    ByForm,
    /// Each form by itself, and a tie with every result of the other forms: quick by hand.
    Quick,
}

/// What average plus (and its mirror image, average minus) is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AveragePlus {
    /// At matchpoints, of a top.
    pub percent: Percent,
    /// At IMPs.
    pub imps: Points,
    /// What becomes of several for one pair.
    pub several: Several,
}

/// What several average pluses of one pair are worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Several {
    /// Each as if it were the only one.
    #[default]
    Each,
    /// Together the square root of their number times what one is worth above average: nobody is
    /// sure to gain on every one of many boards.
    SquareRoot,
}

impl Default for AveragePlus {
    fn default() -> Self {
        Self::BUTLER
    }
}

impl AveragePlus {
    /// 60%, or 2 IMPs: pairs events.
    pub const BUTLER: Self = Self {
        percent: Percent::whole(60),
        imps: Points::whole(2),
        several: Several::Each,
    };
    /// 60%, or 3 IMPs: teams.
    pub const TEAMS: Self = Self {
        imps: Points::whole(3),
        ..Self::BUTLER
    };
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            method: Method::Matchpoints,
            scale: Scale::Double,
            adjusted: AdjustedRows::Neuberg,
            fouled: FouledBoards::ByForm,
            short_boards: ShortBoards::CommonTop,
            rounding: Rounding::Hundredth,
            average_plus: AveragePlus::BUTLER,
            least_share_percent: 0,
            across: false,
        }
    }
}

impl Rules {
    /// The best possible on a board with that many results, sit-outs and boards not played left
    /// out.
    pub fn top(&self, results: usize) -> Points {
        let others = i64::try_from(results.saturating_sub(1)).unwrap_or(i64::MAX);
        match (self.method, self.scale) {
            (Method::Matchpoints, Scale::Double) => Points::whole(2 * others),
            (Method::Matchpoints, Scale::Single) => Points::whole(others),
            (Method::Butler(_) | Method::CrossImps, _) => Points::ZERO,
        }
    }

    /// As how many results a board with so many counts, where the boards played most have `most`.
    pub(super) fn field(&self, counted: usize, most: usize) -> usize {
        match self.short_boards {
            ShortBoards::CommonTop => most.max(counted),
            ShortBoards::OwnTop => counted,
        }
    }

    /// How many halves of a comparison make one matchpoint.
    pub(super) const fn halves_a_point(&self) -> i128 {
        match self.scale {
            Scale::Double => 1,
            Scale::Single => 2,
        }
    }
}
