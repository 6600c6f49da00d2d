//! The image that would be flashed, on an emulated chip.

use std::time::Duration;

use tests::emulator::EmulatedPad;

/// Half of what the statics leave of the RAM.
const STACK_BYTES_MAX: u64 = 16 * 1024;
const PATIENCE: Duration = Duration::from_secs(20);

#[test]
fn a_pad_whose_battery_is_pulled_still_knows_its_flash() {
    let mut pad = EmulatedPad::new(1);
    pad.wait_for("start 1\n", PATIENCE);
    pad.pull_battery();
    pad.insert_battery();
    pad.wait_for("start 2\n", PATIENCE);
}

#[test]
fn every_key_of_the_matrix_arrives_as_itself() {
    let mut pad = EmulatedPad::new(1);
    pad.wait_for("start 1\n", PATIENCE);
    for row in 0..6 {
        for column in 0..6 {
            pad.press(row, column);
            pad.wait_for(&format!("key {}\n", 6 * row + column), PATIENCE);
        }
    }
}

#[test]
fn a_pad_that_panics_or_hangs_restarts_by_itself() {
    let mut pad = EmulatedPad::new(1);
    pad.wait_for("start 1\n", PATIENCE);
    pad.type_on_service_port("P");
    pad.wait_for("start 2\n", PATIENCE);
    pad.type_on_service_port("H");
    pad.wait_for("start 3\n", PATIENCE);
}

#[test]
fn the_stack_keeps_far_from_its_end() {
    let mut pad = EmulatedPad::new(1);
    pad.wait_for("start 1\n", PATIENCE);
    pad.press(2, 3);
    let used = pad.stack_used();
    assert!((256..STACK_BYTES_MAX).contains(&used), "{used} bytes");
}
