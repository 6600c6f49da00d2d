//! Which serial ports there are, which of them look like a receiver, and who has them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// USB vendors of the adapters that radio modems are sold with: Silicon Labs, FTDI, WCH, Prolific
/// and Microchip. ST is left out on purpose: its ports are the service ports of our own pads.
const ADAPTER_VENDORS: [u16; 5] = [0x10c4, 0x0403, 0x1a86, 0x067b, 0x04d8];

/// The USB vendor of pads' own service ports: ST, whose probe is on the pad's board.
const PAD_VENDOR: u16 = 0x0483;

/// How long a list of the ports is good for: several receivers that are looked for share one.
const LIST_AGE_MAX: Duration = Duration::from_millis(300);

/// A serial port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The name it is opened under.
    pub name: String,
    /// The USB adapter behind it, if there is one.
    pub adapter: Option<Adapter>,
}

/// What a USB adapter says of itself. It stays the same under whatever name it is plugged in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adapter {
    /// The maker's number.
    pub vendor: u16,
    /// The type's number.
    pub product: u16,
    /// The single adapter's number; cheap ones have none.
    pub serial: Option<String>,
}

/// The ports of a machine, and which of them this base station has open.
pub struct Ports {
    list: Box<dyn Fn() -> Vec<Found> + Send + Sync>,
    listed: Mutex<Option<(Instant, Vec<Found>)>>,
    claimed: Mutex<BTreeSet<PathBuf>>,
}

impl std::fmt::Debug for Ports {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ports").finish_non_exhaustive()
    }
}

/// A port that nobody else of this base station opens until this is dropped.
#[derive(Debug)]
pub(super) struct Claim {
    ports: Arc<Ports>,
    port: PathBuf,
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.ports.claimed().remove(&self.port);
    }
}

/// What is remembered of a receiver while it is unplugged.
#[derive(Clone, Debug)]
pub(super) struct Trace {
    /// The name it had.
    pub(super) name: String,
    adapter: Option<Adapter>,
    /// The ports that were there beside it: none of them is the receiver under another name.
    others: BTreeSet<String>,
}

impl Trace {
    /// The later trace, unless the receiver was being pulled out when it was taken: its adapter
    /// goes from the list before its name does.
    pub(super) fn renewed(self, later: Self) -> Self {
        if self.adapter.is_some() && later.adapter != self.adapter {
            return self;
        }
        later
    }
}

impl Ports {
    /// The ports of this machine.
    pub fn of_this_machine() -> Self {
        Self::new(machine_list)
    }

    /// Ports that `list` tells of, for a bench.
    pub fn new(list: impl Fn() -> Vec<Found> + Send + Sync + 'static) -> Self {
        Self {
            list: Box::new(list),
            listed: Mutex::new(None),
            claimed: Mutex::new(BTreeSet::new()),
        }
    }

    /// Takes a port for one receiver; `None` if another one has it.
    pub(super) fn claim(self: &Arc<Self>, name: &str) -> Option<Claim> {
        // A port may have several names that are links to each other.
        let port = std::fs::canonicalize(name).unwrap_or_else(|_| PathBuf::from(name));
        let free = self.claimed().insert(port.clone());
        free.then(|| Claim {
            ports: Arc::clone(self),
            port,
        })
    }

    /// Ports with the adapters that radio modems are sold with, in the order of their names.
    pub(super) fn receivers(&self) -> Vec<String> {
        let mut names: Vec<String> = self
            .found()
            .into_iter()
            .filter(|port| {
                let adapter = port.adapter.as_ref();
                adapter.is_some_and(|adapter| ADAPTER_VENDORS.contains(&adapter.vendor))
            })
            .map(|port| port.name)
            .collect();
        names.sort();
        names
    }

    /// Ports that look like the service port of a pad, in the order of their names.
    pub(super) fn service_ports(&self) -> Vec<String> {
        let is_pad = |port: &Found| {
            let adapter = port.adapter.as_ref();
            adapter.is_some_and(|adapter| adapter.vendor == PAD_VENDOR)
        };
        let found = self.found().into_iter().filter(is_pad);
        let mut names: Vec<String> = found.map(|port| port.name).collect();
        names.sort();
        names
    }

    /// What to remember of an open receiver, so that it is known again.
    pub(super) fn trace(&self, name: &str) -> Trace {
        let real = std::fs::canonicalize(name).ok();
        let found = self.found();
        let own = found.iter().find(|port| {
            port.name == name
                || real
                    .as_deref()
                    .is_some_and(|real| real == Path::new(&port.name))
        });
        let mut others: BTreeSet<String> = found.iter().map(|port| port.name.clone()).collect();
        others.extend(siblings(name));
        if let Some(own) = own {
            others.remove(&own.name);
        }
        others.remove(name);
        Trace {
            name: name.to_owned(),
            adapter: own.and_then(|port| port.adapter.clone()),
            others,
        }
    }

    /// Under which names an unplugged receiver may be back, the likeliest first: its old one, any
    /// that has its adapter, and for a port that tells nothing of itself a new one beside the old
    /// (`ttyUSB1` for `ttyUSB0`).
    pub(super) fn known_again(&self, trace: &Trace) -> Vec<String> {
        let mut names = vec![trace.name.clone()];
        if let Some(adapter) = &trace.adapter {
            let same = self.found().into_iter().filter(|port| {
                let single = adapter.serial.is_some() || !trace.others.contains(&port.name);
                single && port.adapter.as_ref() == Some(adapter)
            });
            names.extend(same.map(|port| port.name));
        } else {
            let new = siblings(&trace.name).into_iter();
            names.extend(new.filter(|name| !trace.others.contains(name)));
        }
        names
    }

    fn found(&self) -> Vec<Found> {
        let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        match listed.as_ref() {
            Some((at, found)) if at.elapsed() < LIST_AGE_MAX => found.clone(),
            _ => {
                let found = (self.list)();
                *listed = Some((Instant::now(), found.clone()));
                found
            }
        }
    }

    fn claimed(&self) -> std::sync::MutexGuard<'_, BTreeSet<PathBuf>> {
        self.claimed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Names in the same folder that differ in the number at their end only. Where ports are no files
/// there are none.
fn siblings(name: &str) -> Vec<String> {
    let path = Path::new(name);
    let (Some(folder), Some(file)) = (path.parent(), path.file_name().and_then(|f| f.to_str()))
    else {
        return Vec::new();
    };
    let is_digit = |letter: char| letter.is_ascii_digit();
    let stem = file.trim_end_matches(is_digit);
    // A bare number, such as that of a pseudo-terminal, says nothing about what it is.
    if stem.is_empty() || stem.len() == file.len() {
        return Vec::new();
    }
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|other| {
            let number = other.strip_prefix(stem).unwrap_or_default();
            other != file && !number.is_empty() && number.chars().all(is_digit)
        })
        .filter_map(|other| Some(folder.join(other).to_str()?.to_owned()))
        .collect();
    names.sort();
    names
}

fn machine_list() -> Vec<Found> {
    // The list on Linux is read from here, and the crate takes its being there for granted.
    if cfg!(target_os = "linux") && !Path::new("/sys/class/tty").exists() {
        return Vec::new();
    }
    let ports = serialport::available_ports().unwrap_or_default();
    ports
        .into_iter()
        // macOS lists every port twice; the one that waits for a carrier is not ours.
        .filter(|port| !port.port_name.starts_with("/dev/tty."))
        .map(|port| Found {
            name: port.port_name,
            adapter: match port.port_type {
                serialport::SerialPortType::UsbPort(usb) => Some(Adapter {
                    vendor: usb.vid,
                    product: usb.pid,
                    serial: usb.serial_number.filter(|serial| !serial.is_empty()),
                }),
                _ => None,
            },
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the packages give whoever sits at the computer is what the program looks for.
    #[test]
    fn the_rules_of_the_package_name_every_adapter_that_is_looked_for() {
        let rules = include_str!("../../release/60-byestand.rules");
        for vendor in ADAPTER_VENDORS.into_iter().chain([PAD_VENDOR]) {
            let line = format!("ATTRS{{idVendor}}==\"{vendor:04x}\", TAG+=\"uaccess\"");
            assert!(rules.contains(&line), "{line}");
        }
        let named = rules.matches("uaccess").count();
        assert_eq!(named, ADAPTER_VENDORS.len() + 1);
    }
}
