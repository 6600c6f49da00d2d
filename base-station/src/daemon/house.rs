//! What the base station does on its machine beside scoring: it starts again with a copy that is
//! brought back, ends when the director says so, plays a practice evening, and starts with the machine.

use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Notify;

use super::autostart::Autostart;
use crate::store::write_whole;

/// The file that says how other machines come in, as the director chose on the page.
const DOOR_NAME: &str = "other-machines";

/// How other machines come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// Not at all: the page is served on this machine.
    Shut,
    /// With the club's own certificate.
    Encrypted,
    /// So that whoever is in the same network can read along.
    Plain,
}

impl Door {
    /// As the director chose.
    pub fn of(data: &Path) -> Self {
        let chosen = std::fs::read_to_string(data.join(DOOR_NAME)).unwrap_or_default();
        match chosen.trim() {
            "encrypted" => Self::Encrypted,
            "plain" => Self::Plain,
            _ => Self::Shut,
        }
    }

    fn keep(self, data: &Path) -> io::Result<()> {
        let file = data.join(DOOR_NAME);
        let word = match self {
            Self::Shut => {
                return match std::fs::remove_file(file) {
                    Err(fault) if fault.kind() != io::ErrorKind::NotFound => Err(fault),
                    _ => Ok(()),
                };
            }
            Self::Encrypted => "encrypted\n",
            Self::Plain => "plain\n",
        };
        write_whole(&file, word.as_bytes())
    }
}

/// The line with which a base station tells where its page is.
const READY: &str = "Byestand is ready: ";

/// The base station's place on its machine.
#[derive(Clone, Debug)]
pub struct House {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    data: PathBuf,
    /// Where the page is served was said on the command line.
    door_is_named: bool,
    /// The data goes when it ends.
    is_passing: bool,
    again: Notify,
    end: Notify,
    practice: Mutex<Option<Practice>>,
}

/// A practice evening beside the real one, in a process of its own.
#[derive(Debug)]
struct Practice {
    process: Child,
    page: String,
}

impl Drop for Practice {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl House {
    /// With this data folder, which may be a passing one. The page does not say who comes in where
    /// the command line did.
    pub fn new(data: &Path, door_is_named: bool, is_passing: bool) -> Self {
        Self {
            inner: Arc::new(Inner {
                data: data.to_owned(),
                door_is_named,
                is_passing,
                again: Notify::new(),
                end: Notify::new(),
                practice: Mutex::default(),
            }),
        }
    }

    /// The data folder.
    pub fn data(&self) -> &Path {
        &self.inner.data
    }

    /// How other machines come in; `None` where the command line said so.
    pub fn door(&self) -> Option<Door> {
        (!self.inner.door_is_named).then(|| Door::of(&self.inner.data))
    }

    /// Lets them in from the next start on, or not.
    pub fn set_door(&self, door: Door) -> io::Result<()> {
        door.keep(&self.inner.data)
    }

    /// Has the base station end and start again.
    pub fn start_again(&self) {
        self.inner.again.notify_one();
    }

    /// Somebody wants it to start again.
    pub(crate) async fn wants_to_start_again(&self) {
        self.inner.again.notified().await;
    }

    /// Has the base station end, as if its window had been closed.
    pub fn end(&self) {
        self.inner.end.notify_one();
    }

    /// Somebody wants it to end.
    pub(crate) async fn wants_to_end(&self) {
        self.inner.end.notified().await;
    }

    /// How it starts with the machine; a practice evening does not, and what is there is not its own.
    pub fn autostart(&self) -> Option<Autostart> {
        let lasting = (!self.inner.is_passing).then_some(&self.inner.data)?;
        Autostart::of_this_machine(lasting)
    }

    /// Plays a practice evening, or goes on with the one that is played; answers with its page. It
    /// ends with the base station.
    pub fn practise(&self) -> io::Result<String> {
        let mut practice = self
            .inner
            .practice
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(running) = practice.as_mut()
            && matches!(running.process.try_wait(), Ok(None))
        {
            return Ok(running.page.clone());
        }
        *practice = None;
        let mut process = Command::new(std::env::current_exe()?)
            .args(["demo", "--with-its-parent"])
            // Held until the base station ends, and be that against its will: then the evening ends, too.
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let said = process.stdout.take();
        let begun = said.and_then(|said| {
            let mut lines = BufReader::new(said).lines();
            let page = lines.find_map(|line| {
                let page = line.ok()?.strip_prefix(READY)?.trim().to_owned();
                Some(page)
            })?;
            // What it says later is read, so that it can go on saying it.
            std::thread::spawn(move || lines.for_each(drop));
            Some(page)
        });
        let Some(page) = begun else {
            let _ = process.kill();
            let _ = process.wait();
            return Err(io::Error::other("the practice evening did not begin"));
        };
        *practice = Some(Practice {
            process,
            page: page.clone(),
        });
        Ok(page)
    }
}
