//! Whose frame it is, and whether it counts.

use super::peer::{Heard, HeldKey};
use super::{Call, Hub, Port, Reply};
use crate::frame::{
    Address, AssociationNumber, ClubKey, Collected, Direction, FrameBytes, Header, KeyCheck, Nonce,
    Phase, Tag, Version, open, seal, tag_of,
};
use crate::link::association::{Association, Opened};
use crate::link::tally::Verdict;
use crate::message::{Down, WIRE_VERSION, WIRE_VERSION_MIN};
use crate::time::Instant;
use crate::words::PadId;
use alloc::vec::Vec;

impl Hub {
    /// Something that may be a frame has been heard.
    pub(super) fn hear(&mut self, port: Port, collected: &Collected, now: Instant) {
        let mut verdict = Verdict::Garbled;
        // Lines have no slots.
        let place = self.cycle.place(collected.air_len(), now);
        self.heard_in = place.filter(|_| !self.is_line(port));
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
            return Verdict::OtherBase;
        }
        let Some(tag) = tag_of(sealed) else {
            return Verdict::Garbled;
        };
        match *header {
            Header::Call { wire, .. } | Header::Open { wire, .. } if self.is_too_old(wire) => {
                self.tell_too_old(port, header.address(), tag, now);
                Verdict::OldVersion
            }
            Header::Call { .. } => self.judge_call(port, header, sealed, now),
            Header::Open { .. } => self.judge_open(port, header, sealed, now),
            Header::Hello { .. } => self.judge_hello(port, header, sealed, now),
            Header::Answer { .. } | Header::Stranger { .. } => Verdict::OtherBase,
        }
    }

    fn is_too_old(&self, wire: Version) -> bool {
        wire == Version::One && !self.policy.version_1
    }

    /// A hello is the one word of a pad that names it and proves it to a base that knows nothing
    /// of it. Whoever is not that pad can't make it, and nobody but that pad can use the answer.
    fn judge_hello(&mut self, port: Port, header: &Header, sealed: &[u8], now: Instant) -> Verdict {
        let (
            &Header::Hello {
                version,
                check,
                pad,
                salt,
                ..
            },
            Some(tag),
        ) = (header, tag_of(sealed))
        else {
            return Verdict::Garbled;
        };
        let wire = match version {
            0 => return Verdict::Unknown,
            1 => Version::One,
            _ => Version::Two,
        };
        let address = pad.into();
        let Some(key) = self.key_with(check).cloned() else {
            // A pad of another club is told who we are and nothing else.
            let ours = self.key.check();
            self.answer_stranger(port, Stranger::new(wire, address, pad, tag, ours), now);
            return Verdict::OtherClub;
        };
        if self.is_too_old(wire) {
            self.tell_too_old(port, address, tag, now);
            return Verdict::OldVersion;
        }
        let nonce = Nonce::hello(header, pad, salt);
        if open(&key.for_pad(pad).hello(), &nonce, header, sealed).is_none() {
            return Verdict::Forged;
        }
        if self.policy.revoked.contains(&pad) {
            return Verdict::Revoked;
        }
        if self.speaks_newer(pad, wire) {
            return Verdict::OldVersion;
        }
        let stranger = Stranger {
            floor: self.floor(pad),
            ..Stranger::new(wire, address, pad, tag, check)
        };
        self.answer_stranger(port, stranger, now);
        Verdict::Stranger
    }

    /// Whether this pad has spoken a later version since we started: it does not go back.
    fn speaks_newer(&self, pad: PadId, wire: Version) -> bool {
        let known = self.peers.get(&pad).and_then(|it| it.association.as_ref());
        known.is_some_and(|association| association.wire() > wire)
    }

    /// A pad of version 1, as far as its address tells, learns that the club takes it no more.
    fn tell_too_old(&mut self, port: Port, address: Address, tag: Tag, now: Instant) {
        let check = self.key.check();
        let stranger = Stranger::new(Version::One, address, PadId::MIN, tag, check);
        self.answer_stranger(port, stranger, now);
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
        if matches!(verdict, Verdict::Stranger | Verdict::Forged) {
            self.answer_old_pad(port, header, AssociationNumber(0), sealed, now);
            self.answer_expected(port, header, None, sealed, now);
        }
        verdict
    }

    /// A pad that is in the journal, and has not been heard since our start, is told that the base
    /// is another one: under its own key, for this frame of it. Nobody else can use that, and it is
    /// true, whoever called.
    fn answer_expected(
        &mut self,
        port: Port,
        header: &Header,
        named: Option<PadId>,
        sealed: &[u8],
        now: Instant,
    ) {
        let (Header::Call { wire, .. } | Header::Open { wire, .. }) = *header else {
            return;
        };
        let Some(tag) = tag_of(sealed).filter(|_| wire == Version::Two) else {
            return;
        };
        let address = header.address();
        let meant = |pad: &&PadId| {
            let is_named = named.is_none_or(|named| named == **pad);
            is_named && Address::from(**pad) == address
        };
        let new = |pad: &PadId| {
            let is_known = self
                .peers
                .get(pad)
                .is_some_and(|it| it.association.is_some());
            !is_known && !self.policy.revoked.contains(pad)
        };
        let pads: Vec<PadId> = self
            .expected
            .iter()
            .filter(meant)
            .copied()
            .filter(new)
            .collect();
        for pad in pads {
            let check = self.key_of(pad).check();
            self.answer_stranger(port, Stranger::new(wire, address, pad, tag, check), now);
        }
    }

    /// Version 1 answers whatever it can't place, with a key that all pads share. In version 2 only
    /// those are answered whom the base expects; others ask with a hello.
    fn answer_old_pad(
        &mut self,
        port: Port,
        header: &Header,
        floor: AssociationNumber,
        sealed: &[u8],
        now: Instant,
    ) {
        if let Header::Call { wire, .. } | Header::Open { wire, .. } = *header
            && wire == Version::One
            && let Some(tag) = tag_of(sealed)
        {
            let stranger = Stranger {
                floor,
                ..Stranger::new(wire, header.address(), PadId::MIN, tag, self.key.check())
            };
            self.answer_stranger(port, stranger, now);
        }
    }

    fn judge_open(&mut self, port: Port, header: &Header, sealed: &[u8], now: Instant) -> Verdict {
        let &Header::Open {
            wire,
            pad,
            association: number,
            ..
        } = header
        else {
            return Verdict::Garbled;
        };
        if self.speaks_newer(pad, wire) {
            return Verdict::OldVersion;
        }
        let current = self.peers.get_mut(&pad).and_then(|peer| {
            let association = peer.association.as_mut()?;
            (association.wire() == wire && association.number() >= number).then_some(association)
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
            let with = (self.nonce, self.network);
            let opened = |key: &ClubKey| {
                let keys = key.for_pad(pad);
                let mut fresh = Association::new(pad, &keys, with, (wire, number), Direction::Down);
                match fresh.open(header, sealed) {
                    Opened::Fresh(content) => Some((fresh, content)),
                    Opened::Replayed | Opened::Forged => None,
                }
            };
            let under_old = || Some((self.old_key.as_ref().and_then(opened)?, HeldKey::Old));
            let found = opened(&self.key)
                .map(|it| (it, HeldKey::Present))
                .or_else(under_old);
            let Some(((fresh, content), held)) = found else {
                return self.refuse_open(port, header, pad, sealed, now);
            };
            self.peer(pad).adopt(fresh, held);
            let renewed = self.old_key.is_some() && held == HeldKey::Present;
            if renewed && !self.policy.renewed.contains(&pad) {
                self.renewed.push_back(pad);
            }
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
    fn refuse_open(
        &mut self,
        port: Port,
        header: &Header,
        pad: PadId,
        sealed: &[u8],
        now: Instant,
    ) -> Verdict {
        self.answer_old_pad(port, header, self.floor(pad), sealed, now);
        self.answer_expected(port, header, Some(pad), sealed, now);
        if self.floor(pad) == AssociationNumber(0) {
            Verdict::Stranger
        } else {
            Verdict::Forged
        }
    }

    /// A pad we know has spoken.
    fn take(&mut self, port: Port, pad: PadId, content: &[u8], now: Instant) -> Verdict {
        if self.policy.revoked.contains(&pad) {
            return Verdict::Revoked;
        }
        let Some(peer) = self.peers.get_mut(&pad) else {
            return Verdict::Forged;
        };
        peer.port = port;
        peer.heard = now;
        peer.count();
        let verdict = match peer.hear(content, now) {
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
        self.tell_new_key(pad, now);
        if self.is_line(port) {
            self.unplace(pad);
        } else {
            self.place(port, pad, now);
        }
        self.queue(Reply::Data { pad }, port, now);
        verdict
    }

    /// A pad that speaks under the old key is given its part of the new one, once in an association.
    fn tell_new_key(&mut self, pad: PadId, now: Instant) {
        if self.old_key.is_none() {
            return;
        }
        let keys = self.key.for_pad(pad);
        if let Some(peer) = self.peers.get_mut(&pad)
            && peer.key == HeldKey::Old
        {
            peer.key = HeldKey::OldAndTold;
            peer.post(Down::NewKey(keys), now);
        }
    }

    fn floor(&self, pad: PadId) -> AssociationNumber {
        self.peers
            .get(&pad)
            .and_then(|peer| peer.association.as_ref())
            .map_or(AssociationNumber(0), Association::number)
    }

    fn answer_stranger(&mut self, port: Port, stranger: Stranger, now: Instant) {
        self.queue(Reply::Stranger(stranger), port, now);
    }

    /// The frame for a stranger.
    pub(super) fn compose_stranger(
        &self,
        stranger: &Stranger,
        slot: u8,
        phase: Phase,
    ) -> Option<FrameBytes> {
        let &Stranger {
            wire,
            address,
            pad,
            floor,
            answered,
            check,
        } = stranger;
        let key = self.key_with(check).unwrap_or(&self.key);
        let version_min = if self.policy.version_1 {
            WIRE_VERSION_MIN
        } else {
            WIRE_VERSION
        };
        let header = Header::Stranger {
            wire,
            address,
            network: self.network,
            version_min,
            check: key.check(),
            base: self.nonce,
            floor,
            slot,
            phase,
        };
        let (key, nonce) = match wire {
            Version::One => (
                key.stranger(),
                Nonce::old_stranger(&header, answered, self.nonce),
            ),
            Version::Two => (
                key.for_pad(pad)
                    .stranger(self.nonce, self.network, answered),
                Nonce::stranger(&header, pad, floor, (slot, phase, version_min)),
            ),
        };
        let (frame, _) = seal(&key, &nonce, &header, &[])?;
        Some(frame)
    }
}

/// A pad that the base answers without knowing it.
#[derive(Debug)]
pub(super) struct Stranger {
    wire: Version,
    address: Address,
    /// Only version 2 asks for it.
    pad: PadId,
    floor: AssociationNumber,
    answered: Tag,
    /// Under which of the club's keys.
    check: KeyCheck,
}

impl Stranger {
    const fn new(
        wire: Version,
        address: Address,
        pad: PadId,
        answered: Tag,
        check: KeyCheck,
    ) -> Self {
        Self {
            wire,
            address,
            pad,
            floor: AssociationNumber(0),
            answered,
            check,
        }
    }
}
