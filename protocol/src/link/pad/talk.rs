//! What a pad says to the base and hears from it, frame by frame.

use super::{GO_ON_CONTACT, Outgoing, PadLink, State};
use crate::frame::{
    Address, AssociationNumber, BaseNonce, Collected, Direction, FrameBytes, Header, Nonce,
    Plaintext, Tag, open, seal,
};
use crate::link::Binding;
use crate::link::association::{Association, Opened, low_byte, low_half};
use crate::link::conversation::{Absorbed, Aside, Brought};
use crate::link::tally::Verdict;
use crate::message::{Down, Up, WIRE_VERSION};
use crate::time::Instant;
use crate::wire::{Message, MessageBytes};

/// Association numbers that are reserved in flash at a time. A pad uses a few an evening, so
/// flash is written about once an evening and a power cut wastes at most these.
const RESERVED_AT_A_TIME: u32 = 16;

/// Every so many calls without an answer, ask for new keys: the counters may be too far apart.
const HELLO_EVERY_CALLS: u32 = 24;

/// What a pad knows of the base, and the base of it.
#[derive(Debug)]
pub(super) struct Acquaintance {
    /// Drawn by the base when it started.
    base: Option<BaseNonce>,
    association: Option<Association>,
    /// The base has answered under the association's keys.
    confirmed: bool,
    /// Tells the base whether it must begin the conversation anew.
    stream: Option<u8>,
    /// The number of the next association.
    next: AssociationNumber,
    /// Numbers below this one are in flash.
    reserved_below: AssociationNumber,
    reserve_asked: bool,
    /// The tag of the frame sent last; a stranger's answer must name it.
    last_tag: Option<Tag>,
    /// Calls since the base was last heard.
    pub(super) unanswered: u32,
}

impl Acquaintance {
    pub(super) fn new(reserved: AssociationNumber) -> Self {
        Self {
            base: None,
            association: None,
            confirmed: false,
            stream: None,
            // Zero stands for "none yet" on the air.
            next: reserved.max(AssociationNumber(1)),
            reserved_below: reserved,
            reserve_asked: false,
            last_tag: None,
            unanswered: 0,
        }
    }

    pub(super) fn reserved(&mut self, number: AssociationNumber) {
        self.reserved_below = self.reserved_below.max(number);
        self.reserve_asked = false;
    }

    /// A number to write to flash, asked for once.
    pub(super) fn poll_reserve(&mut self) -> Option<AssociationNumber> {
        if self.next < self.reserved_below || self.reserve_asked {
            return None;
        }
        self.reserve_asked = true;
        Some(AssociationNumber(
            self.next.0.saturating_add(RESERVED_AT_A_TIME),
        ))
    }

    /// Whether the next frame can be made, or waits for flash.
    pub(super) fn can_speak(&self) -> bool {
        self.base.is_none() || self.association.is_some() || self.next < self.reserved_below
    }

    /// New keys from the next frame on.
    pub(super) fn renew(&mut self) {
        self.association = None;
        self.confirmed = false;
    }

    /// The base must begin the conversation anew.
    pub(super) fn restart_stream(&mut self) {
        self.renew();
        self.stream = None;
    }
}

impl PadLink {
    /// The next frame to the base.
    pub(super) fn compose(&mut self) -> Option<FrameBytes> {
        let asks = self.known.unanswered % HELLO_EVERY_CALLS == HELLO_EVERY_CALLS - 1;
        let (frame, tag) = match self.known.base {
            Some(base) if !asks => self.compose_data(base)?,
            _ => self.compose_hello()?,
        };
        self.known.last_tag = Some(tag);
        self.known.unanswered = self.known.unanswered.saturating_add(1);
        Some(frame)
    }

    fn compose_hello(&mut self) -> Option<(FrameBytes, Tag)> {
        let salt = self.jitter.next().to_le_bytes();
        let header = Header::Hello {
            network: self.identity.network,
            version: WIRE_VERSION,
            check: self.identity.keys.check(),
            pad: self.identity.pad,
            salt,
        };
        let nonce = Nonce::hello(&header, self.identity.pad, salt);
        seal(&self.identity.keys.hello(), &nonce, &header, &[])
    }

    fn compose_data(&mut self, base: BaseNonce) -> Option<(FrameBytes, Tag)> {
        let identity = &self.identity;
        let known = &mut self.known;
        if known.association.is_none() {
            if known.next >= known.reserved_below {
                return None;
            }
            let number = known.next;
            known.next = number.next();
            known.stream.get_or_insert(low_byte(number.0));
            known.association = Some(Association::new(
                identity.pad,
                &identity.keys,
                base,
                identity.network,
                number,
                Direction::Up,
            ));
        }
        let association = known.association.as_mut()?;
        let mut content = Plaintext::new();
        if !known.confirmed {
            push_introduction(&mut content, known.stream?, self.binding)?;
        }
        // While the keys are new the frame says enough: the pad is there, and fits its slot.
        let remark = match (self.check_ins.is_due() && known.confirmed, self.check_in) {
            (true, Some(check_in)) => Up::CheckIn(check_in).encode()?,
            _ => MessageBytes::new(),
        };
        let aside = match remark.as_slice() {
            [] => Aside::Nothing,
            remark => Aside::Remark(remark),
        };
        self.conversation.compose(false, aside, &mut content)?;
        if self.outgoing == Outgoing::Loaded {
            self.outgoing = Outgoing::Sent;
        }
        let number = association.number();
        let confirmed = known.confirmed;
        association.seal(
            |counter| {
                if confirmed {
                    Header::Call {
                        address: identity.pad.into(),
                        network: identity.network,
                        counter: low_half(counter),
                    }
                } else {
                    Header::Open {
                        network: identity.network,
                        counter: low_byte(counter),
                        pad: identity.pad,
                        association: number,
                    }
                }
            },
            &content,
        )
    }

    /// Something that may be a frame has been heard.
    pub(super) fn hear(&mut self, collected: &Collected, now: Instant) {
        let mut verdict = Verdict::Garbled;
        for body in collected.bodies() {
            let Some((header, sealed)) = Header::decode(&body) else {
                continue;
            };
            if header.network() == self.identity.network
                && let Some(phase) = header.phase()
            {
                self.access.learn(phase, collected.air_len(), now);
            }
            let found = self.judge(&header, sealed, now);
            if verdict == Verdict::Garbled || found == Verdict::Accepted {
                verdict = found;
            }
            if found == Verdict::Accepted {
                break;
            }
        }
        self.tally.count(verdict);
    }

    fn judge(&mut self, header: &Header, sealed: &[u8], now: Instant) -> Verdict {
        if header.network() != self.identity.network {
            return Verdict::OtherNetwork;
        }
        if header.direction() == Direction::Up
            || header.address() != Address::from(self.identity.pad)
        {
            return Verdict::Foreign;
        }
        match *header {
            Header::Answer { .. } => self.judge_answer(header, sealed, now),
            Header::Stranger { .. } => self.judge_stranger(header, sealed, now),
            Header::Call { .. } | Header::Open { .. } | Header::Hello { .. } => Verdict::Foreign,
        }
    }

    fn judge_answer(&mut self, header: &Header, sealed: &[u8], now: Instant) -> Verdict {
        let Some(association) = &mut self.known.association else {
            return Verdict::OldEpoch;
        };
        if self.news.message.is_some() {
            // The shell has not fetched the message before this one; the base will repeat it.
            return Verdict::Foreign;
        }
        let content = match association.open(header, sealed) {
            Opened::Fresh(content) => content,
            Opened::Replayed => return Verdict::Replayed,
            Opened::Forged => return Verdict::Forged,
        };
        let Some(absorbed) = self.conversation.absorb(&content) else {
            return Verdict::Unknown;
        };
        self.known.confirmed = true;
        self.known.unanswered = 0;
        self.news.contact = true;
        self.absorbed(absorbed, now);
        Verdict::Accepted
    }

    fn absorbed(&mut self, absorbed: Absorbed, now: Instant) {
        if absorbed.urgent_taken {
            self.outgoing = Outgoing::Nothing;
            self.news.answered = true;
        }
        let unanswered = !self.is_ready();
        let mut granted = None;
        let mut goes_on = absorbed.more || unanswered;
        match absorbed.brought {
            Brought::Message(_, bytes) => self.deliver(&bytes),
            Brought::Fragment => goes_on = true,
            Brought::Slot(grant) => granted = self.access.granted(grant, now),
            Brought::Nothing | Brought::Repeated | Brought::Remark(_) => {}
        }
        self.answered_at(now, goes_on);
        if let Some(speak_at) = granted {
            self.check_ins.granted(speak_at, &self.access);
        }
    }

    fn deliver(&mut self, bytes: &[u8]) {
        self.conversation.settle();
        let Some(message) = Down::decode(bytes) else {
            self.tally.count(Verdict::Unknown);
            return;
        };
        if let Down::Welcome(welcome) = &message {
            self.bind(Some(Binding {
                session: welcome.session,
                epoch: welcome.epoch,
            }));
        }
        self.news.message = Some(message);
    }

    fn judge_stranger(&mut self, header: &Header, sealed: &[u8], now: Instant) -> Verdict {
        let &Header::Stranger {
            version_min,
            check,
            base,
            floor,
            slot,
            ..
        } = header
        else {
            return Verdict::Foreign;
        };
        if check != self.identity.keys.check() {
            self.news.another_club = true;
            return Verdict::OtherClub;
        }
        let Some(tag) = self.known.last_tag else {
            return Verdict::Replayed;
        };
        let nonce = Nonce::stranger(header, tag, base);
        if open(self.identity.keys.stranger(), &nonce, header, sealed).is_none() {
            return Verdict::Forged;
        }
        self.known.unanswered = 0;
        if version_min > WIRE_VERSION {
            self.news.version_too_old = Some(version_min);
            return Verdict::Unknown;
        }
        self.met(base, floor);
        self.access.resume_in(slot, now, &mut self.jitter);
        self.state = State::Listening;
        self.off_by = self.off_by.max(now + GO_ON_CONTACT);
        Verdict::Accepted
    }

    /// The base has said who it is and which associations it has seen.
    fn met(&mut self, base: BaseNonce, floor: AssociationNumber) {
        let known = &mut self.known;
        if known.base != Some(base) {
            known.base = Some(base);
            known.restart_stream();
            self.conversation.reset();
        } else if !known.confirmed
            || known
                .association
                .as_ref()
                .is_some_and(|association| association.number() <= floor)
        {
            // The base knew this association, and yet we had to ask; or it could not open what
            // we said under it, because we called so often from a dead spot that the counter in
            // the frame no longer tells it where we are: new keys, new counters.
            known.renew();
        }
        known.next = known.next.max(floor.next());
    }
}

fn push_introduction(content: &mut Plaintext, stream: u8, binding: Option<Binding>) -> Option<()> {
    content
        .extend_from_slice(&[stream, u8::from(binding.is_some())])
        .ok()?;
    if let Some(Binding { session, epoch }) = binding {
        content
            .extend_from_slice(&session.get().to_le_bytes())
            .ok()?;
        content.extend_from_slice(&epoch.get().to_le_bytes()).ok()?;
    }
    Some(())
}
