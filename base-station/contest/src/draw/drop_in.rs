//! Losers of a knock-out who drop into a running Swiss.

use super::{Drawn, Entrant, Field, Wish, cost};
use crate::{ContestantNumber, Refused};

/// The k-th of the Swiss against the k-th of those who drop in (GNOT 2012); whoever is left over is
/// drawn by standing. `dropping` is in the order of their knock-out.
pub fn with_drop_ins(
    entrants: &[Entrant],
    dropping: &[ContestantNumber],
    wish: &Wish,
) -> Result<Drawn, Refused> {
    let field = Field::new(entrants, wish)?;
    let place = |number: &ContestantNumber| {
        let found = field.ranked.iter().position(|it| it.number == *number);
        found.ok_or(Refused::NoSuchContestant {
            contestant: *number,
        })
    };
    let dropping: Vec<usize> = dropping.iter().map(place).collect::<Result<_, _>>()?;
    let swiss: Vec<usize> = (0..field.len())
        .filter(|it| !dropping.contains(it))
        .collect();
    let both = swiss.len().min(dropping.len());
    let mut left: Vec<usize> = swiss.iter().chain(&dropping).copied().collect();
    let met = swiss.iter().zip(&dropping);
    let pairs: Vec<(usize, usize)> = met
        .map(|(&one, &other)| (one.min(other), one.max(other)))
        .collect();
    left.retain(|it| !swiss[..both].contains(it) && !dropping[..both].contains(it));
    left.sort_unstable();
    let mut found = cost::closest(&field, &left)?;
    found.pairs.extend(pairs);
    Ok(field.told(&found, None))
}
