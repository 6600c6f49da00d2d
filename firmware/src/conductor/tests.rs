use air::Hc12;
use protocol::frame::{AssociationNumber, ClubKey};
use protocol::link::{Modem, Timing};
use protocol::message::FirmwareVersion;
use protocol::modem::{Action, ModemSettings, RadioChannel, rate_of};
use protocol::time::{Instant, Span};
use protocol::words::PadId;

use super::{Conductor, Task, Tuned};
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

/// A pad whose shell has a modem, and the modem: SET connected, or not.
struct Desk {
    pad: Conductor,
    modem: Hc12,
    is_wired: bool,
    /// The rate of the pad's serial line.
    baud: u32,
    now: Instant,
}

impl Desk {
    fn new(modem: ModemSettings, is_wired: bool) -> Self {
        let mut app = App::new(PadId::MIN, FirmwareVersion(0, 1, 0));
        app.resume(Instant::ZERO);
        let mut pad = Conductor::blank(app, Timing::COMMON);
        pad.drive_modem();
        pad.begin(AssociationNumber(0), 7);
        Self {
            pad,
            modem: Hc12::new(modem),
            is_wired,
            baud: 0,
            now: Instant::from_millis(5_000),
        }
    }

    /// Does what the pad asks for until the modem is as it should be; whether it was called meanwhile.
    fn settle(&mut self) -> bool {
        let mut called = false;
        let until = self.now + Span::from_secs(4);
        while self.now < until {
            while let Some(action) = self.pad.poll_modem(self.now) {
                match action {
                    Action::SetLow(low) if self.is_wired => self.modem.set_line(low, self.now),
                    Action::SetLow(_) => {}
                    Action::Baud(baud) => self.baud = baud,
                    Action::Write(text) => {
                        assert_eq!(self.pad.modem(), Modem::On);
                        let answer = self.modem.command(&text, self.baud, self.now);
                        self.pad.receive(&answer, self.now);
                    }
                }
            }
            while let Some(task) = self.pad.next_task(self.now) {
                if let Task::Reserve(number) = task {
                    self.pad.reserved(number);
                }
            }
            if self.pad.poll_transmit(self.now).is_some() {
                called = true;
                assert!(self.modem.is_on_the_air(self.baud, self.now), "deaf");
            }
            let step = self.now + Span::from_millis(20);
            self.now = self.pad.deadline(self.now).map_or(step, |at| at.min(step));
            self.now = self.now.max(step);
            self.pad.tick(self.now);
        }
        called
    }
}

#[test]
fn a_pad_that_is_told_channel_rate_and_power_sets_its_modem_before_it_calls() {
    let mut desk = Desk::new(ModemSettings::FACTORY, true);
    desk.settle();
    assert_eq!((desk.pad.tuned(), desk.baud), (Tuned::Left, 19_200));
    desk.pad.change(|app| app.tune(rate_of(57_600), 4));
    desk.pad.change(|app| {
        let keys = ClubKey::new([1; 32]).for_pad(app.pad());
        let radio = Radio {
            network: 0,
            channel: 3,
            ..Radio::FACTORY
        };
        app.provision(keys, radio)
    });
    for key in [Key::Ok, Key::Double, Key::One, Key::Ok] {
        desk.pad.handle(Input::Key(key), desk.now);
    }
    assert!(desk.settle(), "it calls when it is there");
    assert_eq!((desk.pad.tuned(), desk.baud), (Tuned::Set, 57_600));
    let set = desk.modem.settings();
    assert_eq!(
        set.channel,
        RadioChannel::new(3).unwrap_or(RadioChannel::FIRST)
    );
    assert_eq!((set.baud, set.power.get()), (57_600, 4));
}

#[test]
fn a_pad_whose_modem_has_no_set_wire_calls_all_the_same_and_says_so() {
    let settings = ModemSettings {
        baud: 9_600,
        ..ModemSettings::FACTORY
    };
    let mut desk = Desk::new(settings, false);
    desk.pad.change(|app| app.tune(rate_of(9_600), 4));
    desk.pad.change(|app| {
        let keys = ClubKey::new([1; 32]).for_pad(app.pad());
        let radio = Radio {
            network: 0,
            channel: 1,
            ..Radio::FACTORY
        };
        app.provision(keys, radio)
    });
    for key in [Key::Ok, Key::Double, Key::One, Key::Ok] {
        desk.pad.handle(Input::Key(key), desk.now);
    }
    assert!(desk.settle());
    assert_eq!((desk.pad.tuned(), desk.baud), (Tuned::Silent, 9_600));
}

#[test]
fn a_pad_knows_the_network_and_channel_that_an_earlier_program_has_kept() {
    let mut app = App::new(PadId::MIN, FirmwareVersion(0, 1, 0));
    app.restore(RecordKey::Radio, &[3, 5]);
    let kept = Radio {
        network: 3,
        channel: 5,
        ..Radio::FACTORY
    };
    assert_eq!(app.radio(), kept);
    assert_eq!((app.radio().baud(), app.radio().modem()), (19_200, None));
}
