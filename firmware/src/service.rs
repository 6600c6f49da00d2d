//! The service port: a cable that mirrors the screen as text and takes lines of commands, for
//! training, for a projector, for setting a pad up, and for the factory's test.

use core::fmt::{self, Write};
use core::str::FromStr;

use protocol::frame::ClubKey;
use protocol::words::Refusal;

use crate::app::Radio;
use crate::{App, Body, Key, Screen};

/// The longest command: the club's key in hexadecimal, with network and channel.
pub const COMMAND_LEN_MAX: usize = 96;

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
                },
            },
            "screen" => Self::Information,
            "restart" => Self::Restart,
            "panic" => Self::Panic,
            "hang" => Self::Hang,
            _ => {
                return Err(Refusal(
                    "expected press, club, screen, restart, panic or hang",
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

/// Writes to which club and network the pad belongs: `club 897E network 0 channel 0`, by the check
/// value that the service information shows too, or `club none`. Comes when the key is in flash.
pub fn membership(app: &App, out: &mut impl Write) -> fmt::Result {
    let Some(keys) = app.keys() else {
        return writeln!(out, "club none");
    };
    let [high, low] = keys.check().0;
    let Radio { network, channel } = app.radio();
    writeln!(
        out,
        "club {high:02X}{low:02X} network {network} channel {channel}"
    )
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
        Body::Hands(record, _) => writeln!(out, "  the hands of board {}", record.board)?,
    }
    let [back, middle, onward] = &screen.hints;
    writeln!(out, "[{back}] [{middle}] [{onward}]")?;
    writeln!(out, "end")
}

#[cfg(test)]
#[expect(clippy::panic, reason = "tests may fail")]
mod tests;
