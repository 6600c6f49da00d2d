//! What the hub keeps for one pad.

use alloc::collections::VecDeque;

use super::{PadStatus, Port, Quality};
use crate::frame::{AssociationNumber, FrameBytes, Header, NetworkId, Phase, Plaintext};
use crate::link::Binding;
use crate::link::association::{Association, low_byte};
use crate::link::conversation::{Aside, Brought, Conversation, SlotGrant};
use crate::link::cycle::Place;
use crate::message::{Clock, Down, RefusalReason, Up};
use crate::time::Instant;
use crate::wire::{Lane, Message, number_of_entry};
use crate::words::{Epoch, PadId, SessionId};

/// Messages that wait for one pad. A whole evening's history of a table is far less; beyond this
/// the oldest long message goes, and the pad can ask for it again.
const MAIL_MAX: usize = 512;

/// Under which of the club's keys a pad speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeldKey {
    Present,
    /// The one before; it is to be told the present one.
    Old,
    /// The one before; it was told the present one in this association.
    OldAndTold,
}

/// One pad as the hub knows it.
#[derive(Debug)]
pub(super) struct Peer {
    pub(super) pad: PadId,
    pub(super) association: Option<Association>,
    /// The one before, only to tell an old frame from a forged one.
    pub(super) previous: Option<Association>,
    pub(super) key: HeldKey,
    /// Names the conversation; the pad changes it when it has lost its memory.
    stream: Option<u8>,
    conversation: Conversation,
    pub(super) binding: Option<Binding>,
    /// What the session last welcomed the pad to.
    welcomed: Option<Binding>,
    /// The session has told the pad that it is replaced.
    replaced: bool,
    urgent: VecDeque<Down>,
    /// Each with the moment it was left.
    bulk: VecDeque<(Down, Instant)>,
    /// The gate as it is.
    gate: Option<bool>,
    /// The gate is what goes ahead of downloads just now.
    telling_gate: bool,
    /// The clock that goes with the downloads just now, and when it was that.
    telling_clock: Option<(Clock, Instant)>,
    /// Messages that were too long for the air, not yet counted.
    pub(super) unsendable: u32,
    /// The slot for its check-ins.
    pub(super) place: Option<Place>,
    /// The pad must be told.
    pub(super) place_is_news: bool,
    pub(super) port: Port,
    pub(super) heard: Instant,
    pub(super) quality: Quality,
    /// The association and counter of the frame that was taken last.
    counted: (AssociationNumber, u32),
}

/// What a frame of this pad means to the hub.
pub(super) enum Heard {
    /// Hand this over and wait for the answer.
    Call(Up),
    /// Answer now.
    Reply,
    /// Answer now; there was a message of a later version.
    Unknown,
    /// It makes no sense.
    Nonsense,
}

impl Peer {
    pub(super) fn new(pad: PadId) -> Self {
        Self {
            pad,
            association: None,
            previous: None,
            key: HeldKey::Present,
            stream: None,
            conversation: Conversation::default(),
            binding: None,
            welcomed: None,
            replaced: false,
            urgent: VecDeque::new(),
            bulk: VecDeque::new(),
            gate: None,
            telling_gate: false,
            telling_clock: None,
            unsendable: 0,
            place: None,
            place_is_news: false,
            port: Port(0),
            heard: Instant::ZERO,
            quality: Quality::default(),
            counted: (AssociationNumber(0), 0),
        }
    }

    pub(super) fn status(&self) -> PadStatus {
        PadStatus {
            pad: self.pad,
            binding: self.binding,
            port: self.port,
            heard: self.heard,
            waiting: self.urgent.len() + self.bulk.len(),
            quality: self.quality,
        }
    }

    pub(super) fn adopt(&mut self, association: Association, key: HeldKey) {
        self.key = key;
        self.previous = self.association.replace(association);
    }

    /// Counts a frame that was taken, and those before it that did not come: a pad numbers all
    /// that it sends.
    pub(super) fn count(&mut self) {
        let Some(association) = &self.association else {
            return;
        };
        let (number, counter) = (association.number(), association.heard());
        let before = match self.counted {
            (last, counter) if last == number => counter,
            _ => 0,
        };
        self.counted = (number, counter);
        let quality = &mut self.quality;
        quality.heard = quality.heard.saturating_add(1);
        let missed = counter.saturating_sub(before).saturating_sub(1);
        quality.missed = quality.missed.saturating_add(missed);
    }

    /// Reads what goes before the content while keys are new; gives the content.
    pub(super) fn introduce<'a>(&mut self, content: &'a [u8]) -> Option<&'a [u8]> {
        let (&stream, rest) = content.split_first()?;
        let (binding, rest) = match rest.split_first()? {
            (0, rest) => (None, rest),
            (1, rest) => {
                let (session, rest) = rest.split_first_chunk()?;
                let (epoch, rest) = rest.split_first_chunk()?;
                let binding = Binding {
                    session: SessionId::new(u32::from_le_bytes(*session))?,
                    epoch: Epoch::new(u16::from_le_bytes(*epoch))?,
                };
                (Some(binding), rest)
            }
            _ => return None,
        };
        if self.stream != Some(stream) {
            self.stream = Some(stream);
            self.conversation.reset();
        }
        self.binding = binding;
        Some(rest)
    }

    /// Takes the content of a frame. An entry that can't be read is refused by its number.
    pub(super) fn hear(&mut self, content: &[u8], now: Instant) -> Heard {
        let Some(absorbed) = self.conversation.absorb(content) else {
            return Heard::Nonsense;
        };
        let bytes = match absorbed.brought {
            Brought::Message(_, bytes) | Brought::Remark(bytes) => bytes,
            Brought::Repeated => {
                self.quality.repeated = self.quality.repeated.saturating_add(1);
                return Heard::Reply;
            }
            Brought::Nothing | Brought::Fragment | Brought::Slot(_) => return Heard::Reply,
        };
        if let Some(message) = Up::decode(&bytes) {
            Heard::Call(message)
        } else {
            self.conversation.settle();
            if let Some(number) = number_of_entry(&bytes) {
                let refused = Down::Refused {
                    number: Some(number),
                    reason: RefusalReason::Impossible,
                };
                self.post(refused, now);
            }
            Heard::Unknown
        }
    }

    /// Whether another pad has its table, as far as is known here.
    pub(super) const fn is_replaced(&self) -> bool {
        self.replaced
    }

    /// Whether what the pad says belongs to an epoch that is over.
    pub(super) fn is_old(&self, message: &Up) -> bool {
        let claims = matches!(message, Up::LogOn(_) | Up::Replace(_) | Up::Recover(_));
        let other = self.welcomed.is_some() && self.binding != self.welcomed;
        !claims && (self.replaced || other)
    }

    pub(super) fn post(&mut self, message: Down, now: Instant) {
        match &message {
            Down::Welcome(welcome) => {
                self.replaced = false;
                let other_session = |last: Binding| last.session != welcome.session;
                if self.welcomed.is_some_and(other_session) {
                    // Nobody wants to hear last week's schedule; what counts now comes behind this.
                    self.clear();
                }
                self.welcomed = Some(Binding {
                    session: welcome.session,
                    epoch: welcome.epoch,
                });
            }
            Down::Replaced => self.replaced = true,
            Down::Gate { open } => {
                self.gate = Some(*open);
                self.urgent.retain(|it| !matches!(it, Down::Gate { .. }));
            }
            Down::Clock(_) => self.bulk.retain(|(it, _)| !matches!(it, Down::Clock(_))),
            Down::Settings(_) => self.bulk.retain(|(it, _)| !matches!(it, Down::Settings(_))),
            _ => {}
        }
        if self.urgent.len() + self.bulk.len() >= MAIL_MAX {
            self.bulk.pop_front();
        }
        match message.lane() {
            Lane::Urgent => self.urgent.push_back(message),
            Lane::Bulk => self.bulk.push_back((message, now)),
        }
    }

    pub(super) fn answered(&mut self) {
        self.conversation.settle();
    }

    /// Whether the pad's last word must be dealt with before it gets a reply.
    pub(super) fn is_unsettled(&self) -> bool {
        self.conversation.is_unsettled()
    }

    pub(super) fn clear(&mut self) {
        self.urgent.clear();
        self.bulk.clear();
    }

    /// The next frame for the pad.
    pub(super) fn compose(
        &mut self,
        network: NetworkId,
        phase: Phase,
        grant: Option<SlotGrant>,
        now: Instant,
    ) -> Option<FrameBytes> {
        self.fill_urgent();
        self.fill_bulk();
        self.bring_up_to_date(now);
        let more = !self.urgent.is_empty() || !self.bulk.is_empty();
        let mut content = Plaintext::new();
        let aside = grant.map_or(Aside::Nothing, Aside::Slot);
        self.conversation.compose(more, aside, &mut content)?;
        let address = self.pad.into();
        let wire = self.association.as_ref()?.wire();
        let header = |counter| Header::Answer {
            wire,
            address,
            network,
            counter: low_byte(counter),
            phase,
        };
        let (frame, _) = self.association.as_mut()?.seal(header, &content)?;
        Some(frame)
    }

    fn fill_urgent(&mut self) {
        while self.conversation.is_free(Lane::Urgent) {
            let Some(message) = self.urgent.pop_front() else {
                return;
            };
            self.telling_gate = matches!(message, Down::Gate { .. });
            self.say(&message);
        }
    }

    fn fill_bulk(&mut self) {
        while self.conversation.is_free(Lane::Bulk) {
            let Some((message, left)) = self.bulk.pop_front() else {
                return;
            };
            self.telling_clock = match message {
                Down::Clock(clock) => Some((clock, left)),
                _ => None,
            };
            self.say(&message);
        }
    }

    /// A message that is too long for its lane never goes; that it was there is counted.
    fn say(&mut self, message: &Down) {
        let said = message
            .encode()
            .is_some_and(|bytes| self.conversation.say(message.lane(), &bytes));
        if !said {
            self.unsendable = self.unsendable.saturating_add(1);
        }
    }

    /// What is under way may have waited for its pad for minutes. A pad that has heard it already
    /// takes it for a repetition; its last word waits behind it all the same.
    fn bring_up_to_date(&mut self, now: Instant) {
        let gate = self.gate.filter(|_| self.telling_gate);
        let gate = gate.map(|open| Down::Gate { open });
        let clock = self.telling_clock;
        let clock = clock.map(|(clock, left)| Down::Clock(clock.after(now.since(left))));
        for message in [gate, clock].into_iter().flatten() {
            if let Some(bytes) = message.encode() {
                self.conversation.reword(message.lane(), &bytes);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::EntryNumber;

    /// A control byte that says: an urgent unit follows, the first one.
    const FIRST_UNIT: u8 = 0x10;

    #[test]
    fn an_entry_that_cannot_be_understood_is_refused_with_its_number() {
        // A result of a kind that does not exist (6), a board that does not, a lead too many.
        let bad: [&[u8]; 3] = [
            &[FIRST_UNIT, 0x80, 7, 1, 1, 1, 5, 6],
            &[FIRST_UNIT, 0x81, 7, 1, 1, 1, 0, 2],
            &[FIRST_UNIT, 0x80, 7, 1, 1, 1, 5, 0xE1, 0x42, 0x4B, 0],
        ];
        for content in bad {
            let mut peer = Peer::new(PadId::MIN);
            let heard = peer.hear(content, Instant::ZERO);
            assert!(matches!(heard, Heard::Unknown), "{content:?}");
            assert!(!peer.is_unsettled(), "it is taken, and not said again");
            let refused = Down::Refused {
                number: Some(EntryNumber(0x107)),
                reason: RefusalReason::Impossible,
            };
            assert_eq!(peer.urgent.pop_front(), Some(refused), "{content:?}");
        }
    }

    #[test]
    fn what_is_no_entry_and_cannot_be_understood_is_only_taken() {
        let mut peer = Peer::new(PadId::MIN);
        let heard = peer.hear(&[FIRST_UNIT, 0x7F, 7, 1], Instant::ZERO);
        assert!(matches!(heard, Heard::Unknown));
        assert!(!peer.is_unsettled() && peer.urgent.is_empty());
    }
}
