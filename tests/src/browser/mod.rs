//! A real browser in front of a real base station, with the pads' side played by the test.

mod look;
mod page;
mod room;

pub use look::Looks;
pub use page::{DESKTOP, PHONE, PROJECTOR, Page, Size};
pub use room::{Room, TablePad};
