//! Pads at a cable: found at the service ports of this machine, listened to, and given the club's
//! key, a number and a language.

mod plugged;
mod program;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use protocol::modem::Power;
use protocol::words::PadId;
use serialport::SerialPort;
use tokio::sync::watch;

pub use plugged::{Belongs, Condition, PadModem, PadTuned, Plugged};
pub use program::{ProgramFile, UpdateState};

use super::keyring::Keyring;
use super::ports::{Claim, Ports};
use super::reading::read_when_there;

/// The service port's speed.
const BAUD: u32 = 115_200;

/// How often it is looked what is plugged in.
const LOOK_EVERY: Duration = Duration::from_millis(700);

/// How long a read waits before it looks whether anybody still listens.
const READ_TIMEOUT: Duration = Duration::from_millis(200);

/// A line that is longer is noise.
const LINE_LEN_MAX: usize = 512;

/// How long a pad may take to have something in its flash.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// Where pads are looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cables {
    /// At every port that looks like a pad's.
    Auto,
    /// At these ports.
    Named(Vec<String>),
}

/// What goes wrong with a pad at the cable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CableError {
    /// There is none of that name.
    #[error("pad {0:08X} is not at the cable: plug it in, and wait until the page shows it")]
    NotThere(u32),
    /// It does not take what it is told.
    #[error("the pad does not answer: pull the cable out, put it in again, and try once more")]
    Silent,
    /// It said no.
    #[error("the pad said no: {0}")]
    Refused(String),
    /// Nobody has given a file with programs for pads.
    #[error("choose a file with a program for pads first")]
    NoProgram,
    /// It is from before pads had two places for programs.
    #[error("this pad needs a programmer once: it has no loader yet")]
    NoSlots,
    /// It is being updated.
    #[error("this pad is being updated: wait until that is done")]
    UnderWay,
    /// It started with the old program again.
    #[error("the pad did not start the new program, and runs the old one")]
    NotStarted,
    /// The new program was not heard by the base station.
    #[error("the new program did not reach the base station; the pad runs the old one again")]
    NotReached,
}

/// The cables of this machine, and the pads at them.
#[derive(Clone, Debug)]
pub struct Cable {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    ports: Arc<Ports>,
    wanted: Cables,
    lines: Mutex<BTreeMap<String, Line>>,
    /// The programs that pads can be given.
    program: Mutex<Option<ProgramFile>>,
    updates: Mutex<BTreeMap<PadId, UpdateState>>,
    changes: watch::Sender<u64>,
    /// What pads are given.
    keyring: Keyring,
    air: OnAir,
}

/// Where the base is on the air, for pads that set their modems.
#[derive(Clone, Copy, Debug)]
pub struct OnAir {
    /// The network's number.
    pub network: u8,
    /// The baud rate of all modems.
    pub baud: u32,
    /// How strongly they may send; nothing where no country was said, and pads leave their modems as
    /// they are.
    pub power: Option<Power>,
}

#[derive(Debug)]
struct Line {
    plugged: Plugged,
    outlet: Box<dyn SerialPort>,
    _claim: Claim,
}

impl Cable {
    /// Looks for pads from now on, until the last of its clones is dropped.
    pub fn start(
        ports: Arc<Ports>,
        wanted: Cables,
        keyring: Keyring,
        air: OnAir,
    ) -> io::Result<Self> {
        let inner = Arc::new(Inner {
            ports,
            wanted,
            lines: Mutex::default(),
            program: Mutex::default(),
            updates: Mutex::default(),
            changes: watch::Sender::new(0),
            keyring,
            air,
        });
        let watched = Arc::downgrade(&inner);
        std::thread::Builder::new()
            .name("cables".to_owned())
            .spawn(move || {
                while let Some(inner) = watched.upgrade() {
                    inner.look();
                    drop(inner);
                    std::thread::sleep(LOOK_EVERY);
                }
            })?;
        Ok(Self { inner })
    }

    /// The pads that are plugged in, by their ports.
    pub fn plugged(&self) -> Vec<(String, Plugged)> {
        let lines = self.inner.lines();
        let plugged = lines.iter().map(|(port, line)| (port, &line.plugged));
        plugged
            .map(|(port, pad)| (port.clone(), pad.clone()))
            .collect()
    }

    /// One of them.
    pub fn pad(&self, pad: PadId) -> Result<Plugged, CableError> {
        let found = self.plugged().into_iter().map(|(_, plugged)| plugged);
        let mut found = found.filter(|plugged| plugged.pad == Some(pad));
        found.next().ok_or(CableError::NotThere(pad.get()))
    }

    /// The club's keys.
    pub fn keyring(&self) -> &Keyring {
        &self.inner.keyring
    }

    /// Whether a pad has the club's present key, and its network.
    pub fn is_ours(&self, plugged: &Plugged) -> bool {
        let ours = self.keyring().current().check().0;
        let network = self.inner.air.network;
        matches!(plugged.belongs, Belongs::Club { check, network: its, .. } if check == ours && its == network)
    }

    /// Whether it has a key that the club had before.
    pub fn was_ours(&self, plugged: &Plugged) -> bool {
        let old = self.keyring().old().map(|old| old.check().0);
        matches!(plugged.belongs, Belongs::Club { check, .. } if Some(check) == old)
    }

    /// Types a line at a pad's service port.
    pub fn tell(&self, pad: PadId, line: &str) -> Result<(), CableError> {
        let mut lines = self.inner.lines();
        let found = lines
            .values_mut()
            .find(|line| line.plugged.pad == Some(pad));
        let found = found.ok_or(CableError::NotThere(pad.get()))?;
        found.plugged.refused = None;
        found.plugged.update = None;
        let told = found.outlet.write_all(format!("{line}\n").as_bytes());
        told.map_err(|_| CableError::Silent)
    }

    /// The keys that were pressed so far do not count.
    pub fn forget_keys(&self, pad: PadId) {
        let mut lines = self.inner.lines();
        for line in lines.values_mut() {
            if line.plugged.pad == Some(pad) {
                line.plugged.keys.clear();
            }
        }
    }

    /// Waits until a pad is as it should be.
    pub async fn wait_for(
        &self,
        pad: PadId,
        done: impl Fn(&Plugged) -> bool,
    ) -> Result<Plugged, CableError> {
        self.wait(pad, PATIENCE, done).await
    }

    async fn wait(
        &self,
        pad: PadId,
        patience: Duration,
        done: impl Fn(&Plugged) -> bool,
    ) -> Result<Plugged, CableError> {
        let mut changes = self.inner.changes.subscribe();
        let waited = async {
            loop {
                let plugged = self.pad(pad)?;
                if done(&plugged) {
                    return Ok(plugged);
                }
                if let Some(why) = plugged.refused {
                    return Err(CableError::Refused(why));
                }
                if changes.changed().await.is_err() {
                    return Err(CableError::Silent);
                }
            }
        };
        let waited = tokio::time::timeout(patience, waited).await;
        waited.unwrap_or(Err(CableError::Silent))
    }

    /// Gives a pad the club's key, its number and its language; all is in its flash when this
    /// answers.
    pub async fn welcome(
        &self,
        pad: PadId,
        number: u8,
        language: &str,
        channel: u8,
    ) -> Result<Plugged, CableError> {
        let key = self.keyring().current();
        let digits = super::key::line(key.bytes());
        let OnAir {
            network,
            baud,
            power,
        } = self.inner.air;
        let power = power.map_or(0, Power::get);
        let sets_modem = self.pad(pad)?.modem.is_some();
        if sets_modem {
            self.tell(pad, &format!("modem {baud} {power}"))?;
        }
        self.tell(pad, &format!("number {number}"))?;
        self.tell(pad, &format!("language {language}"))?;
        self.tell(
            pad,
            &format!("club {} {network} {channel}", digits.trim_end()),
        )?;
        let check = key.check().0;
        let belongs = Belongs::Club {
            check,
            network,
            channel,
        };
        self.wait_for(pad, |plugged| {
            let worn = plugged.condition.as_ref();
            let told = |it: PadModem| (it.baud, it.power) == (baud, power);
            plugged.belongs == belongs
                && plugged.modem.is_none_or(told)
                && worn.is_some_and(|it| it.number == number && it.language == language)
        })
        .await
    }
}

impl Inner {
    fn lines(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Line>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn program(&self) -> std::sync::MutexGuard<'_, Option<ProgramFile>> {
        self.program.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn updates(&self) -> std::sync::MutexGuard<'_, BTreeMap<PadId, UpdateState>> {
        self.updates.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a pad said of its program before it started again does not count.
    fn forget_program(&self, pad: PadId) {
        let mut lines = self.lines();
        for line in lines.values_mut() {
            if line.plugged.pad == Some(pad) {
                line.plugged.program = None;
            }
        }
    }

    fn changed(&self) {
        self.changes
            .send_modify(|change| *change = change.wrapping_add(1));
    }

    /// Opens whatever is new.
    fn look(self: &Arc<Self>) {
        let names = match &self.wanted {
            Cables::Auto => self.ports.service_ports(),
            Cables::Named(names) => names.clone(),
        };
        for name in names {
            if !self.lines().contains_key(&name) {
                self.open(&name);
            }
        }
    }

    fn open(self: &Arc<Self>, name: &str) {
        let Some(claim) = self.ports.claim(name) else {
            return;
        };
        let port = serialport::new(name, BAUD).timeout(READ_TIMEOUT).open();
        let Ok(port) = port else {
            return;
        };
        let Ok(mut outlet) = port.try_clone() else {
            return;
        };
        // A pad that was plugged in before we were here has introduced itself already.
        if outlet.write_all(b"\nabout\nscreen\n").is_err() {
            return;
        }
        let line = Line {
            plugged: Plugged::default(),
            outlet,
            _claim: claim,
        };
        self.lines().insert(name.to_owned(), line);
        let inner = Arc::downgrade(self);
        let place = name.to_owned();
        let listening = std::thread::Builder::new()
            .name(format!("cable {name}"))
            .spawn(move || {
                let mut port = port;
                let mut waiting = Vec::new();
                while let Some(inner) = inner.upgrade() {
                    let Ok(lines) = read_lines(&mut *port, &mut waiting) else {
                        inner.lines().remove(&place);
                        inner.changed();
                        return;
                    };
                    inner.hear(&place, &lines);
                }
            });
        if listening.is_err() {
            self.lines().remove(name);
        }
    }

    fn hear(&self, place: &str, lines: &[String]) {
        if lines.is_empty() {
            return;
        }
        if let Some(line) = self.lines().get_mut(place) {
            for said in lines {
                line.plugged.hear(said);
            }
        }
        self.changed();
    }
}

/// Whole lines that have come; what has no end yet waits.
fn read_lines(port: &mut dyn SerialPort, waiting: &mut Vec<u8>) -> io::Result<Vec<String>> {
    let mut bytes = [0; 512];
    match read_when_there(port, &mut bytes) {
        // A port that was pulled out reads as nothing at once, for ever.
        Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
        Ok(length) => waiting.extend_from_slice(bytes.get(..length).unwrap_or_default()),
        Err(fault) if fault.kind() == io::ErrorKind::TimedOut => return Ok(Vec::new()),
        Err(fault) if fault.kind() == io::ErrorKind::Interrupted => return Ok(Vec::new()),
        Err(fault) => return Err(fault),
    }
    let mut lines = Vec::new();
    while let Some(end) = waiting.iter().position(|byte| *byte == b'\n') {
        let line: Vec<u8> = waiting.drain(..=end).collect();
        lines.push(String::from_utf8_lossy(&line).trim().to_owned());
    }
    if waiting.len() > LINE_LEN_MAX {
        waiting.clear();
    }
    Ok(lines)
}
