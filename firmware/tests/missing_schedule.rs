//! A pad whose base died in the middle of its welcome.

mod room;

use pad::{Input, ScreenId};
use protocol::message::{Down, RefusalReason, Settings, Up};
use protocol::time::Span;
use room::Room;

#[test]
fn a_pad_whose_base_died_before_it_sent_the_schedule_asks_for_everything_again() {
    let mut room = Room::with(Settings::CLUB_EVENING);
    let schedule = std::mem::take(&mut room.base.sheets);
    room.log_on();
    // Players do not wait to be told: they press OK, and must not delay the question by it.
    for _ in 0..30 {
        room.press("OK");
        room.wait(Span::from_secs(1));
    }
    room.base.sheets = schedule;
    for _ in 0..60 {
        room.wait(Span::from_secs(1));
    }
    let again = |up: &&Up| matches!(up, Up::Recover(_));
    assert_eq!(room.base.heard.iter().filter(again).count(), 1);
    room.press("OK");
    room.is_at(ScreenId::Entry);
}

#[test]
fn a_pad_that_waits_for_an_answer_does_not_wake_its_shell_for_a_moment_that_has_passed() {
    let mut room = Room::at_first_board(Settings::CLUB_EVENING);
    room.base.refuses_entries = Some(RefusalReason::DiskFailed);
    room.press("PASS OK ACCEPT");
    let rests_until = room.app.deadline(room.now).expect("it tries again");
    assert!(rests_until > room.now);
    // The link takes the entry at that moment and holds it: nothing to wake up for meanwhile.
    room.now = rests_until;
    assert_eq!(room.app.deadline(room.now), Some(rests_until));
    room.app.handle(Input::Tick, room.now);
    room.now += Span::from_secs(1);
    assert!(room.app.outgoing(room.now).is_some());
    assert!(room.app.deadline(room.now).is_none_or(|at| at > room.now));
}

#[test]
fn a_receipt_that_comes_behind_other_news_does_not_keep_the_next_result_waiting() {
    let mut room = Room::at_first_board(Settings::CLUB_EVENING);
    // Nothing settles the first result yet, and the second one waits behind it.
    room.base.refuses_entries = Some(RefusalReason::DiskFailed);
    room.press("PASS OK ACCEPT OK");
    room.press("PASS OK ACCEPT");
    assert_eq!(room.app.outgoing(room.now), None);
    room.base.refuses_entries = None;
    let number = room.app.sheet().lines().map(|line| line.entry.number).min();
    let received = Down::Received {
        number: number.expect("a result"),
        percentage: None,
    };
    room.app.handle(Input::Down(&received), room.now);
    let next = room.app.outgoing(room.now).map(|outgoing| outgoing.up);
    assert!(
        matches!(next, Some(Up::Entry(entry)) if Some(entry.number) != number),
        "{next:?}"
    );
}
