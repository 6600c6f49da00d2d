//! Tables that spreadsheets open as they are, with player numbers.
//!
//! A mark at the start says that it is UTF-8. Where people write a comma in numbers, spreadsheets
//! expect semicolons between cells; the others commas and a point.

use super::evening::{Said, plain, plain_percent};
use super::{Evening, LineSheet, PairSheet};
use telling::Voice;

use crate::reports::{Language, no_formula as safe};
use crate::scoring::{Percent, Points};
use crate::session::PairId;

/// UTF-8, for spreadsheets that would take it for something older.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// A line for each pair.
pub(super) fn ranking(evening: &Evening, language: Language) -> Result<Vec<u8>, csv::Error> {
    let mut sheet = Sheet::new(language);
    sheet.row([
        "section",
        "direction",
        "place",
        "pair",
        "number_1",
        "name_1",
        "number_2",
        "name_2",
        "boards",
        "points",
        "top",
        "percent",
    ])?;
    let mut pairs: Vec<&PairSheet> = evening.pairs().collect();
    pairs.sort_by_key(|pair| {
        (
            pair.id.section,
            pair.id.side.map(|side| side as u8),
            pair.rank,
        )
    });
    for pair in pairs {
        let [first, second] = pair
            .players
            .each_ref()
            .map(|player| (player.written.clone(), safe(&player.name)));
        sheet.row([
            pair.id.section.to_string(),
            pair.id
                .side
                .map(|side| side.to_string())
                .unwrap_or_default(),
            pair.place(),
            pair.id.number.to_string(),
            first.0,
            first.1,
            second.0,
            second.1,
            pair.boards.to_string(),
            sheet.points(Some(pair.points)),
            sheet.points(Some(pair.top).filter(|top| *top != Points::ZERO)),
            sheet.percent(pair.percent),
        ])?;
    }
    sheet.done()
}

/// A line for each board at each table.
pub(super) fn results(evening: &Evening, language: Language) -> Result<Vec<u8>, csv::Error> {
    let mut sheet = Sheet::new(language);
    sheet.row([
        "section",
        "board",
        "round",
        "table",
        "ns",
        "ns_number_1",
        "ns_name_1",
        "ns_number_2",
        "ns_name_2",
        "ew",
        "ew_number_1",
        "ew_name_1",
        "ew_number_2",
        "ew_name_2",
        "what",
        "contract",
        "declarer",
        "made",
        "tricks",
        "lead",
        "score_ns",
        "points_ns",
        "points_ew",
        "percent_ns",
        "percent_ew",
    ])?;
    for line in evening.lines() {
        let mut row = vec![
            line.cell.section.to_string(),
            line.cell.board.to_string(),
            line.cell.round.to_string(),
            line.cell.table.to_string(),
        ];
        for pair in [line.ns, line.ew] {
            row.extend(players(evening, pair));
        }
        row.extend(result(line));
        row.extend([
            sheet.points(line.ns_points),
            sheet.points(line.ew_points),
            sheet.percent(line.ns_percent),
            sheet.percent(line.ew_percent),
        ]);
        sheet.row(row)?;
    }
    sheet.done()
}

fn players(evening: &Evening, id: PairId) -> Vec<String> {
    let side = id.side.map_or_else(String::new, |side| side.to_string());
    let mut cells = vec![format!("{}{side}", id.number)];
    let pair = evening.pairs().find(|pair| pair.id == id);
    for at in 0..2 {
        let player = pair.and_then(|pair| pair.players.get(at));
        cells.push(player.map_or_else(String::new, |player| player.written.clone()));
        cells.push(player.map(|player| safe(&player.name)).unwrap_or_default());
    }
    cells
}

/// What, contract, declarer, made, tricks, lead and score.
fn result(line: &LineSheet) -> [String; 7] {
    let what = crate::view::ResultView::of(&line.ruling);
    let [contract, declarer, made, tricks, lead] = match line.said() {
        Some(Said::Played(played)) => [
            played.contract.to_string(),
            played.contract.declarer.to_string(),
            // A spreadsheet would make a number or a formula of it.
            safe(&crate::view::made(played.contract.over(played.tricks))),
            played.tricks.to_string(),
            played.lead.map(|lead| lead.to_string()).unwrap_or_default(),
        ],
        _ => Default::default(),
    };
    let score = line.score.map(|score| score.0.to_string());
    [
        safe(&what.text.in_words(Voice::default())),
        contract,
        declarer,
        made,
        tricks,
        lead,
        score.unwrap_or_default(),
    ]
}

struct Sheet {
    file: csv::Writer<Vec<u8>>,
    comma: bool,
}

impl Sheet {
    fn new(language: Language) -> Self {
        // Where people write a comma in numbers, spreadsheets take semicolons between cells.
        let comma = language.point() == ',';
        let file = csv::WriterBuilder::new()
            .delimiter(if comma { b';' } else { b',' })
            .terminator(csv::Terminator::CRLF)
            .from_writer(MARK.to_vec());
        Self { file, comma }
    }

    fn row<I: IntoIterator<Item = S>, S: AsRef<[u8]>>(&mut self, row: I) -> Result<(), csv::Error> {
        self.file.write_record(row)
    }

    fn points(&self, points: Option<Points>) -> String {
        self.number(points.map(plain))
    }

    fn percent(&self, percent: Option<Percent>) -> String {
        self.number(percent.map(plain_percent))
    }

    fn number(&self, number: Option<String>) -> String {
        let number = number.unwrap_or_default();
        if self.comma {
            number.replace('.', ",")
        } else {
            number
        }
    }

    fn done(self) -> Result<Vec<u8>, csv::Error> {
        let file = self.file.into_inner();
        file.map_err(|error| csv::Error::from(error.into_error()))
    }
}
