//! Recognises a movement by its rounds: which family it is, for a Mitchell where its bye-stand is, who shares, what is fed in, when
//! East-West skip. A session keeps who sits where, not the rule it came from.

use protocol::words::TableNumber;

use super::flow::{Flow, Furniture};
use crate::movement::{
    BoardSet, ByeStand, Family, FeedIn, Kind, Layout, Lists, Movement, Round, Share, SpecialMove,
};

/// Adds layout and special move to a movement that has neither, as far as its rounds show them.
/// Rounds that are no Mitchell's stay as they are.
#[must_use]
pub fn recognised(mut movement: Movement) -> Movement {
    if movement.layout != Layout::default() || movement.special.is_some() {
        return movement;
    }
    movement.special = special_move(&movement);
    if let Some(layout) = layout(&movement) {
        movement.layout = layout;
    }
    if !boards_travel_so(&movement) {
        movement.layout = Layout::default();
    }
    let layout = &movement.layout;
    movement.family = match movement.special {
        _ if movement.lists == Lists::One && !north_south_stay(&movement) => {
            Family::Of(Kind::Howell)
        }
        Some(SpecialMove::Skip { .. }) => Family::SkipMitchell,
        _ if !layout.shares.is_empty() => Family::ShareAndRelay,
        _ if !layout.feed_ins.is_empty() => Family::FeedInMitchell,
        _ if all_move_up(&movement) => Family::Of(Kind::Mitchell),
        _ => movement.family,
    };
    movement
}

/// The one move of East-West that is not up one table.
fn special_move(movement: &Movement) -> Option<SpecialMove> {
    let tables = movement.table_count();
    let mut special = None;
    for ((after_round, before), after) in movement
        .numbered_rounds()
        .zip(movement.rounds.iter().skip(1))
    {
        let moved_to = |to: &dyn Fn(usize) -> usize| {
            let mut seats = before.seatings.iter().enumerate();
            seats.all(|(from, seat)| {
                after
                    .seatings
                    .get(to(from))
                    .is_some_and(|s| s.ew == seat.ew)
            })
        };
        if moved_to(&|from| (from + 1) % tables) {
            continue;
        }
        let found = if moved_to(&|from| (from + 2) % tables) {
            SpecialMove::Skip {
                after_round,
                forward: 2,
            }
        } else if moved_to(&|from| tables - 1 - from) {
            SpecialMove::Subtract {
                after_round,
                from: table(tables)?,
            }
        } else {
            return None;
        };
        if special.replace(found).is_some() {
            return None;
        }
    }
    special
}

/// Whether East-West go up one table after every round, and North-South stay.
fn all_move_up(movement: &Movement) -> bool {
    let tables = movement.table_count();
    let mut rounds = movement.rounds.iter().zip(movement.rounds.iter().skip(1));
    north_south_stay(movement)
        && rounds.all(|(before, after)| {
            (0..tables).all(|at| {
                let here = before.seatings.get(at).map(|seat| seat.ew);
                here == after.seatings.get((at + 1) % tables).map(|seat| seat.ew)
            })
        })
}

fn north_south_stay(movement: &Movement) -> bool {
    let north_south = |round: &Round| {
        let seats = round.seatings.iter();
        seats.map(|seat| seat.ns).collect::<Vec<_>>()
    };
    let mut rounds = movement.rounds.iter().map(north_south);
    rounds
        .next()
        .is_none_or(|first| rounds.all(|later| later == first))
}

/// A number from 0 as a table's, which counts from 1.
fn table(index: usize) -> Option<TableNumber> {
    TableNumber::new(u16::try_from(index + 1).ok()?)
}

fn layout(movement: &Movement) -> Option<Layout> {
    let [first, second, ..] = movement.rounds.as_slice() else {
        return None;
    };
    let top = movement
        .table_count()
        .checked_sub(1)
        .filter(|top| *top > 1)?;
    let mut layout = Layout::default();
    let lies = |round: &Round, at: usize| round.seatings.get(at).map(|seat| seat.boards.clone());
    // The lowest table whose boards don't come from the next higher one takes from a stand.
    let takes = (0..top).find(|&at| lies(second, at) != lies(first, at + 1));
    if let Some(takes) = takes {
        layout.bye_stands.push(ByeStand {
            between: (table(takes)?, table(takes + 1)?),
            boards: waiting(movement, takes, takes + 1),
        });
    }
    if lies(first, 0) == lies(first, top) {
        layout.shares.push(Share {
            tables: (table(0)?, table(top)?),
        });
    } else if lies(second, top) != lies(first, 0) {
        layout.feed_ins.push(FeedIn {
            at: table(top)?,
            boards: waiting(movement, top, 0),
        });
    }
    Some(layout)
}

/// What a table takes until the first set of the table that puts down comes back to it.
fn waiting(movement: &Movement, takes: usize, puts: usize) -> Vec<BoardSet> {
    let lies = |round: &Round, at: usize| round.seatings.get(at).map(|seat| seat.boards.clone());
    let put_first = movement.rounds.first().and_then(|round| lies(round, puts));
    movement
        .rounds
        .iter()
        .skip(1)
        .map_while(|round| lies(round, takes).filter(|set| Some(set) != put_first.as_ref()))
        .collect()
}

fn boards_travel_so(movement: &Movement) -> bool {
    let (Some(furniture), Some(mut flow)) = (Furniture::of(movement), Flow::start(movement)) else {
        return false;
    };
    (1..movement.round_count())
        .all(|round| flow.step(furniture).is_some() && flow.is_round(movement, round))
}

#[cfg(test)]
mod tests {
    use protocol::words::BoardNumber;

    use super::*;
    use crate::movement::{Setup, Variant, generate};

    #[test]
    fn every_mitchell_of_8_to_14_tables_is_recognised_by_its_rounds() {
        let mut seen = 0;
        for tables in (8..=14).filter_map(TableNumber::new) {
            for variant in [Variant::Skip, Variant::Share, Variant::FeedIn] {
                for boards in (20..=32).filter_map(BoardNumber::new) {
                    let setup = Setup {
                        variant: Some(variant),
                        ..Setup::new(tables, boards)
                    };
                    let Ok(movement) = generate(Kind::Mitchell, setup) else {
                        continue;
                    };
                    let bare = Movement {
                        layout: Layout::default(),
                        special: None,
                        ..movement.clone()
                    };
                    let found = recognised(bare);
                    assert_eq!(found.special, movement.special, "{}", movement.name);
                    assert_eq!(found.layout.shares, movement.layout.shares);
                    let stands = |movement: &Movement| {
                        let stands = movement.layout.bye_stands.iter();
                        stands.map(|stand| stand.between).collect::<Vec<_>>()
                    };
                    assert_eq!(stands(&found), stands(&movement), "{}", movement.name);
                    seen += 1;
                }
            }
        }
        assert!(seen > 50, "{seen} movements");
    }
}
