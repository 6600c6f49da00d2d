//! What a table is told about a board when it has finished it, and what it is not told.

mod room;

use pad::{Body, RowStyle, ScreenId};
use protocol::message::{Down, Feedback, FeedbackLevel, Language, Question, Settings, Up};
use room::{Room, board};

const TRAVELLERS: Settings = Settings {
    feedback: FeedbackLevel::Traveller,
    hand_record: true,
    ..Settings::CLUB_EVENING
};

/// A pad that has just agreed and sent board 1.
fn after_board_1(settings: Settings) -> Room {
    let mut room = Room::at_first_board(settings);
    room.press("4 ♠ S = OK ACCEPT");
    room
}

#[test]
fn feedback_is_for_boards_that_this_table_has_finished() {
    let mut room = Room::at_first_board(TRAVELLERS);
    room.press("▼");
    room.reads("Finish the board first.");
    room.say(&Down::Feedback(room::hand_record(board(2))));
    room.press("BACK ▼ ►");
    room.reads("Finish the board first.");
    assert!(!room.base.heard.iter().any(|up| matches!(up, Up::Ask(_))));
    room.press("BACK 4 ♠ S = OK ACCEPT");
    room.is_at(ScreenId::Traveller);
    room.reads("+420 x4");
    room.press("►");
    room.is_at(ScreenId::HandRecord);
    room.press("► OK");
    assert!(
        room.base
            .heard
            .contains(&Up::Ask(Question::HandRecord(board(1))))
    );
    // Who types the next level goes on with the next board.
    room.press("▼ 3");
    room.is_at(ScreenId::Entry);
    room.reads("3_");
}

#[test]
fn a_traveller_is_ordered_for_north_south_with_ties_counted_and_the_own_line_inverse() {
    let mut room = after_board_1(TRAVELLERS);
    room.is_at(ScreenId::Traveller);
    let screen = room.screen();
    let lines: Vec<_> = screen.rows().iter().map(|row| row.text.as_str()).collect();
    let scores: Vec<i32> = lines
        .iter()
        .map(|line| {
            line.split(' ')
                .next()
                .expect("a score")
                .parse()
                .expect("a number")
        })
        .collect();
    assert!(scores.is_sorted_by(|one, next| one > next), "{scores:?}");
    assert_eq!(lines[0], "+450 4♠ S+1\t100.0");
    let own: Vec<_> = screen
        .rows()
        .iter()
        .filter(|row| row.style == RowStyle::Inverse)
        .map(|row| row.text.as_str())
        .collect();
    assert_eq!(own, ["+420 x4\t62.5"]);
    // The last line is further down.
    room.press("▼ ▼");
    room.reads("-100 4♠ S-2");
}

#[test]
fn the_hands_and_par_of_the_board_are_shown() {
    let mut room = after_board_1(TRAVELLERS);
    room.press("►");
    let Feedback::HandRecord(record) = room::hand_record(board(1)) else {
        panic!("no hand record");
    };
    assert_eq!(room.screen().body, Body::Hands(record, Language::English));
    room.press("►");
    room.reads("Par -1100 5♦X N");
    room.press("◄");
    room.is_at(ScreenId::HandRecord);
}

#[test]
fn a_club_that_shows_only_the_percentage_shows_nothing_else() {
    let mut room = after_board_1(Settings {
        feedback: FeedbackLevel::Percentage,
        hand_record: false,
        ..TRAVELLERS
    });
    room.reads("1: +420 N-S 62.5%");
    room.press("▼");
    room.reads("No results are shown");
    assert!(!room.base.heard.iter().any(|up| matches!(up, Up::Ask(_))));
}

#[test]
fn travellers_can_wait_for_the_end_of_the_round() {
    let mut room = after_board_1(Settings {
        feedback: FeedbackLevel::TravellerAtRoundEnd,
        hand_record: false,
        ..TRAVELLERS
    });
    room.is_at(ScreenId::Entry);
    room.press("▼");
    room.reads("No results are shown");
    room.press("PASS OK ACCEPT PASS OK ACCEPT");
    room.is_at(ScreenId::RoundEnd);
    room.press("▼");
    room.is_at(ScreenId::Traveller);
    assert!(
        room.base
            .heard
            .contains(&Up::Ask(Question::Traveller(board(3))))
    );
}

#[test]
fn the_ranking_is_shown_when_the_director_has_released_it() {
    let evening = |ranking| {
        let mut room = Room::at_first_board(Settings {
            ranking,
            ..Settings::CLUB_EVENING
        });
        for number in 1..=room::ROUNDS {
            room.press("PASS OK ACCEPT PASS OK ACCEPT PASS OK ACCEPT");
            room.press(if number < room::ROUNDS {
                "OK OK"
            } else {
                "OK ▼"
            });
        }
        room
    };
    evening(false).reads("The ranking is not shown");
    let room = evening(true);
    room.is_at(ScreenId::Ranking);
    room.reads("1.  N-S 4\t61.67%");
}

#[test]
fn a_base_that_does_not_answer_keeps_nobody_from_the_next_board() {
    let mut room = Room::at_first_board(TRAVELLERS);
    room.in_range = false;
    room.press("4 ♠ S = OK ACCEPT ▼");
    room.reads("Please play on.");
    room.press("3 NT N = OK ACCEPT");
    assert_eq!(room.app.sheet().unsent(), 2);
}
