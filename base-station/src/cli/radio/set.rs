//! `byestand radio set`: SET low, AT, read back.

use std::io::{BufRead, Write};
use std::time::{Duration, Instant as Clock};

use protocol::modem::{
    Action, BAUDS, Found, ModemSettings, Outcome, RadioChannel, Setting, Trouble,
};
use protocol::time::Instant;
use serialport::SerialPort;

use super::{open, read_some};
use crate::cli::CliError;
use crate::daemon::Law;

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
    #[arg(long, value_enum, default_value_t = Line::Rts)]
    set_pin: Line,
}

/// What pulls SET low.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Line {
    /// The adapter's RTS output.
    Rts,
    /// The adapter's DTR output.
    Dtr,
    /// You: a wire from SET to ground.
    Hand,
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
    if arguments.set_pin == Line::Hand {
        ask(
            out,
            "Connect the modem's SET pin to ground, then press Enter.",
        )?;
    }
    let outcome = set(port.as_mut(), wanted, arguments.set_pin)?;
    if arguments.set_pin == Line::Hand {
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

/// Carries the dialogue on.
fn set(port: &mut dyn SerialPort, wanted: ModemSettings, line: Line) -> Result<Outcome, CliError> {
    let started = Clock::now();
    let now = || Instant::from_millis(u64::try_from(started.elapsed().as_millis()).unwrap_or(0));
    let mut setting = Setting::new(wanted, wanted.baud, now());
    loop {
        while let Some(action) = setting.poll(now()) {
            match (action, line) {
                // An adapter's output is low when the line is active.
                (Action::SetLow(low), Line::Rts) => port.write_request_to_send(low),
                (Action::SetLow(low), Line::Dtr) => port.write_data_terminal_ready(low),
                (Action::SetLow(_), Line::Hand) => Ok(()),
                (Action::Baud(baud), _) => port.set_baud_rate(baud),
                (Action::Write(text), _) => {
                    port.write_all(text.as_bytes())?;
                    Ok(())
                }
            }
            .map_err(|fault| {
                CliError::Fault(format!(
                    "the adapter can't do that ({fault}): try --set-pin hand"
                ))
            })?;
        }
        if let Some(outcome) = setting.outcome() {
            return Ok(outcome);
        }
        let bytes = read_some(port)?;
        if bytes.is_empty() {
            std::thread::sleep(Duration::from_millis(1));
        }
        setting.handle_receive(&bytes, now());
    }
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
