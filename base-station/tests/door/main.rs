//! The real daemon, attacked from the same machine: thousands of idle and slow connections,
//! sign-ins in parallel, and the way in through TLS.
//!
//! Bounded numbers here; the full attack is
//! `BYESTAND_DOOR=full cargo test --release -p base-station --test door -- --nocapture --test-threads 1`.
#![cfg(target_os = "linux")]

mod attack;
mod daemon;
mod demonstration;
mod password;
mod phones;
mod tls;

use std::io::Write;

/// How many of something, unless the full attack is asked for.
fn bounded(full: usize, usual: usize) -> usize {
    match std::env::var("BYESTAND_DOOR").as_deref() {
        Ok("full") => full,
        _ => usual,
    }
}

/// A figure for the report of the tests.
fn measured(figure: &str) {
    let _ = writeln!(std::io::stdout().lock(), "measured: {figure}");
}
