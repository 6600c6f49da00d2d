//! What is probably wrong, with everything that there is to say of it. Words are made elsewhere.

use protocol::words::{
    BoardNumber, Card, Contract, PairNumber, RoundNumber, Score, Seat, Side, TableNumber, Tricks,
};

use super::doctor::Mistake;
use super::finding::Kind;
use super::room::PairsSeen;
use super::written::WrittenFault;
use crate::movement::{BoardSet, PairId, Place};

/// The cause of a finding. Where it is, its [`FindingId`](super::FindingId) says.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// The opening lead is not in the leader's hand.
    LeadNotHeld {
        /// The card that was entered.
        lead: Card,
        /// Against this contract.
        contract: Contract,
        /// Who holds it.
        holder: Seat,
        /// Probably another player declared; otherwise the lead was typed wrongly.
        declarer_first: bool,
    },
    /// A score on paper that can't be.
    Written {
        /// The score.
        stated: Score,
        /// What is wrong with it.
        fault: WrittenFault,
    },
    /// The contract fits the other side.
    WrongSide {
        /// As it was entered.
        contract: Contract,
        /// The tricks entered.
        tricks: Tricks,
        /// Who probably declared.
        suspect: Seat,
    },
    /// The tricks are those of the defenders.
    TricksOfOtherSide {
        /// The contract.
        contract: Contract,
        /// The tricks entered.
        tricks: Tricks,
        /// What declarer probably took.
        probably: Tricks,
    },
    /// The contract was surely doubled.
    MissingDouble {
        /// As it was entered.
        contract: Contract,
        /// So many other tables were doubled in it.
        elsewhere: u16,
    },
    /// "Not played" where the board was passed out.
    NotPlayedWasPassedOut(PassedBecause),
    /// "Passed out" where this player has a clear opening bid.
    PassedOutWasNotPlayed {
        /// Who.
        opener: Seat,
    },
    /// A board that this table should not have in this round.
    BoardNotHere {
        /// Those that are due.
        due: BoardSet,
        /// The table it belongs to in this round.
        owner: Option<TableNumber>,
    },
    /// A table has the same board twice.
    BoardTwice {
        /// With the same result.
        same: bool,
        /// It had the board in this round.
        before: RoundNumber,
    },
    /// A pair has played this board before.
    PairPlayedAlready {
        /// Which.
        pair: PairId,
        /// In this round.
        round: RoundNumber,
        /// At this table.
        table: TableNumber,
    },
    /// Two boards of a round were entered under each other's numbers.
    BoardsExchanged {
        /// The other one.
        with: BoardNumber,
    },
    /// All boards of a round were entered one or two numbers too high or too low.
    BoardsShifted {
        /// Those that are due.
        due: BoardSet,
        /// Too high by so much.
        by: i8,
    },
    /// The table is a round behind the room.
    TableBehind {
        /// By so many boards.
        boards: usize,
    },
    /// Two tables have each other's pads.
    PadsSwapped {
        /// The one that told.
        one: TableNumber,
        /// The other.
        other: TableNumber,
    },
    /// Other pairs than planned sit there.
    OtherPairs {
        /// Who should.
        planned: PairsSeen,
        /// Who do.
        seen: PairsSeen,
        /// Where the East-West pair belongs.
        belongs: Option<Place>,
    },
    /// The pairs sit the other way round.
    ArrowSwitchMissed,
    /// The whole room has moved otherwise than planned.
    MovementMistake {
        /// How.
        mistake: Mistake,
        /// Since this round.
        since: RoundNumber,
        /// The tables between which the bye-stand belongs.
        stand: Option<(TableNumber, TableNumber)>,
        /// The tables at which it shows.
        tables: Vec<TableNumber>,
    },
    /// A result at a table where only one pair sits.
    PairMissing {
        /// No pair sits this way.
        side: Side,
        /// The one pair that sits nowhere in that round.
        free: Option<PairNumber>,
    },
    /// The deal file is that of other boards.
    DealsDoNotFit {
        /// Contracts that fit its cards.
        fitting: u32,
        /// Contracts that were compared.
        contracts: u32,
    },
    /// A score whose sign stands alone on its board.
    SignAlone {
        /// The score for North-South.
        score: Score,
        /// So many scores have the other sign.
        others: usize,
        /// Who declared in these trumps elsewhere; none where only the score was typed.
        declarer_elsewhere: Option<Seat>,
    },
}

/// Why a board was rather passed out than not played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassedBecause {
    /// So many other tables passed it out.
    Elsewhere(u16),
    /// Nobody holds a clear opening bid.
    NobodyOpens,
    /// The table had time for the boards after it.
    TimeForMore,
}

impl What {
    /// The check that finds it.
    pub const fn kind(&self) -> Kind {
        match self {
            Self::LeadNotHeld { .. } => Kind::LeadNotHeld,
            Self::Written { fault, .. } => fault.kind(),
            Self::WrongSide { .. } => Kind::WrongSide,
            Self::TricksOfOtherSide { .. } => Kind::TricksOfOtherSide,
            Self::MissingDouble { .. } => Kind::MissingDouble,
            Self::NotPlayedWasPassedOut(_) => Kind::NotPlayedWasPassedOut,
            Self::PassedOutWasNotPlayed { .. } => Kind::PassedOutWasNotPlayed,
            Self::BoardNotHere { .. } => Kind::BoardNotHere,
            Self::BoardTwice { .. } => Kind::BoardTwice,
            Self::PairPlayedAlready { .. } => Kind::PairPlayedAlready,
            Self::BoardsExchanged { .. } => Kind::BoardsExchanged,
            Self::BoardsShifted { .. } => Kind::BoardsShifted,
            Self::TableBehind { .. } => Kind::TableBehind,
            Self::PadsSwapped { .. } => Kind::PadsSwapped,
            Self::OtherPairs { .. } => Kind::EastWestElsewhere,
            Self::ArrowSwitchMissed => Kind::ArrowSwitchMissed,
            Self::MovementMistake { .. } => Kind::MovementMistake,
            Self::PairMissing { .. } => Kind::PairMissing,
            Self::DealsDoNotFit { .. } => Kind::DealsDoNotFit,
            Self::SignAlone { .. } => Kind::SignAlone,
        }
    }
}
