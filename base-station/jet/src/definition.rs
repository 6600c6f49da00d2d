//! A table's definition, read from its pages.

use super::database::{Database, Place, damaged, pointer, u16_at, u32_at};
use super::table::Layout;
use super::{JetError, Version};

/// A definition longer than this is a chain of pages that does not end.
const DEFINITION_LEN_MAX: usize = 1 << 20;

/// A table of somebody else's database.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    /// The definition's first page.
    pub(super) page: usize,
    /// The map of its pages.
    pub(super) used: Place,
    /// The map of those with room.
    pub(super) with_room: Place,
    pub(super) rows: u32,
    /// The last automatic number.
    pub(super) auto: u32,
    pub(super) indexes: u32,
    /// Columns of a row, those that were dropped included.
    pub(super) width: usize,
    /// Of varying length, the same.
    pub(super) varying: usize,
    /// Bytes of the fixed ones.
    pub(super) fixed_len: usize,
    pub(super) columns: Vec<StoredColumn>,
}

/// A column of somebody else's table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredColumn {
    /// Its name.
    pub name: String,
    /// The most characters that a text has.
    pub letters: usize,
    pub(super) code: u8,
    /// Its bit in a row.
    pub(super) number: usize,
    /// Its place among those of varying length.
    pub(super) place: usize,
    pub(super) is_fixed: bool,
    pub(super) is_auto: bool,
    /// Among the fixed.
    pub(super) offset: usize,
    pub(super) len: usize,
}

impl Database {
    /// The columns of a table; `None` where there is no such table.
    pub fn columns(&self, table: &str) -> Result<Option<Vec<StoredColumn>>, JetError> {
        Ok(self.find(table)?.map(|definition| definition.columns))
    }
}

impl Definition {
    pub(super) fn read(file: &Database, page: usize) -> Result<Self, JetError> {
        let bytes = whole(file, page)?;
        let layout = Layout::of(file.version);
        let indexes = u32_at(&bytes, layout.indexes)?;
        let start = usize::try_from(indexes)
            .ok()
            .and_then(|indexes| indexes.checked_mul(layout.index_len))
            .and_then(|length| length.checked_add(layout.columns))
            .filter(|start| *start < bytes.len())
            .ok_or_else(|| damaged(format!("the table of page {page} has {indexes} indexes")))?;
        let count = usize::from(u16_at(&bytes, layout.kind + 5)?);
        let mut columns = Vec::new();
        let mut name_at = start + count * layout.column_len;
        for column in 0..count {
            let at = start + column * layout.column_len;
            let entry = bytes.get(at..at + layout.column_len);
            let entry = entry.ok_or_else(|| damaged("a column is missing"))?;
            let (name, next) = name(file, &bytes, name_at)?;
            name_at = next;
            columns.push(described(file.version, layout, entry, name)?);
        }
        let fixed_len = (columns.iter())
            .filter(|column| column.is_fixed && column.code != 1)
            .map(|column| column.offset + column.len)
            .max();
        Ok(Self {
            page,
            used: pointer(&bytes[layout.used..])?,
            with_room: pointer(&bytes[layout.used + 4..])?,
            rows: u32_at(&bytes, layout.rows)?,
            auto: u32_at(&bytes, layout.auto)?,
            indexes,
            width: usize::from(u16_at(&bytes, layout.kind + 1)?),
            varying: usize::from(u16_at(&bytes, layout.kind + 3)?),
            fixed_len: fixed_len.unwrap_or(0),
            columns,
        })
    }
}

/// All pages of a definition, without the heads of the later ones.
fn whole(file: &Database, page: usize) -> Result<Vec<u8>, JetError> {
    let mut bytes = file.page(page)?.to_vec();
    if bytes[0] != 2 {
        return Err(damaged(format!("page {page} does not define a table")));
    }
    let mut next = u32_at(&bytes, 4)?;
    while next != 0 {
        let page = usize::try_from(next).unwrap_or(usize::MAX);
        let more = file.page(page)?;
        if more[0] != 2 || bytes.len() > DEFINITION_LEN_MAX {
            return Err(damaged(format!("page {page} does not define a table")));
        }
        next = u32_at(more, 4)?;
        bytes.extend(&more[8..]);
    }
    Ok(bytes)
}

fn name(file: &Database, bytes: &[u8], at: usize) -> Result<(String, usize), JetError> {
    let (length, start) = match file.version {
        Version::Jet3 => (bytes.get(at).copied().map(usize::from), at + 1),
        Version::Jet4 => (u16_at(bytes, at).ok().map(usize::from), at + 2),
    };
    let text = length.and_then(|length| bytes.get(start..start + length));
    let text = text.ok_or_else(|| damaged("a column has no name"))?;
    let said = match file.version {
        Version::Jet3 => file
            .code_page
            .decode_without_bom_handling(text)
            .0
            .into_owned(),
        Version::Jet4 => encoding_rs::UTF_16LE
            .decode_without_bom_handling(text)
            .0
            .into_owned(),
    };
    Ok((said, start + text.len()))
}

fn described(
    version: Version,
    layout: &Layout,
    entry: &[u8],
    name: String,
) -> Result<StoredColumn, JetError> {
    let flags = entry[layout.flags];
    let len = usize::from(u16_at(entry, layout.offset + 2)?);
    Ok(StoredColumn {
        name,
        letters: match version {
            Version::Jet3 => len,
            Version::Jet4 => len / 2,
        },
        code: entry[0],
        number: usize::from(u16_at(entry, layout.number)?),
        place: usize::from(u16_at(entry, layout.number + 2)?),
        is_fixed: flags & 1 != 0,
        is_auto: flags & 4 != 0,
        offset: usize::from(u16_at(entry, layout.offset)?),
        len,
    })
}
