//! Results as CSV, for spreadsheets and other programs.

use protocol::words::RoundNumber;

use super::sheets::boards;
use crate::session::{Club, Session};
use crate::view::{BoardView, RankingView, pair_names};

/// The ranking, a pair in each line.
pub fn ranking_csv(club: &Club, session: &Session) -> Result<Vec<u8>, csv::Error> {
    let mut file = csv::Writer::from_writer(Vec::new());
    file.write_record([
        "list", "place", "pair", "names", "boards", "points", "percent",
    ])?;
    for list in RankingView::of(club, session).lists {
        for line in list.lines {
            file.write_record([
                plain(&list.title),
                line.place,
                line.pair.to_string(),
                plain(&line.names),
                line.boards.to_string(),
                format!("{:.2}", line.points),
                line.percent
                    .map_or_else(String::new, |percent| format!("{percent:.2}")),
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
    ])?;
    let number = |number: Option<f64>| number.map_or_else(String::new, |it| format!("{it:.2}"));
    for (section, board) in boards(session) {
        for line in BoardView::of(session, section, board).lines {
            let names = |pair: Option<crate::session::PairId>| {
                pair.map_or_else(String::new, |pair| {
                    plain(&pair_names(club, session, pair, RoundNumber::FIRST))
                })
            };
            let pair = |pair: Option<crate::session::PairId>| {
                pair.map_or_else(String::new, |pair| pair.to_string())
            };
            let result = &line.result;
            file.write_record([
                section.to_string(),
                board.to_string(),
                line.round.to_string(),
                line.table.table.to_string(),
                pair(line.ns),
                pair(line.ew),
                names(line.ns),
                names(line.ew),
                format!("{:?}", result.kind),
                result.contract.clone().unwrap_or_default(),
                result.declarer.map(String::from).unwrap_or_default(),
                result.made.clone().unwrap_or_default(),
                result.tricks.map_or_else(String::new, |it| it.to_string()),
                result.lead.clone().unwrap_or_default(),
                line.score.map_or_else(String::new, |it| it.to_string()),
                number(line.ns_points),
                number(line.ew_points),
            ])?;
        }
    }
    finish(file)
}

fn finish(file: csv::Writer<Vec<u8>>) -> Result<Vec<u8>, csv::Error> {
    file.into_inner()
        .map_err(|error| csv::Error::from(error.into_error()))
}

/// A name that a spreadsheet would take for a formula is kept as text.
fn plain(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t']) {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}
