//! The pad as one value: what has been said, where the players are, what has to be sent.
//!
//! Handling an input changes the value and says what has to be written to flash; it draws
//! nothing and sends nothing. See the crate's documentation for what a shell does around it.

mod board;
mod digits;
mod director;
mod flow;
mod heard;
mod log_on;
mod number;
mod over;
mod play;
mod records;
mod results;
mod said;
mod typing;
mod view;

use protocol::frame::{NetworkId, PadKeys};
use protocol::message::{
    Clock, ClockState, Down, Feedback, FirmwareVersion, Notice, PairNames, RefusalReason, Settings,
    Welcome,
};
use protocol::time::{Instant, Span};
use protocol::words::{PadId, PlayerNumber, RoundNumber};
use serde::{Deserialize, Serialize};

pub use digits::Digits;
pub use flow::{Adjusting, Behind, Claim, Draft, Flow};
pub use said::{Outgoing, Ticket};
pub use typing::{Step, Typing};

use crate::game::{Game, GameTag, Progress, Schedule, Stage, StoredPlayers};
use crate::texts::Text;
use crate::{Key, RecordKey, RecordSet, Screen, Sheet};
use number::Guesses;
use said::Said;

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
    /// Two alkaline cells at 1.05 V each have a few evenings left.
    const LOW: u8 = 105;

    /// Whether somebody should bring new cells.
    pub const fn is_low(self) -> bool {
        self.0 > 0 && self.0 < Self::LOW
    }

    /// In millivolts.
    pub const fn millivolts(self) -> u16 {
        self.0 as u16 * 20
    }
}

/// Where the pad looks for its base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Radio {
    /// Tells two events in one room apart.
    pub network: u8,
    /// The modem's channel.
    pub channel: u8,
}

impl Radio {
    /// As pads leave the factory.
    pub const FACTORY: Self = Self {
        network: 0,
        channel: 0,
    };

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

    // In flash.
    game: Option<Game>,
    settings: Settings,
    schedule: Schedule,
    sheet: Sheet,
    progress: Progress,
    names: Option<PairNames>,
    players: Option<StoredPlayers>,
    radio: Radio,
    keys: Option<PadKeys>,

    // Gone with the power, and not missed.
    flow: Flow,
    under: Flow,
    waiting_over: Option<Flow>,
    said: Said,
    /// What the link carries, or carried last.
    carried: Option<Ticket>,
    warning: Option<Text>,
    feedback: Option<Feedback>,
    feedback_refused: Option<RefusalReason>,
    notice: Notice,
    clock: Option<(Clock, Instant)>,
    numbers: [Option<PlayerNumber>; 4],
    /// Wrong director's numbers in a row: in flash, so that new batteries don't help to guess.
    guesses: Guesses,
    called: bool,
    gate_open: bool,
    welcome: Option<Welcome>,
    link: LinkStatus,
    signal_minus_dbm: u8,
    battery: BatteryGauge,
    store_failed: bool,
    last_key: Instant,
    /// When something was last handled.
    handled: Instant,
    effects: Effects,
}

impl App {
    /// A pad that has never been used.
    pub fn new(pad: PadId, firmware: FirmwareVersion) -> Self {
        Self {
            pad,
            firmware,
            game: None,
            settings: Settings::CLUB_EVENING,
            schedule: Schedule::EMPTY,
            sheet: Sheet::new(),
            progress: Progress::of_round(GameTag::NONE, RoundNumber::FIRST, None),
            names: None,
            players: None,
            radio: Radio::FACTORY,
            keys: None,
            flow: Flow::Start,
            under: Flow::Start,
            waiting_over: None,
            said: Said::default(),
            carried: None,
            warning: None,
            feedback: None,
            feedback_refused: None,
            notice: Notice::new(),
            clock: None,
            numbers: [None; 4],
            guesses: Guesses::default(),
            called: false,
            gate_open: true,
            welcome: None,
            link: LinkStatus::Asleep,
            signal_minus_dbm: 0,
            battery: BatteryGauge::default(),
            store_failed: false,
            last_key: Instant::ZERO,
            handled: Instant::ZERO,
            effects: Effects::default(),
        }
    }

    /// Takes an input and says what has to be done.
    pub fn handle(&mut self, input: Input<'_>, now: Instant) -> Effects {
        self.effects = Effects::default();
        self.handled = now;
        match input {
            Input::Key(key) => self.key(key, now),
            Input::Down(message) => self.heard(message, now),
            Input::Link(status) => self.link_is(status, now),
            Input::Delivered(ticket) => self.delivered(ticket, now),
            Input::Tick => self.tick(now),
            Input::Battery(gauge) => self.battery = gauge,
            Input::StoreFailed => self.store_failed = true,
        }
        core::mem::take(&mut self.effects)
    }

    /// Puts the players where they were, after the records have been restored.
    pub fn resume(&mut self, now: Instant) {
        self.guesses.rest_again(now);
        self.last_key = now;
        self.flow = self.home();
        self.under = self.flow;
        self.said.expect_news(now);
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
        effects.sound != Some(Sound::Refused) && (effects != silent || tried.flow != self.flow)
    }

    /// When [`Input::Tick`] is wanted, if anything is waiting for time to pass.
    pub fn deadline(&self, now: Instant) -> Option<Instant> {
        [
            self.closes_at(),
            // What can be said is asked for after every input: while the link is busy with it, a
            // moment before the last input would keep the shell awake for nothing.
            self.speaks_at().filter(|at| *at > self.handled),
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
        let nobody_plays = matches!(self.flow, Flow::Start | Flow::Replaced | Flow::SessionEnd);
        self.last_key
            + if nobody_plays {
                DORMANT_AFTER
            } else {
                FORGOTTEN_AFTER
            }
    }

    /// Whether nobody minds that nothing is heard of the pad any more.
    fn may_be_silent(&self, now: Instant) -> bool {
        let after = match self.flow {
            Flow::SessionEnd => SILENT_AFTER_SESSION,
            _ => FORGOTTEN_AFTER,
        };
        self.sheet.unsent() == 0 && self.last_key + after <= now
    }

    /// Where the players are.
    pub const fn flow(&self) -> &Flow {
        &self.flow
    }

    /// The score sheet.
    pub const fn sheet(&self) -> &Sheet {
        &self.sheet
    }

    /// The game, also one that has been put away.
    pub const fn game(&self) -> Option<&Game> {
        self.game.as_ref()
    }

    /// How the club plays.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Where the pad looks for its base.
    pub const fn radio(&self) -> Radio {
        self.radio
    }

    /// What the pad has of the club's key.
    pub const fn keys(&self) -> Option<&PadKeys> {
        self.keys.as_ref()
    }

    /// Gives the pad its part of the club's key, and its network and channel, without typing:
    /// for the service port and for virtual pads.
    pub fn provision(&mut self, keys: PadKeys, radio: Radio) -> Effects {
        self.keys = Some(keys);
        self.radio = radio;
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
        self.carried = Some(ticket);
    }

    /// The pad's identity.
    pub const fn pad(&self) -> PadId {
        self.pad
    }

    pub(crate) fn playing(&self) -> Option<&Game> {
        self.game
            .as_ref()
            .filter(|game| game.stage == Stage::Playing)
    }

    fn key(&mut self, key: Key, now: Instant) {
        self.last_key = now;
        self.warning = None;
        if self.flow.is_directors() {
            self.director_key(key, now);
        } else if self.flow.is_over() {
            self.over_key(key);
        } else if !self.common_key(key) {
            self.play_key(key);
        }
    }

    /// Keys that mean the same wherever players are; true if it was one of them.
    fn common_key(&mut self, key: Key) -> bool {
        match (key, &self.flow) {
            (Key::Director, _) => self.ask_for_director(),
            // CALL is also the ten of the opening lead, and a letter.
            (Key::Call, Flow::Entry(typing)) if typing.step(&self.settings) == Step::LeadRank => {
                return false;
            }
            (Key::Call, Flow::Section { .. }) => return false,
            (Key::Call, _) if self.playing().is_some() => self.lay_over(Flow::CallDirector),
            _ => return false,
        }
        true
    }

    fn lay_over(&mut self, flow: Flow) {
        if !self.flow.is_over() {
            self.under = self.flow;
        }
        self.flow = flow;
    }

    /// Back to where the players were.
    fn leave(&mut self) {
        self.flow = self.under;
        if let Some(flow) = self.waiting_over.take() {
            self.lay_over(flow);
        }
    }

    /// A key that does not fit: say what was expected, change nothing.
    fn warn(&mut self, text: Text) {
        self.warning = Some(text);
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
        match self.flow {
            flow if flow.is_directors() => Some(self.last_key + MENU_OPEN_MAX),
            Flow::Traveller { .. }
            | Flow::HandRecord { .. }
            | Flow::Par { .. }
            | Flow::Ranking { .. }
            | Flow::CallDirector => Some(self.last_key + FEEDBACK_OPEN_MAX),
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
        let (clock, heard) = self.clock.as_ref()?;
        if clock.state != ClockState::Running {
            return None;
        }
        let gone_us = i64::try_from(now.since(*heard).as_micros()).unwrap_or(i64::MAX);
        Some((i64::from(clock.left_s) * 1_000_000).saturating_sub(gone_us))
    }
}
