//! Scans the 6 x 6 key matrix.
use embassy_stm32::gpio::{Input, OutputOpenDrain};
use embassy_time::Timer;

use crate::slice;

#[embassy_executor::task]
pub(crate) async fn scan(mut rows: [OutputOpenDrain<'static>; 6], columns: [Input<'static>; 6]) {
    let mut down = 0;
    loop {
        let now = read(&mut rows, &columns);
        let pressed = now & !down;
        down = now;
        for key in (0..36).filter(|key| pressed >> key & 1 == 1) {
            slice::say(format_args!("key {key}"));
        }
        Timer::after_millis(10).await;
    }
}

/// One bit a key, `6 * row + column`.
fn read(rows: &mut [OutputOpenDrain<'static>; 6], columns: &[Input<'static>; 6]) -> u64 {
    let mut keys = 0;
    for (row, line) in rows.iter_mut().enumerate() {
        line.set_low();
        // The columns' pull-ups and the cable settle within two microseconds.
        cortex_m::asm::delay(32);
        for (column, input) in columns.iter().enumerate() {
            keys |= u64::from(input.is_low()) << (6 * row + column);
        }
        line.set_high();
    }
    keys
}
