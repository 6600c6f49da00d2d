//! Writes Jet database files, and adds and changes rows in files of others. The layout is in this
//! package's README.

mod database;
mod definition;
mod edit;
mod maps;
mod page;
mod row;
mod stored;
mod table;
mod write;

#[cfg(test)]
mod tests;

pub use database::{Database, Place, Stored};
pub use definition::StoredColumn;
pub use write::write;

/// Which Jet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// Access 97.
    Jet3,
    /// Access 2000.
    Jet4,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Yes or no.
    Bit,
    /// 16 bits.
    Int,
    /// 32 bits.
    Long,
    /// 32 bits, counted up by whoever adds rows.
    AutoNumber,
    /// Days since 30 December 1899.
    Date,
    /// Text of at most so many characters.
    Text(u8),
    /// Bytes, at most 255. The catalogue has such columns.
    Binary,
    /// Text of any length. The catalogue has such columns; always empty here.
    Memo,
    /// Bytes of any length. The catalogue has such columns; always empty here.
    Object,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
}

impl Column {
    /// A column.
    pub fn new(name: &str, kind: Kind) -> Self {
        Self {
            name: name.to_owned(),
            kind,
        }
    }
}

/// What stands in a row under a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Nothing.
    Null,
    /// Yes or no.
    Bit(bool),
    /// 16 bits.
    Int(i16),
    /// 32 bits.
    Long(i32),
    /// Days since 30 December 1899.
    Date(f64),
    /// Text.
    Text(String),
    /// Bytes.
    Binary(Vec<u8>),
}

/// A table with its rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Each with a value for each column.
    pub rows: Vec<Vec<Value>>,
}

/// Why there is no file, or why it is not changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JetError {
    /// A value of another kind than its column, or too long for it.
    #[error("row {row} of table {table}: {what}")]
    BadRow {
        /// Which table.
        table: String,
        /// From 1.
        row: usize,
        /// What is wrong.
        what: String,
    },
    /// Something else, or of another Jet.
    #[error("{0}")]
    NotTaken(String),
    /// It contradicts itself.
    #[error("the database is damaged: {0}")]
    Damaged(String),
    /// A table that is not there, or can't be described or changed.
    #[error("table {table}: {what}")]
    BadTable {
        /// Which.
        table: String,
        /// What is wrong.
        what: String,
    },
}
