//! BWS files that we write and change, read by mdbtools, npm's mdb-reader and the crate `jetdb`, and
//! an evening that is played from one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use jet::{Column, Database, Kind, Place, Table, Value as Cell, Version};
use serde_json::{Value, json};
use tests::daemon::Daemon;

use crate::{Rows, here, installed, read_by_all_three, run, same};

/// Random changes to a file, each of which is read by everybody.
const EDITS: usize = 1_000;

/// More rows would keep the readers busy and show nothing new.
const ROWS_MAX: usize = 60;

const TABLES: i16 = 5;
const ROUNDS: i16 = 5;
const BOARDS_A_ROUND: i16 = 3;

fn columns(columns: &[(&str, Kind)]) -> Vec<Column> {
    let columns = columns.iter();
    columns
        .map(|(name, kind)| Column::new(name, *kind))
        .collect()
}

fn table(name: &str, described: &[(&str, Kind)], rows: Vec<Vec<Cell>>) -> Table {
    Table {
        name: name.to_owned(),
        columns: columns(described),
        rows,
    }
}

fn text(said: &str) -> Cell {
    Cell::Text(said.to_owned())
}

const RECEIVED: [(&str, Kind); 23] = [
    ("ID", Kind::AutoNumber),
    ("Section", Kind::Int),
    ("Table", Kind::Int),
    ("Round", Kind::Int),
    ("Board", Kind::Int),
    ("PairNS", Kind::Int),
    ("PairEW", Kind::Int),
    ("Declarer", Kind::Int),
    ("NS/EW", Kind::Text(2)),
    ("Contract", Kind::Text(10)),
    ("Result", Kind::Text(10)),
    ("LeadCard", Kind::Text(10)),
    ("Remarks", Kind::Text(255)),
    ("DateLog", Kind::Date),
    ("TimeLog", Kind::Date),
    ("Processed", Kind::Bit),
    ("Processed1", Kind::Bit),
    ("Processed2", Kind::Bit),
    ("Processed3", Kind::Bit),
    ("Processed4", Kind::Bit),
    ("Erased", Kind::Bit),
    ("ExternalUpdate", Kind::Bit),
    ("SuspiciousContract", Kind::Int),
];

fn random_value(kind: Kind, random: &mut fastrand::Rng) -> Cell {
    let letters = ['A', 'z', ' ', 'é', 'ß', '7'];
    match kind {
        Kind::Bit => Cell::Bit(random.bool()),
        Kind::Int => Cell::Int(random.i16(..)),
        Kind::Date => Cell::Date(f64::from(random.i32(30_000..60_000)) + 0.25),
        Kind::Text(length) => {
            // Long ones are rare, or there would be little else to read.
            let most = if random.u8(..8) == 0 {
                length
            } else {
                length.min(30)
            };
            let length = random.usize(1..=usize::from(most));
            let mut text: String = (0..length)
                .map(|_| letters[random.usize(..letters.len())])
                .collect();
            // Readers differ in what they make of blanks at the ends.
            text.insert(0, 'x');
            text = text.chars().take(length).collect();
            Cell::Text(text.trim_end().to_owned())
        }
        _ => Cell::Null,
    }
}

type Kept = BTreeMap<Place, Vec<(&'static str, Cell)>>;

/// Changes the file at random, and what is expected of it.
fn change(file: &mut Database, kept: &mut Kept, last: &mut i32, random: &mut fastrand::Rng) {
    let kinds: Vec<_> = RECEIVED.iter().skip(1).collect();
    let place = |kept: &Kept, random: &mut fastrand::Rng| {
        let at = random.usize(..kept.len());
        *kept.keys().nth(at).expect("a row")
    };
    match random.u8(..10) {
        choice if !kept.is_empty() && (choice == 0 || kept.len() > ROWS_MAX) => {
            let place = place(kept, random);
            file.delete("ReceivedData", place).expect("deleted");
            kept.remove(&place);
        }
        1..=4 if !kept.is_empty() => {
            let place = place(kept, random);
            let mut row = kept.remove(&place).expect("a row");
            let at = random.usize(1..row.len());
            row[at].1 = random_value(kinds[at - 1].1, random);
            let place = file.set("ReceivedData", place, &row[at..=at]);
            kept.insert(place.expect("changed"), row);
        }
        _ => {
            let row = kinds.iter();
            let row: Vec<_> = row
                .map(|(name, kind)| (*name, random_value(*kind, random)))
                .collect();
            let place = file.append("ReceivedData", &row).expect("appended");
            *last += 1;
            let row = [vec![("ID", Cell::Long(*last))], row].concat();
            kept.insert(place, row);
        }
    }
}

fn shown(cell: &Cell) -> Value {
    match cell {
        Cell::Bit(bit) => json!(bit),
        Cell::Int(number) => json!(number),
        Cell::Long(number) => json!(number),
        Cell::Text(text) => json!(text),
        Cell::Date(days) => {
            let first = jiff::civil::date(1899, 12, 30).at(0, 0, 0, 0);
            #[expect(clippy::cast_possible_truncation, reason = "a few thousand million")]
            let seconds = (days * 86_400.0).round() as i64;
            json!((first + jiff::SignedDuration::from_secs(seconds)).to_string())
        }
        Cell::Null | Cell::Binary(_) => Value::Null,
    }
}

fn assert_rows(kept: &Kept, theirs: &[Value], note: &str) {
    assert_eq!(kept.len(), theirs.len(), "{note}");
    for (ours, theirs) in kept.values().zip(theirs) {
        for (column, value) in ours {
            let value = shown(value);
            assert!(
                same(&value, &theirs[*column]),
                "{note}, {column}: {value} and {}",
                theirs[*column]
            );
        }
    }
}

#[test]
fn a_thousand_changes_of_a_file_are_read_by_other_programs_each() {
    let folder = tempfile::tempdir().expect("a folder");
    for version in [Version::Jet3, Version::Jet4] {
        let file = jet::write(version, &[table("ReceivedData", &RECEIVED, Vec::new())]);
        let mut file = Database::open(file.expect("a file")).expect("a database");
        let random = &mut fastrand::Rng::with_seed(5);
        let (mut kept, mut last) = (Kept::new(), 0);
        let mut expected = Vec::new();
        let mut names = Vec::new();
        for edit in 0..EDITS {
            change(&mut file, &mut kept, &mut last, random);
            let path = folder.path().join(format!("{edit}.bws"));
            std::fs::write(&path, file.bytes()).expect("written");
            let mut mdb = Command::new("mdb-json");
            mdb.args(["-D", "%Y-%m-%dT%H:%M:%S", "-T", "%Y-%m-%dT%H:%M:%S"]);
            let read = run(mdb.arg(&path).arg("ReceivedData"));
            let read: Vec<Value> = (read.lines())
                .map(|line| serde_json::from_str(line).expect("JSON"))
                .collect();
            assert_rows(&kept, &read, &format!("mdbtools, {version:?}, edit {edit}"));
            expected.push(kept.clone());
            names.push(path);
        }
        // One start of node for a hundred files, or it would be most of the work.
        for (edits, kept) in names.chunks(100).zip(expected.chunks(100)) {
            let mut node = Command::new("node");
            let script = here().join("programs/read_bws.cjs");
            let read = run(node.arg(script).arg(installed()).args(edits));
            for ((kept, line), path) in kept.iter().zip(read.lines()).zip(edits) {
                let read: Value = serde_json::from_str(line).expect("JSON");
                let rows = read["ReceivedData"].as_array().expect("rows");
                let about = format!("mdb-reader, {version:?}, {}", path.display());
                assert_rows(kept, rows, &about);
            }
        }
        let rows = read_by_all_three(names.last().expect("a file"));
        assert_eq!(rows["ReceivedData"].len(), kept.len());
    }
}

fn seats(round: i16) -> Vec<Vec<Cell>> {
    (1..=TABLES)
        .map(|table| {
            let east_west = (table - round).rem_euclid(TABLES) + 1;
            let set = (table + round - 2) % TABLES;
            let low = set * BOARDS_A_ROUND + 1;
            let high = low + BOARDS_A_ROUND - 1;
            let row = [1, table, round, table, east_west, low, high];
            row.map(Cell::Int).into()
        })
        .collect()
}

const SEATS: [(&str, Kind); 7] = [
    ("Section", Kind::Int),
    ("Table", Kind::Int),
    ("Round", Kind::Int),
    ("NSPair", Kind::Int),
    ("EWPair", Kind::Int),
    ("LowBoard", Kind::Int),
    ("HighBoard", Kind::Int),
];

/// What a scoring program makes: the last round comes later, as in a Swiss.
fn made(version: Version, path: &Path) {
    let section = [
        ("ID", Kind::Int),
        ("Letter", Kind::Text(3)),
        ("Tables", Kind::Int),
        ("Winners", Kind::Int),
    ];
    let state = [
        ("Section", Kind::Int),
        ("Table", Kind::Int),
        ("LogOnOff", Kind::Int),
        ("CurrentRound", Kind::Int),
        ("CurrentBoard", Kind::Int),
        ("UpdateFromRound", Kind::Int),
    ];
    let player = [
        ("Section", Kind::Int),
        ("Table", Kind::Int),
        ("Direction", Kind::Text(2)),
        ("Number", Kind::Text(16)),
        ("Name", Kind::Text(18)),
        ("Round", Kind::Int),
        ("Updated", Kind::Bit),
        ("Processed", Kind::Bit),
        ("TimeLog", Kind::Date),
    ];
    let settings = [("ShowResults", Kind::Bit), ("LeadCard", Kind::Bit)];
    let rounds = (1..ROUNDS).flat_map(seats).collect();
    let states = (1..=TABLES)
        .map(|table| [1, table, 2, 0, 0, 0].map(Cell::Int).into())
        .collect();
    let described = vec![Cell::Int(1), text("A  "), Cell::Int(TABLES), Cell::Int(2)];
    let tables = [
        table("Section", &section, vec![described]),
        table("RoundData", &SEATS, rounds),
        table("ReceivedData", &RECEIVED, Vec::new()),
        table("Tables", &state, states),
        table("PlayerNumbers", &player, Vec::new()),
        table(
            "Settings",
            &settings,
            vec![vec![Cell::Bit(true), Cell::Bit(false)]],
        ),
    ];
    let file = jet::write(version, &tables).expect("a file");
    std::fs::write(path, file).expect("written");
}

/// Every cell that has no result yet, as the page lists them.
fn open_cells(daemon: &Daemon, rounds: i16) -> Vec<(Value, Value, Value)> {
    daemon.wait_for("view", |view| {
        let mut cells = Vec::new();
        for cell in view["cells"].as_array()? {
            for board in cell["boards"].as_array()? {
                cells.push((cell["table"].clone(), cell["round"].clone(), board.clone()));
            }
        }
        let wanted = TABLES * rounds * BOARDS_A_ROUND;
        (cells.len() == usize::try_from(wanted).ok()?).then_some(cells)
    })
}

fn enter(daemon: &Daemon, (table, round, board): &(Value, Value, Value), typed: &str) {
    let line = json!({"table": table, "round": round, "board": board, "typed": typed});
    daemon.do_as_director("lines/typed", &line);
}

/// The scoring program reads its file until it says this.
fn wait_for_rows(path: &Path, wanted: impl Fn(&[jet::Stored]) -> bool) {
    let deadline = Instant::now() + Duration::from_mins(1);
    loop {
        let bytes = std::fs::read(path).expect("the file is always there");
        let file = Database::open(bytes).expect("and always whole");
        let rows = file.rows("ReceivedData").expect("rows").expect("the table");
        if wanted(&rows) {
            return;
        }
        assert!(Instant::now() < deadline, "{} rows", rows.len());
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn standing(rows: &[jet::Stored]) -> usize {
    let erased = |row: &&jet::Stored| row.get("Erased") == &Cell::Bit(true);
    rows.len() - rows.iter().filter(erased).count()
}

fn number(row: &BTreeMap<String, Value>, column: &str) -> i64 {
    row[column].as_i64().unwrap_or_default()
}

/// Each table, round and board once among the rows that count.
fn assert_each_once(rows: &Rows, results: usize) {
    let received = rows["ReceivedData"].iter();
    let counts: Vec<_> = received
        .filter(|row| row["Erased"] == json!(false))
        .collect();
    let places: BTreeSet<[i64; 3]> = (counts.iter())
        .map(|row| ["Table", "Round", "Board"].map(|column| number(row, column)))
        .collect();
    assert_eq!((counts.len(), places.len()), (results, results));
}

/// Where the file is named. Chosen on the page, it is known again after a start.
#[derive(Clone, Copy)]
enum Chosen {
    OnTheCommandLine,
    OnThePage,
}

/// An evening from a file of the scoring program's, killed in the middle, with a round added.
fn play(version: Version, how: Chosen) {
    let folder = tempfile::tempdir().expect("a folder");
    let path: PathBuf = folder.path().join("tuesday.bws");
    made(version, &path);
    let before = std::fs::read(&path).expect("a file");
    let name = path.to_str().expect("a path");
    let mut daemon = match how {
        Chosen::OnTheCommandLine => Daemon::start_with(&[], 19_200, &["--bws", name]),
        Chosen::OnThePage => {
            let daemon = Daemon::start(&[], 19_200);
            let refused = daemon.post("bws", &json!({"path": "/nowhere/monday.bws"}));
            let told = refused["problem"].as_str().unwrap_or_default();
            assert!(told.contains("no file /nowhere/monday.bws"), "{refused}");
            daemon.do_as_director("bws", &json!({"path": name}));
            daemon
        }
    };
    daemon.choose_pin();
    let typed = ["4SS+1", "3NTE-1", "2HN=", "5DXW-2", "1NTS+1", "P", "6CE="];
    let cells = open_cells(&daemon, ROUNDS - 1);
    let (early, late) = cells.split_at(cells.len() / 2);
    for (cell, typed) in early.iter().zip(typed.iter().cycle()) {
        enter(&daemon, cell, typed);
    }
    daemon.kill();
    daemon.start_again();
    for (cell, typed) in late.iter().zip(typed.iter().cycle()) {
        enter(&daemon, cell, typed);
    }
    wait_for_rows(&path, |rows| standing(rows) == cells.len());
    // A correction, and a name.
    enter(&daemon, &cells[0], "4SS=");
    wait_for_rows(&path, |rows| {
        rows.len() == cells.len() + 1 && standing(rows) == cells.len()
    });
    let name = json!({"pair": "A1NS", "partner": "First", "number": 77, "name": "Anna Ash"});
    daemon.do_as_director("names", &name);

    // The scoring program draws one more round into its file.
    let mut file = Database::open(std::fs::read(&path).expect("a file")).expect("a database");
    for row in seats(ROUNDS) {
        let names = SEATS.iter().map(|(name, _)| *name);
        let row: Vec<_> = names.zip(row).collect();
        file.append("RoundData", &row).expect("added");
    }
    let tables = file.rows("Tables").expect("rows").expect("the table");
    for row in &tables {
        let asked = [("UpdateFromRound", Cell::Int(ROUNDS))];
        file.set("Tables", row.place, &asked).expect("asked");
    }
    std::fs::write(folder.path().join("draft"), file.bytes()).expect("written");
    std::fs::rename(folder.path().join("draft"), &path).expect("renamed");
    let all = open_cells(&daemon, ROUNDS);
    for (cell, typed) in
        (all.iter().filter(|cell| cell.1 == json!(ROUNDS))).zip(typed.iter().cycle())
    {
        enter(&daemon, cell, typed);
    }
    wait_for_rows(&path, |rows| standing(rows) == all.len());
    let state = daemon.wait_for("bws", |state| {
        (state["results"] == json!(all.len())).then(|| state.clone())
    });
    assert_eq!(state["problem"], Value::Null, "{state}");
    assert_eq!(state["notes"], json!([]), "{state}");

    let rows = read_by_all_three(&path);
    assert_each_once(&rows, all.len());
    assert_eq!(rows["ReceivedData"].len(), all.len() + 1);
    let asked = |row: &BTreeMap<String, Value>| number(row, "UpdateFromRound");
    assert!(
        rows["Tables"].iter().all(|row| asked(row) == 0),
        "it was read"
    );
    let named = |row: &&BTreeMap<String, Value>| row["Name"] == json!("Anna Ash");
    assert_eq!(rows["PlayerNumbers"].iter().filter(named).count(), 1);
    let copy = std::fs::read(folder.path().join("tuesday.bws.original"));
    assert!(copy.expect("a copy is kept") == before);

    // Killed and started once more: nothing is written twice.
    let written = std::fs::read(&path).expect("a file");
    daemon.kill();
    daemon.start_again();
    daemon.wait_for("bws", |state| {
        (state["results"] == json!(all.len())).then_some(())
    });
    assert!(std::fs::read(&path).expect("a file") == written);
}

#[test]
fn an_evening_is_played_from_a_file_of_access_97_and_its_results_are_in_it() {
    play(Version::Jet3, Chosen::OnTheCommandLine);
}

#[test]
fn an_evening_is_played_from_a_file_of_access_2000_and_its_results_are_in_it() {
    play(Version::Jet4, Chosen::OnThePage);
}
