//! A draw that the director makes, or a chart: checked, not changed.

use std::collections::BTreeSet;

use super::{Draw, Drawn, Entrant, Field, Found, Pairing, Wish};
use crate::{ContestantNumber, Refused};

/// Matches as the director wrote them down, home first, table 1 first, but who can't move keeps the
/// table. Everybody has to be in one match, or have the bye.
pub fn by_hand(
    entrants: &[Entrant],
    matches: &[(ContestantNumber, ContestantNumber)],
    bye: Option<ContestantNumber>,
    wish: &Wish,
) -> Result<Drawn, Refused> {
    let field = Field::new(entrants, wish)?;
    let place = |number: ContestantNumber| {
        let found = field.ranked.iter().position(|it| it.number == number);
        found.ok_or(Refused::NoSuchContestant { contestant: number })
    };
    let mut seen = BTreeSet::new();
    let named = matches.iter().flat_map(|&(home, away)| [home, away]);
    for number in named.chain(bye) {
        place(number)?;
        if !seen.insert(number) {
            return Err(Refused::TwoMatches { contestant: number });
        }
    }
    if let Some(left) = entrants.iter().find(|it| !seen.contains(&it.number)) {
        return Err(Refused::LeftOut {
            contestant: left.number,
        });
    }
    let mut found = Found {
        pairs: Vec::new(),
        bye: bye.map(place).transpose()?,
    };
    let mut draw = Draw {
        bye,
        ..Draw::default()
    };
    for &(home, away) in matches {
        found.pairs.push((place(home)?, place(away)?));
    }
    let tables = field.tables(&found.pairs);
    let pairs = matches.iter().zip(&found.pairs);
    for ((&(home, away), &(one, other)), table) in pairs.zip(tables) {
        draw.matches.push(Pairing {
            table,
            home,
            away,
            rematch: field.met(one, other).is_some(),
            first_board: None,
        });
    }
    Ok(field.explained(draw, &found, None))
}
