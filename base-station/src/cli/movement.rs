//! `byestand movement`: prints, checks and suggests movements.

use std::io::Write;

use super::CliError;

/// Print, check or suggest a movement.
#[derive(Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
pub struct Arguments {}

/// Answers with the movement.
pub fn run(_arguments: &Arguments, _out: &mut impl Write) -> Result<(), CliError> {
    Err(CliError::input("movements are not part of this build"))
}
