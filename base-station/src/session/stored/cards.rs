//! The cards of a board.

use protocol::message::{HandRecord, PackedDeal, Par, TricksTable};
use protocol::words::{BoardNumber, Contract, Score};
use serde::{Deserialize, Serialize};

use super::entry::ContractForm;

/// A board's cards, and what they were worth.
#[derive(Serialize, Deserialize)]
struct HandForm {
    board: BoardNumber,
    /// Two bits a card, from the two of clubs up, for the seat that holds it.
    deal: [u8; 13],
    /// A nibble each by declarer (North clockwise) and strain (clubs to no-trump).
    tricks: Option<[u8; 10]>,
    par: Option<ParForm>,
}

#[derive(Serialize, Deserialize)]
struct ParForm {
    score: Score,
    contract: Option<ParContract>,
}

#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct ParContract(#[serde(with = "ContractForm")] Contract);

impl From<&HandRecord> for HandForm {
    fn from(record: &HandRecord) -> Self {
        let HandRecord {
            board,
            deal: PackedDeal(deal),
            tricks,
            par,
        } = record;
        Self {
            board: *board,
            deal: *deal,
            tricks: tricks.map(|TricksTable(tricks)| tricks),
            par: par.map(|Par { score, contract }| ParForm {
                score,
                contract: contract.map(ParContract),
            }),
        }
    }
}

impl From<HandForm> for HandRecord {
    fn from(form: HandForm) -> Self {
        Self {
            board: form.board,
            deal: PackedDeal(form.deal),
            tricks: form.tricks.map(TricksTable),
            par: form.par.map(|par| Par {
                score: par.score,
                contract: par.contract.map(|ParContract(contract)| contract),
            }),
        }
    }
}

/// One board's.
pub(in crate::session) mod analysed {
    use protocol::message::HandRecord;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::HandForm;

    pub(in crate::session) fn serialize<S: Serializer>(
        record: &HandRecord,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        HandForm::from(record).serialize(serializer)
    }

    pub(in crate::session) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<HandRecord, D::Error> {
        HandForm::deserialize(deserializer).map(HandRecord::from)
    }
}

/// A whole file's.
pub(in crate::session) mod attached {
    use protocol::message::HandRecord;
    use serde::{Deserialize, Deserializer, Serializer};

    use super::HandForm;

    pub(in crate::session) fn serialize<S: Serializer>(
        records: &[HandRecord],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(records.iter().map(HandForm::from))
    }

    pub(in crate::session) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<HandRecord>, D::Error> {
        let forms = Vec::<HandForm>::deserialize(deserializer)?;
        Ok(forms.into_iter().map(HandRecord::from).collect())
    }
}
