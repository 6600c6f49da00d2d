//! The application of a table pad: keys in, screens and messages out.
//!
//! The whole pad is one value, [`App`], that knows nothing of pins, flash or radio. A shell
//! around it (embassy on the STM32, `virtual-pad` on a PC) does what it says:
//!
//! 1. Something happens: a key, a message from the base, a change of the link, a deadline, the
//!    battery. The shell calls [`App::handle`] with it and with `now`.
//! 2. [`Effects`] come back. First the shell writes [`Effects::persist`] to flash
//!    ([`Store::save`]); a flash that fails is told to the application
//!    ([`Input::StoreFailed`]) and stops nothing.
//! 3. Only then it draws [`App::screen`] ([`draw()`]) if it differs from the one shown: the word
//!    "agreed" is never on the display before the result is in flash.
//! 4. Then it looks after the link: `bind` to [`App::binding`] and `report`
//!    [`App::check_in`] when they have changed; a new link if [`Effects::link_changed`];
//!    `withdraw` if the message under way [is outdated](App::is_outdated); and when the link is
//!    ready, `send` what [`App::outgoing`] offers. What the link has to say comes back as an
//!    [`Input`].
//! 5. It sleeps until the next input, the link's timeout or [`App::deadline`].
//!
//! [`conductor::Conductor`] does all of this in that order; both shells are thin layers around
//! it.
//!
//! After a restart [`Store::load`] puts the game back, and [`App::resume`] the players at the
//! board where they were.
//!
//! `no_std`, no allocation, and no panic: a panic is a dead table.
#![no_std]
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

// Tests of what the build script makes need what build scripts have.
#[cfg(test)]
extern crate std;

pub mod app;
pub mod conductor;
mod draw;
mod erase;
mod game;
mod key;
mod keypad;
mod record;
mod screen;
pub mod service;
mod sheet;
pub mod sleep;
pub mod slots;
mod store;
pub mod texts;
pub mod ticks;
pub mod update;

pub use app::{App, BatteryGauge, Effects, Input, LinkStatus, Outgoing, Sound, Ticket};
pub use draw::{DISPLAY_HEIGHT, DISPLAY_WIDTH, draw};
pub use game::{Game, ROUNDS_MAX};
pub use key::Key;
pub use keypad::{Keypad, Matrix};
pub use record::{RECORD_LEN_MAX, RecordKey, RecordSet};
pub use screen::{
    Body, Hint, Picture, ROW_LEN_MAX, ROWS_MAX, Row, RowStyle, RowText, Screen, ScreenId, Status,
};
pub use sheet::{LINES_MAX, Line, LineState, Sheet};
pub use store::{JOURNAL_LEN, Store, StoreError};

use protocol::message::FirmwareVersion;

/// What a pad says of its program: the package's version.
pub const FIRMWARE: FirmwareVersion = {
    const fn part(text: &str) -> u8 {
        match u8::from_str_radix(text, 10) {
            Ok(number) => number,
            Err(_) => 0,
        }
    }
    FirmwareVersion(
        part(env!("CARGO_PKG_VERSION_MAJOR")),
        part(env!("CARGO_PKG_VERSION_MINOR")),
        part(env!("CARGO_PKG_VERSION_PATCH")),
    )
};
