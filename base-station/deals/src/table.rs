//! CSV: a board in each line. Sixteen suits (North, East, South and West, each from spades to
//! clubs), then, if they are there, the number and `N/NS` for dealer and vulnerability.

use protocol::words::{BoardNumber, Rank, Seat};

use super::Deals;
use super::collect::{Collector, Dealing, SUITS, agree, in_line, refuse};
use super::error::{DealFileError, Problem};

const SUITS_A_BOARD: usize = 16;

/// Sixteen suits in one of the first lines, a few damaged ones included.
pub(super) fn is_one(head: &str) -> bool {
    let mark = mark(head);
    let lines = records(head, mark).take(3);
    lines.flatten().any(|record| {
        let suits = record.iter().take(SUITS_A_BOARD);
        record.len() >= SUITS_A_BOARD && suits.filter(|field| is_suit(field)).count() >= 14
    })
}

fn is_suit(field: &str) -> bool {
    let field = field.trim().replace("10", "T");
    field.len() <= 13
        && (field
            .chars()
            .all(|letter| Rank::from_char(letter).is_some())
            || field == "-")
}

/// Spreadsheets of half of Europe put semicolons between fields.
fn mark(text: &str) -> u8 {
    let first = text.lines().find(|line| !line.trim().is_empty());
    let first = first.unwrap_or_default();
    let count = |mark: u8| first.bytes().filter(|byte| *byte == mark).count();
    [b',', b';', b'\t']
        .into_iter()
        .max_by_key(|mark| (count(*mark), *mark == b','))
        .unwrap_or(b',')
}

fn records(text: &str, mark: u8) -> impl Iterator<Item = Result<csv::StringRecord, csv::Error>> {
    csv::ReaderBuilder::new()
        .delimiter(mark)
        .has_headers(false)
        .flexible(true)
        .from_reader(std::io::Cursor::new(text.as_bytes().to_vec()))
        .into_records()
}

pub(super) fn read(text: &str) -> Result<Deals, DealFileError> {
    let mut boards = Collector::default();
    for (record, place) in records(text, mark(text)).zip(0_usize..) {
        let record = record.map_err(|fault| {
            let line = fault.position().map_or(1, csv::Position::line);
            let at = in_line(usize::try_from(line).unwrap_or(usize::MAX));
            refuse(at, None, Problem::NotText)
        })?;
        let line = record.position().map_or(1, csv::Position::line);
        let at = in_line(usize::try_from(line).unwrap_or(usize::MAX));
        let cards = record.iter().take(SUITS_A_BOARD);
        if record.iter().all(|field| field.trim().is_empty())
            || place == 0 && cards.clone().filter(|field| is_suit(field)).count() < 8
        {
            // An empty line, or the names of the columns.
            continue;
        }
        let board = match record.get(SUITS_A_BOARD).map(str::trim) {
            None | Some("") => boards.next_number(at)?,
            Some(number) => number.parse::<BoardNumber>().map_err(|_| {
                let number = number.chars().take(20).collect();
                refuse(at, None, Problem::BadBoard(number))
            })?,
        };
        let refuse = |problem| refuse(at, Some(board), problem);
        if record.len() < SUITS_A_BOARD {
            return Err(refuse(Problem::BoardCutShort));
        }
        if let Some(opening) = record.get(SUITS_A_BOARD + 1) {
            opened(board, opening.trim()).map_err(refuse)?;
        }
        let mut dealing = Dealing::default();
        let seats = Seat::ALL
            .into_iter()
            .flat_map(|seat| SUITS.map(|suit| (seat, suit)));
        for ((seat, suit), ranks) in seats.zip(cards) {
            dealing.give_suit(seat, suit, ranks).map_err(refuse)?;
        }
        boards.take(at, board, dealing.whole().map_err(refuse)?)?;
    }
    boards.done()
}

fn opened(board: BoardNumber, text: &str) -> Result<(), Problem> {
    let Some((dealer, vulnerable)) = text.split_once('/') else {
        return Ok(());
    };
    let short = |text: &str| text.chars().take(20).collect();
    let seat = dealer.parse();
    let seat = seat.map_err(|_| Problem::BadDealer(short(dealer)))?;
    let sides = vulnerable.parse();
    let sides = sides.map_err(|_| Problem::BadVulnerability(short(vulnerable)))?;
    agree(board, Some(seat), Some(sides))
}
