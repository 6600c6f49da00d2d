//! `byestand radio`: for whoever has modems on a desk. Sets one, measures two against each other.

mod measured;
mod set;
mod test;

use std::io::Write;
use std::time::Duration;

use serialport::SerialPort;

use super::CliError;

/// Set a radio modem, or measure what two of them do.
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
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    match &arguments.command {
        Command::Test(arguments) => test::run(arguments, out),
        Command::Set(arguments) => set::run(arguments, out),
    }
}

/// How long a read waits: shorter than what is measured.
const READ_TIMEOUT: Duration = Duration::from_millis(2);

fn open(name: &str, baud: u32) -> Result<Box<dyn SerialPort>, CliError> {
    serialport::new(name, baud)
        .timeout(READ_TIMEOUT)
        .open()
        .map_err(|fault| {
            CliError::argument(
                "port",
                name,
                format_args!("it can't be opened ({fault}): plug the modem in, or close the program that has it"),
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
