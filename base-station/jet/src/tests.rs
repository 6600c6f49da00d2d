//! Files that we write, read by somebody else's reader.

use std::io::Cursor;

use jetdb::{PageReader, find_table, read_catalog, read_table_def, read_table_rows, table_names};

use super::{Column, JetError, Kind, Table, Value, Version, write};

mod edits;

fn theirs(value: &Value) -> jetdb::Value {
    match value {
        Value::Null => jetdb::Value::Null,
        Value::Bit(bit) => jetdb::Value::Bool(*bit),
        Value::Int(number) => jetdb::Value::Int(*number),
        Value::Long(number) => jetdb::Value::Long(*number),
        Value::Date(days) => jetdb::Value::Timestamp(*days),
        Value::Text(text) => jetdb::Value::Text(text.clone()),
        Value::Binary(bytes) => jetdb::Value::Binary(bytes.clone()),
    }
}

fn assert_read(version: Version, tables: &[Table], note: &str) {
    let file = write(version, tables).unwrap_or_else(|fault| panic!("{note}: {fault}"));
    assert_reads(file, tables, note);
}

fn assert_reads(file: Vec<u8>, tables: &[Table], note: &str) {
    let mut reader = PageReader::open_reader(Cursor::new(file)).expect("a database");
    let names = table_names(&mut reader).expect("names");
    assert_eq!(names.len(), tables.len(), "{note}: {names:?}");
    for table in tables {
        assert_reads_table(&mut reader, table, note);
    }
}

fn assert_reads_table(reader: &mut PageReader, table: &Table, note: &str) {
    let catalogue = read_catalog(reader).expect("a catalogue");
    let entry = find_table(&catalogue, &table.name).expect("the table");
    let page = entry.table_page;
    let found = read_table_def(reader, &table.name, page).expect("its definition");
    let columns: Vec<&str> = found.columns.iter().map(|it| it.name.as_str()).collect();
    let expected: Vec<&str> = table.columns.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(columns, expected, "{note}");
    assert_eq!(found.num_rows as usize, table.rows.len(), "{note}");
    let read = read_table_rows(reader, &found).expect("its rows");
    assert_eq!(read.skipped_rows, 0, "{note}");
    let rows = table.rows.iter();
    let rows: Vec<Vec<_>> = rows.map(|row| row.iter().map(theirs).collect()).collect();
    assert!(read.rows == rows, "{note}: {} differs", table.name);
}

fn value(kind: Kind, row: usize, random: &mut fastrand::Rng) -> Value {
    match kind {
        Kind::Bit => Value::Bit(random.bool()),
        Kind::AutoNumber => Value::Long(i32::try_from(row + 1).expect("few rows")),
        _ if random.u8(..5) == 0 => Value::Null,
        Kind::Int => Value::Int(random.i16(..)),
        Kind::Long => Value::Long(random.i32(..)),
        Kind::Date => Value::Date(f64::from(random.i32(0..60_000)) + 0.25),
        Kind::Binary => Value::Binary((0..random.usize(1..40)).map(|_| random.u8(..)).collect()),
        Kind::Text(length) => {
            let letters = ['A', 'z', ' ', 'é', 'ß', '€', '’', '7'];
            let length = random.usize(1..=usize::from(length));
            Value::Text(
                (0..length)
                    .map(|_| letters[random.usize(..letters.len())])
                    .collect(),
            )
        }
        Kind::Memo | Kind::Object => Value::Null,
    }
}

fn table(name: &str, random: &mut fastrand::Rng) -> Table {
    let mut kinds = vec![Kind::AutoNumber];
    for _ in 0..random.usize(1..24) {
        kinds.push(match random.u8(..6) {
            0 => Kind::Bit,
            1 => Kind::Int,
            2 => Kind::Long,
            3 => Kind::Date,
            _ => Kind::Text(random.u8(1..60)),
        });
    }
    random.shuffle(&mut kinds);
    let columns: Vec<Column> = (kinds.iter().enumerate())
        .map(|(at, kind)| Column::new(&format!("Column {at} é"), *kind))
        .collect();
    let rows = (0..random.usize(..300))
        .map(|row| kinds.iter().map(|kind| value(*kind, row, random)).collect())
        .collect();
    let name = name.to_owned();
    Table {
        name,
        columns,
        rows,
    }
}

/// How many changes: `BYESTAND_BWS_EDITS=1000` for the full number.
fn edits() -> u64 {
    let wanted = std::env::var("BYESTAND_BWS_EDITS").ok();
    wanted.and_then(|number| number.parse().ok()).unwrap_or(40)
}

#[test]
fn every_change_of_random_tables_is_read_back_equal_in_both_versions() {
    let random = &mut fastrand::Rng::with_seed(1);
    let mut tables: Vec<Table> = ["ReceivedData", "Tables", "Session"]
        .map(|name| table(name, random))
        .into();
    for edit in 0..edits() {
        let at = random.usize(..tables.len());
        let changed = &mut tables[at];
        let kinds: Vec<Kind> = changed.columns.iter().map(|column| column.kind).collect();
        let rows = changed.rows.len();
        match random.u8(..4) {
            0 if rows > 0 => drop(changed.rows.remove(random.usize(..rows))),
            1 if rows > 0 => {
                let (row, column) = (random.usize(..rows), random.usize(..kinds.len()));
                changed.rows[row][column] = value(kinds[column], row, random);
            }
            2 => changed.name = format!("Renamed {edit}"),
            _ => {
                for row in rows..rows + random.usize(1..30) {
                    changed
                        .rows
                        .push(kinds.iter().map(|kind| value(*kind, row, random)).collect());
                }
            }
        }
        for version in [Version::Jet3, Version::Jet4] {
            assert_read(version, &tables, &format!("edit {edit}, {version:?}"));
        }
    }
}

#[test]
fn a_table_of_many_pages_and_a_definition_of_several_are_read() {
    let columns: Vec<Column> = (0..200)
        .map(|at| Column::new(&format!("A long name of column {at}"), Kind::Int))
        .collect();
    let wide = Table {
        name: "Wide".to_owned(),
        rows: vec![(0..200).map(Value::Int).collect(); 3],
        columns,
    };
    let columns = vec![
        Column::new("ID", Kind::AutoNumber),
        Column::new("Text", Kind::Text(255)),
    ];
    let rows = (0..9_000).map(|row| {
        let text = "x".repeat(usize::try_from(row % 256).unwrap_or(0));
        vec![Value::Long(row), Value::Text(text)]
    });
    // An empty text is not nothing.
    let long = Table {
        name: "Long".to_owned(),
        columns,
        rows: rows.collect(),
    };
    for version in [Version::Jet3, Version::Jet4] {
        assert_read(
            version,
            &[wide.clone(), long.clone()],
            &format!("{version:?}"),
        );
    }
}

#[test]
fn a_value_that_does_not_fit_its_column_is_refused_with_its_place() {
    let table = |value| Table {
        name: "T".to_owned(),
        columns: vec![Column::new("Name", Kind::Text(3))],
        rows: vec![vec![Value::Null], vec![value]],
    };
    let refused = |value| write(Version::Jet4, &[table(value)]).expect_err("refused");
    let told = |what: &str| JetError::BadRow {
        table: "T".to_owned(),
        row: 2,
        what: what.to_owned(),
    };
    let long = refused(Value::Text("four".to_owned()));
    assert_eq!(long, told("\"four\" is longer than the 3 of Name"));
    assert_eq!(
        refused(Value::Int(4)),
        told("Int(4) does not belong under Name")
    );
}
