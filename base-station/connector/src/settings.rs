//! Settings of terminals, as far as our pads can do the same.

use protocol::message::{
    BoardChoice, FeedbackLevel, Language, LeadEntry, PairCheck, Pin, PlayerNumbers, ResultStyle,
    Settings,
};

use crate::data::{Bridgemate2Settings, Bridgemate3Settings};

/// What our pads are to do, without the director's number, which is the club's.
pub fn of_bridgemate2(before: Settings, wanted: &Bridgemate2Settings) -> Settings {
    Settings {
        board_choice: if wanted.auto_board_number {
            BoardChoice::Proposed
        } else {
            BoardChoice::Typed
        },
        lead: lead(wanted.lead_card),
        result_style: result_style(wanted.enter_results_method),
        pair_check: match wanted.pair_number_entry {
            0 => before.pair_check,
            1 => PairCheck::Confirm,
            _ => PairCheck::Typed,
        },
        feedback: if wanted.show_results {
            FeedbackLevel::Traveller
        } else {
            FeedbackLevel::None
        },
        hand_record: wanted.view_hand_record,
        // Only after the last round is when the director releases it.
        ranking: wanted.ranking == 1,
        player_numbers: match (wanted.member_numbers, wanted.number_entry_each_round) {
            (false, _) => PlayerNumbers::Off,
            (true, false) => PlayerNumbers::Once,
            (true, true) => PlayerNumbers::EveryRound,
        },
        ..before
    }
}

/// The same from settings of the newer terminals.
pub fn of_bridgemate3(before: Settings, wanted: &Bridgemate3Settings) -> Settings {
    Settings {
        lead: lead(wanted.lead_card_entry > 0),
        result_style: result_style(wanted.result_method),
        feedback: match (wanted.view_results, wanted.view_percentages) {
            (2, _) => FeedbackLevel::Traveller,
            (3, _) => FeedbackLevel::TravellerAtRoundEnd,
            (_, 1) => FeedbackLevel::Percentage,
            _ => FeedbackLevel::None,
        },
        hand_record: wanted.view_handrecord == 1,
        ranking: matches!(wanted.ranking, 1 | 3),
        player_numbers: match wanted.player_number_entry {
            0 => PlayerNumbers::Off,
            1 => PlayerNumbers::Once,
            _ => PlayerNumbers::EveryRound,
        },
        language: match wanted.language {
            0 => Language::English,
            3 => Language::German,
            _ => before.language,
        },
        ..before
    }
}

/// The director's number, if it is four digits.
pub fn pin(text: &str) -> Option<Pin> {
    let four = text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    four.then(|| text.parse().ok()).flatten().map(Pin)
}

const fn lead(wanted: bool) -> LeadEntry {
    if wanted {
        LeadEntry::Required
    } else {
        LeadEntry::Off
    }
}

const fn result_style(method: i64) -> ResultStyle {
    match method {
        1 => ResultStyle::TotalTricks,
        2 => ResultStyle::American,
        _ => ResultStyle::OverUnder,
    }
}
