//! The dialogue that sets a modem, against a modelled HC-12.

use air::Hc12;
use protocol::modem::{
    Action, BAUDS, Found, ModemSettings, Outcome, Power, RadioChannel, Setting, Trouble,
};
use protocol::time::{Instant, Span};

fn wanted() -> ModemSettings {
    ModemSettings {
        channel: RadioChannel::new(3).expect("a channel"),
        baud: 19_200,
        mode: 3,
        power: Power::within(10),
    }
}

/// Sets the modem; `connected` says whether its SET pin is. Gives how it ended and the rate that
/// this end speaks at then.
fn set(modem: &mut Hc12, believed: u32, connected: bool, from: Instant) -> (Outcome, u32, Instant) {
    let mut setting = Setting::new(wanted(), believed, from);
    let mut line = 0;
    let mut now = from;
    loop {
        while let Some(action) = setting.poll(now) {
            match action {
                Action::SetLow(low) if connected => modem.set_line(low, now),
                Action::SetLow(_) => {}
                Action::Baud(baud) => line = baud,
                Action::Write(text) => {
                    let answer = modem.command(&text, line, now);
                    now += Span::from_millis(12);
                    // In pieces, as a serial line has them.
                    for piece in answer.chunks(5) {
                        now += Span::from_millis(1);
                        setting.handle_receive(piece, now);
                    }
                }
            }
        }
        if let Some(outcome) = setting.outcome() {
            return (outcome, line, now);
        }
        now = now.max(setting.poll_timeout().expect("it goes on"));
        setting.handle_timeout(now);
    }
}

#[test]
fn a_modem_from_the_factory_is_set_and_reads_back_what_was_wanted() {
    let mut modem = Hc12::new(ModemSettings::FACTORY);
    let (outcome, line, end) = set(&mut modem, 19_200, true, Instant::ZERO);
    let was = Found::from(ModemSettings::FACTORY);
    assert_eq!(outcome, Outcome::Set { was });
    assert_eq!((modem.settings(), line), (wanted(), 19_200));
    assert!(modem.is_on_the_air(19_200, end));
    // A second time nothing is changed, and it is known to be right.
    let (outcome, _, _) = set(&mut modem, 19_200, true, end);
    assert_eq!(
        outcome,
        Outcome::Set {
            was: Found::from(wanted())
        }
    );
}

#[test]
fn a_modem_at_any_baud_rate_is_found() {
    for baud in BAUDS {
        let settings = ModemSettings {
            baud,
            ..ModemSettings::FACTORY
        };
        let mut modem = Hc12::new(settings);
        let (outcome, _, _) = set(&mut modem, 19_200, true, Instant::ZERO);
        assert!(
            matches!(outcome, Outcome::Set { .. }),
            "{baud}: {outcome:?}"
        );
        assert_eq!(modem.settings(), wanted());
    }
}

#[test]
fn without_the_set_line_it_says_so_and_leaves_the_rate_as_it_was() {
    let mut modem = Hc12::new(ModemSettings::FACTORY);
    let (outcome, line, _) = set(&mut modem, 19_200, false, Instant::ZERO);
    assert_eq!(outcome, Outcome::Not(Trouble::Silent));
    assert_eq!((modem.settings(), line), (ModemSettings::FACTORY, 19_200));
}

#[test]
fn a_modem_that_forgets_is_not_believed() {
    let mut modem = Hc12::new(ModemSettings::FACTORY);
    modem.forgets = true;
    let (outcome, line, _) = set(&mut modem, 9_600, true, Instant::ZERO);
    let differs = Trouble::Differs(ModemSettings::FACTORY.into());
    assert_eq!(outcome, Outcome::Not(differs));
    assert_eq!(line, 9_600, "it is still heard");
}

#[test]
fn set_low_too_soon_makes_it_fall_back_and_the_dialogue_finds_it_all_the_same() {
    let mut modem = Hc12::new(wanted());
    modem.set_line(true, Instant::from_millis(1_000));
    modem.set_line(false, Instant::from_millis(1_100));
    let (outcome, _, _) = set(&mut modem, 19_200, true, Instant::from_millis(1_200));
    assert!(matches!(outcome, Outcome::Set { .. }), "{outcome:?}");
}
