//! What the director does in the room, and what speaks for a movement.

use telling::{Letter, Told, tell};

use super::movement::{of_mitchell, of_pair, of_place};
use crate::movement::{Announcement, BoardSet, Instruction, Reason};

/// What is called out.
pub(in crate::session) fn of_announcement(call: &Announcement) -> Told {
    match call {
        Announcement::Skip { forward } => tell!(Movement::SkipNowEastWest { forward }),
        Announcement::Subtract { from } => tell!(Movement::SpecialMoveNowEast {
            from,
            table: from.get().saturating_sub(1),
            other: from.get().saturating_sub(2)
        }),
        Announcement::LastRound => tell!(Movement::ThisIsLastRound),
        Announcement::GameOver => tell!(Movement::LastRoundSessionOver),
    }
}

/// Sets that are taken one after the other.
fn one_after_the_other(sets: &[BoardSet]) -> Told {
    match sets {
        [] => Told::nothing(),
        [only] => Told::as_written(only.to_string()),
        [first, rest @ ..] => tell!(Movement::Then {
            first: first.to_string(),
            rest: one_after_the_other(rest)
        }),
    }
}

/// What the director does in the room.
#[expect(clippy::too_many_lines, reason = "one arm for every instruction")]
pub fn of_instruction(instruction: &Instruction) -> Told {
    match instruction {
        Instruction::OpponentsSitOut { pair } => tell!(Movement::WhoeverDueMeetPair {
            pair: of_pair(*pair)
        }),
        Instruction::GuestSits {
            round,
            side,
            table,
            displaced,
        } => tell!(Movement::RoundLatePairPlays {
            round,
            side: Letter(*side),
            table,
            displaced: of_pair(*displaced)
        }),
        Instruction::OldPairStays {
            stayer,
            seat,
            sitter,
        } => tell!(Movement::OldPairStaysAt {
            stayer,
            place: of_place(*seat),
            sitter
        }),
        Instruction::NewPairFollows { stayer, next_round } => {
            tell!(Movement::NewPairFollowsPair { stayer, next_round })
        }
        Instruction::DueAtSeatSitsOut { seat } => tell!(Movement::WhoeverDueAtSits {
            place: of_place(*seat)
        }),
        Instruction::TableBeginsLater { table } => {
            tell!(Movement::TableSetUpIts { newcomer: table })
        }
        Instruction::LatePairSits { table } => tell!(Movement::TableSetUpLate { newcomer: table }),
        Instruction::StandUp => tell!(Movement::MoveByeStandOne {
            way: tell!(Movement::Up)
        }),
        Instruction::StandDown => tell!(Movement::MoveByeStandOne {
            way: tell!(Movement::Down)
        }),
        Instruction::ExchangeStandBoards { table } => {
            tell!(Movement::ExchangeBoardsByeStand { wrong_table: table })
        }
        Instruction::ChangePlacesNow { one, other } => tell!(Movement::NsPairsTablesChange {
            when: tell!(Movement::RoundOnly),
            sharer: one,
            wrong_table: other
        }),
        Instruction::ChangePlacesAtTheEnd { one, other } => tell!(Movement::NsPairsTablesChange {
            when: tell!(Movement::LastRound),
            sharer: one,
            wrong_table: other
        }),
        Instruction::SharesInstead { table, with } => tell!(Movement::FromNowTableShares {
            sharer: table,
            partner: with
        }),
        Instruction::StayOnce { round } => tell!(Movement::AfterRoundEastWest { round }),
        Instruction::GoUpTwo { round } => tell!(Movement::AfterRoundEastWestGo { made: round }),
        Instruction::PlayedBefore { first, last } => tell!(Movement::BoardsRoundWerePlayed {
            round: first,
            made: last
        }),
        Instruction::ShareBoards { one, other } => {
            tell!(Movement::TablesShareTheirBoards { one, other })
        }
        Instruction::ByeStand {
            takes,
            puts,
            boards,
        } => tell!(Movement::ByeStandBetweenTables {
            takes,
            puts,
            board: one_after_the_other(&boards.0)
        }),
        Instruction::Stack { table, boards } => tell!(Movement::TableTakesItsNext {
            table,
            board: one_after_the_other(&boards.0)
        }),
        Instruction::Call { round, call } => tell!(Movement::AfterRound {
            number: round,
            call: of_announcement(call)
        }),
        Instruction::WanderingSet { boards } => tell!(Movement::BoardsWanderBackTwo {
            board: boards.to_string()
        }),
        Instruction::TwoCopies => tell!(Movement::TwoCopiesBoardsOne),
        Instruction::RowsOfFour { rows } => tell!(Movement::TablesStandRowsFour { rows }),
        Instruction::SecondCopyAt { table } => {
            tell!(Movement::TablePlaysSecondCopy { tables: table })
        }
        Instruction::Roves { table } => tell!(Movement::Roves { table }),
        Instruction::MoveBeforePlay => tell!(Movement::MoveBeforePlay),
        Instruction::HalvesAddUp { teams } => tell!(Movement::HalvesAddUp { teams }),
        Instruction::EightOfTen => tell!(Movement::EightOfTen),
        Instruction::SeededHomes { seeds } => tell!(Movement::SeededHomes { seeds }),
        Instruction::AllShareLast => tell!(Movement::AllTablesShareBoards),
        Instruction::VisitorsSit { tables } => tell!(Movement::Pairs1VisitorsKeep { tables }),
        Instruction::HomeMoves { first, last } => tell!(Movement::PairsHomeClubUp {
            address: first,
            board: last
        }),
        Instruction::NearestMitchell {
            kind,
            tables,
            boards,
            other,
        } => tell!(Movement::NoSoundTablesExactly {
            kind: of_mitchell(kind),
            tables,
            boards,
            other
        }),
        Instruction::PlayedAsItLay { round } => tell!(Doctor::RoundPlayedAsRoom { round }),
    }
}

/// What speaks for a movement, or against it.
pub fn of_reason_of_movement(reason: &Reason) -> Told {
    match reason {
        Reason::ClubsPlayUpTo { tables } => tell!(Movement::ManualsChoiceUpTables { n: tables }),
        Reason::EverybodyMoves => tell!(Movement::AlmostEverybodyMoveLarge),
        Reason::ClubsPlayAbove { tables } => {
            tell!(Movement::ManualsChoiceAboveTables { n: tables })
        }
        Reason::WanderingSet => tell!(Movement::DirectorCarriesWanderingSet),
        Reason::LookForATable => tell!(Movement::DisplacedPairsFindTable),
        Reason::ShortLists => tell!(Movement::TwoShortRankingLists),
        Reason::OneWinner => tell!(Movement::OneWinner),
        Reason::AllMeetOnce => tell!(Movement::EverybodyMeetsEveryPossible),
        Reason::SomeMetTwice => tell!(Movement::SomeOpponentsMetTwice),
        Reason::MetBefore { rounds } => tell!(Movement::AboutRoundsAgainstOpponents { rounds }),
        Reason::NeverMeet { never } => tell!(Movement::TwosomesNeverMeet { never }),
        Reason::UnevenField => tell!(Movement::UnevenCompetitionBetweenPairs),
        Reason::CallASkip => tell!(Movement::DirectorCallSkip),
        Reason::CallASpecialMove => tell!(Movement::DirectorCallSpecialMove),
        Reason::Simple => tell!(Movement::NoSharingNoBye),
        Reason::Sharing => tell!(Movement::TwoTablesShareBoards),
        Reason::SecondCopy => tell!(Movement::SecondCopyBoardsMade),
        Reason::MoveEveryBoard => tell!(Movement::EverybodyMovesAfterEvery),
        Reason::FewOpponents { boards } => {
            tell!(Movement::BoardsAgainstSameOpponents { many: boards })
        }
        Reason::BoardsLeftOut { boards } => {
            tell!(Movement::BoardsPlayLeftOut { unplayed: boards })
        }
        Reason::SitsOutBoards { boards } => tell!(Movement::WithHalfTableSomebody { n: boards }),
        Reason::SkipWithHalfTable => tell!(Movement::SkipNotRecommendedWith),
        Reason::SitOutRounds { rounds } => tell!(Movement::SomePairsSitOut { most: rounds }),
        Reason::SitOutOnce => tell!(Movement::NobodySitsOutMore),
        Reason::NoSharingThen => tell!(Movement::WithPhantomThereNobody),
    }
}
