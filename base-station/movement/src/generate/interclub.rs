//! A match between two clubs: every visiting pair meets every pair of the home club.

use super::build::{ROUNDS_MAX, Spot, around, per_round_of, plain, size, write_rounds};
use super::{Kind, Setup};
use crate::{Family, Instruction, Lists, Movement, Refused};

/// The visitors sit, NS at odd tables and EW at even ones; the home club moves up one table a
/// round and changes its direction with every table. Boards go down one. So both clubs hold the
/// North-South cards equally often, and one list ranks all.
///
/// Visitors are numbered by their table, the home club after them by the table where it starts.
pub(super) fn interclub(setup: Setup) -> Result<Movement, Refused> {
    let tables = setup.tables.get();
    if tables.is_multiple_of(2) || !(3..=ROUNDS_MAX).contains(&tables) {
        return Err(Refused::TablesOfInterclub {
            tables,
            most: ROUNDS_MAX,
        });
    }
    let boards = u16::from(setup.boards.get());
    let per_round = match setup.per_round {
        Some(per_round) if u16::from(per_round.get()) * tables == boards => per_round.get(),
        _ => per_round_of(boards, tables, Kind::Interclub)?,
    };
    let rounds = write_rounds(tables, tables, per_round, |round, table| {
        let turn = i32::from(round) - 1;
        let visitors = table;
        let home = tables + around(i32::from(table) - turn, tables);
        let (ns, ew) = if table.is_multiple_of(2) {
            (home, visitors)
        } else {
            (visitors, home)
        };
        Spot {
            ns,
            ew,
            set: around(i32::from(table) + turn, tables),
            copy: 1,
        }
    });
    let name = format!(
        "Inter-club match, {}",
        size(tables, tables, tables, per_round)
    );
    let mut movement = plain(name, Family::Of(Kind::Interclub), Lists::One, rounds);
    movement.notes.push(Instruction::VisitorsSit { tables });
    movement.notes.push(Instruction::HomeMoves {
        first: tables + 1,
        last: 2 * tables,
    });
    Ok(movement)
}
