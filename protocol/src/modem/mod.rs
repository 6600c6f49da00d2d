//! Setting a radio modem: what is wanted of it, and the dialogue that sets it and reads it back.
//!
//! Sans-IO, for both ends: a pad drives the SET pin, the base a line of its adapter. See
//! [`Setting`].

mod setting;

pub use setting::{Action, Found, Outcome, Setting, Trouble, number};

use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::words::Refusal;

/// A radio channel of the modem: 1 to 100, from 433.4 MHz up in steps of 0.4 MHz.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[serde(try_from = "u8", into = "u8")]
pub struct RadioChannel(u8);

impl RadioChannel {
    /// As modems leave the factory.
    pub const FIRST: Self = Self(1);

    /// `None` for what is none.
    pub const fn new(number: u8) -> Option<Self> {
        if number >= 1 && number <= 100 {
            Some(Self(number))
        } else {
            None
        }
    }

    /// The plain number.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The middle of the channel in kHz.
    pub const fn khz(self) -> u32 {
        433_000 + 400 * self.0 as u32
    }
}

impl TryFrom<u8> for RadioChannel {
    type Error = Refusal;

    fn try_from(number: u8) -> Result<Self, Refusal> {
        Self::new(number).ok_or(Refusal("expected a channel from 1 to 100"))
    }
}

impl From<RadioChannel> for u8 {
    fn from(channel: RadioChannel) -> Self {
        channel.0
    }
}

impl FromStr for RadioChannel {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        let number: u8 = text.trim().parse().unwrap_or_default();
        Self::try_from(number)
    }
}

impl fmt::Display for RadioChannel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// How strongly the modem sends: 1 to 8, 3 dB a step, 8 is 20 dBm (100 mW).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[serde(try_from = "u8", into = "u8")]
pub struct Power(u8);

impl Power {
    /// 20 dBm.
    pub const FULL: Self = Self(8);

    /// `None` for what is none.
    pub const fn new(level: u8) -> Option<Self> {
        if level >= 1 && level <= 8 {
            Some(Self(level))
        } else {
            None
        }
    }

    /// The strongest that stays within so many dBm; the weakest if none does.
    pub fn within(dbm: i8) -> Self {
        let fits = |level: &u8| Self(*level).dbm() <= dbm;
        Self((1..=8).rev().find(fits).unwrap_or(1))
    }

    /// The one that a modem says in dBm.
    pub fn of_dbm(dbm: i32) -> Option<Self> {
        let level = u8::try_from((dbm + 4) / 3).ok().and_then(Self::new);
        level.filter(|level| i32::from(level.dbm()) == dbm)
    }

    /// The plain number.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// In dBm: -1 to 20.
    pub const fn dbm(self) -> i8 {
        self.0.cast_signed() * 3 - 4
    }
}

impl TryFrom<u8> for Power {
    type Error = Refusal;

    fn try_from(level: u8) -> Result<Self, Refusal> {
        Self::new(level).ok_or(Refusal("expected a power from 1 to 8"))
    }
}

impl From<Power> for u8 {
    fn from(power: Power) -> Self {
        power.0
    }
}

/// Baud rates that the modem knows.
pub const BAUDS: [u32; 8] = [1_200, 2_400, 4_800, 9_600, 19_200, 38_400, 57_600, 115_200];

/// The place of a baud rate among [`BAUDS`], from 1; 0 for what is none.
pub fn rate_of(baud: u32) -> u8 {
    let place = BAUDS.iter().position(|it| *it == baud);
    place.and_then(|it| u8::try_from(it + 1).ok()).unwrap_or(0)
}

/// The baud rate at such a place.
pub fn baud_of(rate: u8) -> Option<u32> {
    let place = usize::from(rate).checked_sub(1)?;
    BAUDS.get(place).copied()
}

/// What is set in a modem. It keeps it without power.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ModemSettings {
    /// The channel.
    pub channel: RadioChannel,
    /// Of the serial line; the rate on the air follows from it.
    pub baud: u32,
    /// FU1 to FU4; we use FU3, whose delay is the shortest at every rate.
    pub mode: u8,
    /// How strongly it sends.
    pub power: Power,
}

impl ModemSettings {
    /// As modems leave the factory.
    pub const FACTORY: Self = Self {
        channel: RadioChannel::FIRST,
        baud: 9_600,
        mode: 3,
        power: Power::FULL,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_and_powers_are_those_of_the_manual() {
        assert_eq!(RadioChannel::new(1).map(RadioChannel::khz), Some(433_400));
        assert_eq!(RadioChannel::new(100).map(RadioChannel::khz), Some(473_000));
        assert_eq!((RadioChannel::new(0), RadioChannel::new(101)), (None, None));
        assert_eq!((Power::FULL.dbm(), Power(1).dbm()), (20, -1));
        assert_eq!(Power::within(10).dbm(), 8, "10 mW is 10 dBm");
        assert_eq!(Power::within(-20), Power(1));
        assert_eq!(Power::of_dbm(-1), Some(Power(1)));
        assert_eq!(Power::of_dbm(9), None);
    }

    #[test]
    fn every_baud_rate_has_a_place() {
        for baud in BAUDS {
            assert_eq!(baud_of(rate_of(baud)), Some(baud));
        }
        assert_eq!((rate_of(300), baud_of(0), baud_of(9)), (0, None, None));
    }
}
