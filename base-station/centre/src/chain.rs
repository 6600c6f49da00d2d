//! A base's records as they travel: each a line of text, each linked to all before it, all signed
//! by the base's own key.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};

use crate::said::Said;

/// The header of a request that carries its signature.
pub const SIGNATURE_HEADER: &str = "byestand-signature";

/// Records in one request: a whole evening of twelve tables, or the backlog of an hour in a large one.
pub const BATCH_MAX: usize = 500;

/// What is signed begins like this, so that no signature is good for anything else.
const SIGNED: &[u8] = b"byestand centre 1\n";

/// Where a base's chain stands: how many records, and a hash over all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// The last record's number; 0 before the first.
    pub seq: u64,
    /// Its link.
    pub link: Link,
}

/// A hash over a record and everything before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link(pub [u8; 32]);

/// A record: its number, when the base wrote it, and what it says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// From 1, without gaps.
    pub n: u64,
    /// Milliseconds since 1970 by the base's clock.
    pub at: u64,
    /// What is so from now on.
    pub said: Said,
}

/// The first line of a request with records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Heading {
    base: u32,
    /// What the base has before the first record of the request.
    from: Head,
    /// What it has after the last.
    to: Head,
}

/// Records that one base sends together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// Whose.
    pub base: u32,
    /// Where its chain stood before them.
    pub from: Head,
    /// Where it stands after them, as the base has it written down.
    pub to: Head,
    /// The records as they are written.
    pub texts: Vec<String>,
}

/// Why a request with records can't be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unreadable {
    /// No first line, or another one.
    #[error("expected a first line with base, from and to")]
    Heading,
    /// More than anybody sends at once.
    #[error("expected at most {BATCH_MAX} records at once")]
    TooMany,
}

impl Head {
    /// Before the first record of the base with this key.
    pub fn of_key(key: &VerifyingKey) -> Self {
        Self {
            seq: 0,
            link: Link(Sha256::digest(key.as_bytes()).into()),
        }
    }

    /// After one more record.
    pub fn with(self, text: &str) -> Self {
        let mut hash = Sha256::new();
        hash.update(self.link.0);
        hash.update(text.as_bytes());
        Self {
            seq: self.seq + 1,
            link: Link(hash.finalize().into()),
        }
    }
}

impl Batch {
    /// As it travels.
    pub fn body(&self) -> String {
        let heading = Heading {
            base: self.base,
            from: self.from,
            to: self.to,
        };
        let mut body = serde_json::to_string(&heading).unwrap_or_default();
        for text in &self.texts {
            body.push('\n');
            body.push_str(text);
        }
        body
    }

    /// Reads what travelled. What the records say is not looked at.
    pub(crate) fn read(body: &str) -> Result<Self, Unreadable> {
        let mut lines = body.split('\n');
        let heading = lines.next().unwrap_or_default();
        let heading: Heading = serde_json::from_str(heading).map_err(|_| Unreadable::Heading)?;
        let texts: Vec<String> = lines.map(str::to_owned).collect();
        if texts.len() > BATCH_MAX {
            return Err(Unreadable::TooMany);
        }
        Ok(Self {
            base: heading.base,
            from: heading.from,
            to: heading.to,
            texts,
        })
    }
}

/// Signs a request with a base's key.
pub fn sign(key: &SigningKey, body: &str) -> String {
    let signature = key.sign(&signed(body));
    URL_SAFE_NO_PAD.encode(signature.to_bytes())
}

/// Whether whoever has this key wrote the request.
pub(crate) fn is_signed(key: &VerifyingKey, body: &str, signature: &str) -> bool {
    let bytes = URL_SAFE_NO_PAD.decode(signature).unwrap_or_default();
    let signature = Signature::from_slice(&bytes);
    signature.is_ok_and(|signature| key.verify_strict(&signed(body), &signature).is_ok())
}

fn signed(body: &str) -> Vec<u8> {
    [SIGNED, body.as_bytes()].concat()
}

impl Serialize for Link {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&URL_SAFE_NO_PAD.encode(self.0))
    }
}

impl<'de> Deserialize<'de> for Link {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let bytes = URL_SAFE_NO_PAD.decode(text).ok();
        let link = bytes.and_then(|bytes| bytes.try_into().ok()).map(Self);
        link.ok_or_else(|| serde::de::Error::custom("expected a link of 32 bytes in base64"))
    }
}
