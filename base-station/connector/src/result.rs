//! Results of boards: what the wire can say, in the words of the game.
//!
//! It knows contracts, passes, averages of 40, 50 and 60%, and boards that were not played. It
//! knows no other percentage, no assigned, split or weighted score.

use protocol::words::{
    Contract, Doubling, Level, OpeningLead, Percentage, Played, Rank, Seat, Side, Strain, Suit,
    Tricks,
};

use crate::Fault;
use crate::data::BoardScore;

/// What the wire can say of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A contract was played.
    Played(Played),
    /// Nobody bid.
    PassedOut,
    /// The director gave averages.
    Averages {
        /// To North-South.
        ns: Average,
        /// To East-West.
        ew: Average,
    },
    /// Not played.
    NotPlayed,
}

/// What one side is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Average {
    /// 40%.
    Minus,
    /// 50%.
    Even,
    /// 60%.
    Plus,
}

impl Average {
    const ALL: [Self; 3] = [Self::Minus, Self::Even, Self::Plus];

    /// The average that is this percentage.
    pub fn of(percent: Percentage) -> Option<Self> {
        match percent.get() {
            4_000 => Some(Self::Minus),
            5_000 => Some(Self::Even),
            6_000 => Some(Self::Plus),
            _ => None,
        }
    }
}

/// Who sat there, by number, and whether they sat the other way round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairs {
    /// North-South by the movement.
    pub ns: u16,
    /// East-West by the movement.
    pub ew: u16,
    /// They had exchanged their chairs.
    pub switched: bool,
}

const NOT_PLAYED: i64 = -10;

/// Both sides' score in one number, the only thing that is sent today.
const BOTH_SIDES: i64 = 3;

/// Writes what became of a board into a score that has its place already. `outcome` is as the
/// chairs have it: North-South is whoever sat there.
pub fn write(score: &mut BoardScore, outcome: Option<Outcome>, pairs: Pairs) {
    score.scoring_direction = BOTH_SIDES;
    score.pair_north_south = pairs.ns.into();
    score.pair_east_west = pairs.ew.into();
    score.declaring_pair = pairs.ns.into();
    match outcome {
        None => score.is_deleted = true,
        Some(Outcome::PassedOut) => score.level = 0,
        Some(Outcome::NotPlayed) => score.level = NOT_PLAYED,
        Some(Outcome::Averages { ns, ew }) => {
            let (ns, ew) = if pairs.switched { (ew, ns) } else { (ns, ew) };
            score.level = -1 - 3 * i64::from(ns as u8) - i64::from(ew as u8);
        }
        Some(Outcome::Played(played)) => {
            let contract = played.contract;
            let declared_by_ns = (contract.declarer.side() == Side::NorthSouth) != pairs.switched;
            let declaring = if declared_by_ns { pairs.ns } else { pairs.ew };
            score.declaring_pair = declaring.into();
            score.declarer_direction = i64::from(contract.declarer.index()) + 1;
            score.level = contract.level.get().into();
            score.denomination = contract.strain as i64 + 1;
            score.stake = contract.doubling as i64;
            score.total_tricks = played.tricks.get().into();
            if let Some(lead) = played.lead {
                score.lead_card_rank = lead.rank.get().into();
                score.lead_card_suit = lead.suit as i64 + 1;
            }
        }
    }
}

/// Reads what became of a board, as the chairs have it, and whether the pairs had exchanged them;
/// `None` where there is no result any more.
pub fn read(score: &BoardScore) -> Result<(Option<Outcome>, bool), Fault> {
    if score.is_deleted {
        return Ok((None, false));
    }
    if !(1..=BOTH_SIDES).contains(&score.scoring_direction) && score.level >= 1 {
        return Err(wrong(score, "ScoringDirection", "1 to 3"));
    }
    if score.scoring_direction != BOTH_SIDES && score.level > 0 {
        let place = place(score);
        return Err(Fault::not_here(format!(
            "{place}: a score for one side only can't be taken; give it on the page of Byestand"
        )));
    }
    let outcome = match score.level {
        0 => Outcome::PassedOut,
        NOT_PLAYED => Outcome::NotPlayed,
        -9..=-1 => {
            let at = usize::try_from(-1 - score.level).unwrap_or_default();
            let averages = (Average::ALL.get(at / 3), Average::ALL.get(at % 3));
            let (Some(own), Some(other)) = averages else {
                return Err(wrong(score, "Level", "-10 to 7"));
            };
            // The direction comes first; both directions are North-South.
            let (ns, ew) = if score.scoring_direction == 2 {
                (*other, *own)
            } else {
                (*own, *other)
            };
            return Ok((Some(Outcome::Averages { ns, ew }), false));
        }
        level => Outcome::Played(played(score, level)?),
    };
    let switched = match outcome {
        Outcome::Played(played) => {
            let (by, against) = match played.contract.declarer.side() {
                Side::NorthSouth => (score.pair_north_south, score.pair_east_west),
                Side::EastWest => (score.pair_east_west, score.pair_north_south),
            };
            if score.declaring_pair != by && score.declaring_pair != against {
                return Err(wrong(score, "DeclaringPair", "one of the two pairs"));
            }
            score.declaring_pair != by
        }
        Outcome::PassedOut | Outcome::Averages { .. } | Outcome::NotPlayed => false,
    };
    Ok((Some(outcome), switched))
}

fn played(score: &BoardScore, level: i64) -> Result<Played, Fault> {
    let level = u8::try_from(level).ok().and_then(Level::new);
    let level = level.ok_or_else(|| wrong(score, "Level", "-10 to 7"))?;
    let strain = nth(&Strain::ALL, score.denomination);
    let strain = strain.ok_or_else(|| wrong(score, "Denomination", "1 to 5"))?;
    let declarer = nth(&Seat::ALL, score.declarer_direction);
    let declarer = declarer.ok_or_else(|| wrong(score, "DeclarerDirection", "1 to 4"))?;
    let doubling = match score.stake {
        0 => Doubling::Undoubled,
        1 => Doubling::Doubled,
        2 => Doubling::Redoubled,
        _ => return Err(wrong(score, "Stake", "0 to 2")),
    };
    let tricks = u8::try_from(score.total_tricks).ok().and_then(Tricks::new);
    let tricks = tricks.ok_or_else(|| wrong(score, "TotalTricks", "0 to 13"))?;
    let lead = if score.lead_card_rank == 0 {
        None
    } else {
        let rank = u8::try_from(score.lead_card_rank).ok().and_then(Rank::new);
        let rank = rank.ok_or_else(|| wrong(score, "LeadCardRank", "2 to 14"))?;
        let suit = nth(&Suit::ALL, score.lead_card_suit);
        let suit = suit.ok_or_else(|| wrong(score, "LeadCardSuit", "1 to 4"))?;
        Some(OpeningLead { suit, rank })
    };
    let contract = Contract {
        level,
        strain,
        doubling,
        declarer,
    };
    Ok(Played {
        contract,
        tricks,
        lead,
    })
}

/// The one with this number, counted from 1.
fn nth<T: Copy>(all: &[T], number: i64) -> Option<T> {
    let at = usize::try_from(number).ok()?.checked_sub(1)?;
    all.get(at).copied()
}

/// Where a score belongs, in words.
pub fn place(score: &BoardScore) -> String {
    format!(
        "table {}{} round {} board {}",
        score.section_letters, score.table_number, score.round_number, score.board_number
    )
}

fn wrong(score: &BoardScore, field: &str, expected: &str) -> Fault {
    Fault::invalid(format!("{}: {field} must be {expected}", place(score)))
}
