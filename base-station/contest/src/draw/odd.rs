//! Three who play each other, where the field is odd.

use super::Field;
use crate::Refused;

/// How many of the lowest are looked at: three of them are close in any field.
const LOWEST: usize = 12;

/// Three of similar score from the foot of the field, never from its top half: who have not met
/// each other and have not been in a triangle, as far as that can be had.
pub(super) fn triangle(field: &Field<'_>) -> Result<[usize; 3], Refused> {
    let size = field.len();
    // The middle one of an odd field belongs to the top half, unless three would be too many.
    let top = size.div_ceil(2).min(size.saturating_sub(3));
    let from = top.max(size.saturating_sub(LOWEST));
    let mut best = None;
    for lowest in (from..size).rev() {
        for middle in (from..lowest).rev() {
            for highest in (from..middle).rev() {
                let three = [highest, middle, lowest];
                let cost = cost(field, three);
                if best.is_none_or(|(least, _)| cost < least) {
                    best = Some((cost, three));
                }
            }
        }
    }
    best.map(|(_, three)| three)
        .ok_or(Refused::TriangleNeedsThree)
}

/// Forbidden, met, been in one before, places given up at the foot, spread.
fn cost(field: &Field<'_>, three: [usize; 3]) -> (usize, usize, u16, usize, i64) {
    let [one, two, three] = three;
    let pairs = [(one, two), (one, three), (two, three)];
    let count = |is: &dyn Fn(usize, usize) -> bool| {
        let counted = pairs.iter().filter(|(one, other)| is(*one, *other));
        counted.count()
    };
    let again = [one, two, three].map(|it| field.ranked[it].triangles);
    let lowest = field.len() * 3 - 6;
    (
        count(&|one, other| field.forbidden(one, other)),
        count(&|one, other| field.met(one, other).is_some()),
        again.iter().sum(),
        lowest.saturating_sub(one + two + three),
        field.difference(one, three),
    )
}
