//! The keys and counters of one association between a pad and the base.

use crate::frame::{
    AssociationNumber, BaseNonce, Direction, FrameBytes, Header, NetworkId, Nonce, PadKeys,
    SessionKeys, Tag, Version, open, seal,
};
use crate::words::PadId;

/// One end of an association.
#[derive(Clone)]
pub(super) struct Association {
    pad: PadId,
    #[cfg(feature = "hub")]
    wire: Version,
    number: AssociationNumber,
    keys: SessionKeys,
    /// Which direction this end sends in.
    sends: Direction,
    /// The counter of the frame sent last.
    sent: u32,
    /// The highest counter taken.
    heard: u32,
}

/// What a sealed frame turned out to be.
pub(super) enum Opened {
    /// New, and from the other end.
    Fresh(crate::frame::Plaintext),
    /// From the other end, but not new.
    Replayed,
    /// Not from the other end.
    Forged,
}

impl Association {
    pub(super) fn new(
        pad: PadId,
        keys: &PadKeys,
        (base, network): (BaseNonce, NetworkId),
        (wire, number): (Version, AssociationNumber),
        sends: Direction,
    ) -> Self {
        Self {
            pad,
            #[cfg(feature = "hub")]
            wire,
            number,
            keys: keys.session(wire, base, network, number),
            sends,
            sent: 0,
            heard: 0,
        }
    }

    pub(super) const fn number(&self) -> AssociationNumber {
        self.number
    }

    #[cfg(feature = "hub")]
    pub(super) const fn wire(&self) -> Version {
        self.wire
    }

    /// Seals the next frame under the header made for its counter, of which the header takes as
    /// many low bits as it has room for.
    pub(super) fn seal(
        &mut self,
        header: impl FnOnce(u32) -> Header,
        content: &[u8],
    ) -> Option<(FrameBytes, Tag)> {
        self.sent = self.sent.checked_add(1)?;
        let header = header(self.sent);
        let nonce = Nonce::data(&header, self.pad, self.number, self.sent);
        let key = match self.sends {
            Direction::Up => &self.keys.up,
            Direction::Down => &self.keys.down,
        };
        seal(key, &nonce, &header, content)
    }

    /// The counter that is so far ahead of the highest one taken. Both ends agree as long as fewer
    /// than half of what the header can count are lost in a row; after that the pad says hello.
    fn nearest(&self, ahead: i32) -> u32 {
        self.heard.saturating_add_signed(ahead)
    }

    /// Opens a frame of the other end, and takes its counter if it is new.
    pub(super) fn open(&mut self, header: &Header, sealed: &[u8]) -> Opened {
        let counter = match *header {
            Header::Call { counter, .. } => {
                let ahead = counter.wrapping_sub(low_half(self.heard)).cast_signed();
                self.nearest(ahead.into())
            }
            Header::Open { counter, .. } | Header::Answer { counter, .. } => {
                let ahead = counter.wrapping_sub(low_byte(self.heard)).cast_signed();
                self.nearest(ahead.into())
            }
            Header::Hello { .. } | Header::Stranger { .. } => return Opened::Forged,
        };
        let nonce = Nonce::data(header, self.pad, self.number, counter);
        let key = match self.sends {
            Direction::Up => &self.keys.down,
            Direction::Down => &self.keys.up,
        };
        match open(key, &nonce, header, sealed) {
            None => Opened::Forged,
            Some(_) if counter <= self.heard => Opened::Replayed,
            Some(content) => {
                self.heard = counter;
                Opened::Fresh(content)
            }
        }
    }
}

#[cfg(feature = "hub")]
impl Association {
    /// How many frames the other end had sealed when it made the last one that was taken.
    pub(super) const fn heard(&self) -> u32 {
        self.heard
    }

    /// Whether the other end sealed this frame, be it new or not.
    pub(super) fn is_ours(&mut self, header: &Header, sealed: &[u8]) -> bool {
        !matches!(self.open(header, sealed), Opened::Forged)
    }
}

/// The low bits of a counter as they go on the air in calls.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the low half is what is wanted"
)]
pub(super) const fn low_half(counter: u32) -> u16 {
    counter as u16
}

/// The low bits of a counter as they go on the air in all other frames.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the low byte is what is wanted"
)]
pub(super) const fn low_byte(counter: u32) -> u8 {
    counter as u8
}

/// Secrets stay out of logs.
impl core::fmt::Debug for Association {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Association")
            .field("pad", &self.pad)
            .field("number", &self.number)
            .field("sent", &self.sent)
            .field("heard", &self.heard)
            .finish_non_exhaustive()
    }
}
