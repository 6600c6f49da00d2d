//! The dialogue with an HC-12: SET high for a moment, then low, `AT`, what it has, what it should
//! have, what it has now, SET high.
//!
//! The shell does what [`Setting::poll`] says, hands in what comes from the modem, and asks again
//! at [`Setting::poll_timeout`]:
//!
//! ```text
//! while setting.outcome().is_none() {
//!     while let Some(action) = setting.poll(now()) { ... }
//!     match select(read_some_bytes(), sleep_until(setting.poll_timeout())) {
//!         Bytes(bytes) => setting.handle_receive(bytes, now()),
//!         Time => setting.handle_timeout(now()),
//!     }
//! }
//! ```

use heapless::Vec;

use super::{BAUDS, ModemSettings, Power, RadioChannel};
use crate::time::{Instant, Span};

/// How much later than it is counted a line may be pulled: a host is interrupted between the two.
const LATE_MS: u64 = 20;

/// From lowering SET to the first command: 40 ms by the manual.
const SET_LOW_FOR: Span = Span::from_millis(40 + LATE_MS);

/// From raising SET to the moment when the settings are in force: 80 ms by the manual.
const IN_FORCE_AFTER: Span = Span::from_millis(80 + LATE_MS);

/// SET is not used again before this, or the modem falls back to 9,600 baud: 200 ms by the manual.
const SET_REST: Span = Span::from_millis(200 + LATE_MS);

/// A modem that hears a command answers within this.
const ANSWER_WITHIN: Span = Span::from_millis(150);

/// What a modem answers, at most: four lines.
const ANSWER_LEN_MAX: usize = 96;

/// What the shell should do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Drive SET low (true) or high.
    SetLow(bool),
    /// Speak to the modem at this baud rate from now on.
    Baud(u32),
    /// Write this to the modem.
    Write(Vec<u8, 12>),
}

/// What a modem says of itself; nothing where it did not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Found {
    /// Its channel.
    pub channel: Option<RadioChannel>,
    /// Its baud rate.
    pub baud: Option<u32>,
    /// Its mode.
    pub mode: Option<u8>,
    /// Its power.
    pub power: Option<Power>,
}

impl Found {
    /// Whether it is as it should be.
    pub fn is(&self, wanted: &ModemSettings) -> bool {
        *self == Self::from(*wanted)
    }
}

impl From<ModemSettings> for Found {
    fn from(settings: ModemSettings) -> Self {
        Self {
            channel: Some(settings.channel),
            baud: Some(settings.baud),
            mode: Some(settings.mode),
            power: Some(settings.power),
        }
    }
}

/// Why a modem is not as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Trouble {
    /// It answers at no baud rate: SET is not connected, or there is no modem.
    Silent,
    /// It was told, and says something else when it is asked.
    Differs(Found),
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Outcome {
    /// It is as it should be, and says so; before it was as told here.
    Set {
        /// What it had.
        was: Found,
    },
    /// It is not.
    Not(Trouble),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// SET is high for as long as the modem wants between two uses. NEXT: Lowered.
    Resting {
        until: Instant,
    },
    /// SET is low, and the modem gets ready. NEXT: Asked.
    Lowered {
        until: Instant,
    },
    /// `AT` was sent at the n-th baud rate of those to try. NEXT: Reading, Asked, Raised.
    Asked {
        attempt: usize,
        until: Instant,
    },
    /// Everything was asked for. NEXT: Telling, Raised.
    Reading {
        again: bool,
        until: Instant,
    },
    /// The n-th setting was told. NEXT: Telling, Reading.
    Telling {
        at: usize,
        until: Instant,
    },
    /// SET is high; the modem takes over what was set. NEXT: Done.
    Raised {
        until: Instant,
    },
    Done,
}

/// One dialogue.
#[derive(Clone, Debug)]
pub struct Setting {
    wanted: ModemSettings,
    /// The rate that this end speaks with the modem at when it is not being set.
    baud: u32,
    state: State,
    actions: Vec<Action, 4>,
    answer: Vec<u8, ANSWER_LEN_MAX>,
    was: Found,
    outcome: Option<Outcome>,
}

impl Setting {
    /// Begins. `baud` is what the modem is believed to have; others are tried after it.
    pub fn new(wanted: ModemSettings, baud: u32, now: Instant) -> Self {
        let mut setting = Self {
            wanted,
            baud,
            // Nobody knows when SET was low last: opening a port may have pulled it.
            state: State::Resting {
                until: now + SET_REST,
            },
            actions: Vec::new(),
            answer: Vec::new(),
            was: Found::default(),
            outcome: None,
        };
        setting.act(Action::Baud(baud));
        setting.act(Action::SetLow(false));
        setting
    }

    /// What to do now. Ask until there is nothing.
    pub fn poll(&mut self, now: Instant) -> Option<Action> {
        self.handle_timeout(now);
        (!self.actions.is_empty()).then(|| self.actions.remove(0))
    }

    /// When to call [`Self::handle_timeout`].
    pub const fn poll_timeout(&self) -> Option<Instant> {
        match self.state {
            State::Resting { until }
            | State::Lowered { until }
            | State::Asked { until, .. }
            | State::Reading { until, .. }
            | State::Telling { until, .. }
            | State::Raised { until } => Some(until),
            State::Done => None,
        }
    }

    /// How it ended, once it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome.filter(|_| self.state == State::Done)
    }

    /// Bytes from the modem.
    pub fn handle_receive(&mut self, bytes: &[u8], now: Instant) {
        for &byte in bytes {
            if self.answer.push(byte).is_err() {
                self.answer.clear();
            }
        }
        let said_ok = self.answer.windows(2).any(|two| two == b"OK");
        match self.state {
            State::Asked { .. } if said_ok => self.read(false, now),
            State::Reading { again, .. } => {
                let found = found(&self.answer);
                if !is_whole(&found) {
                    return;
                }
                if again {
                    let outcome = if found.is(&self.wanted) {
                        Outcome::Set { was: self.was }
                    } else {
                        Outcome::Not(Trouble::Differs(found))
                    };
                    self.raise(outcome, now);
                } else {
                    self.was = found;
                    self.tell_from(0, now);
                }
            }
            State::Telling { at, .. } if said_ok && self.answer.ends_with(b"\n") => {
                self.tell_from(at + 1, now);
            }
            _ => {}
        }
    }

    /// The moment of [`Self::poll_timeout`] has come.
    pub fn handle_timeout(&mut self, now: Instant) {
        if self.poll_timeout().is_none_or(|until| now < until) {
            return;
        }
        match self.state {
            State::Resting { .. } => {
                self.act(Action::SetLow(true));
                self.state = State::Lowered {
                    until: now + SET_LOW_FOR,
                };
            }
            State::Lowered { .. } => self.ask(0, now),
            State::Asked { attempt, .. } => self.ask(attempt + 1, now),
            State::Reading { again: false, .. } => {
                // Some of it came: what did not is told anew.
                self.was = found(&self.answer);
                self.tell_from(0, now);
            }
            State::Reading { again: true, .. } => {
                let found = found(&self.answer);
                self.raise(Outcome::Not(Trouble::Differs(found)), now);
            }
            State::Telling { at, .. } => self.tell_from(at + 1, now),
            State::Raised { .. } => self.state = State::Done,
            State::Done => {}
        }
    }

    fn act(&mut self, action: Action) {
        // There are never more than three at a time.
        let _ = self.actions.push(action);
    }

    fn write(&mut self, command: &[u8], number: Option<(u32, usize)>) {
        self.answer.clear();
        // The longest is `AT+B115200`.
        let mut text = Vec::new();
        let _ = text.extend_from_slice(command);
        if let Some((number, width)) = number {
            write_digits(&mut text, number, width);
        }
        let _ = text.extend_from_slice(b"\r\n");
        self.act(Action::Write(text));
    }

    /// `AT` at the next baud rate.
    fn ask(&mut self, attempt: usize, now: Instant) {
        let baud = match attempt {
            0 => Some(self.baud),
            later => BAUDS
                .into_iter()
                .filter(|baud| *baud != self.baud)
                .nth(later - 1),
        };
        let Some(baud) = baud else {
            self.raise(Outcome::Not(Trouble::Silent), now);
            return;
        };
        if attempt > 0 {
            self.act(Action::Baud(baud));
        }
        self.write(b"AT", None);
        self.state = State::Asked {
            attempt,
            until: now + ANSWER_WITHIN,
        };
    }

    fn read(&mut self, again: bool, now: Instant) {
        self.write(b"AT+RX", None);
        self.state = State::Reading {
            again,
            until: now + ANSWER_WITHIN.times(2),
        };
    }

    /// Tells what differs, from the n-th setting on; then reads it all back.
    fn tell_from(&mut self, first: usize, now: Instant) {
        let wanted = self.wanted;
        let (was, is) = (self.was, Found::from(wanted));
        let differs = [
            was.mode != is.mode,
            was.channel != is.channel,
            was.power != is.power,
            // The last, because some modems talk at the new rate from then on.
            was.baud != is.baud,
        ];
        let next = differs
            .iter()
            .enumerate()
            .skip(first)
            .find(|(_, differs)| **differs);
        let Some((at, _)) = next else {
            self.read(true, now);
            return;
        };
        let (command, number): (&[u8], _) = match at {
            0 => (b"AT+FU", (wanted.mode.into(), 1)),
            1 => (b"AT+C", (wanted.channel.get().into(), 3)),
            2 => (b"AT+P", (wanted.power.get().into(), 1)),
            _ => (b"AT+B", (wanted.baud, 1)),
        };
        self.write(command, Some(number));
        self.state = State::Telling {
            at,
            until: now + ANSWER_WITHIN,
        };
    }

    fn raise(&mut self, outcome: Outcome, now: Instant) {
        self.outcome = Some(outcome);
        self.act(Action::SetLow(false));
        let baud = match outcome {
            Outcome::Set { .. } => self.wanted.baud,
            Outcome::Not(Trouble::Differs(found)) => found.baud.unwrap_or(self.baud),
            Outcome::Not(Trouble::Silent) => self.baud,
        };
        self.act(Action::Baud(baud));
        self.state = State::Raised {
            until: now + IN_FORCE_AFTER.max(SET_REST),
        };
    }
}

fn is_whole(found: &Found) -> bool {
    let Found {
        channel,
        baud,
        mode,
        power,
    } = found;
    channel.is_some() && baud.is_some() && mode.is_some() && power.is_some()
}

/// What an answer to `AT+RX` says, line by line: `OK+FU3`, `OK+B9600`, `OK+C001`, `OK+RP:+20dBm`.
/// A line without its end has not come yet.
fn found(answer: &[u8]) -> Found {
    let mut found = Found::default();
    for line in answer.split_inclusive(|byte| *byte == b'\n') {
        let said = line.strip_prefix(b"OK+").filter(|it| it.ends_with(b"\n"));
        match said {
            Some([b'F', b'U', mode @ ..]) => found.mode = u8::try_from(number(mode)).ok(),
            Some([b'R', b'P', b':', dbm @ ..]) => found.power = Power::of_dbm(number(dbm)),
            Some([b'B', baud @ ..]) => {
                let baud = u32::try_from(number(baud)).ok();
                found.baud = baud.filter(|baud| BAUDS.contains(baud));
            }
            Some([b'C', channel @ ..]) => {
                let channel = u8::try_from(number(channel)).ok();
                found.channel = channel.and_then(RadioChannel::new);
            }
            _ => {}
        }
    }
    found
}

/// The number that some text begins with, `+20dBm` or `001`; 0 where there is none.
pub fn number(text: &[u8]) -> i32 {
    let (sign, digits) = match text {
        [b'-', digits @ ..] => (-1, digits),
        _ => (1, text.strip_prefix(b"+").unwrap_or(text)),
    };
    let digits = digits.iter().take_while(|it| it.is_ascii_digit());
    let size = digits.fold(0_i32, |sum, digit| {
        let digit = i32::from(digit - b'0');
        sum.saturating_mul(10).saturating_add(digit)
    });
    sign * size
}

/// A number as text, without a formatter: with zeros in front of it up to a width.
fn write_digits(text: &mut Vec<u8, 12>, number: u32, width: usize) {
    let mut place = 100_000;
    for left in (1..=6).rev() {
        let digit = u8::try_from(number / place % 10).unwrap_or(0);
        if number >= place || left <= width {
            let _ = text.push(b'0' + digit);
        }
        place /= 10;
    }
}
