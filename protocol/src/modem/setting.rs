//! The dialogue with an HC-12: SET low, `AT`, what it has, what it should have, what it has now,
//! SET high.
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

use heapless::{String, Vec};

use super::{BAUDS, ModemSettings, Power, RadioChannel};
use crate::time::{Instant, Span};

/// From lowering SET to the first command.
const SET_LOW_FOR: Span = Span::from_millis(40);

/// From raising SET to the moment when the settings are in force.
const IN_FORCE_AFTER: Span = Span::from_millis(80);

/// SET is not used again before this, or the modem falls back to 9,600 baud.
const SET_REST: Span = Span::from_millis(200);

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
    Write(String<12>),
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
            state: State::Lowered {
                until: now + SET_LOW_FOR,
            },
            actions: Vec::new(),
            answer: Vec::new(),
            was: Found::default(),
            outcome: None,
        };
        setting.act(Action::Baud(baud));
        setting.act(Action::SetLow(true));
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
            State::Lowered { until }
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
        let text = core::str::from_utf8(&self.answer).unwrap_or_default();
        match self.state {
            State::Asked { .. } if text.contains("OK") => self.read(false, now),
            State::Reading { again, .. } => {
                let found = found(text);
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
            State::Telling { at, .. } if text.contains("OK") && text.ends_with('\n') => {
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
            State::Lowered { .. } => self.ask(0, now),
            State::Asked { attempt, .. } => self.ask(attempt + 1, now),
            State::Reading { again: false, .. } => {
                // Some of it came: what did not is told anew.
                self.was = found(core::str::from_utf8(&self.answer).unwrap_or_default());
                self.tell_from(0, now);
            }
            State::Reading { again: true, .. } => {
                let found = found(core::str::from_utf8(&self.answer).unwrap_or_default());
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

    fn write(&mut self, command: &[&str]) {
        self.answer.clear();
        let mut text = String::new();
        for part in command {
            let _ = text.push_str(part);
        }
        let _ = text.push_str("\r\n");
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
        self.write(&["AT"]);
        self.state = State::Asked {
            attempt,
            until: now + ANSWER_WITHIN,
        };
    }

    fn read(&mut self, again: bool, now: Instant) {
        self.write(&["AT+RX"]);
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
        let mut digits = Digits::default();
        match at {
            0 => self.write(&["AT+FU", digits.of(wanted.mode.into(), 1)]),
            1 => self.write(&["AT+C", digits.of(wanted.channel.get().into(), 3)]),
            2 => self.write(&["AT+P", digits.of(wanted.power.get().into(), 1)]),
            _ => self.write(&["AT+B", digits.of(wanted.baud, 1)]),
        }
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
fn found(text: &str) -> Found {
    let mut found = Found::default();
    for line in text.split_inclusive('\n').filter(|it| it.ends_with('\n')) {
        let Some(said) = line.trim().strip_prefix("OK+") else {
            continue;
        };
        if let Some(mode) = said.strip_prefix("FU") {
            found.mode = mode.parse().ok();
        } else if let Some(power) = said.strip_prefix("RP:") {
            let dbm = power.trim_start_matches('+').trim_end_matches("dBm");
            let dbm: Option<i8> = dbm.parse().ok();
            let says = |level: &Power| Some(level.dbm()) == dbm;
            found.power = (1..=8).filter_map(Power::new).find(says);
        } else if let Some(baud) = said.strip_prefix('B') {
            found.baud = baud.parse().ok().filter(|baud| BAUDS.contains(baud));
        } else if let Some(channel) = said.strip_prefix('C') {
            found.channel = channel.parse().ok().and_then(RadioChannel::new);
        }
    }
    found
}

/// A number as text, without a formatter.
#[derive(Default)]
struct Digits(String<10>);

impl Digits {
    fn of(&mut self, number: u32, width: usize) -> &str {
        self.0.clear();
        let mut rest = number;
        let mut reversed: Vec<char, 10> = Vec::new();
        while rest > 0 || reversed.len() < width {
            let digit = char::from_digit(rest % 10, 10).unwrap_or('0');
            if reversed.push(digit).is_err() {
                break;
            }
            rest /= 10;
        }
        for digit in reversed.iter().rev() {
            let _ = self.0.push(*digit);
        }
        &self.0
    }
}
