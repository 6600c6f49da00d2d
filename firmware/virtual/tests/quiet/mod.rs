//! A virtual pad and the base's end of the link on a quiet channel.

use std::collections::VecDeque;

use pad::ScreenId;
use pad::app::Radio;
use protocol::frame::{BaseNonce, ClubKey};
use protocol::link::{Hub, Modem, Port, Timing};
use protocol::message::Settings;
use protocol::time::{Instant, Span};
use protocol::words::PadId;
use virtual_pad::{Setup, VirtualPad};

use crate::room::{self, BOARDS, Base, ROUNDS};

const TIMING: Timing = Timing::COMMON;

const CLUB_KEY: [u8; 32] = [7; 32];

/// One pad, one base, nobody else on the air.
pub(crate) struct Quiet {
    pub(crate) pad: VirtualPad,
    hub: Hub,
    pub(crate) base: Base,
    pub(crate) now: Instant,
    to_base: VecDeque<(Instant, Vec<u8>)>,
    to_pad: VecDeque<(Instant, Vec<u8>)>,
    pub(crate) in_range: bool,
    /// Modems that delay each frame by 4 to 80 ms, and an adapter of the base that hands over every
    /// 16 ms; nothing is 15 ms and no adapter.
    pub(crate) late: Option<fastrand::Rng>,
    pub(crate) modem_on: Span,
    pub(crate) transmitting: Span,
    pub(crate) wake_ups: u32,
    pub(crate) presses: u32,
}

impl Quiet {
    pub(crate) fn new() -> Self {
        Self::with(VirtualPad::new)
    }

    pub(crate) fn with(pad_of: fn(Setup, Instant) -> VirtualPad) -> Self {
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
            late: None,
            modem_on: Span::ZERO,
            transmitting: Span::ZERO,
            wake_ups: 0,
            presses: 0,
        }
    }

    pub(crate) fn press(&mut self, keys: &str, pause: Span) {
        for name in keys.split_whitespace() {
            self.pad.press(room::key(name), self.now);
            self.presses += 1;
            self.run(pause);
        }
    }

    /// Lets time pass, from one event to the next.
    pub(crate) fn run(&mut self, span: Span) {
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
                let arrival = self.now + self.turnaround(16) + airtime;
                self.to_base.push_back((arrival, frame.to_vec()));
            }
        }
        while let Some(call) = self.hub.poll_call() {
            let answer = self.base.answer(&call.message);
            self.hub.answer(call.pad, answer, self.now);
        }
        while let Some((_, frame)) = self.hub.poll_transmit(self.now) {
            let arrival = self.now + self.turnaround(0) + TIMING.airtime(frame.len());
            let before = self.to_pad.back().map(|(at, _)| *at);
            let arrival = before.map_or(arrival, |before| before.max(arrival));
            self.to_pad.push_back((arrival, frame.to_vec()));
        }
    }

    /// From handing a frame over to its first bit, and at most so many milliseconds more until it
    /// is handed on.
    fn turnaround(&mut self, adapter_ms: u64) -> Span {
        self.late.as_mut().map_or(TIMING.turnaround, |rng| {
            Span::from_millis(rng.u64(4..=80) + rng.u64(..=adapter_ms))
        })
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

    pub(crate) fn id(&self) -> ScreenId {
        self.pad.screen(self.now).id
    }
}

pub(crate) const SECOND: Span = Span::from_secs(1);

/// From the start screen to the first board of round 1.
pub(crate) fn log_on(quiet: &mut Quiet) {
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
pub(crate) fn play_evening(quiet: &mut Quiet) {
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
