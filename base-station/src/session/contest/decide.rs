//! What a director's command about matches leads to.

use std::collections::BTreeSet;

use contest::ContestantNumber;
use contest::draw::{Draw, Wish};
use contest::irregular::Decision;
use contest::offence::{Cost, Offence};
use protocol::words::{RoundNumber, SectionLetter, TableNumber};
use serde::{Deserialize, Serialize};

use super::check::{check_contestants, check_draw, named, planned, tidied};
use super::{
    Contest, ContestEvent, ContestPlan, ContestantPlan, Earlier, Format, WithdrawnMatches,
};
use crate::movement::BoardSet;
use crate::movement::change::Change;
use crate::session::decide::{Decided, WHY_LEN_MAX, not_released, refuse, tidy, tidy_needed};
use crate::session::plan::{Partner, PenaltyAmount, SectionPlan, Sitting};
use crate::session::{Event, Phase, Refused, Session};

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
    /// Take over what earlier nights say now.
    TakeEarlier {
        /// The section.
        section: SectionLetter,
        /// What they say.
        earlier: Earlier,
    },
}

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
            let why = tidy(why, "the reason", WHY_LEN_MAX)?;
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
        ContestCommand::TakeEarlier { section, earlier } => {
            let contest = contest_of(session, *section)?;
            let known = contest.plan.earlier.as_ref();
            if known.is_none_or(|it| it.rounds != earlier.rounds) {
                return refuse("that is not the night which this one goes on from");
            }
            if known == Some(earlier) {
                return refuse("nothing has changed there");
            }
            let (section, earlier) = (*section, earlier.clone());
            let taken = ContestEvent::EarlierTaken { section, earlier };
            Ok(vec![Event::Contest(taken)])
        }
    }
}

/// The penalty of the regulation for an offence, the first of its kind or not.
fn fined(
    session: &Session,
    section: SectionLetter,
    contestant: ContestantNumber,
    offence: Offence,
    why: &str,
) -> Decided {
    let contest = contest_of(session, section)?;
    let why = tidy_needed(why, "the reason", WHY_LEN_MAX)?;
    let pairs = contest.plan.pairs_of(section, contestant);
    let Some(pair) = pairs
        .first()
        .filter(|_| contest.plan.contestant(contestant).is_some())
    else {
        return refuse(format!("there is no contestant {contestant}"));
    };
    let earlier = contest.plan.earlier.iter().flat_map(|it| &it.offences);
    let mut known = earlier.chain(&contest.offences);
    let before = known.any(|(who, what)| *who == contestant && what.is_like(offence));
    let amount = match offence.cost(&contest.plan.rules, before) {
        Cost::Warning => PenaltyAmount::Warning,
        Cost::Vp(points) => {
            PenaltyAmount::VictoryPoints(u32::try_from(points.0).unwrap_or_default())
        }
        Cost::Imps(imps) => {
            let whole = imps.ten_thousandths() / 10_000;
            PenaltyAmount::Imps(u16::try_from(whole).unwrap_or(u16::MAX))
        }
        Cost::Forfeit => {
            return refuse("so late the match is lost: decide it as a forfeit on its sheet");
        }
        Cost::ByHand => {
            return refuse(
                "the regulation leaves this to the director: give a penalty by hand instead",
            );
        }
    };
    let offended = ContestEvent::Offended {
        section,
        contestant,
        offence,
    };
    Ok(vec![
        Event::Contest(offended),
        Event::Penalised {
            pair: *pair,
            amount,
            why,
            public: true,
        },
    ])
}

/// Somebody is there from the first round that is not drawn.
fn joins(
    session: &Session,
    section: SectionLetter,
    contestant: &ContestantPlan,
    why: &str,
) -> Decided {
    let contest = contest_of(session, section)?;
    let why = tidy_needed(why, "the reason", WHY_LEN_MAX)?;
    let Format::Swiss { .. } = contest.plan.format else {
        return refuse("a chart has its places: only a Swiss takes somebody who comes late");
    };
    let Some(from) = contest.next_round() else {
        return refuse("all rounds are drawn");
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
        return refuse(format!("there is no team {number}"));
    };
    if round.get() > contest.plan.rounds {
        return refuse(format!("there are {} rounds", contest.plan.rounds));
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
        return refuse(format!(
            "team {number} has a result in round {}: pairs change only between rounds",
            cell.round
        ));
    }
    let mut seen = BTreeSet::new();
    for player in players {
        if !team.players.contains(player) {
            return refuse(format!(
                "{player} is not one of the players of team {number}"
            ));
        }
        if !seen.insert(player) {
            return refuse(format!("{player} can't sit in two places"));
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
        })
    });
    Ok(named.collect())
}

pub(super) fn contest_of(session: &Session, section: SectionLetter) -> Result<&Contest, Refused> {
    session.contests.get(&section).ok_or_else(|| {
        Refused::because(format!(
            "section {section} plays no matches: set a Swiss or a round robin up first"
        ))
    })
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
    let all = with_idle_tables(others.cloned().chain(new).collect());
    let change = Change {
        what: format!("Round {round} is drawn."),
        ..Change::default()
    };
    session.revised_to(letter, section, movement_name(plan), all, change)
}

/// Every table has a sheet for every round: one that nobody plays at says so.
fn with_idle_tables(mut sittings: Vec<Sitting>) -> Vec<Sitting> {
    let places: BTreeSet<(RoundNumber, TableNumber)> =
        sittings.iter().map(|it| (it.round, it.table)).collect();
    let rounds: BTreeSet<RoundNumber> = places.iter().map(|(round, _)| *round).collect();
    let tables: BTreeSet<TableNumber> = places.iter().map(|(_, table)| *table).collect();
    for round in rounds {
        let idle = tables
            .iter()
            .filter(|table| !places.contains(&(round, **table)));
        sittings.extend(idle.map(|table| Sitting {
            round,
            table: *table,
            ns: None,
            ew: None,
            boards: BoardSet::default(),
            arrow_switched: false,
        }));
    }
    sittings
}

fn planned_section(section: SectionLetter, plan: &ContestPlan, sittings: Vec<Sitting>) -> Event {
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
    let what = if plan.is_teams() { "teams" } else { "pairs" };
    let how = match plan.format {
        Format::Swiss { .. } => "Swiss",
        Format::RoundRobin => "round robin",
        Format::Troikas => "round robin with troikas",
        Format::ButlerChart { .. } => "Butler chart",
        Format::AmericanWhist => "American Whist",
        Format::HeadToHead => "match in stanzas",
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
    let why = tidy_needed(why, "the reason", WHY_LEN_MAX)?;
    let fixtures = contest.fixtures();
    let found = fixtures
        .iter()
        .find(|it| it.round == round && it.pairing.table == table);
    let Some(pairing) = found.map(|it| &it.pairing) else {
        return refuse(format!("there is no match {table} in round {round}"));
    };
    match decision {
        Some(Decision::Forfeit { by }) if by != pairing.home && by != pairing.away => {
            return refuse(format!("{by} does not play match {table} of round {round}"));
        }
        Some(Decision::SameDirection) if !contest.plan.is_teams() => {
            return refuse(
                "only the pairs of a team can sit the same way: correct the pairs instead",
            );
        }
        None if !contest.decisions.contains_key(&(round, table)) => {
            return refuse("nothing was decided about this match");
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
    let why = tidy_needed(why, "the reason", WHY_LEN_MAX)?;
    if !contest
        .plan
        .contestants
        .iter()
        .any(|it| it.number == contestant)
    {
        return refuse(format!("there is no contestant {contestant}"));
    }
    if contest.has_gone(contestant) {
        return refuse(format!("{contestant} has gone home already"));
    }
    let free = contest.next_round().unwrap_or(RoundNumber::MAX);
    let from = from.unwrap_or(free);
    if from < free {
        return refuse(format!(
            "round {from} is drawn: decide its match there as a forfeit, and let {contestant} go \
             from round {free} on"
        ));
    }
    Ok(vec![Event::Contest(ContestEvent::Withdrawn {
        section,
        contestant,
        from,
        matches,
        why,
    })])
}
