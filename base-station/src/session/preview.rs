//! What a change of movement would mean, before it is made.

use protocol::words::{BoardNumber, RoundNumber, TableNumber};

use super::plan::Sitting;
use super::{Command, Event, Moment, PairId, Refused, Session, State, Who};

/// What would change.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Preview {
    /// Tables and rounds that differ.
    pub changes: Vec<SittingChange>,
    /// What the director should know before saying yes.
    pub warnings: Vec<String>,
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
        let events = self.decide(command, &Who::Base, now)?;
        let mut after = self.clone();
        let mut section = None;
        for record in events {
            if let Event::MovementChanged {
                section: changed, ..
            } = &record.event
            {
                section = Some(*changed);
            }
            let seq = after.seq.next();
            after.apply(&std::sync::Arc::new(record.at_place(seq)));
        }
        let (Some(before), Some(after), Some(letter)) = (&self.session, &after.session, section)
        else {
            return Err(Refused::because("that does not change a movement"));
        };
        let (Some(old), Some(new)) = (before.sections.get(&letter), after.sections.get(&letter))
        else {
            return Err(Refused::because(format!("there is no section {letter}")));
        };
        let places: std::collections::BTreeSet<(RoundNumber, TableNumber)> = old
            .sittings
            .keys()
            .chain(new.sittings.keys())
            .map(|(table, round)| (*round, *table))
            .collect();
        let changes = places
            .into_iter()
            .map(|(round, table)| SittingChange {
                round,
                table,
                before: old.sittings.get(&(table, round)).cloned(),
                after: new.sittings.get(&(table, round)).cloned(),
            })
            .filter(|change| change.before != change.after)
            .collect();
        Ok(Preview {
            changes,
            warnings: warnings(after),
        })
    }
}

/// Boards that a pair would meet twice, counting what was really played.
fn warnings(session: &Session) -> Vec<String> {
    let mut meetings: std::collections::BTreeMap<(PairId, BoardNumber), Vec<RoundNumber>> =
        std::collections::BTreeMap::new();
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
            let rounds: Vec<String> = rounds.iter().map(RoundNumber::to_string).collect();
            format!(
                "pair {pair} would meet board {board} in rounds {}",
                rounds.join(" and ")
            )
        })
        .collect()
}
