//! Rows found in the bytes of a damaged file, whatever holds together around them.
//!
//! `SQLite` follows its trees from the root and stops at the first page that is wrong; crates that
//! read its format do the same or look for deleted rows of any table. We know our one table and
//! every row proves itself by its checksum, so each place of each page is simply tried: of the
//! journal, of its log whatever the log's own checksums say, and of files that were cut off.

use std::collections::HashMap;

use super::KeyMark;
use super::chain::{JournalId, LINK_LEN, Link};
use super::row::Row;

/// Our files are made with `SQLite`'s usual pages and nothing reserved in them.
pub(super) const PAGE_LEN: usize = 4096;

/// The log's own header, and that of each of its pages.
const LOG_HEADER_LEN: usize = 32;
const FRAME_HEADER_LEN: usize = 24;

/// A payload up to this long stands whole in its page.
const LOCAL_MAX: usize = PAGE_LEN - 35;

/// Of a longer one at least so much does.
const LOCAL_MIN: usize = (PAGE_LEN - 12) * 32 / 255 - 23;

/// An overflow page holds the number of the next one and then this much.
const OVERFLOW_LEN: usize = PAGE_LEN - 4;

/// No event of ours comes near this.
const PAYLOAD_MAX: usize = 64 * 1024 * 1024;

/// A cell's header comes after its length and its number.
const CELL_START_MAX: usize = 4 + 9;

/// `SQLite`'s type number of a blob of a link's length.
const LINK_TYPE: u64 = 12 + 2 * LINK_LEN as u64;

/// The pages of a journal with those of its log over them.
pub(super) struct Pages<'a> {
    file: &'a [u8],
    /// Pages of the log with their numbers, in the order of writing.
    log: Vec<(u32, &'a [u8])>,
    latest: HashMap<u32, &'a [u8]>,
}

impl<'a> Pages<'a> {
    pub(super) fn new(file: &'a [u8], log: &'a [u8]) -> Self {
        let frames = log.get(LOG_HEADER_LEN..).unwrap_or_default();
        let log: Vec<(u32, &[u8])> = frames
            .chunks(FRAME_HEADER_LEN + PAGE_LEN)
            .filter_map(|frame| {
                let number = u32::from_be_bytes(frame.get(..4)?.try_into().ok()?);
                Some((number, frame.get(FRAME_HEADER_LEN..)?))
            })
            .collect();
        let latest = log.iter().copied().collect();
        Self { file, log, latest }
    }

    /// Every whole row of the journal's own file, with the page it stands on.
    pub(super) fn rows_of_file(&self, take: &mut dyn FnMut(usize, Row<'static>)) {
        for (number, page) in self.file.chunks(PAGE_LEN).enumerate() {
            self.rows_of(page, &mut |row| take(number, row));
        }
    }

    /// Every whole row of the log, with the page it stands on, counted as they were written.
    pub(super) fn rows_of_log(&self, take: &mut dyn FnMut(usize, Row<'static>)) {
        for (number, (_, page)) in self.log.iter().enumerate() {
            self.rows_of(page, &mut |row| take(number, row));
        }
    }

    /// Whether there is any row of ours at all.
    pub(super) fn has_rows(&self) -> bool {
        let of_log = self.log.iter().map(|(_, page)| *page);
        let mut pages = self.file.chunks(PAGE_LEN).chain(of_log);
        pages.any(|page| starts(page).any(|at| self.row_at(page, at).is_some()))
    }

    /// What the club's key may have looked like, the latest first.
    pub(super) fn key_marks(&self) -> Vec<KeyMark> {
        let of_log = self.log.iter().rev().map(|(_, page)| *page);
        let pages = of_log.chain(self.file.chunks(PAGE_LEN));
        blobs(pages)
    }

    /// What may be the journal's name.
    pub(super) fn names(&self) -> Vec<JournalId> {
        let of_log = self.log.iter().map(|(_, page)| *page);
        let names = blobs(self.file.chunks(PAGE_LEN).chain(of_log));
        names.into_iter().map(JournalId).collect()
    }

    fn rows_of(&self, page: &[u8], take: &mut dyn FnMut(Row<'static>)) {
        for at in starts(page) {
            if let Some(row) = self.row_at(page, at) {
                take(row);
            }
        }
    }

    /// The row whose cell begins here, if there is one and its checksum fits.
    fn row_at(&self, page: &[u8], at: usize) -> Option<Row<'static>> {
        let mut cell = Reader(page.get(at..)?);
        let len = usize::try_from(cell.varint()?).ok()?;
        let seq = cell.varint()?.cast_signed();
        // A header that can be ours; almost every place ends here.
        let [header_len @ 8..=24, 0, ..] = *cell.0 else {
            return None;
        };
        if seq < 1 || len > PAYLOAD_MAX {
            return None;
        }
        let types = types(cell.0.get(1..usize::from(header_len))?)?;
        let body: usize = types.iter().map(|it| content_len(*it)).sum();
        if usize::from(header_len) + body != len {
            return None;
        }
        if len <= LOCAL_MAX {
            let payload = cell.0.get(..len)?;
            return decoded(seq, &types, payload.get(usize::from(header_len)..)?);
        }
        let rest = LOCAL_MIN + (len - LOCAL_MIN) % OVERFLOW_LEN;
        let local = if rest <= LOCAL_MAX { rest } else { LOCAL_MIN };
        let first = cell.0.get(local..local + 4)?;
        let first = u32::from_be_bytes(first.try_into().ok()?);
        let sources: [&dyn Fn(u32) -> Option<&'a [u8]>; 3] = [
            &|number| {
                self.latest
                    .get(&number)
                    .copied()
                    .or_else(|| self.page(number))
            },
            &|number| self.page(number),
            &|number| {
                let mut log = self.log.iter();
                let found = log.find(|(of, _)| *of == number).map(|(_, page)| *page);
                found.or_else(|| self.page(number))
            },
        ];
        sources.iter().find_map(|page| {
            let mut payload = cell.0.get(..local)?.to_vec();
            let mut next = first;
            while payload.len() < len {
                let content = page(next)?;
                next = u32::from_be_bytes(content.get(..4)?.try_into().ok()?);
                let wanted = (len - payload.len()).min(OVERFLOW_LEN);
                payload.extend_from_slice(content.get(4..4 + wanted)?);
            }
            decoded(seq, &types, payload.get(usize::from(header_len)..)?)
        })
    }

    fn page(&self, number: u32) -> Option<&'a [u8]> {
        let at = usize::try_from(number).ok()?.checked_sub(1)? * PAGE_LEN;
        let end = self.file.len().min(at + PAGE_LEN);
        self.file.get(at..end)
    }
}

/// Where a cell of ours may begin: a little before a header of ours. Few places look like one.
fn starts(page: &[u8]) -> impl Iterator<Item = usize> {
    let pairs = page.iter().zip(page.get(1..).unwrap_or_default());
    let headers = pairs
        .enumerate()
        .filter(|(_, pair)| matches!(pair, (8..=24, 0)))
        .map(|(at, _)| at);
    headers.flat_map(|at| at.saturating_sub(CELL_START_MAX)..at)
}

/// What may stand in a table that has one row with one blob of this length: its row looks like this.
fn blobs<'a, const LEN: usize>(pages: impl Iterator<Item = &'a [u8]>) -> Vec<[u8; LEN]> {
    let mut found = Vec::new();
    let (Ok(payload), Ok(of_type)) = (u8::try_from(2 + LEN), u8::try_from(12 + 2 * LEN)) else {
        return found;
    };
    for page in pages {
        for cell in page.windows(4 + LEN) {
            if cell.starts_with(&[payload, 1, 2, of_type])
                && let Ok(blob) = cell[4..].try_into()
                && !found.contains(&blob)
            {
                found.push(blob);
            }
        }
    }
    found
}

/// The column types after the first, which is always empty: the row's number stands elsewhere.
/// A journal that was never chained has one column fewer.
fn types(mut header: &[u8]) -> Option<Vec<u64>> {
    let mut types = Vec::with_capacity(8);
    while !header.is_empty() {
        let mut reader = Reader(header);
        types.push(reader.varint()?);
        header = reader.0;
    }
    let is_number = |it: u64| matches!(it, 1..=6 | 8 | 9);
    let is_text = |it: u64| it >= 13 && it % 2 == 1;
    let (7 | 8, [0, session, at, who, version, event, checksum, link @ ..]) =
        (types.len(), types.as_slice())
    else {
        return None;
    };
    let fits = (*session == 0 || is_number(*session))
        && is_number(*at)
        && is_text(*who)
        && is_number(*version)
        && is_text(*event)
        && is_number(*checksum)
        && link.iter().all(|it| *it == LINK_TYPE || *it == 0);
    fits.then_some(types)
}

fn content_len(of_type: u64) -> usize {
    match of_type {
        0 | 8 | 9 => 0,
        1..=4 => usize::try_from(of_type).unwrap_or_default(),
        5 => 6,
        6 | 7 => 8,
        // Cells are refused above what a page can promise, long before this is cut.
        long => usize::try_from((long - 12) / 2)
            .unwrap_or(PAYLOAD_MAX)
            .min(PAYLOAD_MAX),
    }
}

fn decoded(seq: i64, types: &[u64], mut body: &[u8]) -> Option<Row<'static>> {
    let mut take = |of_type: u64| {
        let (content, rest) = body.split_at_checked(content_len(of_type))?;
        body = rest;
        Some(content)
    };
    let number = |of_type: u64, content: &[u8]| match of_type {
        8 => 0,
        9 => 1,
        _ => {
            let sign = content.first().is_some_and(|byte| byte & 0x80 != 0);
            let start = if sign { -1 } else { 0 };
            let join = |all: i64, byte: &u8| all << 8 | i64::from(*byte);
            content.iter().fold(start, join)
        }
    };
    let text = |content: &[u8]| String::from_utf8(content.to_vec()).ok();
    let [_, session, at, who, version, event, checksum, link @ ..] = types else {
        return None;
    };
    let row = Row {
        seq,
        session: match (*session, take(*session)?) {
            (0, _) => None,
            (of_type, content) => Some(u32::try_from(number(of_type, content)).ok()?),
        },
        at_ms: number(*at, take(*at)?),
        who: text(take(*who)?)?.into(),
        version: number(*version, take(*version)?),
        event: text(take(*event)?)?.into(),
        checksum: number(*checksum, take(*checksum)?),
        link: match link.first() {
            Some(of_type @ 1..) => Some(Link(take(*of_type)?.try_into().ok()?)),
            _ => None,
        },
    };
    row.is_whole().then_some(row)
}

/// Reads from the front.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    /// `SQLite`'s numbers of one to nine bytes.
    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for at in 0..9 {
            let byte = *self.0.get(at)?;
            if at == 8 {
                value = value << 8 | u64::from(byte);
            } else {
                value = value << 7 | u64::from(byte & 0x7F);
            }
            if byte & 0x80 == 0 || at == 8 {
                self.0 = self.0.get(at + 1..)?;
                return Some(value);
            }
        }
        None
    }
}
