//! A virtual pad and the base's end of the link on a quiet channel: an evening, its modem's time,
//! and how many evenings two cells last.

#[path = "../../tests/room/mod.rs"]
mod room;

use std::collections::VecDeque;

use pad::ScreenId;
use pad::app::Radio;
use protocol::frame::{BaseNonce, ClubKey};
use protocol::link::{Hub, Modem, Port, Timing};
use protocol::message::Settings;
use protocol::time::{Instant, Span};
use protocol::words::PadId;
use room::{BOARDS, Base, ROUNDS};
use virtual_pad::{Setup, VirtualPad};

const TIMING: Timing = Timing::COMMON;

const CLUB_KEY: [u8; 32] = [7; 32];

/// One pad, one base, nobody else on the air.
struct Quiet {
    pad: VirtualPad,
    hub: Hub,
    base: Base,
    now: Instant,
    to_base: VecDeque<(Instant, Vec<u8>)>,
    to_pad: VecDeque<(Instant, Vec<u8>)>,
    in_range: bool,
    modem_on: Span,
    transmitting: Span,
    wake_ups: u32,
    presses: u32,
}

impl Quiet {
    fn new() -> Self {
        Self::with(VirtualPad::new)
    }

    fn with(pad_of: fn(Setup, Instant) -> VirtualPad) -> Self {
        let key = ClubKey::new(CLUB_KEY);
        let pad = PadId::new(0x00C0_FFEE).expect("an identity");
        let now = Instant::from_millis(1);
        let radio = Radio::FACTORY;
        let setup = Setup {
            pad,
            keys: key.for_pad(pad),
            radio,
            timing: TIMING,
            seed: 1,
        };
        Self {
            pad: pad_of(setup, now),
            hub: Hub::new(key, radio.network_id(), TIMING, BaseNonce([1; 8])),
            base: Base::new(Settings::CLUB_EVENING),
            now,
            to_base: VecDeque::new(),
            to_pad: VecDeque::new(),
            in_range: true,
            modem_on: Span::ZERO,
            transmitting: Span::ZERO,
            wake_ups: 0,
            presses: 0,
        }
    }

    fn press(&mut self, keys: &str, pause: Span) {
        for name in keys.split_whitespace() {
            self.pad.press(room::key(name), self.now);
            self.presses += 1;
            self.run(pause);
        }
    }

    /// Lets time pass, from one event to the next.
    fn run(&mut self, span: Span) {
        let end = self.now + span;
        loop {
            self.talk();
            let timeouts = [
                self.pad.poll_timeout(self.now),
                self.hub.poll_timeout(),
                self.to_base.front().map(|(at, _)| *at),
                self.to_pad.front().map(|(at, _)| *at),
            ];
            let next = timeouts.into_iter().flatten().min().unwrap_or(end);
            let next = next.max(self.now).min(end);
            if self.pad.modem() == Modem::On {
                self.modem_on = self.modem_on + next.since(self.now);
            }
            let stuck = next == self.now;
            self.now = next;
            if next == end && !stuck {
                return;
            }
            self.deliver();
            if self
                .pad
                .poll_timeout(self.now)
                .is_some_and(|at| at <= self.now)
            {
                self.wake_ups += 1;
                self.pad.handle_timeout(self.now);
            }
            self.hub.handle_timeout(self.now);
            if stuck {
                // Something is due at this very moment and has been handled; time must go on.
                self.now += Span::from_micros(50);
            }
        }
    }

    fn talk(&mut self) {
        while let Some(frame) = self.pad.poll_transmit(self.now) {
            let airtime = TIMING.airtime(frame.len());
            self.transmitting = self.transmitting + airtime;
            if self.in_range {
                let arrival = self.now + TIMING.turnaround + airtime;
                self.to_base.push_back((arrival, frame.to_vec()));
            }
        }
        while let Some(call) = self.hub.poll_call() {
            let answer = self.base.answer(&call.message);
            self.hub.answer(call.pad, answer, self.now);
        }
        while let Some((_, frame)) = self.hub.poll_transmit(self.now) {
            let arrival = self.now + TIMING.turnaround + TIMING.airtime(frame.len());
            self.to_pad.push_back((arrival, frame.to_vec()));
        }
    }

    fn deliver(&mut self) {
        while self.to_base.front().is_some_and(|(at, _)| *at <= self.now) {
            let (_, bytes) = self.to_base.pop_front().expect("just seen");
            self.hub.handle_receive(Port(0), &bytes, self.now);
        }
        while self.to_pad.front().is_some_and(|(at, _)| *at <= self.now) {
            let (_, bytes) = self.to_pad.pop_front().expect("just seen");
            if self.pad.modem() == Modem::On && self.in_range {
                self.pad.handle_receive(&bytes, self.now);
            }
        }
    }

    fn id(&self) -> ScreenId {
        self.pad.screen(self.now).id
    }
}

const SECOND: Span = Span::from_secs(1);

/// From the start screen to the first board of round 1.
fn log_on(quiet: &mut Quiet) {
    quiet.press("OK A 5 OK", SECOND);
    quiet.run(Span::from_secs(10));
    quiet.press("0 OK 0 OK 0 OK 0 OK OK", SECOND);
    assert_eq!(
        quiet.id(),
        ScreenId::Entry,
        "{:#?}",
        quiet.pad.screen(quiet.now)
    );
}

/// Thirty boards in three and a half hours, seven minutes each.
fn play_evening(quiet: &mut Quiet) {
    for number in 1..=ROUNDS {
        for _ in 0..BOARDS {
            quiet.press("4 ♠ S ♦ K", SECOND);
            quiet.run(Span::from_secs(7 * 60 - 14));
            quiet.press("= OK", SECOND);
            quiet.run(Span::from_secs(6));
            quiet.press("ACCEPT", SECOND);
        }
        let keys = if number < ROUNDS { "OK OK" } else { "OK" };
        quiet.press(keys, SECOND);
    }
}

#[test]
fn a_pad_without_a_key_gets_it_at_the_service_port_and_logs_on() {
    let mut quiet = Quiet::with(VirtualPad::without_key);
    let membership = |pad: &VirtualPad| {
        let mut line = String::new();
        pad::service::membership(pad.app(), &mut line).expect("room enough");
        line
    };
    let refused = |quiet: &mut Quiet, why: &str| {
        quiet.press("OK A 5 OK", SECOND);
        quiet.run(Span::from_secs(10));
        assert_eq!(quiet.id(), ScreenId::LogOnRefused);
        let mut page = String::new();
        pad::service::mirror(&quiet.pad.screen(quiet.now), &mut page).expect("room enough");
        assert!(page.contains(why), "{page}");
        quiet.press("BACK BACK", SECOND);
    };
    assert_eq!(membership(&quiet.pad), "club none\n");
    refused(&mut quiet, "no club");
    assert_eq!(quiet.modem_on, Span::ZERO, "it has nothing to seal with");
    let give = |quiet: &mut Quiet, key: &str| {
        let command = format!("club {} 0 0", key.repeat(32));
        let taken = quiet.pad.type_on_service_port(&command, quiet.now);
        taken.expect("a key");
    };
    // The key of another club first, then what is in this club's key file.
    give(&mut quiet, "55");
    refused(&mut quiet, "another");
    give(&mut quiet, "07");
    assert_eq!(membership(&quiet.pad), "club 897E network 0 channel 0\n");
    log_on(&mut quiet);
    // Once is enough.
    let pad = std::mem::replace(&mut quiet.pad, Quiet::new().pad);
    quiet.pad = pad.restart(quiet.now);
    assert_eq!(membership(&quiet.pad), "club 897E network 0 channel 0\n");
    quiet.press("4 ♠ S ♦ K = OK ACCEPT", SECOND);
    quiet.run(Span::from_secs(10));
    assert_eq!(quiet.base.journal.len(), 1);
}

#[test]
fn an_evening_over_the_real_link_arrives_whole() {
    let mut quiet = Quiet::new();
    log_on(&mut quiet);
    play_evening(&mut quiet);
    quiet.run(Span::from_secs(60));
    assert_eq!(quiet.id(), ScreenId::SessionEnd);
    assert_eq!(quiet.base.journal.len(), 30);
    assert_eq!(quiet.pad.app().sheet().unsent(), 0);
}

#[test]
fn a_pad_out_of_range_all_evening_catches_up_over_the_real_link() {
    let mut quiet = Quiet::new();
    log_on(&mut quiet);
    quiet.in_range = false;
    play_evening(&mut quiet);
    assert_eq!(quiet.id(), ScreenId::SessionEnd);
    assert_eq!(quiet.pad.app().sheet().unsent(), 30);
    let pad = std::mem::replace(&mut quiet.pad, Quiet::new().pad);
    quiet.pad = pad.restart(quiet.now);
    quiet.in_range = true;
    quiet.run(Span::from_secs(15 * 60));
    assert_eq!(quiet.base.journal.len(), 30);
    assert_eq!(quiet.pad.app().sheet().unsent(), 0);
}

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
    let check_in = |up: &protocol::message::Up| matches!(up, protocol::message::Up::CheckIn(_));
    assert!(said.iter().all(check_in), "{said:?}");
}

/// Energy in microjoules, currents in microamperes, from the data sheets that are named.
///
/// Two budgets: the board's own, with STOP 2 between key presses and contacts, and that of the
/// image as it is, whose processor sleeps with its clocks running (see README.md).
mod cells {
    /// The rail that a boost converter makes of two cells.
    const RAIL_MV: u64 = 3_300;
    /// STM32L475 data sheet DS10969: STOP 2 with RTC on LSE, 3.0 V, 25 degrees: below 2 uA.
    pub(crate) const STOP_2: Idle = Idle(2);
    /// The same: sleep mode at 16 MHz, range 1, with the oscillator, below 0.9 mA.
    pub(crate) const SLEEP: Idle = Idle(900);
    /// The same: run mode from flash at 16 MHz with about 120 uA/MHz.
    const RUN_UA: u64 = 1_920;
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

    /// What the processor takes while nothing happens.
    #[derive(Clone, Copy)]
    pub(crate) struct Idle(u64);

    /// What one evening took.
    pub(crate) struct Evening {
        pub(crate) seconds: u64,
        pub(crate) keys: u64,
        pub(crate) wake_ups: u64,
        pub(crate) modem_on_ms: u64,
        pub(crate) sending_ms: u64,
    }

    /// Microjoules out of the cells.
    pub(crate) fn energy_uj(evening: &Evening, idle: Idle) -> u64 {
        let rail = |ua: u64, ms: u64| ua * ms / 1_000 * RAIL_MV / 1_000;
        let awake_ms = evening.keys * RUN_MS_PER_KEY + evening.wake_ups * RUN_MS_PER_WAKE_UP;
        let listening_ms = evening.modem_on_ms.saturating_sub(evening.sending_ms);
        let all = rail(idle.0, evening.seconds * 1_000)
            + rail(RUN_UA, awake_ms + evening.modem_on_ms)
            + evening.seconds * DISPLAY_UW
            + evening.keys * PICTURE_UJ
            + rail(MODEM_UA, listening_ms)
            + rail(MODEM_SENDING_UA, evening.sending_ms);
        all * 100 / BOOST_PERCENT
    }

    /// Evenings from one pair of cells, by their charge alone.
    pub(crate) fn evenings(evening: &Evening, idle: Idle) -> u64 {
        CELLS_UJ / energy_uj(evening, idle)
    }

    /// The same with one evening a week and the rest of it in the box, display off.
    pub(crate) fn weekly_evenings(evening: &Evening) -> u64 {
        const WEEK_S: u64 = 7 * 24 * 3_600;
        let in_box = STOP_2.0 * (WEEK_S - evening.seconds) * RAIL_MV / 1_000 * 100 / BOOST_PERCENT;
        CELLS_UJ / (energy_uj(evening, STOP_2) + in_box)
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "the figures that README.md names")]
fn two_cells_last_for_more_than_five_hundred_evenings() {
    let mut quiet = Quiet::new();
    let start = quiet.now;
    log_on(&mut quiet);
    play_evening(&mut quiet);
    let evening = cells::Evening {
        seconds: quiet.now.since(start).as_millis() / 1_000,
        keys: u64::from(quiet.presses),
        wake_ups: u64::from(quiet.wake_ups),
        modem_on_ms: quiet.modem_on.as_millis(),
        sending_ms: quiet.transmitting.as_millis(),
    };
    assert!(
        evening.seconds >= 12_600,
        "{} s are no evening",
        evening.seconds
    );
    let (energy, evenings) = (
        cells::energy_uj(&evening, cells::STOP_2),
        cells::evenings(&evening, cells::STOP_2),
    );
    let weekly = cells::weekly_evenings(&evening);
    let asleep = cells::evenings(&evening, cells::SLEEP);
    let stated = format!(
        "{} keys, modem on for {} s of which it sends {} s: {} mJ, {evenings} evenings in a row, {weekly} at one a week; with sleep instead of STOP 2 {asleep} in a row",
        evening.keys,
        evening.modem_on_ms / 1_000,
        evening.sending_ms / 1_000,
        energy / 1_000
    );
    println!("{stated}");
    assert!(weekly >= 500, "{stated}");
    assert!(
        weekly.abs_diff(stated_in_the_readme()) * 20 <= weekly,
        "README.md should say: {stated}"
    );
}

/// Evenings at one a week, as README.md has them. A change of the link's timing moves the figure
/// by a percent or two; by more than five, the document has to follow.
fn stated_in_the_readme() -> u64 {
    let readme = include_str!("../../README.md");
    let (before, _) = readme
        .split_once(" at one a week")
        .expect("README.md states the figure");
    let number = before.rsplit(' ').next().expect("a number stands before");
    number.parse().expect("it is a number")
}
