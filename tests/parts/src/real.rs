//! The real evening of the project's test data.

use std::collections::BTreeMap;

use protocol::words::BoardResult;

use crate::played;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../real/");

/// The rows of one of its tables, without the heading.
pub fn real_rows(file: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(format!("{FOLDER}{file}")).expect("the file is there");
    let cells = |line: &str| line.split(',').map(str::to_owned).collect();
    text.lines().skip(1).map(cells).collect()
}

/// What became of the board of a row of its results.
pub fn real_result(row: &[String]) -> BoardResult {
    if row[8] == "PASS" {
        return BoardResult::PassedOut;
    }
    let contract: String = row[8].split_whitespace().collect();
    played(&format!("{contract} {} {}", row[7], row[9]))
}

/// Its movement as a file that a club would keep.
pub fn real_movement_file() -> String {
    let mut rounds: BTreeMap<u8, String> = BTreeMap::new();
    for row in real_rows("club_session_rounds.csv") {
        let line = format!("{}: {} {} {}-{}\n", row[0], row[2], row[3], row[4], row[5]);
        let round = row[1].parse().expect("a round");
        rounds.entry(round).or_default().push_str(&line);
    }
    let rounds: Vec<String> = rounds
        .iter()
        .map(|(round, lines)| format!("round {round}\n{lines}"))
        .collect();
    format!("name: As on Mondays\nlists: two\n\n{}", rounds.join("\n"))
}
