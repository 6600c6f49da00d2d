//! What is in which column: by its heading, and by what is in it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Row, number};

/// What a column of a list holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Column {
    /// The player's number.
    Number,
    /// The whole name; `Berg, Anna` is turned around.
    Name,
    /// The first name.
    FirstName,
    /// The surname.
    Surname,
    /// An e-mail address, which is not kept.
    Email,
    /// Something else, which is not kept.
    Nothing,
}

pub(super) struct Guess {
    pub(super) heading: bool,
    pub(super) columns: Vec<Column>,
}

const NUMBER: [&str; 11] = [
    "number", "nummer", "numéro", "numero", "nr", "no", "no.", "nr.", "id", "code", "member",
];
const FIRST: [&str; 7] = [
    "first", "vorname", "given", "forename", "prénom", "prenom", "fornavn",
];
const SURNAME: [&str; 8] = [
    "last",
    "surname",
    "nachname",
    "family",
    "familienname",
    "zuname",
    "nom",
    "etternavn",
];
const NAME: [&str; 6] = ["name", "player", "spieler", "names", "naam", "navn"];
const EMAIL: [&str; 3] = ["mail", "e-mail", "email"];

/// Whether a heading has one of these words: short ones whole, long ones also inside a word.
fn says(heading: &str, words: &[&str]) -> bool {
    let heading = heading.to_lowercase();
    let own = || heading.split(|letter: char| !(letter.is_alphabetic() || ".-".contains(letter)));
    words.iter().any(|word| {
        if word.chars().count() > 4 {
            heading.contains(word)
        } else {
            own().any(|own| own == *word)
        }
    })
}

fn is_number(cell: &str) -> bool {
    number(cell).is_some()
}

/// Looks at a list.
pub(super) fn guess(rows: &[Row]) -> Guess {
    let count = rows
        .iter()
        .map(|row| row.cells.len())
        .max()
        .unwrap_or_default();
    let known = [&NUMBER[..], &FIRST, &SURNAME, &NAME, &EMAIL];
    let heading = rows.first().is_some_and(|first| {
        let mut cells = first.cells.iter();
        let named = cells.any(|cell| known.iter().any(|words| says(cell, words)));
        let counts = first.cells.iter().any(|cell| is_number(cell.trim()));
        let later = rows.iter().skip(1);
        let later = later
            .flat_map(|row| &row.cells)
            .any(|cell| is_number(cell.trim()));
        !counts && (named || later && rows.len() > 1)
    });
    let (head, body) = rows.split_at(usize::from(heading));
    let head = head.first();
    let above = |at: usize| head.map_or("", |row| row.cell(at));
    let looks: Vec<Look> = (0..count).map(|at| Look::at(body, at)).collect();
    let mut columns = vec![Column::Nothing; count];
    for (at, (column, look)) in columns.iter_mut().zip(&looks).enumerate() {
        *column = if look.email || says(above(at), &EMAIL) {
            Column::Email
        } else if says(above(at), &FIRST) {
            Column::FirstName
        } else if says(above(at), &SURNAME) {
            Column::Surname
        } else {
            Column::Nothing
        };
    }
    let free = |columns: &[Column], at: usize| columns.get(at) == Some(&Column::Nothing);
    // The number: what is called so, or the first that is different for everybody.
    let called = (0..count).filter(|at| free(&columns, *at)).find(|at| {
        says(above(*at), &NUMBER) && looks.get(*at).is_some_and(|look| look.some_numbers)
    });
    let unique = || (0..count).find(|at| looks.get(*at).is_some_and(|look| look.own_numbers));
    if let Some(column) = called.or_else(unique).and_then(|at| columns.get_mut(at)) {
        *column = Column::Number;
    }
    names(&mut columns, &looks, above);
    Guess { heading, columns }
}

/// Where first name and surname have no headings of their own.
fn names<'a>(columns: &mut [Column], looks: &[Look], above: impl Fn(usize) -> &'a str) {
    let has = |columns: &[Column], wanted| columns.contains(&wanted);
    if has(columns, Column::FirstName) && has(columns, Column::Surname) {
        return;
    }
    let named = (0..columns.len())
        .find(|at| columns.get(*at) == Some(&Column::Nothing) && says(above(*at), &NAME));
    if let Some(column) = named.and_then(|at| columns.get_mut(at)) {
        // Beside "first name", "name" is the surname.
        *column = if (0..looks.len()).any(|at| says(above(at), &FIRST)) {
            Column::Surname
        } else {
            Column::Name
        };
        return;
    }
    let texts: Vec<usize> = (0..columns.len())
        .filter(|at| columns.get(*at) == Some(&Column::Nothing))
        .filter(|at| looks.get(*at).is_some_and(|look| look.text))
        .collect();
    let whole = texts.first().is_some_and(|at| {
        looks.get(*at).is_some_and(|look| look.several_words) || texts.len() == 1
    });
    let roles: &[Column] = if whole {
        &[Column::Name]
    } else {
        &[Column::FirstName, Column::Surname]
    };
    for (at, role) in texts.iter().zip(roles) {
        if let Some(column) = columns.get_mut(*at) {
            *column = *role;
        }
    }
}

/// What most cells of a column are.
#[expect(
    clippy::struct_excessive_bools,
    reason = "a column may look like several things at once"
)]
struct Look {
    email: bool,
    text: bool,
    several_words: bool,
    some_numbers: bool,
    own_numbers: bool,
}

impl Look {
    fn at(body: &[Row], at: usize) -> Self {
        let cells: Vec<&str> = body
            .iter()
            .map(|row| row.cell(at))
            .filter(|cell| !cell.is_empty())
            .collect();
        let most = |is: &dyn Fn(&str) -> bool| {
            let count = cells.iter().filter(|cell| is(cell)).count();
            !cells.is_empty() && count * 2 > cells.len()
        };
        let numbers: BTreeSet<_> = cells.iter().filter_map(|cell| number(cell)).collect();
        let letters = |cell: &str| cell.chars().any(char::is_alphabetic) && !cell.contains('@');
        Self {
            email: most(&|cell| cell.contains('@')),
            text: most(&letters),
            several_words: most(&|cell| letters(cell) && cell.contains([' ', ','])),
            some_numbers: most(&is_number),
            // Nearly everybody has one, and another one than all others: neither age nor year.
            own_numbers: numbers.len() * 10 >= cells.len() * 9
                && most(&is_number)
                && cells.len() * 10 >= body.len() * 9,
        }
    }
}
