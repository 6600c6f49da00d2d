use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use air::Hc12;
use protocol::modem::{ModemSettings, RadioChannel};
use rustix::pty::OpenptFlags;

use super::super::law::Law;
use super::super::modem::{ModemKnown, ModemState, ModemWish, SetPin};
use super::super::modems::{Modems, NotDone};

use super::super::ports::{Adapter, Found, Ports};
use super::super::radio::{Channel, Heard};
use super::{SerialError, Wanted, open_receivers};

/// A folder that stands for the machine's own of devices: what is plugged in has a name there.
struct Machine {
    folder: tempfile::TempDir,
    adapters: Arc<Mutex<BTreeMap<PathBuf, Adapter>>>,
    ports: Arc<Ports>,
}

impl Machine {
    fn new() -> Self {
        let adapters = Arc::new(Mutex::new(BTreeMap::<PathBuf, Adapter>::new()));
        let known = Arc::clone(&adapters);
        let list = move || {
            let known = known.lock().expect("no panic");
            let found = known.iter().map(|(name, adapter)| Found {
                name: name.to_str().expect("plain").to_owned(),
                adapter: Some(adapter.clone()),
            });
            found.collect()
        };
        Self {
            folder: tempfile::tempdir().expect("a folder"),
            adapters,
            ports: Arc::new(Ports::new(list)),
        }
    }

    fn path(&self, name: &str) -> String {
        let path = self.folder.path().join(name);
        path.to_str().expect("plain").to_owned()
    }

    /// Plugs a modem in that tells nothing of itself.
    fn plug(&self, name: &str) -> Modem {
        let modem = Modem::new(self.folder.path().join(name));
        std::os::unix::fs::symlink(&modem.port, &modem.name).expect("linked");
        modem
    }

    /// Plugs in a modem on a USB adapter.
    fn plug_usb(&self, name: &str, vendor: u16, serial: Option<&str>) -> Modem {
        let modem = self.plug(name);
        let adapter = Adapter {
            vendor,
            product: 0xea60,
            serial: serial.map(str::to_owned),
        };
        let mut adapters = self.adapters.lock().expect("no panic");
        adapters.insert(modem.name.clone(), adapter);
        modem
    }

    fn unplug(&self, modem: Modem) {
        std::fs::remove_file(&modem.name).expect("there");
        self.adapters.lock().expect("no panic").remove(&modem.name);
        drop(modem);
    }

    fn open(&self, wanted: &[Wanted]) -> Result<Vec<Channel>, SerialError> {
        open_receivers(wanted, 19_200, &[], &self.ports)
    }
}

/// The modem's side of a serial port.
struct Modem {
    air: OwnedFd,
    port: PathBuf,
    name: PathBuf,
}

impl Modem {
    fn new(name: PathBuf) -> Self {
        let air = rustix::pty::openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pty");
        rustix::pty::grantpt(&air).expect("granted");
        rustix::pty::unlockpt(&air).expect("unlocked");
        let port = rustix::pty::ptsname(&air, Vec::new()).expect("a name");
        let mut modes = rustix::termios::tcgetattr(&air).expect("modes");
        modes.make_raw();
        rustix::termios::tcsetattr(&air, rustix::termios::OptionalActions::Now, &modes)
            .expect("raw");
        let port = Path::new(port.to_str().expect("plain")).to_owned();
        Self { air, port, name }
    }

    fn says(&self, bytes: &[u8]) {
        rustix::io::write(&self.air, bytes).expect("written");
    }

    fn hears(&self, len: usize) -> Vec<u8> {
        let mut heard = vec![0; len];
        let len = rustix::io::read(&self.air, &mut heard).expect("read");
        heard.truncate(len);
        heard
    }
}

/// The next thing that comes from a receiver.
async fn next(channel: &mut Channel) -> Heard {
    tokio::time::timeout(Duration::from_secs(20), channel.received.recv())
        .await
        .expect("in time")
        .expect("the threads run")
}

async fn is_here(channel: &mut Channel) -> String {
    match next(channel).await {
        Heard::Here(name) => name,
        other => panic!("expected it to be there: {other:?}"),
    }
}

async fn is_gone(channel: &mut Channel) {
    let heard = next(channel).await;
    assert!(matches!(heard, Heard::Gone), "{heard:?}");
}

/// Bytes both ways.
async fn works(channel: &mut Channel, modem: &Modem) {
    modem.says(b"call");
    let mut heard = Vec::new();
    while heard.len() < 4 {
        match next(channel).await {
            Heard::Bytes(bytes) => heard.extend(bytes),
            other => panic!("expected bytes: {other:?}"),
        }
    }
    assert_eq!(heard, b"call");
    channel.send.send(b"answer".to_vec()).await.expect("sent");
    assert_eq!(modem.hears(6), b"answer");
}

#[tokio::test]
async fn a_receiver_that_tells_nothing_of_itself_is_known_again_under_the_next_name() {
    let machine = Machine::new();
    let _stranger = machine.plug("ttyUSB5");
    let modem = machine.plug("ttyUSB0");
    let named = Wanted::Named(machine.path("ttyUSB0"));
    let mut channels = machine.open(&[named]).expect("opens");
    let channel = &mut channels[0];
    assert_eq!(is_here(channel).await, machine.path("ttyUSB0"));
    works(channel, &modem).await;
    machine.unplug(modem);
    is_gone(channel).await;
    let modem = machine.plug("ttyUSB1");
    assert_eq!(is_here(channel).await, machine.path("ttyUSB1"));
    works(channel, &modem).await;
    machine.unplug(modem);
    is_gone(channel).await;
    let modem = machine.plug("ttyUSB0");
    assert_eq!(is_here(channel).await, machine.path("ttyUSB0"));
    works(channel, &modem).await;
}

#[tokio::test]
async fn a_usb_receiver_is_known_again_among_strangers_by_its_number() {
    let machine = Machine::new();
    let modem = machine.plug_usb("ttyUSB0", 0x10c4, Some("0001"));
    let named = Wanted::Named(machine.path("ttyUSB0"));
    let mut channels = machine.open(&[named]).expect("opens");
    let channel = &mut channels[0];
    is_here(channel).await;
    machine.unplug(modem);
    is_gone(channel).await;
    let _stranger = machine.plug_usb("ttyUSB1", 0x10c4, Some("0002"));
    let modem = machine.plug_usb("ttyACM7", 0x10c4, Some("0001"));
    assert_eq!(is_here(channel).await, machine.path("ttyACM7"));
    works(channel, &modem).await;
}

#[tokio::test]
async fn receivers_are_found_by_their_adapters_and_a_pads_service_port_is_left_alone() {
    let machine = Machine::new();
    let _service_port = machine.plug_usb("ttyACM0", 0x0483, Some("066F"));
    let first = machine.plug_usb("ttyUSB0", 0x1a86, None);
    let mut channels = machine.open(&[Wanted::Auto]).expect("opens");
    assert_eq!(channels.iter().filter(|channel| channel.told).count(), 1);
    assert!(channels.iter().all(|channel| !channel.connected));
    let found = async |channels: &mut [Channel]| {
        let waiting = channels.iter_mut().map(|channel| Box::pin(next(channel)));
        let (heard, at, _) = futures_util::future::select_all(waiting).await;
        (heard, at)
    };
    let (heard, at) = found(&mut channels).await;
    assert!(matches!(heard, Heard::Here(name) if name == machine.path("ttyUSB0")));
    works(&mut channels[at], &first).await;
    // A second channel, plugged in later.
    let second = machine.plug_usb("ttyUSB1", 0x0403, Some("FT1"));
    let (heard, beside) = found(&mut channels).await;
    assert!(matches!(heard, Heard::Here(name) if name == machine.path("ttyUSB1")));
    assert_ne!(at, beside);
    works(&mut channels[beside], &second).await;
    works(&mut channels[at], &first).await;
}

#[tokio::test]
async fn several_named_receivers_work_side_by_side_and_one_is_not_opened_twice() {
    let machine = Machine::new();
    let modems = [machine.plug("ttyUSB0"), machine.plug("ttyUSB1")];
    let named = ["ttyUSB0", "ttyUSB1"].map(|name| Wanted::Named(machine.path(name)));
    let mut channels = machine.open(&named).expect("opens");
    for (channel, modem) in channels.iter_mut().zip(&modems) {
        is_here(channel).await;
        works(channel, modem).await;
    }
    // Unplugged, the first does not take the second one's port.
    let [first, second] = modems;
    machine.unplug(first);
    is_gone(&mut channels[0]).await;
    works(&mut channels[1], &second).await;
    let twice = machine.open(&[named[1].clone()]);
    assert!(matches!(twice, Err(SerialError::Twice(_))), "{twice:?}");
    let missing = machine.open(&[Wanted::Named(machine.path("ttyUSB7"))]);
    assert!(
        matches!(missing, Err(SerialError::Missing(_))),
        "{missing:?}"
    );
}

#[tokio::test]
async fn a_receiver_in_the_network_works_and_is_found_again_after_its_machine_was_started_again() {
    let machine = Machine::new();
    let box_in_the_hall = TcpListener::bind("127.0.0.1:0").expect("an address");
    let address = box_in_the_hall.local_addr().expect("bound");
    let name = format!("tcp://{address}");
    let named = Wanted::Named(name.clone());
    let mut channels = machine
        .open(std::slice::from_ref(&named))
        .expect("it answers");
    let channel = &mut channels[0];
    for evening in 0..2 {
        let (mut line, _) = box_in_the_hall.accept().expect("a base station");
        assert_eq!(is_here(channel).await, name);
        line.write_all(b"call").expect("sent");
        assert!(matches!(next(channel).await, Heard::Bytes(bytes) if bytes == b"call"));
        channel.send.send(b"answer".to_vec()).await.expect("taken");
        let mut heard = [0; 6];
        line.read_exact(&mut heard).expect("heard");
        assert_eq!(&heard, b"answer", "evening {evening}");
        drop(line);
        is_gone(channel).await;
    }
    let twice = Machine::new().open(&[named.clone(), named.clone()]);
    assert!(matches!(twice, Err(SerialError::Twice(_))), "{twice:?}");
    drop(box_in_the_hall);
    let off = Machine::new().open(&[named]).map(|_| ());
    let off = off.expect_err("nobody answers");
    assert!(off.to_string().contains("tcp://HOST:PORT"), "{off}");
}

/// Answers a receiver's AT commands as an HC-12 whose SET pin is low would.
fn answer(modem: Modem, mut hc12: Hc12, ended: Arc<AtomicBool>) {
    let flags = rustix::fs::fcntl_getfl(&modem.air).expect("flags");
    rustix::fs::fcntl_setfl(&modem.air, flags | rustix::fs::OFlags::NONBLOCK).expect("set");
    let later = protocol::time::Instant::from_millis(60_000);
    hc12.set_line(true, protocol::time::Instant::ZERO);
    std::thread::spawn(move || {
        let mut heard = [0; 64];
        while !ended.load(Ordering::Relaxed) {
            if let Ok(length @ 1..) = rustix::io::read(&modem.air, &mut heard) {
                let answered = hc12.command(&heard[..length], 9_600, later);
                if !answered.is_empty() {
                    modem.says(&answered);
                }
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    });
}

async fn asked(forgets: bool) -> ModemKnown {
    let machine = Machine::new();
    let modem = machine.plug("ttyUSB0");
    let mut hc12 = Hc12::new(ModemSettings::FACTORY);
    hc12.forgets = forgets;
    let ended = Arc::new(AtomicBool::new(false));
    answer(modem, hc12, Arc::clone(&ended));
    let wish = ModemWish {
        settings: ModemSettings {
            channel: RadioChannel::new(3).expect("a channel"),
            ..ModemSettings::FACTORY
        },
        pin: Some(SetPin::Rts),
    };
    let wanted = [Wanted::Named(machine.path("ttyUSB0"))];
    let opened = open_receivers(&wanted, 9_600, &[wish], &machine.ports);
    let mut channels = opened.expect("opened");
    let channel = channels.first_mut().expect("one");
    let known = loop {
        match next(channel).await {
            Heard::Modem(known) => break known,
            Heard::Here(_) | Heard::Bytes(_) => {}
            Heard::Gone => panic!("it was there"),
        }
    };
    ended.store(true, Ordering::Relaxed);
    known
}

#[tokio::test]
async fn a_receivers_modem_is_set_when_it_is_opened_and_says_so() {
    let known = asked(false).await;
    assert_eq!(known.state, ModemState::Set);
    assert_eq!(known.found.channel, RadioChannel::new(3));
}

#[tokio::test]
async fn a_receivers_modem_that_keeps_its_own_mind_is_told_apart() {
    let known = asked(true).await;
    assert_eq!(known.state, ModemState::Differs);
    assert_eq!(known.found.channel, RadioChannel::new(1));
}

#[tokio::test]
async fn a_modem_that_forgot_its_channel_is_set_again_while_it_works() {
    let machine = Machine::new();
    let modem = machine.plug("ttyUSB0");
    let ended = Arc::new(AtomicBool::new(false));
    answer(modem, Hc12::new(ModemSettings::FACTORY), Arc::clone(&ended));
    let wanted = [Wanted::Named(machine.path("ttyUSB0"))];
    let opened = open_receivers(&wanted, 9_600, &[], &machine.ports);
    let mut channels = opened.expect("opened");
    let law: Law = "DE".parse().expect("a country");
    let pin = Some(SetPin::Rts);
    let modems = Modems::of(&channels, Some(law), 9_600, pin);
    let number = |number| RadioChannel::new(number).expect("a channel");
    is_here(&mut channels[0]).await;
    let done = modems.set(0, number(3)).await.expect("it answers");
    assert_eq!(done.known.state, ModemState::Set);
    assert_eq!(done.known.found.channel, Some(number(3)));
    let told = next(&mut channels[0]).await;
    assert!(
        matches!(told, Heard::Modem(known) if known == done.known),
        "{told:?}"
    );
    let unlawful = modems.set(0, number(9)).await;
    assert_eq!(unlawful, Err(NotDone::Unlawful(number(9))));
    assert_eq!(modems.set(5, number(3)).await, Err(NotDone::Gone));
    let lawless = Modems::of(&channels, None, 9_600, pin);
    assert_eq!(lawless.set(0, number(3)).await, Err(NotDone::NoCountry));
    ended.store(true, Ordering::Relaxed);
}
