//! Every mistake played out: where pairs and boards would be in a round.

use protocol::words::{PairNumber, RoundNumber};

use super::Mistake;
use super::flow::{Flow, Furniture};
use crate::movement::{BoardSet, Movement, Round, SpecialMove};

/// Who sits East-West and what lies on every table, table 1 first.
#[derive(Clone, Debug)]
pub(super) struct World<'m> {
    pub(super) ew: Vec<Option<PairNumber>>,
    pub(super) boards: Vec<&'m BoardSet>,
}

/// A mistake, the round that began with it, and what came of it.
pub(super) type Case<'m> = (Mistake, RoundNumber, World<'m>);

/// As it should be.
pub(super) fn planned(movement: &Movement, round: RoundNumber) -> Option<World<'_>> {
    movement.round(round).map(world_of)
}

/// Every mistake that could have been made up to this round.
pub(super) fn all(movement: &Movement, round: RoundNumber) -> Vec<Case<'_>> {
    let (Some(now), Some(before)) = (
        movement.round(round),
        RoundNumber::new(round.get() - 1).and_then(|before| movement.round(before)),
    ) else {
        return Vec::new();
    };
    let mut cases = Vec::new();
    pairs_astray(movement, round, now, before, &mut cases);
    boards_astray(round, now, before, &mut cases);
    furniture_astray(movement, round, now, &mut cases);
    cases
}

fn world_of(round: &Round) -> World<'_> {
    World {
        ew: round.seatings.iter().map(|seat| seat.ew).collect(),
        boards: round.seatings.iter().map(|seat| &seat.boards).collect(),
    }
}

/// The East-West pairs of a round, each `up` tables higher (around the room).
fn moved(round: &Round, up: isize) -> Vec<Option<PairNumber>> {
    let tables = round.seatings.len().cast_signed();
    (0..tables)
        .map(|table| {
            let from = (table - up).rem_euclid(tables).cast_unsigned();
            round.seatings[from].ew
        })
        .collect()
}

/// East-West subtract their table number from `from`.
fn subtracted(round: &Round, from: usize) -> Vec<Option<PairNumber>> {
    (1..=round.seatings.len())
        .map(|table| {
            let came_from = from.checked_sub(table)?.checked_sub(1)?;
            round.seatings.get(came_from)?.ew
        })
        .collect()
}

fn pairs_astray<'m>(
    movement: &'m Movement,
    round: RoundNumber,
    now: &'m Round,
    before: &'m Round,
    cases: &mut Vec<Case<'m>>,
) {
    let mut add = |mistake, ew: Vec<Option<PairNumber>>| {
        let plan = world_of(now);
        // A move that leads to the same seats is no mistake, and no kind of one.
        if ew != plan.ew {
            cases.push((mistake, round, World { ew, ..plan }));
        }
    };
    let entered_after = RoundNumber::new(round.get() - 1);
    let special_now = |special: SpecialMove| Some(after(special)) == entered_after;
    let special_next = |special: SpecialMove| after(special) == round;
    match movement.special {
        Some(special @ SpecialMove::Skip { forward, .. }) if special_next(special) => {
            add(Mistake::SkipEarly, moved(before, forward.into()));
        }
        Some(special @ SpecialMove::Skip { .. }) if special_now(special) => {
            add(Mistake::SkipLate, moved(before, 1));
        }
        Some(special @ SpecialMove::Subtract { from, .. }) if special_next(special) => {
            add(
                Mistake::SpecialMoveEarly,
                subtracted(before, from.get().into()),
            );
            add(Mistake::EastWestTooFar, moved(before, 2));
        }
        Some(special @ SpecialMove::Subtract { .. }) if special_now(special) => {
            add(Mistake::SpecialMoveLate, moved(before, 1));
        }
        _ => add(Mistake::EastWestTooFar, moved(before, 2)),
    }
    add(Mistake::EastWestStayed, moved(before, 0));
    add(Mistake::EastWestWrongWay, moved(before, -1));
}

fn after(special: SpecialMove) -> RoundNumber {
    match special {
        SpecialMove::Skip { after_round, .. } | SpecialMove::Subtract { after_round, .. } => {
            after_round
        }
    }
}

fn boards_astray<'m>(
    round: RoundNumber,
    now: &'m Round,
    before: &'m Round,
    cases: &mut Vec<Case<'m>>,
) {
    let plan = world_of(now);
    let lay = world_of(before).boards;
    let mut up = lay.clone();
    up.rotate_right(1);
    for (mistake, boards) in [(Mistake::BoardsWrongWay, up), (Mistake::BoardsStayed, lay)] {
        let ew = plan.ew.clone();
        cases.push((mistake, round, World { ew, boards }));
    }
}

/// Mistakes with the bye-stand, the stack and the sharing tables, made now or earlier and not
/// noticed since.
fn furniture_astray<'m>(
    movement: &'m Movement,
    round: RoundNumber,
    now: &'m Round,
    cases: &mut Vec<Case<'m>>,
) {
    let (Some(planned), Some(mut flow)) = (Furniture::of(movement), Flow::start(movement)) else {
        return;
    };
    let ew = world_of(now).ew;
    let last = usize::from(round.get()) - 1;
    for since in 1..=last {
        let Some(since_round) = u8::try_from(since + 1).ok().and_then(RoundNumber::new) else {
            return;
        };
        for variant in variants(planned, &flow) {
            let mut astray = flow.clone();
            let stepped = astray
                .step_taking(variant.furniture, variant.from_stack)
                .and_then(|()| (since..last).try_for_each(|_| astray.step(variant.furniture)));
            if stepped.is_some() && !astray.is_round(movement, last) {
                let boards = astray.tables;
                let ew = ew.clone();
                cases.push((variant.mistake, since_round, World { ew, boards }));
            }
        }
        if since == last && planned.shared {
            cases.extend(share_missing(&flow, planned, round, ew.clone()));
        }
        // If the boards don't travel as we think, nothing we conclude from it is worth saying.
        if flow.step(planned).is_none() || !flow.is_round(movement, since) {
            cases.retain(|(mistake, ..)| !is_about_furniture(*mistake));
            return;
        }
    }
}

fn is_about_furniture(mistake: Mistake) -> bool {
    matches!(
        mistake,
        Mistake::RelayTooLow
            | Mistake::RelayTooHigh
            | Mistake::FeedInsOutOfOrder
            | Mistake::ShareMissing
    )
}

/// Something put wrong in a move, and how the room moves from then on.
struct Astray {
    mistake: Mistake,
    furniture: Furniture,
    /// Which set the highest table takes in that move.
    from_stack: usize,
}

fn variants(planned: Furniture, flow: &Flow) -> Vec<Astray> {
    let mut variants = Vec::new();
    if let Some(table) = planned.takes_from_stand {
        let lower = table.checked_sub(1).map(|at| (Mistake::RelayTooLow, at));
        let higher = (table + 2 < flow.tables.len()).then_some((Mistake::RelayTooHigh, table + 1));
        variants.extend(
            [lower, higher]
                .into_iter()
                .flatten()
                .map(|(mistake, at)| Astray {
                    mistake,
                    furniture: Furniture {
                        takes_from_stand: Some(at),
                        ..planned
                    },
                    from_stack: 0,
                }),
        );
    }
    if planned.fed {
        // The next but one, or the set that table 1 has just put down.
        let last = flow.stack.len();
        let taken = [Some(1), (last > 1).then_some(last)].into_iter().flatten();
        variants.extend(taken.map(|from_stack| Astray {
            mistake: Mistake::FeedInsOutOfOrder,
            furniture: planned,
            from_stack,
        }));
    }
    variants
}

/// The highest table keeps the shared boards, which the next lower one needs now.
fn share_missing<'m>(
    flow: &Flow<'m>,
    planned: Furniture,
    round: RoundNumber,
    ew: Vec<Option<PairNumber>>,
) -> Option<Case<'m>> {
    let kept = *flow.tables.last()?;
    let mut astray = flow.clone();
    astray.step(planned)?;
    *astray.tables.last_mut()? = kept;
    let boards = astray.tables;
    Some((Mistake::ShareMissing, round, World { ew, boards }))
}
