//! Pads as the daemon hears them: the pad's own end of the link on a pseudo-terminal, with an
//! outbox that survives everything, as the pad's flash does.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant as Wall};

use air::{Eavesdropper, Heard};
use base_station::session::Cell;
use bench_parts::Wire;
use protocol::frame::{AssociationNumber, ClubKey, NetworkId};
use protocol::link::{Binding, PadEvent, PadIdentity, PadLink, Timing};
use protocol::message::{Down, Entry, EntryNumber, LogOn, Up};
use protocol::time::{Instant, Span};
use protocol::words::{
    BoardResult, Contract, Doubling, Level, PadId, Played, Seat, SectionLetter, Strain,
    TableNumber, Tricks,
};

/// A pad whose flash has its game.
struct Pad {
    link: PadLink,
    table: TableNumber,
    binding: Option<Binding>,
    outbox: VecDeque<Entry>,
    /// Everything that has left the outbox, should the base ask for it again.
    sent: VecDeque<Entry>,
    received: BTreeMap<Cell, BoardResult>,
    /// The base has gone on from a backup: say again who we are, then everything.
    asked_to_resend: bool,
    /// How often it has asked for that.
    times_asked: u32,
    /// When it last said who it is; the welcome takes a while.
    claimed_at: Option<Instant>,
}

/// After this time without a welcome a pad says again who it is.
const WELCOMED_WITHIN: Span = Span::from_secs(5);

pub(crate) struct Pads {
    /// The air: everybody hears everything that the base sends.
    pub(crate) wire: Wire,
    all: Vec<Pad>,
    began: Wall,
    wanted: usize,
    /// Frames of pads, and when the base will have heard them.
    on_air: Vec<(Instant, Vec<u8>)>,
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
        let mut bytes = [0; 32];
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&key[2 * at..2 * at + 2], 16).expect("hexadecimal");
        }
        let key = ClubKey::new(bytes);
        let eavesdropper = Eavesdropper::new(bytes);
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
                    sent: VecDeque::new(),
                    received: BTreeMap::new(),
                    asked_to_resend: false,
                    times_asked: 0,
                    claimed_at: None,
                }
            })
            .collect::<Vec<_>>();
        let wanted = cells.len();
        Self {
            wire,
            all: pads,
            began: Wall::now(),
            wanted,
            on_air: Vec::new(),
            eavesdropper,
        }
    }

    /// What somebody heard who listened all the time.
    pub(crate) fn heard(&self) -> Heard {
        self.eavesdropper.heard()
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
            if self.all.iter().all(Pad::is_done) {
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
        let had: Vec<bool> = self.all.iter().map(|pad| !pad.sent.is_empty()).collect();
        let has_resent = |(pad, had): (&Pad, &bool)| pad.is_done() && (pad.times_asked > 0 || !had);
        while !self.all.iter().zip(&had).all(has_resent) {
            if Wall::now() > until {
                return false;
            }
            if Wall::now() >= check_in_at {
                let now = self.now();
                for pad in self.all.iter_mut().filter(|pad| pad.times_asked == 0) {
                    pad.link.check_in_now(now);
                }
                // A check-in after a restart only renews keys; the next one is heard.
                check_in_at += Duration::from_secs(5);
            }
            self.step();
        }
        true
    }

    fn now(&self) -> Instant {
        let micros = u64::try_from(self.began.elapsed().as_micros()).expect("a short test");
        Instant::from_micros(micros)
    }

    fn step(&mut self) {
        let heard = self.wire.hear();
        let now = self.now();
        self.eavesdropper.hear_pieces(&heard);
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
                self.eavesdropper.hear_frame(&frame);
                self.on_air.push((heard, frame.to_vec()));
            }
        }
        self.on_air.retain(|(heard, frame)| {
            if *heard <= now {
                self.wire.say(frame);
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
                    if std::mem::take(&mut self.asked_to_resend) {
                        self.sent.append(&mut self.outbox);
                        std::mem::swap(&mut self.sent, &mut self.outbox);
                    }
                }
                PadEvent::Message(Down::PleaseResend) => {
                    self.asked_to_resend = true;
                    self.times_asked += 1;
                }
                PadEvent::Message(Down::Received { number, .. }) => self.is_received(number),
                PadEvent::Reserve(number) => self.link.reserved(number),
                _ => {}
            }
        }
        if !self.link.is_ready() {
            return;
        }
        let claims = self.binding.is_none() || self.asked_to_resend;
        let waits = |at: Instant| now.since(at) < WELCOMED_WITHIN;
        let message = match self.outbox.front() {
            _ if claims && self.claimed_at.is_some_and(waits) => return,
            _ if self.binding.is_none() => Up::LogOn(self.claim()),
            _ if self.asked_to_resend => Up::Recover(self.claim()),
            Some(entry) => Up::Entry(*entry),
            None => return,
        };
        if claims {
            self.claimed_at = Some(now);
            // What is left for it in a contact that fails is fetched with the next check-in.
            self.link.report(Some(self.claim().state), now);
        }
        let _ = self.link.send(&message, now);
    }

    fn is_done(&self) -> bool {
        self.outbox.is_empty() && !self.asked_to_resend
    }

    fn is_received(&mut self, number: EntryNumber) {
        if let Some(entry) = self.outbox.front().filter(|entry| entry.number == number) {
            let table = base_station::session::TableId {
                section: SectionLetter::A,
                table: self.table,
            };
            let cell = Cell::new(table, entry.round, entry.board);
            self.received.insert(cell, entry.result);
            self.sent.extend(self.outbox.pop_front());
        }
    }

    fn claim(&self) -> LogOn {
        bench_parts::claim(SectionLetter::A, self.table)
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
