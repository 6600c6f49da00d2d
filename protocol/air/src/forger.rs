//! Somebody who has read all of a stolen pad's flash, and `protocol/README.md`, and makes frames
//! for others with what he knows: in the base's name, and in the name of other pads.
//!
//! Like the listener it uses the crypto crates alone.

use aes::Aes128;
use ccm::aead::array::Array;
use ccm::consts::{U8, U13};
use ccm::{AeadInOut, Ccm, KeyInit};

use crate::eavesdropper::derive;

/// The base nonce of a base that does not exist.
const NO_BASE: [u8; 8] = [0x66; 8];

/// The last number that an association can have, nearly: a pad that believed this floor would
/// have none left.
const HIGHEST_FLOOR: [u8; 4] = [0xFE, 0xFF, 0xFF, 0xFF];

/// The forger.
#[derive(Clone, Debug)]
pub struct Forger {
    /// The stolen pad's own key.
    key: [u8; 32],
    /// Of an old pad: what all pads of version 1 shared.
    shared: [u8; 16],
    /// Every pad's key, where pads had something in common.
    club: Option<[u8; 32]>,
}

impl Forger {
    /// Who has this pad of this club.
    pub fn new(club: [u8; 32], stolen: u32) -> Self {
        Self {
            key: pad_key(&club, stolen),
            shared: derive(&[], &club, &[b"byestand stranger"]),
            club: None,
        }
    }

    /// As it would be if the flash of one pad told the keys of all: a deliberate mistake.
    #[must_use]
    pub fn with_every_key(self, club: [u8; 32]) -> Self {
        Self {
            club: Some(club),
            ..self
        }
    }

    /// What he makes of a frame that he heard: frames for pads, and frames for the base.
    pub fn forge(&self, frame: &[u8]) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
        let mut body = vec![0; frame.len()];
        let inner = frame
            .strip_prefix(&[0])
            .and_then(|it| it.strip_suffix(&[0]));
        let Some(Ok(length)) = inner.map(|inner| cobs::decode(inner, &mut body)) else {
            return (Vec::new(), Vec::new());
        };
        body.truncate(length);
        match body.first().map(|first| first & 0xF0) {
            Some(0x40) => (self.strangers(&body).unwrap_or_default(), Vec::new()),
            Some(0x80) => (Vec::new(), self.copies(&body).unwrap_or_default()),
            _ => (Vec::new(), Vec::new()),
        }
    }

    /// Answers to somebody's hello: "I am a base, and you have used all your numbers."
    fn strangers(&self, hello: &[u8]) -> Option<Vec<Vec<u8>>> {
        let (first, low, network) = (hello.first()?, hello.get(1)?, hello.get(2)?);
        let (check, pad) = (hello.get(4..6)?, hello.get(6..10)?);
        let tag = hello.last_chunk::<8>()?;
        let mut frames = Vec::new();

        let head = [0x70 | first & 0x0F, *low, *network];
        let header = [
            &head[..],
            &[1],
            check,
            &NO_BASE,
            &HIGHEST_FLOOR[..2],
            &[0, 0],
        ]
        .concat();
        let nonce = [&[0x70], &tag[..], &NO_BASE[..4]].concat();
        frames.extend(seal(self.shared, &nonce, &header, &[]));

        let head = [0xF0 | first & 0x0F, *low, *network];
        let header = [&head[..], &[2], check, &NO_BASE, &HIGHEST_FLOOR, &[0, 0]].concat();
        let nonce = [&[0xF0], pad, &HIGHEST_FLOOR, &[0, 0, 2, 0]].concat();
        let victim = u32::from_le_bytes(*pad.first_chunk()?);
        let key = self.club.map_or(self.key, |club| pad_key(&club, victim));
        let info: [&[u8]; 3] = [b"byestand 2 stranger", &[*network], tag];
        frames.extend(seal(derive(&NO_BASE, &key, &info), &nonce, &header, &[]));
        Some(frames)
    }

    /// Frames in the name of a pad that has just called, with that call's tag, and with tags made
    /// of the stolen key.
    fn copies(&self, call: &[u8]) -> Option<Vec<Vec<u8>>> {
        let (address, rest, tag) = (call.get(..3)?, call.get(3..5)?, call.last_chunk::<8>()?);
        let [first, others @ ..] = address else {
            return None;
        };
        let mut frames = Vec::new();
        for kind in [0x80, 0x00] {
            let head = [&[kind | first & 0x0F], others].concat();
            frames.push(framed(&[&head, rest, &tag[..]].concat()));
            let sealed = seal(
                derive(&[], &self.key, &[b"byestand hello"]),
                &[0; 13],
                &[&head, rest].concat(),
                &[0xD0, 0x0A],
            );
            frames.extend(sealed);
        }
        Some(frames)
    }
}

fn pad_key(club: &[u8; 32], pad: u32) -> [u8; 32] {
    derive(&[], club, &[b"byestand pad", &pad.to_le_bytes()])
}

fn seal(key: [u8; 16], nonce: &[u8], header: &[u8], content: &[u8]) -> Option<Vec<u8>> {
    let nonce: [u8; 13] = nonce.try_into().ok()?;
    let mut content = content.to_vec();
    let tag: [u8; 8] = Ccm::<Aes128, U8, U13>::new(&Array(key))
        .encrypt_inout_detached(&Array(nonce), header, content.as_mut_slice().into())
        .ok()?
        .into();
    Some(framed(&[header, &content, &tag].concat()))
}

fn framed(body: &[u8]) -> Vec<u8> {
    let mut frame = vec![0; cobs::max_encoding_length(body.len()) + 2];
    let length = frame
        .get_mut(1..)
        .map_or(0, |room| cobs::encode(body, room));
    frame.truncate(1 + length);
    frame.push(0);
    frame
}
