//! A real browser in front of a real base station, with the pads' side played by the test.

mod look;
mod page;
mod room;

pub use look::Looks;
pub use page::{DESKTOP, PHONE, PROJECTOR, Page, Size};
pub use room::{Room, TablePad};

/// Every page of the director, by its address.
pub const PAGES: [&str; 21] = [
    "room",
    "warnings",
    "pads",
    "results",
    "setup",
    "more",
    "names",
    "clock",
    "history",
    "movement",
    "matches",
    "calendar",
    "exchange",
    "centre",
    "replace/A1",
    "traveller/A1",
    "checks",
    "display",
    "help",
    "guide",
    "styleguide",
];
