//! The copy of the journal that a centre keeps for the day on which the laptop is gone. It is sealed
//! under the club's key, so whoever runs the centre reads nothing of it, and whoever has the key can
//! make a new base station from it.

use std::io::Read as _;

use aes::Aes256;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ccm::aead::array::Array;
use ccm::consts::{U12, U16};
use ccm::{AeadInOut as _, Ccm, KeyInit as _};
use ed25519_dalek::SigningKey;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use hkdf::Hkdf;
use protocol::frame::ClubKey;
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use crate::store::Piece;

const NONCE_LEN: usize = 12;
const TAG_LEN: usize = 16;

/// Nothing that is sealed together is longer.
const CONTENT_LEN_MAX: u64 = 256 * 1024 * 1024;

/// What is sealed together.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Content {
    /// The session that is part of the centre's event.
    pub(super) session: u32,
    /// Whether the centre is told the players' names.
    pub(super) names: bool,
    /// Categories as the director typed them.
    #[serde(default)]
    pub(super) categories: String,
    pub(super) piece: Piece,
}

/// What follows from the club's key for its copy.
pub(super) struct CopyKeys {
    seal: [u8; 32],
    mark: [u8; 32],
    /// Whoever has the club's key shows it with this one, without giving it away.
    pub(super) reader: SigningKey,
}

impl CopyKeys {
    pub(super) fn of(key: &ClubKey) -> Self {
        let derived = |info: &[u8]| -> [u8; 32] {
            let mut derived = [0; 32];
            // HKDF refuses only outputs beyond 255 hashes.
            let _ = Hkdf::<Sha256>::new(None, key.bytes()).expand(info, &mut derived);
            derived
        };
        Self {
            seal: derived(b"byestand copy seal"),
            mark: derived(b"byestand copy mark"),
            reader: SigningKey::from_bytes(&derived(b"byestand copy reader")),
        }
    }

    /// The public half of the reader's key, as it travels.
    pub(super) fn reader_name(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.reader.verifying_key().as_bytes())
    }

    /// What the centre may know of a link of the journal: whether it is the same one.
    pub(super) fn mark(&self, link: &str) -> String {
        let mut mark = [0; 16];
        let _ = Hkdf::<Sha256>::new(None, &self.mark).expand(link.as_bytes(), &mut mark);
        URL_SAFE_NO_PAD.encode(mark)
    }

    fn cipher(&self) -> Ccm<Aes256, U16, U12> {
        Ccm::new(&Array(self.seal))
    }

    /// Seals a piece, squeezed: a journal's lines are much alike.
    pub(super) fn seal(&self, content: &Content) -> Option<String> {
        let mut squeezed = DeflateEncoder::new(Vec::new(), Compression::default());
        serde_json::to_writer(&mut squeezed, content).ok()?;
        self.seal_bytes(&squeezed.finish().ok()?)
    }

    /// The nonce is drawn, so that no two copies under one key share one.
    fn seal_bytes(&self, bytes: &[u8]) -> Option<String> {
        let nonce: [u8; NONCE_LEN] = rand::random();
        let mut sealed = nonce.to_vec();
        sealed.extend_from_slice(bytes);
        let plain = sealed.get_mut(NONCE_LEN..)?;
        let cipher = self.cipher();
        let tag = cipher.encrypt_inout_detached(&Array(nonce), &[], plain.into());
        sealed.extend_from_slice(&tag.ok()?);
        Some(URL_SAFE_NO_PAD.encode(sealed))
    }

    /// Opens what was sealed under the same club key.
    pub(super) fn open(&self, sealed: &str) -> Option<Content> {
        let sealed = URL_SAFE_NO_PAD.decode(sealed).ok()?;
        let (nonce, rest) = sealed.split_first_chunk::<NONCE_LEN>()?;
        let (body, tag) = rest.split_last_chunk::<TAG_LEN>()?;
        let mut plain = body.to_vec();
        let cipher = self.cipher();
        let buffer = plain.as_mut_slice().into();
        cipher
            .decrypt_inout_detached(&Array(*nonce), &[], buffer, &Array(*tag))
            .ok()?;
        // Copies of earlier versions were not squeezed; no squeezed one begins so.
        if plain.first() == Some(&b'{') {
            return serde_json::from_slice(&plain).ok();
        }
        let whole = DeflateDecoder::new(plain.as_slice()).take(CONTENT_LEN_MAX);
        serde_json::from_reader(std::io::BufReader::new(whole)).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Journal as _, Moment, NewRecord, Seq, Who};
    use crate::store::Store;

    #[test]
    fn what_is_sealed_is_read_with_the_clubs_key_and_with_no_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut store = Store::open(folder.path()).expect("it opens");
        let record = NewRecord {
            at: Moment(1),
            who: Who::Base,
            session: None,
            event: crate::session::Event::ClubNamed("Riverside".to_owned()),
        };
        store.append(&[record]).expect("written");
        let content = Content {
            session: 1,
            names: false,
            categories: String::new(),
            piece: store.piece(Seq(0)).expect("read"),
        };
        let [ours, other] = [1, 2].map(|byte| CopyKeys::of(&ClubKey::new([byte; 32])));
        let sealed = ours.seal(&content).expect("sealed");
        let plain = URL_SAFE_NO_PAD.decode(&sealed).expect("base64");
        assert!(!plain.windows(9).any(|part| part == b"Riverside"));
        let opened = ours.open(&sealed).expect("opened");
        assert_eq!(opened.piece, content.piece);
        assert!(other.open(&sealed).is_none());
        let mut forged = plain;
        forged[20] ^= 1;
        assert!(ours.open(&URL_SAFE_NO_PAD.encode(forged)).is_none());
        assert_ne!(sealed, ours.seal(&content).expect("sealed again"));
        assert_ne!(ours.reader_name(), other.reader_name());
        // As earlier versions sealed it.
        let plain = serde_json::to_vec(&content).expect("written");
        let before = ours.seal_bytes(&plain).expect("sealed");
        let opened = ours.open(&before).expect("opened");
        assert_eq!(opened.piece, content.piece);
        assert!(sealed.len() < before.len(), "it is squeezed");
    }
}
