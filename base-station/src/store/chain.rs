//! The chain: every record's link is a hash over the link before it and everything that the record
//! says, so that a record that is missing, changed or out of place breaks it.
//!
//! The hash is plain, not keyed: it is there to notice what disks do, not what a thief of the
//! laptop does (who would have the key as well).

use std::fmt;

use sha2::{Digest, Sha256};

use super::row::Row;

/// Half of a SHA-256: far more than accidents can hit, and half the room in every row.
pub(super) const LINK_LEN: usize = 16;

/// One journal, told from all others. A copy has the same as the journal it was made of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JournalId(pub(super) [u8; LINK_LEN]);

/// What a record leaves for the next one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Link(pub(super) [u8; LINK_LEN]);

impl JournalId {
    pub(super) fn random() -> Self {
        Self(rand::random())
    }
}

impl Link {
    /// What the first record of a journal is chained to.
    pub(super) fn first(id: JournalId) -> Self {
        let mut hash = Sha256::new();
        hash.update(b"byestand journal");
        hash.update(id.0);
        Self::cut(&hash.finalize())
    }

    /// The link of the record that follows this one. Texts are preceded by their lengths, so that
    /// no two records are hashed alike.
    pub(super) fn then(self, row: &Row<'_>) -> Self {
        let mut fixed = [0; LINK_LEN + 7 * 8];
        let numbers = [
            row.seq,
            row.session.map_or(-1, i64::from),
            row.at_ms,
            row.version,
            row.checksum,
            len(&row.who),
            len(&row.event),
        ];
        fixed[..LINK_LEN].copy_from_slice(&self.0);
        for (place, number) in fixed[LINK_LEN..].chunks_exact_mut(8).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        let mut hash = Sha256::new();
        hash.update(fixed);
        hash.update(row.who.as_bytes());
        hash.update(row.event.as_bytes());
        Self::cut(&hash.finalize())
    }

    fn cut(hash: &[u8]) -> Self {
        let mut link = [0; LINK_LEN];
        link.copy_from_slice(&hash[..LINK_LEN]);
        Self(link)
    }
}

fn len(text: &str) -> i64 {
    i64::try_from(text.len()).unwrap_or(i64::MAX)
}

fn hexadecimal(bytes: &[u8; LINK_LEN], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}

fn from_hexadecimal(text: &str) -> Option<[u8; LINK_LEN]> {
    if text.len() != 2 * LINK_LEN || !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let mut bytes = [0; LINK_LEN];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    Some(bytes)
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hexadecimal(&self.0, f)
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hexadecimal(&self.0, f)
    }
}

impl fmt::Display for JournalId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hexadecimal(&self.0, f)
    }
}

impl fmt::Debug for JournalId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hexadecimal(&self.0, f)
    }
}

impl std::str::FromStr for Link {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        from_hexadecimal(text).map(Self).ok_or(())
    }
}

impl std::str::FromStr for JournalId {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        from_hexadecimal(text).map(Self).ok_or(())
    }
}
