//! What a pad takes out of its two cells: an idle hour, an evening, a week in its box.

mod quiet;
#[path = "../../tests/room/mod.rs"]
mod room;

use protocol::message::Up;
use protocol::time::Span;
use quiet::{Quiet, log_on, play_evening};

#[test]
#[expect(clippy::print_stdout, reason = "the figures that README.md names")]
fn an_idle_pad_sleeps_and_its_modem_is_on_only_for_check_ins() {
    let mut quiet = Quiet::new();
    log_on(&mut quiet);
    quiet.run(Span::from_secs(600));
    (quiet.wake_ups, quiet.modem_on) = (0, Span::ZERO);
    let heard = quiet.base.heard.len();
    quiet.run(Span::from_secs(3600));
    assert!(
        quiet.wake_ups <= 3600 / 5,
        "{} wake-ups in an hour",
        quiet.wake_ups
    );
    let on_ms = quiet.modem_on.as_millis();
    println!(
        "idle hour: {} wake-ups, modem on for {on_ms} ms",
        quiet.wake_ups
    );
    assert!(on_ms < 60_000, "{on_ms} ms");
    let said = &quiet.base.heard[heard..];
    let check_in = |up: &Up| matches!(up, Up::CheckIn(_));
    assert!(said.iter().all(check_in), "{said:?}");
}

#[test]
fn a_pad_in_its_box_is_silent_until_the_next_evening() {
    let mut quiet = Quiet::new();
    log_on(&mut quiet);
    play_evening(&mut quiet);
    quiet.run(Span::from_secs(15 * 60));
    assert!(quiet.pad.app().is_dormant(quiet.now), "the display is dark");
    // Slower tables are still playing, and the director sees that this pad is well.
    let heard = quiet.base.heard.len();
    quiet.run(Span::from_secs(40 * 60));
    assert!(quiet.base.heard.len() > heard + 30, "it checks in");
    quiet.run(Span::from_secs(10 * 60));
    (quiet.wake_ups, quiet.modem_on) = (0, Span::ZERO);
    quiet.in_range = false;
    quiet.run(Span::from_secs(WEEK_S));
    assert_eq!(quiet.modem_on, Span::ZERO);
    assert_eq!(quiet.wake_ups, 0);
    // A key brings it back.
    quiet.in_range = true;
    let heard = quiet.base.heard.len();
    quiet.press("OK", Span::from_secs(600));
    assert!(quiet.base.heard.len() > heard, "it checks in again");
}

const WEEK_S: u64 = 7 * 24 * 3_600;

/// Energy in microjoules, currents in microamperes, from the data sheets that are named.
///
/// Two budgets: of a pad that stops whenever [`pad::sleep`] lets it, and of one whose crystal does
/// not run, so that its processor sleeps with its clocks on.
mod cells {
    /// The rail that a boost converter makes of two cells.
    const RAIL_MV: u64 = 3_300;
    /// STM32L475 data sheet DS10969, 3.0 V, 25 degrees: STOP 2 with the crystal and one counter on
    /// it is below 2 uA; the watchdog and its oscillator take less than one more.
    const STOP_2_UA: u64 = 3;
    /// The same: sleep mode at 16 MHz, range 1, with the oscillator, below 0.9 mA.
    const SLEEP_UA: u64 = 900;
    /// The same: run mode from flash at 16 MHz with about 120 uA/MHz.
    const RUN_UA: u64 = 1_920;
    /// The image wakes for the display's polarity, for its own time, for the watchdog and for a
    /// look at the keys. `an_idle_pad_is_stopped_nearly_all_the_time_and_its_clock_stays_right`
    /// counts them on the emulated chip and allows no more than these.
    const STOPS_A_SECOND: u64 = 3;
    /// 5 us to wake, then a toggled pin and a counter that takes 92 us to be set; generously.
    const RUN_US_PER_STOP: u64 = 300;
    /// Awake for a key: scan, handle, write flash, paint 12,000 bytes; generously.
    const RUN_MS_PER_KEY: u64 = 80;
    /// Awake for a time-out of the link.
    const RUN_MS_PER_WAKE_UP: u64 = 2;
    /// Sharp's application note on programming memory LCDs: the 2.7 inch panel with a VCOM toggle
    /// each second and a new picture every 30 s takes 135 uW.
    const DISPLAY_UW: u64 = 135;
    /// The same note: 485 uW with a new picture each second, so a picture costs less than 485 uJ.
    const PICTURE_UJ: u64 = 485;
    /// HC-12 user manual 2.3B: mode FU3 idle or receiving 16 mA, sending at most 100 mA.
    const MODEM_UA: u64 = 16_000;
    const MODEM_SENDING_UA: u64 = 100_000;
    /// Assumed for the boost converter between 10 uA and 100 mA.
    const BOOST_PERCENT: u64 = 80;
    /// Two AA cells at low drain: 2,500 mAh at 1.2 V on average each, of which the converter gets
    /// 85 % before they are too low.
    const CELLS_UJ: u64 = 2_500 * 3_600 * 2_400 / 100 * 85;

    /// How the processor waits.
    #[derive(Clone, Copy)]
    pub(crate) enum Waiting {
        Stopped,
        Asleep,
    }

    impl Waiting {
        fn energy_uj(self, seconds: u64) -> u64 {
            let rail_nj = |ua: u64, us: u64| ua * us / 1_000_000 * RAIL_MV;
            let us = seconds * 1_000_000;
            let all_nj = match self {
                Self::Stopped => {
                    let awake_us = seconds * STOPS_A_SECOND * RUN_US_PER_STOP;
                    rail_nj(STOP_2_UA, us) + rail_nj(RUN_UA, awake_us)
                }
                Self::Asleep => rail_nj(SLEEP_UA, us),
            };
            all_nj / 1_000
        }
    }

    /// What a pad did for a while.
    pub(crate) struct Deeds {
        pub(crate) seconds: u64,
        pub(crate) lit_seconds: u64,
        pub(crate) keys: u64,
        pub(crate) wake_ups: u64,
        pub(crate) modem_on_ms: u64,
        pub(crate) sending_ms: u64,
    }

    /// Microjoules out of the cells.
    pub(crate) fn energy_uj(deeds: &Deeds, waiting: Waiting) -> u64 {
        let rail = |ua: u64, ms: u64| ua * ms / 1_000 * RAIL_MV / 1_000;
        let awake_ms = deeds.keys * RUN_MS_PER_KEY + deeds.wake_ups * RUN_MS_PER_WAKE_UP;
        let listening_ms = deeds.modem_on_ms.saturating_sub(deeds.sending_ms);
        let all = waiting.energy_uj(deeds.seconds)
            + rail(RUN_UA, awake_ms + deeds.modem_on_ms)
            + deeds.lit_seconds * DISPLAY_UW
            + deeds.keys * PICTURE_UJ
            + rail(MODEM_UA, listening_ms)
            + rail(MODEM_SENDING_UA, deeds.sending_ms);
        all * 100 / BOOST_PERCENT
    }

    /// How often one pair of cells can do all this, by their charge alone.
    pub(crate) fn times(all: &[&Deeds], waiting: Waiting) -> u64 {
        let energy: u64 = all.iter().map(|deeds| energy_uj(deeds, waiting)).sum();
        CELLS_UJ / energy
    }
}

/// What the pad has done since it did nothing, and begins to count anew.
fn deeds(quiet: &mut Quiet, seconds: u64, lit_seconds: u64) -> cells::Deeds {
    let deeds = cells::Deeds {
        seconds,
        lit_seconds,
        keys: u64::from(quiet.presses),
        wake_ups: u64::from(quiet.wake_ups),
        modem_on_ms: quiet.modem_on.as_millis(),
        sending_ms: quiet.transmitting.as_millis(),
    };
    (quiet.presses, quiet.wake_ups) = (0, 0);
    (quiet.modem_on, quiet.transmitting) = (Span::ZERO, Span::ZERO);
    deeds
}

#[test]
#[expect(clippy::print_stdout, reason = "the figures that README.md names")]
fn two_cells_last_for_more_than_a_thousand_evenings() {
    let mut quiet = Quiet::new();
    let start = quiet.now;
    log_on(&mut quiet);
    play_evening(&mut quiet);
    let played_s = quiet.now.since(start).as_millis() / 1_000;
    let evening = deeds(&mut quiet, played_s, played_s);
    assert!(
        evening.seconds >= 12_600,
        "{} s are no evening",
        evening.seconds
    );
    let stopped = cells::Waiting::Stopped;
    let asleep = cells::Waiting::Asleep;
    // The rest of the week in the box, where the display is dark after ten minutes.
    quiet.run(Span::from_secs(WEEK_S - played_s));
    let in_box = deeds(&mut quiet, WEEK_S - played_s, 600);
    let in_a_row = cells::times(&[&evening], stopped);
    let weekly = cells::times(&[&evening, &in_box], stopped);
    let without = cells::times(&[&evening], asleep);
    let without_weekly = cells::times(&[&evening, &in_box], asleep);
    let stated = format!(
        "{} keys, modem on for {} s of which it sends {} s: {} mJ, {in_a_row} evenings in a row, {weekly} at one a week; without the crystal {without} in a row, {without_weekly} at one a week",
        evening.keys,
        evening.modem_on_ms / 1_000,
        evening.sending_ms / 1_000,
        cells::energy_uj(&evening, stopped) / 1_000
    );
    println!("{stated}");
    assert!(in_a_row >= 1_000, "the goal: {stated}");
    assert!(weekly >= 500, "{stated}");
    for (figure, words) in [(in_a_row, " evenings in a row"), (weekly, " at one a week")] {
        assert_stated(figure, words, &stated);
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "the figures that README.md names")]
fn on_modems_that_are_late_two_cells_last_for_hundreds_of_evenings() {
    let mut quiet = Quiet::new();
    quiet.late = Some(fastrand::Rng::with_seed(1));
    let start = quiet.now;
    log_on(&mut quiet);
    play_evening(&mut quiet);
    let played_s = quiet.now.since(start).as_millis() / 1_000;
    let evening = deeds(&mut quiet, played_s, played_s);
    quiet.run(Span::from_secs(WEEK_S - played_s));
    let in_box = deeds(&mut quiet, WEEK_S - played_s, 600);
    let in_a_row = cells::times(&[&evening], cells::Waiting::Stopped);
    let weekly = cells::times(&[&evening, &in_box], cells::Waiting::Stopped);
    let on_s = evening.modem_on_ms / 1_000;
    let stated =
        format!("on for {on_s} s, {in_a_row} such evenings in a row, {weekly} with one each week");
    println!("{stated}");
    assert!(in_a_row >= 1_000, "the goal: {stated}");
    for (figure, words) in [
        (in_a_row, " such evenings in a row"),
        (weekly, " with one each week"),
    ] {
        assert_stated(figure, words, &stated);
    }
}

#[track_caller]
fn assert_stated(figure: u64, words: &str, stated: &str) {
    assert!(
        figure.abs_diff(stated_in_the_readme(words)) * 20 <= figure,
        "README.md should say: {stated}"
    );
}

/// The number before these words in README.md. A change of the link's timing moves the figures by
/// a percent or two; by more than five, the document has to follow.
fn stated_in_the_readme(words: &str) -> u64 {
    let readme = include_str!("../../README.md");
    let (before, _) = readme
        .split_once(words)
        .expect("README.md states the figure");
    let number = before.rsplit(' ').next().expect("a number stands before");
    number.parse().expect("it is a number")
}
