//! A modelled HC-12 at the end of a serial line: AT mode behind SET, settings that it keeps, the
//! fall-back to 9,600 baud. What it hears and says on the air is [`crate::Air`]'s.

use protocol::modem::{BAUDS, ModemSettings, Power, RadioChannel};
use protocol::time::{Instant, Span};

/// From SET low to the first command that it hears.
const READY_AFTER: Span = Span::from_millis(40);

/// From SET high to the new settings.
const IN_FORCE_AFTER: Span = Span::from_millis(80);

/// SET low sooner than this after it was raised: it falls back to 9,600 baud.
const SET_REST: Span = Span::from_millis(200);

/// The modem.
#[derive(Clone, Debug)]
pub struct Hc12 {
    /// What it keeps without power.
    settings: ModemSettings,
    /// What it speaks at while SET is low.
    at_baud: u32,
    set_low: Option<Instant>,
    set_high: Option<Instant>,
    line: Vec<u8>,
    /// Nothing that it is told stays: a worn memory.
    pub forgets: bool,
}

impl Hc12 {
    /// A modem with these settings, SET high.
    pub const fn new(settings: ModemSettings) -> Self {
        Self {
            settings,
            at_baud: settings.baud,
            set_low: None,
            set_high: None,
            line: Vec::new(),
            forgets: false,
        }
    }

    /// What it has been set to.
    pub const fn settings(&self) -> ModemSettings {
        self.settings
    }

    /// Whether bytes at this rate go out on the air now, and come in.
    pub fn is_on_the_air(&self, baud: u32, now: Instant) -> bool {
        let ready = self
            .set_high
            .is_none_or(|at| now.since(at) >= IN_FORCE_AFTER);
        self.set_low.is_none() && ready && baud == self.settings.baud
    }

    /// SET changes.
    pub fn set_line(&mut self, low: bool, now: Instant) {
        match (self.set_low, low) {
            (None, true) => {
                let hasty = self.set_high.is_some_and(|at| now.since(at) < SET_REST);
                self.at_baud = if hasty { 9_600 } else { self.settings.baud };
                self.set_low = Some(now);
                self.line.clear();
            }
            (Some(_), false) => {
                self.set_low = None;
                self.set_high = Some(now);
            }
            _ => {}
        }
    }

    /// Power comes back. With SET low it always speaks 9,600 baud.
    pub fn power_up(&mut self, set_low: bool, now: Instant) {
        self.set_low = set_low.then_some(now);
        self.set_high = None;
        self.at_baud = if set_low { 9_600 } else { self.settings.baud };
    }

    /// Somebody has set it otherwise, or its memory has failed.
    pub const fn spoil(&mut self, settings: ModemSettings) {
        self.settings = settings;
    }

    /// Bytes at a rate while SET is low; what it answers.
    pub fn command(&mut self, bytes: &[u8], baud: u32, now: Instant) -> Vec<u8> {
        let ready = self.set_low.is_some_and(|at| now.since(at) >= READY_AFTER);
        if !ready || baud != self.at_baud {
            return Vec::new();
        }
        let mut answer = Vec::new();
        for &byte in bytes {
            if byte == b'\n' {
                let line = std::mem::take(&mut self.line);
                let line = String::from_utf8_lossy(&line).trim().to_owned();
                answer.extend(self.answer(&line).into_bytes());
            } else {
                self.line.push(byte);
            }
        }
        answer
    }

    fn answer(&mut self, line: &str) -> String {
        let ModemSettings {
            channel,
            baud,
            mode,
            power,
        } = self.settings;
        let mut wanted = self.settings;
        let said = match line.strip_prefix("AT") {
            Some("") => return "OK\r\n".to_owned(),
            Some("+RX") => {
                let dbm = power.dbm();
                return format!(
                    "OK+FU{mode}\r\nOK+B{baud}\r\nOK+C{:03}\r\nOK+RP:{dbm:+}dBm\r\n",
                    channel.get()
                );
            }
            Some(other) => other,
            None => return "ERROR\r\n".to_owned(),
        };
        let number = |prefix: &str| said.strip_prefix(prefix)?.parse::<u32>().ok();
        let small = |number: u32| u8::try_from(number).unwrap_or_default();
        let told = if let Some(mode) = number("+FU").map(small).filter(|it| (1..=4).contains(it)) {
            wanted.mode = mode;
            true
        } else if let Some(power) = number("+P").map(small).and_then(Power::new) {
            wanted.power = power;
            true
        } else if let Some(channel) = number("+C").map(small).and_then(RadioChannel::new) {
            wanted.channel = channel;
            true
        } else if let Some(baud) = number("+B").filter(|it| BAUDS.contains(it)) {
            wanted.baud = baud;
            true
        } else {
            false
        };
        if !told {
            return "ERROR\r\n".to_owned();
        }
        if !self.forgets {
            self.settings = wanted;
        }
        format!("OK{said}\r\n")
    }
}
