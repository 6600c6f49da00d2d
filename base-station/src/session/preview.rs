//! What a change of movement would mean, before it is made.

use std::collections::{BTreeMap, BTreeSet};

use protocol::words::{BoardNumber, RoundNumber, SectionLetter, TableNumber};

use super::kept_words::{kept_instruction, kept_outcome};
use super::plan::Sitting;
use super::{Cell, Command, Event, Moment, PairId, Refused, Section, Session, State, Who};
use crate::movement;
use crate::movement::change::{Change, Moved, Renumbered};
use telling::{All, Letter, Told, tell};

/// What would change, for whom.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Preview {
    /// In one sentence.
    pub what: Told,
    /// What the director does in the room, in order.
    pub instructions: Vec<Told>,
    /// What changes for whom, a sentence for each pair and for the boards.
    pub sentences: Vec<Told>,
    /// What the director should know before saying yes.
    pub warnings: Vec<Told>,
    /// Pairs that go by another number: old and new.
    pub renumbered: Vec<(PairId, PairId)>,
    /// Pairs that sit elsewhere, round by round.
    pub moved: Vec<Moved>,
    /// Boards that come into play.
    pub boards_added: BTreeSet<BoardNumber>,
    /// Boards that nobody plays any more.
    pub boards_removed: BTreeSet<BoardNumber>,
    /// How many rounds there were.
    pub rounds_before: usize,
    /// How many there would be.
    pub rounds_after: usize,
    /// Results that would not count any more.
    pub not_played: Vec<Cell>,
    /// Tables and rounds that differ.
    pub changes: Vec<SittingChange>,
}

/// One table in one round, as it is and as it would be.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct SittingChange {
    /// The round.
    pub round: RoundNumber,
    /// The table.
    pub table: TableNumber,
    /// As it is; `None` where the table does not play that round.
    pub before: Option<Sitting>,
    /// As it would be.
    pub after: Option<Sitting>,
}

impl State {
    /// What a command that changes a movement would change, for whom. Nothing happens.
    pub fn preview(&self, command: &Command, now: Moment) -> Result<Preview, Refused> {
        let records = self.decide(command, &Who::Base, now)?;
        let mut after = self.clone();
        let mut revised = None;
        for record in records {
            if matches!(record.event, Event::MovementRevised { .. }) {
                revised = Some(record.event.clone());
            }
            let seq = after.seq.next();
            after.apply(&std::sync::Arc::new(record.at_place(seq)));
        }
        let (
            Some(before),
            Some(after),
            Some(Event::MovementRevised {
                section: letter,
                renumbered,
                not_played,
                what,
                instructions,
                ..
            }),
        ) = (&self.session, &after.session, revised)
        else {
            return Err(Refused::because(tell!(Refused::DoesNotChangeMovement)));
        };
        let (Some(old), Some(new)) = (before.sections.get(&letter), after.sections.get(&letter))
        else {
            return Err(Refused::because(tell!(Refused::ThereNoSection {
                section: letter
            })));
        };
        let change = compared(old, new, &renumbered);
        Ok(Preview {
            what: kept_outcome(&what),
            instructions: instructions.iter().map(|it| kept_instruction(it)).collect(),
            sentences: sentences(letter, &change, &renumbered, &not_played)
                .into_iter()
                .map(|told| self.calling(told))
                .collect(),
            warnings: warnings(after)
                .into_iter()
                .map(|told| self.calling(told))
                .collect(),
            renumbered,
            moved: change.moved,
            boards_added: change.boards_added,
            boards_removed: change.boards_removed,
            rounds_before: change.rounds.0,
            rounds_after: change.rounds.1,
            not_played,
            changes: sitting_changes(old, new),
        })
    }
}

/// The two schedules beside each other.
fn compared(old: &Section, new: &Section, renumbered: &[(PairId, PairId)]) -> Change {
    let id = |pair: PairId| movement::PairId {
        line: pair.side,
        number: pair.number,
    };
    let mut change = Change {
        renumbered: renumbered
            .iter()
            .map(|(from, to)| Renumbered {
                from: id(*from),
                to: id(*to),
            })
            .collect(),
        ..Change::default()
    };
    old.as_movement().compare(&new.as_movement(), &mut change);
    change
}

fn sitting_changes(old: &Section, new: &Section) -> Vec<SittingChange> {
    let places: BTreeSet<(RoundNumber, TableNumber)> = old
        .sittings
        .keys()
        .chain(new.sittings.keys())
        .map(|(table, round)| (*round, *table))
        .collect();
    places
        .into_iter()
        .map(|(round, table)| SittingChange {
            round,
            table,
            before: old.sittings.get(&(table, round)).cloned(),
            after: new.sittings.get(&(table, round)).cloned(),
        })
        .filter(|change| change.before != change.after)
        .collect()
}

/// A sentence for each pair that is concerned, then for rounds, boards and results.
fn sentences(
    section: SectionLetter,
    change: &Change,
    renumbered: &[(PairId, PairId)],
    not_played: &[Cell],
) -> Vec<Told> {
    let mut sentences: Vec<Told> = renumbered
        .iter()
        .map(|(old, new)| {
            tell!(Movement::PairPairFromNow {
                pair: old,
                earlier: new.number
            })
        })
        .collect();
    let mut pairs: BTreeMap<movement::PairId, Vec<Told>> = BTreeMap::new();
    for moved in &change.moved {
        let place = |place: Option<movement::Place>| {
            place.map_or_else(
                || tell!(Preview::Nowhere),
                |place| {
                    tell!(Preview::Place {
                        table: place.table,
                        side: Letter(place.side)
                    })
                },
            )
        };
        pairs
            .entry(moved.pair)
            .or_default()
            .push(tell!(Preview::Round {
                round: moved.round,
                now: place(moved.after),
                before: place(moved.before)
            }));
    }
    sentences.extend(pairs.into_iter().map(|(pair, rounds)| {
        tell!(Preview::Pair {
            pair: PairId {
                section,
                side: pair.line,
                number: pair.number,
            },
            changes: rounds
        })
    }));
    let (before, after) = change.rounds;
    if before != after {
        sentences.push(tell!(Preview::ThereRoundsInstead { after, before }));
    }
    let numbers = |boards: &BTreeSet<BoardNumber>| {
        crate::movement::BoardSet::new(boards.iter().copied().collect()).to_string()
    };
    if !change.boards_added.is_empty() {
        let boards = numbers(&change.boards_added);
        sentences.push(tell!(Preview::BoardsComeIntoPlay { boards }));
    }
    if !change.boards_removed.is_empty() {
        let boards = numbers(&change.boards_removed);
        sentences.push(tell!(Preview::BoardsNotPlayedAny { boards }));
    }
    sentences.extend(
        not_played
            .iter()
            .map(|cell| tell!(Preview::ResultDoesNotCount { cell })),
    );
    sentences
}

/// Boards that a pair would meet twice, counting what was really played.
fn warnings(session: &Session) -> Vec<Told> {
    let mut meetings: BTreeMap<(PairId, BoardNumber), Vec<RoundNumber>> = BTreeMap::new();
    let mut meet = |pair: Option<PairId>, board, round| {
        if let Some(pair) = pair {
            let rounds: &mut Vec<RoundNumber> = meetings.entry((pair, board)).or_default();
            if !rounds.contains(&round) {
                rounds.push(round);
            }
        }
    };
    for table in session.all_tables() {
        let Some(section) = session.sections.get(&table.section) else {
            continue;
        };
        for sitting in section.sheets(table.table) {
            for cell in session.expected(table, sitting.round) {
                let (ns, ew) = session.lines.get(&cell).map_or_else(
                    || session.pairs_by_movement(cell),
                    |line| (line.ns, line.ew),
                );
                meet(ns, cell.board, cell.round);
                meet(ew, cell.board, cell.round);
            }
        }
    }
    meetings
        .into_iter()
        .filter(|(_, rounds)| rounds.len() > 1)
        .map(|((pair, board), rounds)| {
            tell!(Preview::PairWouldMeetBoard {
                pair,
                board,
                round: All(rounds)
            })
        })
        .collect()
}
