//! A pad on the table, beside the phones: the pad's own library on the daemon's serial port, and
//! somebody who presses its keys.

use std::time::{Duration, Instant as Wall};

use bench_parts::{Antenna, Wire};
use pad::{App, Key};
use protocol::frame::{ClubKey, NetworkId};
use protocol::link::Timing;
use protocol::message::Pin;
use protocol::time::Instant;
use protocol::words::{PadId, PlayerNumber, SectionLetter, TableNumber};
use virtual_pad::fingers::{Fingers, Next};
use virtual_pad::{Setup, VirtualPad};

use super::result;
use crate::daemon::CLUB_KEY;

/// The pad.
pub struct WiredPad {
    antenna: Antenna,
    pad: VirtualPad,
    fingers: Fingers,
    timing: Timing,
    boards_left: u32,
}

impl WiredPad {
    /// A spare pad of the club, for this table.
    pub fn new(pad: u32, table: u16, baud: u32) -> Self {
        let club: ClubKey = CLUB_KEY.parse().expect("the tests' key is one");
        let pad = PadId::new(pad).expect("an identity");
        let timing = Timing::at_baud(baud);
        let setup = Setup::of(&club, pad, NetworkId::new(0), timing);
        let visitors = [0; 4].map(|_| PlayerNumber::new(0).expect("a visitor"));
        let table = TableNumber::new(table).expect("a table");
        Self {
            antenna: Antenna::new(Wire::new()),
            pad: VirtualPad::new(setup, Instant::from_millis(1_000)),
            fingers: Fingers::new(SectionLetter::A, table, visitors),
            timing,
            boards_left: 0,
        }
    }

    /// The name of the base's port.
    pub fn radio(&self) -> &str {
        &self.antenna.wire.far_end
    }

    /// The director says Replace on it.
    pub fn replace(&mut self, pin: u16) {
        self.fingers.replace(Pin(pin));
    }

    /// Lets players enter so many boards.
    pub fn enter(&mut self, boards: u32) {
        self.boards_left = boards;
    }

    /// The pad's application, to be looked at.
    pub fn app(&self) -> &App {
        self.pad.app()
    }

    /// Lets everybody go on for a while, whatever comes of it.
    pub fn run_for(&mut self, span: Duration) {
        let until = Wall::now() + span;
        self.run(span + Duration::from_secs(1), |_| Wall::now() >= until);
    }

    /// Lets everybody go on until something is so.
    pub fn run(&mut self, at_most: Duration, mut enough: impl FnMut(&App) -> bool) {
        let until = Wall::now() + at_most;
        let mut acts_at = Wall::now();
        while !enough(self.pad.app()) {
            assert!(
                Wall::now() < until,
                "the pad came to a standstill: {:?}",
                self.pad.app().flow()
            );
            let now = self.antenna.now();
            if Wall::now() >= acts_at {
                acts_at = Wall::now() + Duration::from_millis(20);
                self.act(now);
            }
            self.step(now);
            std::thread::sleep(Duration::from_micros(300));
        }
    }

    fn act(&mut self, now: Instant) {
        match self.fingers.next(self.pad.app()) {
            Next::Press(key) => self.pad.press(key, now),
            Next::Play(_, board) if self.boards_left > 0 => {
                self.boards_left -= 1;
                let settings = *self.pad.app().settings();
                self.fingers.enter(&result(board), &settings);
            }
            // The base has asked its director, who has said yes meanwhile, or will.
            Next::Stuck => self.pad.press(Key::Ok, now),
            Next::Play(..) | Next::Wait | Next::Finished => {}
        }
    }

    fn step(&mut self, now: Instant) {
        let heard = self.antenna.wire.hear();
        if !heard.is_empty() {
            self.pad.handle_receive(&heard, now);
        }
        if self.pad.poll_timeout(now).is_some_and(|at| at <= now) {
            self.pad.handle_timeout(now);
        }
        while let Some(frame) = self.pad.poll_transmit(now) {
            self.antenna.send(&frame, self.timing, now);
        }
        self.antenna.deliver(now);
    }
}
