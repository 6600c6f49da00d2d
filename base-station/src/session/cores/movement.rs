//! Why a movement is refused, and what a change of it comes to.

use telling::{Letter, Part, Told, tell};

use crate::movement::{Fault, Kind, MitchellKind, Outcome, PairId, Place, Refused, TextProblem};
use crate::session::kept_words::movement_name;

/// Why a movement can't be had.
#[expect(clippy::too_many_lines, reason = "one arm for every refusal")]
pub fn of_refused_movement(refused: &Refused) -> Told {
    match refused {
        Refused::VariantOfMitchell => tell!(Movement::VariantOfMitchell),
        Refused::NumberingOfHesitation => tell!(Movement::NumberingOfHesitation),
        Refused::CannotBePlayed { name, fault } => tell!(Movement::CannotBePlayed {
            name: movement_name(name),
            fault: of_fault(fault)
        }),
        Refused::UnequalSets {
            kind,
            sets,
            boards,
            instead,
            per_round,
        } => tell!(Movement::UnequalSets {
            kind: with_article(*kind),
            sets,
            boards,
            instead,
            per: per_round
        }),
        Refused::OddTables { kind, tables } => tell!(Movement::OddTables {
            kind: with_article(*kind),
            tables
        }),
        Refused::EvenTables { kind, tables } => tell!(Movement::EvenTables {
            kind: with_article(*kind),
            tables
        }),
        Refused::EvenTablesOfWeb { tables, instead } => {
            tell!(Movement::EvenTablesOfWeb { tables, instead })
        }
        Refused::RoundsOfWeb {
            tables,
            fewest,
            boards,
        } => tell!(Movement::RoundsOfWeb {
            tables,
            fewest,
            boards
        }),
        Refused::TablesOutOfRange {
            kind,
            fewest,
            tables,
        } => tell!(Movement::TablesOutOfRange {
            kind: with_article(*kind),
            fewest,
            tables
        }),
        Refused::BoardsARound {
            kind,
            sets,
            per_round,
            makes,
            boards,
        } => tell!(Movement::BoardsARound {
            kind: with_article(*kind),
            sets,
            per: per_round,
            makes,
            boards
        }),
        Refused::TeamsOfWhist { teams } => tell!(Movement::TeamsOfWhist { teams }),
        Refused::BoardsOfWhist {
            teams,
            boards,
            instead,
        } => tell!(Movement::BoardsOfWhist {
            teams,
            boards,
            instead
        }),
        Refused::NoSuchMitchell {
            kind,
            tables,
            boards,
            per_round,
        } => tell!(Movement::NoSuchMitchell {
            kind: of_mitchell(kind),
            tables,
            boards,
            why: sets_of_mitchell(*tables, *per_round)
        }),
        Refused::SetsOfMitchell { tables, per_round } => sets_of_mitchell(*tables, *per_round),
        Refused::MitchellTooSmall { tables } => tell!(Movement::MitchellTooSmall { tables }),
        Refused::MitchellTooLarge { tables, most } => {
            tell!(Movement::MitchellTooLarge { tables, most })
        }
        Refused::SkipOfOddTables { tables } => tell!(Movement::SkipOfOddTables { tables }),
        Refused::ShareOfOddTables { tables } => tell!(Movement::ShareOfOddTables { tables }),
        Refused::TablesOfInterclub { tables, most } => {
            tell!(Movement::TablesOfInterclub { tables, most })
        }
        Refused::TablesOfHowell { tables, most } => {
            tell!(Movement::TablesOfHowell { tables, most })
        }
        Refused::BoardsOfHowell {
            boards,
            tables,
            instead,
            rounds,
            per_round,
        } => tell!(Movement::BoardsOfHowell {
            boards,
            tables,
            instead,
            rounds,
            per: per_round
        }),
        Refused::BoardsOfSmallHowell { boards } => {
            tell!(Movement::BoardsOfSmallHowell { boards })
        }
        Refused::NoSuchPair { pair, first, last } => tell!(Movement::NoSuchPair {
            pair: of_pair(*pair),
            first: of_pair(*first),
            last: of_pair(*last)
        }),
        Refused::NoPairs => tell!(Movement::NoPairs),
        Refused::ExpectedRange { fewest, most } => {
            tell!(Movement::ExpectedRange { fewest, most })
        }
        Refused::TooFewTables => tell!(Movement::AtLeast3Tables),
        Refused::NoSoundMovement {
            tables,
            fewest,
            most,
        } => tell!(Movement::NoSoundMovementTables {
            tables,
            fewest,
            most
        }),
        Refused::NoByeStandToPutRight => tell!(Movement::OnlyShareRelayMitchell),
        Refused::NoSkipToPutRight => tell!(Movement::OnlySkipMitchellSkip),
        Refused::SkipBelongsThere { half, tables } => {
            tell!(Movement::SkipBelongsAfterRound { half, tables })
        }
        Refused::NobodySitsThere { table, round } => {
            tell!(Movement::NobodySitsThere { table, round })
        }
        Refused::CannotBeLast { last, first, until } => tell!(Movement::RoundCannotLastOne {
            last,
            after: first,
            board: until
        }),
        Refused::TooFewRounds { rounds, after } => {
            tell!(Movement::ThereOnlyRoundsSo { n: rounds, after })
        }
        Refused::NotPlayable { fault } => tell!(Movement::WouldNotPlayable {
            fault: of_fault(fault)
        }),
        Refused::NoRoundLeft => tell!(Movement::ThereNoRoundLeft),
        Refused::NoWayIn => tell!(Movement::NoWayFoundLet),
        Refused::NoEmptySeat => tell!(Movement::NoSeatEmptyEvery),
        Refused::NoCardToTakeOver => tell!(Movement::OnlyHowellLatePair),
        Refused::NoTableToAdd => tell!(Movement::TableCanOnlyAdded),
        Refused::NoSeatsForAGuest => tell!(Movement::NoSeatsWereFound),
        Refused::SetUpAnew => tell!(Movement::NoSeatEmptyNobody),
        Refused::JoinOneByOne => tell!(Movement::TableCanOnlyAddedMitchell),
        Refused::ChartDamaged => tell!(Movement::ChartDamaged),
        Refused::NoRoundRobin { teams } => tell!(Movement::NoRoundRobin { teams }),
        Refused::NoButlerDraw { pairs } => tell!(Movement::NoButlerDraw { pairs }),
        Refused::NoInterstateDraw { teams } => tell!(Movement::NoInterstateDraw { teams }),
        Refused::SeedSections { sections } => tell!(Movement::SeedSections { sections }),
        Refused::ExpectedBoards { given } => tell!(Movement::ExpectedBoards { given }),
        Refused::ExpectedPair => tell!(Movement::ExpectedPair),
        Refused::ExpectedPlace => tell!(Movement::ExpectedPlace),
    }
}

fn sets_of_mitchell(tables: u16, per_round: Option<u8>) -> Told {
    match per_round {
        None => tell!(Movement::SetsOfMitchell { tables }),
        Some(per) => tell!(Movement::SetsOfMitchellWith { tables, per }),
    }
}

fn with_article(kind: Kind) -> Told {
    match kind {
        Kind::Mitchell => tell!(Movement::AMitchell),
        Kind::Howell => tell!(Movement::AHowell),
        Kind::Hesitation => tell!(Movement::AHesitation),
        Kind::FatMitchell => tell!(Movement::AFatMitchell),
        Kind::Web => tell!(Movement::AWeb),
        Kind::BowmanEwing => tell!(Movement::ABowmanEwing),
        Kind::Rover => tell!(Movement::ARover),
        Kind::AmericanWhist => tell!(Movement::AmericanWhist),
        Kind::Interclub => tell!(Movement::AnInterclub),
    }
}

pub(super) fn of_mitchell(kind: &MitchellKind) -> Told {
    match kind {
        MitchellKind::Skip => tell!(Movement::SkipMitchell),
        MitchellKind::Share => tell!(Movement::ShareMitchell),
        MitchellKind::FeedIn => tell!(Movement::FeedInMitchell),
        MitchellKind::Any => tell!(Movement::Mitchell),
    }
}

/// `7`, or `NS 7` with the letters of the language.
pub(super) fn of_pair(pair: PairId) -> Part {
    match pair.line {
        None => Part::Number(i64::from(pair.number.get())),
        Some(side) => tell!(Movement::PairOfLine {
            side: Letter(side),
            number: pair.number
        })
        .into(),
    }
}

pub(super) fn of_place(place: Place) -> Told {
    tell!(Movement::Place {
        table: place.table,
        side: Letter(place.side)
    })
}

/// What makes a movement unplayable.
fn of_fault(fault: &Fault) -> Told {
    match fault {
        Fault::BoardTwice {
            pair,
            board,
            rounds: (first, second),
        } => tell!(Movement::PairWouldPlayBoard {
            pair: of_pair(*pair),
            board,
            first,
            second
        }),
        Fault::TwoPlaces {
            pair,
            round,
            places: (one, other),
        } => tell!(Movement::PairExpectedAtAt {
            pair: of_pair(*pair),
            one: of_place(*one),
            other: of_place(*other),
            round
        }),
        Fault::TooManySharing {
            round,
            board,
            tables,
        } => tell!(Movement::BoardWouldLieTables {
            board,
            n: tables.len(),
            round
        }),
        Fault::OtherTables { round } => tell!(Movement::OtherTables { round }),
        Fault::Empty => tell!(Movement::NobodyPlaysAnything),
    }
}

/// What a change comes to.
pub(in crate::session) fn of_outcome(outcome: &Outcome) -> Told {
    match outcome {
        Outcome::PairLeaves { pair, after } => tell!(Movement::PairLeavesAfterRound {
            pair: of_pair(*pair),
            after
        }),
        Outcome::OnePairLeavesTable { table, pair, after } => {
            tell!(Movement::PairsTableLeaveAfter {
                table,
                pair: of_pair(*pair),
                after
            })
        }
        Outcome::PairsLeaveTable {
            table,
            one,
            other,
            after,
        } => tell!(Movement::PairsTableLeaveAfter {
            table,
            pair: tell!(Movement::TwoPairs {
                one: of_pair(*one),
                other: of_pair(*other)
            }),
            after
        }),
        Outcome::PairDoesNotPlay { pair } => tell!(Refused::PairDoesNotPlay2 {
            pair: of_pair(*pair)
        }),
        Outcome::LastRound { last } => tell!(Movement::RoundLastOne { last }),
        Outcome::ByeStandPutRight => tell!(Movement::ByeStandPutRight),
        Outcome::SkipTooEarly { made } => tell!(Movement::SkipCameAfterRound { made }),
        Outcome::SkipTooLate { made } => tell!(Movement::SkipComesOnlyAfter { made }),
        Outcome::Guest { newcomer } => tell!(Movement::LatePairGuestAs {
            newcomer: of_pair(*newcomer)
        }),
        Outcome::TakesEmptySeats { newcomer } => tell!(Movement::LatePairTakesEmpty {
            newcomer: of_pair(*newcomer)
        }),
        Outcome::TakesOverACard {
            stayer,
            after,
            seat,
        } => tell!(Movement::LatePairJoinsAs {
            stayer,
            after,
            place: of_place(*seat)
        }),
        Outcome::Becomes { name } => tell!(Movement::MovementBecomes {
            most: movement_name(name)
        }),
    }
}

/// What is wrong with a line of a movement file.
pub fn of_movement_file(problem: &TextProblem) -> Told {
    match problem {
        TextProblem::CannotBePlayed(fault) => tell!(Movement::TextNotPlayable {
            fault: of_fault(fault)
        }),
        TextProblem::Lists { given } => tell!(Movement::TextLists { given }),
        TextProblem::Round { number } => tell!(Movement::TextRound { n: number }),
        TextProblem::Table => tell!(Movement::TextTable),
        TextProblem::Pair(side) => tell!(Movement::TextPair {
            side: side.to_string()
        }),
        TextProblem::Boards => tell!(Movement::TextBoards),
        TextProblem::Beginning => tell!(Movement::TextBeginning),
        TextProblem::NextTable { number, given } => {
            tell!(Movement::TextNextTable { n: number, given })
        }
        TextProblem::PairNumber { side, given } => tell!(Movement::TextPairNumber {
            side: side.to_string(),
            given
        }),
        TextProblem::BoardSet { given } => tell!(Movement::ExpectedBoards { given }),
        TextProblem::CopyNumber { given } => tell!(Movement::TextCopyNumber { given }),
        TextProblem::Copy { given } => tell!(Movement::TextCopy { given }),
    }
}
