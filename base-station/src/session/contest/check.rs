//! What can't be a stage, a team or a draw, and why.

use std::collections::BTreeSet;

use contest::draw::{Draw, Half, OddField, Pairing};
use contest::{Comparison, ContestantNumber};
use protocol::words::{BoardNumber, RoundNumber, SectionLetter};

use super::seating::{draws_of_movement, of_movement};
use super::{Contest, ContestEvent, ContestPlan, ContestantPlan, Format};
use crate::scoring::VpError;
use crate::session::cores::of_scale;
use crate::session::decide::{Decided, NAME_LEN_MAX, PAIR_NUMBER_MAX, refuse, tidy, tidy_needed};
use crate::session::plan::{Method, Partner, Scoring};
use crate::session::{Event, Refused, Session};
use telling::{Told, tell};

/// The most contestants of a stage with pads.
const CONTESTANTS_MAX: usize = 400;

/// Players of a team.
const TEAM_MAX: usize = 6;

pub(super) fn planned(session: &Session, section: SectionLetter, plan: &ContestPlan) -> Decided {
    if session.lines.keys().any(|cell| cell.section == section) {
        return refuse(tell!(Contest::SectionResultsItsMatches { section }));
    }
    let movement = session.sections.get(&section);
    let by_movement = plan.format == Format::Movement;
    let whole = match movement.filter(|_| by_movement) {
        Some(movement) => of_movement(movement, plan)?,
        None if by_movement => return refuse(tell!(Contest::MovementFirst { section })),
        None => plan.clone(),
    };
    let plan = &whole;
    if session.contests.get(&section).is_none() && movement.is_some() && !by_movement {
        return refuse(tell!(Contest::SectionPlaysAnotherMovement { section }));
    }
    check_contestants(plan)?;
    check_format(plan)?;
    let sets = if by_movement { 1 } else { plan.sets() };
    let boards = u16::from(plan.boards) * sets;
    let last = u16::from(plan.first_board) + boards.saturating_sub(1);
    if plan.boards == 0 || plan.first_board == 0 || last > u16::from(BoardNumber::MAX.get()) {
        return refuse(tell!(Contest::SetsTooMany {
            sets: plan.sets(),
            boards: plan.boards,
            first: plan.first_board,
            most: BoardNumber::MAX
        }));
    }
    let length = plan.match_length();
    // A match in stanzas is decided by IMPs: a knock-out of 28 boards needs no column of the scale.
    if plan.format != Format::HeadToHead {
        plan.rules
            .check(length)
            .map_err(|fault| no_column(length, fault))?;
    }
    if short_triangles(plan) {
        let length = length / 2;
        plan.rules
            .check(length)
            .map_err(|fault| no_column(length, fault))?;
    }
    let plan = ContestPlan {
        name: tidy_needed(&plan.name, tell!(Contest::Name), NAME_LEN_MAX)?,
        colour: tidy(&plan.colour, tell!(Contest::Colour), NAME_LEN_MAX)?,
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
    if let Some(movement) = movement.filter(|_| by_movement) {
        events.extend(draws_of_movement(section, movement));
    }
    Ok(events)
}

fn short_triangles(plan: &ContestPlan) -> bool {
    matches!(
        plan.format,
        Format::Swiss {
            odd: OddField::ShortTriangle,
            ..
        }
    )
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
            digits: 0,
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
            if matches!(odd, OddField::Triangle | OddField::ShortTriangle) && !teams {
                return refuse(tell!(Contest::TriangleTeams));
            }
            RoundNumber::MAX.get()
        }
        // Two round robins of eight, three of six.
        Format::RoundRobin if plan.is_interstate() && everybody == 7 => 14,
        Format::RoundRobin if plan.is_interstate() => 15,
        Format::RoundRobin => everybody,
        Format::Troikas => {
            if !teams || !matches!(field, 7 | 9 | 11) {
                return refuse(tell!(Contest::Troikas));
            }
            if !plan.rounds.is_multiple_of(2) {
                return refuse(tell!(Contest::TroikaEven));
            }
            everybody - 1
        }
        Format::ButlerChart { .. } => {
            if teams || !matches!(field, 12 | 14) {
                return refuse(tell!(Contest::ButlerCharts));
            }
            everybody
        }
        Format::AmericanWhist => {
            if !teams || field.is_multiple_of(2) || !(5..=13).contains(&field) {
                return refuse(tell!(Contest::WhistNeeds));
            }
            if !plan.rounds.is_multiple_of(2) {
                return refuse(tell!(Contest::WhistEven));
            }
            everybody - 1
        }
        Format::HeadToHead => {
            if !field.is_multiple_of(2) {
                return refuse(tell!(Contest::StanzasTwo));
            }
            RoundNumber::MAX.get()
        }
        Format::Movement if teams => return refuse(tell!(Contest::MovementPairs)),
        Format::Movement => RoundNumber::MAX.get(),
        Format::TwoFields if teams || !field.is_multiple_of(2) => {
            return refuse(tell!(Contest::TwoFieldsPairs));
        }
        Format::TwoFields => u8::try_from(field / 2).unwrap_or(u8::MAX),
    };
    // A chart is played to its end once, on however many nights.
    let most = match plan.format {
        Format::RoundRobin
        | Format::Troikas
        | Format::ButlerChart { .. }
        | Format::AmericanWhist
        | Format::TwoFields => most.saturating_sub(plan.rounds_before()),
        Format::Swiss { .. } | Format::HeadToHead | Format::Movement => most,
    };
    if plan.rounds_before() > 0 && most == 0 {
        return refuse(tell!(Contest::EverybodyMet));
    }
    if plan.rounds == 0 || plan.rounds > most {
        return refuse(tell!(Contest::Expected1RoundsNot {
            most,
            rounds: plan.rounds
        }));
    }
    Ok(())
}

pub(super) fn tidied(contestant: &ContestantPlan) -> Result<ContestantPlan, Refused> {
    let player = |name: &String| tidy_needed(name, tell!(Contest::PlayersName), NAME_LEN_MAX);
    Ok(ContestantPlan {
        name: tidy(&contestant.name, tell!(Contest::Name), NAME_LEN_MAX)?,
        club: tidy(&contestant.club, tell!(Contest::Club), NAME_LEN_MAX)?,
        players: contestant
            .players
            .iter()
            .map(player)
            .collect::<Result<_, _>>()?,
        ..contestant.clone()
    })
}

/// A match of so many boards has no column on its scale.
fn no_column(boards: u16, fault: VpError) -> Refused {
    Refused::because(tell!(Contest::BoardsMatch {
        n: boards,
        fault: of_scale(fault)
    }))
}

/// Teams or pairs.
fn contestants_word(plan: &ContestPlan) -> Told {
    if plan.is_teams() {
        tell!(Game::TeamsWord)
    } else {
        tell!(Game::PairsWord)
    }
}

pub(super) fn check_contestants(plan: &ContestPlan) -> Result<(), Refused> {
    let what = contestants_word(plan);
    if !(2..=CONTESTANTS_MAX).contains(&plan.contestants.len()) {
        return refuse(tell!(Contest::Expected2 {
            contestants_max: CONTESTANTS_MAX,
            what
        }));
    }
    let mut numbers = BTreeSet::new();
    let mut tables = BTreeSet::new();
    let mut players = std::collections::BTreeMap::new();
    for contestant in &plan.contestants {
        let number = contestant.number;
        if number.get() > PAIR_NUMBER_MAX || !numbers.insert(number) {
            return refuse(tell!(Contest::ExpectedNumbersUpEach {
                pair_number_max: PAIR_NUMBER_MAX,
                number
            }));
        }
        if let Some(table) = contestant.stationary
            && !tables.insert(table)
        {
            return refuse(tell!(Contest::TwoThemCantKeep { table }));
        }
        if !plan.is_teams() && contestant.players.len() > 2
            || plan.is_teams() && !matches!(contestant.players.len(), 0 | 4..=TEAM_MAX)
        {
            return refuse(tell!(Contest::PlayersPair2Team {
                number,
                n: contestant.players.len(),
                team_max: TEAM_MAX
            }));
        }
        if contestant.forbidden.contains(&number) {
            return refuse(tell!(Contest::CantMeetItself { number }));
        }
        if contestant.lost.is_some_and(|it| it.scored > it.conceded) {
            return refuse(tell!(Contest::WonItsKnockOut { number }));
        }
        for player in &contestant.players {
            if let Some(other) = players.insert(player.to_lowercase(), number) {
                return refuse(tell!(Contest::Plays {
                    player,
                    other,
                    number
                }));
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
    if round.get() > contest.plan.last_round() {
        return refuse(tell!(Contest::ThereRounds {
            rounds: contest.plan.last_round()
        }));
    }
    if contest.plan.format == Format::Movement {
        return refuse(tell!(Contest::MovementDraws));
    }
    let half_drawn = contest.half_drawn(round);
    let goes_on = half_drawn.is_some_and(|known| {
        let mut published = known.matches.iter();
        published.all(|own| draw.matches.contains(own))
    });
    let again = contest.rounds.contains_key(&round) && !goes_on;
    if !goes_on && !again && contest.next_round() != Some(round) {
        return refuse(tell!(Contest::RoundNotNextDrawn { round }));
    }
    let begun =
        |cell: &crate::session::Cell| cell.section == section && cell.round >= round && !goes_on;
    if let Some((cell, _)) = session
        .lines
        .iter()
        .find(|(cell, line)| begun(cell) && line.is_in())
    {
        return refuse(tell!(Contest::ResultRoundBegunIts {
            cell,
            round: cell.round
        }));
    }
    if again && why.is_empty() {
        return refuse(tell!(Contest::RoundDrawnPublishedSay { round }));
    }
    if draw.triangle.is_some() && !matches!(draw.halves.len(), 3 | 6) {
        return refuse(tell!(Contest::TriangleByeLast));
    }
    let play_off = contest.plan.is_play_off(round);
    let mut playing: BTreeSet<ContestantNumber> =
        contest.playing(round).map(|it| it.number).collect();
    let begun = round > RoundNumber::FIRST || contest.plan.stanzas_before().next().is_some();
    if contest.plan.format == Format::HeadToHead && begun && !play_off {
        // Whose opponent has gone home has nobody to play.
        let both = contest.still_in_twos(round);
        playing.retain(|own| both.iter().any(|two| [two.0, two.1].contains(own)));
    }
    if let Some((home, away)) = other_opponents(contest, round, draw) {
        return refuse(tell!(Contest::StanzasSame { home, away, round }));
    }
    let mut seen = BTreeSet::new();
    let mut tables = BTreeSet::new();
    for pairing in &draw.matches {
        for table in contest.plan.tables_of(pairing.table) {
            if !tables.insert(table) {
                return refuse(tell!(Contest::TwoMatchesAtTable { table }));
            }
        }
        check_pairing(contest, pairing, rematches)?;
    }
    if !rematches {
        check_left_over(contest, round, draw)?;
    }
    // Two halves of a round at one table have the same pair North-South.
    let mut of_halves = BTreeSet::new();
    let first = |half: &&Half| of_halves.insert((half.table, half.ns));
    let mut halves = draw
        .halves
        .iter()
        .filter(first)
        .collect::<Vec<_>>()
        .into_iter();
    if let Some(half) = halves.find(|half| !tables.insert(half.table)) {
        return refuse(tell!(Contest::TwoMatchesAtTable { table: half.table }));
    }
    // Who plays halves sits North-South at one table and East-West at another.
    let halves: BTreeSet<ContestantNumber> = draw.halves.iter().map(|it| it.ns).collect();
    if halves != draw.halves.iter().map(|it| it.ew).collect() {
        return refuse(tell!(Contest::HalvesEachWay));
    }
    let drawn = draw.matches.iter().flat_map(|it| [it.home, it.away]);
    let waiting = draw.waiting.iter().copied();
    for number in drawn.chain(draw.bye).chain(waiting).chain(halves) {
        if !playing.contains(&number) {
            return refuse(tell!(Contest::DoesNotPlayRound { number, round }));
        }
        if !seen.insert(number) {
            return refuse(tell!(Contest::TwoMatchesRound { number, round }));
        }
    }
    match playing.difference(&seen).next() {
        None => Ok(()),
        // Only those whose match is level play on.
        Some(_) if play_off && !draw.matches.is_empty() => Ok(()),
        Some(left) => refuse(tell!(Contest::NoMatchRoundNo { left, round })),
    }
}

/// Nobody meets again where that was not said to be right. Who can't move is at the table it keeps,
/// unless it meets somebody who keeps another one.
fn check_pairing(contest: &Contest, pairing: &Pairing, rematches: bool) -> Result<(), Refused> {
    // Every stanza of a match has the same two.
    // So has a chart that is played twice.
    let charted = contest.plan.format == Format::HeadToHead || contest.plan.is_interstate();
    if pairing.rematch && !charted && !rematches {
        let Pairing { home, away, .. } = *pairing;
        return refuse(tell!(Contest::MetDrawOtherwiseOr { home, away }));
    }
    let sides = [pairing.home, pairing.away].into_iter();
    let kept: Vec<_> = sides
        .filter_map(|number| Some((number, contest.plan.contestant(number)?.stationary?)))
        .collect();
    match kept.first() {
        Some(&(who, table)) if kept.iter().all(|(_, kept)| *kept != pairing.table) => {
            refuse(tell!(Contest::KeepsTable { who, table }))
        }
        _ => Ok(()),
    }
}

/// Nobody sits out twice, and three of a new triangle have not met: unless that was said to be right.
fn check_left_over(contest: &Contest, round: RoundNumber, draw: &Draw) -> Result<(), Refused> {
    let Format::Swiss { .. } = contest.plan.format else {
        return Ok(());
    };
    let earlier = |who| contest.plan.earlier_byes(who).next().is_some();
    let tonight = |who| {
        let mut rounds = contest.rounds.iter().filter(|(it, _)| **it < round);
        rounds.any(|(_, drawn)| drawn.draw.bye == Some(who))
    };
    if let Some(who) = draw.bye.filter(|who| earlier(*who) || tonight(*who)) {
        return refuse(tell!(Contest::ByeAgain { who }));
    }
    let Some([one, two, three]) = draw.triangle else {
        return Ok(());
    };
    if contest.triangle_goes_on(round).is_some() {
        return Ok(());
    }
    for (home, away) in [(one, two), (one, three), (two, three)] {
        if contest.have_met(home, away, round) {
            return refuse(tell!(Contest::MetDrawOtherwiseOr { home, away }));
        }
    }
    Ok(())
}

/// Two of a draw who do not meet in the other stanzas: matches in stanzas keep their sides.
fn other_opponents(
    contest: &Contest,
    round: RoundNumber,
    draw: &Draw,
) -> Option<(ContestantNumber, ContestantNumber)> {
    if contest.plan.format != Format::HeadToHead {
        return None;
    }
    let others = contest.rounds.iter().filter(|(of, _)| **of != round);
    let whole = if contest.plan.stanzas_before().next().is_some() {
        contest.in_twos()
    } else {
        let mut others = others.filter(|(of, _)| !contest.plan.is_play_off(**of));
        let (_, drawn) = others.next()?;
        let matches = drawn.draw.matches.iter();
        matches.map(|it| (it.home, it.away)).collect()
    };
    let mut drawn = draw.matches.iter().map(|it| (it.home, it.away));
    drawn.find(|&(home, away)| !whole.contains(&(home, away)) && !whole.contains(&(away, home)))
}
