//! Movements as a text file that a director can read, edit and bring to another club.
//!
//! ```text
//! # Anything after a hash is a comment.
//! name: Six tables on Tuesday
//! lists: one
//!
//! round 1
//! 1: 12 1 1-3
//! 2: 11 4 4-6
//! 3: 10 - 7-9
//! ```
//!
//! `lists` is `one` or `two` (ranking lists). Under `round N` every table has a line
//! `table: NS EW boards`; `-` is a missing pair, or no boards at all. Boards are `7-9` or
//! `7,9,11`, and `copy 2` at the end of the line means the second copy of them.

use std::fmt::Write;

use protocol::words::{PairNumber, Side};

use super::{BoardSet, Family, Fault, Layout, Lists, Movement, Round, Seating};

/// What is wrong with a movement file, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct TextFault {
    /// From 1.
    pub line: usize,
    /// From 1.
    pub column: usize,
    /// What was expected.
    pub problem: TextProblem,
}

/// What is wrong with a line of a movement file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the sentence says what each part is")]
pub enum TextProblem {
    #[error("the movement cannot be played: {0}")]
    CannotBePlayed(Fault),
    #[error("expected `one` or `two` ranking lists, not `{given}`")]
    Lists { given: String },
    #[error("expected `round {number}` next")]
    Round { number: usize },
    #[error("expected a table")]
    Table,
    #[error("expected the {0} pair")]
    Pair(Side),
    #[error("expected boards such as 7-9")]
    Boards,
    #[error("expected `name:`, `lists:` or `round 1`")]
    Beginning,
    #[error("expected table `{number}:` or the next round, not `{given}`")]
    NextTable { number: usize, given: String },
    #[error("expected the {side} pair's number or -, not `{given}`")]
    PairNumber { side: Side, given: String },
    #[error("expected boards such as 7-9 or 7,9, not `{given}`")]
    BoardSet { given: String },
    #[error("expected a copy from 1 to 9, not `{given}`")]
    CopyNumber { given: String },
    #[error("expected `copy 2` or nothing, not `{given}`")]
    Copy { given: String },
}

impl Movement {
    /// Writes the movement as a file.
    pub fn to_text(&self) -> String {
        let lists = match self.lists {
            Lists::One => "one",
            Lists::Two => "two",
        };
        let mut text = format!("name: {}\nlists: {lists}\n", self.name);
        for (number, round) in self.numbered_rounds() {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "\nround {number}");
            for (table, seating) in round.tables() {
                let missing =
                    |pair: Option<PairNumber>| pair.map_or("-".to_owned(), |pair| pair.to_string());
                let boards = if seating.boards.is_empty() {
                    "-".to_owned()
                } else {
                    seating.boards.to_string().replace(' ', "")
                };
                let _ = write!(
                    text,
                    "{table}: {} {} {boards}",
                    missing(seating.ns),
                    missing(seating.ew)
                );
                if seating.copy > 1 {
                    let _ = write!(text, " copy {}", seating.copy);
                }
                text.push('\n');
            }
        }
        text
    }

    /// Reads a movement from a file, and refuses one that cannot be played.
    pub fn from_text(text: &str) -> Result<Self, TextFault> {
        let mut movement = Self {
            name: "Movement from a file".to_owned(),
            family: Family::Custom,
            lists: Lists::Two,
            rounds: Vec::new(),
            layout: Layout::default(),
            special: None,
            notes: Vec::new(),
        };
        let mut last = 1;
        for (line, whole) in (1..).zip(text.lines()) {
            let content = whole.split('#').next().unwrap_or_default();
            if content.trim().is_empty() {
                continue;
            }
            last = line;
            read_line(&mut movement, content).map_err(|(column, problem)| TextFault {
                line,
                column,
                problem,
            })?;
        }
        match movement.faults().into_iter().next() {
            None => Ok(movement),
            Some(fault) => Err(TextFault {
                line: last,
                column: 1,
                problem: TextProblem::CannotBePlayed(fault),
            }),
        }
    }
}

type LineFault = (usize, TextProblem);

fn read_line(movement: &mut Movement, content: &str) -> Result<(), LineFault> {
    let indent = content.len() - content.trim_start().len();
    let words = content.trim();
    if let Some(name) = words.strip_prefix("name:") {
        name.trim().clone_into(&mut movement.name);
        return Ok(());
    }
    if let Some(lists) = words.strip_prefix("lists:") {
        movement.lists = match lists.trim() {
            "one" | "1" => Lists::One,
            "two" | "2" => Lists::Two,
            other => {
                return Err((
                    indent + words.len() - other.len() + 1,
                    TextProblem::Lists {
                        given: other.to_owned(),
                    },
                ));
            }
        };
        return Ok(());
    }
    if let Some(number) = words.strip_prefix("round") {
        let expected = movement.rounds.len() + 1;
        if number.trim().parse() != Ok(expected) {
            return Err((
                indent + words.len() - number.trim().len() + 1,
                TextProblem::Round { number: expected },
            ));
        }
        movement.rounds.push(Round::default());
        return Ok(());
    }
    read_table(movement, content)
}

/// Reads `table: NS EW boards [copy N]`.
fn read_table(movement: &mut Movement, content: &str) -> Result<(), LineFault> {
    let fields = fields(content);
    let field = |index: usize, problem: TextProblem| {
        fields
            .get(index)
            .copied()
            .ok_or_else(|| (content.trim_end().len() + 1, problem))
    };
    let (column, table) = field(0, TextProblem::Table)?;
    let Some(round) = movement.rounds.last_mut() else {
        return Err((column, TextProblem::Beginning));
    };
    let expected = round.seatings.len() + 1;
    if table.strip_suffix(':').and_then(|table| table.parse().ok()) != Some(expected) {
        return Err((
            column,
            TextProblem::NextTable {
                number: expected,
                given: table.to_owned(),
            },
        ));
    }
    let pair = |index: usize, side: Side| {
        let (column, word) = field(index, TextProblem::Pair(side))?;
        match word {
            "-" => Ok(None),
            _ => word.parse().map(Some).map_err(|_| {
                (
                    column,
                    TextProblem::PairNumber {
                        side,
                        given: word.to_owned(),
                    },
                )
            }),
        }
    };
    let (ns, ew) = (pair(1, Side::NorthSouth)?, pair(2, Side::EastWest)?);
    let (column, boards) = field(3, TextProblem::Boards)?;
    let boards: BoardSet = boards.parse().map_err(|_| {
        let given = boards.to_owned();
        (column, TextProblem::BoardSet { given })
    })?;
    let copy = match (fields.get(4), fields.get(5), fields.get(6)) {
        (None, _, _) => 1,
        (Some((_, "copy")), Some((column, copy)), None) => copy
            .parse()
            .ok()
            .filter(|copy| (1..=9).contains(copy))
            .ok_or_else(|| {
                (
                    *column,
                    TextProblem::CopyNumber {
                        given: (*copy).to_owned(),
                    },
                )
            })?,
        (Some((column, word)), _, _) => {
            return Err((
                *column,
                TextProblem::Copy {
                    given: (*word).to_owned(),
                },
            ));
        }
    };
    round.seatings.push(Seating {
        ns,
        ew,
        boards,
        copy,
    });
    Ok(())
}

/// The words of a line with their columns, counted in characters from 1.
fn fields(content: &str) -> Vec<(usize, &str)> {
    let mut fields = Vec::new();
    let mut start = None;
    let mut column = 0;
    for (at, letter) in content.char_indices() {
        column += 1;
        match (letter.is_whitespace(), start) {
            (false, None) => start = Some((column, at)),
            (true, Some((first, from))) => {
                fields.push((first, &content[from..at]));
                start = None;
            }
            _ => {}
        }
    }
    if let Some((first, from)) = start {
        fields.push((first, &content[from..]));
    }
    fields
}
