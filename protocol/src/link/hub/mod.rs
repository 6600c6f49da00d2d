//! The base's end of the link: a conversation with each pad, over one or several receivers.
//!
//! The base only ever answers. It answers one pad at a time on each receiver, never while it
//! hears somebody, and not at all when it is too late for the pad to be listening still.

mod judge;
mod peer;

use alloc::collections::{BTreeMap, VecDeque};

use super::{Binding, Tally, Timing};
use crate::frame::{BaseNonce, ClubKey, Deframer, FrameBytes, KeyCheck, NetworkId};
use crate::message::{Down, Up};
use crate::time::{Instant, Span};
use crate::words::PadId;
use peer::Peer;

/// One receiver of the base station, numbered by the shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Port(pub u8);

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
    /// Frames taken from it.
    pub frames: u32,
}

/// The base's end of the link.
#[derive(Debug)]
pub struct Hub {
    key: ClubKey,
    stranger: [u8; 16],
    check: KeyCheck,
    network: NetworkId,
    timing: Timing,
    nonce: BaseNonce,
    peers: BTreeMap<PadId, Peer>,
    ports: BTreeMap<Port, Receiver>,
    replies: VecDeque<Queued>,
    calls: VecDeque<Call>,
    tally: Tally,
}

#[derive(Debug, Default)]
struct Receiver {
    deframer: Deframer,
    /// When the last byte came in.
    heard: Instant,
    /// Until when our own frame is on the air.
    sending_until: Instant,
}

#[derive(Debug)]
struct Queued {
    reply: Reply,
    port: Port,
    /// When the pad's frame was heard.
    since: Instant,
}

#[derive(Debug)]
enum Reply {
    Data { pad: PadId },
    Stranger { frame: FrameBytes },
}

impl Hub {
    /// A hub that knows no pad yet. `nonce` must be drawn at random at every start.
    pub fn new(key: ClubKey, network: NetworkId, timing: Timing, nonce: BaseNonce) -> Self {
        Self {
            stranger: *key.for_pad(PadId::MIN).stranger(),
            check: key.check(),
            key,
            network,
            timing,
            nonce,
            peers: BTreeMap::new(),
            ports: BTreeMap::new(),
            replies: VecDeque::new(),
            calls: VecDeque::new(),
            tally: Tally::default(),
        }
    }

    /// Bytes from a receiver, as they come.
    pub fn handle_receive(&mut self, port: Port, bytes: &[u8], now: Instant) {
        let receiver = self.ports.entry(port).or_default();
        receiver.heard = now;
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
        let patience = self.timing.patience;
        self.replies.retain(|queued| now <= queued.since + patience);
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
        for message in answer {
            peer.post(message);
        }
        peer.answered();
    }

    /// Leaves a message that the pad fetches when it calls next.
    pub fn post(&mut self, pad: PadId, message: Down) {
        self.peer(pad).post(message);
    }

    /// Forgets what waits for a pad.
    pub fn clear(&mut self, pad: PadId) {
        self.peer(pad).clear();
    }

    /// A frame for a receiver's modem.
    pub fn poll_transmit(&mut self, now: Instant) -> Option<(Port, FrameBytes)> {
        self.handle_timeout(now);
        loop {
            let at = self
                .replies
                .iter()
                .position(|queued| self.ready_at(queued).is_some_and(|ready| ready <= now))?;
            let Queued { reply, port, .. } = self.replies.remove(at)?;
            let frame = match reply {
                Reply::Stranger { frame } => Some(frame),
                Reply::Data { pad } => self
                    .peers
                    .get_mut(&pad)
                    .and_then(|peer| peer.compose(self.network)),
            };
            let Some(frame) = frame else { continue };
            let receiver = self.ports.entry(port).or_default();
            receiver.sending_until =
                now + self.timing.turnaround + self.timing.airtime(frame.len());
            return Some((port, frame));
        }
    }

    /// When to call [`Self::handle_timeout`] and [`Self::poll_transmit`].
    pub fn poll_timeout(&self) -> Option<Instant> {
        self.replies
            .iter()
            .map(|queued| {
                let late = queued.since + self.timing.patience + Span::from_micros(1);
                self.ready_at(queued).map_or(late, |ready| ready.min(late))
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
        self.replies.push_back(Queued {
            reply,
            port,
            since: now,
        });
    }

    /// When this reply may go out; `None` while the session has not answered.
    fn ready_at(&self, queued: &Queued) -> Option<Instant> {
        let mut ready = queued.since;
        if let Reply::Data { pad } = queued.reply
            && let Some(peer) = self.peers.get(&pad)
        {
            if peer.is_unsettled() {
                return None;
            }
            if peer.awaiting {
                // A check-in needs no answer, but the session may have one.
                ready += Span::from_micros(self.timing.patience.as_micros() / 2);
            }
        }
        if let Some(receiver) = self.ports.get(&queued.port) {
            ready = ready.max(receiver.sending_until);
            if receiver.deframer.is_amid() {
                ready = ready.max(receiver.heard + self.timing.bytes(16) + Span::from_millis(1));
            }
        }
        Some(ready)
    }
}
