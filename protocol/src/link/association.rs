//! The keys and counters of one association between a pad and the base.

use crate::frame::{
    AssociationNumber, BaseNonce, Direction, FrameBytes, Header, NetworkId, Nonce, PadKeys,
    SessionKeys, Tag, open, seal,
};
use crate::words::PadId;

/// One end of an association.
#[derive(Clone)]
pub(super) struct Association {
    pad: PadId,
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
        base: BaseNonce,
        network: NetworkId,
        number: AssociationNumber,
        sends: Direction,
    ) -> Self {
        Self {
            pad,
            number,
            keys: keys.session(base, network, number),
            sends,
            sent: 0,
            heard: 0,
        }
    }

    pub(super) const fn number(&self) -> AssociationNumber {
        self.number
    }

    /// Seals the next frame under the header made for its counter.
    pub(super) fn seal(
        &mut self,
        header: impl FnOnce(u16) -> Header,
        content: &[u8],
    ) -> Option<(FrameBytes, Tag)> {
        self.sent = self.sent.checked_add(1)?;
        let header = header(low_half(self.sent));
        let nonce = Nonce::data(&header, self.pad, self.number, self.sent);
        let key = match self.sends {
            Direction::Up => &self.keys.up,
            Direction::Down => &self.keys.down,
        };
        seal(key, &nonce, &header, content)
    }

    /// Opens a frame of the other end, and takes its counter if it is new.
    pub(super) fn open(&mut self, header: &Header, counter: u16, sealed: &[u8]) -> Opened {
        let counter = nearest(self.heard, counter);
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
    /// Whether the other end sealed this frame, be it new or not.
    pub(super) fn is_ours(&mut self, header: &Header, counter: u16, sealed: &[u8]) -> bool {
        !matches!(self.open(header, counter, sealed), Opened::Forged)
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the low half is what goes on the air"
)]
const fn low_half(counter: u32) -> u16 {
    counter as u16
}

/// The counter with this low half that is nearest to the one that should come next: both ends
/// agree as long as fewer than 32,768 frames in a row are lost.
fn nearest(heard: u32, low: u16) -> u32 {
    let ahead = low.wrapping_sub(low_half(heard)).cast_signed();
    heard.saturating_add_signed(ahead.into())
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
