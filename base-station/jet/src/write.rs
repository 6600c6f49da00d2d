//! The whole file.

use super::page::{DataPage, map, put_u16};
use super::row::encode;
use super::table::definition;
use super::{Column, JetError, Kind, Table, Value, Version};

/// The page of the catalogue's definition.
pub(super) const CATALOGUE: usize = 2;

/// A date for the catalogue: the same file for the same content.
const MADE: f64 = 45_000.0;

/// What the head is scrambled with.
const HEAD_KEY: [u8; 4] = [0xC7, 0xDA, 0x39, 0x6B];

/// A database file with these tables.
pub fn write(version: Version, tables: &[Table]) -> Result<Vec<u8>, JetError> {
    let mut file = File {
        version,
        pages: vec![head(version), free_pages(version)],
    };
    // The catalogue names every table's page, so that its own definition comes last, though it
    // stands first.
    file.pages.push(Vec::new());
    let mut listed = Vec::new();
    for table in tables {
        let page = file.pages.len();
        file.pages.push(Vec::new());
        file.table(table, false, page)?;
        listed.push((table.name.as_str(), page));
    }
    file.table(&catalogue(&listed), true, CATALOGUE)?;
    Ok(file.pages.concat())
}

struct File {
    version: Version,
    pages: Vec<Vec<u8>>,
}

impl File {
    /// Puts a table's rows, maps and definition down; the page of the last is kept free for it.
    fn table(&mut self, table: &Table, system: bool, page: usize) -> Result<(), JetError> {
        let maps = self.pages.len();
        self.pages.push(Vec::new());
        let mut used = Vec::new();
        let mut current = DataPage::new(self.version, page);
        let mut empty = true;
        for (at, values) in table.rows.iter().enumerate() {
            let bad = |what| JetError::BadRow {
                table: table.name.clone(),
                row: at + 1,
                what,
            };
            let row = encode(self.version, &table.columns, values).map_err(bad)?;
            if !current.take(&row) {
                let full = std::mem::replace(&mut current, DataPage::new(self.version, page));
                used.push(self.pages.len());
                self.pages.push(full.done());
                current.take(&row);
            }
            empty = false;
        }
        let mut with_room = Vec::new();
        if !empty {
            used.push(self.pages.len());
            with_room.push(self.pages.len());
            self.pages.push(current.done());
        }
        let mut owner = DataPage::new(self.version, page);
        for pages in [&used, &with_room] {
            let (row, bits) = map(self.version, pages, self.pages.len());
            self.pages.extend(bits);
            if !owner.take(&row) {
                return Err(JetError::BadTable {
                    table: table.name.clone(),
                    what: "it has too many rows".to_owned(),
                });
            }
        }
        self.pages[maps] = owner.done();
        let mut parts =
            definition(self.version, table, system, maps, self.pages.len())?.into_iter();
        self.pages[page] = parts.next().unwrap_or_default();
        self.pages.extend(parts);
        Ok(())
    }
}

fn head(version: Version) -> Vec<u8> {
    let mut page = vec![0; version.page_len()];
    page[1] = 1;
    page[4..20].copy_from_slice(b"Standard Jet DB\0");
    if version == Version::Jet4 {
        page[0x14] = 1;
    }
    put_u16(&mut page, 0x3C, 1252);
    match version {
        Version::Jet3 => put_u16(&mut page, 0x3A, 0x0409),
        Version::Jet4 => {
            put_u16(&mut page, 0x6E, 0x0409);
            page[0x72..0x7A].copy_from_slice(&MADE.to_le_bytes());
        }
    }
    rc4(&HEAD_KEY, &mut page[scrambled(version)]);
    page
}

const fn scrambled(version: Version) -> std::ops::Range<usize> {
    match version {
        Version::Jet3 => 0x18..0x18 + 126,
        Version::Jet4 => 0x18..0x18 + 128,
    }
}

/// Which Jet a file is, and its head in clear.
pub(super) fn head_of(bytes: &[u8]) -> Result<(Version, Vec<u8>), JetError> {
    let known = bytes.starts_with(b"\x00\x01\x00\x00Standard Jet DB\0");
    let version = match bytes.get(0x14).filter(|_| known) {
        Some(0) => Version::Jet3,
        Some(1) => Version::Jet4,
        _ => {
            return Err(JetError::NotTaken(
                "this is no database of Access 97 or 2000".to_owned(),
            ));
        }
    };
    let head = bytes.get(..version.page_len());
    let mut head = head
        .ok_or_else(|| JetError::Damaged("it has no first page".to_owned()))?
        .to_vec();
    rc4(&HEAD_KEY, &mut head[scrambled(version)]);
    Ok((version, head))
}

/// No page is free: the file is written as a whole.
fn free_pages(version: Version) -> Vec<u8> {
    let mut page = DataPage::new(version, 0);
    let (row, _) = map(version, &[], 0);
    page.take(&row);
    page.done()
}

fn rc4(key: &[u8], bytes: &mut [u8]) {
    let mut state: [u8; 256] = std::array::from_fn(|at| at.to_le_bytes()[0]);
    let mut other = 0_u8;
    for at in 0..256 {
        other = other
            .wrapping_add(state[at])
            .wrapping_add(key[at % key.len()]);
        state.swap(at, usize::from(other));
    }
    let (mut one, mut other) = (0_u8, 0_u8);
    for byte in bytes {
        one = one.wrapping_add(1);
        other = other.wrapping_add(state[usize::from(one)]);
        state.swap(usize::from(one), usize::from(other));
        let sum = state[usize::from(one)].wrapping_add(state[usize::from(other)]);
        *byte ^= state[usize::from(sum)];
    }
}

/// `MSysObjects`, with its own entry and one for each table.
fn catalogue(tables: &[(&str, usize)]) -> Table {
    let columns = [
        ("Id", Kind::Long),
        ("ParentId", Kind::Long),
        ("Name", Kind::Text(255)),
        ("Type", Kind::Int),
        ("DateCreate", Kind::Date),
        ("DateUpdate", Kind::Date),
        ("Owner", Kind::Binary),
        ("Flags", Kind::Long),
        ("Database", Kind::Memo),
        ("Connect", Kind::Memo),
        ("ForeignName", Kind::Text(255)),
        ("RmtInfoShort", Kind::Binary),
        ("RmtInfoLong", Kind::Object),
        ("Lv", Kind::Object),
        ("LvProp", Kind::Object),
        ("LvModule", Kind::Object),
        ("LvExtra", Kind::Object),
    ];
    let row = |id: i32, parent: i32, name: &str, kind: i16, flags: i32| {
        let mut row = vec![
            Value::Long(id),
            Value::Long(parent),
            Value::Text(name.to_owned()),
            Value::Int(kind),
            Value::Date(MADE),
            Value::Date(MADE),
            Value::Null,
            Value::Long(flags),
        ];
        row.resize(columns.len(), Value::Null);
        row
    };
    // The containers that Access has in every file, by their usual numbers.
    let (root, system) = (0x0F00_0000, i32::MIN);
    let tables_container = root + 1;
    let mut rows = vec![
        row(tables_container, root, "Tables", 3, system),
        row(root + 2, root, "Databases", 3, system),
        row(root + 3, root, "Relationships", 3, system),
        row(2, tables_container, "MSysObjects", 1, system),
    ];
    for (name, page) in tables {
        let id = i32::try_from(*page).unwrap_or(i32::MAX);
        rows.push(row(id, tables_container, name, 1, 0));
    }
    Table {
        name: "MSysObjects".to_owned(),
        columns: columns.map(|(name, kind)| Column::new(name, kind)).into(),
        rows,
    }
}
