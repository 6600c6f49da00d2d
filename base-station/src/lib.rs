//! The base station of a duplicate-bridge session.

pub mod checks;
pub mod cli;
pub mod connections;
pub mod connector;
pub mod daemon;
pub mod demo;
pub mod double_dummy;
pub mod exchange;
pub mod password;
pub mod reports;
pub mod serve;
pub mod session;
pub mod store;
pub mod view;
pub mod watch;
pub mod web;

pub use {contest, deals, movement, scoring, season};
