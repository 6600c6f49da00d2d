//! The part of a frame that everybody can read, and nobody can change.

use heapless::Vec;

use super::{AssociationNumber, BaseNonce, KeyCheck, NetworkId, Version};
use crate::words::PadId;

/// The longest header in bytes.
pub(super) const HEADER_LEN_MAX: usize = 20;

/// Twelve bits that stand for a pad. Two pads may share them; the tag tells them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Address(u16);

impl From<PadId> for Address {
    fn from(pad: PadId) -> Self {
        let pad = pad.get();
        Self(((pad ^ pad >> 12 ^ pad >> 24) & 0xFFF) as u16)
    }
}

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Direction {
    /// A pad.
    Up,
    /// The base.
    Down,
}

/// Where in the channel's cycle the base began this frame, in 256ths of the cycle. Pads that hear
/// it know the slots, whoever the frame is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Phase(pub u8);

/// The kinds of frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Header {
    /// A pad's part of a conversation.
    Call {
        /// The wire version.
        wire: Version,
        /// The pad.
        address: Address,
        /// The network.
        network: NetworkId,
        /// The low half of the pad's frame counter.
        counter: u16,
    },
    /// The base's part of a conversation.
    Answer {
        /// The wire version.
        wire: Version,
        /// The pad.
        address: Address,
        /// The network.
        network: NetworkId,
        /// The low byte of the base's frame counter.
        counter: u8,
        /// When the frame began.
        phase: Phase,
    },
    /// A call while its keys are new: says everything that they depend on.
    Open {
        /// The wire version.
        wire: Version,
        /// The network.
        network: NetworkId,
        /// The low byte of the pad's frame counter.
        counter: u8,
        /// The pad.
        pad: PadId,
        /// Which of the pad's associations this is.
        association: AssociationNumber,
    },
    /// A pad asks whether a base is there.
    Hello {
        /// The network.
        network: NetworkId,
        /// The pad's wire version.
        version: u8,
        /// Of the pad's club.
        check: KeyCheck,
        /// The pad.
        pad: PadId,
        /// Never the same twice.
        salt: [u8; 8],
    },
    /// The base does not know the pad (yet, or any more) and says what new keys depend on.
    Stranger {
        /// The wire version.
        wire: Version,
        /// The pad.
        address: Address,
        /// The network.
        network: NetworkId,
        /// The oldest wire version that the base understands.
        version_min: u8,
        /// Of the base's club.
        check: KeyCheck,
        /// Drawn by the base when it started.
        base: BaseNonce,
        /// The pad's next association must have a higher number.
        floor: AssociationNumber,
        /// The slot of the next cycle in which the pad should call.
        slot: u8,
        /// When the frame began.
        phase: Phase,
    },
}

const DATA: u8 = 0;
const OPEN: u8 = 1;
const HELLO: u8 = 2;
const STRANGER: u8 = 3;
const DOWN: u8 = 0x10;
/// Set in every frame of version 2 but the hello, which says its version itself.
const SECOND: u8 = 0x80;

impl Header {
    /// The pad that the frame is from or for.
    pub fn address(&self) -> Address {
        match *self {
            Self::Call { address, .. }
            | Self::Answer { address, .. }
            | Self::Stranger { address, .. } => address,
            Self::Open { pad, .. } | Self::Hello { pad, .. } => pad.into(),
        }
    }

    /// The network.
    pub const fn network(&self) -> NetworkId {
        match *self {
            Self::Call { network, .. }
            | Self::Answer { network, .. }
            | Self::Open { network, .. }
            | Self::Hello { network, .. }
            | Self::Stranger { network, .. } => network,
        }
    }

    /// Who speaks.
    pub const fn direction(&self) -> Direction {
        match *self {
            Self::Call { .. } | Self::Open { .. } | Self::Hello { .. } => Direction::Up,
            Self::Answer { .. } | Self::Stranger { .. } => Direction::Down,
        }
    }

    /// When the base began this frame, if it is the base's.
    pub const fn phase(&self) -> Option<Phase> {
        match *self {
            Self::Answer { phase, .. } | Self::Stranger { phase, .. } => Some(phase),
            Self::Call { .. } | Self::Open { .. } | Self::Hello { .. } => None,
        }
    }

    /// Kind, direction and version, as in the first byte and in nonces.
    pub(crate) const fn kind(&self) -> u8 {
        let (kind, wire) = match *self {
            Self::Call { wire, .. } => (DATA << 5, wire),
            Self::Answer { wire, .. } => (DATA << 5 | DOWN, wire),
            Self::Open { wire, .. } => (OPEN << 5, wire),
            Self::Hello { .. } => (HELLO << 5, Version::One),
            Self::Stranger { wire, .. } => (STRANGER << 5 | DOWN, wire),
        };
        match wire {
            Version::One => kind,
            Version::Two => kind | SECOND,
        }
    }

    /// The bytes.
    pub fn encode(&self) -> Vec<u8, HEADER_LEN_MAX> {
        let mut bytes = Vec::new();
        let [low, high] = self.address().0.to_le_bytes();
        push(&mut bytes, &[self.kind() | high, low, self.network().get()]);
        match *self {
            Self::Call { counter, .. } => push(&mut bytes, &counter.to_le_bytes()),
            Self::Answer { counter, phase, .. } => push(&mut bytes, &[counter, phase.0]),
            Self::Open {
                wire,
                counter,
                pad,
                association,
                ..
            } => {
                push(&mut bytes, &[counter]);
                push(&mut bytes, &pad.get().to_le_bytes());
                push_association(&mut bytes, wire, association);
            }
            Self::Hello {
                version,
                check,
                pad,
                salt,
                ..
            } => {
                push(&mut bytes, &[version]);
                push(&mut bytes, &check.0);
                push(&mut bytes, &pad.get().to_le_bytes());
                push(&mut bytes, &salt);
            }
            Self::Stranger {
                wire,
                version_min,
                check,
                base,
                floor,
                slot,
                phase,
                ..
            } => {
                push(&mut bytes, &[version_min]);
                push(&mut bytes, &check.0);
                push(&mut bytes, &base.0);
                push_association(&mut bytes, wire, floor);
                push(&mut bytes, &[slot, phase.0]);
            }
        }
        bytes
    }

    /// The header at the front of a frame, and what follows it.
    pub fn decode(body: &[u8]) -> Option<(Self, &[u8])> {
        let mut reader = Reader(body);
        let [first, low, network] = reader.take()?;
        let address = Address(u16::from_le_bytes([low, first & 0xF]));
        let network = NetworkId::new(network);
        let wire = match first & SECOND {
            0 => Version::One,
            _ => Version::Two,
        };
        let header = match (first >> 5 & 3, first & DOWN != 0) {
            (DATA, false) => Self::Call {
                wire,
                address,
                network,
                counter: u16::from_le_bytes(reader.take()?),
            },
            (DATA, true) => Self::Answer {
                wire,
                address,
                network,
                counter: reader.byte()?,
                phase: Phase(reader.byte()?),
            },
            (OPEN, false) => Self::Open {
                wire,
                network,
                counter: reader.byte()?,
                pad: reader.pad()?,
                association: reader.association(wire)?,
            },
            (HELLO, false) if wire == Version::One => Self::Hello {
                network,
                version: reader.byte()?,
                check: KeyCheck(reader.take()?),
                pad: reader.pad()?,
                salt: reader.take()?,
            },
            (STRANGER, true) => Self::Stranger {
                wire,
                address,
                network,
                version_min: reader.byte()?,
                check: KeyCheck(reader.take()?),
                base: BaseNonce(reader.take()?),
                floor: reader.association(wire)?,
                slot: reader.byte()?,
                phase: Phase(reader.byte()?),
            },
            _ => return None,
        };
        (header.address() == address).then_some((header, reader.0))
    }
}

/// Every header fits: the longest is [`HEADER_LEN_MAX`].
fn push(bytes: &mut Vec<u8, HEADER_LEN_MAX>, more: &[u8]) {
    let _ = bytes.extend_from_slice(more);
}

fn push_association(bytes: &mut Vec<u8, HEADER_LEN_MAX>, wire: Version, number: AssociationNumber) {
    match wire {
        Version::One => push(bytes, &number.low_bytes()),
        Version::Two => push(bytes, &number.bytes()),
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take().map(|[byte]| byte)
    }

    fn association(&mut self, wire: Version) -> Option<AssociationNumber> {
        Some(AssociationNumber(match wire {
            Version::One => u16::from_le_bytes(self.take()?).into(),
            Version::Two => u32::from_le_bytes(self.take()?),
        }))
    }

    fn pad(&mut self) -> Option<PadId> {
        PadId::new(u32::from_le_bytes(self.take()?))
    }
}
