//! What a rescue tells the club of, in the journal that it made.

use serde::{Deserialize, Serialize};

/// What was saved of a damaged journal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Salvage {
    /// So many records.
    pub saved: u64,
    /// The files they come from, and how many each gave.
    pub sources: Vec<(String, u64)>,
    /// The places of records that were found nowhere, in words; empty if none is known.
    pub lost: String,
    /// Records of another journal, which were left out; `None` if there were none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strange: Option<u64>,
    /// The places of records that fit those before them and not those behind them, in words; they
    /// were left out. Empty if there were none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub doubtful: String,
    /// Where the damaged files are kept, in the data folder.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub damaged: Vec<String>,
}
