//! `byestand demo`: the demonstration, and which evening it is.

use std::io::Write;

use clap::Args;

use super::CliError;
use crate::demo::{self, Evening};

/// Which evening.
#[derive(Debug, Args)]
pub struct Arguments {
    /// `pairs`: nine tables of a Mitchell; `swiss`: eighteen pairs over three rounds, each drawn
    /// when the one before it is in.
    #[arg(long, default_value = "pairs", value_parser = evening)]
    evening: Evening,
}

fn evening(name: &str) -> Result<Evening, String> {
    match name {
        "pairs" => Ok(Evening::Mitchell),
        "swiss" => Ok(Evening::Swiss),
        _ => Err("expected pairs or swiss".to_owned()),
    }
}

/// Plays it.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    Ok(demo::run(arguments.evening, out)?)
}
