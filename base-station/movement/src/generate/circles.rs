//! The relatives of the Mitchell: Hesitation, Fat Mitchell, Web, Bowman-Ewing, Rover.

use super::build::{Spot, around, boards_of_set, per_round_of, plain, size, table, write_rounds};
use super::{Kind, Numbering, Setup};
use crate::{ByeStand, Family, FeedIn, Instruction, Lists, Movement, Refused, Share};

/// One more round than tables. The East-West pair at the top table stays for a round as
/// North-South there, then goes on to table 1; so everybody but the sitters meets both ways, and
/// one list ranks them all.
pub(super) fn hesitation(setup: Setup) -> Result<Movement, Refused> {
    let tables = at_least(setup, 4, Kind::Hesitation)?;
    let sets = tables + 1;
    let per_round = per_round(setup, sets, Kind::Hesitation)?;
    let even = tables.is_multiple_of(2);
    let (resting, below) = if even {
        (2, tables / 2)
    } else {
        (1, (tables - 1) / 2)
    };
    // The movers in the order in which they pass a place: EW 1 to T, then NS of the top table.
    let mover = |place: u16| match (setup.numbering.unwrap_or(Numbering::EwFirst), place) {
        (Numbering::EwFirst, place) => place,
        (Numbering::NsFirst, place) if place == sets => tables,
        (Numbering::NsFirst, place) => tables + place,
    };
    let sitter = |table: u16| match setup.numbering.unwrap_or(Numbering::EwFirst) {
        Numbering::EwFirst => sets + table,
        Numbering::NsFirst => table,
    };
    let rounds = write_rounds(sets, tables, per_round, |round, table| {
        let (turn, here) = (i32::from(round) - 1, i32::from(table));
        let rested = if table > below { resting } else { 0 };
        Spot {
            ns: if table == tables {
                mover(around(i32::from(sets) - turn, sets))
            } else {
                sitter(table)
            },
            ew: mover(around(here - turn, sets)),
            set: around(here + rested + turn, sets),
            copy: 1,
        }
    });
    let name = format!("Hesitation, {}", size(tables, sets, sets, per_round));
    let mut movement = plain(name, Family::Of(Kind::Hesitation), Lists::One, rounds);
    movement.layout.bye_stands.push(ByeStand {
        between: (table(below), table(below + 1)),
        boards: (1..=u16::try_from(resting).unwrap_or(1))
            .map(|rest| boards_of_set(below + rest, per_round))
            .collect(),
    });
    if even {
        movement.layout.shares.push(Share {
            tables: (table(1), table(tables)),
        });
    }
    Ok(movement)
}

/// An odd Mitchell with one more set and round: the extra set wanders back two tables each round
/// and displaces the set due there; in the last round every table catches up with the set it
/// missed, against the opponents it then had.
pub(super) fn fat_mitchell(setup: Setup) -> Result<Movement, Refused> {
    let tables = at_least(setup, 5, Kind::FatMitchell)?;
    if tables.is_multiple_of(2) {
        return Err(Refused::OddTables {
            kind: Kind::FatMitchell,
            tables,
        });
    }
    let sets = tables + 1;
    let per_round = per_round(setup, sets, Kind::FatMitchell)?;
    let wanders_to = |round: u16| around(i32::from(tables) - 2 * (i32::from(round) - 1), tables);
    let usual = |round: u16, table: u16| Spot {
        ns: table,
        ew: around(i32::from(table) - i32::from(round) + 1, tables),
        set: around(i32::from(table) + i32::from(round) - 1, tables),
        copy: 1,
    };
    let rounds = write_rounds(sets, tables, per_round, |round, table| {
        if round == sets {
            let missed = (1..sets)
                .find(|&earlier| wanders_to(earlier) == table)
                .unwrap_or(1);
            return usual(missed, table);
        }
        let spot = usual(round, table);
        if wanders_to(round) == table {
            Spot { set: sets, ..spot }
        } else {
            spot
        }
    });
    let name = format!("Fat Mitchell, {}", size(tables, sets, sets, per_round));
    let mut movement = plain(name, Family::Of(Kind::FatMitchell), Lists::Two, rounds);
    movement.notes.push(Instruction::WanderingSet {
        boards: boards_of_set(sets, per_round),
    });
    Ok(movement)
}

/// Two copies of the boards: the lower half of the room plays one upwards, the upper half the
/// other one downwards, and East-West walk through both.
pub(super) fn web(setup: Setup) -> Result<Movement, Refused> {
    let tables = at_least(setup, 4, Kind::Web)?;
    if !tables.is_multiple_of(2) {
        return Err(Refused::EvenTablesOfWeb {
            tables,
            instead: tables + 1,
        });
    }
    let boards = u16::from(setup.boards.get());
    let sets = web_sets(setup, tables, boards)?;
    let per_round = per_round(setup, sets, Kind::Web)?;
    let half = tables / 2;
    let rounds = write_rounds(sets, tables, per_round, |round, table| {
        let (turn, here) = (i32::from(round) - 1, i32::from(table));
        let (set, copy) = if table <= half {
            (around(here + turn, sets), 1)
        } else {
            (around(i32::from(tables) - here - turn, sets), 2)
        };
        Spot {
            ns: table,
            ew: around(here - turn, tables),
            set,
            copy,
        }
    });
    let name = format!("Web, {}", size(tables, sets, sets, per_round));
    let mut movement = plain(name, Family::Of(Kind::Web), Lists::Two, rounds);
    if half < sets {
        let set = |set: u16| boards_of_set(set, per_round);
        movement.layout.feed_ins = vec![
            FeedIn {
                at: table(half),
                boards: (half + 1..=sets).map(set).collect(),
            },
            FeedIn {
                at: table(tables),
                boards: (half..sets).rev().map(set).collect(),
            },
        ];
    }
    movement.notes.push(Instruction::TwoCopies);
    if tables == 16 {
        movement.notes.push(Instruction::RowsOfFour {
            rows: WEB_ROOM_OF_16.join(" / "),
        });
    }
    Ok(movement)
}

/// How the manual sets up a room of 16 tables, so that both halves hand their boards on to a
/// neighbour.
const WEB_ROOM_OF_16: [&str; 4] = ["10 9 8 7", "11 16 1 6", "12 15 2 5", "13 14 3 4"];

/// As many rounds as the boards allow that is near the thirteen which rooms play.
fn web_sets(setup: Setup, tables: u16, boards: u16) -> Result<u16, Refused> {
    (tables / 2..=tables)
        .filter(|&sets| boards.is_multiple_of(sets))
        .filter(|&sets| {
            setup
                .per_round
                .is_none_or(|asked| u16::from(asked.get()) * sets == boards)
        })
        .min_by_key(|sets| sets.abs_diff(13))
        .ok_or(Refused::RoundsOfWeb {
            tables,
            fewest: tables / 2,
            boards,
        })
}

/// Two more tables than rounds: the last but one shares with table 1, and the last plays the
/// sets in reverse order from a stack of its own.
pub(super) fn bowman_ewing(setup: Setup) -> Result<Movement, Refused> {
    let tables = at_least(setup, 7, Kind::BowmanEwing)?;
    if tables.is_multiple_of(2) {
        return Err(Refused::OddTables {
            kind: Kind::BowmanEwing,
            tables,
        });
    }
    let sets = tables - 2;
    let per_round = per_round(setup, sets, Kind::BowmanEwing)?;
    let rounds = write_rounds(sets, tables, per_round, |round, table| {
        let (turn, here) = (i32::from(round) - 1, i32::from(table));
        Spot {
            ns: table,
            ew: around(here - turn, tables),
            set: if table == tables {
                sets + 1 - round
            } else {
                around(here + turn, sets)
            },
            // The top table's own set is a second copy.
            copy: if table == tables { 2 } else { 1 },
        }
    });
    let name = format!("Bowman-Ewing, {}", size(tables, sets, sets, per_round));
    let mut movement = plain(name, Family::Of(Kind::BowmanEwing), Lists::Two, rounds);
    movement.layout.shares.push(Share {
        tables: (table(1), table(tables - 1)),
    });
    movement
        .notes
        .push(Instruction::SecondCopyAt { table: tables });
    Ok(movement)
}

/// An odd Mitchell and one table more: its East-West pair roves back two tables each round, and
/// whoever it displaces plays at the last table in that round.
pub(super) fn rover(setup: Setup) -> Result<Movement, Refused> {
    let tables = at_least(setup, 6, Kind::Rover)?;
    if !tables.is_multiple_of(2) {
        return Err(Refused::EvenTables {
            kind: Kind::Rover,
            tables,
        });
    }
    let sets = tables - 1;
    let per_round = per_round(setup, sets, Kind::Rover)?;
    // In round 1 it sits at its own table; the table it would displace is the last of the circle.
    let roves_to = |round: u16| around(i32::from(sets) - 2 * (i32::from(round) - 1), sets);
    let usual = |round: u16, table: u16| around(i32::from(table) - i32::from(round) + 1, sets);
    let rounds = write_rounds(sets, tables, per_round, |round, table| {
        let displaces = round > 1;
        let ew = if table == tables {
            if displaces {
                usual(round, roves_to(round))
            } else {
                tables
            }
        } else if displaces && roves_to(round) == table {
            tables
        } else {
            usual(round, table)
        };
        Spot {
            ns: table,
            ew,
            set: if table == tables {
                sets + 1 - round
            } else {
                around(i32::from(table) + i32::from(round) - 1, sets)
            },
            copy: if table == tables { 2 } else { 1 },
        }
    });
    let name = format!("Rover, {}", size(tables, sets, sets, per_round));
    let mut movement = plain(name, Family::Of(Kind::Rover), Lists::Two, rounds);
    let notes = &mut movement.notes;
    notes.push(Instruction::Roves { table: tables });
    notes.push(Instruction::SecondCopyAt { table: tables });
    Ok(movement)
}

fn at_least(setup: Setup, fewest: u16, kind: Kind) -> Result<u16, Refused> {
    let tables = setup.tables.get();
    if tables < fewest || tables > 40 {
        return Err(Refused::TablesOutOfRange {
            kind,
            fewest,
            tables,
        });
    }
    Ok(tables)
}

/// Boards a round when the movement has a fixed number of sets.
fn per_round(setup: Setup, sets: u16, kind: Kind) -> Result<u8, Refused> {
    let boards = u16::from(setup.boards.get());
    match setup.per_round.map(std::num::NonZeroU8::get) {
        Some(per_round) if u16::from(per_round) * sets != boards => Err(Refused::BoardsARound {
            kind,
            sets,
            per_round,
            makes: u16::from(per_round) * sets,
            boards,
        }),
        Some(per_round) => Ok(per_round),
        None => per_round_of(boards, sets, kind),
    }
}
