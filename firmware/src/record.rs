//! What the pad keeps in flash: named records, each written whole.
//!
//! Records of a game carry its session. A record of another session than the game's is as good
//! as erased, so that taking over a new session is one write, and a power cut leaves the old
//! game or the new one, never a mixture.

/// The longest record in bytes: four names of 24 letters with their lengths, round and session.
pub const RECORD_LEN_MAX: usize = 128;

/// Which record. The numbers are those in flash: never reuse one for something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKey {
    /// Session, table, epoch.
    Game,
    /// How the club plays.
    Settings,
    /// Round, chosen board, confirmed pairs.
    Progress,
    /// Names at the table.
    Names,
    /// Player numbers that were typed.
    Players,
    /// Network and channel.
    Radio,
    /// The club's key.
    ClubKey,
    /// How many frames may have been sealed with the key: owned by the link's shell.
    Counter,
    /// How often somebody guessed at the director's number.
    Guesses,
    /// The number on the pad's sticker.
    Badge,
    /// A slot of the score sheet.
    Line(u8),
    /// A round of the schedule, counted from 0.
    Round(u8),
}

const LINE_FIRST: u8 = 16;
const ROUND_FIRST: u8 = 128;

impl RecordKey {
    /// The number in flash.
    pub const fn number(self) -> u8 {
        match self {
            Self::Game => 0,
            Self::Settings => 1,
            Self::Progress => 2,
            Self::Names => 3,
            Self::Players => 4,
            Self::Radio => 5,
            Self::ClubKey => 6,
            Self::Counter => 7,
            Self::Guesses => 8,
            Self::Badge => 9,
            Self::Line(slot) => LINE_FIRST.saturating_add(slot),
            Self::Round(round) => ROUND_FIRST.saturating_add(round),
        }
    }

    /// All records in the order in which they are read after a restart: the game first, because
    /// it says to which game the others must belong.
    pub fn in_order() -> impl Iterator<Item = Self> {
        (0..=u8::MAX).filter_map(Self::from_number)
    }

    /// The record of a number in flash; `None` for numbers of a later firmware.
    pub fn from_number(number: u8) -> Option<Self> {
        Some(match number {
            0 => Self::Game,
            1 => Self::Settings,
            2 => Self::Progress,
            3 => Self::Names,
            4 => Self::Players,
            5 => Self::Radio,
            6 => Self::ClubKey,
            7 => Self::Counter,
            8 => Self::Guesses,
            9 => Self::Badge,
            LINE_FIRST..ROUND_FIRST if usize::from(number - LINE_FIRST) < crate::LINES_MAX => {
                Self::Line(number - LINE_FIRST)
            }
            ROUND_FIRST.. if usize::from(number - ROUND_FIRST) < crate::ROUNDS_MAX => {
                Self::Round(number - ROUND_FIRST)
            }
            _ => return None,
        })
    }
}

/// A set of records: what has to be written before anything is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordSet([u32; 8]);

impl RecordSet {
    /// Nothing.
    pub const EMPTY: Self = Self([0; 8]);

    /// Adds a record.
    pub fn insert(&mut self, key: RecordKey) {
        let number = key.number();
        if let Some(word) = self.0.get_mut(usize::from(number / 32)) {
            *word |= 1 << (number % 32);
        }
    }

    /// Adds all of another set.
    pub fn extend(&mut self, other: Self) {
        for (word, more) in self.0.iter_mut().zip(other.0) {
            *word |= more;
        }
    }

    /// Whether it is in the set.
    pub fn contains(&self, key: RecordKey) -> bool {
        let number = key.number();
        self.0
            .get(usize::from(number / 32))
            .is_some_and(|word| word >> (number % 32) & 1 == 1)
    }

    /// Whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 8]
    }

    /// The records in the order in which they are to be written: the game last, because the
    /// other records of a new session count only once it says so.
    pub fn iter(self) -> impl Iterator<Item = RecordKey> {
        (1..=u8::MAX)
            .chain([0])
            .filter_map(RecordKey::from_number)
            .filter(move |&key| self.contains(key))
    }
}
