//! The radio task: owns the link's hub, and carries messages between receivers and the session.

use std::time::Duration;

use protocol::link::{Call, Hub, Policy, Port};
use protocol::message::Down;
use protocol::time::Instant;
use protocol::words::PadId;
use tokio::sync::mpsc;

use super::{Receiver, SessionHandle};

/// Pieces of received bytes that may wait for the task: a second of the fastest modem.
pub(super) const PIECES_WAITING_MAX: usize = 1024;

/// Frames that may wait for a modem. The hub hands out one at a time and counts its airtime, so
/// that more than a few mean that the receiver is gone; pads call again.
pub(super) const FRAMES_WAITING_MAX: usize = 16;

/// How often the director's list of receivers and frames is brought up to date.
const REPORT_EVERY: Duration = Duration::from_secs(2);

/// A receiver as the radio task sees it: bytes in, frames out.
#[derive(Debug)]
pub struct Channel {
    /// What people call it until it says another name.
    pub name: String,
    /// What comes from it.
    pub received: mpsc::Receiver<Heard>,
    /// Frames for its modem.
    pub send: mpsc::Sender<Vec<u8>>,
    /// Whether it is there when the task starts.
    pub connected: bool,
    /// Whether the director is told of it before it was ever there.
    pub told: bool,
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
}

/// What can happen next.
enum Next {
    Heard(Port, Heard),
    Answer(PadId, Vec<Down>),
    Post(PadId, Box<Down>),
    Time,
    Report,
    /// Something is on disk; it may be that the director trusts other pads.
    Changed,
    End,
}

impl Radio {
    /// A radio that is not on the air yet.
    pub fn new(
        hub: Hub,
        session: SessionHandle,
        posts: mpsc::UnboundedReceiver<(PadId, Down)>,
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
        }
    }

    /// Carries messages until the session ends or `stop` is closed.
    pub async fn run(mut self, channels: Vec<Channel>, mut stop: mpsc::Receiver<()>) {
        let (pieces, mut received) = mpsc::channel(PIECES_WAITING_MAX);
        for (port, channel) in (0..=u8::MAX).map(Port).zip(channels) {
            self.senders.push(channel.send);
            self.told.push(channel.told);
            self.receivers.push(Receiver {
                name: channel.name,
                connected: channel.connected,
            });
            tokio::spawn(forward(port, channel.received, pieces.clone()));
        }
        let (answered, mut answers) = mpsc::unbounded_channel();
        let mut view = self.session.view.clone();
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
                _ = report.tick() => Next::Report,
            };
            match next {
                Next::End => return,
                Next::Answer(pad, downs) => self.hub.answer(pad, downs, self.now()),
                Next::Post(pad, down) => self.hub.post(pad, *down, self.now()),
                Next::Heard(port, heard) => self.hear(port, heard).await,
                Next::Time => self.hub.handle_timeout(self.now()),
                Next::Report => self.report().await,
                Next::Changed => self.heed(),
            }
            while let Some(call) = self.hub.poll_call() {
                tokio::spawn(ask(self.session.clone(), call, answered.clone()));
            }
            self.transmit();
        }
    }

    async fn hear(&mut self, port: Port, heard: Heard) {
        let receiver = self.receivers.get_mut(usize::from(port.0));
        let told = self.told.get_mut(usize::from(port.0));
        let (Some(receiver), Some(told)) = (receiver, told) else {
            return;
        };
        match heard {
            Heard::Bytes(bytes) => return self.hub.handle_receive(port, &bytes, self.now()),
            Heard::Gone => receiver.connected = false,
            Heard::Here(name) => {
                *receiver = Receiver {
                    name,
                    connected: true,
                };
                *told = true;
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
            if let Some(sender) = self.senders.get(usize::from(port.0)) {
                // A receiver that is gone takes nothing; the pad calls again.
                let _ = sender.try_send(frame.to_vec());
            }
        }
    }

    async fn report(&self) {
        let told = self.receivers.iter().zip(&self.told);
        let told = told.filter(|(_, told)| **told);
        let receivers = told.map(|(receiver, _)| receiver.clone()).collect();
        self.session.receivers(receivers, self.hub.tally()).await;
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
