//! A real browser in front of a real base station, with the pads' side played by the test.

mod look;
mod page;
mod room;
mod season;

pub use look::Looks;
pub use page::{DESKTOP, PHONE, PROJECTOR, Page, Size};
pub use room::{Room, TablePad};
pub use season::begin_competitions;

/// Every page of the director, by its address, besides the first start's; those of single competitions where
/// [`begin_competitions`] was called.
pub const PAGES: [&str; 28] = [
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
    "competitions",
    "competitions/1",
    "competitions/knockout/1",
    "competitions/championship/1",
    "players",
    "calendar",
    "exchange",
    "centre",
    "replace/A1",
    "traveller/A1",
    "checks",
    "phones",
    "cable",
    "display",
    "help",
    "guide",
    "styleguide",
];
