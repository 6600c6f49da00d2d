//! One conversation between a pad and the base, the same at both ends: what is said arrives once
//! and in order.
//!
//! Each direction has two lanes, and each lane has one unit (a message or a fragment) under way:
//! a bit tells it from the one before, and every frame of the other direction says which bit was
//! taken last. That is enough, because a frame counts only if its counter is higher than that of
//! every frame taken before, so nothing old can come late.

use super::fit::{MEASURED_LEN, TOLD_LEN};
use crate::frame::{Direction, Plaintext};
use crate::message::MESSAGE_LEN_MAX;
use crate::wire::{Lane, MessageBytes, URGENT_LEN_MAX};

/// Bytes of a long message in one frame.
pub(super) const FRAGMENT_LEN_MAX: usize = 64;

// The bits of the control byte.
const TAKEN_URGENT: u8 = 0x80;
const TAKEN_BULK: u8 = 0x40;
const MORE: u8 = 0x20;
const UNIT: u8 = 0x10;
const BULK: u8 = 0x08;
const SEQUENCE: u8 = 0x04;
const FIRST: u8 = 0x02;
const LAST: u8 = 0x01;

// The last two mean something else in a frame without a part of a long message. Older ends do not
// look at them there.
/// Up: the pad understands fits. Down: a fit follows.
const FITS: u8 = 0x02;
/// Up: what the pad has measured follows. Down: the base takes that.
const MEASURES: u8 = 0x01;

/// One end of a conversation.
#[derive(Debug, Default)]
pub(super) struct Conversation {
    urgent: Outgoing<URGENT_LEN_MAX>,
    bulk: Outgoing<MESSAGE_LEN_MAX>,
    urgent_in: Incoming,
    bulk_in: Incoming,
    /// Fragments of the long message that is coming in.
    gathered: MessageBytes,
}

/// What a frame brought.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Brought {
    /// Acknowledgements at most.
    Nothing,
    /// A fragment of something long.
    Fragment,
    /// A whole message. An urgent one counts as taken when [`Conversation::settle`] is called.
    Message(Lane, MessageBytes),
    /// A message outside the lanes, which nobody repeats: a check-in.
    Remark(MessageBytes),
    /// The base tells the pad which slot to check in.
    Slot(SlotGrant),
    /// What the other end has said before.
    Repeated,
}

/// The slot for a pad's check-ins: so many cycles after this one, and then every period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SlotGrant {
    pub(super) cycles: u16,
    pub(super) slot: u8,
}

/// What goes into a frame that carries no part of a message.
#[derive(Clone, Copy, Debug)]
pub(super) enum Aside<'a> {
    Nothing,
    /// A pad's check-in.
    Remark(&'a [u8]),
    /// The base's answer to one that came in the wrong slot.
    #[cfg(feature = "hub")]
    Slot(SlotGrant),
}

/// What goes into a frame about the radio itself.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Radio<'a> {
    /// [`FITS`].
    pub(super) fits: bool,
    /// [`MEASURES`].
    pub(super) measures: bool,
    /// What follows the control byte.
    pub(super) bytes: &'a [u8],
}

/// The control byte of a frame, the bytes about the radio, and the rest. `None` if it is too short
/// for what it says.
pub(super) fn split(content: &[u8], direction: Direction) -> Option<Parts<'_>> {
    let (&control, rest) = content.split_first()?;
    let long = control & (UNIT | BULK) == UNIT | BULK;
    let fits = !long && control & FITS != 0;
    let measures = !long && control & MEASURES != 0;
    let length = match direction {
        Direction::Down if fits => TOLD_LEN,
        Direction::Up if measures => MEASURED_LEN,
        Direction::Down | Direction::Up => 0,
    };
    let (radio, rest) = rest.split_at_checked(length)?;
    Some(Parts {
        control,
        fits,
        measures,
        radio,
        rest,
    })
}

/// The parts of a frame's content.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts<'a> {
    control: u8,
    pub(super) fits: bool,
    pub(super) measures: bool,
    pub(super) radio: &'a [u8],
    rest: &'a [u8],
}

impl Parts<'_> {
    /// Whether the frame would say of a fit that there is one.
    pub(super) const fn says_of_radio(&self) -> bool {
        self.control & (UNIT | BULK) != UNIT | BULK
    }
}

/// What a frame said besides.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Absorbed {
    pub(super) brought: Brought,
    /// The other end has more to say.
    pub(super) more: bool,
    /// Our urgent message has been taken.
    pub(super) urgent_taken: bool,
}

impl Conversation {
    /// Whether this lane can take a message.
    #[cfg(feature = "hub")]
    pub(super) fn is_free(&self, lane: Lane) -> bool {
        match lane {
            Lane::Urgent => self.urgent.is_free(),
            Lane::Bulk => self.bulk.is_free(),
        }
    }

    /// Puts a message under way; false if the lane is not free or the message is too long for it.
    pub(super) fn say(&mut self, lane: Lane, message: &[u8]) -> bool {
        match lane {
            Lane::Urgent => self.urgent.load(message),
            Lane::Bulk => self.bulk.load(message),
        }
    }

    /// Says in other words what is under way, where it fits one frame and has not been taken.
    #[cfg(feature = "hub")]
    pub(super) fn reword(&mut self, lane: Lane, message: &[u8]) {
        match lane {
            Lane::Urgent => self.urgent.reword(message),
            Lane::Bulk => self.bulk.reword(message),
        }
    }

    /// Takes back what is under way in the urgent lane. If the other end may have heard it, both
    /// ends must [`reset`](Self::reset) before the next message, or that would count as heard too.
    pub(super) fn unsay_urgent(&mut self) {
        self.urgent.message.clear();
    }

    /// The urgent message that came last has been dealt with.
    pub(super) fn settle(&mut self) {
        if let Some(sequence) = self.urgent_in.unsettled.take() {
            self.urgent_in.taken = sequence;
        }
    }

    /// Whether an urgent message has come that is not settled.
    #[cfg(feature = "hub")]
    pub(super) fn is_unsettled(&self) -> bool {
        self.urgent_in.unsettled.is_some()
    }

    /// Begins anew, because one of the ends has lost its memory. What is under way goes again
    /// from its beginning.
    pub(super) fn reset(&mut self) {
        self.urgent.restart();
        self.bulk.restart();
        self.urgent_in = Incoming::default();
        self.bulk_in = Incoming::default();
        self.gathered.clear();
    }

    /// The content of the next frame. `more` says that messages wait behind those under way.
    pub(super) fn compose(
        &self,
        more: bool,
        aside: Aside,
        radio: Radio,
        out: &mut Plaintext,
    ) -> Option<()> {
        let mut control = 0;
        if self.urgent_in.taken {
            control |= TAKEN_URGENT;
        }
        if self.bulk_in.taken {
            control |= TAKEN_BULK;
        }
        let (fragment, sequence) = if self.urgent.is_free() {
            (self.bulk.fragment(), self.bulk.sequence)
        } else {
            (self.urgent.fragment(), self.urgent.sequence)
        };
        if !fragment.is_empty() {
            control |= UNIT;
            if sequence {
                control |= SEQUENCE;
            }
            if self.urgent.is_free() {
                control |= BULK;
                if self.bulk.offset == 0 {
                    control |= FIRST;
                }
                if self.bulk.offset + fragment.len() == self.bulk.message.len() {
                    control |= LAST;
                }
            }
        }
        let rest_waits = !self.bulk.is_free() && (control & BULK == 0 || control & LAST == 0);
        if more || rest_waits {
            control |= MORE;
        }
        let long = control & BULK != 0;
        let radio = if long { Radio::default() } else { radio };
        if radio.fits {
            control |= FITS;
        }
        if radio.measures {
            control |= MEASURES;
        }
        #[cfg(feature = "hub")]
        if let (true, Aside::Slot(_)) = (fragment.is_empty(), aside) {
            control |= BULK;
        }
        out.push(control).ok()?;
        out.extend_from_slice(radio.bytes).ok()?;
        if !fragment.is_empty() {
            return out.extend_from_slice(fragment).ok();
        }
        match aside {
            Aside::Nothing => Some(()),
            Aside::Remark(remark) => out.extend_from_slice(remark).ok(),
            #[cfg(feature = "hub")]
            Aside::Slot(SlotGrant { cycles, slot }) => {
                let [low, high] = cycles.to_le_bytes();
                out.extend_from_slice(&[low, high, slot]).ok()
            }
        }
    }

    /// Takes the content of a frame; `None` if it makes no sense.
    pub(super) fn absorb(&mut self, parts: Parts) -> Option<Absorbed> {
        let Parts {
            control,
            rest: unit,
            ..
        } = parts;
        let urgent_taken = self.urgent.taken(control & TAKEN_URGENT != 0);
        self.bulk.taken(control & TAKEN_BULK != 0);
        let sequence = control & SEQUENCE != 0;
        let brought = match (control & UNIT != 0, control & BULK != 0) {
            (false, true) => match *unit {
                [low, high, slot] => Brought::Slot(SlotGrant {
                    cycles: u16::from_le_bytes([low, high]),
                    slot,
                }),
                _ => return None,
            },
            (false, false) if unit.is_empty() => Brought::Nothing,
            (false, false) => Brought::Remark(MessageBytes::from_slice(unit).ok()?),
            (true, false) => self.urgent_unit(sequence, unit)?,
            (true, true) => self.bulk_unit(sequence, control, unit),
        };
        Some(Absorbed {
            brought,
            more: control & MORE != 0,
            urgent_taken,
        })
    }

    fn urgent_unit(&mut self, sequence: bool, unit: &[u8]) -> Option<Brought> {
        if self.urgent_in.taken == sequence || self.urgent_in.unsettled.is_some() {
            return Some(Brought::Repeated);
        }
        self.urgent_in.unsettled = Some(sequence);
        Some(Brought::Message(
            Lane::Urgent,
            MessageBytes::from_slice(unit).ok()?,
        ))
    }

    fn bulk_unit(&mut self, sequence: bool, control: u8, unit: &[u8]) -> Brought {
        if self.bulk_in.taken == sequence {
            return Brought::Repeated;
        }
        self.bulk_in.taken = sequence;
        if control & FIRST != 0 {
            self.gathered.clear();
        }
        if self.gathered.extend_from_slice(unit).is_err() {
            // No message is that long. It is dropped as a whole: its end will not decode.
            self.gathered.clear();
        }
        if control & LAST == 0 {
            return Brought::Fragment;
        }
        Brought::Message(Lane::Bulk, core::mem::take(&mut self.gathered))
    }
}

/// What one lane is saying.
#[derive(Debug, Default)]
struct Outgoing<const N: usize> {
    /// Empty if there is nothing.
    message: heapless::Vec<u8, N>,
    /// How much of it has been taken.
    offset: usize,
    /// The bit of the unit under way.
    sequence: bool,
}

impl<const N: usize> Outgoing<N> {
    fn is_free(&self) -> bool {
        self.message.is_empty()
    }

    fn load(&mut self, message: &[u8]) -> bool {
        self.is_free() && !message.is_empty() && {
            self.offset = 0;
            self.message.extend_from_slice(message).is_ok()
        }
    }

    #[cfg(feature = "hub")]
    fn reword(&mut self, message: &[u8]) {
        let whole = self.message.len().max(message.len()) <= FRAGMENT_LEN_MAX;
        if !self.is_free() && whole && self.offset == 0 {
            self.message.clear();
            let _ = self.message.extend_from_slice(message);
        }
    }

    fn fragment(&self) -> &[u8] {
        let rest = self.message.get(self.offset..).unwrap_or_default();
        rest.get(..FRAGMENT_LEN_MAX).unwrap_or(rest)
    }

    /// The other end says which bit it took last; true if that completes the message.
    fn taken(&mut self, bit: bool) -> bool {
        if self.is_free() || bit != self.sequence {
            return false;
        }
        self.offset += self.fragment().len();
        self.sequence = !self.sequence;
        let complete = self.offset >= self.message.len();
        if complete {
            self.message.clear();
        }
        complete
    }

    fn restart(&mut self) {
        self.offset = 0;
        self.sequence = false;
    }
}

/// What one lane has heard.
#[derive(Debug)]
struct Incoming {
    /// The bit of the unit taken last; the first unit of a conversation has the bit 0.
    taken: bool,
    /// A unit that was delivered and is not yet dealt with.
    unsettled: Option<bool>,
}

impl Default for Incoming {
    fn default() -> Self {
        Self {
            taken: true,
            unsettled: None,
        }
    }
}
