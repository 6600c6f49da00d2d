//! Reads a file of results, and says where it is wrong.

use std::collections::HashSet;

use protocol::words::{BoardNumber, PairNumber, SectionLetter, Side};

use super::super::CliError;
use super::super::table::{Line, Table};
use crate::scoring::{Fault, Form, Outcome, Pair, Row};

/// The columns a file can have.
const COLUMNS: [&str; 14] = [
    "board", "pair_ns", "pair_ew", "contract", "declarer", "result", "score_ns", "section",
    "table", "round", "adjust", "group", "fault_ns", "fault_ew",
];

/// All rows of the file, in its order.
pub(super) fn rows(
    name: &str,
    text: &[u8],
    one_winner: bool,
) -> Result<Vec<(BoardNumber, Row)>, CliError> {
    let table = Table::of(name, text, &COLUMNS)?;
    table.needs(&["board", "pair_ns", "pair_ew"])?;
    if !table.has(&["score_ns"]) && !table.has(&["contract", "declarer", "result"]) {
        return Err(
            table.header_fault("expected the columns contract, declarer and result, or score_ns")
        );
    }
    let mut seen = HashSet::new();
    let mut rows = Vec::new();
    for line in table.lines() {
        let (board, row) = row(&line, one_winner)?;
        for side in Side::BOTH {
            let Some(pair) = row.contestant(side) else {
                continue;
            };
            if !seen.insert((board, pair)) {
                let column = match side {
                    Side::NorthSouth => "pair_ns",
                    Side::EastWest => "pair_ew",
                };
                return Err(line.fault(
                    column,
                    format!(
                        "pair {} plays board {board} twice in section {}",
                        pair.number, row.section
                    ),
                ));
            }
        }
        rows.push((board, row));
    }
    Ok(rows)
}

fn row(line: &Line<'_>, one_winner: bool) -> Result<(BoardNumber, Row), CliError> {
    let board = line.word("board")?;
    let outcome = line.outcome(board)?;
    let may_miss = outcome == Outcome::SitOut;
    let section = line.optional("section")?.unwrap_or(SectionLetter::A);
    let pair = |side, column| -> Result<Option<Pair>, CliError> {
        let number = pair(line, column, may_miss)?;
        Ok(number.map(|number| Pair {
            section,
            direction: (!one_winner).then_some(side),
            number,
        }))
    };
    let row = Row {
        section,
        table: line.optional("table")?,
        round: line.optional("round")?,
        ns: pair(Side::NorthSouth, "pair_ns")?,
        ew: pair(Side::EastWest, "pair_ew")?,
        outcome,
        form: form(line)?,
        fault: [fault_of(line, "fault_ns")?, fault_of(line, "fault_ew")?],
    };
    Ok((board, row))
}

fn pair(
    line: &Line<'_>,
    column: &'static str,
    may_miss: bool,
) -> Result<Option<PairNumber>, CliError> {
    if may_miss && matches!(line.text(column), "" | "0") {
        return Ok(None);
    }
    line.word(column).map(Some)
}

fn form(line: &Line<'_>) -> Result<Form, CliError> {
    match line.optional::<SectionLetter>("group") {
        Ok(letter) => Ok(Form(letter.map_or(0, u8::from))),
        Err(_) => Err(line.fault("group", "expected a letter from A to Z")),
    }
}

fn fault_of(line: &Line<'_>, column: &'static str) -> Result<Fault, CliError> {
    match line.text(column).to_ascii_lowercase().as_str() {
        "" | "none" => Ok(Fault::None),
        "partly" => Ok(Fault::Partly),
        "responsible" => Ok(Fault::Responsible),
        _ => Err(line.fault(column, "expected none, partly or responsible")),
    }
}
