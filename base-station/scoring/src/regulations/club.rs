//! Rules of club play: handicaps, substitutes, club points, instant matchpoints.

use crate::{Percent, Points, Rounding};
use protocol::words::Score;

/// A pair's handicap: the mean of its players'.
pub const fn pair_handicap(players: [Percent; 2]) -> Percent {
    let sum = players[0].0 + players[1].0;
    Percent((sum + 1).div_euclid(2))
}

/// What counts for a pair that played a session with a substitute (SABF): no more than its own
/// average, but not less than nine tenths of that, or 50% if that is less still.
pub fn counted_with_substitute(score: Percent, average: Percent) -> Percent {
    let least = Percent((average.0 * 9 + 5) / 10).min(Percent::AVERAGE);
    score.min(average).max(least)
}

/// What the sides get when a pair psyched against beginners (SABF): nothing, and at least 60%.
pub fn psyche_percent(opponents_actual: Percent) -> [Percent; 2] {
    [Percent(0), opponents_actual.max(Percent::whole(60))]
}

/// The same at IMPs, where the source lost its verb: minus three, or the actual result if that is
/// worse; the opponents get the opposite.
pub fn psyche_imps(offenders_actual: Points) -> [Points; 2] {
    let offenders = offenders_actual.min(Points::whole(-3));
    [offenders, -offenders]
}

/// The mean of matchpoints (or IMPs) that several results would have earned, by their weights in
/// percent (Law 12C1c).
pub fn weighted_mean(parts: &[(Points, Percent)], rounding: Rounding) -> Points {
    let sum: i128 = parts
        .iter()
        .map(|(points, weight)| i128::from(points.ten_thousandths()) * i128::from(weight.0))
        .sum();
    Points::ratio(sum, i128::from(Points::UNIT) * 10_000, rounding)
}

/// Rating points at the end of a year (New Zealand): four fifths of what one had, and what one earned.
pub const fn rating_points(previous: u32, earned: u32) -> u32 {
    previous * 4 / 5 + earned
}

/// Club points (New Zealand's C points) of one session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClubPoints {
    /// Pairs in the list, or teams.
    pub contestants: u32,
    /// Boards that each played.
    pub deals: u32,
}

impl ClubPoints {
    /// For the first place.
    const FIRST: u32 = 40;
    /// Nobody who is placed gets less.
    const LEAST: u32 = 6;
    /// Boards from which on the awards are full; half from 11 on.
    pub const FULL_FROM: u32 = 20;
    /// C points in a B point; B points never become A points.
    pub const C_IN_A_B: u32 = 100;

    /// How many places are awarded: a third of the contestants.
    pub const fn places(self) -> u32 {
        (2 * self.contestants + 3) / 6
    }

    /// For a place, counted from 1, that `shared_by` contestants share.
    pub fn award(self, place: u32, shared_by: u32) -> u32 {
        let sum: u32 = (place..place + shared_by)
            .map(|place| self.single(place))
            .sum();
        if sum == 0 {
            return 0;
        }
        let share = sum.div_ceil(shared_by).max(Self::LEAST);
        match self.deals {
            Self::FULL_FROM.. => share,
            11..Self::FULL_FROM => share.div_ceil(2),
            _ => 0,
        }
    }

    /// In match play: two for every deal of a match that was won.
    pub const fn for_match_won(deals: u32) -> u32 {
        2 * deals
    }

    fn single(self, place: u32) -> u32 {
        let places = self.places();
        if place == 0 || place > places {
            return 0;
        }
        let left = places + 1 - place;
        // Rounded to the nearest whole point, halves up.
        ((2 * Self::FIRST * left + places) / (2 * places)).max(Self::LEAST)
    }
}

/// The scores from which on the plus side gets one instant matchpoint more than 41; the first step
/// is worth two (New Zealand).
const INSTANT_STEPS: [u16; 39] = [
    60, 100, 130, 160, 190, 220, 260, 310, 360, 410, 440, 470, 500, 530, 570, 610, 640, 670, 700,
    740, 780, 820, 860, 900, 950, 1000, 1050, 1100, 1150, 1200, 1250, 1300, 1350, 1400, 1450, 1700,
    2000, 2500, 3000,
];

/// Instant matchpoints of a score, out of 80, for North-South and East-West: for a field of one
/// table, against what the deal is usually worth.
pub fn instant_matchpoints(score: Score) -> [Points; 2] {
    let steps = INSTANT_STEPS.partition_point(|&step| step <= score.0.unsigned_abs());
    let above = match i64::try_from(steps).unwrap_or_default() {
        0 => 0,
        steps => steps + 1,
    };
    let ns = 40 + above * i64::from(score.0.signum());
    [Points::whole(ns), Points::whole(80 - ns)]
}
