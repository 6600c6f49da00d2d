//! Pads on a serial line: the pad's own end of the link, with an outbox that survives everything,
//! as the pad's flash does. Players enter what the test tells them.

use std::collections::VecDeque;
use std::time::{Duration, Instant as Wall, SystemTime};

use bench_parts::Wire;
use protocol::frame::{AssociationNumber, ClubKey, NetworkId};
use protocol::link::{Binding, PadEvent, PadIdentity, PadLink, Timing};
use protocol::message::{Down, Entry, EntryNumber, LogOn, Up};
use protocol::time::{Instant, Span};
use protocol::words::{BoardNumber, BoardResult, PadId, RoundNumber, SectionLetter, TableNumber};

use crate::daemon::CLUB_KEY;

/// After this time without a welcome a pad says again who it is.
const WELCOMED_WITHIN: Span = Span::from_secs(5);

/// How long to pause when there is nothing to hear.
const PAUSE: Duration = Duration::from_micros(500);

/// All pads of a section A.
#[derive(Debug)]
pub struct Pads {
    wire: Wire,
    all: Vec<Pad>,
    began: Wall,
    /// Frames of pads, and when their last byte is at the base.
    on_air: Vec<(Instant, Vec<u8>)>,
}

#[derive(Debug)]
struct Pad {
    link: PadLink,
    table: TableNumber,
    binding: Option<Binding>,
    outbox: VecDeque<Entry>,
    sent: VecDeque<Entry>,
    /// Other things to say.
    wishes: VecDeque<Up>,
    asked_to_resend: bool,
    claimed_at: Option<Instant>,
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
            wire: Wire::new(),
            all: all.collect(),
            began: Wall::now(),
            on_air: Vec::new(),
        }
    }

    /// The name of the base's port.
    pub fn radio(&self) -> &str {
        &self.wire.far_end
    }

    /// East accepts a result.
    pub fn enter(&mut self, table: u16, round: u8, board: u8, result: BoardResult) {
        let pad = &mut self.all[usize::from(table) - 1];
        pad.entered += 1;
        let round = RoundNumber::new(round).expect("a round");
        pad.outbox.push_back(Entry {
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
        pad.wishes.push_back(Up::CallDirector);
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
        let heard = self.wire.hear();
        let micros = u64::try_from(self.began.elapsed().as_micros()).expect("a short test");
        let now = Instant::from_micros(micros);
        for pad in &mut self.all {
            if !heard.is_empty() {
                pad.link.handle_receive(&heard, now);
            }
            pad.step(now);
            while let Some(frame) = pad.link.poll_transmit(now) {
                // A pad is deaf while it sends, so the base must not have the frame sooner.
                let timing = pad.link.timing();
                let there = now + timing.turnaround + timing.airtime(frame.len());
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
        if heard.is_empty() {
            std::thread::sleep(PAUSE);
        }
    }
}

impl Pad {
    fn new(club: &ClubKey, table: u16, baud: u32) -> Self {
        let pad = PadId::new(u32::from(table)).expect("a pad");
        let identity = PadIdentity {
            pad,
            network: NetworkId::new(0),
            keys: club.for_pad(pad),
        };
        let seed = u64::from(table) * 977;
        Self {
            link: PadLink::new(identity, Timing::at_baud(baud), AssociationNumber(0), seed),
            table: TableNumber::new(table).expect("a table"),
            binding: None,
            outbox: VecDeque::new(),
            sent: VecDeque::new(),
            wishes: VecDeque::new(),
            asked_to_resend: false,
            claimed_at: None,
            agreed_at: None,
            received: Vec::new(),
            entered: 0,
        }
    }

    fn step(&mut self, now: Instant) {
        self.link.handle_timeout(now);
        while let Some(event) = self.link.poll_event() {
            match event {
                PadEvent::Message(message) => self.hear(message),
                PadEvent::Reserve(number) => self.link.reserved(number),
                _ => {}
            }
        }
        if !self.link.is_ready() {
            return;
        }
        let claims = self.binding.is_none() || self.asked_to_resend;
        let waits = |at: Instant| now.since(at) < WELCOMED_WITHIN;
        if claims && self.claimed_at.is_some_and(waits) {
            return;
        }
        let message = if self.binding.is_none() {
            Up::LogOn(self.claim())
        } else if self.asked_to_resend {
            Up::Recover(self.claim())
        } else if let Some(wish) = self.wishes.pop_front() {
            wish
        } else if let Some(entry) = self.outbox.front() {
            self.agreed_at.get_or_insert_with(SystemTime::now);
            Up::Entry(*entry)
        } else {
            return;
        };
        if claims {
            self.claimed_at = Some(now);
            self.link.report(Some(self.claim().state), now);
        }
        let _ = self.link.send(&message, now);
    }

    fn hear(&mut self, message: Down) {
        match message {
            Down::Welcome(welcome) => {
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
            Down::PleaseResend => self.asked_to_resend = true,
            Down::Received { number, .. } => {
                let Some(entry) = self.outbox.front().filter(|it| it.number == number) else {
                    return;
                };
                let again = self.sent.iter().any(|sent| sent.number == number)
                    || self.received.iter().any(|it| it.entry.number == number);
                if !again {
                    let at = SystemTime::now();
                    self.received.push(Received {
                        table: self.table,
                        entry: *entry,
                        agreed_at: self.agreed_at.unwrap_or(at),
                        at,
                    });
                }
                self.agreed_at = None;
                self.sent.extend(self.outbox.pop_front());
            }
            Down::Refused {
                number: Some(number),
                reason,
            } => panic!("table {}: {number:?} was refused: {reason:?}", self.table),
            _ => {}
        }
    }

    fn claim(&self) -> LogOn {
        bench_parts::claim(SectionLetter::A, self.table)
    }
}
