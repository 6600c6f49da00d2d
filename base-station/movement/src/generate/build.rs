//! What all generators build with: numbers counted from 1, sets of boards, rounds table by table.

use protocol::words::{BoardNumber, PairNumber, RoundNumber, TableNumber};

use crate::{BoardSet, Family, Kind, Layout, Lists, Movement, Refused, Round, Seating};

/// A bye-stand, a room and a patience: more rounds than this nobody plays in a session.
pub(crate) const ROUNDS_MAX: u16 = RoundNumber::MAX.get() as u16;

/// A pair by its number from 1.
pub(crate) fn pair(number: u16) -> Option<PairNumber> {
    PairNumber::new(number)
}

/// A table by its number from 1; generators never ask for table 0.
pub(crate) fn table(number: u16) -> TableNumber {
    TableNumber::new(number).unwrap_or(TableNumber::MIN)
}

/// A round by its number from 1, at most 99 (generators refuse longer movements).
pub(crate) fn round(number: u16) -> RoundNumber {
    u8::try_from(number)
        .ok()
        .and_then(RoundNumber::new)
        .unwrap_or(RoundNumber::MAX)
}

/// `number` counted from 1 around a circle of `size`: 0 is `size`, `size + 1` is 1.
pub(crate) fn around(number: i32, size: u16) -> u16 {
    let place = (number - 1).rem_euclid(i32::from(size));
    u16::try_from(place).unwrap_or(0) + 1
}

/// The boards of the `set`-th set (from 1) when every set has `per_round` boards.
pub(crate) fn boards_of_set(set: u16, per_round: u8) -> BoardSet {
    let per_round = u16::from(per_round);
    let first = (set - 1) * per_round + 1;
    BoardSet::new(
        (first..first + per_round)
            .filter_map(|board| u8::try_from(board).ok())
            .filter_map(BoardNumber::new)
            .collect(),
    )
}

/// Who sits at a table and which set lies there, all counted from 1.
pub(crate) struct Spot {
    /// North-South.
    pub(crate) ns: u16,
    /// East-West.
    pub(crate) ew: u16,
    /// The set of boards.
    pub(crate) set: u16,
    /// The copy of the set.
    pub(crate) copy: u8,
}

/// Writes out every round of a movement from a rule `(round, table) -> spot`.
pub(crate) fn write_rounds(
    rounds: u16,
    tables: u16,
    per_round: u8,
    rule: impl Fn(u16, u16) -> Spot,
) -> Vec<Round> {
    (1..=rounds)
        .map(|round| Round {
            seatings: (1..=tables)
                .map(|table| {
                    let spot = rule(round, table);
                    Seating {
                        ns: pair(spot.ns),
                        ew: pair(spot.ew),
                        boards: boards_of_set(spot.set, per_round),
                        copy: spot.copy,
                    }
                })
                .collect(),
        })
        .collect()
}

/// A movement without furniture or notes.
pub(crate) fn plain(name: String, family: Family, lists: Lists, rounds: Vec<Round>) -> Movement {
    Movement {
        name,
        family,
        lists,
        rounds,
        layout: Layout::default(),
        special: None,
        notes: Vec::new(),
    }
}

/// `9 tables, 27 boards, 9 rounds of 3`.
pub(crate) fn size(tables: u16, sets: u16, rounds: u16, per_round: u8) -> String {
    format!(
        "{tables} tables, {} boards, {rounds} rounds of {per_round}",
        sets * u16::from(per_round)
    )
}

/// The boards a round when `boards` are cut into `sets`; both the count and the sets must fit.
pub(crate) fn per_round_of(boards: u16, sets: u16, kind: Kind) -> Result<u8, Refused> {
    let nearest = (boards + sets / 2) / sets;
    if boards.is_multiple_of(sets)
        && let Ok(per_round) = u8::try_from(boards / sets)
        && per_round > 0
    {
        return Ok(per_round);
    }
    let per_round = nearest.max(1);
    Err(Refused::UnequalSets {
        kind,
        sets,
        boards,
        instead: per_round * sets,
        per_round,
    })
}
