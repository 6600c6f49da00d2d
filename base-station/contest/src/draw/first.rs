//! The first round, before there is a standing; and the seeded start over two rounds.

use serde::{Deserialize, Serialize};

use super::{Drawn, Entrant, Field, Found, OddField, Wish, odd};
use crate::Refused;

/// How the first round is drawn. Seeds are the contestants' places, 1 the strongest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FirstRound {
    /// By lot.
    #[default]
    Random,
    /// The top half against the bottom half: 1 against the first of the lower half.
    Halves,
    /// The top and the bottom quarter against the two middle ones, by lot.
    Quarters,
    /// Two rounds fixed by seeding, in which everybody's opponents are equally strong together;
    /// where the field can't be divided by four the middle six play among themselves.
    SeededStart,
}

/// The two rounds of the pool of six: over both, opponents' seeds add up as evenly as six allow.
const POOL: [[(usize, usize); 3]; 2] = [[(0, 2), (1, 4), (3, 5)], [(0, 5), (1, 3), (2, 4)]];

/// Draws the first round, or the second of a seeded start.
pub fn first_round(entrants: &[Entrant], way: FirstRound, wish: &Wish) -> Result<Drawn, Refused> {
    let mut field = Field::new(entrants, wish)?;
    // Scores are all the same: seeds decide, then numbers.
    field.ranked.sort_by_key(|it| (it.place, it.number));
    let mut playing: Vec<usize> = (0..field.len()).collect();
    let mut found = Found::default();
    let mut triangle = None;
    if !playing.len().is_multiple_of(2) {
        match wish.odd {
            OddField::Ask => {
                return Err(Refused::OddField { size: field.len() });
            }
            OddField::Bye => {
                let byes = |it: &usize| field.ranked[*it].byes;
                let lowest = match way {
                    FirstRound::Random => {
                        let lot = field.lot.below(playing.len());
                        playing.get(lot).copied()
                    }
                    _ => playing.iter().rev().copied().min_by_key(byes),
                };
                found.bye = lowest;
                playing.retain(|&it| Some(it) != lowest);
            }
            OddField::Triangle | OddField::ShortTriangle => {
                let three = odd::triangle(&field)?;
                playing.retain(|it| !three.contains(it));
                triangle = Some(three);
            }
        }
    }
    found.pairs = match way {
        FirstRound::Random => {
            field.lot.shuffle(&mut playing);
            paired(&playing)
        }
        FirstRound::Halves => {
            let (top, bottom) = playing.split_at(playing.len() / 2);
            top.iter().copied().zip(bottom.iter().copied()).collect()
        }
        FirstRound::Quarters => quarters(&mut field, &playing),
        FirstRound::SeededStart => seeded(&playing, wish.round)?,
    };
    if let Some(&(one, other)) = found
        .pairs
        .iter()
        .find(|(one, other)| field.forbidden(*one, *other))
    {
        // A chart can't give way: the closest draw can.
        return Err(Refused::MayNotMeet {
            one: field.ranked[one].number,
            other: field.ranked[other].number,
        });
    }
    Ok(field.told(&found, triangle))
}

fn paired(order: &[usize]) -> Vec<(usize, usize)> {
    order
        .chunks_exact(2)
        .map(|two| (two[0].min(two[1]), two[0].max(two[1])))
        .collect()
}

fn quarters(field: &mut Field<'_>, playing: &[usize]) -> Vec<(usize, usize)> {
    let outer = playing.len() / 2;
    let top = outer.div_ceil(2);
    let middle_from = top;
    let middle_to = top + playing.len() / 2;
    let mut middle = playing[middle_from..middle_to].to_vec();
    field.lot.shuffle(&mut middle);
    let outer = playing[..top].iter().chain(&playing[middle_to..]);
    outer
        .zip(middle)
        .map(|(&one, other)| (one.min(other), one.max(other)))
        .collect()
}

fn seeded(playing: &[usize], round: u16) -> Result<Vec<(usize, usize)>, Refused> {
    let size = playing.len();
    if !(1..=2).contains(&round) {
        return Err(Refused::SeededStartOver);
    }
    let pool = if size.is_multiple_of(4) { 0 } else { 6 };
    if size < pool + 4 && size != 6 {
        return Err(Refused::TooFewForSeededStart { size });
    }
    let half = (size - pool) / 2;
    let (upper, rest) = playing.split_at(half);
    let (middle, lower) = rest.split_at(pool);
    let mut pairs = Vec::with_capacity(size / 2);
    if round == 1 {
        pairs.extend(upper.iter().copied().zip(lower.iter().copied()));
    } else {
        for part in [upper, lower] {
            let best = part.iter().take(part.len() / 2);
            let worst = part.iter().rev();
            pairs.extend(best.copied().zip(worst.copied()));
        }
    }
    let six = POOL[usize::from(round - 1)];
    if !middle.is_empty() {
        pairs.extend(six.map(|(one, other)| (middle[one], middle[other])));
    }
    Ok(pairs)
}
