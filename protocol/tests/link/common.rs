//! A pad and a base that hear each other perfectly, with real airtime.

use protocol::frame::{AssociationNumber, BaseNonce, ClubKey, NetworkId};
use protocol::link::{Call, Hub, PadEvent, PadIdentity, PadLink, Port, Timing};
use protocol::message::{
    Down, Entry, EntryNumber, Feedback, Settings, TRAVELLER_LINES_MAX, TravellerLine, Up, Welcome,
};
use protocol::time::{Instant, Span};
use protocol::words::{
    BoardNumber, BoardResult, Contract, Epoch, PadId, Percentage, Played, RoundNumber, Score, Seat,
    SectionLetter, SessionId, TableNumber, Tricks,
};

pub(crate) const CLUB: ClubKey = ClubKey::new([7; 32]);

/// A frame that was sent.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    pub(crate) bytes: Vec<u8>,
}

impl Sent {
    pub(crate) fn is_long(&self) -> bool {
        self.bytes.len() > 60
    }
}

pub(crate) struct Pair {
    pub(crate) pad: PadLink,
    pub(crate) hub: Hub,
    pub(crate) now: Instant,
    pub(crate) frames: Vec<Sent>,
    pub(crate) events: Vec<PadEvent>,
    /// The base's program gets the processor so much later than it asked for.
    pub(crate) base_is_late: Span,
    timing: Timing,
    /// Frames on the air: when they are heard, and whether by the base.
    air: Vec<(Instant, bool, Vec<u8>)>,
    base_sends_until: Instant,
}

impl Pair {
    pub(crate) fn new(key: &ClubKey) -> Self {
        Self::on_a_line(key, Timing::COMMON)
    }

    pub(crate) fn on_a_line(key: &ClubKey, timing: Timing) -> Self {
        let pad = PadId::new(0x00C0_FFEE).unwrap();
        let identity = PadIdentity {
            pad,
            network: NetworkId::new(1),
            keys: key.for_pad(pad),
        };
        let nonce = BaseNonce([1; 8]);
        Self {
            pad: PadLink::new(identity, timing, AssociationNumber(0), 1),
            hub: Hub::new(CLUB, NetworkId::new(1), timing, nonce),
            now: Instant::ZERO,
            frames: Vec::new(),
            events: Vec::new(),
            base_is_late: Span::ZERO,
            timing,
            air: Vec::new(),
            base_sends_until: Instant::ZERO,
        }
    }

    /// A pad and a base that know each other, at rest.
    pub(crate) fn associated() -> Self {
        let mut pair = Self::new(&CLUB);
        pair.send(&Up::CancelCall);
        pair.run_until_call();
        pair.answer(vec![]);
        pair.run_for(Span::from_secs(2));
        pair
    }

    pub(crate) fn pad_id(&self) -> PadId {
        self.pad.identity().pad
    }

    pub(crate) fn send(&mut self, message: &Up) {
        self.pad.send(message, self.now).expect("the pad is ready");
    }

    pub(crate) fn send_when_ready(&mut self, message: &Up) {
        self.run_until(|pair| pair.pad.is_ready());
        self.send(message);
    }

    pub(crate) fn answer(&mut self, answer: Vec<Down>) {
        let pad = self.pad_id();
        self.hub.answer(pad, answer, self.now);
    }

    /// Two results and their answers; the second one has a percentage.
    pub(crate) fn two_results(&mut self) {
        for (number, percentage) in [(1, None), (2, Percentage::whole(62))] {
            self.send(&entry(number));
            self.run_until_call();
            self.answer(vec![received(number, percentage)]);
            self.run_for(Span::from_secs(2));
        }
    }

    pub(crate) fn messages(&self) -> impl Iterator<Item = &Down> {
        self.events.iter().filter_map(|event| match event {
            PadEvent::Message(message) => Some(message),
            _ => None,
        })
    }

    /// The next thing the pad says that is not a check-in.
    pub(crate) fn run_until_call(&mut self) -> Call {
        for _ in 0..10_000 {
            self.step(Instant::from_micros(u64::MAX));
            if let Some(call) = self.hub.poll_call() {
                return call;
            }
        }
        panic!("the pad says nothing: {:?}", self.pad);
    }

    /// The pad's next frame, which nobody hears.
    pub(crate) fn next_frame_unheard(&mut self) -> Vec<u8> {
        let before = self.frames.len();
        self.run_until(|pair| pair.frames.len() > before);
        self.air.pop();
        self.frames.last().unwrap().bytes.clone()
    }

    pub(crate) fn run_until(&mut self, done: impl Fn(&Self) -> bool) {
        for _ in 0..10_000 {
            if done(self) {
                return;
            }
            self.step(Instant::from_micros(u64::MAX));
        }
        panic!("it does not happen: {:?}", self.pad);
    }

    /// Nobody hears the pad until this is so.
    pub(crate) fn run_unheard_until(&mut self, done: impl Fn(&Self) -> bool) {
        for _ in 0..10_000 {
            if done(self) {
                return;
            }
            self.step(Instant::from_micros(u64::MAX));
            self.air.retain(|(_, by_base, _)| !by_base);
        }
        panic!("it does not happen: {:?}", self.pad);
    }

    /// Until the pad has sent what it was sending, and hears.
    pub(crate) fn let_pad_listen(&mut self) {
        for _ in 0..100 {
            self.now += Span::from_millis(1);
            self.pad.handle_timeout(self.now);
        }
    }

    /// Nobody hears anybody for so long.
    pub(crate) fn lose_everything_for(&mut self, span: Span) {
        let end = self.now + span;
        self.air.clear();
        while self.step(end) {
            self.air.clear();
        }
        self.now = self.now.max(end);
    }

    pub(crate) fn run_for(&mut self, span: Span) {
        let end = self.now + span;
        while self.step(end) {}
    }

    /// The next thing that happens, if it happens by then.
    fn step(&mut self, end: Instant) -> bool {
        self.speak();
        let base_wakes = self.hub.poll_timeout().map(|at| at + self.base_is_late);
        let next = [self.pad.poll_timeout(), base_wakes]
            .into_iter()
            .flatten()
            .chain(self.air.iter().map(|(at, _, _)| *at))
            .min();
        let Some(next) = next.filter(|next| *next <= end) else {
            self.now = self.now.max(end.min(self.now + Span::from_secs(60)));
            return false;
        };
        self.now = self.now.max(next);
        if let Some(at) = self.air.iter().position(|(at, _, _)| *at <= self.now) {
            let (_, by_base, bytes) = self.air.remove(at);
            if by_base {
                self.hub.handle_receive(Port(0), &bytes, self.now);
            } else {
                self.pad.handle_receive(&bytes, self.now);
            }
        }
        self.pad.handle_timeout(self.now);
        self.speak();
        true
    }

    fn speak(&mut self) {
        while let Some(event) = self.pad.poll_event() {
            if let PadEvent::Reserve(number) = event {
                self.pad.reserved(number);
            }
            self.events.push(event);
        }
        if let Some(frame) = self.pad.poll_transmit(self.now) {
            let heard = self.now + self.timing.turnaround + self.timing.airtime(frame.len());
            self.put(heard, true, &frame);
        }
        let base_sleeps = |at| self.base_is_late > Span::ZERO && at + self.base_is_late > self.now;
        if self.hub.poll_timeout().is_some_and(base_sleeps) {
            return;
        }
        while let Some((_, frame)) = self.hub.poll_transmit(self.now) {
            let begins = if self.base_sends_until > self.now {
                self.base_sends_until
            } else {
                self.now + self.timing.turnaround + self.timing.airtime(0)
            };
            self.base_sends_until = begins + self.timing.bytes(frame.len());
            self.put(self.base_sends_until, false, &frame);
        }
    }

    fn put(&mut self, heard: Instant, by_base: bool, frame: &[u8]) {
        self.frames.push(Sent {
            bytes: frame.to_vec(),
        });
        self.air.push((heard, by_base, frame.to_vec()));
    }
}

pub(crate) fn entry(number: u16) -> Up {
    Up::Entry(Entry {
        number: EntryNumber(number),
        round: RoundNumber::FIRST,
        agreed_in: RoundNumber::FIRST,
        board: BoardNumber::new(7).unwrap(),
        result: BoardResult::Played(Played {
            contract: Contract::parse("4SX", Seat::North).unwrap(),
            tricks: Tricks::new(10).unwrap(),
            lead: Some("HK".parse().unwrap()),
        }),
        correction: false,
        by_director: false,
    })
}

pub(crate) fn received(number: u16, percentage: Option<Percentage>) -> Down {
    Down::Received {
        number: EntryNumber(number),
        percentage,
    }
}

pub(crate) fn welcome(epoch: u16) -> Down {
    Down::Welcome(Welcome {
        session: SessionId::new(77).unwrap(),
        epoch: Epoch::new(epoch).unwrap(),
        section: SectionLetter::A,
        table: TableNumber::new(12).unwrap(),
        event: "Pairs".try_into().unwrap(),
        round: RoundNumber::FIRST,
        rounds_total: RoundNumber::new(9).unwrap(),
        next_entry: EntryNumber::FIRST,
        recorded: 0,
        settings: Settings::CLUB_EVENING,
    })
}

pub(crate) fn large_traveller() -> Down {
    let line = TravellerLine {
        score: Score(-620),
        times: 3,
        ns_percentage: Percentage::whole(20),
        own: true,
        played: None,
    };
    Down::Feedback(Feedback::Traveller {
        board: BoardNumber::new(5).unwrap(),
        lines: std::iter::repeat_n(line, TRAVELLER_LINES_MAX).collect(),
    })
}
