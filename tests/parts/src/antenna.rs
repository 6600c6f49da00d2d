//! The pads' side of a receiver, in real time: the serial line to it, and what is on the air.

use std::time::Instant as Wall;

use protocol::link::Timing;
use protocol::time::Instant;

use crate::Wire;

/// Everybody hears everything that the base sends; what pads send takes its time.
#[derive(Debug)]
pub struct Antenna {
    /// The line to the receiver.
    pub wire: Wire,
    began: Wall,
    /// Frames of pads, and when their last byte is at the base.
    on_air: Vec<(Instant, Vec<u8>)>,
}

impl Antenna {
    /// Nothing is on the air yet.
    pub fn new(wire: Wire) -> Self {
        Self {
            wire,
            began: Wall::now(),
            on_air: Vec::new(),
        }
    }

    /// The time as pads count it. It does not begin at nothing, as no pad's does.
    pub fn now(&self) -> Instant {
        let micros = u64::try_from(self.began.elapsed().as_micros()).expect("a short test");
        Instant::from_micros(1_000_000 + micros)
    }

    /// A pad begins to send. It is deaf while it does, so the base must not have the frame before
    /// its last byte.
    pub fn send(&mut self, frame: &[u8], timing: Timing, now: Instant) {
        let there = now + timing.turnaround + timing.airtime(frame.len());
        self.on_air.push((there, frame.to_vec()));
    }

    /// Hands the base what is there by now.
    pub fn deliver(&mut self, now: Instant) {
        let wire = &self.wire;
        self.on_air.retain(|(there, frame)| {
            if *there <= now {
                wire.say(frame);
            }
            *there > now
        });
    }
}
