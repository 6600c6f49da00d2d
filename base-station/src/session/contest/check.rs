//! What can't be a stage, a team or a draw, and why.

use std::collections::BTreeSet;

use contest::draw::{Draw, OddField};
use contest::{Comparison, ContestantNumber};
use protocol::words::{BoardNumber, RoundNumber, SectionLetter};

use super::{Contest, ContestEvent, ContestPlan, ContestantPlan, Format};
use crate::session::decide::{Decided, NAME_LEN_MAX, PAIR_NUMBER_MAX, refuse, tidy, tidy_needed};
use crate::session::plan::{Method, Partner, Scoring};
use crate::session::{Event, Refused, Session};

/// The most contestants of a stage with pads.
const CONTESTANTS_MAX: usize = 400;

/// Players of a team.
const TEAM_MAX: usize = 6;

pub(super) fn planned(session: &Session, section: SectionLetter, plan: &ContestPlan) -> Decided {
    if session.lines.keys().any(|cell| cell.section == section) {
        return refuse(format!(
            "section {section} has results: its matches can't be set up anew"
        ));
    }
    if session.contests.get(&section).is_none() && session.sections.contains_key(&section) {
        return refuse(format!(
            "section {section} plays another movement: remove it first, or take another letter"
        ));
    }
    check_contestants(plan)?;
    check_format(plan)?;
    let boards = u16::from(plan.boards) * plan.sets();
    let last = u16::from(plan.first_board) + boards.saturating_sub(1);
    if plan.boards == 0 || plan.first_board == 0 || last > u16::from(BoardNumber::MAX.get()) {
        return refuse(format!(
            "{} sets of {} boards from board {} on are more than the {} boards there are",
            plan.sets(),
            plan.boards,
            plan.first_board,
            BoardNumber::MAX
        ));
    }
    let length = plan.match_length();
    plan.rules
        .check(length)
        .map_err(|fault| Refused::because(format!("{length} boards a match: {fault}")))?;
    let plan = ContestPlan {
        name: tidy_needed(&plan.name, "the name", NAME_LEN_MAX)?,
        colour: tidy(&plan.colour, "the colour", NAME_LEN_MAX)?,
        contestants: plan
            .contestants
            .iter()
            .map(tidied)
            .collect::<Result<_, _>>()?,
        ..plan.clone()
    };
    let scoring = Scoring {
        method: match plan.rules.comparison {
            Comparison::Matchpoints => Method::Matchpoints,
            Comparison::CrossImps => Method::CrossImps,
            // The players of a teams match are ranked by Butler.
            Comparison::Butler | Comparison::TeamsImps | Comparison::BoardAMatch => Method::Butler,
        },
        ..session.scoring
    };
    let named: Vec<Event> = plan
        .contestants
        .iter()
        .flat_map(|it| named(&plan, section, it))
        .collect();
    let mut events = vec![Event::Contest(ContestEvent::Planned { section, plan })];
    if scoring != session.scoring && session.lines.is_empty() {
        events.push(Event::ScoringChosen(scoring));
    }
    events.extend(named);
    Ok(events)
}

/// The players of an entry in their seats: those of a pair; of a team the first two North-South,
/// the next two East-West. Others come in with a line-up.
pub(super) fn named(
    plan: &ContestPlan,
    section: SectionLetter,
    entry: &ContestantPlan,
) -> Vec<Event> {
    let pairs = plan.pairs_of(section, entry.number).into_iter();
    let seats =
        pairs.flat_map(|pair| [Partner::First, Partner::Second].map(|partner| (pair, partner)));
    seats
        .zip(&entry.players)
        .map(|((pair, partner), name)| Event::PlayerNamed {
            pair,
            partner,
            number: None,
            name: name.clone(),
            from: RoundNumber::FIRST,
        })
        .collect()
}

/// Whether so many contestants can play so many rounds of it.
fn check_format(plan: &ContestPlan) -> Result<(), Refused> {
    let field = plan.contestants.len();
    let teams = plan.is_teams();
    let everybody = u8::try_from(field + field % 2 - 1).unwrap_or(u8::MAX);
    let most = match plan.format {
        Format::Swiss { odd, .. } => {
            if odd == OddField::Triangle && !teams {
                return refuse("only teams can play a triangle: let a pair have a bye");
            }
            RoundNumber::MAX.get()
        }
        Format::RoundRobin => everybody,
        Format::Troikas => {
            if !teams || !matches!(field, 7 | 9 | 11) {
                return refuse(
                    "there are charts with troikas for 7, 9 and 11 teams; others have a bye",
                );
            }
            if !plan.rounds.is_multiple_of(2) {
                return refuse("a troika takes two rounds: play an even number of them");
            }
            everybody - 1
        }
        Format::ButlerChart { .. } => {
            if teams || !matches!(field, 12 | 14) {
                return refuse("there are Butler charts for 12 and 14 pairs: play a round robin");
            }
            everybody
        }
        Format::AmericanWhist => {
            if !teams || field.is_multiple_of(2) || !(5..=13).contains(&field) {
                return refuse(
                    "American Whist needs an odd number of teams from 5 to 13: an even number \
                     plays a round robin, a larger one a Swiss",
                );
            }
            if !plan.rounds.is_multiple_of(2) {
                return refuse(
                    "an American Whist has an even number of rounds: each match is two halves",
                );
            }
            everybody - 1
        }
        Format::HeadToHead => {
            if field != 2 {
                return refuse("a match in stanzas has two contestants");
            }
            RoundNumber::MAX.get()
        }
    };
    if plan.rounds == 0 || plan.rounds > most {
        return refuse(format!("expected 1 to {most} rounds, not {}", plan.rounds));
    }
    Ok(())
}

pub(super) fn tidied(contestant: &ContestantPlan) -> Result<ContestantPlan, Refused> {
    let player = |name: &String| tidy_needed(name, "a player's name", NAME_LEN_MAX);
    Ok(ContestantPlan {
        name: tidy(&contestant.name, "the name", NAME_LEN_MAX)?,
        club: tidy(&contestant.club, "the club", NAME_LEN_MAX)?,
        players: contestant
            .players
            .iter()
            .map(player)
            .collect::<Result<_, _>>()?,
        ..contestant.clone()
    })
}

pub(super) fn check_contestants(plan: &ContestPlan) -> Result<(), Refused> {
    let what = if plan.is_teams() { "teams" } else { "pairs" };
    if !(2..=CONTESTANTS_MAX).contains(&plan.contestants.len()) {
        return refuse(format!("expected 2 to {CONTESTANTS_MAX} {what}"));
    }
    let mut numbers = BTreeSet::new();
    let mut tables = BTreeSet::new();
    let mut players = std::collections::BTreeMap::new();
    for contestant in &plan.contestants {
        let number = contestant.number;
        if number.get() > PAIR_NUMBER_MAX || !numbers.insert(number) {
            return refuse(format!(
                "expected numbers up to {PAIR_NUMBER_MAX}, each once; {number} is not possible"
            ));
        }
        if let Some(table) = contestant.stationary
            && !tables.insert(table)
        {
            return refuse(format!("two of them can't keep table {table}"));
        }
        if !plan.is_teams() && contestant.players.len() > 2
            || plan.is_teams() && !matches!(contestant.players.len(), 0 | 4..=TEAM_MAX)
        {
            return refuse(format!(
                "{number} has {} players; a pair has 2, a team 4 to {TEAM_MAX}",
                contestant.players.len()
            ));
        }
        if contestant.forbidden.contains(&number) {
            return refuse(format!("{number} can't meet itself anyway"));
        }
        for player in &contestant.players {
            if let Some(other) = players.insert(player.to_lowercase(), number) {
                return refuse(format!("{player} plays for {other} and for {number}"));
            }
        }
    }
    Ok(())
}

pub(super) fn check_draw(
    session: &Session,
    section: SectionLetter,
    contest: &Contest,
    round: RoundNumber,
    draw: &Draw,
    rematches: bool,
    why: &str,
) -> Result<(), Refused> {
    if round.get() > contest.plan.rounds {
        return refuse(format!("there are {} rounds", contest.plan.rounds));
    }
    let again = contest.rounds.contains_key(&round);
    if !again && contest.next_round() != Some(round) {
        return refuse(format!("round {round} is not the next to be drawn"));
    }
    let begun = |cell: &crate::session::Cell| cell.section == section && cell.round >= round;
    if let Some((cell, _)) = session
        .lines
        .iter()
        .find(|(cell, line)| begun(cell) && line.is_in())
    {
        return refuse(format!(
            "{cell} has a result: round {} has begun and its draw stands",
            cell.round
        ));
    }
    if again && why.is_empty() {
        return refuse(format!(
            "round {round} is drawn and published: say why it is drawn again"
        ));
    }
    if draw.triangle.is_some() && draw.halves.len() != 3 {
        return refuse("a triangle takes two rounds: let somebody have a bye in the last one");
    }
    let playing: BTreeSet<ContestantNumber> = contest.playing(round).map(|it| it.number).collect();
    let mut seen = BTreeSet::new();
    let mut tables = BTreeSet::new();
    for pairing in &draw.matches {
        for table in contest.plan.tables_of(pairing.table) {
            if !tables.insert(table) {
                return refuse(format!("two matches are at table {table}"));
            }
        }
        // Every stanza of a match has the same two.
        let again = pairing.rematch && contest.plan.format != Format::HeadToHead;
        if again && !rematches {
            return refuse(format!(
                "{} and {} have met: draw otherwise, or say that matches may be repeated",
                pairing.home, pairing.away
            ));
        }
    }
    if let Some(half) = draw.halves.iter().find(|half| !tables.insert(half.table)) {
        return refuse(format!("two matches are at table {}", half.table));
    }
    // Who plays halves sits North-South at one table and East-West at another.
    let halves: BTreeSet<ContestantNumber> = draw.halves.iter().map(|it| it.ns).collect();
    if halves != draw.halves.iter().map(|it| it.ew).collect() {
        return refuse("a team that plays two halves sits once each way");
    }
    let drawn = draw.matches.iter().flat_map(|it| [it.home, it.away]);
    for number in drawn.chain(draw.bye).chain(halves) {
        if !playing.contains(&number) {
            return refuse(format!("{number} does not play in round {round}"));
        }
        if !seen.insert(number) {
            return refuse(format!("{number} is in two matches of round {round}"));
        }
    }
    match playing.difference(&seen).next() {
        None => Ok(()),
        Some(left) => refuse(format!("{left} has no match in round {round} and no bye")),
    }
}
