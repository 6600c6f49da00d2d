//! A pad on a PC: the pad's conductor, which also runs on the STM32, and a flash in memory.
//!
//! Sans-IO like the link itself: bytes and `now` go in, frames and deadlines come out, so that any
//! number of pads share one thread, and a simulation decides what time it is.

use ::pad::app::Radio;
use ::pad::conductor::{Conductor, Task};
use ::pad::service::Command;
use ::pad::{App, BatteryGauge, Input, Key, RecordKey, Screen, Store};
use protocol::frame::{AssociationNumber, ClubKey, FrameBytes, NetworkId, PadKeys};
use protocol::link::{Modem, Timing};
use protocol::time::Instant;
use protocol::words::{PadId, Refusal};

use crate::{HostFlash, Pixels, block_on};

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

impl Setup {
    /// A pad of that club on channel 1, spread over it by its own number.
    pub fn of(club: &ClubKey, pad: PadId, network: NetworkId, timing: Timing) -> Self {
        Self {
            pad,
            keys: club.for_pad(pad),
            radio: Radio {
                network: network.get(),
                channel: 1,
                ..Radio::FACTORY
            },
            timing,
            seed: u64::from(pad.get()),
        }
    }
}

/// A pad on a PC.
pub struct VirtualPad {
    setup: Setup,
    conductor: Conductor,
    store: Store<HostFlash>,
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
        let (keys, radio) = (pad.setup.keys.clone(), pad.setup.radio);
        pad.conductor.change(|app| app.provision(keys, radio));
        pad.settle(now);
        pad
    }

    /// A pad fresh from the factory: it belongs to no club yet.
    pub fn without_key(setup: Setup, now: Instant) -> Self {
        let flash = HostFlash::new(setup.seed);
        Self::start(setup, flash, 0, now)
    }

    /// Presses a key.
    pub fn press(&mut self, key: Key, now: Instant) {
        self.handle(Input::Key(key), now);
    }

    /// Types a line on the service port.
    pub fn type_on_service_port(&mut self, line: &str, now: Instant) -> Result<(), Refusal> {
        match line.parse()? {
            Command::Press(key) => self.press(key, now),
            Command::Provision { club, radio } => {
                self.conductor
                    .change(|app| app.provision(club.for_pad(app.pad()), radio));
                self.settle(now);
            }
            Command::Modem { rate, power } => {
                self.conductor.change(|app| app.tune(rate, power));
                self.settle(now);
            }
            Command::Number(badge) => {
                self.conductor.change(|app| app.wear(badge));
                self.settle(now);
            }
            Command::Speak(language) => {
                self.conductor.change(|app| app.speak(language));
                self.settle(now);
            }
            Command::Test(test) => {
                self.conductor.change(|app| app.test(test, now));
                self.settle(now);
            }
            Command::Restart => self.start_again(now),
            Command::Update(_) => {
                return Err(Refusal("a pad on a PC has its program from that PC"));
            }
            // A host can look at the screen, and has a program and a watchdog of its own.
            Command::About | Command::Information | Command::Panic | Command::Hang => {}
        }
        Ok(())
    }

    /// What the display shows.
    pub fn screen(&self, now: Instant) -> Screen {
        let screen = self.conductor.screen(now);
        debug_assert_eq!(screen.overflow(), None, "{screen:#?}");
        screen
    }

    /// The display pixel for pixel.
    pub fn pixels(&self, now: Instant) -> Pixels {
        Pixels::of(&self.screen(now))
    }

    /// Bytes from the modem.
    pub fn handle_receive(&mut self, bytes: &[u8], now: Instant) {
        self.conductor.receive(bytes, now);
        self.settle(now);
    }

    /// The moment of [`Self::poll_timeout`] has come.
    pub fn handle_timeout(&mut self, now: Instant) {
        self.conductor.tick(now);
        self.settle(now);
    }

    /// A frame for the modem.
    pub fn poll_transmit(&mut self, now: Instant) -> Option<FrameBytes> {
        let frame = self.conductor.poll_transmit(now);
        self.settle(now);
        frame
    }

    /// When to call [`Self::handle_timeout`].
    pub fn poll_timeout(&self, now: Instant) -> Option<Instant> {
        self.conductor.deadline(now)
    }

    /// Whether the modem has power.
    pub fn modem(&self) -> Modem {
        self.conductor.modem()
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
        self.conductor.app()
    }

    /// The flash, for cutting its power.
    pub fn flash(&mut self) -> &mut HostFlash {
        self.store.flash()
    }

    fn start(setup: Setup, flash: HostFlash, starts: u64, now: Instant) -> Self {
        let mut store = Store::new(flash, 0).expect("the journal begins at the first page");
        let conductor = wake_up(&setup, &mut store, starts, now);
        let mut pad = Self {
            setup,
            conductor,
            store,
            starts,
        };
        pad.handle(Input::Battery(BATTERY), now);
        pad
    }

    /// Restarts without losing power, as the director's menu and the service port can.
    fn start_again(&mut self, now: Instant) {
        self.starts += 1;
        self.conductor = wake_up(&self.setup, &mut self.store, self.starts, now);
        self.handle(Input::Battery(BATTERY), now);
    }

    fn handle(&mut self, input: Input<'_>, now: Instant) {
        self.conductor.handle(input, now);
        self.settle(now);
    }

    /// Does everything that the conductor asks for. The display needs nothing: it is asked for.
    fn settle(&mut self, now: Instant) {
        while let Some(task) = self.conductor.next_task(now) {
            let written = match task {
                Task::Save(records) => block_on(self.store.save(self.conductor.app(), records)),
                Task::Reserve(number) => {
                    let record = number.0.to_le_bytes();
                    let written = block_on(self.store.put(RecordKey::Counter, &record));
                    if written.is_ok() {
                        self.conductor.reserved(number);
                    }
                    written
                }
                Task::Restart => return self.start_again(now),
                Task::Sound(_) => Ok(()),
            };
            if written.is_err() {
                self.conductor.handle(Input::StoreFailed, now);
            }
        }
    }
}

/// Brings a pad back to where it was, with a link that never uses a number again that an earlier
/// one of this pad has used.
fn wake_up(setup: &Setup, store: &mut Store<HostFlash>, starts: u64, now: Instant) -> Conductor {
    let mut app = App::new(setup.pad, ::pad::FIRMWARE);
    let loaded = block_on(store.load(&mut app, now));
    let record = block_on(store.get(RecordKey::Counter)).ok().flatten();
    let reserved = record.and_then(|record| <[u8; 4]>::try_from(record).ok());
    let reserved = AssociationNumber(reserved.map_or(0, u32::from_le_bytes));
    let seed = setup.seed ^ starts.rotate_left(32);
    let mut conductor = Conductor::new(app, setup.timing, reserved, seed);
    if loaded.is_err() {
        conductor.handle(Input::StoreFailed, now);
    }
    conductor
}
