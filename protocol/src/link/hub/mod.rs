//! The base's end of the link: a conversation with each pad, over one or several receivers.
//!
//! The base only ever answers, all calls of a cycle together in its window. What is not ready by
//! then is not sent: the pad listens no more, and will call again.

mod airtime;
mod channel;
mod judge;
mod peer;

use alloc::collections::{BTreeMap, BTreeSet, VecDeque};

use super::conversation::SlotGrant;
use super::cycle::{Cycle, Place};
use super::tally::Verdict;
use super::{Binding, LINE_ANSWER, Medium, Tally, Timing};
use crate::frame::{BaseNonce, ClubKey, Deframer, FrameBytes, KeyCheck, NetworkId};
use crate::message::{Down, Up};
use crate::time::{Instant, Span};
use crate::words::PadId;
use channel::Channel;
use judge::Stranger;
use peer::{HeldKey, Peer};

/// One receiver of the base station, or one pad's own line to it, numbered by the shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Port(pub u16);

/// A pad has said something and waits for the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Who.
    pub pad: PadId,
    /// The session and epoch that the pad believes to be in; `None` before its log-on.
    pub binding: Option<Binding>,
    /// What.
    pub message: Up,
}

/// How the base knows a pad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PadStatus {
    /// Who.
    pub pad: PadId,
    /// What it believes to be in.
    pub binding: Option<Binding>,
    /// Where it was heard last.
    pub port: Port,
    /// When it was heard last.
    pub heard: Instant,
    /// How many messages wait for it.
    pub waiting: usize,
    /// What became of the frames between it and us.
    pub quality: Quality,
}

/// What is known of a pad's radio since it was met: no modem that we know measures a signal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quality {
    /// Frames taken from it.
    pub heard: u32,
    /// Frames that it sent and that did not come.
    pub missed: u32,
    /// Frames that said again what we had answered: the answer did not come.
    pub repeated: u32,
}

/// Whom the base listens to at all. The director decides it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// Pads that still speak wire version 1 are taken.
    pub version_1: bool,
    /// Pads that were stolen or lost: nothing they say has an effect.
    pub revoked: BTreeSet<PadId>,
    /// Pads that have come with the club's new key, while the old one still counts.
    pub renewed: BTreeSet<PadId>,
}

/// The base's end of the link.
#[derive(Debug)]
pub struct Hub {
    key: ClubKey,
    /// The key before, with which pads may still come: they are given the new one.
    old_key: Option<ClubKey>,
    /// Pads that have come with the new key, not yet told.
    renewed: VecDeque<PadId>,
    policy: Policy,
    network: NetworkId,
    timing: Timing,
    cycle: Cycle,
    nonce: BaseNonce,
    peers: BTreeMap<PadId, Peer>,
    /// Pads of the session, from the time before our start.
    expected: BTreeSet<PadId>,
    /// The channels that receivers are on.
    channels: BTreeMap<u8, Channel>,
    /// How much of an hour the base may be on the air on each.
    share_permille: Option<u16>,
    /// The check-in slot of the frame that is being heard.
    heard_in: Option<Place>,
    ports: BTreeMap<Port, Receiver>,
    replies: VecDeque<Queued>,
    calls: VecDeque<Call>,
    tally: Tally,
}

#[derive(Debug)]
struct Receiver {
    /// The channel that it is on.
    channel: u8,
    deframer: Deframer,
    medium: Medium,
    /// Until when our own frame is on the air.
    sending_until: Instant,
}

impl Receiver {
    fn new(medium: Medium) -> Self {
        Self {
            channel: 0,
            deframer: Deframer::default(),
            medium,
            sending_until: Instant::ZERO,
        }
    }
}

#[derive(Debug)]
struct Queued {
    reply: Reply,
    port: Port,
    /// When it may be sent.
    from: Instant,
    /// When nobody calls any more in this cycle.
    window: Instant,
    /// When it hears no more.
    until: Instant,
    /// It has been sent once.
    again: bool,
    /// Its moment has come.
    woken: bool,
}

#[derive(Debug)]
enum Reply {
    Data { pad: PadId },
    Stranger(Stranger),
}

impl Hub {
    /// A hub that knows no pad yet. `nonce` must be drawn at random at every start.
    pub fn new(key: ClubKey, network: NetworkId, timing: Timing, nonce: BaseNonce) -> Self {
        Self {
            old_key: None,
            renewed: VecDeque::new(),
            policy: Policy::default(),
            key,
            network,
            cycle: Cycle::new(&timing),
            timing,
            nonce,
            peers: BTreeMap::new(),
            expected: BTreeSet::new(),
            channels: BTreeMap::new(),
            share_permille: None,
            heard_in: None,
            ports: BTreeMap::new(),
            replies: VecDeque::new(),
            calls: VecDeque::new(),
            tally: Tally::default(),
        }
    }

    /// Whom to listen to from now on. A new hub revokes nobody, and takes version 2 only.
    pub fn set_policy(&mut self, policy: Policy) {
        let revoked = &policy.revoked;
        self.replies.retain(
            |queued| !matches!(queued.reply, Reply::Data { pad } if revoked.contains(&pad)),
        );
        self.calls.retain(|call| !revoked.contains(&call.pad));
        for pad in revoked {
            if let Some(peer) = self.peers.get_mut(pad) {
                peer.clear();
            }
        }
        self.policy = policy;
    }

    /// The club's key, and the one before while pads may still come with it. Those are told the new
    /// one, each its own part, and only under the old.
    pub fn set_keys(&mut self, key: ClubKey, old: Option<ClubKey>) {
        for peer in self.peers.values_mut() {
            if self.key != key {
                peer.key = if old.as_ref() == Some(&self.key) {
                    HeldKey::Old
                } else {
                    HeldKey::Present
                };
            }
            if old.is_none() && peer.key != HeldKey::Present {
                // What was agreed upon under the old key counts no more.
                peer.association = None;
                peer.clear();
            }
        }
        (self.key, self.old_key) = (key, old);
    }

    /// A pad that has come with the club's new key.
    pub fn poll_renewed(&mut self) -> Option<PadId> {
        self.renewed.pop_front()
    }

    /// The key that a pad means by this check value.
    fn key_with(&self, check: KeyCheck) -> Option<&ClubKey> {
        let mut keys = [Some(&self.key), self.old_key.as_ref()].into_iter();
        keys.find_map(|key| key.filter(|key| key.check() == check))
    }

    /// The key that a pad has, as far as is known.
    fn key_of(&self, pad: PadId) -> &ClubKey {
        match &self.old_key {
            Some(old) if !self.policy.renewed.contains(&pad) => old,
            _ => &self.key,
        }
    }

    /// Pads that held a table before this start. A call of theirs under older keys is answered: the
    /// base is another one, meet it. What others call can't be placed and draws nothing.
    pub fn expect(&mut self, pads: impl IntoIterator<Item = PadId>) {
        self.expected.extend(pads);
    }

    /// A pad's own line to the base: what comes from it is answered there, and at once.
    pub fn add_line(&mut self, port: Port) {
        self.ports.insert(port, Receiver::new(Medium::Line));
    }

    /// The line is gone, with everything that would have been said on it. The pad calls again.
    pub fn drop_line(&mut self, port: Port) {
        self.ports.remove(&port);
        self.replies.retain(|queued| queued.port != port);
    }

    /// The line on which a pad was heard last, if it is still there.
    pub fn line_of(&self, pad: PadId) -> Option<Port> {
        let peer = self.peers.get(&pad)?;
        peer.association.as_ref()?;
        Some(peer.port).filter(|port| self.is_line(*port))
    }

    fn is_line(&self, port: Port) -> bool {
        let receiver = self.ports.get(&port);
        receiver.is_some_and(|receiver| receiver.medium == Medium::Line)
    }

    fn receiver(&mut self, port: Port) -> &mut Receiver {
        self.ports
            .entry(port)
            .or_insert_with(|| Receiver::new(Medium::Air))
    }

    /// Bytes from a receiver, as they come.
    pub fn handle_receive(&mut self, port: Port, bytes: &[u8], now: Instant) {
        let receiver = self.receiver(port);
        let mut ended = VecDeque::new();
        for &byte in bytes {
            ended.extend(receiver.deframer.push(byte));
        }
        for collected in ended {
            self.hear(port, &collected, now);
        }
    }

    /// The moment of [`Self::poll_timeout`] has come.
    pub fn handle_timeout(&mut self, now: Instant) {
        self.replies.retain(|queued| now <= queued.until);
        for queued in &mut self.replies {
            queued.woken = queued.from <= now;
        }
    }

    /// What a pad said. Each call must be answered once, with [`Self::answer`].
    pub fn poll_call(&mut self) -> Option<Call> {
        self.calls.pop_front()
    }

    /// Answers the pad's last call: what it said is dealt with (a result is on disk), and this is
    /// the answer. It goes out at once while the pad listens, and again whenever the pad repeats
    /// its call. An empty answer is an acknowledgement.
    pub fn answer(&mut self, pad: PadId, answer: impl IntoIterator<Item = Down>, now: Instant) {
        self.handle_timeout(now);
        let peer = self.peer(pad);
        let known = peer.is_replaced();
        for message in answer {
            peer.post(message, now);
        }
        peer.answered();
        if peer.is_replaced() && !known {
            // After a restart of the base only the session could tell whose frame it was.
            self.tally.recount_as_old();
        }
    }

    /// Leaves a message that the pad fetches when it calls next. Of clock, gate and settings the
    /// pad hears only the last word, and the clock as it is when it is sent.
    pub fn post(&mut self, pad: PadId, message: Down, now: Instant) {
        self.peer(pad).post(message, now);
    }

    /// Forgets what waits for a pad.
    pub fn clear(&mut self, pad: PadId) {
        self.peer(pad).clear();
    }

    /// A frame for a receiver's modem. Ask until there is none: frames that are written in one go
    /// share a preamble and a turn-around.
    pub fn poll_transmit(&mut self, now: Instant) -> Option<(Port, FrameBytes)> {
        self.handle_timeout(now);
        while let Some(at) = self.next_reply(now) {
            let begins = self.next_byte(self.replies.get(at)?.port, now);
            let frame = self.compose(at, begins);
            let queued = self.replies.remove(at)?;
            let Some(frame) = frame else { continue };
            let ends = begins + self.timing.bytes(frame.len());
            if ends > queued.until && !self.is_line(queued.port) {
                // No room left in this window. The pad will call again.
                continue;
            }
            let port = queued.port;
            if self.is_line(port) {
                // A line carries all that it is given: nothing is said twice.
                return Some((port, frame));
            }
            // Frames that are written in one go share a preamble.
            let preamble = match self.receiver(port).sending_until {
                until if until == begins => Span::ZERO,
                _ => self.timing.airtime(0),
            };
            let takes = ends.since(begins) + preamble;
            let airtime = &mut self.channel(port).airtime;
            if !airtime.allows(takes, now) {
                // The law allows no more. The pad will call again. What would have been said a
                // second time is missed by nobody.
                if !queued.again {
                    airtime.hold_back(now);
                }
                continue;
            }
            airtime.spend(takes, now);
            let is_plenty = airtime.is_plenty(now);
            self.receiver(port).sending_until = ends;
            if let (Reply::Data { .. }, false, true) = (&queued.reply, queued.again, is_plenty) {
                self.replies.push_back(Queued {
                    from: queued.window,
                    again: true,
                    woken: false,
                    ..queued
                });
            }
            return Some((port, frame));
        }
        None
    }

    /// The reply to send now: each once, and those that fit a second time, because nobody else may
    /// use the rest of the window and an answer that is lost costs a call.
    fn next_reply(&self, now: Instant) -> Option<usize> {
        let due = |queued: &&Queued| queued.from <= now;
        let find = |again| {
            self.replies.iter().position(|queued| {
                queued.again == again && due(&queued) && self.is_ready(&queued.reply)
            })
        };
        find(false).or_else(|| {
            // What waits on a line keeps nobody on the air waiting.
            let on_air = |queued: &&Queued| due(queued) && !self.is_line(queued.port);
            let waits = self.replies.iter().filter(on_air).any(|it| !it.again);
            if waits { None } else { find(true) }
        })
    }

    /// When to call [`Self::handle_timeout`] and [`Self::poll_transmit`].
    pub fn poll_timeout(&self) -> Option<Instant> {
        self.replies
            .iter()
            .map(|queued| {
                if self.is_ready(&queued.reply) && !(queued.again && queued.woken) {
                    queued.from
                } else {
                    queued.until + Span::from_micros(1)
                }
            })
            .min()
    }

    /// What was turned away, for the director.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// Every pad that has called since the start.
    pub fn pads(&self) -> impl Iterator<Item = PadStatus> {
        self.peers
            .values()
            .filter(|peer| peer.association.is_some())
            .map(Peer::status)
    }

    fn peer(&mut self, pad: PadId) -> &mut Peer {
        self.peers.entry(pad).or_insert_with(|| Peer::new(pad))
    }

    fn queue(&mut self, reply: Reply, port: Port, now: Instant) {
        if let Reply::Data { pad } = reply {
            self.replies.retain(
                |queued| !matches!(queued.reply, Reply::Data { pad: other } if other == pad),
            );
        }
        if self.is_line(port) {
            self.replies.push_back(Queued {
                reply,
                port,
                from: now,
                window: now,
                until: now + LINE_ANSWER,
                again: false,
                woken: false,
            });
            return;
        }
        let mut cycle = self.cycle.cycle_at(Instant::ZERO, now);
        if now > self.cycle.answers_from(cycle) {
            cycle += self.cycle.length();
        }
        let window = self.cycle.answers_from(cycle);
        let is_known = matches!(reply, Reply::Data { .. });
        let from = if is_known && self.is_small_room(port, now) {
            now
        } else {
            window
        };
        self.replies.push_back(Queued {
            reply,
            port,
            from,
            window,
            until: self.cycle.answers_until(cycle),
            again: false,
            woken: false,
        });
    }

    /// Whether the session has dealt with what the pad said. A check-in does not need that.
    fn is_ready(&self, reply: &Reply) -> bool {
        match reply {
            Reply::Stranger(_) => true,
            Reply::Data { pad } => self.peers.get(pad).is_some_and(|peer| !peer.is_unsettled()),
        }
    }

    /// When the first byte of the next frame will be on the air.
    fn next_byte(&self, port: Port, now: Instant) -> Instant {
        match self.ports.get(&port) {
            Some(receiver) if receiver.medium == Medium::Line => now,
            Some(receiver) if receiver.sending_until > now => receiver.sending_until,
            _ => now + self.timing.turnaround + self.timing.airtime(0),
        }
    }

    fn compose(&mut self, at: usize, begins: Instant) -> Option<FrameBytes> {
        let phase = self.cycle.phase(begins);
        let queued = self.replies.get(at)?;
        let slot = match queued.reply {
            Reply::Stranger(_) => {
                let cycle = self.cycle.cycle_at(Instant::ZERO, begins);
                let port = queued.port;
                self.channel(port).slot_for_stranger(cycle)
            }
            Reply::Data { .. } => 0,
        };
        match &self.replies.get(at)?.reply {
            Reply::Stranger(stranger) => self.compose_stranger(stranger, slot, phase),
            Reply::Data { pad } => {
                let peer = self.peers.get_mut(pad)?;
                let grant = peer.place.filter(|_| peer.place_is_news).and_then(|place| {
                    Some(SlotGrant {
                        cycles: self.cycle.cycles_until(place, begins),
                        slot: u8::try_from(place.1).ok()?,
                    })
                });
                let frame = peer.compose(self.network, phase, grant, begins);
                for _ in 0..core::mem::take(&mut peer.unsendable) {
                    self.tally.count(Verdict::Unsendable);
                }
                frame
            }
        }
    }
}
