//! How boards travel in a Mitchell: down one table, over a bye-stand, to a sharing table, from a
//! stack of sets to be fed in.

use std::collections::VecDeque;

use protocol::words::TableNumber;

use crate::movement::{BoardSet, Movement};

/// What lies where in one round.
#[derive(Clone, Debug)]
pub(super) struct Flow<'m> {
    /// Table 1 first.
    pub(super) tables: Vec<&'m BoardSet>,
    /// Next to be taken first.
    pub(super) stand: VecDeque<&'m BoardSet>,
    /// Next to be taken first.
    pub(super) stack: VecDeque<&'m BoardSet>,
}

/// Where the room's furniture is, as indices from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Furniture {
    /// The table that takes from the bye-stand; the next higher one puts on it.
    pub(super) takes_from_stand: Option<usize>,
    /// The highest table plays the boards of table 1.
    pub(super) shared: bool,
    /// The highest table takes from the stack.
    pub(super) fed: bool,
}

impl Furniture {
    /// As the movement has it; `None` where boards travel otherwise than in a Mitchell.
    pub(super) fn of(movement: &Movement) -> Option<Self> {
        let top = movement.table_count().checked_sub(1)?;
        let index = |table: TableNumber| usize::from(table.get()) - 1;
        let layout = &movement.layout;
        let takes_from_stand = match layout.bye_stands.as_slice() {
            [] => None,
            [stand] => Some(index(stand.between.0)),
            _ => return None,
        };
        let shared = match layout.shares.as_slice() {
            [] => false,
            [share] if index(share.tables.0) == 0 && index(share.tables.1) == top => true,
            _ => return None,
        };
        let fed = match layout.feed_ins.as_slice() {
            [] => false,
            [feed] if index(feed.at) == top => true,
            _ => return None,
        };
        Some(Self {
            takes_from_stand,
            shared,
            fed,
        })
    }
}

impl<'m> Flow<'m> {
    /// Round 1.
    pub(super) fn start(movement: &'m Movement) -> Option<Self> {
        let first = movement.rounds.first()?;
        let layout = &movement.layout;
        let stands = layout.bye_stands.iter();
        let stacks = layout.feed_ins.iter();
        Some(Self {
            tables: first.seatings.iter().map(|seat| &seat.boards).collect(),
            stand: stands.flat_map(|stand| &stand.boards).collect(),
            stack: stacks.flat_map(|feed| &feed.boards).collect(),
        })
    }

    /// The next round with the furniture where it is.
    pub(super) fn step(&mut self, furniture: Furniture) -> Option<()> {
        self.step_taking(furniture, 0)
    }

    /// The same, but the highest table takes a set from further down the stack.
    pub(super) fn step_taking(&mut self, furniture: Furniture, from_stack: usize) -> Option<()> {
        let top = self.tables.len().checked_sub(1)?;
        let before = self.tables.clone();
        self.tables[..top].copy_from_slice(&before[1..]);
        if let Some(table) = furniture.takes_from_stand {
            self.stand.push_back(*before.get(table + 1)?);
            *self.tables.get_mut(table)? = self.stand.pop_front()?;
        }
        self.tables[top] = if furniture.shared {
            self.tables[0]
        } else if furniture.fed {
            self.stack.push_back(before[0]);
            self.stack.remove(from_stack)?
        } else {
            before[0]
        };
        Some(())
    }

    /// Whether these are the boards of the movement's round.
    pub(super) fn is_round(&self, movement: &Movement, round: usize) -> bool {
        movement.rounds.get(round).is_some_and(|planned| {
            let due = planned.seatings.iter().map(|seat| &seat.boards);
            due.eq(self.tables.iter().copied())
        })
    }
}
