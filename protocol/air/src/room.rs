//! A room full of tables on the simulated channel: both ends of the link, unchanged, in virtual
//! time. Tests and the capacity figures run on it.

use std::collections::{BTreeMap, VecDeque};

use protocol::frame::{AssociationNumber, BaseNonce, ClubKey, NetworkId};
use protocol::link::{Call, Hub, Modem, PadEvent, PadIdentity, PadLink, Port};
use protocol::message::{Down, Up};
use protocol::time::{Instant, Span};
use protocol::words::PadId;

use crate::{Air, Channel, Random, Station};

/// The club of every simulated room.
pub const CLUB_KEY: ClubKey = ClubKey::new([7; 32]);

/// How long the base's application takes for an answer: a commit to disk and a little more.
const THINKS: Span = Span::from_millis(4);

/// The application behind the base's end of the link.
pub trait Desk {
    /// What to answer.
    fn call(&mut self, call: &Call, now: Instant) -> Vec<Down>;
}

/// A pad at a table.
#[derive(Debug)]
pub struct Table {
    /// The pad's identity.
    pub pad: PadId,
    /// Its modem on the channel.
    pub station: Station,
    /// Its end of the link.
    pub link: PadLink,
    /// What it still has to say, in order; the first may be under way.
    pub outbox: VecDeque<Up>,
    /// What flash keeps.
    pub flash: AssociationNumber,
    /// How long its modem had had power, and had sent, when it was last answered.
    pub on_when_answered: (Span, Span),
    under_way: bool,
    /// How many millionths its clock is fast, and [`RIGHT_PPM`] more.
    clock_ppm: u64,
}

/// A clock that is this many millionths fast is right.
const RIGHT_PPM: u64 = 1_000;

impl Table {
    /// The pad's own time at a moment of the room.
    fn its_time(&self, now: Instant) -> Instant {
        let micros = now.as_micros();
        let off = micros / 1_000 * self.clock_ppm / 1_000;
        let right = micros / 1_000 * RIGHT_PPM / 1_000;
        Instant::from_micros(micros + off - right)
    }

    /// The first moment of the room at which the pad's own time is this.
    fn in_the_room(&self, its: Instant) -> Instant {
        let mut now = its;
        // Clocks are off by millionths: two steps are within a microsecond of it.
        for _ in 0..3 {
            let wrong = self.its_time(now);
            now = now + its.since(wrong) - wrong.since(its);
        }
        while self.its_time(now) < its {
            now += Span::from_micros(1);
        }
        now
    }

    /// Takes back what it is saying: the players have changed their minds.
    pub fn withdraw(&mut self) {
        if std::mem::take(&mut self.under_way) {
            self.link.withdraw();
            self.outbox.pop_front();
        }
    }
}

/// A room.
#[derive(Debug)]
pub struct Room<D> {
    /// The channel.
    pub air: Air,
    /// The base's end; `None` while the base is down.
    pub hub: Option<Hub>,
    /// The application behind it.
    pub desk: D,
    /// The tables, by their place in the order they were added.
    pub tables: Vec<Table>,
    /// What happened at which table since this was last emptied.
    pub events: Vec<(Instant, usize, PadEvent)>,
    /// The base's modems, by the number of their port.
    receivers: Vec<Station>,
    by_station: BTreeMap<Station, usize>,
    answers: Vec<(Instant, PadId, Vec<Down>)>,
    now: Instant,
    /// How far the base's clock is ahead of the room's.
    base_clock: Span,
    random: Random,
    channel: Channel,
    network: NetworkId,
}

impl<D: Desk> Room<D> {
    /// An empty room with a running base.
    pub fn new(channel: Channel, desk: D, seed: u64) -> Self {
        let mut air = Air::new(channel, seed);
        let base = air.add_base();
        let mut room = Self {
            air,
            hub: None,
            desk,
            tables: Vec::new(),
            events: Vec::new(),
            receivers: vec![base],
            by_station: BTreeMap::new(),
            answers: Vec::new(),
            now: Instant::ZERO,
            base_clock: Span::ZERO,
            random: Random::new(seed ^ 0xBA5E),
            channel,
            network: NetworkId::new(1),
        };
        room.start_base();
        room
    }

    /// The time in the room.
    pub fn now(&self) -> Instant {
        self.now
    }

    /// The base's first modem.
    pub fn base(&self) -> Station {
        self.receivers[0]
    }

    /// The base gets one more receiver, on another channel than the first (which is on 0).
    pub fn add_receiver(&mut self, channel: u8) {
        let station = self.air.add_base();
        self.air.tune(station, channel, self.now);
        self.receivers.push(station);
        self.tell_channels();
    }

    /// Puts a table's pad on a channel.
    pub fn tune(&mut self, table: usize, channel: u8) {
        let station = self.tables[table].station;
        self.air.tune(station, channel, self.now);
    }

    fn tell_channels(&mut self) {
        let Some(hub) = &mut self.hub else { return };
        for (port, station) in (0..).map(Port).zip(&self.receivers) {
            hub.set_channel(port, self.air.channel_of(*station));
        }
    }

    /// The base starts, with no memory of pads but for the list in its journal.
    pub fn start_base(&mut self) {
        let nonce = BaseNonce(self.random.next().to_le_bytes());
        let mut hub = Hub::new(CLUB_KEY, self.network, self.channel.timing, nonce);
        hub.expect(self.tables.iter().map(|table| table.pad));
        self.hub = Some(hub);
        self.tell_channels();
    }

    /// From now on the base's clock is ahead of the room's by so much.
    pub fn set_base_clock(&mut self, ahead: Span) {
        self.base_clock = ahead;
    }

    /// The base dies.
    pub fn stop_base(&mut self) {
        self.hub = None;
        self.answers.clear();
    }

    /// Adds a table; its pad is at rest.
    pub fn add_table(&mut self) -> usize {
        let table = self.tables.len();
        let station = self.air.add_pad();
        let pad = PadId::MIN.get() + 0x5EED_0000 + u32::try_from(table).unwrap_or_default() * 77;
        let pad = PadId::new(pad).unwrap_or(PadId::MIN);
        let link = self.new_link(pad, AssociationNumber(0), &CLUB_KEY);
        let most = u64::from(self.channel.model.crystal_ppm);
        let clock_ppm = match most {
            0 => RIGHT_PPM,
            most => RIGHT_PPM - most + self.random.below(2 * most + 1),
        };
        self.by_station.insert(station, table);
        self.tables.push(Table {
            pad,
            station,
            link,
            outbox: VecDeque::new(),
            flash: AssociationNumber(0),
            on_when_answered: (Span::ZERO, Span::ZERO),
            under_way: false,
            clock_ppm,
        });
        table
    }

    /// The pad's cells are taken out and put back: only flash and the outbox remain.
    pub fn restart_pad(&mut self, table: usize) {
        let (pad, flash) = (self.tables[table].pad, self.tables[table].flash);
        self.tables[table].link = self.new_link(pad, flash, &CLUB_KEY);
        self.tables[table].under_way = false;
        self.air
            .set_power(self.tables[table].station, false, self.now);
    }

    /// The pad is given the key of another club.
    pub fn rekey_pad(&mut self, table: usize, key: &ClubKey) {
        let (pad, flash) = (self.tables[table].pad, self.tables[table].flash);
        self.tables[table].link = self.new_link(pad, flash, key);
        self.tables[table].under_way = false;
    }

    fn new_link(&mut self, pad: PadId, flash: AssociationNumber, key: &ClubKey) -> PadLink {
        let identity = PadIdentity {
            pad,
            network: self.network,
            keys: key.for_pad(pad),
        };
        PadLink::new(identity, self.channel.timing, flash, self.random.next())
    }

    /// Lets the time pass.
    pub fn run_until(&mut self, end: Instant) {
        loop {
            self.settle();
            let next = self.next_moment();
            if next > end {
                self.now = end;
                return;
            }
            self.now = self.now.max(next);
            let now = self.now;
            for delivery in self.air.poll_receive(now) {
                let port = self.receivers.iter().position(|it| *it == delivery.to);
                if let Some(port) = port {
                    let port = Port(u16::try_from(port).unwrap_or_default());
                    if let Some(hub) = &mut self.hub {
                        hub.handle_receive(port, &delivery.bytes, now + self.base_clock);
                    }
                } else if let Some(&table) = self.by_station.get(&delivery.to) {
                    let its_time = self.tables[table].its_time(now);
                    let link = &mut self.tables[table].link;
                    link.handle_receive(&delivery.bytes, its_time);
                    self.fetch(table);
                }
            }
            for table in 0..self.tables.len() {
                let its_time = self.tables[table].its_time(now);
                let link = &mut self.tables[table].link;
                if link.poll_timeout().is_some_and(|at| at <= its_time) {
                    link.handle_timeout(its_time);
                }
            }
        }
    }

    /// Lets the time pass.
    pub fn run_for(&mut self, span: Span) {
        self.run_until(self.now + span);
    }

    fn next_moment(&self) -> Instant {
        let tables = self
            .tables
            .iter()
            .filter_map(|table| Some(table.in_the_room(table.link.poll_timeout()?)));
        let hub = self
            .hub
            .as_ref()
            .and_then(Hub::poll_timeout)
            .map(|at| at - self.base_clock);
        let answers = self.answers.iter().map(|(at, _, _)| *at);
        tables
            .chain(hub)
            .chain(answers)
            .chain(self.air.poll_timeout())
            .min()
            .unwrap_or(Instant::from_micros(u64::MAX))
    }

    /// Everything that can be done at this moment.
    fn settle(&mut self) {
        let now = self.now;
        for table in 0..self.tables.len() {
            self.fetch(table);
            let its_time = self.tables[table].its_time(now);
            let Table {
                link,
                outbox,
                under_way,
                station,
                ..
            } = &mut self.tables[table];
            if !*under_way && let Some(message) = outbox.front() {
                *under_way = link.send(message, its_time).is_ok();
            }
            let frame = link.poll_transmit(its_time);
            self.air.set_power(*station, link.modem() == Modem::On, now);
            if let Some(frame) = frame {
                self.air.send(*station, &frame, now);
            }
        }
        let Some(hub) = &mut self.hub else { return };
        while let Some(call) = hub.poll_call() {
            let answer = self.desk.call(&call, now);
            self.answers.push((now + THINKS, call.pad, answer));
        }
        let (due, later) = self.answers.drain(..).partition(|(at, _, _)| *at <= now);
        self.answers = later;
        for (_, pad, answer) in due {
            hub.answer(pad, answer, now + self.base_clock);
        }
        while let Some((port, frame)) = hub.poll_transmit(now + self.base_clock) {
            if let Some(receiver) = self.receivers.get(usize::from(port.0)) {
                self.air.send(*receiver, &frame, now);
            }
        }
    }

    fn fetch(&mut self, table: usize) {
        let at = self.now;
        let Table {
            link,
            outbox,
            flash,
            under_way,
            station,
            on_when_answered,
            ..
        } = &mut self.tables[table];
        while let Some(event) = link.poll_event() {
            match event {
                PadEvent::Reserve(number) => {
                    *flash = number;
                    link.reserved(number);
                }
                PadEvent::Answered => {
                    outbox.pop_front();
                    *under_way = false;
                    *on_when_answered = self.air.on_time(*station, at);
                    self.events.push((at, table, PadEvent::Answered));
                }
                other => self.events.push((at, table, other)),
            }
        }
    }
}
