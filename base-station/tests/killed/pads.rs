//! Pads as the daemon hears them: the pad's own end of the link on a pseudo-terminal, with an
//! outbox that survives everything, as the pad's flash does.

use std::collections::{BTreeMap, VecDeque};
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant as Wall};

use base_station::session::Cell;
use protocol::frame::{AssociationNumber, ClubKey, NetworkId};
use protocol::link::{Binding, PadEvent, PadIdentity, PadLink, Timing};
use protocol::message::{
    CheckIn, Down, Entry, EntryNumber, FirmwareVersion, LogOn, Up, WIRE_VERSION,
};
use protocol::time::Instant;
use protocol::words::{
    BoardResult, Contract, Doubling, Level, PadId, Played, RoundNumber, Seat, SectionLetter,
    Strain, TableNumber, Tricks,
};
use rustix::fs::OFlags;
use rustix::pty::OpenptFlags;

/// The air: everybody hears everything that the base sends.
pub(crate) struct Room {
    air: OwnedFd,
    /// The name of the base's serial port.
    pub(crate) radio: String,
}

impl Room {
    pub(crate) fn new() -> Self {
        let air = rustix::pty::openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pty");
        // A daemon that inherited this end would keep its own port alive.
        rustix::io::fcntl_setfd(&air, rustix::io::FdFlags::CLOEXEC).expect("set");
        rustix::pty::grantpt(&air).expect("granted");
        rustix::pty::unlockpt(&air).expect("unlocked");
        let name = rustix::pty::ptsname(&air, Vec::new()).expect("a name");
        let mut modes = rustix::termios::tcgetattr(&air).expect("modes");
        modes.make_raw();
        rustix::termios::tcsetattr(&air, rustix::termios::OptionalActions::Now, &modes)
            .expect("raw");
        let flags = rustix::fs::fcntl_getfl(&air).expect("flags");
        rustix::fs::fcntl_setfl(&air, flags | OFlags::NONBLOCK).expect("set");
        Self {
            air,
            radio: name.into_string().expect("a plain name"),
        }
    }

    fn hear(&self) -> Vec<u8> {
        let mut buffer = [0; 1024];
        // While the daemon is dead nobody is at the other end, and that is an error here.
        match rustix::io::read(&self.air, &mut buffer) {
            Ok(len) => buffer[..len].to_vec(),
            Err(_) => Vec::new(),
        }
    }

    fn say(&self, frame: &[u8]) {
        let _ = rustix::io::write(&self.air, frame);
    }
}

struct Pad {
    link: PadLink,
    table: TableNumber,
    binding: Option<Binding>,
    outbox: VecDeque<Entry>,
    received: BTreeMap<Cell, BoardResult>,
}

pub(crate) struct Pads {
    pub(crate) room: Room,
    all: Vec<Pad>,
    began: Wall,
    wanted: usize,
    /// Frames of pads, and when the base will have heard them.
    on_air: Vec<(Instant, Vec<u8>)>,
}

impl Pads {
    pub(crate) fn new(
        room: Room,
        tables: u16,
        baud: u32,
        key: &str,
        cells: &[Cell],
        kills: u32,
    ) -> Self {
        let mut bytes = [0; 32];
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&key[2 * at..2 * at + 2], 16).expect("hexadecimal");
        }
        let key = ClubKey::new(bytes);
        // A session has so many boards; more kills need more results, so lines are corrected too.
        let turns = 1 + kills / 60;
        let pads = (1..=tables)
            .map(|number| {
                let table = TableNumber::new(number).expect("a table");
                let id = PadId::new(0x0BAD_0000 + u32::from(number)).expect("a pad");
                let own: Vec<&Cell> = cells.iter().filter(|cell| cell.table == table).collect();
                let mut outbox = VecDeque::new();
                for turn in 0..turns {
                    for cell in &own {
                        let number = u16::try_from(outbox.len() + 1).expect("few");
                        outbox.push_back(entry(**cell, EntryNumber(number), turn));
                    }
                }
                let identity = PadIdentity {
                    pad: id,
                    network: NetworkId::new(0),
                    keys: key.for_pad(id),
                };
                let seed = u64::from(number) * 977;
                let link =
                    PadLink::new(identity, Timing::at_baud(baud), AssociationNumber(0), seed);
                Pad {
                    link,
                    table,
                    binding: None,
                    outbox,
                    received: BTreeMap::new(),
                }
            })
            .collect::<Vec<_>>();
        let wanted = cells.len();
        Self {
            room,
            all: pads,
            began: Wall::now(),
            wanted,
            on_air: Vec::new(),
        }
    }

    pub(crate) fn wanted(&self) -> usize {
        self.wanted
    }

    pub(crate) fn received(&self) -> BTreeMap<Cell, BoardResult> {
        let all = self.all.iter().flat_map(|pad| pad.received.clone());
        all.collect()
    }

    pub(crate) fn play_for(&mut self, time: Duration) {
        let until = Wall::now() + time;
        while Wall::now() < until {
            self.step();
        }
    }

    pub(crate) fn play_until_done(&mut self, at_most: Duration) -> bool {
        let until = Wall::now() + at_most;
        while Wall::now() < until {
            if self.all.iter().all(|pad| pad.outbox.is_empty()) {
                return true;
            }
            self.step();
        }
        false
    }

    fn step(&mut self) {
        let heard = self.room.hear();
        let micros = u64::try_from(self.began.elapsed().as_micros()).expect("a short test");
        let now = Instant::from_micros(micros);
        for pad in &mut self.all {
            if !heard.is_empty() {
                pad.link.handle_receive(&heard, now);
            }
            pad.step(now);
            while let Some(frame) = pad.link.poll_transmit(now) {
                // A frame is at the base when its last byte has been on the air, not before: a
                // pad is deaf while it sends.
                let timing = pad.link.timing();
                let heard = now + timing.turnaround + timing.airtime(frame.len());
                self.on_air.push((heard, frame.to_vec()));
            }
        }
        self.on_air.retain(|(heard, frame)| {
            if *heard <= now {
                self.room.say(frame);
            }
            *heard > now
        });
        if heard.is_empty() {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Pad {
    fn step(&mut self, now: Instant) {
        self.link.handle_timeout(now);
        while let Some(event) = self.link.poll_event() {
            match event {
                PadEvent::Message(Down::Welcome(welcome)) => {
                    self.binding = Some(Binding {
                        session: welcome.session,
                        epoch: welcome.epoch,
                    });
                    self.link.bind(self.binding);
                }
                PadEvent::Message(Down::Received { number, .. }) => self.is_received(number),
                PadEvent::Reserve(number) => self.link.reserved(number),
                _ => {}
            }
        }
        if !self.link.is_ready() {
            return;
        }
        let message = match (self.binding, self.outbox.front()) {
            (None, _) => Up::LogOn(self.claim()),
            (Some(_), Some(entry)) => Up::Entry(*entry),
            (Some(_), None) => return,
        };
        let _ = self.link.send(&message, now);
    }

    fn is_received(&mut self, number: EntryNumber) {
        if let Some(entry) = self.outbox.front().filter(|entry| entry.number == number) {
            let table = base_station::session::TableId {
                section: SectionLetter::A,
                table: self.table,
            };
            let cell = Cell::new(table, entry.round, entry.board);
            self.received.insert(cell, entry.result);
            self.outbox.pop_front();
        }
    }

    fn claim(&self) -> LogOn {
        LogOn {
            section: SectionLetter::A,
            table: self.table,
            wire_version: WIRE_VERSION,
            firmware: FirmwareVersion(1, 0, 0),
            state: CheckIn {
                battery_20_mv: 150,
                signal_minus_dbm: 60,
                unsent: 0,
                round: RoundNumber::FIRST,
            },
        }
    }
}

/// Some result that differs from line to line and from turn to turn.
fn entry(cell: Cell, number: EntryNumber, turn: u32) -> Entry {
    let tricks = (u32::from(cell.board.get()) + u32::from(cell.table.get()) + turn) % 14;
    let contract = Contract {
        level: Level::new(3).expect("three"),
        strain: Strain::NoTrump,
        doubling: Doubling::Undoubled,
        declarer: Seat::from_index(cell.board.get()),
    };
    Entry {
        number,
        round: cell.round,
        agreed_in: cell.round,
        board: cell.board,
        result: BoardResult::Played(Played {
            contract,
            tricks: Tricks::new(u8::try_from(tricks).expect("small")).expect("tricks"),
            lead: None,
        }),
        correction: turn > 0,
        by_director: false,
    }
}
