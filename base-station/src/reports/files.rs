//! Results as CSV, for spreadsheets and other programs.

use protocol::words::RoundNumber;

use super::sheets::boards;
use crate::session::{Club, Session};
use telling::Voice;

use crate::view::{BoardView, RankingView, decimals, pair_names};

/// The ranking, a pair in each line.
pub fn ranking_csv(club: &Club, session: &Session) -> Result<Vec<u8>, csv::Error> {
    let mut file = csv::Writer::from_writer(Vec::new());
    file.write_record([
        "list", "place", "pair", "names", "boards", "points", "percent", "standing",
    ])?;
    let ranking = RankingView::of(club, session);
    let digits = usize::from(ranking.decimals);
    for list in ranking.lists {
        for line in list.lines {
            file.write_record([
                no_formula(&list.title.in_words(Voice::default())),
                no_formula(&line.place),
                line.pair.to_string(),
                no_formula(&line.names.in_words(Voice::default())),
                line.boards.to_string(),
                format!("{:.digits$}", line.points),
                line.percent
                    .map_or_else(String::new, |percent| format!("{percent:.2}")),
                format!("{:?}", line.standing),
            ])?;
        }
    }
    finish(file)
}

/// All results, a board at a table in each line.
pub fn results_csv(club: &Club, session: &Session) -> Result<Vec<u8>, csv::Error> {
    let mut file = csv::Writer::from_writer(Vec::new());
    file.write_record([
        "section",
        "board",
        "round",
        "table",
        "ns",
        "ew",
        "ns_names",
        "ew_names",
        "what",
        "contract",
        "declarer",
        "result",
        "tricks",
        "lead",
        "score_ns",
        "points_ns",
        "points_ew",
        "percent_ns",
        "percent_ew",
        "form",
    ])?;
    let scores = session.scores();
    let digits = usize::from(decimals(session));
    let points =
        |number: Option<f64>| number.map_or_else(String::new, |it| format!("{it:.digits$}"));
    let percent = |number: Option<f64>| number.map_or_else(String::new, |it| format!("{it:.2}"));
    for (section, board) in boards(session) {
        for line in BoardView::scored(session, &scores, section, board).lines {
            let names = |pair: Option<crate::session::PairId>| {
                pair.map_or_else(String::new, |pair| {
                    let names = pair_names(club, session, pair, RoundNumber::FIRST);
                    no_formula(&names.in_words(Voice::default()))
                })
            };
            let pair = |pair: Option<crate::session::PairId>| {
                pair.map_or_else(String::new, |pair| pair.to_string())
            };
            let result = &line.result;
            file.write_record([
                line.table.section.to_string(),
                board.to_string(),
                line.round.to_string(),
                line.table.table.to_string(),
                pair(line.ns),
                pair(line.ew),
                names(line.ns),
                names(line.ew),
                format!("{:?}", result.kind),
                no_formula(result.contract.as_deref().unwrap_or_default()),
                result.declarer.map(String::from).unwrap_or_default(),
                result.made.as_deref().map_or_else(String::new, over),
                result.tricks.map_or_else(String::new, |it| it.to_string()),
                no_formula(result.lead.as_deref().unwrap_or_default()),
                line.score.map_or_else(String::new, |it| it.to_string()),
                points(line.ns_points),
                points(line.ew_points),
                percent(line.ns_percent),
                percent(line.ew_percent),
                line.form.to_string(),
            ])?;
        }
    }
    finish(file)
}

/// Tricks over or under the contract as a number: a cell with `=` in it begins like a formula.
fn over(made: &str) -> String {
    match made {
        "=" => "0".to_owned(),
        over => over.trim_start_matches('+').to_owned(),
    }
}

fn finish(file: csv::Writer<Vec<u8>>) -> Result<Vec<u8>, csv::Error> {
    file.into_inner()
        .map_err(|error| csv::Error::from(error.into_error()))
}

/// What begins a formula in some spreadsheet, the wide forms of East Asian keyboards included.
const FORMULA_BEGINS: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// What separates cells in some locale: a German spreadsheet ends a cell at a semicolon, whatever
/// the quotation marks around it say, and begins the next one after it.
const CELL_ENDS: [char; 7] = [',', ';', '\t', '|', '\r', '\n', '\u{2028}'];

/// A text that no spreadsheet takes for a formula, in whatever locale it is opened: where a cell
/// could begin with one, it begins with an apostrophe instead.
pub(crate) fn no_formula(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut begins = true;
    for letter in text.chars() {
        if begins && FORMULA_BEGINS.contains(&letter) {
            safe.push('\'');
        }
        // What spreadsheets skip before a formula.
        begins = CELL_ENDS.contains(&letter)
            || begins
                && (letter.is_whitespace()
                    || letter.is_control()
                    || "\"'\u{feff}".contains(letter));
        // A line break inside a cell is one more place where a cell could begin.
        safe.push(if letter.is_control() { ' ' } else { letter });
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::no_formula;

    /// The cells that spreadsheets of all locales could make of a text.
    fn cells(text: &str) -> Vec<&str> {
        text.split([',', ';', '\t', '|', '\n', '\r']).collect()
    }

    #[test]
    fn csv_cells_cant_be_formulas_in_any_locale() {
        let hostile = [
            "=1+1",
            "+1+1",
            "-1+1",
            "@SUM(A1)",
            "\t=1",
            "\r=1",
            "\n=1",
            "  =1",
            "\"=1",
            "Anna;=HYPERLINK(1)",
            "Anna,=1",
            "Anna\t@x",
            "Anna|-2+3",
            "a;b; +1",
            "Anna;\"=1\"",
            "＝1",
            "a\r\n=1",
            "\u{feff}=1",
        ];
        for text in hostile {
            let safe = no_formula(text);
            for cell in cells(&safe) {
                let begin = cell.trim_start_matches(|letter: char| {
                    letter.is_whitespace() || letter == '"' || letter == '\u{feff}'
                });
                assert!(
                    !begin.starts_with(['=', '+', '-', '@', '＝']),
                    "{text:?} became {safe:?}"
                );
            }
        }
        for name in [
            "Anna Meier",
            "Müller-Lüdenscheid",
            "O'Brien",
            "A1NS",
            "4SX",
            "3=",
        ] {
            assert_eq!(no_formula(name), name);
        }
    }
}
