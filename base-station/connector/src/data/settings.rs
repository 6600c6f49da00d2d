//! Settings of terminals, as far as they have a meaning for our pads. What is not here belongs to
//! screens, batteries and menus of other makes.

use serde::Deserialize;

/// Of the older terminals.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
#[expect(missing_docs, reason = "the names are those of the wire")]
#[expect(clippy::struct_excessive_bools, reason = "so it is on the wire")]
pub struct Bridgemate2Settings {
    pub session_guid: String,
    pub section_letters: String,
    pub show_results: bool,
    pub enter_results_method: i64,
    pub lead_card: bool,
    pub member_numbers: bool,
    #[serde(rename = "BM2NumberEntryEachRound")]
    pub number_entry_each_round: bool,
    #[serde(rename = "BM2AutoBoardNumber")]
    pub auto_board_number: bool,
    #[serde(rename = "BM2PairNumberEntry")]
    pub pair_number_entry: i64,
    #[serde(rename = "BM2Ranking")]
    pub ranking: i64,
    #[serde(rename = "BM2ViewHandRecord")]
    pub view_hand_record: bool,
    #[serde(rename = "BM2PINcode")]
    pub pin: String,
}

/// Of the newer terminals.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
#[expect(missing_docs, reason = "the names are those of the wire")]
pub struct Bridgemate3Settings {
    pub session_guid: String,
    pub section_letters: String,
    #[serde(rename = "BM3Language")]
    pub language: i64,
    #[serde(rename = "BM3PINcode")]
    pub pin: String,
    #[serde(rename = "BM3ResultMethod")]
    pub result_method: i64,
    #[serde(rename = "BM3LeadCardEntry")]
    pub lead_card_entry: i64,
    #[serde(rename = "BM3PlayerNumberEntry")]
    pub player_number_entry: i64,
    #[serde(rename = "BM3Ranking")]
    pub ranking: i64,
    #[serde(rename = "BM3ViewResults")]
    pub view_results: i64,
    #[serde(rename = "BMViewPercentages")]
    pub view_percentages: i64,
    #[serde(rename = "BM3ViewHandrecord")]
    pub view_handrecord: i64,
}
