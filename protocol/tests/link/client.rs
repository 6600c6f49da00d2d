//! Frames made by somebody who has read `protocol/README.md` and has the crypto crates, nothing
//! else: a simple client, an old pad, or a thief.

use aes::Aes128;
use ccm::aead::array::Array;
use ccm::consts::{U8, U13};
use ccm::{AeadInOut, Ccm, KeyInit};
use hkdf::Hkdf;
use sha2::Sha256;

pub(crate) const CLUB: [u8; 32] = [7; 32];
pub(crate) const BASE: [u8; 8] = [1; 8];
pub(crate) const CHECK: [u8; 2] = [0x89, 0x7e];

pub(crate) fn derive<const N: usize>(salt: &[u8], secret: &[u8], info: &[&[u8]]) -> [u8; N] {
    let mut key = [0; N];
    Hkdf::<Sha256>::new(Some(salt), secret)
        .expand(&info.concat(), &mut key)
        .unwrap();
    key
}

/// A frame taken apart: what is between the delimiters, without COBS.
pub(crate) fn body(frame: &[u8]) -> Vec<u8> {
    let mut body = vec![0; frame.len()];
    let length = cobs::decode(&frame[1..frame.len() - 1], &mut body).unwrap();
    body.truncate(length);
    body
}

pub(crate) fn tag_of(frame: &[u8]) -> [u8; 8] {
    *body(frame).last_chunk().unwrap()
}

pub(crate) fn nonce(parts: &[&[u8]]) -> [u8; 13] {
    parts.concat().try_into().unwrap()
}

/// What is sealed behind the header, if the key is right.
pub(crate) fn opened(
    key: [u8; 16],
    nonce: [u8; 13],
    body: &[u8],
    header: usize,
) -> Option<Vec<u8>> {
    let mut content = body[header..body.len() - 8].to_vec();
    let tag: [u8; 8] = *body.last_chunk().unwrap();
    Ccm::<Aes128, U8, U13>::new(&Array(key))
        .decrypt_inout_detached(
            &Array(nonce),
            &body[..header],
            content.as_mut_slice().into(),
            &Array(tag),
        )
        .ok()?;
    Some(content)
}

/// A whole frame.
pub(crate) fn sealed(key: [u8; 16], nonce: [u8; 13], header: &[u8], content: &[u8]) -> Vec<u8> {
    let mut content = content.to_vec();
    let tag: [u8; 8] = Ccm::<Aes128, U8, U13>::new(&Array(key))
        .encrypt_inout_detached(&Array(nonce), header, content.as_mut_slice().into())
        .unwrap()
        .into();
    framed(&[header, &content, &tag].concat())
}

pub(crate) fn framed(body: &[u8]) -> Vec<u8> {
    let mut frame = vec![0; cobs::max_encoding_length(body.len()) + 2];
    let length = cobs::encode(body, &mut frame[1..]);
    frame.truncate(1 + length);
    frame.push(0);
    frame
}

/// The wire version that a client speaks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wire {
    One,
    Two,
}

/// A pad, as far as it can be made from the page.
pub(crate) struct Client {
    pub(crate) pad: [u8; 4],
    pub(crate) wire: Wire,
    pub(crate) key: [u8; 32],
    association: [u8; 4],
    counter: u8,
}

impl Client {
    pub(crate) fn new(pad: u32, wire: Wire) -> Self {
        let pad = pad.to_le_bytes();
        Self {
            pad,
            wire,
            key: derive(&[], &CLUB, &[b"byestand pad", &pad]),
            association: [1, 0, 0, 0],
            counter: 0,
        }
    }

    /// The first three bytes of a header.
    pub(crate) fn head(&self, kind: u8) -> [u8; 3] {
        let pad = u32::from_le_bytes(self.pad);
        let address = (pad ^ pad >> 12 ^ pad >> 24) & 0xFFF;
        let [low, high, ..] = address.to_le_bytes();
        [kind | high, low, 1]
    }

    pub(crate) fn hello(&self, salt: [u8; 8]) -> Vec<u8> {
        let version = match self.wire {
            Wire::One => 1,
            Wire::Two => 2,
        };
        let head = self.head(0x40);
        let header = [&head[..], &[version], &CHECK, &self.pad, &salt].concat();
        let key = derive(&[], &self.key, &[b"byestand hello"]);
        sealed(key, nonce(&[&[0x40], &self.pad, &salt]), &header, &[])
    }

    /// An open frame with this unit in the urgent lane.
    pub(crate) fn open(&mut self, unit: &[u8]) -> Vec<u8> {
        self.counter += 1;
        let (kind, name, association): (u8, &[u8], &[u8]) = match self.wire {
            Wire::One => (0x20, b"byestand up", &self.association[..2]),
            Wire::Two => (0xA0, b"byestand 2 up", &self.association),
        };
        let head = self.head(kind);
        let header = [&head[..], &[self.counter], &self.pad, association].concat();
        let key = derive(&BASE, &self.key, &[name, &[1], association]);
        let counter = [self.counter, 0, 0, 0];
        let nonce = nonce(&[&[kind], &self.pad, &self.association, &counter]);
        // Stream 1, not bound; both lanes have taken nothing; a unit follows, its bit is 0.
        let content = [&[1, 0, 0xD0], unit].concat();
        sealed(key, nonce, &header, &content)
    }

    /// What a stranger frame made for this hello says, if it is true: the oldest version.
    pub(crate) fn believes(&self, stranger: &[u8], hello: &[u8]) -> Option<u8> {
        let body = body(stranger);
        let tag = tag_of(hello);
        let said = match self.wire {
            Wire::One if body[0] & 0xF0 == 0x70 => {
                let key = derive(&[], &CLUB, &[b"byestand stranger"]);
                let nonce = nonce(&[&[0x70], &tag, &body[6..10]]);
                opened(key, nonce, &body, 18)
            }
            Wire::Two if body[0] & 0xF0 == 0xF0 => {
                let info: [&[u8]; 3] = [b"byestand 2 stranger", &[1], &tag];
                let key = derive(&body[6..14], &self.key, &info);
                let rest = [&body[14..20], &body[3..4], &[0]].concat();
                let nonce = nonce(&[&[0xF0], &self.pad, &rest]);
                opened(key, nonce, &body, 20)
            }
            _ => None,
        };
        said.map(|_| body[3])
    }

    /// A stranger frame for somebody else's hello, made with the keys of this client.
    pub(crate) fn forge_stranger(&self, head: [u8; 3], hello: &[u8], pad: [u8; 4]) -> Vec<u8> {
        let tag = tag_of(hello);
        let (base, floor) = ([0x66; 8], [0xF0, 0xFF, 0xFF, 0xFF]);
        match self.wire {
            Wire::One => {
                let header = [&head[..], &[1], &CHECK, &base, &floor[..2], &[0, 0]].concat();
                let key = derive(&[], &CLUB, &[b"byestand stranger"]);
                sealed(key, nonce(&[&[0x70], &tag, &base[..4]]), &header, &[])
            }
            Wire::Two => {
                let header = [&head[..], &[2], &CHECK, &base, &floor, &[0, 0]].concat();
                let info: [&[u8]; 3] = [b"byestand 2 stranger", &[1], &tag];
                let key = derive(&base, &self.key, &info);
                let nonce = nonce(&[&[0xF0], &pad, &floor, &[0, 0, 2, 0]]);
                sealed(key, nonce, &header, &[])
            }
        }
    }
}
