//! Mitchells: North-South sit, East-West go up one table, boards go down one table.
//!
//! With an odd number of tables that is all. With an even number East-West would meet the
//! boards of round 1 again half-way, so they skip a table there, or a bye-stand in the middle
//! lets the boards rest for a round (and two tables share, or a set is fed in, because one set
//! always rests). More sets than tables are fed in at the highest table; then everybody meets
//! some opponents twice, and one special move keeps East-West away from boards they have had.

use std::num::NonZeroU8;

use super::build::{
    ROUNDS_MAX, Spot, around, boards_of_set, plain, round, size, table, write_rounds,
};
use super::{Setup, Variant};
use crate::{
    ByeStand, Family, FeedIn, Instruction, Kind, Layout, Lists, MitchellKind, Movement, Refused,
    Share, SpecialMove,
};

/// The parameters that make one Mitchell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mitchell {
    pub(crate) tables: u16,
    pub(crate) sets: u16,
    pub(crate) per_round: u8,
    pub(crate) family: Family,
}

/// Further from the boards asked for than this, another movement is the better answer.
const BOARDS_AWAY_MAX: u16 = 6;

/// The Mitchell of the manual for these tables and boards, or the nearest sound one.
pub(super) fn generate(setup: Setup) -> Result<Movement, Refused> {
    let tables = setup.tables.get();
    let boards = u16::from(setup.boards.get());
    refuse_impossible(tables, setup.variant)?;
    if let Some(exact) = with_boards(setup, boards) {
        return Ok(exact);
    }
    let nearest = (boards.saturating_sub(BOARDS_AWAY_MAX).max(1)..=boards + BOARDS_AWAY_MAX)
        .filter_map(|other| {
            let movement = with_boards(setup, other)?;
            Some((distance(boards, other, &movement), other, movement))
        })
        .min_by_key(|&(distance, other, _)| (distance, u16::MAX - other));
    match nearest {
        Some((_, other, mut movement)) => {
            movement.notes.push(Instruction::NearestMitchell {
                kind: wanted(setup),
                tables,
                boards,
                other,
            });
            Ok(movement)
        }
        None => Err(Refused::NoSuchMitchell {
            kind: wanted(setup),
            tables,
            boards,
            per_round: setup.per_round.map(NonZeroU8::get),
        }),
    }
}

/// The manual's Mitchell with exactly these boards.
pub(super) fn exact(setup: Setup) -> Result<Movement, Refused> {
    refuse_impossible(setup.tables.get(), setup.variant)?;
    with_boards(setup, u16::from(setup.boards.get())).ok_or(Refused::SetsOfMitchell {
        tables: setup.tables.get(),
        per_round: setup.per_round.map(NonZeroU8::get),
    })
}

fn refuse_impossible(tables: u16, variant: Option<Variant>) -> Result<(), Refused> {
    if tables < 3 {
        return Err(Refused::MitchellTooSmall { tables });
    }
    if tables > ROUNDS_MAX {
        return Err(Refused::MitchellTooLarge {
            tables,
            most: ROUNDS_MAX,
        });
    }
    let odd = !tables.is_multiple_of(2);
    match variant {
        Some(Variant::Skip) if odd => Err(Refused::SkipOfOddTables { tables }),
        Some(Variant::Share) if odd => Err(Refused::ShareOfOddTables { tables }),
        _ => Ok(()),
    }
}

const fn wanted(setup: Setup) -> MitchellKind {
    match setup.variant {
        Some(Variant::Skip) => MitchellKind::Skip,
        Some(Variant::Share) => MitchellKind::Share,
        Some(Variant::FeedIn) => MitchellKind::FeedIn,
        None => MitchellKind::Any,
    }
}

/// How far a movement is from what was asked: boards first (fewer is worse than more), then the
/// opponents met again.
fn distance(wanted: u16, boards: u16, movement: &Movement) -> usize {
    let away = usize::from(wanted.abs_diff(boards));
    let boards_cost = if boards < wanted { 12 } else { 10 } * away;
    let extra = movement
        .round_count()
        .saturating_sub(movement.table_count());
    boards_cost + 2 * extra
}

/// The sound Mitchell with exactly these boards and the longest rounds, if there is one.
fn with_boards(setup: Setup, boards: u16) -> Option<Movement> {
    let tables = setup.tables.get();
    (tables..=boards.min(ROUNDS_MAX))
        .filter(|sets| boards.is_multiple_of(*sets))
        .filter_map(|sets| {
            let per_round = u8::try_from(boards / sets).ok()?;
            let fits = setup
                .per_round
                .is_none_or(|wanted| wanted.get() == per_round);
            let family = family_for(tables, sets, per_round, setup.variant)?;
            fits.then_some(Mitchell {
                tables,
                sets,
                per_round,
                family,
            })
        })
        .map(Mitchell::write)
        .find(|movement| movement.faults().is_empty())
}

/// Which kind of Mitchell has this many sets, in the manual's order of preference.
pub(crate) fn family_for(
    tables: u16,
    sets: u16,
    per_round: u8,
    variant: Option<Variant>,
) -> Option<Family> {
    let even = tables.is_multiple_of(2);
    let extra = sets.checked_sub(tables)?;
    let natural = match (extra, even) {
        (0, false) => Family::Of(Kind::Mitchell),
        // Sharing a single board to and fro would hold both tables up.
        (0, true) if per_round == 1 => Family::SkipMitchell,
        (0, true) => Family::ShareAndRelay,
        // More extra sets than tables, and somebody would be met three times by everybody.
        _ if extra.is_multiple_of(2) && extra < tables => Family::FeedInMitchell,
        _ => return None,
    };
    match (variant, natural) {
        (None, family) => Some(family),
        (Some(Variant::Skip), Family::SkipMitchell | Family::ShareAndRelay) => {
            Some(Family::SkipMitchell)
        }
        (Some(Variant::Share), Family::SkipMitchell | Family::ShareAndRelay) => {
            Some(Family::ShareAndRelay)
        }
        (Some(Variant::FeedIn), Family::FeedInMitchell) => Some(Family::FeedInMitchell),
        _ => None,
    }
}

impl Mitchell {
    /// The bye-stand rests between this table and the next one up.
    fn relay_below(self) -> Option<u16> {
        let relayed = matches!(self.family, Family::ShareAndRelay | Family::FeedInMitchell);
        (relayed && self.tables.is_multiple_of(2)).then_some(self.tables / 2)
    }

    /// The set on a table in round 1. The resting set is one of the row, so it takes a number.
    pub(crate) fn first_set(self, table: u16) -> u16 {
        let rested = self.relay_below().is_some_and(|below| table > below);
        around(i32::from(table) + i32::from(rested), self.sets)
    }

    /// The last round before the special move.
    fn turn_after(self) -> u16 {
        match self.family {
            Family::SkipMitchell => self.tables / 2,
            Family::FeedInMitchell => self.tables + (self.sets - self.tables) / 2,
            _ => self.sets,
        }
    }

    /// The East-West pair at a table.
    fn east_west(self, round: u16, table: u16) -> u16 {
        let (tables, turn) = (self.tables, self.turn_after());
        let (round, table) = (i32::from(round), i32::from(table));
        if round <= i32::from(turn) {
            return around(table - (round - 1), tables);
        }
        if self.family == Family::SkipMitchell {
            return around(table - round, tables);
        }
        // Back to where this pair landed by the special move, then to where it came from.
        let landed = around(table - (round - i32::from(turn) - 1), tables);
        let before = i32::from(tables) + 1 - i32::from(landed);
        around(before - (i32::from(turn) - 1), tables)
    }

    /// Writes the movement out.
    pub(crate) fn write(self) -> Movement {
        let rounds = write_rounds(self.sets, self.tables, self.per_round, |round, table| {
            Spot {
                ns: table,
                ew: self.east_west(round, table),
                set: around(
                    i32::from(self.first_set(table)) + i32::from(round) - 1,
                    self.sets,
                ),
                copy: 1,
            }
        });
        let title = match self.family {
            Family::SkipMitchell => "Skip Mitchell",
            Family::ShareAndRelay => "Share-and-relay Mitchell",
            Family::FeedInMitchell => "Mitchell with feed-ins",
            _ => "Mitchell",
        };
        let name = format!(
            "{title}, {}",
            size(self.tables, self.sets, self.sets, self.per_round)
        );
        let mut movement = plain(name, self.family, Lists::Two, rounds);
        movement.layout = self.layout();
        movement.special = self.special();
        movement
    }

    fn layout(self) -> Layout {
        let mut layout = Layout::default();
        let set = |set| boards_of_set(set, self.per_round);
        if let Some(below) = self.relay_below() {
            layout.bye_stands.push(ByeStand {
                between: (table(below), table(below + 1)),
                boards: vec![set(below + 1)],
            });
        }
        if self.family == Family::ShareAndRelay {
            layout.shares.push(Share {
                tables: (table(1), table(self.tables)),
            });
        }
        let first = self.first_set(self.tables) + 1;
        if self.family == Family::FeedInMitchell && first <= self.sets {
            layout.feed_ins.push(FeedIn {
                at: table(self.tables),
                boards: (first..=self.sets).map(set).collect(),
            });
        }
        layout
    }

    fn special(self) -> Option<SpecialMove> {
        let after_round = round(self.turn_after());
        match self.family {
            Family::SkipMitchell => Some(SpecialMove::Skip {
                after_round,
                forward: 2,
            }),
            Family::FeedInMitchell => Some(SpecialMove::Subtract {
                after_round,
                from: table(self.tables + 1),
            }),
            _ => None,
        }
    }
}
