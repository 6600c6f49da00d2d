//! Point 10: the director's PIN.

use super::*;
use crate::session::{Event, NewRecord, Phase};
use protocol::message::{Down, Language, Pin, Settings};

fn pin(number: u16) -> Command {
    Command::SetDirectorPin { pin: Pin(number) }
}

fn judged(downs: &[Down]) -> (bool, u16) {
    let judged = downs.iter().find_map(|down| match down {
        Down::PinJudged { right, rest_s } => Some((*right, *rest_s)),
        _ => None,
    });
    judged.expect("a number is judged")
}

fn planned() -> Room {
    let mut room = Room::new();
    let setup = Setup::new(table_number(5), board(25));
    let movement = generate(Kind::Mitchell, setup).expect("the movement exists");
    room.direct(Command::PlanSection {
        section: SectionLetter::A,
        plan: SectionPlan::of(&movement, "red"),
    });
    room
}

#[test]
fn point_10_no_evening_is_opened_before_the_club_has_chosen_its_pin() {
    let mut room = planned();
    assert_eq!(room.keeper.state().director_pin(), None);
    assert!(
        room.refused(Command::Open)
            .contains("choose the director's PIN")
    );
    for guessed in [0, 1111, 1234, 2580, 10_000] {
        assert!(room.refused(pin(guessed)).contains("PIN"), "{guessed}");
    }
    room.direct(pin(7316));
    room.direct(Command::Open);
    assert_eq!(room.keeper.state().pad_settings().director_pin, Pin(7316));
}

#[test]
fn point_10_the_pin_is_the_same_next_week() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    room.direct(Command::CreateEvent {
        name: "Next week".to_owned(),
        date: "2026-11-23".to_owned(),
        title: String::new(),
    });
    assert_eq!(room.keeper.state().director_pin(), Some(Pin(7316)));
    // Changed among the settings of one evening, it is changed for good, and pads are told.
    let settings = Settings {
        director_pin: Pin(4711),
        ..room.session().settings
    };
    room.direct(Command::ChangeSettings(settings));
    room.direct(Command::CreateEvent {
        name: "The week after".to_owned(),
        date: "2026-11-30".to_owned(),
        title: String::new(),
    });
    assert_eq!(room.keeper.state().director_pin(), Some(Pin(4711)));
}

#[test]
fn point_10_pads_at_tables_learn_a_new_pin() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let pad = room.log_on(1, 1);
    assert_eq!(pad.welcome.settings.director_pin, Pin(7316));
    room.direct(pin(4711));
    let told = Down::Settings(room.keeper.state().pad_settings());
    assert!(room.mail.contains(&(pad.pad, told)));
}

#[test]
fn point_10_a_spare_that_never_saw_tonights_session_is_judged_by_tonights_pin_and_learns_it() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let wrong = room.says(pad_id(9), None, Up::DirectorPin(Pin(2580)));
    assert_eq!(judged(&wrong), (false, 0));
    assert_eq!(wrong.len(), 1, "nothing is handed to who does not know it");
    let right = room.says(pad_id(9), None, Up::DirectorPin(Pin(7316)));
    assert_eq!(judged(&right), (true, 0));
    let settings = room.keeper.state().pad_settings();
    assert!(right.contains(&Down::Settings(settings)));
}

#[test]
fn a_pad_is_told_of_no_language_that_it_cannot_read() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let old = LogOn {
        firmware: FirmwareVersion(0, 1, 0),
        ..claim(2)
    };
    let today = room.log_on(1, 1);
    room.says(pad_id(2), None, Up::LogOn(old));
    for (wished, understood_by_old) in [
        (Language::French, Language::English),
        (Language::German, Language::German),
        (Language::Dutch, Language::English),
    ] {
        let settings = Settings {
            language: wished,
            ..room.keeper.state().pad_settings()
        };
        room.direct(Command::ChangeSettings(settings));
        for (pad, language) in [(today.pad, wished), (pad_id(2), understood_by_old)] {
            let told = Down::Settings(Settings {
                language,
                ..settings
            });
            assert!(room.mail.contains(&(pad, told)), "{pad} {language:?}");
        }
        let not_for_it = |(pad, down): &(PadId, Down)| {
            *pad == pad_id(2)
                && matches!(down, Down::Settings(it) if it.language != understood_by_old)
        };
        assert!(!room.mail.iter().any(not_for_it));
        room.mail.clear();
    }
    // The director asks for Dutch; a spare that nobody knows yet may be an old one.
    let right = room.says(pad_id(9), None, Up::DirectorPin(Pin(7316)));
    let settings = right.iter().find_map(|down| match down {
        Down::Settings(settings) => Some(settings.language),
        _ => None,
    });
    assert_eq!(settings, Some(Language::English));
    let welcome = room.log_on(9, 3).welcome;
    assert_eq!(welcome.settings.language, Language::Dutch);
}

#[test]
fn point_10_whoever_guesses_waits_longer_and_longer() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let guess =
        |room: &mut Room, number| judged(&room.says(pad_id(9), None, Up::DirectorPin(Pin(number))));
    let rests: Vec<u16> = (1..=9)
        .map(|number| {
            let (right, rest) = guess(&mut room, number);
            assert!(!right);
            room.now = room.now.plus_ms(u64::from(rest) * 1000);
            rest
        })
        .collect();
    assert_eq!(rests, [0, 0, 10, 20, 40, 80, 160, 300, 300]);
    // Within the pause the right number is not judged either: no guess tells anything.
    guess(&mut room, 10);
    assert_eq!(guess(&mut room, 7316), (false, 300));
    room.later(5);
    assert_eq!(guess(&mut room, 7316), (true, 0));
    // Another pad does not suffer for it.
    let other = room.says(pad_id(8), None, Up::DirectorPin(Pin(7316)));
    assert_eq!(judged(&other), (true, 0));
}

/// A journal as it was written before clubs chose their number.
fn before_clubs_chose(chosen: Option<Settings>, opened: bool) -> State {
    let mut state = planned().keeper.state().clone();
    let session = state.session.as_mut().expect("a session");
    session.settings.director_pin = chosen.map_or(Pin::NONE, |settings| settings.director_pin);
    if opened {
        session.phase = Phase::Open;
    }
    state
}

#[test]
fn point_10_an_evening_that_was_opened_before_goes_on_with_its_own_pin() {
    let own = Settings {
        director_pin: Pin(4711),
        ..Settings::CLUB_EVENING
    };
    assert_eq!(
        before_clubs_chose(Some(own), true).director_pin(),
        Some(Pin(4711))
    );
    assert_eq!(
        before_clubs_chose(None, true).director_pin(),
        Some(Pin(2580))
    );
    assert_eq!(before_clubs_chose(None, false).director_pin(), None);
    // What was chosen for one session stays with the club when it opens the next.
    let state = before_clubs_chose(Some(own), false);
    let who = Who::Director("Anna".to_owned());
    let records = state
        .decide(&Command::Open, &who, Moment(1))
        .expect("opens");
    let kept = |record: &NewRecord| record.event == Event::DirectorPinSet(Pin(4711));
    assert!(records.iter().any(kept));
}
