//! Which pin of the B-L475E-IOT01A does what: everything is on the board's Arduino headers, except
//! the service port, which is the board's USB socket.
//!
//! | part | header | pins |
//! |---|---|---|
//! | radio modem | D1, D0, D8 | PA0 transmit, PA1 receive, PB2 supply on |
//! | display, write only | D13, D11, D10, D14, D15 | PA5 clock, PA7 data, PA2 select, PB9 on, PB8 polarity |
//! | keypad rows | D2 to D7 | PD14, PB0, PA3, PB4, PB1, PA4 |
//! | keypad columns | A5 to A0 | PC0, PC1, PC2, PC3, PC4, PC5 |
//! | buzzer | D12 | PA6 |
//! | lamp | on the board | PB14 |
//! | service port | USB | PB6 transmit, PB7 receive |
//!
//! The columns have six different pin numbers, so that each has a wake-up line of its own. The
//! battery needs no pin: the chip measures its own supply against its internal reference.
use defmt_rtt as _;
use embassy_stm32::exti::{self, ExtiInput};
use embassy_stm32::gpio::{AnyPin, Level, Output, OutputOpenDrain, Pull, Speed};
use embassy_stm32::interrupt::typelevel as vectors;
use embassy_stm32::spi::{self, Spi};
use embassy_stm32::time::Hertz;
use embassy_stm32::usart::{self, BufferedUart};
use embassy_stm32::wdg::IndependentWatchdog;
use embassy_stm32::{Config, Peri, Peripherals, bind_interrupts, flash, peripherals, rcc};
use embassy_time::Timer;
use static_cell::StaticCell;

use crate::battery;
use crate::display::MemoryLcd;
use crate::executor;
use crate::keypad::{self, Keypad};
use crate::slice;

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

/// A pad that hangs restarts after this time. Far longer than the longest page erase.
const WATCHDOG_US: u32 = 8_000_000;
/// The pad's modem and the base's are set to the same rate.
const RADIO_BAUD: u32 = 57_600;
const SERVICE_BAUD: u32 = 115_200;

#[cortex_m_rt::entry]
fn start() -> ! {
    let peripherals = embassy_stm32::init(clocks());
    spawn(peripherals);
    loop {
        cortex_m::asm::wfi();
    }
}

/// The internal 16 MHz oscillator and nothing else: no crystal has to start, and the pad computes
/// little.
fn clocks() -> Config {
    let mut config = Config::default();
    config.rcc.hsi = true;
    config.rcc.msi = None;
    config.rcc.sys = rcc::Sysclk::HSI;
    config.rcc.ls = rcc::LsConfig::off();
    config
}

fn spawn(p: Peripherals) {
    static RADIO_BUFFERS: StaticCell<[[u8; 512]; 2]> = StaticCell::new();
    static SERVICE_BUFFERS: StaticCell<[[u8; 256]; 2]> = StaticCell::new();

    let spawner = executor::start();
    let rows: [Peri<'static, AnyPin>; 6] = [
        p.PD14.into(),
        p.PB0.into(),
        p.PA3.into(),
        p.PB4.into(),
        p.PB1.into(),
        p.PA4.into(),
    ];
    let keypad = Keypad {
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
    let mut bus = spi::Config::default();
    bus.frequency = Hertz(2_000_000);
    let display = MemoryLcd::new(
        Spi::new_blocking_txonly(p.SPI1, p.PA5, p.PA7, bus),
        Output::new(p.PA2, Level::Low, Speed::Low),
        Output::new(p.PB9, Level::Low, Speed::Low),
    );
    defmt::info!("supply {} mV", battery::supply_mv(p.ADC1));

    let [transmit, receive] = RADIO_BUFFERS.init([[0; 512]; 2]);
    let radio = BufferedUart::new(
        p.UART4,
        p.PA1,
        p.PA0,
        transmit,
        receive,
        Interrupts,
        serial(RADIO_BAUD),
    );
    let [transmit, receive] = SERVICE_BUFFERS.init([[0; 256]; 2]);
    let service = BufferedUart::new(
        p.USART1,
        p.PB7,
        p.PB6,
        transmit,
        receive,
        Interrupts,
        serial(SERVICE_BAUD),
    );

    let started = [
        keypad::scan(keypad).map(|task| spawner.spawn(task)).is_ok(),
        watch(IndependentWatchdog::new(p.IWDG, WATCHDOG_US))
            .map(|task| spawner.spawn(task))
            .is_ok(),
        slice::storage(flash::Flash::new(p.FLASH, Interrupts))
            .map(|task| spawner.spawn(task))
            .is_ok(),
        radio.is_ok_and(|radio| slice::radio(radio).map(|task| spawner.spawn(task)).is_ok()),
        service.is_ok_and(|service| {
            slice::service(service)
                .map(|task| spawner.spawn(task))
                .is_ok()
        }),
    ];
    defmt::info!("pad started: {}", started);
    let _ = spawner.spawn(slice::screen(display).unwrap());
}

fn serial(baud: u32) -> usart::Config {
    let mut config = usart::Config::default();
    config.baudrate = baud;
    config.eager_reads = Some(1);
    config
}

/// Feeds the watchdog for as long as the tasks get their turns.
#[embassy_executor::task]
async fn watch(mut watchdog: IndependentWatchdog<'static, peripherals::IWDG>) {
    watchdog.unleash();
    loop {
        watchdog.pet();
        Timer::after_secs(2).await;
    }
}
