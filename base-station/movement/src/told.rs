//! What a director is told of a movement: what to do in the room, what a change comes to, what
//! speaks for a choice and against it.

use protocol::words::{PairNumber, RoundNumber, Side, TableNumber};

use super::sentence::sentences;
use super::{Announcement, BoardSet, PairId, Place};

sentences! {
    /// What a change of the movement comes to.
    Outcome {
        PairLeaves { pair: PairId, after: RoundNumber } = "Pair {pair} leaves after round {after}.",
        OnePairLeavesTable { table: TableNumber, pair: PairId, after: RoundNumber } =
            "The pairs of table {table} ({pair}) leave after round {after}.",
        PairsLeaveTable { table: TableNumber, one: PairId, other: PairId, after: RoundNumber } =
            "The pairs of table {table} ({one} and {other}) leave after round {after}.",
        PairDoesNotPlay { pair: PairId } = "Pair {pair} does not play.",
        LastRound { last: RoundNumber } = "Round {last} is the last one.",
        ByeStandPutRight = "The bye-stand is put right.",
        SkipTooEarly { made: u16 } = "The skip came after round {made}, too early.",
        SkipTooLate { made: u16 } = "The skip comes only after round {made}, too late.",
        Guest { newcomer: PairId } =
            "The late pair is a guest as pair {newcomer} from the next round on.",
        TakesEmptySeats { newcomer: PairId } =
            "The late pair takes the empty seats as pair {newcomer}.",
        TakesOverACard { stayer: PairNumber, after: RoundNumber, seat: Place } =
            "The late pair joins as pair {stayer} after round {after}; the old pair {stayer} stays at {seat}.",
        Becomes { name: String } = "The movement becomes: {name}.",
    }
}

sentences! {
    /// What the director does in the room, or should know of the movement.
    Instruction {
        OpponentsSitOut { pair: PairId } =
            "Whoever is due to meet pair {pair} sits out that round.",
        GuestSits { round: usize, side: Side, table: TableNumber, displaced: PairId } =
            "Round {round}: the late pair plays {side} at table {table}; pair {displaced} sits out.",
        OldPairStays { stayer: PairNumber, seat: Place, sitter: PairNumber } =
            "The old pair {stayer} stays at {seat} for the rest of the session as pair {sitter}.",
        NewPairFollows { stayer: PairNumber, next_round: RoundNumber } =
            "The new pair {stayer} follows pair {stayer}'s guide card from round {next_round} on.",
        DueAtSeatSitsOut { seat: Place } = "Whoever is due at {seat} sits out that round.",
        TableBeginsLater { table: u16 } =
            "Table {table} is set up; its pairs are NS {table} and EW {table} and begin with round 2.",
        LatePairSits { table: u16 } =
            "Table {table} is set up; the late pair sits EW there as EW {table}, without opponents in round 1.",
        StandUp = "Move the bye-stand up one table.",
        StandDown = "Move the bye-stand down one table.",
        ExchangeStandBoards { table: u16 } =
            "Exchange the boards on the bye-stand with those of table {table}.",
        ChangePlacesNow { one: u16, other: u16 } =
            "For this round only the NS pairs of tables {one} and {other} change places.",
        ChangePlacesAtTheEnd { one: u16, other: u16 } =
            "In the last round the NS pairs of tables {one} and {other} change places.",
        SharesInstead { table: u16, with: u16 } =
            "From now on table {table} shares with table {with} instead.",
        StayOnce { round: u16 } =
            "After round {round} East-West stay where they are for one round while the boards move; then up one as always.",
        GoUpTwo { round: u16 } = "After round {round} East-West go up two tables.",
        PlayedBefore { first: u16, last: u16 } =
            "Boards of round {first} to {last} were played before by East-West: mark them not played.",
        ShareBoards { one: TableNumber, other: TableNumber } =
            "Tables {one} and {other} share their boards.",
        ByeStand { takes: TableNumber, puts: TableNumber, boards: Sets } =
            "Bye-stand between tables {takes} and {puts} with boards {boards}: table {takes} takes from it, table {puts} puts on it.",
        Stack { table: TableNumber, boards: StackedSets } =
            "Table {table} takes its next boards from a stack: {boards}.",
        Call { round: RoundNumber, call: Announcement } = "After round {round}: {call}",
        WanderingSet { boards: BoardSet } =
            "Boards {boards} wander back two tables each round; the set they displace waits for the last round, in which East-West return to the table where they played the wandering set.",
        TwoCopies =
            "Two copies of the boards: one for the lower half of the tables, one for the upper half.",
        RowsOfFour { rows: String } = "The tables stand in rows of four: {rows}.",
        SecondCopyAt { table: u16 } =
            "Table {table} plays a second copy of the boards in reverse order; a phantom North-South there saves it.",
        Roves { table: u16 } =
            "The East-West pair of table {table} roves; the pair it displaces plays at table {table} in that round and then goes on as if nothing had happened.",
        MoveBeforePlay =
            "East-West move up two tables and the boards up one before the first round is played.",
        HalvesAddUp { teams: u16 } =
            "The two halves of a match are played in rounds that add up to {teams}.",
        EightOfTen = "To play 8 of the 10 opponents leave out the first and the last round.",
        SeededHomes { seeds: String } =
            "Seeded teams are at home at tables 1 to 11 in this order: {seeds}.",
        AllShareLast = "All tables share the boards of the last round.",
        VisitorsSit { tables: u16 } =
            "Pairs 1 to {tables} are the visitors and keep their seats: North-South at odd tables, East-West at even ones.",
        HomeMoves { first: u16, last: u16 } =
            "Pairs {first} to {last} are the home club: up one table each round, sitting down in the seats that are free.",
        NearestMitchell { kind: MitchellKind, tables: u16, boards: u16, other: u16 } =
            "No sound {kind} has {tables} tables and exactly {boards} boards; this is the nearest one, with {other} boards.",
        PlayedAsItLay { round: RoundNumber } =
            "Round {round} is played as the room sat and the boards lay; from the next round on everything is as it was planned.",
    }
}

sentences! {
    /// What speaks for a movement, or against it.
    Reason {
        ClubsPlayUpTo { tables: usize } = "what most clubs play with up to {tables} tables",
        EverybodyMoves = "almost everybody has to move in a large room",
        ClubsPlayAbove { tables: usize } = "what most clubs play with more than {tables} tables",
        WanderingSet = "the director carries the wandering set to its table every round",
        LookForATable = "pairs that give up their seat have to look for another table",
        ShortLists = "two short ranking lists in a small room",
        OneWinner = "one winner",
        AllMeetOnce = "everybody meets every possible opponent once",
        SomeMetTwice = "some opponents are met twice",
        MetBefore { rounds: usize } = "about {rounds} rounds against opponents met before",
        NeverMeet { never: usize } = "{never} meetings of two pairs do not happen",
        UnevenField = "pairs are not all compared with the same field",
        CallASkip = "half-way you have to call a skip: East-West leave out a table",
        CallASpecialMove = "the director has to call a special move",
        Simple = "simple: no shared boards, no bye-stand, no skip",
        Sharing = "two tables share boards all evening",
        SecondCopy = "a second copy of the boards has to be made",
        MoveEveryBoard = "everybody moves after every board",
        FewOpponents { boards: usize } =
            "{boards} boards against the same opponents make few opponents",
        BoardsLeftOut { boards: usize } =
            "{boards} of the boards in play are left out by every pair",
        SitsOutBoards { boards: usize } =
            "with a half table somebody sits out {boards} boards at a time",
        SkipWithHalfTable = "a skip goes badly with a half table",
        SitOutRounds { rounds: usize } = "some pairs sit out {rounds} rounds",
        SitOutOnce = "nobody sits out more than one round",
        NoSharingThen = "with the missing pair there, no table shares boards",
    }
}

sentences! {
    /// A Mitchell as the director asked for it.
    MitchellKind {
        Skip = "skip Mitchell",
        Share = "share-and-relay Mitchell",
        FeedIn = "Mitchell with feed-ins",
        Any = "Mitchell",
    }
}

/// Sets of boards, one taken after the other.
macro_rules! sets {
    ($(#[$about:meta])* $name:ident, $then:literal) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name(pub Vec<BoardSet>);

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let sets: Vec<String> = self.0.iter().map(ToString::to_string).collect();
                f.write_str(&sets.join($then))
            }
        }

        impl std::str::FromStr for $name {
            type Err = super::Refused;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let sets = text.split($then).map(str::parse);
                sets.collect::<Result<_, _>>().map(Self)
            }
        }
    };
}

sets! {
    /// What lies on a bye-stand.
    Sets, " then "
}

sets! {
    /// What lies on a stack.
    StackedSets, ", then "
}
