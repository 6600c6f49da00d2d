//! Runs the pad: brings what happens to the conductor, and does what it asks for.
use cortex_m::peripheral::SCB;
use embassy_futures::select::{Either4, select4};
use embassy_stm32::Peri;
use embassy_stm32::flash::Flash;
use embassy_stm32::gpio::{Output, OutputOpenDrain};
use embassy_stm32::peripherals::{ADC1, IWDG};
use embassy_stm32::usart::{BufferedUartRx, BufferedUartTx};
use embassy_stm32::wdg::IndependentWatchdog;
use embassy_time::{Duration, Timer, with_timeout};
use embedded_io_async::{Read, Write};
use pad::conductor::{Conductor, Task};
use pad::service::{Command, condition, membership, tell_modem};
use pad::sleep::tell;
use pad::update::tell_program;
use pad::{App, BatteryGauge, Input, JOURNAL_LEN, RecordKey, Screen, Store, StoreError};
use protocol::frame::AssociationNumber;
use protocol::link::{Modem, Timing};
use protocol::modem::Action;
use protocol::time::{Instant, Span};
use static_cell::StaticCell;

use super::battery;
use super::channels::{
    ANSWERS, Answer, COMMANDS, DARKENED, GREETED, KEYS, MEMBERSHIP, MIRRORED, Membership, SHOWN,
    SOUNDS,
};
use super::clock;
use super::identity;
use super::idle::{self, FlashAtWork};
use super::time_base;
use super::update::{self, Programs, firmware};

/// The journal is the end of the chip's flash of one mebibyte.
const JOURNAL_START: u32 = 1024 * 1024 - JOURNAL_LEN;
/// The longest sleep, so that the watchdog is fed in time.
const SLEEP_MAX: Span = Span::from_secs(5);
/// A healthy flash writes everything a pad has in a second.
const FLASH_PATIENCE: Duration = Duration::from_secs(5);
/// A frame takes 54 ms on the line.
const RADIO_PATIENCE: Duration = Duration::from_secs(1);
/// Cells change slowly.
const GAUGE_EVERY: Span = Span::from_secs(600);

/// What the conductor's task owns of the board.
pub(crate) struct Parts {
    pub(crate) flash: Flash<'static>,
    pub(crate) transmitter: BufferedUartTx<'static>,
    pub(crate) receiver: BufferedUartRx<'static>,
    /// High gives the modem its supply.
    pub(crate) modem: Output<'static>,
    /// Low puts the modem into its AT mode; let go of, it feeds no modem that is without power.
    pub(crate) modem_set: OutputOpenDrain<'static>,
    pub(crate) converter: Peri<'static, ADC1>,
    pub(crate) watchdog: IndependentWatchdog<'static, IWDG>,
}

/// The pad's one task that decides anything.
#[embassy_executor::task]
pub(crate) async fn conduct(parts: Parts) {
    let Parts {
        flash,
        transmitter,
        mut receiver,
        modem,
        modem_set,
        converter,
        mut watchdog,
    } = parts;
    watchdog.unleash();
    let mut store = Store::new(flash, JOURNAL_START).ok();
    let conductor = wake_up(&mut store).await;
    let programs = Programs::look(store.as_mut().map(Store::flash), clock::now()).await;
    let mut outside = Outside {
        store,
        programs,
        transmitter,
        modem,
        modem_set,
        converter,
        shown: None,
        dark: false,
        answered: false,
        gauge_at: Instant::ZERO,
    };
    let mut bytes = [0; 64];
    loop {
        watchdog.pet();
        outside.settle(conductor).await;
        let now = clock::now();
        let latest = now + SLEEP_MAX;
        let until = conductor.deadline(now).map_or(latest, |at| at.min(latest));
        let happened = select4(
            KEYS.receive(),
            receiver.read(&mut bytes),
            COMMANDS.receive(),
            Timer::at(clock::at(until)),
        )
        .await;
        let now = clock::now();
        match happened {
            Either4::First(key) => conductor.handle(Input::Key(key), now),
            Either4::Second(Ok(length)) => {
                conductor.receive(bytes.get(..length).unwrap_or_default(), now);
            }
            // A line error costs a frame, which the link repeats.
            Either4::Second(Err(_)) => defmt::debug!("the radio line was disturbed"),
            Either4::Third(Command::Update(step)) => {
                let flash = outside.store.as_mut().map(Store::flash);
                let taken = outside.programs.take(flash, conductor.app(), &step).await;
                ANSWERS.signal(taken.map_or_else(Answer::Refused, Answer::Update));
            }
            Either4::Third(command) => obey(command, conductor, now),
            Either4::Fourth(()) => conductor.tick(now),
        }
    }
}

/// Brings the pad back to where it was.
async fn wake_up(store: &mut Option<Store<Flash<'static>>>) -> &'static mut Conductor {
    let now = clock::now();
    let conductor = blank();
    let mut reserved = AssociationNumber::default();
    let mut outcome = Err(StoreError);
    if let Some(store) = store {
        // A journal that a power cut left half-written is mended while it is read.
        let _at_work = FlashAtWork::begin();
        outcome = store.load(conductor.restoring(), now).await;
        reserved = counter(store).await;
    } else {
        conductor.restoring().resume(now);
    }
    conductor.drive_modem();
    conductor.begin(reserved, identity::seed(reserved));
    if outcome.is_err() {
        defmt::error!("the flash can't be read");
        conductor.handle(Input::StoreFailed, now);
    }
    conductor
}

/// A pad that knows nothing yet. It is made in its place and never moved: it is a quarter of what
/// the stack may take.
#[inline(never)]
fn blank() -> &'static mut Conductor {
    static CONDUCTOR: StaticCell<Conductor> = StaticCell::new();
    CONDUCTOR.init_with(|| Conductor::blank(App::new(identity::pad(), firmware()), Timing::COMMON))
}

async fn counter(store: &mut Store<Flash<'static>>) -> AssociationNumber {
    match store.get(RecordKey::Counter).await {
        Ok(Some(record)) => record
            .try_into()
            .map(u32::from_le_bytes)
            .map(AssociationNumber)
            .unwrap_or_default(),
        _ => AssociationNumber::default(),
    }
}

fn obey(command: Command, conductor: &mut Conductor, now: Instant) {
    match command {
        Command::Press(key) => conductor.handle(Input::Key(key), now),
        Command::Provision { club, radio } => {
            conductor.change(|app| app.provision(club.for_pad(app.pad()), radio));
        }
        Command::Modem { rate, power } => conductor.change(|app| app.tune(rate, power)),
        Command::Number(badge) => conductor.change(|app| app.wear(badge)),
        Command::Speak(language) => conductor.change(|app| app.speak(language)),
        Command::Test(test) => {
            conductor.change(|app| app.test(test, now));
            tell_membership(conductor);
        }
        Command::About => {
            GREETED.signal(());
            tell_membership(conductor);
        }
        Command::Information => {
            MIRRORED.signal(conductor.screen(now));
            tell_membership(conductor);
        }
        // Taken before it comes here: it waits for the flash.
        Command::Update(_) => {}
        Command::Restart => SCB::sys_reset(),
        Command::Panic => panic!("asked to panic on the service port"),
        Command::Hang => loop {
            cortex_m::asm::nop();
        },
    }
}

/// Whoever gave the pad its key sees that it is in flash, and how the pad sleeps.
fn tell_membership(conductor: &Conductor) {
    let (app, mut lines) = (conductor.app(), Membership::new());
    let written = membership(app, &mut lines)
        .and_then(|()| condition(app, &mut lines))
        .and_then(|()| tell_modem(app.radio(), conductor.tuned(), &mut lines));
    if written
        .and_then(|()| tell_program(update::running(), update::standing(), &mut lines))
        .and_then(|()| tell(time_base::beat(), &mut lines))
        .is_ok()
    {
        MEMBERSHIP.signal(lines);
    }
}

/// What the conductor has a say in.
struct Outside {
    store: Option<Store<Flash<'static>>>,
    programs: Programs,
    transmitter: BufferedUartTx<'static>,
    modem: Output<'static>,
    modem_set: OutputOpenDrain<'static>,
    converter: Peri<'static, ADC1>,
    shown: Option<Screen>,
    dark: bool,
    /// The base answered when the radio was tested.
    answered: bool,
    gauge_at: Instant,
}

impl Outside {
    /// Does everything that the conductor asks for: flash first, then display, then radio.
    async fn settle(&mut self, conductor: &mut Conductor) {
        self.read_gauge(conductor);
        self.tune(conductor).await;
        while let Some(task) = conductor.next_task(clock::now()) {
            self.perform(task, conductor).await;
        }
        self.prove(conductor).await;
        self.tell_of_answer(conductor);
        self.darken(conductor.app().is_dormant(clock::now()));
        self.show(conductor.screen(clock::now()));
        idle::modem(conductor.modem());
        self.modem
            .set_level((conductor.modem() == Modem::On).into());
        while let Some(frame) = conductor.poll_transmit(clock::now()) {
            self.write(&frame).await;
        }
    }

    /// Has the modem set as the pad was told, step by step.
    async fn tune(&mut self, conductor: &mut Conductor) {
        let before = conductor.tuned();
        while let Some(action) = conductor.poll_modem(clock::now()) {
            match action {
                Action::SetLow(low) => self.modem_set.set_level((!low).into()),
                Action::Baud(baud) => {
                    // The same device for both directions.
                    if self.transmitter.set_baudrate(baud).is_err() {
                        defmt::warn!("the radio line refuses its rate");
                    }
                }
                Action::Write(text) => self.write(&text).await,
            }
        }
        if conductor.tuned() != before {
            tell_membership(conductor);
        }
    }

    async fn write(&mut self, bytes: &[u8]) {
        let written = with_timeout(RADIO_PATIENCE, self.transmitter.write_all(bytes)).await;
        if !matches!(written, Ok(Ok(()))) {
            defmt::warn!("the radio takes no bytes");
        }
    }

    async fn perform(&mut self, task: Task, conductor: &mut Conductor) {
        match task {
            Task::Save(records) => {
                if self.save(conductor, records).await.is_err() {
                    defmt::error!("the flash can't be written");
                    conductor.handle(Input::StoreFailed, clock::now());
                } else if [
                    RecordKey::ClubKey,
                    RecordKey::Radio,
                    RecordKey::Badge,
                    RecordKey::Settings,
                ]
                .into_iter()
                .any(|key| records.contains(key))
                {
                    tell_membership(conductor);
                }
            }
            Task::Reserve(number) => {
                if self.put_counter(number).await.is_ok() {
                    conductor.reserved(number);
                } else {
                    conductor.handle(Input::StoreFailed, clock::now());
                }
            }
            Task::Sound(sound) => SOUNDS.signal(sound),
            Task::Restart => SCB::sys_reset(),
        }
    }

    /// A program on trial is kept when it has reached its base.
    async fn prove(&mut self, conductor: &Conductor) {
        let flash = self.store.as_mut().map(Store::flash);
        let reached = conductor.has_reached_base();
        if self.programs.prove(flash, reached, clock::now()).await {
            tell_membership(conductor);
        }
    }

    /// Whoever tests the radio by cable hears when the base has answered.
    fn tell_of_answer(&mut self, conductor: &Conductor) {
        let answered = conductor.app().was_answered();
        if self.answered != answered {
            self.answered = answered;
            tell_membership(conductor);
        }
    }

    async fn save(
        &mut self,
        conductor: &Conductor,
        records: pad::RecordSet,
    ) -> Result<(), StoreError> {
        let store = self.store.as_mut().ok_or(StoreError)?;
        let _at_work = FlashAtWork::begin();
        with_timeout(FLASH_PATIENCE, store.save(conductor.app(), records))
            .await
            .map_err(|_| StoreError)?
    }

    async fn put_counter(&mut self, number: AssociationNumber) -> Result<(), StoreError> {
        let store = self.store.as_mut().ok_or(StoreError)?;
        let record = number.0.to_le_bytes();
        let _at_work = FlashAtWork::begin();
        with_timeout(FLASH_PATIENCE, store.put(RecordKey::Counter, &record))
            .await
            .map_err(|_| StoreError)?
    }

    /// A pad in its box needs no display; the next key brings it back.
    fn darken(&mut self, dark: bool) {
        if self.dark != dark {
            self.dark = dark;
            DARKENED.signal(dark);
        }
    }

    fn show(&mut self, screen: Screen) {
        if self.shown.as_ref() != Some(&screen) {
            SHOWN.signal(screen.clone());
            MIRRORED.signal(screen.clone());
            self.shown = Some(screen);
        }
    }

    /// While the modem is on the boost converter hides the cells.
    fn read_gauge(&mut self, conductor: &mut Conductor) {
        let now = clock::now();
        if now < self.gauge_at || conductor.modem() == Modem::On {
            return;
        }
        self.gauge_at = now + GAUGE_EVERY;
        let supply_mv = battery::supply_mv(self.converter.reborrow()).unwrap_or(0);
        defmt::info!("supply {} mV", supply_mv);
        let gauge = BatteryGauge(u8::try_from(supply_mv / 20).unwrap_or(u8::MAX));
        conductor.handle(Input::Battery(gauge), now);
    }
}
