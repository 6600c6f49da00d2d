//! Finds frames in a stream of bytes that may be anything.

use heapless::Vec;

use super::FRAME_LEN_MAX;

/// A frame without delimiters and COBS: header, ciphertext, tag.
pub type Body = Vec<u8, FRAME_LEN_MAX>;

/// Cuts a stream of bytes at its delimiters.
#[derive(Clone, Debug, Default)]
pub struct Deframer {
    collected: Vec<u8, FRAME_LEN_MAX>,
    /// More than a frame can hold has come; what follows is no frame until the next delimiter.
    overflowed: bool,
}

/// What stood between two delimiters: perhaps a frame. Nothing, if it was too long for one.
#[derive(Clone, Debug)]
pub struct Collected(Vec<u8, FRAME_LEN_MAX>);

impl Deframer {
    /// Takes a byte; gives what stood before it if it is a delimiter. Of more than a frame can
    /// hold it gives nothing but the fact: somebody counts what is no frame.
    pub fn push(&mut self, byte: u8) -> Option<Collected> {
        if byte != 0 {
            self.overflowed |= self.collected.push(byte).is_err();
            return None;
        }
        let collected = core::mem::take(&mut self.collected);
        if core::mem::take(&mut self.overflowed) {
            return Some(Collected(Vec::new()));
        }
        (!collected.is_empty()).then_some(Collected(collected))
    }

    /// Forgets what was heard.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

impl Collected {
    /// How many bytes were on the air, both delimiters included.
    pub fn air_len(&self) -> usize {
        self.0.len() + 2
    }

    /// The frames that this can be: all of it, or all but the first byte, where a modem garbled
    /// the leading delimiter.
    pub fn bodies(&self) -> impl Iterator<Item = Body> {
        (0..2).filter_map(|skipped| decode(self.0.get(skipped..)?))
    }
}

fn decode(encoded: &[u8]) -> Option<Body> {
    let mut body = Body::new();
    body.resize_default(FRAME_LEN_MAX).ok()?;
    let length = cobs::decode(encoded, &mut body).ok()?;
    body.truncate(length);
    Some(body)
}
