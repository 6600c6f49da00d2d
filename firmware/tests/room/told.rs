//! What the base tells of the evening: rounds, names, results of others, cards, the ranking.

use protocol::message::{
    Down, Feedback, HandRecord, MatchAtTable, NextPlace, PackedDeal, PairNames, Par, RankingLine,
    RoundSheet, Slip, SlipLine, TravellerLine, TricksTable,
};
use protocol::words::{
    BoardNumber, Contract, Doubling, Level, PairNumber, Percentage, RoundNumber, Score, Seat, Side,
    Strain, TableNumber, Tricks,
};
use virtual_pad::players;

use super::{BOARDS, ROUNDS, board, round};

fn pair(number: u16) -> Option<PairNumber> {
    PairNumber::new(number)
}

/// Round r has boards 3r - 2 to 3r, pair 5 against pair r + 10.
pub fn sheet(number: u8) -> RoundSheet {
    RoundSheet {
        round: round(number),
        ns: pair(5),
        ew: pair(u16::from(number) + 10),
        first_board: board(number * BOARDS - BOARDS + 1),
        boards: BOARDS,
        ns_next: match number {
            ROUNDS => NextPlace::Finished,
            _ => NextPlace::Stay,
        },
        ew_next: match number {
            ROUNDS => NextPlace::Finished,
            _ => NextPlace::Go(TableNumber::new(6).expect("a table"), Side::EastWest),
        },
        boards_to: match number {
            ROUNDS => None,
            _ => TableNumber::new(4),
        },
    }
}

/// Two teams, the visitors North-South.
pub fn matching(round: RoundNumber) -> Down {
    Down::Match(MatchAtTable {
        round,
        home: Side::EastWest,
        names: ["Nordqvist's team", "The Eggers"].map(|name| name.try_into().expect("short")),
    })
}

/// A match of five boards.
pub fn slip(round: RoundNumber, check: u16) -> Slip {
    let line = |number: u8, here: i16, there: i16, points: i16| SlipLine {
        board: board(number),
        here: Some(Score(here)),
        there: Some(Score(there)),
        points: Some(points),
    };
    Slip {
        round,
        check,
        lines: [
            line(1, 620, 170, 100),
            line(2, -50, -50, 0),
            line(3, -1430, 100, -170),
            line(4, 110, -90, 50),
            line(5, 400, 430, -10),
        ]
        .into_iter()
        .collect(),
        total: Some(-30),
        vp: Some([860, 1_140]),
        accepted: false,
    }
}

pub fn names() -> PairNames {
    let name = |name: &str| name.try_into().expect("a short name");
    PairNames {
        round: RoundNumber::FIRST,
        seats: [
            name("Nora Nordqvist"),
            name("Elisa Eggers-Östlund"),
            name("Sam Southgate"),
            name("Wim Westerveld"),
        ],
    }
}

fn contract(level: u8, strain: Strain, declarer: Seat) -> Contract {
    Contract {
        level: Level::new(level).expect("a level"),
        strain,
        doubling: Doubling::Undoubled,
        declarer,
    }
}

pub fn traveller(board: BoardNumber) -> Feedback {
    let line = |score, times, percent, own, played| TravellerLine {
        score: Score(score),
        times,
        ns_percentage: Percentage::new(percent),
        own,
        played,
    };
    let tricks = |tricks| Tricks::new(tricks).expect("tricks");
    let spades = contract(4, Strain::Spades, Seat::South);
    let no_trump = contract(3, Strain::NoTrump, Seat::North);
    Feedback::Traveller {
        board,
        lines: [
            line(450, 1, 10_000, false, Some((spades, tricks(11)))),
            line(420, 4, 6250, true, None),
            line(400, 1, 3750, false, Some((no_trump, tricks(9)))),
            line(170, 2, 2500, false, None),
            line(-50, 1, 1250, false, Some((spades, tricks(9)))),
            line(-100, 1, 0, false, Some((spades, tricks(8)))),
        ]
        .into_iter()
        .collect(),
    }
}

pub fn hand_record(board: BoardNumber) -> Feedback {
    let deal = players::deal(&mut fastrand::Rng::with_seed(3));
    Feedback::HandRecord(HandRecord {
        board,
        deal: PackedDeal::from(&deal),
        tricks: Some(TricksTable::from_fn(|seat, strain| {
            Tricks::new(seat.index() * 2 + strain as u8).expect("tricks")
        })),
        par: Some(Par {
            score: Score(-1100),
            contract: Some(Contract {
                doubling: Doubling::Doubled,
                ..contract(5, Strain::Diamonds, Seat::North)
            }),
        }),
    })
}

pub fn ranking() -> Feedback {
    let line = |rank: u16| RankingLine {
        rank,
        pair: PairNumber::new(rank + 3).expect("a pair"),
        side: Some(Side::NorthSouth),
        percentage: Percentage::new(6500 - rank * 333).expect("a percentage"),
        name: "Nora & Sam".try_into().expect("a short name"),
    };
    Feedback::Ranking {
        lines: (1..=8).map(line).collect(),
    }
}
