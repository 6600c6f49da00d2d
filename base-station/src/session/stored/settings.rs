//! How pads behave.

use protocol::message::{
    Acceptance, BoardChoice, FeedbackLevel, Language, LeadEntry, PairCheck, Pin, PlayerNumbers,
    ResultStyle, Settings,
};
use serde::{Deserialize, Serialize};

/// Everything that the director chooses and a pad obeys.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Settings")]
pub(in crate::session) struct SettingsForm {
    #[serde(with = "BoardChoiceForm")]
    board_choice: BoardChoice,
    #[serde(with = "LeadEntryForm")]
    lead: LeadEntry,
    #[serde(with = "ResultStyleForm")]
    result_style: ResultStyle,
    #[serde(with = "AcceptanceForm")]
    acceptance: Acceptance,
    #[serde(with = "PairCheckForm")]
    pair_check: PairCheck,
    #[serde(with = "FeedbackForm")]
    feedback: FeedbackLevel,
    hand_record: bool,
    ranking: bool,
    #[serde(with = "PlayerNumbersForm")]
    player_numbers: PlayerNumbers,
    #[serde(with = "PinForm")]
    director_pin: Pin,
    #[serde(with = "LanguageForm")]
    language: Language,
}

/// Four digits.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Pin")]
pub(in crate::session) struct PinForm(u16);

#[derive(Serialize, Deserialize)]
#[serde(remote = "BoardChoice")]
enum BoardChoiceForm {
    Proposed,
    Typed,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "LeadEntry")]
enum LeadEntryForm {
    Off,
    Optional,
    Required,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ResultStyle")]
enum ResultStyleForm {
    OverUnder,
    TotalTricks,
    American,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Acceptance")]
enum AcceptanceForm {
    Plain,
    Pin,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "PairCheck")]
enum PairCheckForm {
    Off,
    Confirm,
    Typed,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "FeedbackLevel")]
enum FeedbackForm {
    None,
    Percentage,
    Traveller,
    TravellerAtRoundEnd,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "PlayerNumbers")]
enum PlayerNumbersForm {
    Off,
    Once,
    EveryRound,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Language")]
enum LanguageForm {
    English,
    German,
    French,
    Dutch,
}
