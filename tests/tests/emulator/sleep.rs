//! The pad between two keys: it stops, wakes in time, and loses nothing by it.

use std::time::{Duration, Instant};

use pad::Key;
use tests::emulator::{Crystal, EmulatedPad};

use crate::evening::{
    FOUR_SPADES, PASSED_OUT, THREE_NO_TRUMPS, log_on, open_room, pad_in_range, wait_for_results,
};

/// Longer than the watchdog waits, so that a pad that stops for too long is found out.
const IDLE: Duration = Duration::from_secs(20);

/// Times a second that an idle pad may stop: once for the display's polarity, once for its own
/// time, and now and then to feed the watchdog and to look at the keys.
const STOPS_A_SECOND_MAX: u32 = 3;

fn at_section(pad: &mut EmulatedPad) {
    pad.wait_for_screen(&["Start"]);
    pad.press(&[Key::Ok]);
    pad.wait_for_screen(&["Section"]);
}

/// Pulls the cable and waits until the pad has noticed.
fn unplug(pad: &mut EmulatedPad) {
    let before = pad.stops().count;
    pad.unplug_cable();
    let deadline = Instant::now() + IDLE;
    while pad.stops().count == before {
        assert!(Instant::now() < deadline, "the pad does not stop");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// How many seconds pass for the pad, which changes its display's polarity in each, while this much
/// passes for us.
fn seconds_by_the_pad(pad: &mut EmulatedPad, ours: Duration) -> u64 {
    let start = Instant::now();
    let (mut polarity, mut changes) = (pad.polarity_is_high(), 0);
    while start.elapsed() < ours {
        std::thread::sleep(Duration::from_millis(20));
        let now = pad.polarity_is_high();
        changes += u64::from(now != polarity);
        polarity = now;
    }
    changes
}

#[test]
#[expect(clippy::print_stdout, reason = "the figures that tests/run shows")]
fn an_idle_pad_is_stopped_nearly_all_the_time_and_its_clock_stays_right() {
    let mut pad = EmulatedPad::new(1);
    at_section(&mut pad);
    assert_eq!(pad.stops().count, 0, "it listens to its cable");
    unplug(&mut pad);
    let (before, start) = (pad.stops(), Instant::now());
    let seconds = seconds_by_the_pad(&mut pad, IDLE);
    let (after, idle) = (pad.stops(), start.elapsed());
    let stopped = after.stopped.saturating_sub(before.stopped);
    let stops = after.count - before.count;
    println!(
        "measured: idle for {} ms: stopped {stops} times, for {} ms",
        idle.as_millis(),
        stopped.as_millis()
    );
    assert!(
        seconds.abs_diff(IDLE.as_secs()) <= 2,
        "{seconds} seconds by the pad's clock"
    );
    assert!(stopped * 10 >= idle * 9, "{stopped:?} of {idle:?}");
    assert!(stops <= STOPS_A_SECOND_MAX * 20, "{stops} stops");
    assert_eq!(after.wrong, 0);
    // No watchdog bit it: it is where it was.
    pad.plug_cable();
    pad.wait_for("sleep stop", 2);
    assert!(pad.screen().contains("Section"), "{}", pad.screen());
}

#[test]
fn a_round_is_played_with_stops_between_the_keys_and_arrives() {
    let (air, base) = open_room();
    let mut pad = pad_in_range(&air, 1);
    log_on(&mut pad, Key::One);
    unplug(&mut pad);
    let boards = [&FOUR_SPADES[..], &THREE_NO_TRUMPS, &PASSED_OUT];
    for (count, keys) in (1..).zip(boards) {
        pad.press_unheard(keys);
        wait_for_results(&base, "A1", count);
        pad.wait_for_rest(Duration::from_secs(1));
    }
    let found = wait_for_results(&base, "A1", 3);
    assert_eq!(found.first(), Some(&(1, "4S by S =, lead DK".to_owned())));
    let stops = pad.stops();
    assert_eq!(stops.wrong, 0, "deaf while the modem was on: {stops:?}");
    assert!(stops.count > 19, "one after each key: {stops:?}");
    pad.plug_cable();
    pad.wait_for_screen(&["RoundEnd"]);
}

#[test]
fn a_pad_whose_crystal_is_broken_never_stops_but_plays() {
    let mut pad = EmulatedPad::with(1, Crystal::Missing);
    at_section(&mut pad);
    pad.press(&[Key::Double]);
    pad.wait_for_screen(&["Table"]);
    pad.unplug_cable();
    let seconds = seconds_by_the_pad(&mut pad, Duration::from_secs(8));
    assert!(seconds.abs_diff(8) <= 1, "{seconds} seconds");
    assert_eq!(pad.stops().count, 0);
    pad.press_unheard(&[Key::Seven]);
    pad.plug_cable();
    pad.wait_for("sleep light, the crystal does not run", 2);
    pad.wait_for_screen(&["Table", "7"]);
}
