//! A pad on a PC: the application, a flash in memory, and the pad's end of the link.
//!
//! Sans-IO like the link itself: bytes and `now` go in, frames and deadlines come out, so that any
//! number of pads share one thread, and a simulation decides what time it is.

use ::pad::app::Radio;
use ::pad::{App, BatteryGauge, Effects, Input, Key, LinkStatus, RecordKey, Screen, Store, Ticket};
use protocol::frame::{AssociationNumber, FrameBytes, PadKeys};
use protocol::link::{Binding, Modem, PadEvent, PadIdentity, PadLink, Timing};
use protocol::message::{CheckIn, FirmwareVersion};
use protocol::time::Instant;
use protocol::words::PadId;

use crate::{HostFlash, Pixels, block_on};

/// The firmware version that virtual pads report: this crate's.
pub const FIRMWARE: FirmwareVersion = FirmwareVersion(0, 1, 0);

/// Alkaline cells that have been used for a while: 2 x 1.4 V.
const BATTERY: BatteryGauge = BatteryGauge(140);

/// What a pad is set up with before it comes to a table.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Its identity.
    pub pad: PadId,
    /// Its part of the club key.
    pub keys: PadKeys,
    /// Network and channel.
    pub radio: Radio,
    /// Its modem.
    pub timing: Timing,
    /// Spreads pads over the channel, and decides how torn flash words look.
    pub seed: u64,
}

/// A pad on a PC.
pub struct VirtualPad {
    setup: Setup,
    app: App,
    store: Store<HostFlash>,
    link: PadLink,
    under_way: Option<Ticket>,
    binding: Option<Binding>,
    reported: Option<CheckIn>,
    starts: u64,
}

impl VirtualPad {
    /// A pad fresh from the box, with the club's key in it.
    pub fn new(setup: Setup, now: Instant) -> Self {
        let flash = HostFlash::new(setup.seed);
        Self::with_flash(setup, flash, now)
    }

    /// A pad that has been in use before, given the club's key once more.
    pub fn with_flash(setup: Setup, flash: HostFlash, now: Instant) -> Self {
        let mut pad = Self::start(setup, flash, 0, now);
        let effects = pad.app.provision(pad.setup.keys.clone(), pad.setup.radio);
        pad.perform(effects, now);
        pad
    }

    /// Presses a key.
    pub fn press(&mut self, key: Key, now: Instant) {
        self.handle(Input::Key(key), now);
    }

    /// What the display shows.
    pub fn screen(&self, now: Instant) -> Screen {
        self.app.screen(now)
    }

    /// The display pixel for pixel.
    pub fn pixels(&self, now: Instant) -> Pixels {
        Pixels::of(&self.screen(now))
    }

    /// Bytes from the modem.
    pub fn handle_receive(&mut self, bytes: &[u8], now: Instant) {
        self.link.handle_receive(bytes, now);
        self.listen(now);
    }

    /// The moment of [`Self::poll_timeout`] has come.
    pub fn handle_timeout(&mut self, now: Instant) {
        self.link.handle_timeout(now);
        self.listen(now);
        self.handle(Input::Tick, now);
    }

    /// A frame for the modem.
    pub fn poll_transmit(&mut self, now: Instant) -> Option<FrameBytes> {
        let frame = self.link.poll_transmit(now);
        self.listen(now);
        frame
    }

    /// When to call [`Self::handle_timeout`].
    pub fn poll_timeout(&self, now: Instant) -> Option<Instant> {
        let app = self.app.deadline(now);
        [self.link.poll_timeout(), app].into_iter().flatten().min()
    }

    /// Whether the modem has power.
    pub fn modem(&self) -> Modem {
        self.link.modem()
    }

    /// The cells are at this voltage.
    pub fn set_battery(&mut self, gauge: BatteryGauge, now: Instant) {
        self.handle(Input::Battery(gauge), now);
    }

    /// Pulls the battery and puts it back: everything but the flash is gone.
    pub fn restart(self, now: Instant) -> Self {
        let mut flash = self.store.into_flash();
        flash.restore_power();
        Self::start(self.setup, flash, self.starts + 1, now)
    }

    /// The application.
    pub fn app(&self) -> &App {
        &self.app
    }

    /// The link, for its tally.
    pub fn link(&self) -> &PadLink {
        &self.link
    }

    /// The flash, for cutting its power.
    pub fn flash(&mut self) -> &mut HostFlash {
        self.store.flash()
    }

    fn start(setup: Setup, flash: HostFlash, starts: u64, now: Instant) -> Self {
        let mut store = Store::new(flash, 0).expect("the journal begins at the first page");
        let mut app = App::new(setup.pad, FIRMWARE);
        let loaded = block_on(store.load(&mut app, now));
        let link = link(&setup, &app, &mut store, starts);
        let mut pad = Self {
            setup,
            app,
            store,
            link,
            under_way: None,
            binding: None,
            reported: None,
            starts,
        };
        if loaded.is_err() {
            pad.handle(Input::StoreFailed, now);
        }
        pad.handle(Input::Battery(BATTERY), now);
        pad
    }

    fn handle(&mut self, input: Input<'_>, now: Instant) {
        let effects = self.app.handle(input, now);
        self.perform(effects, now);
    }

    /// Writes, then looks after the link. The display needs nothing: it is asked for.
    fn perform(&mut self, effects: Effects, now: Instant) {
        if !effects.persist.is_empty()
            && block_on(self.store.save(&self.app, effects.persist)).is_err()
        {
            self.app.handle(Input::StoreFailed, now);
        }
        if effects.link_changed {
            self.link = link(&self.setup, &self.app, &mut self.store, self.starts);
            (self.under_way, self.binding, self.reported) = (None, None, None);
        }
        if effects.wake_modem {
            self.link.wake(now);
        }
        if self.app.binding() != self.binding {
            self.binding = self.app.binding();
            self.link.bind(self.binding);
        }
        if self.app.check_in() != self.reported {
            self.reported = self.app.check_in();
            self.link.report(self.reported, now);
        }
        if self
            .under_way
            .is_some_and(|ticket| self.app.is_outdated(ticket))
        {
            self.link.withdraw();
            self.under_way = None;
        }
        if self.link.is_ready()
            && let Some(outgoing) = self.app.outgoing(now)
            && self.link.send(&outgoing.up, now).is_ok()
        {
            self.under_way = Some(outgoing.ticket);
        }
    }

    /// Takes what the link has to say.
    fn listen(&mut self, now: Instant) {
        while let Some(event) = self.link.poll_event() {
            match event {
                PadEvent::Message(message) => self.handle(Input::Down(&message), now),
                PadEvent::Answered => {
                    if let Some(ticket) = self.under_way.take() {
                        self.handle(Input::Delivered(ticket), now);
                    }
                }
                PadEvent::Waiting | PadEvent::AnotherClub | PadEvent::VersionTooOld(_) => {
                    self.handle(Input::Link(LinkStatus::NoAnswer), now);
                }
                PadEvent::Contact => self.handle(
                    Input::Link(LinkStatus::Answered {
                        signal_minus_dbm: 0,
                    }),
                    now,
                ),
                PadEvent::Reserve(number) => {
                    let record = number.0.to_le_bytes();
                    if block_on(self.store.put(RecordKey::Counter, &record)).is_ok() {
                        self.link.reserved(number);
                    } else {
                        self.handle(Input::StoreFailed, now);
                    }
                }
            }
        }
    }
}

/// A link that never uses a number again that an earlier one of this pad has used.
fn link(setup: &Setup, app: &App, store: &mut Store<HostFlash>, starts: u64) -> PadLink {
    let record = block_on(store.get(RecordKey::Counter)).ok().flatten();
    let reserved = record.and_then(|record| <[u8; 4]>::try_from(record).ok());
    PadLink::new(
        PadIdentity {
            pad: setup.pad,
            network: app.radio().network_id(),
            keys: app.keys().unwrap_or(&setup.keys).clone(),
        },
        setup.timing,
        AssociationNumber(reserved.map_or(0, u32::from_le_bytes)),
        setup.seed ^ starts.rotate_left(32),
    )
}
