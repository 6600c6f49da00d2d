//! A new program for a pad at the cable: sent line by line, started, and kept when it has reached this
//! base station; else the pad goes back to the old one.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use pad::slots::{Package, Slot};
use pad::update::PIECE_LEN;
use protocol::message::{FirmwareVersion, WIRE_VERSION, WIRE_VERSION_MIN};
use protocol::words::{PadId, Refusal};

use super::{Cable, CableError, Plugged};

/// How often a line is said that nobody answers.
const TRIES: usize = 3;

/// How long a pad may take for a line: it may have to erase a page.
const LINE_PATIENCE: Duration = Duration::from_secs(3);

/// How long a pad may take to look through a whole program and its signature, and to start.
const START_PATIENCE: Duration = Duration::from_secs(40);

/// How long a new program may take to reach us.
const PROOF_PATIENCE: Duration = Duration::from_mins(2);

/// A file with programs for pads, as the director gave it.
#[derive(Clone, Debug)]
pub struct ProgramFile {
    bytes: Arc<[u8]>,
    /// Of the programs in it.
    pub version: FirmwareVersion,
    /// The wire version that they speak.
    pub wire: u8,
}

impl ProgramFile {
    /// Reads it. What pads could not talk to us with is refused here.
    pub fn read(bytes: &[u8]) -> Result<Self, Refusal> {
        let manifest = Package::read(bytes)?.a.manifest;
        if !(WIRE_VERSION_MIN..=WIRE_VERSION).contains(&manifest.wire) {
            return Err(Refusal(
                "the program speaks a wire version that this base station does not know: update the base station first",
            ));
        }
        Ok(Self {
            bytes: bytes.into(),
            version: manifest.version,
            wire: manifest.wire,
        })
    }
}

/// How far the update of a pad is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UpdateState {
    /// The program is on its way.
    Sending {
        /// Hundredths of it that have arrived.
        percent: u8,
    },
    /// The pad looks through it and starts it.
    Starting,
    /// It runs, and has to reach us.
    Proving,
    /// It is kept.
    Kept,
    /// It never came to be kept; the pad runs the old program.
    Failed(CableError),
}

impl UpdateState {
    /// Whether the pad is busy with it.
    pub const fn is_under_way(&self) -> bool {
        matches!(self, Self::Sending { .. } | Self::Starting | Self::Proving)
    }
}

impl Cable {
    /// The programs that pads can be given.
    pub fn program(&self) -> Option<ProgramFile> {
        self.inner.program().clone()
    }

    /// Takes a file with programs.
    pub fn set_program(&self, program: ProgramFile) {
        *self.inner.program() = Some(program);
        self.inner.changed();
    }

    /// How far the update of a pad is; none where it was never begun.
    pub fn update_of(&self, pad: PadId) -> Option<UpdateState> {
        self.inner.updates().get(&pad).cloned()
    }

    /// Begins to give a pad the program, and answers at once.
    pub fn begin_update(&self, pad: PadId) -> Result<(), CableError> {
        let program = self.program().ok_or(CableError::NoProgram)?;
        let plugged = self.pad(pad)?;
        let slot = plugged.program.ok_or(CableError::NoSlots)?.slot;
        let sending = UpdateState::Sending { percent: 0 };
        {
            let mut updates = self.inner.updates();
            if updates.get(&pad).is_some_and(UpdateState::is_under_way) {
                return Err(CableError::UnderWay);
            }
            updates.insert(pad, sending);
        }
        let cable = self.clone();
        tokio::spawn(async move {
            let outcome = cable.update(pad, slot, &program).await;
            let state = outcome.map_or_else(UpdateState::Failed, |()| UpdateState::Kept);
            cable.note_update(pad, state);
        });
        Ok(())
    }

    fn note_update(&self, pad: PadId, state: UpdateState) {
        tracing::info!(pad = pad.get(), ?state, "update by cable");
        self.inner.updates().insert(pad, state);
        self.inner.changed();
    }

    async fn update(
        &self,
        pad: PadId,
        running: Slot,
        program: &ProgramFile,
    ) -> Result<(), CableError> {
        let package = Package::read(&program.bytes);
        let package = package.map_err(|why| CableError::Refused(why.to_string()))?;
        let wanted = package.of(running.other());
        self.send(pad, wanted.bytes).await?;
        self.note_update(pad, UpdateState::Starting);
        let manifest = STANDARD.encode(wanted.manifest.bytes());
        self.tell(pad, &format!("update end {manifest}"))?;
        let ready = |plugged: &Plugged| plugged.update == Some(Answered::Ready);
        self.wait(pad, START_PATIENCE, ready).await?;
        self.restart(pad).await?;
        if self.pad(pad)?.firmware != Some(program.version) {
            return Err(CableError::NotStarted);
        }
        self.note_update(pad, UpdateState::Proving);
        // It says something over the air, and this base station answers.
        self.tell(pad, "test radio")?;
        let kept = |plugged: &Plugged| plugged.program.is_some_and(|program| program.is_proven);
        let proven = self.wait(pad, PROOF_PATIENCE, kept).await;
        self.tell(pad, "test end")?;
        match proven {
            Ok(plugged) if plugged.firmware == Some(program.version) => Ok(()),
            // Somebody has pulled its battery: it is back already.
            Ok(_) => Err(CableError::NotReached),
            Err(_) => {
                self.restart(pad).await?;
                Err(CableError::NotReached)
            }
        }
    }

    async fn send(&self, pad: PadId, program: &[u8]) -> Result<(), CableError> {
        let mut next = self.say(pad, "update begin").await?;
        let mut told = 0;
        while next < program.len() {
            let end = program.len().min(next + PIECE_LEN);
            let piece = STANDARD.encode(program.get(next..end).unwrap_or_default());
            let line = format!("update piece {next} {piece}");
            next = self.say(pad, &line).await?;
            let percent = u8::try_from(next * 100 / program.len()).unwrap_or(100);
            if percent != told {
                told = percent;
                let sending = UpdateState::Sending { percent };
                self.inner.updates().insert(pad, sending);
            }
        }
        Ok(())
    }

    /// Says a line until the pad tells what it wants next.
    async fn say(&self, pad: PadId, line: &str) -> Result<usize, CableError> {
        for _ in 0..TRIES {
            self.tell(pad, line)?;
            let wants = |plugged: &Plugged| plugged.update.is_some();
            match self.wait(pad, LINE_PATIENCE, wants).await {
                Err(CableError::Silent) => {}
                Err(fault) => return Err(fault),
                Ok(plugged) => {
                    if let Some(Answered::Wants(next)) = plugged.update {
                        return Ok(next);
                    }
                }
            }
        }
        Err(CableError::Silent)
    }

    /// Starts a pad again and waits until it has told everything about itself.
    async fn restart(&self, pad: PadId) -> Result<(), CableError> {
        let before = self.pad(pad)?.introductions;
        self.tell(pad, "restart")?;
        let back = |plugged: &Plugged| plugged.introductions > before;
        self.wait(pad, START_PATIENCE, back).await?;
        self.inner.forget_program(pad);
        self.tell(pad, "screen")?;
        let told = |plugged: &Plugged| plugged.program.is_some();
        self.wait(pad, START_PATIENCE, told).await.map(drop)
    }
}

/// What a pad answers to a line of an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answered {
    /// It wants the piece for this place.
    Wants(usize),
    /// It has everything.
    Ready,
}

/// The program that a pad runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunningProgram {
    /// Where it lies.
    pub slot: Slot,
    /// It has reached its base since it was new.
    pub is_proven: bool,
}
