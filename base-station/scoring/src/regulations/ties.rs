//! Ties, broken in each regulation's own order.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::{Percent, Points, VictoryPoints};

/// A team (or pair) of a Swiss or a round robin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TeamNumber(pub u16);

/// What a team did in an event of matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamRecord {
    /// Who.
    pub team: TeamNumber,
    /// Its matches.
    pub matches: Vec<MatchRecord>,
    /// Victory points it was fined, which are not in its matches.
    pub fines: VictoryPoints,
    /// What it brought along, which is not in its matches either.
    pub carry_over: VictoryPoints,
}

/// One match from one team's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchRecord {
    /// The other team.
    pub opponent: TeamNumber,
    /// What this team got.
    pub vp: VictoryPoints,
    /// What the other one got.
    pub opponent_vp: VictoryPoints,
    /// By how much this team won (negative: lost).
    pub imps: Points,
    /// IMPs it scored and conceded, where a quotient is asked for.
    pub scored: Points,
    /// See `scored`.
    pub conceded: Points,
}

/// What tied teams are compared by, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Criterion {
    /// Victory points, less fines.
    Vp,
    /// Victory points without the fines.
    VpWithoutFines,
    /// Victory points without the carry-over.
    VpWithoutCarryOver,
    /// The sum of all opponents' victory points.
    OpponentsVp,
    /// The same without what the opponents won from this team (New Zealand's Swiss points).
    SwissPoints,
    /// The sum of all opponents' net IMPs.
    OpponentsImps,
    /// Matches won by IMPs.
    MatchesWon,
    /// The same with half a win for a match that ended level.
    WinsAndDraws,
    /// Matches with more victory points than the opponent.
    WinsInVp,
    /// IMPs scored less IMPs conceded.
    NetImps,
    /// IMPs scored for each one conceded.
    ImpQuotient,
    /// Net IMPs in the matches among those who are still tied.
    HeadToHead,
}

/// Whose order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// SABF, teams, but not finals.
    SabfTeams,
    /// SABF, for the draw of a Swiss.
    SabfSwissDraw,
    /// SABF, state teams qualifying.
    SabfStateTeams,
    /// SABF, Butler trials, third place.
    SabfButlerTrials,
    /// ABF, inter-state teams.
    Itc,
    /// ABF, inter-state teams final.
    ItcFinal,
    /// ABF, for the draw of a Swiss.
    AbpcDraw,
    /// ABF, at the end of a stage.
    AbpcStage,
    /// GNOT 2006, for the draw of a Swiss.
    GnotDraw,
    /// GNOT 2006, after the last round.
    GnotLast,
    /// New Zealand, round robin. (It leaves open whether all IMPs or those between the tied teams count:
    /// the latter is [`Order::ClubHeadToHead`].)
    ClubRoundRobin,
    /// New Zealand, round robin, by the matches between the tied teams.
    ClubHeadToHead,
    /// New Zealand, Swiss.
    ClubSwiss,
    /// GNOT 2012, Swiss.
    Gnot2012Swiss,
    /// GNOT 2012, pools of three.
    Gnot2012Pool,
}

impl Order {
    /// What decides, first to last. Who is still equal then draws lots, plays off or shares, as
    /// the regulation says.
    pub const fn criteria(self) -> &'static [Criterion] {
        use Criterion as C;
        match self {
            Self::SabfTeams => &[
                C::Vp,
                C::VpWithoutFines,
                C::OpponentsVp,
                C::MatchesWon,
                C::NetImps,
            ],
            Self::SabfSwissDraw => &[C::Vp, C::OpponentsVp, C::NetImps],
            Self::SabfStateTeams => &[C::Vp, C::VpWithoutFines, C::NetImps],
            Self::SabfButlerTrials => &[C::Vp, C::VpWithoutFines, C::MatchesWon, C::NetImps],
            Self::Itc => &[C::Vp, C::WinsInVp, C::NetImps],
            Self::ItcFinal => &[C::Vp, C::VpWithoutCarryOver],
            Self::AbpcDraw | Self::GnotDraw | Self::Gnot2012Swiss | Self::ClubRoundRobin => {
                &[C::Vp, C::NetImps]
            }
            Self::AbpcStage => &[C::Vp, C::OpponentsVp, C::WinsInVp, C::NetImps],
            Self::GnotLast => &[C::Vp, C::OpponentsVp, C::OpponentsImps],
            Self::ClubHeadToHead => &[C::Vp, C::HeadToHead],
            Self::ClubSwiss => &[C::Vp, C::SwissPoints, C::NetImps],
            Self::Gnot2012Pool => &[C::WinsAndDraws, C::NetImps, C::ImpQuotient],
        }
    }
}

impl Criterion {
    /// What a column of a standing is called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vp => "VPs",
            Self::VpWithoutFines => "VPs without penalties",
            Self::VpWithoutCarryOver => "VPs without carry-over",
            Self::OpponentsVp => "opponents' VPs",
            Self::SwissPoints => "Swiss points",
            Self::OpponentsImps => "opponents' IMPs",
            Self::MatchesWon => "matches won",
            Self::WinsAndDraws => "wins, half for a draw",
            Self::WinsInVp => "wins in VPs",
            Self::NetImps => "net IMPs",
            Self::ImpQuotient => "IMP quotient",
            Self::HeadToHead => "IMPs between them",
        }
    }

    /// A figure as it is printed.
    fn shown(self, measure: Measure) -> String {
        match self {
            Self::MatchesWon | Self::WinsInVp => measure.whole.to_string(),
            Self::NetImps | Self::OpponentsImps | Self::HeadToHead => {
                Points::from_ten_thousandths(measure.whole).to_string()
            }
            // Nothing conceded.
            Self::ImpQuotient if measure.of == 0 => "∞".to_owned(),
            Self::ImpQuotient | Self::WinsAndDraws => Points::ratio(
                i128::from(measure.whole),
                i128::from(measure.of),
                crate::Rounding::TenThousandth,
            )
            .to_string(),
            Self::Vp
            | Self::VpWithoutFines
            | Self::VpWithoutCarryOver
            | Self::OpponentsVp
            | Self::SwissPoints => {
                VictoryPoints(i32::try_from(measure.whole).unwrap_or(i32::MAX)).to_string()
            }
        }
    }
}

/// A team's place and what it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedTeam {
    /// From 1.
    pub rank: u32,
    /// Who.
    pub team: TeamNumber,
    /// Every criterion of the order with this team's figure.
    pub measures: Vec<(Criterion, String)>,
    /// What separates it from the team before; `None` for the first, and where nothing does.
    pub decided_by: Option<Criterion>,
}

/// As [`rank_teams`], with the figures and what decided each place.
pub fn rank_with_reasons(records: &[TeamRecord], order: Order) -> Vec<RankedTeam> {
    let event = Event::of(records);
    let ranked = rank_teams(records, order);
    let record = |team: TeamNumber| records.iter().find(|it| it.team == team);
    // Who is level with whom before each criterion; only head-to-head asks.
    let mut answer: Vec<RankedTeam> = Vec::with_capacity(ranked.len());
    for (index, &(rank, team)) in ranked.iter().enumerate() {
        let Some(own) = record(team) else { continue };
        let mut tied: Vec<TeamNumber> = ranked.iter().map(|&(_, team)| team).collect();
        let mut measures = Vec::new();
        let before = index
            .checked_sub(1)
            .and_then(|index| record(ranked[index].1));
        let mut decided_by = None;
        let mut level = before.is_some();
        for &criterion in order.criteria() {
            let figure = event.measure(own, criterion, &tied);
            if let Some(before) = before.filter(|_| level)
                && event
                    .measure(before, criterion, &tied)
                    .compare(figure)
                    .is_ne()
            {
                level = false;
                decided_by = Some(criterion);
            }
            measures.push((criterion, criterion.shown(figure)));
            let same = |other: &TeamNumber| {
                record(*other).is_some_and(|other| {
                    event
                        .measure(other, criterion, &tied)
                        .compare(figure)
                        .is_eq()
                })
            };
            tied = tied.iter().copied().filter(|other| same(other)).collect();
        }
        answer.push(RankedTeam {
            rank,
            team,
            measures,
            decided_by,
        });
    }
    answer
}

/// Ranks teams; those that no criterion separates share a rank, and the next ones are skipped.
pub fn rank_teams(records: &[TeamRecord], order: Order) -> Vec<(u32, TeamNumber)> {
    let event = Event::of(records);
    let mut groups: Vec<Vec<&TeamRecord>> = vec![records.iter().collect()];
    for &criterion in order.criteria() {
        groups = groups
            .into_iter()
            .flat_map(|group| event.split(group, criterion))
            .collect();
    }
    let mut rank = 1;
    let mut ranked = Vec::with_capacity(records.len());
    for mut group in groups {
        group.sort_by_key(|record| record.team);
        ranked.extend(group.iter().map(|record| (rank, record.team)));
        rank += u32::try_from(group.len()).unwrap_or(u32::MAX);
    }
    ranked
}

/// Everybody's totals, which opponents' sums need.
struct Event {
    totals: BTreeMap<TeamNumber, (i64, i64)>,
}

impl Event {
    fn of(records: &[TeamRecord]) -> Self {
        let totals = records
            .iter()
            .map(|record| (record.team, (record.vp(), record.net_imps())))
            .collect();
        Self { totals }
    }

    /// Splits tied teams by a criterion, the best first.
    fn split<'a>(
        &self,
        group: Vec<&'a TeamRecord>,
        criterion: Criterion,
    ) -> Vec<Vec<&'a TeamRecord>> {
        let tied: Vec<TeamNumber> = group.iter().map(|record| record.team).collect();
        let mut measured: Vec<(Measure, &TeamRecord)> = group
            .into_iter()
            .map(|record| (self.measure(record, criterion, &tied), record))
            .collect();
        measured.sort_by(|(first, _), (second, _)| second.compare(*first));
        let groups = measured.chunk_by(|(first, _), (second, _)| first.compare(*second).is_eq());
        groups
            .map(|group| group.iter().map(|&(_, record)| record).collect())
            .collect()
    }

    fn measure(&self, record: &TeamRecord, criterion: Criterion, tied: &[TeamNumber]) -> Measure {
        let matches = record.matches.iter();
        let opponents = |part: fn(&(i64, i64)) -> i64| {
            let opponents = record.matches.iter();
            opponents
                .filter_map(|it| self.totals.get(&it.opponent).map(part))
                .sum()
        };
        let won = |is_won: fn(&MatchRecord) -> bool| {
            let won = record.matches.iter().filter(|it| is_won(it)).count();
            i64::try_from(won).unwrap_or(i64::MAX)
        };
        let whole = match criterion {
            Criterion::Vp => {
                record.vp() - i64::from(record.fines.0) + i64::from(record.carry_over.0)
            }
            Criterion::VpWithoutFines => record.vp() + i64::from(record.carry_over.0),
            Criterion::VpWithoutCarryOver => record.vp() - i64::from(record.fines.0),
            Criterion::OpponentsVp => opponents(|total| total.0),
            Criterion::SwissPoints => {
                let own: i64 = matches.map(|it| i64::from(it.opponent_vp.0)).sum();
                opponents(|total| total.0) - own
            }
            Criterion::OpponentsImps => opponents(|total| total.1),
            Criterion::MatchesWon => won(|it| it.imps > Points::ZERO),
            Criterion::WinsInVp => won(|it| it.vp > it.opponent_vp),
            Criterion::NetImps => record.net_imps(),
            Criterion::HeadToHead => matches
                .filter(|it| tied.contains(&it.opponent))
                .map(|it| it.imps.ten_thousandths())
                .sum(),
            Criterion::WinsAndDraws => {
                // A bye has no opponent and is no match.
                let met = matches.filter(|it| self.totals.contains_key(&it.opponent));
                let halves = met.map(|it| match it.imps.cmp(&Points::ZERO) {
                    Ordering::Greater => 2,
                    Ordering::Equal => 1,
                    Ordering::Less => 0,
                });
                return Measure {
                    whole: halves.sum(),
                    of: 2,
                };
            }
            Criterion::ImpQuotient => return record.quotient(),
        };
        Measure { whole, of: 1 }
    }
}

impl TeamRecord {
    fn vp(&self) -> i64 {
        self.matches.iter().map(|it| i64::from(it.vp.0)).sum()
    }

    fn net_imps(&self) -> i64 {
        let matches = self.matches.iter();
        matches.map(|it| it.imps.ten_thousandths()).sum()
    }

    fn quotient(&self) -> Measure {
        let sum = |part: fn(&MatchRecord) -> Points| {
            let matches = self.matches.iter();
            matches.map(part).sum::<Points>().ten_thousandths()
        };
        Measure {
            whole: sum(|it| it.scored),
            of: sum(|it| it.conceded),
        }
    }
}

/// A fraction; a team that conceded nothing has an endless quotient.
#[derive(Clone, Copy)]
pub(super) struct Measure {
    pub(super) whole: i64,
    pub(super) of: i64,
}

impl Measure {
    pub(super) fn compare(self, other: Self) -> Ordering {
        let left = i128::from(self.whole) * i128::from(other.of);
        left.cmp(&(i128::from(other.whole) * i128::from(self.of)))
    }
}

/// Sums of session percentages that count as tied (SABF: within 0.03), from the highest.
///
/// As written the rule is not transitive: 165.42 and 165.40 tie, so do 165.40 and 165.38, but
/// 165.42 and 165.38 do not. Here a tie reaches down from its highest aggregate and no further,
/// so that nobody shares a place with somebody who is more than 0.03 ahead.
pub fn aggregates_tied(aggregates: &[Percent], within: Percent) -> Vec<Vec<Percent>> {
    let mut sorted = aggregates.to_vec();
    sorted.sort_unstable_by(|first, second| second.cmp(first));
    let mut groups: Vec<Vec<Percent>> = Vec::new();
    for aggregate in sorted {
        match groups.last_mut() {
            Some(group) if group[0].0 - aggregate.0 <= within.0 => group.push(aggregate),
            _ => groups.push(vec![aggregate]),
        }
    }
    groups
}

/// Ranks pairs by the sum of their session percentages (SABF): sums within 0.03 are tied and are
/// separated by most sessions played, then most above 60%, above 55%, above 50%. The answer has
/// the rank of each pair in the order given.
pub fn rank_sessions(pairs: &[Vec<Percent>]) -> Vec<u32> {
    let sum = |sessions: &Vec<Percent>| Percent(sessions.iter().map(|it| it.0).sum());
    let above = |sessions: &[Percent], limit: i32| {
        let limit = Percent::whole(limit);
        sessions.iter().filter(|&&it| it > limit).count()
    };
    let aggregates: Vec<Percent> = pairs.iter().map(sum).collect();
    let groups = aggregates_tied(&aggregates, Percent(3));
    let key = |sessions: &Vec<Percent>| {
        let group = groups.iter().position(|it| it.contains(&sum(sessions)));
        (
            std::cmp::Reverse(group),
            sessions.len(),
            above(sessions, 60),
            above(sessions, 55),
            above(sessions, 50),
        )
    };
    let keys: Vec<_> = pairs.iter().map(key).collect();
    let better = |own| keys.iter().filter(|&other| other > own).count();
    keys.iter()
        .map(|own| u32::try_from(better(own) + 1).unwrap_or(u32::MAX))
        .collect()
}
