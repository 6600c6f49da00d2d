//! `byestand radio`: for whoever has modems on a desk. Sets one, listens with it, measures two
//! against each other.

mod measured;
mod scan;
mod set;
mod test;

use std::io::Write;
use std::time::Duration;

use protocol::modem::{BAUDS, RadioChannel};
use serialport::SerialPort;

use super::CliError;
use crate::daemon::{Law, ModemWish, SetPin, open_modem};

/// Set a radio modem, listen to channels with it, or measure what two of them do.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// What can be done.
#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Measure delay, spread, loss and pauses between two modems on this machine's serial ports.
    Test(test::Arguments),
    /// Set a modem's channel, baud rate and power, and read them back.
    Set(set::Arguments),
    /// Listen on each channel that the country allows, and say which is quiet.
    Scan(scan::Arguments),
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    match &arguments.command {
        Command::Test(arguments) => test::run(arguments, out),
        Command::Set(arguments) => set::run(arguments, out),
        Command::Scan(arguments) => scan::run(arguments, out),
    }
}

/// What a modem should have on a channel, where the country allows it.
fn wish(
    law: Law,
    channel: RadioChannel,
    baud: u32,
    pin: Option<SetPin>,
) -> Result<ModemWish, CliError> {
    if !BAUDS.contains(&baud) {
        let all: Vec<String> = BAUDS.iter().map(u32::to_string).collect();
        let sentence = format!("the modem knows {}", all.join(", "));
        return Err(CliError::argument("--baud", baud, sentence));
    }
    law.wish(channel, baud, pin).ok_or_else(|| {
        let channels: Vec<String> = law.channels().iter().map(ToString::to_string).collect();
        let sentence = match &channels[..] {
            [] => format!(
                "no channel of this modem is free in {} ({})",
                law.name, law.source
            ),
            _ => format!(
                "in {} only {} are free ({})",
                law.name,
                channels.join(", "),
                law.source
            ),
        };
        CliError::argument("--channel", channel, sentence)
    })
}

/// How long a read waits: shorter than what is measured.
const READ_TIMEOUT: Duration = Duration::from_millis(2);

fn open(name: &str, baud: u32) -> Result<Box<dyn SerialPort>, CliError> {
    open_modem(name, baud, READ_TIMEOUT).map_err(|fault| {
        CliError::argument(
            "port",
            name,
            format_args!(
                "it can't be opened ({fault}): plug the modem in, or close the program that has it"
            ),
        )
    })
}

/// What came in, if anything did.
fn read_some(port: &mut dyn SerialPort) -> Result<Vec<u8>, CliError> {
    let mut buffer = [0; 256];
    match port.read(&mut buffer) {
        Ok(length) => Ok(buffer.get(..length).unwrap_or_default().to_vec()),
        Err(fault)
            if matches!(
                fault.kind(),
                std::io::ErrorKind::TimedOut | std::io::ErrorKind::Interrupted
            ) =>
        {
            Ok(Vec::new())
        }
        Err(fault) => Err(CliError::Io(fault)),
    }
}
