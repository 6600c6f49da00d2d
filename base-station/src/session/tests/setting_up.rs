//! Before the first card: the calendar, the sections, opening in the right order.

use super::*;
use crate::session::Phase;
use crate::session::plan::{Scoring, Timing};

#[test]
fn pads_are_refused_until_the_director_opens_the_session() {
    let mut room = Room::new();
    let refused = room.says(pad_id(1), None, Up::LogOn(claim(1)));
    assert_eq!(reason(&refused), Some(RefusalReason::SessionNotOpen));
    assert_eq!(
        room.refused(Command::Open),
        "choose a movement first: the session has no tables yet"
    );
}

#[test]
fn a_session_is_opened_once_and_not_after_its_end() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    assert_eq!(room.refused(Command::Open), "the session is open already");
    room.direct(Command::EndPlay);
    assert!(room.refused(Command::Open).starts_with("play is over"));
    assert_eq!(room.session().phase, Phase::Ended);
}

#[test]
fn a_second_session_of_an_event_leaves_the_first_as_it_was() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    room.log_on(1, 1).enters(&mut room, 1, 1, "4S N =");
    let first = room.session().clone();
    room.direct(Command::AddSession {
        event: crate::session::EventId(1),
        date: "2026-11-23".to_owned(),
        title: "second  session ".to_owned(),
    });
    let second = room.keeper.state().club.sessions.get_max().expect("two").0;
    room.direct(Command::ChooseSession { session: second });
    assert_eq!(room.session().phase, Phase::SettingUp);
    assert_eq!(
        room.keeper.state().club.sessions[&second].title,
        "second session",
        "doubled spaces are nobody's intention"
    );
    room.direct(Command::ChooseSession { session: first.id });
    assert_eq!(room.session(), &first);
}

#[test]
fn names_and_days_that_make_no_sense_are_refused_with_a_sentence() {
    let mut room = Room::new();
    let create = |name: &str, date: &str| Command::CreateEvent {
        name: name.to_owned(),
        date: date.to_owned(),
        title: String::new(),
    };
    let cases = [
        (create("", "2026-11-16"), "the event's name is missing"),
        (
            create("Tuesday\u{202E}sriaP", "2026-11-17"),
            "the event's name has characters that can't be printed",
        ),
        (
            create("Tuesday", "16.11.2026"),
            "expected a day such as 2026-11-16",
        ),
        (
            create("Tuesday", "2026-02-30"),
            "2026-02-30 is not a day of the calendar",
        ),
        (
            create("Monday  Pairs", "2026-11-17"),
            "there is already an event called Monday Pairs: add a session to it, or choose another name",
        ),
    ];
    for (command, sentence) in cases {
        assert_eq!(room.refused(command), sentence);
    }
}

#[test]
fn settings_changed_in_the_middle_reach_every_pad_at_its_next_contact() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let (first, second) = (room.log_on(1, 1), room.log_on(2, 2));
    let mut settings = room.session().settings;
    settings.hand_record = true;
    room.direct(Command::ChangeSettings(settings));
    settings.director_pin = protocol::message::Pin(7316);
    for pad in [first, second] {
        assert!(room.mail.contains(&(pad.pad, Down::Settings(settings))));
    }
}

#[test]
fn sections_that_play_different_boards_are_not_one_field() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let other = generate(Kind::Mitchell, Setup::new(table_number(7), board(21)));
    room.direct(Command::PlanSection {
        section: SectionLetter::new('B').expect("B"),
        plan: SectionPlan::of(&other.expect("a Mitchell"), "blue"),
    });
    let scoring = Scoring {
        across_sections: true,
        ..Scoring::CLUB_EVENING
    };
    assert!(
        room.refused(Command::ChooseScoring(scoring))
            .contains("different boards")
    );
}

#[test]
fn the_clock_runs_holds_and_goes_on_with_what_was_left() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    room.direct(Command::ChooseTiming(Timing {
        minutes_a_board: 7,
        minutes_to_move: 1,
        warning_minutes: 3,
    }));
    room.direct(Command::StartClock { round: round(1) });
    let start = room.now;
    room.later(10);
    room.direct(Command::HoldClock);
    room.later(20);
    room.direct(Command::ResumeClock);
    room.direct(Command::AddMinutes { minutes: 2 });
    let clock = room.session().clock.expect("a clock");
    // Five boards of seven minutes and one to move, twenty held, two given.
    let ends = start.plus_ms((36 + 20 + 2) * 60_000);
    assert_eq!(clock.until, crate::session::ClockUntil::Ends(ends));
}

#[test]
fn the_result_is_released_when_the_checklist_is_empty_or_in_spite_of_it() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let release = |despite_checklist| Command::Release { despite_checklist };
    assert!(room.refused(release(true)).starts_with("end play first"));
    room.direct(Command::EndPlay);
    let sentence = room.refused(release(false));
    assert!(
        sentence.starts_with("table A1 round 1 board 1 is missing"),
        "{sentence}"
    );
    room.direct(release(true));
    let correction = Command::Rule {
        cell: cell(1, 1, 1),
        ruling: ruling("3NT N ="),
        why: String::new(),
    };
    assert!(
        room.refused(correction.clone())
            .starts_with("the result is released")
    );
    room.direct(Command::Reopen {
        why: "score of board 1 was never entered".to_owned(),
    });
    room.direct(correction);
}

#[test]
fn sections_are_let_in_one_after_the_other() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let section = SectionLetter::A;
    let gate = |open| Command::SetSectionGate { section, open };
    let early = room.log_on(1, 1);
    room.direct(gate(false));
    let answer = room.says(pad_id(2), None, Up::LogOn(claim(2)));
    assert_eq!(reason(&answer), Some(RefusalReason::SessionNotOpen));
    // Who is in already stays in, and a spare pad still takes a place.
    let answer = room.says(early.pad, None, Up::LogOn(claim(1)));
    assert_eq!(reason(&answer), None);
    room.direct(gate(true));
    room.log_on(2, 2);
    let section = SectionLetter::new('C').expect("C");
    let sentence = room.refused(Command::SetSectionGate {
        section,
        open: false,
    });
    assert!(sentence.contains('C'), "{sentence}");
}
