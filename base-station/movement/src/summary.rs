//! A movement in one glance: what a director puts on the movement sheet.

use std::collections::BTreeMap;

use protocol::words::{BoardNumber, RoundNumber, Side, TableNumber};
use serde::Serialize;

use super::told::{Sets, StackedSets};
use super::{Balance, BoardSet, Family, Instruction, Lists, Movement, PhantomAdvice, SpecialMove};

/// The movement sheet.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// What the director calls it.
    pub name: String,
    /// The rule.
    pub family: Family,
    /// One or two ranking lists.
    pub lists: u8,
    /// Tables in the room.
    pub tables: usize,
    /// Boards in play.
    pub boards: usize,
    /// Boards a round.
    pub per_round: usize,
    /// Rounds.
    pub rounds: usize,
    /// The tables that share throughout.
    pub share: Option<(TableNumber, TableNumber)>,
    /// The bye-stand with its boards.
    pub relay: Option<Relay>,
    /// The stack at the highest table.
    pub feed_in: Option<Stack>,
    /// How many sets are fed in.
    pub feed_in_sets: usize,
    /// Where a missing pair does the least harm.
    pub phantom: PhantomAdvice,
    /// Tables at which a missing pair would be met three times.
    pub phantom_tables_with_triple: Triples,
    /// The move to announce.
    pub special: Option<SpecialMove>,
    /// How many twosomes meet once, twice and so on.
    pub meet_histogram: BTreeMap<usize, usize>,
    /// How many possible twosomes never meet.
    pub pairs_never_meeting: usize,
    /// How evenly pairs compete.
    pub balance: Balance,
    /// What is wrong with it; nothing, if it was generated.
    pub faults: Vec<String>,
    /// What the director should know.
    pub notes: Vec<Instruction>,
}

/// A bye-stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Relay {
    /// First and last board on it.
    pub boards: (BoardNumber, BoardNumber),
    /// The table that takes from it and the one that puts on it.
    pub between: (TableNumber, TableNumber),
}

/// A stack that is fed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Stack {
    /// First and last board of it.
    pub boards: (BoardNumber, BoardNumber),
    /// The table that takes them.
    pub table: TableNumber,
}

/// Tables by the missing side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Triples {
    /// NS missing.
    #[serde(rename = "NS")]
    pub ns: Vec<TableNumber>,
    /// EW missing.
    #[serde(rename = "EW")]
    pub ew: Vec<TableNumber>,
}

/// The lowest and the highest board of some sets.
fn span(sets: &[BoardSet]) -> Option<(BoardNumber, BoardNumber)> {
    Some((
        sets.iter().filter_map(BoardSet::lowest).min()?,
        sets.iter().filter_map(BoardSet::highest).max()?,
    ))
}

impl Movement {
    /// The movement sheet of this movement.
    pub fn summary(&self) -> Summary {
        let report = self.check();
        let stand = self.layout.bye_stands.first();
        let stack = self.layout.feed_ins.first();
        let triples = if self.lists == Lists::Two {
            Triples {
                ns: self.phantom_met_three_times(Side::NorthSouth),
                ew: self.phantom_met_three_times(Side::EastWest),
            }
        } else {
            Triples::default()
        };
        Summary {
            name: self.name.clone(),
            family: self.family,
            lists: match self.lists {
                Lists::One => 1,
                Lists::Two => 2,
            },
            tables: self.table_count(),
            boards: self.boards().len(),
            per_round: self.boards_per_round(),
            rounds: self.round_count(),
            share: self.layout.shares.first().map(|share| share.tables),
            relay: stand.and_then(|stand| {
                Some(Relay {
                    boards: span(&stand.boards)?,
                    between: stand.between,
                })
            }),
            feed_in: stack.and_then(|stack| {
                Some(Stack {
                    boards: span(&stack.boards)?,
                    table: stack.at,
                })
            }),
            feed_in_sets: stack.map_or(0, |stack| stack.boards.len()),
            phantom: self.phantom_advice(),
            phantom_tables_with_triple: triples,
            special: self.special,
            meet_histogram: report.meetings.histogram,
            pairs_never_meeting: report.meetings.never,
            balance: report.balance,
            faults: report.faults.iter().map(ToString::to_string).collect(),
            notes: self.notes.clone(),
        }
    }

    /// Everything the director tells the room before round 1, sentence by sentence.
    pub fn instructions(&self) -> Vec<Instruction> {
        let mut lines = Vec::new();
        for share in &self.layout.shares {
            let (one, other) = share.tables;
            lines.push(Instruction::ShareBoards { one, other });
        }
        for stand in &self.layout.bye_stands {
            let (takes, puts) = stand.between;
            lines.push(Instruction::ByeStand {
                takes,
                puts,
                boards: Sets(stand.boards.clone()),
            });
        }
        for stack in &self.layout.feed_ins {
            lines.push(Instruction::Stack {
                table: stack.at,
                boards: StackedSets(stack.boards.clone()),
            });
        }
        for (number, _) in self.numbered_rounds() {
            for call in self.announcements(number) {
                if matches!(
                    call,
                    super::Announcement::Skip { .. } | super::Announcement::Subtract { .. }
                ) {
                    lines.push(Instruction::Call {
                        round: number,
                        call,
                    });
                }
            }
        }
        lines.extend(self.notes.iter().cloned());
        lines
    }

    /// The rounds in which this pair plays nothing.
    pub fn rounds_out(&self, pair: super::PairId) -> Vec<RoundNumber> {
        self.numbered_rounds()
            .map(|(number, _)| number)
            .filter(|&number| self.sitting_out(number).contains(&pair))
            .collect()
    }
}
