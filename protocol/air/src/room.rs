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
}

impl Table {
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
    base: Station,
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
            base,
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

    /// The base's modem.
    pub fn base(&self) -> Station {
        self.base
    }

    /// The base starts, with no memory of pads but for the list in its journal.
    pub fn start_base(&mut self) {
        let nonce = BaseNonce(self.random.next().to_le_bytes());
        let mut hub = Hub::new(CLUB_KEY, self.network, self.channel.timing, nonce);
        hub.expect(self.tables.iter().map(|table| table.pad));
        self.hub = Some(hub);
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
        self.by_station.insert(station, table);
        self.tables.push(Table {
            pad,
            station,
            link,
            outbox: VecDeque::new(),
            flash: AssociationNumber(0),
            on_when_answered: (Span::ZERO, Span::ZERO),
            under_way: false,
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
                if delivery.to == self.base {
                    if let Some(hub) = &mut self.hub {
                        hub.handle_receive(Port(0), &delivery.bytes, now + self.base_clock);
                    }
                } else if let Some(&table) = self.by_station.get(&delivery.to) {
                    self.tables[table].link.handle_receive(&delivery.bytes, now);
                    self.fetch(table);
                }
            }
            for table in 0..self.tables.len() {
                let link = &mut self.tables[table].link;
                if link.poll_timeout().is_some_and(|at| at <= now) {
                    link.handle_timeout(now);
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
            .filter_map(|table| table.link.poll_timeout());
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
            let Table {
                link,
                outbox,
                under_way,
                station,
                ..
            } = &mut self.tables[table];
            if !*under_way && let Some(message) = outbox.front() {
                *under_way = link.send(message, now).is_ok();
            }
            let frame = link.poll_transmit(now);
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
        while let Some((_, frame)) = hub.poll_transmit(now + self.base_clock) {
            self.air.send(self.base, &frame, now);
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
