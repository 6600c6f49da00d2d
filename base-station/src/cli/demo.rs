//! `byestand demo`: the demonstration, and which evening it is.

use std::io::Write;

use clap::Args;

use super::CliError;
use crate::demo::{self, Evening, Host, Visitors};

/// Which evening.
#[derive(Debug, Default, Args)]
pub struct Arguments {
    /// `pairs`: nine tables of a Mitchell; `swiss`: eighteen pairs over three rounds, each drawn
    /// when the one before it is in.
    #[arg(long, default_value = "pairs", value_parser = evening)]
    evening: Evening,
    /// Let phones in the same network sit down at a table: the page is served to other machines,
    /// unencrypted, and the director's part of it asks for a password that is drawn at the start.
    #[arg(long)]
    phones: bool,
    /// Open the page in the browser, as a click in the menu does; without this only from a terminal.
    #[arg(long)]
    open: bool,
    /// Ends when its input does: a practice evening ends with the base station that began it.
    #[arg(long, hide = true, conflicts_with = "open")]
    with_its_parent: bool,
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
    let visitors = if arguments.phones {
        Visitors::WithPhones
    } else {
        Visitors::Here
    };
    let host = if arguments.with_its_parent {
        Host::BaseStation
    } else if arguments.open {
        Host::Menu
    } else {
        Host::CommandLine
    };
    Ok(demo::run(arguments.evening, visitors, host, out)?)
}
