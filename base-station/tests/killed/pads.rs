//! Pads as the daemon hears them, with everything that a whole session brings in their outboxes.

use std::collections::BTreeMap;
use std::time::{Duration, Instant as Wall};

use air::{Eavesdropper, Heard};
use base_station::session::{Cell, TableId};
use bench_parts::{Antenna, PadEnd, Told, Wire};
use protocol::frame::ClubKey;
use protocol::message::{Entry, EntryNumber};
use protocol::words::{
    BoardResult, Contract, Doubling, Level, PadId, Played, Seat, SectionLetter, Strain,
    TableNumber, Tricks,
};

pub(crate) struct Pads {
    /// The air: everybody hears everything that the base sends.
    pub(crate) antenna: Antenna,
    all: Vec<PadEnd>,
    received: BTreeMap<Cell, BoardResult>,
    wanted: usize,
    /// Hears everything that either side sends, for as long as the room exists.
    eavesdropper: Eavesdropper,
}

impl Pads {
    pub(crate) fn new(
        wire: Wire,
        tables: u16,
        baud: u32,
        key: &str,
        cells: &[Cell],
        kills: u32,
    ) -> Self {
        let key: ClubKey = key.parse().expect("the daemon has written it");
        // A session has so many boards; more kills need more results, so lines are corrected too.
        let turns = 1 + kills / 60;
        let pads = (1..=tables).map(|number| {
            let table = TableNumber::new(number).expect("a table");
            let id = PadId::new(0x0BAD_0000 + u32::from(number)).expect("a pad");
            let mut pad = PadEnd::new(&key, id, table, baud);
            let own: Vec<&Cell> = cells.iter().filter(|cell| cell.table == table).collect();
            for turn in 0..turns {
                for cell in &own {
                    let number = u16::try_from(pad.outbox.len() + 1).expect("few");
                    let entry = entry(**cell, EntryNumber(number), turn);
                    pad.outbox.push_back(entry);
                }
            }
            pad
        });
        Self {
            antenna: Antenna::new(wire),
            all: pads.collect(),
            received: BTreeMap::new(),
            wanted: cells.len(),
            eavesdropper: Eavesdropper::new(*key.bytes()),
        }
    }

    /// The name of the base's port.
    pub(crate) fn radio(&self) -> &str {
        &self.antenna.wire.far_end
    }

    /// What somebody heard who listened all the time.
    pub(crate) fn heard(&self) -> Heard {
        self.eavesdropper.heard()
    }

    pub(crate) fn wanted(&self) -> usize {
        self.wanted
    }

    pub(crate) fn received(&self) -> BTreeMap<Cell, BoardResult> {
        self.received.clone()
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
            if self.all.iter().all(PadEnd::is_done) {
                return true;
            }
            self.step();
        }
        false
    }

    /// Plays until so many results were told to be received.
    pub(crate) fn play_until_received(&mut self, count: usize) {
        let until = Wall::now() + Duration::from_mins(2);
        while self.received().len() < count {
            assert!(
                Wall::now() < until,
                "only {} arrived",
                self.received().len()
            );
            self.play_for(Duration::from_millis(20));
        }
    }

    /// Every pad checks in, and is asked for everything by a base that went on from a backup; true
    /// when all of them have sent it. A real pad would wait for its next check-in.
    pub(crate) fn resend_everything(&mut self, at_most: Duration) -> bool {
        let until = Wall::now() + at_most;
        let mut check_in_at = Wall::now();
        // A pad that comes to the new base first has nothing to say again.
        let had: Vec<bool> = self.all.iter().map(PadEnd::has_sent).collect();
        let has_resent =
            |(pad, had): (&PadEnd, &bool)| pad.is_done() && (pad.times_asked() > 0 || !had);
        while !self.all.iter().zip(&had).all(has_resent) {
            if Wall::now() > until {
                return false;
            }
            if Wall::now() >= check_in_at {
                let now = self.antenna.now();
                for pad in self.all.iter_mut().filter(|pad| pad.times_asked() == 0) {
                    pad.link.check_in_now(now);
                }
                // A check-in after a restart only renews keys; the next one is heard.
                check_in_at += Duration::from_secs(5);
            }
            self.step();
        }
        true
    }

    fn step(&mut self) {
        let heard = self.antenna.wire.hear();
        let now = self.antenna.now();
        self.eavesdropper.hear_pieces(&heard);
        for pad in &mut self.all {
            for told in pad.step(&heard, now) {
                if let Told::Received(entry) = told {
                    let table = TableId {
                        section: SectionLetter::A,
                        table: pad.table,
                    };
                    let cell = Cell::new(table, entry.round, entry.board);
                    self.received.insert(cell, entry.result);
                }
            }
            let eavesdropper = &mut self.eavesdropper;
            pad.send(&mut self.antenna, now, |frame| {
                eavesdropper.hear_frame(frame);
            });
        }
        self.antenna.deliver(now);
        if heard.is_empty() {
            std::thread::sleep(Duration::from_millis(1));
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
