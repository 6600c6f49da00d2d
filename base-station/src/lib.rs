//! The base station of a duplicate-bridge session.

pub mod cli;
pub mod movement;
pub mod scoring;
