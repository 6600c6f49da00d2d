//! The radio channel between real processes: pads' sockets on one side, a pseudo-terminal for the
//! daemon on the other, at the speed of real modems and with their faults.
//!
//! The modems are half duplex and share one frequency: who sends hears nothing, and two senders at
//! once destroy each other's bytes.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use air::{Model, Random};
use protocol::link::Timing;
use protocol::time::Span;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};

/// What goes wrong on the air.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Faults {
    /// Bursts (what one modem sends without a pause) that nobody hears, in percent.
    pub lost_percent: u32,
    /// Bursts in which one bit arrives wrong, in percent.
    pub garbled_percent: u32,
    /// Where the faults' dice start.
    pub seed: u64,
}

impl Faults {
    /// Everybody hears everything.
    pub const CLEAR: Self = Self {
        lost_percent: 0,
        garbled_percent: 0,
        seed: 1,
    };
    /// Nobody hears anything.
    pub const QUIET: Self = Self {
        lost_percent: 100,
        ..Self::CLEAR
    };
}

/// One channel. It lives in a thread that ends when the value is dropped.
#[derive(Debug)]
pub struct Airwaves {
    orders: Sender<Order>,
    thread: Option<JoinHandle<()>>,
    base: PathBuf,
    /// Kept open, so that the channel survives a daemon that closes the port.
    _base_side: OwnedFd,
}

enum Order {
    Join { pad: u32, radio: UnixStream },
    Faults(Faults),
    Stop,
}

impl Airwaves {
    /// A quiet channel between modems of this kind.
    pub fn new(timing: Timing) -> Self {
        Self::with(timing, Model::exact(timing))
    }

    /// A quiet channel between modems that delay each burst as the model says, send it in packets
    /// with pauses, and hand it to the base through its adapter.
    pub fn with(timing: Timing, model: Model) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
        grantpt(&master).expect("a pseudo-terminal of our own");
        unlockpt(&master).expect("a pseudo-terminal of our own");
        let name = ptsname(&master, Vec::new()).expect("a pseudo-terminal has a name");
        let base = PathBuf::from(name.into_string().expect("which is plain text"));
        let base_side = rustix::fs::open(
            &base,
            rustix::fs::OFlags::RDWR | rustix::fs::OFlags::NOCTTY,
            rustix::fs::Mode::empty(),
        )
        .expect("its other end opens");
        let mut settings = tcgetattr(&base_side).expect("it is a terminal");
        settings.make_raw();
        tcsetattr(&base_side, OptionalActions::Now, &settings).expect("it takes settings");
        rustix::io::ioctl_fionbio(&master, true).expect("it takes settings");

        let (orders, inbox) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            Channel::new(File::from(master), &timing, model).run(&inbox);
        });
        Self {
            orders,
            thread: Some(thread),
            base,
            _base_side: base_side,
        }
    }

    /// The serial port for the daemon.
    pub fn base(&self) -> &Path {
        &self.base
    }

    /// Brings a pad's radio socket into range. A pad that joins again has a new battery in.
    pub fn join(&self, pad: u32, radio: &Path) {
        self.join_with(
            pad,
            UnixStream::connect(radio).expect("the pad's radio is there"),
        );
    }

    fn join_with(&self, pad: u32, radio: UnixStream) {
        radio.set_nonblocking(true).expect("sockets can");
        self.order(Order::Join { pad, radio });
    }

    /// From now on these things go wrong.
    pub fn suffer(&self, faults: Faults) {
        self.order(Order::Faults(faults));
    }

    fn order(&self, order: Order) {
        self.orders.send(order).expect("the channel's thread runs");
    }
}

impl Drop for Airwaves {
    fn drop(&mut self) {
        drop(self.orders.send(Order::Stop));
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

/// One modem and what waits in it.
struct Station<S> {
    port: S,
    /// Bytes that its owner gave it to send.
    waiting: VecDeque<u8>,
    /// When the byte that is on the air ends.
    busy_until: Option<Instant>,
    /// Bytes of this burst that have gone.
    gone: usize,
    fate: Fate,
}

/// What happens to the burst that a station sends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Heard,
    Lost,
    Garbled,
}

trait Port: Read + Write {}
impl<T: Read + Write> Port for T {}

struct Channel {
    /// The base first, under a number that no pad has.
    stations: Vec<(u32, Station<Box<dyn Port + Send>>)>,
    byte_time: Duration,
    /// What the modem sends before the first byte.
    preamble: Duration,
    model: Model,
    quirks: Random,
    /// What the base's adapter has and has not handed over, and when it will.
    adapter: (Vec<u8>, Instant),
    faults: Faults,
    dice: u64,
}

impl Channel {
    const BASE: u32 = u32::MAX;

    fn new(base: File, timing: &Timing, model: Model) -> Self {
        let mut channel = Self {
            stations: Vec::new(),
            byte_time: duration(timing.bytes(1)),
            preamble: duration(timing.airtime(0)),
            model,
            quirks: Random::new(12),
            adapter: (Vec::new(), Instant::now()),
            faults: Faults::default(),
            dice: 0,
        };
        channel.join(Self::BASE, Box::new(base));
        channel
    }

    fn join(&mut self, number: u32, port: Box<dyn Port + Send>) {
        self.stations.retain(|(present, _)| *present != number);
        let station = Station {
            port,
            waiting: VecDeque::new(),
            busy_until: None,
            gone: 0,
            fate: Fate::Heard,
        };
        self.stations.push((number, station));
    }

    fn run(mut self, inbox: &Receiver<Order>) {
        loop {
            match inbox.recv_timeout(Duration::from_millis(1)) {
                Ok(Order::Join { pad, radio }) => self.join(pad, Box::new(radio)),
                Ok(Order::Faults(faults)) => {
                    self.faults = faults;
                    self.dice = faults.seed;
                }
                Ok(Order::Stop) | Err(mpsc::RecvTimeoutError::Disconnected) => return,
                Err(mpsc::RecvTimeoutError::Timeout) => {}
            }
            self.collect();
            self.carry(Instant::now());
            self.flush(Instant::now());
        }
    }

    /// Takes what the owners have written to their modems.
    fn collect(&mut self) {
        let mut bytes = [0; 512];
        self.stations.retain_mut(|(_, station)| {
            loop {
                match station.port.read(&mut bytes) {
                    Ok(0) => return false,
                    Ok(length) => station.waiting.extend(&bytes[..length]),
                    // A pseudo-terminal whose other end is closed for a moment is no reason to leave.
                    Err(error) => return error.kind() != ErrorKind::ConnectionReset,
                }
            }
        });
    }

    /// Carries over all bytes whose time on the air is over at `now`.
    fn carry(&mut self, now: Instant) {
        for sender in 0..self.stations.len() {
            while let Some(byte) = self.next_byte(sender, now) {
                self.deliver(sender, byte);
            }
        }
    }

    fn next_byte(&mut self, sender: usize, now: Instant) -> Option<u8> {
        let burst_begins = self.stations[sender].1.busy_until.is_none()
            && !self.stations[sender].1.waiting.is_empty();
        if burst_begins {
            let fate = self.roll();
            let lead = self.draw(self.model.delay) + self.preamble;
            let station = &mut self.stations[sender].1;
            station.fate = fate;
            station.gone = 0;
            station.busy_until = Some(now + lead + self.byte_time);
        }
        let gap = self.draw(self.model.gap);
        let packet = self.model.packet;
        let station = &mut self.stations[sender].1;
        if station.busy_until? > now {
            return None;
        }
        let byte = station.waiting.pop_front();
        station.gone += 1;
        let pause = packet.is_some_and(|packet| station.gone.is_multiple_of(packet));
        let pause = if pause { gap } else { Duration::ZERO };
        station.busy_until = if station.waiting.is_empty() {
            None
        } else {
            station.busy_until.map(|end| end + self.byte_time + pause)
        };
        byte
    }

    fn deliver(&mut self, sender: usize, byte: u8) {
        let collision = self.is_sending_besides(sender);
        let station = &mut self.stations[sender].1;
        let byte = match station.fate {
            Fate::Lost => return,
            Fate::Garbled => {
                station.fate = Fate::Heard;
                byte ^ 0x10
            }
            Fate::Heard if collision => !byte,
            Fate::Heard => byte,
        };
        let latency = duration(self.model.adapter);
        for (listener, (number, station)) in self.stations.iter_mut().enumerate() {
            if listener != sender && station.busy_until.is_none() {
                if *number == Self::BASE && latency > Duration::ZERO {
                    self.adapter.0.push(byte);
                    continue;
                }
                // A full or closed port loses the byte, as a modem does.
                drop(station.port.write(&[byte]));
            }
        }
    }

    /// The base's adapter hands over what it has when its timer says so.
    fn flush(&mut self, now: Instant) {
        let latency = duration(self.model.adapter);
        if latency == Duration::ZERO || now < self.adapter.1 {
            return;
        }
        self.adapter.1 = now + latency;
        let bytes = std::mem::take(&mut self.adapter.0);
        let base = self.stations.iter_mut().find(|(it, _)| *it == Self::BASE);
        if let Some((_, station)) = base
            && !bytes.is_empty()
        {
            drop(station.port.write(&bytes));
        }
    }

    fn draw(&mut self, (from, to): air::Range) -> Duration {
        let more = self.quirks.below((to - from).as_micros());
        duration(from) + Duration::from_micros(more)
    }

    fn is_sending_besides(&self, sender: usize) -> bool {
        self.stations
            .iter()
            .enumerate()
            .any(|(other, (_, station))| other != sender && station.busy_until.is_some())
    }

    fn roll(&mut self) -> Fate {
        // SplitMix64: small, seeded, and good enough for dice.
        self.dice = self.dice.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.dice;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        let percent = u32::try_from((mixed >> 33) % 100).expect("below 100");
        if percent < self.faults.lost_percent {
            Fate::Lost
        } else if percent < self.faults.lost_percent + self.faults.garbled_percent {
            Fate::Garbled
        } else {
            Fate::Heard
        }
    }
}

fn duration(span: Span) -> Duration {
    Duration::from_micros(span.as_micros())
}

#[cfg(test)]
mod tests;
