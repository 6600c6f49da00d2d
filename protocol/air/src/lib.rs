//! A simulated radio channel in virtual time: one half-duplex channel that all stations share.
//!
//! It charges real airtime for the baud rate and destroys frames that overlap at a receiver. It
//! knows bytes and moments, not frames' meaning: both ends of the link run on it unchanged. How
//! modems, adapter and host spoil the moments is in [`Model`].

pub mod capacity;
mod channel;
mod eavesdropper;
mod forger;
mod hc12;
mod model;
mod modem;
pub mod mutate;
mod random;
pub mod room;

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap, HashSet};

pub use channel::{Channel, Currents};
pub use eavesdropper::{Eavesdropper, Heard};
pub use forger::Forger;
pub use hc12::Hc12;
pub use model::{Model, Range, hc12_air_rate};
pub use random::Random;

use modem::Modem;
use protocol::time::{Instant, Span};

/// Bytes that a modem hands over at a time while a frame comes in, after the first one.
const CHUNK: usize = 8;

/// Where the chunk that begins here ends.
fn chunk_end(from: usize, length: usize) -> usize {
    if from == 0 {
        length.min(1)
    } else {
        length.min(from + CHUNK)
    }
}

/// A modem on the channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Station(usize);

/// Bytes that come out of a station's modem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Whose modem.
    pub to: Station,
    /// When.
    pub at: Instant,
    /// What.
    pub bytes: Vec<u8>,
}

/// The channel and its stations.
#[derive(Debug)]
pub struct Air {
    channel: Channel,
    random: Random,
    /// What the model draws, so that the numbers of a channel without one stay the same.
    quirks: Random,
    modems: Vec<Modem>,
    powered: BTreeSet<Station>,
    /// Pairs that do not hear each other, the first named first.
    deaf: HashSet<(Station, Station)>,
    frames: HashMap<u64, Frame>,
    events: BinaryHeap<Reverse<(Instant, Event)>>,
    next: u64,
    busy: Span,
    busy_until: Instant,
    collisions: u64,
    sent: u64,
    /// Frames whose first packet a receiver has not heard.
    missed: HashSet<(u64, Station)>,
}

/// What is on the air at a time: a frame, or one packet of it.
#[derive(Debug)]
struct Frame {
    from: Station,
    channel: u8,
    bytes: Vec<u8>,
    preamble: Span,
    end: Instant,
    /// The first packet of the same frame: whoever does not hear that hears none.
    first: u64,
    begun: bool,
    /// What each receiver gets of it.
    copies: HashMap<Station, Copy>,
}

#[derive(Debug)]
struct Copy {
    /// Overlapped by another frame: noise comes out of the modem.
    destroyed: bool,
    /// Too weak: nothing comes out of the modem.
    lost: bool,
    late: Span,
    flipped_bit: Option<usize>,
}

/// In the order in which they happen at the same moment: a frame that begins when another ends
/// does not overlap it.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Chunk(u64, usize),
    End(u64),
    Begin(u64),
    Late(Station, Vec<u8>),
    /// The base's adapter hands over what it has.
    Flush(Station),
}

impl Air {
    /// An empty channel; the same seed gives the same run.
    pub fn new(channel: Channel, seed: u64) -> Self {
        Self {
            channel,
            random: Random::new(seed),
            quirks: Random::new(seed ^ 0x0DD5),
            modems: Vec::new(),
            powered: BTreeSet::new(),
            deaf: HashSet::new(),
            frames: HashMap::new(),
            events: BinaryHeap::new(),
            next: 0,
            busy: Span::ZERO,
            busy_until: Instant::ZERO,
            collisions: 0,
            sent: 0,
            missed: HashSet::new(),
        }
    }

    /// Adds the base's modem, which always has power.
    pub fn add_base(&mut self) -> Station {
        let base = self.add();
        if let Some(modem) = self.modems.get_mut(base.0) {
            modem.is_base = true;
        }
        self.set_power(base, true, Instant::ZERO);
        base
    }

    /// Adds a pad's modem, without power. Which other pads it cannot hear is drawn now.
    pub fn add_pad(&mut self) -> Station {
        let pad = self.add();
        for other in 0..pad.0 {
            if !self.modems[other].is_base && self.random.permille(self.channel.hidden_permille) {
                self.deaf.insert((pad, Station(other)));
                self.deaf.insert((Station(other), pad));
            }
        }
        pad
    }

    fn add(&mut self) -> Station {
        let step = self.quirks.below(1_000);
        self.modems.push(Modem::new(step));
        Station(self.modems.len() - 1)
    }

    /// From now on (or no longer) `to` cannot hear `from`: a one-way link.
    pub fn set_deaf(&mut self, to: Station, from: Station, deaf: bool) {
        if deaf {
            self.deaf.insert((to, from));
        } else {
            self.deaf.remove(&(to, from));
        }
    }

    /// Puts a station into a dead spot, or takes it out.
    pub fn set_dead_spot(&mut self, station: Station, dead: bool) {
        self.modems[station.0].dead_spot = dead;
    }

    /// Whether it is out of everybody's reach.
    pub fn is_in_dead_spot(&self, station: Station) -> bool {
        self.modems[station.0].dead_spot
    }

    /// Gives a station a loss of its own, both ways: a distant pad.
    pub fn set_loss(&mut self, station: Station, permille: u32) {
        self.modems[station.0].loss_permille = Some(permille);
    }

    /// Changes the behaviour of the whole channel from now on.
    pub fn channel_mut(&mut self) -> &mut Channel {
        &mut self.channel
    }

    /// Switches a modem. It hears after its wake-up time.
    pub fn set_power(&mut self, station: Station, on: bool, now: Instant) {
        let wake_up = self.channel.timing.wake_up;
        let modem = &mut self.modems[station.0];
        match (modem.powered_at, on) {
            (None, true) => {
                modem.powered_at = Some(now);
                modem.hears_from = Some(if modem.is_base { now } else { now + wake_up });
                self.powered.insert(station);
            }
            (Some(since), false) => {
                modem.on = modem.on + now.since(since);
                modem.powered_at = None;
                modem.hears_from = None;
                modem.hearing.clear();
                self.powered.remove(&station);
                for frame in self.frames.values_mut() {
                    frame.copies.remove(&station);
                }
            }
            _ => {}
        }
    }

    /// Hands bytes to a station's modem. They are on the air after its turn-around time.
    pub fn send(&mut self, station: Station, bytes: &[u8], now: Instant) {
        let timing = self.channel.timing;
        let model = self.channel.model;
        let sends = self.modems[station.0].sends_until > now;
        let delay = if sends {
            Span::ZERO
        } else {
            self.delay(station, now)
        };
        // A modem that sends is deaf, for whatever it was hearing too.
        for frame in std::mem::take(&mut self.modems[station.0].hearing) {
            if let Some(frame) = self.frames.get_mut(&frame) {
                frame.copies.remove(&station);
            }
        }
        self.sent += 1;
        let first = self.next + 1;
        let own = &self.modems[station.0];
        let (channel, mut free) = (own.channel, own.sends_until.max(now));
        let packet = model.packet.unwrap_or(bytes.len()).max(1);
        let mut handed_over = now;
        for (place, packet) in bytes.chunks(packet).enumerate() {
            // What is handed over while the modem still sends goes out behind it, as one frame.
            let (begin, airtime, preamble) = match model.air_rate {
                None if sends || place > 0 => (free, timing.bytes(packet.len()), Span::ZERO),
                None => (now + delay, timing.airtime(packet.len()), timing.airtime(0)),
                Some(rate) => {
                    handed_over += timing.bytes(packet.len());
                    let begin = free.max(handed_over + delay);
                    let bits = (packet.len() as u64 + u64::from(timing.preamble_bytes)) * 8;
                    let micros = bits * 1_000_000 / u64::from(rate.max(1));
                    (begin, Span::from_micros(micros), Span::ZERO)
                }
            };
            let begin = if place > 0 {
                begin + self.draw(model.gap)
            } else {
                begin
            };
            free = begin + airtime;
            let own = &mut self.modems[station.0];
            own.sending = own.sending + airtime;
            let id = self.next_id();
            let frame = Frame {
                from: station,
                channel,
                bytes: packet.to_vec(),
                preamble,
                end: free,
                first,
                begun: false,
                copies: HashMap::new(),
            };
            self.frames.insert(id, frame);
            self.schedule(begin, Event::Begin(id));
        }
        self.modems[station.0].sends_until = free;
    }

    /// When something happens next.
    pub fn poll_timeout(&self) -> Option<Instant> {
        self.events.peek().map(|Reverse((at, _))| *at)
    }

    /// What comes out of a modem until `now`, in order.
    pub fn poll_receive(&mut self, now: Instant) -> Vec<Delivery> {
        let mut deliveries = Vec::new();
        while self.poll_timeout().is_some_and(|at| at <= now) {
            if let Some(Reverse((at, event))) = self.events.pop() {
                self.happen(at, event, &mut deliveries);
            }
            if !deliveries.is_empty() {
                break;
            }
        }
        deliveries
    }

    /// How long somebody was on the air.
    pub fn busy(&self) -> Span {
        self.busy
    }

    /// Frames destroyed at a receiver by another frame.
    pub fn collisions(&self) -> u64 {
        self.collisions
    }

    /// Frames sent by anybody.
    pub fn sent(&self) -> u64 {
        self.sent
    }

    /// How long a station's modem had power until `now`, and how long of that it sent.
    pub fn on_time(&self, station: Station, now: Instant) -> (Span, Span) {
        let modem = &self.modems[station.0];
        let current = modem
            .powered_at
            .map_or(Span::ZERO, |since| now.since(since));
        (modem.on + current, modem.sending)
    }

    fn happen(&mut self, at: Instant, event: Event, deliveries: &mut Vec<Delivery>) {
        match event {
            Event::Begin(id) => self.begin(id, at),
            Event::Chunk(id, from) => self.chunk(id, from, at, deliveries),
            Event::End(id) => self.end(id, at),
            Event::Late(to, bytes) => {
                if self.modems[to.0].hears_from.is_some_and(|from| from <= at) {
                    self.hand_over(to, at, bytes, deliveries);
                }
            }
            Event::Flush(to) => self.flush(to, at, deliveries),
        }
    }

    fn begin(&mut self, id: u64, at: Instant) {
        let Some(mut frame) = self.frames.remove(&id) else {
            return;
        };
        self.busy = self.busy + frame.end.since(at.max(self.busy_until));
        self.busy_until = self.busy_until.max(frame.end);
        frame.begun = true;
        self.disturb_neighbours(frame.channel);
        if !self.modems[frame.from.0].dead_spot {
            for to in self.powered.clone() {
                if let Some(copy) = self.copy(id, &frame, to, at) {
                    self.modems[to.0].hearing.push(id);
                    frame.copies.insert(to, copy);
                }
            }
        }
        let timing = self.channel.timing;
        let mut from = if self.channel.model.air_rate.is_some() {
            // It is handed out when it has come as a whole.
            frame.bytes.len()
        } else {
            0
        };
        while from < frame.bytes.len() {
            let until = chunk_end(from, frame.bytes.len());
            let heard = at + frame.preamble + timing.bytes(until);
            self.schedule(heard, Event::Chunk(id, from));
            from = until;
        }
        self.schedule(frame.end, Event::End(id));
        self.frames.insert(id, frame);
    }

    /// What a receiver gets of a frame that begins now, if anything.
    fn copy(&mut self, id: u64, frame: &Frame, to: Station, at: Instant) -> Option<Copy> {
        let hearing = self.hears(frame, to, at)?;
        let mut destroyed = self.is_disturbed(frame.channel);
        for other in hearing {
            let stronger = self.frames.get(&other).map(|other| other.from);
            let stronger = stronger.map_or(0, |other| self.stronger(frame.from, other, to));
            if let Some(copy) = self
                .frames
                .get_mut(&other)
                .and_then(|other| other.copies.get_mut(&to))
            {
                copy.destroyed |= stronger >= 0;
                destroyed |= stronger <= 0;
            }
        }
        self.collisions += u64::from(destroyed);
        let losses = self.modems[frame.from.0]
            .loss_permille
            .or(self.modems[to.0].loss_permille)
            .unwrap_or(self.channel.loss_permille);
        // Every number is drawn for every frame, so that one knob does not shift the others.
        let mut lost = self.random.permille(losses);
        let flipped = self.random.permille(self.channel.flip_permille);
        let bit = self.random.below(frame.bytes.len() as u64 * 8);
        let delayed = self.random.permille(self.channel.delay_permille);
        let late = self.random.below(self.channel.delay_max.as_micros());
        // The packets of a frame share its fate: what is lost is a frame, as before.
        if id != frame.first {
            lost = self.missed.contains(&(frame.first, to));
        } else if lost && self.channel.model.packet.is_some() {
            self.missed.insert((id, to));
        }
        Some(Copy {
            destroyed,
            lost,
            late: Span::from_micros(if delayed { late } else { 0 }),
            flipped_bit: flipped.then_some(usize::try_from(bit).unwrap_or_default()),
        })
    }

    /// What `to` hears already, if it can hear `from` at all.
    fn hears(&self, frame: &Frame, to: Station, at: Instant) -> Option<Vec<u64>> {
        let from = frame.from;
        let modem = &self.modems[to.0];
        let awake = modem.hears_from.is_some_and(|awake| awake <= at) && modem.sends_until <= at;
        let awake = awake && modem.deaf_until <= at && modem.channel == frame.channel;
        (from != to && awake && !modem.dead_spot && !self.deaf.contains(&(to, from)))
            .then(|| modem.hearing.clone())
    }

    fn chunk(&mut self, id: u64, from: usize, at: Instant, deliveries: &mut Vec<Delivery>) {
        let Some(frame) = self.frames.get(&id) else {
            return;
        };
        let until = chunk_end(from, frame.bytes.len());
        let mut receivers: Vec<Station> = frame.copies.keys().copied().collect();
        receivers.sort_unstable();
        let mut late = Vec::new();
        for to in receivers {
            let copy = &frame.copies[&to];
            if copy.lost {
                continue;
            }
            let bytes = received(&mut self.random, &self.channel, frame, copy, from..until);
            if self.random.permille(self.channel.repeat_permille) && until == frame.bytes.len() {
                late.push((at + self.channel.repeat_after, to, frame.bytes.clone()));
            }
            late.push((at + copy.late, to, bytes));
        }
        for (when, to, bytes) in late {
            if when == at {
                self.hand_over(to, at, bytes, deliveries);
            } else {
                self.schedule(when, Event::Late(to, bytes));
            }
        }
    }

    fn end(&mut self, id: u64, at: Instant) {
        let Some(frame) = self.frames.remove(&id) else {
            return;
        };
        for to in frame.copies.keys() {
            self.modems[to.0].hearing.retain(|&other| other != id);
        }
        if self.channel.model.air_rate.is_some() {
            self.hand_out(&frame, at);
        }
    }

    fn schedule(&mut self, at: Instant, event: Event) {
        self.events.push(Reverse((at, event)));
    }

    fn next_id(&mut self) -> u64 {
        self.next += 1;
        self.next
    }
}

/// What comes out of a modem of these bytes of a frame.
fn received(
    random: &mut Random,
    channel: &Channel,
    frame: &Frame,
    copy: &Copy,
    part: std::ops::Range<usize>,
) -> Vec<u8> {
    let from = part.start;
    let mut bytes = frame.bytes[part].to_vec();
    if let Some(byte) = copy
        .flipped_bit
        .and_then(|bit| bytes.get_mut((bit / 8).wrapping_sub(from)))
    {
        *byte ^= 1 << (copy.flipped_bit.unwrap_or_default() % 8);
    }
    if from == 0 && channel.garbles_first_byte {
        bytes[0] = random.byte();
    }
    if copy.destroyed {
        bytes.fill_with(|| random.byte());
    }
    bytes
}
