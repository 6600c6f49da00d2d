//! Clients at tables: the pad's end of the link on pseudo-terminals, and people who play whatever
//! the schedule says as fast as the base answers.

use std::collections::VecDeque;
use std::time::{Duration, Instant as Wall};

use bench_parts::Wire;
use protocol::frame::{AssociationNumber, ClubKey, NetworkId};
use protocol::link::{PadEvent, PadIdentity, PadLink, Timing};
use protocol::message::{Down, Entry, EntryNumber, LogOn, RoundSheet, Up};
use protocol::time::{Instant, Span};
use protocol::words::{
    BoardNumber, BoardResult, Contract, Doubling, Level, PadId, Played, RoundNumber, Seat,
    SectionLetter, Strain, TableNumber, Tricks,
};

use crate::daemon::CLUB_KEY;

/// A night that is not over by then has come to a standstill.
const NIGHT_MAX: Duration = Duration::from_mins(3);

/// What is remembered of a table for the case that it comes to a standstill.
const DIARY_LINES: usize = 40;

/// How long to pause when there is nothing to hear.
const PAUSE: Duration = Duration::from_micros(500);

/// All tables of the hall.
pub(super) struct Tables {
    receivers: Vec<Receiver>,
    began: Wall,
}

/// A receiver of the base with the tables that it serves.
struct Receiver {
    wire: Wire,
    tables: Vec<Table>,
    /// Frames of pads, and when their last byte is at the base.
    on_air: Vec<(Instant, Vec<u8>)>,
}

struct Table {
    link: PadLink,
    section: SectionLetter,
    number: TableNumber,
    /// It has asked for its table tonight, and waits for the welcome.
    claimed: bool,
    welcomed: bool,
    sheets: Vec<RoundSheet>,
    outbox: VecDeque<Entry>,
    received: u64,
    finished: bool,
    /// When the first frame with the entry had left.
    spoke_at: Option<Instant>,
    /// From then until the pad knew that the base has it, entry by entry.
    waits: Vec<Span>,
    /// What it sent and heard last, in words.
    diary: VecDeque<String>,
}

impl Tables {
    pub(super) fn new(sections: &[(char, u16)], receivers: u16, baud: u32) -> Self {
        let club: ClubKey = CLUB_KEY.parse().expect("the tests' key is one");
        let count = usize::from(receivers.max(1));
        let mut receivers: Vec<Receiver> = (0..count)
            .map(|_| Receiver {
                wire: Wire::new(),
                tables: Vec::new(),
                on_air: Vec::new(),
            })
            .collect();
        let seats = sections
            .iter()
            .flat_map(|(letter, tables)| (1..=*tables).map(move |table| (*letter, table)));
        for (at, (letter, table)) in seats.enumerate() {
            let pad = u32::try_from(at + 1).ok().and_then(PadId::new);
            let table = Table::new(&club, pad.expect("a pad"), letter, table, baud);
            receivers[at % count].tables.push(table);
        }
        Self {
            receivers,
            began: Wall::now(),
        }
    }

    /// The names of the base's ports.
    pub(super) fn radios(&self) -> Vec<String> {
        let wires = self.receivers.iter().map(|receiver| &receiver.wire);
        wires.map(|wire| wire.far_end.clone()).collect()
    }

    /// Everybody logs on and plays until the base has everything; how many results that were.
    pub(super) fn play(&mut self) -> u64 {
        let now = self.now();
        for table in self.receivers.iter_mut().flat_map(|it| &mut it.tables) {
            table.begin(now);
        }
        let until = Wall::now() + NIGHT_MAX;
        while !self.tables().all(|table| table.finished) {
            let stuck = || {
                let open = self.tables().filter(|table| !table.finished);
                open.map(Table::told).collect::<Vec<_>>().join("\n")
            };
            assert!(Wall::now() < until, "the night stands still:\n{}", stuck());
            self.step();
        }
        self.tables().map(|table| table.received).sum()
    }

    /// From frame to acknowledgement, over all results of the night, shortest first.
    pub(super) fn waits(&self) -> Vec<Span> {
        let all = self.tables().flat_map(|table| table.waits.iter().copied());
        let mut all: Vec<Span> = all.collect();
        all.sort_unstable();
        all
    }

    fn tables(&self) -> impl Iterator<Item = &Table> {
        self.receivers.iter().flat_map(|receiver| &receiver.tables)
    }

    fn now(&self) -> Instant {
        let micros = u64::try_from(self.began.elapsed().as_micros()).expect("a few hours");
        Instant::from_micros(micros)
    }

    fn step(&mut self) {
        let now = self.now();
        let mut quiet = true;
        for receiver in &mut self.receivers {
            quiet &= !receiver.step(now);
        }
        if quiet {
            std::thread::sleep(PAUSE);
        }
    }
}

impl Receiver {
    /// True if there was something to hear.
    fn step(&mut self, now: Instant) -> bool {
        let heard = self.wire.hear();
        for table in &mut self.tables {
            if !heard.is_empty() {
                table.link.handle_receive(&heard, now);
            }
            table.step(now);
            while let Some(frame) = table.link.poll_transmit(now) {
                // A pad is deaf while it sends, so the base must not have the frame sooner.
                let timing = table.link.timing();
                let there = now + timing.turnaround + timing.airtime(frame.len());
                if !table.outbox.is_empty() {
                    table.spoke_at.get_or_insert(there);
                }
                self.on_air.push((there, frame.to_vec()));
            }
        }
        let wire = &self.wire;
        self.on_air.retain(|(there, frame)| {
            if *there <= now {
                wire.say(frame);
            }
            *there > now
        });
        !heard.is_empty()
    }
}

impl Table {
    fn new(club: &ClubKey, pad: PadId, section: char, number: u16, baud: u32) -> Self {
        let identity = PadIdentity {
            pad,
            network: NetworkId::new(0),
            keys: club.for_pad(pad),
        };
        // A client on a wire has no modem that must wake up.
        let timing = Timing {
            wake_up: Span::ZERO,
            ..Timing::at_baud(baud)
        };
        let seed = u64::from(pad.get());
        Self {
            link: PadLink::new(identity, timing, AssociationNumber(0), seed),
            section: section.to_string().parse().expect("a section"),
            number: TableNumber::new(number).expect("a table"),
            claimed: false,
            welcomed: false,
            sheets: Vec::new(),
            outbox: VecDeque::new(),
            received: 0,
            finished: false,
            spoke_at: None,
            waits: Vec::new(),
            diary: VecDeque::new(),
        }
    }

    /// Notes something for [`Self::told`].
    fn note(&mut self, now: Instant, what: &str) {
        if self.diary.len() == DIARY_LINES {
            self.diary.pop_front();
        }
        let line = format!("  {} ms {what:.80}", now.as_millis());
        self.diary.push_back(line);
    }

    /// Where it stands and how it came there.
    fn told(&self) -> String {
        format!(
            "table {}{}: claimed {}, welcomed {}, {} rounds known, {} results received, {} to go\n{}",
            self.section,
            self.number,
            self.claimed,
            self.welcomed,
            self.sheets.len(),
            self.received,
            self.outbox.len(),
            self.diary.iter().cloned().collect::<Vec<_>>().join("\n")
        )
    }

    /// A new night: whatever was before is over.
    fn begin(&mut self, now: Instant) {
        self.link.bind(None);
        // Whatever is left for it in a contact that fails is fetched with the next check-in.
        let state = self.claim().state;
        self.link.report(Some(state), now);
        (self.claimed, self.welcomed) = (false, false);
        (self.finished, self.received) = (false, 0);
        self.sheets.clear();
        self.outbox.clear();
        self.waits.clear();
        self.spoke_at = None;
    }

    fn step(&mut self, now: Instant) {
        self.link.handle_timeout(now);
        while let Some(event) = self.link.poll_event() {
            self.note(now, &format!("{event:?}"));
            match event {
                PadEvent::Message(message) => self.hear(message, now),
                PadEvent::Reserve(number) => self.link.reserved(number),
                _ => {}
            }
        }
        if self.finished || !self.link.is_ready() {
            return;
        }
        let message = match self.outbox.front() {
            Some(entry) => Up::Entry(*entry),
            None if !self.claimed => Up::LogOn(self.claim()),
            None => return,
        };
        self.claimed = true;
        self.note(now, &format!("says {message:?}"));
        // The link is ready, so it takes the message.
        let _ = self.link.send(&message, now);
    }

    fn hear(&mut self, message: Down, now: Instant) {
        match message {
            Down::Welcome(_) => {
                self.welcomed = true;
                self.sheets.clear();
            }
            // One that comes sooner is of the night before.
            Down::Schedule {
                rounds_total,
                rounds,
            } if self.welcomed => {
                let new = |sheet: &RoundSheet| self.sheets.iter().all(|it| it.round != sheet.round);
                let rounds: Vec<RoundSheet> = rounds.into_iter().filter(new).collect();
                self.sheets.extend(rounds);
                let all = self.sheets.len() == usize::from(rounds_total.get());
                if all && self.outbox.is_empty() && self.received == 0 {
                    self.sheets.sort_by_key(|sheet| sheet.round);
                    self.outbox = self.entries();
                }
            }
            Down::Received { number, .. } if self.waits_for(number) => {
                self.outbox.pop_front();
                self.received += 1;
                self.finished = self.outbox.is_empty();
                let waited = self.spoke_at.take().map(|at| now.since(at));
                self.waits.extend(waited);
            }
            Down::Refused { number: None, .. } => self.claimed = self.welcomed,
            Down::Refused {
                number: Some(number),
                reason,
            } => {
                panic!(
                    "table {:?}{}: {number:?} was refused: {reason:?}",
                    self.section, self.number
                )
            }
            _ => {}
        }
    }

    fn waits_for(&self, number: EntryNumber) -> bool {
        let next = self.outbox.front();
        next.is_some_and(|entry| entry.number == number)
    }

    /// Every board of the night, with results that differ from table to table.
    fn entries(&self) -> VecDeque<Entry> {
        let played = self
            .sheets
            .iter()
            .filter(|sheet| sheet.ns.is_some() && sheet.ew.is_some());
        let boards = played.flat_map(|sheet| {
            let first = sheet.first_board.get();
            let boards = (first..first + sheet.boards).filter_map(BoardNumber::new);
            boards.map(|board| (sheet.round, board))
        });
        (1..)
            .zip(boards)
            .map(|(number, (round, board))| Entry {
                number: EntryNumber(number),
                round,
                agreed_in: round,
                board,
                result: self.result(round, board),
                correction: false,
                by_director: false,
            })
            .collect()
    }

    fn result(&self, round: RoundNumber, board: BoardNumber) -> BoardResult {
        let mix = u16::from(board.get()) * 7 + self.number.get() * 5 + u16::from(round.get());
        let small = |limit: u16| u8::try_from(mix % limit).unwrap_or_default();
        let contract = Contract {
            level: Level::new(small(5) + 1).expect("one to five"),
            strain: [
                Strain::Clubs,
                Strain::Hearts,
                Strain::Spades,
                Strain::NoTrump,
            ][usize::from(small(4))],
            doubling: Doubling::Undoubled,
            declarer: Seat::from_index(board.get()),
        };
        BoardResult::Played(Played {
            contract,
            tricks: Tricks::new(6 + small(7)).expect("six to twelve"),
            lead: None,
        })
    }

    fn claim(&self) -> LogOn {
        bench_parts::claim(self.section, self.number)
    }
}
