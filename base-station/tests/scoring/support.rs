//! What the tests share: the golden files, and the command line.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use base_station::cli;
use serde_json::Value;

const TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/");

/// The text of a file of the project's test data.
pub(crate) fn data(path: &str) -> String {
    fs::read_to_string(PathBuf::from(TESTS).join(path)).expect(path)
}

/// The rows of a tab-separated golden file, by column.
pub(crate) fn tsv(name: &str) -> Vec<HashMap<String, String>> {
    let text = data(&format!("golden/{name}"));
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(b'\t')
        .from_reader(text.as_bytes());
    let rows: Vec<_> = reader.deserialize().map(|row| row.expect(name)).collect();
    assert!(rows.len() > 5, "{name} has only {} rows", rows.len());
    rows
}

/// What the command line answers, without a process.
pub(crate) fn answer(arguments: &[&str]) -> Result<String, String> {
    let line = std::iter::once("byestand").chain(arguments.iter().copied());
    let mut out = Vec::new();
    match cli::parse(line).map_err(|error| error.to_string())? {
        cli::Invocation::Help(text) => return Ok(text),
        cli::Invocation::Run(arguments) => {
            cli::run(arguments, &mut out).map_err(|error| error.to_string())?;
        }
    }
    Ok(String::from_utf8(out).expect("answers are text"))
}

/// The answer as JSON.
pub(crate) fn json(arguments: &[&str]) -> Value {
    let mut arguments = arguments.to_vec();
    arguments.push("--json");
    let text = answer(&arguments).unwrap_or_else(|error| panic!("{arguments:?}: {error}"));
    serde_json::from_str(&text).expect("JSON")
}

/// A session from text, as `byestand matchpoint` answers it.
pub(crate) fn session(csv: &str, options: &[&str]) -> Result<Value, String> {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("results.csv");
    fs::write(&file, csv).expect("written");
    let file = file.to_str().expect("UTF-8").to_owned();
    let mut arguments = vec!["matchpoint", &file, "--json"];
    arguments.extend(options);
    answer(&arguments).map(|text| serde_json::from_str(&text).expect("JSON"))
}

/// Numbers are compared as hundred-thousandths, so that the way they are written does not matter.
pub(crate) fn close(left: f64, right: f64) -> bool {
    (left - right).abs() < 0.000_01
}
