//! Files with a header row: where each column stands, and where a line is wrong.

use std::collections::HashMap;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::str::FromStr;

use csv::StringRecord;
use protocol::words::Refusal;

use super::CliError;

/// The seed of the lots: the one that is asked for, or a new one.
pub(super) fn seed(asked: Option<u64>) -> u64 {
    asked.unwrap_or_else(|| fastrand::u64(..1 << 53))
}

/// The bytes of a file, or of standard input for `-`.
pub(super) fn read(path: &Path) -> Result<(String, Vec<u8>), CliError> {
    let name = path.display().to_string();
    let unreadable = |fault: io::Error| CliError::input(format!("{name} cannot be read: {fault}"));
    let mut text = Vec::new();
    if name == "-" {
        io::stdin().read_to_end(&mut text).map_err(unreadable)?;
    } else {
        File::open(path)
            .and_then(|mut file| file.read_to_end(&mut text))
            .map_err(unreadable)?;
    }
    Ok((name, text))
}

/// A file that was read, with its columns.
pub(super) struct Table<'a> {
    name: &'a str,
    columns: HashMap<&'static str, usize>,
    /// How many columns the header has.
    width: usize,
    records: Vec<StringRecord>,
}

/// A line of a file.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    name: &'a str,
    /// From 1, the header's.
    pub(super) number: u64,
    record: &'a StringRecord,
    columns: &'a HashMap<&'static str, usize>,
}

impl<'a> Table<'a> {
    /// Reads a file that may have these columns and no others.
    pub(super) fn of(
        name: &'a str,
        text: &[u8],
        known: &'static [&'static str],
    ) -> Result<Self, CliError> {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(delimiter(text))
            .trim(csv::Trim::All)
            .from_reader(text);
        let header = reader.headers().map_err(|it| broken(name, &it))?;
        let (columns, width) = (columns(name, header, known)?, header.len());
        let mut records = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|it| broken(name, &it))?;
            if !record.iter().all(str::is_empty) {
                records.push(record);
            }
        }
        Ok(Self {
            name,
            columns,
            width,
            records,
        })
    }

    /// Whether the file has all these columns.
    pub(super) fn has(&self, wanted: &[&str]) -> bool {
        wanted
            .iter()
            .all(|column| self.columns.contains_key(column))
    }

    /// Refuses a file without one of these columns.
    pub(super) fn needs(&self, wanted: &[&str]) -> Result<(), CliError> {
        match wanted.iter().find(|column| !self.has(&[column])) {
            None => Ok(()),
            Some(missing) => Err(self.header_fault(format!("expected a column \"{missing}\""))),
        }
    }

    /// Something wrong with the header.
    pub(super) fn header_fault(&self, sentence: impl Display) -> CliError {
        CliError::at(self.name, 1, self.width + 1, sentence)
    }

    /// The lines that are not empty.
    pub(super) fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        self.records.iter().map(|record| Line {
            name: self.name,
            number: record.position().map_or(0, csv::Position::line),
            record,
            columns: &self.columns,
        })
    }
}

impl Line<'_> {
    /// What stands in a column; nothing where there is no such column.
    pub(super) fn text(&self, column: &str) -> &str {
        let index = self.columns.get(column);
        index
            .and_then(|&index| self.record.get(index))
            .unwrap_or_default()
    }

    /// Whether the file has a column.
    pub(super) fn has(&self, column: &str) -> bool {
        self.columns.contains_key(column)
    }

    /// A word of the game.
    pub(super) fn word<T: FromStr<Err = Refusal>>(
        &self,
        column: &'static str,
    ) -> Result<T, CliError> {
        let word = self.text(column).parse();
        word.map_err(|refusal| self.fault(column, refusal))
    }

    /// A word of the game, where one is written.
    pub(super) fn optional<T: FromStr<Err = Refusal>>(
        &self,
        column: &'static str,
    ) -> Result<Option<T>, CliError> {
        let written = !self.text(column).is_empty();
        written.then(|| self.word(column)).transpose()
    }

    /// Something wrong in a column of this line.
    pub(super) fn fault(&self, column: &str, sentence: impl Display) -> CliError {
        let index = self.columns.get(column).copied().unwrap_or_default();
        let written = self.text(column);
        let sentence = format!("{column} \"{written}\": {sentence}");
        CliError::at(self.name, self.number, index + 1, sentence)
    }
}

/// A comma, unless the header is written with semicolons or tabs.
fn delimiter(text: &[u8]) -> u8 {
    let header = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    [b',', b';', b'\t']
        .into_iter()
        .find(|delimiter| header.contains(delimiter))
        .unwrap_or(b',')
}

fn broken(name: &str, error: &csv::Error) -> CliError {
    match (error.kind(), error.position()) {
        (
            csv::ErrorKind::UnequalLengths {
                expected_len, len, ..
            },
            Some(position),
        ) => {
            let column = usize::try_from(*expected_len.min(len)).unwrap_or_default() + 1;
            let sentence = format!("expected {expected_len} columns as in the header, found {len}");
            CliError::at(name, position.line(), column, sentence)
        }
        (_, Some(position)) => CliError::at(name, position.line(), 1, "this is not text in UTF-8"),
        _ => CliError::input(format!("{name}: {error}")),
    }
}

/// Where each column stands.
fn columns(
    name: &str,
    header: &StringRecord,
    known: &'static [&'static str],
) -> Result<HashMap<&'static str, usize>, CliError> {
    let mut columns = HashMap::new();
    for (index, title) in header.iter().enumerate() {
        let Some(column) = known.iter().find(|it| it.eq_ignore_ascii_case(title)) else {
            let known = known.join(", ");
            let sentence = format!("unknown column \"{title}\"; expected some of {known}");
            return Err(CliError::at(name, 1, index + 1, sentence));
        };
        if columns.insert(*column, index).is_some() {
            let sentence = format!("column \"{title}\" is there twice");
            return Err(CliError::at(name, 1, index + 1, sentence));
        }
    }
    Ok(columns)
}
