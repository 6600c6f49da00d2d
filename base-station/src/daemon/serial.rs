//! Receivers on serial ports, here or in the network: found or named, read and written by threads of
//! their own, reopened when they come back under whatever name.

mod port;

use std::io;
use std::sync::mpsc as errands;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serialport::SerialPort;
use tokio::sync::mpsc;

use self::port::{Port, in_the_network};
use super::modem::{ModemKnown, ModemWish, SetPin, is_pause, scan, set_modem};
use super::modems::{Done, Errand, NotDone, What};
use super::ports::{Claim, Ports, Trace};
use super::radio::{Channel, FRAMES_WAITING_MAX, Heard, PIECES_WAITING_MAX};

/// How long a read waits before it looks whether the base station is ending.
const READ_TIMEOUT: Duration = Duration::from_millis(200);

/// How often a receiver that is not there is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// How often it is looked what else is plugged in, in a pause of the radio.
const TRACE_EVERY: Duration = Duration::from_secs(2);

/// How many receivers are found without being named.
const AUTO_RECEIVERS_MAX: usize = 4;

/// Why a receiver can't be used.
#[derive(Debug, thiserror::Error)]
pub enum SerialError {
    /// There is none.
    #[error("the receiver {0} is not there: plug it in, or check --radio")]
    Missing(String),
    /// Somebody has it.
    #[error("the receiver {0} is in use by another program: close that program first")]
    InUse(String),
    /// It was named twice.
    #[error("the receiver {0} is named twice: give each --radio a port of its own")]
    Twice(String),
    /// Nobody answers for it in the network.
    #[error(
        "the receiver {name} does not answer ({what}): expected tcp://HOST:PORT of a machine that is on and passes its serial port on as it is; check --radio"
    )]
    Unreachable {
        /// Which.
        name: String,
        /// What the system said.
        what: String,
    },
    /// The system says no.
    #[error("the receiver {name} can't be opened ({what}): check --radio and --baud")]
    Unusable {
        /// Which.
        name: String,
        /// What the system said.
        what: String,
    },
}

/// Which receiver is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The one at this port, which must be there at the start.
    Named(String),
    /// Whatever looks like one, now or later; the director is told while there is none.
    Auto,
    /// The same, but nobody is told that there is none.
    AutoIfThere,
}

/// Opens the receivers and starts the threads that read and write them. Each is reopened whenever
/// it was unplugged and comes back, under its old name or another. The modem of the first receiver
/// is set as the first wish says whenever it is opened, and so on; without a wish it is left as it
/// is.
pub fn open_receivers(
    wanted: &[Wanted],
    baud: u32,
    wishes: &[ModemWish],
    ports: &Arc<Ports>,
) -> Result<Vec<Channel>, SerialError> {
    let mut channels = Vec::new();
    let mut wishes = wishes.iter().copied();
    // Named ones first, so that none of them is taken by chance.
    for wanted in wanted {
        if let Wanted::Named(name) = wanted {
            let open = open(name, baud, ports)?;
            let wish = wishes.next();
            channels.push(Line::start(Some(open), true, name, (baud, wish), ports)?);
        }
    }
    let told = wanted.contains(&Wanted::Auto);
    if told || wanted.contains(&Wanted::AutoIfThere) {
        for place in 0..AUTO_RECEIVERS_MAX {
            let told = told && place == 0;
            let wish = wishes.next();
            channels.push(Line::start(
                None,
                told,
                "the receiver",
                (baud, wish),
                ports,
            )?);
        }
    }
    Ok(channels)
}

/// A port that this base station has.
struct Open {
    name: String,
    port: Box<dyn Port>,
    /// Given back when the port is closed.
    claim: Claim,
}

fn open(name: &str, baud: u32, ports: &Arc<Ports>) -> Result<Open, SerialError> {
    if !port_exists(name) {
        return Err(SerialError::Missing(name.to_owned()));
    }
    let claim = ports
        .claim(name)
        .ok_or_else(|| SerialError::Twice(name.to_owned()))?;
    let port = match in_the_network(name) {
        Some(address) => port::connect(address).map_err(|fault| SerialError::Unreachable {
            name: name.to_owned(),
            what: fault.to_string(),
        })?,
        None => port::serial(name, baud).map_err(|fault| refused(name, &fault))?,
    };
    Ok(Open {
        name: name.to_owned(),
        port,
        claim,
    })
}

/// Why a serial port of this machine can't be had.
fn refused(name: &str, fault: &serialport::Error) -> SerialError {
    let what = fault.to_string();
    let locked = what.contains("exclusive lock") || what.contains("busy");
    match fault.kind {
        serialport::ErrorKind::Io(io::ErrorKind::NotFound) => SerialError::Missing(name.to_owned()),
        serialport::ErrorKind::Io(io::ErrorKind::ResourceBusy) => {
            SerialError::InUse(name.to_owned())
        }
        _ if locked => SerialError::InUse(name.to_owned()),
        _ => SerialError::Unusable {
            name: name.to_owned(),
            what,
        },
    }
}

/// On Unix a port of this machine is a file; elsewhere only opening it tells.
fn port_exists(name: &str) -> bool {
    !cfg!(unix) || in_the_network(name).is_some() || std::path::Path::new(name).exists()
}

/// The port that frames go to; empty while the receiver is unplugged.
type Outlet = Arc<Mutex<Option<Box<dyn Port>>>>;

struct Line {
    baud: u32,
    wish: Option<ModemWish>,
    /// What the director wants of the modem while it works.
    errands: errands::Receiver<Errand>,
    ports: Arc<Ports>,
    /// Whether any receiver will do.
    auto: bool,
    heard: mpsc::Sender<Heard>,
    outlet: Outlet,
}

/// The radio task is gone: the base station ends.
struct Ending;

impl Line {
    /// Starts the threads of a receiver that is open, or that is to be found.
    fn start(
        first: Option<Open>,
        told: bool,
        name: &str,
        (baud, wish): (u32, Option<ModemWish>),
        ports: &Arc<Ports>,
    ) -> Result<Channel, SerialError> {
        let (heard, received) = mpsc::channel(PIECES_WAITING_MAX);
        let (send, frames) = mpsc::channel(FRAMES_WAITING_MAX);
        let (errand, waiting) = errands::channel();
        let outlet = Outlet::default();
        let connected = first.is_some();
        let line = Self {
            baud,
            wish,
            errands: waiting,
            ports: Arc::clone(ports),
            auto: !connected,
            heard,
            outlet: Arc::clone(&outlet),
        };
        let thread = |what: &str, work: Box<dyn FnOnce() + Send>| {
            std::thread::Builder::new()
                .name(format!("{what} {name}"))
                .spawn(work)
                .map_err(|fault| SerialError::Unusable {
                    name: name.to_owned(),
                    what: fault.to_string(),
                })
        };
        thread("from", Box::new(move || drop(line.run(first))))?;
        thread("to", Box::new(move || write_frames(frames, &outlet)))?;
        Ok(Channel {
            name: name.to_owned(),
            received,
            send,
            errands: Some(errand),
            connected,
            told,
            channel: wish.map_or(0, |wish| wish.settings.channel.get()),
        })
    }

    /// Reads until the base station ends.
    fn run(mut self, mut first: Option<Open>) -> Result<(), Ending> {
        let mut trace: Option<Trace> = None;
        loop {
            let mut open = match first.take() {
                Some(open) => open,
                None => self.look_for(trace.as_ref())?,
            };
            let known = self.wish.zip(open.port.lines());
            let known = known.map(|(wish, port)| match wish.pin {
                Some(SetPin::Hand) => ModemKnown::WAITS,
                // One that was pulled out meanwhile is silent, too.
                _ => set(port, wish).unwrap_or(ModemKnown::SILENT),
            });
            // Now, while it is there: it may be pulled out at once.
            let here = self.ports.trace(&open.name);
            self.let_out(open.port.another().ok());
            tracing::info!(receiver = open.name, "the receiver is there");
            self.tell(Heard::Here(open.name.clone()))?;
            if let Some(known) = known {
                tracing::info!(receiver = open.name, ?known, "its modem");
                self.tell(Heard::Modem(known))?;
            }
            trace = Some(self.read_pieces(&open.name, open.port, here)?);
            tracing::warn!(receiver = open.name, "the receiver is gone");
            self.let_out(None);
            drop(open.claim);
            self.tell(Heard::Gone)?;
        }
    }

    /// Waits until the receiver is there, again or for the first time.
    fn look_for(&self, trace: Option<&Trace>) -> Result<Open, Ending> {
        loop {
            let mut names = trace.map_or_else(Vec::new, |trace| self.ports.known_again(trace));
            if self.auto {
                names.extend(self.ports.receivers());
            }
            let found = names
                .iter()
                .find_map(|name| open(name, self.baud, &self.ports).ok());
            if let Some(open) = found {
                return Ok(open);
            }
            while let Ok(errand) = self.errands.try_recv() {
                let _ = errand.reply.send(Err(NotDone::Gone));
            }
            std::thread::sleep(LOOK_EVERY);
            if self.heard.is_closed() {
                return Err(Ending);
            }
        }
    }

    fn tell(&self, heard: Heard) -> Result<(), Ending> {
        self.heard.blocking_send(heard).map_err(|_| Ending)
    }

    fn let_out(&self, port: Option<Box<dyn Port>>) {
        *self.outlet.lock().unwrap_or_else(PoisonError::into_inner) = port;
    }

    /// Does what the director wants of the modem. Frames that come for it meanwhile are lost like
    /// those on the air.
    fn run_errand(&mut self, errand: Errand, port: &mut dyn Port) -> Result<(), Ending> {
        let outlet = port.another().ok();
        let Some(lines) = port.lines() else {
            let _ = errand.reply.send(Err(NotDone::InTheNetwork));
            return Ok(());
        };
        self.let_out(None);
        let done = match errand.what {
            What::Set(wish) => set(lines, wish).map(|known| {
                self.wish = Some(wish);
                Done {
                    known,
                    heard: Vec::new(),
                }
            }),
            What::Scan {
                wish,
                channels,
                listen,
            } => scan(lines, wish, &channels, listen).map(|(heard, known)| Done { known, heard }),
        };
        self.let_out(outlet);
        match done {
            Ok(done) => {
                self.tell(Heard::Modem(done.known))?;
                let _ = errand.reply.send(Ok(done));
            }
            Err(fault) => {
                tracing::warn!(%fault, "its modem could not be set");
                let _ = errand.reply.send(Err(NotDone::Gone));
            }
        }
        Ok(())
    }

    /// Reads until the receiver is gone, and says by what it will be known again.
    fn read_pieces(
        &mut self,
        name: &str,
        mut port: Box<dyn Port>,
        mut trace: Trace,
    ) -> Result<Trace, Ending> {
        let mut traced = Instant::now();
        let mut buffer = [0; 512];
        loop {
            while let Ok(errand) = self.errands.try_recv() {
                self.run_errand(errand, port.as_mut())?;
            }
            match port.read(&mut buffer) {
                Ok(0) => return Ok(trace),
                Ok(len) => {
                    let piece = buffer.get(..len).unwrap_or_default().to_vec();
                    self.tell(Heard::Bytes(piece))?;
                }
                Err(fault) if is_pause(&fault) => {
                    if self.heard.is_closed() {
                        return Err(Ending);
                    }
                    // Some drivers keep quiet about an adapter that was pulled; its name goes.
                    if !port_exists(name) {
                        return Ok(trace);
                    }
                    // What is plugged in beside the receiver while it works is not the receiver.
                    if traced.elapsed() >= TRACE_EVERY {
                        trace = trace.renewed(self.ports.trace(name));
                        traced = Instant::now();
                    }
                }
                Err(_) => return Ok(trace),
            }
        }
    }
}

/// Sets a modem, and says how it is then.
fn set(port: &mut dyn SerialPort, wish: ModemWish) -> io::Result<ModemKnown> {
    let (outcome, pin) = set_modem(port, wish)?;
    Ok(ModemKnown::of(outcome, wish.settings, pin))
}

/// Writes frames until the radio task is gone. A frame that can't be written is lost like one
/// on the air: the pad calls again.
fn write_frames(mut frames: mpsc::Receiver<Vec<u8>>, outlet: &Outlet) {
    while let Some(frame) = frames.blocking_recv() {
        let mut outlet = outlet.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(port) = outlet.as_mut() {
            let _ = port.write_all(&frame).and_then(|()| port.flush());
        }
    }
}

#[cfg(all(test, unix))]
mod tests;
