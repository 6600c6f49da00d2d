//! Who goes on from a stage: so many of the best, of all or of each field, without those who do not
//! contend, and others for those who withdraw.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use scoring::{Points, VictoryPoints};
use serde::{Deserialize, Serialize};

use crate::ContestantNumber;
use crate::carried::Carried;
use crate::standing::Line;

/// Who goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Taking {
    /// From this place on: 5 for the plate of those whom a championship of four leaves.
    #[serde(default = "first")]
    pub first: u16,
    /// So many.
    pub take: u16,
    /// So many of each field; otherwise of all together.
    #[serde(default)]
    pub each_field: bool,
    /// What they bring along.
    #[serde(default)]
    pub carry: Carried,
}

const fn first() -> u16 {
    1
}

/// Why somebody does not go on who would by the standing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Passed {
    /// It never contended: nobody comes in for it, the next ones are the qualifiers.
    NotContending,
    /// It withdrew: the next one of its field comes in for it.
    Withdrawn,
}

/// Somebody who goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Going {
    /// From which field.
    pub field: usize,
    /// Under which number there.
    pub contestant: ContestantNumber,
    /// For somebody who withdrew.
    pub replaces: bool,
    /// Victory points brought along.
    pub vp: VictoryPoints,
    /// IMPs brought along into a match that IMPs decide.
    pub imps: Points,
}

impl Going {
    /// Somebody of the only field who brings nothing along.
    pub const fn with_nothing(contestant: ContestantNumber) -> Self {
        Self {
            field: 0,
            contestant,
            replaces: false,
            vp: VictoryPoints(0),
            imps: Points::ZERO,
        }
    }
}

/// Why it can't be said who goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CannotTake {
    /// There are no more.
    TooFew {
        /// So many could.
        there: usize,
    },
    /// The last place that goes on is shared with one that does not.
    Shared {
        /// Which.
        place: u32,
    },
}

/// Who is passed over, by field and number.
pub type PassedOver = BTreeMap<(usize, ContestantNumber), Passed>;

/// Those who go on from the standings of a stage's fields: the best of each field first, then the
/// second ones, and so on.
pub fn going_on(
    fields: &[Vec<Line>],
    taking: Taking,
    passed: &PassedOver,
) -> Result<Vec<Going>, CannotTake> {
    let lines = fields.iter().enumerate().map(|(at, lines)| {
        let of_field = |line: &Line| (at, line.clone());
        lines.iter().map(of_field).collect::<Vec<_>>()
    });
    let mut pools: Vec<Vec<(usize, Line)>> = lines.collect();
    if !taking.each_field && pools.len() > 1 {
        pools = vec![together(pools.into_iter().flatten().collect())];
    }
    let mut of_pools = Vec::new();
    for pool in &pools {
        of_pools.push(of_pool(pool, taking, passed)?.into_iter());
    }
    let mut all = Vec::new();
    loop {
        let before = all.len();
        all.extend(of_pools.iter_mut().filter_map(Iterator::next));
        if all.len() == before {
            return Ok(all);
        }
    }
}

/// One order of several fields: by victory points, then net IMPs.
fn together(mut all: Vec<(usize, Line)>) -> Vec<(usize, Line)> {
    all.sort_by_key(|(_, line)| Reverse((line.vp, line.net)));
    let mut last: Option<(VictoryPoints, Points, u32)> = None;
    for ((_, line), at) in all.iter_mut().zip(1..) {
        line.place = match last {
            Some((vp, net, place)) if (vp, net) == (line.vp, line.net) => place,
            _ => at,
        };
        last = Some((line.vp, line.net, line.place));
    }
    all
}

fn of_pool(
    pool: &[(usize, Line)],
    taking: Taking,
    passed: &PassedOver,
) -> Result<Vec<Going>, CannotTake> {
    let how = |own: &(usize, Line)| passed.get(&(own.0, own.1.contestant)).copied();
    let contending = |own: &&(usize, Line)| how(own) != Some(Passed::NotContending);
    let pool: Vec<&(usize, Line)> = pool.iter().filter(contending).collect();
    let from = usize::from(taking.first).saturating_sub(1);
    let until = from + usize::from(taking.take);
    if until > pool.len() || taking.take == 0 {
        let there = pool.len().saturating_sub(from);
        return Err(CannotTake::TooFew { there });
    }
    for edge in [from, until] {
        let place = |at: usize| pool.get(at).map(|own| own.1.place);
        let inside = edge.checked_sub(1).and_then(place);
        if let (Some(inside), Some(outside)) = (inside, place(edge))
            && inside == outside
        {
            return Err(CannotTake::Shared { place: inside });
        }
    }
    let qualified = &pool[from..until];
    let lines: Vec<&Line> = qualified.iter().map(|own| &own.1).collect();
    let brought = taking.carry.brought(&lines);
    let going = |own: &(usize, Line), vp, imps, replaces| Going {
        field: own.0,
        contestant: own.1.contestant,
        replaces,
        vp,
        imps,
    };
    let there = qualified.iter().zip(&brought);
    let there = there.filter(|(own, _)| how(own).is_none());
    let mut all: Vec<Going> = there
        .map(|(own, brought)| going(own, brought.vp, brought.imps, false))
        .collect();
    // What the others bring along does not change because somebody withdrew.
    let missing = usize::from(taking.take) - all.len();
    let coming = pool[until..].iter().filter(|own| how(own).is_none());
    for own in coming.take(missing) {
        let share = taking.carry.brought(&[&own.1]);
        let share = share.first().filter(|_| taking.carry.is_own_share());
        let (vp, imps) = share.map_or((VictoryPoints(0), Points::ZERO), |it| (it.vp, it.imps));
        all.push(going(own, vp, imps, true));
    }
    if all.len() < usize::from(taking.take) {
        return Err(CannotTake::TooFew { there: all.len() });
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(place: u32, number: u16, vp: i32) -> Line {
        Line {
            place,
            contestant: ContestantNumber::new(number).expect("a number"),
            vp: VictoryPoints(vp),
            fines: VictoryPoints(0),
            carry_over: VictoryPoints(0),
            matches: 1,
            net: Points::ZERO,
            ties: Vec::new(),
            decided_by: None,
        }
    }

    fn field(vp: &[i32]) -> Vec<Line> {
        (1..)
            .zip(vp)
            .map(|(at, vp)| line(u32::from(at), at, *vp))
            .collect()
    }

    fn taking(take: u16, carry: Carried) -> Taking {
        Taking {
            first: 1,
            take,
            each_field: true,
            carry,
        }
    }

    fn told(going: &[Going]) -> Vec<(usize, u16, i32, bool)> {
        let one = |it: &Going| (it.field, it.contestant.get(), it.vp.0, it.replaces);
        going.iter().map(one).collect()
    }

    #[test]
    fn the_next_of_the_same_field_comes_in_with_nothing_and_the_others_keep_what_they_bring() {
        let fields = [field(&[90, 80, 70, 60]), field(&[50, 40, 30, 20])];
        let number = |it| ContestantNumber::new(it).expect("a number");
        let mut passed = PassedOver::new();
        let all = going_on(&fields, taking(2, Carried::OpenPairs), &passed);
        let all = all.expect("four");
        assert_eq!(
            told(&all),
            [
                (0, 1, 1_000, false),
                (1, 1, 1_000, false),
                (0, 2, 800, false),
                (1, 2, 800, false)
            ]
        );
        passed.insert((0, number(1)), Passed::Withdrawn);
        passed.insert((1, number(1)), Passed::NotContending);
        let now = going_on(&fields, taking(2, Carried::OpenPairs), &passed).expect("four");
        assert_eq!(
            told(&now),
            [
                (0, 2, 800, false),
                (1, 2, 1_000, false),
                (0, 3, 0, true),
                (1, 3, 800, false)
            ]
        );
    }

    #[test]
    fn a_plate_takes_whom_the_first_places_leave_and_a_shared_edge_goes_nowhere() {
        let fields = [field(&[90, 80, 70, 60, 50, 40])];
        let plate = Taking {
            first: 4,
            ..taking(3, Carried::All)
        };
        let none = PassedOver::new();
        let all = going_on(&fields, plate, &none).expect("three");
        assert_eq!(
            told(&all),
            [(0, 4, 60, false), (0, 5, 50, false), (0, 6, 40, false)]
        );
        let mut shared = fields.clone();
        shared[0][3].place = 3;
        let no = going_on(&shared, plate, &none);
        assert_eq!(no, Err(CannotTake::Shared { place: 3 }));
        let no = going_on(&fields, taking(7, Carried::All), &none);
        assert_eq!(no, Err(CannotTake::TooFew { there: 6 }));
        let merged = Taking {
            each_field: false,
            ..taking(3, Carried::Nothing)
        };
        let two = [field(&[90, 20]), field(&[50, 40])];
        let best = going_on(&two, merged, &none).expect("three");
        let who: Vec<_> = best
            .iter()
            .map(|it| (it.field, it.contestant.get()))
            .collect();
        assert_eq!(who, [(0, 1), (1, 1), (1, 2)]);
    }
}
