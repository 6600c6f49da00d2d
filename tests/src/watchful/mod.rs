//! Evenings with mistakes that the watchful base should notice, and without any.
//!
//! [`evening`] makes clean evenings: replays of a real one with leads invented from its deals,
//! and generated ones. [`mistakes`] spoils them. [`tally`] plays them to the base and counts
//! what it finds and what it only imagines. [`rooms`] makes whole rooms move wrongly for the
//! movement doctor, [`large`] times a room of 256 tables. All of it follows from seeds.

pub mod doubles;
pub mod evening;
pub mod large;
pub mod material;
pub mod mistakes;
pub mod rooms;
pub mod tally;
