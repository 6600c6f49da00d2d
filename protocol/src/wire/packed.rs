//! What became of a board, in one to four bytes.
//!
//! The three lowest bits say what it is; the rest follows from the lowest bit up, little-endian,
//! and every bit that is left over is zero.

use crate::words::{
    Award, BoardResult, Card, Contract, Doubling, Level, Outcome, Percentage, Played, Score, Seat,
    Strain, Tricks,
};

use super::MessageBytes;

const PLAYED: u32 = 0;
const PLAYED_WITH_LEAD: u32 = 1;
const PASSED_OUT: u32 = 2;
const NOT_PLAYED: u32 = 3;
const SIT_OUT: u32 = 4;
const ADJUSTED: u32 = 5;
const AWARDED: u32 = 6;
const NOTHING: u32 = 7;

/// An award has 14 bits: percentages stand for themselves, scores in tens lie around this number,
/// and the words come last.
const SCORE_ZERO: i16 = 12_000;
const SCORE_TENS_MAX: i16 = 760;
const WEIGHTED: u16 = 16_379;
const AVERAGE_MINUS: u16 = 16_380;
const AVERAGE: u16 = 16_381;
const AVERAGE_PLUS: u16 = 16_382;

/// Appends what stands on a line; `None` stands for a result that was taken away. Nothing is
/// appended for a score that can't be: no contract gives it.
pub(super) fn push_outcome(bytes: &mut MessageBytes, outcome: Option<Outcome>) -> Option<()> {
    let both = |kind, ns: u16, ew: u16| (kind | u32::from(ns) << 3 | u32::from(ew) << 17, 4);
    let (bits, length) = match outcome {
        Some(Outcome::Result(result)) => match result {
            BoardResult::Played(played) => (played_bits(played), 3),
            BoardResult::PassedOut => (PASSED_OUT, 1),
            BoardResult::NotPlayed => (NOT_PLAYED, 1),
            BoardResult::SitOut => (SIT_OUT, 1),
            BoardResult::Adjusted { ns, ew } => both(ADJUSTED, ns.get(), ew.get()),
        },
        Some(Outcome::Awarded { ns, ew }) => both(AWARDED, award_bits(ns)?, award_bits(ew)?),
        None => (NOTHING, 1),
    };
    bytes
        .extend_from_slice(bits.to_le_bytes().get(..length)?)
        .ok()
}

/// What stands where a result can stand.
pub(super) enum Line {
    /// A result, or what the director gave in its place.
    Outcome(Outcome),
    /// One was taken away.
    Nothing,
}

/// How many bytes a result has that begins with this one.
pub(super) fn length(first: u8) -> Option<usize> {
    match u32::from(first) & 7 {
        PLAYED | PLAYED_WITH_LEAD => Some(3),
        PASSED_OUT | NOT_PLAYED | SIT_OUT | NOTHING => Some(1),
        ADJUSTED | AWARDED => Some(4),
        _ => None,
    }
}

/// Reads what fills `bytes`.
pub(super) fn line(bytes: &[u8]) -> Option<Line> {
    let mut word = [0; 4];
    word.get_mut(..bytes.len())?.copy_from_slice(bytes);
    let bits = u32::from_le_bytes(word);
    let (ns, ew) = ((bits >> 3 & 0x3FFF) as u16, (bits >> 17 & 0x3FFF) as u16);
    let outcome = match (bits & 7, bytes.len()) {
        (PLAYED | PLAYED_WITH_LEAD, 3) => Outcome::Result(BoardResult::Played(played(bits)?)),
        (PASSED_OUT, 1) => Outcome::Result(BoardResult::PassedOut),
        (NOT_PLAYED, 1) => Outcome::Result(BoardResult::NotPlayed),
        (SIT_OUT, 1) => Outcome::Result(BoardResult::SitOut),
        (ADJUSTED, 4) => Outcome::Result(BoardResult::Adjusted {
            ns: Percentage::new(ns)?,
            ew: Percentage::new(ew)?,
        }),
        (AWARDED, 4) => Outcome::Awarded {
            ns: award(ns)?,
            ew: award(ew)?,
        },
        (NOTHING, 1) if bits == NOTHING => return Some(Line::Nothing),
        _ => return None,
    };
    // One encoding for each result: whatever is left over must be zero.
    let mut again = MessageBytes::new();
    push_outcome(&mut again, Some(outcome))?;
    (again == *bytes).then_some(Line::Outcome(outcome))
}

fn award_bits(award: Award) -> Option<u16> {
    Some(match award {
        Award::Percentage(share) => share.get(),
        Award::AveragePlus => AVERAGE_PLUS,
        Award::Average => AVERAGE,
        Award::AverageMinus => AVERAGE_MINUS,
        Award::Weighted => WEIGHTED,
        Award::Score(Score(score)) => {
            let tens = score / 10;
            let possible = score % 10 == 0 && tens.unsigned_abs() <= SCORE_TENS_MAX.unsigned_abs();
            u16::try_from(SCORE_ZERO + tens).ok().filter(|_| possible)?
        }
    })
}

fn award(bits: u16) -> Option<Award> {
    Some(match bits {
        AVERAGE_PLUS => Award::AveragePlus,
        AVERAGE => Award::Average,
        AVERAGE_MINUS => Award::AverageMinus,
        WEIGHTED => Award::Weighted,
        _ => {
            if let Some(share) = Percentage::new(bits) {
                return Some(Award::Percentage(share));
            }
            let tens = i16::try_from(bits).ok()?.checked_sub(SCORE_ZERO)?;
            let possible = tens.unsigned_abs() <= SCORE_TENS_MAX.unsigned_abs();
            Award::Score(Score(tens.checked_mul(10).filter(|_| possible)?))
        }
    })
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
