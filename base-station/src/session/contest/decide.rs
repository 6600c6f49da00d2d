//! What a director's command about matches leads to.

use std::collections::BTreeSet;

use contest::ContestantNumber;
use contest::draw::{Draw, Wish};
use contest::irregular::Decision;
use contest::offence::Offence;
use protocol::words::{BoardNumber, RoundNumber, SectionLetter, TableNumber};
use serde::{Deserialize, Serialize};

use super::check::{check_contestants, check_draw, named, planned, tidied};
use super::irregular::{appeal_settled, appealed, fined, played_otherwise, replaced};
use super::level::{play_off, tie_broken};
use super::seating::seated;
use super::{
    Appeal, Contest, ContestEvent, ContestPlan, ContestantPlan, DrawAsked, Earlier, Format,
    TieBreak, WithdrawnMatches,
};
use crate::session::decide::{Decided, WHY_LEN_MAX, not_released, refuse, tidy, tidy_needed};
use crate::session::plan::Partner;
use crate::session::{Event, Moment, Refused, Seq, Session};
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
        /// What the director wished of it.
        asked: DrawAsked,
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
    /// Who of a team plays from a round on: two North-South, two East-West.
    LineUp {
        /// The section.
        section: SectionLetter,
        /// The team.
        contestant: ContestantNumber,
        /// From this round, or stanza, on.
        round: RoundNumber,
        /// North, South, East, West, by the names of the entry.
        players: [String; 4],
    },
    /// Note an offence, and take off what the regulation says.
    Fine {
        /// The section.
        section: SectionLetter,
        /// Who.
        contestant: ContestantNumber,
        /// What.
        offence: Offence,
        /// Why.
        why: String,
    },
    /// Somebody comes late, or drops in from a knock-out.
    Join {
        /// The section.
        section: SectionLetter,
        /// Who, and what it brings along.
        contestant: ContestantPlan,
        /// Why.
        why: String,
    },
    /// Others met in a round than were drawn, and that stands.
    PlayedOtherwise {
        /// The section.
        section: SectionLetter,
        /// The round.
        round: RoundNumber,
        /// Matches that differ: number, home, away.
        matches: Vec<(TableNumber, ContestantNumber, ContestantNumber)>,
        /// Why.
        why: String,
    },
    /// Play another board for a spoiled one at both tables of a match.
    ReplaceBoard {
        /// The section.
        section: SectionLetter,
        /// The round.
        round: RoundNumber,
        /// The match's number.
        table: TableNumber,
        /// The spoiled one.
        board: BoardNumber,
        /// The other.
        with: BoardNumber,
        /// Why.
        why: String,
    },
    /// Note an appeal.
    Appeal {
        /// The section.
        section: SectionLetter,
        /// Who, about what.
        appeal: Appeal,
        /// Even where it comes too late.
        despite_deadline: bool,
    },
    /// Note what came of one.
    SettleAppeal {
        /// The section.
        section: SectionLetter,
        /// The record of the appeal.
        appeal: Seq,
        /// What came of it.
        outcome: String,
    },
    /// Separate contestants who are level by every figure.
    BreakTie {
        /// The section.
        section: SectionLetter,
        /// Everybody who shares the place; after a play-off the first of them first.
        order: Vec<ContestantNumber>,
        /// What decides.
        by: TieBreak,
        /// Why.
        why: String,
    },
    /// Play more boards in a match that is level.
    PlayOff {
        /// The section.
        section: SectionLetter,
        /// How many; those of the regulation where it is left out.
        boards: Option<u8>,
        /// Why.
        why: String,
    },
    /// Take over what earlier nights say now.
    TakeEarlier {
        /// The section.
        section: SectionLetter,
        /// What they say.
        earlier: Earlier,
    },
}

pub(in crate::session) fn decide(
    session: &Session,
    command: &ContestCommand,
    now: Moment,
) -> Decided {
    not_released(session)?;
    match command {
        ContestCommand::Plan { section, plan } => planned(session, *section, plan),
        ContestCommand::Publish {
            section,
            round,
            draw,
            wish,
            asked,
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
                asked: *asked,
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
        ContestCommand::LineUp {
            section,
            contestant,
            round,
            players,
        } => lined_up(session, *section, *contestant, *round, players),
        ContestCommand::Fine {
            section,
            contestant,
            offence,
            why,
        } => fined(session, *section, *contestant, *offence, why),
        ContestCommand::Join {
            section,
            contestant,
            why,
        } => joins(session, *section, contestant, why),
        ContestCommand::PlayedOtherwise {
            section,
            round,
            matches,
            why,
        } => played_otherwise(session, *section, *round, matches, why),
        ContestCommand::ReplaceBoard {
            section,
            round,
            table,
            board,
            with,
            why,
        } => replaced(session, *section, (*round, *table), (*board, *with), why),
        ContestCommand::Appeal {
            section,
            appeal,
            despite_deadline,
        } => appealed(session, *section, appeal, *despite_deadline, now),
        ContestCommand::SettleAppeal {
            section,
            appeal,
            outcome,
        } => appeal_settled(session, *section, *appeal, outcome),
        ContestCommand::BreakTie {
            section,
            order,
            by,
            why,
        } => tie_broken(session, *section, order, *by, why),
        ContestCommand::PlayOff {
            section,
            boards,
            why,
        } => play_off(session, *section, *boards, why),
        ContestCommand::TakeEarlier { section, earlier } => {
            earlier_taken(session, *section, earlier)
        }
    }
}

/// What earlier nights say now, where it differs.
fn earlier_taken(session: &Session, section: SectionLetter, earlier: &Earlier) -> Decided {
    let contest = contest_of(session, section)?;
    let known = contest.plan.earlier.as_ref();
    if known.is_none_or(|it| it.rounds != earlier.rounds) {
        return refuse(tell!(Contest::NotThatNight));
    }
    if known == Some(earlier) {
        return refuse(tell!(Contest::NothingChangedThere));
    }
    let earlier = earlier.clone();
    let taken = ContestEvent::EarlierTaken { section, earlier };
    Ok(vec![Event::Contest(taken)])
}

/// Somebody is there from the first round that is not drawn.
fn joins(
    session: &Session,
    section: SectionLetter,
    contestant: &ContestantPlan,
    why: &str,
) -> Decided {
    let contest = contest_of(session, section)?;
    let why = tidy_needed(why, tell!(Contest::Reason), WHY_LEN_MAX)?;
    let Format::Swiss { .. } = contest.plan.format else {
        return refuse(tell!(Contest::ChartPlaces));
    };
    let Some(from) = contest.next_round() else {
        return refuse(tell!(Contest::AllDrawn));
    };
    let contestant = tidied(contestant)?;
    let mut plan = contest.plan.clone();
    plan.contestants.push(contestant.clone());
    check_contestants(&plan)?;
    let mut events = vec![Event::Contest(ContestEvent::Joined {
        section,
        contestant: contestant.clone(),
        from,
        why,
    })];
    events.extend(named(&plan, section, &contestant));
    Ok(events)
}

/// Names the two pairs of a team from a round on.
fn lined_up(
    session: &Session,
    section: SectionLetter,
    number: ContestantNumber,
    round: RoundNumber,
    players: &[String; 4],
) -> Decided {
    let contest = contest_of(session, section)?;
    let Some(team) = contest
        .plan
        .contestant(number)
        .filter(|_| contest.plan.is_teams())
    else {
        return refuse(tell!(Contest::NoSuchTeam { n: number }));
    };
    if round.get() > contest.plan.last_round() {
        return refuse(tell!(Contest::ThereRounds {
            rounds: contest.plan.last_round()
        }));
    }
    let played = |cell: &crate::session::Cell| {
        cell.section == section && cell.round >= round && session.is_in(*cell)
    };
    let sits = |line: &crate::session::Line| {
        let sides = [line.ns, line.ew];
        sides.iter().flatten().any(|pair| pair.number == number)
    };
    if let Some((cell, _)) = session
        .lines
        .iter()
        .find(|(cell, line)| played(cell) && sits(line))
    {
        return refuse(tell!(Contest::TeamHasResult {
            n: number,
            round: cell.round
        }));
    }
    let mut seen = BTreeSet::new();
    for player in players {
        if !team.players.contains(player) {
            return refuse(tell!(Contest::NotOfTeam { player, n: number }));
        }
        if !seen.insert(player) {
            return refuse(tell!(Contest::TwoPlaces { player }));
        }
    }
    let [north, south, east, west] = players;
    let pairs = contest.plan.pairs_of(section, number);
    let seats = pairs.into_iter().zip([[north, south], [east, west]]);
    let named = seats.flat_map(|(pair, two)| {
        let partners = [Partner::First, Partner::Second].into_iter().zip(two);
        partners.map(move |(partner, name)| Event::PlayerNamed {
            pair,
            partner,
            number: None,
            name: name.clone(),
            from: round,
            digits: 0,
        })
    });
    Ok(named.collect())
}

pub(super) fn contest_of(session: &Session, section: SectionLetter) -> Result<&Contest, Refused> {
    session
        .contests
        .get(&section)
        .ok_or_else(|| Refused::because(tell!(Contest::SectionPlaysNoMatches { section })))
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
    let fixtures = contest.fixtures();
    let found = fixtures
        .iter()
        .find(|it| it.round == round && it.pairing.table == table);
    let Some(pairing) = found.map(|it| &it.pairing) else {
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
        None
        | Some(
            Decision::Forfeit { .. }
            | Decision::BothForfeit
            | Decision::SameDirection
            | Decision::Cancelled
            | Decision::Awarded { .. }
            | Decision::BoardsIn
            | Decision::Mismatch { .. },
        ) => {}
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
    if contest.has_gone(contestant) {
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
