//! The players' evening by keys, reading the screens.

mod room;

use pad::{LineState, ScreenId, Sound};
use protocol::message::{
    Acceptance, Clock, ClockState, Down, LeadEntry, PairCheck, PlayerNumbers, RefusalReason,
    ResultStyle, Settings, Up,
};
use protocol::time::Span;
use protocol::words::{BoardResult, PlayerNumber, Score};
use room::{Room, board, round};

const CLUB: Settings = Settings::CLUB_EVENING;

fn last_result(room: &Room) -> BoardResult {
    room.app.sheet().newest().expect("a line").entry.result
}

#[test]
fn four_spades_by_south_are_entered_and_accepted_with_eight_keys() {
    let mut room = Room::at_first_board(CLUB);
    room.reads("Board 1");
    let before = room.presses;
    room.press("4 ♠ S ♦ K = OK");
    room.is_at(ScreenId::Check);
    room.reads("4♠ undoubled");
    room.reads("South, lead ♦K");
    room.reads("just made");
    room.reads("10 tricks, N-S +420");
    assert!(room.base.journal.is_empty(), "East has not accepted yet");
    room.press("ACCEPT");
    assert_eq!(room.presses - before, 8);
    assert_eq!(room.last.sound, Some(Sound::Agreed));
    room.reads("Board 2");
    room.reads("1: +420 N-S 62.5%");
    let entry = room.base.of_board(1)[0];
    assert_eq!(entry.result.score(board(1)), Some(Score(420)));
    assert_eq!((entry.round, entry.agreed_in), (round(1), round(1)));
}

/// What players enter most, and the keys it takes from the proposed board to accepted.
const COMMON_RESULTS: [(&str, &str, i16); 10] = [
    (
        "4♠ by South, lead ♦K, just made",
        "4 ♠ S ♦ K = OK ACCEPT",
        420,
    ),
    (
        "3NT by North, lead ♥Q, one over",
        "3 NT N ♥ Q + 1 OK ACCEPT",
        430,
    ),
    (
        "2♥ by East, lead ♣A, one down",
        "2 ♥ E ♣ A - 1 OK ACCEPT",
        50,
    ),
    (
        "4♥ doubled by West, lead ♠2, two down",
        "4 ♥ X W ♠ 2 - 2 OK ACCEPT",
        300,
    ),
    (
        "1NT by South, lead ♥10, just made",
        "1 NT S ♥ T = OK ACCEPT",
        90,
    ),
    (
        "6♣ by North, lead ♠J, just made",
        "6 ♣ N ♠ J = OK ACCEPT",
        920,
    ),
    (
        "5♦ redoubled by South, lead ♣4, just made",
        "5 ♦ XX S ♣ 4 = OK ACCEPT",
        800,
    ),
    (
        "3♠ by West, no lead entered, one over",
        "3 ♠ W + 1 OK ACCEPT",
        -170,
    ),
    ("passed out", "PASS OK ACCEPT", 0),
    ("not played", "NP OK ACCEPT", 0),
];

#[test]
fn the_documented_number_of_keys_is_the_true_one() {
    let readme = include_str!("../README.md");
    for (words, keys, score) in COMMON_RESULTS {
        let mut room = Room::at_first_board(CLUB);
        let before = room.presses;
        room.press(keys);
        assert_eq!(room.base.journal.len(), 1, "{words}");
        let scored = last_result(&room).score(board(1)).unwrap_or_default();
        assert_eq!(scored, Score(score), "{words}");
        let row = format!("| {words} | `{keys}` | {} |", room.presses - before);
        assert!(readme.contains(&row), "missing in README.md: {row}");
    }
}

#[test]
fn a_table_logs_on_and_a_wrong_table_is_noticed_at_once() {
    let mut room = Room::new();
    room.reads("Press OK");
    room.press("OK");
    room.is_at(ScreenId::Section);
    room.press("A 1 2 OK");
    room.reads("North: player number");
    room.press("OK");
    room.reads("A visitor types 0.");
    room.press("4 7 1 1 OK 0 OK BACK BACK 1 2 OK 3 OK 0 OK 4 OK");
    room.is_at(ScreenId::RoundStart);
    room.reads("N 5  Nora Nordqvist");
    room.reads("E 11  Elisa Eggers-Ö");
    room.reads("Boards 1-3: you?");
    let players = room.base.heard.iter().find_map(|up| match up {
        Up::Players(players) => Some(players.seats),
        _ => None,
    });
    // BACK led to North again; what was typed last counts.
    assert_eq!(players, Some([12, 3, 0, 4].map(PlayerNumber::new)));
    room.press("BACK");
    room.is_at(ScreenId::WrongTable);
    room.press("OK");
    room.is_at(ScreenId::Start);
    assert!(room.base.heard.contains(&Up::LogOff));
}

#[test]
fn a_log_on_is_refused_with_words_and_can_be_tried_again() {
    let mut room = Room::new();
    room.base.refuses = Some(RefusalReason::SessionNotOpen);
    room.press("OK A 5 OK");
    room.reads("The session is not");
    room.base.refuses = Some(RefusalReason::TableInUse);
    room.press("OK");
    room.reads("Another pad holds this");
    room.base.refuses = None;
    room.press("OK");
    room.is_at(ScreenId::Players);
}

#[test]
fn a_whole_evening_is_played_and_ends_with_thanks() {
    let mut room = Room::with(CLUB);
    room.log_on();
    for number in 1..=room::ROUNDS {
        room.is_at(ScreenId::RoundStart);
        room.press("OK");
        for _ in 0..room::BOARDS {
            room.is_at(ScreenId::Entry);
            room.press("3 NT N ♥ Q + 1 OK ACCEPT");
        }
        room.is_at(ScreenId::RoundEnd);
        room.reads(if number < 10 {
            "E-W to table 6"
        } else {
            "N-S have finished"
        });
        room.press("OK");
    }
    room.is_at(ScreenId::SessionEnd);
    room.reads("Thank you.");
    assert_eq!(room.base.journal.len(), 30);
    assert_eq!(room.base.repeated, 0);
    room.press("OK");
    room.is_at(ScreenId::Start);
}

#[test]
fn a_round_that_was_dropped_and_comes_back_is_told_at_tables_that_had_finished() {
    let mut room = Room::at_first_board(CLUB);
    let schedule = |total: u8| Down::Schedule {
        rounds_total: round(total),
        rounds: [room::sheet(1), room::sheet(2)].into_iter().collect(),
    };
    room.say(&schedule(1));
    for _ in 0..room::BOARDS {
        room.press("3 NT N ♥ Q + 1 OK ACCEPT");
    }
    room.press("OK");
    room.is_at(ScreenId::SessionEnd);
    // Told once more that it is over, it stays so.
    room.say(&schedule(1));
    room.is_at(ScreenId::SessionEnd);
    room.say(&schedule(2));
    room.is_at(ScreenId::RoundEnd);
    room.press("OK");
    room.is_at(ScreenId::RoundStart);
}

#[test]
fn a_result_is_corrected_while_the_round_lasts_and_not_after() {
    let mut room = Room::at_first_board(CLUB);
    room.press("4 ♠ S = OK ACCEPT 4 ♥ W = OK ACCEPT");
    room.press("BACK ▲ ▲ OK");
    room.reads("Board 1: correct");
    room.reads("4♠ S =");
    room.press("4 ♠ X S = OK ACCEPT");
    let entries = room.base.of_board(1);
    assert_eq!(entries.len(), 2);
    assert!(entries[1].correction);
    assert_eq!(entries[1].result.score(board(1)), Some(Score(590)));
    room.press("PASS OK ACCEPT");
    room.is_at(ScreenId::RoundEnd);
    room.press("OK");
    // Nothing of round 2 is agreed yet: BACK leads to round 1.
    room.press("BACK BACK ▲ ▲ ▲ OK 4 ♠ S + 1 OK ACCEPT");
    assert_eq!(room.base.of_board(1).len(), 3);
    assert_eq!(room.base.of_board(1)[2].agreed_in, round(1));
    room.press("OK OK 1 NT N = OK ACCEPT");
    assert_eq!(room.base.of_board(4).len(), 1);
    room.press("BACK 1 OK");
    room.is_at(ScreenId::OutOfRange);
}

#[test]
fn passed_out_not_played_and_phantom_are_three_different_things() {
    let mut room = Room::at_first_board(CLUB);
    room.press("PASS OK");
    room.reads("All four players");
    room.press("ACCEPT");
    assert_eq!(last_result(&room), BoardResult::PassedOut);
    room.press("NP OK");
    room.reads("CLEAR, PASS.");
    room.press("ACCEPT");
    assert_eq!(last_result(&room), BoardResult::NotPlayed);
    let mut alone = Room::with(CLUB);
    alone.base.sheets[0].ew = None;
    alone.log_on();
    alone.reads("E-W phantom");
    alone.press("OK");
    alone.is_at(ScreenId::SitOut);
    alone.press("ACCEPT");
    alone.is_at(ScreenId::RoundEnd);
    assert_eq!(alone.base.journal.len(), 3);
    assert_eq!(last_result(&alone), BoardResult::SitOut);
}

#[test]
fn a_board_out_of_range_is_reported_at_once_and_the_director_can_allow_it() {
    let mut room = Room::at_first_board(CLUB);
    room.press("BACK 2 8 OK");
    room.is_at(ScreenId::OutOfRange);
    let wanted = Up::BoardWanted {
        round: round(1),
        board: board(28),
    };
    assert_eq!(room.base.heard.last(), Some(&wanted));
    // From the page.
    room.say(&Down::BoardAllowed {
        round: round(1),
        board: board(28),
    });
    room.reads("Board 28");
    room.press("1 ♣ N = OK ACCEPT");
    assert_eq!(room.base.of_board(28).len(), 1);
    // From the pad.
    room.press("BACK 2 9 OK DIRECTOR 2 5 8 0");
    room.is_at(ScreenId::AllowBoard);
    room.press("ACCEPT");
    room.reads("Board 29");
    assert!(room.base.heard.contains(&Up::BoardAllowedHere {
        round: round(1),
        board: board(29),
    }));
}

#[test]
fn the_result_can_be_typed_in_the_club_s_style() {
    let with = |result_style| Settings {
        result_style,
        ..CLUB
    };
    for (style, keys, tricks) in [
        (ResultStyle::OverUnder, "4 ♠ S ♦ K - 2 OK ACCEPT", 8),
        (ResultStyle::TotalTricks, "4 ♠ S ♦ K 1 0 OK ACCEPT", 10),
        (ResultStyle::TotalTricks, "4 ♠ S ♦ 1 0 9 OK ACCEPT", 9),
        (ResultStyle::TotalTricks, "4 ♠ S ♦ 1 1 1 OK ACCEPT", 11),
        (ResultStyle::American, "4 ♠ S ♦ K 5 OK ACCEPT", 11),
        (ResultStyle::American, "4 ♠ S ♦ K - 1 OK ACCEPT", 9),
    ] {
        let mut room = Room::at_first_board(with(style));
        room.press(keys);
        let BoardResult::Played(played) = last_result(&room) else {
            panic!("{keys}");
        };
        assert_eq!(played.tricks.get(), tricks, "{keys}");
    }
    let mut room = Room::at_first_board(with(ResultStyle::American));
    room.press("4 ♠ S ♦ K 3 OK");
    room.reads("how many down.");
    room.press("BACK + 4 OK");
    room.reads("only 13 tricks.");
}

#[test]
fn a_lead_is_optional_or_required_as_the_club_likes() {
    let mut optional = Room::at_first_board(CLUB);
    optional.press("4 ♠ S OK = OK");
    optional.reads("South, no lead");
    let settings = Settings {
        lead: LeadEntry::Required,
        ..CLUB
    };
    let mut required = Room::at_first_board(settings);
    required.press("4 ♠ S OK");
    required.reads("The suit of the lead");
    required.press("=");
    required.is_at(ScreenId::Entry);
    required.press("♦ 1 0 = OK");
    required.reads("lead ♦10");
}

#[test]
fn a_forgotten_double_and_a_wrong_declarer_are_one_key_away() {
    let mut room = Room::at_first_board(CLUB);
    room.press("4 ♠ S X N ♦ K BACK BACK X XX ♦ A - 1 OK");
    room.reads("4♠ redoubled");
    room.reads("North, lead ♦A");
    room.press("BACK CLEAR");
    room.reads("Contract?");
}

#[test]
fn east_west_accept_with_their_own_number() {
    let settings = Settings {
        acceptance: Acceptance::Pin,
        pair_check: PairCheck::Typed,
        ..CLUB
    };
    let mut room = Room::with(settings);
    room.log_on();
    room.press("OK 1 2 OK");
    let seen = room
        .base
        .heard
        .iter()
        .any(|up| matches!(up, Up::PairsSeen { ew: Some(pair), .. } if pair.get() == 12));
    assert!(seen, "who really sits there");
    room.press("4 2 1 7 OK 4 ♠ S = OK ACCEPT 1 1 1 1 OK");
    room.reads("That number is not");
    assert!(room.base.journal.is_empty());
    room.press("4 2 1 7 OK");
    assert_eq!(room.base.journal.len(), 1);
    room.restart();
    room.press("4 ♠ S = OK ACCEPT 4 2 1 7 OK");
    assert_eq!(room.base.journal.len(), 2);
}

#[test]
fn east_west_confirm_every_round_who_they_are() {
    let settings = Settings {
        pair_check: PairCheck::Confirm,
        ..CLUB
    };
    let mut room = Room::at_first_board(settings);
    room.press("PASS OK ACCEPT PASS OK ACCEPT PASS OK ACCEPT OK OK");
    let seen: Vec<_> = room
        .base
        .heard
        .iter()
        .filter_map(|up| match up {
            Up::PairsSeen { ew, .. } => ew.map(protocol::words::PairNumber::get),
            _ => None,
        })
        .collect();
    assert_eq!(seen, [11, 12]);
}

#[test]
fn a_refused_entry_is_told_and_a_full_disk_only_delays() {
    let mut room = Room::at_first_board(CLUB);
    room.base.refuses_entries = Some(RefusalReason::DiskFailed);
    room.press("4 ♠ S = OK ACCEPT");
    room.reads("1: 4♠ S = +420 to send");
    room.base.refuses_entries = None;
    room.wait(Span::from_secs(30));
    assert_eq!(room.base.journal.len(), 1);
    room.base.refuses_entries = Some(RefusalReason::RoundOver);
    room.press("4 ♠ S = OK ACCEPT");
    room.is_at(ScreenId::EntryRefused);
    room.press("OK");
    assert_eq!(
        room.app.sheet().newest().map(|line| line.state),
        Some(LineState::Refused(RefusalReason::RoundOver))
    );
}

#[test]
fn a_pad_out_of_range_all_evening_delivers_everything_once_and_nobody_waited() {
    let mut room = Room::at_first_board(CLUB);
    room.in_range = false;
    for number in 1..=room::ROUNDS {
        for _ in 0..room::BOARDS {
            room.is_at(ScreenId::Entry);
            room.press("2 ♥ E ♣ A - 1 OK ACCEPT");
        }
        room.is_at(ScreenId::RoundEnd);
        room.press(if number < room::ROUNDS { "OK OK" } else { "OK" });
    }
    room.is_at(ScreenId::SessionEnd);
    room.reads("Still to be sent: 30.");
    assert_eq!(room.screen().status.alert, "30 to send");
    room.restart();
    room.in_range = true;
    room.wait(Span::from_secs(200));
    assert_eq!(room.base.journal.len(), 30);
    assert_eq!(room.base.repeated, 0);
    assert_eq!(room.app.sheet().unsent(), 0);
}

#[test]
fn the_director_is_called_and_the_call_taken_back() {
    let mut room = Room::at_first_board(CLUB);
    room.press("4 ♠ CALL");
    room.reads("Call the director?");
    room.press("OK");
    assert_eq!(room.base.heard.last(), Some(&Up::CallDirector));
    room.reads("4♠_");
    room.press("CALL OK");
    assert_eq!(room.base.heard.last(), Some(&Up::CancelCall));
    room.press("S ♦ T");
    room.reads("4♠ S ♦10_");
}

#[test]
fn the_director_s_words_and_clock_reach_the_table() {
    let mut room = Room::at_first_board(CLUB);
    room.say(&Down::Clock(Clock {
        time_of_day_s: 70_000,
        round: round(1),
        left_s: 600,
        state: ClockState::Running,
    }));
    assert_eq!(room.screen().status.place, "A5 Round 1/10  10 min");
    let next = room.app.deadline(room.now).expect("the minute changes");
    room.wait(next.since(room.now));
    assert_eq!(room.screen().status.place, "A5 Round 1/10  9 min");
    room.press("4 ♠");
    room.say(&Down::Notice("Last call".try_into().expect("short")));
    room.reads("Last call");
    room.press("OK");
    room.reads("4♠_");
    room.say(&Down::Gate { open: false });
    room.press("S = OK ACCEPT");
    assert!(room.base.journal.is_empty());
    room.say(&Down::Gate { open: true });
    assert_eq!(room.base.journal.len(), 1);
}

#[test]
fn player_numbers_are_asked_every_round_where_the_club_wants_it() {
    let settings = Settings {
        player_numbers: PlayerNumbers::EveryRound,
        ..CLUB
    };
    let mut room = Room::at_first_board(settings);
    room.press("PASS OK ACCEPT PASS OK ACCEPT PASS OK ACCEPT OK");
    room.is_at(ScreenId::Players);
}

#[test]
fn a_pad_in_its_box_goes_dormant_and_a_pad_at_a_table_does_not() {
    let mut room = Room::new();
    room.press("OK BACK");
    assert!(!room.app.is_dormant(room.now));
    let at = room
        .app
        .deadline(room.now)
        .expect("it falls asleep by itself");
    room.wait(at.since(room.now));
    assert!(room.app.is_dormant(room.now));
    assert_eq!(room.app.deadline(room.now), None);
    room.press("OK");
    assert!(!room.app.is_dormant(room.now));
    let mut playing = Room::at_first_board(CLUB);
    playing.wait(Span::from_secs(3600));
    assert!(!playing.app.is_dormant(playing.now));
    // Nobody comes back to it: it was put into its box in the middle of a board.
    playing.wait(Span::from_secs(2 * 3600));
    assert!(playing.app.is_dormant(playing.now));
    assert_eq!(playing.app.check_in(playing.now), None);
}

#[test]
fn an_idle_pad_asks_for_nothing_but_the_minute_of_the_clock() {
    let mut room = Room::at_first_board(CLUB);
    room.press("4 ♠ S = OK ACCEPT");
    assert_eq!(room.app.outgoing(room.now), None);
    let hour = room.now + Span::from_secs(3600);
    let at = room.app.deadline(room.now);
    assert!(at.is_none_or(|at| at > hour), "nothing to wake up for");
}
