//! Why a movement cannot be had.

use protocol::words::{RoundNumber, TableNumber};

use super::told::MitchellKind;
use super::{Fault, Kind, PairId};

/// What is wrong, and what would be right instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the sentence says what each part is")]
pub enum Refused {
    #[error("skip, share and feed-in are kinds of a Mitchell; leave them out here")]
    VariantOfMitchell,
    #[error("only a Hesitation can be numbered in two ways; leave the numbering out here")]
    NumberingOfHesitation,
    #[error("{name} cannot be played: {fault}")]
    CannotBePlayed { name: String, fault: Fault },
    #[error(
        "{} needs {sets} equal sets of boards, and {boards} boards cannot be cut that way; use \
         {instead} boards ({per_round} a round)", .kind.with_article()
    )]
    UnequalSets {
        kind: Kind,
        sets: u16,
        boards: u16,
        instead: u16,
        per_round: u16,
    },
    #[error("{} needs an odd number of tables, not {tables}", .kind.with_article())]
    OddTables { kind: Kind, tables: u16 },
    #[error("{} needs an even number of tables, not {tables}", .kind.with_article())]
    EvenTables { kind: Kind, tables: u16 },
    #[error(
        "a Web needs an even number of tables, not {tables}; with a half table too many play \
         {instead} tables and a phantom"
    )]
    EvenTablesOfWeb { tables: u16, instead: u16 },
    #[error(
        "a Web of {tables} tables has {fewest} to {tables} rounds, and {boards} boards cannot be \
         cut that way; 26 boards make 13 rounds of 2"
    )]
    RoundsOfWeb {
        tables: u16,
        fewest: u16,
        boards: u16,
    },
    #[error("{} needs {fewest} to 40 tables, not {tables}", .kind.with_article())]
    TablesOutOfRange {
        kind: Kind,
        fewest: u16,
        tables: u16,
    },
    #[error(
        "{} has {sets} sets here: {per_round} boards a round are {makes} boards, not {boards}",
        .kind.with_article()
    )]
    BoardsARound {
        kind: Kind,
        sets: u16,
        per_round: u8,
        makes: u16,
        boards: u16,
    },
    #[error(
        "American Whist needs an odd number of teams from 5 on, not {teams}; an even number plays \
         a round robin"
    )]
    TeamsOfWhist { teams: u16 },
    #[error(
        "American Whist of {teams} teams needs one equal set of boards a team; {boards} boards do \
         not fit, use {instead}"
    )]
    BoardsOfWhist {
        teams: u16,
        boards: u16,
        instead: u16,
    },
    #[error(
        "no sound {kind} has {tables} tables and about {boards} boards: {}",
        sets_of_mitchell(*.tables, *.per_round)
    )]
    NoSuchMitchell {
        kind: MitchellKind,
        tables: u16,
        boards: u16,
        per_round: Option<u8>,
    },
    #[error("{}", sets_of_mitchell(*.tables, *.per_round))]
    SetsOfMitchell { tables: u16, per_round: Option<u8> },
    #[error(
        "a Mitchell needs at least 3 tables, not {tables}; two tables can play a Howell or a teams \
         match"
    )]
    MitchellTooSmall { tables: u16 },
    #[error(
        "a Mitchell of {tables} tables cannot be played in a session; make sections of at most \
         {most} tables"
    )]
    MitchellTooLarge { tables: u16, most: u16 },
    #[error(
        "a skip is only for an even number of tables; {tables} tables go once around without one"
    )]
    SkipOfOddTables { tables: u16 },
    #[error(
        "share and relay is only for an even number of tables; {tables} tables go once around \
         without it"
    )]
    ShareOfOddTables { tables: u16 },
    #[error(
        "an inter-club match needs an odd number of tables from 3 to {most}, not {tables}: with an \
         even number pairs would meet boards again half-way"
    )]
    TablesOfInterclub { tables: u16, most: u16 },
    #[error("a Howell is for 3 to {most} tables, not {tables}; more tables play a Mitchell")]
    TablesOfHowell { tables: u16, most: u16 },
    #[error(
        "{boards} boards do not make equal rounds of a Howell for {tables} tables; use {instead} \
         boards: {rounds} rounds of {per_round}"
    )]
    BoardsOfHowell {
        boards: u16,
        tables: u16,
        instead: u16,
        rounds: u16,
        per_round: u16,
    },
    #[error(
        "a Howell of 3 tables has 5 rounds, so {boards} boards do not fit; use 20 (4 a round), 25 \
         or 30"
    )]
    BoardsOfSmallHowell { boards: u16 },
    #[error("pair {pair} is not in this movement; its pairs are {first} to {last}")]
    NoSuchPair {
        pair: PairId,
        first: PairId,
        last: PairId,
    },
    #[error("there is no pair in this movement")]
    NoPairs,
    #[error("expected boards such as 24..28, not {fewest}..{most}")]
    ExpectedRange { fewest: u8, most: u8 },
    #[error("at least 3 tables (or 2 and a half) are needed for a pairs movement")]
    TooFewTables,
    #[error(
        "no sound movement has {tables} tables and {fewest} to {most} boards; allow a wider range \
         of boards or make two sections"
    )]
    NoSoundMovement {
        tables: TableNumber,
        fewest: u8,
        most: u8,
    },
    #[error("only a share-and-relay Mitchell has a bye-stand that can be put right this way")]
    NoByeStandToPutRight,
    #[error("only a skip Mitchell has a skip that can be put right")]
    NoSkipToPutRight,
    #[error("the skip belongs after round {half}; expected another round before {tables}")]
    SkipBelongsThere { half: u16, tables: u16 },
    #[error("nobody sits at table {table} in round {round}")]
    NobodySitsThere {
        table: TableNumber,
        round: RoundNumber,
    },
    #[error("round {last} cannot be the last one: expected a round from {first} to {until}")]
    CannotBeLast {
        last: RoundNumber,
        first: RoundNumber,
        until: usize,
    },
    #[error("there are only {rounds} rounds, so nothing can change after round {after}")]
    TooFewRounds { rounds: usize, after: RoundNumber },
    #[error("that would not be playable: {fault}")]
    NotPlayable { fault: Fault },
    #[error("there is no round left for a late pair to play")]
    NoRoundLeft,
    #[error(
        "no way was found to let a pair in without somebody playing a board twice; it can only \
         stand by"
    )]
    NoWayIn,
    #[error("no seat is empty in every round that is left")]
    NoEmptySeat,
    #[error("only in a Howell a late pair can take over another pair's card")]
    NoCardToTakeOver,
    #[error("a table can only be added to a Mitchell of which nothing but round 1 has been played")]
    NoTableToAdd,
    #[error("no seats were found in which a guest meets no board twice")]
    NoSeatsForAGuest,
    #[error("no seat is empty, and nobody has played yet: set the section up anew with this pair")]
    SetUpAnew,
    #[error(
        "a table can only be added to a Mitchell while nothing but round 1 has been played; let \
         the two pairs join one by one instead"
    )]
    JoinOneByOne,
    #[error("the chart of this round robin is damaged")]
    ChartDamaged,
    #[error(
        "there is no round robin for {teams} teams; 6 to 12 teams have one, and even numbers up to \
         40; an odd number can play American Whist"
    )]
    NoRoundRobin { teams: u16 },
    #[error(
        "there are Butler draws for 12 and 14 pairs, not for {pairs}; a Howell does other numbers"
    )]
    NoButlerDraw { pairs: u16 },
    #[error("there are interstate draws for 6 and 8 teams, not for {teams}")]
    NoInterstateDraw { teams: u16 },
    #[error(
        "seeds are spread over one section or two, not {sections}; seed pairs of sections by \
         themselves"
    )]
    SeedSections { sections: u8 },
    #[error("expected boards such as 7-9 or 7,9, not `{given}`")]
    ExpectedBoards { given: String },
    #[error("expected a pair such as 7 or NS 7")]
    ExpectedPair,
    #[error("expected a place such as table 3 NS")]
    ExpectedPlace,
}

fn sets_of_mitchell(tables: u16, per_round: Option<u8>) -> String {
    let per_round = per_round.map_or_else(String::new, |per_round| format!("{per_round} "));
    format!(
        "it takes one set for each of the {tables} tables, or an even number of sets more, with \
         {per_round}boards a round; larger rooms play a web or two sections"
    )
}
