//! What the session lacks of the file, as commands.

use std::collections::BTreeSet;

use protocol::message::HandRecord;
use protocol::words::{RoundNumber, SectionLetter, Side};

use super::{Ordered, OrderedResult, OrderedSection, PairKey};
use crate::session::plan::{SectionPlan, Sitting};
use crate::session::{Cell, Command, Event, Moment, PairId, Phase, Session, State, TableId, Who};
use telling::Told;

/// What a session of this name has as its movement's.
const MOVEMENT: &str = "as in the BWS file";

/// What is to be done next, and what can't be.
#[derive(Clone, Debug, Default)]
pub struct Missing {
    /// In order. When they are done, there may be more.
    pub commands: Vec<Command>,
    /// Why something of the file is not taken.
    pub refused: Vec<Told>,
}

/// What the chosen session lacks of the file.
pub fn missing(ordered: &Ordered, state: &State, who: &Who, now: Moment) -> Missing {
    let mut missing = Missing::default();
    let Some(session) = &state.session else {
        return missing;
    };
    // Each step stands on the one before it.
    for step in [sections, rounds, about, people, opening, results] {
        let mut not_taken = BTreeSet::new();
        for command in step(ordered, state, session) {
            if let Command::CorrectPairs { cell, .. } = &command
                && not_taken.contains(cell)
            {
                continue;
            }
            match state.decide(&command, who, now) {
                Ok(_) => missing.commands.push(command),
                Err(refused) => {
                    if let Command::Rule { cell, .. } = command {
                        not_taken.insert(cell);
                    }
                    missing.refused.push(refused.0);
                }
            }
        }
        if !missing.commands.is_empty() {
            break;
        }
    }
    missing
}

fn plan(section: &OrderedSection) -> SectionPlan {
    SectionPlan {
        colour: String::new(),
        movement: MOVEMENT.to_owned(),
        one_winner: section.one_winner,
        sittings: section.sittings.clone(),
        announcements: Vec::new(),
    }
}

fn sections(ordered: &Ordered, _state: &State, session: &Session) -> Vec<Command> {
    let new = ordered
        .sections
        .iter()
        .filter(|(letter, _)| !session.sections.contains_key(*letter));
    new.map(|(letter, section)| Command::PlanSection {
        section: *letter,
        plan: plan(section),
    })
    .collect()
}

/// Rounds that the program has added, and those that it asks to be read again. What the director has
/// changed here stays, unless the program asks.
fn rounds(ordered: &Ordered, _state: &State, session: &Session) -> Vec<Command> {
    let mut commands = Vec::new();
    for (letter, section) in &ordered.sections {
        let Some(known) = session.sections.get(letter) else {
            continue;
        };
        let last = last_planned(session, *letter).unwrap_or(known.last_round());
        let added = (section.sittings.iter().map(|it| it.round))
            .filter(|round| *round > last)
            .min();
        let from = section.from.into_iter().chain(added).min();
        let Some(from) = from else { continue };
        if same_from(session, *letter, section, from) {
            continue;
        }
        let later = section.sittings.iter().filter(|it| it.round >= from);
        commands.push(if session.phase == Phase::SettingUp {
            Command::PlanSection {
                section: *letter,
                plan: plan(section),
            }
        } else {
            Command::ChangeMovement {
                section: *letter,
                from,
                movement: known.movement.clone(),
                sittings: later.cloned().collect(),
                instructions: Vec::new(),
                why: "the scoring program has changed its file".to_owned(),
            }
        });
    }
    commands
}

/// Whether the session has these rounds as the file has them.
pub(super) fn same_from(
    session: &Session,
    letter: SectionLetter,
    section: &OrderedSection,
    from: RoundNumber,
) -> bool {
    let known = session.sections.get(&letter);
    let sorted = |sittings: Vec<Sitting>| {
        let mut sittings = sittings;
        sittings.sort_by_key(|it| (it.table, it.round));
        sittings
    };
    let ours = known.map(|known| known.sittings.values().filter(|it| it.round >= from));
    let ours = sorted(ours.into_iter().flatten().cloned().collect());
    let theirs = section.sittings.iter().filter(|it| it.round >= from);
    ours == sorted(theirs.cloned().collect())
}

/// The last round that this section ever had: one that was cut off here is not added again.
fn last_planned(session: &Session, letter: SectionLetter) -> Option<RoundNumber> {
    let planned = session.records.iter().flat_map(|record| {
        let sittings: &[Sitting] = match &record.event {
            Event::SectionPlanned { section, plan } if *section == letter => &plan.sittings,
            Event::MovementChanged {
                section, sittings, ..
            }
            | Event::MovementRevised {
                section, sittings, ..
            } if *section == letter => sittings,
            _ => &[],
        };
        sittings.iter().map(|sitting| sitting.round)
    });
    planned.max()
}

/// Settings, once; cards and the list of players, as far as they are new.
fn about(ordered: &Ordered, state: &State, session: &Session) -> Vec<Command> {
    let mut commands = Vec::new();
    let chosen = |event: &Event| matches!(event, Event::SettingsChanged(_));
    let untouched = !session.records.iter().any(|it| chosen(&it.event));
    if let Some(settings) = ordered.settings.as_ref().filter(|_| untouched) {
        commands.push(Command::ChangeSettings(settings.over(session.settings)));
        // A club that has chosen its number keeps it.
        if let Some(pin) = settings.pin.filter(|_| state.director_pin().is_none()) {
            commands.push(Command::SetDirectorPin { pin });
        }
    }
    let new = |record: &HandRecord| !session.deals.contains_key(&record.board);
    let theirs: Vec<HandRecord> = ordered.deals.iter().map(HandRecord::from).collect();
    if theirs.iter().any(new) {
        let known = session.deals.values().cloned();
        let deals = known.chain(theirs.into_iter().filter(new)).collect();
        let file = "the BWS file".to_owned();
        commands.push(Command::AttachDeals { file, deals });
    }
    let unknown = |number| !state.club.members.contains_key(number);
    let members = ordered.members.iter().filter(|(number, _)| unknown(number));
    let members: Vec<_> = members.cloned().collect();
    if !members.is_empty() {
        commands.push(Command::ListMembers {
            members,
            digits: Vec::new(),
        });
    }
    commands
}

fn people(ordered: &Ordered, _state: &State, session: &Session) -> Vec<Command> {
    let mut commands = Vec::new();
    for (letter, section) in &ordered.sections {
        for player in &section.players {
            let pair = pair(*letter, player.pair);
            let seated = session
                .roster
                .at(pair, player.partner, RoundNumber::FIRST)
                .is_some();
            if !seated && session.pairs().contains(&pair) {
                commands.push(Command::NamePlayer {
                    pair,
                    partner: player.partner,
                    number: player.number,
                    name: player.name.clone(),
                    from: RoundNumber::FIRST,
                    digits: 0,
                });
            }
        }
    }
    commands
}

fn opening(_ordered: &Ordered, state: &State, session: &Session) -> Vec<Command> {
    let ready = session.phase == Phase::SettingUp && state.director_pin().is_some();
    ready.then_some(Command::Open).into_iter().collect()
}

fn pair(section: SectionLetter, key: PairKey) -> PairId {
    PairId {
        section,
        side: key.side,
        number: key.number,
    }
}

/// Cells that this session has ever known something of, though it may have been taken back.
pub(super) fn known_cells(session: &Session) -> BTreeSet<Cell> {
    let mut known: BTreeSet<Cell> = session.lines.keys().copied().collect();
    for record in &session.records {
        match &record.event {
            Event::Entered { table, entry, .. } => {
                known.insert(Cell::new(*table, entry.round, entry.board));
            }
            Event::Ruled { cell, .. } => {
                known.insert(*cell);
            }
            Event::LineMoved { from, to, .. } => known.extend([*from, *to]),
            _ => {}
        }
    }
    known
}

/// Results that stand in the file and that this session does not know, and those that the scoring
/// program has changed.
fn results(ordered: &Ordered, _state: &State, session: &Session) -> Vec<Command> {
    let known = known_cells(session);
    let mut commands = Vec::new();
    for (letter, section) in &ordered.sections {
        for result in &section.results {
            let cell = cell(*letter, result);
            if result.external || !known.contains(&cell) {
                take_result(session, cell, result, &mut commands);
            }
        }
    }
    commands
}

pub(super) fn cell(section: SectionLetter, result: &OrderedResult) -> Cell {
    let table = TableId {
        section,
        table: result.table,
    };
    Cell::new(table, result.round, result.board)
}

fn take_result(session: &Session, cell: Cell, result: &OrderedResult, commands: &mut Vec<Command>) {
    let why = || "as the scoring program has it".to_owned();
    let line = session.lines.get(&cell);
    if line.is_none_or(|line| line.ruling != result.ruling) {
        commands.push(Command::Rule {
            cell,
            ruling: result.ruling.clone(),
            why: why(),
        });
    }
    let (ns, ew) = (pair(cell.section, result.ns), pair(cell.section, result.ew));
    let here = match line {
        Some(line) => (line.ns, line.ew),
        None => by_movement(session, cell),
    };
    if here != (Some(ns), Some(ew)) {
        commands.push(Command::CorrectPairs {
            cell,
            ns: Some(ns),
            ew: Some(ew),
            why: why(),
        });
    }
}

fn by_movement(session: &Session, cell: Cell) -> (Option<PairId>, Option<PairId>) {
    let Some(sitting) = session.sitting(cell.table_id(), cell.round) else {
        return (None, None);
    };
    let ns = (sitting.ns).map(|it| session.pair_id(cell.section, Side::NorthSouth, it));
    let ew = (sitting.ew).map(|it| session.pair_id(cell.section, Side::EastWest, it));
    if sitting.arrow_switched {
        (ew, ns)
    } else {
        (ns, ew)
    }
}
