//! Round robins by their printed charts, and the last one of interstate teams, whose numbers are by
//! placing.

use contest::ContestantNumber;
use protocol::words::{RoundNumber, SectionLetter};
use telling::tell;

use super::{ByHand, Contest, ContestantPlan, Format};
use crate::movement::draw::{
    Draw as Chart, Match, butler_draw, butler_seeds, interstate_draw, round_robin,
};
use crate::session::{Refused, Session};

impl Session {
    /// Who takes which number of the chart in a round, where that goes by the placing after the last
    /// round robin but one; nobody where everybody has its own. What was drawn with its first round
    /// stays, whatever is corrected later.
    pub(super) fn chart_numbers(
        &self,
        section: SectionLetter,
        contest: &Contest,
        round: RoundNumber,
    ) -> Vec<ContestantNumber> {
        if contest.is_renumbered_in(round) {
            let standing = self.contest_standing_before(section, contest, Some(round));
            return standing.iter().map(|line| line.contestant).collect();
        }
        let last = contest.plan.last_round_robin();
        if last.is_none_or(|first| contest.plan.of_event(round) < first) {
            return Vec::new();
        }
        contest.numbers_drawn()
    }
}

impl Contest {
    /// Whether a round is the first of the last round robin.
    pub(super) fn is_renumbered_in(&self, round: RoundNumber) -> bool {
        self.plan.last_round_robin() == Some(self.plan.of_event(round))
    }

    /// The numbers by placing, where they are drawn: tonight or on an earlier night.
    pub(super) fn numbers_drawn(&self) -> Vec<ContestantNumber> {
        let tonight = self.rounds.values().map(|it| &it.draw.numbers);
        let earlier = self.plan.earlier.iter().map(|it| &it.numbers);
        let mut known = earlier.chain(tonight).filter(|it| !it.is_empty());
        known.next().cloned().unwrap_or_default()
    }

    /// Which round of the chart is played. With seven teams whoever leads after the first round robin
    /// and rested in one of its last three rounds would rest again at once: the round in which the
    /// best of the first four rests is played first.
    fn chart_round_of(&self, round: RoundNumber, numbers: &[ContestantNumber]) -> u16 {
        let own = self.plan.of_event(round);
        let (Some(first), 7) = (self.plan.last_round_robin(), self.plan.contestants.len()) else {
            return own;
        };
        let place_before = |number: &ContestantNumber| {
            let mut all = self.plan.contestants.iter();
            all.position(|it| it.number == *number)
        };
        let rested_late = |number| place_before(number).is_some_and(|at| at >= 4);
        if own < first || !numbers.first().is_some_and(rested_late) {
            return own;
        }
        let best = numbers.iter().position(|number| !rested_late(number));
        let moved = best
            .and_then(|at| u16::try_from(at).ok())
            .map(|at| first + at);
        match moved {
            Some(moved) if own == first => moved,
            Some(moved) if own <= moved => own - 1,
            Some(_) | None => own,
        }
    }
}

/// The chart of a format, and whom each of its places stands for.
fn chart(contest: &Contest) -> Result<(Chart, Vec<usize>), Refused> {
    let field = contest.plan.contestants.len();
    let even = field + field % 2;
    let size = match contest.plan.format {
        Format::Troikas => field,
        Format::Swiss { .. }
        | Format::RoundRobin
        | Format::ButlerChart { .. }
        | Format::AmericanWhist
        | Format::HeadToHead
        | Format::Movement
        | Format::TwoFields => even,
    };
    let size = u16::try_from(size).unwrap_or(u16::MAX);
    let in_order = || (0..usize::from(size)).collect::<Vec<usize>>();
    match contest.plan.format {
        Format::ButlerChart { seeded } => {
            let drawn = butler_draw(size)?;
            let mut places = in_order();
            if seeded {
                for (seed, number) in butler_seeds(size)?.iter().enumerate() {
                    places[usize::from(number.get()) - 1] = seed;
                }
            }
            Ok((drawn, places))
        }
        Format::RoundRobin if contest.plan.is_interstate() => Ok((interstate(size)?, in_order())),
        Format::Swiss { .. }
        | Format::RoundRobin
        | Format::Troikas
        | Format::AmericanWhist
        | Format::HeadToHead
        | Format::Movement
        | Format::TwoFields => Ok((round_robin(size)?, in_order())),
    }
}

/// The interstate charts with the rounds that they repeat.
fn interstate(size: u16) -> Result<Chart, crate::movement::Refused> {
    let chart = interstate_draw(size)?;
    let last = chart.rounds.iter().filter_map(|it| it.repeated);
    let last = last.chain(chart.rounds.iter().map(|it| it.round)).max();
    let rounds = (1..=last.map_or(0, RoundNumber::get)).filter_map(|number| {
        let is = |round: RoundNumber| round.get() == number;
        let mut rounds = chart.rounds.iter();
        rounds.find(|it| is(it.round) || it.repeated.is_some_and(is))
    });
    let rounds = rounds.cloned().collect();
    Ok(Chart { rounds, ..chart })
}

/// The matches of a round by its chart. In an odd field the place of the last one, who is not
/// there, is a bye. `numbers` has who takes which place where that is by placing.
pub(super) fn chart_round(
    contest: &Contest,
    round: RoundNumber,
    numbers: &[ContestantNumber],
) -> Result<ByHand, Refused> {
    if contest.plan.format == Format::HeadToHead || contest.plan.contestants.len() == 2 {
        // Home seats first in the first stanza, the visitors in the second, and so on.
        let two = |two: &[ContestantPlan]| Some((two.first()?.number, two.get(1)?.number));
        let listed = contest.plan.contestants.chunks_exact(2).filter_map(two);
        return Ok(ByHand {
            matches: listed.collect(),
            ..ByHand::default()
        });
    }
    if contest.plan.format == Format::TwoFields {
        return two_fields(contest, round);
    }
    let (chart, places) = chart(contest)?;
    // A second night goes on where the chart was left.
    let drawn = chart
        .rounds
        .get(usize::from(contest.chart_round_of(round, numbers)) - 1)
        .ok_or_else(|| Refused::because(tell!(Contest::EverybodyMet)))?;
    let playing: Vec<ContestantNumber> = contest.playing(round).map(|it| it.number).collect();
    let number = |place: ContestantNumber| {
        let at = usize::from(place.get()) - 1;
        let number = if numbers.is_empty() {
            contest.plan.contestants.get(*places.get(at)?)?.number
        } else {
            *numbers.get(at)?
        };
        playing.contains(&number).then_some(number)
    };
    let mut charted = ByHand::default();
    let mut byes = Vec::new();
    for contest in &drawn.matches {
        match contest {
            Match::Versus(one, other) => match (number(*one), number(*other)) {
                (Some(home), Some(away)) => charted.matches.push((home, away)),
                (Some(alone), None) | (None, Some(alone)) => byes.push(alone),
                (None, None) => {}
            },
            Match::Troika(three) => match three.map(number) {
                [Some(one), Some(two), Some(three)] => charted.triangle = Some([one, two, three]),
                // Of three one has gone home: the others meet.
                left => match left.into_iter().flatten().collect::<Vec<_>>()[..] {
                    [one, other] => charted.matches.push((one, other)),
                    [alone] => byes.push(alone),
                    _ => {}
                },
            },
        }
    }
    // Two whose opponents have gone home meet: better than two byes, if they have not met yet.
    charted.bye = byes.pop();
    if let (Some(other), Some(what)) = (byes.first(), charted.bye) {
        return Err(Refused::because(tell!(Contest::NoOpponentsRoundDraw {
            other,
            what,
            round
        })));
    }
    Ok(charted)
}

/// The first half of the contestants keeps its tables, the others move up by one each round. Whoever's
/// opponent has gone home rests; two of them can't meet, because they are of one field.
fn two_fields(contest: &Contest, round: RoundNumber) -> Result<ByHand, Refused> {
    let playing: Vec<ContestantNumber> = contest.playing(round).map(|it| it.number).collect();
    let all: Vec<ContestantNumber> = contest
        .plan
        .contestants
        .iter()
        .map(|it| it.number)
        .collect();
    let (staying, moving) = all.split_at(all.len() / 2);
    let moved = usize::from(contest.plan.of_event(round)) - 1;
    let mut met = ByHand::default();
    for (at, home) in staying.iter().enumerate() {
        let place = (at + staying.len() - moved % staying.len().max(1)) % staying.len().max(1);
        let away = moving.get(place).copied();
        match (
            playing.contains(home),
            away.filter(|it| playing.contains(it)),
        ) {
            (true, Some(away)) => met.matches.push((*home, away)),
            (true, None) => alone(&mut met, *home, round)?,
            (false, Some(away)) => alone(&mut met, away, round)?,
            (false, None) => {}
        }
    }
    Ok(met)
}

/// Somebody has no opponent: one may.
fn alone(met: &mut ByHand, who: ContestantNumber, round: RoundNumber) -> Result<(), Refused> {
    match met.bye.replace(who) {
        None => Ok(()),
        Some(what) => Err(Refused::because(tell!(Contest::NoOpponentsRoundDraw {
            other: who,
            what,
            round
        }))),
    }
}
