//! What a pad keeps in flash, as records, and back.

use postcard::{from_bytes, to_slice};
use protocol::frame::PadKeys;
use protocol::message::{PairNames, Settings};
use protocol::words::RoundNumber;
use serde::Serialize;

use super::number::Guesses;
use super::{Badge, Radio};
use crate::game::{Game, GameTag, Progress, Schedule, StoredNames, StoredPlayers, StoredRound};
use crate::{Line, RecordKey, Sheet};

/// What is in flash: a pad is this and nothing else after a power cut.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) game: Option<Game>,
    pub(super) settings: Settings,
    pub(super) schedule: Schedule,
    pub(super) sheet: Sheet,
    pub(super) progress: Progress,
    pub(super) names: Option<PairNames>,
    pub(super) players: Option<StoredPlayers>,
    pub(super) radio: Radio,
    pub(super) keys: Option<PadKeys>,
    pub(super) guesses: Guesses,
    /// The number on the sticker.
    pub(super) badge: Badge,
}

impl Kept {
    /// As a pad leaves the factory.
    pub(super) fn new() -> Self {
        Self {
            game: None,
            settings: Settings::CLUB_EVENING,
            schedule: Schedule::EMPTY,
            sheet: Sheet::new(),
            progress: Progress::of_round(GameTag::NONE, RoundNumber::FIRST, None),
            names: None,
            players: None,
            radio: Radio::FACTORY,
            keys: None,
            guesses: Guesses(0),
            badge: Badge::default(),
        }
    }

    /// The game that records belong to.
    pub(super) fn tag(&self) -> GameTag {
        self.game.as_ref().map_or(GameTag::NONE, |game| game.tag)
    }

    /// Writes a record into the buffer; `None` where there is nothing to store under this key.
    pub(super) fn encode<'a>(&self, key: RecordKey, buffer: &'a mut [u8]) -> Option<&'a [u8]> {
        match key {
            RecordKey::Game => bytes(self.game.as_ref()?, buffer),
            RecordKey::Settings => bytes(&self.settings, buffer),
            RecordKey::Progress => bytes(&self.progress, buffer),
            RecordKey::Names => {
                let names = self.names.clone()?;
                let tag = self.tag();
                bytes(&StoredNames { tag, names }, buffer)
            }
            RecordKey::Players => bytes(self.players.as_ref()?, buffer),
            RecordKey::Radio => bytes(&self.radio.record(), buffer),
            RecordKey::ClubKey => bytes(self.keys.as_ref()?, buffer),
            RecordKey::Counter => None,
            RecordKey::Guesses => bytes(&self.guesses.0, buffer),
            RecordKey::Badge => bytes(&self.badge, buffer),
            RecordKey::Line(slot) => bytes(self.sheet.slot(slot)?, buffer),
            RecordKey::Round(slot) => {
                let sheet = *self.schedule.slot(slot)?;
                let tag = self.tag();
                bytes(&StoredRound { tag, sheet }, buffer)
            }
        }
    }

    /// Takes a record back. The game comes first, then lines in ascending order: see
    /// [`RecordKey::in_order`]. What can't be read is left out: half a game is better than none.
    pub(super) fn restore(&mut self, key: RecordKey, record: &[u8]) {
        let tag = self.tag();
        match key {
            RecordKey::Game => self.game = from_bytes(record).ok(),
            RecordKey::Settings => {
                if let Ok(settings) = from_bytes(record) {
                    self.settings = settings;
                }
            }
            RecordKey::Progress => {
                let progress = from_bytes(record).ok();
                if let Some(progress) = progress.filter(|one: &Progress| one.tag == tag) {
                    self.progress = progress;
                }
            }
            RecordKey::Names => {
                let stored = from_bytes(record).ok();
                let stored = stored.filter(|one: &StoredNames| one.tag == tag);
                self.names = stored.map(|stored| stored.names);
            }
            RecordKey::Players => {
                let stored = from_bytes(record).ok();
                self.players = stored.filter(|one: &StoredPlayers| one.tag == tag);
            }
            RecordKey::Radio => self.radio = Radio::restored(record),
            RecordKey::ClubKey => self.keys = from_bytes(record).ok(),
            RecordKey::Counter => {}
            RecordKey::Guesses => {
                if let Ok(wrong) = from_bytes(record) {
                    self.guesses = Guesses(wrong);
                }
            }
            RecordKey::Badge => self.badge = from_bytes(record).unwrap_or_default(),
            RecordKey::Line(_) => {
                let line = from_bytes(record).ok();
                if let Some(line) = line.filter(|one: &Line| one.tag == tag) {
                    self.sheet.restore(line);
                }
            }
            RecordKey::Round(_) => {
                let round = from_bytes(record).ok();
                if let Some(round) = round.filter(|one: &StoredRound| one.tag == tag) {
                    self.schedule.put(round.sheet);
                }
            }
        }
    }
}

fn bytes<'a>(value: &impl Serialize, buffer: &'a mut [u8]) -> Option<&'a [u8]> {
    to_slice(value, buffer).ok().map(|record| &*record)
}
