//! The application and the pad's end of the link together: what happens, and in which order.
//!
//! A shell around it owns the keypad, the flash, the display, the modem and the clock, and runs
//! this loop; a pad on a PC runs the same:
//!
//! ```text
//! loop {
//!     while let Some(task) = conductor.next_task(now()) { do it, and report it }
//!     show(conductor.screen(now()));
//!     while let Some(action) = conductor.poll_modem(now()) { do it at the modem's pins }
//!     set_modem_power(conductor.modem());
//!     while let Some(frame) = conductor.poll_transmit(now()) { write(frame) }
//!     match select(key(), read_some_bytes(), sleep_until(conductor.deadline(now()))) {
//!         Key(key) => conductor.handle(Input::Key(key), now()),
//!         Bytes(bytes) => conductor.receive(bytes, now()),
//!         Time => conductor.tick(now()),
//!     }
//! }
//! ```
//!
//! Tasks come before the screen and before the radio, so nothing is shown or sent that is not in
//! flash.

use protocol::frame::{AssociationNumber, FrameBytes};
use protocol::link::{Binding, Modem, PadEvent, PadIdentity, PadLink, Timing, Unsent};
use protocol::message::CheckIn;
use protocol::modem::{Action, Outcome, Setting, Trouble};
use protocol::time::Instant;

use crate::app::Radio;
use crate::{App, Effects, Input, LinkStatus, RecordSet, Screen, Sound, Ticket};

/// Leads from one link's seed to the next one's.
const SEED_STEP: u64 = 6_364_136_223_846_793_005;

/// What the shell has to do before anything is shown or sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Write these records of the application; report a failure with [`Input::StoreFailed`].
    Save(RecordSet),
    /// Write this number as [`crate::RecordKey::Counter`], then call [`Conductor::reserved`].
    Reserve(AssociationNumber),
    /// Sound this.
    Sound(Sound),
    /// Restart the pad.
    Restart,
}

/// How the pad's modem is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tuned {
    /// Nobody has told the pad to what: it is left as it is.
    #[default]
    Left,
    /// As it should be, and it says so.
    Set,
    /// It does not answer: its SET pin is not connected. It is used as it is.
    Silent,
    /// It was told, and says something else.
    Differs,
}

/// The modem on its way to that. Until it is there nobody is called.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "a pad has one, and no heap to put it on"
)]
enum Tuning {
    /// It is there.
    Done,
    /// The pad was told other settings, or has just started.
    Due,
    Underway(Setting),
}

/// A pad: its application and its link.
#[derive(Debug)]
pub struct Conductor {
    app: App,
    /// None until the pad has its part of the club's key.
    link: Option<PadLink>,
    timing: Timing,
    /// The shell has the modem's pins.
    drives_modem: bool,
    tuning: Tuning,
    tuned: Tuned,
    /// What the modem was tuned to.
    tuned_to: Radio,
    reserved: AssociationNumber,
    seed: u64,
    /// What the link is carrying to the base.
    carried: Option<Ticket>,
    /// What the link was told last.
    binding: Option<Binding>,
    reported: Option<CheckIn>,
    /// The base has answered since the start.
    has_reached_base: bool,
    to_save: RecordSet,
    to_sound: Option<Sound>,
    to_restart: bool,
}

impl Conductor {
    /// A pad whose records have been restored.
    ///
    /// `reserved` is the number of the last [`Task::Reserve`] that was written, 0 on a new pad;
    /// `seed` should differ at every start.
    pub fn new(app: App, timing: Timing, reserved: AssociationNumber, seed: u64) -> Self {
        let mut conductor = Self::blank(app, timing);
        conductor.begin(reserved, seed);
        conductor
    }

    /// A pad whose records are still to be restored, with [`Self::restoring`]; then
    /// [`Self::begin`]. A shell with little stack has it in its place from the beginning.
    pub const fn blank(app: App, timing: Timing) -> Self {
        Self {
            app,
            link: None,
            timing,
            drives_modem: false,
            tuning: Tuning::Done,
            tuned: Tuned::Left,
            tuned_to: Radio::FACTORY,
            reserved: AssociationNumber(0),
            seed: 0,
            carried: None,
            binding: None,
            reported: None,
            has_reached_base: false,
            to_save: RecordSet::EMPTY,
            to_sound: None,
            to_restart: false,
        }
    }

    /// The application while its records are restored.
    pub const fn restoring(&mut self) -> &mut App {
        &mut self.app
    }

    /// The shell does what [`Self::poll_modem`] says. Said before [`Self::begin`].
    pub fn drive_modem(&mut self) {
        self.drives_modem = true;
        self.tuning = Tuning::Due;
    }

    /// The records are restored; the arguments are those of [`Self::new`].
    pub fn begin(&mut self, reserved: AssociationNumber, seed: u64) {
        self.reserved = reserved;
        self.seed = seed;
        self.set_up_link();
    }

    /// The application, to be looked at.
    pub const fn app(&self) -> &App {
        &self.app
    }

    /// The link, to be looked at; none until the pad has its part of the club's key.
    pub const fn link(&self) -> Option<&PadLink> {
        self.link.as_ref()
    }

    /// Whether the base has answered under the club's key since the start.
    pub const fn has_reached_base(&self) -> bool {
        self.has_reached_base
    }

    /// What the display should show.
    pub fn screen(&self, now: Instant) -> Screen {
        self.app.screen(now)
    }

    /// Something happened.
    pub fn handle(&mut self, input: Input<'_>, now: Instant) {
        let effects = self.app.handle(input, now);
        self.take(effects);
    }

    /// Something is done to the application from outside, such as [`App::provision`].
    pub fn change(&mut self, change: impl FnOnce(&mut App) -> Effects) {
        let effects = change(&mut self.app);
        self.take(effects);
    }

    /// Bytes from the modem.
    pub fn receive(&mut self, bytes: &[u8], now: Instant) {
        if let Tuning::Underway(setting) = &mut self.tuning {
            setting.handle_receive(bytes, now);
        }
        if let Some(link) = &mut self.link {
            link.handle_receive(bytes, now);
        }
    }

    /// The line to the base is there, or back: see [`PadLink::call_now`].
    pub fn line_is_up(&mut self, now: Instant) {
        if let Some(link) = &mut self.link {
            link.call_now(now);
        }
    }

    /// The [`Self::deadline`] has come.
    pub fn tick(&mut self, now: Instant) {
        if let Some(link) = &mut self.link {
            link.handle_timeout(now);
        }
        if self.app.deadline(now).is_some_and(|at| at <= now) {
            self.handle(Input::Tick, now);
        }
    }

    /// The number of [`Task::Reserve`] is in flash.
    pub fn reserved(&mut self, number: AssociationNumber) {
        self.reserved = number;
        if let Some(link) = &mut self.link {
            link.reserved(number);
        }
    }

    /// What to do next; `None` when everything is settled for now.
    pub fn next_task(&mut self, now: Instant) -> Option<Task> {
        loop {
            if !self.to_save.is_empty() {
                return Some(Task::Save(core::mem::take(&mut self.to_save)));
            }
            if let Some(sound) = self.to_sound.take() {
                return Some(Task::Sound(sound));
            }
            if core::mem::take(&mut self.to_restart) {
                return Some(Task::Restart);
            }
            self.offer(now);
            match self.link.as_mut().and_then(PadLink::poll_event)? {
                PadEvent::Reserve(number) => return Some(Task::Reserve(number)),
                event => self.hear(event, now),
            }
        }
    }

    /// A frame for the modem.
    pub fn poll_transmit(&mut self, now: Instant) -> Option<FrameBytes> {
        self.link.as_mut()?.poll_transmit(now)
    }

    /// What to do at the modem's pins, so that it is as the pad was told. Ask until there is nothing.
    pub fn poll_modem(&mut self, now: Instant) -> Option<Action> {
        if let Tuning::Due = self.tuning {
            let radio = self.app.radio();
            self.tuned_to = radio;
            let Some(wanted) = radio.modem() else {
                self.is_tuned(Tuned::Left);
                return Some(Action::Baud(radio.baud()));
            };
            self.tuning = Tuning::Underway(Setting::new(wanted, wanted.baud, now));
        }
        let Tuning::Underway(setting) = &mut self.tuning else {
            return None;
        };
        if let Some(action) = setting.poll(now) {
            return Some(action);
        }
        let tuned = match setting.outcome()? {
            Outcome::Set { .. } => Tuned::Set,
            Outcome::Not(Trouble::Silent) => Tuned::Silent,
            Outcome::Not(Trouble::Differs(_)) => Tuned::Differs,
        };
        self.is_tuned(tuned);
        None
    }

    /// How the modem is set.
    pub const fn tuned(&self) -> Tuned {
        self.tuned
    }

    fn is_tuned(&mut self, tuned: Tuned) {
        self.tuned = tuned;
        self.tuning = Tuning::Done;
        self.set_up_link();
    }

    /// Whether the modem should have power now.
    pub fn modem(&self) -> Modem {
        if let Tuning::Underway(_) = self.tuning {
            return Modem::On;
        }
        self.link.as_ref().map_or(Modem::Off, PadLink::modem)
    }

    /// When [`Self::tick`] is wanted.
    pub fn deadline(&self, now: Instant) -> Option<Instant> {
        // While the modem is set there is no link.
        let link = match &self.tuning {
            Tuning::Underway(setting) => setting.poll_timeout(),
            Tuning::Due | Tuning::Done => self.link.as_ref().and_then(PadLink::poll_timeout),
        };
        [link, self.app.deadline(now)].into_iter().flatten().min()
    }

    fn take(&mut self, effects: Effects) {
        self.to_save.extend(effects.persist);
        self.to_sound = effects.sound.or(self.to_sound);
        self.to_restart |= effects.restart;
        if effects.link_changed {
            self.set_up_link();
        }
    }

    fn set_up_link(&mut self) {
        (self.carried, self.binding, self.reported) = (None, None, None);
        // No link begins with the dice of an earlier one: its first frames would have the same
        // salt.
        self.seed = self.seed.wrapping_mul(SEED_STEP).wrapping_add(1);
        let before = self.link.as_ref().map(|link| &link.identity().keys);
        if self.reserved >= AssociationNumber::NEAR_END
            && before.is_some_and(|it| self.app.keys() != Some(it))
        {
            // Under a new key the numbers begin anew.
            self.reserved = AssociationNumber(0);
        }
        if self.drives_modem {
            if self.tuned_to != self.app.radio() {
                self.tuning = Tuning::Due;
            }
            self.timing = Timing::at_baud(self.app.radio().baud());
        }
        let is_tuned = matches!(self.tuning, Tuning::Done);
        let keys = self.app.keys().filter(|_| is_tuned);
        self.link = keys.map(|keys| {
            let identity = PadIdentity {
                pad: self.app.pad(),
                network: self.app.radio().network_id(),
                keys: keys.clone(),
            };
            PadLink::new(identity, self.timing, self.reserved, self.seed)
        });
    }

    /// Hands the link what the application wants to say, and takes back what it no longer does.
    fn offer(&mut self, now: Instant) {
        let Some(link) = &mut self.link else {
            // While the modem is set there is none either, and soon will be.
            if self.app.keys().is_none() && self.app.outgoing(now).is_some() {
                self.handle(Input::Link(LinkStatus::NoKey), now);
            }
            return;
        };
        // Only what changed is told: on a welcome the link knows its new table before the
        // application has taken it.
        if self.app.binding() != self.binding {
            self.binding = self.app.binding();
            link.bind(self.binding);
        }
        let check_in = self.app.check_in(now);
        if check_in != self.reported {
            self.reported = check_in;
            link.report(check_in, now);
        }
        if self
            .carried
            .is_some_and(|ticket| self.app.is_outdated(ticket))
        {
            link.withdraw();
            self.carried = None;
        }
        if self.carried.is_none()
            && link.is_ready()
            && let Some(outgoing) = self.app.outgoing(now)
        {
            match link.send(&outgoing.up, now) {
                Ok(()) => {
                    self.carried = Some(outgoing.ticket);
                    self.app.carries(outgoing.ticket);
                }
                Err(Unsent::Busy) => {}
                // It will never go: better unsaid than everything behind it.
                Err(Unsent::TooLong) => self.handle(Input::Delivered(outgoing.ticket), now),
            }
        }
    }

    fn hear(&mut self, event: PadEvent, now: Instant) {
        self.has_reached_base |= matches!(
            event,
            PadEvent::Message(_) | PadEvent::Answered | PadEvent::Contact
        );
        match event {
            PadEvent::Message(message) => self.handle(Input::Down(&message), now),
            PadEvent::Answered => {
                if let Some(ticket) = self.carried.take() {
                    self.handle(Input::Delivered(ticket), now);
                }
            }
            PadEvent::Contact => {
                // The modem does not tell how strongly it hears.
                let status = LinkStatus::Answered {
                    signal_minus_dbm: 0,
                };
                self.handle(Input::Link(status), now);
            }
            PadEvent::Waiting => self.handle(Input::Link(LinkStatus::NoAnswer), now),
            PadEvent::AnotherClub => self.handle(Input::Link(LinkStatus::AnotherClub), now),
            PadEvent::VersionTooOld(_) => self.handle(Input::Link(LinkStatus::TooOld), now),
            PadEvent::KeyRunsLow => self.handle(Input::KeyRunsLow, now),
            PadEvent::KeyUsedUp => self.handle(Input::Link(LinkStatus::NoKey), now),
            // Answered by `next_task`.
            PadEvent::Reserve(_) => {}
        }
    }
}

#[cfg(test)]
#[expect(clippy::panic, reason = "tests may fail")]
mod tests;
