//! Maps of pages in somebody else's file: which pages a table has, which of them have room, and
//! which pages of the file are free.

use super::database::{Database, Place, damaged, u32_at};
use super::page::{MAP_HEAD, put_u32};
use super::{JetError, Version};

/// The map of the file's free pages.
const FREE: Place = Place { page: 1, row: 0 };

/// A map with its bits in the row, from this page on.
const SHORT: u8 = 0;

impl Database {
    /// The pages of a map, by number.
    pub(super) fn map(&self, place: Place) -> Result<Vec<usize>, JetError> {
        let row = self.map_row(place)?;
        if row[0] == SHORT {
            let first = usize::try_from(u32_at(row, 1)?).unwrap_or_default();
            return Ok(bits(&row[5..]).map(|bit| first + bit).collect());
        }
        let mut pages = Vec::new();
        for (at, part) in row[1..].chunks_exact(4).enumerate() {
            let page = usize::try_from(u32_at(part, 0)?).unwrap_or_default();
            if page != 0 {
                let first = at * self.version.bits_a_page();
                pages.extend(bits(&self.page(page)?[MAP_HEAD..]).map(|bit| first + bit));
            }
        }
        Ok(pages)
    }

    fn map_row(&self, place: Place) -> Result<&[u8], JetError> {
        let row = &self.page(place.page)?[self.row_range(place)?];
        if row.len() < 9 || row[0] > 1 {
            let Place { page, row } = place;
            return Err(damaged(format!("row {row} of page {page} is no map")));
        }
        Ok(row)
    }

    /// Takes a page into a map, or out of it.
    pub(super) fn mark(&mut self, place: Place, page: usize, there: bool) -> Result<(), JetError> {
        let row = self.map_row(place)?.to_vec();
        if row[0] != SHORT {
            return self.mark_long(place, &row, page, there);
        }
        let first = usize::try_from(u32_at(&row, 1)?).unwrap_or_default();
        let capacity = (row.len() - 5) * 8;
        let known: Vec<usize> = bits(&row[5..]).map(|bit| first + bit).collect();
        if (first..first + capacity).contains(&page) {
            let mut changed = row;
            set(&mut changed[5..], page - first, there);
            return self.put_map_row(place, &changed);
        }
        if !there {
            return Ok(());
        }
        // Its bits may begin later, or in whole bytes earlier; else they get pages of their own.
        let lowest = known.iter().copied().chain([page]).min().unwrap_or(page);
        let highest = known.iter().copied().chain([page]).max().unwrap_or(page);
        let start = lowest / 8 * 8;
        if highest - start < capacity {
            let mut changed = vec![0; row.len()];
            put_u32(&mut changed, 1, start);
            for page in known.into_iter().chain([page]) {
                set(&mut changed[5..], page - start, true);
            }
            return self.put_map_row(place, &changed);
        }
        let mut long = vec![0; row.len()];
        long[0] = 1;
        self.put_map_row(place, &long)?;
        for page in known.into_iter().chain([page]) {
            let row = self.map_row(place)?.to_vec();
            self.mark_long(place, &row, page, true)?;
        }
        Ok(())
    }

    fn mark_long(
        &mut self,
        place: Place,
        row: &[u8],
        page: usize,
        there: bool,
    ) -> Result<(), JetError> {
        let (at, bit) = (
            page / self.version.bits_a_page(),
            page % self.version.bits_a_page(),
        );
        let entry = 1 + 4 * at;
        if entry + 4 > row.len() {
            return Err(damaged("the file has grown beyond its maps"));
        }
        let mut with_bits = usize::try_from(u32_at(row, entry)?).unwrap_or_default();
        if with_bits == 0 && there {
            let mut bytes = vec![0; self.version.page_len()];
            bytes[0] = 5;
            bytes[1] = 1;
            with_bits = self.new_page(bytes)?;
            let mut changed = row.to_vec();
            put_u32(&mut changed, entry, with_bits);
            self.put_map_row(place, &changed)?;
        }
        if with_bits != 0 {
            set(&mut self.page_mut(with_bits)?[MAP_HEAD..], bit, there);
        }
        Ok(())
    }

    fn put_map_row(&mut self, place: Place, row: &[u8]) -> Result<(), JetError> {
        let range = self.row_range(place)?;
        self.page_mut(place.page)?[range].copy_from_slice(row);
        Ok(())
    }

    /// Adds a page at the file's end; answers with its number. It is not free any more.
    pub(super) fn new_page(&mut self, bytes: Vec<u8>) -> Result<usize, JetError> {
        let page = self.page_count();
        self.bytes.extend(bytes);
        self.take_from_free(page)?;
        Ok(page)
    }

    /// In the map of free pages everything beyond the end is marked, and what the map does not
    /// reach counts as marked.
    fn take_from_free(&mut self, page: usize) -> Result<(), JetError> {
        let row = self.map_row(FREE)?.to_vec();
        if row[0] != SHORT {
            return self.mark_long(FREE, &row, page, false);
        }
        let first = usize::try_from(u32_at(&row, 1)?).unwrap_or_default();
        let reach = first + (row.len() - 5) * 8;
        if page < reach {
            return self.mark(FREE, page, false);
        }
        // The map moves on by half of what it reaches. Free pages that it leaves behind stay
        // unused.
        let half = (row.len() - 5) / 2;
        let mut changed = vec![0xFF; row.len()];
        changed[0] = SHORT;
        let start = first.max((page + 1).saturating_sub(half * 8) / 8 * 8);
        put_u32(&mut changed, 1, start);
        for bit in 0..(row.len() - 5) * 8 {
            let number = start + bit;
            let free = if number < reach {
                number >= first && bits(&row[5..]).any(|bit| first + bit == number)
            } else {
                number > page
            };
            set(&mut changed[5..], bit, free);
        }
        self.put_map_row(FREE, &changed)
    }
}

fn bits(bytes: &[u8]) -> impl Iterator<Item = usize> + '_ {
    (0..bytes.len() * 8).filter(|bit| bytes[bit / 8] >> (bit % 8) & 1 == 1)
}

fn set(bytes: &mut [u8], bit: usize, there: bool) {
    if there {
        bytes[bit / 8] |= 1 << (bit % 8);
    } else {
        bytes[bit / 8] &= !(1 << (bit % 8));
    }
}

const _: () =
    assert!(Version::Jet3.bits_a_page() == 16_352 && Version::Jet4.bits_a_page() == 32_736);
