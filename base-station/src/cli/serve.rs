//! `byestand serve`: the base station itself, with real pads.

use std::io::{IsTerminal, Write};
use std::net::SocketAddr;
use std::path::PathBuf;

use protocol::frame::NetworkId;

use super::CliError;
use crate::daemon::{self, Options, Wanted, default_data_folder};

/// Run a session with real pads: the base station itself.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The folder for results and the club's key [default: the usual folder for programs' data].
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// The receiver's serial port, such as /dev/ttyUSB0 or COM3; may be given several times. `auto`
    /// takes every USB serial adapter of the kinds that radio modems have, whenever it is plugged
    /// in, `none` takes no receiver [default: auto].
    #[arg(long, value_name = "PORT")]
    radio: Vec<String>,
    /// The baud rate of the receivers' radio modems.
    #[arg(long, value_name = "NUMBER", default_value_t = 19_200)]
    baud: u32,
    /// The network's number, the same on all pads; two events in one room use two.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    network: u8,
    /// Where the director's page is served. Anything but this machine needs a password first.
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7373")]
    listen: String,
    /// The file with the club's key, which all pads share [default: club.key in the data folder].
    #[arg(long, value_name = "FILE")]
    club_key_file: Option<PathBuf>,
    /// Go on with what can be saved of a damaged journal; the damaged file is kept.
    #[arg(long)]
    rescue: bool,
}

/// Baud rates that radio modems of this class have.
const BAUD_RATES: std::ops::RangeInclusive<u32> = 1_200..=921_600;

/// Serves until it is told to stop.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    let _ = tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        // A log that can't be written, on the same full disk perhaps, must not end the evening.
        .log_internal_errors(false)
        .with_env_filter(
            tracing_subscriber::EnvFilter::try_from_env("BYESTAND_LOG")
                .unwrap_or_else(|_| "warn".into()),
        )
        .try_init();
    Ok(daemon::serve(&options(arguments)?, out)?)
}

fn options(arguments: &Arguments) -> Result<Options, CliError> {
    let data = arguments.data.clone().or_else(default_data_folder);
    let data = data.ok_or_else(|| {
        CliError::input("this account has no folder for programs' data: name one with --data")
    })?;
    let listen: SocketAddr = arguments.listen.parse().map_err(|_| {
        let expected = "expected an address and a port such as 127.0.0.1:7373";
        CliError::argument("--listen", &arguments.listen, expected)
    })?;
    if !BAUD_RATES.contains(&arguments.baud) {
        let expected = "expected a baud rate such as 9600, 19200 or 57600";
        return Err(CliError::argument("--baud", arguments.baud, expected));
    }
    Ok(Options {
        data,
        radios: radios(&arguments.radio)?,
        baud: arguments.baud,
        network: NetworkId::new(arguments.network),
        listen,
        club_key_file: arguments.club_key_file.clone(),
        rescue: arguments.rescue,
    })
}

fn radios(named: &[String]) -> Result<Vec<Wanted>, CliError> {
    match named {
        [] => Ok(vec![Wanted::AutoIfThere]),
        [none] if none == "none" => Ok(Vec::new()),
        named if named.iter().any(|name| name == "none") => {
            let expected = "expected it alone: it means that there is no receiver";
            Err(CliError::argument("--radio", "none", expected))
        }
        named => Ok(named
            .iter()
            .map(|name| match name.as_str() {
                "auto" => Wanted::Auto,
                _ => Wanted::Named(name.clone()),
            })
            .collect()),
    }
}
