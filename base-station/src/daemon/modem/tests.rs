use std::collections::VecDeque;
use std::io::{Read, Write};
use std::sync::{Arc, Mutex};

use air::Hc12;
use serialport::{ClearBuffer, DataBits, FlowControl, Parity, StopBits};

use super::*;

/// A modem behind an adapter, as far as both can be seen from outside.
struct Desk {
    modem: Hc12,
    /// Which output its SET pin is connected to.
    wired: SetPin,
    /// The outputs are low: RTS, DTR.
    low: (bool, bool),
    baud: u32,
    to_read: VecDeque<u8>,
    written: usize,
    /// The adapter is pulled out after so many commands.
    writes_left: usize,
    /// What others say on a channel, a byte at each look.
    chatter: Option<RadioChannel>,
    started: Clock,
}

impl Desk {
    fn new(wired: SetPin) -> Arc<Mutex<Self>> {
        Arc::new(Mutex::new(Self {
            modem: Hc12::new(ModemSettings::FACTORY),
            wired,
            low: (false, false),
            baud: 9_600,
            to_read: VecDeque::new(),
            written: 0,
            writes_left: usize::MAX,
            chatter: None,
            started: Clock::now(),
        }))
    }

    fn now(&self) -> Instant {
        // Some time has passed since it was given power.
        let since = u64::try_from(self.started.elapsed().as_millis()).expect("short");
        Instant::from_millis(10_000 + since)
    }

    fn feel(&mut self) {
        let low = match self.wired {
            SetPin::Rts => self.low.0,
            SetPin::Dtr => self.low.1,
            SetPin::Hand => false,
        };
        let now = self.now();
        self.modem.set_line(low, now);
    }

    fn is_on_the_air(&self) -> bool {
        let later = self.now() + protocol::time::Span::from_secs(1);
        self.modem.is_on_the_air(self.baud, later)
    }
}

struct Bench {
    desk: Arc<Mutex<Desk>>,
    timeout: Duration,
}

impl Bench {
    fn of(desk: &Arc<Mutex<Desk>>) -> Self {
        Self {
            desk: Arc::clone(desk),
            timeout: Duration::from_millis(200),
        }
    }

    fn with<T>(&self, act: impl FnOnce(&mut Desk) -> T) -> T {
        act(&mut self.desk.lock().expect("no panic"))
    }
}

impl Read for Bench {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let said = self.with(|desk| {
            if desk.is_on_the_air() && desk.chatter == Some(desk.modem.settings().channel) {
                desk.to_read.push_back(b'?');
            }
            desk.to_read.pop_front()
        });
        if let (Some(byte), Some(place)) = (said, buffer.first_mut()) {
            *place = byte;
            Ok(1)
        } else {
            std::thread::sleep(Duration::from_millis(1));
            Err(io::ErrorKind::TimedOut.into())
        }
    }
}

impl Write for Bench {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.with(|desk| {
            if desk.written == desk.writes_left {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            desk.written += 1;
            let (baud, now) = (desk.baud, desk.now());
            let answer = desk.modem.command(bytes, baud, now);
            desk.to_read.extend(answer);
            Ok(bytes.len())
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl SerialPort for Bench {
    fn name(&self) -> Option<String> {
        None
    }

    fn baud_rate(&self) -> serialport::Result<u32> {
        Ok(self.with(|desk| desk.baud))
    }

    fn data_bits(&self) -> serialport::Result<DataBits> {
        Ok(DataBits::Eight)
    }

    fn flow_control(&self) -> serialport::Result<FlowControl> {
        Ok(FlowControl::None)
    }

    fn parity(&self) -> serialport::Result<Parity> {
        Ok(Parity::None)
    }

    fn stop_bits(&self) -> serialport::Result<StopBits> {
        Ok(StopBits::One)
    }

    fn timeout(&self) -> Duration {
        self.timeout
    }

    fn set_baud_rate(&mut self, baud: u32) -> serialport::Result<()> {
        self.with(|desk| desk.baud = baud);
        Ok(())
    }

    fn set_data_bits(&mut self, _: DataBits) -> serialport::Result<()> {
        Ok(())
    }

    fn set_flow_control(&mut self, _: FlowControl) -> serialport::Result<()> {
        Ok(())
    }

    fn set_parity(&mut self, _: Parity) -> serialport::Result<()> {
        Ok(())
    }

    fn set_stop_bits(&mut self, _: StopBits) -> serialport::Result<()> {
        Ok(())
    }

    fn set_timeout(&mut self, timeout: Duration) -> serialport::Result<()> {
        self.timeout = timeout;
        Ok(())
    }

    fn write_request_to_send(&mut self, low: bool) -> serialport::Result<()> {
        self.with(|desk| {
            desk.low.0 = low;
            desk.feel();
        });
        Ok(())
    }

    fn write_data_terminal_ready(&mut self, low: bool) -> serialport::Result<()> {
        self.with(|desk| {
            desk.low.1 = low;
            desk.feel();
        });
        Ok(())
    }

    fn read_clear_to_send(&mut self) -> serialport::Result<bool> {
        Ok(false)
    }

    fn read_data_set_ready(&mut self) -> serialport::Result<bool> {
        Ok(false)
    }

    fn read_ring_indicator(&mut self) -> serialport::Result<bool> {
        Ok(false)
    }

    fn read_carrier_detect(&mut self) -> serialport::Result<bool> {
        Ok(false)
    }

    fn bytes_to_read(&self) -> serialport::Result<u32> {
        Ok(0)
    }

    fn bytes_to_write(&self) -> serialport::Result<u32> {
        Ok(0)
    }

    fn clear(&self, _: ClearBuffer) -> serialport::Result<()> {
        Ok(())
    }

    fn try_clone(&self) -> serialport::Result<Box<dyn SerialPort>> {
        Ok(Box::new(Self::of(&self.desk)))
    }

    fn set_break(&self) -> serialport::Result<()> {
        Ok(())
    }

    fn clear_break(&self) -> serialport::Result<()> {
        Ok(())
    }
}

fn channel(number: u8) -> RadioChannel {
    RadioChannel::new(number).expect("a channel")
}

fn wish(pin: Option<SetPin>) -> ModemWish {
    let settings = ModemSettings {
        channel: channel(3),
        ..ModemSettings::FACTORY
    };
    ModemWish { settings, pin }
}

#[test]
fn a_port_that_the_system_opens_with_both_lines_low_leaves_the_modem_on_the_air() {
    for wired in [SetPin::Rts, SetPin::Dtr] {
        let desk = Desk::new(wired);
        let opened = on_the_air(|| {
            // As Linux does, whatever is wired to them.
            let mut port = Bench::of(&desk);
            port.write_request_to_send(true)?;
            port.write_data_terminal_ready(true)?;
            assert!(!desk.lock().expect("no panic").is_on_the_air());
            Ok::<Box<dyn SerialPort>, serialport::Error>(Box::new(port))
        });
        assert!(opened.is_ok());
        assert!(desk.lock().expect("no panic").is_on_the_air(), "{wired:?}");
    }
}

#[test]
fn a_modem_is_found_on_whichever_line_its_set_pin_is() {
    for wired in [SetPin::Rts, SetPin::Dtr] {
        let desk = Desk::new(wired);
        let mut port = Bench::of(&desk);
        let (outcome, pin) = set_modem(&mut port, wish(None)).expect("it stays plugged in");
        assert!(matches!(outcome, Outcome::Set { .. }), "{outcome:?}");
        assert_eq!(pin, wired);
        let desk = desk.lock().expect("no panic");
        assert_eq!(desk.modem.settings().channel, channel(3));
        assert!(desk.is_on_the_air());
    }
    let desk = Desk::new(SetPin::Hand);
    let told = set_modem(&mut Bench::of(&desk), wish(None)).expect("it stays plugged in");
    let silent = Outcome::Not(Trouble::Silent);
    assert_eq!(told.0, silent);
    let known = ModemKnown::of(told.0, wish(None).settings, told.1);
    assert_eq!(known.pin, None, "nobody knows");
}

#[test]
fn a_dialogue_that_breaks_off_anywhere_leaves_the_modem_on_the_air() {
    // `AT`, what it has, the channel, what it has now.
    for commands in 0..4 {
        let desk = Desk::new(SetPin::Rts);
        desk.lock().expect("no panic").writes_left = commands;
        let mut port = Bench::of(&desk);
        let usual = port.timeout;
        let broken = set_modem(&mut port, wish(Some(SetPin::Rts)));
        assert!(broken.is_err(), "{commands}: {broken:?}");
        assert_eq!(port.timeout, usual, "after {commands} commands");
        let desk = desk.lock().expect("no panic");
        assert!(desk.is_on_the_air(), "after {commands} commands");
    }
}

#[test]
fn a_scan_tells_the_channel_on_which_others_are_and_goes_back() {
    let desk = Desk::new(SetPin::Dtr);
    desk.lock().expect("no panic").chatter = Some(channel(2));
    let channels = [1, 2].map(channel);
    let listen = Duration::from_millis(60);
    let mut port = Bench::of(&desk);
    let scanned = scan(&mut port, wish(Some(SetPin::Dtr)), &channels, listen);
    let (heard, known) = scanned.expect("it stays plugged in");
    let busy: Vec<u32> = heard.iter().map(|it| it.busy_permille(9_600)).collect();
    assert_eq!(heard.len(), 2);
    assert_eq!(busy.first(), Some(&0), "{heard:?}");
    assert!(busy.last() > Some(&0), "{heard:?}");
    assert_eq!(known.state, ModemState::Set);
    let desk = desk.lock().expect("no panic");
    assert_eq!(desk.modem.settings().channel, channel(3));
    assert!(desk.is_on_the_air());
}

#[test]
fn a_second_of_bytes_in_ten_is_a_tenth() {
    let heard = ChannelHeard {
        channel: channel(1),
        bytes: 960,
        listened: Duration::from_secs(10),
    };
    assert_eq!(heard.busy_permille(9_600), 100);
    assert_eq!(heard.busy_permille(0), 0);
}
