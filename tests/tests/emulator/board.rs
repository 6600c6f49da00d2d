//! The board around the pad's application: keys, display, flash, watchdog, stack.

use pad::{App, Key};
use protocol::time::Instant;
use protocol::words::PadId;
use tests::emulator::EmulatedPad;
use virtual_pad::Pixels;

use crate::evening::assert_stack;

fn start() -> EmulatedPad {
    let mut pad = EmulatedPad::new(1);
    pad.wait_for_screen(&["Start"]);
    pad
}

#[test]
fn every_key_of_the_matrix_arrives_as_itself() {
    let mut pad = start();
    for (count, key) in (1..).zip(Key::ALL) {
        pad.press(&[key]);
        pad.wait_for("\nkey ", count);
        let last = pad.said();
        let last = last
            .rsplit("\nkey ")
            .next()
            .and_then(|rest| rest.lines().next());
        assert_eq!(last, Some(key.legend()));
    }
}

#[test]
fn a_held_key_counts_once_and_hinders_no_other() {
    let mut pad = start();
    pad.hold(Key::Ok);
    pad.wait_for_screen(&["Section"]);
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert!(pad.screen().contains("Section"), "{}", pad.screen());
    pad.release();
    pad.press(&[Key::Back]);
    pad.wait_for_screen(&["Start"]);
    // Nor does the key that people press for too long to switch a pad on. A pad of no club asks for
    // no number; held, the key would leave the menu again.
    pad.hold(Key::Director);
    pad.wait_for_screen(&["Menu"]);
    std::thread::sleep(std::time::Duration::from_millis(500));
    pad.release();
    pad.press(&[Key::Back]);
    pad.wait_for_screen(&["Start"]);
}

#[test]
fn the_display_shows_pixel_for_pixel_what_a_pad_on_a_pc_shows() {
    let mut twin = App::new(PadId::MIN, pad::FIRMWARE);
    twin.resume(Instant::ZERO);
    let mut pad = start();
    pad.wait_for_display(Pixels::of(&twin.screen(Instant::ZERO)).bytes());
    for key in [Key::Ok, Key::Double, Key::Seven] {
        twin.handle(pad::Input::Key(key), Instant::ZERO);
        pad.press(&[key]);
    }
    pad.wait_for_display(Pixels::of(&twin.screen(Instant::ZERO)).bytes());
}

#[test]
fn a_pad_that_panics_or_hangs_restarts_by_itself() {
    let mut pad = start();
    pad.type_on_service_port("panic\n");
    pad.wait_for("Byestand pad ", 2);
    pad.type_on_service_port("hang\n");
    pad.wait_for("Byestand pad ", 3);
    pad.wait_for_screen(&["Start"]);
}

#[test]
fn a_torn_word_in_flash_is_not_the_end() {
    let mut pad = start();
    pad.press(&[Key::Ok]);
    pad.wait_for_screen(&["Section"]);
    pad.report_torn_word();
    pad.press(&[Key::Double]);
    pad.wait_for_screen(&["Table"]);
}

#[test]
fn a_line_that_is_no_command_is_refused_in_words() {
    let mut pad = start();
    pad.type_on_service_port("press HOME\n");
    pad.wait_for("refused: expected what is printed on a key", 1);
    pad.type_on_service_port("press OK\n");
    pad.wait_for_screen(&["Section"]);
}

#[test]
fn the_stack_keeps_far_from_its_end() {
    let mut pad = start();
    pad.press(&Key::ALL);
    assert_stack(&mut pad);
}
