//! The base station of a duplicate-bridge session.

pub mod checks;
pub mod cli;
pub mod daemon;
pub mod deals;
pub mod demo;
pub mod double_dummy;
pub mod movement;
pub mod reports;
pub mod scoring;
pub mod session;
pub mod store;
pub mod view;
pub mod web;
