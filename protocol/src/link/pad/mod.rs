//! The pad's end of the link: one conversation, a modem that sleeps, and a shared channel.
//!
//! A contact goes: wake the modem, call, await the answer; then rest, or go on while there is
//! more on either side.

mod check_in;
mod talk;

use super::access::{Access, Jitter};
use super::conversation::Conversation;
use super::{Binding, Tally, Timing};
use crate::frame::{AssociationNumber, Deframer, FrameBytes, NetworkId, PadKeys};
use crate::message::{CheckIn, Down, Up};
use crate::time::{Instant, Span};
use crate::wire::{Lane, Message, URGENT_LEN_MAX};
use crate::words::PadId;
use check_in::CheckIns;
use talk::Acquaintance;

/// The modem's time for a message, from the moment it is handed over. With that of a second
/// contact it stays below three seconds.
const MESSAGE_CONTACT: Span = Span::from_millis(2_000);

/// The same on a slow line.
const MESSAGE_CONTACT_MAX: Span = Span::from_millis(2_800);

/// The modem's time when the link tries again with a message that got no answer.
const RETRY_CONTACT: Span = Span::from_millis(900);

/// The modem's time from one answer of the base to the next while there is more, and for a
/// check-in that has no slot of its own.
const GO_ON_CONTACT: Span = Span::from_millis(1_200);

/// The modem's time for a check-in.
const CHECK_IN_CONTACT: Span = Span::from_millis(300);

/// Contacts without an answer after which a message, too, waits for the answer wherever it may be.
const DOUBTS_AFTER_CONTACTS: u32 = 3;

/// The shortest rest after a message without an answer; it doubles up to [`REST_MAX`].
const MESSAGE_REST: Span = Span::from_secs(1);

/// The longest rest. A base that returns hears from everybody within a minute.
const REST_MAX: Span = Span::from_secs(24);

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

/// Why a message was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Unsent {
    /// The message before this one has not been answered yet: try again when it has.
    Busy,
    /// It will never go: it is longer than a pad's message may be.
    TooLong,
}

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
    /// The base wants at least this wire version, and ours is older.
    VersionTooOld(u8),
    /// The numbers of associations come to their end: the pad goes on, but needs a new key soon.
    KeyRunsLow,
    /// All numbers of associations are used: the pad needs a new key, and is silent until then.
    KeyUsedUp,
}

/// The pad's end of the link.
#[derive(Debug)]
pub struct PadLink {
    identity: PadIdentity,
    timing: Timing,
    jitter: Jitter,
    known: Acquaintance,
    conversation: Conversation,
    binding: Option<Binding>,
    check_in: Option<CheckIn>,
    check_ins: CheckIns,
    outgoing: Outgoing,
    /// The base has more for us.
    fetching: bool,
    /// When to call with the message.
    call_at: Option<Instant>,
    /// Contacts in a row without an answer.
    failures: u32,
    state: State,
    access: Access,
    /// The modem should have no power after this moment, unless the base answers.
    off_by: Instant,
    deframer: Deframer,
    news: News,
    tally: Tally,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The modem sleeps.
    Off,
    /// It has power and does not hear yet. NEXT: Listening.
    Waking { until: Instant },
    /// Waiting for its slot, or for something to say. NEXT: Sending, Off.
    Listening,
    /// The frame is on its way out. NEXT: Awaiting.
    Sending { until: Instant },
    /// Waiting for the answer. NEXT: Listening, Off.
    Awaiting { until: Instant },
}

/// What became of the message handed over last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outgoing {
    /// The next one may come. NEXT: Loaded.
    Nothing,
    /// The base cannot have heard it. NEXT: Sent.
    Loaded,
    /// The base may have heard it. NEXT: Nothing.
    Sent,
}

/// What the shell has not been told yet.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a piece of news of its own, told once"
)]
#[derive(Debug, Default)]
struct News {
    message: Option<Down>,
    answered: bool,
    waiting: bool,
    contact: bool,
    another_club: bool,
    version_too_old: Option<u8>,
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
        Self {
            jitter: Jitter::new(seed ^ u64::from(identity.pad.get()) << 32),
            identity,
            access: Access::new(&timing),
            timing,
            known: Acquaintance::new(reserved),
            conversation: Conversation::default(),
            binding: None,
            check_in: None,
            check_ins: CheckIns::default(),
            outgoing: Outgoing::Nothing,
            fetching: false,
            call_at: None,
            failures: 0,
            state: State::Off,
            off_by: Instant::ZERO,
            deframer: Deframer::default(),
            news: News::default(),
            tally: Tally::default(),
        }
    }

    /// Hands over a message; the link wakes the modem and goes on until it is answered.
    pub fn send(&mut self, message: &Up, now: Instant) -> Result<(), Unsent> {
        let bytes = message.encode().ok_or(Unsent::TooLong)?;
        self.send_bytes(&bytes, now)?;
        // Who claims a table may stand before another base than the last time.
        self.known.asks_next |= matches!(message, Up::LogOn(_) | Up::Replace(_) | Up::Recover(_));
        Ok(())
    }

    fn send_bytes(&mut self, bytes: &[u8], now: Instant) -> Result<(), Unsent> {
        if bytes.len() > URGENT_LEN_MAX {
            return Err(Unsent::TooLong);
        }
        if !self.is_ready() || !self.conversation.say(Lane::Urgent, bytes) {
            return Err(Unsent::Busy);
        }
        self.outgoing = Outgoing::Loaded;
        self.failures = 0;
        self.call_at = Some(now);
        if self.state != State::Off {
            self.off_by = now + self.message_contact();
        }
        if self.state == State::Listening {
            self.access.begin(now, &mut self.jitter);
        }
        Ok(())
    }

    /// Whether [`Self::send`] would take a message.
    pub fn is_ready(&self) -> bool {
        self.outgoing == Outgoing::Nothing
    }

    /// Takes back the message that has not been answered; the base may still have heard it.
    pub fn withdraw(&mut self) {
        self.conversation.unsay_urgent();
        if self.outgoing == Outgoing::Sent {
            self.known.restart_stream();
            self.conversation.reset();
        }
        self.outgoing = Outgoing::Nothing;
        self.call_at = None;
    }

    /// The session and epoch that everything said from now on belongs to. The link does this by
    /// itself on a welcome; after a restart the pad tells what its flash remembers.
    pub fn bind(&mut self, binding: Option<Binding>) {
        if self.binding != binding {
            self.binding = binding;
            self.known.renew();
        }
    }

    /// What the next check-ins say; `None` stops them (not logged on).
    pub fn report(&mut self, check_in: Option<CheckIn>, now: Instant) {
        match (&self.check_in, &check_in) {
            (_, None) => self.check_ins = CheckIns::default(),
            // Pads that are switched on together spread from the beginning.
            (None, Some(_)) => self.check_ins.begin(now, &self.access, &mut self.jitter),
            (Some(_), Some(_)) => {}
        }
        self.check_in = check_in;
    }

    /// Calls the base now, with nothing but a check-in, to fetch what waits there.
    pub fn check_in_now(&mut self, now: Instant) {
        if self.check_in.is_some() {
            self.check_ins.at_once(now);
        }
    }

    /// The line to the base is there, or back: what waits is said now, else the base is asked.
    pub fn call_now(&mut self, now: Instant) {
        if self.call_at.is_none() {
            return self.check_in_now(now);
        }
        (self.call_at, self.failures) = (Some(now), 0);
    }

    /// The number from [`PadEvent::Reserve`] is in flash.
    pub fn reserved(&mut self, number: AssociationNumber) {
        self.known.reserved(number);
    }

    /// Whether the modem should have power now.
    pub fn modem(&self) -> Modem {
        match self.state {
            State::Off => Modem::Off,
            _ => Modem::On,
        }
    }

    /// Bytes from the modem, as they come: their moments tell the channel's slots.
    ///
    /// Ask [`Self::poll_event`] afterwards: until a message is fetched, the next one is not taken.
    pub fn handle_receive(&mut self, bytes: &[u8], now: Instant) {
        self.handle_timeout(now);
        if let State::Off | State::Waking { .. } | State::Sending { .. } = self.state {
            return;
        }
        for &byte in bytes {
            if let Some(collected) = self.deframer.push(byte) {
                self.hear(&collected, now);
            }
        }
    }

    /// The moment of [`Self::poll_timeout`] has come.
    pub fn handle_timeout(&mut self, now: Instant) {
        match self.state {
            State::Off => {
                if self.call_at.is_some_and(|at| at <= now) {
                    let contact = match self.failures {
                        0 => self.message_contact(),
                        _ => RETRY_CONTACT,
                    };
                    self.begin_contact(now, contact);
                } else if self.check_ins.begin_if_due(now, self.timing.wake_up) {
                    let contact = match self.check_ins.slot() {
                        Some(_) if !self.is_in_doubt() => CHECK_IN_CONTACT,
                        _ => GO_ON_CONTACT,
                    };
                    self.begin_contact(now, contact);
                }
            }
            State::Waking { until } if until <= now => {
                self.deframer.clear();
                match self.check_ins.slot() {
                    Some(speak_at) if self.is_ready() => self.access.begin_at(speak_at),
                    _ => self.access.begin(now, &mut self.jitter),
                }
                self.state = State::Listening;
            }
            State::Listening if self.speak_by() <= now => self.rest(now),
            State::Sending { until } if until <= now => {
                self.deframer.clear();
                self.state = State::Awaiting {
                    until: self.access.answer_until(until, self.is_in_doubt()),
                };
            }
            State::Awaiting { until } if until <= now => {
                self.access.retry(now, &mut self.jitter);
                self.state = State::Listening;
                // A message whose next answer would come too late waits for another contact.
                if !self.is_ready() && self.off_by < self.access.answer_by() {
                    self.rest(now);
                }
            }
            _ => {}
        }
    }

    /// A frame for the modem.
    pub fn poll_transmit(&mut self, now: Instant) -> Option<FrameBytes> {
        self.handle_timeout(now);
        if self.state != State::Listening
            || !self.has_something_to_say()
            || now < self.access.speak_at()
        {
            return None;
        }
        let frame = self.compose()?;
        self.state = State::Sending {
            until: now + self.timing.turnaround + self.timing.airtime(frame.len()),
        };
        Some(frame)
    }

    /// When to call [`Self::handle_timeout`].
    pub fn poll_timeout(&self) -> Option<Instant> {
        match self.state {
            State::Off => match (self.call_at, self.check_ins.wakes_at(self.timing.wake_up)) {
                (Some(call), Some(check_in)) => Some(call.min(check_in)),
                (call, check_in) => call.or(check_in),
            },
            State::Listening if self.has_something_to_say() => {
                Some(self.access.speak_at().min(self.speak_by()))
            }
            State::Listening => Some(self.speak_by()),
            State::Waking { until } | State::Sending { until } | State::Awaiting { until } => {
                Some(until)
            }
        }
    }

    /// What happened.
    pub fn poll_event(&mut self) -> Option<PadEvent> {
        let news = &mut self.news;
        if let Some(message) = news.message.take() {
            Some(PadEvent::Message(message))
        } else if core::mem::take(&mut news.answered) {
            Some(PadEvent::Answered)
        } else if core::mem::take(&mut news.contact) {
            Some(PadEvent::Contact)
        } else if core::mem::take(&mut news.waiting) {
            Some(PadEvent::Waiting)
        } else if core::mem::take(&mut news.another_club) {
            Some(PadEvent::AnotherClub)
        } else if let Some(version) = news.version_too_old.take() {
            Some(PadEvent::VersionTooOld(version))
        } else if self.known.poll_end() {
            Some(PadEvent::KeyUsedUp)
        } else if self.known.poll_near_end() {
            Some(PadEvent::KeyRunsLow)
        } else {
            self.known.poll_reserve().map(PadEvent::Reserve)
        }
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

    fn has_something_to_say(&self) -> bool {
        (!self.is_ready() || self.check_ins.is_due() || self.fetching) && self.known.can_speak()
    }

    /// A check-in that failed in its slot may have met a base with another clock. A message is
    /// repeated in every cycle of its first contact and meets any window; but where contact after
    /// contact has failed, the slots may be those of an old frame that somebody has played again.
    fn is_in_doubt(&self) -> bool {
        (self.failures > 0 && self.is_ready()) || self.failures >= DOUBTS_AFTER_CONTACTS
    }

    /// A slow line needs longer for the same number of calls.
    fn message_contact(&self) -> Span {
        self.access
            .cycles(6)
            .clamp(MESSAGE_CONTACT, MESSAGE_CONTACT_MAX)
    }

    fn begin_contact(&mut self, now: Instant, length: Span) {
        self.state = State::Waking {
            until: now + self.timing.wake_up,
        };
        self.off_by = now + length;
    }

    /// After this moment no call of this contact may begin: an exchange takes so long at least.
    fn speak_by(&self) -> Instant {
        self.off_by - self.timing.turnaround.times(2) - self.timing.airtime(24).times(2)
    }

    /// The base has answered; goes on while there is more on either side.
    fn answered_at(&mut self, now: Instant, goes_on: bool) {
        self.failures = 0;
        self.fetching = goes_on;
        self.check_ins.answered(now, &self.access, &mut self.jitter);
        if goes_on {
            self.off_by = now + GO_ON_CONTACT;
            self.access.resume(now, &mut self.jitter);
            self.state = State::Listening;
        } else {
            self.state = State::Off;
            self.call_at = None;
        }
    }

    /// Nobody answered in this contact. The modem sleeps, and the link tries again later.
    fn rest(&mut self, now: Instant) {
        self.state = State::Off;
        if core::mem::take(&mut self.fetching) && self.check_in.is_some() {
            // What the base still has for us is fetched like a check-in that failed.
            self.check_ins.at_once(now);
        }
        // Contact after contact without a word: it may be a base that does not expect us.
        self.known.asks_next = self.failures >= DOUBTS_AFTER_CONTACTS;
        let times = 1 << self.failures.min(5);
        self.failures = self.failures.saturating_add(1);
        self.call_at = if self.is_ready() {
            // What was left to fetch must not keep the link calling with nothing to say: a call
            // goes before a check-in, and only the check-in fetches it.
            None
        } else {
            self.news.waiting = true;
            let rest = MESSAGE_REST.times(times).min(REST_MAX);
            Some(now + self.jitter.between(rest, rest + rest))
        };
        self.check_ins.failed(now, &self.access, &mut self.jitter);
    }
}

#[cfg(test)]
mod tests;
