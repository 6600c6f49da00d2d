//! What we write for other programs, read by programs that are not ours. `tests/install programs`
//! gets them.

mod programs_parts {
    mod bws;
    mod matches;
    mod paper;
    mod people;
}

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tests::daemon::Daemon;
use tests::sheets::FORMATS;

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What `tests/install programs` puts into the target folder.
fn installed() -> PathBuf {
    here().join("../target/programs")
}

fn run(command: &mut Command) -> String {
    let done = command.output().expect("the program starts");
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    let complained = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{command:?}: {said}{complained}");
    said
}

fn says_json(command: &mut Command) -> Value {
    let said = run(command);
    serde_json::from_str(&said).unwrap_or_else(|_| panic!("{command:?} said {said}"))
}

/// An evening of ten pairs with cards, names, results, an award and a penalty.
fn played() -> (Daemon, usize) {
    let daemon = Daemon::start(&[], 19_200);
    daemon.open_evening(10);
    let deals = here().join("real/club_session_deals.pbn");
    let deals = std::fs::read_to_string(deals).expect("deals");
    daemon.do_as_director("deals", &json!({"file": "monday.pbn", "pbn": deals}));
    let typed = ["4SS+1", "3NTE-1", "2HN=", "5DXW-2", "1NTS+1", "P", "6CE="];
    let mut results = 0;
    let view = daemon.get("view");
    for cell in view["cells"].as_array().expect("cells") {
        for board in cell["boards"].as_array().expect("boards") {
            let line = json!({
                "table": cell["table"], "round": cell["round"], "board": board,
                "typed": typed[results % typed.len()],
            });
            daemon.do_as_director("lines/typed", &line);
            results += 1;
        }
    }
    assert!(results > 80, "{results} results");
    (daemon, results)
}

fn export(daemon: &Daemon, format: &str, path: &Path) -> Vec<u8> {
    let file = path.to_str().expect("a path");
    let words = ["export", "--format", format, "--out", file, "--club", "Tea"];
    let done = daemon.command(&words);
    let complained = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{format}: {complained}");
    std::fs::read(path).expect("the file")
}

#[test]
fn an_evening_is_exported_while_it_is_played_and_read_by_other_programs() {
    let (mut daemon, results) = played();
    let folder = tempfile::tempdir().expect("a folder");
    let formats = [&FORMATS[..], &["bws"]].concat();
    let path = |format: &str| folder.path().join(format);
    let export_all = |daemon: &Daemon| -> Vec<Vec<u8>> {
        let formats = formats.iter();
        formats
            .map(|format| export(daemon, format, &path(format)))
            .collect()
    };
    let during = export_all(&daemon);

    let dtd = here().join("programs/usebio-observed.dtd");
    for format in ["usebio", "usebio-myabf"] {
        let mut xmllint = Command::new("xmllint");
        run(xmllint
            .args(["--nonet", "--noout", "--dtdvalid"])
            .arg(&dtd)
            .arg(path(format)));
    }
    run(Command::new("xmllint").arg("--noout").arg(path("nz-xml")));

    let python = installed().join("venv/bin/python");
    let script = here().join("programs/read_pbn.py");
    let endplay = says_json(Command::new(python).arg(script).arg(path("pbn")));
    let rows: u64 = (endplay["rows"].as_array().expect("rows").iter())
        .filter_map(Value::as_u64)
        .sum();
    assert_eq!(usize::try_from(rows), Ok(results), "{endplay}");
    assert_eq!(endplay["totals"], 10, "{endplay}");
    let script = here().join("programs/read_pbn.cjs");
    let mut node = Command::new("node");
    let npm = says_json(node.arg(script).arg(installed()).arg(path("pbn")));
    assert_eq!(npm["boards"], endplay["boards"], "{npm}");
    assert_eq!(npm["lines"], json!(rows), "{npm}");

    let web = path("web");
    let out = web.to_str().expect("a path");
    let done = daemon.command(&["export", "--format", "web", "--out", out]);
    assert!(done.status.success(), "{done:?}");
    let index = std::fs::read_to_string(web.join("index.html")).expect("the first page");
    assert!(index.contains("hands.html"), "{index}");

    let rows = read_by_all_three(&path("bws"));
    assert_eq!(rows["ReceivedData"].len(), results);
    assert_eq!(rows["HandRecord"].len(), rows["HandEvaluation"].len());
    assert_eq!(rows["Tables"].len(), 5);

    // The same files without the base station, from its journal.
    daemon.kill();
    let after = export_all(&daemon);
    assert!(during == after, "the journal says something else");

    // And the session comes back, into the stopped journal and into the running base station.
    let back = path("usebio");
    let back = back.to_str().expect("a path");
    let done = daemon.command(&["import", back]);
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert_eq!(
        said.trim(),
        format!("session 2: {results} results from USEBIO"),
        "{done:?}"
    );
    daemon.start_again();
    let done = daemon.command(&["import", back]);
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert_eq!(
        said.trim(),
        format!("session 3: {results} results from USEBIO"),
        "{done:?}"
    );
    let again = |session: &str, name: &str| {
        let out = path(name);
        let words = [
            "export",
            "--format",
            "usebio",
            "--club",
            "Tea",
            "--session",
            session,
        ];
        let out_words = ["--out", out.to_str().expect("a path")];
        let done = daemon.command(&[&words[..], &out_words[..]].concat());
        assert!(done.status.success(), "{done:?}");
        std::fs::read(out).expect("the file")
    };
    assert_same_lines(&again("2", "second"), &during[0], "session 2");
    assert_same_lines(&again("3", "third"), &during[0], "session 3");
    let done = daemon.command(&["export", "--format", "pbn", "--session", "9", "--out", back]);
    assert_eq!(done.status.code(), Some(2), "{done:?}");
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(said.contains("there is no session 9"), "{said}");
}

/// Two text files, and where they differ.
fn assert_same_lines(ours: &[u8], expected: &[u8], note: &str) {
    let (ours, expected) = [ours, expected].map(String::from_utf8_lossy).into();
    let mut lines = ours.lines().zip(expected.lines()).enumerate();
    if let Some((at, _)) = lines.find(|(_, (one, other))| one != other) {
        let around = |text: &str| {
            let lines = text.lines().enumerate().skip(at.saturating_sub(8)).take(16);
            lines.fold(String::new(), |told, (number, line)| {
                let mark = if number == at { ">" } else { " " };
                format!("{told}{mark}{:5} {line}\n", number + 1)
            })
        };
        let (ours, expected) = (around(&ours), around(&expected));
        panic!("{note}, line {}:\n{ours}expected:\n{expected}", at + 1);
    }
    assert_eq!(ours.lines().count(), expected.lines().count(), "{note}");
}

type Rows = BTreeMap<String, Vec<BTreeMap<String, Value>>>;

/// A database as `jetdb` reads it, after mdbtools and npm's mdb-reader were seen to read the same.
fn read_by_all_three(path: &Path) -> Rows {
    let jetdb = with_jetdb(path);
    let script = here().join("programs/read_bws.cjs");
    let mut node = Command::new("node");
    let npm = says_json(node.arg(script).arg(installed()).arg(path));
    for (name, rows) in &jetdb {
        let theirs = npm[name].as_array().expect("the table");
        assert_eq!(theirs.len(), rows.len(), "{name}");
        let mut mdb = Command::new("mdb-json");
        mdb.args(["-D", "%Y-%m-%dT%H:%M:%S", "-T", "%Y-%m-%dT%H:%M:%S"]);
        let mdbtools = run(mdb.arg(path).arg(name));
        let mdbtools: Vec<Value> = (mdbtools.lines())
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        assert_eq!(mdbtools.len(), rows.len(), "{name}");
        for ((ours, npm), mdbtools) in rows.iter().zip(theirs).zip(&mdbtools) {
            for (column, value) in ours {
                for theirs in [&npm[column], &mdbtools[column]] {
                    assert!(
                        same(value, theirs),
                        "{name}, {column}: {value} and {theirs}"
                    );
                }
            }
        }
    }
    jetdb
}

/// Readers show nothing, no and moments in ways of their own.
fn same(ours: &Value, theirs: &Value) -> bool {
    let text = |value: &Value| match value {
        Value::Null => String::new(),
        Value::Bool(bit) => i32::from(*bit).to_string(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let (ours, theirs) = (text(ours), text(theirs));
    let moment = |text: &str| text.get(..19)?.parse::<jiff::civil::DateTime>().ok();
    match (moment(&ours), moment(&theirs)) {
        // A part of a day has no exact seconds.
        (Some(one), Some(other)) => one.duration_since(other).as_secs().abs() <= 1,
        _ => ours == theirs,
    }
}

fn with_jetdb(path: &Path) -> Rows {
    let mut reader = jetdb::PageReader::open(path).expect("a database");
    let catalogue = jetdb::read_catalog(&mut reader).expect("a catalogue");
    let names = jetdb::table_names(&mut reader).expect("names");
    let mut found = Rows::new();
    for name in names {
        let page = jetdb::find_table(&catalogue, &name)
            .expect("a table")
            .table_page;
        let table = jetdb::read_table_def(&mut reader, &name, page).expect("a definition");
        let read = jetdb::read_table_rows(&mut reader, &table).expect("rows");
        assert_eq!(read.skipped_rows, 0, "{name}");
        let columns = || table.columns.iter().map(|column| column.name.clone());
        let rows = (read.rows.iter())
            .map(|row| columns().zip(row.iter().map(value)).collect())
            .collect();
        found.insert(name, rows);
    }
    found
}

fn value(value: &jetdb::Value) -> Value {
    match value {
        jetdb::Value::Bool(bit) => json!(bit),
        jetdb::Value::Int(number) => json!(number),
        jetdb::Value::Long(number) => json!(number),
        jetdb::Value::Text(text) => json!(text),
        jetdb::Value::Timestamp(days) => {
            // Whole seconds since the first day that the database knows.
            let first = jiff::civil::date(1899, 12, 30).at(0, 0, 0, 0);
            #[expect(
                clippy::cast_possible_truncation,
                reason = "a few thousand million seconds"
            )]
            let seconds = (days * 86_400.0).round() as i64;
            json!((first + jiff::SignedDuration::from_secs(seconds)).to_string())
        }
        _ => Value::Null,
    }
}
