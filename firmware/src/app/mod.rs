//! The pad as one value: what has been said, where the players are, what has to be sent.
//!
//! Handling an input changes the value and says what has to be written to flash; it draws
//! nothing and sends nothing. See the crate's documentation for what a shell does around it.

mod bench;
mod board;
mod digits;
mod director;
mod flow;
mod heard;
mod kept;
mod live;
mod log_on;
mod matches;
mod number;
mod over;
mod play;
mod results;
mod to_say;
mod typing;
mod view;

use protocol::both_ends::is_battery_low;
use protocol::frame::{NetworkId, PadKeys};
use protocol::link::Timing;
use protocol::message::{ClockState, Down, FirmwareVersion, Settings};
use protocol::modem::{ModemSettings, Power, RadioChannel, baud_of};
use protocol::time::{Instant, Span};
use protocol::words::PadId;

pub use bench::{Badge, Test};
pub use digits::Digits;
pub use flow::{Adjusting, Behind, Claim, Draft, Flow};
pub use to_say::{Outgoing, Ticket};
pub use typing::{Step, Typing};

use crate::game::{Game, Stage};
use crate::texts::Text;
use crate::{Key, RecordKey, RecordSet, Screen, Sheet};
use kept::Kept;
use live::Live;

/// The director's menu closes by itself after this long without a key.
const MENU_OPEN_MAX: Span = Span::from_secs(60);

/// A feedback screen makes room for the next board after this long without a key.
const FEEDBACK_OPEN_MAX: Span = Span::from_secs(120);

/// A pad on which nobody plays keeps its display this long after the last key.
const DORMANT_AFTER: Span = Span::from_secs(10 * 60);

/// A pad that was put away in the middle of a game lies in its box too: no break is as long as this.
const FORGOTTEN_AFTER: Span = Span::from_secs(3 * 3_600);

/// A table that has finished goes on checking in while slower ones play: a silent pad would worry
/// the director.
const SILENT_AFTER_SESSION: Span = Span::from_secs(3_600);

const MINUTE_US: i64 = 60_000_000;

/// What can happen to a pad.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// A key went down.
    Key(Key),
    /// The base said something.
    Down(&'a Down),
    /// The link changed.
    Link(LinkStatus),
    /// The base has what was offered with this ticket.
    Delivered(Ticket),
    /// The deadline has come.
    Tick,
    /// The gauge was read.
    Battery(BatteryGauge),
    /// Something could not be written to flash.
    StoreFailed,
    /// What could not be written before has been written now.
    StoreWorks,
    /// The key can't be used much longer.
    KeyRunsLow,
}

/// How the link is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkStatus {
    /// The modem is off; nothing is wrong.
    Asleep,
    /// The base answers; how strongly it is heard in dB below 0 dBm, 0 where nobody can tell.
    Answered {
        /// As [`protocol::message::CheckIn::signal_minus_dbm`].
        signal_minus_dbm: u8,
    },
    /// The link gave up calling: what was offered is not delivered.
    NoAnswer,
    /// Somebody answered, but with the key of another club.
    AnotherClub,
    /// The base wants a newer firmware.
    TooOld,
    /// The pad has no key, so it can't call.
    NoKey,
}

/// What the cells have left, in units of 20 mV of both together; 0 where no gauge answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BatteryGauge(pub u8);

impl BatteryGauge {
    /// Whether somebody should bring new cells.
    pub const fn is_low(self) -> bool {
        is_battery_low(self.0)
    }

    /// In millivolts.
    pub const fn millivolts(self) -> u16 {
        self.0 as u16 * 20
    }
}

/// Where the pad looks for its base. It is kept as its numbers, one behind the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Radio {
    /// Tells two events in one room apart.
    pub network: u8,
    /// The modem's channel; 0 for as it is sold.
    pub channel: u8,
    /// The modem's baud rate, by its place among [`protocol::modem::BAUDS`] from 1; 0 for the usual.
    pub rate: u8,
    /// How strongly the modem may send; 0 where nobody has said, and the pad leaves it as it is.
    pub power: u8,
}

impl Radio {
    /// As pads leave the factory.
    pub const FACTORY: Self = Self {
        network: 0,
        channel: 0,
        rate: 0,
        power: 0,
    };

    /// As it is kept.
    pub(crate) const fn record(self) -> [u8; 4] {
        [self.network, self.channel, self.rate, self.power]
    }

    /// From what was kept; an earlier program kept the first two.
    pub(crate) fn restored(record: &[u8]) -> Self {
        let at = |place: usize| record.get(place).copied().unwrap_or(0);
        Self {
            network: at(0),
            channel: at(1),
            rate: at(2),
            power: at(3),
        }
    }

    /// What the pad sets its modem to; nothing where it leaves it as it is.
    pub fn modem(self) -> Option<ModemSettings> {
        Some(ModemSettings {
            channel: RadioChannel::new(self.channel)?,
            baud: self.baud(),
            mode: 3,
            power: Power::new(self.power)?,
        })
    }

    /// The modem's baud rate.
    pub fn baud(self) -> u32 {
        baud_of(self.rate).unwrap_or(Timing::COMMON.baud)
    }

    /// The network for the link.
    pub const fn network_id(self) -> NetworkId {
        NetworkId::new(self.network)
    }
}

/// A sound or a light.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sound {
    /// East accepted, and it is saved.
    Agreed,
    /// That key does nothing here.
    Refused,
    /// The director says something, or the base refused an entry.
    Attention,
}

/// What the shell has to do, in this order: write, then draw, then the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// Write these records before anything is drawn.
    pub persist: RecordSet,
    /// Sound this.
    pub sound: Option<Sound>,
    /// Network, channel or key are others now: set up the link anew.
    pub link_changed: bool,
    /// Restart the pad.
    pub restart: bool,
}

/// A pad.
#[derive(Clone, Debug)]
pub struct App {
    pad: PadId,
    firmware: FirmwareVersion,
    kept: Kept,
    live: Live,
    /// Gathered while an input is handled.
    effects: Effects,
}

impl App {
    /// A pad that has never been used.
    pub fn new(pad: PadId, firmware: FirmwareVersion) -> Self {
        Self {
            pad,
            firmware,
            kept: Kept::new(),
            live: Live::new(),
            effects: Effects::default(),
        }
    }

    /// Writes a record into the buffer; `None` where there is nothing to store under this key.
    pub fn encode<'a>(&self, key: RecordKey, buffer: &'a mut [u8]) -> Option<&'a [u8]> {
        self.kept.encode(key, buffer)
    }

    /// Takes a record back. The game comes first, then lines in ascending order: see
    /// [`RecordKey::in_order`]. What can't be read is left out: half a game is better than none.
    pub fn restore(&mut self, key: RecordKey, record: &[u8]) {
        self.kept.restore(key, record);
    }

    /// Takes an input and says what has to be done.
    pub fn handle(&mut self, input: Input<'_>, now: Instant) -> Effects {
        self.effects = Effects::default();
        self.live.handled = now;
        match input {
            Input::Key(key) => self.key(key, now),
            Input::Down(message) => self.heard(message, now),
            Input::Link(status) => self.link_is(status, now),
            Input::Delivered(ticket) => self.delivered(ticket, now),
            Input::Tick => self.tick(now),
            Input::Battery(gauge) => self.live.battery = gauge,
            Input::StoreFailed => self.live.store_failed = true,
            Input::StoreWorks => self.live.store_failed = false,
            Input::KeyRunsLow => self.live.key_runs_low = true,
        }
        core::mem::take(&mut self.effects)
    }

    /// Puts the players where they were, after the records have been restored.
    pub fn resume(&mut self, now: Instant) {
        self.rest_again(now);
        if let Some(stored) = &self.kept.players {
            self.live.numbers = stored.players.seats;
        }
        self.live.last_key = now;
        self.live.flow = self.home();
        self.live.under = self.live.flow;
        self.live.to_say.expect_news(now);
    }

    /// What the display should show.
    pub fn screen(&self, now: Instant) -> Screen {
        view::screen(self, now)
    }

    /// Whether a key does something here: for a face that shows only such keys. What it would do is
    /// tried on a copy, so that this can't differ from what the key does.
    pub fn takes(&self, key: Key, now: Instant) -> bool {
        let mut tried = self.clone();
        let effects = tried.handle(Input::Key(key), now);
        let silent = Effects::default();
        effects.sound != Some(Sound::Refused) && (effects != silent || tried.flow() != self.flow())
    }

    /// When [`Input::Tick`] is wanted, if anything is waiting for time to pass.
    pub fn deadline(&self, now: Instant) -> Option<Instant> {
        [
            self.closes_at(),
            // What can be said is asked for after every input: while the link is busy with it, a
            // moment before the last input would keep the shell awake for nothing.
            self.speaks_at().filter(|at| *at > self.live.handled),
            self.clock_changes_at(now),
            Some(self.dormant_at()).filter(|at| *at > now),
        ]
        .into_iter()
        .flatten()
        .min()
    }

    /// Whether the pad lies in its box: nobody plays, and no key was pressed for a while. The shell
    /// may take the display's power; the next key brings everything back.
    pub fn is_dormant(&self, now: Instant) -> bool {
        self.dormant_at() <= now
    }

    fn dormant_at(&self) -> Instant {
        let nobody_plays = matches!(
            self.live.flow,
            Flow::Start | Flow::Replaced | Flow::SessionEnd
        );
        self.live.last_key
            + if nobody_plays {
                DORMANT_AFTER
            } else {
                FORGOTTEN_AFTER
            }
    }

    /// Whether nobody minds that nothing is heard of the pad any more.
    fn may_be_silent(&self, now: Instant) -> bool {
        let after = match self.live.flow {
            Flow::SessionEnd => SILENT_AFTER_SESSION,
            _ => FORGOTTEN_AFTER,
        };
        self.kept.sheet.unsent() == 0 && self.live.last_key + after <= now
    }

    /// Where the players are.
    pub const fn flow(&self) -> &Flow {
        &self.live.flow
    }

    /// The score sheet.
    pub const fn sheet(&self) -> &Sheet {
        &self.kept.sheet
    }

    /// The game, also one that has been put away.
    pub const fn game(&self) -> Option<&Game> {
        self.kept.game.as_ref()
    }

    /// How the club plays.
    pub const fn settings(&self) -> &Settings {
        &self.kept.settings
    }

    /// Where the pad looks for its base.
    pub const fn radio(&self) -> Radio {
        self.kept.radio
    }

    /// What the pad has of the club's key.
    pub const fn keys(&self) -> Option<&PadKeys> {
        self.kept.keys.as_ref()
    }

    /// Says which baud rate and power the modem has.
    pub fn tune(&mut self, rate: u8, power: u8) -> Effects {
        self.kept.radio.rate = rate;
        self.kept.radio.power = power;
        let mut persist = RecordSet::EMPTY;
        persist.insert(RecordKey::Radio);
        Effects {
            persist,
            link_changed: true,
            ..Effects::default()
        }
    }

    /// Gives the pad its part of the club's key, and its network and channel, without typing:
    /// for the service port and for virtual pads.
    pub fn provision(&mut self, keys: PadKeys, radio: Radio) -> Effects {
        self.kept.keys = Some(keys);
        self.live.key_runs_low = false;
        let Radio { rate, power, .. } = self.kept.radio;
        self.kept.radio = Radio {
            rate,
            power,
            ..radio
        };
        let mut persist = RecordSet::EMPTY;
        persist.insert(RecordKey::ClubKey);
        persist.insert(RecordKey::Radio);
        Effects {
            persist,
            link_changed: true,
            ..Effects::default()
        }
    }

    /// The link has taken this to the base: the next answer is about it.
    pub const fn carries(&mut self, ticket: Ticket) {
        self.live.carried = Some(ticket);
    }

    /// The pad's identity.
    pub const fn pad(&self) -> PadId {
        self.pad
    }

    pub(crate) fn playing(&self) -> Option<&Game> {
        self.kept
            .game
            .as_ref()
            .filter(|game| game.stage == Stage::Playing)
    }

    fn key(&mut self, key: Key, now: Instant) {
        self.live.last_key = now;
        self.live.warning = None;
        if let Flow::Test { picture, .. } = self.live.flow {
            // Every key is only looked at.
            let key = Some(key);
            self.live.flow = Flow::Test { picture, key };
        } else if self.live.flow.is_directors() {
            self.director_key(key, now);
        } else if self.live.flow.is_over() {
            self.over_key(key);
        } else if !self.common_key(key) {
            self.play_key(key);
        }
    }

    /// Keys that mean the same wherever players are; true if it was one of them.
    fn common_key(&mut self, key: Key) -> bool {
        match (key, &self.live.flow) {
            (Key::Director, _) => self.ask_for_director(),
            // CALL is also the ten of the opening lead, and a letter.
            (Key::Call, Flow::Entry(typing))
                if typing.step(&self.kept.settings) == Step::LeadRank =>
            {
                return false;
            }
            (Key::Call, Flow::Section { .. }) => return false,
            (Key::Call, _) if self.playing().is_some() => self.lay_over(Flow::CallDirector),
            _ => return false,
        }
        true
    }

    fn lay_over(&mut self, flow: Flow) {
        if !self.live.flow.is_over() {
            self.live.under = self.live.flow;
        }
        self.live.flow = flow;
    }

    /// Back to where the players were.
    fn leave(&mut self) {
        self.live.flow = self.live.under;
        if let Some(flow) = self.live.waiting_over.take() {
            self.lay_over(flow);
        }
    }

    /// A key that does not fit: say what was expected, change nothing.
    fn warn(&mut self, text: Text) {
        self.live.warning = Some(text);
        self.effects.sound = Some(Sound::Refused);
    }

    fn persist(&mut self, key: RecordKey) {
        self.effects.persist.insert(key);
    }

    fn tick(&mut self, now: Instant) {
        if self.closes_at().is_some_and(|at| at <= now) {
            self.leave();
        }
    }

    /// When a screen that lies over the evening closes by itself.
    fn closes_at(&self) -> Option<Instant> {
        match self.live.flow {
            flow if flow.is_directors() => Some(self.live.last_key + MENU_OPEN_MAX),
            Flow::Traveller { .. }
            | Flow::HandRecord { .. }
            | Flow::Par { .. }
            | Flow::Ranking { .. }
            | Flow::CallDirector
            | Flow::Test { .. } => Some(self.live.last_key + FEEDBACK_OPEN_MAX),
            _ => None,
        }
    }

    /// When the minutes that the status line shows change.
    fn clock_changes_at(&self, now: Instant) -> Option<Instant> {
        let left_us = self.clock_left_us(now)?;
        let into_minute_us = left_us.rem_euclid(MINUTE_US).cast_unsigned();
        Some(now + Span::from_micros(into_minute_us + 1))
    }

    /// What is left of the round, where a clock runs.
    fn clock_left_us(&self, now: Instant) -> Option<i64> {
        let (clock, heard) = self.live.clock.as_ref()?;
        if clock.state != ClockState::Running {
            return None;
        }
        let gone_us = i64::try_from(now.since(*heard).as_micros()).unwrap_or(i64::MAX);
        Some((i64::from(clock.left_s) * 1_000_000).saturating_sub(gone_us))
    }
}
