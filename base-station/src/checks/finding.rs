//! What the watchful base finds: the check, the place, the cause and the remedies.

use std::fmt;

use protocol::words::{
    BoardNumber, Card, PairNumber, RoundNumber, Score, Seat, SectionLetter, TableNumber, Tricks,
};
use serde::{Deserialize, Serialize};

use super::doctor::Mistake;
use super::what::What;
use crate::movement::Movement;

/// Everything the base watches for. The order is that of the settings page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The opening lead is not in the leader's hand.
    LeadNotHeld,
    /// No contract gives the score that somebody wrote.
    ImpossibleScore,
    /// The score that somebody wrote is right for the other vulnerability.
    VulnerabilityError,
    /// The contract fits the other side.
    WrongSide,
    /// The tricks are those of the defenders.
    TricksOfOtherSide,
    /// The contract was surely doubled.
    MissingDouble,
    /// "Not played" where the board was passed out.
    NotPlayedWasPassedOut,
    /// "Passed out" where the board can't have been.
    PassedOutWasNotPlayed,
    /// A board that this table should not have in this round.
    BoardNotHere,
    /// A table has the same board twice.
    BoardTwice,
    /// A pair has played this board before, at another table.
    PairPlayedAlready,
    /// Two boards of a round were entered under each other's numbers.
    BoardsExchanged,
    /// All boards of a round were entered one or two numbers too high or too low.
    BoardsShifted,
    /// The table has moved on without this board.
    ScoreMissing,
    /// The table is a round behind the room.
    TableBehind,
    /// The pad has missed three check-ins.
    PadSilent,
    /// Two tables have each other's pads.
    PadsSwapped,
    /// East-West sit at the wrong table.
    EastWestElsewhere,
    /// The pairs sit the other way round.
    ArrowSwitchMissed,
    /// The whole room has moved otherwise than planned.
    MovementMistake,
    /// A result at a table where only one pair sits.
    PairMissing,
    /// The deal file is that of other boards.
    DealsDoNotFit,
    /// A score whose sign stands alone on its board.
    SignAlone,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 23] = [
        Self::LeadNotHeld,
        Self::ImpossibleScore,
        Self::VulnerabilityError,
        Self::WrongSide,
        Self::TricksOfOtherSide,
        Self::MissingDouble,
        Self::NotPlayedWasPassedOut,
        Self::PassedOutWasNotPlayed,
        Self::BoardNotHere,
        Self::BoardTwice,
        Self::PairPlayedAlready,
        Self::BoardsExchanged,
        Self::BoardsShifted,
        Self::ScoreMissing,
        Self::TableBehind,
        Self::PadSilent,
        Self::PadsSwapped,
        Self::EastWestElsewhere,
        Self::ArrowSwitchMissed,
        Self::MovementMistake,
        Self::PairMissing,
        Self::DealsDoNotFit,
        Self::SignAlone,
    ];

    /// The check of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.to_string() == name)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::LeadNotHeld => "lead-not-held",
            Self::ImpossibleScore => "impossible-score",
            Self::VulnerabilityError => "vulnerability-error",
            Self::WrongSide => "wrong-side",
            Self::TricksOfOtherSide => "tricks-of-other-side",
            Self::MissingDouble => "missing-double",
            Self::NotPlayedWasPassedOut => "not-played-was-passed-out",
            Self::PassedOutWasNotPlayed => "passed-out-was-not-played",
            Self::BoardNotHere => "board-not-here",
            Self::BoardTwice => "board-twice",
            Self::PairPlayedAlready => "pair-played-already",
            Self::BoardsExchanged => "boards-exchanged",
            Self::BoardsShifted => "boards-shifted",
            Self::ScoreMissing => "score-missing",
            Self::TableBehind => "table-behind",
            Self::PadSilent => "pad-silent",
            Self::PadsSwapped => "pads-swapped",
            Self::EastWestElsewhere => "east-west-elsewhere",
            Self::ArrowSwitchMissed => "arrow-switch-missed",
            Self::MovementMistake => "movement-mistake",
            Self::PairMissing => "pair-missing",
            Self::DealsDoNotFit => "deals-do-not-fit",
            Self::SignAlone => "sign-alone",
        })
    }
}

/// Names a finding for as long as its cause lasts: the same mistake at the same place is the
/// same finding, however often it is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FindingId {
    /// What.
    pub kind: Kind,
    /// In which section.
    pub section: SectionLetter,
    /// At which table; none where it is about the room.
    pub table: Option<TableNumber>,
    /// In which round.
    pub round: Option<RoundNumber>,
    /// On which board.
    pub board: Option<BoardNumber>,
}

/// One text for the journal and for addresses: `lead-not-held.A3.r2.b7`.
impl fmt::Display for FindingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.kind, self.section)?;
        if let Some(table) = self.table {
            write!(f, "{table}")?;
        }
        if let Some(round) = self.round {
            write!(f, ".r{round}")?;
        }
        if let Some(board) = self.board {
            write!(f, ".b{board}")?;
        }
        Ok(())
    }
}

/// How sure the base is, in percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Confidence(u8);

impl Confidence {
    /// It can't be otherwise.
    pub const CERTAIN: Self = Self(100);

    /// At most 100.
    pub const fn percent(percent: u8) -> Self {
        Self(if percent > 100 { 100 } else { percent })
    }

    /// From the natural logarithm of the odds.
    pub fn from_log_odds(log_odds: f64) -> Self {
        let share = 1.0 / (1.0 + (-log_odds).exp());
        // Clamped, so that the cast can't lose anything; and no inference is certain.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "clamped to 1 to 99"
        )]
        Self((share * 100.0).round().clamp(1.0, 99.0) as u8)
    }

    /// 0 to 100.
    pub const fn get(self) -> u8 {
        self.0
    }
}

/// Something that is probably wrong, and what can be done about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Its name.
    pub id: FindingId,
    /// What is wrong.
    pub what: What,
    /// How sure the base is of the first remedy.
    pub confidence: Confidence,
    /// What to do about it, the likeliest first. [`Remedy::ItIsRight`] is always the last.
    pub remedies: Vec<Remedy>,
}

/// What can be done about a finding.
#[derive(Clone, Debug, PartialEq)]
pub enum Remedy {
    /// Another player declared.
    ChangeDeclarer {
        /// Who.
        declarer: Seat,
    },
    /// Better no lead than a wrong one.
    LeaveLeadEmpty,
    /// The lead was a card that the leader does hold.
    ChangeLead {
        /// Which.
        lead: Card,
    },
    /// Declarer took as many tricks.
    ChangeTricks {
        /// How many.
        tricks: Tricks,
    },
    /// It was doubled.
    MakeDoubled,
    /// It was passed out.
    PassedOut,
    /// It was not played.
    NotPlayed,
    /// The score is what the contract gives on this board.
    UseScore {
        /// Which score.
        score: Score,
    },
    /// The result belongs to another board.
    MoveToBoard {
        /// Which.
        board: BoardNumber,
    },
    /// Two results of this round change places.
    ExchangeBoards {
        /// The other board.
        with: BoardNumber,
    },
    /// Every result of this round belongs to a board with a number this much higher.
    ShiftBoards {
        /// Added to each number entered.
        by: i8,
    },
    /// Let the table enter this board.
    AllowBoard {
        /// Which.
        board: BoardNumber,
    },
    /// The result is the copy of another one.
    TakeAway,
    /// The pads of two tables change places.
    SwapPads {
        /// The other table.
        with: TableNumber,
    },
    /// These pairs play here in this round.
    SeatPairs {
        /// North-South.
        ns: Option<PairNumber>,
        /// East-West.
        ew: Option<PairNumber>,
    },
    /// From this round on the movement is this one.
    ApplyMovement {
        /// The first round that changes.
        from: RoundNumber,
        /// The whole movement, to preview.
        movement: Box<Movement>,
    },
    /// Tell the room how to put its mistake right; nothing changes here.
    Tell {
        /// What it did.
        mistake: Mistake,
        /// The tables between which the bye-stand belongs.
        stand: Option<(TableNumber, TableNumber)>,
    },
    /// Go and look.
    Visit {
        /// Which table.
        table: TableNumber,
    },
    /// The deal file is taken off.
    TakeDealsOff,
    /// There is nothing wrong.
    ItIsRight,
}

impl Finding {
    /// About one line.
    pub(super) fn line(
        room: &super::Room,
        id: super::LineId,
        what: What,
        confidence: Confidence,
        remedies: Vec<Remedy>,
    ) -> Self {
        let place = (Some(id.table), Some(id.round), Some(id.board));
        Self::at(room, place, what, confidence, remedies)
    }

    /// About a table in a round.
    pub(super) fn table(
        room: &super::Room,
        (table, round): (TableNumber, RoundNumber),
        what: What,
        confidence: Confidence,
        remedies: Vec<Remedy>,
    ) -> Self {
        let place = (Some(table), Some(round), None);
        Self::at(room, place, what, confidence, remedies)
    }

    /// Anywhere.
    pub(super) fn at(
        room: &super::Room,
        (table, round, board): (
            Option<TableNumber>,
            Option<RoundNumber>,
            Option<BoardNumber>,
        ),
        what: What,
        confidence: Confidence,
        remedies: Vec<Remedy>,
    ) -> Self {
        let id = FindingId {
            kind: what.kind(),
            section: room.section,
            table,
            round,
            board,
        };
        Self {
            id,
            what,
            confidence,
            remedies,
        }
    }
}
