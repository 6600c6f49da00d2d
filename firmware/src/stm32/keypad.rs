//! The key matrix: rows that are pulled low one at a time, columns that a key pulls low with them.
use embassy_futures::select::select_array;
use embassy_stm32::exti::ExtiInput;
use embassy_stm32::gpio::OutputOpenDrain;
use embassy_stm32::mode::Async;
use embassy_time::{Duration, Timer, with_timeout};
use pad::{Keypad, Matrix};

use super::channels::{ECHOED, KEYS};
use super::clock;

/// An edge that was missed costs a player no more than this.
const LOOK_ANYWAY_AFTER: Duration = Duration::from_secs(5);

/// The pins of the matrix.
pub(crate) struct Contacts {
    pub(crate) rows: [OutputOpenDrain<'static>; 6],
    pub(crate) columns: [ExtiInput<'static, Async>; 6],
}

impl Contacts {
    /// Sleeps until a contact closes.
    async fn wait(&mut self) {
        self.rows.iter_mut().for_each(OutputOpenDrain::set_low);
        settle();
        if self.columns.iter().all(ExtiInput::is_high) {
            let edges = self
                .columns
                .each_mut()
                .map(ExtiInput::wait_for_falling_edge);
            let _ = with_timeout(LOOK_ANYWAY_AFTER, select_array(edges)).await;
        }
        self.rows.iter_mut().for_each(OutputOpenDrain::set_high);
    }

    fn read(&mut self) -> Matrix {
        let mut closed = 0;
        for (row, line) in self.rows.iter_mut().enumerate() {
            line.set_low();
            settle();
            for (column, input) in self.columns.iter().enumerate() {
                closed |= u64::from(input.is_low()) << (6 * row + column);
            }
            line.set_high();
        }
        Matrix(closed)
    }
}

/// The columns' pull-ups and the cable settle within two microseconds, at 16 MHz.
fn settle() {
    cortex_m::asm::delay(32);
}

/// Reports every key that goes down.
#[embassy_executor::task]
pub(crate) async fn scan(mut contacts: Contacts) {
    let mut keypad = Keypad::new();
    loop {
        if keypad.is_idle() {
            contacts.wait().await;
        }
        keypad.scan(contacts.read(), clock::now());
        while let Some(key) = keypad.pressed() {
            let _ = ECHOED.try_send(key);
            KEYS.send(key).await;
        }
        let pause = keypad.pause(clock::now());
        Timer::after_micros(pause.as_micros()).await;
    }
}
