//! `byestand serve`: the base station itself, with real pads.

use std::io::{IsTerminal, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use protocol::frame::NetworkId;
use protocol::modem::RadioChannel;
use telling::Told;

use super::CliError;
use crate::daemon::{self, Cables, Door, Wanted};
use crate::reports::{self, Words};
use crate::serve::{self, Beside, Options, ServeError, default_data_folder};
use crate::store::StoreError;

/// Run a session with real pads: the base station itself.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command line"
)]
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The folder for results and the club's key [default: the usual folder for programs' data].
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// The receiver's serial port, such as /dev/ttyUSB0 or COM3, or `tcp://HOST:PORT` for one that
    /// another machine passes on as it is (ser2net and its like); may be given several times. `auto`
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
    /// The country, in two letters: the base station is on the air no more than its law allows.
    #[arg(long, value_name = "XX")]
    country: Option<daemon::Law>,
    /// The channel that the receiver's modem is set to, whenever it is plugged in; may be given
    /// several times, for several receivers. Needs --country.
    #[arg(long, value_name = "NUMBER", requires = "country")]
    channel: Vec<RadioChannel>,
    /// Which line of the receiver's adapter its modem's SET pin is connected to; with `hand` the
    /// page says when a wire to ground is wanted [default: whichever line the modem answers to].
    #[arg(long, value_enum)]
    set_pin: Option<daemon::SetPin>,
    /// Where the director's page is served. Anything but this machine needs a password first, and
    /// --tls or --plain-http [default: 127.0.0.1:7373, until you let phones in on the page].
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<String>,
    /// The port of the director's page, where another program has the usual one.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 7373,
        conflicts_with = "listen"
    )]
    port: u16,
    /// The file with the club's key, which all pads share [default: club.key in the data folder].
    #[arg(long, value_name = "FILE")]
    club_key_file: Option<PathBuf>,
    /// Go on with what can be saved of a damaged journal, without asking on the page; the damaged
    /// files are kept.
    #[arg(long)]
    rescue: bool,
    /// Encrypt the page (https) with the club's own certificate, which is made at first use. Its
    /// fingerprint is printed and stands on the page.
    #[arg(long)]
    tls: bool,
    /// Serve the page to other machines unencrypted: whoever is in the same network can read along,
    /// passwords included. On this machine alone that is the default.
    #[arg(long, conflicts_with = "tls")]
    plain_http: bool,
    /// Let scoring programs in that work with a Bridgemate Data Connector [default address:
    /// 127.0.0.1:5079, for programs on this machine]. Other machines need the director's password
    /// as their licence key.
    #[arg(long, value_name = "ADDRESS:PORT", num_args = 0..=1, default_missing_value = "127.0.0.1:5079")]
    data_connector: Option<String>,
    /// The serial port at which pads are plugged in to be given the club's key, such as
    /// /dev/ttyACM0 or COM4; may be given several times, `none` looks at no port [default: every
    /// port that looks like a pad's].
    #[arg(long, value_name = "PORT")]
    pad_port: Vec<String>,
    /// Open the director's page in the browser, as a double click does. If the base station runs
    /// already, only the page is opened.
    #[arg(long)]
    open: bool,
    /// Go on with another club key than before: the one in the file, or a new one where there is
    /// none. Every pad must then be given it by cable.
    #[arg(long)]
    new_club_key: bool,
    /// Play from the BWS file that a scoring program made: its sections, movement, names, cards and
    /// settings are taken, and results go into the same file, where the program finds them.
    #[arg(long, value_name = "FILE")]
    bws: Option<PathBuf>,

    /// Take the place of the club's first laptop: bring everything back from the sealed copy that this
    /// centre keeps, such as <https://centre.example>. The folder has no journal yet, and the club's
    /// key, which alone opens the copy. Where rooms of a congress share a key, the room's name stands
    /// behind the address: `https://centre.example#Blue room`.
    #[arg(long, value_name = "CENTRE")]
    restore_from: Option<String>,
    /// Begin an empty journal where the club's key is and no journal.
    #[arg(long)]
    new_journal: bool,
}

/// Baud rates that radio modems of this class have.
const BAUD_RATES: std::ops::RangeInclusive<u32> = 1_200..=921_600;

/// Serves until it is told to stop.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    let options = options(arguments)?;
    let wanted = tracing_subscriber::EnvFilter::try_from_env("BYESTAND_LOG");
    daemon::begin_log(
        &options.data,
        wanted.unwrap_or_else(|_| "warn".into()),
        std::io::stderr().is_terminal(),
    );
    if arguments.open {
        return serve_and_open(&options, out);
    }
    Ok(serve::serve(&options, out)?)
}

/// What a double click does. Whoever clicked sees the browser, or else why there is nothing to see.
fn serve_and_open(options: &Options, out: &mut impl Write) -> Result<(), CliError> {
    let beside = Beside {
        when_ready: Box::new(|_, page| {
            let _ = open::that_detached(page);
        }),
        when_asking: Box::new(|page| {
            let _ = open::that_detached(page);
        }),
        ..Beside::nothing()
    };
    match serve::serve_beside(options, beside, out) {
        Err(ServeError::Store(StoreError::InUse(_))) => {
            let door = (!options.listen_is_named).then(|| Door::of(&options.data));
            let encrypted = options.tls || door == Some(Door::Encrypted);
            let scheme = if encrypted { "https" } else { "http" };
            let _ = open::that_detached(format!("{scheme}://{}/", options.listen));
            writeln!(out, "The base station runs already; its page is open.")?;
            Ok(())
        }
        Err(fault) => {
            if !std::io::stderr().is_terminal() {
                let _ = show(&fault);
            }
            let fault = CliError::from(fault);
            // The window of a double click closes with the program, and the sentence with it.
            if cfg!(windows) && std::io::stdin().is_terminal() {
                writeln!(out, "{fault}\n\nPress Enter to close this window.")?;
                let _ = std::io::stdin().read_line(&mut String::new());
            }
            Err(fault)
        }
        Ok(()) => Ok(()),
    }
}

/// A sentence as a page of its own, for somebody who clicked and has no terminal to read it in.
fn show(fault: &ServeError) -> std::io::Result<()> {
    let language = std::env::var("LANG").unwrap_or_default().replace('_', "-");
    let language = language.split('.').next().unwrap_or_default();
    let words = Words::of(telling::understood(language));
    let sentence = match fault {
        ServeError::Store(fault) => fault.told(),
        ServeError::Restore(told) => told.clone(),
        other => Told::as_written(other.to_string()),
    };
    let sentence = reports::apology(words, &sentence);
    let page = tempfile::Builder::new()
        .prefix("byestand-")
        .suffix(".html")
        .tempfile()?;
    page.as_file().write_all(sentence.as_bytes())?;
    // The browser reads it when we are gone.
    let (_, place) = page.keep().map_err(|fault| fault.error)?;
    open::that_detached(place)
}

fn options(arguments: &Arguments) -> Result<Options, CliError> {
    let data = arguments.data.clone().or_else(default_data_folder);
    let data = data.ok_or_else(|| {
        CliError::input("this account has no folder for programs' data: name one with --data")
    })?;
    let listen = match &arguments.listen {
        None => SocketAddr::from((Ipv4Addr::LOCALHOST, arguments.port)),
        Some(named) => named.parse().map_err(|_| {
            let expected = "expected an address and a port such as 127.0.0.1:7373";
            CliError::argument("--listen", named, expected)
        })?,
    };
    let data_connector = arguments.data_connector.as_deref().map(|given| {
        given.parse::<SocketAddr>().map_err(|_| {
            let expected = "expected an address and a port such as 127.0.0.1:5079";
            CliError::argument("--data-connector", given, expected)
        })
    });
    if !BAUD_RATES.contains(&arguments.baud) {
        let expected = "expected a baud rate such as 9600, 19200 or 57600";
        return Err(CliError::argument("--baud", arguments.baud, expected));
    }
    if !listen.ip().is_loopback() && !arguments.tls && !arguments.plain_http {
        let expected = "expected --tls beside it, so that nobody in the same network can read \
                        along; --plain-http if that may be";
        return Err(CliError::argument("--listen", listen, expected));
    }
    Ok(Options {
        data,
        radios: radios(&arguments.radio)?,
        baud: arguments.baud,
        network: NetworkId::new(arguments.network),
        listen,
        listen_is_named: arguments.listen.is_some(),
        club_key_file: arguments.club_key_file.clone(),
        rescue: arguments.rescue,
        tls: arguments.tls,
        new_club_key: arguments.new_club_key,
        bws: arguments.bws.as_ref().map(|file| absolute(file)),
        restore_from: arguments.restore_from.clone(),
        new_journal: arguments.new_journal,
        data_connector: data_connector.transpose()?,
        cables: cables(&arguments.pad_port),
        modems: modems(arguments)?,
        set_pin: arguments.set_pin,
        law: arguments.country,
    })
}

/// What the receivers' modems should have.
fn modems(arguments: &Arguments) -> Result<Vec<daemon::ModemWish>, CliError> {
    let Some(law) = &arguments.country else {
        return Ok(Vec::new());
    };
    // A base station that may send nothing would hear every pad and answer none.
    if law.channels().is_empty() && !arguments.radio.iter().eq(["none"]) {
        let sentence = format!(
            "no channel of this radio is free in {} ({}): say --radio none beside it and play with \
             phones, or leave --country out where you hold a licence",
            law.name, law.source
        );
        let code = law.code();
        return Err(CliError::argument("--country", code, sentence));
    }
    let wish = |channel: &RadioChannel| {
        law.wish(*channel, arguments.baud, arguments.set_pin)
            .ok_or_else(|| {
                let sentence = format!("not free in {} ({})", law.name, law.source);
                CliError::argument("--channel", channel, sentence)
            })
    };
    arguments.channel.iter().map(wish).collect()
}

/// The same file wherever the base station is started from.
fn absolute(file: &std::path::Path) -> PathBuf {
    std::path::absolute(file).unwrap_or_else(|_| file.to_owned())
}

fn cables(named: &[String]) -> Cables {
    match named {
        [] => Cables::Auto,
        named => Cables::Named(named.iter().filter(|it| *it != "none").cloned().collect()),
    }
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

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn options_of(words: &[&str]) -> Result<Options, CliError> {
        let words = ["serve"].iter().chain(words);
        let line = Line::try_parse_from(words).expect("arguments");
        options(&line.arguments)
    }

    #[test]
    fn a_country_that_allows_no_channel_is_refused_with_an_answer_instead_of_answering_no_pad() {
        let refused = options_of(&["--country", "us"]).map(|_| ());
        let said = refused.expect_err("it could answer no pad").to_string();
        assert!(said.contains("the United States"), "{said}");
        assert!(said.contains("--radio none"), "{said}");
        assert!(options_of(&["--country", "US", "--radio", "none"]).is_ok());
        let germany = options_of(&["--country", "de", "--channel", "2"]).expect("allowed");
        assert_eq!(germany.modems.len(), 1);
        let pin = germany.modems.first().and_then(|it| it.pin);
        assert_eq!(pin, None, "it is found out");
    }
}
