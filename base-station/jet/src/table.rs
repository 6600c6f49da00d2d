//! A table's definition as pages.

use super::page::{put_u16, put_u32};
use super::row::text;
use super::{JetError, Kind, Table, Version};
use encoding_rs::WINDOWS_1252;

/// English of the United States, which every program of the field expects.
const SORT_ORDER: usize = 0x0409;

/// A number that every definition of Jet4 has in two places.
const JET4_MARK: usize = 1625;

/// Where the numbers are.
pub(super) struct Layout {
    /// How many rows.
    pub(super) rows: usize,
    /// The last automatic number.
    pub(super) auto: usize,
    /// `S` or `N`; the numbers of columns follow.
    pub(super) kind: usize,
    /// How many indexes.
    pub(super) indexes: usize,
    /// Where the map of used pages is; that of pages with room follows.
    pub(super) used: usize,
    /// The first index or, without one, the first column.
    pub(super) columns: usize,
    pub(super) index_len: usize,
    pub(super) column_len: usize,
    /// Within a column: its number.
    pub(super) number: usize,
    /// Within a column: its flags.
    pub(super) flags: usize,
    /// Within a column: its offset among the fixed, and then its length.
    pub(super) offset: usize,
}

impl Layout {
    pub(super) const fn of(version: Version) -> &'static Self {
        match version {
            Version::Jet3 => &JET3,
            Version::Jet4 => &JET4,
        }
    }
}

const JET3: Layout = Layout {
    rows: 0x0C,
    auto: 0x10,
    kind: 0x14,
    indexes: 0x1F,
    used: 0x23,
    columns: 0x2B,
    index_len: 8,
    column_len: 18,
    number: 1,
    flags: 13,
    offset: 14,
};

const JET4: Layout = Layout {
    rows: 0x10,
    auto: 0x14,
    kind: 0x28,
    indexes: 0x33,
    used: 0x37,
    columns: 0x3F,
    index_len: 12,
    column_len: 25,
    number: 5,
    flags: 15,
    offset: 21,
};

/// The definition's pages. `maps` is the page with the table's two maps, `more` where the second
/// and later pages of a long definition begin.
pub(super) fn definition(
    version: Version,
    table: &Table,
    system: bool,
    maps: usize,
    more: usize,
) -> Result<Vec<Vec<u8>>, JetError> {
    let layout = Layout::of(version);
    let columns = table.columns.len();
    if columns == 0 || columns > 255 {
        return Err(JetError::BadTable {
            table: table.name.clone(),
            what: format!("it has {columns} columns; expected 1 to 255"),
        });
    }
    let mut bytes = vec![0; layout.columns + layout.column_len * columns];
    bytes[0] = 2;
    bytes[1] = 1;
    put_u32(&mut bytes, layout.rows, table.rows.len());
    put_u32(&mut bytes, layout.auto, last_number(table));
    if version == Version::Jet4 {
        put_u32(&mut bytes, 0x0C, JET4_MARK);
        bytes[0x18] = 1;
    }
    bytes[layout.kind] = if system { b'S' } else { b'N' };
    let varying = table
        .columns
        .iter()
        .filter(|it| it.kind.fixed_len().is_none());
    put_u16(&mut bytes, layout.kind + 1, columns);
    put_u16(&mut bytes, layout.kind + 3, varying.count());
    put_u16(&mut bytes, layout.kind + 5, columns);
    put_u32(&mut bytes, layout.used, maps << 8);
    put_u32(&mut bytes, layout.used + 4, maps << 8 | 1);
    describe(version, table, layout, &mut bytes);
    for column in &table.columns {
        let name = text(version, WINDOWS_1252, &column.name);
        match version {
            Version::Jet3 => bytes.push(name.len().to_le_bytes()[0]),
            Version::Jet4 => {
                bytes.extend(u16::try_from(name.len()).unwrap_or(u16::MAX).to_le_bytes());
            }
        }
        bytes.extend(name);
    }
    bytes.extend([0xFF, 0xFF]);
    let length = bytes.len() - 8;
    put_u32(&mut bytes, 8, length);
    Ok(cut(version, &bytes, more))
}

fn last_number(table: &Table) -> usize {
    let auto = table
        .columns
        .iter()
        .position(|it| it.kind == Kind::AutoNumber);
    let numbers = auto.into_iter().flat_map(|at| {
        table.rows.iter().filter_map(move |row| match row.get(at) {
            Some(super::Value::Long(number)) => usize::try_from(*number).ok(),
            _ => None,
        })
    });
    numbers.max().unwrap_or(0)
}

fn describe(version: Version, table: &Table, layout: &Layout, bytes: &mut [u8]) {
    let (mut fixed, mut varying) = (0, 0);
    for (number, column) in table.columns.iter().enumerate() {
        let start = layout.columns + layout.column_len * number;
        let entry = &mut bytes[start..start + layout.column_len];
        entry[0] = column.kind.code();
        let length = match column.kind {
            Kind::Bit => 1,
            Kind::Text(letters) if version == Version::Jet4 => 2 * usize::from(letters),
            Kind::Text(letters) => usize::from(letters),
            Kind::Binary => 255,
            Kind::Memo | Kind::Object => 0,
            kind => kind.fixed_len().unwrap_or(0),
        };
        let mut flags = 2;
        let (offset, place) = if let Some(length) = column.kind.fixed_len() {
            flags |= 1;
            let at = fixed;
            fixed += length;
            (at, varying)
        } else {
            varying += 1;
            (0, varying - 1)
        };
        if column.kind == Kind::AutoNumber {
            flags = 5;
        }
        let is_text = matches!(column.kind, Kind::Text(_) | Kind::Memo);
        match version {
            Version::Jet3 => {
                put_u16(entry, 1, number);
                put_u16(entry, 3, place);
                put_u16(entry, 5, number);
                put_u16(entry, 7, if is_text { SORT_ORDER } else { 0 });
                put_u16(entry, 9, if is_text { 1252 } else { 0 });
                entry[13] = flags;
                put_u16(entry, 14, offset);
                put_u16(entry, 16, length);
            }
            Version::Jet4 => {
                put_u32(entry, 1, JET4_MARK);
                put_u16(entry, 5, number);
                put_u16(entry, 7, place);
                put_u16(entry, 9, number);
                put_u16(entry, 11, if is_text { SORT_ORDER } else { 0 });
                entry[15] = flags;
                put_u16(entry, 21, offset);
                put_u16(entry, 23, length);
            }
        }
    }
}

/// Pages of a definition: the second and later ones have a head of eight bytes as well.
fn cut(version: Version, bytes: &[u8], more: usize) -> Vec<Vec<u8>> {
    let page_len = version.page_len();
    let (first, rest) = bytes.split_at(bytes.len().min(page_len));
    let mut pages = vec![first.to_vec()];
    for part in rest.chunks(page_len - 8) {
        let mut page = vec![2, 1, 0, 0, 0, 0, 0, 0];
        page.extend(part);
        pages.push(page);
    }
    let count = pages.len();
    for (at, page) in pages.iter_mut().enumerate() {
        let free = page_len - page.len();
        page.resize(page_len, 0);
        put_u16(page, 2, free);
        if at + 1 < count {
            put_u32(page, 4, more + at);
        }
    }
    pages
}
