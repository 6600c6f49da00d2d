//! Where everybody stands, and why.

use std::collections::BTreeMap;

use scoring::regulations::{
    Criterion, MatchRecord, Order, TeamNumber, TeamRecord, rank_with_reasons,
};
use scoring::{Points, VictoryPoints};
use serde::Serialize;

use crate::ContestantNumber;
use crate::irregular::{Decision, Means};
use crate::rules::Rules;

/// A match with what it came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ScoredMatch {
    /// In which round.
    pub round: u16,
    /// Who.
    pub home: ContestantNumber,
    /// Against whom.
    pub away: ContestantNumber,
    /// Boards of the match as planned.
    pub boards: u16,
    /// What home and away got.
    pub sides: [SideScore; 2],
    /// The director's word, where it was not played properly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    /// Whether all its boards are in.
    pub complete: bool,
    /// Whether anything of it is in.
    pub begun: bool,
}

/// What one side of a match got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SideScore {
    /// Victory points.
    pub vp: VictoryPoints,
    /// IMPs (or matchpoints) gained.
    pub scored: Points,
    /// By how much it won, by its own count.
    pub margin: Points,
}

/// A contestant, with what is not in its matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Who.
    pub number: ContestantNumber,
    /// Brought along from an earlier stage.
    pub carry_over: VictoryPoints,
    /// Taken off.
    pub fines: VictoryPoints,
    /// Rounds in which it had no opponent.
    pub byes: Vec<u16>,
}

/// A line of the standing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// From 1; who shares it shares the number.
    pub place: u32,
    /// Who.
    pub contestant: ContestantNumber,
    /// All of them: matches, byes, carry-over, less penalties.
    pub vp: VictoryPoints,
    /// What was taken off.
    pub fines: VictoryPoints,
    /// What was brought along.
    pub carry_over: VictoryPoints,
    /// Matches that count, byes included.
    pub matches: usize,
    /// Net IMPs.
    pub net: Points,
    /// The tie-breakers in their order, with this contestant's figure.
    pub ties: Vec<Tie>,
    /// What separates it from the one before; none where the victory points do, or nothing.
    pub decided_by: Option<DecidedBy>,
}

impl Line {
    /// Somebody of whom a place and a total are known, percentages or IMPs: in a competition over several
    /// sessions.
    pub fn with_total(place: u32, contestant: ContestantNumber, total: f64) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "some thousand percent")]
        let hundredths = (total * 100.0).round() as i32;
        Self {
            vp: VictoryPoints(hundredths),
            ..Self::placed(place, contestant)
        }
    }

    /// Somebody of whom only the place is known: where a knock-out is over.
    pub const fn placed(place: u32, contestant: ContestantNumber) -> Self {
        Self {
            place,
            contestant,
            vp: VictoryPoints(0),
            fines: VictoryPoints(0),
            carry_over: VictoryPoints(0),
            matches: 0,
            net: Points::ZERO,
            ties: Vec::new(),
            decided_by: None,
        }
    }
}

/// What separates two who have equal victory points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecidedBy {
    /// A criterion of the order of ties.
    Figure(Criterion),
    /// A lot.
    Lot,
    /// Boards that were played for it.
    PlayOff,
    /// The boards of their match, without what was brought along.
    OwnBoards,
    /// The boards of their match, counted as won, halved and lost, or by total points.
    Rescored,
}

/// Contestants who were level by every figure, in the order in which something else put them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Separated {
    /// The first of them first.
    pub order: Vec<ContestantNumber>,
    /// What put them so.
    pub by: DecidedBy,
}

/// Gives those who share a place places of their own, where something has separated them; the last
/// word about a place counts.
pub fn separate(lines: &mut [Line], separated: &[Separated]) {
    let places = lines.chunk_by_mut(|one, other| one.place == other.place);
    for level in places.filter(|level| level.len() > 1) {
        let of = |own: &Separated, who| own.order.iter().position(|it| *it == who);
        let whole = |own: &&Separated| level.iter().all(|it| of(own, it.contestant).is_some());
        let Some(own) = separated.iter().rev().find(whole) else {
            continue;
        };
        level.sort_by_key(|line| of(own, line.contestant));
        let (first, decided) = (level[0].place, level.iter().find_map(|it| it.decided_by));
        for (line, place) in level.iter_mut().zip(first..) {
            line.decided_by = if place == first {
                decided
            } else {
                Some(own.by)
            };
            line.place = place;
        }
    }
}

/// A tie-breaker's figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tie {
    /// Which.
    pub name: Criterion,
    /// How much.
    pub value: String,
}

/// The standing. `settled` is true after the last round: forfeits then count by the means of all
/// other matches.
pub fn standing(
    entries: &[Entry],
    matches: &[ScoredMatch],
    rules: &Rules,
    settled: bool,
) -> Vec<Line> {
    ranked(entries, matches, rules, settled, rules.ties.order())
}

/// The standing that a draw goes by.
pub fn standing_for_draw(
    entries: &[Entry],
    matches: &[ScoredMatch],
    rules: &Rules,
    settled: bool,
) -> Vec<Line> {
    ranked(entries, matches, rules, settled, rules.ties.draw_order())
}

fn ranked(
    entries: &[Entry],
    matches: &[ScoredMatch],
    rules: &Rules,
    settled: bool,
    order: Order,
) -> Vec<Line> {
    let matches = settle(matches, rules, settled);
    let records: Vec<TeamRecord> = entries
        .iter()
        .map(|entry| record(entry, &matches, rules))
        .collect();
    let by_number: BTreeMap<TeamNumber, &Entry> = entries
        .iter()
        .map(|it| (TeamNumber(it.number.get()), it))
        .collect();
    rank_with_reasons(&records, order)
        .into_iter()
        .filter_map(|ranked| {
            let entry = by_number.get(&ranked.team)?;
            let record = records.iter().find(|it| it.team == ranked.team)?;
            let earned: i32 = record.matches.iter().map(|it| it.vp.0).sum();
            Some(Line {
                place: ranked.rank,
                contestant: entry.number,
                vp: VictoryPoints(earned) + entry.carry_over - entry.fines,
                fines: entry.fines,
                carry_over: entry.carry_over,
                matches: record.matches.len(),
                net: record.matches.iter().map(|it| it.imps).sum(),
                ties: ranked
                    .measures
                    .iter()
                    .filter(|(criterion, _)| *criterion != Criterion::Vp)
                    .map(|(criterion, value)| Tie {
                        name: *criterion,
                        value: value.clone(),
                    })
                    .collect(),
                decided_by: ranked
                    .decided_by
                    .filter(|criterion| *criterion != Criterion::Vp)
                    .map(DecidedBy::Figure),
            })
        })
        .collect()
}

/// The matches with the scores of irregular ones put in.
pub fn settle(matches: &[ScoredMatch], rules: &Rules, settled: bool) -> Vec<ScoredMatch> {
    let mut all = matches.to_vec();
    for own in &mut all {
        let Some(decision) = own.decision else {
            continue;
        };
        let means = settled.then(|| means(matches, own));
        if let Ok(scores) = decision.scores(own.home, own.boards, rules, means) {
            for (side, (vp, imps)) in own.sides.iter_mut().zip(scores) {
                *side = SideScore {
                    vp,
                    scored: imps.max(Points::ZERO),
                    margin: imps,
                };
            }
        }
        own.complete = true;
        own.begun = true;
    }
    all
}

fn means(matches: &[ScoredMatch], own: &ScoredMatch) -> Means {
    let regular = || {
        let regular = matches.iter();
        regular.filter(|it| it.decision.is_none() && it.complete)
    };
    let mean = |who: ContestantNumber, of_opponents: bool| {
        let scores: Vec<i64> = regular()
            .filter_map(|it| {
                let side = match who {
                    who if who == it.home => 0,
                    who if who == it.away => 1,
                    _ => return None,
                };
                let side = if of_opponents { 1 - side } else { side };
                Some(i64::from(it.sides[side].vp.0))
            })
            .collect();
        let count = i64::try_from(scores.len()).ok().filter(|it| *it > 0)?;
        let sum: i64 = scores.iter().sum();
        // Rounded half up.
        i32::try_from((2 * sum + count).div_euclid(2 * count))
            .ok()
            .map(VictoryPoints)
    };
    Means {
        own: [mean(own.home, false), mean(own.away, false)],
        opponents: [mean(own.home, true), mean(own.away, true)],
    }
}

fn record(entry: &Entry, matches: &[ScoredMatch], rules: &Rules) -> TeamRecord {
    let played = matches.iter().filter(|it| it.begun).filter_map(|it| {
        let (own, other, opponent) = match entry.number {
            number if number == it.home => (0, 1, it.away),
            number if number == it.away => (1, 0, it.home),
            _ => return None,
        };
        Some(MatchRecord {
            opponent: TeamNumber(opponent.get()),
            vp: it.sides[own].vp,
            opponent_vp: it.sides[other].vp,
            imps: it.sides[own].margin,
            scored: it.sides[own].scored,
            conceded: it.sides[other].scored,
        })
    });
    let byes = entry.byes.iter().map(|_| MatchRecord {
        // Nobody has this number.
        opponent: TeamNumber(0),
        vp: VictoryPoints(rules.bye),
        opponent_vp: VictoryPoints(0),
        imps: Points::ZERO,
        scored: Points::ZERO,
        conceded: Points::ZERO,
    });
    TeamRecord {
        team: TeamNumber(entry.number.get()),
        matches: played.chain(byes).collect(),
        fines: entry.fines,
        carry_over: entry.carry_over,
    }
}
