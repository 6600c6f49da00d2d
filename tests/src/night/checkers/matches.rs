//! Matches: what was drawn stands, and what the boards of a match come to, the long way.

use std::collections::{BTreeMap, BTreeSet};

use base_station::session::Session;
use protocol::words::{BoardNumber, RoundNumber, SectionLetter};

use crate::naive;
use crate::night::Evening;
use crate::night::matches::{plan, rounds};
use crate::night::world::World;

/// A draw once published never changes by itself, nobody is in two places of a round, and nobody
/// is left out.
pub(super) fn draws_stand(world: &World) -> Vec<String> {
    let contest = world
        .session()
        .and_then(|session| session.contests.get(&SectionLetter::A));
    let Some(contest) = contest else {
        return Vec::new();
    };
    let mut wrong = Vec::new();
    for (round, published) in &world.published.draws {
        let now = contest.rounds.get(round).map(|it| &it.draw);
        if now != Some(published) {
            wrong.push(format!(
                "round {round} was published and is another one now"
            ));
        }
        let mut seen = BTreeSet::new();
        let sides = published.matches.iter().flat_map(|it| [it.home, it.away]);
        for number in sides.chain(published.bye) {
            if !seen.insert(number) {
                wrong.push(format!("{number} is in two places in round {round}"));
            }
        }
        let playing: BTreeSet<_> = contest.playing(*round).map(|it| it.number).collect();
        if let Some(left) = playing.difference(&seen).next() {
            wrong.push(format!(
                "{left} has nobody to play against in round {round}"
            ));
        }
    }
    let drawn = world.published.draws.len();
    if drawn != usize::from(rounds(&world.options)) {
        wrong.push(format!("only {drawn} rounds were drawn"));
    }
    wrong.extend(again(world));
    wrong
}

/// Who meets twice although the field is large enough for three nights without it.
fn again(world: &World) -> Vec<String> {
    if world.options.evening != Evening::Swiss || world.options.tables < 9 {
        return Vec::new();
    }
    let mut met = world.published.met.clone();
    let drawn = world
        .published
        .draws
        .values()
        .flat_map(|draw| &draw.matches);
    let pairs = drawn.map(|own| {
        (
            own.home.get().min(own.away.get()),
            own.home.get().max(own.away.get()),
        )
    });
    pairs
        .filter(|pair| !met.insert(*pair))
        .map(|(one, other)| format!("{one} and {other} meet twice"))
        .collect()
}

/// Every board counts in one match, and the standing is what they come to.
pub(super) fn matches_add_up(world: &World) -> Vec<String> {
    let Some((session, shown)) = world.session().zip(world.standing_of_matches()) else {
        return Vec::new();
    };
    if world.options.evening == Evening::Mitchell {
        return Vec::new();
    }
    let expected = points_of_matches(world, session);
    let mut wrong = Vec::new();
    for (number, vp) in shown {
        let right = expected.get(&number).copied().unwrap_or_default();
        // Each match is rounded to a hundredth.
        if (f64::from(vp) / 100.0 - right).abs() > 0.061 {
            let has = f64::from(vp) / 100.0;
            wrong.push(format!(
                "{number} has {has} victory points, should have {right:.2}"
            ));
        }
    }
    wrong
}

/// Victory points of all nights so far.
pub(in crate::night) fn points_of_matches(world: &World, session: &Session) -> BTreeMap<u16, f64> {
    let plan = plan(&world.options);
    let teams = world.options.evening != Evening::Swiss;
    let mut totals = world.published.points.clone();
    for (round, draw) in &world.published.draws {
        if let Some(bye) = draw.bye {
            *totals.entry(bye.get()).or_default() += 12.0;
        }
        let boards: Vec<BoardNumber> = plan.boards_of(*round).iter().collect();
        for own in &draw.matches {
            let (home, away) = (own.home.get(), own.away.get());
            let margin: i64 = boards
                .iter()
                .map(|board| {
                    let results = results(session, *round, *board);
                    if teams {
                        of_teams(&results, home, away)
                    } else {
                        of_pairs(&results, home, away)
                    }
                })
                .sum();
            *totals.entry(home).or_default() += victory_points(margin, boards.len());
            *totals.entry(away).or_default() += victory_points(-margin, boards.len());
        }
    }
    totals
}

/// Score of a board, and who sat North-South.
type Played = (i64, u16, u16);

/// All results of a board in a round.
fn results(session: &Session, round: RoundNumber, board: BoardNumber) -> Vec<Played> {
    let lines = session.lines.iter();
    lines
        .filter(|(cell, line)| cell.round == round && cell.board == board && line.is_in())
        .filter_map(|(_, line)| {
            let score = i64::from(line.score(board)?.0);
            Some((score, line.ns?.number.get(), line.ew?.number.get()))
        })
        .collect()
}

/// IMPs of the home team from both tables; nothing where one of them has no score.
fn of_teams(results: &[Played], home: u16, away: u16) -> i64 {
    let at = |ns: u16, ew: u16| results.iter().find(|it| (it.1, it.2) == (ns, ew));
    match (at(home, away), at(away, home)) {
        (Some(open), Some(closed)) => naive::imps(open.0 - closed.0),
        _ => 0,
    }
}

/// IMPs of the home pair against the datum of the round.
fn of_pairs(results: &[Played], home: u16, away: u16) -> i64 {
    let Some(own) = results.iter().find(|it| (it.1, it.2) == (home, away)) else {
        return 0;
    };
    let mut scores: Vec<i64> = results.iter().map(|it| it.0).collect();
    scores.sort_unstable();
    let drop = usize::from(scores.len() >= 3);
    let kept = &scores[drop..scores.len() - drop];
    let (sum, count) = (
        kept.iter().sum::<i64>(),
        i64::try_from(kept.len()).unwrap_or(1),
    );
    // To tens, exact fives away from zero.
    let tens = (sum.abs() * 2 + 10 * count) / (20 * count) * 10 * sum.signum();
    naive::imps(own.0 - tens)
}

/// The continuous scale of the WBF by its formula.
fn victory_points(margin: i64, boards: usize) -> f64 {
    let golden = (5_f64.sqrt() - 1.0) / 2.0;
    #[expect(clippy::cast_precision_loss, reason = "a few boards, a few IMPs")]
    let (margin, boards) = (margin as f64, boards as f64);
    let blitz = 15.0 * boards.sqrt();
    let share = margin.abs().min(blitz) * 3.0 / blitz;
    let won = 10.0 * (1.0 - golden.powf(share)) / (1.0 - golden.powi(3));
    let winner = ((10.0 + won) * 100.0).round() / 100.0;
    if margin < 0.0 { 20.0 - winner } else { winner }
}
