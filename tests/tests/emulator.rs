//! The image that would be flashed, on an emulated chip.

use std::time::Duration;

use tests::emulator::EmulatedPad;

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
