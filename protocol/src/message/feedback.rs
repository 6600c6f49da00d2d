//! What a pad shows of other tables. Every number in it comes from the base.

use heapless::Vec;
use serde::{Deserialize, Serialize};

use super::Name;
use crate::words::{
    BoardNumber, Contract, Deal, Hand, PairNumber, Percentage, Score, Seat, Side, Strain, Tricks,
};
use crate::words::{Card, Refusal};

/// Lines of a traveller on a pad; equal scores share a line, so this is different scores.
pub const TRAVELLER_LINES_MAX: usize = 40;

/// Lines of a ranking on a pad: the leaders and the two pairs at the table.
pub const RANKING_LINES_MAX: usize = 12;

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Feedback {
    /// All results of a board so far, best for North-South first.
    Traveller {
        /// Which board.
        board: BoardNumber,
        /// Best for North-South first.
        lines: Vec<TravellerLine, TRAVELLER_LINES_MAX>,
    },
    /// The cards.
    HandRecord(HandRecord),
    /// The standing.
    Ranking {
        /// The leaders and the pairs at this table.
        lines: Vec<RankingLine, RANKING_LINES_MAX>,
    },
}

/// One score of a traveller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TravellerLine {
    /// From North-South's view.
    pub score: Score,
    /// At how many tables.
    pub times: u8,
    /// North-South's percentage; `None` where there is nothing to compare it with.
    #[serde(with = "or_none")]
    pub ns_percentage: Option<Percentage>,
    /// This table's own result is one of them.
    pub own: bool,
    /// The contract and tricks, where one table alone has this score.
    pub played: Option<(Contract, Tricks)>,
}

/// A percentage, or a number above all percentages that is as short on the air.
mod or_none {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::words::Percentage;

    /// The largest number of two varint bytes.
    const NONE: u16 = 0x3FFF;

    #[expect(
        clippy::ref_option,
        clippy::trivially_copy_pass_by_ref,
        reason = "serde asks for it"
    )]
    pub(super) fn serialize<S: Serializer>(
        percentage: &Option<Percentage>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        percentage
            .map_or(NONE, Percentage::get)
            .serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Percentage>, D::Error> {
        match u16::deserialize(deserializer)? {
            NONE => Ok(None),
            number => Percentage::try_from(number)
                .map(Some)
                .map_err(serde::de::Error::custom),
        }
    }
}

/// The cards of a board, and what they were worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandRecord {
    /// Which board.
    pub board: BoardNumber,
    /// All 52 cards.
    pub deal: PackedDeal,
    /// Double-dummy tricks, where known.
    pub tricks: Option<TricksTable>,
    /// The optimum, where known.
    pub par: Option<Par>,
}

/// The best result for both sides against best opposition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Par {
    /// From North-South's view.
    pub score: Score,
    /// One contract that gives it; `None` where the board is passed out or only the score is known.
    pub contract: Option<Contract>,
}

/// Double-dummy tricks by declarer (North clockwise) and strain (clubs to no-trump), a nibble each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TricksTable(pub [u8; 10]);

impl TricksTable {
    /// Fills the table.
    pub fn from_fn(mut tricks: impl FnMut(Seat, Strain) -> Tricks) -> Self {
        let mut nibbles = [0; 10];
        for seat in Seat::ALL {
            for strain in Strain::ALL {
                let at = usize::from(seat.index()) * 5 + strain as usize;
                if let Some(byte) = nibbles.get_mut(at / 2) {
                    *byte |= tricks(seat, strain).get() << (at % 2 * 4);
                }
            }
        }
        Self(nibbles)
    }

    /// What this declarer takes in this strain; `None` if the nibble is not a number of tricks.
    pub fn get(&self, declarer: Seat, strain: Strain) -> Option<Tricks> {
        let at = usize::from(declarer.index()) * 5 + strain as usize;
        self.0
            .get(at / 2)
            .and_then(|byte| Tricks::new(byte >> (at % 2 * 4) & 15))
    }
}

/// A deal in thirteen bytes: two bits a card, from the two of clubs up, for the seat that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackedDeal(pub [u8; 13]);

impl From<&Deal> for PackedDeal {
    fn from(deal: &Deal) -> Self {
        let mut packed = [0; 13];
        for index in 0..52 {
            if let (Some(card), Some(byte)) = (
                Card::from_index(index),
                packed.get_mut(usize::from(index / 4)),
            ) {
                *byte |= deal.holder(card).index() << (index % 4 * 2);
            }
        }
        Self(packed)
    }
}

impl TryFrom<PackedDeal> for Deal {
    type Error = Refusal;

    fn try_from(packed: PackedDeal) -> Result<Self, Refusal> {
        let mut hands = [Hand::EMPTY; 4];
        for index in 0..52_u8 {
            let byte = packed
                .0
                .get(usize::from(index / 4))
                .copied()
                .unwrap_or_default();
            let seat = byte >> (index % 4 * 2) & 3;
            if let (Some(card), Some(hand)) =
                (Card::from_index(index), hands.get_mut(usize::from(seat)))
            {
                hand.insert(card);
            }
        }
        Self::try_from(hands)
    }
}

/// One line of the standing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankingLine {
    /// Place; equal places share the number.
    pub rank: u16,
    /// The pair.
    pub pair: PairNumber,
    /// Its direction in a two-winner movement.
    pub side: Option<Side>,
    /// What it has so far.
    pub percentage: Percentage,
    /// The pair's name, cut to fit.
    pub name: Name,
}
