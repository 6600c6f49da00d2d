//! Pads on a serial line: the pad's own end of the link, with an outbox that survives everything.
//! Players enter what the test tells them.

use std::time::{Duration, Instant as Wall, SystemTime};

use bench_parts::{Antenna, PadEnd, Told, Wire};
use protocol::frame::ClubKey;
use protocol::message::{Entry, EntryNumber, Up};
use protocol::words::{BoardNumber, BoardResult, PadId, RoundNumber, TableNumber};

use crate::daemon::CLUB_KEY;

/// How long to pause when there is nothing to hear.
const PAUSE: Duration = Duration::from_micros(500);

/// All pads of a section A.
#[derive(Debug)]
pub struct Pads {
    antenna: Antenna,
    all: Vec<Pad>,
}

#[derive(Debug)]
struct Pad {
    end: PadEnd,
    /// When East accepted the entry at the front of the outbox.
    agreed_at: Option<SystemTime>,
    received: Vec<Received>,
    entered: u16,
}

/// A result that its pad knows to be received.
#[derive(Clone, Copy, Debug)]
pub struct Received {
    /// Where.
    pub table: TableNumber,
    /// What.
    pub entry: Entry,
    /// When East accepted it and the pad began to send.
    pub agreed_at: SystemTime,
    /// When the pad heard that it is received.
    pub at: SystemTime,
}

impl Pads {
    /// One for each table, from 1.
    pub fn new(tables: u16, baud: u32) -> Self {
        let club: ClubKey = CLUB_KEY.parse().expect("the tests' key is one");
        let all = (1..=tables).map(|table| Pad::new(&club, table, baud));
        Self {
            antenna: Antenna::new(Wire::new()),
            all: all.collect(),
        }
    }

    /// The name of the base's port.
    pub fn radio(&self) -> &str {
        &self.antenna.wire.far_end
    }

    /// East accepts a result.
    pub fn enter(&mut self, table: u16, round: u8, board: u8, result: BoardResult) {
        let pad = &mut self.all[usize::from(table) - 1];
        pad.entered += 1;
        let round = RoundNumber::new(round).expect("a round");
        pad.end.outbox.push_back(Entry {
            number: EntryNumber(pad.entered),
            round,
            agreed_in: round,
            board: BoardNumber::new(board).expect("a board"),
            result,
            correction: false,
            by_director: false,
        });
    }

    /// The players call the director.
    pub fn call(&mut self, table: u16) {
        let pad = &mut self.all[usize::from(table) - 1];
        pad.end.wishes.push_back(Up::CallDirector);
    }

    /// Everything that pads know to be received, in no order.
    pub fn received(&self) -> Vec<Received> {
        let all = self.all.iter().flat_map(|pad| pad.received.iter().copied());
        all.collect()
    }

    /// Lets everybody send for so long.
    pub fn play_for(&mut self, time: Duration) {
        let until = Wall::now() + time;
        while Wall::now() < until {
            self.step();
        }
    }

    /// Lets everybody send until so many results are received.
    pub fn play_until(&mut self, received: usize, at_most: Duration) {
        let until = Wall::now() + at_most;
        let count = |pads: &Self| pads.all.iter().map(|pad| pad.received.len()).sum::<usize>();
        while count(self) < received {
            assert!(Wall::now() < until, "only {} arrived", count(self));
            self.step();
        }
    }

    fn step(&mut self) {
        let heard = self.antenna.wire.hear();
        let now = self.antenna.now();
        for pad in &mut self.all {
            for told in pad.end.step(&heard, now) {
                pad.hear(told);
            }
            pad.end.send(&mut self.antenna, now, |_| ());
        }
        self.antenna.deliver(now);
        if heard.is_empty() {
            std::thread::sleep(PAUSE);
        }
    }
}

impl Pad {
    fn new(club: &ClubKey, table: u16, baud: u32) -> Self {
        let pad = PadId::new(u32::from(table)).expect("a pad");
        let table = TableNumber::new(table).expect("a table");
        Self {
            end: PadEnd::new(club, pad, table, baud),
            agreed_at: None,
            received: Vec::new(),
            entered: 0,
        }
    }

    fn hear(&mut self, told: Told) {
        match told {
            Told::Sends => {
                self.agreed_at.get_or_insert_with(SystemTime::now);
            }
            Told::Received(entry) => {
                let at = SystemTime::now();
                let agreed_at = self.agreed_at.take().unwrap_or(at);
                let again = self
                    .received
                    .iter()
                    .any(|it| it.entry.number == entry.number);
                if !again {
                    self.received.push(Received {
                        table: self.end.table,
                        entry,
                        agreed_at,
                        at,
                    });
                }
            }
            Told::Refused(number, reason) => {
                panic!(
                    "table {}: {number:?} was refused: {reason:?}",
                    self.end.table
                )
            }
        }
    }
}
