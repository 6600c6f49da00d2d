//! The key matrix: rows that are pulled low one at a time, columns that a key pulls low with them.
use embassy_futures::select::select_array;
use embassy_stm32::exti::ExtiInput;
use embassy_stm32::gpio::OutputOpenDrain;
use embassy_stm32::mode::Async;
use embassy_time::{Duration, Timer, with_timeout};

use crate::slice;

/// While a key is down the matrix is read this often.
const SCAN_EVERY: Duration = Duration::from_millis(10);
/// An edge that was missed costs a player no more than this.
const LOOK_ANYWAY_AFTER: Duration = Duration::from_secs(5);

/// The pins of the matrix.
pub(crate) struct Keypad {
    pub(crate) rows: [OutputOpenDrain<'static>; 6],
    pub(crate) columns: [ExtiInput<'static, Async>; 6],
}

impl Keypad {
    /// Sleeps until a key goes down.
    async fn wait_for_key(&mut self) {
        self.rows.iter_mut().for_each(OutputOpenDrain::set_low);
        settle();
        if self.columns.iter().all(|column| column.is_high()) {
            let edges = self
                .columns
                .each_mut()
                .map(|column| column.wait_for_falling_edge());
            let _ = with_timeout(LOOK_ANYWAY_AFTER, select_array(edges)).await;
        }
        self.rows.iter_mut().for_each(OutputOpenDrain::set_high);
    }

    /// The keys that are down, one bit each: `6 * row + column`.
    fn read(&mut self) -> u64 {
        let mut keys = 0;
        for (row, line) in self.rows.iter_mut().enumerate() {
            line.set_low();
            settle();
            for (column, input) in self.columns.iter().enumerate() {
                keys |= u64::from(input.is_low()) << (6 * row + column);
            }
            line.set_high();
        }
        keys
    }
}

/// The columns' pull-ups and the cable settle within two microseconds, at 16 MHz.
fn settle() {
    cortex_m::asm::delay(32);
}

/// Reports every key that goes down.
#[embassy_executor::task]
pub(crate) async fn scan(mut keypad: Keypad) {
    let mut down = 0;
    loop {
        if down == 0 {
            keypad.wait_for_key().await;
        }
        let now = keypad.read();
        let pressed = now & !down;
        down = now;
        for key in (0..36).filter(|key| pressed >> key & 1 == 1) {
            slice::say(format_args!("key {key}"));
        }
        Timer::after(SCAN_EVERY).await;
    }
}
