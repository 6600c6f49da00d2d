//! The movement of a section: tables and rounds, in the words of the game.

use protocol::words::{BoardNumber, PairNumber, RoundNumber, TableNumber};

use crate::Fault;
use crate::data::{Round, Section, Table, game};

/// The most tables of a section; pads and grid are made for rooms, not for nations.
const TABLES_MAX: usize = 999;

/// One table in one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seating {
    /// The table.
    pub table: TableNumber,
    /// The round.
    pub round: RoundNumber,
    /// North-South; nobody where they sit out.
    pub ns: Option<PairNumber>,
    /// East-West; nobody where they sit out.
    pub ew: Option<PairNumber>,
    /// The first and the last board; none where nobody plays.
    pub boards: Option<(BoardNumber, BoardNumber)>,
}

/// Reads the movement of a section: every round of every table that is listed.
pub fn read(section: &Section) -> Result<Vec<Seating>, Fault> {
    if section.game_type == game::INDIVIDUAL {
        return Err(Fault::not_here(format!(
            "section {}: pads of Byestand don't play individuals; expected pairs or teams",
            section.letters
        )));
    }
    if section.tables.len() > TABLES_MAX {
        let why = format!("section {}: more than {TABLES_MAX} tables", section.letters);
        return Err(Fault::invalid(why));
    }
    let mut seatings = Vec::new();
    for table in &section.tables {
        for round in &table.rounds {
            seatings.push(seating(section, table, round)?);
        }
    }
    Ok(seatings)
}

fn seating(section: &Section, table: &Table, round: &Round) -> Result<Seating, Fault> {
    let (letters, at) = (&section.letters, table.table_number);
    let wrong = |what: &str, expected: &str| {
        let round = round.round_number;
        Fault::invalid(format!(
            "table {letters}{at} round {round}: {what} must be {expected}"
        ))
    };
    let number = u16::try_from(at).ok().and_then(TableNumber::new);
    let number = number.ok_or_else(|| wrong("TableNumber", "1 to 65535"))?;
    if round.table_number != 0 && round.table_number != at {
        return Err(wrong("TableNumber", "that of its table"));
    }
    let count = u8::try_from(round.round_number)
        .ok()
        .and_then(RoundNumber::new);
    let count = count.ok_or_else(|| wrong("RoundNumber", "1 to 99"))?;
    let missing = |number: i64, is_ns: bool| match (section.winners, section.missing_pair) {
        (_, 0) => false,
        // Two lists of numbers: a missing East-West pair is written with a minus.
        (2, pair) => pair == if is_ns { number } else { -number },
        (_, pair) => pair == number,
    };
    let pair = |number: i64, is_ns: bool, what: &str| match number {
        0 => Ok(None),
        number if missing(number, is_ns) => Ok(None),
        number => u16::try_from(number)
            .ok()
            .and_then(PairNumber::new)
            .map(Some)
            .ok_or_else(|| wrong(what, "0 to 65535")),
    };
    let (ns, ew) = (
        pair(round.pair_ns, true, "PairNS")?,
        pair(round.pair_ew, false, "PairEW")?,
    );
    let board = |number: i64, what: &str| {
        let board = u8::try_from(number).ok().and_then(BoardNumber::new);
        board.ok_or_else(|| wrong(what, "1 to 255"))
    };
    let boards = if round.low_board_number == 0 && round.high_board_number == 0 {
        None
    } else {
        let low = board(round.low_board_number, "LowBoardNumber")?;
        let high = board(round.high_board_number, "HighBoardNumber")?;
        if low > high {
            return Err(wrong("HighBoardNumber", "at least LowBoardNumber"));
        }
        // Whoever sits out has no boards, whatever is written beside them.
        (ns.is_some() && ew.is_some()).then_some((low, high))
    };
    Ok(Seating {
        table: number,
        round: count,
        ns,
        ew,
        boards,
    })
}
