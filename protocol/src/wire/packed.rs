//! What became of a board, in one to four bytes.
//!
//! The three lowest bits say what it is; the rest follows from the lowest bit up, little-endian,
//! and every bit that is left over is zero.

use crate::words::{
    BoardResult, Card, Contract, Doubling, Level, Percentage, Played, Seat, Strain, Tricks,
};

use super::MessageBytes;

const PLAYED: u32 = 0;
const PLAYED_WITH_LEAD: u32 = 1;
const PASSED_OUT: u32 = 2;
const NOT_PLAYED: u32 = 3;
const SIT_OUT: u32 = 4;
const ADJUSTED: u32 = 5;
const NOTHING: u32 = 7;

/// Appends a result; `None` stands for a result that was taken away.
pub(super) fn push_result(bytes: &mut MessageBytes, result: Option<BoardResult>) -> Option<()> {
    let (bits, length) = match result {
        Some(BoardResult::Played(played)) => (played_bits(played), 3),
        Some(BoardResult::PassedOut) => (PASSED_OUT, 1),
        Some(BoardResult::NotPlayed) => (NOT_PLAYED, 1),
        Some(BoardResult::SitOut) => (SIT_OUT, 1),
        Some(BoardResult::Adjusted { ns, ew }) => (
            ADJUSTED | u32::from(ns.get()) << 3 | u32::from(ew.get()) << 17,
            4,
        ),
        None => (NOTHING, 1),
    };
    bytes
        .extend_from_slice(bits.to_le_bytes().get(..length)?)
        .ok()
}

/// What stands where a result can stand.
pub(super) enum Line {
    /// A result.
    Result(BoardResult),
    /// One was taken away.
    Nothing,
}

/// How many bytes a result has that begins with this one.
pub(super) fn length(first: u8) -> Option<usize> {
    match u32::from(first) & 7 {
        PLAYED | PLAYED_WITH_LEAD => Some(3),
        PASSED_OUT | NOT_PLAYED | SIT_OUT | NOTHING => Some(1),
        ADJUSTED => Some(4),
        _ => None,
    }
}

/// Reads what fills `bytes`.
pub(super) fn line(bytes: &[u8]) -> Option<Line> {
    let mut word = [0; 4];
    word.get_mut(..bytes.len())?.copy_from_slice(bytes);
    let bits = u32::from_le_bytes(word);
    let result = match (bits & 7, bytes.len()) {
        (PLAYED | PLAYED_WITH_LEAD, 3) => BoardResult::Played(played(bits)?),
        (PASSED_OUT, 1) => BoardResult::PassedOut,
        (NOT_PLAYED, 1) => BoardResult::NotPlayed,
        (SIT_OUT, 1) => BoardResult::SitOut,
        (ADJUSTED, 4) => BoardResult::Adjusted {
            ns: Percentage::new((bits >> 3 & 0x3FFF) as u16)?,
            ew: Percentage::new((bits >> 17 & 0x3FFF) as u16)?,
        },
        (NOTHING, 1) if bits == NOTHING => return Some(Line::Nothing),
        _ => return None,
    };
    // One encoding for each result: whatever is left over must be zero.
    let mut again = MessageBytes::new();
    push_result(&mut again, Some(result))?;
    (again == *bytes).then_some(Line::Result(result))
}

fn played_bits(played: Played) -> u32 {
    let Played {
        contract,
        tricks,
        lead,
    } = played;
    let kind = match lead {
        None => PLAYED,
        Some(_) => PLAYED_WITH_LEAD,
    };
    kind | u32::from(contract.level.get()) << 3
        | (contract.strain as u32) << 6
        | (contract.doubling as u32) << 9
        | u32::from(contract.declarer.index()) << 11
        | u32::from(tricks.get()) << 13
        | u32::from(lead.map_or(0, Card::index)) << 17
}

fn played(bits: u32) -> Option<Played> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "no field is wider than six bits"
    )]
    let field = |shift: u32, width: u32| (bits >> shift & ((1 << width) - 1)) as u8;
    Some(Played {
        contract: Contract {
            level: Level::new(field(3, 3))?,
            strain: *Strain::ALL.get(usize::from(field(6, 3)))?,
            doubling: match field(9, 2) {
                0 => Doubling::Undoubled,
                1 => Doubling::Doubled,
                2 => Doubling::Redoubled,
                _ => return None,
            },
            declarer: Seat::from_index(field(11, 2)),
        },
        tricks: Tricks::new(field(13, 4))?,
        lead: match bits & 7 {
            PLAYED_WITH_LEAD => Some(Card::from_index(field(17, 6))?),
            _ => None,
        },
    })
}
