//! A database file in memory: its pages, its tables, their rows.

use encoding_rs::{Encoding, WINDOWS_1252};

use super::definition::Definition;
use super::page::{put_u16, put_u32};
use super::stored::{RawRow, value};
use super::write::{CATALOGUE, head_of};
use super::{JetError, Value, Version};

/// The bits beside a row's offset that say that it is gone, or that it stands elsewhere.
pub(super) const GONE: u16 = 0x8000;
pub(super) const ELSEWHERE: u16 = 0x4000;
const OFFSET: u16 = 0x1FFF;

/// A database file that rows are added to and changed in. Nothing but its bytes is touched.
#[derive(Clone, Debug)]
pub struct Database {
    pub(super) version: Version,
    pub(super) code_page: &'static Encoding,
    pub(super) bytes: Vec<u8>,
}

/// Where a row stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub(super) page: usize,
    pub(super) row: usize,
}

/// A row with its values by the names of their columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    /// Where it stands, until something else of its table is changed.
    pub place: Place,
    /// In the order of the table's columns.
    pub values: Vec<(String, Value)>,
}

impl Stored {
    /// What stands under a column; nothing under one that the table lacks.
    pub fn get(&self, column: &str) -> &Value {
        let mut values = self.values.iter();
        let found = values.find(|(name, _)| name.eq_ignore_ascii_case(column));
        found.map_or(&Value::Null, |(_, value)| value)
    }
}

pub(super) fn damaged(what: impl Into<String>) -> JetError {
    JetError::Damaged(what.into())
}

impl Database {
    /// Takes a file. It must be Jet3 or Jet4, and its pages not encoded with a password.
    pub fn open(bytes: Vec<u8>) -> Result<Self, JetError> {
        let (version, head) = head_of(&bytes)?;
        if bytes.len() < 3 * version.page_len() || !bytes.len().is_multiple_of(version.page_len()) {
            return Err(damaged("it does not end with a whole page"));
        }
        if head[0x3E..0x42] != [0; 4] {
            return Err(JetError::NotTaken(
                "the database is encoded; take the encoding off in the program that made it"
                    .to_owned(),
            ));
        }
        let number = u16::from_le_bytes([head[0x3C], head[0x3D]]);
        Ok(Self {
            version,
            code_page: codepage::to_encoding(number).unwrap_or(WINDOWS_1252),
            bytes,
        })
    }

    /// Which Jet it is.
    pub const fn version(&self) -> Version {
        self.version
    }

    /// The file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The file.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The rows of a table, in the order of its pages; `None` where there is no such table.
    pub fn rows(&self, table: &str) -> Result<Option<Vec<Stored>>, JetError> {
        match self.find(table)? {
            Some(definition) => self.rows_of(&definition).map(Some),
            None => Ok(None),
        }
    }

    pub(super) fn rows_of(&self, definition: &Definition) -> Result<Vec<Stored>, JetError> {
        let mut found = Vec::new();
        for page in self.data_pages(definition)? {
            for row in 0..self.row_count(page)? {
                let place = Place { page, row };
                let Some(bytes) = self.row(place)? else {
                    continue;
                };
                let raw = RawRow::unpack(self.version, definition, bytes)?;
                let values = definition.columns.iter().map(|column| {
                    let value = value(self.version, self.code_page, column, &raw);
                    (column.name.clone(), value)
                });
                found.push(Stored {
                    place,
                    values: values.collect(),
                });
            }
        }
        Ok(found)
    }

    /// A table's definition by its name, as the catalogue has it.
    pub(super) fn find(&self, table: &str) -> Result<Option<Definition>, JetError> {
        let catalogue = Definition::read(self, CATALOGUE)?;
        for row in self.rows_of(&catalogue)? {
            let (Value::Text(name), Value::Int(kind), Value::Long(id)) =
                (row.get("Name"), row.get("Type"), row.get("Id"))
            else {
                continue;
            };
            // A table's number is the page of its definition.
            if *kind == 1 && name.eq_ignore_ascii_case(table) {
                let page = usize::try_from(*id & 0x00FF_FFFF).unwrap_or_default();
                return Definition::read(self, page).map(Some);
            }
        }
        Ok(None)
    }

    /// The table, or a sentence that it is missing.
    pub(super) fn need(&self, table: &str) -> Result<Definition, JetError> {
        self.find(table)?.ok_or_else(|| JetError::BadTable {
            table: table.to_owned(),
            what: "it is not in the database".to_owned(),
        })
    }

    /// The pages with the table's rows, by number.
    pub(super) fn data_pages(&self, definition: &Definition) -> Result<Vec<usize>, JetError> {
        let mut pages = Vec::new();
        for page in self.map(definition.used)? {
            let bytes = self.page(page)?;
            // Long texts have pages of their own in the same map.
            let owner = u32_at(bytes, 4)?;
            if bytes[0] == 1 && usize::try_from(owner) == Ok(definition.page) {
                pages.push(page);
            }
        }
        Ok(pages)
    }

    pub(super) fn page_count(&self) -> usize {
        self.bytes.len() / self.version.page_len()
    }

    pub(super) fn page(&self, page: usize) -> Result<&[u8], JetError> {
        let length = self.version.page_len();
        let start = page.saturating_mul(length);
        let bytes = self.bytes.get(start..start.saturating_add(length));
        bytes.ok_or_else(|| damaged(format!("there is no page {page}")))
    }

    pub(super) fn page_mut(&mut self, page: usize) -> Result<&mut [u8], JetError> {
        let length = self.version.page_len();
        let start = page.saturating_mul(length);
        let bytes = self.bytes.get_mut(start..start.saturating_add(length));
        bytes.ok_or_else(|| damaged(format!("there is no page {page}")))
    }

    pub(super) fn row_count(&self, page: usize) -> Result<usize, JetError> {
        let bytes = self.page(page)?;
        let count = usize::from(u16_at(bytes, self.version.rows_at())?);
        if self.version.rows_at() + 2 + 2 * count > bytes.len() {
            return Err(damaged(format!("page {page} has {count} rows")));
        }
        Ok(count)
    }

    /// What stands beside a row's offset.
    pub(super) fn flags(&self, place: Place) -> Result<u16, JetError> {
        let at = self.version.rows_at() + 2 + 2 * place.row;
        Ok(u16_at(self.page(place.page)?, at)? & (GONE | ELSEWHERE))
    }

    /// Where the bytes of a row are on its page, whatever they are.
    pub(super) fn row_range(&self, place: Place) -> Result<std::ops::Range<usize>, JetError> {
        let bytes = self.page(place.page)?;
        let at = |row: usize| {
            let offset = u16_at(bytes, self.version.rows_at() + 2 + 2 * row)?;
            Ok::<_, JetError>(usize::from(offset & OFFSET))
        };
        let start = at(place.row)?;
        let end = match place.row {
            0 => bytes.len(),
            row => at(row - 1)?,
        };
        let head = self.version.rows_at() + 2 + 2 * self.row_count(place.page)?;
        if start < head || start > end || end > bytes.len() {
            let Place { page, row } = place;
            return Err(damaged(format!("row {row} of page {page} has no place")));
        }
        Ok(start..end)
    }

    /// The bytes of a row, followed where they stand elsewhere; `None` where it is gone.
    pub(super) fn row(&self, place: Place) -> Result<Option<&[u8]>, JetError> {
        let flags = self.flags(place)?;
        if flags & GONE != 0 {
            return Ok(None);
        }
        let bytes = &self.page(place.page)?[self.row_range(place)?];
        if flags & ELSEWHERE == 0 {
            return Ok(Some(bytes));
        }
        let place = pointer(bytes)?;
        Ok(Some(&self.page(place.page)?[self.row_range(place)?]))
    }

    /// Writes a page's rows anew, from its end, each with its flags.
    pub(super) fn put_rows(
        &mut self,
        page: usize,
        rows: &[(u16, Vec<u8>)],
    ) -> Result<(), JetError> {
        let (rows_at, length) = (self.version.rows_at(), self.version.page_len());
        let bytes = self.page_mut(page)?;
        let head = rows_at + 2 + 2 * rows.len();
        bytes[head..].fill(0);
        let mut end = length;
        for (at, (flags, row)) in rows.iter().enumerate() {
            end -= row.len();
            bytes[end..end + row.len()].copy_from_slice(row);
            put_u16(bytes, rows_at + 2 + 2 * at, usize::from(*flags) | end);
        }
        put_u16(bytes, rows_at, rows.len());
        put_u16(bytes, 2, end - head);
        Ok(())
    }

    pub(super) fn put_u32(
        &mut self,
        page: usize,
        at: usize,
        number: usize,
    ) -> Result<(), JetError> {
        put_u32(self.page_mut(page)?, at, number);
        Ok(())
    }
}

/// A row elsewhere: its number in a byte, its page in three.
pub(super) fn pointer(bytes: &[u8]) -> Result<Place, JetError> {
    let all = usize::try_from(u32_at(bytes, 0)?).unwrap_or_default();
    Ok(Place {
        page: all >> 8,
        row: all & 0xFF,
    })
}

pub(super) fn u16_at(bytes: &[u8], at: usize) -> Result<u16, JetError> {
    let found = bytes.get(at..at + 2).and_then(|it| it.try_into().ok());
    let found = found.map(u16::from_le_bytes);
    found.ok_or_else(|| damaged("it ends too early"))
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> Result<u32, JetError> {
    let found = bytes.get(at..at + 4).and_then(|it| it.try_into().ok());
    let found = found.map(u32::from_le_bytes);
    found.ok_or_else(|| damaged("it ends too early"))
}
