//! What scoring programs say to a Bridgemate Data Connector, and what they hear from it.
//!
//! [`Request::read`] is the way in, [`Answer`] the way out. The data in between ([`data`]) have the
//! names that the wire has; [`check`] says what is wrong with them in sentences, and the other
//! modules turn them into the words of the game and back. Nothing here does any IO.

#![deny(
    clippy::wildcard_enum_match_arm,
    clippy::match_wildcard_for_single_variants
)]

pub mod check;
pub mod data;
mod envelope;
pub mod hand;
pub mod movement;
pub mod people;
pub mod result;
pub mod settings;

#[cfg(test)]
mod tests;

pub use envelope::{Answer, Command, DataType, ErrorType, Fault, Queue, Request};

/// What a program that asks `GET /` looks for.
pub const GREETING: &str = "Bridgemate dataconnector service version";

/// Where requests are posted.
pub const PATH: &str = "/dc-scoringprogram";

/// Where programs look for it.
pub const PORT: u16 = 5079;
