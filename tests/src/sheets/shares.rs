//! Row by row: a row's percentage is its points as a share of its board's top, on every sheet.
//! And what stands beside the ranking: clubs, and a file for other programs.

use std::collections::BTreeMap;

use serde_json::Value;

use super::adder::{DUST, HALF_A_HUNDREDTH, Published, Sums, add, fields, meant, text};
use super::html::{self, number};

/// Names a row: table, round and board.
type Place = (String, u64, u64);

/// A side of a row: points and percentage.
type Worth = (Option<f64>, Option<f64>);

/// A row as the boards of the interface show it.
struct Row {
    pairs: [String; 2],
    worth: [Worth; 2],
    top: f64,
}

pub(super) struct Rows(BTreeMap<Place, Row>);

fn place(line: &Value) -> Place {
    let number = |name: &str| line[name].as_u64().unwrap_or_default();
    (text(&line["table"]), number("round"), number("board"))
}

fn worth(line: &Value) -> [Worth; 2] {
    ["ns", "ew"].map(|side| {
        let at = |what: &str| line[format!("{side}_{what}")].as_f64();
        (at("points"), at("percent"))
    })
}

impl Rows {
    pub(super) fn of(boards: &[Value]) -> Self {
        let mut rows = BTreeMap::new();
        for board in boards {
            let top = board["top"].as_f64().unwrap_or_default();
            for line in board["lines"].as_array().into_iter().flatten() {
                let row = Row {
                    pairs: ["ns", "ew"].map(|side| text(&line[side])),
                    worth: worth(line),
                    top,
                };
                rows.insert(place(line), row);
            }
        }
        Self(rows)
    }

    /// Points of a board's top; IMPs have no percentages.
    pub(super) fn compare_shares(&self, wrong: &mut Vec<String>) {
        for ((table, round, board), row) in &self.0 {
            for (points, percent) in row.worth {
                let own = points.filter(|_| row.top > 0.0);
                let own = own.map(|points| 100.0 * points / row.top);
                let same = match (own, percent) {
                    (Some(own), Some(percent)) => (own - percent).abs() <= HALF_A_HUNDREDTH + DUST,
                    (None, None) => true,
                    _ => false,
                };
                if !same {
                    wrong.push(format!(
                        "board {board} of table {table} in round {round}: {percent:?}% for {own:?}%"
                    ));
                }
            }
        }
    }

    /// The same rows as tables show them.
    pub(super) fn compare_lines(&self, lines: &[Value], wrong: &mut Vec<String>) {
        for line in lines {
            let (shown, place) = (worth(line), place(line));
            let right = self
                .0
                .get(&place)
                .map_or([(None, None); 2], |row| row.worth);
            if shown != right {
                wrong.push(format!(
                    "{place:?}: {shown:?} at the table, {right:?} on the board"
                ));
            }
        }
    }

    pub(super) fn compare_csv(&self, file: &str, wrong: &mut Vec<String>) {
        let mut lines = file.lines();
        let header = fields(lines.next().unwrap_or_default());
        let mut seen = 0;
        for line in lines {
            let cells = fields(line);
            let at = |name: &str| {
                let column = header.iter().position(|it| it == name);
                column
                    .and_then(|at| cells.get(at))
                    .map_or("", String::as_str)
            };
            let whole = |name: &str| at(name).parse().unwrap_or_default();
            let table = format!("{}{}", at("section"), at("table"));
            let Some(row) = self.0.get(&(table, whole("round"), whole("board"))) else {
                wrong.push(format!("results.csv: no board has {line}"));
                continue;
            };
            seen += 1;
            for (side, name) in row.worth.into_iter().zip(["percent_ns", "percent_ew"]) {
                if !near(number(at(name)), side.1) {
                    wrong.push(format!("results.csv: {} for {side:?} in {line}", at(name)));
                }
            }
        }
        if seen == 0 && !self.0.is_empty() {
            wrong.push("results.csv has no rows".to_owned());
        }
    }

    /// The last column of each pair's own card.
    pub(super) fn compare_scorecards(&self, page: &str, wrong: &mut Vec<String>) {
        let mut own: BTreeMap<(&str, u64), Vec<Worth>> = BTreeMap::new();
        for ((_, _, board), row) in &self.0 {
            for (pair, worth) in row.pairs.iter().zip(row.worth) {
                own.entry((pair, *board)).or_default().push(worth);
            }
        }
        for part in page.split("<h2>").skip(1) {
            let title = html::text(part.split("</h2>").next().unwrap_or_default());
            let pair = title.split(':').next().unwrap_or_default();
            let called = pair.split_once(' ').unwrap_or_default().1;
            let pair = meant(own.keys().map(|(pair, _)| pair), called, "");
            for row in html::tables(part).into_iter().flatten() {
                let [board, .., points, percent] = row.cells.as_slice() else {
                    continue;
                };
                let Ok(board) = board.parse() else { continue };
                let Some(right) = own
                    .get(&(pair.as_str(), board))
                    .filter(|_| row.cells.len() == 7)
                else {
                    continue;
                };
                let (points, shown) = (number(points), number(percent));
                // A row that counts for nobody has neither.
                let fits = match points {
                    Some(_) => right.iter().any(|(_, right)| near(shown, *right)),
                    None => shown.is_none(),
                };
                if !fits {
                    wrong.push(format!(
                        "the score card of {pair} has {percent} on board {board}, not {right:?}"
                    ));
                }
            }
        }
    }
}

fn near(shown: Option<f64>, right: Option<f64>) -> bool {
    match (shown, right) {
        (Some(shown), Some(right)) => (shown - right).abs() <= HALF_A_HUNDREDTH + DUST,
        (None, None) => true,
        _ => false,
    }
}

impl Published {
    /// What each club has in a match between two: all of its pairs together. Who is a visitor is
    /// not printed, so both clubs together must be all pairs.
    pub(super) fn compare_clubs(&self, ranking: &Value, wrong: &mut Vec<String>) {
        let clubs = ranking["clubs"].as_array().cloned().unwrap_or_default();
        if clubs.is_empty() {
            return;
        }
        let all: f64 = self.places.values().map(|place| place.points).sum();
        let theirs = clubs
            .iter()
            .map(|club| club["points"].as_f64().unwrap_or_default());
        let theirs: f64 = theirs.sum();
        if (all - theirs).abs() > DUST {
            wrong.push(format!("the clubs have {theirs:.4}, their pairs {all:.4}"));
        }
        let percents = self.places.values().filter_map(|place| place.percent);
        let (low, high) = percents.fold((100.0_f64, 0.0_f64), |(low, high), percent| {
            (low.min(percent), high.max(percent))
        });
        for percent in clubs.iter().filter_map(|club| club["percent"].as_f64()) {
            if percent < low - HALF_A_HUNDREDTH || percent > high + HALF_A_HUNDREDTH {
                wrong.push(format!(
                    "a club has {percent}%, its pairs {low}% to {high}%"
                ));
            }
        }
    }

    /// The file that other programs read: its rows, and its own totals.
    pub(super) fn compare_usebio(&self, file: &str, wrong: &mut Vec<String>) {
        let mut sums = Sums::new();
        let mut totals = 0;
        // Where there is one section the file has none; then it is A.
        let parts: Vec<(String, &str)> = if file.contains("<SECTION ") {
            file.split("<SECTION ")
                .skip(1)
                .map(|part| {
                    (
                        html::attribute(part, "SECTION_ID").unwrap_or_default(),
                        part,
                    )
                })
                .collect()
        } else {
            vec![("A".to_owned(), file)]
        };
        for (section, part) in parts {
            for (_, pair) in html::elements(part, "PAIR") {
                let name = format!("{section}{}", leaf(pair, "PAIR_NUMBER").unwrap_or_default());
                let total = leaf(pair, "TOTAL_SCORE").and_then(|it| number(&it));
                let right = self.places.get(&name).map(|place| place.points);
                if !near(total, right) {
                    wrong.push(format!("usebio: {name} has {total:?}, not {right:?}"));
                }
                totals += 1;
            }
            for (_, line) in html::elements(part, "TRAVELLER_LINE") {
                for side in ["NS", "EW"] {
                    let pair = leaf(line, &format!("{side}_PAIR_NUMBER")).unwrap_or_default();
                    let points = ["MATCH_POINTS", "CROSS_IMP_POINTS", "BUTLER_POINTS"]
                        .into_iter()
                        .find_map(|kind| leaf(line, &format!("{side}_{kind}")));
                    let points = points.and_then(|it| number(&it));
                    add(&mut sums, &format!("{section}{pair}"), points, 0.0);
                }
            }
        }
        if totals != self.places.len() {
            wrong.push(format!("usebio: {totals} pairs, not {}", self.places.len()));
        }
        self.compare("usebio", &sums, DUST, wrong);
    }
}

fn leaf(inside: &str, name: &str) -> Option<String> {
    let found = html::elements(inside, name);
    found.first().map(|(_, inside)| html::text(inside))
}
