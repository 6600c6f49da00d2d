//! Receivers on serial ports: blocking reads and writes on threads of their own, reopened when
//! they come back.

use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serialport::SerialPort;
use tokio::sync::mpsc;

use super::radio::{Channel, FRAMES_WAITING_MAX, PIECES_WAITING_MAX};

/// How long a read waits before it looks whether the base station is ending.
const READ_TIMEOUT: Duration = Duration::from_millis(200);

/// How often an unplugged receiver is looked for.
const REOPEN_EVERY: Duration = Duration::from_millis(500);

/// Why a receiver can't be used.
#[derive(Debug, thiserror::Error)]
pub enum SerialError {
    /// There is none.
    #[error("the receiver {0} is not there: plug it in, or check --radio")]
    Missing(String),
    /// Somebody has it.
    #[error("the receiver {0} is in use by another program: close that program first")]
    InUse(String),
    /// The system says no.
    #[error("the receiver {name} can't be opened ({what}): check --radio and --baud")]
    Unusable {
        /// Which.
        name: String,
        /// What the system said.
        what: String,
    },
}

/// Opens a receiver and starts the thread that reads and writes it. It is reopened under the
/// same name whenever it was unplugged.
pub fn open_receiver(name: &str, baud: u32) -> Result<Channel, SerialError> {
    let port = open(name, baud)?;
    let (pieces, received) = mpsc::channel(PIECES_WAITING_MAX);
    let (send, frames) = mpsc::channel(FRAMES_WAITING_MAX);
    let outlet = Outlet::default();
    let line = Line {
        name: name.to_owned(),
        baud,
        pieces,
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
    thread("from", Box::new(move || line.run(port)))?;
    thread("to", Box::new(move || write_frames(frames, &outlet)))?;
    Ok(Channel {
        name: name.to_owned(),
        received,
        send,
        connected: true,
    })
}

fn open(name: &str, baud: u32) -> Result<Box<dyn SerialPort>, SerialError> {
    if !port_exists(name) {
        return Err(SerialError::Missing(name.to_owned()));
    }
    serialport::new(name, baud)
        .timeout(READ_TIMEOUT)
        .open()
        .map_err(|fault| {
            let what = fault.to_string();
            let locked = what.contains("exclusive lock") || what.contains("busy");
            match fault.kind {
                serialport::ErrorKind::Io(io::ErrorKind::NotFound) => {
                    SerialError::Missing(name.to_owned())
                }
                serialport::ErrorKind::Io(io::ErrorKind::ResourceBusy) => {
                    SerialError::InUse(name.to_owned())
                }
                _ if locked => SerialError::InUse(name.to_owned()),
                _ => SerialError::Unusable {
                    name: name.to_owned(),
                    what,
                },
            }
        })
}

/// On Unix a port is a file; elsewhere only opening it tells.
fn port_exists(name: &str) -> bool {
    !cfg!(unix) || std::path::Path::new(name).exists()
}

/// The port that frames go to; empty while the receiver is unplugged.
type Outlet = Arc<Mutex<Option<Box<dyn SerialPort>>>>;

struct Line {
    name: String,
    baud: u32,
    pieces: mpsc::Sender<Option<Vec<u8>>>,
    outlet: Outlet,
}

/// The radio task is gone: the base station ends.
struct Ending;

impl Line {
    fn run(self, first: Box<dyn SerialPort>) {
        let mut port = first;
        loop {
            self.let_out(port.try_clone().ok());
            if self.read_pieces(port).is_err() {
                return;
            }
            self.let_out(None);
            tracing::warn!(receiver = self.name, "the receiver is gone");
            if self.pieces.blocking_send(None).is_err() {
                return;
            }
            port = loop {
                std::thread::sleep(REOPEN_EVERY);
                if self.pieces.is_closed() {
                    return;
                }
                if let Ok(port) = open(&self.name, self.baud) {
                    break port;
                }
            };
            tracing::info!(receiver = self.name, "the receiver is back");
            if self.pieces.blocking_send(Some(Vec::new())).is_err() {
                return;
            }
        }
    }

    fn let_out(&self, port: Option<Box<dyn SerialPort>>) {
        *self.outlet.lock().unwrap_or_else(PoisonError::into_inner) = port;
    }

    /// `Ok` when the receiver is gone.
    fn read_pieces(&self, mut port: Box<dyn SerialPort>) -> Result<(), Ending> {
        let mut buffer = [0; 512];
        loop {
            match port.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(len) => {
                    let piece = buffer.get(..len).unwrap_or_default().to_vec();
                    self.pieces.blocking_send(Some(piece)).map_err(|_| Ending)?;
                }
                Err(fault) if is_pause(&fault) => {
                    if self.pieces.is_closed() {
                        return Err(Ending);
                    }
                }
                Err(_) => return Ok(()),
            }
        }
    }
}

fn is_pause(fault: &io::Error) -> bool {
    matches!(
        fault.kind(),
        io::ErrorKind::TimedOut | io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock
    )
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
