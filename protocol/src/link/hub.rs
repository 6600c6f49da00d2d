//! The base's end of the link: a conversation with each pad, over one or several receivers.

use alloc::collections::{BTreeMap, VecDeque};

use super::{Binding, Tally, Timing};
use crate::frame::{BaseNonce, ClubKey, FrameBytes, NetworkId};
use crate::message::{Down, Up};
use crate::time::Instant;
use crate::words::PadId;

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
    network: NetworkId,
    timing: Timing,
    nonce: BaseNonce,
    mail: BTreeMap<PadId, VecDeque<Down>>,
    calls: VecDeque<Call>,
    tally: Tally,
}

impl Hub {
    /// A hub that knows no pad yet. `nonce` must be drawn at random at every start.
    pub fn new(key: ClubKey, network: NetworkId, timing: Timing, nonce: BaseNonce) -> Self {
        Self {
            key,
            network,
            timing,
            nonce,
            mail: BTreeMap::new(),
            calls: VecDeque::new(),
            tally: Tally::default(),
        }
    }

    /// Bytes from a receiver, as they come.
    pub fn handle_receive(&mut self, port: Port, bytes: &[u8], now: Instant) {
        let _ = (port, bytes, now);
    }

    /// The moment of [`Self::poll_timeout`] has come.
    pub fn handle_timeout(&mut self, now: Instant) {
        let _ = now;
    }

    /// What a pad said. Each call must be answered once, with [`Self::answer`].
    pub fn poll_call(&mut self) -> Option<Call> {
        self.calls.pop_front()
    }

    /// Answers the pad's last call: what it said is dealt with (a result is on disk), and this is
    /// the answer. It goes out at once while the pad listens, and again whenever the pad repeats
    /// its call. An empty answer is an acknowledgement.
    pub fn answer(&mut self, pad: PadId, answer: impl IntoIterator<Item = Down>, now: Instant) {
        let _ = now;
        self.mail.entry(pad).or_default().extend(answer);
    }

    /// Leaves a message that the pad fetches when it calls next.
    pub fn post(&mut self, pad: PadId, message: Down) {
        self.mail.entry(pad).or_default().push_back(message);
    }

    /// Forgets what waits for a pad.
    pub fn clear(&mut self, pad: PadId) {
        self.mail.remove(&pad);
    }

    /// A frame for a receiver's modem.
    pub fn poll_transmit(&mut self, now: Instant) -> Option<(Port, FrameBytes)> {
        let _ = now;
        None
    }

    /// When to call [`Self::handle_timeout`].
    pub fn poll_timeout(&self) -> Option<Instant> {
        None
    }

    /// What was turned away, for the director.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// Every pad that has called since the start.
    pub fn pads(&self) -> impl Iterator<Item = PadStatus> {
        let _ = (&self.key, self.network, self.timing, self.nonce);
        core::iter::empty()
    }
}
