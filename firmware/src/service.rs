//! The service port: a cable that mirrors the screen as text and takes lines of commands, for
//! training, for a projector, for setting a pad up, and for the factory's test.

use core::fmt::{self, Write};
use core::str::FromStr;

use protocol::frame::ClubKey;
use protocol::message::{FirmwareVersion, Language, WIRE_VERSION};
use protocol::modem::{self, Power, rate_of};
use protocol::words::{PadId, Refusal};

use crate::app::{Badge, Radio, Test};
use crate::conductor::Tuned;
use crate::update::Step;
use crate::{App, Body, Key, Screen};

/// The longest command: a piece of a program in base64, and where it belongs.
pub const COMMAND_LEN_MAX: usize = 200;

/// What can be typed, one a line.
#[derive(Clone, PartialEq, Eq)]
pub enum Command {
    /// `press ACCEPT`, by what is printed on the key; the arrows are UP, DOWN, LEFT, RIGHT.
    Press(Key),
    /// `club KEY NETWORK CHANNEL`: makes this a pad of the club.
    Provision {
        /// The club's key; the pad keeps only its own part.
        club: ClubKey,
        /// Where its base is.
        radio: Radio,
    },
    /// `modem 19200 4`: the baud rate of the modem, and how strongly it may send, 1 to 8; with 0 the
    /// pad leaves its modem as it is.
    Modem {
        /// The rate's place among those of the modem.
        rate: u8,
        /// The power.
        power: u8,
    },
    /// `number 12`: what stands on the pad's sticker; 0 for none.
    Number(Badge),
    /// `language de`: until the base says another.
    Speak(Language),
    /// `test black`, `test keys`: one part of the factory's test, or `test end`.
    Test(Test),
    /// `update begin`, `piece` and `end`: a new program, see [`crate::update`].
    Update(Step),
    /// `about`: says again who it is, and how.
    About,
    /// `screen`: shows the screen again.
    Information,
    /// `restart`
    Restart,
    /// `panic`: the factory's proof that a pad recovers from a fault in its program.
    Panic,
    /// `hang`: the factory's proof that the watchdog works.
    Hang,
}

impl FromStr for Command {
    type Err = Refusal;

    fn from_str(line: &str) -> Result<Self, Refusal> {
        let mut words = line.split_ascii_whitespace();
        let command = match words.next().unwrap_or_default() {
            "press" => Self::Press(key(words.next().unwrap_or_default())?),
            "club" => Self::Provision {
                club: words.next().unwrap_or_default().parse()?,
                radio: Radio {
                    network: number(words.next())?,
                    channel: number(words.next())?,
                    ..Radio::FACTORY
                },
            },
            "modem" => Self::Modem {
                rate: rate(words.next().unwrap_or_default())?,
                power: number(words.next())?.min(Power::FULL.get()),
            },
            "number" => Self::Number(Badge(number(words.next())?)),
            "language" => Self::Speak(language(words.next().unwrap_or_default())?),
            "test" => Self::Test(test(words.next().unwrap_or_default())?),
            "update" => Self::Update(Step::read(&mut words)?),
            "about" => Self::About,
            "screen" => Self::Information,
            "restart" => Self::Restart,
            "panic" => Self::Panic,
            "hang" => Self::Hang,
            _ => {
                return Err(Refusal(
                    "expected press, club, modem, number, language, test, update, about, screen, restart, panic or hang",
                ));
            }
        };
        match words.next() {
            None => Ok(command),
            Some(_) => Err(Refusal("expected nothing more on this line")),
        }
    }
}

fn key(name: &str) -> Result<Key, Refusal> {
    let arrow = match name {
        "UP" => Some(Key::Up),
        "DOWN" => Some(Key::Down),
        "LEFT" => Some(Key::Left),
        "RIGHT" => Some(Key::Right),
        _ => None,
    };
    arrow
        .or_else(|| Key::ALL.into_iter().find(|key| key.legend() == name))
        .ok_or(Refusal(
            "expected what is printed on a key, such as 4 or ACCEPT",
        ))
}

fn number(word: Option<&str>) -> Result<u8, Refusal> {
    word.map_or(Ok(0), str::parse)
        .map_err(|_| Refusal("expected a number from 0 to 255"))
}

fn rate(word: &str) -> Result<u8, Refusal> {
    match rate_of(modem::number(word.as_bytes()).unsigned_abs()) {
        0 => Err(Refusal("expected a baud rate such as 19200")),
        rate => Ok(rate),
    }
}

fn language(code: &str) -> Result<Language, Refusal> {
    Language::of_code(code).ok_or(Refusal("expected a language such as en or de"))
}

fn test(name: &str) -> Result<Test, Refusal> {
    Ok(match name {
        "keys" => Test::Keys,
        "black" => Test::Black,
        "white" => Test::White,
        "chequers" => Test::Chequers,
        "sound" => Test::Sound,
        "radio" => Test::Radio,
        "end" => Test::End,
        _ => {
            return Err(Refusal(
                "expected test keys, black, white, chequers, sound, radio or end",
            ));
        }
    })
}

/// Writes who the pad is: its name for life, what it runs and what it speaks.
pub fn introduce(pad: PadId, firmware: FirmwareVersion, out: &mut impl Write) -> fmt::Result {
    let FirmwareVersion(major, minor, patch) = firmware;
    writeln!(
        out,
        "Byestand pad {pad} firmware {major}.{minor}.{patch} wire {WIRE_VERSION}"
    )
}

/// Writes how the pad is: `number 12 language en battery 2980 unsent 0 radio quiet`. The radio has
/// `answered` when the base did since the test of it began.
pub fn condition(app: &App, out: &mut impl Write) -> fmt::Result {
    let code = app.settings().language.code();
    let radio = if app.was_answered() {
        "answered"
    } else {
        "quiet"
    };
    writeln!(
        out,
        "number {} language {code} battery {} unsent {} radio {radio}",
        app.badge().0,
        app.battery().millivolts(),
        app.sheet().unsent(),
    )
}

/// Writes to which club and network the pad belongs: `club 897E network 0 channel 0`, by the check
/// value that the service information shows too, or `club none`. Comes when the key is in flash.
pub fn membership(app: &App, out: &mut impl Write) -> fmt::Result {
    let Some(keys) = app.keys() else {
        return writeln!(out, "club none");
    };
    let [high, low] = keys.check().0;
    let Radio {
        network, channel, ..
    } = app.radio();
    writeln!(
        out,
        "club {high:02X}{low:02X} network {network} channel {channel}"
    )
}

/// Writes how the modem is: `modem 19200 4 set`. With power 0 the pad has `left` it as it is; else it
/// is `set`, `silent` (its SET pin is not connected), or `differs` from what it was told.
pub fn tell_modem(radio: Radio, tuned: Tuned, out: &mut impl Write) -> fmt::Result {
    let state = match tuned {
        Tuned::Left => "left",
        Tuned::Set => "set",
        Tuned::Silent => "silent",
        Tuned::Differs => "differs",
    };
    writeln!(out, "modem {} {} {state}", radio.baud(), radio.power)
}

/// Writes a screen as text: its name, the status line, title, rows and hints, and a line `end`.
pub fn mirror(screen: &Screen, out: &mut impl Write) -> fmt::Result {
    writeln!(out, "screen {:?}", screen.id)?;
    writeln!(out, "{} {}", screen.status.place, screen.status.alert)?;
    writeln!(out, "{}", screen.title)?;
    match &screen.body {
        Body::Rows(rows) => rows
            .iter()
            .try_for_each(|row| writeln!(out, "  {}", row.text))?,
        Body::Picture(picture) => writeln!(out, "  picture {picture:?}")?,
        Body::Hands(record, _) => writeln!(out, "  the hands of board {}", record.board)?,
    }
    let [back, middle, onward] = &screen.hints;
    writeln!(out, "[{back}] [{middle}] [{onward}]")?;
    writeln!(out, "end")
}

#[cfg(test)]
#[expect(clippy::panic, reason = "tests may fail")]
mod tests;
