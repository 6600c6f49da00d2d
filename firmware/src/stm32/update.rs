//! The program that runs, in its slot: it takes a new one for the other slot by cable, and a new one
//! that is on trial is kept as soon as it has reached its base.
#![expect(
    unsafe_code,
    reason = "the vector table and the version are memory that the linker knows of"
)]
use core::sync::atomic::{AtomicBool, Ordering};

use cortex_m::peripheral::SCB;
use embassy_stm32::flash::Flash;
use pad::slots::{Layout, Slot, Slots, Standing};
use pad::update::{MAKERS, Progress, Step, Update};
use pad::{App, FIRMWARE};
use protocol::message::FirmwareVersion;
use protocol::time::{Instant, Span};
use protocol::words::Refusal;

use super::idle::FlashAtWork;

/// How long a new program may take to reach its base before the old one is back.
const TRIAL: Span = Span::from_secs(600);
/// Addresses below this are flash, whatever is mapped there at the start.
const FLASH_END: u32 = 0x1000_0000;
const FLASH_START: u32 = 0x0800_0000;

unsafe extern "C" {
    /// Where this program begins, from the linker's script.
    static __vector_table: u32;
}

/// What this program is, under a name of its own: who has only the image can tell its version.
#[unsafe(no_mangle)]
#[used]
static BYESTAND_VERSION: [u8; 3] = [FIRMWARE.0, FIRMWARE.1, FIRMWARE.2];

/// The version of this program.
pub(crate) fn firmware() -> FirmwareVersion {
    // SAFETY: a static of this program. The image's bytes count, not what the compiler knows of
    // them.
    let [major, minor, patch] = unsafe { core::ptr::read_volatile(&raw const BYESTAND_VERSION) };
    FirmwareVersion(major, minor, patch)
}

static ON_TRIAL: AtomicBool = AtomicBool::new(false);

/// The loader has left the interrupts where they are at the chip's start: with itself. A bench that
/// has put a table of its own into RAM keeps it.
pub(crate) fn take_interrupts(control: &SCB) {
    if control.vtor.read() < FLASH_END {
        // SAFETY: the linker has put this program's vectors there.
        unsafe { control.vtor.write(start()) };
    }
}

fn start() -> u32 {
    &raw const __vector_table as u32
}

/// Where this program lies.
pub(crate) fn running() -> Slot {
    if start() == FLASH_START + Layout::CHIP.start(Slot::B) {
        Slot::B
    } else {
        Slot::A
    }
}

/// As far as the service port tells.
pub(crate) fn standing() -> Standing {
    let slot = running();
    let trial = ON_TRIAL.load(Ordering::Relaxed).then_some((slot, true));
    Standing { good: slot, trial }
}

/// The programs of this pad.
pub(crate) struct Programs {
    update: Update,
    trial_ends: Option<Instant>,
}

impl Programs {
    /// As the notes in flash say.
    pub(crate) async fn look(flash: Option<&mut Flash<'static>>, now: Instant) -> Self {
        let running = running();
        let mut on_trial = false;
        if let Some(flash) = flash {
            let standing = Slots::new(flash, Layout::CHIP).standing().await;
            on_trial = standing.is_ok_and(|it| it.trial == Some((running, true)));
        }
        ON_TRIAL.store(on_trial, Ordering::Relaxed);
        if on_trial {
            defmt::info!("this program is on trial");
        }
        Self {
            update: Update::none(running, firmware(), MAKERS),
            trial_ends: on_trial.then_some(now + TRIAL),
        }
    }

    /// Takes a line of an update.
    pub(crate) async fn take(
        &mut self,
        flash: Option<&mut Flash<'static>>,
        app: &App,
        step: &Step,
    ) -> Result<Progress, Refusal> {
        let flash = flash.ok_or(Refusal("the flash can't be used: take this pad out of use"))?;
        if *step == Step::Begin && app.keys().is_none() {
            // No base would ever answer the new program.
            return Err(Refusal("make this a pad of the club first"));
        }
        let _at_work = FlashAtWork::begin();
        let mut slots = Slots::new(flash, Layout::CHIP);
        self.update.take(&mut slots, step).await
    }

    /// Keeps a program on trial that has reached its base, and goes back to the old one if it never
    /// does. Answers whether it was kept just now.
    pub(crate) async fn prove(
        &mut self,
        flash: Option<&mut Flash<'static>>,
        has_reached_base: bool,
        now: Instant,
    ) -> bool {
        let Some(end) = self.trial_ends else {
            return false;
        };
        if now >= end {
            defmt::warn!("no base was reached: back to the old program");
            SCB::sys_reset();
        }
        let Some(flash) = flash.filter(|_| has_reached_base) else {
            return false;
        };
        let _at_work = FlashAtWork::begin();
        let confirmed = Slots::new(flash, Layout::CHIP).confirm(running()).await;
        if confirmed.is_ok() {
            self.trial_ends = None;
            ON_TRIAL.store(false, Ordering::Relaxed);
            defmt::info!("this program is kept");
        }
        confirmed.is_ok()
    }
}
