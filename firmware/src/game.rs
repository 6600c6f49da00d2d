//! The game the pad is logged on to, as far as it is not on the score sheet.

use heapless::Vec;
use protocol::message::{EntryNumber, Name, PairNames, Pin, Players, RoundSheet, Welcome};
use protocol::words::{
    BoardNumber, Epoch, PairNumber, RoundNumber, SectionLetter, SessionId, TableNumber,
};
use serde::{Deserialize, Serialize};

/// Rounds of a schedule that a pad keeps: a complete Howell of twenty tables has 39.
pub const ROUNDS_MAX: usize = 40;

/// Boards outside the sheet that the director can allow in one round.
pub(crate) const ALLOWED_MAX: usize = 8;

/// Which game a record belongs to. A pad can hold two tables in one evening, as a replacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameTag {
    /// The session.
    pub session: SessionId,
    /// The section.
    pub section: SectionLetter,
    /// The table.
    pub table: TableNumber,
}

impl GameTag {
    /// Of no game.
    pub const NONE: Self = Self {
        session: SessionId::MIN,
        section: SectionLetter::A,
        table: TableNumber::MIN,
    };
}

/// Session, table and epoch: who the pad is tonight.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Game {
    /// Session, section and table.
    pub tag: GameTag,
    /// This pad's epoch at the table.
    pub epoch: Epoch,
    /// The event's name.
    pub event: Name,
    /// How many rounds there are.
    pub rounds_total: RoundNumber,
    /// The number of the pad's next entry, unless the sheet already has a higher one.
    pub next_entry: EntryNumber,
    /// What has become of it.
    pub stage: Stage,
}

/// What has become of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// It is being played.
    Playing,
    /// New Game was pressed. It can be recovered until the next log-on is confirmed.
    PutAway,
    /// Another pad has the table.
    Replaced,
    /// The session is over.
    Over,
}

impl From<&Welcome> for Game {
    fn from(welcome: &Welcome) -> Self {
        Self {
            tag: GameTag {
                session: welcome.session,
                section: welcome.section,
                table: welcome.table,
            },
            epoch: welcome.epoch,
            event: welcome.event.clone(),
            rounds_total: welcome.rounds_total,
            next_entry: welcome.next_entry,
            stage: Stage::Playing,
        }
    }
}

/// Where the table is in its evening, as far as the sheet does not say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Progress {
    /// Of this game.
    pub(crate) tag: GameTag,
    /// The round being played.
    pub(crate) round: RoundNumber,
    /// The pairs have said that they sit here.
    pub(crate) confirmed: bool,
    /// North-South as the players say; as on the sheet until they say otherwise.
    pub(crate) ns: Option<PairNumber>,
    /// East-West as the players say.
    pub(crate) ew: Option<PairNumber>,
    /// What East accepts with, where the club wants it.
    pub(crate) ew_pin: Option<Pin>,
    /// A board that the players chose over the proposed one.
    pub(crate) board: Option<BoardNumber>,
    /// Boards outside the sheet that the director allowed in this round.
    pub(crate) allowed: Vec<BoardNumber, ALLOWED_MAX>,
}

impl Progress {
    /// The beginning of a round.
    pub(crate) fn of_round(tag: GameTag, round: RoundNumber, sheet: Option<&RoundSheet>) -> Self {
        Self {
            tag,
            round,
            confirmed: false,
            ns: sheet.and_then(|sheet| sheet.ns),
            ew: sheet.and_then(|sheet| sheet.ew),
            ew_pin: None,
            board: None,
            allowed: Vec::new(),
        }
    }
}

/// A round of the schedule as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredRound {
    /// Of this game.
    pub(crate) tag: GameTag,
    /// The round.
    pub(crate) sheet: RoundSheet,
}

/// Names as they are stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredNames {
    /// Of this game.
    pub(crate) tag: GameTag,
    /// Who sits here.
    pub(crate) names: PairNames,
}

/// Player numbers as they are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredPlayers {
    /// Of this game.
    pub(crate) tag: GameTag,
    /// What was typed.
    pub(crate) players: Players,
    /// The base has them.
    pub(crate) delivered: bool,
}

/// The rounds of this table, by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Schedule([Option<RoundSheet>; ROUNDS_MAX]);

impl Schedule {
    /// Nothing known yet.
    pub(crate) const EMPTY: Self = Self([None; ROUNDS_MAX]);

    /// A round.
    pub(crate) fn round(&self, round: RoundNumber) -> Option<&RoundSheet> {
        self.0.get(index(round))?.as_ref()
    }

    /// Replaces a round; says where it is stored, if it differs from what was known.
    pub(crate) fn put(&mut self, sheet: RoundSheet) -> Option<u8> {
        let slot = self.0.get_mut(index(sheet.round))?;
        if *slot == Some(sheet) {
            return None;
        }
        *slot = Some(sheet);
        u8::try_from(index(sheet.round)).ok()
    }

    /// What is stored at a place.
    pub(crate) fn slot(&self, slot: u8) -> Option<&RoundSheet> {
        self.0.get(usize::from(slot))?.as_ref()
    }
}

fn index(round: RoundNumber) -> usize {
    usize::from(round.get()) - 1
}

/// The boards of a round in the order of their numbers.
pub(crate) fn boards(sheet: &RoundSheet) -> impl Iterator<Item = BoardNumber> + use<> {
    let first = sheet.first_board.get();
    (0..sheet.boards).filter_map(move |offset| BoardNumber::new(first.checked_add(offset)?))
}
