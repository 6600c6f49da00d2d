//! How the club plays, as far as a pad must know it.

use serde::{Deserialize, Serialize};

use super::Language;

/// A four-digit number that opens something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Pin(pub u16);

impl Pin {
    /// Nobody has chosen one yet: no four digits are this number.
    pub const NONE: Self = Self(u16::MAX);

    /// Whether four digits can be this number.
    pub const fn is_chosen(self) -> bool {
        self.0 <= 9_999
    }
}

/// Everything that the director chooses and a pad obeys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Settings {
    /// Where the board number comes from.
    pub board_choice: BoardChoice,
    /// Whether the opening lead is asked for.
    pub lead: LeadEntry,
    /// How the result is typed.
    pub result_style: ResultStyle,
    /// How East accepts.
    pub acceptance: Acceptance,
    /// Whether the pairs are confirmed at the start of each round.
    pub pair_check: PairCheck,
    /// What is shown after a board.
    pub feedback: FeedbackLevel,
    /// Whether the cards of a finished board can be looked at.
    pub hand_record: bool,
    /// Whether the ranking can be looked at; off until the director releases it.
    pub ranking: bool,
    /// When player numbers are asked for.
    pub player_numbers: PlayerNumbers,
    /// Opens the director's menu.
    pub director_pin: Pin,
    /// The language of the texts.
    pub language: Language,
}

/// Where the board number comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum BoardChoice {
    /// The pad proposes the next one.
    Proposed,
    /// The players type it.
    Typed,
}

/// Whether the opening lead is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum LeadEntry {
    /// Never.
    Off,
    /// OK skips it.
    Optional,
    /// It must be entered.
    Required,
}

/// How the result is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ResultStyle {
    /// `=`, `+1`, `-2`.
    OverUnder,
    /// All the tricks that declarer took: 10.
    TotalTricks,
    /// Tricks above six when made (4), minus when down (-2).
    American,
}

/// How East accepts a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Acceptance {
    /// The ACCEPT key.
    Plain,
    /// A number that only East-West know, chosen by them at the start of the round.
    Pin,
}

/// Whether pairs are confirmed at the start of each round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum PairCheck {
    /// Not asked.
    Off,
    /// Shown, confirmed with OK.
    Confirm,
    /// East-West type their number.
    Typed,
}

/// What is shown after a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum FeedbackLevel {
    /// Nothing about other tables.
    None,
    /// The pair's own percentage.
    Percentage,
    /// The traveller after each board.
    Traveller,
    /// The travellers at the end of the round.
    TravellerAtRoundEnd,
}

/// When player numbers are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum PlayerNumbers {
    /// Never.
    Off,
    /// At log-on.
    Once,
    /// At every round.
    EveryRound,
}

impl Settings {
    /// What most clubs play, and what a pad assumes before it has heard from a base.
    ///
    /// There is no director's PIN in it: a club chooses its own.
    pub const CLUB_EVENING: Self = Self {
        board_choice: BoardChoice::Proposed,
        lead: LeadEntry::Optional,
        result_style: ResultStyle::OverUnder,
        acceptance: Acceptance::Plain,
        pair_check: PairCheck::Confirm,
        feedback: FeedbackLevel::Percentage,
        hand_record: false,
        ranking: false,
        player_numbers: PlayerNumbers::Once,
        director_pin: Pin::NONE,
        language: Language::English,
    };
}
