//! What the tasks say to each other. The conductor is the one owner of the pad's state; the tasks
//! around it only carry.
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::channel::Channel;
use embassy_sync::signal::Signal;
use pad::service::Command;
use pad::update::Progress;
use pad::{Key, Screen, Sound};
use protocol::words::Refusal;

/// Keys on their way to the conductor: more than a fast hand presses while a page is erased.
pub(crate) static KEYS: Channel<CriticalSectionRawMutex, Key, 16> = Channel::new();

/// Lines that were typed on the service port; whoever types more waits.
pub(crate) static COMMANDS: Channel<CriticalSectionRawMutex, Command, 2> = Channel::new();

/// Keys on their way to the service port. If nobody fetches them there, they are not missed.
pub(crate) static ECHOED: Channel<CriticalSectionRawMutex, Key, 8> = Channel::new();

/// The screen that the display should show; only the newest counts.
pub(crate) static SHOWN: Signal<CriticalSectionRawMutex, Screen> = Signal::new();

/// The screen that the service port should mirror; only the newest counts.
pub(crate) static MIRRORED: Signal<CriticalSectionRawMutex, Screen> = Signal::new();

/// To which club the pad belongs, for the service port; only the newest counts.
pub(crate) static MEMBERSHIP: Signal<CriticalSectionRawMutex, Membership> = Signal::new();

/// What became of the line that was typed last.
pub(crate) static ANSWERS: Signal<CriticalSectionRawMutex, Answer> = Signal::new();

/// Somebody plugged a cable into the service port.
pub(crate) static GREETED: Signal<CriticalSectionRawMutex, ()> = Signal::new();

/// Whether the display should be dark, because the pad lies in its box; only the newest counts.
pub(crate) static DARKENED: Signal<CriticalSectionRawMutex, bool> = Signal::new();

/// What should be heard and seen; only the newest counts.
pub(crate) static SOUNDS: Signal<CriticalSectionRawMutex, Sound> = Signal::new();

/// What the service port answers to a line.
pub(crate) enum Answer {
    /// It was no command, or can't be obeyed.
    Refused(Refusal),
    /// It was a part of a new program.
    Update(Progress),
}

/// Five lines for the service port.
pub(crate) type Membership = heapless::String<224>;
