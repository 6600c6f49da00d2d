//! Pages: sizes, numbers at offsets, rows from the end, maps of pages.

use super::Version;

impl Version {
    /// Bytes of a page.
    pub(super) const fn page_len(self) -> usize {
        match self {
            Self::Jet3 => 2048,
            Self::Jet4 => 4096,
        }
    }

    /// Where a data page counts its rows; their offsets follow.
    pub(super) const fn rows_at(self) -> usize {
        match self {
            Self::Jet3 => 0x08,
            Self::Jet4 => 0x0C,
        }
    }

    /// The longest row that a page has room for.
    pub(super) const fn row_len_max(self) -> usize {
        self.page_len() - self.rows_at() - 4
    }
}

pub(super) fn put_u16(bytes: &mut [u8], at: usize, number: usize) {
    let number = u16::try_from(number).unwrap_or(u16::MAX);
    bytes[at..at + 2].copy_from_slice(&number.to_le_bytes());
}

pub(super) fn put_u32(bytes: &mut [u8], at: usize, number: usize) {
    let number = u32::try_from(number).unwrap_or(u32::MAX);
    bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
}

/// A data page that is being filled.
pub(super) struct DataPage {
    version: Version,
    bytes: Vec<u8>,
    rows: usize,
    /// Where the last row begins.
    end: usize,
}

impl DataPage {
    /// An empty one that belongs to the table with this definition.
    pub(super) fn new(version: Version, definition: usize) -> Self {
        let mut bytes = vec![0; version.page_len()];
        bytes[0] = 1;
        bytes[1] = 1;
        put_u32(&mut bytes, 4, definition);
        Self {
            version,
            bytes,
            rows: 0,
            end: version.page_len(),
        }
    }

    /// Takes a row, or says that there is no room.
    pub(super) fn take(&mut self, row: &[u8]) -> bool {
        let offsets_end = self.version.rows_at() + 2 + 2 * (self.rows + 1);
        // The number of a row within its page is a byte.
        if self.rows == 255 || self.end < offsets_end + row.len() {
            return false;
        }
        self.end -= row.len();
        self.bytes[self.end..self.end + row.len()].copy_from_slice(row);
        let at = self.version.rows_at() + 2 + 2 * self.rows;
        put_u16(&mut self.bytes, at, self.end);
        self.rows += 1;
        true
    }

    pub(super) fn done(mut self) -> Vec<u8> {
        let offsets_end = self.version.rows_at() + 2 + 2 * self.rows;
        put_u16(&mut self.bytes, 2, self.end - offsets_end);
        put_u16(&mut self.bytes, self.version.rows_at(), self.rows);
        self.bytes
    }
}

impl Version {
    /// Pages that a short map has bits for.
    const fn map_pages(self) -> usize {
        match self {
            Self::Jet3 => 1024,
            Self::Jet4 => 512,
        }
    }

    /// Pages that one page of bits is for.
    pub(super) const fn bits_a_page(self) -> usize {
        (self.page_len() - MAP_HEAD) * 8
    }
}

/// Where the bits of a page of bits begin.
pub(super) const MAP_HEAD: usize = 4;

/// A map of some pages: its row, and the pages of bits that a long one needs, the first of which
/// will be `next`.
pub(super) fn map(version: Version, pages: &[usize], next: usize) -> (Vec<u8>, Vec<Vec<u8>>) {
    let first = pages.iter().min().copied().unwrap_or(0);
    let last = pages.iter().max().copied().unwrap_or(0);
    if last - first < version.map_pages() {
        let mut row = vec![0; 1 + 4 + version.map_pages() / 8];
        put_u32(&mut row, 1, first);
        for page in pages {
            let bit = page - first;
            row[5 + bit / 8] |= 1 << (bit % 8);
        }
        return (row, Vec::new());
    }
    let bits = version.bits_a_page();
    let count = last / bits + 1;
    let mut row = vec![0; 1 + 4 * count.max(1 + version.map_pages() / 32)];
    row[0] = 1;
    let mut maps = Vec::new();
    for at in 0..count {
        let mut bytes = vec![0; version.page_len()];
        bytes[0] = 5;
        bytes[1] = 1;
        for page in pages.iter().filter(|page| **page / bits == at) {
            let bit = page % bits;
            bytes[MAP_HEAD + bit / 8] |= 1 << (bit % 8);
        }
        put_u32(&mut row, 1 + 4 * at, next + maps.len());
        maps.push(bytes);
    }
    (row, maps)
}
