//! The emulated pad and a modelled HC-12 behind its pins: SET, AT commands, rates.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use air::Hc12;
use protocol::modem::{ModemSettings, RadioChannel};
use protocol::time::{Instant as Moment, Span};
use tests::daemon::CLUB_KEY;
use tests::emulator::EmulatedPad;

/// How long the pad may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// We look at the pin now and then only, and see it late.
const LATE: Span = Span::from_millis(100);

struct Bench {
    pad: EmulatedPad,
    radio: UnixStream,
    modem: Hc12,
    started: Instant,
}

impl Bench {
    /// Plays the modem until the pad has said this so many times.
    fn run_until(&mut self, said: &str, times: usize) {
        let deadline = Instant::now() + PATIENCE;
        while self.pad.said().matches(said).count() < times {
            assert!(Instant::now() < deadline, "no {said}: {}", self.pad.said());
            let since = u64::try_from(self.started.elapsed().as_millis()).expect("short");
            let now = Moment::from_millis(10_000 + since);
            self.modem.set_line(self.pad.modem_is_in_at_mode(), now);
            let mut bytes = [0; 64];
            if let Ok(length @ 1..) = self.radio.read(&mut bytes) {
                let baud = self.pad.radio_baud();
                let answer = self.modem.command(&bytes[..length], baud, now + LATE);
                self.radio.write_all(&answer).expect("the pad listens");
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

fn radio_of(pad: &EmulatedPad) -> UnixStream {
    let radio = UnixStream::connect(pad.radio()).expect("the pad's radio");
    radio.set_nonblocking(true).expect("a socket");
    radio
}

#[test]
fn a_pad_sets_its_modem_over_the_set_pin_and_again_after_a_change_of_battery() {
    let mut pad = EmulatedPad::new(1);
    pad.wait_for_screen(&["Start"]);
    let radio = radio_of(&pad);
    let mut bench = Bench {
        pad,
        radio,
        modem: Hc12::new(ModemSettings::FACTORY),
        started: Instant::now(),
    };
    bench.pad.type_on_service_port("modem 57600 5\n");
    bench.run_until("modem 57600 5 left", 1);
    assert_eq!(bench.pad.radio_baud(), 57_600);
    bench
        .pad
        .type_on_service_port(&format!("club {CLUB_KEY} 0 3\n"));
    bench.run_until("modem 57600 5 set", 1);
    let set = bench.modem.settings();
    assert_eq!(Some(set.channel), RadioChannel::new(3));
    assert_eq!((set.baud, set.power.get(), set.mode), (57_600, 5, 3));
    assert!(!bench.pad.modem_is_in_at_mode(), "it is on the air");
    // Somebody else's modem is built in while the cells are out.
    bench.pad.pull_battery();
    bench.modem = Hc12::new(ModemSettings::FACTORY);
    bench.pad.insert_battery();
    bench.radio = radio_of(&bench.pad);
    bench.run_until("modem 57600 5 set", 1);
    assert_eq!(bench.modem.settings(), set);
    assert_eq!(bench.pad.radio_baud(), 57_600);
}
