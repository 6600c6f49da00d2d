//! American Whist for teams of four: an odd number of teams, each at home at one table.

use super::Setup;
use super::build::{ROUNDS_MAX, Spot, around, plain, size, write_rounds};
use crate::{Family, Instruction, Kind, Lists, Movement, Refused};

/// Which seed is at home at table 1, 2 and so on, so that the strong ones meet late.
const SEEDS_OF_11: [u16; 11] = [1, 9, 6, 3, 11, 4, 5, 10, 2, 7, 8];

/// NS sit at home, EW go up two tables and boards up one, the first move before any play. Every
/// match is played in two halves, rounds `k` and `teams - k`.
pub(super) fn american_whist(setup: Setup) -> Result<Movement, Refused> {
    let teams = setup.tables.get();
    let boards = u16::from(setup.boards.get());
    if teams.is_multiple_of(2) || !(5..=ROUNDS_MAX).contains(&teams) {
        return Err(Refused::TeamsOfWhist { teams });
    }
    let per_round = match setup.per_round {
        Some(per_round) => per_round.get(),
        None => u8::try_from((boards / teams).max(1)).unwrap_or(1),
    };
    if u16::from(per_round) * teams != boards {
        return Err(Refused::BoardsOfWhist {
            teams,
            boards,
            instead: u16::from(per_round) * teams,
        });
    }
    let rounds = write_rounds(teams - 1, teams, per_round, |round, table| {
        let (round, here) = (i32::from(round), i32::from(table));
        Spot {
            ns: table,
            ew: around(here - 2 * round, teams),
            set: around(here - round, teams),
            copy: 1,
        }
    });
    let name = format!(
        "American Whist, {}",
        size(teams, teams, teams - 1, per_round)
    );
    let mut movement = plain(name, Family::Of(Kind::AmericanWhist), Lists::Two, rounds);
    movement.notes.push(Instruction::MoveBeforePlay);
    movement.notes.push(Instruction::HalvesAddUp { teams });
    if teams == 11 {
        movement.notes.push(Instruction::EightOfTen);
        let seeds = SEEDS_OF_11.map(|seed| seed.to_string()).join(", ");
        movement.notes.push(Instruction::SeededHomes { seeds });
    }
    Ok(movement)
}
