//! The data of each command, with the names of the wire. Numbers are as wide as JSON's, so that a
//! wrong one is refused in a sentence and not by its type.

mod handrecord;
mod settings;

use serde::{Deserialize, Serialize};

pub use handrecord::Handrecord;
pub use settings::{Bridgemate2Settings, Bridgemate3Settings};

/// Bits of [`Init::commands`].
pub mod commands {
    /// Begin to take results: pads may log on.
    pub const START_READING: i64 = 4;
}

/// Kinds of play.
pub mod game {
    /// Pairs.
    pub const PAIRS: i64 = 10;
    /// Everybody plays alone.
    pub const INDIVIDUAL: i64 = 20;
    /// Teams.
    pub const TEAMS: i64 = 30;
}

/// A new event.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
#[expect(missing_docs, reason = "the names are those of the wire")]
pub struct Init {
    pub commands: i64,
    pub event_guid: String,
    pub sessions: Vec<Session>,
    #[serde(flatten)]
    pub more: More,
}

/// What may come with sessions, or by itself later.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
#[expect(missing_docs, reason = "the names are those of the wire")]
pub struct More {
    pub player_data: Vec<Player>,
    pub participations: Vec<Participation>,
    pub handrecords: Vec<Handrecord>,
    pub bridgemate2_settings: Vec<Bridgemate2Settings>,
    pub bridgemate3_settings: Vec<Bridgemate3Settings>,
}

/// One more session of an event, with what comes with it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
#[expect(missing_docs, reason = "the names are those of the wire")]
pub struct AddSession {
    pub event_guid: String,
    pub session: Option<Session>,
    #[serde(flatten)]
    pub more: More,
}

/// Go on with this event.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
#[expect(missing_docs, reason = "the names are those of the wire")]
pub struct Continue {
    pub event_guid: String,
    pub commands: i64,
}

/// Sections that are played at the same time and place.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
#[expect(missing_docs, reason = "the names are those of the wire")]
pub struct Session {
    pub scoring_groups: Vec<ScoringGroup>,
    pub event_guid: String,
    pub session_guid: String,
    pub name: String,
    pub year: i64,
    pub month: i64,
    pub day: i64,
}

/// Sections that are scored as one field.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
#[expect(missing_docs, reason = "the names are those of the wire")]
pub struct ScoringGroup {
    pub session_guid: String,
    pub sections: Vec<Section>,
    pub scoring_group_number: i64,
    pub scoring_method: i64,
    pub is_deleted: bool,
}

/// A section with its movement.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
#[expect(missing_docs, reason = "the names are those of the wire")]
pub struct Section {
    pub session_guid: String,
    pub scoring_group_number: i64,
    pub letters: String,
    pub name: String,
    pub winners: i64,
    pub game_type: i64,
    pub missing_pair: i64,
    pub keep_bridgemates_alive: bool,
    pub is_combi_section: bool,
    pub tables: Vec<Table>,
}

/// Another movement for a section.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
#[expect(missing_docs, reason = "the names are those of the wire")]
pub struct SectionUpdate {
    pub scoring_group_scoring_method: i64,
    pub is_deleted: bool,
    pub added_players: Vec<Player>,
    pub participations: Vec<Participation>,
    #[serde(flatten)]
    pub section: Section,
}

/// A table with its rounds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
#[expect(missing_docs, reason = "the names are those of the wire")]
pub struct Table {
    pub session_guid: String,
    pub section_letters: String,
    pub table_number: i64,
    pub connection_mode: i64,
    pub rounds: Vec<Round>,
}

/// A table in one round.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
#[expect(missing_docs, reason = "the names are those of the wire")]
pub struct Round {
    pub session_guid: String,
    pub section_letters: String,
    pub table_number: i64,
    pub round_number: i64,
    pub low_board_number: i64,
    pub high_board_number: i64,
    #[serde(rename = "PairNS")]
    pub pair_ns: i64,
    #[serde(rename = "PairEW")]
    pub pair_ew: i64,
    pub updated: bool,
}

/// What became of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
#[expect(missing_docs, reason = "the names are those of the wire")]
pub struct BoardScore {
    pub session_guid: String,
    pub section_letters: String,
    pub table_number: i64,
    pub round_number: i64,
    pub board_number: i64,
    pub scoring_direction: i64,
    pub is_deleted: bool,
    pub pair_north_south: i64,
    pub pair_east_west: i64,
    pub declaring_pair: i64,
    pub declarer_direction: i64,
    pub level: i64,
    pub denomination: i64,
    pub stake: i64,
    pub total_tricks: i64,
    pub lead_card_rank: i64,
    pub lead_card_suit: i64,
}

/// Who sits where.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
#[expect(missing_docs, reason = "the names are those of the wire")]
pub struct Participation {
    pub session_guid: String,
    pub section_letters: String,
    pub table_number: i64,
    pub direction: i64,
    pub round_number: i64,
    pub player_number: String,
    pub is_player_swap: bool,
    pub is_removal: bool,
    pub first_name: String,
    pub last_name: String,
    pub country_code: String,
}

/// A player and his number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
#[expect(missing_docs, reason = "the names are those of the wire")]
pub struct Player {
    pub session_guid: String,
    pub player_number: String,
    pub first_name: String,
    pub last_name: String,
    pub country_code: String,
}

/// A call for the director.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
#[expect(missing_docs, reason = "the names are those of the wire")]
pub struct TdCall {
    pub session_guid: String,
    pub section_letters: String,
    pub table_number: i64,
    pub round_number: i64,
    pub hour: i64,
    pub minute: i64,
    pub status: i64,
}

impl TdCall {
    /// The table calls.
    pub const CALLED: i64 = 1;
    /// The director has been there.
    pub const SETTLED: i64 = 3;
}
