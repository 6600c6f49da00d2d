//! The ranking: what every pair has in the end, and its place in its list.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use protocol::words::{BoardNumber, SectionLetter, Side};

use super::board::{OwnAverage, PairScore};
use super::exact::Fraction;
use super::row::{Contestant, Pair};
use super::{Method, Percent, Points, Rounding, Rules, Several};

/// Who came where: list by list, the best first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking<C = Pair> {
    /// Sorted by section (unless ranked across sections), direction and rank.
    pub standings: Vec<Standing<C>>,
    /// What every award that depended on the pair's other boards came to in the end, by pair and
    /// board.
    pub awards: Vec<SettledAward<C>>,
}

/// An award that has become points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SettledAward<C = Pair> {
    /// The pair.
    pub contestant: C,
    /// The board.
    pub board: BoardNumber,
    /// What it is worth.
    pub points: Points,
}

/// One line of a ranking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing<C = Pair> {
    /// The pair.
    pub contestant: C,
    /// How many boards counted for it.
    pub boards: u32,
    /// Its matchpoints or IMPs, with penalties and carry-over.
    pub points: Points,
    /// The most it could have had; nothing at IMPs.
    pub top: Points,
    /// What it is ranked by at matchpoints, so that pairs with fewer boards are not behind;
    /// handicap included. `None` at IMPs.
    pub percent: Option<Percent>,
    /// What its average pluses became, if it had any: at least 60%.
    pub average_plus: Option<Percent>,
    /// From 1; equals share a rank, and the next ones are skipped. `None` below the line.
    pub rank: Option<u32>,
    /// Why it has no rank, where it has none.
    pub below: Option<Below>,
}

/// Why a contestant stands below the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Below {
    /// It went home.
    WentHome,
    /// It has too few of the boards.
    FewBoards,
}

/// What changes a pair's result beyond its boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionAdjustments<C = Pair> {
    /// Procedural and disciplinary penalties.
    pub penalties: Vec<(C, Penalty)>,
    /// Added to the percentage.
    pub handicaps: BTreeMap<C, Percent>,
    /// Points brought along from an earlier stage, added as they are.
    pub carry_over: BTreeMap<C, Points>,
    /// Who went home, and has no rank.
    pub gone: BTreeSet<C>,
}

impl<C> Default for SessionAdjustments<C> {
    fn default() -> Self {
        Self {
            penalties: Vec::new(),
            handicaps: BTreeMap::new(),
            carry_over: BTreeMap::new(),
            gone: BTreeSet::new(),
        }
    }
}

/// A penalty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Penalty {
    /// A share of a top of the whole field, sit-outs or not.
    OfATop(Percent),
    /// Matchpoints or IMPs.
    Points(Points),
    /// Off the final percentage.
    Percent(Percent),
}

/// What a contestant has on all boards that stand as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Total {
    points: Points,
    /// The tops, or at IMPs the number of boards.
    weight: Points,
    boards: i64,
    /// At IMPs the same points without rounding.
    exact: Fraction,
}

/// An award that the contestant's other boards may change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Award {
    pub(super) board: BoardNumber,
    pub(super) contestant: usize,
    pub(super) score: PairScore,
    pub(super) weight: Points,
}

impl Total {
    pub(super) fn add(&mut self, score: PairScore, weight: Points) {
        self.boards += 1;
        if score.own_average == OwnAverage::Never {
            self.points += score.points;
            self.weight += weight;
        }
    }

    pub(super) fn take_off(&mut self, score: PairScore, weight: Points) {
        self.boards -= 1;
        if score.own_average == OwnAverage::Never {
            self.points -= score.points;
            self.weight -= weight;
        }
    }

    pub(super) fn add_exact(&mut self, score: PairScore, exact: Fraction) {
        if score.own_average == OwnAverage::Never {
            self.exact = self.exact.plus(exact);
        }
    }
}

impl<C: Contestant> Ranking<C> {
    pub(super) fn new(
        rules: &Rules,
        contestants: &[C],
        totals: &[Total],
        mut awards: Vec<Award>,
        field_top: Points,
        adjustments: &SessionAdjustments<C>,
    ) -> Self {
        awards.sort_by_key(|award| award.contestant);
        let mut penalties: BTreeMap<C, Vec<Penalty>> = BTreeMap::new();
        for &(contestant, penalty) in &adjustments.penalties {
            penalties.entry(contestant).or_default().push(penalty);
        }
        let mut pending = awards.as_slice();
        let mut settled = Vec::with_capacity(awards.len());
        let mut lines = Vec::with_capacity(contestants.len());
        for (index, (&contestant, &total)) in contestants.iter().zip(totals).enumerate() {
            let own = pending.partition_point(|award| award.contestant <= index);
            let (own, rest) = pending.split_at(own);
            pending = rest;
            if total.boards <= 0 {
                continue;
            }
            let mut line = Line::of(contestant, total, own, rules, &mut settled);
            line.adjust(adjustments, penalties.get(&contestant), field_top);
            lines.push(line.finish(rules));
        }
        settled.sort_unstable_by_key(|award| (award.contestant, award.board));
        Self {
            standings: placed(lines, rules.least_share_percent),
            awards: settled,
        }
    }

    /// What an award that depended on the pair's other boards came to.
    pub(super) fn award(&self, contestant: C, board: BoardNumber) -> Option<Points> {
        let awards = &self.awards;
        let found = awards.binary_search_by_key(&(contestant, board), |award| {
            (award.contestant, award.board)
        });
        found.ok().map(|at| awards[at].points)
    }

    /// Some of them as one list of their own, with places among themselves: a club of a larger
    /// field, a region, a category.
    pub fn among(&self, rules: &Rules, belongs: impl Fn(C) -> bool) -> Vec<Standing<C>> {
        let list = List {
            section: None,
            direction: None,
        };
        let standings = self.standings.iter().copied();
        let lines = standings
            .filter(|standing| belongs(standing.contestant))
            .map(|standing| (list, standing.ranked_by(rules), standing));
        // Who stands below the line for too few boards does so in the whole field.
        placed(lines.collect(), 0)
    }

    /// The line of a pair.
    pub fn find(&self, contestant: C) -> Option<&Standing<C>> {
        let mut standings = self.standings.iter();
        standings.find(|standing| standing.contestant == contestant)
    }
}

/// A standing under construction.
struct Line<C> {
    standing: Standing<C>,
    /// At IMPs its points, which are rounded once in the end.
    exact: Fraction,
    /// Percent that come on top of what the boards gave.
    extra: Percent,
}

impl<C: Contestant> Line<C> {
    fn of(
        contestant: C,
        total: Total,
        awards: &[Award],
        rules: &Rules,
        settled: &mut Vec<SettledAward<C>>,
    ) -> Self {
        let mut points = total.points;
        let mut exact = total.exact;
        let mut weight = total.weight;
        let mut average_plus = None;
        let pluses = awards
            .iter()
            .filter(|award| award.score.own_average == OwnAverage::IfMore)
            .count();
        for award in awards {
            let awarded = award.points(total, pluses, rules);
            points += awarded;
            exact = exact.plus(awarded.into());
            weight += award.weight;
            settled.push(SettledAward {
                contestant,
                board: award.board,
                points: awarded,
            });
            if award.score.own_average == OwnAverage::IfMore {
                average_plus = awarded.percent_of(award.weight);
            }
        }
        let matchpoints = rules.method == Method::Matchpoints;
        Self {
            standing: Standing {
                contestant,
                boards: u32::try_from(total.boards).unwrap_or_default(),
                points,
                top: if matchpoints { weight } else { Points::ZERO },
                percent: None,
                average_plus: average_plus.filter(|_| matchpoints),
                rank: None,
                below: None,
            },
            exact,
            extra: Percent(0),
        }
    }

    fn adjust(
        &mut self,
        adjustments: &SessionAdjustments<C>,
        penalties: Option<&Vec<Penalty>>,
        field_top: Points,
    ) {
        let contestant = self.standing.contestant;
        if adjustments.gone.contains(&contestant) {
            self.standing.below = Some(Below::WentHome);
        }
        if let Some(&points) = adjustments.carry_over.get(&contestant) {
            self.add(points);
        }
        if let Some(handicap) = adjustments.handicaps.get(&contestant) {
            self.extra.0 += handicap.0;
        }
        for &penalty in penalties.into_iter().flatten() {
            match penalty {
                Penalty::OfATop(percent) => self.add(-of_a_top(percent, field_top)),
                Penalty::Points(points) => self.add(-points),
                Penalty::Percent(percent) => self.extra.0 -= percent.0,
            }
        }
    }

    fn add(&mut self, points: Points) {
        self.standing.points += points;
        self.exact = self.exact.plus(points.into());
    }

    /// The standing, and what it is sorted by within its list.
    fn finish(self, rules: &Rules) -> (List, i64, Standing<C>) {
        let mut standing = self.standing;
        let contestant = standing.contestant;
        let list = List {
            section: (!rules.across).then(|| contestant.section()),
            direction: contestant.direction(),
        };
        if rules.method != Method::Matchpoints {
            standing.points = self.exact.rounded(rules.rounding);
        }
        if rules.method == Method::Matchpoints {
            let percent = standing.points.percent_of(standing.top);
            standing.percent = percent.map(|percent| Percent(percent.0 + self.extra.0));
        }
        (list, standing.ranked_by(rules), standing)
    }
}

impl<C> Standing<C> {
    /// What its place comes from: the percentage as it is printed, or its IMPs.
    fn ranked_by(&self, rules: &Rules) -> i64 {
        match rules.method {
            Method::Matchpoints => self.percent.map_or(i64::MIN, |percent| percent.0.into()),
            Method::Butler(_) | Method::CrossImps => self.points.ten_thousandths(),
        }
    }
}

/// A penalty in matchpoints: that share of a top.
pub fn of_a_top(percent: Percent, top: Points) -> Points {
    top.share(percent, Rounding::TenThousandth)
}

impl Award {
    /// What the award comes to, given what its pair has elsewhere.
    fn points(&self, total: Total, pluses: usize, rules: &Rules) -> Points {
        let awarded = match (self.score.own_average, rules.average_plus.several) {
            (OwnAverage::IfMore, Several::SquareRoot) => {
                let middle = match rules.method {
                    Method::Matchpoints => self.weight.share(Percent::AVERAGE, rules.rounding),
                    Method::Butler(_) | Method::CrossImps => Points::ZERO,
                };
                middle + divided_by_root(self.score.points - middle, pluses, rules.rounding)
            }
            _ => self.score.points,
        };
        // IMPs have no percentage that could be higher.
        if rules.method != Method::Matchpoints || total.weight == Points::ZERO {
            return awarded;
        }
        let own = Points::ratio(
            i128::from(total.points.ten_thousandths()) * i128::from(self.weight.ten_thousandths()),
            i128::from(total.weight.ten_thousandths()) * i128::from(Points::UNIT),
            rules.rounding,
        );
        match self.score.own_average {
            OwnAverage::Never => awarded,
            OwnAverage::IfMore => awarded.max(own),
            OwnAverage::IfLess => awarded.min(own),
        }
    }
}

/// Points (not negative) divided by the square root of a number.
pub fn divided_by_root(points: Points, number: usize, rounding: Rounding) -> Points {
    // Squared and with six more digits, so that the root is exact far beyond the rounding.
    const DIGITS: i128 = 1_000_000;
    let square = (i128::from(points.ten_thousandths()) * DIGITS).pow(2);
    let number = i128::try_from(number.max(1)).unwrap_or(i128::MAX);
    Points::ratio(
        (square / number).isqrt(),
        DIGITS * i128::from(Points::UNIT),
        rounding,
    )
}

/// Pairs that are compared with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct List {
    section: Option<SectionLetter>,
    direction: Option<Side>,
}

/// Gives everybody above the line a place in its list. This is the only place where anybody is
/// ranked.
fn placed<C: Contestant>(
    mut lines: Vec<(List, i64, Standing<C>)>,
    least_share_percent: u8,
) -> Vec<Standing<C>> {
    if least_share_percent > 0 {
        let mut most: BTreeMap<List, u32> = BTreeMap::new();
        for (list, _, standing) in &lines {
            let most = most.entry(*list).or_default();
            *most = standing.boards.max(*most);
        }
        for (list, _, standing) in &mut lines {
            let most = most.get(list).copied().unwrap_or_default();
            if standing.boards * 100 < most * u32::from(least_share_percent) {
                standing.below = standing.below.or(Some(Below::FewBoards));
            }
        }
    }
    lines.sort_unstable_by_key(|&(list, ranked_by, standing)| {
        let below = standing.below.is_some();
        (list, below, Reverse(ranked_by), standing.contestant)
    });
    let (mut list, mut previous, mut place, mut rank) = (None, 0, 0, 0);
    lines
        .into_iter()
        .map(|(own_list, ranked_by, mut standing)| {
            if list != Some(own_list) {
                (list, place, rank) = (Some(own_list), 0, 0);
            }
            place += 1;
            if place == 1 || ranked_by != previous {
                rank = place;
            }
            previous = ranked_by;
            standing.rank = standing.below.is_none().then_some(rank);
            standing
        })
        .collect()
}
