//! What scoring programs are told of, as the journal writes it.

use connector::Queue;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(remote = "Queue")]
pub(in crate::session) enum QueueForm {
    Results,
    PlayerData,
    Participations,
    Handrecords,
    TdCalls,
}
