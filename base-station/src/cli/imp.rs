//! `byestand imp 130 -400`: what two results of one team are worth in IMPs.

use std::io::Write;

use protocol::words::Score;
use serde::Serialize;

use super::{CliError, write_json};
use crate::scoring::Imps;

/// IMPs for one team's results at its two tables.
#[derive(Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
pub struct Arguments {
    /// What the team scored at one table (negative: what it lost)
    first: String,
    /// What the team scored at the other table
    #[arg(default_value = "0")]
    second: String,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    total: i32,
    imps: Imps,
}

/// Adds the two results and looks the sum up in the scale.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    let (first, second) = (read(&arguments.first)?, read(&arguments.second)?);
    let answer = Answer {
        total: i32::from(first.0) + i32::from(second.0),
        imps: Imps::of_two_tables(first, second),
    };
    if arguments.json {
        return write_json(out, &answer);
    }
    let plural = if answer.imps.0.abs() == 1 { "" } else { "s" };
    writeln!(
        out,
        "{:+} and {:+}: {:+} points, {:+} IMP{plural}",
        first.0, second.0, answer.total, answer.imps.0
    )?;
    Ok(())
}

fn read(text: &str) -> Result<Score, CliError> {
    text.trim()
        .parse()
        .ok()
        .filter(|points| points % 10 == 0)
        .map(Score)
        .ok_or_else(|| {
            CliError::argument(
                "score",
                text,
                "expected points in tens, such as 130 or -400",
            )
        })
}
