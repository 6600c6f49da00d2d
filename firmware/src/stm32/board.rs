//! Which pin of the B-L475E-IOT01A does what: everything is on the board's Arduino headers, except
//! the service port, which is the board's USB socket.
//!
//! | part | header | pins |
//! |---|---|---|
//! | radio modem | D1, D0, D8, D9 | PA0 transmit, PA1 receive, PB2 supply on, PA15 set |
//! | display, write only | D13, D11, D10, D14, D15 | PA5 clock, PA7 data, PA2 select, PB9 on, PB8 polarity |
//! | keypad rows | D2 to D7 | PD14, PB0, PA3, PB4, PB1, PA4 |
//! | keypad columns | A5 to A0 | PC0, PC1, PC2, PC3, PC4, PC5 |
//! | buzzer | D12 | PA6 |
//! | lamp | on the board | PB14 |
//! | service port | USB | PB6 transmit, PB7 receive |
//! | crystal of 32,768 Hz | on the board | PC14, PC15 |
//!
//! The columns have six different pin numbers, so that each has a wake-up line of its own. The
//! battery needs no pin: the chip measures its own supply against its internal reference.
use defmt_rtt as _;
use embassy_stm32::exti::{self, ExtiInput};
use embassy_stm32::flash::{self, Flash};
use embassy_stm32::gpio::{AnyPin, Level, Output, OutputOpenDrain, Pin, Pull, Speed};
use embassy_stm32::interrupt::typelevel as vectors;
use embassy_stm32::pac::RCC;
use embassy_stm32::spi::{self, Spi};
use embassy_stm32::time::Hertz;
use embassy_stm32::usart::{self, BufferedUart};
use embassy_stm32::wdg::IndependentWatchdog;
use embassy_stm32::{Config, Peri, Peripherals, bind_interrupts, peripherals, rcc};
use protocol::link::Timing;
use static_cell::StaticCell;

use super::conduct::{self, Parts};
use super::display::{self, MemoryLcd};
use super::executor;
use super::identity;
use super::idle;
use super::keypad::{self, Contacts};
use super::service;
use super::sounds;
use super::time_base;
use super::update;

bind_interrupts!(struct Interrupts {
    EXTI0 => exti::InterruptHandler<vectors::EXTI0>;
    EXTI1 => exti::InterruptHandler<vectors::EXTI1>;
    EXTI2 => exti::InterruptHandler<vectors::EXTI2>;
    EXTI3 => exti::InterruptHandler<vectors::EXTI3>;
    EXTI4 => exti::InterruptHandler<vectors::EXTI4>;
    EXTI9_5 => exti::InterruptHandler<vectors::EXTI9_5>;
    FLASH => flash::InterruptHandler;
    UART4 => usart::BufferedInterruptHandler<peripherals::UART4>;
    USART1 => usart::BufferedInterruptHandler<peripherals::USART1>;
});

/// A pad that hangs restarts after this time. The conductor feeds the watchdog every five seconds.
const WATCHDOG_US: u32 = 16_000_000;
/// The service port is a cable.
const SERVICE_BAUD: u32 = 115_200;
/// The radio's rings: the longest burst that can come in while a page of flash is written.
const RADIO_BUFFER_LEN: usize = 512;
const SERVICE_BUFFER_LEN: usize = 256;

#[cortex_m_rt::entry]
fn start() -> ! {
    let Some(mut processor) = cortex_m::Peripherals::take() else {
        defmt::panic!("the processor was taken before the start");
    };
    update::take_interrupts(&processor.SCB);
    let peripherals = embassy_stm32::init(clocks());
    log_reason();
    time_base::start();
    spawn(peripherals);
    loop {
        idle::rest(&mut processor.SCB);
    }
}

/// The internal 16 MHz oscillator: no crystal has to start before the pad does, and it computes
/// little. A stopped chip wakes on the same oscillator. The crystal is looked after by the time
/// base.
fn clocks() -> Config {
    let mut config = Config::default();
    // A probe could follow the pad into STOP, but its clocks would run on there.
    config.enable_debug_during_sleep = false;
    config.rcc.hsi = true;
    config.rcc.msi = None;
    config.rcc.sys = rcc::Sysclk::HSI;
    config.rcc.ls = rcc::LsConfig::off();
    config
}

/// Why the pad starts: new cells, a brown-out, the watchdog, or itself after a panic.
fn log_reason() {
    let reasons = RCC.csr().read();
    RCC.csr().modify(|w| w.set_rmvf(true));
    let reason = if reasons.iwdgrstf() {
        "the watchdog bit"
    } else if reasons.sftrstf() {
        "the pad restarted itself"
    } else if reasons.borrstf() {
        "power came, or came back"
    } else {
        "somebody pressed reset"
    };
    defmt::info!("start: {=str}", reason);
}

fn spawn(p: Peripherals) {
    static RADIO_BUFFERS: StaticCell<[[u8; RADIO_BUFFER_LEN]; 2]> = StaticCell::new();
    static SERVICE_BUFFERS: StaticCell<[[u8; SERVICE_BUFFER_LEN]; 2]> = StaticCell::new();

    let [transmit, receive] = RADIO_BUFFERS.init([[0; RADIO_BUFFER_LEN]; 2]);
    let line = serial(Timing::COMMON.baud);
    let radio = BufferedUart::new(p.UART4, p.PA1, p.PA0, transmit, receive, Interrupts, line);
    let [transmit, receive] = SERVICE_BUFFERS.init([[0; SERVICE_BUFFER_LEN]; 2]);
    let line = serial(SERVICE_BAUD);
    let service = BufferedUart::new(p.USART1, p.PB7, p.PB6, transmit, receive, Interrupts, line);
    let (Ok(radio), Ok(service)) = (radio, service) else {
        defmt::panic!("the serial ports refuse settings that never change");
    };
    let (transmitter, receiver) = radio.split();
    let (speaker, listener) = service.split();

    let rows: [Peri<'static, AnyPin>; 6] = [
        p.PD14.into(),
        p.PB0.into(),
        p.PA3.into(),
        p.PB4.into(),
        p.PB1.into(),
        p.PA4.into(),
    ];
    let contacts = Contacts {
        rows: rows.map(|pin| OutputOpenDrain::new(pin, Level::High, Speed::Low)),
        columns: [
            ExtiInput::new(p.PC0, p.EXTI0, Pull::Up, Interrupts),
            ExtiInput::new(p.PC1, p.EXTI1, Pull::Up, Interrupts),
            ExtiInput::new(p.PC2, p.EXTI2, Pull::Up, Interrupts),
            ExtiInput::new(p.PC3, p.EXTI3, Pull::Up, Interrupts),
            ExtiInput::new(p.PC4, p.EXTI4, Pull::Up, Interrupts),
            ExtiInput::new(p.PC5, p.EXTI5, Pull::Up, Interrupts),
        ],
    };
    let bus = Spi::new_blocking_txonly(p.SPI1, p.PA5, p.PA7, display_bus());
    let display = MemoryLcd::new(bus, output(p.PA2), output(p.PB9));
    let parts = Parts {
        flash: Flash::new(p.FLASH, Interrupts),
        transmitter,
        receiver,
        modem: output(p.PB2),
        modem_set: OutputOpenDrain::new(p.PA15, Level::High, Speed::Low),
        converter: p.ADC1,
        watchdog: IndependentWatchdog::new(p.IWDG, WATCHDOG_US),
    };

    idle::prepare();
    let spawner = executor::start();
    // Every task is spawned once, so its one place is free.
    let _ = time_base::wait_for_crystal().map(|task| spawner.spawn(task));
    let _ = keypad::scan(contacts).map(|task| spawner.spawn(task));
    let _ = display::paint(display).map(|task| spawner.spawn(task));
    let _ = display::alternate(output(p.PB8)).map(|task| spawner.spawn(task));
    let _ = sounds::play(output(p.PA6), output(p.PB14)).map(|task| spawner.spawn(task));
    let _ = service::speak(speaker).map(|task| spawner.spawn(task));
    let _ = service::listen(listener).map(|task| spawner.spawn(task));
    let _ = conduct::conduct(parts).map(|task| spawner.spawn(task));
    defmt::info!("pad {} started", identity::pad().get());
}

fn output(pin: Peri<'static, impl Pin>) -> Output<'static> {
    Output::new(pin, Level::Low, Speed::Low)
}

fn serial(baud: u32) -> usart::Config {
    let mut config = usart::Config::default();
    config.baudrate = baud;
    // With nothing at the other end, or nothing that has power, the line must not float.
    config.rx_pull = Pull::Down;
    // Every byte counts at once: the link listens for a free channel.
    config.eager_reads = Some(1);
    config
}

/// The display takes up to two megahertz.
fn display_bus() -> spi::Config {
    let mut config = spi::Config::default();
    config.frequency = Hertz(2_000_000);
    config
}
