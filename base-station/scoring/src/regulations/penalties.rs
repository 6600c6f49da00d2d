//! Penalties for lateness, slow play and scores that were not entered or not checked.

use crate::{Percent, Points, VictoryPoints};

/// How much, in what the event is scored by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// A share of a top on one board.
    OfATop(Percent),
    /// Victory points.
    Vp(VictoryPoints),
    /// IMPs.
    Imps(Points),
}

/// Whose table for late arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LateArrival {
    /// SABF pairs, in percent of a top.
    SabfPairs,
    /// SABF teams, in victory points.
    SabfTeams,
    /// SABF finals, in IMPs.
    SabfFinals,
    /// ABF inter-state teams, in victory points.
    Itc,
    /// ABF inter-state teams final, in IMPs.
    ItcFinal,
    /// ABF Swiss pairs, in victory points.
    SwissPairs,
    /// ABF pairs scored by IMPs.
    SwissPairsImps,
}

/// What lateness leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lateness {
    /// On time.
    Nothing,
    /// The first time, and not by much.
    Warning,
    /// That much off.
    Penalty(Amount),
    /// Too late for the table: the director decides, up to disqualification.
    Director,
    /// The opponents win by forfeit.
    Forfeit,
}

impl LateArrival {
    /// For being so many minutes late; `before` says whether they were warned already.
    pub fn penalty(self, minutes: u16, before: bool) -> Lateness {
        let (limits, amounts) = self.table();
        if minutes == 0 {
            return Lateness::Nothing;
        }
        match limits.iter().position(|&limit| minutes <= limit) {
            Some(0) if !before => Lateness::Warning,
            Some(band) => Lateness::Penalty(self.amount(amounts[band])),
            None if self == Self::SabfFinals => Lateness::Forfeit,
            None => Lateness::Director,
        }
    }

    /// The last minute of each band, and its penalty in hundredths.
    const fn table(self) -> ([u16; 5], [i32; 5]) {
        const SABF: [u16; 5] = [4, 10, 15, 20, 30];
        const ABF: [u16; 5] = [5, 10, 15, 20, 30];
        match self {
            Self::SabfPairs => (SABF, [1_000, 1_500, 2_500, 4_000, 10_000]),
            Self::SabfTeams => (SABF, [50, 100, 200, 300, 500]),
            Self::SabfFinals => (SABF, [200, 300, 500, 700, 1_000]),
            // The left half of ABF's own table is lost; completed from its IMP column.
            Self::Itc | Self::ItcFinal | Self::SwissPairsImps => (ABF, [300, 300, 600, 900, 1_500]),
            Self::SwissPairs => (ABF, [100, 100, 200, 300, 500]),
        }
    }

    fn amount(self, hundredths: i32) -> Amount {
        match self {
            Self::SabfPairs => Amount::OfATop(Percent(hundredths)),
            Self::SabfTeams | Self::Itc | Self::SwissPairs => Amount::Vp(VictoryPoints(hundredths)),
            Self::SabfFinals | Self::ItcFinal | Self::SwissPairsImps => imps(hundredths),
        }
    }
}

fn imps(hundredths: i32) -> Amount {
    Amount::Imps(Points::from_ten_thousandths(i64::from(hundredths) * 100))
}

/// Whose rule for boards that were not played for lack of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlowPlay {
    /// SABF teams: a victory point a board, nothing the first time.
    SabfTeams,
    /// SABF trials: three victory points for every ten minutes or part, nothing the first time.
    SabfTrials,
    /// ABF inter-state teams: 3 for the first board, 6 for each further one.
    Itc,
    /// ABF, what IMPs decide: 3 IMPs for the first board, 6 for each further one.
    AbfFinal,
    /// ABF Swiss pairs: 1 for the first board, 2 for each further one.
    SwissPairs,
    /// GNOT 2006 head to head: 3 IMPs a board and one a minute, nothing the first time.
    GnotHeadToHead,
    /// GNOT 2006 Swiss pairs: 1 for the first board, 2 for any other, nothing the first time.
    GnotSwissPairs,
    /// New Zealand: a tenth of a board's matchpoints.
    Club,
}

impl SlowPlay {
    /// For so many boards cancelled and so many minutes over; `first` says it is their first
    /// offence.
    pub fn penalty(self, boards: u16, minutes: u16, first: bool) -> Option<Amount> {
        let (boards, minutes) = (i32::from(boards), i32::from(minutes));
        let forgiven = matches!(
            self,
            Self::SabfTeams | Self::SabfTrials | Self::GnotHeadToHead | Self::GnotSwissPairs
        );
        if first && forgiven {
            return None;
        }
        let rising = |once: i32, again: i32| match boards {
            0 => 0,
            boards => once + again * (boards - 1),
        };
        let vp = |points| Amount::Vp(VictoryPoints::whole(points));
        Some(match self {
            Self::SabfTeams => vp(boards),
            Self::SabfTrials => vp(3 * ((minutes + 9) / 10)),
            Self::Itc => vp(rising(3, 6)),
            Self::AbfFinal => imps(100 * rising(3, 6)),
            Self::SwissPairs | Self::GnotSwissPairs => vp(rising(1, 2)),
            Self::GnotHeadToHead => imps(100 * (3 * boards + minutes)),
            Self::Club => Amount::OfATop(Percent::whole(10)),
        })
    }
}

/// ABF: both pairs left a score out, or agreed on a wrong one. The first time is a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnconfirmedScore {
    /// Inter-state teams.
    Itc,
    /// Inter-state pairs, and the ABPC.
    Pairs,
}

impl UnconfirmedScore {
    /// For every occasion after the warning.
    pub const fn penalty(self) -> VictoryPoints {
        match self {
            Self::Itc => VictoryPoints::whole(3),
            Self::Pairs => VictoryPoints::whole(1),
        }
    }
}

/// New Zealand: what a team loses that fouled a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FouledByTeam {
    /// Cards were put into the wrong pocket.
    Misboarded,
    /// The hands of partners were exchanged.
    HandsExchanged,
}

impl FouledByTeam {
    /// In victory points, or in IMPs.
    pub const fn penalty(self) -> (VictoryPoints, Points) {
        match self {
            Self::Misboarded => (VictoryPoints(50), Points::whole(3)),
            Self::HandsExchanged => (VictoryPoints(150), Points::whole(6)),
        }
    }
}

/// What a share of one board is of the whole session's percentage (in ten-thousandths of a
/// percent, because a club prints 0.3846 as 0.38).
pub fn share_of_session(of_a_board: Percent, boards: u32) -> Points {
    Points::ratio(
        i128::from(of_a_board.0),
        100 * i128::from(boards.max(1)),
        crate::Rounding::TenThousandth,
    )
}
