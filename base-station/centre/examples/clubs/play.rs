//! What a thousand clubs say in an evening, made from a seed.

use centre::{Awarded, Became, Line, PairName, PairSaid, Phase, Place, Said};
use protocol::words::{BoardNumber, PairNumber, RoundNumber, SectionLetter, Side, TableNumber};
use scoring::{Fault, Pair};

/// How large it all is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) clubs: usize,
    pub(crate) tables: u16,
    pub(crate) boards: u8,
}

impl Size {
    /// Results in all.
    pub(crate) fn results(self) -> usize {
        self.clubs * usize::from(self.tables) * usize::from(self.boards)
    }
}

/// Numbers from a seed, the same everywhere.
pub(crate) fn random(seed: u64) -> fastrand::Rng {
    fastrand::Rng::with_seed(seed)
}

/// What a board is worth where it is played well, and what else happens there.
fn score(board: u8, random: &mut fastrand::Rng) -> i16 {
    const USUAL: [[i16; 6]; 5] = [
        [620, 650, 170, -100, 680, 140],
        [-420, -450, 50, -170, 100, -140],
        [110, 140, -50, 90, -100, 120],
        [-600, -630, 100, -120, 200, -150],
        [1430, 680, -100, 1440, 650, 710],
    ];
    let usual = USUAL[usize::from(board) % USUAL.len()];
    // The first two of them are what most tables do.
    match random.u8(0..10) {
        0..4 => usual[0],
        4..7 => usual[1],
        other => usual[usize::from(other - 5)],
    }
}

fn pair(number: u16, side: Side) -> PairName {
    PairName(Pair {
        section: SectionLetter::A,
        direction: Some(side),
        number: PairNumber::new(number).expect("a pair"),
    })
}

/// What a table says of a board: now and then it was not played, or the director gave something.
pub(crate) fn line(table: u16, board: u8, random: &mut fastrand::Rng) -> Line {
    let became = match random.u16(0..400) {
        0 => Became::NotPlayed,
        1 => Became::Adjusted(Awarded::Percent(6_000), Awarded::Percent(4_000)),
        _ => Became::Score(score(board, random)),
    };
    Line {
        place: Place {
            section: SectionLetter::A,
            board: BoardNumber::new(board).expect("a board"),
            round: RoundNumber::new((board - 1) / 3 + 1).expect("a round"),
            table: TableNumber::new(table).expect("a table"),
        },
        ns: Some(pair(table, Side::NorthSouth)),
        ew: Some(pair(table, Side::EastWest)),
        became,
        form: 0,
        fault: [Fault::None; 2],
    }
}

/// The names of a table's pairs.
pub(crate) fn names(table: u16) -> [Said; 2] {
    [Side::NorthSouth, Side::EastWest].map(|side| {
        Said::Pair(PairSaid {
            pair: pair(table, side),
            players: Some([format!("First {table}"), format!("Second {table}")]),
            category: None,
            gone: false,
            penalties: Vec::new(),
        })
    })
}

/// The club stands by its results.
pub(crate) fn released() -> Said {
    Said::Phase(Phase::Released)
}
