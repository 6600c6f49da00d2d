//! Somebody who listens to everything on the air with the club's key, and notices a nonce that is
//! used twice.
//!
//! It knows nothing but what `protocol/README.md` says: it derives keys, builds nonces and opens
//! frames with the crypto crates alone, and finds a frame's whole counter by trying until the tag
//! is right. So it would see a counter that went back, whatever the ends themselves believe.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use aes::Aes128;
use ccm::aead::array::Array;
use ccm::consts::{U8, U13};
use ccm::{AeadInOut, Ccm, KeyInit};
use hkdf::Hkdf;
use sha2::Sha256;

const TAG_LEN: usize = 8;
const CALL: u8 = 0x80;
const ANSWER: u8 = 0x90;
const OPEN: u8 = 0xA0;
const HELLO: u8 = 0x40;
const STRANGER: u8 = 0xF0;
/// What the base tells a pad of version 1, as far as it can tell one.
const OLD_STRANGER: u8 = 0x70;

/// Frames of pads that a stranger's answer may still be for.
const TAGS_KEPT: usize = 512;

type Key = [u8; 16];
type Nonce = [u8; 13];

/// Who a conversation's frames are sealed for: pad, base nonce, network, association.
type Named = (u32, [u8; 8], u8, u32);

/// The listener.
#[derive(Debug)]
pub struct Eavesdropper {
    club: [u8; 32],
    /// Base nonces in the order in which they were first heard.
    bases: Vec<[u8; 8]>,
    conversations: BTreeMap<Named, Conversation>,
    /// Pads that have proved themselves.
    pads: BTreeSet<u32>,
    /// The latest frames to the base: from which address, and their tags.
    asked: VecDeque<(u32, [u8; TAG_LEN])>,
    used: HashMap<(Key, Nonce), Vec<u8>>,
    partial: Vec<u8>,
    heard: Heard,
}

/// What was heard.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heard {
    /// Frames that could be opened.
    pub opened: u64,
    /// Frames of conversations that could not: the listener missed something.
    pub unread: u64,
    /// First words and answers to strangers that could not: somebody else has a part in it.
    pub unread_empty: u64,
    /// Key and nonce used for two different frames, in a sentence each. Must stay empty.
    pub twice: Vec<String>,
    /// The same for frames without content, which say nothing that could be learned from it.
    pub twice_empty: Vec<String>,
    /// Bases (that is, starts of a base) met.
    pub bases: usize,
    /// Associations whose keys were used.
    pub associations: usize,
}

#[derive(Debug)]
struct Conversation {
    up: Key,
    down: Key,
    /// The highest counters, to try the likely ones first.
    highest_up: u32,
    highest_down: u32,
}

impl Eavesdropper {
    /// Somebody who knows the club's key.
    pub fn new(club: [u8; 32]) -> Self {
        Self {
            club,
            bases: Vec::new(),
            conversations: BTreeMap::new(),
            pads: BTreeSet::new(),
            asked: VecDeque::new(),
            used: HashMap::new(),
            partial: Vec::new(),
            heard: Heard::default(),
        }
    }

    /// What was heard so far.
    pub fn heard(&self) -> Heard {
        Heard {
            bases: self.bases.len(),
            associations: self.conversations.len(),
            ..self.heard.clone()
        }
    }

    /// Bytes of the base as they come out of its port, in pieces.
    pub fn hear_pieces(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if byte != 0 {
                self.partial.push(byte);
            } else if !self.partial.is_empty() {
                let piece = std::mem::take(&mut self.partial);
                self.hear_body(&piece);
            }
        }
    }

    /// A whole frame as it was sent.
    pub fn hear_frame(&mut self, frame: &[u8]) {
        for piece in frame.split(|byte| *byte == 0).filter(|it| !it.is_empty()) {
            self.hear_body(piece);
        }
    }

    fn hear_body(&mut self, encoded: &[u8]) {
        let mut body = vec![0; encoded.len()];
        let Ok(length) = cobs::decode(encoded, &mut body) else {
            self.heard.unread += 1;
            return;
        };
        body.truncate(length);
        self.note_question(&body);
        let known = match body.first().map(|byte| byte & 0xF0) {
            Some(CALL) => self.call(&body),
            Some(ANSWER) => self.answer(&body),
            Some(OPEN) => self.open(&body),
            Some(HELLO) => self.hello(&body),
            Some(STRANGER) => self.stranger(&body),
            _ => None,
        };
        let is_empty = matches!(
            body.first().map(|byte| byte & 0xF0),
            Some(HELLO | STRANGER | OLD_STRANGER)
        );
        match known {
            Some(()) => self.heard.opened += 1,
            None if is_empty => self.heard.unread_empty += 1,
            None => self.heard.unread += 1,
        }
    }

    /// Whoever asked, a base that expects the pad of this address answers.
    fn note_question(&mut self, body: &[u8]) {
        let kind = body.first().map(|byte| byte & 0xF0);
        if let (Some(CALL | OPEN | HELLO), Some(address), Some(tag)) =
            (kind, address(body), body.last_chunk())
        {
            self.asked.push_back((address, *tag));
            if self.asked.len() > TAGS_KEPT {
                self.asked.pop_front();
            }
        }
    }

    fn pad_key(&self, pad: u32) -> [u8; 32] {
        derive(&[], &self.club, &[b"byestand pad", &pad.to_le_bytes()])
    }

    fn hello(&mut self, body: &[u8]) -> Option<()> {
        let pad = u32::from_le_bytes(*body.get(6..10)?.first_chunk()?);
        let key: Key = derive(&[], &self.pad_key(pad), &[b"byestand hello"]);
        let nonce = nonce(&[&[HELLO], body.get(6..10)?, body.get(10..18)?])?;
        if !opens(&key, &nonce, body, 18) {
            return None;
        }
        self.use_once(key, nonce, body, 18);
        self.pads.insert(pad);
        Some(())
    }

    fn stranger(&mut self, body: &[u8]) -> Option<()> {
        let base: [u8; 8] = *body.get(6..14)?.first_chunk()?;
        let (network, floor, rest) = (body.get(2..3)?, body.get(14..18)?, body.get(18..20)?);
        let oldest = body.get(3..4)?;
        let wanted = address(body)?;
        let tags = self.asked.iter().rev();
        let tags = tags.filter(|(from, _)| *from == wanted);
        let here = |pad: &&u32| address_of(**pad) == wanted;
        let pads = || self.pads.iter().filter(here);
        let pairs = tags.flat_map(|(_, tag)| pads().map(move |pad| (pad, tag)));
        let mut answers = pairs.filter_map(|(pad, tag)| {
            let info: [&[u8]; 3] = [b"byestand 2 stranger", network, tag];
            let key: Key = derive(&base, &self.pad_key(*pad), &info);
            let pad = pad.to_le_bytes();
            let nonce = nonce(&[&[STRANGER], &pad, floor, rest, oldest, &[0]])?;
            opens(&key, &nonce, body, 20).then_some((key, nonce))
        });
        let (key, nonce) = answers.next()?;
        if !self.bases.contains(&base) {
            self.bases.push(base);
        }
        self.use_once(key, nonce, body, 20);
        Some(())
    }

    fn open(&mut self, body: &[u8]) -> Option<()> {
        let pad = u32::from_le_bytes(*body.get(4..8)?.first_chunk()?);
        let association = u32::from_le_bytes(*body.get(8..12)?.first_chunk()?);
        let network = *body.get(2)?;
        let sealed = Sealed {
            kind: OPEN,
            counter_low: u32::from(*body.get(3)?),
            counter_step: 1 << 8,
            body,
            header: 12,
        };
        // The latest base first: it is the one that the pad has most likely met.
        for base in self.bases.clone().into_iter().rev() {
            let named = (pad, base, network, association);
            if !self.conversations.contains_key(&named) {
                let key = self.pad_key(pad);
                let keys = |name: &[u8]| {
                    derive(&base, &key, &[name, &[network], &association.to_le_bytes()])
                };
                let conversation = Conversation {
                    up: keys(b"byestand 2 up"),
                    down: keys(b"byestand 2 down"),
                    highest_up: 0,
                    highest_down: 0,
                };
                if sealed.counter(&conversation.up, named, 0).is_none() {
                    continue;
                }
                self.conversations.insert(named, conversation);
            }
            if self.take(named, &sealed).is_some() {
                return Some(());
            }
        }
        None
    }

    fn call(&mut self, body: &[u8]) -> Option<()> {
        let counter_low = u16::from_le_bytes(*body.get(3..5)?.first_chunk()?);
        self.by_address(&Sealed {
            kind: CALL,
            counter_low: counter_low.into(),
            counter_step: 1 << 16,
            body,
            header: 5,
        })
    }

    fn answer(&mut self, body: &[u8]) -> Option<()> {
        self.by_address(&Sealed {
            kind: ANSWER,
            counter_low: u32::from(*body.get(3)?),
            counter_step: 1 << 8,
            body,
            header: 5,
        })
    }

    fn by_address(&mut self, sealed: &Sealed<'_>) -> Option<()> {
        let wanted = address(sealed.body)?;
        let mut named: Vec<Named> = self
            .conversations
            .keys()
            .filter(|(pad, ..)| address_of(*pad) == wanted)
            .copied()
            .collect();
        let age = |base: [u8; 8]| self.bases.iter().position(|it| *it == base);
        named.sort_by_key(|(_, base, _, association)| (age(*base), *association));
        let mut newest_first = named.into_iter().rev();
        newest_first.find_map(|named| self.take(named, sealed))
    }

    /// Opens a frame of a conversation with whatever counter fits, and remembers its nonce.
    fn take(&mut self, named: Named, sealed: &Sealed<'_>) -> Option<()> {
        let conversation = self.conversations.get_mut(&named)?;
        let (key, highest) = match sealed.kind {
            ANSWER => (conversation.down, &mut conversation.highest_down),
            _ => (conversation.up, &mut conversation.highest_up),
        };
        let counter = sealed.counter(&key, named, *highest)?;
        *highest = counter.max(*highest);
        let nonce = of_conversation(sealed.kind, named, counter);
        self.use_once(key, nonce, sealed.body, sealed.header);
        Some(())
    }

    fn use_once(&mut self, key: Key, nonce: Nonce, body: &[u8], header: usize) {
        let before = self.used.insert((key, nonce), body.to_vec());
        if let Some(before) = before.filter(|before| before != body) {
            let told = format!("nonce {nonce:02x?} sealed {before:02x?} and {body:02x?}");
            if body.len() > header + TAG_LEN {
                self.heard.twice.push(told);
            } else {
                self.heard.twice_empty.push(told);
            }
        }
    }
}

/// A frame of a conversation, of whose counter only the low bits are known.
struct Sealed<'a> {
    kind: u8,
    counter_low: u32,
    counter_step: u32,
    body: &'a [u8],
    header: usize,
}

impl Sealed<'_> {
    /// The counter under which it opens: the likely ones first, then every other.
    fn counter(&self, key: &Key, named: Named, highest: u32) -> Option<u32> {
        let round = highest / self.counter_step;
        let likely = [round, round + 1].into_iter();
        // Nobody skips more than a round; whoever went back is found among those before.
        let mut rounds = likely.chain((0..round).rev());
        rounds.find_map(|round| {
            let counter = round * self.counter_step + self.counter_low;
            let nonce = of_conversation(self.kind, named, counter);
            opens(key, &nonce, self.body, self.header).then_some(counter)
        })
    }
}

fn of_conversation(kind: u8, (pad, _, _, association): Named, counter: u32) -> Nonce {
    let mut nonce = [0; 13];
    nonce[0] = kind;
    nonce[1..5].copy_from_slice(&pad.to_le_bytes());
    nonce[5..9].copy_from_slice(&association.to_le_bytes());
    nonce[9..13].copy_from_slice(&counter.to_le_bytes());
    nonce
}

/// The address on a frame.
fn address(body: &[u8]) -> Option<u32> {
    let &[first, second, ..] = body else {
        return None;
    };
    Some(u32::from(first & 0x0F) << 8 | u32::from(second))
}

/// The address of a pad.
const fn address_of(pad: u32) -> u32 {
    (pad ^ pad >> 12 ^ pad >> 24) & 0xFFF
}

fn nonce(parts: &[&[u8]]) -> Option<Nonce> {
    parts.concat().try_into().ok()
}

fn opens(key: &Key, nonce: &Nonce, body: &[u8], header: usize) -> bool {
    let Some((content, tag)) = body.split_last_chunk::<TAG_LEN>() else {
        return false;
    };
    let (Some(header), Some(sealed)) = (content.get(..header), content.get(header..)) else {
        return false;
    };
    let mut sealed = sealed.to_vec();
    Ccm::<Aes128, U8, U13>::new(&Array(*key))
        .decrypt_inout_detached(
            &Array(*nonce),
            header,
            sealed.as_mut_slice().into(),
            &Array(*tag),
        )
        .is_ok()
}

pub(crate) fn derive<const N: usize>(salt: &[u8], secret: &[u8], info: &[&[u8]]) -> [u8; N] {
    let mut key = [0; N];
    // HKDF refuses only outputs beyond 255 hashes.
    let _ = Hkdf::<Sha256>::new(Some(salt), secret).expand(&info.concat(), &mut key);
    key
}
