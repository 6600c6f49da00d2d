//! Draws as sittings, so that pads, grid and checks work as on any evening; and sittings as draws.

use std::collections::BTreeSet;

use contest::ContestantNumber;
use contest::draw::{Draw, Pairing};
use protocol::words::{BoardNumber, RoundNumber, SectionLetter, TableNumber};
use telling::tell;

use super::{Contest, ContestEvent, ContestPlan, ContestantPlan, DrawAsked, Format};
use crate::movement::BoardSet;
use crate::movement::change::Change;
use crate::session::decide::refuse;
use crate::session::plan::{SectionPlan, Sitting};
use crate::session::{Event, Phase, Refused, Section, Session};

/// The event that makes a draw sittings of its round.
pub(super) fn seated(
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
    let all: Vec<Sitting> = others.cloned().chain(new).collect();
    // While a part of the draw is missing nobody knows which tables stand idle.
    let open = (!draw.waiting.is_empty()).then_some(round);
    let all = with_idle_tables(all, open);
    let mut event =
        session.revised_to(letter, section, movement_name(plan), all, Change::default());
    if let Event::MovementRevised { what, .. } = &mut event {
        *what = format!("Round {round} is drawn.");
    }
    event
}

/// Every table has a sheet for every round: one that nobody plays at says so.
fn with_idle_tables(mut sittings: Vec<Sitting>, but: Option<RoundNumber>) -> Vec<Sitting> {
    let places: BTreeSet<(RoundNumber, TableNumber)> =
        sittings.iter().map(|it| (it.round, it.table)).collect();
    let rounds: BTreeSet<RoundNumber> = places.iter().map(|(round, _)| *round).collect();
    let tables: BTreeSet<TableNumber> = places.iter().map(|(_, table)| *table).collect();
    for round in rounds.into_iter().filter(|round| Some(*round) != but) {
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
        Format::Movement => "matches by movement",
        Format::TwoFields => "two fields",
    };
    format!(
        "{how}, {} {what}, {} rounds of {} boards",
        plan.contestants.len(),
        plan.rounds,
        plan.boards
    )
}

/// What a section that plays a movement brings to matches: contestants, rounds, boards.
pub(super) fn of_movement(section: &Section, plan: &ContestPlan) -> Result<ContestPlan, Refused> {
    if !section.one_winner {
        return refuse(tell!(Contest::MovementTwoLists));
    }
    let played = || section.sittings.values().filter(|it| it.is_played());
    let lengths: BTreeSet<usize> = played().map(|it| it.boards.len()).collect();
    let lengths: Vec<usize> = lengths.into_iter().collect();
    let &[length] = lengths.as_slice() else {
        return refuse(tell!(Contest::MovementUneven));
    };
    let numbers: BTreeSet<ContestantNumber> = section
        .sittings
        .values()
        .flat_map(|it| [it.ns, it.ew])
        .flatten()
        .collect();
    let entered = |number| {
        plan.contestants
            .iter()
            .find(|it| it.number == number)
            .cloned()
    };
    let contestants = numbers
        .into_iter()
        .map(|number| entered(number).unwrap_or_else(|| ContestantPlan::numbered(number)));
    Ok(ContestPlan {
        contestants: contestants.collect(),
        rounds: section.last_round().get(),
        boards: u8::try_from(length).unwrap_or(u8::MAX),
        first_board: 1,
        ..plan.clone()
    })
}

/// The rounds of a movement, each as a draw.
pub(super) fn draws_of_movement(letter: SectionLetter, section: &Section) -> Vec<Event> {
    let rounds: BTreeSet<RoundNumber> = section.sittings.values().map(|it| it.round).collect();
    let draw = |round: RoundNumber| {
        let mut draw = Draw::default();
        for sitting in section.sittings.values().filter(|it| it.round == round) {
            let (ns, ew) = if sitting.arrow_switched {
                (sitting.ew, sitting.ns)
            } else {
                (sitting.ns, sitting.ew)
            };
            match (ns, ew) {
                (Some(home), Some(away)) if sitting.is_played() => draw.matches.push(Pairing {
                    table: sitting.table,
                    home,
                    away,
                    rematch: false,
                    first_board: sitting.boards.lowest().map(BoardNumber::get),
                }),
                (alone, None) | (None, alone) => draw.bye = draw.bye.or(alone),
                _ => {}
            }
        }
        draw.matches.sort_by_key(|it| it.table);
        draw
    };
    let drawn = rounds.into_iter().map(|round| {
        Event::Contest(ContestEvent::Drawn {
            section: letter,
            round,
            draw: draw(round),
            wish: None,
            asked: DrawAsked::default(),
            why: String::new(),
        })
    });
    drawn.collect()
}

impl ContestPlan {
    /// Who sits where when a draw is played.
    pub fn sittings_of(&self, round: RoundNumber, draw: &Draw) -> Vec<Sitting> {
        let mut sittings: Vec<Sitting> = Vec::new();
        let sitting = |table, ns, ew, boards| Sitting {
            round,
            table,
            ns: Some(ns),
            ew: Some(ew),
            boards,
            arrow_switched: false,
        };
        for pairing in &draw.matches {
            let boards = self.boards_of_match(round, pairing);
            let sides = [(pairing.home, pairing.away), (pairing.away, pairing.home)];
            let rooms = self.tables_of(pairing.table).into_iter().zip(sides);
            for (room, (table, (ns, ew))) in rooms.enumerate() {
                let boards = if room == 1 && self.at_tables.one_set {
                    second_half_first(&boards)
                } else {
                    boards.clone()
                };
                sittings.push(sitting(table, ns, ew, boards));
            }
        }
        for half in &draw.halves {
            let boards = self.boards_of_half(half);
            match sittings.iter_mut().find(|it| it.table == half.table) {
                // Its second opponents of the round; who they are the contest knows.
                Some(first) => {
                    let both = first.boards.iter().chain(boards.iter());
                    first.boards = BoardSet::new(both.collect());
                }
                None => sittings.push(sitting(half.table, half.ns, half.ew, boards)),
            }
        }
        sittings
    }
}

/// Two tables that share one set of boards begin at its two ends.
fn second_half_first(boards: &BoardSet) -> BoardSet {
    let mut boards: Vec<BoardNumber> = boards.iter().collect();
    let half = boards.len() / 2;
    boards.rotate_left(half);
    BoardSet::new(boards)
}
