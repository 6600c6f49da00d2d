//! Sealing a frame and opening it: AES-128-CCM with a tag of eight bytes.

use aes::Aes128;
use ccm::aead::array::Array;
use ccm::consts::{U8, U13};
use ccm::{AeadInOut, Ccm, KeyInit};
use heapless::Vec;

#[cfg(feature = "hub")]
use super::BaseNonce;
use super::{AssociationNumber, FRAME_LEN_MAX, FrameBytes, Header, Phase};
use crate::words::PadId;

/// Bytes that show that the sender has the key.
pub(super) const TAG_LEN: usize = 8;

/// The longest content of a frame: what is left of it without two delimiters, the byte of COBS,
/// the longest header and the tag.
const PLAINTEXT_LEN_MAX: usize = FRAME_LEN_MAX - 3 - super::header::HEADER_LEN_MAX - TAG_LEN;

/// What a frame carries.
pub(crate) type Plaintext = Vec<u8, PLAINTEXT_LEN_MAX>;

/// Shows that the sender has the key.
pub(crate) type Tag = [u8; TAG_LEN];

/// Thirteen bytes that never occur twice under one key.
pub(crate) struct Nonce([u8; 13]);

impl Nonce {
    /// Of a conversation's frame.
    pub(crate) fn data(
        header: &Header,
        pad: PadId,
        association: AssociationNumber,
        counter: u32,
    ) -> Self {
        let [a0, a1, a2, a3] = association.bytes();
        let [c0, c1, c2, c3] = counter.to_le_bytes();
        Self::of_pad(header, pad, [a0, a1, a2, a3, c0, c1, c2, c3])
    }

    /// Of a pad's first word.
    pub(crate) fn hello(header: &Header, pad: PadId, salt: [u8; 8]) -> Self {
        Self::of_pad(header, pad, salt)
    }

    /// Of the base's answer to a hello, whose key is that hello's own: everything in which two
    /// answers to it can differ.
    pub(crate) fn stranger(
        header: &Header,
        pad: PadId,
        floor: AssociationNumber,
        (slot, phase, version_min): (u8, Phase, u8),
    ) -> Self {
        let [f0, f1, f2, f3] = floor.bytes();
        Self::of_pad(header, pad, [f0, f1, f2, f3, slot, phase.0, version_min, 0])
    }

    /// The kind of a frame, its pad, and what tells two such frames apart.
    fn of_pad(header: &Header, pad: PadId, rest: [u8; 8]) -> Self {
        let [p0, p1, p2, p3] = pad.get().to_le_bytes();
        let [r0, r1, r2, r3, r4, r5, r6, r7] = rest;
        Self([
            header.kind(),
            p0,
            p1,
            p2,
            p3,
            r0,
            r1,
            r2,
            r3,
            r4,
            r5,
            r6,
            r7,
        ])
    }

    /// Version 1: of the base's answer to a stranger, good for the frame with this tag.
    #[cfg(feature = "hub")]
    pub(crate) fn old_stranger(header: &Header, answered: Tag, base: BaseNonce) -> Self {
        let [t0, t1, t2, t3, t4, t5, t6, t7] = answered;
        let [b0, b1, b2, b3, ..] = base.0;
        Self([
            header.kind(),
            t0,
            t1,
            t2,
            t3,
            t4,
            t5,
            t6,
            t7,
            b0,
            b1,
            b2,
            b3,
        ])
    }
}

/// The frame for the modem, and its tag. `None` only if the frame would be too long, which the
/// size of [`Plaintext`] rules out.
pub(crate) fn seal(
    key: &[u8; 16],
    nonce: &Nonce,
    header: &Header,
    plaintext: &[u8],
) -> Option<(FrameBytes, Tag)> {
    let header = header.encode();
    let mut body = Vec::<u8, FRAME_LEN_MAX>::new();
    body.extend_from_slice(&header).ok()?;
    body.extend_from_slice(plaintext).ok()?;
    let tag: Tag = cipher(key)
        .encrypt_inout_detached(
            &Array(nonce.0),
            &header,
            body.get_mut(header.len()..)?.into(),
        )
        .ok()?
        .into();
    body.extend_from_slice(&tag).ok()?;

    let mut frame = FrameBytes::new();
    frame.resize_default(FRAME_LEN_MAX).ok()?;
    let length = cobs::try_encode(&body, frame.get_mut(1..FRAME_LEN_MAX - 1)?).ok()?;
    frame.truncate(1 + length);
    frame.push(0).ok()?;
    Some((frame, tag))
}

/// What the sealed part of a frame says, if the tag is right.
pub(crate) fn open(
    key: &[u8; 16],
    nonce: &Nonce,
    header: &Header,
    sealed: &[u8],
) -> Option<Plaintext> {
    let (ciphertext, tag) = sealed.split_last_chunk::<TAG_LEN>()?;
    let mut plaintext = Plaintext::from_slice(ciphertext).ok()?;
    cipher(key)
        .decrypt_inout_detached(
            &Array(nonce.0),
            &header.encode(),
            plaintext.as_mut_slice().into(),
            &Array(*tag),
        )
        .ok()?;
    Some(plaintext)
}

#[cfg(feature = "hub")]
/// The tag at the end of a frame's sealed part.
pub(crate) fn tag_of(sealed: &[u8]) -> Option<Tag> {
    sealed.last_chunk().copied()
}

fn cipher(key: &[u8; 16]) -> Ccm<Aes128, U8, U13> {
    Ccm::new(&Array(*key))
}
