//! Who plays, from evening to evening.

use std::fmt;
use std::str::FromStr;

use protocol::words::PlayerNumber;
use serde::{Deserialize, Serialize};

/// A player: by the number of the club's list, or by name where there is no number.
///
/// Written as people write it: `4711`, or `Anna Example`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum PlayerKey {
    /// Of the club's list.
    Number(PlayerNumber),
    /// Of nobody's list.
    Name(String),
}

/// Neither a number nor a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a player's number or name")]
pub struct NoPlayer;

impl fmt::Display for PlayerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Name(name) => f.write_str(name),
        }
    }
}

impl FromStr for PlayerKey {
    type Err = NoPlayer;

    fn from_str(text: &str) -> Result<Self, NoPlayer> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let text = words.join(" ");
        if text.is_empty() {
            return Err(NoPlayer);
        }
        if text.bytes().all(|byte| byte.is_ascii_digit()) {
            let number = text.parse::<PlayerNumber>().map_err(|_| NoPlayer)?;
            // The visitors' number is nobody's own.
            return if number == PlayerNumber::VISITOR {
                Err(NoPlayer)
            } else {
                Ok(Self::Number(number))
            };
        }
        Ok(Self::Name(text))
    }
}

impl TryFrom<String> for PlayerKey {
    type Error = NoPlayer;

    fn try_from(text: String) -> Result<Self, NoPlayer> {
        text.parse()
    }
}

impl From<PlayerKey> for String {
    fn from(player: PlayerKey) -> Self {
        player.to_string()
    }
}
