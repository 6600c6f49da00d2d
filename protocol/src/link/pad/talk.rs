//! What a pad says to the base and hears from it, frame by frame.

use super::{GO_ON_CONTACT, Outgoing, PadIdentity, PadLink, State};
use crate::frame::{
    Address, AssociationNumber, BaseNonce, Collected, Direction, FrameBytes, Header, Nonce, Phase,
    Plaintext, Tag, Version, open, seal,
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

/// So many frames without an answer, and every other one asks who is there: it may be a base that
/// does not expect us. One that was started again and finds us in its journal says so by itself,
/// and in a full hall frames are lost for other reasons.
const CALLS_BEFORE_HELLO: u32 = 24;

/// So many frames that the base may have missed, and the counter in the next ones may no longer
/// tell it where we are: new keys, new counters. The open frame's low byte tells half of 256.
const UNHEARD_MAX: u32 = 100;

/// What a pad knows of the base, and the base of it.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a question of its own; no two exclude each other"
)]
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
    /// All numbers are used; not told yet.
    end_is_news: bool,
    /// They come to their end, and that has been told.
    near_end_told: bool,
    /// The number from which this start reserved: no two starts have the same.
    start: AssociationNumber,
    /// Hellos since the start.
    hellos: u32,
    /// The tag of our last frame, until it is answered: whoever says that he does not know us must
    /// answer it.
    last_tag: Option<Tag>,
    /// The next frame asks who is there.
    pub(super) asks_next: bool,
    /// Frames since the base was last heard.
    pub(super) unanswered: u32,
    /// Frames since the base last took one under our keys.
    untaken: u32,
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
            end_is_news: reserved >= AssociationNumber::END,
            near_end_told: false,
            start: reserved,
            hellos: 0,
            last_tag: None,
            asks_next: false,
            unanswered: 0,
            untaken: 0,
        }
    }

    pub(super) fn reserved(&mut self, number: AssociationNumber) {
        self.reserved_below = self.reserved_below.max(number);
        self.reserve_asked = false;
    }

    /// A number to write to flash, asked for once.
    pub(super) fn poll_reserve(&mut self) -> Option<AssociationNumber> {
        let used_up = self.next >= AssociationNumber::END;
        if self.next < self.reserved_below || self.reserve_asked || used_up {
            return None;
        }
        self.reserve_asked = true;
        Some(AssociationNumber(
            self.next.0.saturating_add(RESERVED_AT_A_TIME),
        ))
    }

    /// Whether the numbers have come to their end, told once.
    pub(super) fn poll_end(&mut self) -> bool {
        core::mem::take(&mut self.end_is_news)
    }

    /// Whether the numbers come to their end, told once.
    pub(super) fn poll_near_end(&mut self) -> bool {
        let is_near = (AssociationNumber::NEAR_END..AssociationNumber::END).contains(&self.next);
        is_near && !core::mem::replace(&mut self.near_end_told, true)
    }

    /// Whether the next frame can be made, or waits for flash. Even a hello does: its salt differs
    /// from that of every other start because the numbers reserved do.
    pub(super) fn can_speak(&self) -> bool {
        self.association.is_some() || self.next < self.reserved_below
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
        let known = &mut self.known;
        let unanswered = known.unanswered;
        let asks = core::mem::take(&mut known.asks_next)
            || (unanswered >= CALLS_BEFORE_HELLO && unanswered.is_multiple_of(2));
        let frame = match known.base {
            Some(base) if !asks => self.compose_data(base)?,
            _ => self.compose_hello()?,
        };
        self.known.unanswered = unanswered.saturating_add(1);
        Some(frame)
    }

    fn compose_hello(&mut self) -> Option<FrameBytes> {
        let known = &mut self.known;
        known.hellos = known.hellos.wrapping_add(1);
        let salt = self.identity.keys.salt([
            &known.start.0.to_le_bytes(),
            &known.hellos.to_le_bytes(),
            &self.jitter.next().to_le_bytes(),
        ]);
        let header = Header::Hello {
            network: self.identity.network,
            version: WIRE_VERSION,
            check: self.identity.keys.check(),
            pad: self.identity.pad,
            salt,
        };
        let nonce = Nonce::hello(&header, self.identity.pad, salt);
        let (frame, tag) = seal(&self.identity.keys.hello(), &nonce, &header, &[])?;
        self.known.last_tag = Some(tag);
        Some(frame)
    }

    fn compose_data(&mut self, base: BaseNonce) -> Option<FrameBytes> {
        let identity = &self.identity;
        let known = &mut self.known;
        known.untaken = known.untaken.saturating_add(1);
        if known.association.is_none() {
            if known.next >= known.reserved_below {
                return None;
            }
            let number = known.next;
            known.next = number.next();
            known.end_is_news = known.next >= AssociationNumber::END;
            known.untaken = 0;
            known.stream.get_or_insert(low_byte(number.0));
            known.association = Some(Association::new(
                identity.pad,
                &identity.keys,
                (base, identity.network),
                (Version::Two, number),
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
        let sealed = association.seal(
            |counter| {
                if confirmed {
                    Header::Call {
                        wire: Version::Two,
                        address: identity.pad.into(),
                        network: identity.network,
                        counter: low_half(counter),
                    }
                } else {
                    Header::Open {
                        wire: Version::Two,
                        network: identity.network,
                        counter: low_byte(counter),
                        pad: identity.pad,
                        association: number,
                    }
                }
            },
            &content,
        );
        let (frame, tag) = sealed?;
        known.last_tag = Some(tag);
        Some(frame)
    }

    /// Something that may be a frame has been heard.
    pub(super) fn hear(&mut self, collected: &Collected, now: Instant) {
        let mut verdict = Verdict::Garbled;
        for body in collected.bodies() {
            let Some((header, sealed)) = Header::decode(&body) else {
                continue;
            };
            let ours = header.network() == self.identity.network;
            let phase = header.phase().filter(|_| ours);
            let found = self.judge(&header, sealed, collected.air_len(), now);
            if let Some(phase) = phase.filter(|_| found != Verdict::Accepted) {
                // Anybody can say so: it counts as long as nobody who proved himself says otherwise.
                let lost = self.failures > 0;
                self.access.hearsay(phase, collected.air_len(), now, lost);
            }
            if verdict == Verdict::Garbled || found == Verdict::Accepted {
                verdict = found;
            }
            if found == Verdict::Accepted {
                break;
            }
        }
        self.tally.count(verdict);
    }

    fn judge(&mut self, header: &Header, sealed: &[u8], air_len: usize, now: Instant) -> Verdict {
        if header.network() != self.identity.network {
            return Verdict::OtherNetwork;
        }
        if header.direction() == Direction::Up
            || header.address() != Address::from(self.identity.pad)
        {
            return Verdict::Foreign;
        }
        match *header {
            Header::Answer { phase, .. } => {
                self.judge_answer(header, sealed, (phase, air_len), now)
            }
            Header::Stranger { .. } => self.judge_stranger(header, sealed, air_len, now),
            Header::Call { .. } | Header::Open { .. } | Header::Hello { .. } => Verdict::Foreign,
        }
    }

    fn judge_answer(
        &mut self,
        header: &Header,
        sealed: &[u8],
        (phase, air_len): (Phase, usize),
        now: Instant,
    ) -> Verdict {
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
        self.access.learn(phase, air_len, now);
        self.known.confirmed = true;
        self.known.unanswered = 0;
        self.known.untaken = 0;
        self.known.asks_next = false;
        self.known.last_tag = None;
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

    fn judge_stranger(
        &mut self,
        header: &Header,
        sealed: &[u8],
        air_len: usize,
        now: Instant,
    ) -> Verdict {
        let &Header::Stranger {
            wire,
            version_min,
            check,
            base,
            floor,
            slot,
            phase,
            ..
        } = header
        else {
            return Verdict::Foreign;
        };
        if check != self.identity.keys.check() {
            self.news.another_club = true;
            return Verdict::OtherClub;
        }
        if wire == Version::One {
            // Every pad of the club could have made it: nobody brings us down to version 1.
            return Verdict::Forged;
        }
        let Some(tag) = self.known.last_tag else {
            return Verdict::Replayed;
        };
        let PadIdentity { pad, network, keys } = &self.identity;
        let key = keys.stranger(base, *network, tag);
        let nonce = Nonce::stranger(header, *pad, floor, (slot, phase, version_min));
        if open(&key, &nonce, header, sealed).is_none() {
            return Verdict::Forged;
        }
        self.known.last_tag = None;
        self.known.unanswered = 0;
        self.access.learn(phase, air_len, now);
        if version_min > WIRE_VERSION {
            self.news.version_too_old = Some(version_min);
            return Verdict::Unknown;
        }
        self.met(base, floor);
        // It is an answer: the base is there and hears us. Should the call behind it be lost, the
        // next contact comes soon and calls, instead of asking who is there and losing that, too.
        self.failures = 0;
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
        } else if let Some(association) = &known.association {
            // It is the base that we know. Either it knows our keys, or it has not heard yet that
            // they are new; otherwise they are of no use, nor where it may have lost count.
            let number = association.number();
            let known_there = floor == number || (!known.confirmed && floor < number);
            if !known_there || known.untaken > UNHEARD_MAX {
                known.renew();
            }
        }
        known.next = known.next.max(floor.next());
        known.end_is_news |= known.next >= AssociationNumber::END;
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
