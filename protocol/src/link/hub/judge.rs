//! Whose frame it is, and whether it counts.

use super::peer::Heard;
use super::{Call, Hub, Port, Reply};
use crate::frame::{
    Address, AssociationNumber, Collected, Direction, FrameBytes, Header, KeyCheck, Nonce, Phase,
    Tag, open, seal, tag_of,
};
use crate::link::association::{Association, Opened};
use crate::link::cycle::Place;
use crate::link::tally::Verdict;
use crate::message::WIRE_VERSION_MIN;
use crate::time::Instant;
use crate::words::PadId;

impl Hub {
    /// Something that may be a frame has been heard.
    pub(super) fn hear(&mut self, port: Port, collected: &Collected, now: Instant) {
        let mut verdict = Verdict::Garbled;
        self.heard_in = self.cycle.place(collected.air_len(), now);
        for body in collected.bodies() {
            let Some((header, sealed)) = Header::decode(&body) else {
                continue;
            };
            let found = self.judge(port, &header, sealed, now);
            let counts = matches!(found, Verdict::Accepted | Verdict::OldEpoch);
            if verdict == Verdict::Garbled || counts {
                verdict = found;
            }
            if counts {
                break;
            }
        }
        self.tally.count(verdict);
    }

    fn judge(&mut self, port: Port, header: &Header, sealed: &[u8], now: Instant) -> Verdict {
        if header.network() != self.network {
            return Verdict::OtherNetwork;
        }
        if header.direction() == Direction::Down {
            return Verdict::Foreign;
        }
        let Some(tag) = tag_of(sealed) else {
            return Verdict::Garbled;
        };
        match *header {
            Header::Call { .. } => self.judge_call(port, header, sealed, now),
            Header::Open { .. } => self.judge_open(port, header, sealed, now),
            Header::Hello {
                version,
                check,
                pad,
                salt,
                ..
            } => {
                if let Some(verdict) = self.turn_away(port, version, check, pad, tag, now) {
                    return verdict;
                }
                let nonce = Nonce::hello(header, pad, salt);
                if open(&self.key.for_pad(pad).hello(), &nonce, header, sealed).is_none() {
                    return Verdict::Forged;
                }
                self.answer_stranger(port, pad.into(), self.floor(pad), tag, now);
                Verdict::Stranger
            }
            Header::Answer { .. } | Header::Stranger { .. } => Verdict::Foreign,
        }
    }

    /// A pad of another club, or one that is too old, is told who we are and nothing else.
    fn turn_away(
        &mut self,
        port: Port,
        version: u8,
        check: KeyCheck,
        pad: PadId,
        tag: Tag,
        now: Instant,
    ) -> Option<Verdict> {
        let verdict = if check != self.check {
            Verdict::OtherClub
        } else if version < WIRE_VERSION_MIN {
            Verdict::Unknown
        } else {
            return None;
        };
        self.answer_stranger(port, pad.into(), self.floor(pad), tag, now);
        Some(verdict)
    }

    fn judge_call(&mut self, port: Port, header: &Header, sealed: &[u8], now: Instant) -> Verdict {
        let address = header.address();
        let mut verdict = Verdict::Stranger;
        let mut heard = None;
        for peer in self.peers.values_mut() {
            if Address::from(peer.pad) != address {
                continue;
            }
            let Some(association) = &mut peer.association else {
                continue;
            };
            match association.open(header, sealed) {
                Opened::Fresh(content) => {
                    heard = Some((peer.pad, content));
                    break;
                }
                Opened::Replayed => verdict = Verdict::Replayed,
                Opened::Forged => {
                    let was_ours = peer
                        .previous
                        .as_mut()
                        .is_some_and(|previous| previous.is_ours(header, sealed));
                    if was_ours {
                        verdict = Verdict::OldEpoch;
                    } else if verdict == Verdict::Stranger {
                        verdict = Verdict::Forged;
                    }
                }
            }
        }
        if let Some((pad, content)) = heard {
            return self.take(port, pad, &content, now);
        }
        // Two pads can share an address: the one we know does not keep the other from meeting us.
        if matches!(verdict, Verdict::Stranger | Verdict::Forged)
            && let Some(tag) = tag_of(sealed)
        {
            self.answer_stranger(port, address, AssociationNumber(0), tag, now);
        }
        verdict
    }

    fn judge_open(&mut self, port: Port, header: &Header, sealed: &[u8], now: Instant) -> Verdict {
        let &Header::Open {
            pad,
            association: number,
            ..
        } = header
        else {
            return Verdict::Foreign;
        };
        let current = self.peers.get_mut(&pad).and_then(|peer| {
            let association = peer.association.as_mut()?;
            (association.number() >= number).then_some(association)
        });
        let content = if let Some(association) = current {
            if association.number() > number {
                return Verdict::Replayed;
            }
            match association.open(header, sealed) {
                Opened::Fresh(content) => content,
                Opened::Replayed => return Verdict::Replayed,
                Opened::Forged => return Verdict::Forged,
            }
        } else {
            let keys = self.key.for_pad(pad);
            let down = Direction::Down;
            let mut fresh = Association::new(pad, &keys, self.nonce, self.network, number, down);
            let Opened::Fresh(content) = fresh.open(header, sealed) else {
                return self.refuse_open(port, pad, sealed, now);
            };
            self.peer(pad).adopt(fresh);
            content
        };
        let Some(peer) = self.peers.get_mut(&pad) else {
            return Verdict::Forged;
        };
        match peer.introduce(&content) {
            Some(rest) => self.take(port, pad, rest, now),
            None => Verdict::Unknown,
        }
    }

    /// The keys do not fit: the pad may have met us before our last restart.
    fn refuse_open(&mut self, port: Port, pad: PadId, sealed: &[u8], now: Instant) -> Verdict {
        if let Some(tag) = tag_of(sealed) {
            self.answer_stranger(port, pad.into(), self.floor(pad), tag, now);
        }
        if self.floor(pad) == AssociationNumber(0) {
            Verdict::Stranger
        } else {
            Verdict::Forged
        }
    }

    /// A pad we know has spoken.
    fn take(&mut self, port: Port, pad: PadId, content: &[u8], now: Instant) -> Verdict {
        let Some(peer) = self.peers.get_mut(&pad) else {
            return Verdict::Forged;
        };
        peer.port = port;
        peer.heard = now;
        peer.frames = peer.frames.saturating_add(1);
        let verdict = match peer.hear(content) {
            Heard::Call(message) => {
                let old = peer.is_old(&message);
                self.calls.push_back(Call {
                    pad,
                    binding: peer.binding,
                    message,
                });
                if old {
                    Verdict::OldEpoch
                } else {
                    Verdict::Accepted
                }
            }
            Heard::Reply => Verdict::Accepted,
            Heard::Unknown => Verdict::Unknown,
            Heard::Nonsense => return Verdict::Unknown,
        };
        self.place(pad, now);
        self.queue(Reply::Data { pad }, port, now);
        verdict
    }

    /// Notes the slot in which the pad checks in, or finds one for it.
    fn place(&mut self, pad: PadId, now: Instant) {
        let Some(peer) = self.peers.get_mut(&pad) else {
            return;
        };
        if peer.place.is_some() && (peer.place == self.heard_in || self.heard_in.is_none()) {
            // A pad that is in its slot knows it; one that calls outside may have been told.
            peer.place_is_news &= self.heard_in.is_none();
            return;
        }
        let free = |place: &Place| !self.places.contains_key(place);
        let found = self.heard_in.filter(free);
        peer.place_is_news = found.is_none();
        let place = found
            .or(peer.place)
            .or_else(|| self.cycle.places(now).find(free));
        if let Some(place) = place {
            if let Some(old) = peer.place.replace(place) {
                self.places.remove(&old);
            }
            self.places.insert(place, pad);
        }
    }

    fn floor(&self, pad: PadId) -> AssociationNumber {
        self.peers
            .get(&pad)
            .and_then(|peer| peer.association.as_ref())
            .map_or(AssociationNumber(0), Association::number)
    }

    fn answer_stranger(
        &mut self,
        port: Port,
        address: Address,
        floor: AssociationNumber,
        answered: Tag,
        now: Instant,
    ) {
        let stranger = Stranger {
            address,
            floor,
            answered,
        };
        self.queue(Reply::Stranger(stranger), port, now);
    }

    /// The frame for a stranger.
    pub(super) fn compose_stranger(
        &self,
        stranger: &Stranger,
        slot: u8,
        phase: Phase,
    ) -> Option<FrameBytes> {
        let header = Header::Stranger {
            address: stranger.address,
            network: self.network,
            version_min: WIRE_VERSION_MIN,
            check: self.check,
            base: self.nonce,
            floor: stranger.floor,
            slot,
            phase,
        };
        let nonce = Nonce::stranger(&header, stranger.answered, self.nonce);
        let (frame, _) = seal(&self.stranger, &nonce, &header, &[])?;
        Some(frame)
    }
}

/// A pad that the base answers without knowing it.
#[derive(Debug)]
pub(super) struct Stranger {
    address: Address,
    floor: AssociationNumber,
    answered: Tag,
}
