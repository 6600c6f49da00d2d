//! `byestand radio scan`: how crowded each channel is, by what a modem hands out there.

use std::io::Write;
use std::time::Duration;

use protocol::modem::{Outcome, RadioChannel};

use super::set::silent;
use super::{open, wish};
use crate::cli::CliError;
use crate::daemon::{ChannelHeard, Law, ModemState, SetPin, scan, set_modem};

/// Listen on each channel that the country allows, and say which is quiet.
///
/// The modem measures no signal: what counts is what others of its kind say at the same air rate.
/// A microwave link or a weather station is not heard.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The serial port that the modem is on.
    port: String,
    /// The country, in two letters: its law says which channels there are.
    #[arg(long, value_name = "XX")]
    country: Law,
    /// The channel that the modem is left on [default: the one it has].
    #[arg(long)]
    channel: Option<RadioChannel>,
    /// The baud rate of the modems that are listened for.
    #[arg(long, default_value_t = 19_200)]
    baud: u32,
    /// How many seconds each channel is listened to.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=3_600))]
    seconds: u16,
    /// Which line of the adapter the modem's SET pin is connected to [default: whichever it answers
    /// to].
    #[arg(long, value_enum)]
    set_pin: Option<SetPin>,
}

pub(super) fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    if arguments.set_pin == Some(SetPin::Hand) {
        let sentence = "expected rts or dtr: the modem goes to every channel by itself";
        return Err(CliError::argument("--set-pin", "hand", sentence));
    }
    let law = arguments.country;
    let channels = law.channels();
    let home = arguments.channel.or(channels.first().copied());
    let home = wish(
        law,
        home.unwrap_or(RadioChannel::FIRST),
        arguments.baud,
        arguments.set_pin,
    )?;
    let mut port = open(&arguments.port, arguments.baud)?;
    let (outcome, pin) = set_modem(port.as_mut(), home)?;
    let Outcome::Set { was } = outcome else {
        return Err(silent(&arguments.port, arguments.set_pin));
    };
    let own = arguments.channel.or(was.channel);
    let own = own.filter(|channel| law.allows(*channel));
    let mut home = home;
    home.pin = Some(pin);
    home.settings.channel = own.unwrap_or(home.settings.channel);
    let listen = Duration::from_secs(arguments.seconds.into());
    let (heard, known) = scan(port.as_mut(), home, &channels, listen)?;
    for line in table(&heard, arguments.baud) {
        writeln!(out, "{line}")?;
    }
    if known.state == ModemState::Set {
        writeln!(out, "The modem is on channel {}.", home.settings.channel)?;
        return Ok(());
    }
    Err(CliError::Fault(format!(
        "the modem on {} did not go to channel {}: say byestand radio set",
        arguments.port, home.settings.channel
    )))
}

/// One line a channel, and which is the quietest.
fn table(heard: &[ChannelHeard], baud: u32) -> Vec<String> {
    let mut lines = vec!["channel     MHz  heard  bytes".to_owned()];
    for it in heard {
        let (khz, busy) = (it.channel.khz(), it.busy_permille(baud));
        lines.push(format!(
            "{:>7}  {}.{}  {:>3}.{}%  {:>5}",
            it.channel.get(),
            khz / 1_000,
            khz % 1_000 / 100,
            busy / 10,
            busy % 10,
            it.bytes
        ));
    }
    let least = heard.iter().min_by_key(|it| it.bytes);
    lines.extend(least.map(|it| format!("Quietest: channel {}.", it.channel)));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_channel_has_its_figure_and_the_quietest_is_named() {
        let heard = |number, bytes| ChannelHeard {
            channel: RadioChannel::new(number).expect("a channel"),
            bytes,
            listened: Duration::from_secs(20),
        };
        let said = table(&[heard(1, 9_600), heard(2, 0), heard(3, 52)], 19_200);
        assert_eq!(
            said,
            [
                "channel     MHz  heard  bytes",
                "      1  433.4   25.0%   9600",
                "      2  433.8    0.0%      0",
                "      3  434.2    0.1%     52",
                "Quietest: channel 2.",
            ]
        );
    }
}
