//! The pad's end of the link: one conversation, a modem that sleeps, and a shared channel.

use super::{Binding, Tally, Timing};
use crate::frame::{AssociationNumber, FrameBytes, NetworkId, PadKeys};
use crate::message::{CheckIn, Down, Up};
use crate::time::Instant;
use crate::words::PadId;

/// Who a pad is on the air.
#[derive(Clone, Debug)]
pub struct PadIdentity {
    /// From the chip.
    pub pad: PadId,
    /// Chosen in the director's menu, like a channel.
    pub network: NetworkId,
    /// From the club key, once, through the service port.
    pub keys: PadKeys,
}

/// Whether the modem should have power.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Modem {
    /// It sleeps.
    Off,
    /// It hears, or sends.
    On,
}

/// The message before this one has not been answered yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Busy;

/// What a pad's link has to say.
#[expect(
    clippy::large_enum_variant,
    reason = "there is no heap to box into, and one event at a time is on the stack"
)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PadEvent {
    /// The base says something.
    Message(Down),
    /// The message given to [`PadLink::send`] has been answered; the next one may be given.
    Answered,
    /// The message has not been answered and the modem rests; the link goes on by itself later.
    /// The players should see "waiting to send".
    Waiting,
    /// Numbers below this one must be in flash before the link can go on: write it, then call
    /// [`PadLink::reserved`]. At the next start give the written number to [`PadLink::new`].
    Reserve(AssociationNumber),
    /// The base answered.
    Contact,
    /// Our network is there, but with the key of another club.
    AnotherClub,
    /// The base speaks this wire version, and ours is too old for it.
    VersionTooOld(u8),
}

/// The pad's end of the link.
#[derive(Debug)]
pub struct PadLink {
    identity: PadIdentity,
    timing: Timing,
    next_association: AssociationNumber,
    binding: Option<Binding>,
    check_in: Option<CheckIn>,
    outgoing: Option<Up>,
    tally: Tally,
}

impl PadLink {
    /// A link at rest.
    ///
    /// `reserved` is the number that was last written to flash on [`PadEvent::Reserve`], 0 on a
    /// new pad. `seed` should differ at every start; it spreads pads over the channel.
    pub fn new(
        identity: PadIdentity,
        timing: Timing,
        reserved: AssociationNumber,
        seed: u64,
    ) -> Self {
        let _ = seed;
        Self {
            identity,
            timing,
            next_association: reserved,
            binding: None,
            check_in: None,
            outgoing: None,
            tally: Tally::default(),
        }
    }

    /// Hands over a message; the link wakes the modem and goes on until it is answered.
    pub fn send(&mut self, message: &Up, now: Instant) -> Result<(), Busy> {
        let _ = now;
        if self.outgoing.is_some() {
            return Err(Busy);
        }
        self.outgoing = Some(message.clone());
        Ok(())
    }

    /// Whether [`Self::send`] would take a message.
    pub fn is_ready(&self) -> bool {
        self.outgoing.is_none()
    }

    /// Takes back the message that has not been answered; the base may still have heard it.
    pub fn withdraw(&mut self) {
        self.outgoing = None;
    }

    /// The session and epoch that everything said from now on belongs to. The link does this by
    /// itself on a welcome; after a restart the pad tells what its flash remembers.
    pub fn bind(&mut self, binding: Option<Binding>) {
        self.binding = binding;
    }

    /// What the next check-ins say; `None` stops them (not logged on).
    pub fn report(&mut self, check_in: Option<CheckIn>, now: Instant) {
        let _ = now;
        self.check_in = check_in;
    }

    /// Calls the base now, with nothing but a check-in, to fetch what waits there.
    pub fn check_in_now(&mut self, now: Instant) {
        let _ = now;
    }

    /// Gives the modem power ahead of a message (the accept step), for at most three seconds.
    pub fn wake(&mut self, now: Instant) {
        let _ = now;
    }

    /// The number from [`PadEvent::Reserve`] is in flash.
    pub fn reserved(&mut self, number: AssociationNumber) {
        self.next_association = self.next_association.max(number);
    }

    /// Whether the modem should have power now.
    pub fn modem(&self) -> Modem {
        Modem::Off
    }

    /// Bytes from the modem, as they come: their moments tell whether the channel is free.
    pub fn handle_receive(&mut self, bytes: &[u8], now: Instant) {
        let _ = (bytes, now);
    }

    /// The moment of [`Self::poll_timeout`] has come.
    pub fn handle_timeout(&mut self, now: Instant) {
        let _ = now;
    }

    /// A frame for the modem.
    pub fn poll_transmit(&mut self, now: Instant) -> Option<FrameBytes> {
        let _ = now;
        None
    }

    /// When to call [`Self::handle_timeout`].
    pub fn poll_timeout(&self) -> Option<Instant> {
        None
    }

    /// What happened.
    pub fn poll_event(&mut self) -> Option<PadEvent> {
        None
    }

    /// What this pad turned away.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// Who this pad is.
    pub fn identity(&self) -> &PadIdentity {
        &self.identity
    }

    /// The modem that this link reckons with.
    pub fn timing(&self) -> Timing {
        self.timing
    }
}
