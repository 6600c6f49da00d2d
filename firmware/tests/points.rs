//! What the points of "what is shown is true" ask of the pad, one by one.

mod room;

use pad::{DISPLAY_HEIGHT, Key, RowStyle, ScreenId, Sound};
use protocol::message::{
    Down, FeedbackLevel, Language, Pin, RefusalReason, Settings, TravellerLine, Up,
};
use protocol::time::Span;
use protocol::words::{Percentage, PlayerNumber, Score};
use room::{Room, board, round};

const CLUB: Settings = Settings::CLUB_EVENING;

fn refused(number: u8, reason: RefusalReason) -> Down {
    Down::BoardRefused {
        round: round(1),
        board: board(number),
        reason,
    }
}

#[test]
fn point_9_the_pad_waits_and_says_so_until_the_director_has_decided() {
    let mut room = Room::at_first_board(CLUB);
    room.in_range = false;
    room.press("BACK 2 8 OK");
    room.reads("Asking the director.");
    room.in_range = true;
    room.exchange();
    room.reads("Please wait: the director decides.");
    // Whatever else the base refuses is not the director's word about the board.
    room.say(&Down::Refused {
        number: None,
        reason: RefusalReason::BoardOutOfRange,
    });
    room.say(&refused(27, RefusalReason::NotAllowed));
    room.wait(Span::from_secs(60));
    room.reads("Please wait: the director decides.");
    room.say(&refused(28, RefusalReason::NotAllowed));
    room.reads("The director says no to board 28.");
    room.press("OK");
    room.is_at(ScreenId::Entry);
    room.reads("Board 1,");
}

#[test]
fn point_9_the_directors_yes_is_not_lost_under_a_notice_a_call_or_the_directors_pin() {
    let yes = Down::BoardAllowed {
        round: round(1),
        board: board(28),
    };
    let waiting = || {
        let mut room = Room::at_first_board(CLUB);
        room.press("BACK 2 8 OK");
        room.reads("Please wait: the director decides.");
        room
    };
    let mut room = waiting();
    room.say(&Down::Notice("Coffee is ready".try_into().expect("short")));
    room.is_at(ScreenId::Notice);
    room.say(&yes);
    room.is_at(ScreenId::Notice);
    room.press("OK");
    room.is_at(ScreenId::Entry);
    room.reads("Board 28,");
    for keys in ["CALL", "DIRECTOR"] {
        let mut room = waiting();
        room.press(keys);
        room.say(&yes);
        room.press("BACK");
        room.is_at(ScreenId::Entry);
        room.reads("Board 28,");
    }
}

#[test]
fn point_9_a_board_that_is_not_of_the_session_cannot_be_allowed_on_the_pad_either() {
    let mut room = Room::at_first_board(CLUB);
    room.press("DIRECTOR 2 5 8 0 3 4 7 ACCEPT");
    room.reads("Nobody plays board 47 tonight.");
    assert_eq!(room.app.allowed_boards().count(), 0);
    room.press("BACK DIRECTOR 2 5 8 0 3 2 8 ACCEPT");
    room.is_at(ScreenId::Entry);
    room.reads("Board 28,");
}

#[test]
fn point_9_a_board_of_an_earlier_round_has_its_own_sentence() {
    let mut room = Room::at_first_board(CLUB);
    room.press("PASS OK ACCEPT PASS OK ACCEPT PASS OK ACCEPT OK OK PASS OK ACCEPT");
    let heard = room.base.heard.len();
    room.press("BACK 1 OK");
    room.reads("You played board 1 in an earlier round.");
    let asked = room.base.heard[heard..].iter();
    let asked = asked.filter(|up| matches!(up, Up::BoardWanted { .. }));
    assert_eq!(asked.count(), 0, "the director is not bothered");
}

#[test]
fn point_10_a_spare_that_never_saw_tonights_session_opens_with_tonights_pin() {
    let mut room = Room::with(Settings {
        director_pin: Pin(7316),
        ..CLUB
    });
    assert_eq!(room.app.settings().director_pin, Pin::NONE, "no default");
    room.press("DIRECTOR 2 5 8 0");
    room.reads("That number is not right.");
    room.press("7 3 1 6");
    room.is_at(ScreenId::Menu);
    assert_eq!(room.app.settings().director_pin, Pin(7316), "handed over");
    // Without the base it goes by what it was told last; the club's old number is no good.
    room.press("BACK");
    room.in_range = false;
    room.press("DIRECTOR 2 5 8 0");
    room.reads("No answer");
    room.press("7 3 1 6 4");
    room.is_at(ScreenId::Section);
}

#[test]
fn point_10_a_spare_with_last_months_pin_opens_with_tonights_and_not_with_the_old_one() {
    let mut room = Room::with(Settings {
        director_pin: Pin(7316),
        ..CLUB
    });
    let old = Settings {
        director_pin: Pin(4711),
        ..CLUB
    };
    room.say(&Down::Settings(old));
    room.press("DIRECTOR 4 7 1 1");
    room.reads("That number is not right.");
    room.press("7 3 1 6");
    room.is_at(ScreenId::Menu);
}

#[test]
fn point_10_wrong_pins_are_slowed_down_and_new_batteries_do_not_help() {
    let mut room = Room::at_first_board(CLUB);
    room.press("DIRECTOR 1 1 1 1 2 2 2 2 3 3 3 3");
    room.reads("Wrong too often.");
    room.press("2 5 8 0");
    room.is_at(ScreenId::DirectorPin);
    room.restart();
    room.press("DIRECTOR 2 5 8 0");
    room.is_at(ScreenId::DirectorPin);
    room.reads("Wrong too often.");
    room.wait(Span::from_secs(11));
    room.press("2 5 8 0");
    room.is_at(ScreenId::Menu);
}

#[test]
fn point_11_a_mistyped_number_is_put_right_at_the_pad_while_round_1_lasts() {
    let mut room = Room::with(CLUB);
    room.press("OK A 5 OK 1 1 OK 1 2 OK 1 3 OK 4 1 OK");
    room.press("BACK");
    room.reads("a player number is wrong.");
    room.press("◄");
    room.reads("OK keeps 11.");
    room.press("OK OK OK 1 4 OK");
    room.is_at(ScreenId::RoundStart);
    let typed = |room: &Room| {
        let mut players = room.base.heard.iter().rev();
        players.find_map(|up| match up {
            Up::Players(players) => Some(players.seats),
            _ => None,
        })
    };
    assert_eq!(typed(&room), Some([11, 12, 13, 14].map(PlayerNumber::new)));
    // Also later in the round, and after new batteries.
    room.press("OK PASS OK ACCEPT BACK");
    room.restart();
    room.press("BACK ◄ 2 1 OK OK OK OK");
    assert_eq!(typed(&room), Some([21, 12, 13, 14].map(PlayerNumber::new)));
    // In round 2 it is the director's.
    room.press("PASS OK ACCEPT PASS OK ACCEPT OK OK BACK ◄");
    room.is_at(ScreenId::RoundSummary);
}

#[test]
fn point_11_an_unknown_number_asks_back() {
    let mut room = Room::with(CLUB);
    room.press("OK A 5 OK 1 1 OK 9 9 OK 1 3 OK 1 4 OK");
    room.say(&Down::UnknownPlayers {
        round: round(1),
        seats: [false, true, false, false],
    });
    room.reads("Number not known");
    room.reads("East: 99");
    room.press("BACK 1 2 OK OK OK");
    room.is_at(ScreenId::RoundStart);
    assert!(room.base.heard.iter().any(|up| match up {
        Up::Players(players) => players.seats == [11, 12, 13, 14].map(PlayerNumber::new),
        _ => false,
    }));
}

#[test]
fn point_13_east_reads_the_contract_with_its_double_in_words_and_in_the_largest_type() {
    for (keys, words) in [
        (
            "4 ♠ S ♦ K = OK",
            ["4♠ undoubled", "South, lead ♦K", "just made"],
        ),
        (
            "7 NT X N ♦ T - 2 OK",
            ["7NT doubled", "North, lead ♦10", "2 down"],
        ),
        (
            "1 ♥ XX W ♣ A + 3 OK",
            ["1♥ redoubled", "West, lead ♣A", "3 over"],
        ),
    ] {
        let mut room = Room::at_first_board(CLUB);
        room.press(keys);
        let screen = room.screen();
        let large = screen
            .rows()
            .iter()
            .filter(|row| row.style == RowStyle::Large);
        let large: Vec<&str> = large.map(|row| row.text.as_str()).collect();
        assert_eq!(large, words);
    }
    let largest = |keys: &str| {
        let mut room = Room::at_first_board(CLUB);
        room.press(keys);
        room.screen().rows()[0].clone()
    };
    let (passed, not_played) = (largest("PASS OK"), largest("NP OK"));
    assert_eq!(passed.text, "PASSED OUT");
    assert_eq!(not_played.text, "NOT PLAYED");
    assert_eq!(passed.style, not_played.style);
    const { assert!(DISPLAY_HEIGHT == 240) };
}

#[test]
fn point_14_a_hint_stands_only_where_its_key_works() {
    let keys = [
        ("BACK", Key::Back),
        ("OK", Key::Ok),
        ("ACCEPT", Key::Accept),
        ("DIRECTOR", Key::Director),
        ("▲", Key::Up),
        ("▼", Key::Down),
        ("◄", Key::Left),
        ("►", Key::Right),
    ];
    for language in Language::ALL {
        let mut tried = 0;
        for (name, room) in room::gallery::rooms(language) {
            for hint in &room.screen().hints {
                for (word, key) in keys {
                    let named = hint.split([' ', ':']).any(|part| part == word);
                    if !named {
                        continue;
                    }
                    let mut app = room.app.clone();
                    let effects = app.handle(pad::Input::Key(key), room.now);
                    tried += 1;
                    assert_ne!(
                        effects.sound,
                        Some(Sound::Refused),
                        "{name} in {language:?}: {hint}"
                    );
                }
            }
        }
        assert!(tried > 100, "{tried}");
    }
}

#[test]
fn point_14_a_percentage_names_its_side() {
    let mut room = Room::at_first_board(CLUB);
    room.press("4 ♠ S ♦ K = OK ACCEPT");
    room.reads("N-S 62.5%");
    let mut travellers = Room::at_first_board(Settings {
        feedback: FeedbackLevel::Traveller,
        ..CLUB
    });
    travellers.press("4 ♠ S ♦ K = OK ACCEPT");
    travellers.is_at(ScreenId::Traveller);
    travellers.reads("% of N-S");
}

#[test]
fn point_14_a_correction_starts_from_what_is_there_lead_included() {
    let mut room = Room::at_first_board(CLUB);
    room.press("4 ♠ S ♦ K = OK ACCEPT BACK ▲ OK");
    room.reads("4♠ S ♦K =");
    // One key for the tricks, and East checks the rest as it was.
    room.press("+ 1 OK");
    room.reads("South, lead ♦K");
    room.press("ACCEPT");
    let results: Vec<_> = room.base.of_board(1);
    assert_eq!(results.len(), 2);
    assert_eq!(results[1].result.score(board(1)), Some(Score(450)));
    // A double, a declarer or a lead is one key, too; another contract begins with its level.
    for (keys, words) in [
        ("X OK", ["4♠ doubled", "South, lead ♦K", "1 over"]),
        ("W OK", ["4♠ undoubled", "West, lead ♦K", "1 over"]),
        ("♣ 2 OK", ["4♠ undoubled", "South, lead ♣2", "1 over"]),
        (
            "3 NT N = OK",
            ["3NT undoubled", "North, no lead", "just made"],
        ),
    ] {
        let mut again = Room::back_to(&room.moment());
        again.press("BACK ▲ OK");
        again.press(keys);
        for word in words {
            again.reads(word);
        }
    }
    // The club's other ways to type a result start from it as well.
    for style in [
        protocol::message::ResultStyle::TotalTricks,
        protocol::message::ResultStyle::American,
    ] {
        let settings = Settings {
            result_style: style,
            ..CLUB
        };
        room.say(&Down::Settings(settings));
        let mut again = Room::back_to(&room.moment());
        again.press("BACK ▲ OK OK");
        again.reads("1 over");
    }
}

#[test]
fn point_14_a_passed_out_board_in_a_traveller_says_so() {
    let mut room = Room::at_first_board(Settings {
        feedback: FeedbackLevel::Traveller,
        ..CLUB
    });
    room.press("PASS OK ACCEPT");
    let line = |score, times| TravellerLine {
        score: Score(score),
        times,
        ns_percentage: Percentage::new(5000),
        own: false,
        played: None,
    };
    let lines = [line(420, 2), line(0, 1)].into_iter().collect();
    let board = board(1);
    room.say(&Down::Feedback(protocol::message::Feedback::Traveller {
        board,
        lines,
    }));
    room.reads("passed out\t50.0");
}

#[test]
fn point_14_results_never_sent_counts_only_those() {
    let mut room = Room::at_first_board(CLUB);
    room.press("4 ♠ S ♦ K = OK ACCEPT PASS OK ACCEPT");
    room.in_range = false;
    room.press("PASS OK ACCEPT");
    // The base asks for everything again; two of the three it has had.
    room.say(&Down::PleaseResend);
    assert_eq!(room.app.sheet().unsent(), 3);
    room.press("DIRECTOR 2 5 8 0 7 ACCEPT");
    room.reads("Never sent: 1 results");
}

#[test]
fn point_14_typing_very_fast_at_log_on_never_ends_in_the_session_is_over() {
    let mut room = Room::at_first_board(CLUB);
    room.in_range = false;
    room.press("DIRECTOR 2 5 8 0 7 ACCEPT OK A 6 OK");
    // The answer to what the pad said before comes after the players have asked for their table.
    room.app.carries(pad::Ticket::LogOff);
    for late in [
        Down::SessionOver,
        Down::Refused {
            number: None,
            reason: RefusalReason::SessionOver,
        },
    ] {
        room.say(&late);
        assert_ne!(room.id(), ScreenId::SessionEnd);
        assert!(!room.screen().says("is over"), "{:#?}", room.screen());
    }
    room.in_range = true;
    room.press("OK");
    room.is_at(ScreenId::Players);
}

#[test]
fn point_14_the_call_shows_on_the_pad_at_once_and_goes_when_the_director_has_come() {
    let mut room = Room::at_first_board(CLUB);
    room.in_range = false;
    room.press("CALL OK");
    assert_eq!(room.screen().status.alert, "CALLED");
    room.in_range = true;
    room.exchange();
    assert_eq!(room.screen().status.alert, "CALLED");
    room.say(&Down::CallSettled);
    assert_eq!(room.screen().status.alert, "");
}

#[test]
fn point_14_no_deal_file_is_said_as_it_is() {
    let words = pad::texts::refusal(RefusalReason::NoDealFile).in_language(Language::English);
    assert!(words.contains("no deal file"));
    let mut room = Room::at_first_board(Settings {
        hand_record: true,
        ..CLUB
    });
    room.base.no_deals = true;
    room.press("4 ♠ S ♦ K = OK ACCEPT ▼");
    room.is_at(ScreenId::HandRecord);
    room.reads("no deal file");
}
