//! `byestand radio set`: SET low, AT, read back.

use std::io::{BufRead, Write};

use protocol::modem::{Found, Outcome, RadioChannel, Trouble};

use super::{open, wish};
use crate::cli::CliError;
use crate::daemon::{Law, SetPin, set_modem};

/// Set a modem's channel, baud rate and power, and read them back.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The serial port that the modem is on.
    port: String,
    /// The channel, 1 to 100.
    #[arg(long)]
    channel: RadioChannel,
    /// The baud rate that it should have.
    #[arg(long, default_value_t = 19_200)]
    baud: u32,
    /// The country, in two letters: its law says which channels and how much power.
    #[arg(long, value_name = "XX")]
    country: Law,
    /// What the modem's SET pin is connected to [default: whichever of the adapter's two lines it
    /// answers to].
    #[arg(long, value_enum)]
    set_pin: Option<SetPin>,
}

pub(super) fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    let wish = wish(
        arguments.country,
        arguments.channel,
        arguments.baud,
        arguments.set_pin,
    )?;
    let wanted = wish.settings;
    let mut port = open(&arguments.port, wanted.baud)?;
    let by_hand = arguments.set_pin == Some(SetPin::Hand);
    if by_hand {
        ask(
            out,
            "Connect the modem's SET pin to ground, then press Enter.",
        )?;
    }
    let (outcome, pin) = set_modem(port.as_mut(), wish)?;
    if by_hand {
        ask(out, "Take the wire off SET again, then press Enter.")?;
    }
    match outcome {
        Outcome::Set { was } if was.is(&wanted) => {
            writeln!(out, "The modem was right already: {}.", said(&was))?;
        }
        Outcome::Set { was } => {
            writeln!(out, "The modem had {}.", said(&was))?;
            writeln!(out, "It has now, and says so: {}.", said(&wanted.into()))?;
        }
        Outcome::Not(Trouble::Silent) => return Err(silent(&arguments.port, arguments.set_pin)),
        Outcome::Not(Trouble::Differs(found)) => {
            return Err(CliError::Fault(format!(
                "the modem on {} was told, and says it has {}: try again, or use another modem",
                arguments.port,
                said(&found)
            )));
        }
    }
    if arguments.set_pin.is_none() {
        writeln!(out, "Its SET pin is on {}.", named(pin))?;
    }
    Ok(())
}

/// Why a modem says nothing, by what was tried.
pub(super) fn silent(port: &str, pin: Option<SetPin>) -> CliError {
    let tried = match pin {
        None => "its SET pin is on neither RTS nor DTR, or it has no power: check its wires, or connect SET with ground and say --set-pin hand".to_owned(),
        Some(SetPin::Hand) => "check its power, its wires, and that SET is on ground".to_owned(),
        Some(pin) => format!(
            "check its power, its wires, and that SET is on {} (without --set-pin both lines are tried)",
            named(pin)
        ),
    };
    CliError::Fault(format!(
        "the modem on {port} answers at no baud rate: {tried}"
    ))
}

fn named(pin: SetPin) -> &'static str {
    match pin {
        SetPin::Rts => "RTS",
        SetPin::Dtr => "DTR",
        SetPin::Hand => "a wire to ground",
    }
}

fn ask(out: &mut impl Write, sentence: &str) -> Result<(), CliError> {
    writeln!(out, "{sentence}")?;
    out.flush()?;
    std::io::stdin().lock().read_line(&mut String::new())?;
    Ok(())
}

fn said(found: &Found) -> String {
    let channel = found
        .channel
        .map_or("no channel that it says".to_owned(), |channel| {
            let khz = channel.khz();
            format!(
                "channel {channel} ({}.{} MHz)",
                khz / 1_000,
                khz % 1_000 / 100
            )
        });
    let baud = found
        .baud
        .map_or("no baud rate that it says".to_owned(), |baud| {
            format!("{baud} baud")
        });
    let mode = found
        .mode
        .map_or("no mode that it says".to_owned(), |mode| {
            format!("FU{mode}")
        });
    let power = found
        .power
        .map_or("no power that it says".to_owned(), |power| {
            format!("{} dBm", power.dbm())
        });
    format!("{channel}, {baud}, {mode}, {power}")
}
