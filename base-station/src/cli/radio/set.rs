//! `byestand radio set`: SET low, AT, read back.

use std::io::{BufRead, Write};

use protocol::modem::{BAUDS, Found, ModemSettings, Outcome, RadioChannel, Trouble};

use super::open;
use crate::cli::CliError;
use crate::daemon::{Law, ModemWish, SetPin, set_modem};

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
    /// What the modem's SET pin is connected to.
    #[arg(long, value_enum, default_value_t = SetPin::Rts)]
    set_pin: SetPin,
}

pub(super) fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    if !BAUDS.contains(&arguments.baud) {
        let all: Vec<String> = BAUDS.iter().map(u32::to_string).collect();
        let sentence = format!("the modem knows {}", all.join(", "));
        return Err(CliError::argument("--baud", arguments.baud, sentence));
    }
    let law = &arguments.country;
    if !law.allows(arguments.channel) {
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
        return Err(CliError::argument("--channel", arguments.channel, sentence));
    }
    let wanted = ModemSettings {
        channel: arguments.channel,
        baud: arguments.baud,
        mode: 3,
        power: law.power(),
    };
    let mut port = open(&arguments.port, wanted.baud)?;
    if arguments.set_pin == SetPin::Hand {
        ask(
            out,
            "Connect the modem's SET pin to ground, then press Enter.",
        )?;
    }
    let wish = ModemWish {
        settings: wanted,
        pin: arguments.set_pin,
    };
    let outcome = set_modem(port.as_mut(), wish)?;
    if arguments.set_pin == SetPin::Hand {
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
        Outcome::Not(Trouble::Silent) => {
            return Err(CliError::Fault(format!(
                "the modem on {} answers at no baud rate: check its power, its wires, and that SET is low (--set-pin)",
                arguments.port
            )));
        }
        Outcome::Not(Trouble::Differs(found)) => {
            return Err(CliError::Fault(format!(
                "the modem on {} was told, and says it has {}: try again, or use another modem",
                arguments.port,
                said(&found)
            )));
        }
    }
    Ok(())
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
