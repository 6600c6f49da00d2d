//! The radio task: owns the link's hub, and carries messages between receivers and the session.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use protocol::link::{Call, Hub, Policy, Port};
use protocol::message::Down;
use protocol::time::Instant;
use protocol::words::PadId;
use tokio::sync::{mpsc, watch};

use super::keyring::{Keyring, Keys};
use super::lines::{Line, MAIL};
use super::modem::{ModemKnown, ModemState};
use super::modems::Errand;
use super::quality::{Air, Qualities};
use super::{Receiver, SessionHandle};
use crate::session::{Command, Trust, Who};

/// Pieces of received bytes that may wait for the task: a second of the fastest modem.
pub(super) const PIECES_WAITING_MAX: usize = 1024;

/// Frames that may wait for a modem. The hub hands out one at a time and counts its airtime, so
/// that more than a few mean that the receiver is gone; pads call again.
pub(super) const FRAMES_WAITING_MAX: usize = 16;

/// How often the director's list of receivers and frames is brought up to date.
const REPORT_EVERY: Duration = Duration::from_secs(2);

/// Ports from this one on are lines of single pads.
const LINES_FROM: u16 = 256;

/// Lines at once: a phone and a second one at each of 256 tables, and those that are coming back.
const LINES_MAX: usize = 640;

/// How long a line may be there without a word of a pad that we know.
const PROOF_TIME_MAX: Duration = Duration::from_secs(20);

/// A receiver as the radio task sees it: bytes in, frames out.
#[derive(Debug)]
pub struct Channel {
    /// What people call it until it says another name.
    pub name: String,
    /// What comes from it.
    pub received: mpsc::Receiver<Heard>,
    /// Frames for its modem.
    pub send: mpsc::Sender<Vec<u8>>,
    /// What the director wants of its modem; nothing where it has no thread of its own.
    pub errands: Option<std::sync::mpsc::Sender<Errand>>,
    /// Whether it is there when the task starts.
    pub connected: bool,
    /// Whether the director is told of it before it was ever there.
    pub told: bool,
    /// The radio channel that its modem is set to; 0 where nobody has said. Receivers on one
    /// channel share its time.
    pub channel: u8,
}

/// What comes from a receiver.
#[derive(Debug)]
pub enum Heard {
    /// Bytes, in pieces as they come.
    Bytes(Vec<u8>),
    /// It was unplugged.
    Gone,
    /// It is there, or back, under this name.
    Here(String),
    /// Its modem was asked, and told if it had to be.
    Modem(ModemKnown),
}

/// The radio.
#[derive(Debug)]
pub struct Radio {
    hub: Hub,
    session: SessionHandle,
    posts: mpsc::UnboundedReceiver<(PadId, Down)>,
    started: tokio::time::Instant,
    /// The wall clock in microseconds at the start. The channel's slots follow it, so that pads
    /// that know them still do after a restart of the base.
    started_micros: u64,
    senders: Vec<mpsc::Sender<Vec<u8>>>,
    receivers: Vec<Receiver>,
    /// Which of them the director is told of.
    told: Vec<bool>,
    /// What the hub was told last.
    policy: Policy,
    keys: watch::Receiver<Keys>,
    /// The pads that have a line of their own.
    lines: BTreeMap<Port, OwnLine>,
    /// What became of each pad's frames.
    qualities: Qualities,
}

/// A pad's own line.
#[derive(Debug)]
struct OwnLine {
    send: mpsc::Sender<Vec<u8>>,
    since: tokio::time::Instant,
}

/// What can happen next.
enum Next {
    Line(Line),
    Heard(Port, Heard),
    Answer(PadId, Vec<Down>),
    Post(PadId, Box<Down>),
    Time,
    Report,
    /// Something is on disk; it may be that the director trusts other pads.
    Changed,
    /// The club has a new key, or the old one has ended.
    Keys,
    End,
}

impl Radio {
    /// A radio that is not on the air yet.
    pub fn new(
        hub: Hub,
        session: SessionHandle,
        posts: mpsc::UnboundedReceiver<(PadId, Down)>,
        keyring: &Keyring,
    ) -> Self {
        Self {
            hub,
            session,
            posts,
            started: tokio::time::Instant::now(),
            started_micros: wall_clock_micros(),
            senders: Vec::new(),
            receivers: Vec::new(),
            told: Vec::new(),
            policy: Policy::default(),
            lines: BTreeMap::new(),
            keys: keyring.watch(),
            qualities: Qualities::default(),
        }
    }

    /// Carries messages until the session ends or `stop` is closed. Phones come and go with `lines`.
    pub async fn run(
        mut self,
        channels: Vec<Channel>,
        mut lines: mpsc::Receiver<Line>,
        mut stop: mpsc::Receiver<()>,
    ) {
        let (pieces, mut received) = mpsc::channel(PIECES_WAITING_MAX);
        for (port, channel) in (0..LINES_FROM).map(Port).zip(channels) {
            self.hub.set_channel(port, channel.channel);
            self.senders.push(channel.send);
            self.told.push(channel.told);
            self.receivers.push(Receiver {
                port: port.0,
                name: channel.name,
                connected: channel.connected,
                share_permille: 0,
                limit_permille: None,
                held_back: 0,
                modem: None,
            });
            tokio::spawn(forward(port, channel.received, pieces.clone()));
        }
        let (answered, mut answers) = mpsc::unbounded_channel();
        let mut view = self.session.view.clone();
        self.take_keys();
        self.heed();
        let mut report = tokio::time::interval(REPORT_EVERY);
        loop {
            let started = self.started;
            let wake = self.hub.poll_timeout().map(|wake| self.since_start(wake));
            let next = tokio::select! {
                _ = stop.recv() => Next::End,
                Some((pad, downs)) = answers.recv() => Next::Answer(pad, downs),
                Some((port, heard)) = received.recv() => Next::Heard(port, heard),
                post = self.posts.recv() => {
                    post.map_or(Next::End, |(pad, down)| Next::Post(pad, Box::new(down)))
                }
                () = sleep_until(started, wake) => Next::Time,
                Ok(()) = view.changed() => Next::Changed,
                Ok(()) = self.keys.changed() => Next::Keys,
                Some(line) = lines.recv() => Next::Line(line),
                _ = report.tick() => Next::Report,
            };
            match next {
                Next::End => return,
                Next::Answer(pad, downs) => self.hub.answer(pad, downs, self.now()),
                Next::Post(pad, down) => self.post(pad, *down),
                Next::Line(line) => self.add_line(line, &pieces),
                Next::Heard(port, heard) => self.hear(port, heard).await,
                Next::Time => self.hub.handle_timeout(self.now()),
                Next::Report => {
                    self.drop_silent_lines();
                    self.report().await;
                }
                Next::Changed => self.heed(),
                Next::Keys => self.take_keys(),
            }
            while let Some(call) = self.hub.poll_call() {
                tokio::spawn(ask(self.session.clone(), call, answered.clone()));
            }
            while let Some(pad) = self.hub.poll_renewed() {
                tokio::spawn(note_renewed(self.session.clone(), pad));
            }
            self.transmit();
        }
    }

    /// Leaves a message. A pad with a line of its own is told that it has mail.
    fn post(&mut self, pad: PadId, down: Down) {
        self.hub.post(pad, down, self.now());
        let line = self.hub.line_of(pad).and_then(|port| self.lines.get(&port));
        if let Some(line) = line {
            let _ = line.send.try_send(MAIL.to_vec());
        }
    }

    fn add_line(&mut self, line: Line, pieces: &mpsc::Sender<(Port, Heard)>) {
        if self.lines.len() >= LINES_MAX {
            let Some(oldest) = self.unproven().min_by_key(|(_, since)| *since) else {
                return;
            };
            self.drop_line(oldest.0);
        }
        let mut ports = (LINES_FROM..=u16::MAX).map(Port);
        let Some(port) = ports.find(|port| !self.lines.contains_key(port)) else {
            return;
        };
        self.hub.add_line(port);
        let Line { received, send } = line;
        let since = tokio::time::Instant::now();
        self.lines.insert(port, OwnLine { send, since });
        tokio::spawn(forward_line(port, received, pieces.clone()));
    }

    /// A line on which nobody proves to be a pad of ours is in the way of others.
    fn drop_silent_lines(&mut self) {
        let silent = |(_, since): &(Port, tokio::time::Instant)| since.elapsed() > PROOF_TIME_MAX;
        let silent: Vec<Port> = self.unproven().filter(silent).map(|it| it.0).collect();
        for port in silent {
            self.drop_line(port);
        }
    }

    /// Lines on which no pad of ours has been heard, and since when they are there.
    fn unproven(&self) -> impl Iterator<Item = (Port, tokio::time::Instant)> {
        let known: BTreeSet<Port> = self.hub.pads().map(|status| status.port).collect();
        let lines = self.lines.iter().map(|(port, line)| (*port, line.since));
        lines.filter(move |(port, _)| !known.contains(port))
    }

    /// Without its sender the connection ends.
    fn drop_line(&mut self, port: Port) {
        self.lines.remove(&port);
        self.hub.drop_line(port);
    }

    fn take_keys(&mut self) {
        let Keys { current, old } = self.keys.borrow_and_update().clone();
        self.hub.set_keys(current, old);
    }

    async fn hear(&mut self, port: Port, heard: Heard) {
        if port.0 >= LINES_FROM {
            match heard {
                Heard::Bytes(bytes) if self.lines.contains_key(&port) => {
                    self.hub.handle_receive(port, &bytes, self.now());
                }
                Heard::Gone => self.drop_line(port),
                Heard::Bytes(_) | Heard::Here(_) | Heard::Modem(_) => {}
            }
            return;
        }
        let receiver = self.receivers.get_mut(usize::from(port.0));
        let told = self.told.get_mut(usize::from(port.0));
        let (Some(receiver), Some(told)) = (receiver, told) else {
            return;
        };
        match heard {
            Heard::Bytes(bytes) => return self.hub.handle_receive(port, &bytes, self.now()),
            Heard::Gone => receiver.connected = false,
            Heard::Here(name) => {
                receiver.name = name;
                receiver.connected = true;
                receiver.modem = None;
                *told = true;
            }
            Heard::Modem(known) => {
                receiver.modem = Some(known);
                if let (ModemState::Set, Some(channel)) = (known.state, known.found.channel) {
                    self.hub.set_channel(port, channel.get());
                }
            }
        }
        self.report().await;
    }

    /// Listens to whom the director trusts.
    fn heed(&mut self) {
        let policy = self.session.view().state.club.policy();
        if self.policy != policy {
            self.policy = policy.clone();
            self.hub.set_policy(policy);
        }
    }

    fn transmit(&mut self) {
        while let Some((port, frame)) = self.hub.poll_transmit(self.now()) {
            let sender = match self.lines.get(&port) {
                Some(line) => Some(&line.send),
                None => self.senders.get(usize::from(port.0)),
            };
            if let Some(sender) = sender {
                // A receiver that is gone takes nothing; the pad calls again.
                let _ = sender.try_send(frame.to_vec());
            }
        }
    }

    async fn report(&mut self) {
        let now = self.now();
        for (port, receiver) in (0..LINES_FROM).map(Port).zip(&mut self.receivers) {
            receiver.share_permille = self.hub.share(port, now);
            receiver.limit_permille = self.hub.share_limit();
            receiver.held_back = self.hub.held_back(port, now);
        }
        let held_back = self.receivers.iter().map(|it| it.held_back).max();
        let air = Air::of(self.hub.tally(), held_back.unwrap_or_default());
        let pads = self.hub.pads().map(|it| (it.pad, it.quality));
        self.qualities.take(pads, air, now.as_millis());
        let told = self.receivers.iter().zip(&self.told);
        let told = told.filter(|(_, told)| **told);
        let receivers = told.map(|(receiver, _)| receiver.clone()).collect();
        let known = (self.hub.tally(), self.qualities.clone());
        self.session.receivers(receivers, known).await;
    }

    fn now(&self) -> Instant {
        let micros = u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX);
        Instant::from_micros(self.started_micros.saturating_add(micros))
    }

    fn since_start(&self, at: Instant) -> Duration {
        Duration::from_micros(at.as_micros().saturating_sub(self.started_micros))
    }
}

fn wall_clock_micros() -> u64 {
    std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .ok()
        .and_then(|since| u64::try_from(since.as_micros()).ok())
        .unwrap_or_default()
}

async fn sleep_until(started: tokio::time::Instant, wake: Option<Duration>) {
    match wake {
        None => std::future::pending().await,
        Some(wake) => tokio::time::sleep_until(started + wake).await,
    }
}

async fn forward(
    port: Port,
    mut received: mpsc::Receiver<Heard>,
    pieces: mpsc::Sender<(Port, Heard)>,
) {
    while let Some(piece) = received.recv().await {
        if pieces.send((port, piece)).await.is_err() {
            return;
        }
    }
}

async fn forward_line(
    port: Port,
    mut received: mpsc::Receiver<Vec<u8>>,
    pieces: mpsc::Sender<(Port, Heard)>,
) {
    while let Some(piece) = received.recv().await {
        if pieces.send((port, Heard::Bytes(piece))).await.is_err() {
            return;
        }
    }
    let _ = pieces.send((port, Heard::Gone)).await;
}

/// A pad has come with the club's new key: it need not be visited with a cable.
async fn note_renewed(session: SessionHandle, pad: PadId) {
    let command = Command::ChangeTrust(Trust::PadRenewed { pad });
    let _ = session.command(command, Who::Base).await;
}

/// One call of a pad. A pad has one call open at a time, so calls of a pad never overtake each
/// other.
async fn ask(
    session: SessionHandle,
    call: Call,
    answered: mpsc::UnboundedSender<(PadId, Vec<Down>)>,
) {
    // While the base station ends nobody is answered: pads keep what they have.
    if let Ok(downs) = session.pad_says(call.pad, call.binding, call.message).await {
        let _ = answered.send((call.pad, downs));
    }
}
