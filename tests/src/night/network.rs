//! The local network of the phones: a line for each. It keeps the order, takes its time, and loses
//! everything that is under way when it is cut.

use std::collections::BTreeMap;

use fastrand::Rng;
use protocol::link::Port;
use protocol::time::{Instant, Span};
use protocol::words::PadId;

use super::people::Handheld;
use super::world::{World, handhelds};

/// Ports from this one on are lines of phones.
const LINES_FROM: u16 = 256;

/// How long a message takes through a network full of phones, in milliseconds.
const DELAY_MS: std::ops::Range<u64> = 2..140;

/// A message on its way.
#[derive(Debug)]
pub(super) struct Passing {
    at: Instant,
    pub(super) to_base: bool,
    pub(super) line: Port,
    pub(super) bytes: Vec<u8>,
}

/// All lines.
#[derive(Debug)]
pub(super) struct Network {
    rng: Rng,
    passing: Vec<Passing>,
    /// When the last message of a line arrives, by direction.
    last: BTreeMap<(Port, bool), Instant>,
}

impl Network {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            rng: Rng::with_seed(seed ^ 0x0F0E),
            passing: Vec::new(),
            last: BTreeMap::new(),
        }
    }

    /// The line of a phone.
    pub(super) fn line(number: u32) -> Port {
        Port(LINES_FROM + u16::try_from(number % 60_000).unwrap_or_default())
    }

    /// Whether this is a line, and no receiver.
    pub(super) const fn is_line(port: Port) -> bool {
        port.0 >= LINES_FROM
    }

    pub(super) fn send(&mut self, line: Port, to_base: bool, bytes: Vec<u8>, now: Instant) {
        let at = now + Span::from_millis(self.rng.u64(DELAY_MS));
        let last = self.last.entry((line, to_base)).or_insert(at);
        *last = at.max(*last);
        self.passing.push(Passing {
            at: *last,
            to_base,
            line,
            bytes,
        });
    }

    /// Nothing that is under way on a line arrives any more.
    pub(super) fn cut(&mut self, line: Port) {
        self.passing.retain(|passing| passing.line != line);
    }

    pub(super) fn poll_timeout(&self) -> Option<Instant> {
        self.passing.iter().map(|passing| passing.at).min()
    }

    /// What arrives now, in the order in which it was sent.
    pub(super) fn poll_receive(&mut self, now: Instant) -> Vec<Passing> {
        let all = std::mem::take(&mut self.passing);
        let (here, later) = all.into_iter().partition(|passing| passing.at <= now);
        self.passing = later;
        here
    }
}

impl World {
    /// A phone replaces a dead pad as well as a pad a dead phone.
    pub(super) fn spare(&mut self) -> Handheld {
        let spare = if self.options.phones > 0 && self.rng.bool() {
            self.phone_from_a_pocket()
        } else {
            self.pad_from_the_cupboard()
        };
        self.set_modem(spare.station);
        spare
    }

    pub(super) fn phone_from_a_pocket(&mut self) -> Handheld {
        self.spares += 1;
        let id = PadId::new(0x0F0E_0000 + self.spares).expect("every number is a pad's");
        let line = Network::line(self.spares);
        self.laptop.add_line(line);
        Handheld::phone(id, line, &mut self.air, self.now)
    }

    /// Messages that come out of the network.
    pub(super) fn deliver_lines(&mut self) {
        let now = self.now;
        for passing in self.network.poll_receive(now) {
            if passing.to_base {
                self.laptop.hear(passing.line, &passing.bytes, now);
                continue;
            }
            let mut handhelds = handhelds(&mut self.tables, &mut self.rivals, &mut self.ghosts);
            let holder = handhelds.find(|handheld| handheld.line == Some(passing.line));
            if let Some(pad) = holder.and_then(|handheld| handheld.pad.as_mut()) {
                pad.handle_receive(&passing.bytes, now);
                if pad.flash().has_power() {
                    self.witness.look_at(pad, now);
                }
            }
        }
    }

    /// Whether nothing gets through to a phone or from it: then what is under way is lost, too.
    pub(super) fn is_cut(&mut self, line: Port) -> bool {
        let people = self.tables.iter().chain(&self.rivals);
        let mut phones = people.map(|table| &table.handheld).chain(&self.ghosts);
        let phone = phones.find(|handheld| handheld.line == Some(line));
        let cut = phone.is_none_or(|phone| self.air.is_in_dead_spot(phone.station));
        if cut {
            self.network.cut(line);
        }
        cut
    }
}
