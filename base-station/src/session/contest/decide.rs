//! What a director's command about matches leads to.

use std::collections::BTreeSet;

use contest::draw::{Draw, Wish};
use contest::irregular::Decision;
use contest::{Comparison, ContestantNumber};
use protocol::words::{BoardNumber, RoundNumber, SectionLetter, TableNumber};
use serde::{Deserialize, Serialize};

use super::{Contest, ContestEvent, ContestPlan, ContestantPlan, Format, WithdrawnMatches};
use crate::movement::change::Change;
use crate::session::decide::{
    Decided, NAME_LEN_MAX, PAIR_NUMBER_MAX, WHY_LEN_MAX, not_released, refuse, tidy, tidy_needed,
};
use crate::session::kept_words::of_contest;
use crate::session::plan::{Method, Scoring, SectionPlan};
use crate::session::{Event, Phase, Refused, Session};
use telling::tell;

/// What the director can do about matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ContestCommand {
    /// Let a section play matches.
    Plan {
        /// Which.
        section: SectionLetter,
        /// Who, what, how.
        plan: ContestPlan,
    },
    /// Publish a draw.
    Publish {
        /// The section.
        section: SectionLetter,
        /// The round.
        round: RoundNumber,
        /// Who meets whom.
        draw: Draw,
        /// How it was made; `None` by hand.
        wish: Option<Wish>,
        /// Whether matches may be repeated.
        rematches: bool,
        /// Why, where it replaces an earlier draw.
        why: String,
    },
    /// Decide a match that was not played properly, or let its boards count again.
    Decide {
        /// The section.
        section: SectionLetter,
        /// The round.
        round: RoundNumber,
        /// The match's number.
        table: TableNumber,
        /// What.
        decision: Option<Decision>,
        /// Why.
        why: String,
    },
    /// A contestant goes home.
    Withdraw {
        /// The section.
        section: SectionLetter,
        /// Who.
        contestant: ContestantNumber,
        /// From this round on; the first that is not drawn where it is left out.
        from: Option<RoundNumber>,
        /// What becomes of its matches.
        matches: WithdrawnMatches,
        /// Why.
        why: String,
    },
}

/// The most contestants of a stage with pads.
const CONTESTANTS_MAX: usize = 400;

/// Players of a team.
const TEAM_MAX: usize = 6;

pub(in crate::session) fn decide(session: &Session, command: &ContestCommand) -> Decided {
    not_released(session)?;
    match command {
        ContestCommand::Plan { section, plan } => planned(session, *section, plan),
        ContestCommand::Publish {
            section,
            round,
            draw,
            wish,
            rematches,
            why,
        } => {
            let why = tidy(why, tell!(Contest::Reason), WHY_LEN_MAX)?;
            let contest = contest_of(session, *section)?;
            check_draw(session, *section, contest, *round, draw, *rematches, &why)?;
            let event = ContestEvent::Drawn {
                section: *section,
                round: *round,
                draw: draw.clone(),
                wish: *wish,
                why,
            };
            let seated = seated(session, *section, contest, *round, draw);
            Ok(vec![Event::Contest(event), seated])
        }
        ContestCommand::Decide {
            section,
            round,
            table,
            decision,
            why,
        } => decided(session, *section, (*round, *table), *decision, why),
        ContestCommand::Withdraw {
            section,
            contestant,
            from,
            matches,
            why,
        } => withdrawn(session, *section, *contestant, *from, *matches, why),
    }
}

fn contest_of(session: &Session, section: SectionLetter) -> Result<&Contest, Refused> {
    session
        .contests
        .get(&section)
        .ok_or_else(|| Refused::because(tell!(Contest::SectionPlaysNoMatches { section })))
}

fn planned(session: &Session, section: SectionLetter, plan: &ContestPlan) -> Decided {
    if session.lines.keys().any(|cell| cell.section == section) {
        return refuse(tell!(Contest::SectionResultsItsMatches { section }));
    }
    if session.contests.get(&section).is_none() && session.sections.contains_key(&section) {
        return refuse(tell!(Contest::SectionPlaysAnotherMovement { section }));
    }
    check_contestants(plan)?;
    let most = match plan.format {
        Format::Swiss { .. } => RoundNumber::MAX.get(),
        Format::RoundRobin => {
            let field = plan.contestants.len() + plan.contestants.len() % 2;
            u8::try_from(field - 1).unwrap_or(u8::MAX)
        }
    };
    if plan.rounds == 0 || plan.rounds > most {
        return refuse(tell!(Contest::Expected1RoundsNot {
            most,
            rounds: plan.rounds
        }));
    }
    let boards = u16::from(plan.boards) * u16::from(plan.rounds);
    let last = u16::from(plan.first_board) + boards.saturating_sub(1);
    if plan.boards == 0 || plan.first_board == 0 || last > u16::from(BoardNumber::MAX.get()) {
        return refuse(tell!(Contest::RoundsBoardsFromBoard {
            rounds: plan.rounds,
            boards: plan.boards,
            first_board: plan.first_board,
            max: BoardNumber::MAX
        }));
    }
    plan.rules.check(u16::from(plan.boards)).map_err(|fault| {
        Refused::because(tell!(Contest::BoardsMatch {
            n: plan.boards,
            fault: of_contest(&fault.to_string())
        }))
    })?;
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
    let mut events = vec![Event::Contest(ContestEvent::Planned { section, plan })];
    if scoring != session.scoring && session.lines.is_empty() {
        events.push(Event::ScoringChosen(scoring));
    }
    Ok(events)
}

fn tidied(contestant: &ContestantPlan) -> Result<ContestantPlan, Refused> {
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

fn check_contestants(plan: &ContestPlan) -> Result<(), Refused> {
    let what = if plan.is_teams() {
        tell!(Game::TeamsWord)
    } else {
        tell!(Game::PairsWord)
    };
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

fn check_draw(
    session: &Session,
    section: SectionLetter,
    contest: &Contest,
    round: RoundNumber,
    draw: &Draw,
    rematches: bool,
    why: &str,
) -> Result<(), Refused> {
    if round.get() > contest.plan.rounds {
        return refuse(tell!(Contest::ThereRounds {
            rounds: contest.plan.rounds
        }));
    }
    let again = contest.rounds.contains_key(&round);
    if !again && contest.next_round() != Some(round) {
        return refuse(tell!(Contest::RoundNotNextDrawn { round }));
    }
    let begun = |cell: &crate::session::Cell| cell.section == section && cell.round >= round;
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
    if draw.triangle.is_some() {
        return refuse(tell!(Contest::TriangleCantPlayedWith));
    }
    let playing: BTreeSet<ContestantNumber> = contest.playing(round).map(|it| it.number).collect();
    let mut seen = BTreeSet::new();
    let mut tables = BTreeSet::new();
    for pairing in &draw.matches {
        if !tables.insert(pairing.table) {
            return refuse(tell!(Contest::TwoMatchesAtTable {
                table: pairing.table
            }));
        }
        if pairing.rematch && !rematches {
            return refuse(tell!(Contest::MetDrawOtherwiseOr {
                home: pairing.home,
                away: pairing.away
            }));
        }
    }
    let drawn = draw.matches.iter().flat_map(|it| [it.home, it.away]);
    for number in drawn.chain(draw.bye) {
        if !playing.contains(&number) {
            return refuse(tell!(Contest::DoesNotPlayRound { number, round }));
        }
        if !seen.insert(number) {
            return refuse(tell!(Contest::TwoMatchesRound { number, round }));
        }
    }
    match playing.difference(&seen).next() {
        None => Ok(()),
        Some(left) => refuse(tell!(Contest::NoMatchRoundNo { left, round })),
    }
}

/// The event that makes a draw sittings of its round.
fn seated(
    session: &Session,
    letter: SectionLetter,
    contest: &Contest,
    round: RoundNumber,
    draw: &Draw,
) -> Event {
    let plan = &contest.plan;
    let new = plan.sittings_of(round, draw);
    let Some(section) = session.sections.get(&letter) else {
        return planned_section(letter, plan, new);
    };
    if session.phase == Phase::SettingUp && round == RoundNumber::FIRST {
        return planned_section(letter, plan, new);
    }
    let others = section.sittings.values().filter(|it| it.round != round);
    let all = others.cloned().chain(new).collect();
    let change = Change {
        what: format!("Round {round} is drawn."),
        ..Change::default()
    };
    session.revised_to(letter, section, movement_name(plan), all, change)
}

fn planned_section(
    section: SectionLetter,
    plan: &ContestPlan,
    sittings: Vec<crate::session::plan::Sitting>,
) -> Event {
    Event::SectionPlanned {
        section,
        plan: SectionPlan {
            colour: plan.colour.clone(),
            movement: movement_name(plan),
            one_winner: !plan.is_teams(),
            sittings,
            announcements: Vec::new(),
        },
    }
}

fn movement_name(plan: &ContestPlan) -> String {
    let what = if plan.is_teams() {
        tell!(Game::TeamsWord)
    } else {
        tell!(Game::PairsWord)
    };
    let how = match plan.format {
        Format::Swiss { .. } => "Swiss",
        Format::RoundRobin => "round robin",
    };
    format!(
        "{how}, {} {what}, {} rounds of {} boards",
        plan.contestants.len(),
        plan.rounds,
        plan.boards
    )
}

fn decided(
    session: &Session,
    section: SectionLetter,
    (round, table): (RoundNumber, TableNumber),
    decision: Option<Decision>,
    why: &str,
) -> Decided {
    let contest = contest_of(session, section)?;
    let why = tidy_needed(why, tell!(Contest::Reason), WHY_LEN_MAX)?;
    let drawn = contest.rounds.get(&round);
    let pairing = drawn.and_then(|it| it.draw.matches.iter().find(|it| it.table == table));
    let Some(pairing) = pairing else {
        return refuse(tell!(Contest::ThereNoMatchRound { table, round }));
    };
    match decision {
        Some(Decision::Forfeit { by }) if by != pairing.home && by != pairing.away => {
            return refuse(tell!(Contest::DoesNotPlayMatch { by, table, round }));
        }
        Some(Decision::SameDirection) if !contest.plan.is_teams() => {
            return refuse(tell!(Contest::OnlyPairsTeamCan));
        }
        None if !contest.decisions.contains_key(&(round, table)) => {
            return refuse(tell!(Contest::NothingDecidedAboutMatch));
        }
        _ => {}
    }
    Ok(vec![Event::Contest(ContestEvent::Decided {
        section,
        round,
        table,
        decision,
        why,
    })])
}

fn withdrawn(
    session: &Session,
    section: SectionLetter,
    contestant: ContestantNumber,
    from: Option<RoundNumber>,
    matches: WithdrawnMatches,
    why: &str,
) -> Decided {
    let contest = contest_of(session, section)?;
    let why = tidy_needed(why, tell!(Contest::Reason), WHY_LEN_MAX)?;
    if !contest
        .plan
        .contestants
        .iter()
        .any(|it| it.number == contestant)
    {
        return refuse(tell!(Contest::ThereNoContestant { contestant }));
    }
    if contest.withdrawn.contains_key(&contestant) {
        return refuse(tell!(Contest::GoneHomeAlready { contestant }));
    }
    let free = contest.next_round().unwrap_or(RoundNumber::MAX);
    let from = from.unwrap_or(free);
    if from < free {
        return refuse(tell!(Contest::RoundDrawnDecideIts {
            from,
            contestant,
            free
        }));
    }
    Ok(vec![Event::Contest(ContestEvent::Withdrawn {
        section,
        contestant,
        from,
        matches,
        why,
    })])
}
