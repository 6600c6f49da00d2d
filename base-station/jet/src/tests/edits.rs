//! Rows added to, changed in and deleted from a file, read by somebody else's reader.

use std::collections::BTreeMap;
use std::io::Cursor;

use jetdb::PageReader;

use super::{assert_reads, assert_reads_table, table, value};
use crate::database::{Database, Place};
use crate::definition::Definition;
use crate::stored::RawRow;
use crate::table::Layout;
use crate::{Column, JetError, Kind, Table, Value, Version, write};

/// A table with its rows by their places, as the file should have it.
struct Kept {
    table: Table,
    rows: BTreeMap<Place, Vec<Value>>,
}

impl Kept {
    fn kinds(&self) -> Vec<Kind> {
        self.table.columns.iter().map(|it| it.kind).collect()
    }

    fn named<'a>(&'a self, values: &[Value]) -> Vec<(&'a str, Value)> {
        let names = self.table.columns.iter().map(|it| it.name.as_str());
        names.zip(values.iter().cloned()).collect()
    }

    fn expected(&self) -> Table {
        Table {
            rows: self.rows.values().cloned().collect(),
            ..self.table.clone()
        }
    }
}

fn kept(file: &Database, tables: Vec<Table>) -> Vec<Kept> {
    let kept = |table: Table| {
        let rows = file.rows(&table.name).expect("rows").expect("the table");
        let ours: Vec<Vec<Value>> = (rows.iter())
            .map(|row| row.values.iter().map(|(_, value)| value.clone()).collect())
            .collect();
        assert!(ours == table.rows, "{} is read as written", table.name);
        let rows = rows.into_iter().map(|row| row.place).zip(ours).collect();
        Kept { table, rows }
    };
    tables.into_iter().map(kept).collect()
}

/// One random change, in the file and in what is expected of it.
fn change(file: &mut Database, kept: &mut Kept, random: &mut fastrand::Rng) {
    let (kinds, count) = (kept.kinds(), kept.rows.len());
    let name = kept.table.name.clone();
    let place = |kept: &Kept, random: &mut fastrand::Rng| {
        let at = random.usize(..count);
        *kept.rows.keys().nth(at).expect("a row")
    };
    match random.u8(..10) {
        0 if count > 0 => {
            let place = place(kept, random);
            file.delete(&name, place).expect("deleted");
            kept.rows.remove(&place);
        }
        1..=4 if count > 0 => {
            let place = place(kept, random);
            let mut row = kept.rows.remove(&place).expect("a row");
            let mut changed = Vec::new();
            for _ in 0..random.usize(1..4) {
                let column = random.usize(..kinds.len());
                if kinds[column] != Kind::AutoNumber {
                    row[column] = value(kinds[column], 0, random);
                    changed.push((
                        kept.table.columns[column].name.as_str(),
                        row[column].clone(),
                    ));
                }
            }
            let place = file.set(&name, place, &changed).expect("changed");
            kept.rows.insert(place, row);
        }
        _ => {
            let automatic = kinds.iter().position(|kind| *kind == Kind::AutoNumber);
            let automatic = automatic.expect("every random table has one");
            let next = file.need(&name).expect("the table").auto + 1;
            let mut row: Vec<Value> = (kinds.iter()).map(|kind| value(*kind, 0, random)).collect();
            row[automatic] = Value::Long(i32::try_from(next).expect("few rows"));
            let mut values = kept.named(&row);
            values.remove(automatic);
            values.push(("A column of another program", Value::Int(1)));
            let place = file.append(&name, &values).expect("appended");
            kept.rows.insert(place, row);
        }
    }
}

#[test]
fn a_thousand_random_appends_and_edits_are_read_back_equal_each() {
    for version in [Version::Jet3, Version::Jet4] {
        let random = &mut fastrand::Rng::with_seed(7);
        let tables: Vec<Table> = ["ReceivedData", "Tables", "Session"]
            .map(|name| table(name, random))
            .into();
        let file = write(version, &tables).expect("a file");
        let mut file = Database::open(file).expect("a database");
        let mut kept = kept(&file, tables);
        for edit in 0..1_000 {
            let at = random.usize(..kept.len());
            change(&mut file, &mut kept[at], random);
            let note = format!("edit {edit}, {version:?}");
            let bytes = Cursor::new(file.bytes().to_vec());
            let mut reader = PageReader::open_reader(bytes).expect("a database");
            assert_reads_table(&mut reader, &kept[at].expected(), &note);
        }
        let expected: Vec<Table> = kept.iter().map(Kept::expected).collect();
        assert_reads(file.into_bytes(), &expected, "in the end");
    }
}

fn long_rows() -> Table {
    Table {
        name: "Long".to_owned(),
        columns: vec![
            Column::new("ID", Kind::AutoNumber),
            Column::new("One", Kind::Text(255)),
            Column::new("Two", Kind::Text(255)),
            Column::new("Three", Kind::Text(255)),
        ],
        rows: Vec::new(),
    }
}

#[test]
fn a_table_grows_beyond_its_short_maps_and_that_of_free_pages() {
    for (version, rows) in [(Version::Jet3, 2_300), (Version::Jet4, 1_300)] {
        let file = write(
            version,
            &[
                long_rows(),
                super::table("Other", &mut fastrand::Rng::with_seed(3)),
            ],
        );
        let mut file = Database::open(file.expect("a file")).expect("a database");
        let text = |row: i32| Value::Text(format!("{row:0255}"));
        let mut expected = long_rows();
        for row in 1..=rows {
            let values = [("One", text(row)), ("Two", text(row)), ("Three", text(row))];
            file.append("long", &values).expect("appended");
            expected
                .rows
                .push(vec![Value::Long(row), text(row), text(row), text(row)]);
        }
        let pages = file.page_count();
        assert!(pages > 600, "{pages} pages");
        let used = file.need("Long").expect("the table");
        assert_eq!(file.map(used.with_room).expect("a map").len(), 1);
        let free = file.map(Place { page: 1, row: 0 }).expect("a map");
        assert!(free.iter().all(|page| *page >= pages), "{free:?}");
        let other = super::table("Other", &mut fastrand::Rng::with_seed(3));
        assert_reads(file.into_bytes(), &[expected, other], "a long table");
    }
}

/// As Jet itself leaves it: pages beyond the end are marked as free.
#[test]
fn a_page_at_the_end_of_the_file_is_taken_from_the_free_ones() {
    let bytes = write(Version::Jet3, &[long_rows()]).expect("a file");
    let mut file = Database::open(bytes).expect("a database");
    let end = file.page_count();
    let free = Place { page: 1, row: 0 };
    for page in end..1_024 {
        file.mark(free, page, true).expect("marked");
    }
    for _ in 0..9 {
        let values = [
            ("One", Value::Text("x".repeat(250))),
            ("Two", Value::Text("y".repeat(250))),
        ];
        file.append("Long", &values).expect("appended");
    }
    let pages: Vec<usize> = (file.page_count()..1_024).collect();
    assert!(file.page_count() > end);
    assert_eq!(file.map(free).expect("a map"), pages);
}

/// Programs add columns to tables that have rows.
#[test]
fn a_row_from_before_a_column_was_added_is_read_and_changed() {
    let columns = ["Section", "Letter", "Erased", "South", "Note"];
    let kinds = [
        Kind::Int,
        Kind::Text(3),
        Kind::Bit,
        Kind::Int,
        Kind::Text(9),
    ];
    let table = |count: usize| Table {
        name: "T".to_owned(),
        columns: (columns.iter().zip(kinds).take(count))
            .map(|(name, kind)| Column::new(name, kind))
            .collect(),
        rows: vec![
            vec![
                Value::Int(7),
                Value::Text("A".to_owned()),
                Value::Bit(true),
                Value::Int(3),
                Value::Text("x".to_owned()),
            ][..count]
                .to_vec(),
        ],
    };
    for version in [Version::Jet3, Version::Jet4] {
        let open = |count| {
            let file = write(version, &[table(count)]).expect("a file");
            let file = Database::open(file).expect("a database");
            let definition = file.need("T").expect("the table");
            let page = *file
                .data_pages(&definition)
                .expect("pages")
                .first()
                .expect("a page");
            let row = file.row(Place { page, row: 0 }).expect("a row");
            let row = row.expect("it is there").to_vec();
            (file, definition, row)
        };
        let (_, _, old) = open(3);
        let (file, definition, _) = open(5);
        let mut raw = RawRow::unpack(version, &definition, &old).expect("it is understood");
        let values = |raw: &RawRow| {
            let columns = definition.columns.iter();
            columns
                .map(|column| crate::stored::value(version, file.code_page, column, raw))
                .collect::<Vec<_>>()
        };
        let text = |said: &str| Value::Text(said.to_owned());
        let before = [
            Value::Int(7),
            text("A"),
            Value::Bit(true),
            Value::Null,
            Value::Null,
        ];
        assert_eq!(values(&raw), before);
        raw.put(
            version,
            file.code_page,
            &definition.columns[4],
            &text("late"),
        )
        .expect("put");
        let again = RawRow::unpack(version, &definition, &raw.pack(version)).expect("whole");
        let after = [
            Value::Int(7),
            text("A"),
            Value::Bit(true),
            Value::Null,
            text("late"),
        ];
        assert_eq!(values(&again), after);
    }
}

#[test]
fn a_table_with_an_index_and_an_encoded_file_are_refused_with_a_sentence() {
    for version in [Version::Jet3, Version::Jet4] {
        let bytes = write(version, &[long_rows()]).expect("a file");
        let file = Database::open(bytes.clone()).expect("a database");
        let page = file.need("Long").expect("the table").page;
        let layout = Layout::of(version);
        let start = page * version.page_len();
        let mut indexed = bytes.clone();
        let definition = &mut indexed[start..start + version.page_len()];
        definition[layout.columns..].rotate_right(layout.index_len);
        definition[layout.indexes] = 1;
        let mut file = Database::open(indexed).expect("a database");
        assert_eq!(file.columns("Long").expect("read").expect("there").len(), 4);
        let refused = file.append("Long", &[]).expect_err("refused").to_string();
        assert_eq!(refused, "table Long: it has indexes, which we can't change");

        let mut encoded = bytes;
        encoded[0x3E] ^= 1;
        let refused = Database::open(encoded).expect_err("refused").to_string();
        assert!(refused.contains("encoded"), "{refused}");
    }
    let refused = Database::open(b"PK".to_vec()).expect_err("refused");
    assert_eq!(
        refused.to_string(),
        "this is no database of Access 97 or 2000"
    );
}

#[test]
fn a_value_that_does_not_fit_is_refused_and_changes_nothing() {
    for version in [Version::Jet3, Version::Jet4] {
        let bytes = write(version, &[long_rows()]).expect("a file");
        let mut file = Database::open(bytes.clone()).expect("a database");
        let long = [("One", Value::Text("x".repeat(256)))];
        let refused = file.append("Long", &long).expect_err("refused");
        assert!(
            refused
                .to_string()
                .contains("is longer than the 255 of One"),
            "{refused}"
        );
        let refused = file
            .append("Long", &[("One", Value::Int(1))])
            .expect_err("refused");
        assert!(matches!(refused, JetError::BadRow { .. }), "{refused}");
        let nowhere = Place { page: 1, row: 0 };
        file.delete("Long", nowhere).expect_err("not a row of it");
        file.append("Nowhere", &[]).expect_err("no such table");
        assert!(file.into_bytes() == bytes, "nothing has changed");
    }
}

/// How many damaged files: `BYESTAND_BWS_DAMAGES=10000` for the full number.
fn damages() -> usize {
    let wanted = std::env::var("BYESTAND_BWS_DAMAGES").ok();
    wanted.and_then(|it| it.parse().ok()).unwrap_or(1_000)
}

#[test]
fn a_damaged_file_is_refused_or_changed_and_never_ends_the_program() {
    let random = &mut fastrand::Rng::with_seed(11);
    for version in [Version::Jet3, Version::Jet4] {
        let tables = [table("ReceivedData", random)];
        let whole = write(version, &tables).expect("a file");
        let (mut refused, mut taken) = (0, 0);
        for _ in 0..damages() {
            let mut bytes = whole.clone();
            for _ in 0..random.usize(1..20) {
                // Most of what matters is at the beginning of pages, or at their ends.
                let page = random.usize(..bytes.len() / version.page_len()) * version.page_len();
                let at = match random.u8(..3) {
                    0 => page + random.usize(..0x60),
                    1 => page + version.page_len() - 1 - random.usize(..0x60),
                    _ => random.usize(..bytes.len()),
                };
                bytes[at] = random.u8(..);
            }
            if random.u8(..20) == 0 {
                bytes.truncate(random.usize(..bytes.len()));
            }
            match changed(bytes) {
                Ok(()) => taken += 1,
                Err(_) => refused += 1,
            }
        }
        assert!(refused > 0 && taken > 0, "{refused} refused, {taken} taken");
    }
}

fn changed(bytes: Vec<u8>) -> Result<(), JetError> {
    let mut file = Database::open(bytes)?;
    let rows = file.rows("ReceivedData")?.unwrap_or_default();
    if let Some(row) = rows.last() {
        file.set("ReceivedData", row.place, &[("Column 1 é", Value::Null)])?;
    }
    file.append("ReceivedData", &[])?;
    Definition::read(&file, 2).map(drop)
}
