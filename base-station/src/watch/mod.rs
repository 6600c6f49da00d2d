//! The one watch: everything that needs the director, as values.
//!
//! A [`Warning`] has a name for as long as its cause lasts ([`WarningId`]), a [`Cause`] with all its
//! parts, the [`Offer`]s of what can be done, each with what the base does then, and a life: it is
//! raised, it may be settled by an answer, and it is gone when its cause is. Nothing here is stored;
//! the answers are, as events, so that after a restart the same warnings are settled.
//!
//! The session knows of pads, missing boards and questions ([`own`]); the checks find the rest in
//! the results ([`Watchful`] looks only at what is new). Words are made of it in `view`.

mod follow;
mod offers;
mod own;
mod room;
mod settle;

use protocol::words::{
    BoardNumber, BoardResult, PadId, PairNumber, PlayerNumber, RoundNumber, TableNumber,
};

use crate::checks::{Attention, CheckSettings, Finding, Kind, What};
use crate::session::{
    Cell, MatchFinding, Moment, PairId, Presence, Session, Settled, State, TableId, WarningId,
};

pub use follow::Watchful;
pub use offers::{Answer, Offer};
pub use room::deals;
pub use settle::{NotOffered, Settlement};

/// Something that needs the director.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// The same all evening.
    pub id: WarningId,
    /// What is the matter.
    pub cause: Cause,
    /// What can be done, the likeliest first.
    pub offers: Vec<Offer>,
    /// How loudly it speaks.
    pub attention: Attention,
    /// How far it has come.
    pub life: Life,
}

/// How far a warning has come. When its cause is gone, so is the warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Life {
    /// It waits for the director.
    Raised,
    /// The director has dealt with it.
    Settled(Settled),
}

/// What is the matter.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause {
    /// A pad wants to replace one that works.
    ReplaceAsked {
        /// The table.
        table: TableId,
        /// The pad that asks.
        pad: PadId,
    },
    /// So many boards of a table are missing that its pad should be replaced.
    ReplaceAdvised {
        /// The table.
        table: TableId,
        /// The boards.
        boards: Vec<BoardNumber>,
    },
    /// A pad has not been heard.
    PadSilent {
        /// Its table.
        table: TableId,
        /// For so long.
        minutes: u64,
        /// Results that it still had to send.
        unsent: u8,
    },
    /// A board's time is over and it is not in.
    BoardMissing(Cell),
    /// A pad was replaced and may have held these.
    LostWithPad {
        /// The table.
        table: TableId,
        /// The round.
        round: RoundNumber,
        /// The boards.
        boards: Vec<BoardNumber>,
    },
    /// A replaced or late pad still held a result.
    EntryKept {
        /// The line it is for.
        cell: Cell,
        /// The result.
        result: BoardResult,
        /// Why it did not count.
        why: KeptBecause,
    },
    /// A table wants to enter a board that is not on its sheet.
    BoardWanted(Cell),
    /// The players say they are other pairs than the movement says.
    OtherPairs {
        /// The table.
        table: TableId,
        /// The round.
        round: RoundNumber,
        /// Who they say they are, North-South first.
        said: [Option<PairNumber>; 2],
        /// Who the movement says.
        planned: [Option<PairNumber>; 2],
    },
    /// Several pairs have a player of the same number.
    SamePlayer {
        /// The number.
        number: PlayerNumber,
        /// The name in the club's list.
        name: Option<String>,
        /// The pairs.
        pairs: Vec<PairId>,
    },
    /// A pad's cells need changing.
    BatteryLow {
        /// Its table.
        table: TableId,
    },
    /// A match looks wrong.
    InMatch(MatchFinding),
    /// A check has found it.
    Found(Finding),
}

/// Why an entry did not count by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeptBecause {
    /// Another pad has taken over.
    Replaced,
    /// The round was over.
    RoundOver,
    /// The board is not on the table's sheet.
    NotOnSheet,
    /// Something else.
    Otherwise,
}

/// Where a warning is, as far as it is anywhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Whereabouts {
    /// The table.
    pub table: Option<TableId>,
    /// The round.
    pub round: Option<RoundNumber>,
    /// The board.
    pub board: Option<BoardNumber>,
}

impl Warning {
    /// Whether the director has dealt with it.
    pub const fn is_settled(&self) -> bool {
        matches!(self.life, Life::Settled(_))
    }
}

impl Cause {
    /// Where it is.
    pub fn place(&self) -> Whereabouts {
        let at = |table| Whereabouts {
            table: Some(table),
            ..Whereabouts::default()
        };
        let in_round = |table, round| Whereabouts {
            round: Some(round),
            ..at(table)
        };
        let line = |cell: &Cell| Whereabouts {
            board: Some(cell.board),
            ..in_round(cell.table_id(), cell.round)
        };
        match self {
            Self::ReplaceAsked { table, .. }
            | Self::ReplaceAdvised { table, .. }
            | Self::PadSilent { table, .. }
            | Self::BatteryLow { table } => at(*table),
            Self::BoardMissing(cell) | Self::BoardWanted(cell) | Self::EntryKept { cell, .. } => {
                line(cell)
            }
            Self::LostWithPad { table, round, .. } | Self::OtherPairs { table, round, .. } => {
                in_round(*table, *round)
            }
            Self::InMatch(finding) => line(&finding.cell()),
            Self::SamePlayer { .. } => Whereabouts::default(),
            Self::Found(finding) => {
                let section = finding.id.section;
                let table = |table| TableId { section, table };
                Whereabouts {
                    table: finding.id.table.map(table),
                    round: finding.id.round,
                    board: finding.id.board,
                }
            }
        }
    }

    /// Whether nothing in it tells of a card, a contract or a score.
    pub const fn says_nothing_of_cards(&self) -> bool {
        match self {
            Self::ReplaceAdvised { .. }
            | Self::PadSilent { .. }
            | Self::BoardMissing(_)
            | Self::LostWithPad { .. }
            | Self::BatteryLow { .. } => true,
            Self::ReplaceAsked { .. }
            | Self::EntryKept { .. }
            | Self::BoardWanted(_)
            | Self::OtherPairs { .. }
            | Self::SamePlayer { .. }
            | Self::InMatch(_)
            | Self::Found(_) => false,
        }
    }
}

/// Everything that needs the director now, looked at anew in every respect.
pub fn warnings(state: &State, presence: &Presence, now: Moment) -> Vec<Warning> {
    Watchful::default().warnings(state, presence, now)
}

impl Watchful {
    /// Everything that needs the director now. What the checks have looked at before is looked at
    /// again only where it differs.
    pub fn warnings(&mut self, state: &State, presence: &Presence, now: Moment) -> Vec<Warning> {
        let Some(session) = &state.session else {
            self.rest();
            return Vec::new();
        };
        let settings = &state.club.checks;
        self.look(session, settings);
        let found = self.found(session, settings);
        let mut raised = own::raised(state, session, presence, now);
        raised.extend(own::other_pairs(session, &found));
        raised.extend(own::in_matches(session, &found));
        raised.extend(found.into_iter().map(|found| {
            let id = WarningId::Found(found.finding.id);
            (id, Cause::Found(found.finding), found.offers)
        }));
        raised
            .into_iter()
            .filter_map(|(id, cause, offers)| {
                let attention = heeded(&id, settings)?;
                let settled = session.answers.get(&id).cloned();
                Some(Warning {
                    life: settled.map_or(Life::Raised, Life::Settled),
                    id,
                    cause,
                    offers,
                    attention,
                })
            })
            .collect()
    }
}

/// How loudly a warning speaks; `None` if the director does not want to hear of such. A table that
/// asks for a board is always heard.
fn heeded(id: &WarningId, settings: &CheckSettings) -> Option<Attention> {
    let attention = id.check().map_or(Attention::On, |kind| settings.of(kind));
    let waits = matches!(id, WarningId::BoardWanted(_));
    (attention != Attention::Off || waits).then_some(attention)
}

/// Whether a finding tells why other pairs than planned sit at this table.
fn explains_pairs(finding: &Finding, table: TableId, round: RoundNumber) -> bool {
    let here = |number: TableNumber| number == table.table;
    let id = finding.id;
    id.section == table.section
        && id.round == Some(round)
        && match &finding.what {
            What::MovementMistake { .. } => true,
            What::PadsSwapped { one, other } => here(*one) || here(*other),
            What::OtherPairs { .. } | What::ArrowSwitchMissed => id.table.is_some_and(here),
            What::LeadNotHeld { .. }
            | What::Written { .. }
            | What::WrongSide { .. }
            | What::TricksOfOtherSide { .. }
            | What::MissingDouble { .. }
            | What::NotPlayedWasPassedOut(_)
            | What::PassedOutWasNotPlayed { .. }
            | What::BoardNotHere { .. }
            | What::BoardTwice { .. }
            | What::PairPlayedAlready { .. }
            | What::BoardsExchanged { .. }
            | What::BoardsShifted { .. }
            | What::TableBehind { .. }
            | What::PairMissing { .. }
            | What::DealsDoNotFit { .. }
            | What::SignAlone { .. } => false,
        }
}

/// What a warning is about: one thing is told once, whoever finds it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Subject {
    /// The deal file is one for all sections.
    DealFile,
    /// A board that a table asks for: the table's own question tells of it.
    Asked(Cell),
    /// Nothing but itself.
    Own(crate::checks::FindingId),
}

impl Subject {
    fn of(session: &Session, finding: &Finding) -> Self {
        let id = finding.id;
        if id.kind == Kind::DealsDoNotFit {
            return Self::DealFile;
        }
        let asked = asked_for(finding).filter(|cell| session.wanted.contains_key(cell));
        asked.map_or(Self::Own(id), Self::Asked)
    }
}

/// The line of a board that a table should not have.
fn asked_for(finding: &Finding) -> Option<Cell> {
    let id = finding.id;
    let (Kind::BoardNotHere, Some(table), Some(round), Some(board)) =
        (id.kind, id.table, id.round, id.board)
    else {
        return None;
    };
    let section = id.section;
    Some(Cell::new(TableId { section, table }, round, board))
}
