//! How our pairs stand in a larger field, as its centre says. Pads show it in place of the club's own
//! ranking while the centre answers. It is somebody else's figure, so it is never in the journal.

use std::collections::BTreeMap;

use protocol::message::{Down, Feedback};
use protocol::words::{PadId, SessionId};

use super::sheets::percentage;
use super::{PairId, State};

/// Places in a larger field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LargeField {
    /// The session that is part of it.
    pub session: SessionId,
    /// The place of every pair, and its hundredths of a percent.
    pub places: BTreeMap<PairId, (u32, i32)>,
}

impl LargeField {
    /// Puts these places into a ranking on its way to a pad, if it has them for all its pairs: places
    /// of two fields in one list would mean nothing.
    pub(super) fn put_into(&self, state: &State, pad: PadId, downs: &mut [Down]) {
        let session = state.session.as_ref();
        let session = session.filter(|session| session.id == self.session);
        let Some(table) = session.and_then(|session| Some(session.pads.get(&pad)?.table)) else {
            return;
        };
        for down in downs {
            let Down::Feedback(Feedback::Ranking { lines }) = down else {
                continue;
            };
            let mut placed = lines.clone();
            let known = placed.iter_mut().map(|line| {
                let pair = PairId {
                    section: table.section,
                    side: line.side,
                    number: line.pair,
                };
                let (rank, percent) = self.places.get(&pair)?;
                line.rank = u16::try_from(*rank).unwrap_or(u16::MAX);
                line.percentage = percentage(*percent);
                Some(())
            });
            if known.collect::<Option<Vec<()>>>().is_some() {
                placed.sort_by_key(|line| (line.side, line.rank));
                *lines = placed;
            }
        }
    }
}
