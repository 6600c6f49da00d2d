//! A new program by cable, line by line: `update begin`, then `update piece AT BASE64` in order,
//! then `update end BASE64` with the manifest. The pad answers `update AT` with the place that it
//! wants next, and `update ready` when the new program is to be tried at the next start.

use core::fmt::{self, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use embedded_storage_async::nor_flash::NorFlash;
use heapless::Vec;
use protocol::message::FirmwareVersion;
use protocol::words::Refusal;

use crate::slots::{MANIFEST_LEN, Manifest, Slot, Slots, Standing};

/// Bytes of a piece; a page of flash is a whole number of them.
pub const PIECE_LEN: usize = 128;

/// The public key of those who may sign programs for this pad, as `build.rs` found it.
pub const MAKERS: [u8; 32] = include!(concat!(env!("OUT_DIR"), "/makers.rs"));

/// One line of an update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Makes room.
    Begin,
    /// The next bytes of the program.
    Piece {
        /// Where they belong.
        at: u32,
        /// Whole words.
        bytes: Vec<u8, PIECE_LEN>,
    },
    /// All is there, and this is what it is.
    End(Manifest),
}

impl Step {
    /// Reads the words behind `update`.
    pub(crate) fn read<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Self, Refusal> {
        match words.next().unwrap_or_default() {
            "begin" => Ok(Self::Begin),
            "piece" => Ok(Self::Piece {
                at: words
                    .next()
                    .and_then(|at| at.parse().ok())
                    .ok_or(Refusal("expected where the piece belongs"))?,
                bytes: piece(words.next().unwrap_or_default())?,
            }),
            "end" => {
                let mut bytes = [0; MANIFEST_LEN];
                let text = words.next().unwrap_or_default();
                let len = STANDARD.decode_slice(text, &mut bytes).unwrap_or_default();
                Manifest::read(&bytes)
                    .filter(|_| len == MANIFEST_LEN)
                    .map(Self::End)
                    .ok_or(Refusal("expected a program's manifest"))
            }
            _ => Err(Refusal("expected update begin, piece or end")),
        }
    }
}

fn piece(text: &str) -> Result<Vec<u8, PIECE_LEN>, Refusal> {
    let mut bytes = [0; PIECE_LEN];
    let len = STANDARD.decode_slice(text, &mut bytes).unwrap_or_default();
    let whole = bytes
        .get(..len)
        .filter(|_| len > 0 && len.is_multiple_of(8));
    whole
        .and_then(|whole| Vec::from_slice(whole).ok())
        .ok_or(Refusal("expected whole words of a program in base64"))
}

/// How far an update is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The piece for this place is wanted next.
    Wants(u32),
    /// The program is to be tried at the next start.
    Ready,
}

impl fmt::Display for Progress {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wants(at) => write!(out, "update {at}"),
            Self::Ready => out.write_str("update ready"),
        }
    }
}

/// An update under way, in the program that runs.
#[derive(Clone, Copy, Debug)]
pub struct Update {
    running: Slot,
    version: FirmwareVersion,
    makers: [u8; 32],
    next: Option<u32>,
}

impl Update {
    /// None is under way in this program.
    pub const fn none(running: Slot, version: FirmwareVersion, makers: [u8; 32]) -> Self {
        Self {
            running,
            version,
            makers,
            next: None,
        }
    }

    /// Takes a line. A piece that is not the next one changes nothing, so that a line that was lost
    /// or said twice does no harm.
    pub async fn take<S: NorFlash>(
        &mut self,
        slots: &mut Slots<S>,
        step: &Step,
    ) -> Result<Progress, Refusal> {
        if *step == Step::Begin {
            self.next = None;
            slots.begin(self.running).await?;
            self.next = Some(0);
            return Ok(Progress::Wants(0));
        }
        let next = self.next.ok_or(Refusal("expected update begin"))?;
        match step {
            Step::Piece { at, bytes } if *at == next => {
                let written = slots.write(self.running, next, bytes).await;
                // A place that was written in part can't be written again: from the beginning.
                self.next = None;
                written.map_err(|_| Refusal("the piece can't be written: begin again"))?;
                let len = u32::try_from(bytes.len()).unwrap_or_default();
                self.next = next.checked_add(len);
                Ok(Progress::Wants(next.saturating_add(len)))
            }
            Step::Begin | Step::Piece { .. } => Ok(Progress::Wants(next)),
            Step::End(manifest) => {
                self.next = None;
                let running = (self.running, self.version);
                slots.finish(running, manifest, &self.makers).await?;
                Ok(Progress::Ready)
            }
        }
    }
}

/// Writes where the program that runs lies and whether it has proved itself: `program A proven`, or
/// `program B on trial`.
pub fn tell_program(running: Slot, standing: Standing, out: &mut impl Write) -> fmt::Result {
    let how = match standing.trial {
        Some((slot, _)) if slot == running => "on trial",
        _ => "proven",
    };
    writeln!(out, "program {running:?} {how}")
}
