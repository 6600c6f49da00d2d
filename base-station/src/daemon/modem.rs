//! Sets the modem of a receiver through its adapter, and knows what it said.

use std::io;
use std::time::{Duration, Instant as Clock};

use protocol::modem::{Action, Found, ModemSettings, Outcome, Setting, Trouble};
use protocol::time::Instant;
use serialport::SerialPort;

/// How long one read waits while a modem is being set.
const READ_TIMEOUT: Duration = Duration::from_millis(2);

/// What pulls the modem's SET pin low.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
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
    /// Through which line.
    pub pin: SetPin,
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
}

/// What is known of a receiver's modem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModemKnown {
    /// In one word.
    pub state: ModemState,
    /// What it says it has.
    pub found: Found,
}

impl ModemKnown {
    /// From how the dialogue ended.
    pub fn of(outcome: Outcome, wanted: ModemSettings) -> Self {
        let (state, found) = match outcome {
            Outcome::Set { .. } => (ModemState::Set, wanted.into()),
            Outcome::Not(Trouble::Silent) => (ModemState::Silent, Found::default()),
            Outcome::Not(Trouble::Differs(found)) => (ModemState::Differs, found),
        };
        Self { state, found }
    }
}

/// Carries the dialogue on until it ends. An adapter that has no such line is not asked twice: its
/// modem will be silent, and that is what people are told.
pub fn set_modem(port: &mut dyn SerialPort, wish: ModemWish) -> io::Result<Outcome> {
    let usual = port.timeout();
    port.set_timeout(READ_TIMEOUT)?;
    let started = Clock::now();
    let now = || Instant::from_millis(u64::try_from(started.elapsed().as_millis()).unwrap_or(0));
    let mut setting = Setting::new(wish.settings, wish.settings.baud, now());
    let mut buffer = [0; 128];
    while setting.outcome().is_none() {
        while let Some(action) = setting.poll(now()) {
            match (action, wish.pin) {
                // An adapter's output is low when the line is active.
                (Action::SetLow(low), SetPin::Rts) => drop(port.write_request_to_send(low)),
                (Action::SetLow(low), SetPin::Dtr) => drop(port.write_data_terminal_ready(low)),
                (Action::SetLow(_), SetPin::Hand) => {}
                (Action::Baud(baud), _) => port.set_baud_rate(baud)?,
                (Action::Write(text), _) => port.write_all(text.as_bytes())?,
            }
        }
        match port.read(&mut buffer) {
            Ok(length) => {
                setting.handle_receive(buffer.get(..length).unwrap_or_default(), now());
            }
            Err(fault) if fault.kind() == io::ErrorKind::TimedOut => {}
            Err(fault) => return Err(fault),
        }
    }
    port.set_timeout(usual)?;
    let silent = Outcome::Not(Trouble::Silent);
    Ok(setting.outcome().unwrap_or(silent))
}
