//! Matches at a table: the draw that is not made yet, and the slip that both sides accept.

mod room;

use pad::ScreenId;
use protocol::message::{Down, Settings, Up};
use protocol::time::Span;
use room::{Room, matching, round, sheet, slip};

/// A Swiss of which one round is drawn, at the end of that round.
fn after_round_1() -> Room {
    let mut room = Room::with(Settings::CLUB_EVENING);
    room.base.sheets.truncate(1);
    room.log_on();
    room.say(&Down::NotDrawn {
        from: round(2),
        rounds_total: round(3),
    });
    room.say(&matching(round(1)));
    room.press("OK");
    for _ in 0..3 {
        room.press("4 ♠ S ♦ K = OK ACCEPT");
    }
    room
}

#[test]
fn a_table_whose_next_round_is_not_drawn_waits_for_it_and_gets_it_by_itself() {
    let mut room = after_round_1();
    room.is_at(ScreenId::RoundEnd);
    room.reads("Round 2 is not drawn yet.");
    room.press("OK");
    room.is_at(ScreenId::RoundStart);
    room.reads("Round 2 is not drawn yet.");
    let claims = |room: &Room| {
        let claims = room.base.heard.iter();
        claims.filter(|up| matches!(up, Up::Recover(_))).count()
    };
    for _ in 0..120 {
        room.wait(Span::from_secs(1));
    }
    assert_eq!(claims(&room), 0, "it need not ask for everything again");
    let check_ins = room.base.heard.iter();
    let check_ins = check_ins.filter(|up| matches!(up, Up::CheckIn(_))).count();
    assert!((8..=14).contains(&check_ins), "{check_ins}");
    room.say(&Down::Schedule {
        rounds_total: round(2),
        rounds: [sheet(2)].into_iter().collect(),
    });
    room.say(&Down::NotDrawn {
        from: round(3),
        rounds_total: round(3),
    });
    room.reads("Boards 4-6");
    room.press("OK");
    room.is_at(ScreenId::Entry);
}

#[test]
fn a_schedule_that_counts_only_drawn_rounds_ends_nobodys_evening() {
    let mut room = after_round_1();
    // Between a schedule and what stands behind it there may be a key, and a minute.
    room.say(&Down::Schedule {
        rounds_total: round(1),
        rounds: [sheet(1)].into_iter().collect(),
    });
    room.press("OK");
    room.is_at(ScreenId::SessionEnd);
    room.say(&Down::NotDrawn {
        from: round(2),
        rounds_total: round(3),
    });
    room.is_at(ScreenId::RoundEnd);
    room.press("OK");
    room.reads("Round 2 is not drawn yet.");
}

#[test]
fn a_pad_that_restarts_before_the_draw_goes_on_waiting() {
    let mut room = after_round_1();
    room.press("OK");
    room.restart();
    room.is_at(ScreenId::RoundStart);
    room.reads("not known yet");
}

#[test]
fn both_sides_accept_the_slip_and_it_is_told_once() {
    let mut room = after_round_1();
    room.say(&Down::Slip(slip(round(1), 77)));
    room.is_at(ScreenId::Slip);
    room.reads("1: +620 +170  +10");
    room.reads("-3  VP 8.60-11.40");
    room.press("▼ ▼ ▼ ▼");
    room.reads("5: +400 +430  -1");
    room.press("ACCEPT");
    room.reads("E-W");
    let accepted = |room: &Room| {
        let heard = room.base.heard.iter();
        let accepted = heard.filter_map(|up| match up {
            Up::SlipAccepted { round, check } => Some((round.get(), *check)),
            _ => None,
        });
        accepted.collect::<Vec<_>>()
    };
    assert_eq!(accepted(&room), [], "one side is not enough");
    room.press("ACCEPT");
    room.is_at(ScreenId::RoundEnd);
    room.wait(Span::from_secs(30));
    assert_eq!(accepted(&room), [(1, 77)]);
    // The director changed a board: both read it again.
    room.say(&Down::Slip(slip(round(1), 78)));
    room.is_at(ScreenId::Slip);
    room.press("BACK");
    room.is_at(ScreenId::RoundEnd);
    room.say(&Down::Settings(Settings::CLUB_EVENING));
    room.is_at(ScreenId::RoundEnd);
    assert_eq!(accepted(&room), [(1, 77)]);
}

#[test]
fn a_slip_of_another_round_disturbs_nobody() {
    let mut room = after_round_1();
    room.say(&Down::Slip(slip(round(2), 1)));
    room.is_at(ScreenId::RoundEnd);
}

#[test]
fn who_presses_ok_before_the_slip_comes_reads_it_all_the_same() {
    let mut room = after_round_1();
    room.press("OK");
    room.is_at(ScreenId::RoundStart);
    room.say(&Down::Slip(slip(round(1), 77)));
    room.is_at(ScreenId::Slip);
    room.press("ACCEPT ACCEPT");
    room.is_at(ScreenId::RoundStart);
    room.wait(Span::from_secs(30));
    let accepted = |up: &Up| matches!(up, Up::SlipAccepted { check: 77, .. });
    assert_eq!(room.base.heard.iter().filter(|up| accepted(up)).count(), 1);
    // The draw comes, somebody sits down: another slip of last round is too late.
    room.say(&Down::Schedule {
        rounds_total: round(2),
        rounds: [sheet(2)].into_iter().collect(),
    });
    room.press("OK");
    room.is_at(ScreenId::Entry);
    room.say(&Down::Slip(slip(round(1), 78)));
    room.is_at(ScreenId::Entry);
}

#[test]
fn a_slip_put_aside_in_the_next_round_goes_back_to_its_start() {
    let mut room = after_round_1();
    room.press("OK");
    room.say(&Down::Slip(slip(round(1), 77)));
    room.press("BACK");
    room.is_at(ScreenId::RoundStart);
    room.reads("Round 2 is not drawn yet.");
}

#[test]
fn a_pair_without_a_match_reads_that_the_draw_is_not_whole_yet() {
    let mut room = Room::with(Settings::CLUB_EVENING);
    room.base.sheets.truncate(2);
    let first = &mut room.base.sheets[0];
    first.ew_next = protocol::message::NextPlace::SitOut;
    room.log_on();
    // This table has a match of round 2, some others have none yet.
    room.say(&Down::NotDrawn {
        from: round(2),
        rounds_total: round(3),
    });
    room.press("OK");
    for _ in 0..3 {
        room.press("4 ♠ S ♦ K = OK ACCEPT");
    }
    room.is_at(ScreenId::RoundEnd);
    room.reads("E-W not drawn yet");
}

#[test]
fn players_of_a_team_read_who_is_at_home() {
    let mut room = Room::with(Settings::CLUB_EVENING);
    room.log_on();
    room.say(&matching(round(1)));
    room.reads("E-W 11 The Eggers");
    room.reads("At home: E-W");
}
