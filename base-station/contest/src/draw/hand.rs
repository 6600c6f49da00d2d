//! A draw that the director makes: checked, not changed.

use std::collections::BTreeSet;

use protocol::words::TableNumber;

use super::{Draw, Drawn, Entrant, Field, Found, Pairing, Wish};
use crate::{ContestantNumber, Refused};

/// Matches as the director wrote them down, home first, table 1 first. Everybody has to be in one
/// match, or have the bye.
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
    let tables = (1..=u16::MAX).filter_map(TableNumber::new);
    for (&(home, away), table) in matches.iter().zip(tables) {
        let (one, other) = (place(home)?, place(away)?);
        found.pairs.push((one, other));
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
