//! `byestand serve`: the base station itself, with real pads.

use std::io::Write;

use super::CliError;

/// Run a session with real pads: the base station itself.
#[derive(Debug, clap::Args)]
pub struct Arguments {}

/// Serves until it is told to stop.
pub fn run(_arguments: &Arguments, _out: &mut impl Write) -> Result<(), CliError> {
    Err(CliError::input("serving is not part of this build"))
}
