//! What the hub keeps for one pad.

use alloc::collections::VecDeque;

use super::{PadStatus, Port};
use crate::frame::{FrameBytes, Header, NetworkId, Phase, Plaintext};
use crate::link::Binding;
use crate::link::association::{Association, low_byte};
use crate::link::conversation::{Aside, Brought, Conversation, SlotGrant};
use crate::link::cycle::Place;
use crate::message::{Down, Up};
use crate::time::Instant;
use crate::wire::{Lane, Message};
use crate::words::{Epoch, PadId, SessionId};

/// Messages that wait for one pad. A whole evening's history of a table is far less; beyond this
/// the oldest long message goes, and the pad can ask for it again.
const MAIL_MAX: usize = 512;

/// One pad as the hub knows it.
#[derive(Debug)]
pub(super) struct Peer {
    pub(super) pad: PadId,
    pub(super) association: Option<Association>,
    /// The one before, only to tell an old frame from a forged one.
    pub(super) previous: Option<Association>,
    /// Names the conversation; the pad changes it when it has lost its memory.
    stream: Option<u8>,
    conversation: Conversation,
    pub(super) binding: Option<Binding>,
    /// What the session last welcomed the pad to.
    welcomed: Option<Binding>,
    /// The session has told the pad that it is replaced.
    replaced: bool,
    /// A call has been handed over and not answered.
    pub(super) awaiting: bool,
    urgent: VecDeque<Down>,
    bulk: VecDeque<Down>,
    /// The slot for its check-ins.
    pub(super) place: Option<Place>,
    /// The pad must be told.
    pub(super) place_is_news: bool,
    pub(super) port: Port,
    pub(super) heard: Instant,
    pub(super) frames: u32,
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
            stream: None,
            conversation: Conversation::default(),
            binding: None,
            welcomed: None,
            replaced: false,
            awaiting: false,
            urgent: VecDeque::new(),
            bulk: VecDeque::new(),
            place: None,
            place_is_news: false,
            port: Port(0),
            heard: Instant::ZERO,
            frames: 0,
        }
    }

    pub(super) fn status(&self) -> PadStatus {
        PadStatus {
            pad: self.pad,
            binding: self.binding,
            port: self.port,
            heard: self.heard,
            waiting: self.urgent.len() + self.bulk.len(),
            frames: self.frames,
        }
    }

    pub(super) fn adopt(&mut self, association: Association) {
        self.previous = self.association.replace(association);
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
            self.awaiting = false;
        }
        self.binding = binding;
        Some(rest)
    }

    /// Takes the content of a frame.
    pub(super) fn hear(&mut self, content: &[u8]) -> Heard {
        let Some(absorbed) = self.conversation.absorb(content) else {
            return Heard::Nonsense;
        };
        let bytes = match absorbed.brought {
            Brought::Message(_, bytes) | Brought::Remark(bytes) => bytes,
            Brought::Nothing | Brought::Fragment | Brought::Repeated | Brought::Slot(_) => {
                return Heard::Reply;
            }
        };
        if let Some(message) = Up::decode(&bytes) {
            self.awaiting = true;
            Heard::Call(message)
        } else {
            self.conversation.settle();
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

    pub(super) fn post(&mut self, message: Down) {
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
            _ => {}
        }
        if self.urgent.len() + self.bulk.len() >= MAIL_MAX {
            self.bulk.pop_front();
        }
        match message.lane() {
            Lane::Urgent => self.urgent.push_back(message),
            Lane::Bulk => self.bulk.push_back(message),
        }
    }

    pub(super) fn answered(&mut self) {
        self.conversation.settle();
        self.awaiting = false;
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
    ) -> Option<FrameBytes> {
        self.fill(Lane::Urgent);
        self.fill(Lane::Bulk);
        let more = !self.urgent.is_empty() || !self.bulk.is_empty();
        let mut content = Plaintext::new();
        let aside = grant.map_or(Aside::Nothing, Aside::Slot);
        self.conversation.compose(more, aside, &mut content)?;
        let address = self.pad.into();
        let header = |counter| Header::Answer {
            address,
            network,
            counter: low_byte(counter),
            phase,
        };
        let (frame, _) = self.association.as_mut()?.seal(header, &content)?;
        Some(frame)
    }

    fn fill(&mut self, lane: Lane) {
        let mail = match lane {
            Lane::Urgent => &mut self.urgent,
            Lane::Bulk => &mut self.bulk,
        };
        while self.conversation.is_free(lane) {
            let Some(message) = mail.pop_front() else {
                return;
            };
            // A message that is too long for the air cannot be helped; none is, by their types.
            if let Some(bytes) = message.encode() {
                self.conversation.say(lane, &bytes);
            }
        }
    }
}
