//! The director's menu on the pad by keys, reading the screens.

mod room;

use pad::{Key, ScreenId};
use protocol::message::{Down, Recorded, RefusalReason, Settings, Source, Up};
use protocol::time::Span;
use protocol::words::{Award, BoardResult, Outcome, Percentage, Score};
use room::{Room, board, round};

const CLUB: Settings = Settings::CLUB_EVENING;

/// One result agreed, and the menu open.
fn in_menu() -> Room {
    let mut room = Room::at_first_board(CLUB);
    room.press("4 ♠ S ♦ K = OK ACCEPT DIRECTOR 2 5 8 0");
    room.is_at(ScreenId::Menu);
    room
}

#[test]
fn the_menu_is_behind_a_number_and_players_come_out_again() {
    let mut room = Room::at_first_board(CLUB);
    room.press("4 ♠ DIRECTOR");
    room.reads("Players: please press BACK");
    room.press("1 2 3 4");
    room.reads("That number is not");
    room.press("BACK");
    room.reads("4♠_");
    room.press("DIRECTOR DIRECTOR");
    room.reads("4♠_");
    // Nobody is left alone in it.
    room.press("DIRECTOR 2 5 8 0");
    room.is_at(ScreenId::Menu);
    room.wait(Span::from_secs(61));
    room.reads("4♠_");
}

#[test]
fn a_base_can_give_the_club_another_number() {
    let mut room = Room::at_first_board(Settings {
        director_pin: protocol::message::Pin(42),
        ..CLUB
    });
    room.press("DIRECTOR 2 5 8 0");
    room.is_at(ScreenId::DirectorPin);
    room.press("0 0 4 2");
    room.is_at(ScreenId::Menu);
}

#[test]
fn the_current_game_is_shown() {
    let mut room = in_menu();
    room.press("1");
    room.reads("Table A5 round 1");
    room.reads("Results 1, to send 0");
    room.press("OK");
    room.is_at(ScreenId::Entry);
}

#[test]
fn a_result_is_replaced_by_the_director() {
    let mut room = in_menu();
    room.press("2 OK");
    room.reads("4♠ S = +420");
    room.press("OK 4 ♠ W = OK");
    room.reads("N-S -420");
    room.press("ACCEPT");
    room.is_at(ScreenId::Results);
    let entry = room.base.of_board(1)[1];
    assert!(entry.by_director && entry.correction);
    room.press("BACK BACK");
    room.reads("Board 2");
}

#[test]
fn an_adjusted_score_is_any_pair_of_percentages() {
    let mut room = in_menu();
    room.press("2 ▼ OK ► 6 0 OK 3 3 ► 3 3 OK");
    room.reads("E-W 33.33 %");
    room.press("ACCEPT");
    let percentage = |hundredths| Percentage::new(hundredths).expect("a percentage");
    assert_eq!(
        room.base.of_board(2)[0].result,
        BoardResult::Adjusted {
            ns: percentage(6000),
            ew: percentage(3333),
        }
    );
    room.press("2 OK ► 1 0 1 OK");
    room.press("BACK BACK BACK BACK 2 OK ► 1 0 1 OK");
}

#[test]
fn new_game_by_mistake_is_recovered() {
    let mut room = in_menu();
    room.press("7");
    room.reads("takes this pad off table A5.");
    room.press("ACCEPT");
    room.is_at(ScreenId::Start);
    room.restart();
    room.is_at(ScreenId::Start);
    room.press("DIRECTOR 2 5 8 0 6");
    room.reads("Results: 1.");
    room.press("ACCEPT");
    room.reads("Board 2");
    assert!(matches!(
        room.base.heard.last(),
        Some(Up::CheckIn(_) | Up::Recover(_))
    ));
    assert_eq!(room.base.journal.len(), 1);
}

#[test]
fn a_spare_pad_replaces_a_dead_one_and_has_every_score() {
    let mut dead = Room::at_first_board(CLUB);
    dead.press("4 ♠ S = OK ACCEPT 4 ♥ W = OK ACCEPT");
    let mut spare = Room::new();
    spare.base = dead.base.clone();
    spare.press("DIRECTOR 2 5 8 0 4 A 5 OK");
    spare.is_at(ScreenId::RoundStart);
    assert_eq!(spare.app.sheet().lines().count(), 2);
    spare.press("OK");
    spare.reads("Board 3");
    spare.press("1 NT N = OK ACCEPT");
    assert_eq!(spare.base.journal.len(), 3);
    // The dead one wakes again and changes nothing.
    dead.in_range = false;
    dead.press("PASS OK ACCEPT");
    dead.in_range = true;
    dead.base.heard.clear();
    dead.say(&Down::Replaced);
    dead.is_at(ScreenId::Replaced);
    assert!(matches!(dead.base.heard.as_slice(), [Up::Held(_)]));
    dead.press("OK");
    dead.is_at(ScreenId::Start);
}

#[test]
fn a_replaced_pad_keeps_what_a_full_disk_could_not_take() {
    let mut dead = Room::at_first_board(CLUB);
    dead.in_range = false;
    dead.press("4 ♠ S = OK ACCEPT PASS OK ACCEPT");
    dead.in_range = true;
    // The base has stopped the other pads, and no room on its disk.
    dead.say(&Down::Gate { open: false });
    dead.base.refuses_entries = Some(RefusalReason::DiskFailed);
    dead.say(&Down::Replaced);
    dead.is_at(ScreenId::Replaced);
    dead.wait(Span::from_secs(60));
    assert_eq!((dead.app.sheet().unsent(), dead.base.kept.len()), (2, 0));
    dead.base.refuses_entries = None;
    dead.wait(Span::from_secs(60));
    assert_eq!((dead.app.sheet().unsent(), dead.base.kept.len()), (0, 2));
}

#[test]
fn everything_is_sent_again_and_nothing_counts_twice() {
    let mut room = in_menu();
    room.press("5 ACCEPT");
    assert_eq!(room.base.journal.len(), 1);
    assert_eq!(room.base.repeated, 1);
    assert!(
        room.base
            .heard
            .contains(&Up::ResendingEverything { entries: 1 })
    );
    // The base asks for it itself, after an old backup was opened.
    room.base.journal.clear();
    room.say(&Down::PleaseResend);
    assert_eq!(room.base.journal.len(), 1);
}

#[test]
fn network_channel_and_club_key_are_set_on_the_pad() {
    let mut room = in_menu();
    room.press("8 3 0 0 OK");
    room.reads("0 to 255.");
    room.press("CLEAR 7 OK 1 6 OK");
    assert!(room.last.link_changed);
    assert_eq!(
        (room.app.radio().network, room.app.radio().channel),
        (7, 16)
    );
    room.press("9");
    for _ in 0..4 {
        room.press("0 1 2 3 4 5 6 7 8 9 A B C D E F");
    }
    room.reads("Club key 64 of 64");
    room.press("OK");
    assert!(room.last.link_changed);
    let text = "0123456789ABCDEF".repeat(4);
    let key: protocol::frame::ClubKey = text.parse().expect("a key");
    assert_eq!(room.app.keys(), Some(&key.for_pad(room.app.pad())));
    room.restart();
    assert_eq!(room.app.keys(), Some(&key.for_pad(room.app.pad())));
    assert_eq!(room.app.radio().channel, 16);
}

#[test]
fn service_information_and_restart() {
    let mut room = in_menu();
    room.press("0");
    room.reads("Program 0.2.0/");
    room.reads("Club key");
    room.press("BACK ▼ OK ACCEPT");
    assert!(room.last.restart);
}

#[test]
fn results_of_an_earlier_session_are_not_forgotten_without_the_director() {
    let mut room = Room::at_first_board(CLUB);
    room.in_range = false;
    room.press("4 ♠ S = OK ACCEPT DIRECTOR 2 5 8 0 7");
    room.reads("1 not yet received!");
    room.press("ACCEPT");
    room.in_range = true;
    room.base.session = 8;
    room.base.refuses_entries = Some(RefusalReason::Stopped);
    room.press("OK A 6 OK");
    room.is_at(ScreenId::OldResults);
    room.press("OK");
    room.reads("Only the director");
    room.restart();
    assert_eq!(room.app.sheet().unsent(), 1);
    room.press("OK A 6 OK DIRECTOR 2 5 8 0");
    room.is_at(ScreenId::ForgetOld);
    room.press("ACCEPT");
    room.is_at(ScreenId::Players);
    assert_eq!(room.app.sheet().unsent(), 0);
    assert_eq!(room.app.game().map(|game| game.tag.session.get()), Some(8));
}

#[test]
fn results_of_an_earlier_session_are_sent_before_the_next_log_on() {
    let mut room = Room::at_first_board(CLUB);
    room.in_range = false;
    room.press("4 ♠ S = OK ACCEPT 3 NT N = OK ACCEPT DIRECTOR 2 5 8 0 7 ACCEPT");
    room.is_at(ScreenId::Start);
    room.base.session = 8;
    room.press("OK A 6");
    let heard = room.base.heard.len();
    room.in_range = true;
    room.press("OK");
    room.is_at(ScreenId::Players);
    let said: Vec<_> = room.base.heard[heard..].iter().take(3).collect();
    assert!(
        matches!(said[..], [Up::Entry(_), Up::Entry(_), Up::LogOn(_)]),
        "{said:?}"
    );
    assert_eq!(room.base.kept.len(), 2);
    assert!(room.base.journal.is_empty());
}

#[test]
fn a_result_refused_because_the_session_was_over_is_not_forgotten_without_the_director() {
    let mut room = Room::at_first_board(CLUB);
    room.in_range = false;
    room.press("4 ♠ S = OK ACCEPT");
    room.in_range = true;
    room.base.refuses_entries = Some(RefusalReason::SessionOver);
    room.exchange();
    room.is_at(ScreenId::EntryRefused);
    room.press("OK DIRECTOR 2 5 8 0 7 ACCEPT");
    room.base.session = 8;
    room.press("OK A 6 OK");
    room.is_at(ScreenId::OldResults);
    room.reads("not counted: 1");
    room.restart();
    room.press("OK A 6 OK DIRECTOR 2 5 8 0");
    room.is_at(ScreenId::ForgetOld);
    room.press("ACCEPT");
    room.is_at(ScreenId::Players);
}

#[test]
fn a_correction_at_the_base_reaches_the_pad_but_not_over_something_newer() {
    let mut room = Room::at_first_board(CLUB);
    room.press("4 ♠ S = OK ACCEPT");
    let mut recorded = Recorded {
        round: round(1),
        board: board(1),
        result: Some(Outcome::Result(BoardResult::PassedOut)),
        source: Source::Director,
    };
    room.say(&Down::Recorded(recorded));
    room.press("BACK");
    room.reads("1 passed out");
    recorded.result = None;
    room.say(&Down::Recorded(recorded));
    room.reads("1 no result");
    // The number of the entry that was taken away is never used again.
    room.press("▲ OK 1 NT N = OK ACCEPT");
    assert_eq!(room.base.journal.len(), 2);
    room.in_range = false;
    room.press("BACK ▲ ▲ OK 2 NT N = OK ACCEPT");
    recorded.result = Some(Outcome::Result(BoardResult::NotPlayed));
    room.say(&Down::Recorded(recorded));
    room.in_range = true;
    room.exchange();
    assert_eq!(room.base.journal.len(), 3);
}

#[test]
fn point_4_what_the_director_gave_in_place_of_a_result_stands_on_the_pad_as_it_was_given() {
    let (plus, minus) = (Award::AveragePlus, Award::AverageMinus);
    let score = Award::Score(Score(-620));
    let sixty = Award::Percentage(Percentage::whole(60).expect("60%"));
    for (ns, ew, reads) in [
        (score, score, "1 -620"),
        (plus, minus, "1 avg+/avg-"),
        (Award::Average, Award::Average, "1 average"),
        (sixty, minus, "1 60%/avg-"),
        (Award::Weighted, score, "1 weighted/-620"),
    ] {
        let mut room = Room::at_first_board(CLUB);
        room.press("4 ♠ S = OK ACCEPT");
        room.say(&Down::Recorded(Recorded {
            round: round(1),
            board: board(1),
            result: Some(Outcome::Awarded { ns, ew }),
            source: Source::Director,
        }));
        room.press("BACK");
        room.reads(reads);
        // It is still so after a change of cells.
        room.restart();
        room.press("BACK");
        room.reads(reads);
    }
}

#[test]
fn every_screen_of_the_menu_can_be_left_with_back() {
    for keys in [
        "1", "2", "2 OK", "2 OK ►", "3", "4", "4 A", "5", "7", "8", "9", "0", "▲ OK",
    ] {
        let mut room = in_menu();
        room.press(keys);
        for _ in 0..6 {
            if room.app.flow().is_directors() {
                room.key(Key::Back);
            }
        }
        room.reads("Board 2");
    }
}
