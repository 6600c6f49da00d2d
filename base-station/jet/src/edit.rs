//! Adding, changing and deleting rows. Tables with indexes are refused: an entry would have to go
//! into each of them.

use super::database::{Database, ELSEWHERE, GONE, Place};
use super::definition::Definition;
use super::page::DataPage;
use super::stored::RawRow;
use super::table::Layout;
use super::{JetError, Value};

impl Database {
    /// Adds a row; answers with its place. Values go by the names of their columns: those that the
    /// table lacks are left out, columns that are not named stay empty, and an automatic number
    /// counts on.
    pub fn append(&mut self, table: &str, values: &[(&str, Value)]) -> Result<Place, JetError> {
        let definition = self.changeable(table)?;
        let mut row = RawRow::empty(&definition);
        let bad = |what| bad_row(table, definition.rows, what);
        let mut auto = definition.auto;
        for column in &definition.columns {
            let named = values
                .iter()
                .find(|(name, _)| column.name.eq_ignore_ascii_case(name));
            let value = match named {
                Some((_, value)) => value.clone(),
                None if column.is_auto => {
                    auto = auto.saturating_add(1);
                    Value::Long(i32::try_from(auto).unwrap_or(i32::MAX))
                }
                None => continue,
            };
            if let Value::Long(number) = value
                && column.is_auto
            {
                auto = auto.max(u32::try_from(number).unwrap_or_default());
            }
            row.put(self.version, self.code_page, column, &value)
                .map_err(bad)?;
        }
        let place = self.put_row(&definition, row.pack(self.version))?;
        let layout = Layout::of(self.version);
        let rows = definition.rows.saturating_add(1);
        self.put_u32(definition.page, layout.rows, number(rows))?;
        self.put_u32(definition.page, layout.auto, number(auto))?;
        Ok(place)
    }

    /// Changes some values of a row; answers with its place, which is another one where the row has
    /// grown out of its page.
    pub fn set(
        &mut self,
        table: &str,
        place: Place,
        values: &[(&str, Value)],
    ) -> Result<Place, JetError> {
        let definition = self.changeable(table)?;
        let bytes = self.own_row(&definition, table, place)?;
        let mut row = RawRow::unpack(self.version, &definition, &bytes)?;
        for (name, value) in values {
            let column = (definition.columns.iter()).find(|it| it.name.eq_ignore_ascii_case(name));
            let Some(column) = column else { continue };
            row.put(self.version, self.code_page, column, value)
                .map_err(|what| bad_row(table, number(place.row), what))?;
        }
        let changed = row.pack(self.version);
        let mut rows = self.rows_on(place.page)?;
        let (flags, old) = &mut rows[place.row];
        if *flags & ELSEWHERE == 0 {
            old.clone_from(&changed);
            let used: usize = rows.iter().map(|(_, row)| row.len()).sum();
            let head = self.version.rows_at() + 2 + 2 * rows.len();
            if head + used <= self.version.page_len() {
                self.put_rows(place.page, &rows)?;
                return Ok(place);
            }
        }
        self.drop_row(place)?;
        self.put_row(&definition, changed)
    }

    /// Deletes a row.
    pub fn delete(&mut self, table: &str, place: Place) -> Result<(), JetError> {
        let definition = self.changeable(table)?;
        self.own_row(&definition, table, place)?;
        self.drop_row(place)?;
        let layout = Layout::of(self.version);
        let rows = definition.rows.saturating_sub(1);
        self.put_u32(definition.page, layout.rows, number(rows))
    }

    /// A table that rows can be added to.
    fn changeable(&self, table: &str) -> Result<Definition, JetError> {
        let definition = self.need(table)?;
        if definition.indexes > 0 {
            return Err(JetError::BadTable {
                table: table.to_owned(),
                what: "it has indexes, which we can't change".to_owned(),
            });
        }
        Ok(definition)
    }

    fn own_row(
        &self,
        definition: &Definition,
        table: &str,
        place: Place,
    ) -> Result<Vec<u8>, JetError> {
        let gone = || bad_row(table, number(place.row), "it is not there".to_owned());
        let own = self.data_pages(definition)?.contains(&place.page);
        if !own || place.row >= self.row_count(place.page)? {
            return Err(gone());
        }
        self.row(place)?.map(<[u8]>::to_vec).ok_or_else(gone)
    }

    fn rows_on(&self, page: usize) -> Result<Vec<(u16, Vec<u8>)>, JetError> {
        (0..self.row_count(page)?)
            .map(|row| {
                let place = Place { page, row };
                let bytes = self.page(page)?[self.row_range(place)?].to_vec();
                Ok((self.flags(place)?, bytes))
            })
            .collect()
    }

    /// Marks a row as gone, as Jet itself does.
    fn drop_row(&mut self, place: Place) -> Result<(), JetError> {
        let at = self.version.rows_at() + 2 + 2 * place.row;
        let high = self.page_mut(place.page)?.get_mut(at + 1);
        if let Some(high) = high {
            *high |= (GONE | ELSEWHERE).to_be_bytes()[0];
        }
        Ok(())
    }

    /// Puts a row on the table's last page, or on a new one at the file's end: rows stay in the
    /// order of their arrival.
    fn put_row(&mut self, definition: &Definition, row: Vec<u8>) -> Result<Place, JetError> {
        if row.len() > self.version.row_len_max() {
            let what = format!("a row of {} bytes does not fit on a page", row.len());
            return Err(JetError::Damaged(what));
        }
        let last = self.data_pages(definition)?.last().copied();
        if let Some(page) = last {
            let mut rows = self.rows_on(page)?;
            rows.push((0, row));
            let used: usize = rows.iter().map(|(_, row)| row.len()).sum();
            let head = self.version.rows_at() + 2 + 2 * rows.len();
            // The number of a row within its page is a byte.
            if rows.len() <= 255 && head + used <= self.version.page_len() {
                self.put_rows(page, &rows)?;
                let row = rows.len() - 1;
                return Ok(Place { page, row });
            }
            self.mark(definition.with_room, page, false)?;
            let row = rows.pop().map(|(_, row)| row).unwrap_or_default();
            return self.put_on_new_page(definition, &row);
        }
        self.put_on_new_page(definition, &row)
    }

    fn put_on_new_page(&mut self, definition: &Definition, row: &[u8]) -> Result<Place, JetError> {
        let mut data = DataPage::new(self.version, definition.page);
        data.take(row);
        let page = self.new_page(data.done())?;
        self.mark(definition.used, page, true)?;
        self.mark(definition.with_room, page, true)?;
        Ok(Place { page, row: 0 })
    }
}

fn number(number: impl TryInto<usize>) -> usize {
    number.try_into().unwrap_or(usize::MAX)
}

fn bad_row(table: &str, row: impl TryInto<usize>, what: String) -> JetError {
    JetError::BadRow {
        table: table.to_owned(),
        row: number(row) + 1,
        what,
    }
}
