//! The pad in a browser: the third thin shell around the pad's application, beside the chip's and
//! the PC's.
//!
//! The page (`base-station/assets/phone`) owns what a browser has: fingers, the storage, the
//! connection and the clock. It asks [`Phone`] with a [`Request`] and does what the [`Reply`]
//! says, in this order:
//!
//! 1. [`Reply::Write`]: these pages of the pad's flash go into the browser's storage. Nothing is
//!    shown or sent before [`Request::Written`] says that they are there.
//! 2. [`Reply::Settled`]: the frames go to the base, the face is shown, and the page comes back
//!    with [`Request::Tick`] when the moment has come.
//!
//! [`door`] is the way in for JavaScript; everything else is plain Rust, and tests play whole
//! evenings with it on a PC.

pub mod door;
mod face;
mod flash;
mod join;
mod shell;

pub use face::{Button, Cards, Face, Group, Line};
pub use flash::{PAGE_LEN, PAGES};
pub use join::{Joined, joined, proof};
pub use shell::{Page, Phone, Reply, Request, Settled, Start};
