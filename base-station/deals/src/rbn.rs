//! RBN: a line for each thing, known by its first letter. `B` has the board's number, `H` the
//! hands with colons between, `A` begins with dealer and vulnerability. An empty line ends a
//! record; a record that names no board is about the one before.

use protocol::words::{BoardNumber, Seat, Vulnerability};

use super::Deals;
use super::collect::{Collector, Dealing, agree, in_line, refuse};
use super::error::{DealFileError, Problem};

pub(super) fn is_one(head: &str) -> bool {
    head.lines().any(|line| {
        let hands = line.strip_prefix('H').map(str::trim_start);
        let seat = hands.and_then(|hands| hands.split_once(':'));
        seat.is_some_and(|(seat, hands)| {
            matches!(seat, "N" | "E" | "S" | "W") && hands.contains('.')
        })
    })
}

/// What one record says.
#[derive(Default)]
struct Record<'a> {
    hands: Option<(usize, &'a str)>,
    auction: Option<&'a str>,
}

pub(super) fn read(text: &str) -> Result<Deals, DealFileError> {
    let mut boards = Collector::default();
    let mut record = Record::default();
    let mut board: Option<BoardNumber> = None;
    let mut in_text = false;
    for (line, text) in (1..).zip(text.lines().chain([""])) {
        let text = text.trim();
        if in_text || text.starts_with('{') {
            in_text = !text.ends_with('}') && !text.is_empty();
            continue;
        }
        if text.is_empty() {
            take(&mut boards, &std::mem::take(&mut record), board)?;
            continue;
        }
        let mut letters = text.chars();
        let label = letters.next();
        let value = letters.as_str().trim_start();
        match label {
            Some('B') => {
                let digits = value.split(':').next().unwrap_or_default().trim();
                let bad = || Problem::BadBoard(digits.chars().take(20).collect());
                let number = digits.parse();
                board = Some(number.map_err(|_| refuse(in_line(line), None, bad()))?);
            }
            Some('H') => record.hands = Some((line, value)),
            Some('A') => record.auction = Some(value),
            _ => {}
        }
    }
    boards.done()
}

fn take(
    boards: &mut Collector,
    record: &Record<'_>,
    board: Option<BoardNumber>,
) -> Result<(), DealFileError> {
    let Some((line, hands)) = record.hands else {
        return Ok(());
    };
    let at = in_line(line);
    let board = match board {
        Some(board) => board,
        None => boards.next_number(at)?,
    };
    let refuse = |problem| refuse(at, Some(board), problem);
    let (dealer, vulnerable) = record.auction.map_or((None, None), opening);
    agree(board, dealer, vulnerable).map_err(refuse)?;
    let (first, hands) = hands
        .split_once(':')
        .and_then(|(seat, hands)| Some((seat.trim().parse::<Seat>().ok()?, hands)))
        .ok_or_else(|| refuse(Problem::FirstSeat))?;
    let hands: Vec<&str> = hands.split(':').map(str::trim).collect();
    if hands.len() != 4 {
        return Err(refuse(Problem::Hands(hands.len())));
    }
    let mut dealing = Dealing::default();
    let mut seat = first;
    for (hand, place) in hands.iter().zip(0..) {
        match *hand {
            // Three hands and a colon: the fourth has the rest.
            "" if place == 3 => dealing.give_rest(seat),
            "" => return Err(refuse(Problem::HandLeftOut(seat))),
            hand => dealing.give_hand(seat, hand).map_err(refuse)?,
        }
        seat = seat.left();
    }
    boards.take(at, board, dealing.whole().map_err(refuse)?)
}

/// `NZ:1S...`: who deals, and Z, N, E or B for who is vulnerable.
fn opening(auction: &str) -> (Option<Seat>, Option<Vulnerability>) {
    let Some((start, _)) = auction.split_once(':') else {
        return (None, None);
    };
    let mut letters = start.trim().chars();
    let dealer = letters
        .next()
        .and_then(|letter| letter.to_string().parse().ok());
    let vulnerable = match letters.next() {
        Some('Z') => Some(Vulnerability::None),
        Some('N') => Some(Vulnerability::NorthSouth),
        Some('E') => Some(Vulnerability::EastWest),
        Some('B') => Some(Vulnerability::Both),
        _ => None,
    };
    (dealer, vulnerable)
}
