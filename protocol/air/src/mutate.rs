//! Frames that a careless or hostile world could send: true ones, changed at random, thrown at
//! both decoders.

use protocol::frame::{AssociationNumber, BaseNonce, Deframer, Header, NetworkId};
use protocol::link::{Hub, PadIdentity, PadLink, Port, Timing};
use protocol::message::{Down, Up};
use protocol::time::{Instant, Span};
use protocol::wire::Message;
use protocol::words::PadId;

use crate::Random;
use crate::capacity::{CHECK_IN, entry};
use crate::room::CLUB_KEY;

/// What became of the frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Frames thrown.
    pub frames: u64,
    /// Calls that the hub handed over. Only true frames may lead to one, and none is thrown.
    pub calls: u64,
    /// Message bytes that decoded to some message.
    pub messages: u64,
    /// The most pads that the hub ever knew.
    pub pads: usize,
}

/// Throws so many mutated frames at a hub, at a pad's link and at the message decoders.
pub fn throw(frames: u64, seed: u64) -> Outcome {
    let mut random = Random::new(seed);
    let (mut hub, mut pad) = ends();
    let originals = originals(&mut hub, &mut pad);
    let messages = messages();
    let mut outcome = Outcome::default();
    let mut now = Instant::from_millis(60_000);
    for _ in 0..frames {
        let mut frame = pick(&originals, &mut random);
        mutate(&mut frame, &mut random);
        now += Span::from_micros(500);
        hub.handle_receive(Port(0), &frame, now);
        hub.handle_timeout(now);
        while hub.poll_call().is_some() {
            outcome.calls += 1;
        }
        while hub.poll_transmit(now).is_some() {}
        pad.check_in_now(now);
        pad.handle_timeout(now);
        pad.handle_receive(&frame, now);
        while pad.poll_event().is_some() {}
        let mut deframer = Deframer::default();
        for collected in frame.iter().filter_map(|&byte| deframer.push(byte)) {
            for body in collected.bodies() {
                let _ = Header::decode(&body);
            }
        }
        let mut message = pick(&messages, &mut random);
        mutate(&mut message, &mut random);
        outcome.messages += u64::from(Up::decode(&message).is_some());
        outcome.messages += u64::from(Down::decode(&message).is_some());
        outcome.pads = outcome.pads.max(hub.pads().count());
        outcome.frames += 1;
    }
    outcome
}

/// A base and a pad of the same club.
pub fn ends() -> (Hub, PadLink) {
    let (network, timing) = (NetworkId::new(1), Timing::COMMON);
    let hub = Hub::new(CLUB_KEY, network, timing, BaseNonce([3; 8]));
    let pad = PadId::new(0x1234_5678).unwrap_or(PadId::MIN);
    let identity = PadIdentity {
        pad,
        network,
        keys: CLUB_KEY.for_pad(pad),
    };
    let mut link = PadLink::new(identity, timing, AssociationNumber(0), 5);
    link.reserved(AssociationNumber(100));
    (hub, link)
}

/// True frames of every kind; all of them have been heard, so that none counts again.
pub fn originals(hub: &mut Hub, pad: &mut PadLink) -> Vec<Vec<u8>> {
    let mut frames = Vec::new();
    let mut now = Instant::ZERO;
    let mut number = 0;
    pad.report(Some(CHECK_IN), now);
    while now < Instant::from_millis(55_000) {
        if pad.is_ready() {
            number += 1;
            let _ = pad.send(&entry(number), now);
        }
        if let Some(frame) = pad.poll_transmit(now) {
            hub.handle_receive(Port(0), &frame, now + Span::from_millis(33));
            frames.push(frame.to_vec());
        }
        while let Some(call) = hub.poll_call() {
            hub.answer(call.pad, [], now);
        }
        if let Some((_, frame)) = hub.poll_transmit(now) {
            pad.handle_receive(&frame, now + Span::from_millis(30));
            frames.push(frame.to_vec());
        }
        while pad.poll_event().is_some() {}
        now += Span::from_millis(5);
    }
    frames
}

fn messages() -> Vec<Vec<u8>> {
    [
        entry(1).encode(),
        Up::CheckIn(CHECK_IN).encode(),
        Up::CallDirector.encode(),
        Down::Gate { open: true }.encode(),
        Down::Settings(protocol::message::Settings::CLUB_EVENING).encode(),
    ]
    .into_iter()
    .flatten()
    .map(|bytes| bytes.to_vec())
    .collect()
}

fn pick(from: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let at = usize::try_from(random.below(from.len() as u64)).unwrap_or_default();
    from.get(at).cloned().unwrap_or_default()
}

/// One to four changes: flipped bits, changed, added, dropped and doubled bytes.
fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(3) {
        let at = usize::try_from(random.below(bytes.len() as u64)).unwrap_or_default();
        match random.below(6) {
            0 if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
            1 if !bytes.is_empty() => bytes[at] = random.byte(),
            2 => bytes.insert(at, random.byte()),
            3 if !bytes.is_empty() => {
                bytes.remove(at);
            }
            4 => bytes.extend_from_within(at..),
            _ => bytes.truncate(at),
        }
    }
}
