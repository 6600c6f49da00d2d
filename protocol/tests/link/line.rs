//! A pad with a line of its own to the base: the same frames, and nobody waits for a slot.

use protocol::frame::{AssociationNumber, BaseNonce, NetworkId};
use protocol::link::{Hub, PadEvent, PadIdentity, PadLink, Port, Timing};
use protocol::message::{Down, EntryNumber, Up};
use protocol::time::{Instant, Span};
use protocol::words::PadId;

use super::common::CLUB;

const LINE: Port = Port(700);

/// From one end to the other.
const NETWORK: Span = Span::from_millis(20);

struct Line {
    pad: PadLink,
    hub: Hub,
    now: Instant,
    /// The network carries nothing.
    cut: bool,
    under_way: Vec<(Instant, bool, Vec<u8>)>,
    up: Vec<Vec<u8>>,
    heard: Vec<Down>,
    answered: Vec<Instant>,
    waited: u32,
}

impl Line {
    fn new() -> Self {
        let pad = PadId::new(0x0F0E_0001).unwrap();
        let identity = PadIdentity {
            pad,
            network: NetworkId::new(1),
            keys: CLUB.for_pad(pad),
        };
        let mut hub = Hub::new(CLUB, NetworkId::new(1), Timing::COMMON, BaseNonce([3; 8]));
        hub.add_line(LINE);
        Self {
            pad: PadLink::new(identity, Timing::LINE, AssociationNumber(0), 5),
            hub,
            now: Instant::from_millis(10_000),
            cut: false,
            under_way: Vec::new(),
            up: Vec::new(),
            heard: Vec::new(),
            answered: Vec::new(),
            waited: 0,
        }
    }

    fn step(&mut self) {
        while let Some(event) = self.pad.poll_event() {
            match event {
                PadEvent::Reserve(number) => self.pad.reserved(number),
                PadEvent::Message(message) => self.heard.push(message),
                PadEvent::Answered => self.answered.push(self.now),
                PadEvent::Waiting => self.waited += 1,
                _ => {}
            }
        }
        while let Some(frame) = self.pad.poll_transmit(self.now) {
            self.up.push(frame.to_vec());
            self.carry(true, frame.to_vec());
        }
        while let Some(call) = self.hub.poll_call() {
            let answer = match call.message {
                Up::Entry(entry) => vec![Down::Received {
                    number: entry.number,
                    percentage: None,
                }],
                _ => vec![],
            };
            self.hub.answer(call.pad, answer, self.now);
        }
        while let Some((port, frame)) = self.hub.poll_transmit(self.now) {
            assert_eq!(port, LINE, "the answer goes where the call came from");
            self.carry(false, frame.to_vec());
        }
    }

    fn carry(&mut self, to_base: bool, frame: Vec<u8>) {
        if !self.cut {
            self.under_way.push((self.now + NETWORK, to_base, frame));
        }
    }

    fn run_for(&mut self, span: Span) {
        let end = self.now + span;
        while self.now < end {
            self.step();
            let next = [self.pad.poll_timeout(), self.hub.poll_timeout()];
            let next = next.into_iter().flatten();
            let arrival = self.under_way.iter().map(|(at, ..)| *at);
            let next = next.chain(arrival).min().unwrap_or(end);
            self.now = next.max(self.now + Span::from_micros(50)).min(end);
            let (here, later) = std::mem::take(&mut self.under_way)
                .into_iter()
                .partition(|(at, ..)| *at <= self.now);
            self.under_way = later;
            let here: Vec<(Instant, bool, Vec<u8>)> = here;
            for (_, to_base, frame) in here {
                if to_base {
                    self.hub.handle_receive(LINE, &frame, self.now);
                } else {
                    self.pad.handle_receive(&frame, self.now);
                }
                self.step();
            }
            self.pad.handle_timeout(self.now);
            self.hub.handle_timeout(self.now);
        }
    }

    fn say(&mut self, message: &Up) -> Instant {
        self.step();
        self.pad.send(message, self.now).expect("ready");
        self.now
    }
}

#[test]
fn a_phone_hears_that_its_result_is_there_after_one_way_and_back() {
    let mut line = Line::new();
    // The first word is a hello and then the keys are new: three ways.
    line.say(&Up::CallDirector);
    line.run_for(Span::from_secs(1));
    assert_eq!(line.answered.len(), 1);
    for number in 1..=20 {
        let said = line.say(&super::common::entry(number));
        line.run_for(Span::from_millis(500));
        let took = line.answered.last().expect("answered").since(said);
        assert!(
            took <= NETWORK.times(2) + Span::from_millis(2),
            "a line has no slots: {took:?}"
        );
        let last = line.heard.last();
        assert!(
            matches!(last, Some(Down::Received { number: EntryNumber(it), .. }) if *it == number)
        );
    }
    assert_eq!(line.hub.tally().accepted, 21, "each was said once");
}

#[test]
fn a_phone_that_was_cut_off_calls_as_soon_as_the_network_is_back() {
    let mut line = Line::new();
    line.say(&Up::CallDirector);
    line.run_for(Span::from_secs(1));
    line.cut = true;
    line.say(&super::common::entry(1));
    line.run_for(Span::from_secs(600));
    assert!(line.waited > 3, "the players see that it waits");
    assert!(line.heard.is_empty());
    line.cut = false;
    let back = line.now;
    line.pad.call_now(line.now);
    line.run_for(Span::from_secs(5));
    let took = line.answered.last().expect("answered").since(back);
    assert!(took < Span::from_millis(1_500), "{took:?}");
    assert_eq!(line.heard.len(), 1);
}

#[test]
fn what_was_said_on_one_line_has_no_effect_on_another() {
    let mut line = Line::new();
    line.say(&Up::CallDirector);
    line.run_for(Span::from_secs(1));
    line.say(&super::common::entry(1));
    line.run_for(Span::from_secs(1));
    let (frames, before) = (line.up.clone(), line.hub.tally());
    let thief = Port(701);
    line.hub.add_line(thief);
    for frame in &frames {
        line.hub.handle_receive(thief, frame, line.now);
        let mut forged = frame.clone();
        let middle = forged.len() / 2;
        forged[middle] ^= 0x21;
        line.hub.handle_receive(thief, &forged, line.now);
    }
    assert!(
        line.hub.poll_call().is_none(),
        "nothing reaches the session"
    );
    let after = line.hub.tally();
    assert_eq!(after.accepted, before.accepted);
    assert!(after.replayed > before.replayed);
    // A line that is gone takes nothing with it.
    line.hub.drop_line(thief);
    line.say(&super::common::entry(2));
    line.run_for(Span::from_secs(1));
    assert_eq!(line.heard.len(), 2);
}
