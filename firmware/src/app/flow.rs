//! Where the players are. A plain value; what was typed lives in it.

use protocol::message::RefusalReason;
use protocol::words::{
    BoardNumber, BoardResult, Percentage, RoundNumber, Seat, SectionLetter, TableNumber,
};

use super::Digits;
use super::typing::Typing;
use crate::{Key, Picture, ScreenId};

/// How a table is claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Players sit down.
    LogOn,
    /// The director puts this pad in the place of another.
    Replace,
    /// The director brings back a lost game.
    Recover,
}

/// A result that East is asked to accept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draft {
    /// The round the board belongs to.
    pub round: RoundNumber,
    /// The board.
    pub board: BoardNumber,
    /// What became of it.
    pub result: BoardResult,
    /// The director enters it.
    pub by_director: bool,
}

/// An adjusted score while it is being typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adjusting {
    /// The round the board belongs to.
    pub round: RoundNumber,
    /// The board.
    pub board: BoardNumber,
    /// North-South's percentage, once it is complete.
    pub ns: Option<Percentage>,
    /// The whole percents being typed.
    pub whole: Digits,
    /// The decimals, once the point was typed.
    pub decimals: Option<Digits>,
}

/// What the director's PIN opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behind {
    /// The menu.
    Menu,
    /// The question whether this board may be entered.
    AllowBoard(BoardNumber),
    /// The question whether what an earlier session left may be forgotten.
    ForgetOld,
}

/// Where the players are.
///
/// The first group is the evening in its order; then what lies over it for a moment; then the
/// director's menu. NEXT names the usual successor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// No game. NEXT: `Section`.
    Start,
    /// NEXT: `Table`.
    Section {
        /// What for.
        claim: Claim,
        /// Chosen with the arrows; letters are taken at once.
        letter: SectionLetter,
    },
    /// NEXT: `LoggingOn`.
    Table {
        /// What for.
        claim: Claim,
        /// In this section.
        section: SectionLetter,
        /// What was typed.
        typed: Digits,
    },
    /// Asking the base. NEXT: `Players`, or `LogOnRefused`.
    LoggingOn {
        /// What for.
        claim: Claim,
        /// In this section.
        section: SectionLetter,
        /// This table.
        table: TableNumber,
    },
    /// The base said no (`None`: it said nothing). NEXT: `LoggingOn` again, or `Section`.
    LogOnRefused {
        /// What for.
        claim: Claim,
        /// In this section.
        section: SectionLetter,
        /// This table.
        table: TableNumber,
        /// Why.
        reason: Option<RefusalReason>,
    },
    /// The base gave a table in a new session, but results of an earlier one were never
    /// received. NEXT: `Players`, once the director says so.
    OldResults,
    /// NEXT: the next seat, then `RoundStart`.
    Players {
        /// Whose number.
        seat: Seat,
        /// What was typed.
        typed: Digits,
    },
    /// The club does not know these numbers: are they right? NEXT: `Players` again, or where the
    /// players were.
    UnknownPlayers {
        /// By seat from North clockwise.
        seats: [bool; 4],
    },
    /// Who sits here, which boards: is this you? NEXT: `PairTyped`, `ChoosePin`, `SitOut`,
    /// `BoardTyped` or `Entry`.
    RoundStart,
    /// "No" at the beginning of the evening: this is not our table. NEXT: `Start`.
    WrongTable,
    /// East-West type their pair number.
    PairTyped {
        /// What was typed.
        typed: Digits,
    },
    /// East-West choose what they accept with.
    ChoosePin {
        /// What was typed.
        typed: Digits,
    },
    /// Nobody to play against. NEXT: `RoundEnd`.
    SitOut,
    /// The players type the board number. NEXT: `Entry`, or `OutOfRange`.
    BoardTyped {
        /// What was typed.
        typed: Digits,
    },
    /// Contract, declarer, lead, tricks. NEXT: `Check`.
    Entry(Typing),
    /// East reads it. NEXT: `Entry` of the next board, or `RoundEnd`.
    Check {
        /// What East accepts.
        draft: Draft,
        /// Where BACK goes.
        typing: Option<Typing>,
    },
    /// East proves to be East.
    AcceptPin {
        /// What East accepts.
        draft: Draft,
        /// Where BACK goes.
        typing: Option<Typing>,
        /// What was typed.
        typed: Digits,
    },
    /// All boards of the round; one can be chosen, or a number typed.
    RoundSummary {
        /// The chosen line.
        cursor: u8,
        /// What was typed.
        typed: Digits,
    },
    /// This board is not on the sheet: the director decides. NEXT: `Entry`, if the answer is yes.
    OutOfRange {
        /// Which.
        board: BoardNumber,
        /// Why not, once it is known; until then the table waits.
        refused: Option<RefusalReason>,
    },
    /// All boards have a result: who goes where. NEXT: `RoundStart`, or `SessionEnd`.
    RoundEnd,
    /// What the match came to: North-South accept it, then East-West. NEXT: `RoundEnd`.
    Slip {
        /// First line shown.
        top: u8,
        /// North-South have accepted it.
        ns: bool,
    },
    /// The session is over.
    SessionEnd,
    /// Another pad has the table.
    Replaced,

    /// Results of a board.
    Traveller {
        /// Which.
        board: BoardNumber,
        /// First line shown.
        top: u8,
    },
    /// The cards of a board.
    HandRecord {
        /// Which.
        board: BoardNumber,
    },
    /// Double-dummy tricks and par.
    Par {
        /// Which.
        board: BoardNumber,
    },
    /// The standing.
    Ranking {
        /// First line shown.
        top: u8,
    },
    /// Shall the director come?
    CallDirector,
    /// The director says something.
    Notice,
    /// The base refused an entry for good.
    EntryRefused {
        /// Which board.
        board: BoardNumber,
        /// Why.
        reason: RefusalReason,
    },

    /// Who are you?
    DirectorPin {
        /// What was typed.
        typed: Digits,
        /// What it opens.
        behind: Behind,
    },
    /// What shall it be?
    Menu {
        /// The chosen line.
        cursor: u8,
    },
    /// Session, table, round, what is unsent.
    CurrentGame,
    /// Every board so far.
    Results {
        /// The chosen line.
        cursor: u8,
    },
    /// One board: replace or adjust.
    ResultDetail {
        /// The round the board belongs to.
        round: RoundNumber,
        /// The board.
        board: BoardNumber,
        /// Where the list stood.
        cursor: u8,
    },
    /// Two percentages.
    Adjust(Adjusting),
    /// Let this board be entered here?
    AllowBoard {
        /// Which; typed.
        typed: Digits,
    },
    /// Send everything again?
    ResendConfirm,
    /// Bring back the game that was put away?
    RecoverConfirm,
    /// Put this game away?
    NewGameConfirm,
    /// Forget what an earlier session left, and take the new table?
    ForgetOld,
    /// Network, then channel.
    Radio {
        /// The network, once it is typed.
        network: Option<u8>,
        /// What was typed.
        typed: Digits,
    },
    /// 64 hexadecimal digits.
    ClubKey {
        /// What was typed, two digits a byte.
        typed: [u8; 32],
        /// How many digits.
        len: u8,
    },
    /// Versions, battery, radio.
    Service,
    /// Restart the pad?
    RestartConfirm,

    /// The factory looks at the pad, by cable.
    Test {
        /// What the glass shows; keys are asked for where nothing is.
        picture: Option<Picture>,
        /// The key that was pressed last.
        key: Option<Key>,
    },
}

impl Flow {
    /// The screen that shows it.
    pub const fn screen_id(&self) -> ScreenId {
        match self {
            Self::Start => ScreenId::Start,
            Self::Section { .. } => ScreenId::Section,
            Self::Table { .. } => ScreenId::Table,
            Self::LoggingOn { .. } => ScreenId::LoggingOn,
            Self::LogOnRefused { .. } => ScreenId::LogOnRefused,
            Self::OldResults => ScreenId::OldResults,
            Self::Players { .. } => ScreenId::Players,
            Self::UnknownPlayers { .. } => ScreenId::UnknownPlayers,
            Self::RoundStart => ScreenId::RoundStart,
            Self::WrongTable => ScreenId::WrongTable,
            Self::PairTyped { .. } => ScreenId::PairTyped,
            Self::ChoosePin { .. } => ScreenId::ChoosePin,
            Self::SitOut => ScreenId::SitOut,
            Self::BoardTyped { .. } => ScreenId::BoardTyped,
            Self::Entry(_) => ScreenId::Entry,
            Self::Check { .. } => ScreenId::Check,
            Self::AcceptPin { .. } => ScreenId::AcceptPin,
            Self::RoundSummary { .. } => ScreenId::RoundSummary,
            Self::OutOfRange { .. } => ScreenId::OutOfRange,
            Self::RoundEnd => ScreenId::RoundEnd,
            Self::Slip { .. } => ScreenId::Slip,
            Self::SessionEnd => ScreenId::SessionEnd,
            Self::Replaced => ScreenId::Replaced,
            Self::Traveller { .. } => ScreenId::Traveller,
            Self::HandRecord { .. } => ScreenId::HandRecord,
            Self::Par { .. } => ScreenId::Par,
            Self::Ranking { .. } => ScreenId::Ranking,
            Self::CallDirector => ScreenId::CallDirector,
            Self::Notice => ScreenId::Notice,
            Self::EntryRefused { .. } => ScreenId::EntryRefused,
            Self::DirectorPin { .. } => ScreenId::DirectorPin,
            Self::Menu { .. } => ScreenId::Menu,
            Self::CurrentGame => ScreenId::CurrentGame,
            Self::Results { .. } => ScreenId::Results,
            Self::ResultDetail { .. } => ScreenId::ResultDetail,
            Self::Adjust(_) => ScreenId::Adjust,
            Self::AllowBoard { .. } => ScreenId::AllowBoard,
            Self::ResendConfirm => ScreenId::ResendConfirm,
            Self::RecoverConfirm => ScreenId::RecoverConfirm,
            Self::NewGameConfirm => ScreenId::NewGameConfirm,
            Self::ForgetOld => ScreenId::ForgetOld,
            Self::Radio { .. } => ScreenId::Radio,
            Self::ClubKey { .. } => ScreenId::ClubKey,
            Self::Service => ScreenId::Service,
            Self::RestartConfirm => ScreenId::RestartConfirm,
            Self::Test { .. } => ScreenId::Test,
        }
    }

    /// Whether it belongs to the director: nobody is left alone in it, it closes by itself.
    pub const fn is_directors(&self) -> bool {
        match self {
            Self::DirectorPin { .. }
            | Self::Menu { .. }
            | Self::CurrentGame
            | Self::Results { .. }
            | Self::ResultDetail { .. }
            | Self::Adjust(_)
            | Self::AllowBoard { .. }
            | Self::ResendConfirm
            | Self::RecoverConfirm
            | Self::NewGameConfirm
            | Self::ForgetOld
            | Self::Radio { .. }
            | Self::ClubKey { .. }
            | Self::Service
            | Self::RestartConfirm => true,
            Self::Section { claim, .. } | Self::Table { claim, .. } => {
                matches!(claim, Claim::Replace | Claim::Recover)
            }
            Self::Entry(typing) => typing.by_director,
            Self::Check { draft, .. } => draft.by_director,
            _ => false,
        }
    }

    /// Whether it lies over the evening for a moment and gives way to where the players were.
    pub const fn is_over(&self) -> bool {
        self.is_directors()
            || matches!(
                self,
                Self::Traveller { .. }
                    | Self::HandRecord { .. }
                    | Self::Par { .. }
                    | Self::Ranking { .. }
                    | Self::CallDirector
                    | Self::Notice
                    | Self::UnknownPlayers { .. }
                    | Self::EntryRefused { .. }
                    | Self::Test { .. }
            )
    }
}
