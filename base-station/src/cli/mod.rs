//! The command line: turns arguments into calls of the library, and answers into text or JSON.
//!
//! Every command is a module with an `Arguments` struct (read by clap) and a function
//! `run(arguments, out)` that writes its answer to `out`, so that tests call it without a process.

pub mod centre;
pub mod deals;
pub mod demo;
pub mod draw;
mod error;
pub mod export;
pub mod imp;
pub mod import;
pub mod knockout;
pub mod matches;
pub mod matchpoint;
pub mod movement;
mod number;
pub mod password;
pub mod radio;
mod running;
pub mod score;
pub mod serve;
mod table;
pub mod vp;
mod written;

use std::ffi::OsString;
use std::io::Write;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};

pub use error::CliError;

/// The program's version, and that of the wire format, which pads must share.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (wire version 2)");

const _: () = assert!(
    protocol::message::WIRE_VERSION == 2,
    "say the new wire version in VERSION"
);

/// Byestand: table scoring for duplicate bridge.
///
/// Without a command it plays a demonstration evening: a base station, a simulated radio and
/// virtual pads, with the director's page in your browser.
#[derive(Debug, Parser)]
#[command(name = "byestand", version = VERSION, disable_help_subcommand = true)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

/// What the director can ask for.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// What a contract is worth to North-South.
    Score(score::Arguments),
    /// International match points for one team's results at two tables.
    Imp(imp::Arguments),
    /// Scores a session from a file of results.
    Matchpoint(matchpoint::Arguments),
    /// Victory points for a match.
    Vp(vp::Arguments),
    /// Draws the next round from a file with the standing.
    Draw(draw::Arguments),
    /// Orders the teams of a knock-out by how their matches ended.
    Knockout(knockout::Arguments),
    /// IMPs and victory points of a teams match from a file with its results.
    Match(matches::Arguments),
    /// Play a demonstration evening, a Swiss if you like.
    Demo(demo::Arguments),
    /// Print, check or suggest a movement.
    Movement(movement::Arguments),
    /// Read a deal file of any format.
    Deals(deals::Arguments),
    /// Write a session as a file for another program.
    Export(export::Arguments),
    /// Take in a session of another program, to score it again.
    Import(import::Arguments),
    /// Run a session with real pads: the base station itself.
    Serve(Box<serve::Arguments>),
    /// Score many clubs or rooms as one field: the centre that their base stations join.
    Centre(centre::Arguments),
    /// Set or reset the director's password of the page.
    Password(password::Arguments),
    /// Set a radio modem, or measure what two of them do.
    Radio(radio::Arguments),
}

/// What a command line turned out to be.
#[derive(Debug)]
pub enum Invocation {
    /// Somebody asked for help or the version: print it, that is all.
    Help(String),
    /// A command to run.
    Run(Arguments),
}

/// Reads a command line (the program's name first).
pub fn parse<I>(arguments: I) -> Result<Invocation, CliError>
where
    I: IntoIterator,
    I::Item: Into<OsString> + Clone,
{
    match Arguments::try_parse_from(arguments) {
        Ok(arguments) => Ok(Invocation::Run(arguments)),
        Err(error) => match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
                Ok(Invocation::Help(error.to_string()))
            }
            _ => Err(CliError::from_clap(&error)),
        },
    }
}

/// Runs a command and writes its answer to `out`.
pub fn run(arguments: Arguments, out: &mut impl Write) -> Result<(), CliError> {
    match arguments.command {
        Some(Command::Score(arguments)) => score::run(&arguments, out),
        Some(Command::Imp(arguments)) => imp::run(&arguments, out),
        Some(Command::Vp(arguments)) => vp::run(&arguments, out),
        Some(Command::Draw(arguments)) => draw::run(&arguments, out),
        Some(Command::Knockout(arguments)) => knockout::run(&arguments, out),
        Some(Command::Match(arguments)) => matches::run(&arguments, out),
        Some(Command::Matchpoint(arguments)) => matchpoint::run(&arguments, out),
        Some(Command::Demo(arguments)) => demo::run(&arguments, out),
        Some(Command::Movement(arguments)) => movement::run(&arguments, out),
        Some(Command::Deals(arguments)) => deals::run(&arguments, out),
        Some(Command::Export(arguments)) => export::run(&arguments, out),
        Some(Command::Import(arguments)) => import::run(&arguments, out),
        Some(Command::Serve(arguments)) => serve::run(&arguments, out),
        Some(Command::Centre(arguments)) => centre::run(&arguments, out),
        Some(Command::Password(arguments)) => password::run(&arguments, out),
        Some(Command::Radio(arguments)) => radio::run(&arguments, out),
        None => demo::run(&demo::Arguments::default(), out),
    }
}

/// Writes an answer as one line of JSON.
pub(crate) fn write_json(
    out: &mut impl Write,
    answer: &impl serde::Serialize,
) -> Result<(), CliError> {
    serde_json::to_writer(&mut *out, answer).map_err(std::io::Error::from)?;
    writeln!(out)?;
    Ok(())
}
