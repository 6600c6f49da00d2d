use protocol::frame::{AssociationNumber, ClubKey};
use protocol::link::{Modem, Timing};
use protocol::message::FirmwareVersion;
use protocol::time::Instant;
use protocol::words::PadId;

use super::{Conductor, Task};
use crate::app::Radio;
use crate::screen::Body;
use crate::{App, Input, Key, RecordKey};

fn new_pad() -> Conductor {
    let mut app = App::new(PadId::MIN, FirmwareVersion(0, 1, 0));
    app.resume(Instant::ZERO);
    Conductor::new(app, Timing::COMMON, AssociationNumber(0), 7)
}

/// Lets the pad's time pass until it sends, for at most ten seconds, with a flash that takes
/// everything.
fn sends(pad: &mut Conductor) -> bool {
    (0..10_000).map(Instant::from_millis).any(|now| {
        pad.tick(now);
        while let Some(task) = pad.next_task(now) {
            if let Task::Reserve(number) = task {
                pad.reserved(number);
            }
        }
        pad.poll_transmit(now).is_some()
    })
}

fn claim_a_table(pad: &mut Conductor) {
    pad.change(|app| {
        let keys = ClubKey::new([1; 32]).for_pad(app.pad());
        app.provision(keys, Radio::FACTORY)
    });
    for key in [Key::Ok, Key::Double, Key::One, Key::Ok] {
        pad.handle(Input::Key(key), Instant::ZERO);
    }
}

#[test]
fn a_pad_without_the_clubs_key_keeps_its_modem_off() {
    let mut pad = new_pad();
    for key in [Key::Ok, Key::Double, Key::One, Key::Ok] {
        pad.handle(Input::Key(key), Instant::ZERO);
    }
    assert!(!sends(&mut pad));
    assert_eq!(pad.modem(), Modem::Off);
}

#[test]
fn the_clubs_key_is_written_before_anything_else_happens() {
    let mut pad = new_pad();
    claim_a_table(&mut pad);
    match pad.next_task(Instant::ZERO) {
        Some(Task::Save(records)) => assert!(records.contains(RecordKey::ClubKey)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_pad_that_claims_a_table_wakes_its_modem_and_calls() {
    let mut pad = new_pad();
    claim_a_table(&mut pad);
    assert!(sends(&mut pad));
    assert_eq!(pad.modem(), Modem::On);
}

#[test]
fn a_pad_near_the_end_of_its_numbers_asks_for_a_key_and_begins_anew_with_it() {
    let mut app = App::new(PadId::MIN, FirmwareVersion(0, 1, 0));
    let key = |of: u8| ClubKey::new([of; 32]).for_pad(PadId::MIN);
    let _ = app.provision(key(1), Radio::FACTORY);
    app.resume(Instant::ZERO);
    let near = AssociationNumber::NEAR_END;
    let mut pad = Conductor::new(app, Timing::COMMON, near, 7);
    let asks = |pad: &Conductor| {
        let Body::Rows(rows) = pad.app().screen(Instant::ZERO).body else {
            return false;
        };
        rows.iter().any(|row| row.text.contains("soon"))
    };
    assert!(!asks(&pad));
    while let Some(task) = pad.next_task(Instant::ZERO) {
        if let Task::Reserve(number) = task {
            pad.reserved(number);
        }
    }
    assert!(asks(&pad), "and it goes on:");
    for key in [Key::Ok, Key::Double, Key::One, Key::Ok] {
        pad.handle(Input::Key(key), Instant::ZERO);
    }
    assert!(sends(&mut pad));
    let mut reserved = None;
    pad.change(|app| app.provision(key(2), Radio::FACTORY));
    while let Some(task) = pad.next_task(Instant::ZERO) {
        if let Task::Reserve(number) = task {
            assert_eq!(reserved, None);
            reserved = Some(number);
            pad.reserved(number);
        }
    }
    assert_eq!(reserved, Some(AssociationNumber(17)), "numbers begin anew");
    for _ in 0..3 {
        pad.handle(Input::Key(Key::Back), Instant::ZERO);
    }
    assert!(!asks(&pad));
}
