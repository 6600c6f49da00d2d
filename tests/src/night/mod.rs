//! A whole club night in virtual time, with everything that can fail.
//!
//! The parts are the real ones: virtual pads (the pad library on a mock flash), both ends of the
//! link, the session's keeper. The radio is the simulated air, the disk a model that can lose
//! what was not synced, and people are simulated: players who enter what they played, a director
//! who corrects and replaces. One [`Options`] value says what may go wrong and one seed decides
//! when; the same seed gives the same night to the last byte.
//!
//! [`checkers`] judge the night from what a [`witness::Witness`] saw at the tables, not from what
//! the base station says about itself. [`Broken`] variants of the base prove that they would
//! notice.

mod agenda;
mod base;
mod broken;
pub mod checkers;
mod cupboard;
mod director;
mod disk;
mod matches;
mod mishaps;
mod modems;
mod network;
mod options;
mod page;
mod people;
mod report;
mod thief;
pub mod witness;
mod world;

pub use broken::Broken;
pub use checkers::{Promise, Violation};
pub use options::{Evening, Mode, Options};
pub use report::{Night, Totals};
pub use world::{play, play_event};
