//! Sets the modem of a receiver through its adapter, listens to channels with it, and knows what it
//! said.

use std::io;
use std::time::{Duration, Instant as Clock};

use protocol::modem::{Action, Found, ModemSettings, Outcome, RadioChannel, Setting, Trouble};
use protocol::time::Instant;
use serialport::SerialPort;

/// How long one read waits while a modem is being set.
const READ_TIMEOUT: Duration = Duration::from_millis(2);

/// What pulls the modem's SET pin low.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, serde::Serialize, utoipa::ToSchema,
)]
pub enum SetPin {
    /// The adapter's RTS output.
    Rts,
    /// The adapter's DTR output.
    Dtr,
    /// A person with a wire to ground.
    Hand,
}

/// What a receiver's modem should have, and how it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModemWish {
    /// Channel, rate, power.
    pub settings: ModemSettings,
    /// Through which line; nothing is whichever of the adapter's two the modem answers to.
    pub pin: Option<SetPin>,
}

/// How a receiver's modem is, as far as it was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
pub enum ModemState {
    /// It has what it should, and says so.
    Set,
    /// It does not answer: no SET line, no power, no modem.
    Silent,
    /// It was told, and says something else.
    Differs,
    /// It waits for a person with a wire.
    Waits,
}

/// What is known of a receiver's modem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModemKnown {
    /// In one word.
    pub state: ModemState,
    /// What it says it has.
    pub found: Found,
    /// Which line its SET pin was found on.
    pub pin: Option<SetPin>,
}

impl ModemKnown {
    /// One that nobody has connected with ground yet.
    pub const WAITS: Self = Self {
        state: ModemState::Waits,
        found: Found {
            channel: None,
            baud: None,
            mode: None,
            power: None,
        },
        pin: Some(SetPin::Hand),
    };

    /// One that does not answer.
    pub const SILENT: Self = Self {
        state: ModemState::Silent,
        pin: None,
        ..Self::WAITS
    };

    /// From how the dialogue ended, and through which line it went.
    pub fn of(outcome: Outcome, wanted: ModemSettings, pin: SetPin) -> Self {
        let (state, found) = match outcome {
            Outcome::Set { .. } => (ModemState::Set, wanted.into()),
            Outcome::Not(Trouble::Silent) => (ModemState::Silent, Found::default()),
            Outcome::Not(Trouble::Differs(found)) => (ModemState::Differs, found),
        };
        let pin = (state != ModemState::Silent).then_some(pin);
        Self { state, found, pin }
    }
}

/// What was heard on a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelHeard {
    /// Which.
    pub channel: RadioChannel,
    /// Bytes that the modem handed out, of whomever.
    pub bytes: usize,
    /// How long it was listened.
    pub listened: Duration,
}

impl ChannelHeard {
    /// Thousandths of the time in which somebody was heard.
    pub fn busy_permille(&self, baud: u32) -> u32 {
        let line = u64::from(baud) * u64::try_from(self.listened.as_millis()).unwrap_or(u64::MAX);
        // Ten bits a byte; milliseconds and thousandths are the same thousand twice.
        let heard = u64::try_from(self.bytes).unwrap_or(u64::MAX);
        let share = heard.saturating_mul(10_000_000).checked_div(line);
        u32::try_from(share.unwrap_or_default().min(1_000)).unwrap_or(1_000)
    }
}

/// Opens the serial port of a modem. Systems pull RTS and DTR low when a port is opened, which
/// would hold a modem whose SET pin is on one of them in its AT mode: from then on it would neither
/// hear nor send.
pub fn open_modem(
    name: &str,
    baud: u32,
    timeout: Duration,
) -> Result<Box<dyn SerialPort>, serialport::Error> {
    on_the_air(|| {
        let port = serialport::new(name, baud).timeout(timeout);
        port.dtr_on_open(false).open()
    })
}

fn on_the_air<E>(
    open: impl FnOnce() -> Result<Box<dyn SerialPort>, E>,
) -> Result<Box<dyn SerialPort>, E> {
    let mut port = open()?;
    for pin in [SetPin::Rts, SetPin::Dtr] {
        drive(port.as_mut(), pin, false);
    }
    Ok(port)
}

/// Pulls SET low or lets go of it. An adapter that has no such line is not asked twice: its modem
/// will be silent, and that is what people are told.
fn drive(port: &mut dyn SerialPort, pin: SetPin, low: bool) {
    match pin {
        // An adapter's output is low when the line is active.
        SetPin::Rts => drop(port.write_request_to_send(low)),
        SetPin::Dtr => drop(port.write_data_terminal_ready(low)),
        SetPin::Hand => {}
    }
}

/// A port while its modem is being set. However that ends, SET is let go of and the port is as it
/// was: a modem that is left in its AT mode hears no pad.
struct InHand<'a> {
    port: &'a mut dyn SerialPort,
    pin: SetPin,
    timeout: Duration,
    /// What the modem is spoken with from then on.
    baud: u32,
}

impl Drop for InHand<'_> {
    fn drop(&mut self) {
        drive(self.port, self.pin, false);
        let _ = self.port.set_baud_rate(self.baud);
        let _ = self.port.set_timeout(self.timeout);
    }
}

/// Carries the dialogue on until it ends, over whichever line the modem answers to.
pub fn set_modem(port: &mut dyn SerialPort, wish: ModemWish) -> io::Result<(Outcome, SetPin)> {
    let silent = Outcome::Not(Trouble::Silent);
    let Some(pin) = wish.pin else {
        let first = set_by(port, wish.settings, SetPin::Rts)?;
        if first != silent {
            return Ok((first, SetPin::Rts));
        }
        return Ok((set_by(port, wish.settings, SetPin::Dtr)?, SetPin::Dtr));
    };
    Ok((set_by(port, wish.settings, pin)?, pin))
}

fn set_by(port: &mut dyn SerialPort, wanted: ModemSettings, pin: SetPin) -> io::Result<Outcome> {
    let mut held = InHand {
        timeout: port.timeout(),
        port,
        pin,
        baud: wanted.baud,
    };
    held.port.set_timeout(READ_TIMEOUT)?;
    let started = Clock::now();
    let now = || Instant::from_millis(u64::try_from(started.elapsed().as_millis()).unwrap_or(0));
    let mut setting = Setting::new(wanted, wanted.baud, now());
    let mut spoken = wanted.baud;
    let mut buffer = [0; 128];
    loop {
        while let Some(action) = setting.poll(now()) {
            match action {
                Action::SetLow(low) => drive(held.port, pin, low),
                Action::Baud(baud) => {
                    held.port.set_baud_rate(baud)?;
                    spoken = baud;
                }
                Action::Write(text) => held.port.write_all(&text)?,
            }
        }
        if let Some(outcome) = setting.outcome() {
            held.baud = spoken;
            return Ok(outcome);
        }
        match held.port.read(&mut buffer) {
            Ok(length) => {
                setting.handle_receive(buffer.get(..length).unwrap_or_default(), now());
            }
            Err(fault) if is_pause(&fault) => {}
            Err(fault) => return Err(fault),
        }
    }
}

/// Puts the modem on each channel for a while and counts what it hands out, then puts it back on
/// the channel of `wish`. The modem measures no signal: what is heard is others of its kind, on the
/// same air rate. Nothing where it does not take the channels.
pub fn scan(
    port: &mut dyn SerialPort,
    wish: ModemWish,
    channels: &[RadioChannel],
    listen: Duration,
) -> io::Result<(Vec<ChannelHeard>, ModemKnown)> {
    let mut heard = Vec::new();
    for &channel in channels {
        let settings = ModemSettings {
            channel,
            ..wish.settings
        };
        let (outcome, _) = set_modem(port, ModemWish { settings, ..wish })?;
        if !matches!(outcome, Outcome::Set { .. }) {
            break;
        }
        heard.push(listen_on(port, channel, listen)?);
    }
    let (outcome, pin) = set_modem(port, wish)?;
    Ok((heard, ModemKnown::of(outcome, wish.settings, pin)))
}

fn listen_on(
    port: &mut dyn SerialPort,
    channel: RadioChannel,
    listen: Duration,
) -> io::Result<ChannelHeard> {
    let started = Clock::now();
    let mut bytes = 0;
    let mut buffer = [0; 256];
    while started.elapsed() < listen {
        match port.read(&mut buffer) {
            Ok(length) => bytes += length,
            Err(fault) if is_pause(&fault) => {}
            Err(fault) => return Err(fault),
        }
    }
    Ok(ChannelHeard {
        channel,
        bytes,
        listened: started.elapsed(),
    })
}

/// Nothing came while a read waited.
pub(crate) fn is_pause(fault: &io::Error) -> bool {
    matches!(
        fault.kind(),
        io::ErrorKind::TimedOut | io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock
    )
}

#[cfg(test)]
mod tests;
