//! Lists of players as offices have them: CSV in any encoding, spreadsheet files, BWS; columns in
//! any order. What a list says is shown before it counts.
//!
//! `cells` makes rows of a file, `columns` finds out what is in which column. An e-mail address is
//! recognised so that it can be left out: it is read into nothing that is kept.

mod cells;
mod columns;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use protocol::words::PlayerNumber;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use columns::Column;

use telling::{Told, tell};

use crate::session::check_name;

/// More is no list of a club or a federation.
const ROWS_MAX: usize = 100_000;

/// Cells of a row that are looked at.
const COLUMNS_MAX: usize = 40;

/// How a list is to be read, where guesses are wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Wanted {
    /// What is in which column, from the left; guessed where it is empty.
    pub columns: Vec<Column>,
    /// The encoding of a text file; guessed where it is empty.
    pub encoding: String,
}

/// A list, read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PeopleList {
    /// `CSV`, `XLSX`, `BWS` and so on.
    pub kind: String,
    /// Of a text file.
    pub encoding: Option<String>,
    /// From the left.
    pub columns: Vec<ColumnView>,
    /// Everybody, in the order of the list.
    pub people: Vec<Person>,
}

/// A column of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ColumnView {
    /// What stands above it; empty where the list has no headings.
    pub heading: String,
    /// What is in it.
    pub column: Column,
    /// Its first cells. Those of e-mail addresses are not shown.
    pub sample: Vec<String>,
}

/// Somebody on a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Person {
    /// The line or row, from 1.
    pub line: usize,
    /// The number; zeros in front make it no other one.
    #[schema(value_type = Option<u32>)]
    pub number: Option<PlayerNumber>,
    /// The number as the list has it, zeros included.
    pub written: String,
    /// First name first.
    pub name: String,
    /// Why this line can't be taken.
    #[schema(value_type = Option<String>)]
    pub problem: Option<Told>,
}

/// Why a file is no list of players.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotAList(pub Told);

impl NotAList {
    const fn because(why: Told) -> Self {
        Self(why)
    }
}

/// A row with its place in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    line: usize,
    cells: Vec<String>,
}

impl Row {
    fn cell(&self, at: usize) -> &str {
        self.cells.get(at).map_or("", |cell| cell.trim())
    }
}

/// The cells of a file.
struct Cells {
    kind: String,
    encoding: Option<String>,
    rows: Vec<Row>,
}

/// Reads a list.
pub fn read(bytes: &[u8], wanted: &Wanted) -> Result<PeopleList, NotAList> {
    let Cells {
        kind,
        encoding,
        mut rows,
    } = cells::read(bytes, &wanted.encoding)?;
    rows.retain(|row| row.cells.iter().any(|cell| !cell.trim().is_empty()));
    if rows.is_empty() {
        return Err(NotAList::because(tell!(People::ListPlayersEmpty)));
    }
    if rows.len() > ROWS_MAX {
        return Err(NotAList::because(tell!(People::ListMoreThanLines {
            n: ROWS_MAX
        })));
    }
    let guess = columns::guess(&rows);
    let mut columns = guess.columns;
    for (own, wanted) in columns.iter_mut().zip(&wanted.columns) {
        *own = *wanted;
    }
    let (heading, body) = rows.split_at(usize::from(guess.heading));
    let heading = heading.first();
    let views = columns.iter().enumerate().map(|(at, column)| ColumnView {
        heading: heading.map_or(String::new(), |row| row.cell(at).to_owned()),
        column: *column,
        sample: sample(body, at, *column),
    });
    let mut people: Vec<Person> = body.iter().map(|row| person(row, &columns)).collect();
    name_twice(&mut people);
    Ok(PeopleList {
        kind,
        encoding,
        columns: views.collect(),
        people,
    })
}

/// Nobody's address is shown, not even to the director who looks for the right column.
fn sample(body: &[Row], at: usize, column: Column) -> Vec<String> {
    let cells = body.iter().map(|row| row.cell(at));
    let cells = cells.filter(|cell| !cell.is_empty()).take(4);
    let shown = cells.map(|cell| {
        if column == Column::Email || cell.contains('@') {
            "…@…".to_owned()
        } else {
            cell.chars().take(40).collect()
        }
    });
    shown.collect()
}

fn person(row: &Row, columns: &[Column]) -> Person {
    let of = |wanted: Column| {
        let places = columns.iter().enumerate();
        let places = places.filter(move |(_, column)| **column == wanted);
        let cells = places.map(|(at, _)| row.cell(at));
        cells.filter(|cell| !cell.is_empty()).collect::<Vec<_>>()
    };
    let written = of(Column::Number).join(" ");
    let number = number(&written);
    let parts: Vec<String> = of(Column::Name)
        .into_iter()
        .map(spoken)
        .chain(of(Column::FirstName).into_iter().map(str::to_owned))
        .chain(of(Column::Surname).into_iter().map(str::to_owned))
        .collect();
    let words: Vec<&str> = parts
        .iter()
        .flat_map(|part| part.split_whitespace())
        .collect();
    let name = words.join(" ");
    let problem = match number {
        None if written.is_empty() => Some(tell!(People::ThereNoPlayerNumber)),
        None => {
            let given = format!("\"{written}\"");
            Some(tell!(People::ExpectedPlayerNumberNot { given }))
        }
        Some(PlayerNumber::VISITOR) => Some(tell!(People::ZeroNumberVisitors)),
        Some(_) => None,
    };
    let problem = problem.or_else(|| {
        let refused = check_name(&name).err();
        refused.map(|refused| refused.0)
    });
    Person {
        line: row.line,
        number,
        written: digits_of(&written),
        name,
        problem,
    }
}

/// The number without what spreadsheets put around it.
fn digits_of(written: &str) -> String {
    let plain: String = written
        .trim_start_matches('\'')
        .chars()
        .filter(|letter| !letter.is_whitespace())
        .collect();
    plain.strip_suffix(".0").unwrap_or(&plain).to_owned()
}

/// `007`, `12 345`, `4711.0` as spreadsheets write it.
fn number(written: &str) -> Option<PlayerNumber> {
    let plain = digits_of(written);
    if plain.is_empty() || !plain.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    plain.parse::<u32>().ok().and_then(PlayerNumber::new)
}

/// `Anna Berg` from `Berg, Anna`.
fn spoken(name: &str) -> String {
    match name.split_once(',') {
        Some((surname, first)) => format!("{} {}", first.trim(), surname.trim()),
        None => name.to_owned(),
    }
}

/// A number belongs to one player.
fn name_twice(people: &mut [Person]) {
    let mut known: BTreeMap<PlayerNumber, usize> = BTreeMap::new();
    for person in people.iter_mut().filter(|it| it.problem.is_none()) {
        let Some(number) = person.number else {
            continue;
        };
        match known.get(&number) {
            Some(line) => {
                person.problem = Some(tell!(People::PlayerNumberLineAlready { number, line }));
            }
            None => drop(known.insert(number, person.line)),
        }
    }
}

impl PeopleList {
    /// Those who can be taken.
    pub fn members(&self) -> Vec<(PlayerNumber, String)> {
        let good = self.people.iter().filter(|it| it.problem.is_none());
        good.filter_map(|it| Some((it.number?, it.name.clone())))
            .collect()
    }

    /// With how many digits the list writes the numbers that begin with a zero.
    pub fn digits(&self) -> Vec<(PlayerNumber, u8)> {
        let good = self.people.iter().filter(|it| it.problem.is_none());
        let zeros = good.filter(|it| it.written.starts_with('0'));
        // A pad takes nine digits, and so does everybody else.
        let many = |it: &Person| u8::try_from(it.written.len().min(9)).ok();
        zeros
            .filter_map(|it| Some((it.number?, many(it)?)))
            .collect()
    }

    /// What is wrong first, with its line.
    pub fn first_problem(&self) -> Option<Told> {
        self.people.iter().find_map(|it| {
            let problem = it.problem.as_ref()?;
            Some(tell!(People::LineList {
                n: it.line,
                problem
            }))
        })
    }
}
